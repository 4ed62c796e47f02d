"""The rule bots in Part I: Shame and Disciples against suspected players, or trusted ones."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.bot_mission import plays_for_failure
from concilium.baselines.believers.character import BLOCK_AT, SHAME_AT, WITS
from concilium.baselines.believers.mind import (
    above,
    appraise,
    is_fellow,
    most_promising,
    most_suspected,
    suspect,
)
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import (
    ALMONER,
    APOSTLE,
    CONFIDANT,
    DEFECTOR,
    DISCIPLES,
    DOORKEEPER,
    GOSSIP,
    GUARDIAN,
    HERALD,
    INQUISITOR,
    KINDS,
    LANTERN,
    MENDICANT,
    NONE,
    ORACLE,
    PAIR_HIGH,
    PAIR_LOW,
    PENITENT,
    REGENT,
    SEATS,
    SHAMED_BY,
    WITNESS,
)
from concilium.envs.believers.table import bit, candidates, shame_of, steadfast
from concilium.envs.core.jit import jit

_DONE: Final = A.DONE
_SHAME: Final = A.SHAME
_ENLIST: Final = A.ENLIST
_HERALD: Final = A.HERALD
_CERTAIN: Final = 0.95  # suspicion above which, or below 1 minus it, nothing is left to learn


@jit
def call(v: Any, numbers: Any, mask: Any, desk: Any, work: Any) -> Any:
    """A Disciple if one is of use now, then Shame, else done."""
    if numbers[WITS] == 0.0 or not mask[_DONE + 1 : _HERALD].any():
        return np.int64(_DONE)
    suspect(v, numbers, desk, work)
    for name in range(DISCIPLES):
        first = _ENLIST + SEATS * name
        target = np.int64(NONE)
        if mask[first : first + SEATS].any():
            target = _enlists(v, numbers, np.int64(v.disciple_effect[name]), desk)
        if target != NONE and mask[first + target] == 1:
            return first + target
    other = most_suspected(v, desk, np.int64(1))
    if other != NONE and above(desk.suspicion[other], numbers[SHAME_AT]):
        relative = (other - np.int64(v.actor)) % np.int64(v.num_players)
        if mask[_SHAME + relative - 1] == 1:
            return _SHAME + relative - 1
    return np.int64(_DONE)


@jit
def _enlists(v: Any, numbers: Any, effect: Any, desk: Any) -> Any:
    """On whom a Disciple with this effect is of use now, in seats clockwise; NONE if on nobody.

    Effects without a target have 0.
    """
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    target: Any = np.int64(NONE)
    if effect == ALMONER:
        return np.int64(0) if v.deck_size > 0 or v.discards.max() > 0 else target
    if effect == HERALD:
        return np.int64(0) if v.eye == seat else target
    if effect == PENITENT:
        target = _to_relieve(v, numbers, desk)
    elif effect == GOSSIP:
        target = _to_shame(v, numbers, desk)
    elif effect == MENDICANT:
        target = _to_rob(v, desk)
    elif v.faith[seat] == DEFECTOR:
        return _against_success(v, numbers, effect, desk)
    else:
        return _against_failure(v, numbers, effect, desk)
    return target if target == NONE else (target - seat) % n


# For either side -------------------------------------------------------------------------------


@jit
def _to_relieve(v: Any, numbers: Any, desk: Any) -> Any:
    """A friend who would be barred by Shame."""
    for seat in range(np.int64(v.num_players)):
        friend = desk.suspicion[seat] < 0.5 * numbers[SHAME_AT]
        if v.faith[np.int64(v.actor)] == DEFECTOR:
            friend = v.faith[seat] == DEFECTOR
        barred = shame_of(v, seat) >= SHAMED_BY and steadfast(v, seat, GUARDIAN) == 0
        if friend and barred:
            return np.int64(seat)
    return np.int64(NONE)


@jit
def _to_shame(v: Any, numbers: Any, desk: Any) -> Any:
    """The suspect whom one Shame more would bar, or bring near it."""
    other = most_suspected(v, desk, np.int64(1))
    if other == NONE or not above(desk.suspicion[other], numbers[SHAME_AT]):
        return np.int64(NONE)
    return other if shame_of(v, other) > 0 else np.int64(NONE)


@jit
def _to_rob(v: Any, desk: Any) -> Any:
    """The most suspected player with Virtues; by a Defector a True Believer."""
    best: Any = np.int64(NONE)
    for other in range(np.int64(v.num_players)):
        if other == v.actor or v.hand_count[other] == 0 or is_fellow(v, other):
            continue
        if best == NONE or above(desk.suspicion[other], desk.suspicion[best]):
            best = np.int64(other)
    return best


# True Believers --------------------------------------------------------------------------------


@jit
def _against_failure(v: Any, numbers: Any, effect: Any, desk: Any) -> Any:
    """Step in where the Eye is suspected; look where there is something to learn."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    eye = np.int64(v.eye)
    feared = above(desk.suspicion[eye], numbers[BLOCK_AT])
    shown = v.lantern == 1 or v.apostle == 1  # everybody will see what the Hand gives
    target: Any = np.int64(NONE)
    if effect in (REGENT, APOSTLE):
        if feared and eye != seat and (effect == REGENT or v.apostle == 0):
            target = np.int64(0)
    elif effect == LANTERN:
        if eye != seat and above(desk.suspicion[eye], 0.5 * numbers[BLOCK_AT]) and not shown:
            target = np.int64(0)
    elif effect == WITNESS:
        if eye != seat and _is_open(desk.suspicion[eye]) and not shown:
            target = np.int64(0)
    elif effect == DOORKEEPER:
        suspected = _whom_to_bar(v, desk, feared)
        if suspected != NONE and above(desk.suspicion[suspected], numbers[BLOCK_AT]):
            target = (suspected - seat) % n
    elif effect == ORACLE:
        asked = _most_open(v, desk)
        if asked != NONE:
            target = (asked - seat) % n
    elif effect in (INQUISITOR, CONFIDANT) and eye == seat:
        free, _ = candidates(v)
        other = most_promising(v, desk, free)
        if other != NONE and v.hand_count[other] > 0:
            target = (other - seat) % n
    return target


