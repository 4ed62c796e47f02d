"""What pays for a problem: eligible cards, targets, and sets without a superfluous card (C7).

Helpers of the rules; a payment is built one card at a time, so that every part of it is an action.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import FORCE_BITS, NUM_FORCES, NUM_SUITED, RANK
from concilium.envs.chancellors.state import TABLE
from concilium.envs.core.jit import jit

_SOLVE: Final = A.SOLVE
_PAY_WITH: Final = A.PAY_WITH
_TOP_RANK: Final = 10


@jit
def controlled(s: Any, seat: Any) -> Any:
    """The forces that the seat controls, as bits."""
    bits = 0
    for force in range(NUM_FORCES):
        bits |= np.int64(s.owner[force] == seat) << force
    return bits


@jit
def payment_ranks(s: Any, seat: Any) -> Any:
    """C7: sum of the ranks in the seat's hand that have a suit of a force it controls (C17)."""
    forces = controlled(s, seat)
    total = 0
    for card in range(NUM_SUITED):
        pays = (s.where[card] == seat) & (FORCE_BITS[card] & forces != 0)
        total += RANK[card] * pays
    return total


@jit
def solve_target(s: Any, problem: Any, quiet: Any) -> Any:
    """Both dice, or the lower one."""
    if quiet == 1:
        return np.int64(s.dice[problem, 0])
    return np.int64(s.dice[problem, 0]) + np.int64(s.dice[problem, 1])


@jit
def legal_solves(s: Any, mask: Any) -> None:
    """C7, C9: an unsolved problem whose target the eligible cards reach.

    If all of them reach it, dropping superfluous ones leaves a set with none superfluous.
    """
    total = payment_ranks(s, np.int64(s.active))
    for problem in range(np.int64(s.problems)):
        for quiet in range(2):
            if s.solved[problem] == 0 and total >= solve_target(s, problem, quiet):
                mask[_SOLVE + 2 * problem + quiet] = 1


@jit
def legal_payments(s: Any, mask: Any) -> None:
    """C7: the cards that belong, with those committed, to a set without a superfluous card.

    A set is fine when its sum is at least the target and below the target plus its lowest rank.
    So for each floor from high to low: can cards of at least that rank bring the sum into
    [target, target + floor - 1]? Reachable sums are the bits of a number.
    """
    seat = np.int64(s.active)
    forces = controlled(s, seat)
    target = solve_target(s, np.int64(s.solve_problem), np.int64(s.solve_quiet))
    in_hand = np.zeros(_TOP_RANK + 1, np.int64)
    lowest = _count_payment_cards(s, seat, in_hand)
    fits = np.zeros(_TOP_RANK + 1, np.int8)
    for rank in range(1, _TOP_RANK + 1):
        if in_hand[rank] > 0:
            in_hand[rank] -= 1
            sums = np.int64(1) << (np.int64(s.solve_paid) + rank)
            fits[rank] = _completes(in_hand, sums, min(lowest, rank), target)
            in_hand[rank] += 1
    for card in range(NUM_SUITED):
        if s.where[card] == seat and FORCE_BITS[card] & forces != 0 and fits[RANK[card]] == 1:
            mask[_PAY_WITH + card] = 1


@jit
def can_complete_payment(s: Any) -> Any:
    """Whether the active player's hand can complete the payment begun (so it can, in any game)."""
    in_hand = np.zeros(_TOP_RANK + 1, np.int64)
    lowest = _count_payment_cards(s, np.int64(s.active), in_hand)
    target = solve_target(s, np.int64(s.solve_problem), np.int64(s.solve_quiet))
    return _completes(in_hand, np.int64(1) << np.int64(s.solve_paid), lowest, target) == 1


@jit
def _count_payment_cards(s: Any, seat: Any, in_hand: Any) -> Any:
    """Count the seat's eligible cards by rank; return the lowest rank committed so far."""
    forces = controlled(s, seat)
    lowest = _TOP_RANK
    for card in range(NUM_SUITED):
        if s.where[card] == seat and FORCE_BITS[card] & forces != 0:
            in_hand[RANK[card]] += 1
        elif s.where[card] == TABLE:
            lowest = min(lowest, RANK[card])
    return lowest


@jit
def _completes(in_hand: Any, sums: Any, lowest: Any, target: Any) -> Any:
    """Whether cards in hand extend ``sums`` to a set without a superfluous card (see above)."""
    for floor in range(_TOP_RANK, 0, -1):
        for _ in range(in_hand[floor]):
            sums |= sums << floor
            sums &= (np.int64(1) << (target + _TOP_RANK)) - 1
        if floor <= lowest and (sums >> target) & ((np.int64(1) << floor) - 1) != 0:
            return 1
    return 0
