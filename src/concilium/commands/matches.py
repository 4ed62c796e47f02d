"""What the commands that play many matches have in common: arguments, progress, files."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from concilium.commands.arguments import (
    SEED,
    add_options,
    at_terminal,
    output_file,
    read_options,
    whole,
    writing,
)
from concilium.envs.core.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from concilium.evaluation.jobs import Tell

_BETWEEN = 0.5  # seconds between two lines of progress


class Found(Protocol):
    """What such a command finds."""

    @property
    def games(self) -> int:
        """How many games were played in all."""

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""

    def write_rows(self, path: Path) -> None:
        """Write one line of CSV per game."""


def add_matches(parser: argparse.ArgumentParser, unit: str) -> None:
    """Add what says how much is played, by how many processes, and where it is written.

    Args:
        parser: of the command.
        unit: what the number of deals is for.
    """
    parser.add_argument(
        "--players", metavar="N", type=whole(1, 99), nargs="+", help="table sizes; all by default"
    )
    parser.add_argument("--deals", metavar="N", type=whole(1), default=200, help=f"of each {unit}")
    parser.add_argument("--seed", metavar="S", type=SEED, default=0, help="of deals and bots")
    add_options(parser)
    parser.add_argument("--workers", metavar="N", type=whole(1, 1024), help="processes; one a CPU")
    parser.add_argument(
        "--json", metavar="FILE", type=output_file, help="also write the figures to this file"
    )
    parser.add_argument(
        "--rows", metavar="FILE.csv", type=output_file, help="also write a line per game"
    )


def progress() -> Tell | None:
    """Tells on standard error how many jobs are done; nothing if nobody is there to read it."""
    if not at_terminal(sys.stderr):
        return None
    told = 0.0

    def tell(done: int, jobs: int) -> None:
        nonlocal told
        if done == jobs:
            sys.stderr.write("\r\x1b[K")
        elif time.monotonic() - told >= _BETWEEN:
            told = time.monotonic()
            sys.stderr.write(f"\r{100 * done // jobs} % played")
        sys.stderr.flush()

    return tell


F = TypeVar("F", bound=Found)


def play_and_report(
    args: argparse.Namespace,
    play: Callable[..., F],
    told: Callable[[F], str],
    draw: Callable[[F], None],
    picture: Path | None,
) -> int:
    """Play as :func:`add_matches` was told to, tell what came of it, and write the files.

    Args:
        args: of the command.
        play: takes what all such commands have in common as keywords.
        told: tells the result in plain text.
        draw: draws it into ``picture``.
        picture: the file to draw, if any.
    """
    from concilium.evaluation.jobs import default_workers

    if picture:
        import matplotlib  # noqa: F401  # found missing now rather than at the end
    start = time.perf_counter()
    found = play(
        game=args.game, deals=args.deals, players=args.players, seed=args.seed,
        workers=args.workers or default_workers(), tell=progress(),
        **read_options(args.game, args.option),
    )  # fmt: skip
    print(told(found))
    print(f"\n{found.games:,} games in {time.perf_counter() - start:.0f} s")
    _write_files(args, found)
    if picture:
        with writing(picture):
            draw(found)
    return 0


def _write_files(args: argparse.Namespace, found: Found) -> None:
    if args.json:
        with writing(args.json):
            write_atomically(args.json, json.dumps(found.to_json(), indent=1) + "\n")
    if args.rows:
        with writing(args.rows):
            found.write_rows(args.rows)
