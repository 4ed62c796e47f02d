"""The Crisis of faith: what the Defectors do at night, and what comes of it (B16, B17)."""

from __future__ import annotations

from typing import Final

from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.chance import pass_random_card, remove_card
from concilium.envs.believers.indoctrination import begin_indoctrination
from concilium.envs.believers.state import Effect, Event, Faith, Phase, State, Trouble
from concilium.envs.believers.table import (
    bit,
    defectors,
    note_card,
    note_hand,
    pack_hand,
    steadfast,
)
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, NOBODY, log_event, log_public
from concilium.envs.core.state import Cells

_MOST_DUE: Final = 2  # Virtues that a Fast or Tithe takes


@jit
def begin_night(s: State) -> None:
    """B16: the Defectors are asked one after the other, from the next Eye clockwise."""
    if s.crises_on == 0:
        begin_indoctrination(s)
        return
    s.phase = Phase.NIGHT
    s.nominations = 0
    s.actor = nominator(s, 0)


@jit
def nominator(s: State, place: int) -> int:
    """The Defector who nominates after ``place`` others."""
    n = s.num_players
    left = place
    for k in range(n):
        seat = (s.turn + k) % n
        if s.faith[seat] == Faith.DEFECTOR:
            if left == 0:
                return seat
            left -= 1
    return NOBODY


@jit
def legal_nominations(s: State, mask: Cells) -> None:
    """B16: any Crisis on the table, any target but oneself."""
    for k in range(S.LAID_OUT):
        if s.crises[k] != S.NONE:
            first = A.NOMINATE + A.OPPONENTS * s.crises[k]
            for relative in range(1, s.num_players):
                mask[first + relative - 1] = 1


@jit
def nominate(s: State, name: int, target: int) -> None:
    """B17: a row that Defectors alone know of; after the last of them one Crisis is laid."""
    count = s.nominations
    known = defectors(s)
    s.nominated[count] = S.SEATS * name + target
    s.nominations = count + 1
    log_event(s, Event.NOMINATED, s.actor, name, target, 0, S.NONE, known, known)
    if count + 1 < S.DEFECTORS[s.num_players]:
        s.actor = nominator(s, count + 1)
    else:
        _lay(s, elected(s.nominated, count + 1))


@jit
def elected(nominated: Cells, count: int) -> int:
    """B16: the pair with the most nominations; of equal ones the one made earliest."""
    best: int = S.NONE
    most = 0
    for k in range(count):
        votes = 0
        for other in range(count):
            votes += int(nominated[other] == nominated[k])
        if votes > most:
            most = votes
            best = nominated[k]
    return best


@jit
def _lay(s: State, chosen: int) -> None:
    """The Crisis is used up; a Guardian in front of its target keeps it off."""
    name = chosen // S.SEATS
    target = chosen % S.SEATS
    for k in range(s.nominated.shape[0]):
        s.nominated[k] = S.NONE
    s.nominations = 0
    for k in range(S.LAID_OUT):
        if s.crises[k] == name:
            s.crises[k] = S.NONE
    guarded = int(steadfast(s, target, Effect.GUARDIAN) > 0)
    log_public(s, Event.LAID, S.NONE, name, target, guarded)
    if guarded == 1:
        begin_indoctrination(s)
    else:
        _comply(s, s.crisis_effect[name], target)


@jit
def _comply(s: State, effect: int, target: int) -> None:
    """What binds in the next row is noted; the rest happens now."""
    s.actor = target
    if effect == Trouble.FAST:
        s.due = min(s.hand_count[target], _MOST_DUE)
        if s.due > 0:
            s.phase = Phase.FASTING
            return
    elif effect == Trouble.DOUBT:
        if _owns_disciples(s, target):
            s.phase = Phase.DOUBTING
            return
    elif effect == Trouble.TESTIMONY:
        log_event(s, Event.SHOWN, target, 0, 0, 0, 0, EVERYBODY, EVERYBODY)
        pack_hand(s, s.log_count - 1, target)
        note_hand(s, S.SEATS, target)
    elif effect == Trouble.TITHE:
        _tithe(s, target)
    else:
        s.row_crisis = effect
        s.row_target = target
    begin_indoctrination(s)


@jit
def _owns_disciples(s: State, seat: int) -> bool:
    count = 0
    for name in range(S.DISCIPLES):
        count += s.disciples[seat, name]
    return count > 0


@jit
def _tithe(s: State, giver: int) -> None:
    """B7: both parties learn the Virtues, the others that cards moved."""
    taker = (giver + 1) % s.num_players
    for _ in range(_MOST_DUE):
        kind = pass_random_card(s, giver, taker)
        if kind != S.NONE:
            note_card(s, giver, taker, kind)
            both = bit(giver) | bit(taker)
            log_event(s, Event.TITHED, giver, taker, 0, 0, kind, both, EVERYBODY)


# Fast and Doubt ------------------------------------------------------------------------------


@jit
def legal_discards(s: State, mask: Cells) -> None:
    """Any Virtue in hand."""
    for kind in range(S.KINDS):
        if s.hand[s.actor, kind] > 0:
            mask[A.DISCARD + kind] = 1


@jit
def fast(s: State, kind: int) -> None:
    """Discard one Virtue face up."""
    seat = s.actor
    remove_card(s, seat, kind)
    s.discards[kind] = s.discards[kind] + 1
    s.due = s.due - 1
    log_public(s, Event.DISCARDED, seat, kind, S.NONE, S.NONE)
    if s.due == 0:
        begin_indoctrination(s)


@jit
def legal_dismissals(s: State, mask: Cells) -> None:
    """Any Disciple in front of the target, Steadfast ones included."""
    for name in range(S.DISCIPLES):
        if s.disciples[s.actor, name] > 0:
            mask[A.DISMISS + name] = 1


@jit
def dismiss(s: State, name: int) -> None:
    """The Disciple leaves the game."""
    seat = s.actor
    s.disciples[seat, name] = s.disciples[seat, name] - 1
    s.gone[name] = s.gone[name] + 1
    log_public(s, Event.DISMISSED, seat, name, 0, 0)
    begin_indoctrination(s)
