"""Runs that signals, other processes and full disks meet."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.baselines.policy import POLICY, load_network
from concilium.envs import OptionError
from concilium.envs.core.files import write_atomically
from concilium.training import checkpoint
from concilium.training.guard import LOCK
from concilium.training.learn import (
    CHECKPOINTS,
    CURVES,
    LAST,
    resume,
    train,
)
from concilium.training.presets import Preset
from tests.training.test_learn import Stop, stopped_after, weights, without_times


def test_a_folder_is_locked_while_a_run_is_in_it(tiny: Preset, tmp_path: Path) -> None:
    def meddle(line: dict[str, Any]) -> None:
        for call in (resume, partial(train, tiny, 1, replace=True)):
            with pytest.raises(OptionError, match=f"in use: process {os.getpid()} trains in it"):
                call(tmp_path)
        raise Stop

    with pytest.raises(Stop):
        train(tiny, 1, tmp_path, tell=meddle)
    assert not (tmp_path / LOCK).exists()
    resume(tmp_path)


def test_a_full_disk_leaves_the_older_checkpoint(
    tiny: Preset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train(tiny, 9, tmp_path / "whole")

    written = 0

    def full(path: Path, data: bytes | str) -> None:
        nonlocal written
        written += 1
        if written == 8:  # three files each: the second of the third checkpoint
            raise OSError(28, "No space left on device", str(path))
        write_atomically(path, data)

    monkeypatch.setattr(checkpoint, "write_atomically", full)
    with pytest.raises(OSError, match="No space"):
        train(tiny, 9, tmp_path / "parts")
    monkeypatch.undo()
    assert sorted(path.name for path in (tmp_path / "parts" / CHECKPOINTS).iterdir()) == [
        "00000001", "00000002",
    ]  # fmt: skip
    assert weights(resume(tmp_path / "parts").last) == weights(whole.last)


SCRIPT = """
import json, sys
from pathlib import Path
from concilium.training.learn import train, resume, ABOUT
from concilium.training.presets import preset_of
folder = Path(sys.argv[1])
if (folder / ABOUT).exists():
    resume(folder)
else:
    train(preset_of(json.loads(sys.argv[2]), "preset"), 11, folder)
"""


def training_process(folder: Path, preset: Preset) -> subprocess.Popen[str]:
    """A process that trains, two updates of whose run are told."""
    command = [sys.executable, "-c", SCRIPT, str(folder), json.dumps(preset.to_json())]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not (folder / CURVES).exists() or len((folder / CURVES).read_text().splitlines()) < 2:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_a_checkpoint_and_tells_how_to_go_on(
    tiny: Preset, tmp_path: Path, number: signal.Signals
) -> None:
    preset = replace(tiny, budget=10**6, checkpoint_every=10**6, evaluate_every=10**6)
    folder = tmp_path / "my run"
    process = training_process(folder, preset)
    process.send_signal(number)
    _, told = process.communicate(timeout=300)
    code = {signal.SIGINT: -signal.SIGINT, signal.SIGTERM: 128 + signal.SIGTERM}[number]
    assert process.returncode == code
    (newest,) = (folder / CHECKPOINTS).iterdir()
    update = int(newest.name)
    assert update >= 1
    command = f"concilium train chancellors --resume '{folder}'"
    assert f"stopped after update {update}; to go on: {command}\n" in told
    with pytest.raises(Stop):
        resume(folder, tell=stopped_after(update + 1))
    whole: list[dict[str, Any]] = []

    def collect(line: dict[str, Any]) -> None:
        whole.append(without_times(line))
        stopped_after(update + 1)(line)

    with pytest.raises(Stop):
        train(preset, 11, tell=collect)
    lines = (folder / CURVES).read_text().splitlines()
    assert [without_times(json.loads(line)) for line in lines] == whole


def test_a_killed_process_leaves_no_lock(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, budget=10**6)
    process = training_process(tmp_path / "run", preset)
    with pytest.raises(OptionError, match=f"in use: process {process.pid} trains in it"):
        resume(tmp_path / "run")
    process.kill()
    process.communicate()
    with pytest.raises(Stop):
        resume(tmp_path / "run", tell=lambda line: stopped_after(line["update"])(line))


def kill_after(seconds: float, folder: Path, preset: Preset) -> bool:
    """Start or go on with a run in a process of its own and kill it; whether it was still going."""
    command = [sys.executable, "-c", SCRIPT, str(folder), json.dumps(preset.to_json())]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        return True
    assert process.returncode == 0
    return False


@pytest.mark.long
def test_killed_at_any_moment_a_run_ends_as_if_it_had_not_been(
    tiny: Preset, tmp_path: Path
) -> None:
    preset = replace(tiny, budget=20_000, num_envs=64, rollout_size=500, minibatch=128)
    start = time.perf_counter()
    assert not kill_after(600, tmp_path / "whole", preset)
    length = time.perf_counter() - start
    expected = (tmp_path / "whole" / LAST).read_bytes()
    generator = np.random.default_rng(12)
    killed = 0
    for number in range(60):
        folder = tmp_path / str(number)
        # from about the first file to shortly before the end of the latest run that was let be,
        # since the first one may have compiled and the machine may be busier or idler now
        start = time.perf_counter()
        if not kill_after(float(generator.uniform(0.2, 1.0)) * length, folder, preset):
            length = time.perf_counter() - start
            continue
        killed += 1
        assert not kill_after(600, folder, preset)
        assert (folder / LAST).read_bytes()[-4096:] == expected[-4096:]
        assert weights(load_network(folder / LAST)) == weights(
            load_network(tmp_path / "whole" / LAST)
        )
        ours = (folder / POLICY).read_bytes()
        assert ours == (tmp_path / "whole" / POLICY).read_bytes()
        if killed == 20:
            break
    assert killed == 20
