"""Plans for a turn: which forces to take, which problems to solve then, and what that is worth.

A plan is made anew at every decision and only its first step is taken, so nothing has to be
remembered between decisions. Problems are considered from the most dangerous on; each is solved
publicly, quietly or not at all, whichever is worth most and leaves enough for the alarming ones
behind it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.chancellors.character import (
    ALARM,
    ATTEMPT_PRICE,
    CONTEST_PRICE,
    DANGER,
    EXCUSE_PRICE,
    HOLDING,
    MARGIN,
    POINT_VALUE,
    RANK_PRICE,
)
from concilium.baselines.chancellors.hand import (
    NO_CARD,
    cheapest,
    eligible,
    has,
    lowest_matching,
    payments,
    ranks,
    size,
    with_card,
)
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import EXCUSE, NUM_FORCES, RANK
from concilium.envs.chancellors.payment import controlled
from concilium.envs.chancellors.state import NOBODY
from concilium.envs.core.jit import jit

_SOLVE: Final = A.SOLVE
_END_TURN: Final = A.END_TURN
_CONTROL_ACTION: Final = A.CONTROL_ACTION
_CONTROL_EXCUSE: Final = A.CONTROL_EXCUSE

NO_ACTION: Final = -1
_WIN: Final = 1_000_000  # more than all other gains together
_WORST: Final = -_WIN
_ALL_FORCES: Final = (1 << NUM_FORCES) - 1


@jit
def best_step(v: Any, numbers: Any) -> Any:
    """The first step of the best plan for the rest of the turn."""
    seat = np.int64(v.viewer)
    own = controlled(v, seat)
    best = _WORST
    action = _END_TURN
    for forces in range(_ALL_FORCES + 1):
        if forces & own == own:
            value, step = _take_and_solve(v, numbers, seat, forces, own)
            if value > best:
                best = value
                action = step
    if v.where[EXCUSE] == seat and own != _ALL_FORCES:
        value, _ = _solve(v, numbers, seat, _ALL_FORCES, np.int64(0))
        if value + numbers[HOLDING + NUM_FORCES] - numbers[EXCUSE_PRICE] > best:
            action = _CONTROL_EXCUSE
    return action


@jit
def _take_and_solve(v: Any, numbers: Any, seat: Any, forces: Any, own: Any) -> Any:
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
            price += _rank_price(v, numbers) * RANK[card] + numbers[ATTEMPT_PRICE]
            if v.owner[force] != NOBODY:
                price += numbers[CONTEST_PRICE]
            if first == NO_ACTION:
                first = _CONTROL_ACTION[card, force]
    value, solve = _solve(v, numbers, seat, forces, spent)
    if first == NO_ACTION:
        first = solve
    return value + numbers[HOLDING + size(forces)] - price, first


@jit
def _rank_price(v: Any, numbers: Any) -> Any:
    return numbers[RANK_PRICE + np.int64(v.num_players) - 2]


@jit
def _solve(v: Any, numbers: Any, seat: Any, forces: Any, spent: Any) -> Any:
    """Value and first step of solving with what is left in hand; END_TURN if nothing is solved."""
    total = 0
    first = _END_TURN
    tried = np.int64(0)
    for _ in range(np.int64(v.problems)):
        problem = _most_dangerous(v, tried)
        if problem < 0:
            break
        tried = with_card(tried, problem)
        cards = eligible(v, seat, forces, spent)
        reserve = _needed_later(v, numbers, tried)
        value, quiet, payment = _best_way(v, numbers, seat, problem, cards, reserve)
        if value > 0:
            if first == _END_TURN or value >= _WIN:
                first = _SOLVE + 2 * problem + quiet
            total += value
            spent |= payment
        if value >= _WIN:
            break
    return total, first


@jit
def dice_sum(v: Any, problem: Any) -> Any:
    """How far the problem has grown; 12 is the last step before the calamity."""
    return np.int64(v.dice[problem, 0]) + np.int64(v.dice[problem, 1])


@jit
def _most_dangerous(v: Any, tried: Any) -> Any:
    """The problem of highest dice sum that is neither solved nor in ``tried``, or -1."""
    worst = -1
    for problem in range(np.int64(v.problems)):
        open_still = v.solved[problem] == 0 and not has(tried, problem)
        if open_still and (worst < 0 or dice_sum(v, problem) > dice_sum(v, worst)):
            worst = problem
    return worst


@jit
def _needed_later(v: Any, numbers: Any, tried: Any) -> Any:
    """Ranks to set aside for the alarming problems not yet considered."""
    needed = 0
    for problem in range(np.int64(v.problems)):
        open_still = v.solved[problem] == 0 and not has(tried, problem)
        if open_still and dice_sum(v, problem) >= numbers[ALARM]:
            needed += np.int64(v.dice[problem, 0]) + numbers[MARGIN]
    return needed


@jit
def _best_way(v: Any, numbers: Any, seat: Any, problem: Any, cards: Any, reserve: Any) -> Any:
    """Value, 1 if quiet, and payment of the better way to solve the problem; value 0 for neither.

    The reserve binds the public way and problems that are not alarming.
    """
    low = np.int64(v.dice[problem, 0])
    high = np.int64(v.dice[problem, 1])
    best = 0
    way = 0
    payment = np.int64(0)
    sets = payments(cards)
    for quiet in range(1, -1, -1):
        chosen = cheapest(sets, low if quiet == 1 else low + high)
        if chosen == 0:
            continue
        points = low - 1 if quiet == 1 else high
        value = numbers[DANGER + low + high] + numbers[POINT_VALUE] * points
        value -= _rank_price(v, numbers) * ranks(chosen)
        affordable = ranks(cards) - ranks(chosen) >= reserve
        if quiet == 1 and low + high >= numbers[ALARM]:
            affordable = True
        if np.int64(v.score[seat]) + points >= v.target_score:
            value = _WIN
            affordable = True
        if affordable and value > best:
            best = value
            way = quiet
            payment = chosen
    return best, way, payment
