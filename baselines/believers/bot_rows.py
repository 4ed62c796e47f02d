"""The rule bots between rows: Crises, and buying Disciples (B16, B20)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.bot_mission import plays_for_failure
from concilium.baselines.believers.character import RESERVE, WITS
from concilium.baselines.believers.mind import appraise, least_suspected, pick_card, suspect
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import (
    BLINDNESS,
    DEFECTOR,
    DISCIPLES,
    DOUBT,
    EFFECTS,
    FAST,
    LAID_OUT,
    NONE,
    SEATS,
    TESTIMONY,
    TITHE,
    TROUBLES,
)
from concilium.envs.core.jit import jit

_NOMINATE: Final = A.NOMINATE
_OPPONENTS: Final = A.OPPONENTS
_DISCARD: Final = A.DISCARD
_DISMISS: Final = A.DISMISS
_BUY: Final = A.BUY
_PASS: Final = A.PASS


def _by(names: tuple[str, ...], wanted: dict[str, int]) -> Any:
    table = np.array([wanted.get(name, 0) for name in names], np.int64)
    table.setflags(write=False)
    return table


# what blocks and what looks; an Almoner costs as much as it brings
_DEAR: Final = _by(
    EFFECTS,
    {
        "regent": 9, "apostle": 8, "oracle": 7, "doorkeeper": 6, "lantern": 5, "gleaner": 4,
        "witness": 3, "guardian": 2, "gossip": 1,
    },
)  # fmt: skip
# an Apostle or an Oracle is bought so that nobody else has it
_DEAR_TO_DEFECTORS: Final = _by(
    EFFECTS,
    {"regent": 9, "doorkeeper": 8, "guardian": 7, "apostle": 6, "oracle": 5, "gossip": 4,
     "mendicant": 3, "penitent": 2},
)  # fmt: skip
# a trusted player who cannot be the Hand, or cannot shame, is what hurts most
_GRIM: Final = _by(
    TROUBLES,
    {"exile": 8, "muteness": 7, "blindness": 6, "doubt": 5, "tithe": 4, "poverty": 3, "fast": 2,
     "testimony": 1},
)  # fmt: skip


@jit
def nominate(v: Any, numbers: Any, draws: Any, desk: Any, work: Any) -> Any:
    """The pair that the first Defector named; or the worst Crisis on the most trusted player."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    if v.nominations > 0:
        first = np.int64(v.nominated[0])
        relative = (first % SEATS - seat) % n
        if relative != 0:
            return _NOMINATE + _OPPONENTS * (first // SEATS) + relative - 1
    if numbers[WITS] == 0.0:
        return _at_random(v, draws)
    suspect(v, numbers, desk, work)
    target = least_suspected(v, desk, np.int64(1))
    if target == NONE:  # Guardians everywhere
        target = least_suspected(v, desk, np.int64(0))
    crisis: Any = np.int64(NONE)
    most = -1
    for k in range(LAID_OUT):
        name = np.int64(v.crises[k])
        if name == NONE:
            continue
        grim = _GRIM[np.int64(v.crisis_effect[name])]
        if v.crisis_effect[name] == BLINDNESS and not _will_be_eye(v, target):
            grim = 0
        takes = v.crisis_effect[name] in (FAST, TESTIMONY, TITHE)
        if takes and v.hand_count[target] == 0:
            grim = 0
        if v.crisis_effect[name] == DOUBT and v.disciples[target].max() == 0:
            grim = 0
        if grim > most:
            most = grim
            crisis = name
    return _NOMINATE + _OPPONENTS * crisis + (target - seat) % n - 1


@jit
def _at_random(v: Any, draws: Any) -> Any:
    """Any Crisis on any True Believer."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    crises = np.int64(0)
    for k in range(LAID_OUT):
        crises += np.int64(v.crises[k] != NONE)
    left = np.int64(draws[0] * crises)
    crisis: Any = np.int64(NONE)
    for k in range(LAID_OUT):
        if v.crises[k] != NONE:
            if left == 0:
                crisis = np.int64(v.crises[k])
            left -= 1
    relative = 1 + np.int64(draws[1] * (n - 1))
    for _ in range(n):
        if v.faith[(seat + relative) % n] != DEFECTOR:
            break
        relative = 1 + relative % (n - 1)
    return _NOMINATE + _OPPONENTS * crisis + relative - 1


@jit
def _will_be_eye(v: Any, seat: Any) -> Any:
    """Whether its turn as Eye comes in the row that begins after this night."""
    distance = (seat - np.int64(v.turn)) % np.int64(v.num_players)
    row = np.int64(v.row)
    return row < v.num_rows and distance < v.row_length[row]


@jit
def discard(v: Any, numbers: Any, desk: Any) -> Any:
    """The Virtue that is worth least to one's side: Defectors awake have no use for good ones."""
    appraise(v, desk)
    seat = np.int64(v.actor)
    dear = np.int64(plays_for_failure(v, numbers) and numbers[WITS] > 0.0)
    return _DISCARD + pick_card(v.hand[seat], desk.worth, np.int64(NONE), 0, dear)


@jit
def dismiss(v: Any, mask: Any) -> Any:
    """The Disciple that is wanted least."""
    best: Any = np.int64(NONE)
    for name in range(DISCIPLES):
        if mask[_DISMISS + name] == 1 and (best == NONE or _dear(v, name) < _dear(v, best)):
            best = np.int64(name)
    return _DISMISS + best


@jit
def buy(v: Any, numbers: Any, mask: Any) -> Any:
    """The Disciple that is wanted most of those that leave enough Virtues; or pass."""
    if numbers[WITS] == 0.0:
        return np.int64(_PASS)
    left = np.int64(v.hand_count[np.int64(v.actor)]) - numbers[RESERVE]
    best: Any = np.int64(NONE)
    for name in range(DISCIPLES):
        if mask[_BUY + name] == 0 or v.disciple_cost[name] > left or _dear(v, name) == 0:
            continue
        if best == NONE or _dear(v, name) > _dear(v, best):
            best = np.int64(name)
    return np.int64(_PASS) if best == NONE else _BUY + best


@jit
def _dear(v: Any, name: Any) -> Any:
    effect = np.int64(v.disciple_effect[name])
    if v.faith[np.int64(v.actor)] == DEFECTOR:
        return _DEAR_TO_DEFECTORS[effect]
    return _DEAR[effect]
