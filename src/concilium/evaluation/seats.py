"""How strong a bot is: a fixed number of deals, each in all rotations of the seats, or as a side.

Built on :mod:`concilium.evaluation.matches` and :mod:`concilium.evaluation.sides`, which play many
games at once and ask each bot in batches. The unit of all intervals is the deal, because the games
of one deal are not independent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.registry import make_bot
from concilium.envs import Game, OptionError, get_game
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.files import write_atomically
from concilium.evaluation.intervals import Estimate, block_share, deal_efficiency, mean
from concilium.evaluation.matches import Results, play
from concilium.evaluation.report import csv_text, game_columns, game_lines, to_json
from concilium.evaluation.sides import SideResults, play_sides


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
        fair_share: what the bot's seats would win if all seats played alike.
        won: share of games that one of its seats won.
        mean_return: mean return of its seats.
        outcomes: share of games by outcome.
        decisions: mean length of a game.
        efficiency: how many times as many games would be needed if each had a deal of its own,
            for the same interval of ``won``; None where the deals do not differ.
        results: the raw results.
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
    fair_share: float
    won: Estimate
    mean_return: Estimate
    outcomes: dict[str, Estimate]
    decisions: float
    efficiency: float | None
    results: Results = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game, so that anybody can recompute the figures."""
        others = [f"opponent {number}" for number in range(1, self.results.seating.shape[1])]
        _write_rows(path, self.seed, self.results, [self.bot, *others], self.outcomes)


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
    mean_return: Estimate
    outcomes: dict[str, Estimate]
    decisions: float
    results: Results = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""
        shown: dict[str, Any] = to_json(self)
        return shown

    def write_rows(self, path: str | os.PathLike[str]) -> None:
        """Write one line of CSV per game of the bot, those of ``random`` in its place left out."""
        _write_rows(path, self.seed, self.results, [self.bot, self.opponent], self.outcomes)


def evaluate(
    bot: Bot | str,
    opponents: Bot | str | Sequence[Bot | str],
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
    focal = _make(bot, rules)
    others = [opponents] if isinstance(opponents, str | Bot) else list(opponents)
    bots = [focal, *(_make(other, rules) for other in others)]
    pattern = _pattern(table.num_players, seats, len(others))
    seating = np.unique([np.roll(pattern, shift) for shift in range(len(pattern))], axis=0)
    results = play(table, bots, seating, deals, seed)
    won = results.won(0)
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
        fair_share=len(seats) / table.num_players,
        won=block_share(won.mean(axis=0)),
        mean_return=mean(results.returned(0)),
        outcomes={
            name: block_share(results.ended(number))
            for number, name in enumerate(rules.outcomes)
            if number > 0
        },
        decisions=float(results.decisions.mean()),
        efficiency=deal_efficiency(won),
        results=results,
    )


def evaluate_side(
    bot: Bot | str,
    opponent: Bot | str,
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
    focal, other = _make(bot, rules), _make(opponent, rules)

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
    )


def _write_rows(
    path: str | os.PathLike[str],
    seed: int,
    results: Results,
    bots: Sequence[str],
    outcomes: Iterable[str],
) -> None:
    """Write one line of CSV per game; the outcomes lack that of a game which goes on."""
    seats = results.returns.shape[2]
    lines = game_lines(results, bots, ["", *outcomes], seats)
    text = csv_text(["seed", *game_columns(seats)], ([seed, *line] for line in lines))
    write_atomically(path, text)


def _make(bot: Bot | str, game: Game) -> Bot:
    return make_bot(bot, game, seed=0) if isinstance(bot, str) else bot


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
