"""``concilium search``, cut short."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def test_what_searching_adds_is_told_and_repeats(run: Run) -> None:
    words = ("search", "chancellors", "chancellors/steward", "--players", "2", "--worlds", "4", "8",
             "--deals", "2", "--option", "target_score=2")  # fmt: skip
    told = json.loads(run(*words, "--json").out)
    assert [entry["bot"] for entry in told] == [
        "search:bot=chancellors/steward,worlds=4", "search:bot=chancellors/steward,worlds=8",
    ]  # fmt: skip
    again = json.loads(run(*words, "--json").out)
    for entry, other in zip(told, again, strict=True):
        assert entry["players"] == entry["deals"] == 2
        assert entry["won"] == other["won"]
        assert entry["gain"] == other["gain"]
        assert entry["departures"] == other["departures"]
    text = run(*words[:-2], "--option", "target_score=2").out
    assert "gain:" in text
    assert "simulated decisions a second" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--worlds", "1"), "'1' is no whole number from 2"),
        (("--threshold", "-1"), "a number from 0 to 100"),
        (("--side", "defectors"), "has no side"),
        (("--others", "nicaea/broker"), "plays nicaea_v0, not chancellors_v0"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run("search", "chancellors", "random", "--deals", "1", *words)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
