"""A learner in all seats of a side, or in a seat by its role."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from concilium.envs import OptionError, get_game, make_vec
from concilium.envs.core.play import OUTSIDE
from concilium.envs.core.state import plain_records
from concilium.wrappers import SingleSeatEnv, SingleSeatVecEnv
from concilium.wrappers.driver import Driver
from concilium.wrappers.sb3 import Sb3VecEnv

GAME = get_game("believers")
SIDES = GAME.sides


def play(driver: Driver, steps: int, check: Any) -> int:
    """Play at random; return how many games ended."""
    generator = np.random.default_rng(3)
    turn = driver.reset(3)
    ended = 0
    for _ in range(steps):
        check(turn)
        scores = generator.random(turn.masks.shape) * turn.masks
        turn = driver.step(scores.argmax(axis=1))
        ended += len(turn.finished)
    return ended


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("whole", [True, False])
def test_the_learner_sits_where_its_side_does(side: str, whole: bool) -> None:
    vec = make_vec(GAME, 12, [5, 7, 10] * 4)
    names: dict[str, Any] = {"side": side} if whole else {"seat": side}
    driver = Driver(vec, "random", **names)
    number, seen = GAME.side_number(side), [set[int]() for _ in range(12)]

    def check(turn: Any) -> None:
        sides = GAME.sides_in(vec.plain_states)[:, : vec.seats]
        learners = driver._loop.sits == OUTSIDE
        learners &= np.arange(vec.seats) < vec.num_players[:, np.newaxis]
        rows = np.flatnonzero(~driver._loop.resting)
        if whole:
            assert (learners[rows] == (sides[rows] == number)).all()
        else:
            assert (learners[rows].sum(axis=1) == 1).all()
        assert (sides[rows, driver.seats[rows]] == number).all()
        assert (driver.seats[rows] == vec.actors[rows]).all()
        views = plain_records(driver.views())
        assert (views["viewer"] == driver.seats).all()
        for row in rows:
            seen[row].add(int(driver.seats[row]))
        for row, seat, outcome in zip(turn.finished, turn.final_seats, turn.outcomes, strict=True):
            won = outcome.startswith({"believers": "True", "defectors": "Defectors"}[side])
            assert turn.rewards[row] == (1 if won else -1), (seat, outcome)

    assert play(driver, 250, check) > 20
    assert min(map(len, seen)) > 1


@pytest.mark.parametrize("make", [SingleSeatEnv, SingleSeatVecEnv, Sb3VecEnv])
def test_every_adapter_takes_sides(make: Any) -> None:
    more = () if make is SingleSeatEnv else (2,)
    make("believers", *more, side="defectors").reset()
    make("believers", *more, seat="believers").reset()
    with pytest.raises(OptionError, match="side 'romans' is not one of believers"):
        make("believers", *more, side="romans")
    with pytest.raises(OptionError, match="side 'romans' is not one of believers"):
        make("believers", *more, seat="romans")
    with pytest.raises(OptionError, match="chancellors has no sides"):
        make("chancellors", *more, side="defectors")
    with pytest.raises(OptionError, match="seat='defectors' is not allowed: 0 to"):
        make("chancellors", *more, seat="defectors")
    with pytest.raises(OptionError, match="takes all seats of a side"):
        make("believers", *more, side="defectors", seat=1)
