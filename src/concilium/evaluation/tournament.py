"""Tournaments: every bot at tables of every other, and all of them in one mixed pool.

At each table size every bot sits as a single seat among copies of every other bot and of itself
(cross-play), and line-ups drawn from all bots meet (the pool). What is played is fixed beforehand;
the unit of all intervals is the deal with its rotations of the seats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, Game, OptionError, get_game
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.files import write_atomically
from concilium.evaluation.intervals import (
    Estimate,
    block_mean,
    block_ratio,
    block_share,
    deal_efficiency,
    difference,
    mean,
)
from concilium.evaluation.jobs import Match, Tell, play_all, seeds_of_deals
from concilium.evaluation.matches import Results, check_deals, equal_share
from concilium.evaluation.ratings import Ratings, rate
from concilium.evaluation.report import csv_text, game_columns, game_lines, to_json

_LINE_UPS: Final = 2  # first entry of the spawn keys of the seeds of line-ups
_SAME: Final = 1e-9  # returns that differ by less are equal
ROTATE: Final = ("all", "cross", "pool", "none")
"""What can be played in all rotations of the seats: both parts, one of them, or neither."""


@dataclass(frozen=True)
class Cell:
    """One bot as a single seat, all other seats filled by one bot.

    Attributes:
        row: the single seat's bot.
        column: the bot in the other seats; the same as ``row`` in self-play.
        games: how many were played.
        won: share of games that the single seat won.
        mean_return: its mean return.
        table_return: mean return of all seats.
        outcomes: share of games by outcome.
        efficiency: how many times as many games would be needed if each had a deal of its own,
            for the same interval of ``won``; None in self-play, if deals were not rotated, or
            if they do not differ.
    """

    row: str
    column: str
    games: int
    won: Estimate
    mean_return: Estimate
    table_return: Estimate
    outcomes: dict[str, Estimate]
    efficiency: float | None


@dataclass(frozen=True)
class Standing:
    """A bot in the pool.

    Attributes:
        bot: its name.
        seats: how many it had, over all games.
        won: share of its seats that won.
        mean_return: mean return of its seats.
    """

    bot: str
    seats: int
    won: Estimate
    mean_return: Estimate


@dataclass(frozen=True)
class Pool:
    """Tables of line-ups drawn from all bots, each bot in as many seats.

    Attributes:
        deals, games: how many were played; a deal has one line-up.
        standings: of the bots.
        outcomes: share of games by outcome.
        lost_by_all: outcomes that came up and that no seat ever won.
        efficiency: how many times as many games would be needed if each had a deal and a line-up of
            its own, for the same intervals; None if deals were not rotated or do not differ.
    """

    deals: int
    games: int
    standings: tuple[Standing, ...]
    outcomes: dict[str, Estimate]
    lost_by_all: tuple[str, ...]
    efficiency: float | None


@dataclass(frozen=True)
class ConventionGap:
    """What tables lose when the bots at them differ: self-play minus cross-play.

    Attributes:
        overall: mean return of a seat in self-play (the diagonal of the cells), minus that of a
            seat at tables of two bots (all other cells), on the same deals.
        bots: likewise for each bot, against the cells in which it is one of the two.
    """

    overall: Estimate
    bots: dict[str, Estimate]


@dataclass(frozen=True)
class CrossTable:
    """All that was played at one table size.

    Attributes:
        players: seats at the table.
        options: all options of the game.
        equal_share: what a seat would win if all played alike; None in games of sides.
        rotations: in how many seatings a deal of cross-play was played.
        games: how many were played; with two players a pairing serves two cells.
        cells: cross-play, row by row.
        lost_by_all: outcomes that came up in cross-play and that no seat ever won.
        gap: the convention gap; None where all seats together always get the same.
        efficiency: that of all cells together.
        pool: the mixed tables.
        cross_results: the raw results of the pairings.
        pool_results: the raw results of the pool.
        deal_seeds: from which the deals were dealt, those of both parts in the same order.
    """

    players: int
    options: dict[str, Any]
    equal_share: float | None
    rotations: int
    games: int
    cells: tuple[Cell, ...]
    lost_by_all: tuple[str, ...]
    gap: ConventionGap | None
    efficiency: float | None
    pool: Pool
    cross_results: tuple[Results, ...] = field(repr=False, compare=False)
    pool_results: Results = field(repr=False, compare=False)
    deal_seeds: tuple[int, ...] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Tournament:
    """What a tournament found.

    Attributes:
        game: name and version of the game.
        bots: names of the bots.
        deals: of each cell of cross-play.
        seed: of deals, line-ups and bots.
        rotate: which parts were played in all rotations of the seats.
        outcomes: names of the game's outcomes, by number.
        tables: the table sizes.
        ratings: of the pool at all table sizes; None if they were not asked for.
    """

    game: str
    bots: tuple[str, ...]
    deals: int
    seed: int
    rotate: str
    outcomes: tuple[str, ...]
    tables: tuple[CrossTable, ...]
    ratings: Ratings | None

    @property
    def games(self) -> int:
        """How many games were played in all."""
        return sum(table.games + table.pool.games for table in self.tables)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game, so that anybody can recompute the figures.

        A deal is dealt anew by ``BoundGame.new_state(deal_seed)``.
        """
        seats = max(table.players for table in self.tables)
        columns = ["part", "players", "seed", "deal_seed", *game_columns(seats)]
        write_atomically(path, csv_text(columns, self._lines(seats)))

    def _lines(self, seats: int) -> Iterator[list[Any]]:
        for table in self.tables:
            parts = [("cross", results) for results in table.cross_results]
            for part, results in [*parts, ("pool", table.pool_results)]:
                for line in game_lines(results, self.bots, self.outcomes, seats):
                    yield [part, table.players, self.seed, table.deal_seeds[line[0]], *line]


