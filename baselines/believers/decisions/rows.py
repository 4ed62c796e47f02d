"""The rule bots between rows: Crises, and buying Disciples (B16, B20)."""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.decisions.mind import (
    Desk,
    appraise,
    least_suspected,
    pick_card,
    suspect,
)
from concilium.baselines.believers.decisions.mission import plays_for_failure
from concilium.baselines.believers.inference.work import Work
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Faith, State, Trouble
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells


def _by(names: tuple[str, ...], wanted: dict[str, int]) -> Cells:
    table = np.array([wanted.get(name, 0) for name in names], np.int64)
    table.setflags(write=False)
    return table


# what blocks and what looks; an Almoner costs as much as it brings
_DEAR: Final = _by(
    S.EFFECTS,
    {
        "regent": 9, "apostle": 8, "oracle": 7, "doorkeeper": 6, "lantern": 5, "gleaner": 4,
        "witness": 3, "guardian": 2, "gossip": 1,
    },
)  # fmt: skip
# an Apostle or an Oracle is bought so that nobody else has it
_DEAR_TO_DEFECTORS: Final = _by(
    S.EFFECTS,
    {"regent": 9, "doorkeeper": 8, "guardian": 7, "apostle": 6, "oracle": 5, "gossip": 4,
     "mendicant": 3, "penitent": 2},
)  # fmt: skip
# a trusted player who cannot be the Hand, or cannot shame, is what hurts most
_GRIM: Final = _by(
    S.TROUBLES,
    {"exile": 8, "muteness": 7, "blindness": 6, "doubt": 5, "tithe": 4, "poverty": 3, "fast": 2,
     "testimony": 1},
)  # fmt: skip


@jit
def nominate(v: State, params: Character, draws: Cells, desk: Desk, work: Work) -> int:
    """The pair that the first Defector named; or the worst Crisis on the most trusted player."""
    seat = v.actor
    n = v.num_players
    if v.nominations > 0:
        first = v.nominated[0]
        relative = (first % S.SEATS - seat) % n
        if relative != 0:
            return A.NOMINATE + A.OPPONENTS * (first // S.SEATS) + relative - 1
    if not params.wits:
        return _at_random(v, draws)
    suspect(v, params, desk, work)
    target = least_suspected(v, desk, 1)
    if target == S.NONE:  # Guardians everywhere
        target = least_suspected(v, desk, 0)
    crisis = S.NONE
    most = -1
    for k in range(S.LAID_OUT):
        name = v.crises[k]
        if name == S.NONE:
            continue
        grim = _GRIM[v.crisis_effect[name]]
        if v.crisis_effect[name] == Trouble.BLINDNESS and not _will_be_eye(v, target):
            grim = 0
        takes = v.crisis_effect[name] in (Trouble.FAST, Trouble.TESTIMONY, Trouble.TITHE)
        if takes and v.hand_count[target] == 0:
            grim = 0
        if v.crisis_effect[name] == Trouble.DOUBT and v.disciples[target].max() == 0:
            grim = 0
        if grim > most:
            most = grim
            crisis = name
    return A.NOMINATE + A.OPPONENTS * crisis + (target - seat) % n - 1


@jit
def _at_random(v: State, draws: Cells) -> int:
    """Any Crisis on any True Believer."""
    seat = v.actor
    n = v.num_players
    crises = 0
    for k in range(S.LAID_OUT):
        crises += int(v.crises[k] != S.NONE)
    left = int(draws[0] * crises)
    crisis = S.NONE
    for k in range(S.LAID_OUT):
        if v.crises[k] != S.NONE:
            if left == 0:
                crisis = v.crises[k]
            left -= 1
    relative = 1 + int(draws[1] * (n - 1))
    for _ in range(n):
        if v.faith[(seat + relative) % n] != Faith.DEFECTOR:
            break
        relative = 1 + relative % (n - 1)
    return A.NOMINATE + A.OPPONENTS * crisis + relative - 1


@jit
def _will_be_eye(v: State, seat: int) -> bool:
    """Whether its turn as Eye comes in the row that begins after this night."""
    distance = (seat - v.turn) % v.num_players
    row = v.row
    return row < v.num_rows and distance < v.row_length[row]


@jit
def discard(v: State, params: Character, desk: Desk) -> int:
    """The Virtue that is worth least to one's side: Defectors awake have no use for good ones."""
    appraise(v, desk)
    seat = v.actor
    dear = int(plays_for_failure(v, params) and params.wits)
    return A.DISCARD + pick_card(v.hand[seat], desk.worth, S.NONE, 0, dear)


@jit
def dismiss(v: State, mask: Cells) -> int:
    """The Disciple that is wanted least."""
    best = S.NONE
    for name in range(S.DISCIPLES):
        if mask[A.DISMISS + name] == 1 and (best == S.NONE or _dear(v, name) < _dear(v, best)):
            best = name
    return A.DISMISS + best


@jit
def buy(v: State, params: Character, mask: Cells) -> int:
    """The Disciple that is wanted most of those that leave enough Virtues; or pass."""
    if not params.wits:
        return A.PASS
    left = v.hand_count[v.actor] - params.reserve
    best = S.NONE
    for name in range(S.DISCIPLES):
        if mask[A.BUY + name] == 0 or v.disciple_cost[name] > left or _dear(v, name) == 0:
            continue
        if best == S.NONE or _dear(v, name) > _dear(v, best):
            best = name
    return A.PASS if best == S.NONE else A.BUY + best


@jit
def _dear(v: State, name: int) -> int:
    effect = v.disciple_effect[name]
    if v.faith[v.actor] == Faith.DEFECTOR:
        return _DEAR_TO_DEFECTORS[effect]
    return _DEAR[effect]
