"""Plans for a turn: which forces to take, which problems to solve then, and what that is worth.

A plan is made anew at every decision and only its first step is taken, so nothing has to be
remembered between decisions.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.chancellors.character import (
    ALARM,
    ATTEMPT_PRICE,
    CONTEST_PRICE,
    EXCUSE_PRICE,
    HOLDING,
    SPITE,
    TRUCE_PRICE,
)
from concilium.baselines.chancellors.hand import NO_CARD, has, lowest_matching, size, with_card
from concilium.baselines.chancellors.solve import WIN, best_solves, rank_price, worst_sum
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import EXCUSE, NUM_FORCES, RANK
from concilium.envs.chancellors.payment import controlled
from concilium.envs.chancellors.state import NOBODY
from concilium.envs.core.jit import jit

_END_TURN: Final = A.END_TURN
_CONTROL_ACTION: Final = A.CONTROL_ACTION
_CONTROL_EXCUSE: Final = A.CONTROL_EXCUSE

NO_ACTION: Final = -1
_WORST: Final = -WIN
_ALL_FORCES: Final = (1 << NUM_FORCES) - 1


@jit
def best_step(v: Any, numbers: Any, culprit: Any) -> Any:
    """The first step of the best plan for the rest of the turn.

    Args:
        v: View of the player to act.
        numbers: a row of :meth:`Character.table`.
        culprit: the seat that is being punished, or NOBODY.
    """
    seat = np.int64(v.viewer)
    own = controlled(v, seat)
    best = _WORST
    action = _END_TURN
    for forces in range(_ALL_FORCES + 1):
        if forces & own == own:
            value, step = _take_and_solve(v, numbers, seat, forces, own, culprit)
            if value > best:
                best = value
                action = step
    if v.where[EXCUSE] == seat and own != _ALL_FORCES:
        value, _ = best_solves(v, numbers, seat, _ALL_FORCES, np.int64(0))
        if value + numbers[HOLDING + NUM_FORCES] - numbers[EXCUSE_PRICE] > best:
            action = _CONTROL_EXCUSE
    return action


@jit
def _take_and_solve(v: Any, numbers: Any, seat: Any, forces: Any, own: Any, culprit: Any) -> Any:
    """Value and first step of taking what is missing of ``forces``, then solving."""
    spent = np.int64(0)
    price = 0
    first = NO_ACTION
    for force in range(NUM_FORCES):
        if has(forces, force) and not has(own, force):
            card = lowest_matching(v, seat, force, 0, spent)
            if card == NO_CARD:
                return _WORST, NO_ACTION
            spent = with_card(spent, card)
            price += rank_price(v, numbers) * RANK[card] + numbers[ATTEMPT_PRICE]
            price += _contest_price(v, numbers, np.int64(v.owner[force]), culprit)
            if first == NO_ACTION:
                first = _CONTROL_ACTION[card, force]
    value, solve = best_solves(v, numbers, seat, forces, spent)
    if first == NO_ACTION:
        first = solve
    return value + numbers[HOLDING + size(forces)] - price, first


@jit
def _contest_price(v: Any, numbers: Any, owner: Any, culprit: Any) -> Any:
    """What attempting a force costs because of who controls it."""
    if owner == NOBODY:
        return np.int64(0)
    if owner == culprit:
        return -numbers[SPITE]
    if worst_sum(v) >= numbers[ALARM]:
        return numbers[TRUCE_PRICE]
    return numbers[CONTEST_PRICE]
