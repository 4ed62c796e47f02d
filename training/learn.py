"""One training run: MaskablePPO against a preset's opponents, kept in one folder.

The folder holds ``run.json`` (preset, seed, versions, and at the end what it cost),
``curves.jsonl`` (a line per update) and ``policy.safetensors`` (the trained policy, see
:mod:`concilium.baselines.policy`). Every file is written whole or not at all.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import concilium
from concilium.baselines.policy import Network, save_policy
from concilium.envs import get_game
from concilium.envs.core.files import write_atomically
from concilium.training.export import network_of
from concilium.training.generators import borrowed_generators, torch_threads
from concilium.training.network import MaskedPolicy, policy_arguments
from concilium.training.presets import Preset
from concilium.wrappers.opponents import Opponents
from concilium.wrappers.sb3 import Sb3VecEnv

PACKAGES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
CURVES: Final = "curves.jsonl"
POLICY: Final = "policy.safetensors"
ABOUT: Final = "run.json"

Line = dict[str, Any]
"""One line of the curves."""


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        network: the trained policy.
        decisions: the learner's decisions with at least two options.
        games: games that ended.
        seconds: spent in all, in the engine with its adapter, and in the opponents.
        curves: one mapping per update.
    """

    network: Network
    decisions: int
    games: int
    seconds: dict[str, float]
    curves: list[Line]


class Annealing:
    """How much of a run is left, by decisions or by time, whichever runs out first.

    Args:
        decisions: planned decisions.
        seconds: time that may be spent; no limit if None.
    """

    def __init__(self, decisions: int, seconds: float | None = None) -> None:
        self.left = 1.0
        self._decisions = decisions
        self._seconds = seconds
        self.start()

    def start(self) -> None:
        """Let the time begin now: what was spent on compiling before does not count."""
        self._start = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._start

    def update(self, decisions: int) -> None:
        """Note that so many decisions have been made."""
        done = decisions / self._decisions
        if self._seconds is not None:
            done = max(done, self.elapsed / self._seconds)
        self.left = max(0.0, 1.0 - done)

    def between(self, first: float, last: float) -> float:
        """A value that goes from ``first`` to ``last`` in a straight line."""
        return last + self.left * (first - last)


def make_env(preset: Preset, seed: int) -> Sb3VecEnv:
    """The games of a preset: table sizes in turn, opponents drawn for each seat of each game."""
    sizes = [preset.num_players[k % len(preset.num_players)] for k in range(preset.num_envs)]
    opponents = Opponents(
        preset.opponents, game=get_game(preset.game), mixture="free", weights=preset.weights
    )
    return Sb3VecEnv(
        preset.game, preset.num_envs, num_players=sizes, opponents=opponents, seed=seed
    )


def make_model(preset: Preset, env: Sb3VecEnv, annealing: Annealing) -> MaskablePPO:
    """The learner of a preset with a new network; call it with the generators borrowed."""
    return MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=lambda _: annealing.between(preset.learning_rate, preset.learning_rate_end),
        n_steps=preset.steps,
        batch_size=preset.minibatch,
        n_epochs=preset.epochs,
        gamma=1.0,
        gae_lambda=preset.gae_lambda,
        clip_range=preset.clip,
        ent_coef=preset.entropy,
        vf_coef=preset.value,
        target_kl=preset.target_kl,
        policy_kwargs=policy_arguments(preset.game, preset.hidden, preset.activation),
        device="cpu",
    )


class Progress(BaseCallback):
    """Anneals, keeps the curves, and ends the run when its time is over.

    Args:
        preset: the settings.
        annealing: what is left of the run.
        path: the file of the curves; none is written if None.
        tell: called with every line.
    """

    def __init__(
        self,
        preset: Preset,
        annealing: Annealing,
        path: Path | None = None,
        tell: Callable[[Line], None] = lambda line: None,
    ) -> None:
        super().__init__()
        self.games = 0
        self.lines: list[Line] = []
        self._preset = preset
        self._annealing = annealing
        self._path = path
        self._tell = tell
        self._returns: list[float] = []

    def _on_training_start(self) -> None:
        self._annealing.start()

    def _on_step(self) -> bool:
        for row in np.flatnonzero(self.locals["dones"]).tolist():
            self._returns.append(self.locals["infos"][row]["episode"]["r"])
        return self._annealing.left > 0

    def _on_rollout_end(self) -> None:
        env = self.training_env
        model = self.model
        assert isinstance(env, Sb3VecEnv)
        assert isinstance(model, MaskablePPO)
        self._annealing.update(env.clock.decisions)
        model.ent_coef = self._annealing.between(self._preset.entropy, self._preset.entropy_end)
        returns = np.array(self._returns)
        self._returns.clear()
        self.games += len(returns)
        line = {
            "decisions": env.clock.decisions,
            "games": self.games,
            "seconds": round(self._annealing.elapsed, 3),
            "seconds_environment": round(env.clock.environment, 3),
            "seconds_opponents": round(env.clock.opponents, 3),
            "mean_return": round(float(returns.mean()), 4) if len(returns) else None,
            "won": round(float((returns > 0).mean()), 4) if len(returns) else None,
            "entropy_coefficient": round(model.ent_coef, 5),
            # of the update before these games
            **{
                key.removeprefix("train/"): round(float(value), 5)
                for key, value in model.logger.name_to_value.items()
                if key.startswith("train/")
            },
        }
        self.lines.append(line)
        self._tell(line)
        if self._path is not None:
            write_atomically(self._path, "".join(json.dumps(kept) + "\n" for kept in self.lines))


def train(
    preset: Preset,
    seed: int,
    folder: str | os.PathLike[str] | None = None,
    *,
    seconds: float | None = None,
    tell: Callable[[Line], None] = lambda line: None,
) -> Run:
    """Train from scratch. The global generators and torch's settings are as before afterwards.

    Args:
        preset: the settings.
        seed: of network, deals, seats and opponents, a whole number of at least 0. Equal seeds give
            equal runs on one machine unless time cuts them short.
        folder: where the run is kept, made if need be; nothing is kept if None.
        seconds: end the run by then (annealed accordingly) even if decisions are left.
        tell: called with each line of the curves.
    """
    target = None if folder is None else Path(folder)
    about = _about(preset, seed)
    if target is not None:
        target.mkdir(parents=True, exist_ok=True)
        write_atomically(target / ABOUT, json.dumps(about, indent=1) + "\n")
    with torch_threads(preset.threads), borrowed_generators(seed):
        env = make_env(preset, seed)
        annealing = Annealing(preset.decisions, seconds)
        model = make_model(preset, env, annealing)
        progress = Progress(preset, annealing, target and target / CURVES, tell)
        model.learn(preset.decisions, callback=progress, log_interval=None)
        env.close()
    times = {
        "all": round(annealing.elapsed, 3),
        "environment": round(env.clock.environment, 3),
        "opponents": round(env.clock.opponents, 3),
    }
    cost = {"decisions": env.clock.decisions, "games": progress.games, "seconds": times}
    network = network_of(model, preset.game, {**about, "cost": cost})
    if target is not None:
        write_atomically(target / ABOUT, json.dumps({**about, "cost": cost}, indent=1) + "\n")
        save_policy(target / POLICY, network)
    return Run(network, env.clock.decisions, progress.games, times, progress.lines)


def _about(preset: Preset, seed: int) -> dict[str, Any]:
    """What is needed to run it again."""
    return {
        "preset": preset.to_json(),
        "seed": seed,
        "concilium": concilium.__version__,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }
