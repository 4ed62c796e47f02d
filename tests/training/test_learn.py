"""Short training runs end to end, interrupted and not."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from msgspec.structs import replace
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from concilium.baselines import make_bot
from concilium.baselines.policy import POLICY, PolicyBot, load_network
from concilium.envs import FileFormatError, OptionError, UsageError
from concilium.evaluation.seats import evaluate
from concilium.training.checkpoint import load_checkpoint, save_checkpoint
from concilium.training.generators import borrowed_generators, torch_threads
from concilium.training.learn import (
    ABOUT,
    CHECKPOINTS,
    CURVES,
    LAST,
    SCORES,
    TENSORBOARD,
    resume,
    started,
    train,
)
from concilium.training.presets import Preset, load_preset, preset_of
from concilium.training.trainer import Trainer

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
    with pytest.raises(FileFormatError, match="field preset is missing"):
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
    older, newest = sorted((folder / CHECKPOINTS).iterdir())
    shutil.rmtree(older)  # else the run would go on from there
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
        (kept.decode().replace('"seed": 1', '"seed": -1'), "field seed: -1 is not allowed"),
        ("{}", "field preset is missing"),
        (
            kept.decode().replace('"time_limit": null', '"time_limit": -1'),
            "time_limit: -1 is not allowed",
        ),
        (kept.decode().replace('"chancellors"', '"chess"'), "no game 'chess'"),
    ):
        about.write_text(text)
        with pytest.raises(FileFormatError, match=message):
            resume(folder)
    about.write_bytes(kept)
    assert resume(folder).decisions >= tiny.budget


def test_the_checkpoint_before_a_damaged_one_is_taken(tiny: Preset, tmp_path: Path) -> None:
    whole = train(tiny, 1, tmp_path / "whole")
    for damaged in ("tensors.safetensors", "games.bin", "state.json"):
        folder = tmp_path / damaged
        with pytest.raises(Stop):
            train(tiny, 1, folder, tell=stopped_after(3))
        damage(max((folder / CHECKPOINTS).iterdir()) / damaged)
        said: list[str] = []
        with pytest.raises(Stop):
            resume(folder, tell=stopped_after(3), say=said.append)
        (line,) = said
        assert re.search(rf"00000003/{damaged}.*; going on from update 2$", line)
        assert "\n" not in line
        load_checkpoint(max((folder / CHECKPOINTS).iterdir()))  # made again
        assert weights(resume(folder, say=said.append).last) == weights(whole.last)
        assert len(said) == 1


def test_checkpoints_of_a_future_that_did_not_come_are_removed(
    tiny: Preset, tmp_path: Path
) -> None:
    with pytest.raises(Stop):
        train(tiny, 1, tmp_path, tell=stopped_after(4))
    folder = tmp_path / CHECKPOINTS
    first = load_checkpoint(min(folder.iterdir()))
    save_checkpoint(folder, dataclasses.replace(first, update=2))
    assert [path.name for path in folder.iterdir()] == ["00000002"]


def test_a_checkpoint_that_could_not_be_read_is_not_written(tiny: Preset, tmp_path: Path) -> None:
    made = Trainer(tiny, 1).checkpoint(None, None)
    spoilt = {**made.tensors, "own": torch.tensor([1.0, float("nan")])}
    for wrong, message in (
        (
            dataclasses.replace(made, tensors=spoilt),
            "no checkpoint: .*'own' is not finite",
        ),
        (dataclasses.replace(made, state={"elapsed": float("inf")}), "cannot be written as JSON"),
        (dataclasses.replace(made, state={"elapsed": {1, 2}}), "cannot be written as JSON"),
    ):
        with pytest.raises(OptionError, match=message) as caught:
            save_checkpoint(tmp_path / "new", wrong)
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_the_events_of_a_resumed_run_are_told_once(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, checkpoint_every=2)
    with pytest.raises(Stop):
        train(preset, 1, tmp_path, tell=stopped_after(3))
    time.sleep(1.1)  # files are named by the second
    run = resume(tmp_path)
    events = EventAccumulator(str(tmp_path / TENSORBOARD))
    events.Reload()
    steps = [event.step for event in events.Scalars("run/decisions")]
    assert steps == [line["decisions"] for line in run.curves]


def test_a_finished_run_is_extended(tiny: Preset, tmp_path: Path) -> None:
    first = train(tiny, 1, tmp_path)
    with pytest.raises(OptionError, match=r"is over with budget=900 .*: it has made 1"):
        resume(tmp_path, budget=900)
    assert json.loads((tmp_path / ABOUT).read_text())["cost"]["decisions"] == first.decisions
    with pytest.raises(OptionError, match="budget: 0 is not allowed: a whole number from 1"):
        resume(tmp_path, budget=0)
    with pytest.raises(Stop):
        resume(tmp_path, budget=2500, tell=stopped_after(len(first.curves) + 2))
    about = json.loads((tmp_path / ABOUT).read_text())
    assert (about["preset"]["budget"], about["budgets"]) == (2500, [1000])
    assert "cost" not in about
    run = resume(tmp_path)
    assert run.decisions >= 2500
    assert run.curves[: len(first.curves)] == first.curves
    assert run.score >= first.score
    # the teacher's turn had ended; without that, the first tenth of what is now planned is its own
    assert not any(line["behaviour_cloning"] for line in run.curves[len(first.curves) :])
    assert run.curves[len(first.curves)]["learning_rate"] > first.curves[-1]["learning_rate"]
    assert resume(tmp_path, budget=4000).decisions >= 4000


def test_a_teacher_does_not_come_back_when_a_run_is_extended(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, behaviour_cloning_fraction=0.9, budget=1500)
    first = train(preset, 1, tmp_path)
    assert [line["behaviour_cloning"] for line in first.curves][-1] is False
    # of 10,000 decisions the first 9,000 would be the teacher's
    run = resume(tmp_path, budget=10_000, seconds=first.seconds["all"] + 0.5)
    assert len(run.curves) > len(first.curves)
    assert not run.curves[len(first.curves)]["behaviour_cloning"]


def test_time_can_be_extended_too(tiny: Preset, tmp_path: Path) -> None:
    preset = replace(tiny, budget=10**8)
    first = train(preset, 1, tmp_path, seconds=1.0)
    with pytest.raises(OptionError, match="is over with budget=200000000 and the time limit"):
        resume(tmp_path, budget=2 * 10**8)
    run = resume(tmp_path, seconds=2.5)
    assert len(run.curves) > len(first.curves)


@pytest.mark.parametrize("critic", ["observation", "state"])
def test_a_run_starts_from_a_policy(tiny: Preset, tmp_path: Path, critic: str) -> None:
    first = train(replace(tiny, hidden=(12,), activation="tanh"), 1, tmp_path / "first")
    still = replace(tiny, critic=critic, learning_rate=0.0, learning_rate_end=0.0)
    for source in (tmp_path / "first", tmp_path / "first" / POLICY):
        run = train(still, 2, tmp_path / source.name, start=source, replace=True, say=print)
        assert weights(run.last) == weights(first.network)  # it has not learned anything more
    about = json.loads((tmp_path / POLICY / ABOUT).read_text())
    assert about["preset"]["hidden"] == [12]
    assert about["preset"]["activation"] == "tanh"
    assert about["preset"]["behaviour_cloning_fraction"] == 0
    assert about["start"] == str(tmp_path / "first" / POLICY)


def test_a_run_that_started_from_a_policy_goes_on(tiny: Preset, tmp_path: Path) -> None:
    train(tiny, 1, tmp_path / "first")
    preset = replace(tiny, checkpoint_every=100)
    start = tmp_path / "first"
    whole = train(preset, 2, tmp_path / "whole", start=start)
    with pytest.raises(Stop):
        train(preset, 2, tmp_path / "parts", start=start, tell=stopped_after(2))
    shutil.rmtree(start)
    assert weights(resume(tmp_path / "parts").last) == weights(whole.last)


def test_policies_that_a_run_cannot_start_from(tiny: Preset, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        train(tiny, 1, tmp_path / "run", start=tmp_path / "absent.safetensors")
    network = Trainer(tiny, 1).network({})
    for wrong, message in (
        (replace(tiny, game="nicaea", options={}), "plays chancellors_v0, not nicaea"),
        (
            replace(tiny, decisions=("block",), assistant="random"),
            "is for the decisions all; the preset has block",
        ),
    ):
        with pytest.raises(OptionError, match=message):
            started(wrong, network)
    assert not list(tmp_path.iterdir())


def test_an_unusable_preset_is_refused_before_anything_is_written(
    tiny: Preset, tmp_path: Path
) -> None:
    for wrong in (replace(tiny, clip=float("nan")), replace(tiny, minibatch=10**6)):
        with pytest.raises(OptionError, match=r"is not allowed|at most rollout_size"):
            train(wrong, 1, tmp_path / "run")
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_learning_beats_stewards() -> None:
    preset = replace(load_preset("chancellors-quick"), num_players=(3,), budget=600_000)
    run = train(preset, 1, seconds=240.0)
    result = evaluate(
        PolicyBot(run.network), "chancellors/steward", game="chancellors", num_players=3, deals=200
    )
    assert result.fair_share is not None
    assert result.won.low > result.fair_share
