"""What pays for a problem: eligible cards, targets, and sets without a superfluous card (C7).

Helpers of the rules; a payment is built one card at a time, so that every part of it is an action.
"""

from __future__ import annotations

import numpy as np

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import FORCE_BITS, NUM_FORCES, NUM_SUITED, RANK, TOP_RANK
from concilium.envs.chancellors.state import HIGHER, LOWER, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells


@jit
def controlled(s: State, seat: int) -> int:
    """The forces that the seat controls, as bits."""
    bits = 0
    for force in range(NUM_FORCES):
        bits |= (s.owner[force] == seat) << force
    return bits


@jit
def payment_ranks(s: State, seat: int) -> int:
    """C7: sum of the ranks in the seat's hand that have a suit of a force it controls (C17)."""
    forces = controlled(s, seat)
    total = 0
    for card in range(NUM_SUITED):
        pays = (s.where[card] == seat) & (FORCE_BITS[card] & forces != 0)
        total += RANK[card] * pays
    return total


@jit
def solve_target(s: State, problem: int, quiet: int) -> int:
    """Both dice, or the lower one."""
    target: int = s.dice[problem, LOWER]
    if quiet == 0:
        target += s.dice[problem, HIGHER]
    return target


@jit
def legal_solves(s: State, mask: Cells) -> None:
    """C7, C9: an unsolved problem whose target the eligible cards reach.

    If all of them reach it, dropping superfluous ones leaves a set with none superfluous.
    """
    total = payment_ranks(s, s.active)
    for problem in range(s.problems):
        for quiet in range(2):
            if s.solved[problem] == 0 and total >= solve_target(s, problem, quiet):
                mask[A.SOLVE + 2 * problem + quiet] = 1


@jit
def legal_payments(s: State, mask: Cells) -> None:
    """C7: the cards that belong, with those committed, to a set without a superfluous card.

    A set is fine when its sum is at least the target and below the target plus its lowest rank.
    So for each floor from high to low: can cards of at least that rank bring the sum into
    [target, target + floor - 1]? Reachable sums are the bits of a number.
    """
    seat = s.active
    forces = controlled(s, seat)
    target = solve_target(s, s.solve_problem, s.solve_quiet)
    in_hand = np.zeros(TOP_RANK + 1, np.int64)
    lowest = _count_payment_cards(s, seat, in_hand)
    fits = np.zeros(TOP_RANK + 1, np.int8)
    for rank in range(1, TOP_RANK + 1):
        if in_hand[rank] > 0:
            in_hand[rank] -= 1
            sums = 1 << (s.solve_paid + rank)
            fits[rank] = _completes(in_hand, sums, min(lowest, rank), target)
            in_hand[rank] += 1
    for card in range(NUM_SUITED):
        if s.where[card] == seat and FORCE_BITS[card] & forces != 0 and fits[RANK[card]] == 1:
            mask[A.PAY_WITH + card] = 1


@jit
def can_complete_payment(s: State) -> bool:
    """Whether the active player's hand can complete the payment begun (so it can, in any game)."""
    in_hand = np.zeros(TOP_RANK + 1, np.int64)
    lowest = _count_payment_cards(s, s.active, in_hand)
    target = solve_target(s, s.solve_problem, s.solve_quiet)
    return _completes(in_hand, 1 << s.solve_paid, lowest, target)


@jit
def _count_payment_cards(s: State, seat: int, in_hand: Cells) -> int:
    """Count the seat's eligible cards by rank; return the lowest rank committed so far."""
    forces = controlled(s, seat)
    lowest = TOP_RANK
    for card in range(NUM_SUITED):
        if s.where[card] == seat and FORCE_BITS[card] & forces != 0:
            in_hand[RANK[card]] += 1
        elif s.where[card] == Place.TABLE:
            lowest = min(lowest, RANK[card])
    return lowest


@jit
def _completes(in_hand: Cells, sums: int, lowest: int, target: int) -> bool:
    """Whether cards in hand extend ``sums`` to a set without a superfluous card (see above)."""
    for floor in range(TOP_RANK, 0, -1):
        for _ in range(in_hand[floor]):
            sums |= sums << floor
            sums &= (1 << (target + TOP_RANK)) - 1
        if floor <= lowest and (sums >> target) & ((1 << floor) - 1) != 0:
            return True
    return False
