"""Plans for a turn: which forces to take, which problems to solve then, and what that is worth.

A plan is made anew at every decision and only its first step is taken, so nothing has to be
remembered between decisions.
"""

from __future__ import annotations

from typing import Final

from concilium.baselines.chancellors.character import Character
from concilium.baselines.chancellors.hand import NO_CARD, has, lowest_matching, size, with_card
from concilium.baselines.chancellors.solve import WIN, best_solves, rank_price, worst_sum
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import EXCUSE, NUM_FORCES, RANK
from concilium.envs.chancellors.payment import controlled
from concilium.envs.chancellors.state import NOBODY, State
from concilium.envs.core.compiled.jit import jit

NO_ACTION: Final = -1
_WORST: Final = -WIN
_ALL_FORCES: Final = (1 << NUM_FORCES) - 1


@jit
def best_step(v: State, params: Character, culprit: int) -> int:
    """The first step of the best plan for the rest of the turn.

    Args:
        v: View of the player to act.
        params: a row of :meth:`Character.records`.
        culprit: the seat that is being punished, or NOBODY.
    """
    seat = v.viewer
    own = controlled(v, seat)
    best = _WORST
    action = A.END_TURN
    for forces in range(_ALL_FORCES + 1):
        if forces & own == own:
            value, step = _take_and_solve(v, params, seat, forces, own, culprit)
            if value > best:
                best = value
                action = step
    if v.where[EXCUSE] == seat and own != _ALL_FORCES:
        value, _ = best_solves(v, params, seat, _ALL_FORCES, 0)
        if value + params.holding[NUM_FORCES] - params.excuse_price > best:
            action = A.CONTROL_EXCUSE
    return action


@jit
def _take_and_solve(
    v: State, params: Character, seat: int, forces: int, own: int, culprit: int
) -> tuple[int, int]:
    """Value and first step of taking what is missing of ``forces``, then solving."""
    spent = 0
    price = 0
    first = NO_ACTION
    for force in range(NUM_FORCES):
        if has(forces, force) and not has(own, force):
            card = lowest_matching(v, seat, force, 0, spent)
            if card == NO_CARD:
                return _WORST, NO_ACTION
            spent = with_card(spent, card)
            price += rank_price(v, params) * RANK[card] + params.attempt_price
            price += _contest_price(v, params, v.owner[force], culprit)
            if first == NO_ACTION:
                first = A.CONTROL_ACTION[card, force]
    value, solve = best_solves(v, params, seat, forces, spent)
    if first == NO_ACTION:
        first = solve
    return value + params.holding[size(forces)] - price, first


@jit
def _contest_price(v: State, params: Character, owner: int, culprit: int) -> int:
    """What attempting a force costs because of who controls it."""
    if owner == NOBODY:
        return 0
    if owner == culprit:
        return -params.spite
    if worst_sum(v) >= params.alarm:
        return params.truce_price
    return params.contest_price
