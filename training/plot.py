"""Pictures of a run; matplotlib is imported when one is drawn."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import Any

from concilium.baselines.evaluation import Evaluation
from concilium.envs.core.files import write_atomically

_INCHES = (11.0, 4.2)
_BAR = 0.38


def draw_run(
    path: str | os.PathLike[str],
    curves: Sequence[dict[str, Any]],
    evaluations: Sequence[Evaluation],
    title: str,
) -> None:
    """Write a PNG: the course of training at the left, the evaluations with intervals at the right.

    Args:
        path: the file.
        curves: one mapping per update, see :class:`.learn.Progress`.
        evaluations: those of the trained policy, one bar each.
        title: of the picture.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    figure.suptitle(title)
    _draw_course(left, curves)
    _draw_strength(right, evaluations)
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=120)
    write_atomically(path, data.getvalue())


def _draw_course(axes: Any, curves: Sequence[dict[str, Any]]) -> None:
    known = [line for line in curves if line["won"] is not None]
    decisions = [line["decisions"] / 1000 for line in known]
    axes.plot(decisions, [line["won"] for line in known], label="games won")
    axes.plot(decisions, [line["mean_return"] for line in known], label="mean return")
    axes.axhline(0, color="grey", linewidth=0.5)
    axes.set_xlabel("thousand decisions of the learner")
    axes.set_ylim(-1, 1)
    axes.set_title("in training, drawing its actions")
    axes.legend()


def _draw_strength(axes: Any, evaluations: Sequence[Evaluation]) -> None:
    for place, result in enumerate(evaluations):
        won = result.won
        reach = [[max(0.0, won.value - won.low)], [max(0.0, won.high - won.value)]]
        axes.bar(place, won.value, 2 * _BAR, yerr=reach, capsize=4, color="tab:blue")
        axes.hlines(result.fair_share, place - _BAR, place + _BAR, color="black", linestyle="--")
    labels = [
        f"{result.options['num_players']} players\n{result.opponents[0].rpartition('/')[2]}"
        for result in evaluations
    ]
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, 1)
    axes.set_title("games won as a single seat, greedy (dashed: equal share)")
