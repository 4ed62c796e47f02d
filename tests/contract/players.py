"""Who plays Chancellors in these tests, and what a table of it looks like from another seat.

Uniformly random games end in a calamity after a few turns. The careful player solves problems
quietly before they grow, so that games last, decks run out and are shuffled anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs.chancellors.actions import (
    CONTROL_EXCUSE,
    CONTROL_FORCE,
    END_TURN,
    SOLVE,
)
from concilium.envs.chancellors.state import SEATS, Phase
from concilium.envs.core.compiled.log import ACTOR, EVENT, EVERYBODY, READERS, WITNESSES
from concilium.envs.core.state import Records, attribute_records, plain_records


class Careful:
    """Solves quietly what has grown, holds two forces, and plays the rest at random.

    Args:
        seed: of the player's own chance.
        growth: dice sum from which a problem is solved at once.
        eager: how likely a smaller problem is solved too, which wins games sooner.
        openly: solve publicly where possible, with the highest cards first.
    """

    def __init__(
        self, seed: int, growth: int = 9, eager: float = 0.0, openly: bool = False
    ) -> None:
        self.growth = growth
        self.eager = eager
        self.openly = openly
        self._generator = np.random.default_rng(seed)

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View."""
        plain = plain_records(views)
        return np.array(
            [self._choose(plain[k], np.flatnonzero(masks[k])) for k in range(len(plain))], np.int64
        )

    def _choose(self, view: Any, legal: NDArray[np.int64]) -> int:
        if self.openly and int(view["phase"]) == Phase.PAYMENT:
            return int(legal[-1])  # cards are numbered by rank: the highest first
        if int(view["phase"]) != Phase.MAIN:
            return int(legal[self._generator.integers(len(legal))])
        solves = [int(a) for a in legal if SOLVE <= a < END_TURN]
        sums = view["dice"].sum(axis=1)
        urgent = [a for a in solves if sums[(a - SOLVE) // 2] >= self.growth]
        if urgent:
            return urgent[0 if self.openly else -1]  # the quiet way is numbered after the public
        own = int((view["owner"] == view["actor"]).sum())
        controls = [int(a) for a in legal if a < CONTROL_EXCUSE]
        if own < 2 and controls:
            free = [a for a in controls if view["owner"][CONTROL_FORCE[a]] < 0]
            return (free or controls)[0]  # the lowest rank
        if solves and self._generator.random() < self.eager:
            return solves[int(self._generator.integers(len(solves)))]
        if CONTROL_EXCUSE in legal and self._generator.random() < 0.2:
            return CONTROL_EXCUSE
        return END_TURN


def relabel_chancellors(states: Records, shift: int) -> Records:
    """Return a copy of ``states`` in which each seat ``k`` has become ``(k + shift) % players``."""
    moved = plain_records(states).copy()
    n = int(moved["num_players"][0])
    new = np.arange(-1, 10)  # new number of each number from -1 on; places behind the seats stay
    new[1 : n + 1] = (np.arange(n) + shift) % n
    for name in ("actor", "active", "winner", "owner"):
        moved[name] = new[moved[name] + 1]
    moved["where"] = np.where(moved["where"] < SEATS, new[moved["where"] + 1], moved["where"])
    order = (np.arange(n) - shift) % n  # who comes to sit on each seat
    for name in ("score", "drawn", "solves", "let_go_rank", "let_go_draws", "hand_size"):
        moved[name][:, :n] = moved[name][:, order]
    log = moved["log"]
    happened = log[..., EVENT] > 0
    log[..., ACTOR] = np.where(happened, new[log[..., ACTOR] + 1], log[..., ACTOR])
    for column in (READERS, WITNESSES):
        bits = log[..., column].astype(np.int64)
        turned = ((bits << shift) | (bits >> (n - shift))) & ((1 << n) - 1)
        log[..., column] = np.where(bits == EVERYBODY, EVERYBODY, turned)
    return attribute_records(moved)
