"""Measures of beliefs against figures by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from concilium.envs.core.errors import OptionError
from concilium.evaluation.beliefs import measures as B


def made(chances: Any, truth: Any, games: Any = None, rows: Any = None) -> B.Beliefs:
    """Beliefs about as many seats as given, all of which count."""
    told = np.array(chances, float)
    return B.Beliefs(
        told,
        np.array(truth, bool),
        np.ones(told.shape, bool),
        np.arange(len(told)) if games is None else np.array(games),
        np.ones(len(told), np.int64) if rows is None else np.array(rows),
    )


FOUR = made([[0.8, 0.2], [0.6, 0.4]], [[1, 0], [0, 1]])


def test_log_loss_and_brier_by_hand() -> None:
    # log losses: 0.8 and 0.8 in the first game, 0.4 and 0.4 in the second
    assert B.log_loss(FOUR).value == pytest.approx(-(math.log(0.8) + math.log(0.4)) / 2)
    # squares: 0.04, 0.04, 0.36, 0.36
    found = B.brier(FOUR)
    assert found.value == pytest.approx(0.2)
    assert found.units == 2
    # two games: Student's 12.706, so 0.98776 of all games may be unlike them
    assert found.high == pytest.approx(0.2 + 0.8 * 0.98776, abs=1e-5)


def test_one_certain_error_is_not_everything() -> None:
    found = B.log_loss(made([[1.0], [0.0]], [[0], [0]]))
    assert found.value == pytest.approx(-math.log(B.LEAST_CHANCE) / 2)


def test_auc_by_hand() -> None:
    # Defectors 0.8 and 0.4, True Believers 0.2 and 0.6: of four pairs three are in order
    assert B.auc(FOUR).value == 0.75
    assert B.auc(made([[0.5, 0.5]], [[1, 0]])).value == 0.5
    assert B.auc(made([[0.1, 0.9]], [[1, 0]])).value == 0.0
    assert math.isnan(B.auc(made([[0.1, 0.9]], [[1, 1]])).value)


def test_auc_interval_grows_when_games_repeat_themselves() -> None:
    generator = np.random.default_rng(3)
    truth = generator.random((200, 2)) < 0.5
    chances = np.clip(0.5 + 0.2 * (truth - 0.5) + 0.2 * generator.normal(size=(200, 2)), 0, 1)
    alone = B.auc(made(chances, truth))
    copied = B.auc(made(np.repeat(chances, 4, 0), np.repeat(truth, 4, 0), np.arange(800) // 4))
    assert copied.value == pytest.approx(alone.value)
    assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=1e-9)
    # and it is about what independent samples of cases spread by
    spread = []
    for _ in range(200):
        chosen = generator.integers(0, 200, 200)
        spread.append(B.auc(made(chances[chosen], truth[chosen])).value)
    assert (alone.high - alone.low) / (2 * 1.96) == pytest.approx(np.std(spread), rel=0.25)


def test_calibration_by_hand() -> None:
    told = made([[0.12, 0.18, 1.0]], [[0, 1, 1]])
    low, high = B.calibration(told)
    assert (low.low, low.high, low.cases) == (0.1, 0.2, 2)
    assert low.believed == pytest.approx(0.15)
    assert low.true.value == 0.5
    assert (high.low, high.high, high.cases, high.true.value) == (0.9, 1.0, 1, 1.0)
    assert len(B.calibration(told, 1)) == 1
    with pytest.raises(OptionError, match="bins=0"):
        B.calibration(told, 0)


def test_rows_apart() -> None:
    told = made([[0.9], [0.5]], [[1], [1]], rows=[1, 2])
    found = B.by_row(told)
    assert sorted(found) == [1, 2]
    assert found[1].brier.value == pytest.approx(0.01)
    assert found[2].brier.value == pytest.approx(0.25)


def test_seats_that_do_not_count() -> None:
    told = B.Beliefs(
        np.array([[0.5, 9.0]]), np.array([[True, True]]), np.array([[True, False]]),
        np.array([0]), np.array([1]),
    )  # fmt: skip
    assert B.brier(told).value == 0.25


def test_excess_over_a_posterior() -> None:
    better = made([[0.9], [0.2]], [[1], [0]])
    worse = made([[0.6], [0.2]], [[1], [0]])
    found = B.excess_log_loss(worse, better)
    assert found.value == pytest.approx(math.log(0.9 / 0.6) / 2)
    assert B.excess_log_loss(better, better).value == 0.0
    with pytest.raises(OptionError, match="the same Views"):
        B.excess_log_loss(worse, made([[0.9], [0.2]], [[1], [1]]))


def test_assignments_by_hand() -> None:
    right = np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]])
    told = np.array([[0.25, 0.5, 0.25], [0.2, 0.8, 0.0]])
    games = np.array([0, 1])
    assert B.assignment_loss(right, np.array([0, 1]), games).value == pytest.approx(
        -(math.log(0.5) + math.log(0.8)) / 2
    )
    assert B.divergence(right, told, games).value == pytest.approx(0.5 * math.log(2) / 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"truth": np.zeros((2, 3), bool)}, "shapes"),
        ({"game": np.zeros(3, np.int64)}, "shapes"),
        ({"chances": np.full((2, 2), 1.5)}, "from 0 to 1"),
        ({"chances": np.full((2, 2), np.nan)}, "from 0 to 1"),
        ({"counted": np.zeros((2, 2), bool)}, "at least one"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    fields = dict(vars(FOUR)) | change
    with pytest.raises(OptionError, match=message):
        B.Beliefs(**fields)