def tournament(
    bots: Sequence[str],
    *,
    game: str | Game,
    deals: int,
    players: Sequence[int] | None = None,
    pool_deals: int | None = None,
    seed: int = 0,
    rotate: str = "cross",
    ratings: bool = True,
    workers: int = 1,
    tell: Tell | None = None,
    **options: object,
) -> Tournament:
    """Let bots play each other; equal arguments give equal results, for any number of workers.

    Args:
        bots: names of at least two bots, or policy files.
        game: the game or its name.
        deals: of each cell of cross-play, fixed beforehand.
        players: table sizes; all that the game has, if not given.
        pool_deals: of the pool at each table size; ``deals`` for each bot, if not given.
        seed: whole number from 0 to 2**64 - 1, of deals, line-ups and bots.
        rotate: which parts play each deal in all rotations of the seats, one of :data:`ROTATE`. The
            others play each deal once, the seats in turn: better where the measured efficiency is
            below 1. In the pool it usually is, because the rotations share the
            line-up, which matters more than the seats.
        ratings: also rate the bots, which needs openskill.
        workers: processes, see :func:`.jobs.play_all`.
        tell: is told of the progress.
        **options: the game's other options.

    Raises:
        OptionError: something is unknown or does not fit; found before anything is played.
        FileFormatError: a policy file cannot be used; likewise.
        ModuleNotFoundError: openskill is not installed; likewise.
        ConciliumError: a bot failed, or a process died.
    """
    rules = get_game(game) if isinstance(game, str) else game
    names = tuple(bots)
    in_pool = check_deals(deals) * len(names) if pool_deals is None else pool_deals
    _check(names, deals, in_pool, seed, rotate)
    if ratings:
        import_module("openskill")  # so that nobody finds out at the end that it is missing
    tables = bind_tables(rules, players, options)
    plans = [_Plan(table, len(names), deals, in_pool, seed, rotate) for table in tables]
    matches = [match for plan in plans for match in plan.matches]
    played = iter(play_all(matches, names, seed=seed, workers=workers, tell=tell))
    results = [[next(played) for _ in plan.matches] for plan in plans]
    return Tournament(
        game=rules.id,
        bots=names,
        deals=deals,
        seed=seed,
        rotate=rotate,
        outcomes=rules.outcomes,
        tables=tuple(plan.table_of(each, names) for plan, each in zip(plans, results, strict=True)),
        ratings=rate([found[-1] for found in results], names, seed=seed) if ratings else None,
    )


