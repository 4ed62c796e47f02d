"""The rule bots' statements and claims (B21)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.bot_mission import plays_for_failure
from concilium.baselines.believers.character import ACCUSE_AT, TALKS, WITS
from concilium.baselines.believers.mind import above, fits, most_suspected, suspect
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import (
    HAND_CLAIM,
    NO_CLAIM,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    pair_of,
)
from concilium.envs.core.events import EVERYBODY
from concilium.envs.core.jit import jit

_SILENT: Final = A.SILENT
_ACCUSE: Final = A.ACCUSE
_CLAIM: Final = A.CLAIM


@jit
def speak(v: Any, numbers: Any, desk: Any, work: Any) -> Any:
    """Accuse the most suspected player once suspicion is strong; a Defector never a fellow."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    if numbers[TALKS] == 0.0 or numbers[WITS] == 0.0 or v.mission == 0:
        return np.int64(_SILENT)
    suspect(v, numbers, desk, work)
    other = most_suspected(v, desk, np.int64(0))
    if other == NONE or not above(desk.suspicion[other], numbers[ACCUSE_AT]):
        return np.int64(_SILENT)
    return _ACCUSE + (other - seat - 1) % n


@jit
def claim(v: Any, numbers: Any, draws: Any) -> Any:
    """The truth; a Defector awake whose Mission failed unseen puts it on the other one.

    As Hand it claims to have given one that matches, as Eye to have got none.
    """
    if numbers[TALKS] == 0.0:
        return np.int64(_CLAIM + NO_CLAIM)
    number = np.int64(v.mission)
    truth = np.int64(v.mission_given[number])
    hidden = v.given_known[number] != EVERYBODY
    failed = v.mission_result[number] == 0 and v.mission_placed[number, 1] == NONE
    if not plays_for_failure(v, numbers) or not hidden or not failed:
        return _CLAIM + truth
    pair = np.int64(v.mission_pair[number])
    placed = np.int64(v.mission_placed[number, 0])
    kept = PAIR_LOW[truth] + PAIR_HIGH[truth] - placed
    if v.phase == HAND_CLAIM:
        if fits(kept, pair):
            return _CLAIM + truth
        told = PAIR_LOW[pair] if draws[0] < 0.5 else PAIR_HIGH[pair]
        return _CLAIM + pair_of(placed, told)
    if not fits(kept, pair):
        return _CLAIM + truth
    told = np.int64(draws[0] * (np.int64(v.virtue_kinds) - 2))
    for kind in (PAIR_LOW[pair], PAIR_HIGH[pair]):  # ascending: the told one steps over both
        if told >= kind:
            told += 1
    return _CLAIM + pair_of(placed, told)
