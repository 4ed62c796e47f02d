"""The command that evaluates a bot from a shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concilium.training.evaluate import main

WORDS = ["chancellors/steward", "random", "--players", "2", "3", "--deals", "6"]


def test_figures_are_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "figures.json"
    assert main([*WORDS, "--json", str(path)]) == 0
    text = capsys.readouterr().out
    assert "chancellors_v0, 2 players: chancellors/steward in 1 seat(s), 12 games of 6" in text
    assert "calamity: " in text
    figures = json.loads(path.read_text())
    assert [entry["options"]["num_players"] for entry in figures] == [2, 3]
    assert main(WORDS) == 0
    assert capsys.readouterr().out == text  # the same seed, the same figures


def test_a_bot_among_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "--all-seats"]) == 0
    assert "in 3 seat(s), 6 games of 6 deals" in capsys.readouterr().out


def test_wrong_input_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nobody", "random"]) == 2
    assert capsys.readouterr().err.startswith("evaluate: no bot 'nobody'")
    assert main([*WORDS, "--json", "/nowhere/at/all.json"]) == 2
    assert "No such file" in capsys.readouterr().err
