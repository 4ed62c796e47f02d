"""Who may know what in Believers (B3, B7, B16, B17): the only place that decides it.

Hidden are Faith, Virtues in hand and in the deck, what a Hand gave, what was peeked at, and all
that the Defectors do at night: a View of anybody else shows the night, and neither who is to
nominate, nor how many have, nor what. At the end everybody's Faith is revealed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.faith import deal_faith
from concilium.envs.believers.history import deal_anew, write_world
from concilium.envs.believers.state import Faith, Phase, State
from concilium.envs.believers.worlds import DEAD, World, new_world, walk
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import COLUMNS
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import RUNNING, Cells

_WALKS: Final = 64  # proposals, if the log is long
_EVENTS: Final = 8192  # events gone through, if it is short
_FINE: Final = 1 << 30  # steps of a random fraction


@jit
def knows(seats: int, player: int) -> bool:
    """Whether ``player`` is in a set of seats; a spectator only if it is everybody."""
    if player < 0:
        return seats == -1
    return (seats >> player) & 1 == 1


@jit
def view(s: State, v: State, player: int) -> None:
    """Open what the rules tell ``player`` beyond the table and the own hand."""
    one_of_them = player >= 0 and s.faith[player] == Faith.DEFECTOR
    for seat in range(s.num_players):
        if s.status != RUNNING or one_of_them or knows(s.faith_seen[seat], player):
            v.faith[seat] = s.faith[seat]
    _open_night(s, v, one_of_them)
    _open_gifts(s, v, player)
    _open_missions(s, v, player)
    for place in range(S.GLIMPSES):
        by = s.glimpse_by[place]
        if by in (S.NONE, S.SEATS) or by == player:
            for kind in range(S.KINDS):
                v.glimpse_hand[place, kind] = s.glimpse_hand[place, kind]


@jit
def _open_night(s: State, v: State, one_of_them: bool) -> None:
    """B17: the same View whoever nominates, however many have, whatever they nominated."""
    if s.phase != Phase.NIGHT or one_of_them:
        v.actor = s.actor
        v.nominations = s.nominations
        for k in range(S.MOST_DEFECTORS):
            v.nominated[k] = s.nominated[k]


@jit
def _open_gifts(s: State, v: State, player: int) -> None:
    """B10, B11: the Hand knows what it puts in; the Eye, or all, when both are in."""
    is_hand = player >= 0 and player == s.hand_seat
    if is_hand or (s.gift_count == S.GIVEN and knows(s.given_known[s.mission], player)):
        for k in range(S.GIVEN):
            v.gift[k] = s.gift[k]
    for k in range(S.MOST_MISSIONS):
        if knows(s.given_known[k], player):
            v.mission_given[k] = s.mission_given[k]


@jit
def _open_missions(s: State, v: State, player: int) -> None:
    """What Heralds have seen is known to them alone."""
    if knows(s.next_seen, player):
        v.next_mission = s.next_mission
    for k in range(S.MOST_UNDER):
        if knows(s.under_seen[k], player):
            v.under[k] = s.under[k]


@jit
def determinize(s: State, viewer: int) -> None:
    """Fill ``s``, a copy of a View, with one of the worlds that lead to it.

    Faith: each assignment that the hard facts leave is as likely as any other; nights that the
    viewer slept through then went in any way that has their result. Missions that Heralds saw: any
    that are not accounted for. Virtues: every world in which hidden choices fall on each physical
    card alike is as likely as any other; see :mod:`.worlds`. The number of walks that it took is
    left in ``attempts``. A position made by hand, to which its log does not lead, is dealt without
    regard to the past, and secrets stay blank in its log.
    """
    count = s.log_count
    log = np.empty((count, COLUMNS), np.int16)
    for row in range(count):
        for column in range(COLUMNS):
            log[row, column] = s.log[row, column]
    deal_faith(s)
    memory = new_world()
    w: World = memory[0]
    if _choose_world(s, viewer, log, w):
        write_world(s, viewer, log, w)
    else:
        deal_anew(s, viewer, w)
    memory[0].made = 0  # keeps the memory until here: the record alone would not


@jit
def _choose_world(s: State, viewer: int, log: Cells, w: World) -> bool:
    """Leave in ``w`` a world drawn by Metropolis and Hastings among independent walks.

    A walk is kept by the state of the generator at its beginning and walked again in the end.
    Returns False if there is no world, because the log does not lead to the position.
    """
    wanted = max(_WALKS, _EVENTS // (log.shape[0] + 1))
    kept = s.rng_counter
    best = DEAD
    made = 0
    while made < wanted or (best == DEAD and made < S.MOST_WALKS):
        start = s.rng_counter
        weight = walk(s, viewer, log, w)
        made += 1
        s.attempts = made
        if w.broken == 1:
            return False
        if weight == DEAD:
            continue
        if w.mixed == 0:  # all walks have the same weight
            return True
        if best == DEAD or np.log((below(s, _FINE) + 0.5) / _FINE) < weight - best:
            best = weight
            kept = start
    end = s.rng_counter
    s.rng_counter = kept
    weight = walk(s, viewer, log, w)
    s.rng_counter = end
    return weight != DEAD
