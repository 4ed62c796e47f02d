"""``concilium completion``: the scripts complete what a command line can hold."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from concilium.baselines import bot_names
from concilium.cli import COMMANDS
from concilium.commands.list import game_presets
from concilium.envs import get_game
from tests.cli.shell import Run, concilium

TRY = """
source ./script
compopt() { :; }
COMP_WORDS=(%s)
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_concilium
printf '%%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """A folder with files of all kinds, the script for bash, and the program."""
    for name in ("game.jsonl", "policy.safetensors", "own.toml", "note.txt"):
        (tmp_path / name).touch()
    (tmp_path / "runs").mkdir()
    ran = run("completion", "bash")
    assert ran.code == 0
    (tmp_path / "script").write_text(ran.out)
    program = tmp_path / "concilium"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m concilium "$@"\n')
    program.chmod(0o755)
    return tmp_path


def completed(folder: Path, line: str) -> set[str]:
    """What bash offers for the last word of a line that begins behind ``concilium``."""
    words = ["concilium", *line.split(" ")]
    done = subprocess.run(
        ["bash", "-c", TRY % " ".join(map(shlex.quote, words))],
        cwd=folder, capture_output=True, text=True, check=True,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_completes_commands_names_and_files(folder: Path) -> None:
    # not those of this process, in which other tests have games of their own
    games, bots = (set(concilium("list", kind).out.split()) for kind in ("games", "bots"))
    bots |= {"policy.safetensors", "runs/"}
    assert completed(folder, "") == set(COMMANDS)
    assert completed(folder, "tour") == {"tournament"}
    assert completed(folder, "play ") == games
    assert completed(folder, "evaluate ") == bots
    assert completed(folder, "evaluate random ") == bots
    assert completed(folder, "evaluate random chancellors/st") == {"chancellors/steward"}
    assert "runs" in completed(folder, "train chancellors --resume r")
    assert completed(folder, "replay g") == {"game.jsonl"}
    assert completed(folder, "play chancellors --wa") == {"--watch"}
    assert completed(folder, "list ") == {"games", "bots", "presets"}
    assert completed(folder, "completion ") == {"bash", "zsh", "fish"}


def test_names_are_those_of_the_game(folder: Path) -> None:
    nicaea, files = get_game("nicaea"), {"policy.safetensors", "runs/"}
    bots = set(bot_names(nicaea))
    assert "nicaea/broker" in bots
    assert completed(folder, "play nicaea --bots ") == bots | files
    assert completed(folder, "dilemma nicaea --resident nic") == bots - {"random"}
    presets = {*game_presets(nicaea), "own.toml", "runs/"}
    assert completed(folder, "train nicaea --preset ") == presets


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_get_scripts(run: Run, shell: str) -> None:
    script = run("completion", shell).out
    for word in ("__complete", "--heat-map", *COMMANDS):
        assert word in script
