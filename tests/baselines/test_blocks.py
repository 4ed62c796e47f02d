"""Intervals of figures measured on blocks of games of unequal size, against counts by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from concilium.evaluation.intervals import (
    Estimate,
    block_mean,
    block_ratio,
    block_share,
    deal_efficiency,
    interval,
    mean,
)


def test_ratio_of_unequal_blocks_by_hand() -> None:
    # 3 of 8. Off by 1 - 0.75, 2 - 1.5, 0 - 0.75: squares sum to 0.875, over 2 and the mean size
    # 8/3 squared: 0.0615234; 3 x 0.375 x 0.625 / 0.0615234 = 11.4286 games
    found = block_ratio([1, 2, 0], [2, 4, 2])
    assert found.value == 0.375
    assert found.units == 3
    # Student's quantile with 2 degrees of freedom; what 3 blocks did not show reaches further up
    n, z2 = 11.428571, 4.30265**2
    middle = (0.375 + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) * math.sqrt(0.375 * 0.625 / n + z2 / (4 * n * n)) / (1 + z2 / n)
    unseen = z2 / (3 + z2)
    assert found.low == pytest.approx(min(middle - half, 0.375 * (1 - unseen)), abs=1e-6)
    assert found.high == pytest.approx(max(middle + half, 0.375 + 0.625 * unseen), abs=1e-6)


def test_blocks_without_a_case_count_for_nothing() -> None:
    assert block_ratio([1, 0, 2, 0, 0], [2, 0, 4, 2, 0]) == block_ratio([1, 2, 0], [2, 4, 2])
    none = block_ratio([0.0, 0.0], [0, 0])
    assert math.isnan(none.value)
    assert (none.low, none.high, none.units) == (0.0, 1.0, 0)
    assert block_mean([0.0], [0], 0.0, 1.0).units == 0


def test_blocks_of_equal_size_are_plain_shares_and_means() -> None:
    assert block_ratio([1, 2, 0, 2], [2, 2, 2, 2]) == block_share([0.5, 1.0, 0.0, 1.0])
    found, plain = block_mean([0, 2, 4, 6], [2, 2, 2, 2], 0, 3), mean([0, 1, 2, 3], 0, 3)
    assert found.value == plain.value == 1.5
    assert found.high == pytest.approx(plain.high)


def test_mean_of_unequal_blocks_by_hand() -> None:
    # sum 2 of 8 cases; off by 1 - 0.5, -1 - 1, 2 - 0.5: squares sum to 6.5, over 2 and (8/3)^2
    found = block_mean(np.tile([1, -1, 2], 400), np.tile([2, 4, 2], 400), -1.0, 1.0)
    error = math.sqrt(6.5 / 3 / (8 / 3) ** 2 / 1200)
    assert found.value == 0.25
    assert found.high == pytest.approx(0.25 + 1.959964 * error, abs=1e-3)
    assert (block_mean([1], [2], -1, 2).low, block_mean([1], [2], -1, 2).high) == (-1, 2)


def test_ratio_covers_the_truth_in_95_of_100_cases() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(2000):
        cases = rng.integers(0, 4, 120)
        chance = np.where(rng.random(120) < 0.5, 0.1, 0.3)  # games of a block are alike
        found = block_ratio(rng.binomial(cases, chance), cases)
        hits += found.low <= 0.2 <= found.high
    assert 0.93 <= hits / 2000 <= 0.97


def test_blocks_that_are_all_alike_say_what_could_still_differ() -> None:
    # none of 300 blocks differs: at most z2 / (300 + z2) = 1.2744 % do, with Student's z
    found = block_share(np.full(300, 1 / 3))
    assert found.low == pytest.approx((1 - 0.012744) / 3, abs=1e-6)
    assert found.high == pytest.approx(1 / 3 + 0.012744 * 2 / 3, abs=1e-6)
    assert block_share(np.ones(300)).low == pytest.approx(1 - 0.012744, abs=1e-6)


def test_gain_of_several_figures_is_that_of_their_sums() -> None:
    alike = np.array([[1.0, 0.0, 1.0, 0.0]] * 2)  # each game twice: 1/2
    turned = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.5]])  # nearly always one of the two
    assert deal_efficiency(alike) == pytest.approx(0.5)
    # variances 1/3 and 0.229167, halved: 0.28125 / 2; of the means (0.5, 0.5, 0.5, 0.25): 0.015625
    assert deal_efficiency(turned) == pytest.approx(0.28125 / 2 / 0.015625)
    # both: (1/3 / 2 + 0.140625) / (1/3 + 0.015625)
    assert deal_efficiency(alike, turned) == pytest.approx((1 / 6 + 0.140625) / (1 / 3 + 0.015625))
    assert deal_efficiency(np.full((2, 4), 1 / 3)) is None
    assert deal_efficiency(np.ones((2, 1))) is None


def test_json_has_no_infinity() -> None:
    assert json.dumps(interval(1.0, math.inf, 1).to_json(), allow_nan=False) == (
        '{"value": 1.0, "low": null, "high": null, "units": 1}'
    )
    assert Estimate(math.nan, 0.0, 1.0, 0).to_json()["value"] is None
    assert interval(1.0, 0.5, 7).to_json()["high"] == pytest.approx(1 + 0.979982)
