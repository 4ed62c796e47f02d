"""How fast a learner learns: ``concilium bench chancellors --training``.

The learner's decisions a second with everything included (opponents, inference, gradient steps),
and where the time goes. Decisions with one option are played by the adapter and do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any, Final

import torch
from stable_baselines3.common.callbacks import BaseCallback

from concilium.training.generators import borrowed_generators, torch_threads
from concilium.training.learn import Annealing, make_env, make_model
from concilium.training.presets import Preset, load_preset

_WARM_UP_UPDATES: Final = 2  # load the compiled code and let torch allocate


@dataclass(frozen=True)
class LearningSpeed:
    """Figures of one run.

    Attributes:
        preset: the settings.
        updates: updates measured, each timed on its own, its games included.
        decisions: the learner's decisions in them.
        per_second: decisions a second: median, lowest and highest of the updates.
        shares: of the time, adding up to 1: ``"engine"`` (rules, observations, Views),
            ``"adapter"`` (between engine, bots and learner), ``"opponents"``, ``"inference"`` (the
            learner's policy, and storing what it did), ``"update"`` (gradient steps).
    """

    preset: Preset
    updates: int
    decisions: int
    per_second: tuple[float, float, float]
    shares: dict[str, float]

    @property
    def environment(self) -> float:
        """Share of engine and adapter together."""
        return self.shares["engine"] + self.shares["adapter"]

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        return asdict(self)


class _Stopwatch(BaseCallback):
    """Adds up the time spent in rollouts."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        self._start = 0.0

    def _on_rollout_start(self) -> None:
        self._start = time.perf_counter()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.seconds += time.perf_counter() - self._start


def measure(preset: Preset, seconds: float, seed: int = 1) -> LearningSpeed:
    """Learn for about ``seconds`` after a warm-up, in whole updates, and time each.

    Args:
        preset: the settings.
        seconds: how long to measure; at least one update is made.
        seed: of network, deals, seats and opponents.
    """
    with torch_threads(preset.threads), borrowed_generators(seed):
        env = make_env(preset, seed)
        model = make_model(preset, env, Annealing(preset.decisions))
        update = preset.num_envs * preset.steps
        model.learn(_WARM_UP_UPDATES * update, log_interval=None)
        before = replace(env.clock)
        watch = _Stopwatch()
        speeds = []
        start = last = time.perf_counter()
        while last - start < seconds:
            decisions = env.clock.decisions
            model.learn(update, watch, log_interval=None, reset_num_timesteps=False)
            now = time.perf_counter()
            speeds.append((env.clock.decisions - decisions) / (now - last))
            last = now
        env.close()
    spent = last - start
    engine = env.clock.engine - before.engine
    adapter = env.clock.adapter - before.adapter
    opponents = env.clock.opponents - before.opponents
    parts = {
        "engine": engine,
        "adapter": adapter,
        "opponents": opponents,
        "inference": watch.seconds - engine - adapter - opponents,
        "update": spent - watch.seconds,
    }
    return LearningSpeed(
        preset=preset,
        updates=len(speeds),
        decisions=env.clock.decisions - before.decisions,
        per_second=(median(speeds), min(speeds), max(speeds)),
        shares={name: part / spent for name, part in parts.items()},
    )


def main(game: str, seconds: float = 20.0, say: Callable[[str], None] = print) -> LearningSpeed:
    """Measure the game's demonstration preset at its smallest table and tell the figures."""
    preset = load_preset(f"{game}-demo")
    preset = replace(preset, num_players=(min(preset.num_players),))
    say("settings: " + ", ".join(f"{key}={value}" for key, value in preset.to_json().items()))
    say(f"torch {torch.__version__}, {preset.threads} thread(s)")
    speed = measure(preset, seconds)
    middle, low, high = speed.per_second
    say(
        f"learner decisions/s, learning included: {middle:,.0f} "
        f"({low:,.0f} … {high:,.0f} in {speed.updates} updates)"
    )
    shares = ", ".join(f"{name} {100 * part:.1f} %" for name, part in speed.shares.items())
    say(f"time: {shares}")
    say(f"environment (engine and adapter): {100 * speed.environment:.1f} %")
    return speed
