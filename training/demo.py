"""``python -m concilium.training.demo``: train a policy for Chancellors and see how strong it is.

Trains the preset ``chancellors-quick``, then lets the policy play as a single seat against each of
the preset's bots at each table size, every deal in every rotation of the seats. The bots themselves
sit in the same seat of the same deals for comparison. All of it is kept in a folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from concilium.baselines import Bot, make_bot, policy_bot
from concilium.envs import ConciliumError, get_game
from concilium.envs.core.files import write_atomically
from concilium.evaluation.intervals import Estimate
from concilium.evaluation.plot import draw_run
from concilium.evaluation.seats import Evaluation, evaluate
from concilium.training.learn import CURVES, POLICY, train
from concilium.training.presets import load_preset
from concilium.training.progress import Progress

PRESET: Final = "chancellors-quick"
FOLDER: Final = Path("runs/demo")
EVALUATION: Final = "evaluation.json"
PICTURE: Final = "demo.png"
_TIME_LIMIT: Final = 360.0  # seconds of training at most, so that slow machines end in time too
_DEALS: Final = 500
_WIDTH: Final = 90  # of the table
_TITLE: Final = "one seat at a table of n, all others alike; 95 % intervals by deal"
_HEADER: Final = ("n", "others", "seat", "won %", "calamity %", "mean return")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; return the exit code."""
    args = _parser().parse_args(arguments)
    start = time.perf_counter()
    try:
        preset = load_preset(args.preset)
        if args.budget is not None:
            preset = replace(preset, budget=args.budget)
        folder: Path = args.folder
        print(f"training on {preset.game}: at most {preset.budget:,} decisions", flush=True)
        with Progress(preset.game, preset.budget, args.seconds) as progress:
            run = train(
                preset, args.seed, folder, seconds=args.seconds, replace=True, tell=progress
            )
        speed = run.decisions / run.seconds["all"]
        print(f"{run.decisions:,} decisions in {run.seconds['all']:.0f} s ({speed:,.0f} a second)")
        policy = policy_bot(run.network, name="policy")
        results = compare(
            policy, preset.bots, preset.game, preset.num_players, args.deals, args.seed
        )
    except ConciliumError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    rows = [_row(result) for result in results]
    show_table(_HEADER, rows)
    report = [result.to_json() for result in results]
    write_atomically(folder / EVALUATION, json.dumps(report, indent=1) + "\n")
    own = [result for result in results if result.bot == policy.name]
    draw_run(folder / PICTURE, run.curves, own, f"{preset.game}, seed {args.seed}")
    print(f"kept in {folder}: {POLICY}, {CURVES}, {EVALUATION}, {PICTURE}")
    print(f"all of it took {time.perf_counter() - start:.0f} s")
    return 0


def compare(
    policy: Bot, names: Sequence[str], game: str, table_sizes: Sequence[int], deals: int, seed: int
) -> list[Evaluation]:
    """Evaluate the policy and every named bot in one seat, against every named bot in the others.

    Args:
        policy: the bot to be compared.
        names: the bots that it is compared with.
        game: name of the game.
        table_sizes: numbers of players.
        deals: for each comparison.
        seed: of deals and bots.
    """
    rules = get_game(game)
    results = []
    for players in table_sizes:
        for background in names:
            for focal in [policy, *(make_bot(name, rules, seed=0) for name in names)]:
                results.append(
                    evaluate(
                        focal, background, game=rules, deals=deals, seed=seed, num_players=players
                    )
                )
    return results


def _row(result: Evaluation) -> tuple[str, ...]:
    mean = result.mean_return
    calamity = result.outcomes.get("calamity")
    return (
        str(result.options["num_players"]),
        _short(result.opponents[0]),
        _short(result.bot),
        _percent(result.won),
        "" if calamity is None else _percent(calamity),
        f"{mean.value:+.2f} [{mean.low:+.2f}, {mean.high:+.2f}]",
    )


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, with rich if it is installed."""
    try:
        from rich.box import SIMPLE
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        print(_TITLE)
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for row in (header, *rows):
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
        return
    table = Table(*header, title=_TITLE, box=SIMPLE, padding=(0, 0, 0, 1))
    for row in rows:
        table.add_row(*row)
    console = Console()
    console.width = max(console.width, _WIDTH)  # where output is no terminal rich takes 80
    console.print(table)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m concilium.training.demo",
        description="Train a policy for Chancellors and compare it with the named bots.",
    )
    parser.add_argument("--preset", default=PRESET, help="a preset's name or a TOML file")
    parser.add_argument(
        "--budget", type=_above_zero(int), help="decisions in place of the preset's"
    )
    parser.add_argument(
        "--seconds", type=_above_zero(float), default=_TIME_LIMIT, help="of training at most"
    )
    parser.add_argument(
        "--deals", type=_above_zero(int), default=_DEALS, help="for each line of the table"
    )
    parser.add_argument("--seed", type=_from_zero, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the run is kept")
    return parser


def _above_zero(kind: type[int] | type[float]) -> Callable[[str], int | float]:
    def parse(text: str) -> int | float:
        value = kind(text)
        if not 0 < value < 10**9:
            raise ValueError(text)
        return value

    parse.__name__ = f"number above 0 ({kind.__name__})"
    return parse


def _from_zero(text: str) -> int:
    value = int(text)
    if not 0 <= value < 2**63:
        raise ValueError(text)
    return value


if __name__ == "__main__":
    sys.exit(main())
