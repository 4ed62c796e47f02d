"""How strong a bot is: a fixed number of deals, each in all rotations of the seats, or as a side.

Built on :mod:`concilium.evaluation.matches` and :mod:`concilium.evaluation.sides`, which play many
games at once and ask each bot in batches. The unit of all intervals is the deal, because the games
of one deal are not independent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.registry import BotLike, resolve
from concilium.envs import BoundGame, Game, OptionError, get_game
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.files import write_atomically
from concilium.envs.core.games import Games
from concilium.evaluation.intervals import Estimate, block_ratio, block_share, deal_efficiency, mean
from concilium.evaluation.matches import Results, deal_seeds, equal_share, play
from concilium.evaluation.report import csv_text, game_columns, game_lines, to_json
from concilium.evaluation.sides import SideResults, play_sides

_DEALT_AT_ONCE: Final = 512  # a State takes kilobytes


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation found.

    Attributes:
        game: name and version of the game.
        options: all of its options.
        bot: name of the bot that was evaluated.
        opponents: names of the bots in the other seats of the first seating, clockwise.
        seats: the bot's seats in the first seating.
        rotations: how many seatings each deal was played in.
        deals, games: how many were played.
        seed: of deals and bots.
        fair_share: what the bot's seats would win if all seats played alike; None in games of
            sides, where that depends on the sides that are dealt.
        side_won: share of games that each side won; empty in games without sides.
        by_side: share of the bot's seats that won by the side that they were dealt, with the side's
            name; empty in games without sides.
        won: share of games that one of its seats won.
        mean_return: mean return of its seats.
        outcomes: share of games by outcome.
        decisions: mean length of a game.
        efficiency: how many times as many games would be needed if each had a deal of its own,
            for the same interval of ``won``; None where the deals do not differ.
        results: the raw results.
        names: of the bots by their numbers in the seating.
        roles: name of each seat's side ``(deals, seats)``; None in games without sides.
    """

    game: str
    options: dict[str, Any]
    bot: str
    opponents: tuple[str, ...]
    seats: tuple[int, ...]
    rotations: int
    deals: int
    games: int
    seed: int
    fair_share: float | None
    side_won: dict[str, Estimate]
    by_side: dict[str, Estimate]
    won: Estimate
    mean_return: Estimate
    outcomes: dict[str, Estimate]
    decisions: float
    efficiency: float | None
    results: Results = field(repr=False, compare=False)
    names: tuple[str, ...] = field(repr=False, compare=False)
    roles: NDArray[np.str_] | None = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game, so that anybody can recompute the figures."""
        _write_rows(path, self.seed, self.results, self.names, self.outcomes, self.roles)


@dataclass(frozen=True)
class SideEvaluation:
    """What an evaluation as a whole side found.

    Attributes:
        game: name and version of the game.
        options: all of its options.
        bot: name of the bot that was evaluated, in all seats of the side.
        opponent: name of the bot in all other seats.
        side: name of the side.
        deals: how many were played, each once.
        seed: of deals and bots.
        won: share of games that the side won.
        baseline: the same of uniform play in the bot's place, in the same deals.
        difference: of the two of the two, deal by deal.
        side_won: share of games that each side won.
        mean_return: mean return of the side's seats.
        outcomes: share of games by outcome.
        decisions: mean length of a game.
        results: the raw results; bot 0 is the one that was evaluated.
    """

    game: str
    options: dict[str, Any]
    bot: str
    opponent: str
    side: str
    deals: int
    seed: int
    won: Estimate
    baseline: Estimate
    difference: Estimate
    side_won: dict[str, Estimate]
    mean_return: Estimate
    outcomes: dict[str, Estimate]
    decisions: float
    results: Results = field(repr=False, compare=False)
    roles: NDArray[np.str_] = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game of the bot, those of ``random`` in its place left out."""
        bots = [self.bot, self.opponent]
        _write_rows(path, self.seed, self.results, bots, self.outcomes, self.roles)


def evaluate(
    bot: BotLike,
    opponents: BotLike | Sequence[BotLike],
    *,
    game: str | Game,
    deals: int,
    seats: Sequence[int] = (0,),
    seed: int = 0,
    **options: object,
) -> Evaluation:
    """Let a bot play in given seats against others.

    Args:
        bot: what is evaluated: a bot, a name, or the path of a policy file.
        opponents: one bot or name for all other seats, or one for each in the order of seats.
        game: the game or its name.
        deals: how many deals, fixed beforehand; each is played in every rotation of the seating.
        seats: the bot's seats, relative to the rotation; several for a team.
        seed: whole number from 0, of deals and bots; equal calls give equal results.
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: something is unknown, or the seats and bots do not fit the table.
        FileFormatError: a policy file cannot be used.
    """
    rules = get_game(game) if isinstance(game, str) else game
    table = rules.bind(**options)
    focal = resolve(bot, rules, seed=0)
    others: list[BotLike] = (
        list(opponents) if isinstance(opponents, list | tuple) else [opponents]  # type: ignore[list-item]
    )
    bots = [focal, *(resolve(other, rules, role="opponent", seed=0) for other in others)]
    pattern = _pattern(table.num_players, seats, len(others))
    seating = np.unique([np.roll(pattern, shift) for shift in range(len(pattern))], axis=0)
    results = play(table, bots, seating, deals, seed)
    won = results.won(0)
    roles = _roles(table, deals, seed)
    return Evaluation(
        game=rules.id,
        options=dict(table.options),
        bot=focal.name,
        opponents=tuple(bots[number].name for number in pattern if number > 0),
        seats=tuple(int(seat) for seat in seats),
        rotations=len(seating),
        deals=deals,
        games=results.outcomes.size,
        seed=seed,
        fair_share=equal_share(rules, table.num_players, len(seats)),
        side_won={} if roles is None else _side_won(results, roles, rules.sides),
        by_side={} if roles is None else _won_by_side(results, roles, rules.sides),
        won=block_share(won.mean(axis=0)),
        mean_return=mean(results.returned(0), *rules.return_range),
        outcomes={
            name: block_share(results.ended(number))
            for number, name in enumerate(rules.outcomes)
            if number > 0
        },
        decisions=float(results.decisions.mean()),
        efficiency=deal_efficiency(won),
        results=results,
        names=tuple(each.name for each in bots),
        roles=roles,
    )


