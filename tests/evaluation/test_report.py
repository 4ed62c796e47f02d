"""Results written down: JSON, rows and plain tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from concilium.evaluation.intervals import Estimate
from concilium.evaluation.matches import Results
from concilium.evaluation.report import (
    csv_text,
    game_columns,
    game_lines,
    percent,
    short_names,
    signed,
    text_table,
    to_json,
)


@dataclass(frozen=True)
class Found:
    """Something to be shown, and raw results."""

    share: Estimate
    by_name: dict[str, tuple[int, ...]]
    raw: int = field(repr=False)


def test_dataclasses_become_json_without_raw_results() -> None:
    found = Found(Estimate(0.5, 0.25, float("inf"), 4), {"a": (1, 2)}, raw=7)
    assert to_json([found]) == [
        {"share": {"value": 0.5, "low": 0.25, "high": None, "units": 4}, "by_name": {"a": [1, 2]}}
    ]


def test_rows_of_small_tables_leave_seats_empty() -> None:
    returns = np.array([[[1.0, -1.0]], [[-0.5, 0.5]]])
    results = Results(returns, np.array([[1], [2]]), np.array([[7], [8]]), np.array([[0, 1]] * 2))
    lines = list(game_lines(results, ("x", "y"), ("running", "won", "lost"), seats=3))
    assert csv_text(game_columns(3), lines).splitlines() == [
        "deal,rotation,outcome,decisions,bot_0,bot_1,bot_2,return_0,return_1,return_2",
        "0,0,won,7,x,y,,1.0,-1.0,",
        "0,1,lost,8,x,y,,-0.5,0.5,",
    ]


def test_tables_are_set_in_columns() -> None:
    told = text_table("Title", ["", "won"], [["a", "1"], ["longer", "100.0"]])
    assert told.splitlines() == ["Title", "            won", "  a           1", "  longer  100.0"]


def test_figures_in_words() -> None:
    assert percent(Estimate(0.5, 0.25, 0.75, 9)) == "50.0 [25.0, 75.0]"
    assert signed(Estimate(0.5, -0.25, 1.25, 9)) == "+0.500 [-0.250, +1.250]"
    assert (percent(None), signed(None)) == ("–", "–")


def test_names_are_short_where_they_still_differ() -> None:
    assert short_names(["game/steward:alarm=8", "random", "runs/a.safetensors"]) == [
        "steward:alarm=8", "random", "a.safetensors",
    ]  # fmt: skip
    assert short_names(["one/policy.safetensors", "two/policy.safetensors"]) == [
        "one/policy.safetensors", "two/policy.safetensors",
    ]  # fmt: skip
