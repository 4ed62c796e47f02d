"""``concilium bench``: how fast a game and its bots are here, and how fast one learns it."""

from __future__ import annotations

import argparse
from typing import Any

from concilium.commands.arguments import (
    SEED,
    about,
    add_game,
    output_file,
    positive,
    whole,
    writing,
)
from concilium.envs.core.errors import OptionError
from concilium.envs.core.files import write_atomically


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "bench", help="measure decisions a second, start-up, peers", description=about(__doc__)
    )
    add_game(parser)
    parser.add_argument(
        "--num-envs", metavar="N", type=whole(1, 2**16), default=1024, help="games in a batch"
    )
    parser.add_argument("--threads", metavar="N", type=whole(1, 256), default=1)
    parser.add_argument(
        "--seconds", metavar="S", type=positive, default=1.0, help="length of one repeat"
    )
    parser.add_argument("--repeats", metavar="N", type=whole(1), default=5)
    parser.add_argument("--seed", metavar="S", type=SEED, default=1)
    parser.add_argument("--no-start", action="store_true", help="leave out start-up times")
    parser.add_argument(
        "--training", action="store_true", help="measure learner's decisions a second instead"
    )
    parser.add_argument("--bots", action="store_true", help="measure the rule bots instead")
    parser.add_argument(
        "--json", metavar="FILE", type=output_file, help="also write the figures to this file"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from concilium.bench import engine as bench

    if args.training and args.bots:
        raise OptionError("--training and --bots are measured one at a time")
    if args.bots and (args.num_envs, args.threads) != (1024, 1):
        raise OptionError("--bots answer one batch of Views: without --num-envs and --threads")
    if args.bots:
        from concilium.bench import bots as bench_bots

        result = bench_bots.run(
            args.game.name, seconds=args.seconds, repeats=args.repeats, seed=args.seed,
            start=not args.no_start,
        )  # fmt: skip
    elif args.training:
        from concilium.bench import training as speed

        result = speed.main(args.game.name, seconds=args.seconds * args.repeats).to_json()
    else:
        result = bench.run(
            args.game.name, num_envs=args.num_envs, threads=args.threads, seconds=args.seconds,
            repeats=args.repeats, seed=args.seed, start=not args.no_start,
        )  # fmt: skip
    if args.json:
        with writing(args.json):
            write_atomically(args.json, bench.to_json(result) + "\n")
    return 0
