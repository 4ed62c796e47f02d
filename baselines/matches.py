"""Matches: bots play a fixed number of deals, each deal once in every given seating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.protocol import Bot
from concilium.envs import BoundGame, OptionError, VecGame
from concilium.envs.core.state import plain_records

_GAMES_AT_ONCE: Final = 512  # large enough for batched bots, small enough for the cache


@dataclass(frozen=True)
class Results:
    """Raw rows of a match.

    Attributes:
        returns: ``(rotations, deals, seats) float64``.
        outcomes: number of the outcome of each game ``(rotations, deals) int64``.
        decisions: length of each game ``(rotations, deals) int64``.
        seating: which bot sat where ``(rotations, seats) int64``, or ``(rotations, deals, seats)``
            if it differs between deals.
    """

    returns: NDArray[np.float64]
    outcomes: NDArray[np.int64]
    decisions: NDArray[np.int64]
    seating: NDArray[np.int64]

    def sits(self, bot: int) -> NDArray[np.bool_]:
        """Where ``bot`` sat, ``(rotations, 1 or deals, seats)``."""
        seats = self.seating if self.seating.ndim == 3 else self.seating[:, np.newaxis, :]
        found: NDArray[np.bool_] = seats == bot
        return found

    def seats(self, bot: int) -> NDArray[np.float64]:
        """In how many seats ``bot`` sat, ``(rotations, deals)``."""
        sits = np.broadcast_to(self.sits(bot), self.returns.shape)
        counts: NDArray[np.float64] = sits.sum(axis=2, dtype=np.float64)
        return counts

    def wins(self, bot: int) -> NDArray[np.float64]:
        """How many of the seats of ``bot`` won, ``(rotations, deals)``; see :meth:`won`."""
        won = (self.returns > 0) & self.sits(bot)
        counts: NDArray[np.float64] = won.sum(axis=2, dtype=np.float64)
        return counts

    def totals(self, bot: int) -> NDArray[np.float64]:
        """Sum of the returns of the seats of ``bot``, ``(rotations, deals)``."""
        total: NDArray[np.float64] = (self.returns * self.sits(bot)).sum(axis=2)
        return total

    def won(self, bot: int) -> NDArray[np.float64]:
        """1 where one of the seats of ``bot`` won, alone or with others ``(rotations, deals)``.

        A win is a positive return: a calamity or a game out of time is won by nobody.
        """
        won: NDArray[np.float64] = (self.wins(bot) > 0).astype(np.float64)
        return won

    def win_share(self, bot: int) -> NDArray[np.float64]:
        """Share of the seats of ``bot`` that won, by deal ``(deals,)``; it sits in every deal."""
        share: NDArray[np.float64] = self.wins(bot).sum(axis=0) / self.seats(bot).sum(axis=0)
        return share

    def returned(self, bot: int) -> NDArray[np.float64]:
        """Mean return of the seats of ``bot``, by deal ``(deals,)``; it sits in every deal."""
        total: NDArray[np.float64] = self.totals(bot).sum(axis=0) / self.seats(bot).sum(axis=0)
        return total

    def ended(self, outcome: int) -> NDArray[np.float64]:
        """Share of a deal's games with that outcome ``(deals,)``."""
        shares: NDArray[np.float64] = (self.outcomes == outcome).mean(axis=0)
        return shares


def join(parts: Sequence[Results]) -> Results:
    """Results of the same seats over one run of deals after the other."""
    deal_by_deal = parts[0].seating.ndim == 3
    return Results(
        np.concatenate([part.returns for part in parts], axis=1),
        np.concatenate([part.outcomes for part in parts], axis=1),
        np.concatenate([part.decisions for part in parts], axis=1),
        np.concatenate([part.seating for part in parts], axis=1)
        if deal_by_deal
        else parts[0].seating,
    )


def deal_seeds(table: BoundGame, deals: int, seed: int) -> list[int]:
    """Seeds from which :func:`play` deals, each for ``BoundGame.new_state``."""
    vec = VecGame([table] * min(deals, _GAMES_AT_ONCE), seed=seed)
    seeds: list[int] = []
    while len(seeds) < deals:
        vec.reset()
        seeds += plain_records(vec.states)["rng_key"].tolist()
    return seeds[:deals]


def play(
    table: BoundGame, bots: Sequence[Bot], seating: NDArray[np.int64], deals: int, seed: int
) -> Results:
    """Play ``deals`` deals in every given seating.

    Args:
        table: the game with its options.
        bots: the players; seeded here, so equal calls give equal results.
        seating: number of the bot at each seat, ``(rotations, num_players)`` or, for seats that
            differ between deals, ``(rotations, deals, num_players)``.
        deals: number of deals, fixed beforehand.
        seed: of the deals and the bots.

    Raises:
        OptionError: the seating does not fit the table or the bots.
    """
    fits = seating.ndim == 2 or (seating.ndim == 3 and seating.shape[1] == deals)
    if not fits or seating.shape[-1] != table.num_players:
        raise OptionError(f"a seating of shape {seating.shape} for {table.num_players} players")
    if deals < 1 or seating.min() < 0 or seating.max() >= len(bots):
        raise OptionError(f"{deals} deals, bots {seating.min()} to {seating.max()} of {len(bots)}")
    for number, bot in enumerate(bots):
        bot.seed(int(np.random.SeedSequence((seed, number)).generate_state(1, np.uint64)[0]))
    rows = [_play_seating(table, bots, sits, deals, seed) for sits in seating]
    returns, outcomes, decisions = (np.stack(column) for column in zip(*rows, strict=True))
    return Results(returns, outcomes, decisions, seating)


def _play_seating(
    table: BoundGame, bots: Sequence[Bot], sits: NDArray[np.int64], deals: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Play each deal once; deal ``d`` is episode ``d // w`` of game ``d % w`` of ``w`` games.

    ``sits`` is ``(seats,)`` for all deals or ``(deals, seats)``.
    """
    width = min(deals, _GAMES_AT_ONCE)
    vec = VecGame([table] * width, seed=seed)
    returns = np.zeros((deals, table.num_players))
    outcomes = np.zeros(deals, np.int64)
    decisions = np.zeros(deals, np.int64)
    batch = vec.reset()
    masks, actors = batch.masks.copy(), batch.actors.copy()
    deal = np.arange(width)  # that each game is playing
    games = np.arange(width)  # still playing
    while len(games):
        actions = np.empty(len(games), np.int64)
        at = sits[actors[games]] if sits.ndim == 1 else sits[deal[games], actors[games]]
        for number in np.unique(at):
            rows = np.flatnonzero(at == number)
            views = vec.views(games[rows])
            actions[rows] = bots[number].act(views, masks[games[rows]])
        decisions[deal[games]] += 1
        batch = vec.step(actions, games, observe=False)
        masks[games], actors[games] = batch.masks, batch.actors
        if len(batch.finished):
            ended = games[batch.finished]
            returns[deal[ended]] = batch.rewards[batch.finished]
            outcomes[deal[ended]] = table.game.outcome(batch.final_views[:, 0])
            deal[ended] += width
            games = games[deal[games] < deals]
    return returns, outcomes, decisions
