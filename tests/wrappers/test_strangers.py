"""What people hand over: functions as bots, objects with half of a bot, tensors, odd options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from concilium.baselines.registry import resolve
from concilium.envs import NotResetError, OptionError, UsageError, chancellors_v0, get_game
from concilium.envs.core.aec import GameEnv
from concilium.evaluation import evaluate
from concilium.wrappers import DecisionsEnv, SingleSeatEnv
from concilium.wrappers.sb3 import Sb3VecEnv

GAME = get_game("chancellors")


def firsts_of(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    return np.asarray(masks.argmax(axis=1), np.int64)


def first(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> int:
    assert observation.shape == (GAME.observation.size,)
    return int(np.argmax(mask))


def firsts(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    assert observations.shape == (len(masks), GAME.observation.size)
    return firsts_of(masks)


def first_by_view(view: Any, mask: NDArray[np.int8]) -> int:
    assert view.shape == (1,)
    assert view["viewer"][0] == view["actor"][0]
    return int(np.argmax(mask))


def first_by_views(views: Any, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    assert views.shape == (len(masks),)
    return firsts_of(masks)


class Half:
    """An object that acts and has neither name, game nor seed."""

    def act(self, views: Any, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Take the first."""
        return firsts_of(masks)


ALL = [first, firsts, first_by_view, first_by_views, Half(), lambda o, m: int(m.argmax())]


@pytest.mark.parametrize("bot", ALL)
def test_whatever_decides_is_a_bot_everywhere(bot: Any) -> None:
    found = evaluate(bot, [bot, "random"], game=GAME, deals=4, num_players=3)
    assert found.won == evaluate(first, [firsts, "random"], game=GAME, deals=4, num_players=3).won
    env = SingleSeatEnv("chancellors", opponents=bot, num_players=3)
    env.reset(seed=1)
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    Sb3VecEnv("chancellors", 2, opponents=bot, num_players=2).reset()
    DecisionsEnv("chancellors", decisions="payment", assistant=bot).reset(seed=1)
    assert isinstance(resolve(bot, GAME).name, str)


@pytest.mark.parametrize("bot", [None, 3, Half, [], lambda mask: 0])
def test_what_is_no_bot_is_refused_in_one_line(bot: Any) -> None:
    wanted = "at least one bot" if bot == [] else "act|f\\(observation, mask\\)"
    for make in (SingleSeatEnv, lambda game, opponents: Sb3VecEnv(game, 2, opponents=opponents)):
        with pytest.raises(OptionError, match=wanted) as error:
            make("chancellors", opponents=bot)
        assert "\n" not in str(error.value)


def test_a_tensor_is_an_action() -> None:
    env: Any = chancellors_v0.env()
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    env.step(torch.tensor(int(mask.argmax())))
    assert env.unwrapped.history == [int(mask.argmax())]
    seat: Any = SingleSeatEnv("chancellors")
    seat.reset(seed=1)
    seat.step(torch.tensor(int(seat.action_masks().argmax())))


@pytest.mark.parametrize(
    "action", [torch.tensor(1.0), torch.tensor(True), torch.tensor([1]), True, 1.0, "1", None]
)
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    env = SingleSeatEnv("chancellors")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="whole number is needed"):
        env.step(action)


def test_reset_options_that_change_nothing_are_told() -> None:
    with pytest.warns(UserWarning, match=r"reset\(options=\{'num_players': 2\}\) changes nothing"):
        GameEnv(GAME).reset(options={"num_players": 2})
    with pytest.warns(UserWarning, match="changes nothing"):
        SingleSeatEnv("chancellors").reset(options={"target_score": 2})
    with pytest.warns(UserWarning, match="changes nothing"):
        DecisionsEnv("chancellors", decisions="payment", assistant="random").reset(
            seed=1, options={"a": 1}
        )
    GameEnv(GAME).reset(options={})


@pytest.mark.parametrize(
    "name", ["agent_selection", "rewards", "terminations", "truncations", "infos"]
)
def test_before_the_first_reset_it_says_so(name: str) -> None:
    env = GameEnv(GAME)
    with pytest.raises(UsageError, match="call reset"):
        getattr(env, name)
    assert not hasattr(env, name), "as every attribute that is not there yet"
    with pytest.raises(NotResetError, match="call reset"):
        env.agent_iter()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = env.nothing
