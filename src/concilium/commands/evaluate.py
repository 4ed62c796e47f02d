"""``concilium evaluate``: how strong a bot or a saved policy is.

A fixed number of deals, each in all rotations of the seats; the intervals are of 95 % and by deal.
With --side the bot plays all seats of a side of a game that has sides, wherever they are dealt, and
one opponent all others. Bots are named as concilium list tells, or are policy files.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concilium.commands.arguments import (
    SEED,
    about,
    add_options,
    game_named,
    output_file,
    read_options,
    whole,
    writing,
)
from concilium.envs import GAMES, Game, OptionError
from concilium.envs.core.files import write_atomically

if TYPE_CHECKING:
    from concilium.evaluation.seats import Evaluation, SideEvaluation


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "evaluate", help="measure how strong a bot or a saved policy is",
        description=about(__doc__), formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Stewards among themselves: concilium evaluate chancellors/steward --all-seats "
        "--deals 4800",
    )  # fmt: skip
    parser.add_argument("bot", metavar="BOT", help="what is evaluated")
    parser.add_argument(
        "opponents", metavar="OPPONENT", nargs="*",
        help="the bot in all other seats, or one for each in the order of seats",
    )  # fmt: skip
    parser.add_argument(
        "--game", metavar="GAME", type=game_named, help="where the bots do not tell it"
    )
    parser.add_argument(
        "--players", metavar="N", type=whole(1, 99), nargs="+", help="table sizes; all by default"
    )
    seats = parser.add_mutually_exclusive_group()
    seats.add_argument(
        "--seats", "--seat", metavar="K", type=whole(0, 98), nargs="+", default=[0],
        help="of the bot before the rotation, from 0; several for a team",
    )  # fmt: skip
    seats.add_argument("--all-seats", action="store_true", help="the bot among copies of itself")
    seats.add_argument(
        "--side", metavar="SIDE", help="the bot in all seats of this side, where the deal puts them"
    )
    parser.add_argument("--deals", metavar="N", type=whole(1), default=500)
    parser.add_argument("--seed", metavar="S", type=SEED, default=0, help="of deals and bots")
    add_options(parser)
    parser.add_argument(
        "--json", metavar="FILE", type=output_file, help="also write the figures to this file"
    )
    parser.add_argument(
        "--rows", metavar="FILE.csv", type=output_file,
        help="also write a line per game; with several table sizes a file for each: FILE-3.csv",
    )  # fmt: skip
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from concilium.evaluation.seats import evaluate, evaluate_side

    game = find_game([args.bot, *args.opponents], args.game)
    options = read_options(game, args.option)
    if not args.opponents and not args.all_seats:
        raise OptionError("no opponent is named: one for all other seats, one for each, or give "
                          "--all-seats")  # fmt: skip
    if args.side is not None and len(args.opponents) != 1:
        raise OptionError(
            f"--side {args.side}: one opponent for all other seats, not {len(args.opponents)}"
        )
    sizes: Sequence[int] = args.players or range(game.min_players, game.max_players + 1)

    def measure(players: int, deals: int) -> Evaluation | SideEvaluation:
        if args.side is not None:
            return evaluate_side(
                args.bot, args.opponents[0], game=game, side=args.side, deals=deals,
                seed=args.seed, num_players=players, **options,
            )  # fmt: skip
        seats = range(players) if args.all_seats else args.seats
        return evaluate(
            args.bot, args.opponents, game=game, deals=deals, seats=seats, seed=args.seed,
            num_players=players, **options,
        )  # fmt: skip

    for players in sizes:
        measure(players, 1)  # whatever does not fit is said before the first table is played
    report = []
    for players in sizes:
        result = measure(players, args.deals)
        print(told(result), flush=True)
        report.append(result.to_json())
        if args.rows:
            path: Path = args.rows
            if len(sizes) > 1:
                path = path.with_name(f"{path.stem}-{players}{path.suffix}")
            with writing(path):
                result.write_rows(path)
    if args.json:
        with writing(args.json):
            write_atomically(args.json, json.dumps(report, indent=1) + "\n")
    return 0


def find_game(names: Sequence[str], given: Game | None = None) -> Game:
    """Find out which game bots are for.

    Args:
        names: of bots or policy files.
        given: the game if it has been said.

    Raises:
        OptionError: nothing tells which game, or a name is not of its form.
        FileFormatError: a policy file cannot be used.
    """
    from concilium.baselines import policy_file
    from concilium.baselines.policy import load_network
    from concilium.baselines.registry import names_in

    if given is not None:
        return given
    for name in [part for full in names for part in names_in(full)]:
        if (path := policy_file(name)) is not None:
            return load_network(path).game
        if (game := name.partition("/")[0]) in GAMES:
            return GAMES[game]
    if len(GAMES) == 1:
        return next(iter(GAMES.values()))
    raise OptionError(
        f"{' and '.join(names)} can play several games: say which with --game, one of "
        f"{', '.join(GAMES)}"
    )


def told(result: Evaluation | SideEvaluation) -> str:
    """Tell an evaluation in a few lines."""
    from concilium.evaluation.seats import SideEvaluation

    return _side_told(result) if isinstance(result, SideEvaluation) else _seats_told(result)


def _side_told(result: SideEvaluation) -> str:
    difference = result.difference
    lines = [
        f"{result.game}, {result.options['num_players']} players: {result.bot} as all of the "
        f"{result.side}, {result.opponent} in the other seats",
        f"  {result.deals} games: {result.deals} deals, seed {result.seed}",
        f"  won: {result.won.percent()}",
        f"  won by random in its place, same deals: {result.baseline.percent()}",
        f"  difference: {100 * difference.value:+.1f} % "
        f"[{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]",
        f"  mean return: {result.mean_return}",
        *_ends_told(result),
    ]
    return "\n".join(lines)


def _ends_told(result: Evaluation | SideEvaluation) -> list[str]:
    return [
        *(f"  {name}: {share.percent()}" for name, share in result.outcomes.items()),
        f"  decisions a game: {result.decisions:.1f}",
    ]


def _seats_told(result: Evaluation) -> str:
    seats = ", ".join(map(str, result.seats))
    others = sorted(set(result.opponents))
    lines = [
        f"{result.game}, {result.options['num_players']} players: {result.bot} in seat {seats}"
        + (f", {' and '.join(others)} in the others" if others else ""),
        f"  {result.games} games: {result.deals} deals in {result.rotations} rotations of the "
        f"seats, seed {result.seed}",
        f"  won: {result.won.percent()}, equal share {100 * result.fair_share:.1f} %",
        f"  mean return: {result.mean_return}",
        *_ends_told(result),
    ]
    if result.efficiency is not None:
        lines.append(
            "  relative efficiency of the same deals in all rotations: "
            f"{result.efficiency:.1f} times"
        )
    return "\n".join(lines)
