"""The command line: what it prints, its exit codes, and one clear line for wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concilium import cli
from concilium.envs import OptionError, get_game


def test_bench_prints_and_writes_its_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bench.json"
    code = cli.main(
        ["bench", "chancellors", "--seconds", "0.05", "--repeats", "2", "--num-envs", "64",
         "--no-start", "--json", str(path)]
    )  # fmt: skip
    assert code == 0
    text = capsys.readouterr().out
    result = json.loads(path.read_text())
    names = [figure["name"] for figure in result["figures"]]
    assert [name for name in names if name.startswith("vector")] == [
        "vector, 2 players", "vector, 3 players", "vector, 4 players",
    ]  # fmt: skip
    for figure in result["figures"]:
        assert figure["low"] <= figure["median"] <= figure["high"]
        assert figure["low"] > 0
        assert figure["name"] in text
    assert result["bytes_per_game"] > get_game("chancellors").dtype.itemsize


def test_check_reports_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(
        ["check", "chancellors", "num_players=2", "max_turns=6", "--games", "2", "--pairs", "200"]
    )
    assert code == 0
    assert "ok" in capsys.readouterr().out


WRONG = {
    "no command": [],
    "unknown command": ["fly"],
    "unknown game": ["bench", "chess"],
    "no game": ["check"],
    "seconds not a number": ["bench", "chancellors", "--seconds", "soon"],
    "seconds negative": ["bench", "chancellors", "--seconds", "-1"],
    "repeats zero": ["bench", "chancellors", "--repeats", "0"],
    "unknown option": ["check", "chancellors", "colour=red"],
    "option without value": ["check", "chancellors", "problems"],
    "option out of range": ["check", "chancellors", "problems=9"],
    "option not a number": ["check", "chancellors", "target_score=many"],
    "option not a truth": ["check", "chancellors", "excuse=perhaps"],
    "seven players": ["check", "chancellors", "num_players=7"],
}


@pytest.mark.parametrize("name", list(WRONG))
def test_wrong_input_gives_one_line_and_exit_code_2(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = cli.main(WRONG[name])
    except SystemExit as stop:  # argparse leaves this way
        code = int(stop.code or 0)
    assert code == 2
    error = capsys.readouterr().err.strip().splitlines()
    said = [line for line in error if not line.startswith(("usage:", " "))]
    assert len(said) == 1
    assert "Traceback" not in said[0]


def test_a_full_or_missing_folder_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(
        ["bench", "chancellors", "--seconds", "0.01", "--repeats", "1", "--no-start", "--json",
         str(tmp_path / "missing" / "bench.json")]
    )  # fmt: skip
    assert code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_options_are_read_in_their_types() -> None:
    game = get_game("chancellors")
    read = cli.parse_options(game, ["excuse=true", "problems=4", "calamity=lowest_wins"])
    assert read == {"excuse": True, "problems": 4, "calamity": "lowest_wins"}
    with pytest.raises(OptionError):
        cli.parse_options(game, ["=3"])
