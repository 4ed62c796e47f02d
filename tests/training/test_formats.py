"""Checkpoints, runs and presets: what is written loads as it was, or is not written."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st

from concilium.envs import FileFormatError, OptionError
from concilium.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from concilium.training.presets import changed, load_preset, preset_of
from tests.baselines.test_policy_fuzz import FUZZ, leaves, trainings
from tests.refusals import refusal

TYPES = [torch.float32, torch.float64, torch.int8, torch.int64, torch.bool, torch.bfloat16]
TIMES = {"format", "update", "digests"}


def tensor(kind: int, values: list[float]) -> torch.Tensor:
    return torch.tensor(values).to(TYPES[kind])


tensors = st.dictionaries(
    st.text(max_size=9),
    st.builds(
        tensor,
        st.integers(0, 1) | st.just(5),
        st.lists(st.sampled_from([0.0, -1.5, 3e38, float("nan"), float("inf")]), max_size=3),
    )
    | st.builds(tensor, st.integers(2, 4), st.lists(st.sampled_from([0.0, 1.0]), max_size=3)),
    max_size=3,
)


@FUZZ
@given(
    update=st.integers(-1, 10) | st.sampled_from([99_999_999, 10**8]), tensors=tensors,
    state=trainings, games=st.binary(max_size=20),
)  # fmt: skip
def test_any_checkpoint(
    tmp_path: Path, update: int, tensors: dict[str, Any], state: dict[Any, Any], games: bytes
) -> None:
    shutil.rmtree(tmp_path / "new", ignore_errors=True)
    made = Checkpoint(update, tensors, state, games)
    if refusal(lambda: save_checkpoint(tmp_path / "new", made), OptionError):
        assert not list(tmp_path.iterdir())
        return
    found = load_checkpoint(save_checkpoint(tmp_path / "new", made))
    assert (found.update, found.games) == (update, games)
    assert set(found.tensors) == set(tensors)
    for name, value in tensors.items():
        assert found.tensors[name].dtype == value.dtype
        assert torch.equal(found.tensors[name], value)
    kept = json.loads(json.dumps(state))
    for entries in (kept, found.state):
        for name in TIMES:
            entries.pop(name, None)
    assert found.state == kept


@FUZZ
@given(data=st.data())
def test_any_bytes_of_a_checkpoint(tmp_path: Path, data: st.DataObject) -> None:
    shutil.rmtree(tmp_path / "new", ignore_errors=True)
    made = Checkpoint(3, {"a": torch.ones(3)}, {"elapsed": 1.5}, b"games")
    path = save_checkpoint(tmp_path / "new", made)
    file = path / data.draw(st.sampled_from(["tensors.safetensors", "games.bin", "state.json"]))
    raw = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    file.write_bytes(bytes(raw))
    if refusal(lambda: load_checkpoint(path), FileFormatError):
        return
    found = load_checkpoint(path)  # spaces, or nothing changed
    assert (found.update, found.games, found.tensors["a"].tolist()) == (3, b"games", [1.0] * 3)


QUICK = load_preset("chancellors-quick")
NAMES = [*QUICK.to_json(), "side", "samples", "base", "gamma"]
values = leaves | st.sampled_from(
    [
        "chancellors", "random", "own", "state", "relu", "one", (), ["random"], [1.0], [2, 3],
        ["all"], {"problems": 4}, {"a\nb": 1}, {"deck": "x\ny"}, [64], 0.5, 0, 7, "a\nb", ["a\nb"],
    ]
) | st.lists(leaves, max_size=2)  # fmt: skip


@FUZZ
@given(settings=st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), values, max_size=3))
def test_any_preset(settings: dict[str, Any]) -> None:
    """Whatever is accepted is read again from a run's file, and all else is refused in a line."""
    settings.pop("preset", None)
    refused = refusal(partial(preset_of, {**QUICK.to_json(), **settings}, "here"), FileFormatError)
    if not {"samples", "options"} & set(settings):
        again = refusal(lambda: changed(QUICK, **settings), OptionError)
        assert bool(again) == bool(refused)
    if not refused:
        preset = preset_of({**QUICK.to_json(), **settings}, "here")
        assert preset_of(json.loads(json.dumps(preset.to_json())), "run.json") == preset
