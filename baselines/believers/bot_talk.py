"""The rule bots' statements and claims (B21)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.bot_mission import plays_for_failure
from concilium.baselines.believers.character import ACCUSE_AT, TALKS, WITS
from concilium.baselines.believers.mind import above, fits, is_fellow, most_suspected, suspect
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import (
    HAND_CLAIM,
    NO_CLAIM,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    pair_of,
)
from concilium.envs.believers.table import bit, defectors
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

    As Hand it claims to have given one that matches, as Eye to have got none. If the other one is a
    fellow, both say that none was given that matches.
    """
    if numbers[TALKS] == 0.0:
        return np.int64(_CLAIM + NO_CLAIM)
    number = np.int64(v.mission)
    truth = np.int64(v.mission_given[number])
    failed = v.mission_result[number] == 0 and v.mission_placed[number, 1] == NONE
    if not plays_for_failure(v, numbers) or not failed or _seen(v, number):
        return _CLAIM + truth
    pair = np.int64(v.mission_pair[number])
    placed = np.int64(v.mission_placed[number, 0])
    kept_fits = fits(PAIR_LOW[truth] + PAIR_HIGH[truth] - placed, pair)
    as_hand = v.phase == HAND_CLAIM
    if is_fellow(v, np.int64(v.eye) if as_hand else np.int64(v.hand_seat)):
        told = np.int64(v.hand_claim[number])
        if not as_hand and 0 <= told < NO_CLAIM:
            return _CLAIM + told
        return _CLAIM + (_none_that_fits(v, pair, placed, draws) if kept_fits else truth)
    if as_hand and not kept_fits:
        one = PAIR_LOW[pair] if draws[0] < 0.5 else PAIR_HIGH[pair]
        return _CLAIM + pair_of(placed, one)
    if not as_hand and kept_fits:
        return _CLAIM + _none_that_fits(v, pair, placed, draws)
    return _CLAIM + truth


@jit
def _seen(v: Any, number: Any) -> Any:
    """Whether a True Believer beside Eye and Hand knows what was given."""
    friends = bit(np.int64(v.eye)) | bit(np.int64(v.hand_seat)) | defectors(v)
    everybody = (np.int64(1) << np.int64(v.num_players)) - 1
    return np.int64(v.given_known[number]) & everybody & ~friends != 0


@jit
def _none_that_fits(v: Any, pair: Any, placed: Any, draws: Any) -> Any:
    """The one placed and any kind that does not match."""
    told = np.int64(draws[0] * (np.int64(v.virtue_kinds) - 2))
    for kind in (PAIR_LOW[pair], PAIR_HIGH[pair]):  # ascending: the told one steps over both
        if told >= kind:
            told += 1
    return pair_of(placed, told)
