"""Which problems to solve with the cards in hand, in which way, and what that is worth.

Two ways of planning. *In turn*: problems are considered from the most dangerous on; each is solved
publicly, quietly or not at all, whichever is worth most and leaves enough for the alarming ones
behind it. *Jointly*: of all ways to treat all problems the one worth most.
"""

from __future__ import annotations

from typing import Final

from concilium.baselines.chancellors.character import Character
from concilium.baselines.chancellors.hand import (
    cheapest,
    eligible,
    has,
    payments,
    ranks,
    with_card,
)
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.state import State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells

WIN: Final = 1_000_000  # more than all other gains together
_NOT: Final = 0  # a problem is left alone,
_QUIETLY: Final = 1  # solved for its lower die
_PUBLICLY: Final = 2  # or for both
_WAY_BITS: Final = 2
_WAY_MASK: Final = 3


@jit
def best_solves(v: State, params: Character, seat: int, forces: int, spent: int) -> tuple[int, int]:
    """Value and first step of solving with what is left in hand; END_TURN if nothing is solved.

    Args:
        v: View of the player to act.
        params: a row of :meth:`Character.records`.
        seat: that player.
        forces: that it will control.
        spent: cards that it will have spent on taking them.
    """
    if params.joint:
        return _solve_jointly(v, params, seat, eligible(v, seat, forces, spent))
    return _solve_in_turn(v, params, seat, forces, spent)


@jit
def dice_sum(v: State, problem: int) -> int:
    """How far the problem has grown; 12 is the last step before the calamity."""
    return v.dice[problem, 0] + v.dice[problem, 1]


@jit
def worst_sum(v: State) -> int:
    """The highest dice sum of an unsolved problem, 0 if all are solved."""
    worst = 0
    for problem in range(v.problems):
        if v.solved[problem] == 0:
            worst = max(worst, dice_sum(v, problem))
    return worst


@jit
def rank_price(v: State, params: Character) -> int:
    """What spending a rank costs at this table."""
    return params.rank_price[v.num_players - 2]


@jit
def _target(v: State, problem: int, way: int) -> int:
    low = v.dice[problem, 0]
    return low if way == _QUIETLY else low + v.dice[problem, 1]


@jit
def _points(v: State, problem: int, way: int) -> int:
    return v.dice[problem, 0] - 1 if way == _QUIETLY else v.dice[problem, 1]


@jit
def _gain(v: State, params: Character, problem: int, way: int) -> int:
    """What solving the problem in that way brings, the price of the cards aside."""
    danger = params.danger[dice_sum(v, problem)]
    return danger + params.point_value * _points(v, problem, way)


# In turn -------------------------------------------------------------------------------------


@jit
def _solve_in_turn(
    v: State, params: Character, seat: int, forces: int, spent: int
) -> tuple[int, int]:
    total = 0
    first = A.END_TURN
    tried = 0
    for _ in range(v.problems):
        problem = _most_dangerous(v, tried)
        if problem < 0:
            break
        tried = with_card(tried, problem)
        cards = eligible(v, seat, forces, spent)
        reserve = _needed_later(v, params, tried)
        value, quiet, payment = _best_way(v, params, seat, problem, cards, reserve)
        if value > 0:
            if first == A.END_TURN or value >= WIN:
                first = A.SOLVE + 2 * problem + quiet
            total += value
            spent |= payment
        if value >= WIN:
            break
    return total, first


@jit
def _most_dangerous(v: State, tried: int) -> int:
    """The problem of highest dice sum that is neither solved nor in ``tried``, or -1."""
    worst = -1
    for problem in range(v.problems):
        open_still = v.solved[problem] == 0 and not has(tried, problem)
        if open_still and (worst < 0 or dice_sum(v, problem) > dice_sum(v, worst)):
            worst = problem
    return worst


@jit
def _needed_later(v: State, params: Character, tried: int) -> int:
    """Ranks to set aside for the alarming problems not yet considered."""
    needed = 0
    for problem in range(v.problems):
        open_still = v.solved[problem] == 0 and not has(tried, problem)
        if open_still and dice_sum(v, problem) >= params.alarm:
            needed += v.dice[problem, 0] + params.margin
    return needed


