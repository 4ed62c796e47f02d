"""How fast a learner learns: ``concilium bench chancellors --training``.

The learner's decisions a second with everything included (opponents, inference, gradient steps),
and where the time goes. Decisions with one option are played without asking and do not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

import torch

from concilium.training.collector import Spent
from concilium.training.generators import torch_threads
from concilium.training.presets import SEATS, Preset, changed, load_preset
from concilium.training.trainer import Trainer

_WARM_UP_UPDATES: Final = 3  # load the compiled code, let torch allocate, have a past policy


@dataclass(frozen=True)
class LearningSpeed:
    """Figures of one run.

    Attributes:
        preset: the settings.
        updates: updates measured, each timed on its own, its games included.
        decisions: the learner's decisions in them that are learned from.
        per_second: decisions a second: median, lowest and highest of the updates.
        shares: of the time, adding up to 1: ``"engine"`` (rules, observations, Views),
            ``"books"`` (who is to be asked, and keeping what was decided), ``"opponents"`` (bots
            and past policies), ``"inference"`` (the learner), ``"update"`` (gradient steps).
    """

    preset: Preset
    updates: int
    decisions: int
    per_second: tuple[float, float, float]
    shares: dict[str, float]

    @property
    def environment(self) -> float:
        """Share of engine and books together."""
        return self.shares["engine"] + self.shares["books"]

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        return {**asdict(self), "preset": self.preset.to_json()}


@dataclass(frozen=True)
class Comparison:
    """Both ways of collecting, measured one after the other.

    Attributes:
        all_seats, one_seat: learning from all seats that the learner plays, and from one a game.
    """

    all_seats: LearningSpeed
    one_seat: LearningSpeed

    @property
    def speedup(self) -> float:
        """How many times the decisions of one seat those of all seats are, in the same time."""
        return self.all_seats.per_second[0] / self.one_seat.per_second[0]

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        both = {"all_seats": self.all_seats.to_json(), "one_seat": self.one_seat.to_json()}
        return {**both, "speedup": self.speedup}


def measure(preset: Preset, seconds: float, seed: int = 1) -> LearningSpeed:
    """Learn for about ``seconds`` after a warm-up, in whole updates, and time each.

    Args:
        preset: the settings; a past policy is taken after the first update.
        seconds: how long to measure; at least one update is made.
        seed: of network, deals, seats and opponents.
    """
    with torch_threads(preset.threads):
        trainer = Trainer(changed(preset, snapshot_every=1), seed)
        for _ in range(_WARM_UP_UPDATES):
            trainer.update()
        trainer.collector.spent = Spent()
        first = trainer.collector.decisions
        speeds = []
        start = last = time.perf_counter()
        while last - start < seconds:
            decisions = trainer.collector.decisions
            trainer.update()
            now = time.perf_counter()
            speeds.append((trainer.collector.decisions - decisions) / (now - last))
            last = now
    spent = last - start
    parts = vars(trainer.collector.spent)
    parts = {**parts, "update": spent - sum(parts.values())}
    return LearningSpeed(
        preset=preset,
        updates=len(speeds),
        decisions=trainer.collector.decisions - first,
        per_second=(median(speeds), min(speeds), max(speeds)),
        shares={name: part / spent for name, part in parts.items()},
    )


def main(game: str, seconds: float = 20.0, say: Callable[[str], None] = print) -> Comparison:
    """Measure the game's quick preset with both ways of collecting and tell the figures."""
    preset = load_preset(f"{game}-quick")
    say("settings: " + ", ".join(f"{key}={value}" for key, value in preset.to_json().items()))
    say(f"torch {torch.__version__}, {preset.threads} thread(s)")
    speeds = []
    for seats in SEATS:
        speed = measure(changed(preset, seats=seats), seconds / len(SEATS))
        speeds.append(speed)
        middle, low, high = speed.per_second
        say(
            f"learner decisions/s, learning included, {seats} of its seats: {middle:,.0f} "
            f"({low:,.0f} … {high:,.0f} in {speed.updates} updates)"
        )
        shares = ", ".join(f"{name} {100 * part:.1f} %" for name, part in speed.shares.items())
        say(f"time: {shares}; environment (engine and books): {100 * speed.environment:.1f} %")
    result = Comparison(*speeds)
    say(
        f"collecting from all seats gives {result.speedup:.2f} times the decisions in the same time"
    )
    return result
