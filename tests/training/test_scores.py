"""Held-out scores: means of what the evaluations of the same deals say."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.baselines import PolicyBot
from concilium.evaluation.seats import evaluate
from concilium.training.presets import Preset
from concilium.training.scores import _STREAM, held_out_score
from concilium.training.trainer import Trainer


def test_share_of_games_won(tiny: Preset) -> None:
    network = Trainer(tiny, 1).network({})
    preset = replace(tiny, held_out=("random", "chancellors/steward"), held_out_deals=10)
    score = held_out_score(preset, network, 5)
    deals = int(np.random.SeedSequence((5, _STREAM)).generate_state(1)[0])
    expected = [
        evaluate(
            PolicyBot(network, seed=0), opponent, game="chancellors", deals=10, seed=deals,
            num_players=players, target_score=12,
        ).won.value
        for players in (2, 3)
        for opponent in preset.held_out
    ]  # fmt: skip
    assert [value for _, _, value in score.parts] == expected
    assert score.value == pytest.approx(sum(expected) / 4)
    assert [part[:2] for part in score.parts] == [
        (2, "random"), (2, "chancellors/steward"), (3, "random"), (3, "chancellors/steward"),
    ]  # fmt: skip
    assert held_out_score(preset, network, 5) == score
    assert held_out_score(preset, network, 6).parts != score.parts


def test_mean_return_of_the_table(tiny: Preset) -> None:
    network = Trainer(tiny, 1).network({})
    preset = replace(tiny, reward="table", num_players=(3,), held_out_deals=20)
    score = held_out_score(preset, network, 5)
    # somebody wins: 0 on the mean; calamity: -1; so it is the share of calamities, negative
    assert -1 <= score.value <= 0
    assert score.value * 20 == pytest.approx(round(score.value * 20))
