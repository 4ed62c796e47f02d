"""What the learner did, and how good it was: decisions of many seats, interleaved.

The decisions of one seat in one game are a chain. They are kept in the order in which they were
made, whoever made them; each knows the next of its chain. When the policy is to be updated, chains
whose game goes on end in a decision whose consequence is not known yet: it waits for the next
update.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.compiled.jit import bind

NO_SAMPLE: Final = -1
_ARRAYS: Final = (
    "observations", "state_vectors", "masks", "actions", "values", "log_probs", "rewards", "over",
    "next",
)  # fmt: skip


class RolloutBuffer:
    """Decisions with a choice, in chains.

    Args:
        capacity: how many fit.
        games: number of games.
        seats: seats of the largest table.
        observation_size: width of an observation.
        state_size: width of the state vector that is kept beside it; 0 for none.
        num_actions: width of a mask.

    Attributes:
        count: how many there are.
        observations: ``(capacity, observation_size) int8``.
        state_vectors: ``(capacity, state_size) int8``.
        masks: ``(capacity, num_actions) int8``.
        actions: ``(capacity,) int64``.
        values: estimated when deciding ``(capacity,) float32``.
        log_probs: of the actions, then ``(capacity,) float32``.
        rewards: return of the game where it ended after this decision, else 0 ``(capacity,)
            float32``.
        over: whether it did ``(capacity,) int8``.
        next: the next decision of the chain, NO_SAMPLE if there is none ``(capacity,) int64``.
        open: each seat's last decision in the game being played, NO_SAMPLE if there is none
            ``(games, seats) int64``.
    """

    def __init__(
        self,
        capacity: int,
        games: int,
        seats: int,
        observation_size: int,
        state_size: int,
        num_actions: int,
    ) -> None:
        self.count = 0
        self.observations = np.zeros((capacity, observation_size), np.int8)
        self.state_vectors = np.zeros((capacity, state_size), np.int8)
        self.masks = np.zeros((capacity, num_actions), np.int8)
        self.actions = np.zeros(capacity, np.int64)
        self.values = np.zeros(capacity, np.float32)
        self.log_probs = np.zeros(capacity, np.float32)
        self.rewards = np.zeros(capacity, np.float32)
        self.over = np.zeros(capacity, np.int8)
        self.next = np.full(capacity, NO_SAMPLE, np.int64)
        self.open = np.full((games, seats), NO_SAMPLE, np.int64)

    def add(
        self,
        games: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.int8],
        state_vectors: NDArray[np.int8],
        masks: NDArray[np.int8],
        actions: NDArray[np.int64],
        values: NDArray[np.float32],
        log_probs: NDArray[np.float32],
    ) -> None:
        """Append decisions ``(k, …)``, each of another game, made by ``seats`` in ``games``."""
        start, stop = self.count, self.count + len(games)
        self.observations[start:stop] = observations
        self.state_vectors[start:stop] = state_vectors
        self.masks[start:stop] = masks
        self.actions[start:stop] = actions
        self.values[start:stop] = values
        self.log_probs[start:stop] = log_probs
        self.rewards[start:stop] = 0
        self.over[start:stop] = 0
        self.next[start:stop] = NO_SAMPLE
        numbers = np.arange(start, stop)
        before = self.open[games, seats]
        has_before = before != NO_SAMPLE
        self.next[before[has_before]] = numbers[has_before]
        self.open[games, seats] = numbers
        self.count = stop

    def close(self, games: NDArray[np.int64], returns: NDArray[np.float64]) -> None:
        """End the chains of ``games (f,)`` with the seats' ``returns (f, seats)``."""
        last = self.open[games]
        ends = last != NO_SAMPLE
        self.rewards[last[ends]] = returns[ends]
        self.over[last[ends]] = 1
        self.open[games] = NO_SAMPLE

    @property
    def waiting(self) -> int:
        """How many decisions wait for their consequence."""
        return int((self.open != NO_SAMPLE).sum())

    def complete(self) -> NDArray[np.int64]:
        """Numbers of the decisions whose consequence is known ``(k,)``, in order."""
        known = (self.over[: self.count] != 0) | (self.next[: self.count] != NO_SAMPLE)
        return np.flatnonzero(known)

    def advantages(self, gae_lambda: float) -> NDArray[np.float32]:
        """Generalised advantage estimates with γ = 1 ``(count,) float32`` (arXiv:1506.02438).

        Those of decisions that are not complete are 0.
        """
        out = np.zeros(self.count, np.float32)
        _kernel()(self.values, self.rewards, self.over, self.next, gae_lambda, out)
        return out

    def keep_open(self) -> None:
        """Forget all decisions but those that wait for their consequence."""
        kept = self.open[self.open != NO_SAMPLE]  # a copy, in the order of games and seats
        for name in _ARRAYS:
            array = getattr(self, name)
            array[: len(kept)] = array[kept]
        self.open[self.open != NO_SAMPLE] = np.arange(len(kept))
        self.count = len(kept)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that there is, by name, for a checkpoint; copies."""
        kept = {name: getattr(self, name)[: self.count].copy() for name in _ARRAYS}
        return {**kept, "open": self.open.copy()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what :meth:`arrays` returned.

        Raises:
            KeyError, ValueError: it is of another make.
        """
        self.open[:] = arrays["open"]
        self.count = len(arrays["actions"])
        for name in _ARRAYS:
            getattr(self, name)[: self.count] = arrays[name]


def _estimate(values: Any, rewards: Any, over: Any, following: Any, fade: Any, out: Any) -> None:
    """Fill ``out`` from the last decision to the first: what follows comes later in the arrays."""
    for i in range(out.shape[0] - 1, -1, -1):
        if over[i] != 0:
            out[i] = rewards[i] - values[i]
        elif following[i] >= 0:
            out[i] = values[following[i]] - values[i] + fade * out[following[i]]


@cache
def _kernel() -> Any:
    return bind(_estimate, "training")
