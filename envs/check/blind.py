"""Games in which nobody's decisions tell anything but that they were legal.

A player who is asked to object and does not may be unable to: what others did is evidence of what
they hold, which resampling by the rules alone leaves out. So that States and resampled States can
be compared as distributions, each decision here is drawn from what everybody knows: a State is
resampled from the spectator's View, and one of the actions that are legal there is taken. Where
that action is not legal in the true State, the game is given up. In the games that remain, the past
tells of hidden things only that it was possible.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.secrecy import determinize_all, masks_of, view_all
from concilium.envs.check.table import Table, stacked
from concilium.envs.core.kernels import ILLEGAL, pick_actions
from concilium.envs.core.state import (
    RUNNING,
    SPECTATOR,
    Records,
    new_records,
    plain_records,
    take_records,
)

_LATEST: Final = 64  # decisions after which a game is looked at, at most
_FEWEST: Final = 500  # games: fewer would show large differences only
_MOST: Final = 1200  # more take longer, and show what makes no difference
_ROUNDS: Final = 12  # batches of deals, if most games are given up


def blind_states(table: Table) -> Records:
    """Play games by what everybody knows and return their States, about a thousand.

    Each is of another game, at a decision chosen beforehand, early ones more often: they are
    independent of each other.
    """
    return table.once("blind", lambda: _blind_states(table))


def _blind_states(table: Table) -> Records:
    count = min(max(table.pairs, _FEWEST), _MOST)
    generator = table.generator("blind")
    found: list[Records] = []
    for _ in range(_ROUNDS):
        late = min(_LATEST, table.bound.max_game_length)
        stops = np.exp(generator.uniform(0, np.log(late + 1), count)).astype(np.int64) - 1
        found.append(_play(table, stops, generator))
        if sum(map(len, found)) >= count:
            break
    return stacked(found)[:count]


def deals(table: Table, count: int, generator: np.random.Generator) -> Records:
    """Deal games ``(count,)``."""
    bound = table.bound
    states = new_records(count, bound.game.dtype)
    for i, seed in enumerate(generator.integers(0, 2**64, count, np.uint64)):
        states[i] = bound.new_state(int(seed))[0]
    return states


def _play(table: Table, stops: NDArray[np.int64], generator: np.random.Generator) -> Records:
    """Deal a game for each number of decisions; return the States of those that get so far."""
    kernels = table.bound.game.kernels
    states = deals(table, len(stops), generator)
    live = np.arange(len(stops))
    reached = []
    scratch = np.empty(table.bound.game.num_actions, np.int8)
    for move in range(int(stops.max()) + 1):
        reached.append(live[stops[live] == move])
        live = live[(stops[live] > move) & (plain_records(states)["status"][live] == RUNNING)]
        if not len(live):
            break
        shown = view_all(kernels, take_records(states, live), np.full(len(live), SPECTATOR))
        seeds = generator.integers(0, 2**64, len(live), np.uint64)
        masks = masks_of(table, determinize_all(kernels, shown, seeds))
        actions = np.empty(len(live), np.int64)
        pick_actions(masks, generator.random(len(live)), actions)
        taken = [
            kernels.step_checked(states, i, int(action), scratch)[0] != ILLEGAL
            for i, action in zip(live, actions, strict=True)
        ]
        live = live[np.array(taken, bool)]
    return take_records(states, np.sort(np.concatenate(reached)))