def _check(bots: Sequence[str], deals: int, pool_deals: int, seed: int, rotate: str) -> None:
    check_seed(seed)
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise OptionError(f"bots {', '.join(bots)}: at least two are needed, each once")
    check_deals(deals)
    check_deals(pool_deals, "pool_deals")
    if rotate not in ROTATE:
        raise OptionError(f"rotate={rotate!r} is not allowed: one of {', '.join(ROTATE)}")


def bind_tables(
    game: Game, players: Sequence[int] | None, options: dict[str, object]
) -> list[BoundGame]:
    """Bind a game at several table sizes, all that it has if ``players`` is not given.

    Raises:
        OptionError: a table size twice or none at all, or options that the game does not have.
    """
    sizes = range(game.min_players, game.max_players + 1) if players is None else list(players)
    if "num_players" in options or not sizes or len(set(sizes)) != len(sizes):
        raise OptionError(
            f"players={list(sizes)} is not allowed: one or more table sizes, each once, and no "
            "option num_players"
        )
    return [game.bind(num_players=size, **options) for size in sizes]


def rotations(pattern: NDArray[np.int64]) -> NDArray[np.int64]:
    """All different rotations ``(k, seats)`` of the bots at the seats ``(seats,)``, in order."""
    return np.unique([np.roll(pattern, shift) for shift in range(len(pattern))], axis=0)


