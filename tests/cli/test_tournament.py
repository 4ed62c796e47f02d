"""``concilium tournament`` and ``concilium dilemma``: figures told and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from concilium.commands import tournament
from concilium.evaluation.tournament import ROTATE
from tests.cli.shell import Run, concilium

BOTS = ("chancellors/steward", "random")
CROSS = ("tournament", "chancellors", *BOTS, "--players", "2", "--deals", "20", "--workers", "1",
         "--option", "target_score=10")  # fmt: skip
MIXED = ("dilemma", "chancellors", "--resident", BOTS[0], "--deviator", BOTS[1], "--players", "2",
         "3", "--deals", "4", "--workers", "1", "--option", "target_score=10")  # fmt: skip


def test_tournament_is_told_and_written(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("t.json", "t.csv", "t.png")]
    ran = run(*CROSS, "--json", files[0], "--rows", files[1], "--heat-map", files[2])
    assert (ran.code, ran.err) == (0, "")
    assert (
        "chancellors_v0, seed 0: 20 deals a cell, in all rotations of the seats: cross" in ran.out
    )
    for part in (
        "2 players: % won by the row's bot, alone among the column's (equal share 50.0)",
        "2 players: mean return of the row's bot",
        "relative efficiency of the same deals in all rotations: cross-play would need",
        "2 players, mixed pool: 40 games of 40 deals",
        "ratings, openskill PlackettLuce",
        "ratings are for display",
        "120 games in",
    ):
        assert part in ran.out
    shown = json.loads(files[0].read_text())
    assert shown["bots"] == list(BOTS)
    assert shown["tables"][0]["options"]["target_score"] == 10
    cell = shown["tables"][0]["cells"][1]["won"]
    assert f"{100 * cell['value']:.1f} [{100 * cell['low']:.1f}, {100 * cell['high']:.1f}]" in (
        ran.out
    )
    assert len(files[1].read_text().splitlines()) == 1 + 20 + 40 + 20 + 40
    assert files[2].read_bytes().startswith(b"\x89PNG")


def test_dilemma_is_told_and_written(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("d.json", "d.csv", "d.png")]
    words = [*MIXED, "--json", files[0], "--rows", files[1], "--plot", files[2]]
    ran = run(*words, "--payoff", "return")
    assert (ran.code, ran.err) == (0, "")
    for part in (
        "3 players, deviators random (equal share 33.3 %)",
        "what a seat gains by deviating, on the same deals",
        "what every seat loses when all deviate (mean return): ",
        "48 games in",
    ):
        assert part in ran.out
    shown = json.loads(files[0].read_text())
    assert len(shown["mixes"]) == 3 + 4
    assert len(files[1].read_text().splitlines()) == 1 + 48
    assert files[2].read_bytes().startswith(b"\x89PNG")


def test_through_a_pipe_it_is_plain_text() -> None:
    ran = concilium(*CROSS[:-4], "--workers", "2", "--no-ratings")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert ran.out.endswith(" s\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*CROSS, "--heat-map", "/nowhere/at/all.png"), "no folder"),
        ((*CROSS, "--rotate", "some"), "invalid value 'some'"),
        (("tournament", "chancellors", "random"), "at least two"),
        (("tournament", "chancellors", "random", "nobody"), "no bot 'nobody'"),
        (("tournament", "chancellors", "random", "none.safetensors"), "none.safetensors"),
        ((*MIXED, "--workers", "0"), "'0' is no whole number from 1"),
        ((*MIXED, "--option", "colour=3"), "colour=3"),
        (MIXED[:4], "--deviator"),
    ],
)
def test_wrong_input_is_one_line(words: tuple[str, ...], message: str, run: Run) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_what_can_be_rotated_is_one_list() -> None:
    assert get_args(tournament.Rotate) == ROTATE  # repeated there, so that --help is quick
