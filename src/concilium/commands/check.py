"""``concilium check``: does a game keep its contract? Random tables of it are examined."""

from __future__ import annotations

import argparse
from typing import Any

from concilium.commands.arguments import SEED, about, add_game, add_options, read_options, whole
from concilium.envs import Game
from concilium.envs.core.option import OptionValue


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "check", help="check a game against its contract", description=about(__doc__),
        epilog="Without --option the defaults are examined and both ends of all options.",
    )  # fmt: skip
    add_game(parser)
    parser.add_argument(
        "--players", metavar="N", type=whole(1, 99), nargs="+", help="table sizes; all by default"
    )
    add_options(parser)
    parser.add_argument(
        "--games", metavar="N", type=whole(1), default=8, help="games per table and examination"
    )
    parser.add_argument(
        "--pairs", metavar="N", type=whole(1), default=10_000, help="(state, player) pairs a table"
    )
    parser.add_argument("--seed", metavar="S", type=SEED, default=0)
    parser.set_defaults(run=_run)


def extreme_options(game: Game) -> list[dict[str, OptionValue]]:
    """The defaults, all options at their lowest or first value, all at their highest or last."""
    ends: list[dict[str, OptionValue]] = [{}, {}, {}]
    for option in game.options:
        if isinstance(option.default, bool):
            values: tuple[OptionValue, OptionValue] = (False, True)
        elif option.choices:
            values = (option.choices[0], option.choices[-1])
        else:
            values = (option.low, option.high)
        ends[1][option.name], ends[2][option.name] = values
    return ends


def _run(args: argparse.Namespace) -> int:
    from concilium.baselines import bot_names, make_bot
    from concilium.envs.check import check_game

    game: Game = args.game
    options = read_options(game, args.option)
    for players in args.players or ():
        game.bind(num_players=players, **options)
    report = check_game(
        game,
        num_players=args.players,
        options=options if args.option else extreme_options(game),
        games=args.games,
        pairs=args.pairs,
        seed=args.seed,
        bots=[make_bot(name, game, seed=args.seed) for name in bot_names(game) if "/" in name],
        # which elements can vary depends on the options; that all do is a test's to show
        constant=[segment.name for segment in game.observation],
    )
    print(report)
    return 0 if report.ok else 1
