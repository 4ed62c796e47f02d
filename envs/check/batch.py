"""The compiled kernels on many records at once, as the examinations need them.

Nothing is taken for granted that :class:`~.games.Games` and :class:`~.play.PlayLoop` rely on: the
game may offer nothing legal, refuse what it offers, or show a mask that is not that of its State.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.compare import raw
from concilium.envs.core.bot import Actor
from concilium.envs.core.game import BoundGame
from concilium.envs.core.kernels import ILLEGAL, Kernels
from concilium.envs.core.play import by_number
from concilium.envs.core.state import (
    Records,
    attribute_records,
    new_records,
    plain_records,
    take_records,
)


def stacked(parts: list[Records]) -> Records:
    """Join arrays of records in the form that the kernels take; as bytes, which is quicker."""
    rows = np.concatenate([raw(part) for part in parts])
    return attribute_records(rows.reshape(-1).view(parts[0].dtype))


def deal_all(bound: BoundGame, seeds: Iterable[int]) -> Records:
    """Deal a game of each seed."""
    return stacked([bound.new_state(int(seed)) for seed in seeds])


def view_all(kernels: Kernels, states: Records, viewers: NDArray[np.int64]) -> Records:
    """Return the View of ``viewers[k]`` in ``states[k]`` for all ``k``."""
    out = new_records(len(states), states.dtype)
    kernels.view_many(states, np.arange(len(states)), viewers, out, 0, len(states))
    return out


def determinize_all(kernels: Kernels, views: Records, seeds: NDArray[np.uint64]) -> Records:
    """Resample ``views[k]`` by ``seeds[k]`` for all ``k``."""
    out = new_records(len(views), views.dtype)
    kernels.determinize_many(views, seeds, out, 0, len(views))
    return out


def masks_of(bound: BoundGame, records: Records) -> NDArray[np.int8]:
    """Return the legal actions in each record ``(k, num_actions)``."""
    out = np.empty((len(records), bound.game.num_actions), np.int8)
    bound.game.kernels.legal_many(records, out, 0, len(records))
    return out


def kinds_of(bound: BoundGame, records: Records) -> NDArray[np.int64]:
    """Return the kinds of the decisions due in records ``(k,)``, as indices into ``game.kinds``."""
    out = np.empty(len(records), np.int64)
    bound.game.kernels.kind_many(records, np.arange(len(records)), out, 0, len(records))
    return out


def observe_all(
    bound: BoundGame, states: Records, viewers: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return what environments show each viewer: observations and masks."""
    game, count = bound.game, len(states)
    observations = np.empty((count, game.observation.size), np.int8)
    masks = np.empty((count, game.num_actions), np.int8)
    scratch = new_records(count, game.dtype)
    actors = np.empty(count, np.int64)
    game.kernels.observe_many(
        states, np.arange(count), viewers, scratch, observations, masks, actors, 0, count
    )
    return observations, masks


def decide_all(
    bound: BoundGame, bots: Sequence[Actor], numbers: NDArray[np.int64], states: Records
) -> NDArray[np.int64]:
    """What bot ``numbers[k]`` does in ``states[k]``, for all ``k``; -1 where nothing is legal."""
    views = view_all(bound.game.kernels, states, plain_records(states)["actor"].astype(np.int64))
    masks = masks_of(bound, views)
    actions = np.full(len(states), -1, np.int64)
    able = np.flatnonzero(masks.any(axis=1))
    actions[able] = by_number(
        numbers[able],
        lambda number, k: bots[number].act(take_records(views, able[k]), masks[able[k]]),
    )
    return actions


def step_all(
    bound: BoundGame, states: Records, games: NDArray[np.int64], actions: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Take ``actions[k]`` in ``states[games[k]]``; tell for each ``k`` whether it was legal."""
    step = bound.game.kernels.step_checked
    scratch = np.empty(bound.game.num_actions, np.int8)
    taken = [
        step(states, i, int(action), scratch)[0] != ILLEGAL
        for i, action in zip(games, actions, strict=True)
    ]
    return np.array(taken, bool)
