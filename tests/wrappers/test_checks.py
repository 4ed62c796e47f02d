"""The checker notices what it is for: each flaw here is caught, with a message that names it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from concilium.envs import ConciliumError, UsageError
from concilium.wrappers import EnvCheckError, SingleSeatEnv, check_env


class Flawed(SingleSeatEnv):
    """An environment whose flaw is a function that changes what its methods return."""

    def __init__(
        self,
        step: Callable[[Any], Any] = lambda result: result,
        reset: Callable[[Any], Any] = lambda result: result,
        mask: Callable[[Any], Any] = lambda result: result,
    ) -> None:
        super().__init__("chancellors", num_players=2)
        self._flaw_step, self._flaw_reset, self._flaw_mask = step, reset, mask

    def step(self, action: Any) -> Any:
        """Step and apply the flaw."""
        return self._flaw_step(super().step(action))

    def reset(self, **arguments: Any) -> Any:
        """Reset and apply the flaw."""
        return self._flaw_reset(super().reset(**arguments))

    def action_masks(self) -> Any:
        """Return the mask with the flaw."""
        return self._flaw_mask(super().action_masks())


def replaced(place: int, value: Any) -> Callable[[Any], Any]:
    def change(result: Any) -> Any:
        new = value(result[place]) if callable(value) else value
        return (*result[:place], new, *result[place + 1 :])

    return change


def reused() -> Callable[[Any], Any]:
    kept: list[Any] = []

    def change(result: Any) -> Any:
        kept.append(result[0])
        kept[0][:] = result[0]
        return (kept[0], *result[1:])

    return change


def draw_globally(result: Any) -> Any:
    random.random()
    return result


class OwnMemory:
    """Hands out the same mask over and over."""

    def __init__(self) -> None:
        self.kept: Any = None

    def __call__(self, mask: Any) -> Any:
        """Return the first mask ever seen."""
        if self.kept is None:
            self.kept = mask
        return self.kept


FLAWS: dict[str, tuple[Callable[[], Any], str]] = {
    "early rewards": (lambda: Flawed(step=replaced(1, 0.5)), "before the end"),
    "rewards of a wrong type": (lambda: Flawed(step=replaced(1, np.float32)), "is no float"),
    "flags of a wrong type": (lambda: Flawed(step=replaced(2, int)), "terminated is no bool"),
    "other flag": (lambda: Flawed(step=replaced(3, np.bool_)), "truncated is no bool"),
    "both flags": (
        lambda: Flawed(step=lambda r: (*r[:3], r[2], r[4])),
        "terminated and truncated at once",
    ),
    "no info": (lambda: Flawed(reset=replaced(1, None)), "no info dictionary"),
    "no info later": (lambda: Flawed(step=replaced(4, None)), "no info dictionary"),
    "wrong type": (
        lambda: Flawed(reset=replaced(0, lambda o: o.astype(np.float32))),
        "of type float32",
    ),
    "out of bounds": (lambda: Flawed(step=replaced(0, lambda o: o + 100)), "outside its space"),
    "a list": (lambda: Flawed(reset=replaced(0, lambda o: _Bytes(o))), "no array"),
    "reused memory": (lambda: Flawed(step=reused()), "has changed later"),
    "empty mask": (lambda: Flawed(mask=lambda m: m * 0), "the mask is empty"),
    "mask of a wrong type": (lambda: Flawed(mask=lambda m: m.astype(bool)), "of type bool"),
    "mask of a wrong shape": (lambda: Flawed(mask=lambda m: m[:-1]), "of shape"),
    "mask of other values": (lambda: Flawed(mask=lambda m: m * 2), "other values"),
    "mask reused": (lambda: Flawed(mask=OwnMemory()), "own memory"),
    "mask too wide": (lambda: Flawed(mask=lambda m: m * 0 + 1), "is not legal now"),
    "mask too narrow": (lambda: Flawed(mask=_only_first), "masked out, yet it was taken"),
    "global generator": (lambda: Flawed(step=draw_globally), "global random generator"),
}


class _Bytes(bytes):
    def tobytes(self) -> bytes:
        """Pass for an array as far as this goes."""
        return bytes(self)

    def copy(self) -> bytes:
        """Likewise."""
        return self


def _only_first(mask: Any) -> Any:
    narrow = np.zeros_like(mask)
    narrow[mask.argmax()] = 1
    return narrow


@pytest.mark.parametrize("flaw", FLAWS)
def test_flaws_are_found(flaw: str) -> None:
    make, message = FLAWS[flaw]
    with pytest.raises(ConciliumError, match=message):
        check_env(make(), games=10)


def test_seeds_that_do_nothing_are_found() -> None:
    class Deaf(SingleSeatEnv):
        def reset(self, *, seed: int | None = None, **arguments: Any) -> Any:
            return super().reset(**arguments)

    with pytest.raises(EnvCheckError, match="the same seed does not give the same games"):
        check_env(Deaf("chancellors"), games=3)

    class Stuck(SingleSeatEnv):
        def reset(self, **arguments: Any) -> Any:
            return super().reset(seed=1)

    with pytest.raises(EnvCheckError, match="different seeds give the same"):
        check_env(Stuck("chancellors"), games=3)

    class Forgetful(SingleSeatEnv):
        kept = 0

        def reset(self, *, seed: int | None = None, **arguments: Any) -> Any:
            if seed is not None:
                self.kept = seed
            return super().reset(seed=self.kept)

    with pytest.raises(EnvCheckError, match="begin all the same"):
        check_env(Forgetful("chancellors"), games=3)


def test_steps_after_the_end_are_found() -> None:
    class Endless(SingleSeatEnv):
        def step(self, action: Any) -> Any:
            try:
                return super().step(action)
            except UsageError:
                return self.reset()[0], 0.0, True, False, {}

    with pytest.raises(EnvCheckError, match="after the end"):
        check_env(Endless("chancellors"), games=2)


def test_spaces_and_masks_are_needed() -> None:
    env = SingleSeatEnv("chancellors")
    env.action_space = spaces.MultiDiscrete([2, 2])  # type: ignore[assignment]
    with pytest.raises(EnvCheckError, match="not Discrete"):
        check_env(env)
    env = SingleSeatEnv("chancellors")
    env.observation_space = spaces.Discrete(2)  # type: ignore[assignment]
    with pytest.raises(EnvCheckError, match="not a Box"):
        check_env(env)
