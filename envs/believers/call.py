"""Part I, the Call for Disciples: Shame and the effects of Disciples (B4–B8, B11)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers.chance import (
    draw_to_hand,
    fix_next_mission,
    pass_random_card,
    random_card,
)
from concilium.envs.believers.state import (
    ALMONER,
    APOSTLE,
    AWAY,
    BY_ALMONER,
    CALL,
    CONFIDANT,
    DISCIPLES,
    DOORKEEPER,
    ENLISTED,
    GOSSIP,
    HERALD,
    HERALDED,
    HERALDING,
    INQUISITOR,
    LANTERN,
    LOOKED,
    MENDICANT,
    MUTENESS,
    NEVER,
    NOBODY,
    NONE,
    ON_ANYBODY,
    ON_NOBODY,
    ON_OTHERS,
    ORACLE,
    OWN,
    PENITENT,
    REGENT,
    SEATS,
    SHAMED,
    TARGETS,
    WITNESS,
)
from concilium.envs.believers.table import (
    bit,
    call,
    end_call,
    note_card,
    note_hand,
    pack_hand,
)
from concilium.envs.core.events import EVERYBODY, log_event, log_public
from concilium.envs.core.jit import jit

_DONE: Final = A.DONE
_SHAME: Final = A.SHAME
_ENLIST: Final = A.ENLIST
_HERALD: Final = A.HERALD


@jit
def legal_call(s: Any, mask: Any) -> None:
    """B4: one Shame, one Disciple, in any order; who is mute can only be done."""
    seat = np.int64(s.actor)
    n = np.int64(s.num_players)
    mask[_DONE] = 1
    if s.row_crisis == MUTENESS and s.row_target == seat:
        return
    if s.shamed_now == 0 and s.shame_at[seat] == OWN:
        for relative in range(1, n):
            mask[_SHAME + relative - 1] = 1
    if s.enlisted_now == 0:
        for name in range(DISCIPLES):
            if s.disciples[seat, name] > 0:
                _legal_targets(
                    n, _ENLIST + SEATS * name, TARGETS[np.int64(s.disciple_effect[name])], mask
                )


@jit
def _legal_targets(n: Any, first: Any, targets: Any, mask: Any) -> None:
    """B7: on nobody, on any player, or on another one."""
    if targets in (ON_NOBODY, ON_ANYBODY):
        mask[first] = 1
    if targets in (ON_ANYBODY, ON_OTHERS):
        for relative in range(1, n):
            mask[first + relative] = 1


@jit
def done(s: Any) -> None:
    """The opportunity moves on; after the last, Part I is over."""
    s.asked = np.int64(s.asked) + 1
    if s.asked == s.num_players:
        end_call(s)
    else:
        call(s)


@jit
def shame(s: Any, target: Any) -> None:
    """B5: the own Shame card lies in front of another player until the end of the row."""
    s.shame_at[np.int64(s.actor)] = target
    s.shamed_now = 1
    log_public(s, SHAMED, s.actor, target, 0, 0)


@jit
def enlist(s: Any, name: Any, target: Any) -> None:
    """B6: the effect happens at once, and the Disciple leaves the game."""
    seat = np.int64(s.actor)
    effect = np.int64(s.disciple_effect[name])
    s.disciples[seat, name] = np.int64(s.disciples[seat, name]) - 1
    s.gone[name] = np.int64(s.gone[name]) + 1
    s.enlisted_now = 1
    shown = target
    if TARGETS[effect] == ON_NOBODY or TARGETS[effect] == NEVER:
        shown = np.int64(NOBODY)
    readers = bit(seat)
    if effect == MENDICANT:
        readers |= bit(target)
    secret = _peek_or_take(s, effect, seat, target)
    log_event(s, ENLISTED, seat, name, shown, 0, secret, readers, EVERYBODY)
    if effect == ALMONER:
        draw_to_hand(s, seat, BY_ALMONER)
    elif effect == INQUISITOR:
        log_event(s, LOOKED, target, 0, 0, 0, 0, bit(seat), bit(seat))
        pack_hand(s, np.int64(s.log_count) - 1, target)
        note_hand(s, seat, target)
    elif effect == HERALD:
        s.phase = HERALDING
    else:
        _change_round(s, effect, seat, target)


@jit
def _peek_or_take(s: Any, effect: Any, seat: Any, target: Any) -> Any:
    """B7: what the user of a Confidant, Mendicant, Oracle or Herald learns; NONE if nothing."""
    secret: Any = np.int64(NONE)
    if effect == CONFIDANT and s.hand_count[target] > 0:
        secret = random_card(s, target)
        note_card(s, seat, target, secret)
    elif effect == MENDICANT:
        secret = pass_random_card(s, target, seat)
        if secret != NONE:
            note_card(s, target, seat, secret)
    elif effect == ORACLE:
        secret = np.int64(s.faith[target])
        s.faith_seen[target] = np.int64(s.faith_seen[target]) | bit(seat)
    elif effect == HERALD:
        fix_next_mission(s)
        s.next_seen = np.int64(s.next_seen) | bit(seat)
        secret = np.int64(s.next_mission)
    return secret


@jit
def _change_round(s: Any, effect: Any, seat: Any, target: Any) -> None:
    """B5, B8, B11: effects on Shame and on what follows in this round."""
    if effect == PENITENT:
        s.gossip[target] = 0
        for other in range(np.int64(s.num_players)):
            if s.shame_at[other] == target:
                s.shame_at[other] = AWAY
    elif effect == GOSSIP:
        s.gossip[target] = np.int64(s.gossip[target]) + 1
    elif effect == DOORKEEPER:
        s.barred = np.int64(s.barred) | bit(target)
    elif effect == REGENT:
        s.eye = seat
    elif effect == WITNESS:
        s.witnesses = np.int64(s.witnesses) | bit(seat)
    elif effect == LANTERN:
        s.lantern = 1
    elif effect == APOSTLE:
        s.apostle = 1


@jit
def legal_heralding(mask: Any) -> None:
    """The Mission peeked at may go under the deck."""
    mask[_HERALD] = 1
    mask[_HERALD + 1] = 1


@jit
def decide_mission(s: Any, away: Any) -> None:
    """Leave the Mission on top, or put it under the deck behind those put there before."""
    log_public(s, HERALDED, s.actor, away, 0, 0)
    if away == 1:
        count = np.int64(s.under_count)
        s.under[count] = s.next_mission
        s.under_seen[count] = s.next_seen
        s.under_count = count + 1
        s.next_mission = NONE
        s.next_seen = 0
    s.phase = CALL
