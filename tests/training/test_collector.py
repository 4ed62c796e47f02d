"""What is collected: decisions with a choice, of the seats that the learner plays, nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from concilium.training.presets import Preset
from concilium.training.trainer import Trainer


def collected(preset: Preset, rounds: int = 1) -> Trainer:
    trainer = Trainer(preset, 4)
    for _ in range(rounds):
        trainer.collector.collect(trainer.learner)
    return trainer


def test_decisions_are_legal_and_with_a_choice(tiny: Preset) -> None:
    for preset in (tiny, replace(tiny, seats="one"), replace(tiny, critic="state")):
        samples = collected(preset, 3).collector.samples
        rows = samples.complete()
        assert preset.samples <= len(rows) < preset.samples + preset.num_envs
        masks, actions = samples.masks[rows], samples.actions[rows]
        assert (masks.sum(axis=1) > 1).all()
        assert (masks[np.arange(len(rows)), actions] == 1).all()
        assert (samples.log_probs[rows] <= 0).all()
        seen = samples.truths[rows].any(axis=1)
        assert seen.all() == (preset.critic == "state")


def test_learning_alone_collects_every_seat(tiny: Preset) -> None:
    alone = replace(
        tiny, share_self=1.0, share_snapshots=0.0, share_bots=0.0, num_players=(3,), samples=2000
    )
    for seats, expected in (("all", 3), ("one", 1)):
        trainer = collected(replace(alone, seats=seats))
        samples = trainer.collector.samples
        ends = int(samples.over[: samples.count].sum())
        # almost every seat decides at least once in a game; to 12 points some come too late
        assert 0.8 * expected < ends / trainer.collector.games <= expected


@pytest.mark.parametrize("reward", ["own", "table"])
def test_returns_reach_the_last_decision(tiny: Preset, reward: str) -> None:
    preset = replace(
        tiny, reward=reward, share_bots=0.8, share_self=0.2, share_snapshots=0.0,
        weights=(1.0, 0.0), num_players=(3,), samples=3000,
    )  # fmt: skip
    samples = collected(preset).collector.samples
    over = samples.over[: samples.count] != 0
    returns = set(np.round(samples.rewards[: samples.count][over].astype(float), 3).tolist())
    # won, lost to one of three, calamity for all; the mean of a game that is won is 0
    assert returns <= ({1.0, -0.5, -1.0} if reward == "own" else {0.0, -1.0})
    assert len(returns) >= 2
    assert (samples.rewards[: samples.count][~over] == 0).all()


def test_tally_counts_the_own_seat(tiny: Preset) -> None:
    preset = replace(
        tiny, share_self=0.0, share_snapshots=0.0, share_bots=1.0, weights=(1.0, 0.0), samples=2000
    )
    trainer = Trainer(preset, 4)
    line = trainer.update()
    assert line["games"] == trainer.collector.games > 20
    assert 0 <= line["won"] < 0.5  # a beginner among stewards
    assert line["mean_return"] < line["table_return"] <= 0
    spent = trainer.collector.spent
    assert min(vars(spent).values()) > 0


def test_all_kinds_of_players_take_part(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, samples=1000, num_envs=64), 4)
    for _ in range(3):
        trainer.update()
    cast = trainer.collector._cast
    assert len(trainer.reservoir) == 2
    assert set(np.unique(cast)) == {0, 1, 2, 3, 4}