def evaluate_side(
    bot: BotLike,
    opponent: BotLike,
    *,
    game: str | Game,
    side: str,
    deals: int,
    seed: int = 0,
    **options: object,
) -> SideEvaluation:
    """Let a bot play all seats of a side against another in all other seats.

    Each deal is played twice: by the bot, and by uniform play in its place.

    Args:
        bot: what is evaluated: a bot, a name, or the path of a policy file.
        opponent: the same, for all other seats.
        game: the game or its name.
        side: name of the side, one of ``game.sides``.
        deals: how many deals, fixed beforehand.
        seed: whole number from 0, of deals and bots; equal calls give equal results.
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: something is unknown, or the game has no such side.
        FileFormatError: a policy file cannot be used.
    """
    rules = get_game(game) if isinstance(game, str) else game
    number = rules.side_number(side)
    table = rules.bind(**options)
    focal = resolve(bot, rules, seed=0)
    other = resolve(opponent, rules, role="opponent", seed=0)

    def play_as(one: Bot) -> SideResults:
        bots = [one if k == number else other for k in range(len(rules.sides))]
        return play_sides(
            rules, bots, deals=deals, seed=seed, options=table.options, keep_states=False
        )

    results, uniform = play_as(focal), play_as(UniformBot(rules))
    return SideEvaluation(
        game=rules.id,
        options=dict(table.options),
        bot=focal.name,
        opponent=other.name,
        side=side,
        deals=deals,
        seed=seed,
        won=results.won(number),
        baseline=uniform.won(number),
        difference=results.difference(uniform, number),
        side_won={name: results.won(k) for k, name in enumerate(rules.sides)},
        mean_return=results.returned(number),
        outcomes={
            name: block_share(results.outcomes == k)
            for k, name in enumerate(rules.outcomes)
            if k > 0
        },
        decisions=float(results.decisions.mean()),
        results=Results(
            returns=results.seat_returns[np.newaxis],
            outcomes=results.outcomes[np.newaxis],
            decisions=results.decisions[np.newaxis],
            seating=np.where(results.seats == number, 0, 1)[np.newaxis],
        ),
        roles=np.array(rules.sides)[results.seats],
    )


def _write_rows(
    path: str | os.PathLike[str],
    seed: int,
    results: Results,
    bots: Sequence[str],
    outcomes: Iterable[str],
    roles: NDArray[np.str_] | None,
) -> None:
    """Write one line of CSV per game; the outcomes lack that of a game which goes on."""
    seats = results.returns.shape[2]
    lines = game_lines(results, bots, ["", *outcomes], seats)
    columns = ["seed", *game_columns(seats)]
    if roles is None:
        dealt: list[list[str]] = [[]] * results.returns.shape[1]
    else:
        columns += [f"role_{seat}" for seat in range(seats)]
        dealt = roles.tolist()
    write_atomically(path, csv_text(columns, ([seed, *line, *dealt[line[0]]] for line in lines)))


def _roles(table: BoundGame, deals: int, seed: int) -> NDArray[np.str_] | None:
    """Name of the side of each seat in the deals of a match ``(deals, seats)``, if there are any.

    A deal puts the sides into the same seats in every rotation of the bots.
    """
    if not table.game.sides:
        return None
    seeds = deal_seeds(deals, seed)
    parts = []
    for start in range(0, deals, _DEALT_AT_ONCE):
        part = seeds[start : start + _DEALT_AT_ONCE]
        games = Games([table] * len(part))
        games.deal(part)
        parts.append(table.game.sides_in(games.states)[:, : table.num_players])
    named: NDArray[np.str_] = np.array(table.game.sides)[np.concatenate(parts)]
    return named


def _side_won(
    results: Results, roles: NDArray[np.str_], sides: Sequence[str]
) -> dict[str, Estimate]:
    """Share of games that each side won, by deal."""
    won = results.returns > 0
    return {side: block_share((won & (roles == side)).any(axis=2).mean(axis=0)) for side in sides}


def _won_by_side(
    results: Results, roles: NDArray[np.str_], sides: Sequence[str]
) -> dict[str, Estimate]:
    """Share of the seats of bot 0 on each side that won, by deal."""
    found = {}
    for side in sides:
        cases = results.sits(0) & (roles == side)
        hits = cases & (results.returns > 0)
        found[side] = block_ratio(hits.sum(axis=(0, 2)), cases.sum(axis=(0, 2)))
    return found


def _pattern(players: int, seats: Sequence[int], others: int) -> NDArray[np.int64]:
    """Numbers of the bots at the seats of the first seating ``(players,)``; 0 is the focal bot."""
    taken = sorted(set(seats))
    if len(taken) != len(seats) or not taken or taken[0] < 0 or taken[-1] >= players:
        raise OptionError(
            f"seats={tuple(seats)} is not allowed: different seats, 0 to {players - 1}"
        )
    free = players - len(taken)
    if others not in (1, free):
        raise OptionError(
            f"{others} opponents for {free} other seats: one for each, or one for all"
        )
    pattern = np.zeros(players, np.int64)
    pattern[np.delete(np.arange(players), taken)] = np.arange(free) + 1 if others == free else 1
    return pattern
