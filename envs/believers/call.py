"""Part I, the Call for Disciples: Shame and the effects of Disciples (B4–B8, B11)."""

from __future__ import annotations

from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.chance import (
    draw_to_hand,
    fix_next_mission,
    pass_random_card,
    random_card,
)
from concilium.envs.believers.state import Effect, Event, Phase, Reason, State, Target, Trouble
from concilium.envs.believers.table import (
    bit,
    call,
    end_call,
    note_card,
    note_hand,
    pack_hand,
)
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event, log_public
from concilium.envs.core.state import Cells


@jit
def legal_call(s: State, mask: Cells) -> None:
    """B4: one Shame, one Disciple, in any order; who is mute can only be done."""
    seat = s.actor
    n = s.num_players
    mask[A.DONE] = 1
    if s.row_crisis == Trouble.MUTENESS and s.row_target == seat:
        return
    if s.shamed_now == 0 and s.shame_at[seat] == S.OWN:
        for relative in range(1, n):
            mask[A.SHAME + relative - 1] = 1
    if s.enlisted_now == 0:
        for name in range(S.DISCIPLES):
            if s.disciples[seat, name] > 0:
                _legal_targets(
                    n, A.ENLIST + S.SEATS * name, S.TARGETS[s.disciple_effect[name]], mask
                )


@jit
def _legal_targets(n: int, first: int, targets: int, mask: Cells) -> None:
    """B7: on nobody, on any player, or on another one."""
    if targets in (Target.ON_NOBODY, Target.ON_ANYBODY):
        mask[first] = 1
    if targets in (Target.ON_ANYBODY, Target.ON_OTHERS):
        for relative in range(1, n):
            mask[first + relative] = 1


@jit
def done(s: State) -> None:
    """The opportunity moves on; after the last, Part I is over."""
    s.asked = s.asked + 1
    if s.asked == s.num_players:
        end_call(s)
    else:
        call(s)


@jit
def shame(s: State, target: int) -> None:
    """B5: the own Shame card lies in front of another player until the end of the row."""
    s.shame_at[s.actor] = target
    s.shamed_now = 1
    log_public(s, Event.SHAMED, s.actor, target, 0, 0)


@jit
def enlist(s: State, name: int, target: int) -> None:
    """B6: the effect happens at once, and the Disciple leaves the game."""
    seat = s.actor
    effect = s.disciple_effect[name]
    s.disciples[seat, name] = s.disciples[seat, name] - 1
    s.gone[name] = s.gone[name] + 1
    s.enlisted_now = 1
    shown = target
    if S.TARGETS[effect] == Target.ON_NOBODY or S.TARGETS[effect] == Target.NEVER:
        shown = S.NOBODY
    readers = bit(seat)
    if effect == Effect.MENDICANT:
        readers |= bit(target)
    secret = _peek_or_take(s, effect, seat, target)
    log_event(s, Event.ENLISTED, seat, name, shown, 0, secret, readers, EVERYBODY)
    if effect == Effect.ALMONER:
        draw_to_hand(s, seat, Reason.BY_ALMONER)
    elif effect == Effect.INQUISITOR:
        log_event(s, Event.LOOKED, target, 0, 0, 0, 0, bit(seat), bit(seat))
        pack_hand(s, s.log_count - 1, target)
        note_hand(s, seat, target)
    elif effect == Effect.HERALD:
        s.phase = Phase.HERALDING
    else:
        _change_round(s, effect, seat, target)


@jit
def _peek_or_take(s: State, effect: int, seat: int, target: int) -> int:
    """B7: what the user of a Confidant, Mendicant, Oracle or Herald learns; NONE if nothing."""
    secret: int = S.NONE
    if effect == Effect.CONFIDANT and s.hand_count[target] > 0:
        secret = random_card(s, target)
        note_card(s, seat, target, secret)
    elif effect == Effect.MENDICANT:
        secret = pass_random_card(s, target, seat)
        if secret != S.NONE:
            note_card(s, target, seat, secret)
    elif effect == Effect.ORACLE:
        secret = s.faith[target]
        s.faith_seen[target] = s.faith_seen[target] | bit(seat)
    elif effect == Effect.HERALD:
        fix_next_mission(s)
        s.next_seen = s.next_seen | bit(seat)
        secret = s.next_mission
    return secret


@jit
def _change_round(s: State, effect: int, seat: int, target: int) -> None:
    """B5, B8, B11: effects on Shame and on what follows in this round."""
    if effect == Effect.PENITENT:
        s.gossip[target] = 0
        for other in range(s.num_players):
            if s.shame_at[other] == target:
                s.shame_at[other] = S.AWAY
    elif effect == Effect.GOSSIP:
        s.gossip[target] = s.gossip[target] + 1
    elif effect == Effect.DOORKEEPER:
        s.barred = s.barred | bit(target)
    elif effect == Effect.REGENT:
        s.eye = seat
    elif effect == Effect.WITNESS:
        s.witnesses = s.witnesses | bit(seat)
    elif effect == Effect.LANTERN:
        s.lantern = 1
    elif effect == Effect.APOSTLE:
        s.apostle = 1


@jit
def legal_heralding(mask: Cells) -> None:
    """The Mission peeked at may go under the deck."""
    mask[A.HERALD] = 1
    mask[A.HERALD + 1] = 1


@jit
def decide_mission(s: State, away: int) -> None:
    """Leave the Mission on top, or put it under the deck behind those put there before."""
    log_public(s, Event.HERALDED, s.actor, away, 0, 0)
    if away == 1:
        count = s.under_count
        s.under[count] = s.next_mission
        s.under_seen[count] = s.next_seen
        s.under_count = count + 1
        s.next_mission = S.NONE
        s.next_seen = 0
    s.phase = Phase.CALL