@jit
def _best_way(
    v: State, params: Character, seat: int, problem: int, cards: int, reserve: int
) -> tuple[int, int, int]:
    """Value, 1 if quiet, and payment of the better way to solve the problem; value 0 for neither.

    The reserve binds the public way and problems that are not alarming.
    """
    best = 0
    quiet = 0
    payment = 0
    sets = payments(cards)
    for way in range(_QUIETLY, _PUBLICLY + 1):
        chosen = cheapest(sets, _target(v, problem, way))
        if chosen == 0:
            continue
        value = _gain(v, params, problem, way) - rank_price(v, params) * ranks(chosen)
        affordable = ranks(cards) - ranks(chosen) >= reserve
        if way == _QUIETLY and dice_sum(v, problem) >= params.alarm:
            affordable = True
        if v.score[seat] + _points(v, problem, way) >= v.target_score:
            value = WIN
            affordable = True
        if affordable and value > best:
            best = value
            quiet = 1 if way == _QUIETLY else 0
            payment = chosen
    return best, quiet, payment


# Jointly -------------------------------------------------------------------------------------


@jit
def _solve_jointly(v: State, params: Character, seat: int, cards: int) -> tuple[int, int]:
    """Try every plan: a way for each problem, the first problem in the highest bits.

    From the most ambitious plan down: once a good one is found, few others promise more.
    """
    best = 0
    first = A.END_TURN
    have = ranks(cards)
    sets = payments(cards)
    price = rank_price(v, params)
    plan = (1 << (_WAY_BITS * v.problems)) - 1
    while plan > 0:
        least, gain, tail = _promise(v, params, seat, plan, have)
        if tail >= 0:
            plan = ((plan >> tail) << tail) - 1  # no plan that begins like this one will do
            continue
        # no payment is below the targets, so most plans need no look at the cards
        if gain - price * least > best:
            paid, step = _pay_for_all(v, plan, cards, sets)
            if step != A.END_TURN and gain - price * paid > best:
                best = gain - price * paid
                first = step
        plan -= 1
    return best, first


@jit
def _tail(v: State, problem: int) -> int:
    """Bits of a plan behind those of the problem."""
    return _WAY_BITS * (v.problems - 1 - problem)


@jit
def _way(v: State, plan: int, problem: int) -> int:
    return (plan >> _tail(v, problem)) & _WAY_MASK


@jit
def _promise(v: State, params: Character, seat: int, plan: int, have: int) -> tuple[int, int, int]:
    """Sum of the targets in the plan, what the plan brings, and -1.

    If it solves a problem twice or needs more than the ranks in ``have``, the bits behind those
    that show it in place of the -1.
    """
    least = 0
    gain = 0
    points = 0
    for problem in range(v.problems):
        way = _way(v, plan, problem)
        if way == _NOT:
            continue
        if way > _PUBLICLY or v.solved[problem] == 1:
            return least, gain, _tail(v, problem)
        least += _target(v, problem, way)
        if least > have:
            return least, gain, _tail(v, problem)
        points += _points(v, problem, way)
        gain += _gain(v, params, problem, way)
    if v.score[seat] + points >= v.target_score:
        gain += WIN
    return least, gain, -1


@jit
def _pay_for_all(v: State, plan: int, cards: int, sets: Cells) -> tuple[int, int]:
    """Ranks that the plan costs, and its first step; END_TURN if the cards do not suffice.

    The highest target is paid first: with the most cards to choose from it is met most exactly.
    ``sets`` are the :func:`payments` of the cards.
    """
    paid = 0
    first = A.END_TURN
    done = 0
    problem = _highest_target(v, plan, done)
    while problem >= 0:
        done = with_card(done, problem)
        way = _way(v, plan, problem)
        chosen = cheapest(sets, _target(v, problem, way))
        if chosen == 0:
            return 0, A.END_TURN
        if first == A.END_TURN:
            first = A.SOLVE + 2 * problem + (1 if way == _QUIETLY else 0)
        paid += ranks(chosen)
        cards &= ~chosen
        problem = _highest_target(v, plan, done)
        if problem >= 0:
            sets = payments(cards)
    return paid, first


@jit
def _highest_target(v: State, plan: int, done: int) -> int:
    """The problem of the plan's highest target among those not in ``done``, or -1."""
    highest = 0
    found = -1
    for problem in range(v.problems):
        way = _way(v, plan, problem)
        if way != _NOT and not has(done, problem) and _target(v, problem, way) > highest:
            highest = _target(v, problem, way)
            found = problem
    return found
