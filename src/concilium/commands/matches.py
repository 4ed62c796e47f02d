"""What the commands that play many matches have in common: arguments, progress, files."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, TypeVar

from cyclopts import Parameter

from concilium.commands import arguments as arg
from concilium.envs import Game

if TYPE_CHECKING:
    from concilium.evaluation.jobs import Tell

_BETWEEN = 0.5  # seconds between two lines of progress


@Parameter(name="*")
@dataclass(frozen=True)
class Matches:
    """How much is played, by how many processes, and where it is written.

    Attributes:
        players: table sizes; all by default.
        deals: of each cell of cross-play, or of each way to place the deviators.
        seed: of deals and bots.
        option: an option of the game, again for each; concilium list tells them.
        workers: processes; one a CPU by default.
        json: also write the figures to this file.
        rows: also write a line of CSV per game to this file.
    """

    players: arg.TableSizes | None = None
    deals: arg.Count = 200
    seed: arg.Seed = 0
    option: arg.Options = ()
    workers: Annotated[int, arg.one(arg.whole(1, 1024))] | None = None
    json: arg.OutputFile | None = None
    rows: arg.OutputFile | None = None


BY_DEFAULT: Final = Matches()


class Found(Protocol):
    """What such a command finds."""

    @property
    def games(self) -> int:
        """How many games were played in all."""

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping, without the raw results."""

    def write_rows(self, path: Path) -> None:
        """Write one line of CSV per game."""


def progress() -> Tell | None:
    """Tells on standard error how many jobs are done; nothing if nobody is there to read it."""
    if not arg.at_terminal(sys.stderr):
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
    game: Game,
    matches: Matches,
    play: Callable[..., F],
    told: Callable[[F], str],
    draw: Callable[[Path, F], None],
    picture: Path | None,
) -> None:
    """Play, tell what came of it, and write the files.

    Args:
        game: the game.
        matches: how much of it.
        play: takes what all such commands have in common as keywords.
        told: tells the result in plain text.
        draw: draws it into a file.
        picture: the file to draw, if any.
    """
    from concilium.evaluation.jobs import default_workers

    if picture:
        import matplotlib  # noqa: F401  # found missing now rather than at the end

        from concilium.evaluation.plot import picture_format

        picture_format(picture)
    start = time.perf_counter()
    found = play(
        game=game, deals=matches.deals, players=matches.players, seed=matches.seed,
        workers=matches.workers or default_workers(), tell=progress(),
        **arg.read_options(game, matches.option),
    )  # fmt: skip
    print(told(found))
    print(f"\n{found.games:,} games in {time.perf_counter() - start:.0f} s")
    shown = found.to_json()
    bots = shown["bots"] if "bots" in shown else [shown["resident"], *shown["deviators"]]
    arg.write_json(matches.json, shown, bots, arg.read_options(game, matches.option))
    if matches.rows:
        with arg.writing(matches.rows):
            found.write_rows(matches.rows)
    if picture:
        with arg.writing(picture):
            draw(picture, found)
