"""Chains of decisions: estimates by hand, what waits, and what is forgotten."""

from __future__ import annotations

import numpy as np
import pytest

from concilium.training.rollout import RolloutBuffer


def add(samples: RolloutBuffer, games: list[int], seats: list[int], values: list[float]) -> None:
    """Append decisions that are recognised by their action: a running number."""
    k = len(games)
    numbers = np.arange(samples.count, samples.count + k)
    samples.add(
        np.array(games),
        np.array(seats),
        np.ones((k, 3), np.int8),
        np.ones((k, 2), np.int8),
        np.ones((k, 4), np.int8),
        numbers,
        np.array(values, np.float32),
        np.zeros(k, np.float32),
    )


def two_games() -> RolloutBuffer:
    """Game 0: seat 0 decides twice, seat 1 once, then it ends; game 1: seat 0 decides twice."""
    samples = RolloutBuffer(10, 2, 2, 3, 2, 4)
    add(samples, [0, 1], [0, 0], [0.5, 0.25])
    add(samples, [0], [1], [-0.5])
    add(samples, [0, 1], [0, 0], [0.75, 0.5])
    samples.close(np.array([0]), np.array([[1.0, -1.0]]))
    return samples


def test_chains_and_estimates_by_hand() -> None:
    samples = two_games()
    assert samples.next[:5].tolist() == [3, 4, -1, -1, -1]
    assert samples.complete().tolist() == [0, 1, 2, 3]
    assert samples.waiting == 1  # the second decision in game 1
    # decision 3: 1 - 0.75; decision 0: 0.75 - 0.5 + 0.8 * 0.25; decision 2: -1 + 0.5
    # decision 1: the next one's value only, 0.5 - 0.25; decision 4 has no consequence yet
    expected = [0.45, 0.25, -0.5, 0.25, 0.0]
    assert samples.advantages(0.8) == pytest.approx(expected)
    assert samples.advantages(1.0)[0] == pytest.approx(1.0 - 0.5)  # return less value


def test_what_waits_is_kept_and_goes_on() -> None:
    samples = two_games()
    samples.keep_open()
    assert samples.count == 1
    assert samples.actions[0] == 4
    assert samples.open.tolist() == [[-1, -1], [0, -1]]
    assert samples.complete().tolist() == []
    add(samples, [1], [0], [1.0])
    assert samples.complete().tolist() == [0]
    assert samples.advantages(0.8) == pytest.approx([0.5, 0.0])
    samples.close(np.array([1]), np.array([[1.0, 0.0]]))
    assert samples.advantages(0.8) == pytest.approx([0.5, 0.0])  # 1 - 0.5 + 0.8 * 0; 1 - 1
    samples.keep_open()
    assert samples.count == 0


def test_a_seat_that_never_decided_gets_nothing() -> None:
    samples = RolloutBuffer(4, 1, 3, 3, 0, 4)
    samples.close(np.array([0]), np.array([[1.0, -0.5, -0.5]]))
    assert samples.count == 0
    assert samples.rewards.tolist() == [0, 0, 0, 0]


def test_saved_and_restored() -> None:
    samples = two_games()
    other = RolloutBuffer(10, 2, 2, 3, 2, 4)
    other.restore(samples.arrays())
    assert other.count == 5
    for name, array in samples.arrays().items():
        assert np.array_equal(other.arrays()[name], array)
