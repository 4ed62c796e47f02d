"""Kuhn's poker: the smallest game has every property, plays everywhere, and has its known value."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import VecGame, check_game, get_game
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.state import RUNNING, Records, plain_records
from concilium.wrappers import SingleSeatEnv
from concilium.wrappers.checks import check_env
from tests.toys.kuhn import BET, BOTS, CARDS, CHANCE, GAME

Strategy = NDArray[np.float64]
"""Chance to bet by card and by whether the other has bet ``(cards, 2)``."""
VALUE = -1 / 18  # Kuhn (1950)
BOUND = GAME.bind()


def value(first: Strategy, second: Strategy) -> float:
    """What the first player wins on average, over all deals and all that may be done."""
    total = 0.0
    for cards in itertools.permutations(range(CARDS)):
        states = BOUND.new_state(0)
        plain_records(states)["card"] = cards[:2]
        plain_records(states)["rest"] = cards[2]
        total += _go_on(states, (first, second)) / 6
    return total


def _go_on(states: Records, players: tuple[Strategy, Strategy]) -> float:
    state = plain_records(states)[0]
    if state["status"] != RUNNING:
        return float(BOUND.returns(states)[0])
    seat = int(state["actor"])
    chance = players[seat][state["card"][seat], int(state["stake"][1 - seat] == 2)]
    total = 0.0
    for action, weight in enumerate((1 - chance, chance)):
        if weight:
            after = states.copy()
            BOUND.step(after, action)
            total += weight * _go_on(after, players)
    return total


def test_every_property_holds() -> None:
    bot = BOTS["kuhn/equilibrium"]("equilibrium", GAME, 1)
    report = check_game(GAME, modules=("tests.toys.kuhn",), bots=[bot])
    report.raise_if_failed()
    assert "always legal" in report["illegal_loses"].note
    assert get_game("kuhn") is GAME


def test_the_equilibrium_has_the_published_value_and_no_answer_wins_more() -> None:
    first, second = CHANCE[..., 0], CHANCE[..., 1]
    assert value(first, second) == pytest.approx(VALUE)
    pure = [np.reshape(bits, (CARDS, 2)) for bits in itertools.product((0.0, 1.0), repeat=6)]
    assert max(value(answer, second) for answer in pure) == pytest.approx(VALUE)
    assert min(value(first, answer) for answer in pure) == pytest.approx(VALUE)


def test_it_plays_in_every_kind_of_environment() -> None:
    env = GameEnv(GAME)
    env.reset(seed=1)
    env.step(BET)
    env.step(BET)
    assert sorted(env.rewards.values()) == [-2, 2]
    assert env.game.event_dicts(env.game_state())[-1]["event"] == "shown"
    check_env(SingleSeatEnv(GAME, opponents=BOTS["kuhn/equilibrium"]("equilibrium", GAME)))


def test_in_a_batch_bots_win_what_they_should() -> None:
    vec = VecGame([BOUND] * 500, seed=3)
    bot = BOTS["kuhn/equilibrium"]("equilibrium", GAME, 2)
    batch = vec.reset()
    won: list[float] = []
    for _ in range(80):
        batch = vec.step(bot.act(vec.views(), batch.masks))
        won += batch.rewards[batch.finished, 0].tolist()
    assert np.mean(won) == pytest.approx(VALUE, abs=4 * np.std(won) / np.sqrt(len(won)))


def test_a_learner_of_stable_baselines_can_play_it() -> None:
    sb3 = pytest.importorskip("concilium.wrappers.sb3")
    env = sb3.Sb3VecEnv(GAME, 4, opponents=BOTS["kuhn/equilibrium"]("equilibrium", GAME), seed=1)
    seen = env.reset()
    assert seen.shape == (4, GAME.observation.size)
    for _ in range(20):
        _, rewards, _, _ = env.step(np.full(4, BET))
    assert set(np.abs(rewards)) <= {0.0, 1.0, 2.0}
