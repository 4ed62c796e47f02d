"""What is told of a run while it runs."""

from __future__ import annotations

import pytest

from concilium.training.progress import Progress, told


def line(decisions: int, seconds: float, **more: float) -> dict[str, float | None]:
    return {
        "decisions": decisions, "planned": 1000, "games": 1234, "seconds": seconds, "won": 0.5,
        **more,
    }  # fmt: skip


def test_words() -> None:
    assert told(line(100, 1.0), None, None) == "1,234 games, won 50 %"
    text = told({**line(100, 1.0), "won": None}, 0.25, 125.4)
    assert text == "1,234 games, held-out 0.250, 2:05 left"


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("hush", 1000) as progress:
        progress(line(100, 10.0))
        progress(line(200, 11.0))  # too soon for another line
        progress(line(300, 12.0, score=0.75))  # a score is always told
        progress(line(400, 25.0))
        progress(line(1000, 26.0))
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        " 10 %  1,234 games, won 50 %",
        # 200 decisions in 2 seconds since the first line: 700 more in 7
        " 30 %  1,234 games, won 50 %, held-out 0.750, 0:07 left",
        # 300 in 15 seconds: 600 more in 30
        " 40 %  1,234 games, won 50 %, held-out 0.750, 0:30 left",
        "100 %  1,234 games, won 50 %, held-out 0.750, 0:00 left",
    ]


def test_a_time_limit_may_end_it_sooner(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("hush", 1000, seconds=40.0) as progress:
        progress(line(0, 10.0))
        progress(line(100, 30.0))
    assert capsys.readouterr().out.splitlines()[-1].endswith("0:10 left")