@jit
def _is_open(chance: Any) -> Any:
    return 1.0 - _CERTAIN < chance < _CERTAIN


@jit
def _whom_to_bar(v: Any, desk: Any, feared: Any) -> Any:
    """The partner that a feared Eye is likely to choose: of those it can, the most suspected."""
    best: Any = np.int64(NONE)
    if not feared or v.eye == v.actor:
        return best
    free, _ = candidates(v)
    for seat in range(np.int64(v.num_players)):
        if free & bit(seat) == 0 or seat == v.actor:
            continue
        if best == NONE or above(desk.suspicion[seat], desk.suspicion[best]):
            best = np.int64(seat)
    return best


@jit
def _most_open(v: Any, desk: Any) -> Any:
    """Of whom one knows least: suspicion nearest to one half."""
    best: Any = np.int64(NONE)
    for seat in range(np.int64(v.num_players)):
        if seat == v.actor or not _is_open(desk.suspicion[seat]):
            continue
        if best == NONE or above(abs(desk.suspicion[best] - 0.5), abs(desk.suspicion[seat] - 0.5)):
            best = np.int64(seat)
    return best


# Defectors -------------------------------------------------------------------------------------


@jit
def _against_success(v: Any, numbers: Any, effect: Any, desk: Any) -> Any:
    """Take the place of a True Believer as Eye, or bar the one who would be chosen as Hand."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    if not plays_for_failure(v, numbers) or v.faith[np.int64(v.eye)] == DEFECTOR:
        return np.int64(NONE)
    if effect == REGENT:
        return np.int64(0)
    if effect == DOORKEEPER:
        free, _ = candidates(v)
        trusted = most_promising(v, desk, free)
        if trusted != NONE:
            return (trusted - seat) % n
    return np.int64(NONE)


# Heralds ---------------------------------------------------------------------------------------


@jit
def herald(v: Any, desk: Any) -> Any:
    """A True Believer puts a Mission away that few Virtues match, a Defector one that many do."""
    appraise(v, desk)
    pair = np.int64(v.next_mission)
    matching = 0.0
    every = 0.0
    for kind in range(KINDS):
        left = np.int64(v.virtue_copies[kind]) - np.int64(v.discards[kind])
        every += left
        if kind == PAIR_LOW[pair] or kind == PAIR_HIGH[pair]:
            matching += left
    mean = 0.0  # chance that a Virtue matches one of the Missions to come
    for kind in range(KINDS):
        left = np.int64(v.virtue_copies[kind]) - np.int64(v.discards[kind])
        mean += left * desk.worth[kind]
    easy = matching > mean
    if v.faith[np.int64(v.actor)] == DEFECTOR:
        easy = not easy
    return _HERALD + (0 if easy else 1)
