"""Everything a run holds in memory, and one update of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from concilium.baselines import make_bot
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

    Attributes:
        updates: how many have been made.
    """

    def __init__(
        self, preset: Preset, seed: int, *, seconds: float | None = None, spent: float = 0.0
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
        words = bots.generate_state(max(1, len(preset.bots)), np.uint64).tolist()
        players = [
            make_bot(name, preset.game, seed=word)
            for name, word in zip(preset.bots, words, strict=False)
        ]
        self.reservoir = Reservoir(preset.snapshots)
        self.collector = Collector(preset, players, self.reservoir, self.generator)
        self.collector.begin(int(deals.generate_state(1, np.uint64)[0]))
        self.annealing = Annealing(preset.decisions, seconds, spent)

    @property
    def over(self) -> bool:
        """Whether the planned decisions have been made or the time is over."""
        return self.annealing.left <= 0

    def update(self) -> Line:
        """Play, learn once, and tell about it."""
        start = time.perf_counter()
        rates = self.rates()
        self.collector.tally = Tally()
        self.collector.collect(self.learner)
        middle = time.perf_counter()
        figures = self.learner.update(self.collector.samples, rates, self.generator)
        self.updates += 1
        if self.preset.share_snapshots > 0 and self.updates % self.preset.snapshot_every == 0:
            self.reservoir.offer(self.network({}), self.generator)
        self.annealing.update(self.collector.decisions)
        tally = self.collector.tally
        played = max(tally.games, 1)
        return {
            "update": self.updates,
            "decisions": self.collector.decisions,
            "planned": self.preset.decisions,
            "games": self.collector.games,
            "seconds": round(self.annealing.elapsed, 3),
            "seconds_playing": round(middle - start, 3),
            "seconds_learning": round(time.perf_counter() - middle, 3),
            "won": round(tally.won / played, 4) if tally.games else None,
            "mean_return": round(tally.own / played, 4) if tally.games else None,
            "table_return": round(tally.table / played, 4) if tally.games else None,
            "learning_rate": round(rates.learning_rate, 8),
            "clip": round(rates.clip, 5),
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
        return network_of(self.learner, self.preset.game, training)

    # Checkpoints -----------------------------------------------------------------------------

    def checkpoint(self, state: Mapping[str, Any]) -> Checkpoint:
        """All that is needed to go on; ``state`` is kept beside it."""
        tensors = _named("learner", self.learner.tensors())
        arrays = self.collector.arrays()
        tensors |= _named("collector", {k: torch.from_numpy(v) for k, v in arrays.items()})
        for place, network in enumerate(self.reservoir.networks):
            kept = _network_arrays(network)
            tensors |= _named(
                "reservoir", {f"{place}.{k}": torch.from_numpy(v) for k, v in kept.items()}
            )
        return Checkpoint(
            update=self.updates,
            tensors=tensors,
            state={
                **state,
                "elapsed": self.annealing.elapsed,
                "collector": self.collector.counters(),
                "offered": self.reservoir.offered,
            },
            games=plain_records(self.collector.vec.states).tobytes(),
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint of a run with the same preset and seed.

        Raises:
            FileFormatError: it is of another make.
        """
        try:
            parts = {prefix: _cut(prefix, checkpoint.tensors) for prefix in _BELOW}
            self.learner.restore(parts["learner"])
            arrays = {name: value.numpy() for name, value in parts["collector"].items()}
            self.collector.restore(arrays, checkpoint.state["collector"], checkpoint.games)
            self.reservoir.offered = int(checkpoint.state["offered"])
            self.reservoir.networks = self._networks(parts["reservoir"])
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError, OptionError) as error:
            raise FileFormatError(
                f"the checkpoint of update {checkpoint.update} does not fit this run: {error!r}"
            ) from None
        self.updates = checkpoint.update
        self.annealing.update(self.collector.decisions)

    def _networks(self, tensors: Mapping[str, torch.Tensor]) -> list[Network]:
        places: dict[int, dict[str, NDArray[np.float32]]] = {}
        for name, value in tensors.items():
            place, _, rest = name.partition(".")
            places.setdefault(int(place), {})[rest] = value.numpy()
        depth = len(self.preset.hidden) + 1
        return [
            Network(
                game=get_game(self.preset.game),
                activation=self.preset.activation,
                scale=places[place]["scale"],
                weights=tuple(places[place][f"{k}.weight"] for k in range(depth)),
                biases=tuple(places[place][f"{k}.bias"] for k in range(depth)),
            )
            for place in range(len(places))
        ]


def _network_arrays(network: Network) -> dict[str, NDArray[np.float32]]:
    kept = {"scale": network.scale}
    for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        kept[f"{k}.weight"], kept[f"{k}.bias"] = weight, bias
    return kept


def _named(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {f"{prefix}/{name}": value for name, value in tensors.items()}


def _cut(prefix: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    start = f"{prefix}/"
    return {k.removeprefix(start): v for k, v in tensors.items() if k.startswith(start)}
