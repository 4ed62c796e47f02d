"""A checker for single-agent environments with action masks.

The checkers of Gymnasium and stable-baselines3 sample actions without regard to masks, so they stop
at the first illegal one. This one plays legal games, and tries illegal actions on purpose.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils.passive_env_checker import check_action_space, check_observation_space
from numpy.typing import NDArray

from concilium.envs import ConciliumError, IllegalActionError, UsageError

_ILLEGAL_TRIED = 8  # at each decision

AnyEnv = gymnasium.Env[Any, Any]


class EnvCheckError(ConciliumError, AssertionError):
    """An environment does not keep its contract; the message says where."""


def check_env(env: AnyEnv, *, games: int = 20, seed: int = 0) -> None:
    """Play random legal games and check spaces, masks, rewards, seeding and memory.

    Args:
        env: an environment with ``action_masks()``, a flat observation, discrete actions, and
            rewards at the end of a game only. It is closed afterwards.
        games: how many games are played for each seed; at least 2.
        seed: of the first reset and of the choice of actions.

    Raises:
        EnvCheckError: something is wrong; the message says what.
    """
    need(hasattr(env.unwrapped, "action_masks"), "there is no action_masks()")
    need(isinstance(env.action_space, spaces.Discrete), "the action space is not Discrete")
    need(isinstance(env.observation_space, spaces.Box), "the observation space is not a Box")
    check_action_space(env.action_space)
    check_observation_space(env.observation_space)
    before = _global_generators()
    first = _play(env, games, seed)
    need(_play(env, games, seed) == first, "the same seed does not give the same games")
    starts = [game[0] for game in first]
    others = [game[0] for game in _play(env, games, seed + 1)]
    need(others != starts, "different seeds give the same games")
    need(len(set(starts)) > 1, "games after unseeded resets begin all the same")
    need(_global_generators() == before, "a global random generator was used")
    env.close()
    env.close()


def need(good: bool, what: str) -> None:
    """Raise EnvCheckError with the message ``what`` unless ``good``."""
    if not good:
        raise EnvCheckError(what)


def _global_generators() -> tuple[Any, ...]:
    """States of the global generators of ``random`` and NumPy, comparable."""
    state = np.random.get_state(legacy=True)  # noqa: NPY002 (looked at, not used)
    assert isinstance(state, tuple)
    return (random.getstate(), state[1].tobytes(), *state[2:])


def _play(env: AnyEnv, games: int, seed: int) -> list[list[Any]]:
    """Play ``games`` games, the first from ``seed``; return all that was seen in each."""
    generator = np.random.default_rng(seed)
    return [_play_one(env, seed if game == 0 else None, generator) for game in range(games)]


def _play_one(env: AnyEnv, seed: int | None, generator: np.random.Generator) -> list[Any]:
    observation, info = env.reset(seed=seed)
    need(isinstance(info, dict), "reset() gives no info dictionary")
    record: list[Any] = [observation.tobytes()]
    over = False
    while not over:
        action = _choose(env, observation, generator)
        kept = observation.copy()
        earlier = observation
        observation, reward, terminated, truncated, info = env.step(action)
        need(bool((earlier == kept).all()), "an observation handed out has changed later")
        need(isinstance(reward, float), f"the reward {reward!r} is no float")
        need(isinstance(terminated, bool), "terminated is no bool")
        need(isinstance(truncated, bool), "truncated is no bool")
        need(isinstance(info, dict), "step() gives no info dictionary")
        need(not (terminated and truncated), "terminated and truncated at once")
        over = terminated or truncated
        need(reward == 0 or over, "a reward before the end of the game")
        record.append((observation.tobytes(), reward))
    _check_observation(env, observation)
    _check_end(env)
    return record


def _choose(env: AnyEnv, observation: NDArray[Any], generator: np.random.Generator) -> int:
    """Check what is to be decided on, try an illegal action, and return a legal one."""
    _check_observation(env, observation)
    core: Any = env.unwrapped
    mask = _check_mask(env)
    mask[:] = 0
    need(bool(core.action_masks().any()), "a mask handed out is the environment's own memory")
    mask = core.action_masks()
    illegal = np.flatnonzero(mask == 0)
    if getattr(core, "illegal", "raise") == "raise":
        for action in generator.permutation(illegal)[:_ILLEGAL_TRIED]:
            _try_illegal(env, int(action))
        need(bool((core.action_masks() == mask).all()), "an illegal action has changed the mask")
    return int(generator.choice(np.flatnonzero(mask)))


def _try_illegal(env: AnyEnv, action: int) -> None:
    try:
        env.step(action)
    except IllegalActionError:
        return
    raise EnvCheckError(f"action {action} is masked out, yet it was taken")


def _check_mask(env: AnyEnv) -> NDArray[np.int8]:
    core: Any = env.unwrapped
    mask: NDArray[np.int8] = core.action_masks()
    space = env.action_space
    assert isinstance(space, spaces.Discrete)
    need(mask.shape == (int(space.n),), f"the mask is of shape {mask.shape}")
    need(mask.dtype == np.int8, f"the mask is of type {mask.dtype}, needed is int8")
    need(bool(np.isin(mask, (0, 1)).all()), "the mask holds other values than 0 and 1")
    need(bool(mask.any()), "the mask is empty")
    return mask


def _check_end(env: AnyEnv) -> None:
    mask = _check_mask(env)
    try:
        env.step(int(mask.argmax()))
    except UsageError:
        return
    raise EnvCheckError("step() after the end of the game is not refused")


def _check_observation(env: AnyEnv, observation: Any) -> None:
    need(isinstance(observation, np.ndarray), "the observation is no array")
    space = env.observation_space
    assert isinstance(space, spaces.Box)
    need(observation.dtype == space.dtype, f"the observation is of type {observation.dtype}")
    need(space.contains(observation), "the observation is outside its space")
