"""The cache of compiled code: keyed by all that is compiled, and never a reason to fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from concilium.envs.core.jit import cache_folder, source_digest

# one small entry point of the core is enough, and compiles in a second
PROGRAM = (
    "import numpy as np; from concilium.envs.core.kernels import pick_actions; "
    "out = np.zeros(1, np.int64); "
    "pick_actions(np.array([[0, 1]], np.int8), np.array([0.5]), out); print(out[0])"
)


def _run(folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", before + PROGRAM]
    env = {**os.environ, "CONCILIUM_CACHE_DIR": str(folder)}
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "1"
    return run


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("keep", [0, 20])
def test_a_damaged_cache_is_made_anew(ending: str, keep: int, tmp_path: Path) -> None:
    assert "compiling core" in _run(tmp_path).stderr
    assert _run(tmp_path).stderr == ""
    damaged = list(tmp_path.rglob(f"*{ending}"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:keep])
    said = _run(tmp_path).stderr.strip().splitlines()
    assert len(said) == 1
    assert "damaged" in said[0]
    assert _run(tmp_path).stderr == ""


def test_a_full_disk_costs_a_line(tmp_path: Path) -> None:
    # no file may grow beyond 100 bytes: the folder can be made, the code cannot be kept
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
    )
    said = _run(tmp_path, limit).stderr
    assert "not kept" in said
    assert "Traceback" not in said


def test_a_folder_that_cannot_be_made_costs_a_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("in the way")
    said = _run(path).stderr.strip().splitlines()
    assert len(said) == 1
    assert "not kept" in said[0]


def test_the_key_depends_on_sources_data_and_functions(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("a = 1")
    seen = {source_digest([tmp_path])}
    (tmp_path / "rules.py").write_text("a = 2")
    seen.add(source_digest([tmp_path]))
    (tmp_path / "deck.toml").write_text("a = 2")
    seen.add(source_digest([tmp_path]))
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "more.py").write_text("")
    seen.add(source_digest([tmp_path]))
    seen.add(source_digest([tmp_path], ["rules.step"]))
    (tmp_path / "README.md").write_text("words")
    assert source_digest([tmp_path]) in seen
    assert len(seen) == 5


def test_code_that_may_be_older_than_its_sources_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONCILIUM_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "game" / "rules.py"
    source.parent.mkdir()
    source.write_text("a = 1")
    os.utime(source, (1, 1))
    assert cache_folder("game", [source.parent]) is not None
    capsys.readouterr()
    source.write_text("a = 2")  # after this process began
    assert cache_folder("game", [source.parent]) is None
    assert "not kept: its sources have just been changed" in capsys.readouterr().err


def test_old_folders_go_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCILIUM_CACHE_DIR", str(tmp_path))
    for number in range(6):
        old = tmp_path / f"game-{number:016x}"
        old.mkdir()
        os.utime(old, (number, number))
        (tmp_path / f"game-bots-{number:016x}").mkdir()
    assert cache_folder("game", []) is not None
    assert len(list(tmp_path.glob("game-bots-*"))) == 6
    kept = {path.name for path in tmp_path.glob("game-0*")}
    assert {f"game-{number:016x}" for number in (3, 4, 5)} <= kept
    assert f"game-{0:016x}" not in kept
