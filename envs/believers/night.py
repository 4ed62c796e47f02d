"""The Crisis of faith: what the Defectors do at night, and what comes of it (B16, B17)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers.chance import pass_random_card, remove_card
from concilium.envs.believers.indoctrination import begin_indoctrination
from concilium.envs.believers.state import (
    DEFECTOR,
    DEFECTORS,
    DISCARDED,
    DISCIPLES,
    DISMISSED,
    DOUBT,
    DOUBTING,
    FAST,
    FASTING,
    GUARDIAN,
    KINDS,
    LAID,
    LAID_OUT,
    NIGHT,
    NOMINATED,
    NONE,
    SEATS,
    SHOWN,
    TESTIMONY,
    TITHE,
    TITHED,
)
from concilium.envs.believers.table import (
    bit,
    defectors,
    note_card,
    note_hand,
    pack_hand,
    steadfast,
)
from concilium.envs.core.events import EVERYBODY, NOBODY, log_event, log_public
from concilium.envs.core.jit import jit

_OPPONENTS: Final = A.OPPONENTS
_NOMINATE: Final = A.NOMINATE
_DISCARD: Final = A.DISCARD
_DISMISS: Final = A.DISMISS
_MOST_DUE: Final = 2  # Virtues that a Fast or Tithe takes


@jit
def begin_night(s: Any) -> None:
    """B16: the Defectors are asked one after the other, from the next Eye clockwise."""
    if s.crises_on == 0:
        begin_indoctrination(s)
        return
    s.phase = NIGHT
    s.nominations = 0
    s.actor = nominator(s, 0)


@jit
def nominator(s: Any, place: Any) -> Any:
    """The Defector who nominates after ``place`` others."""
    n = np.int64(s.num_players)
    left = place
    for k in range(n):
        seat = (np.int64(s.turn) + k) % n
        if s.faith[seat] == DEFECTOR:
            if left == 0:
                return seat
            left -= 1
    return NOBODY


@jit
def legal_nominations(s: Any, mask: Any) -> None:
    """B16: any Crisis on the table, any target but oneself."""
    for k in range(LAID_OUT):
        if s.crises[k] != NONE:
            first = _NOMINATE + _OPPONENTS * np.int64(s.crises[k])
            for relative in range(1, np.int64(s.num_players)):
                mask[first + relative - 1] = 1


@jit
def nominate(s: Any, name: Any, target: Any) -> None:
    """B17: a row that Defectors alone know of; after the last of them one Crisis is laid."""
    count = np.int64(s.nominations)
    known = defectors(s)
    s.nominated[count] = SEATS * name + target
    s.nominations = count + 1
    log_event(s, NOMINATED, s.actor, name, target, 0, NONE, known, known)
    if count + 1 < DEFECTORS[np.int64(s.num_players)]:
        s.actor = nominator(s, count + 1)
    else:
        _lay(s, elected(s.nominated, count + 1))


@jit
def elected(nominated: Any, count: Any) -> Any:
    """B16: the pair with the most nominations; of equal ones the one made earliest."""
    best: Any = np.int64(NONE)
    most = np.int64(0)
    for k in range(count):
        votes = np.int64(0)
        for other in range(count):
            votes += np.int64(nominated[other] == nominated[k])
        if votes > most:
            most = votes
            best = np.int64(nominated[k])
    return best


@jit
def _lay(s: Any, chosen: Any) -> None:
    """The Crisis is used up; a Guardian in front of its target keeps it off."""
    name = chosen // SEATS
    target = chosen % SEATS
    for k in range(s.nominated.shape[0]):
        s.nominated[k] = NONE
    s.nominations = 0
    for k in range(LAID_OUT):
        if s.crises[k] == name:
            s.crises[k] = NONE
    guarded = np.int64(steadfast(s, target, GUARDIAN) > 0)
    log_public(s, LAID, NONE, name, target, guarded)
    if guarded == 1:
        begin_indoctrination(s)
    else:
        _comply(s, np.int64(s.crisis_effect[name]), target)


@jit
def _comply(s: Any, effect: Any, target: Any) -> None:
    """What binds in the next row is noted; the rest happens now."""
    s.actor = target
    if effect == FAST:
        s.due = min(np.int64(s.hand_count[target]), _MOST_DUE)
        if s.due > 0:
            s.phase = FASTING
            return
    elif effect == DOUBT:
        if _owns_disciples(s, target):
            s.phase = DOUBTING
            return
    elif effect == TESTIMONY:
        log_event(s, SHOWN, target, 0, 0, 0, 0, EVERYBODY, EVERYBODY)
        pack_hand(s, np.int64(s.log_count) - 1, target)
        note_hand(s, SEATS, target)
    elif effect == TITHE:
        _tithe(s, target)
    else:
        s.row_crisis = effect
        s.row_target = target
    begin_indoctrination(s)


@jit
def _owns_disciples(s: Any, seat: Any) -> Any:
    count = np.int64(0)
    for name in range(DISCIPLES):
        count += np.int64(s.disciples[seat, name])
    return count > 0


@jit
def _tithe(s: Any, giver: Any) -> None:
    """B7: both parties learn the Virtues, the others that cards moved."""
    taker = (giver + 1) % np.int64(s.num_players)
    for _ in range(_MOST_DUE):
        kind = pass_random_card(s, giver, taker)
        if kind != NONE:
            note_card(s, giver, taker, kind)
            both = bit(giver) | bit(taker)
            log_event(s, TITHED, giver, taker, 0, 0, kind, both, EVERYBODY)


# Fast and Doubt ------------------------------------------------------------------------------


@jit
def legal_discards(s: Any, mask: Any) -> None:
    """Any Virtue in hand."""
    for kind in range(KINDS):
        if s.hand[np.int64(s.actor), kind] > 0:
            mask[_DISCARD + kind] = 1


@jit
def fast(s: Any, kind: Any) -> None:
    """Discard one Virtue face up."""
    seat = np.int64(s.actor)
    remove_card(s, seat, kind)
    s.discards[kind] = np.int64(s.discards[kind]) + 1
    s.due = np.int64(s.due) - 1
    log_public(s, DISCARDED, seat, kind, NONE, NONE)
    if s.due == 0:
        begin_indoctrination(s)


@jit
def legal_dismissals(s: Any, mask: Any) -> None:
    """Any Disciple in front of the target, Steadfast ones included."""
    for name in range(DISCIPLES):
        if s.disciples[np.int64(s.actor), name] > 0:
            mask[_DISMISS + name] = 1


@jit
def dismiss(s: Any, name: Any) -> None:
    """The Disciple leaves the game."""
    seat = np.int64(s.actor)
    s.disciples[seat, name] = np.int64(s.disciples[seat, name]) - 1
    s.gone[name] = np.int64(s.gone[name]) + 1
    log_public(s, DISMISSED, seat, name, 0, 0)
    begin_indoctrination(s)
