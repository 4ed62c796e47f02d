"""Intervals against published values and by coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from concilium.evaluation.intervals import block_share, mean, share


def test_wilson_of_known_cases() -> None:
    # 10 of 100: Wilson's 95 % interval is [0.0552, 0.1744] (e.g. Brown, Cai and DasGupta 2001)
    estimate = share(10, 100)
    assert estimate.value == 0.1
    assert estimate.low == pytest.approx(0.0552, abs=5e-4)
    assert estimate.high == pytest.approx(0.1744, abs=5e-4)
    # none of 20: from 0 to z² / (20 + z²) = 3.8415 / 23.8415
    assert share(0, 20).low == 0.0
    assert share(0, 20).high == pytest.approx(0.16113, abs=1e-4)
    assert share(20, 20).low == pytest.approx(1 - 0.16113, abs=1e-4)


def test_mean_of_known_values() -> None:
    estimate = mean([0, 1, 2, 3])  # standard deviation 1.29099, standard error 0.645497
    assert estimate.value == 1.5
    assert estimate.high == pytest.approx(1.5 + 1.959964 * 0.645497, abs=1e-5)
    assert mean([1.0]).low == -math.inf


def test_blocks_of_independent_games_count_as_games() -> None:
    rng = np.random.default_rng(0)
    blocks = rng.random((4000, 4)) < 0.3
    by_block = block_share(blocks.mean(axis=1))
    by_game = share(int(blocks.sum()), blocks.size)
    assert by_block.high - by_block.low == pytest.approx(by_game.high - by_game.low, rel=0.05)


def test_blocks_of_equal_games_count_once() -> None:
    rng = np.random.default_rng(0)
    blocks = np.repeat(rng.random((2000, 1)) < 0.3, 4, axis=1)
    by_block = block_share(blocks.mean(axis=1))
    single = share(int(blocks[:, 0].sum()), 2000)
    assert by_block.high - by_block.low == pytest.approx(single.high - single.low, rel=0.02)


def test_the_interval_covers_the_truth_in_95_of_100_cases() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        shares = (rng.random((50, 3)) < 0.1).mean(axis=1)
        estimate = block_share(shares)
        hits += estimate.low <= 0.1 <= estimate.high
    assert 0.93 <= hits / 2000 <= 0.975


def test_nothing_hit_still_has_a_width() -> None:
    estimate = block_share(np.zeros(100))
    assert estimate.value == 0.0
    assert estimate.low == pytest.approx(0.0, abs=1e-12)  # up to rounding
    assert 0.02 < estimate.high < 0.05
