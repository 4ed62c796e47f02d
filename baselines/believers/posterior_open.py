"""Evidence on Faith that everybody sees: choices of Hands, Shame, statements, nights. Compiled.

None of it depends on hidden cards, so it is exact under the behaviour model.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.behaviour import night_chance, target_chance
from concilium.baselines.believers.model import ACCUSE_PARTNER, PARTNER, SPARE, VOUCH_PARTNER
from concilium.envs.believers.state import (
    AWAY,
    BOUGHT,
    DEFECTORS,
    DISCIPLES,
    DISMISSED,
    DOORKEEPER,
    ENLISTED,
    GOSSIP,
    LAID_OUT,
    MOST_DEFECTORS,
    NOBODY,
    NONE,
    OWN,
    PENITENT,
    SEATS,
)
from concilium.envs.believers.table import bit, candidates
from concilium.envs.core.events import ACTOR, FIRST, KIND, SECOND, THIRD
from concilium.envs.core.jit import jit

_PARTNER: Final = PARTNER
_SPARE: Final = SPARE
_ACCUSE_PARTNER: Final = ACCUSE_PARTNER
_VOUCH_PARTNER: Final = VOUCH_PARTNER
_COUNTS: Final[NDArray[np.int64]] = np.array([seats.bit_count() for seats in range(1 << SEATS)])
_COUNTS.setflags(write=False)


@jit
def begin_table(v: Any, w: Any) -> None:
    """The table at the beginning, and no evidence yet."""
    n = np.int64(v.num_players)
    w.num_players = n
    w.last_hand = NOBODY
    w.barred = 0
    w.row_crisis = NONE
    w.row_target = NOBODY
    w.number = -1
    w.nights = 0
    for seat in range(SEATS):
        w.gossip[seat] = 0
        w.shame_at[seat] = OWN if v.shame_on == 1 else AWAY
        w.lone[seat] = 0.0
        for other in range(SEATS):
            w.both[seat, other] = 0.0
        for name in range(DISCIPLES):
            w.disciples[seat, name] = v.disciples[seat, name]
    for name in range(DISCIPLES):
        w.disciple_effect[name] = v.disciple_effect[name]
    _undo_disciples(v, w)


@jit
def expect_names(numbers: Any, w: Any) -> None:
    """What it says of a seat that it named a Defector, and that it named another one."""
    others = w.num_players - 1
    fellows = DEFECTORS[w.num_players] - 1
    for factor in (_SPARE, _ACCUSE_PARTNER, _VOUCH_PARTNER):
        lone = np.log(others * target_chance(numbers, factor, 0, fellows, others))
        both = np.log(others * target_chance(numbers, factor, 1, fellows, others))
        w.named[factor, 0] = lone
        w.named[factor, 1] = both - lone


@jit
def _undo_disciples(v: Any, w: Any) -> None:
    """From the Disciples in front of everybody now back to those that were dealt."""
    paying = v.buying != NONE
    for row in range(np.int64(v.log_count) - 1, -1, -1):
        event = np.int64(v.log[row, KIND])
        seat = np.int64(v.log[row, ACTOR])
        name = np.int64(v.log[row, FIRST])
        if event in (ENLISTED, DISMISSED):
            w.disciples[seat, name] += 1
        elif event == BOUGHT:
            if not paying:
                w.disciples[seat, name] -= 1
            paying = False


# Events --------------------------------------------------------------------------------------


@jit
def follow_disciple(v: Any, row: Any, w: Any) -> None:
    """What a Disciple changes about who can be the Hand (B5, B7)."""
    seat = np.int64(v.log[row, ACTOR])
    name = np.int64(v.log[row, FIRST])
    target = np.int64(v.log[row, SECOND])
    effect = w.disciple_effect[name]
    w.disciples[seat, name] -= 1
    if effect == PENITENT:
        w.gossip[target] = 0
        for other in range(w.num_players):
            if w.shame_at[other] == target:
                w.shame_at[other] = AWAY
    elif effect == GOSSIP:
        w.gossip[target] += 1
    elif effect == DOORKEEPER:
        w.barred |= bit(target)


@jit
def follow_owner(v: Any, row: Any, w: Any) -> None:
    """A Disciple comes to a player, or is dismissed: Guardians count (B5)."""
    event = np.int64(v.log[row, KIND])
    if event == BOUGHT:
        w.disciples[np.int64(v.log[row, ACTOR]), np.int64(v.log[row, FIRST])] += 1
    elif event == DISMISSED:
        w.disciples[np.int64(v.log[row, ACTOR]), np.int64(v.log[row, FIRST])] -= 1


@jit
def end_row(v: Any, w: Any) -> None:
    """Shame, Gossip and the Crisis of the row end."""
    w.row_crisis = NONE
    w.row_target = NOBODY
    for seat in range(w.num_players):
        w.gossip[seat] = 0
        if v.shame_on == 1:
            w.shame_at[seat] = OWN


@jit
def follow_crisis(v: Any, numbers: Any, row: Any, w: Any, count: Any) -> None:
    """A Crisis was laid: by whom, tells whom it hit."""
    n = w.num_players
    target = np.int64(v.log[row, SECOND])
    some = DEFECTORS[n]
    crises = np.int64(LAID_OUT) - w.nights
    w.nights += 1
    for place in range(-1, some):
        chance = night_chance(numbers, place, n, some, crises)
        w.night[place + 1] = np.log(max(chance, 1e-300))  # 0 only where hard facts rule it out
    for k in range(count):
        w.logs[k] += w.night[1 + _place_of(w.sets[k], target, w.turn, n)]
    if v.log[row, THIRD] == 0:
        w.row_crisis = v.crisis_effect[np.int64(v.log[row, FIRST])]
        w.row_target = target


@jit
def _place_of(sets: Any, target: Any, turn: Any, n: Any) -> Any:
    """Place of a seat among the Defectors clockwise from the next Eye, -1 if it is none."""
    if (sets >> target) & 1 == 0:
        return np.int64(-1)
    place = np.int64(0)
    for k in range(n):
        seat = (turn + k) % n
        if seat == target:
            return place
        place += (sets >> seat) & 1
    return place


@jit
def follow_choice(v: Any, numbers: Any, row: Any, w: Any, count: Any) -> None:
    """Whom the Eye made the Hand, of those that it could choose (B9)."""
    eye = np.int64(v.log[row, ACTOR])
    hand = np.int64(v.log[row, FIRST])
    w.eye = eye
    free, _ = candidates(w)
    size = _COUNTS[free]
    for fellows in range(min(size + 1, MOST_DEFECTORS)):
        for fellow in range(2):
            w.choice[fellow, fellows] = np.log(
                size * target_chance(numbers, _PARTNER, fellow, fellows, size)
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
def follow_shame(v: Any, row: Any, w: Any) -> None:
    """Whom a player shamed."""
    seat = np.int64(v.log[row, ACTOR])
    target = np.int64(v.log[row, FIRST])
    w.shame_at[seat] = target
    _name(_SPARE, seat, target, np.int64(1), w)


@jit
def weigh_statements(v: Any, w: Any) -> None:
    """Whom players accused and vouched for so far."""
    for seat in range(w.num_players):
        for target in range(w.num_players):
            if v.accused[seat, target] > 0:
                _name(_ACCUSE_PARTNER, seat, target, np.int64(v.accused[seat, target]), w)
            if v.vouched[seat, target] > 0:
                _name(_VOUCH_PARTNER, seat, target, np.int64(v.vouched[seat, target]), w)


@jit
def _name(factor: Any, seat: Any, target: Any, times: Any, w: Any) -> None:
    """One of all others was named, a Defector among them preferred by a factor."""
    w.lone[seat] += times * w.named[factor, 0]
    w.both[seat, target] += times * w.named[factor, 1]
