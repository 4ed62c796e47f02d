"""Who sits where: shares, tables of one kind, the learner's own seat, and past policies."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from msgspec.structs import replace

from concilium.envs import get_game
from concilium.training.opponents import LEARNER, OpponentSampler
from concilium.training.presets import Preset
from concilium.training.reservoir import Reservoir
from concilium.training.trainer import Trainer

GAMES = 20_000


def draw(preset: Preset, snapshots: int, players: int = 3) -> np.ndarray:
    cast, own = OpponentSampler(preset).draw(GAMES, players, snapshots, np.random.default_rng(1))
    assert (cast[np.arange(GAMES), own] == LEARNER).all()
    # each seat is the own one as often: 1/n, within 5 standard deviations
    for seat in range(players):
        assert abs((own == seat).mean() - 1 / players) < 5 * np.sqrt(0.25 / GAMES)
    others: np.ndarray = cast[np.arange(players) != own[:, None]].reshape(GAMES, players - 1)
    return others


def test_shares_of_seats(tiny: Preset) -> None:
    preset = replace(tiny, share_self=0.5, share_snapshots=0.2, share_bots=0.3, alike=0.0)
    others = draw(preset, snapshots=2)
    # players 0: current, 1 and 2: past, 3: steward, 4: random, equally weighted
    expected = [0.5, 0.1, 0.1, 0.15, 0.15]
    shares = np.bincount(others.ravel(), minlength=5) / others.size
    assert np.abs(shares - expected).max() < 0.015
    same = (others[:, 0] == others[:, 1]).mean()
    assert abs(same - sum(x * x for x in expected)) < 0.02  # seats are drawn independently


def test_tables_of_one_kind(tiny: Preset) -> None:
    others = draw(replace(tiny, alike=1.0), snapshots=2)
    assert (others[:, 0] == others[:, 1]).all()
    assert set(np.unique(others)) == {0, 1, 2, 3, 4}


def test_without_past_policies_the_current_one_plays(tiny: Preset) -> None:
    preset = replace(tiny, share_self=0.0, share_snapshots=1.0, share_bots=0.0)
    assert (draw(preset, snapshots=0) == LEARNER).all()
    assert set(np.unique(draw(preset, snapshots=2))) == {1, 2}


def test_a_bot_of_weight_0_never_plays(tiny: Preset) -> None:
    others = draw(replace(tiny, weights=(0.0, 1.0)), snapshots=1)
    assert set(np.unique(others)) == {0, 1, 4}


def test_reservoir_keeps_each_with_the_same_chance(tiny: Preset) -> None:
    network = Trainer(tiny, 1).network({})
    generator = np.random.default_rng(2)
    counts = np.zeros(10)
    offered = [dataclasses.replace(network, training={"number": k}) for k in range(10)]
    for _ in range(2000):
        reservoir = Reservoir(3)
        for one in offered:
            reservoir.offer(one, generator)
        assert len(reservoir) == 3
        for kept in reservoir.networks:
            counts[kept.training["number"]] += 1
    # 600 expected of each, standard deviation sqrt(2000 * 0.3 * 0.7) = 20.5
    assert np.abs(counts - 600).max() < 5 * 20.5


def test_past_policies_play_by_their_probabilities(tiny: Preset) -> None:
    network = Trainer(tiny, 1).network({})
    reservoir = Reservoir(1)
    reservoir.offer(network, np.random.default_rng(0))
    game = get_game("chancellors")
    observations = np.zeros((30_000, game.observation.size), np.int8)
    masks = np.zeros((30_000, game.num_actions), np.int8)
    masks[:, :3] = 1
    actions = reservoir.act(0, observations, masks, np.random.default_rng(3))
    logits = network.logits(observations[:1])[0, :3].astype(float)
    likely = np.exp(logits) / np.exp(logits).sum()
    shares = np.bincount(actions, minlength=3) / len(actions)
    assert shares == pytest.approx(likely, abs=5 * np.sqrt(0.25 / 30_000))