def line_ups(bots: int, players: int, deals: int, seed: int) -> NDArray[np.int64]:
    """Line-ups ``(deals, players)`` with all bots in equally many seats, or one more or less.

    Which bots meet is drawn; a bot may sit at a table twice, as in a population of which all bots
    are equally large parts.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(_LINE_UPS, players, deals))
    generator = np.random.default_rng(sequence)
    seats = np.resize(generator.permutation(bots), deals * players)
    return generator.permutation(seats).reshape(deals, players)


def lost_by_all(played: Sequence[Results], outcomes: Sequence[str]) -> tuple[str, ...]:
    """Names of the outcomes that came up and that no seat ever won."""
    seen = np.concatenate([results.outcomes.ravel() for results in played])
    won = np.concatenate([(results.returns > 0).any(axis=2).ravel() for results in played])
    return tuple(
        name
        for number, name in enumerate(outcomes)
        if (seen == number).any() and not won[seen == number].any()
    )


def outcome_shares(results: Results, outcomes: Sequence[str]) -> dict[str, Estimate]:
    """Share of games by outcome, without the first, which is that of a game that goes on."""
    return {
        name: block_share(results.ended(number))
        for number, name in enumerate(outcomes)
        if number > 0
    }


class _Plan:
    """What is played at one table, and how the figures come from it."""

    def __init__(
        self, table: BoundGame, bots: int, deals: int, pool_deals: int, seed: int, rotate: str
    ) -> None:
        self.table = table
        self.seed = seed
        self.rotates_cross = rotate in ("all", "cross")
        self.rotates_pool = rotate in ("all", "pool")
        self.matches: list[Match] = []
        self.pairing: dict[tuple[int, int], int] = {}  # number of the match of each cell
        players = table.num_players
        known: dict[bytes, int] = {}
        for row in range(bots):
            for column in range(bots):
                seatings = rotations(np.array([row, *[column] * (players - 1)]))
                # at a table of two the pairing of a row and a column is that of column and row
                number = known.setdefault(seatings.tobytes(), len(self.matches))
                self.pairing[row, column] = number
                if number == len(self.matches):
                    if not self.rotates_cross:
                        seatings = seatings[np.newaxis, np.arange(deals) % len(seatings)]
                    self.matches.append(Match(table, seatings, deals))
        drawn = line_ups(bots, players, pool_deals, seed)
        turns = range(players) if self.rotates_pool else range(1)
        seats = np.stack([np.roll(drawn, shift, axis=1) for shift in turns])
        self.matches.append(Match(table, seats, pool_deals))

    def deal_seeds(self) -> list[int]:
        """Of the longest match; those of the others are the first of them."""
        return seeds_of_deals(self.table, max(match.deals for match in self.matches), self.seed)

    def table_of(self, played: Sequence[Results], bots: Sequence[str]) -> CrossTable:
        """Compute the figures from the results of the matches."""
        outcomes = self.table.game.outcomes
        cross = {pair: played[number] for pair, number in self.pairing.items()}
        mixed = [results.wins(pair[0]) for pair, results in cross.items() if pair[0] != pair[1]]
        return CrossTable(
            players=self.table.num_players,
            options=dict(self.table.options),
            equal_share=equal_share(self.table.game, self.table.num_players),
            rotations=self.table.num_players if self.rotates_cross else 1,
            games=sum(results.outcomes.size for results in played[:-1]),
            cells=tuple(
                self._cell(results, row, column, bots) for (row, column), results in cross.items()
            ),
            lost_by_all=lost_by_all(played[:-1], outcomes),
            gap=convention_gap(cross, bots, self.table.game.return_range),
            efficiency=deal_efficiency(*mixed) if self.rotates_cross else None,
            pool=_pool(played[-1], bots, self.table.game, self.rotates_pool),
            cross_results=tuple(played[:-1]),
            pool_results=played[-1],
            deal_seeds=tuple(self.deal_seeds()),
        )

    def _cell(self, results: Results, row: int, column: int, bots: Sequence[str]) -> Cell:
        rotated = self.rotates_cross and row != column
        return Cell(
            row=bots[row],
            column=bots[column],
            games=results.outcomes.size,
            won=block_share(results.win_share(row)),
            mean_return=mean(results.returned(row), *self.table.game.return_range),
            table_return=mean(results.returns.mean(axis=(0, 2)), *self.table.game.return_range),
            outcomes=outcome_shares(results, self.table.game.outcomes),
            efficiency=deal_efficiency(results.wins(row)) if rotated else None,
        )


def _pool(results: Results, bots: Sequence[str], game: Game, rotated: bool) -> Pool:
    standings, off = [], []
    for number, name in enumerate(bots):
        seats, wins = results.seats(number), results.wins(number)
        won = block_ratio(wins.sum(axis=0), seats.sum(axis=0))
        returned = block_mean(
            results.totals(number).sum(axis=0), seats.sum(axis=0), *game.return_range
        )
        standings.append(Standing(name, int(seats.sum()), won, returned))
        if seats.any():
            off.append(wins - won.value * seats)  # what a game adds to the ratio's error
    return Pool(
        deals=results.outcomes.shape[1],
        games=results.outcomes.size,
        standings=tuple(standings),
        outcomes=outcome_shares(results, game.outcomes),
        lost_by_all=lost_by_all([results], game.outcomes),
        efficiency=deal_efficiency(*off) if rotated else None,
    )


def convention_gap(
    cross: dict[tuple[int, int], Results], bots: Sequence[str], limits: tuple[float, float]
) -> ConventionGap | None:
    """Mean return of a seat in self-play minus that at tables of two bots, by deal.

    Args:
        cross: results of all cells, by the numbers of row and column; all of the same deals.
        bots: names by their numbers.
        limits: smallest and largest return of a seat.

    Returns:
        None where every game gives all seats together the same, as where sums are zero.
    """
    tables = {pair: results.returns.mean(axis=2) for pair, results in cross.items()}
    lowest = min(float(each.min()) for each in tables.values())
    if max(float(each.max()) for each in tables.values()) - lowest < _SAME:
        return None
    by_deal = {pair: each.mean(axis=0) for pair, each in tables.items()}
    numbers = range(len(bots))
    alone = [by_deal[number, number] for number in numbers]
    apart = {pair: each for pair, each in by_deal.items() if pair[0] != pair[1]}
    gaps = {
        bots[number]: difference(
            alone[number] - np.mean([x for pair, x in apart.items() if number in pair], axis=0),
            *limits,
        )
        for number in numbers
    }
    overall = np.mean(alone, axis=0) - np.mean(list(apart.values()), axis=0)
    return ConventionGap(difference(overall, *limits), gaps)
