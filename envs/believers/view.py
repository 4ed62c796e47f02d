"""Who may know what in Believers (B3, B7, B16, B17): the only place that decides it.

Hidden are Faith, Virtues in hand and in the deck, what a Hand gave, what was peeked at, and all
that the Defectors do at night: a View of anybody else shows the night, and neither who is to
nominate, nor how many have, nor what. At the end everybody's Faith is revealed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers.faith import deal_faith
from concilium.envs.believers.history import deal_anew, write_world
from concilium.envs.believers.state import (
    DEFECTOR,
    GIVEN,
    GLIMPSES,
    KINDS,
    MOST_DEFECTORS,
    MOST_UNDER,
    NIGHT,
    NONE,
    SEATS,
)
from concilium.envs.believers.worlds import BROKEN, DEAD, MIXED, new_world, walk
from concilium.envs.core.events import COLUMNS
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below
from concilium.envs.core.state import RUNNING, UNKNOWN

_WALKS: Final = 64  # proposals, if the log is long
_EVENTS: Final = 8192  # events gone through, if it is short
_MOST_WALKS: Final = 1 << 20
_FINE: Final = 1 << 30  # steps of a random fraction


@jit
def knows(seats: Any, player: Any) -> Any:
    """Whether ``player`` is in a set of seats; a spectator only if it is everybody."""
    if player < 0:
        return seats == -1
    return (np.int64(seats) >> player) & 1 == 1


@jit
def view(v: Any, player: Any) -> None:
    """Blank what ``player`` cannot know in ``v``, a copy of a State."""
    v.attempts = 0
    one_of_them = player >= 0 and v.faith[player] == DEFECTOR
    if v.status == RUNNING and not one_of_them:
        for seat in range(np.int64(v.num_players)):
            if seat != player and not (player >= 0 and knows(v.faith_seen[seat], player)):
                v.faith[seat] = UNKNOWN
    if not one_of_them:
        _blank_night(v)
    for seat in range(np.int64(v.num_players)):
        if seat != player:
            for kind in range(KINDS):
                v.hand[seat, kind] = UNKNOWN
    for kind in range(KINDS):
        v.deck[kind] = UNKNOWN
    _blank_gifts(v, player)
    _blank_missions(v, player)
    for place in range(GLIMPSES):
        by = np.int64(v.glimpse_by[place])
        if by != NONE and by != player and by != SEATS:
            for kind in range(KINDS):
                v.glimpse_hand[place, kind] = UNKNOWN


@jit
def _blank_night(v: Any) -> None:
    """B17: the same View whoever nominates, however many have, whatever they nominated."""
    if v.phase == NIGHT:
        v.actor = UNKNOWN
        v.nominations = 0
        for k in range(MOST_DEFECTORS):
            v.nominated[k] = UNKNOWN


@jit
def _blank_gifts(v: Any, player: Any) -> None:
    """B10, B11: the Hand knows what it puts in; the Eye, or all, when both are in."""
    number = np.int64(v.mission)
    if player < 0 or player != v.hand_seat:
        if v.gift_count < GIVEN or not knows(v.given_known[number], player):
            for k in range(GIVEN):
                v.gift[k] = UNKNOWN
    for k in range(v.mission_given.shape[0]):
        if not knows(v.given_known[k], player):
            v.mission_given[k] = UNKNOWN


@jit
def _blank_missions(v: Any, player: Any) -> None:
    """What Heralds have seen is known to them alone."""
    if not knows(v.next_seen, player):
        v.next_mission = UNKNOWN
    for k in range(MOST_UNDER):
        if not knows(v.under_seen[k], player):
            v.under[k] = NONE


@jit
def determinize(s: Any, viewer: Any) -> None:
    """Fill ``s``, a copy of a View, with one of the worlds that lead to it.

    Faith: each assignment that the hard facts leave is as likely as any other; nights that the
    viewer slept through then went in any way that has their result. Missions that Heralds saw: any
    that are not accounted for. Virtues: every world in which hidden choices fall on each physical
    card alike is as likely as any other; see :mod:`.worlds`. The number of walks that it took is
    left in ``attempts``. A position made by hand, to which its log does not lead, is dealt without
    regard to the past, and secrets stay blank in its log.
    """
    count = np.int64(s.log_count)
    log = np.empty((count, COLUMNS), np.int16)
    for row in range(count):
        for column in range(COLUMNS):
            log[row, column] = s.log[row, column]
    deal_faith(s)
    memory = new_world()
    w = memory[0]
    if _choose_world(s, viewer, log, w):
        write_world(s, viewer, log, w)
    else:
        deal_anew(s, viewer, w)
    memory[0].now[0] = 0  # keeps the memory until here: the record alone would not


@jit
def _choose_world(s: Any, viewer: Any, log: Any, w: Any) -> Any:
    """Leave in ``w`` a world drawn by Metropolis and Hastings among independent walks.

    A walk is kept by the state of the generator at its beginning and walked again in the end.
    Returns False if there is no world, because the log does not lead to the position.
    """
    wanted = max(_WALKS, _EVENTS // (log.shape[0] + 1))
    kept = s.rng_counter
    best = DEAD
    made = np.int64(0)
    while made < wanted or (best == DEAD and made < _MOST_WALKS):
        start = s.rng_counter
        weight = walk(s, viewer, log, w)
        made += 1
        s.attempts = made
        if w.now[BROKEN] == 1:
            return False
        if weight == DEAD:
            continue
        if w.now[MIXED] == 0:  # all walks have the same weight
            return True
        if best == DEAD or np.log((below(s, _FINE) + 0.5) / _FINE) < weight - best:
            best = weight
            kept = start
    end = s.rng_counter
    s.rng_counter = kept
    weight = walk(s, viewer, log, w)
    s.rng_counter = end
    return weight != DEAD
