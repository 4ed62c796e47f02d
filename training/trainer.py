"""Everything a run holds in memory, and one update of it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import torch

from concilium.baselines import make_assistant, make_bot
from concilium.baselines.policy import Network
from concilium.envs import FileFormatError, OptionError, get_game
from concilium.envs.core.state import plain_records
from concilium.training.checkpoint import Checkpoint
from concilium.training.collector import Collector, Tally
from concilium.training.export import network_of
from concilium.training.generators import borrowed_generators
from concilium.training.presets import Preset
from concilium.training.reservoir import Reservoir
from concilium.training.selfplay import Rates, SelfPlayPPO

Line = dict[str, Any]
"""One line of the curves."""

_BELOW: Final = ("learner", "collector", "reservoir")
_UNFIT: Final = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, OptionError,
)  # fmt: skip
"""What goes wrong when something of a checkpoint is of another make."""


class Annealing:
    """How much of a run is left, by decisions or by time, whichever runs out first.

    Args:
        decisions: planned decisions.
        seconds: time that may be spent; no limit if None.
        spent: seconds that an earlier part of the run took.
    """

    def __init__(self, decisions: int, seconds: float | None = None, spent: float = 0.0) -> None:
        self.left = 1.0
        self._decisions = decisions
        self._seconds = seconds
        self._start = time.perf_counter() - spent

    @property
    def elapsed(self) -> float:
        """Seconds spent on the run."""
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


class Trainer:
    """The learner, the games, past policies and bots of one run.

    Args:
        preset: the settings.
        seed: of network, deals, seats, actions and bots, a whole number from 0 to 2**63 - 1.
        seconds: end the run by then (annealed accordingly) even if decisions are left.
        spent: seconds that an earlier part of the run took.
        start: the policy with which the learner begins, with layers like the preset's; without, it
            begins with chance.

    Attributes:
        updates: how many have been made.
        imitates: whether the learner may still imitate its teacher: not again after it has ceased.
    """

    def __init__(
        self,
        preset: Preset,
        seed: int,
        *,
        seconds: float | None = None,
        spent: float = 0.0,
        start: Network | None = None,
    ) -> None:
        if not 0 <= seed < 2**63:
            raise OptionError(f"seed {seed} is out of range: 0 to 2**63 - 1")
        self.preset = preset
        self.seed = seed
        self.updates = 0
        deals, own, bots = np.random.SeedSequence(seed).spawn(3)
        self.generator = np.random.default_rng(own)
        with borrowed_generators(seed):
            self.learner = SelfPlayPPO(preset)
        if start is not None:
            self.learner.start_from(start)
        self.imitates = True
        words = bots.generate_state(len(preset.bots) + 2, np.uint64).tolist()
        players = [
            make_bot(name, preset.game, seed=word)
            for name, word in zip(preset.bots, words, strict=False)
        ]
        teacher = None
        if preset.behaviour_cloning_fraction > 0:
            teacher = make_bot(preset.teacher, preset.game, seed=words[-2])
        assistant = None
        if preset.kinds:
            assistant = make_assistant(preset.assistant, preset.game, seed=words[-1])
        self.reservoir = Reservoir(preset.snapshots)
        self.collector = Collector(
            preset, players, teacher, assistant, self.reservoir, self.generator
        )
        self.collector.begin(int(deals.generate_state(1, np.uint64)[0]))
        self.annealing = Annealing(preset.budget, seconds, spent)

    @property
    def over(self) -> bool:
        """Whether the planned decisions have been made or the time is over."""
        return self.annealing.left <= 0

    def update(self) -> Line:
        """Play, learn once, and tell about it."""
        start = time.perf_counter()
        rates = self.rates()
        self.imitates &= self.annealing.left > 1 - self.preset.behaviour_cloning_fraction
        cloning = self.imitates
        self.collector.tally = Tally()
        self.collector.collect(self.learner, cloning)
        middle = time.perf_counter()
        figures = self.learner.update(self.collector.rollout, rates, self.generator, cloning)
        self.updates += 1
        if self.preset.keeps_past and self.updates % self.preset.snapshot_every == 0:
            self.reservoir.offer(self.network({}), self.generator)
            self.reservoir.release(self.collector.seated_past())
        self.annealing.update(self.collector.decisions)
        tally = self.collector.tally
        played = max(tally.games, 1)
        return {
            "update": self.updates,
            "decisions": self.collector.decisions,
            "planned": self.preset.budget,
            "games": self.collector.games,
            "seconds": round(self.annealing.elapsed, 3),
            "seconds_playing": round(middle - start, 3),
            "seconds_learning": round(time.perf_counter() - middle, 3),
            "won": round(tally.won / played, 4) if tally.games else None,
            "mean_return": round(tally.own / played, 4) if tally.games else None,
            "table_return": round(tally.table / played, 4) if tally.games else None,
            "learning_rate": round(rates.learning_rate, 8),
            "clip": round(rates.clip, 5),
            "behaviour_cloning": cloning,
            "entropy_coefficient": round(rates.entropy, 5),
            **{name: round(value, 5) for name, value in figures.items()},
        }

    def rates(self) -> Rates:
        """The rates of the next update."""
        preset, between = self.preset, self.annealing.between
        return Rates(
            between(preset.learning_rate, preset.learning_rate_end),
            between(preset.clip, preset.clip_end),
            between(preset.entropy, preset.entropy_end),
        )

    def network(self, training: Mapping[str, Any]) -> Network:
        """A copy of the policy as it is; ``training`` tells how it came about."""
        preset = self.preset
        return network_of(
            self.learner, preset.game, training, decisions=preset.decisions,
            assistant=preset.assistant,
        )  # fmt: skip

    # Checkpoints -----------------------------------------------------------------------------

    def checkpoint(self, best: float | None, policy: Network | None) -> Checkpoint:
        """All that is needed to go on, copied: it stays as it is while the run goes on.

        Args:
            best: the best held-out score so far, None before the first.
            policy: the policy that had it.
        """
        tensors = _named("learner", self.learner.tensors())
        arrays = self.collector.arrays()
        tensors |= _named("collector", {k: torch.from_numpy(v) for k, v in arrays.items()})
        self.reservoir.release(self.collector.seated_past())
        for number, network in self.reservoir.by_number.items():
            tensors |= _named(f"reservoir/{number}", _network_tensors(network))
        kept = None
        if policy is not None:
            tensors |= _named("best", _network_tensors(policy))
            kept = {"score": best, "training": dict(policy.training)}
        return Checkpoint(
            update=self.updates,
            tensors=tensors,
            state={
                "run": self.digest(),
                "best": kept,
                "elapsed": self.annealing.elapsed,
                "collector": self.collector.counters(),
                "offered": self.reservoir.offered,
                "past": list(self.reservoir.places),
            },
            games=plain_records(self.collector.vec.states).tobytes(),
        )

    def digest(self, budget: int | None = None) -> str:
        """64 hex digits over preset and seed, so that no checkpoint of another run is taken.

        Args:
            budget: in place of the preset's.
        """
        settings = self.preset.to_json()
        text = json.dumps(
            [{**settings, "budget": budget or self.preset.budget}, self.seed], sort_keys=True
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def restore(self, checkpoint: Checkpoint, budgets: Sequence[int] = ()) -> None:
        """Go on from a checkpoint of a run with the same preset and seed.

        Args:
            checkpoint: what :meth:`checkpoint` returned.
            budgets: those that the run had before it was extended.

        Raises:
            FileFormatError: it is of another run or make.
        """
        where = f"the checkpoint of update {checkpoint.update}"
        digests = [self.digest(budget) for budget in (self.preset.budget, *budgets)]
        if checkpoint.state.get("run") not in digests:
            raise FileFormatError(f"{where} is of a run with another preset or seed")
        try:
            parts = {prefix: _cut(prefix, checkpoint.tensors) for prefix in _BELOW}
            self.learner.restore(parts["learner"])
            numbers = sorted({int(name.partition("/")[0]) for name in parts["reservoir"]})
            past = parts["reservoir"]
            self.reservoir.restore(
                {number: self._network(_cut(str(number), past)) for number in numbers},
                checkpoint.state.get("past", numbers),
                checkpoint.state["offered"],
            )
            arrays = {name: value.numpy() for name, value in parts["collector"].items()}
            self.collector.restore(arrays, checkpoint.state["collector"], checkpoint.games)
        except _UNFIT as error:
            raise FileFormatError(f"{where} does not fit this run: {error!r}") from None
        self.updates = checkpoint.update
        self.annealing.update(self.collector.decisions)

    def kept_network(self, checkpoint: Checkpoint, best: Any) -> tuple[float, Network]:
        """The best score and its policy, as a checkpoint has them.

        Raises:
            FileFormatError: they do not fit this run.
        """
        try:
            network = self._network(_cut("best", checkpoint.tensors))
            return float(best["score"]), replace(network, training=dict(best["training"]))
        except _UNFIT as error:
            raise FileFormatError(
                f"the best policy of update {checkpoint.update} does not fit this run: {error!r}"
            ) from None

    def _network(self, tensors: Mapping[str, torch.Tensor]) -> Network:
        depth = range(len(self.preset.hidden) + 1)
        arrays = {name: value.numpy() for name, value in tensors.items()}
        return Network(
            game=get_game(self.preset.game),
            activation=self.preset.activation,
            scale=arrays["scale"],
            weights=tuple(arrays[f"{k}.weight"] for k in depth),
            biases=tuple(arrays[f"{k}.bias"] for k in depth),
            decisions=self.preset.kinds,
            assistant=self.preset.assistant if self.preset.kinds else "",
        )


def _network_tensors(network: Network) -> dict[str, torch.Tensor]:
    kept = {"scale": torch.from_numpy(network.scale)}
    for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        kept[f"{k}.weight"], kept[f"{k}.bias"] = torch.from_numpy(weight), torch.from_numpy(bias)
    return kept


def _named(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {f"{prefix}/{name}": value for name, value in tensors.items()}


def _cut(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    start = f"{prefix}/"
    return {k.removeprefix(start): v for k, v in tensors.items() if k.startswith(start)}
