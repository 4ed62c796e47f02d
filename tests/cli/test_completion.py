"""``concilium completion``: the scripts complete what a command line can hold."""

from __future__ import annotations

import argparse
import shlex
import subprocess
from pathlib import Path

import pytest

from concilium.cli import COMMANDS, parser
from concilium.commands.completion import _actions, _completer
from concilium.commands.list import known_names
from tests.cli.shell import Run

TRY = """
source ./script
compopt() { :; }
COMP_WORDS=(%s)
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_shtab_concilium
printf '%%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A folder with files of all kinds and the script for bash."""
    for name in ("game.jsonl", "policy.safetensors", "own.toml", "rows.csv", "note.txt"):
        (tmp_path / name).touch()
    (tmp_path / "runs").mkdir()
    ran = run("completion", "bash")
    assert ran.code == 0
    (tmp_path / "script").write_text(ran.out)
    return tmp_path


def completed(folder: Path, line: str) -> set[str]:
    """What bash offers for the last word of a line that begins behind ``concilium``."""
    words = ["concilium", *line.split(" ")]
    done = subprocess.run(
        ["bash", "-c", TRY % " ".join(map(shlex.quote, words))],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_completes_commands_names_and_files(folder: Path) -> None:
    names = known_names()
    bots = {*names["bots"], "policy.safetensors", "runs"}
    assert completed(folder, "") == set(COMMANDS)
    assert completed(folder, "tour") == {"tournament"}
    assert completed(folder, "play ") == set(names["games"])
    assert completed(folder, "evaluate ") == bots
    assert completed(folder, "evaluate random ") == bots
    assert completed(folder, "evaluate random chancellors/st") == {"chancellors/steward"}
    assert completed(folder, "play chancellors --bots random ") == bots
    assert completed(folder, "dilemma chancellors --resident ") == bots
    assert completed(folder, "train chancellors --preset ") == {
        *names["presets"], "own.toml", "runs",
    }  # fmt: skip
    assert completed(folder, "train chancellors --resume ") == {"runs"}
    assert completed(folder, "replay ") == {"game.jsonl", "runs"}
    assert completed(folder, "evaluate random random --rows ") == {"rows.csv", "runs"}
    assert completed(folder, "play chancellors --wa") == {"--watch"}
    assert completed(folder, "list ") == {"games", "bots", "presets"}
    assert completed(folder, "completion ") == {"bash", "zsh", "tcsh"}


def test_the_other_shells_get_scripts_with_the_same_names(run: Run) -> None:
    names = known_names()
    zsh = run("completion", "zsh").out
    assert zsh.startswith("#compdef concilium")
    bots = " ".join(names["bots"])
    assert f"_concilium_bots() {{ compadd -- {bots}; _files -g '*.safetensors'; }}" in zsh
    tcsh = run("completion", "tcsh").out
    assert f"'p/1/({' '.join(COMMANDS)})/'" in tcsh
    assert "'n/evaluate/`concilium list bots`/'" in tcsh


def test_every_argument_with_a_value_is_known_to_completion() -> None:
    free = {
        "players", "seat", "seats", "seed", "deals", "option", "num_envs", "threads", "seconds",
        "repeats", "games", "pairs", "game_number", "view", "decisions", "budget", "workers",
        "pool_deals", "side",
    }  # fmt: skip
    for action in _actions(parser()):
        assert isinstance(action, argparse.Action)
        known = bool(action.choices) or _completer(action.dest) is not None
        assert known != (action.dest in free), action.dest
