"""Matches: bots play a fixed number of deals, each deal once in every given seating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, Game, OptionError
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot, seed_bots
from concilium.envs.core.games import Games, Stepped
from concilium.envs.core.kernels import stream_seeds
from concilium.envs.core.play import PlayLoop
from concilium.envs.core.state import take_records

_GAMES_AT_ONCE: Final = 512  # large enough for batched bots, small enough for the cache


def check_deals(deals: object, name: str = "deals") -> int:
    """Return a number of deals; OptionError unless it is a whole number from 1."""
    if isinstance(deals, int | np.integer) and not isinstance(deals, bool | np.timedelta64):
        count = int(deals)
        if count >= 1:
            return count
    raise OptionError(f"{name}={deals!r} is not allowed: a whole number, at least 1")


def equal_share(game: Game, players: int, seats: int = 1) -> float | None:
    """What so many seats of a table would win if all seats played alike.

    None in games of sides: there it depends on the sides that are dealt and on which side is the
    stronger, so no figure is given.
    """
    return None if game.sides else seats / players


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


def deal_seeds(deals: int, seed: int) -> list[int]:
    """Seeds from which :func:`play` deals, each for ``BoundGame.new_state``."""
    episodes, games = np.divmod(np.arange(deals), max(1, min(deals, _GAMES_AT_ONCE)))
    seeds: list[int] = stream_seeds(check_seed(seed), games, episodes).tolist()
    return seeds


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
        BotError: a bot's answer cannot be used; the message names it.
    """
    check_deals(deals)
    check_seed(seed)
    fits = seating.ndim == 2 or (seating.ndim == 3 and seating.shape[1] == deals)
    if not fits or seating.shape[-1] != table.num_players:
        raise OptionError(f"a seating of shape {seating.shape} for {table.num_players} players")
    if seating.min() < 0 or seating.max() >= len(bots):
        raise OptionError(f"bots {seating.min()} to {seating.max()} of {len(bots)}")
    seed_bots(bots, seed)
    seeds = np.array(deal_seeds(deals, seed), np.uint64)
    everywhere = np.broadcast_to(
        seating.reshape(len(seating), -1, table.num_players),
        (len(seating), deals, table.num_players),
    )
    rows = [_Match(table, bots, sits, seeds) for sits in everywhere]
    returns, outcomes, decisions = (
        np.stack([getattr(row, name) for row in rows])
        for name in ("returns", "outcomes", "decisions")
    )
    return Results(returns, outcomes, decisions, seating)


class _Match:
    """Plays each deal once, ``sits (deals, seats)``: deal ``d`` in row ``d % w`` of ``w`` games."""

    def __init__(
        self,
        table: BoundGame,
        bots: Sequence[Bot],
        sits: NDArray[np.int64],
        seeds: NDArray[np.uint64],
    ) -> None:
        deals = len(seeds)
        self.returns = np.zeros((deals, table.num_players))
        self.outcomes = np.zeros(deals, np.int64)
        self.decisions = np.zeros(deals, np.int64)
        self._sits = sits
        self._seeds = seeds
        self._width = min(deals, _GAMES_AT_ONCE)
        self._deal = np.arange(self._width)  # that each row is playing
        self._games = Games([table] * self._width)
        self._games.deal(seeds[: self._width])
        self._loop = PlayLoop(
            self._games, bots, sits[: self._width].copy(), ask_forced=True,
            on_decisions=self._count, on_ends=self._end,
        )  # fmt: skip
        self._loop.run()

    def _count(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        del actions
        self.decisions[self._deal[rows]] += 1

    def _end(self, stepped: Stepped) -> None:
        """Note how games ended, and deal the next in their rows."""
        rows = stepped.games[stepped.finished]
        ended = self._deal[rows]
        self.returns[ended] = self._games.returns(rows)
        outcome = self._games.game.outcome
        self.outcomes[ended] = outcome(take_records(self._games.plain_states, rows))
        self._deal[rows] += self._width
        rows = rows[self._deal[rows] < len(self._seeds)]
        self._loop.sits[rows] = self._sits[self._deal[rows]]
        self._games.deal(self._seeds[self._deal[rows]], rows)
