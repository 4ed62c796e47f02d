"""Ratings: known games by hand, ties, and the same figures for the same seed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from concilium.evaluation import ratings
from concilium.evaluation.matches import Results
from concilium.evaluation.ratings import Ratings, rate

NAMES = ("first", "second", "third")


def results(seating: list[list[int]], returns: list[list[float]], times: int = 1) -> Results:
    """One rotation in which each of the games is a deal, all of them several times."""
    sits = np.array(seating * times)[np.newaxis]
    got = np.array(returns * times, float)[np.newaxis]
    zeros = np.zeros(got.shape[:2], np.int64)
    return Results(got, zeros, zeros, sits)


def figures(found: Ratings) -> dict[str, tuple[float, float]]:
    return {rating.bot: (rating.mu.value, rating.sigma) for rating in found.bots}


def test_one_game_by_hand() -> None:
    found = figures(rate([results([[0, 1]], [[1, -1]])], NAMES[:2], seed=0))
    # sigma 25/3, beta 25/6, c = sqrt(2 (sigma² + beta²)) = 13.1762: half of sigma² / c
    assert found["first"][0] == pytest.approx(25 + 2.63523, abs=1e-4)
    assert found["second"][0] == pytest.approx(25 - 2.63523, abs=1e-4)
    assert found["first"][1] == found["second"][1] < 25 / 3


def test_a_bot_in_two_seats_gains_what_both_gain() -> None:
    found = figures(rate([results([[0, 0, 1]], [[1, -0.5, -0.5]])], NAMES[:2], seed=0))
    # c = sqrt(3 (sigma² + beta²)) = 16.1374; the winner gains 2/3 sigma² / c, the others lose 1/3
    assert found["first"][0] == pytest.approx(25 + 2.86889 - 1.43444, abs=1e-4)
    assert found["second"][0] == pytest.approx(25 - 1.43444, abs=1e-4)
    assert found["first"][1] < found["second"][1]  # more has been seen of it


def test_how_many_seats_a_bot_has_is_no_advantage() -> None:
    # every seat wins equally often
    seating = [[0, 0, 0, 1]] * 4
    returns = np.where(np.eye(4) > 0, 1.0, -1 / 3).tolist()
    found = rate([results(seating, returns, times=100)], NAMES[:2], seed=3)
    for rating in found.bots:
        assert rating.mu.low < 25 < rating.mu.high
        assert rating.mu.value == pytest.approx(25, abs=1)


def test_the_stronger_are_rated_higher() -> None:
    games = results([[0, 1], [1, 2], [2, 0]], [[1, -1], [1, -1], [-1, 1]], times=20)
    found = rate([games], NAMES, seed=1)
    assert [rating.bot for rating in found.bots] == ["first", "second", "third"]
    mu = [rating.mu for rating in found.bots]
    assert mu[0].low > mu[1].high
    assert mu[1].low > mu[2].high
    assert mu[0].low < mu[0].value < mu[0].high
    assert mu[0].units == 60
    assert found.games == 60


def test_equal_returns_tie() -> None:
    lost = results([[0, 1, 2]], [[-1, -1, -1]], times=10)
    assert {mu for mu, _ in figures(rate([lost], NAMES, seed=1)).values()} == {25.0}
    won = [results([[0, 1]], [[1, -1]], times=5), results([[0, 1]], [[-1, -1]], times=20)]
    alone = figures(rate(won[:1], NAMES[:2], seed=1))
    drawn = figures(rate(won, NAMES[:2], seed=1))
    assert 25 < drawn["first"][0] < alone["first"][0]  # ties draw ratings together
    # ranks alone count: 1 and -1 are as good as 0.2 and 0.1
    near = figures(rate([results([[0, 1]], [[0.2, 0.1]], times=5)], NAMES[:2], seed=1))
    assert near == alone


def test_games_of_one_bot_alone_are_left_out() -> None:
    found = rate([results([[0, 0], [1, 1]], [[1, -1], [1, -1]])], NAMES[:2], seed=1)
    assert found.games == 0
    assert figures(found) == {"first": (25.0, 25 / 3), "second": (25.0, 25 / 3)}


def test_equal_seeds_give_equal_ratings() -> None:
    generator = np.random.default_rng(0)
    seating = [generator.permutation(3).tolist() for _ in range(30)]
    games = [results(seating, [[1, -0.5, -0.5]] * 30), results([[0, 1]], [[1, -1]])]
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    assert rate(games, NAMES, seed=1) == rate(games, NAMES, seed=1)
    assert rate(games, NAMES, seed=1) != rate(games, NAMES, seed=2)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


def test_of_many_games_a_part_is_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_MOST_GAMES", 12)
    found = rate([results([[0, 1]], [[1, -1]], times=50)], NAMES[:2], seed=1)
    assert found.games == 12
    assert "display" in found.note
    assert "equal returns tie" in found.note
