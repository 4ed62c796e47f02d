"""How a run is going, told while it runs: a bar at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

_PAUSE: Final = 10.0  # seconds between lines


class Progress:
    """Tells each line of the curves, as ``tell`` of :func:`concilium.training.learn.train`.

    Shown are games, the share that the learner's own seat won, the last held-out score, and the
    time left. To be used in a ``with`` statement.

    Args:
        title: what is being trained.
        decisions: planned in all; None if not known before the first line.
        seconds: time limit, if there is one.
    """

    def __init__(
        self, title: str, decisions: int | None = None, seconds: float | None = None
    ) -> None:
        self._decisions = decisions
        self._seconds = seconds
        self._score: float | None = None
        self._first: tuple[int, float] | None = None
        self._told = -_PAUSE
        self._console = Console(file=sys.stdout)
        columns: list[ProgressColumn] = [
            TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(),
            TextColumn("{task.fields[told]}"),
        ]  # fmt: skip
        self._bar = Bar(*columns, console=self._console, disable=not self._console.is_terminal)
        self._task = self._bar.add_task(title, total=decisions, told="compiling, dealing …")

    def __enter__(self) -> Progress:
        if not self._bar.disable:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._bar.disable:
            self._bar.stop()

    def __call__(self, line: dict[str, Any]) -> None:
        """Take a line of the curves."""
        self._score = line.get("score", self._score)
        decisions, seconds = int(line["decisions"]), float(line["seconds"])
        planned = int(line["planned"])
        if self._first is None:  # a resumed run is timed from where it goes on
            self._first = (decisions, seconds)
        left = self._left(decisions, seconds, planned)
        text = told(line, self._score, left)
        self._bar.update(self._task, completed=decisions, total=planned, told=text)
        last = decisions >= planned
        if self._bar.disable and (seconds - self._told >= _PAUSE or "score" in line or last):
            self._told = seconds
            print(f"{100 * min(1.0, decisions / planned):3.0f} %  {text}", flush=True)

    def _left(self, decisions: int, seconds: float, planned: int) -> float | None:
        """Seconds that the rest will take at the speed so far; None if that cannot be told yet."""
        assert self._first is not None
        made, spent = decisions - self._first[0], seconds - self._first[1]
        if made <= 0 or spent <= 0:
            return None
        left = max(0.0, (planned - decisions) * spent / made)
        return left if self._seconds is None else min(left, max(0.0, self._seconds - seconds))


def told(line: dict[str, Any], score: float | None, left: float | None) -> str:
    """One line of the curves in words."""
    words = [f"{line['games']:,} games"]
    if line["won"] is not None:
        words.append(f"won {100 * line['won']:.0f} %")
    if score is not None:
        words.append(f"held-out {score:.3f}")
    if left is not None:
        minutes, rest = divmod(round(left), 60)
        words.append(f"{minutes}:{rest:02} left")
    return ", ".join(words)
