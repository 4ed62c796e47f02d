"""Intervals against published values and by coverage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from concilium.evaluation.intervals import block_mean, block_share, difference, mean, share, student


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


def test_mean_of_many_values_is_nearly_the_normal_interval() -> None:
    values = np.tile([0.0, 1.0, 2.0, 3.0], 1000)  # standard deviation 1.1180
    estimate = mean(values, 0.0, 3.0)
    assert estimate.value == 1.5
    assert estimate.high == pytest.approx(1.5 + 1.959964 * 1.1180 / np.sqrt(4000), abs=1e-4)


@pytest.mark.parametrize("values", [[0.0], [1.0], [0.0, 0.0], [1.0, -1.0], [1.0, 1.0, 1.0], []])
def test_no_interval_leaves_the_range(values: list[float]) -> None:
    for found, low, high in (
        (mean(values, -1.0, 1.0), -1.0, 1.0),
        (difference(values, -1.0, 1.0), -2.0, 2.0),
        (block_mean(values, np.full(len(values), 1), -1.0, 3.0), -1.0, 3.0),
    ):
        assert low <= found.low < found.high <= high
        if len(values) < 2:
            assert (found.low, found.high) == (low, high)


def test_no_figure_is_minus_zero() -> None:
    assert "-0.0" not in str(mean([-0.0001, 0.0001, -0.00001] * 20, -0.001, 0.001))
    assert "-0.0" not in block_share(np.full(40, -0.0)).percent()


def test_students_quantile_of_known_cases() -> None:
    # Abramowitz and Stegun, table 26.10
    for freedom, known in ((1, 12.706), (9, 2.262), (10, 2.228), (29, 2.045), (120, 1.980)):
        assert student(freedom) == pytest.approx(known, abs=6e-4)


Draw = Callable[[np.random.Generator, int], np.ndarray]
RETURNS: dict[str, tuple[float, Draw]] = {
    "a coin": (0.0, lambda rng, k: rng.choice([-1.0, 1.0], k)),
    "seldom won": (-0.8, lambda rng, k: rng.choice([-1.0, 1.0], k, p=[0.9, 0.1])),
    "shared": (0.0, lambda rng, k: rng.choice([-1.0, 0.0, 1.0], k, p=[0.3, 0.4, 0.3])),
    "rotations": (-0.4, lambda rng, k: 2 * (rng.random((k, 4)) < 0.3).mean(axis=1) - 1),
    "even": (0.0, lambda rng, k: rng.uniform(-1, 1, k)),
    "alike": (0.0, lambda rng, k: 2 * rng.beta(8, 8, k) - 1),
    "skewed": (2 * 0.3 / 3.3 - 1, lambda rng, k: 2 * rng.beta(0.3, 3, k) - 1),
}


@pytest.mark.parametrize("deals", [2, 3, 4, 5, 10, 29, 100])
@pytest.mark.parametrize("name", RETURNS)
def test_mean_returns_are_covered_with_few_and_with_many_deals(name: str, deals: int) -> None:
    truth, draw = RETURNS[name]
    rng = np.random.default_rng(deals)
    found = [mean(draw(rng, deals), -1.0, 1.0) for _ in range(1000)]
    assert np.mean([each.low <= truth <= each.high for each in found]) >= 0.92


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
