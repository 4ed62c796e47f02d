"""Processes: pipes that break, disks that are full, packages that are missing, quick starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import Ran, Run

CONCILIUM = f"'{sys.executable}' -m concilium"


BUFFERING = pytest.mark.parametrize("unbuffered", ["", "1"])  # errors come at once or at the end


def shell(script: str, folder: Path, **variables: str) -> Ran:
    """Run a shell script with these environment variables."""
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, **variables},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


@BUFFERING
def test_a_broken_pipe_is_quiet_and_the_game_is_recorded(tmp_path: Path, unbuffered: str) -> None:
    play = f"{CONCILIUM} play chancellors --watch --seed 4 --record game.jsonl"
    ran = shell(f"{play} | head -n 1; exit ${{PIPESTATUS[0]}}", tmp_path,
                PYTHONUNBUFFERED=unbuffered)  # fmt: skip
    assert (ran.code, ran.err) == (141, "")
    assert ran.out.startswith("chancellors_v0: num_players=3, ")
    # and where the reader is gone before all that is said is written
    ran = shell(f"{CONCILIUM} replay game.jsonl | true; exit ${{PIPESTATUS[0]}}", tmp_path,
                PYTHONUNBUFFERED=unbuffered)  # fmt: skip
    assert (ran.code, ran.err) == (141, "")


@BUFFERING
def test_a_full_standard_output_is_one_line(tmp_path: Path, unbuffered: str) -> None:
    ran = shell(f"{CONCILIUM} list > /dev/full", tmp_path, PYTHONUNBUFFERED=unbuffered)
    assert ran.code == 2
    assert ran.err == "concilium: standard output: No space left on device\n"


def test_closed_output_is_no_error(tmp_path: Path) -> None:
    ran = shell(f"{CONCILIUM} list >&- 2>&-", tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    ran = shell(f"{CONCILIUM} play chess 2>&-", tmp_path)
    assert (ran.code, ran.out, ran.err) == (2, "", "")


def test_words_that_the_terminal_cannot_show_are_no_error(tmp_path: Path) -> None:
    ran = shell(f"printf 'q\\377\\nquit\\n' | {CONCILIUM} play chancellors --seed 4", tmp_path,
                PYTHONIOENCODING="ascii")  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert "Chancellors ? turn 1" in ran.out
    assert "No move fits 'q?'" in ran.out


def test_an_unreadable_name_is_said_in_one_line(tmp_path: Path) -> None:
    ran = shell(f"{CONCILIUM} replay $'\\xff\\n.jsonl'", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "concilium: replay file \\udcff\\n.jsonl: no such file\n"


def test_what_needs_the_extra_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("concilium.training")]:
        monkeypatch.delitem(sys.modules, name)
    for package in ("torch", "matplotlib"):
        monkeypatch.setitem(sys.modules, package, None)
    bots = ["random", "chancellors/steward"]
    for package, words in (
        ("torch", ["bench", "chancellors", "--training"]),
        ("torch", ["train", "chancellors"]),
        ("matplotlib", ["tournament", "chancellors", *bots, "--heat-map", "x.png"]),
    ):
        ran = run(*words)
        assert ran.code == 2
        extra = "evaluate" if package == "matplotlib" else "train"
        assert ran.err == f"concilium: this needs {package}: pip install 'concilium[{extra}]'\n"
    assert run("list").code == 0


def test_a_missing_module_of_ours_is_a_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "concilium.evaluation.seats", None)
    with pytest.raises(ModuleNotFoundError):
        run("evaluate", "random", "random")


def test_list_loads_nothing_heavy() -> None:
    program = (
        "import sys, concilium.cli as cli; code = cli.main(['list']); "
        "heavy = {'torch', 'stable_baselines3', 'sb3_contrib', 'matplotlib', 'rich', "
        "'openskill'} & set(sys.modules); print(code, *heavy)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"


def test_help_loads_no_game() -> None:
    for words in ([], ["--version"], ["--help"]):
        program = (
            f"import sys, concilium.cli as cli; code = cli.main({words}); "
            "heavy = {'numpy', 'numba', 'torch', 'concilium.envs'} & set(sys.modules); "
            "print(code, *heavy)"
        )
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == ("0" if words else "2")


def test_nobody_has_to_read_the_help(tmp_path: Path) -> None:
    for words in ("--help", "play --help"):
        ran = shell(f"{CONCILIUM} {words} | true; exit ${{PIPESTATUS[0]}}", tmp_path)
        assert (ran.code, ran.err) in {(141, ""), (0, "")}  # read or not: it is short
    ran = shell(f"{CONCILIUM} --help > /dev/full", tmp_path)
    assert (ran.code, ran.err) == (2, "concilium: standard output: No space left on device\n")
