"""The social-dilemma diagram: what becomes of a table as more of its seats deviate.

All seats of a table belong to residents or to deviators. For every number of deviators the same
deals are played with the deviators in all places, and the figures say how a seat of either kind
fares and how often everybody loses. Schelling's diagram (Journal of Conflict Resolution 17, 1973)
shows the payoffs over the number of *other* deviators: a seat that thinks of deviating compares the
two curves at the same place.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, Game, OptionError, get_game
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.files import write_atomically
from concilium.evaluation.intervals import Estimate, block_share, difference, mean
from concilium.evaluation.jobs import Match, Tell, play_all, seeds_of_deals
from concilium.evaluation.matches import Results, check_deals, equal_share
from concilium.evaluation.report import csv_text, game_columns, game_lines, to_json
from concilium.evaluation.tournament import bind_tables, lost_by_all, outcome_shares, rotations

MOST_PLACES: Final = 24
"""Ways to place the deviators that are played at most: all of them up to 6 players."""
_PLACES: Final = 3  # first entry of the spawn keys of the seeds by which ways are chosen
_RESIDENT: Final = 0
_Key = tuple[int, int, int]
"""Table size, number of the deviators' bot, and how many they are."""


@dataclass(frozen=True)
class Mix:
    """Tables with one number of deviators.

    Attributes:
        players: seats at the table.
        deviator: name of the bot in the seats of the deviators.
        deviators: how many seats those are.
        places: in how many ways they sat, all rotations of each pattern among them.
        all_places: these are all the ways there are.
        games: how many were played.
        deviator_won, resident_won: share of the seats of a kind that won; None without such seats.
        deviator_return, resident_return: mean return of the seats of a kind; likewise.
        table_return: mean return of all seats.
        outcomes: share of games by outcome.
    """

    players: int
    deviator: str
    deviators: int
    places: int
    all_places: bool
    games: int
    deviator_won: Estimate | None
    resident_won: Estimate | None
    deviator_return: Estimate | None
    resident_return: Estimate | None
    table_return: Estimate
    outcomes: dict[str, Estimate]


@dataclass(frozen=True)
class Temptation:
    """What a seat gains by deviating, by deal.

    Attributes:
        players: seats at the table.
        deviator: name of the bot that it turns to.
        others: how many other seats deviate.
        won: share of games won as a deviator minus that as a resident.
        mean_return: mean return likewise.
    """

    players: int
    deviator: str
    others: int
    won: Estimate
    mean_return: Estimate


@dataclass(frozen=True)
class Harm:
    """What every seat loses when all deviate: mean return of all residents minus all deviators."""

    players: int
    deviator: str
    mean_return: Estimate


@dataclass(frozen=True, eq=False)
class Played:
    """Raw results of one table size and number of deviators.

    Attributes:
        deviators: how many seats.
        players: seats at the table.
        deal_seeds: from which the deals were dealt.
        results: of the games.
    """

    deviators: int
    players: int
    deal_seeds: tuple[int, ...]
    results: Results


