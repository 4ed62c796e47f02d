"""What is saved as a policy loads again as it was, or is not saved; and the other way round."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concilium.baselines import Network, save_policy
from concilium.baselines.policy import load_network
from concilium.envs import FileFormatError, OptionError
from tests.baselines.test_policy import GAME, network
from tests.refusals import refusal

FUZZ = settings(
    max_examples=80, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
ODD = [0.0, -0.0, 1.5, 3.4e38, 1e39, -1e300, float("nan"), float("inf"), float("-inf"), 1e-46]
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(max_size=3),
    st.sampled_from([10**30, -(2**64), "\ud800", "x" * 2**20, (1, 2), {1}, np.float32(1.0)]),
)  # fmt: skip
trainings = st.dictionaries(
    st.one_of(st.text(max_size=5), st.integers(0, 9)),
    st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    ),
    max_size=4,
)


def arrays(found: Network) -> list[Any]:
    return [found.scale, *found.weights, *found.biases]


def saved_or_refused(path: Path, made: Network) -> None:
    """It loads as it was, or nothing is written and one line says why."""
    path.unlink(missing_ok=True)
    if refusal(lambda: save_policy(path, made), OptionError):
        assert not list(path.parent.iterdir())
        return
    found = load_network(path)
    assert (found.game, found.activation, found.hidden) == (made.game, made.activation, made.hidden)
    assert found.training == json.loads(json.dumps(dict(made.training)))
    for ours, theirs in zip(arrays(found), arrays(made), strict=True):
        assert (ours == theirs.astype(np.float32)).all()


@FUZZ
@given(training=trainings, activation=st.sampled_from(["tanh", "relu", "sin", ""]))
def test_any_record_of_the_training(
    tmp_path: Path, training: dict[Any, Any], activation: str
) -> None:
    made = replace(network(), training=training, activation=activation)
    saved_or_refused(tmp_path / "policy.safetensors", made)


@FUZZ
@given(
    value=st.sampled_from(ODD), place=st.integers(0, 6), at=st.integers(0, 10**6),
    wide=st.booleans(), cut=st.booleans(),
)  # fmt: skip
def test_any_weights(
    tmp_path: Path, value: float, place: int, at: int, wide: bool, cut: bool
) -> None:
    made = network()
    changed = [array.astype(np.float64 if wide else np.float32) for array in arrays(made)]
    with np.errstate(over="ignore"):
        changed[place].flat[at % changed[place].size] = value
    if cut:
        changed[place] = changed[place][:-1]
    made = replace(made, scale=changed[0], weights=tuple(changed[1:4]), biases=tuple(changed[4:]))
    saved_or_refused(tmp_path / "policy.safetensors", made)


@FUZZ
@given(hidden=st.lists(st.sampled_from([0, 1, 2, 3, 4096, 4097]), max_size=9))
def test_any_layers(tmp_path: Path, hidden: list[int]) -> None:
    widths = [GAME.observation.size, *hidden, GAME.num_actions]
    if sum(a * b for a, b in pairwise(widths)) > 10**7:
        return  # a file of more than 40 megabytes
    made = replace(
        network(),
        weights=tuple(np.zeros((b, a), np.float32) for a, b in pairwise(widths)),
        biases=tuple(np.zeros(b, np.float32) for b in widths[1:]),
    )
    saved_or_refused(tmp_path / "policy.safetensors", made)


@FUZZ
@given(data=st.data())
def test_any_bytes(tmp_path: Path, data: st.DataObject) -> None:
    """A file with some bytes changed, cut or doubled is refused, or it is saved again as it is."""
    path = tmp_path / "policy.safetensors"
    save_policy(path, network())
    raw = bytearray(path.read_bytes())
    stop = 8 + int.from_bytes(raw[:8], "little")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, stop + 40) | st.integers(0, len(raw) - 1))
        how = data.draw(st.sampled_from(["set", "cut", "double", "digit"]))
        if how == "set":
            raw[place : place + 1] = bytes([data.draw(st.integers(0, 255))])
        elif how == "digit":
            raw[place : place + 1] = data.draw(st.sampled_from([b"0", b"9", b'"', b",", b"}"]))
        elif how == "cut":
            del raw[place : place + data.draw(st.integers(1, 9))]
        else:
            raw[place:place] = raw[place : place + data.draw(st.integers(1, 9))]
    path.write_bytes(bytes(raw))
    if refusal(lambda: load_network(path), FileFormatError):
        return
    found = load_network(path)
    save_policy(path, found)
    again = load_network(path)
    assert again.training == found.training
    assert all((a == b).all() for a, b in zip(arrays(again), arrays(found), strict=True))


def test_what_was_written_and_could_not_be_read(tmp_path: Path) -> None:
    """The cases from which this came."""
    path = tmp_path / "policy.safetensors"
    broad = network().biases[0].copy()
    broad[0] = np.nan
    huge: Any = network().weights[0].astype(np.float64)
    huge[0, 0] = 1e39
    net = network()
    for made in (
        replace(net, biases=(broad, *net.biases[1:])),
        replace(net, weights=(huge, *net.weights[1:])),
        replace(net, training={"loss": float("nan")}),
        replace(net, training={"seeds": {1, 2}}),
    ):
        assert refusal(partial(save_policy, path, made), OptionError)
    assert not list(tmp_path.iterdir())
