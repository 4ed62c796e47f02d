"""Matches: bots play a fixed number of deals, each deal once in every rotation of the seats.

The unit of all intervals is the deal, for the games of one deal are not independent, nor are the
seats of one game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.intervals import Estimate, block_share, mean
from concilium.baselines.protocol import Bot
from concilium.envs import BoundGame, OptionError, VecGame

_GAMES_AT_ONCE: Final = 512  # large enough for batched bots, small enough for the cache


@dataclass(frozen=True)
class Results:
    """Raw rows of a match.

    Attributes:
        returns: ``(rotations, deals, seats) float64``.
        outcomes: number of the outcome of each game ``(rotations, deals) int64``.
        decisions: length of each game ``(rotations, deals) int64``.
        seating: which bot sat where ``(rotations, seats) int64``.
    """

    returns: NDArray[np.float64]
    outcomes: NDArray[np.int64]
    decisions: NDArray[np.int64]
    seating: NDArray[np.int64]

    def won(self, bot: int) -> NDArray[np.float64]:
        """Share of its seats' games that ``bot`` won, by deal ``(deals,)``.

        A game is won with a positive return; a shared or lost one, a calamity or one out of time is
        not.
        """
        return self._by_deal(self.returns > 0, bot)

    def returned(self, bot: int) -> NDArray[np.float64]:
        """Mean return of the seats of ``bot``, by deal ``(deals,)``."""
        return self._by_deal(self.returns, bot)

    def ended(self, outcome: int) -> NDArray[np.float64]:
        """Share of a deal's games with that outcome ``(deals,)``."""
        shares: NDArray[np.float64] = (self.outcomes == outcome).mean(axis=0)
        return shares

    def _by_deal(self, values: NDArray[Any], bot: int) -> NDArray[np.float64]:
        sits = (self.seating == bot)[:, np.newaxis, :]
        total: NDArray[np.float64] = (values * sits).sum(axis=(0, 2)) / sits.sum()
        return total


def play(
    table: BoundGame, bots: Sequence[Bot], seating: NDArray[np.int64], deals: int, seed: int
) -> Results:
    """Play ``deals`` deals in every given seating.

    Args:
        table: the game with its options.
        bots: the players; seeded here, so equal calls give equal results.
        seating: number of the bot at each seat, ``(rotations, num_players)``.
        deals: number of deals, fixed beforehand.
        seed: of the deals and the bots.

    Raises:
        OptionError: the seating does not fit the table or the bots.
    """
    if seating.ndim != 2 or seating.shape[1] != table.num_players:
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
    """Play each deal once; deal ``d`` is episode ``d // w`` of game ``d % w`` of ``w`` games."""
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
        at = sits[actors[games]]
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


def rotations(num_players: int, focal: int = 0, other: int = 1) -> NDArray[np.int64]:
    """Seat the focal bot once at each seat among copies of the other, ``(n, n)``."""
    return np.where(np.eye(num_players, dtype=bool), focal, other)


@dataclass(frozen=True)
class SingleSeatResult:
    """A bot as the only one of its kind at the table, in every seat of the same deals.

    Attributes:
        bot, background: names.
        num_players: size of the table.
        deals, games: how many were played.
        won: share of games that the bot won.
        mean_return: its mean return.
        outcomes: share of games by outcome.
        decisions: mean length of a game.
    """

    bot: str
    background: str
    num_players: int
    deals: int
    games: int
    won: Estimate
    mean_return: Estimate
    outcomes: dict[str, Estimate]
    decisions: float

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        return asdict(self)


def single_seat(
    table: BoundGame, bot: Bot, background: Bot, deals: int, seed: int = 0
) -> SingleSeatResult:
    """Let ``bot`` play alone among copies of ``background``, in every seat of ``deals`` deals."""
    results = play(table, [bot, background], rotations(table.num_players), deals, seed)
    return _summary(table, bot.name, background.name, results)


def among_themselves(table: BoundGame, bot: Bot, deals: int, seed: int = 0) -> SingleSeatResult:
    """Let ``bot`` play against copies of itself: every seat counts, each deal is played once."""
    seating = np.zeros((1, table.num_players), np.int64)
    return _summary(table, bot.name, bot.name, play(table, [bot], seating, deals, seed))


def _summary(table: BoundGame, bot: str, background: str, results: Results) -> SingleSeatResult:
    return SingleSeatResult(
        bot=bot,
        background=background,
        num_players=table.num_players,
        deals=results.outcomes.shape[1],
        games=results.outcomes.size,
        won=block_share(results.won(0)),
        mean_return=mean(results.returned(0)),
        outcomes={
            name: block_share(results.ended(number))
            for number, name in enumerate(table.game.outcomes)
            if number > 0
        },
        decisions=float(results.decisions.mean()),
    )
