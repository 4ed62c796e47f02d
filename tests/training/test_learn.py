"""Short training runs end to end, interrupted and not."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from concilium.baselines import make_bot
from concilium.baselines.policy import PolicyBot, load_network
from concilium.envs import FileFormatError, OptionError, UsageError
from concilium.envs.core.files import write_atomically
from concilium.evaluation.seats import evaluate
from concilium.training import checkpoint
from concilium.training.generators import borrowed_generators, torch_threads
from concilium.training.learn import (
    ABOUT,
    CHECKPOINTS,
    CURVES,
    LAST,
    POLICY,
    SCORES,
    TENSORBOARD,
    resume,
    train,
)
from concilium.training.presets import Preset, load_preset, preset_of

TIMES = ("seconds", "seconds_playing", "seconds_learning")


def test_a_run_keeps_everything(tiny: Preset, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "first"
    told: list[dict[str, Any]] = []
    run = train(tiny, 3, folder, tell=told.append)
    names = {CHECKPOINTS, CURVES, LAST, POLICY, ABOUT, SCORES, TENSORBOARD}
    assert {path.name for path in folder.iterdir()} == names
    about = json.loads((folder / ABOUT).read_text())
    assert about["seed"] == 3
    assert preset_of(about["preset"], "here") == tiny
    assert "torch" in about["packages"]
    assert about["cost"]["decisions"] == run.decisions
    curves = [json.loads(line) for line in (folder / CURVES).read_text().splitlines()]
    assert curves == told == run.curves
    assert curves[-1]["decisions"] == run.decisions >= 1000
    assert curves[-2]["decisions"] < 1000
    assert curves[-1]["games"] == run.games > 0
    assert [line["entropy_coefficient"] for line in curves] == sorted(
        (line["entropy_coefficient"] for line in curves), reverse=True
    )
    scores = [json.loads(line) for line in (folder / SCORES).read_text().splitlines()]
    # every second update and the last
    assert [score["update"] for score in scores] == sorted({2, 4, len(curves)})
    assert max(score["score"] for score in scores) == run.score == about["best_score"]
    assert len(scores[0]["parts"]) == 2  # two table sizes among one bot
    network = load_network(folder / POLICY)
    assert network.hidden == [16, 8]
    assert network.training["seed"] == 3
    best = max(scores, key=lambda score: score["score"])  # the first of equals
    assert network.training["update"] == best["update"]
    assert weights(load_network(folder / LAST)) == weights(run.last)
    assert len(list((folder / CHECKPOINTS).iterdir())) == 2
    assert list((folder / TENSORBOARD).glob("events*"))
    result = evaluate(str(folder / POLICY), "random", game="chancellors", num_players=3, deals=10)
    assert result.games == 30
    assert make_bot(str(folder / POLICY), "chancellors").name.endswith("policy")


def weights(network: Any) -> list[bytes]:
    return [array.tobytes() for array in (*network.weights, *network.biases)]


def test_equal_seeds_give_equal_policies(tiny: Preset) -> None:
    first = weights(train(tiny, 5).last)
    torch.manual_seed(99)  # global generators have no say
    assert weights(train(tiny, 5).last) == first
    assert weights(train(tiny, 6).last) != first


def test_the_process_is_left_as_it_was(tiny: Preset) -> None:
    def state() -> tuple[Any, ...]:
        numpy_state = str(np.random.get_state())  # noqa: NPY002
        return (
            random.getstate(),
            numpy_state,
            torch.get_rng_state().tolist(),
            torch.get_num_threads(),
        )

    before = state()
    train(replace(tiny, threads=1), 1)
    assert state() == before
    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert state() == before


def fail_halfway() -> None:
    with borrowed_generators(1), torch_threads(1):
        random.random()
        raise ZeroDivisionError


def test_time_ends_a_run_and_anneals_it(tiny: Preset) -> None:
    run = train(replace(tiny, budget=10**8), 1, seconds=1.5)
    assert run.decisions < 10**6
    rates = [line["learning_rate"] for line in run.curves]
    assert rates == sorted(rates, reverse=True)
    assert "score" in run.curves[-1]


def test_time_that_is_over_when_a_run_is_taken_up_ends_it(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, budget=10**8, evaluate_every=100, checkpoint_every=2)
    with pytest.raises(Stop):
        train(preset, 1, tmp_path, seconds=1000.0, tell=stopped_after(3))
    about = json.loads((tmp_path / ABOUT).read_text())
    (tmp_path / ABOUT).write_text(json.dumps({**about, "time_limit": 1e-3}))
    run = resume(tmp_path)
    # the checkpoint of update 2 is all there is time for; it is scored, and is the best there is
    assert [line["update"] for line in run.curves] == [1, 2]
    assert run.score == run.curves[-1]["score"]
    assert weights(run.network) == weights(run.last) == weights(load_network(tmp_path / POLICY))
    assert len((tmp_path / CURVES).read_text().splitlines()) == 2


def test_what_came_after_the_checkpoint_is_forgotten(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, evaluate_every=1, checkpoint_every=3, budget=10**6)
    with pytest.raises(Stop):
        train(preset, 1, tmp_path, tell=stopped_after(5))
    best = max(json.loads(x)["score"] for x in (tmp_path / SCORES).read_text().splitlines()[:3])
    (tmp_path / POLICY).write_bytes(b"of another future")
    with pytest.raises(Stop):
        resume(tmp_path, tell=stopped_after(4))
    kept = load_network(tmp_path / POLICY).training
    assert kept["score"]["score"] >= best
    assert len((tmp_path / SCORES).read_text().splitlines()) == 4


def without_times(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in TIMES}


class Stop(Exception):
    """Ends a run from outside."""


def stopped_after(updates: int) -> Any:
    def tell(line: dict[str, Any]) -> None:
        if line["update"] == updates:
            raise Stop

    return tell


@pytest.mark.parametrize(
    ("critic", "checkpoint_every", "evaluate_every"),
    [("observation", 1, 2), ("state", 3, 1), ("observation", 1, 100)],
)
def test_a_resumed_run_ends_as_an_uninterrupted_one(
    tiny: Preset, tmp_path: Path, critic: str, checkpoint_every: int, evaluate_every: int
) -> None:
    preset = replace(
        tiny, critic=critic, checkpoint_every=checkpoint_every, evaluate_every=evaluate_every
    )
    whole = train(preset, 7, tmp_path / "whole")
    with pytest.raises(Stop):
        train(preset, 7, tmp_path / "parts", tell=stopped_after(2))
    with pytest.raises(Stop):
        resume(tmp_path / "parts", tell=stopped_after(4))
    parts = resume(tmp_path / "parts", game="chancellors")
    assert weights(parts.last) == weights(whole.last)
    assert weights(parts.network) == weights(whole.network)
    assert parts.score == whole.score
    assert list(map(without_times, parts.curves)) == list(map(without_times, whole.curves))
    for name in (POLICY, SCORES):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    again = resume(tmp_path / "parts")  # over already
    assert weights(again.last) == weights(whole.last)


def test_a_folder_with_a_run_is_not_overwritten(tiny: Preset, tmp_path: Path) -> None:
    train(tiny, 1, tmp_path)
    before = (tmp_path / CURVES).read_bytes()
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(OptionError, match="holds a run already"):
        train(tiny, 2, tmp_path)
    assert (tmp_path / CURVES).read_bytes() == before
    train(tiny, 2, tmp_path, replace=True)
    assert (tmp_path / CURVES).read_bytes() != before
    assert (tmp_path / "mine.txt").read_text() == "kept"


def test_what_is_no_run_is_not_touched(tiny: Preset, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINTS).mkdir()
    (tmp_path / CHECKPOINTS / "precious.pt").write_text("kept")
    for again in (False, True):
        with pytest.raises(OptionError, match=r"holds checkpoints and no run\.json"):
            train(tiny, 1, tmp_path, replace=again)
    (tmp_path / ABOUT).write_text("{}")
    with pytest.raises(FileFormatError, match="preset or seed missing"):
        train(tiny, 1, tmp_path, replace=True)
    assert (tmp_path / CHECKPOINTS / "precious.pt").read_text() == "kept"


def test_wrong_values_leave_an_old_run_alone(tiny: Preset, tmp_path: Path) -> None:
    train(tiny, 1, tmp_path)
    before = (tmp_path / LAST).read_bytes()
    wrong: list[tuple[Preset, int, float | None]] = [
        (tiny, -1, None), (tiny, 1, 0.0), (replace(tiny, bots=("nobody", "random")), 1, None),
    ]  # fmt: skip
    for preset, seed, seconds in wrong:
        with pytest.raises(OptionError):
            train(preset, seed, tmp_path, seconds=seconds, replace=True)
    assert (tmp_path / LAST).read_bytes() == before


def test_a_loss_that_is_not_finite_is_said(tiny: Preset) -> None:
    preset = replace(tiny, learning_rate=1e5, learning_rate_end=1e5, target_kl=1e5, epochs=20)
    with pytest.raises(UsageError, match="is not finite any more: try a lower learning_rate"):
        train(replace(preset, budget=10_000), 1)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def signed(data: bytes, **changes: Any) -> str:
    """A changed ``state.json`` whose digest is right."""
    state = {**json.loads(data), **changes}
    del state["digest"]
    digest = hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
    return json.dumps({**state, "digest": digest})


def test_damaged_runs_are_refused(tiny: Preset, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        resume(tmp_path / "nothing")
    folder = tmp_path / "run"
    with pytest.raises(Stop):
        train(tiny, 1, folder, tell=stopped_after(3))
    newest = max((folder / CHECKPOINTS).iterdir())
    with pytest.raises(OptionError, match="is of chancellors, not of nicaea"):
        resume(folder, game="nicaea")
    for name in ("tensors.safetensors", "games.bin"):
        kept = (newest / name).read_bytes()
        damage(newest / name)
        with pytest.raises(FileFormatError, match=f"{name}: damaged"):
            resume(folder)
        (newest / name).unlink()
        with pytest.raises(FileFormatError, match="no such file"):
            resume(folder)
        (newest / name).write_bytes(kept)
    state = newest / "state.json"
    kept = state.read_bytes()
    for text, message in (
        ("{", "not JSON"),
        ("{}", "format None"),
        (kept.decode().replace('"offered"', '"offer"'), "state.json: damaged"),
        (signed(kept, offered="x"), "does not fit"),
        (signed(kept, collector={}), "does not fit"),
        (signed(kept, elapsed="x"), "elapsed = 'x'"),
        (signed(kept, best={"score": None}), "does not fit"),
        (signed(kept, run="0"), "another preset or seed"),
    ):
        state.write_text(text)
        with pytest.raises(FileFormatError, match=message):
            resume(folder)
    state.write_bytes(kept)
    curves = (folder / CURVES).read_text()
    for text in ("", curves.partition("\n")[2], "{}\n"):
        (folder / CURVES).write_text(text)
        with pytest.raises(FileFormatError, match=CURVES):
            resume(folder)
    (folder / CURVES).write_text(curves)
    about = folder / ABOUT
    kept = about.read_bytes()
    for text, message in (
        ("[]", "not a JSON object"),
        ("{}", "preset or seed missing"),
        (kept.decode().replace('"time_limit": null', '"time_limit": -1'), "time_limit = -1 is no"),
        (kept.decode().replace('"chancellors"', '"chess"'), "no game 'chess'"),
    ):
        about.write_text(text)
        with pytest.raises(FileFormatError, match=message):
            resume(folder)
    about.write_bytes(kept)
    assert resume(folder).decisions >= tiny.budget


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


@pytest.mark.long
def test_learning_beats_stewards() -> None:
    preset = replace(load_preset("chancellors-quick"), num_players=(3,), budget=600_000)
    run = train(preset, 1, seconds=240.0)
    result = evaluate(
        PolicyBot(run.network), "chancellors/steward", game="chancellors", num_players=3, deals=200
    )
    assert result.won.low > result.fair_share
