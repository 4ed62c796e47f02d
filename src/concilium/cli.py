"""The command line: ``concilium bench`` and ``concilium check``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import concilium
from concilium.envs import GAMES, ConciliumError, Game, OptionError, get_game
from concilium.envs.core.files import write_atomically
from concilium.envs.core.game import OptionValue

_WHOLE = re.compile("-?[0-9]{1,18}")


def parse_options(game: Game, settings: Sequence[str]) -> dict[str, Any]:
    """Turn ``name=value`` words into the options of a game.

    Raises:
        OptionError: not of that form, an unknown name, or a value of the wrong type.
    """
    known = {option.name: option for option in game.all_options}
    options: dict[str, Any] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign or name not in known:
            raise OptionError(
                f"option {setting!r} is not of the form name=value with one of {', '.join(known)}"
            )
        default = known[name].default
        value: Any = text
        if isinstance(default, bool):
            value = {"true": True, "false": False}.get(text.lower(), text)
        elif isinstance(default, int):
            value = int(text) if _WHOLE.fullmatch(text) else text
        options[name] = known[name].check(value)
    return options


def _bench(args: argparse.Namespace) -> int:
    if args.training:
        from concilium.training import speed

        speed.main(args.game, seconds=args.seconds * args.repeats)
        return 0
    from concilium import bench

    result = bench.run(
        args.game, num_envs=args.num_envs, threads=args.threads, seconds=args.seconds,
        repeats=args.repeats, seed=args.seed, start=not args.no_start,
    )  # fmt: skip
    if args.json:
        write_atomically(args.json, bench.to_json(result) + "\n")
    return 0


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


def _check(args: argparse.Namespace) -> int:
    from concilium.baselines import bot_names, make_bot
    from concilium.envs.core.check import check_game

    game = get_game(args.game)
    options = parse_options(game, args.option)
    players = options.pop("num_players", None)
    report = check_game(
        game,
        num_players=None if players is None else [players],
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


def _positive(kind: type) -> Any:
    def parse(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
        if not 0 < value <= 10**6:
            raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most a million")
        return value

    return parse


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(prog="concilium", description=concilium.__doc__)
    top.add_argument("--version", action="version", version=f"concilium {concilium.__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="command")
    whole, number = _positive(int), _positive(float)

    bench = commands.add_parser("bench", help="measure decisions a second, start-up, peers")
    bench.add_argument("game", choices=list(GAMES))
    bench.add_argument("--num-envs", type=whole, default=1024, help="games in a batch")
    bench.add_argument("--threads", type=whole, default=1)
    bench.add_argument("--seconds", type=number, default=1.0, help="length of one repeat")
    bench.add_argument("--repeats", type=whole, default=5)
    bench.add_argument("--seed", type=int, default=1)
    bench.add_argument("--no-start", action="store_true", help="leave out start-up times")
    bench.add_argument("--training", action="store_true", help="measure learner decisions a second")
    bench.add_argument("--json", type=Path, help="also write the figures to this file")
    bench.set_defaults(run=_bench)

    check = commands.add_parser("check", help="check a game against its contract")
    check.add_argument("game", choices=list(GAMES))
    check.add_argument(
        "option", nargs="*",
        help="name=value, such as num_players=3 excuse=true; none: defaults and extremes",
    )  # fmt: skip
    check.add_argument("--games", type=whole, default=8, help="games per table and examination")
    check.add_argument("--pairs", type=whole, default=10_000, help="(state, player) pairs a table")
    check.add_argument("--seed", type=int, default=0)
    check.set_defaults(run=_check)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; wrong input gives one line on standard error and exit code 2."""
    args = parser().parse_args(arguments)
    try:
        return int(args.run(args))
    except ConciliumError as error:
        print(f"concilium: {error}", file=sys.stderr)
    except OSError as error:
        print(f"concilium: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("concilium: interrupted", file=sys.stderr)
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())
