"""Games of hidden sides in which one bot plays every seat of a side, and another bot the other's.

A single seat changes little where a side wins or loses as one, and nobody chooses a side: it is
dealt. So here the deal says where each bot sits. The unit of all intervals is the deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, Game, OptionError
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot, seed_bots
from concilium.envs.core.games import Games
from concilium.envs.core.option import OptionValue
from concilium.envs.core.play import PlayLoop
from concilium.envs.core.state import Records
from concilium.evaluation.intervals import Estimate, block_share, difference, mean
from concilium.evaluation.matches import check_deals, deal_seeds

_GAMES_AT_ONCE: Final = 512  # large enough for batched bots, small enough for the cache
NOBODY: Final = -1
"""Winner of a game that no side has won."""


@dataclass(frozen=True)
class SideResults:
    """Raw rows of games between sides, deal by deal.

    Attributes:
        game: what was played.
        winner: number of the side that won, NOBODY if none did ``(deals,) int64``. A win is a
            positive return.
        returns: mean return of the seats of each side ``(deals, sides) float64``.
        seat_returns: return of each seat ``(deals, num_players) float64``.
        outcomes: number of the outcome of each game ``(deals,) int64``.
        decisions: length of each game ``(deals,) int64``, decisions with one option included.
        seats: side of each seat ``(deals, num_players) int64``.
        states: how the games ended, the whole truth ``(deals,)``, for whatever else is to be read
            from them; ``(0,)`` if they were not to be kept.
    """

    game: Game
    winner: NDArray[np.int64]
    returns: NDArray[np.float64]
    seat_returns: NDArray[np.float64]
    outcomes: NDArray[np.int64]
    decisions: NDArray[np.int64]
    seats: NDArray[np.int64]
    states: Records

    def won(self, side: int) -> Estimate:
        """Share of the deals that a side won."""
        return block_share(self.winner == side)

    def returned(self, side: int) -> Estimate:
        """Mean return of the seats of a side."""
        return mean(self.returns[:, side], *self.game.return_range)

    def difference(self, other: SideResults, side: int) -> Estimate:
        """By how much a side's share of wins is above that in ``other``, deal by deal.

        Args:
            other: of the same deals.
            side: whose wins.

        Raises:
            OptionError: of other deals.
        """
        if not np.array_equal(self.seats, other.seats):
            raise OptionError(
                f"results of {len(self.winner)} and of {len(other.winner)} deals are no pairs: "
                "they are of other deals"
            )
        ours, theirs = self.winner == side, other.winner == side
        return difference(ours.astype(float) - theirs.astype(float), 0.0, 1.0)


def play_sides(
    game: Game,
    bots: Sequence[Bot],
    *,
    deals: int,
    seed: int,
    options: Mapping[str, OptionValue],
    keep_states: bool = True,
) -> SideResults:
    """Play each deal once, with ``bots[k]`` in every seat of side ``k``.

    Decisions with one option are taken without asking.

    Args:
        game: a game that has sides.
        bots: one for each side; seeded here, so equal calls give equal results.
        deals: number of deals, fixed beforehand.
        seed: of deals and bots, a whole number from 0 to 2**64 - 1. Deal ``k`` depends on the seed
            and ``k`` alone, and is that of :func:`~.matches.play`.
        options: the game's options, ``num_players`` among them.
        keep_states: whether the last State of each game is kept; ten thousand of Believers take
            90 MB.

    Raises:
        OptionError: the game has no sides, or bots or options do not fit it.
        BotError: a bot's answer cannot be used; the message names it.
    """
    if not game.sides:
        raise OptionError(f"{game.name} has no sides")
    if len(bots) != len(game.sides):
        raise OptionError(f"{len(bots)} bots for the sides {', '.join(game.sides)}: one for each")
    for bot in bots:
        if bot.game is not game:
            raise OptionError(f"bot {bot.name} plays {bot.game.id}, not {game.id}")
    check_deals(deals)
    check_seed(seed)
    table = game.bind(**options)
    seed_bots(bots, seed)
    seeds = deal_seeds(deals, seed)
    parts = []
    for start in range(0, deals, _GAMES_AT_ONCE):
        part = _play_out(table, bots, seeds[start : start + _GAMES_AT_ONCE])
        parts.append(part if keep_states else replace(part, states=part.states[:0]))
    columns = (
        np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(SideResults)
        if each.name != "game"
    )
    return SideResults(game, *columns)


def _play_out(table: BoundGame, bots: Sequence[Bot], seeds: Sequence[int]) -> SideResults:
    """Play the games of some seeds, all of them one decision further at a time."""
    game = table.game
    games = Games([table] * len(seeds))
    games.deal(seeds)
    seats = game.sides_in(games.states)[:, : table.num_players]
    decisions = np.zeros(len(seeds), np.int64)

    def count(rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        del actions
        decisions[rows] += 1

    PlayLoop(games, bots, seats, on_decisions=count).run()
    states, seat_returns = games.states, games.returns()
    returns = np.stack(
        [_mean_where(seat_returns, seats == side) for side in range(len(game.sides))], axis=1
    )
    winner = np.where(returns.max(axis=1) > 0, returns.argmax(axis=1), NOBODY)
    outcomes = np.asarray(game.outcome(states)).astype(np.int64)
    return SideResults(game, winner, returns, seat_returns, outcomes, decisions, seats, states)


def _mean_where(values: NDArray[np.float64], where: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean along the rows of ``values (k, n)`` of the entries ``where``; 0 where there are none."""
    means: NDArray[np.float64] = (values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1)
    return means
