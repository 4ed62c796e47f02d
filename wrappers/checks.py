"""A checker for single-agent environments with action masks.

The checkers of Gymnasium and stable-baselines3 sample illegal actions, so they cannot be used.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from concilium.envs import ConciliumError, IllegalActionError


class EnvCheckError(ConciliumError, AssertionError):
    """An environment does not keep its contract; the message says where."""


def check_env(env: gymnasium.Env[Any, Any], *, games: int = 20, seed: int = 0) -> None:
    """Play random legal games and check spaces, masks, rewards, seeding and memory.

    Args:
        env: an environment with ``action_masks()``, discrete actions and rewards at the end only.
        games: how many games are played.
        seed: of the first reset and of the choice of actions.

    Raises:
        EnvCheckError: something is wrong; the message says what.
    """
    core = env.unwrapped
    _need(hasattr(core, "action_masks"), "there is no action_masks()")
    _need(isinstance(env.action_space, spaces.Discrete), "the action space is not Discrete")
    _need(isinstance(env.observation_space, spaces.Box), "the observation space is not a Box")
    before = (random.getstate(), _numpy_state())
    first = _play(env, games, seed)
    _need(_play(env, games, seed) == first, "the same seed does not give the same games")
    _need(_play(env, games, seed + 1) != first, "different seeds give the same games")
    after = (random.getstate(), _numpy_state())
    _need(before == after, "a global random generator was used")
    env.close()
    env.close()


def _need(good: bool, what: str) -> None:
    if not good:
        raise EnvCheckError(what)


def _numpy_state() -> bytes:
    state = np.random.get_state(legacy=False)  # noqa: NPY002 (looked at, not used)
    assert isinstance(state, dict)
    return np.asarray(state["state"]["key"]).tobytes() + bytes([state["state"]["pos"] % 251])


def _play(env: gymnasium.Env[Any, Any], games: int, seed: int) -> list[Any]:
    """Play ``games`` games, the first from ``seed``, and return all that was seen."""
    generator = np.random.default_rng(seed)
    record: list[Any] = []
    for game in range(games):
        observation, info = env.reset(seed=seed if game == 0 else None)
        _need(isinstance(info, dict), "reset() gives no info dictionary")
        record.append(observation.tobytes())
        terminated = truncated = False
        total = 0.0
        while not (terminated or truncated):
            action = _choose(env, observation, generator)
            kept = observation.copy()
            earlier = observation
            observation, reward, terminated, truncated, info = env.step(action)
            _need(bool((earlier == kept).all()), "an observation handed out has changed later")
            _need(isinstance(reward, float), f"the reward {reward!r} is no float")
            _need(isinstance(terminated, bool), "terminated is no bool")
            _need(isinstance(truncated, bool), "truncated is no bool")
            _need(not (terminated and truncated), "terminated and truncated at once")
            _need(reward == 0 or terminated or truncated, "a reward before the end of the game")
            total += float(reward)
            record.append((observation.tobytes(), reward))
        _check_observation(env, observation)
        record.append(total)
    return record


def _choose(
    env: gymnasium.Env[Any, Any], observation: NDArray[Any], generator: np.random.Generator
) -> int:
    """Check what is to be decided on, try an illegal action, and return a legal one."""
    _check_observation(env, observation)
    core: Any = env.unwrapped
    mask = core.action_masks()
    space = env.action_space
    assert isinstance(space, spaces.Discrete)
    _need(mask.shape == (int(space.n),), f"the mask is of shape {mask.shape}")
    _need(mask.dtype == np.int8, f"the mask is of type {mask.dtype}, needed is int8")
    _need(bool(np.isin(mask, (0, 1)).all()), "the mask holds other values than 0 and 1")
    _need(bool(mask.any()), "the mask is empty in a running game")
    mask[:] = 0
    mask = core.action_masks()
    _need(bool(mask.any()), "a mask handed out is the environment's own memory")
    illegal = np.flatnonzero(mask == 0)
    if getattr(core, "_illegal", "raise") == "raise" and len(illegal):
        try:
            env.step(int(generator.choice(illegal)))
        except IllegalActionError:
            pass
        else:
            raise EnvCheckError("an illegal action was taken")
    return int(generator.choice(np.flatnonzero(mask)))


def _check_observation(env: gymnasium.Env[Any, Any], observation: Any) -> None:
    _need(isinstance(observation, np.ndarray), "the observation is no array")
    space = env.observation_space
    assert isinstance(space, spaces.Box)
    _need(observation.dtype == space.dtype, f"the observation is of type {observation.dtype}")
    _need(space.contains(observation), "the observation is outside its space")
