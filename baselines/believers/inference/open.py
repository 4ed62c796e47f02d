"""Evidence on Faith that everybody sees: choices of Hands, Shame, statements, nights. Compiled.

None of it depends on hidden cards, so it is exact under the behaviour model.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.inference.behaviour import night_chance, target_chance
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.believers.inference.work import Naming, Work
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect, Event, State
from concilium.envs.believers.table import bit, candidates
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECOND, THIRD

_COUNTS: Final[NDArray[np.int64]] = np.array([seats.bit_count() for seats in range(1 << S.SEATS)])
_COUNTS.setflags(write=False)


@jit
def begin_table(v: State, w: Work) -> None:
    """The table at the beginning, and no evidence yet."""
    n = v.num_players
    w.num_players = n
    w.last_hand = S.NOBODY
    w.barred = 0
    w.row_crisis = S.NONE
    w.row_target = S.NOBODY
    w.number = -1
    w.nights = 0
    for seat in range(S.SEATS):
        w.gossip[seat] = 0
        w.shame_at[seat] = S.OWN if v.shame_on == 1 else S.AWAY
        w.lone[seat] = 0.0
        for other in range(S.SEATS):
            w.both[seat, other] = 0.0
        for name in range(S.DISCIPLES):
            w.disciples[seat, name] = v.disciples[seat, name]
    for name in range(S.DISCIPLES):
        w.disciple_effect[name] = v.disciple_effect[name]
    _undo_disciples(v, w)


@jit
def expect_names(model: BehaviourModel, w: Work) -> None:
    """What it says of a seat that it named a Defector, and that it named another one."""
    others = w.num_players - 1
    fellows = S.DEFECTORS[w.num_players] - 1
    for naming in (Naming.SHAMED, Naming.ACCUSED, Naming.VOUCHED):
        factor = model.spare
        if naming == Naming.ACCUSED:
            factor = model.accuse_partner
        elif naming == Naming.VOUCHED:
            factor = model.vouch_partner
        lone = np.log(others * target_chance(model, factor, 0, fellows, others))
        both = np.log(others * target_chance(model, factor, 1, fellows, others))
        w.named[naming, 0] = lone
        w.named[naming, 1] = both - lone


@jit
def _undo_disciples(v: State, w: Work) -> None:
    """From the Disciples in front of everybody now back to those that were dealt."""
    paying = v.buying != S.NONE
    for row in range(v.log_count - 1, -1, -1):
        event = v.log[row, EVENT]
        seat = v.log[row, ACTOR]
        name = v.log[row, FIRST]
        if event in (Event.ENLISTED, Event.DISMISSED):
            w.disciples[seat, name] += 1
        elif event == Event.BOUGHT:
            if not paying:
                w.disciples[seat, name] -= 1
            paying = False


# Events --------------------------------------------------------------------------------------


@jit
def follow_disciple(v: State, row: int, w: Work) -> None:
    """What a Disciple changes about who can be the Hand (B5, B7)."""
    seat = v.log[row, ACTOR]
    name = v.log[row, FIRST]
    target = v.log[row, SECOND]
    effect = w.disciple_effect[name]
    w.disciples[seat, name] -= 1
    if effect == Effect.PENITENT:
        w.gossip[target] = 0
        for other in range(w.num_players):
            if w.shame_at[other] == target:
                w.shame_at[other] = S.AWAY
    elif effect == Effect.GOSSIP:
        w.gossip[target] += 1
    elif effect == Effect.DOORKEEPER:
        w.barred |= bit(target)


@jit
def follow_owner(v: State, row: int, w: Work) -> None:
    """A Disciple comes to a player, or is dismissed: Guardians count (B5)."""
    event = v.log[row, EVENT]
    if event == Event.BOUGHT:
        w.disciples[v.log[row, ACTOR], v.log[row, FIRST]] += 1
    elif event == Event.DISMISSED:
        w.disciples[v.log[row, ACTOR], v.log[row, FIRST]] -= 1


@jit
def end_row(v: State, w: Work) -> None:
    """Shame, Gossip and the Crisis of the row end."""
    w.row_crisis = S.NONE
    w.row_target = S.NOBODY
    for seat in range(w.num_players):
        w.gossip[seat] = 0
        if v.shame_on == 1:
            w.shame_at[seat] = S.OWN


@jit
def follow_crisis(v: State, model: BehaviourModel, row: int, w: Work, count: int) -> None:
    """A Crisis was laid: by whom, tells whom it hit."""
    n = w.num_players
    target = v.log[row, SECOND]
    some = S.DEFECTORS[n]
    crises = S.LAID_OUT - w.nights
    w.nights += 1
    for place in range(-1, some):
        chance = night_chance(model, place, n, some, crises)
        w.night[place + 1] = np.log(max(chance, 1e-300))  # 0 only where hard facts rule it out
    for k in range(count):
        w.logs[k] += w.night[1 + _place_of(w.sets[k], target, w.turn, n)]
    if v.log[row, THIRD] == 0:
        w.row_crisis = v.crisis_effect[v.log[row, FIRST]]
        w.row_target = target


@jit
def _place_of(sets: int, target: int, turn: int, n: int) -> int:
    """Place of a seat among the Defectors clockwise from the next Eye, -1 if it is none."""
    if (sets >> target) & 1 == 0:
        return -1
    place = 0
    for k in range(n):
        seat = (turn + k) % n
        if seat == target:
            return place
        place += (sets >> seat) & 1
    return place


@jit
def follow_choice(v: State, model: BehaviourModel, row: int, w: Work, count: int) -> None:
    """Whom the Eye made the Hand, of those that it could choose (B9)."""
    eye = v.log[row, ACTOR]
    hand = v.log[row, FIRST]
    w.eye = eye
    table: Any = w  # the fields of the State that are read here have the same names
    free, _ = candidates(table)
    size = _COUNTS[free]
    for fellows in range(min(size + 1, S.MOST_DEFECTORS)):
        for fellow in range(2):
            w.choice[fellow, fellows] = np.log(
                size * target_chance(model, model.partner, fellow, fellows, size)
            )
    for k in range(count):
        if (w.sets[k] >> eye) & 1 == 1:
            w.logs[k] += w.choice[(w.sets[k] >> hand) & 1, _COUNTS[w.sets[k] & free]]
    w.last_hand = hand
    w.barred = 0
    w.turn = (w.turn + 1) % w.num_players
    w.number += 1


# Whom players name -----------------------------------------------------------------------------


@jit
def follow_shame(v: State, row: int, w: Work) -> None:
    """Whom a player shamed."""
    seat = v.log[row, ACTOR]
    target = v.log[row, FIRST]
    w.shame_at[seat] = target
    _name(Naming.SHAMED, seat, target, 1, w)


@jit
def weigh_statements(v: State, w: Work) -> None:
    """Whom players accused and vouched for so far."""
    for seat in range(w.num_players):
        for target in range(w.num_players):
            if v.accused[seat, target] > 0:
                _name(Naming.ACCUSED, seat, target, v.accused[seat, target], w)
            if v.vouched[seat, target] > 0:
                _name(Naming.VOUCHED, seat, target, v.vouched[seat, target], w)


@jit
def _name(naming: int, seat: int, target: int, times: int, w: Work) -> None:
    """One of all others was named, a Defector among them preferred or spared."""
    w.lone[seat] += times * w.named[naming, 0]
    w.both[seat, target] += times * w.named[naming, 1]
