"""``concilium evaluate``: figures told and written, rows that give the same figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from concilium.commands.evaluate import find_game
from concilium.envs import OptionError, get_game
from tests.cli.shell import Run

WORDS = ["evaluate", "chancellors/steward", "random", "--players", "2", "3", "--deals", "6"]


def test_figures_are_told_and_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    ran = run(*WORDS, "--json", path)
    assert ran.code == 0
    assert "chancellors_v0, 2 players: chancellors/steward in seat 0, random in the others" in (
        ran.out
    )
    assert "12 games: 6 deals in 2 rotations of the seats, seed 0" in ran.out
    assert "18 games: 6 deals in 3 rotations" in ran.out
    assert ran.out.count("calamity: ") == 2
    figures = json.loads(path.read_text())
    assert all(entry["provenance"]["version"] for entry in figures)
    assert [entry["options"]["num_players"] for entry in figures] == [2, 3]
    assert run(*WORDS).out == ran.out  # the same seed, the same figures
    assert run(*WORDS, "--seed", "1").out != ran.out


def test_rows_give_the_figures_again(run: Run, tmp_path: Path) -> None:
    report, rows = tmp_path / "figures.json", tmp_path / "rows.csv"
    assert run(*WORDS, "--json", report, "--rows", rows).code == 0
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["rows-2.csv", "rows-3.csv"]
    for entry in json.loads(report.read_text()):
        players = entry["options"]["num_players"]
        with (tmp_path / f"rows-{players}.csv").open() as file:
            lines = list(csv.DictReader(file))
        assert len(lines) == 6 * players
        returns = []
        for line in lines:
            (seat,) = (k for k in range(players) if line[f"bot_{k}"] == "chancellors/steward")
            returns.append(float(line[f"return_{seat}"]))
        assert np.mean(returns) == pytest.approx(entry["mean_return"]["value"])
        assert np.mean(np.array(returns) > 0) == pytest.approx(entry["won"]["value"])


def test_one_table_size_is_one_file(run: Run, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    words = ["evaluate", "random", "random", "--game", "chancellors", "--players", "2"]
    assert run(*words, "--deals", "2", "--rows", rows).code == 0
    assert len(rows.read_text().splitlines()) == 5  # a header and 2 deals in 2 rotations


def test_a_bot_among_itself(run: Run) -> None:
    ran = run("evaluate", "chancellors/steward", "--all-seats", "--players", "3", "--deals", "6")
    assert ran.code == 0
    assert "chancellors/steward in seat 0, 1, 2\n  6 games: 6 deals in 1 rotations" in ran.out


def test_seats_of_a_team_and_options(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    ran = run(
        "evaluate", "random", "chancellors/steward", "random", "--players", "4", "--deals", "4",
        "--seats", "0", "2", "--option", "max_turns=5", "--option", "pawns=true", "--json", path,
    )  # fmt: skip
    assert ran.code == 0
    assert "random in seat 0, 2, chancellors/steward and random in the others" in ran.out
    (entry,) = json.loads(path.read_text())
    assert entry["options"]["max_turns"] == 5
    assert entry["options"]["pawns"] is True
    assert entry["opponents"] == ["chancellors/steward", "random"]


def test_all_table_sizes_by_default(run: Run) -> None:
    ran = run("evaluate", "chancellors/steward", "random", "--deals", "1")
    told = [line.partition(":")[0] for line in ran.out.splitlines() if " players: " in line]
    assert told == [f"chancellors_v0, {players} players" for players in (2, 3, 4)]


def test_the_game_is_found_by_the_bots() -> None:
    chancellors = get_game("chancellors")
    assert find_game(["random", "chancellors/steward"]) is chancellors
    assert find_game(["random"], chancellors) is chancellors


def test_a_game_that_nothing_tells_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    two = {"chancellors": get_game("chancellors"), "other": get_game("chancellors")}
    monkeypatch.setattr("concilium.commands.evaluate.GAMES", two)
    with pytest.raises(OptionError, match="--game, one of chancellors, other"):
        find_game(["random", "random"])