@dataclass(frozen=True)
class Dilemma:
    """What was found, for all table sizes and deviators.

    Attributes:
        game: name and version of the game.
        options: all options of the game but the number of players.
        resident: name of the residents' bot.
        deviators: names of the deviators' bots.
        players: table sizes.
        equal_shares: what a seat would win if all played alike, by table size; None in games of
            sides.
        deals: how many were played in each way to place the deviators.
        seed: of deals and bots.
        outcomes: names of the game's outcomes, by number.
        lost_by_all: outcomes that came up and that no seat ever won.
        mixes: by deviator, table size and number of deviators.
        temptations: by deviator, table size and number of others.
        harms: by deviator and table size.
        played: the raw results; tables of residents alone are there once, for all deviators.
    """

    game: str
    options: dict[str, Any]
    resident: str
    deviators: tuple[str, ...]
    players: tuple[int, ...]
    equal_shares: tuple[float | None, ...]
    deals: int
    seed: int
    outcomes: tuple[str, ...]
    lost_by_all: tuple[str, ...]
    mixes: tuple[Mix, ...]
    temptations: tuple[Temptation, ...]
    harms: tuple[Harm, ...]
    played: tuple[Played, ...] = field(repr=False, compare=False)

    @property
    def games(self) -> int:
        """How many games were played in all."""
        return sum(part.results.outcomes.size for part in self.played)

    def mixes_of(self, deviator: str, players: int) -> list[Mix]:
        """The mixes of one deviator at one table size, from no deviator to all."""
        return [mix for mix in self.mixes if (mix.deviator, mix.players) == (deviator, players)]

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game, so that anybody can recompute the figures.

        A deal is dealt anew by ``BoundGame.new_state(deal_seed)``.
        """
        seats = max(self.players)
        columns = ["deviators", "players", "seed", "deal_seed", *game_columns(seats)]
        write_atomically(path, csv_text(columns, self._lines(seats)))

    def _lines(self, seats: int) -> Iterator[list[Any]]:
        bots = (self.resident, *self.deviators)
        for part in self.played:
            for line in game_lines(part.results, bots, self.outcomes, seats):
                dealt = part.deal_seeds[line[0]]
                yield [part.deviators, part.players, self.seed, dealt, *line]


def dilemma(
    resident: str,
    deviators: str | Sequence[str],
    *,
    game: str | Game,
    deals: int,
    players: Sequence[int] | None = None,
    seed: int = 0,
    workers: int = 1,
    tell: Tell | None = None,
    **options: object,
) -> Dilemma:
    """Play tables of residents and deviators; equal arguments give equal results.

    Args:
        resident: name of the bot of all other seats, or a policy file.
        deviators: name of the bot that deviates, or several, each by itself among residents.
        game: the game or its name.
        deals: of each way to place the deviators, fixed beforehand, the same for all.
        players: table sizes; all that the game has, if not given.
        seed: whole number from 0 to 2**64 - 1, of deals and bots.
        workers: processes, see :func:`.jobs.play_all`.
        tell: is told of the progress.
        **options: the game's other options.

    Raises:
        OptionError: something is unknown or does not fit; found before anything is played.
        FileFormatError: a policy file cannot be used; likewise.
        ConciliumError: a bot failed, or a process died.
    """
    rules = get_game(game) if isinstance(game, str) else game
    others = (deviators,) if isinstance(deviators, str) else tuple(deviators)
    names = (resident, *others)
    check_seed(seed)
    check_deals(deals)
    if not others or len(set(names)) != len(names):
        raise OptionError(
            f"resident {resident}, deviators {', '.join(others)}: at least one deviator is needed, "
            "and all of them different"
        )
    tables = {table.num_players: table for table in bind_tables(rules, players, options)}
    found = _play(tables, names, deals, seed, workers, tell)
    dealt = {size: tuple(seeds_of_deals(table, deals, seed)) for size, table in tables.items()}
    shared = next(iter(tables.values())).options
    return Dilemma(
        game=rules.id,
        options={name: value for name, value in shared.items() if name != "num_players"},
        resident=resident,
        deviators=others,
        players=tuple(tables),
        equal_shares=tuple(equal_share(rules, size) for size in tables),
        deals=deals,
        seed=seed,
        outcomes=rules.outcomes,
        lost_by_all=lost_by_all(list(found.values()), rules.outcomes),
        **_figures(found, names, rules),
        played=tuple(
            Played(count, size, dealt[size], results)
            for (size, number, count), results in found.items()
            if count > 0 or number == 1
        ),
    )


def _play(
    tables: dict[int, BoundGame],
    names: Sequence[str],
    deals: int,
    seed: int,
    workers: int,
    tell: Tell | None,
) -> dict[_Key, Results]:
    """Play all mixes; tables of residents alone are played once for all deviators."""
    keys = [
        (size, number, count)
        for size in tables
        for number in range(1, len(names))
        for count in range(0 if number == 1 else 1, size + 1)
    ]
    matches = [
        Match(tables[size], number * places(size, count, seed), deals)
        for size, number, count in keys
    ]
    played = play_all(matches, names, seed=seed, workers=workers, tell=tell)
    found = dict(zip(keys, played, strict=True))
    for size in tables:
        found |= {(size, number, 0): found[size, 1, 0] for number in range(2, len(names))}
    return found


def places(players: int, deviators: int, seed: int = 0) -> NDArray[np.int64]:
    """Ways to place deviators, ``(k, players)``: 1 where one sits, 0 where a resident does.

    All ways, if they are at most :data:`MOST_PLACES`. Otherwise all rotations of some patterns,
    drawn by the seed.
    """
    ways = np.zeros((comb(players, deviators), players), np.int64)
    for way, seats in zip(ways, combinations(range(players), deviators), strict=True):
        way[list(seats)] = 1
    if len(ways) <= MOST_PLACES:
        return ways
    patterns = {rotations(way).tobytes(): rotations(way) for way in ways}
    key = (_PLACES, players, deviators)
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    chosen: list[NDArray[np.int64]] = []
    for pattern in generator.permutation(len(patterns)):
        more = list(patterns.values())[pattern]
        if sum(map(len, chosen)) + len(more) <= MOST_PLACES:
            chosen.append(more)
    return np.concatenate(chosen)


def _figures(found: dict[_Key, Results], names: Sequence[str], game: Game) -> dict[str, Any]:
    """Compute all figures from the results."""
    mixes, temptations, harms = [], [], []
    for number, name in enumerate(names[1:], start=1):
        for size in dict.fromkeys(key[0] for key in found):
            tables = [found[size, number, count] for count in range(size + 1)]
            mixes += [
                _mix(results, size, number, name, count, game)
                for count, results in enumerate(tables)
            ]
            temptations += [
                _temptation(tables[others + 1], tables[others], size, number, name, others, game)
                for others in range(size)
            ]
            lost = tables[0].returned(_RESIDENT) - tables[size].returned(number)
            harms.append(Harm(size, name, difference(lost, *game.return_range)))
    return {"mixes": tuple(mixes), "temptations": tuple(temptations), "harms": tuple(harms)}


def _mix(results: Results, size: int, number: int, name: str, count: int, game: Game) -> Mix:
    deviate, stay, limits = count > 0, count < size, game.return_range
    return Mix(
        players=size,
        deviator=name,
        deviators=count,
        places=len(results.seating),
        all_places=len(results.seating) == comb(size, count),
        games=results.outcomes.size,
        deviator_won=block_share(results.win_share(number)) if deviate else None,
        resident_won=block_share(results.win_share(_RESIDENT)) if stay else None,
        deviator_return=mean(results.returned(number), *limits) if deviate else None,
        resident_return=mean(results.returned(_RESIDENT), *limits) if stay else None,
        table_return=mean(results.returns.mean(axis=(0, 2)), *limits),
        outcomes=outcome_shares(results, game.outcomes),
    )


def _temptation(
    deviating: Results,
    staying: Results,
    size: int,
    number: int,
    name: str,
    others: int,
    game: Game,
) -> Temptation:
    """Compare a seat that deviates with one that does not, both beside ``others`` deviators."""
    return Temptation(
        players=size,
        deviator=name,
        others=others,
        won=difference(deviating.win_share(number) - staying.win_share(_RESIDENT), 0.0, 1.0),
        mean_return=difference(
            deviating.returned(number) - staying.returned(_RESIDENT), *game.return_range
        ),
    )
