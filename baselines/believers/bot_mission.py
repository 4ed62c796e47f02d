"""The rule bots in a Mission: whom the Eye chooses, what the Hand gives, what the Eye places."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.character import (
    AS_EYE,
    OFTEN,
    PICK,
    SLEEP,
    STEADY,
    URGENT,
    WITS,
)
from concilium.baselines.believers.mind import (
    appraise,
    fits,
    is_fellow,
    pick_card,
    promise,
    suspect,
)
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import DEFECTOR, NONE
from concilium.envs.core.jit import jit

_CHOOSE: Final = A.CHOOSE
_GIVE: Final = A.GIVE
_PLACE: Final = A.PLACE


@jit
def sabotages(v: Any, numbers: Any, draw: Any) -> Any:
    """Whether the Defector to act lets this Mission fail if it can, by its schedule."""
    seat = np.int64(v.actor)
    if v.faith[seat] != DEFECTOR:
        return False
    if numbers[URGENT] > 0.0 and decides_row(v):
        return True
    if v.mission < numbers[SLEEP]:
        return False
    chance = numbers[OFTEN]
    if v.eye == seat:
        chance *= numbers[AS_EYE]
    return chance >= 1.0 or draw < chance


@jit
def decides_row(v: Any) -> Any:
    """Whether a success now would give the row, or the decider, to the True Believers."""
    if v.row >= v.num_rows:
        return True
    return 2 * (np.int64(v.row_won) + 1) > v.row_length[np.int64(v.row)]


@jit
def choose_hand(v: Any, numbers: Any, mask: Any, draws: Any, desk: Any, work: Any) -> Any:
    """As Eye: a partner, or who promises most; without wits anybody."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    for_partner = v.faith[seat] == DEFECTOR and draws[1] < numbers[PICK]
    if for_partner and v.mission < numbers[SLEEP]:
        for_partner = numbers[URGENT] > 0.0 and decides_row(v)
    if numbers[WITS] == 0.0 and not for_partner:
        return _any_hand(mask, n, draws[0])
    suspect(v, numbers, desk, work)
    best = np.int64(NONE)
    most = -1.0
    first = np.int64(0)
    if numbers[STEADY] == 0.0:
        first = np.int64(draws[0] * (n - 1))
    for k in range(n - 1):
        relative = (first + k) % (n - 1)
        if mask[_CHOOSE + relative] == 0:
            continue
        other = (seat + relative + 1) % n
        score = promise(v, desk, other)
        if for_partner and is_fellow(v, other):
            score += 1.0  # before all others
        if score > most + 1e-9:
            most = score
            best = relative
    return _CHOOSE + best


@jit
def _any_hand(mask: Any, n: Any, draw: Any) -> Any:
    count = np.int64(0)
    for relative in range(n - 1):
        count += np.int64(mask[_CHOOSE + relative])
    left = np.int64(draw * count)
    for relative in range(n - 1):
        if mask[_CHOOSE + relative] == 1:
            if left == 0:
                return np.int64(_CHOOSE + relative)
            left -= 1
    return np.int64(_CHOOSE)


@jit
def give(v: Any, numbers: Any, draws: Any, desk: Any) -> Any:
    """As Hand: as many Virtues that match as it can, or as few; of those alike the cheapest.

    The second follows the first: a Defector who has given one that matches has kept to its Faith.
    """
    pair = np.int64(v.mission_pair[np.int64(v.mission)])
    hand = v.hand[np.int64(v.actor)]
    appraise(v, desk)
    wanted = np.int64(not sabotages(v, numbers, draws[0]))
    if v.gift_count == 1 and v.faith[np.int64(v.actor)] == DEFECTOR:
        wanted = np.int64(fits(np.int64(v.gift[0]), pair))
    kind = pick_card(hand, desk.worth, pair, wanted, 0)
    if kind == NONE:
        kind = pick_card(hand, desk.worth, pair, 1 - wanted, 0)
    return _GIVE + kind


@jit
def place(v: Any, numbers: Any, draws: Any, desk: Any) -> Any:
    """As Eye: the one that matches, or the other; where both are alike the cheaper one."""
    pair = np.int64(v.mission_pair[np.int64(v.mission)])
    one = np.int64(v.gift[0])
    other = np.int64(v.gift[1])
    if fits(one, pair) == fits(other, pair):
        appraise(v, desk)
        return _PLACE + (one if desk.worth[one] <= desk.worth[other] else other)
    if fits(other, pair):
        one, other = other, one
    return _PLACE + (other if sabotages(v, numbers, draws[0]) else one)


@jit
def plays_for_failure(v: Any, numbers: Any) -> Any:
    """Whether a Defector is to act, and its schedule lets it work against this Mission."""
    if v.faith[np.int64(v.actor)] != DEFECTOR:
        return False
    return v.mission >= numbers[SLEEP] or (numbers[URGENT] > 0.0 and decides_row(v))
