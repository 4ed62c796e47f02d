"""Short training runs end to end."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from concilium.baselines import load_policy, make_bot
from concilium.baselines.evaluation import evaluate
from concilium.baselines.policy import PolicyBot
from concilium.training.generators import borrowed_generators, torch_threads
from concilium.training.learn import ABOUT, CURVES, POLICY, Annealing, train
from concilium.training.presets import Preset, load_preset


def test_a_run_keeps_everything(tiny: Preset, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "first"
    told: list[dict[str, Any]] = []
    run = train(tiny, 3, folder, tell=told.append)
    assert sorted(path.name for path in folder.iterdir()) == [CURVES, POLICY, ABOUT]
    about = json.loads((folder / ABOUT).read_text())
    assert about["seed"] == 3
    assert Preset(**{k: _tuple(v) for k, v in about["preset"].items()}) == tiny
    assert "torch" in about["packages"]
    assert about["cost"]["decisions"] == run.decisions
    curves = [json.loads(line) for line in (folder / CURVES).read_text().splitlines()]
    assert curves == told == run.curves
    assert len(curves) == 4  # 1000 decisions, 256 in each update
    assert curves[-1]["decisions"] == run.decisions <= 1024
    assert curves[-1]["games"] == run.games > 0
    assert [line["entropy_coefficient"] for line in curves] == sorted(
        (line["entropy_coefficient"] for line in curves), reverse=True
    )
    assert "approx_kl" in curves[-1]
    bot = load_policy(folder / POLICY)
    assert bot.network.hidden == [16, 8]
    assert bot.network.training["seed"] == 3
    result = evaluate(bot, "random", game="chancellors", num_players=3, deals=10)
    assert result.games == 30
    assert make_bot(str(folder / POLICY), "chancellors").name == "policy"


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def weights(network: Any) -> list[bytes]:
    return [array.tobytes() for array in (*network.weights, *network.biases)]


def test_equal_seeds_give_equal_policies(tiny: Preset) -> None:
    first = weights(train(tiny, 5).network)
    torch.manual_seed(99)  # global generators have no say
    assert weights(train(tiny, 5).network) == first
    assert weights(train(tiny, 6).network) != first


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
    run = train(replace(tiny, decisions=10**8), 1, seconds=1.5)
    assert run.decisions < 10**6
    assert run.curves[-1]["entropy_coefficient"] == pytest.approx(tiny.entropy_end, abs=1e-5)
    annealing = Annealing(100)
    annealing.update(25)
    assert annealing.between(1.0, 0.0) == 0.75
    annealing.update(200)
    assert annealing.between(1.0, 0.2) == 0.2


@pytest.mark.long
def test_learning_beats_stewards() -> None:
    preset = replace(load_preset("chancellors-demo"), num_players=(3,), decisions=400_000)
    run = train(preset, 1, seconds=240.0)
    result = evaluate(
        PolicyBot(run.network), "chancellors/steward", game="chancellors", num_players=3, deals=200
    )
    assert result.won.low > result.fair_share
