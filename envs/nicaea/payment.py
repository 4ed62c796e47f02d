"""Paying Influence (N7–N9): Bishops are flipped one by one, temporary Influence comes last.

A finished payment is a set of own face-up Bishops that reaches the price with none superfluous, or
one below the price, also the empty one, with the exact rest in TI. A flip is offered if the flipped
cards are part of a finished payment.
"""

# what an array of a State holds is Any
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import MOST_COST, POOLS, Event, Phase, State
from concilium.envs.nicaea.tableau import face_up_influence, is_bishop

_BITS: Final = 6  # of a packed counter of Bishops of one cost: at most 60
_COUNTER: Final = (1 << _BITS) - 1


@jit
def means(s: State, seat: int) -> int:
    """All that the seat could pay at once.

    A finished payment of a price exists exactly when the means reach it: if the face-up Bishops
    alone reach it, dropping superfluous ones leaves a set with none; else all of them and TI do.
    """
    return face_up_influence(s, seat) + s.ti[seat]


@jit
def gain(s: State, seat: int, amount: int) -> None:
    """Give the seat TI from the supply, which is unlimited (N9)."""
    s.ti[seat] = s.ti[seat] + amount
    s.issued = s.issued + amount


@jit
def put_into_pools(s: State, amount: int) -> None:
    """N8: one by one into the pools, from the topmost, over and over."""
    for k in range(amount):
        s.pool[k % POOLS] = s.pool[k % POOLS] + 1


@jit
def begin_payment(s: State, price: int) -> None:
    """Ask the actor, whose means reach the price, how it is to be paid."""
    s.phase = Phase.PAYMENT
    s.price = price
    s.paid = 0
    s.lowest_flip = 0


@jit
def legal_payments(s: State, mask: Cells) -> None:
    """N7: the rest in TI, and the Bishops that belong with those flipped to a finished payment."""
    seat = s.actor
    price = s.price
    paid = s.paid
    ti = s.ti[seat]
    if ti >= price - paid:
        mask[A.PAY_REST] = 1
    counts = 0
    for k in range(s.tableau_size[seat]):
        card = s.tableau[seat, k]
        if is_bishop(s, card) and s.face_down[card] == 0:
            counts += 1 << (_BITS * (s.cost[card] - 1))
    fits = 0  # bit of each cost that may be flipped
    for cost in range(1, MOST_COST + 1):
        one = 1 << (_BITS * (cost - 1))
        if (counts // one) & _COUNTER != 0:
            lowest = cost
            if s.lowest_flip > 0:
                lowest = min(cost, s.lowest_flip)
            fits |= _is_part(counts - one, paid + cost, lowest, price, ti) << cost
    for k in range(s.tableau_size[seat]):
        card = s.tableau[seat, k]
        if is_bishop(s, card) and s.face_down[card] == 0:
            mask[A.FLIP + card] = (fits >> s.cost[card]) & 1


@jit
def _is_part(counts: int, paid: int, lowest: int, price: int, ti: int) -> bool:
    """Whether flips of ``paid`` Influence, the smallest ``lowest``, can become a finished payment.

    Without TI a set is finished when its sum is from the price to the price plus its smallest cost
    less one. So for each floor from high to low: can Bishops of at least that cost bring the sum
    there? Sums within reach are the bits of a number. With TI: is a sum from the price less the TI
    to the price less one within reach?
    """
    sums = 1 << paid
    reach = (1 << (price + MOST_COST)) - 1
    for floor in range(MOST_COST, 0, -1):
        for _ in range((counts >> (_BITS * (floor - 1))) & _COUNTER):
            sums |= (sums << floor) & reach
        if floor <= lowest and (sums >> price) & ((1 << floor) - 1) != 0:
            return True
    short = (1 << price) - (1 << max(price - ti, 0))
    return sums & short != 0


@jit
def flip(s: State, card: int) -> None:
    """Flip a Bishop face-down; what exceeds the price is lost (N7)."""
    cost = s.cost[card]
    s.face_down[card] = 1
    s.paid = s.paid + cost
    if s.lowest_flip == 0 or s.lowest_flip > cost:
        s.lowest_flip = cost
    log_public(s, Event.FLIPPED, s.actor, card, cost, 0)


@jit
def pay_rest(s: State) -> None:
    """Pay what is missing in TI."""
    seat = s.actor
    rest = s.price - s.paid
    s.ti[seat] = s.ti[seat] - rest
    s.paid = s.price
    put_into_pools(s, rest)
    log_public(s, Event.PAID, seat, rest, 0, 0)


@jit
def is_paid(s: State) -> bool:
    """Whether the price is reached."""
    return s.paid >= s.price


@jit
def end_payment(s: State) -> None:
    """Forget the payment."""
    s.price = 0
    s.paid = 0
    s.lowest_flip = 0
