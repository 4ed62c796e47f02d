r"""``python -m concilium.training.evaluate``: how strong a bot or a saved policy is.

A fixed number of deals, each in all rotations of the seats; :mod:`concilium.baselines.evaluation`
does the work, and its names are repeated here. Stewards among themselves::

    python -m concilium.training.evaluate chancellors/steward chancellors/steward --all-seats \
        --players 2 3 4 --deals 4800
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from concilium.baselines.evaluation import Evaluation, evaluate
from concilium.envs import ConciliumError
from concilium.envs.core.files import write_atomically

__all__ = ["Evaluation", "evaluate", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate one bot against another and print the figures; return the exit code."""
    args = _parser().parse_args(arguments)
    results = []
    try:
        for players in args.players:
            result = evaluate(
                args.bot,
                args.opponent,
                game=args.game,
                deals=args.deals,
                seats=range(players) if args.all_seats else (0,),
                seed=args.seed,
                num_players=players,
            )
            results.append(result)
            print(_told(result), flush=True)
        if args.json:
            report = [result.to_json() for result in results]
            write_atomically(args.json, json.dumps(report, indent=1) + "\n")
    except (ConciliumError, OSError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    return 0


def _told(result: Evaluation) -> str:
    lines = [
        f"{result.game}, {result.options['num_players']} players: {result.bot} in "
        f"{len(result.seats)} seat(s), {result.games} games of {result.deals} deals",
        f"  won: {result.won.percent()}, equal share {100 * result.fair_share:.1f} %",
        f"  mean return: {result.mean_return}",
        *(f"  {name}: {share.percent()}" for name, share in result.outcomes.items()),
        f"  decisions a game: {result.decisions:.1f}",
    ]
    if result.gain is not None:
        lines.append(f"  gain of the same deals in all rotations: {result.gain:.1f} times")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m concilium.training.evaluate",
        description="Evaluate a bot or a saved policy against a bot, at several table sizes.",
    )
    parser.add_argument("bot", help="a bot's name or a policy file")
    parser.add_argument("opponent", help="the bot in all other seats")
    parser.add_argument("--game", default="chancellors")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all-seats", action="store_true", help="the bot among copies of itself")
    parser.add_argument("--json", help="also write the figures to this file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
