"""Paying: what giving up Influence is worth, and which Bishops to flip for a price.

A Bishop that the next Debate Round turns up again costs little, the half of a face-up pair costs
its bonus too, and TI that would be lost to the limit of the Canons costs next to nothing.
"""

from __future__ import annotations

from typing import Final

from concilium.baselines.nicaea.character import Character
from concilium.baselines.nicaea.desk import MOST_SUM, Desk
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import MOST_COST, NO_CARD, State
from concilium.envs.nicaea.tableau import is_bishop

_NEVER: Final = 1e9  # price of what cannot be paid
_TURNED_UP: Final = (
    0.15  # part of its worth that a flip costs if it is turned up before the purchases
)
_NEXT_TIME: Final = 0.6  # likewise if it is turned up only in the round after
_HANDLING: Final = 0.02  # of each flip, so that of equal payments the one with fewer is chosen
_LOST: Final = 0.05  # part of its worth that TI has that would be lost after these purchases
_FLEETING: Final = 0.2  # likewise before the purchases, for which it could still be used


@jit
def lay_out(
    v: State, params: Character, desk: Desk, in_round: int, mask: Cells, legal: bool
) -> None:
    """Find the cheapest flips for every sum, in ``desk.flips`` and ``desk.flip_card``.

    Args:
        v: View of the player who pays.
        params: of the character.
        desk: what is written on.
        in_round: 1 during the purchases of the Debate Round.
        mask: legal actions.
        legal: whether only what the mask allows may be flipped, as within a payment.
    """
    seat = v.viewer
    for total in range(MOST_SUM + 1):
        desk.flips[total] = _NEVER
        desk.flip_card[total] = NO_CARD
    desk.flips[0] = 0.0
    turned_up = desk.capacity
    down = 0
    for k in range(v.tableau_size[seat]):
        card = v.tableau[seat, k]
        if v.face_down[card] == 1:
            down += 1
        elif is_bishop(v, card) and (not legal or mask[A.FLIP + card] == 1):
            price = _flip_price(v, params, card, down < turned_up, in_round)
            _offer(desk, card, v.cost[card], price)


@jit
def _flip_price(v: State, params: Character, card: int, turned_up: bool, in_round: int) -> float:
    part = 1.0
    if turned_up:
        part = _NEXT_TIME if in_round == 1 else _TURNED_UP
    price = params.thrift * part * v.cost[card] + _HANDLING
    other = v.partner[card]
    if in_round == 0 and v.where[other] == v.where[card] and v.face_down[other] == 0:
        bonus = v.bonus[card] + v.bonus[other]
        price += params.pair * params.thrift * bonus
    return price


@jit
def _offer(desk: Desk, card: int, cost: int, price: float) -> None:
    """Let one more Bishop be flipped."""
    for total in range(MOST_SUM - cost, -1, -1):
        if desk.flips[total] + price < desk.flips[total + cost]:
            desk.flips[total + cost] = desk.flips[total] + price
            before = desk.flip_card[total]
            desk.flip_card[total + cost] = card if before == NO_CARD else before


@jit
def _ti_price(v: State, params: Character, desk: Desk, amount: int, in_round: int) -> float:
    """What it costs to give up TI: first what the Canons would not keep."""
    excess = max(v.ti[v.viewer] - desk.canons, 0)
    part = _LOST if in_round == 1 else _FLEETING
    return params.thrift * (part * min(amount, excess) + max(amount - excess, 0))


@jit
def cheapest_payment(
    v: State, params: Character, desk: Desk, price: int, in_round: int
) -> tuple[float, int]:
    """The cheapest way to pay, after :func:`lay_out`.

    Returns:
        Its cost, and the sum of the Bishops flipped in it; a very high cost if there is no way.
    """
    ti = v.ti[v.viewer]
    best = _NEVER
    chosen = 0
    for total in range(min(price + MOST_COST, MOST_SUM + 1)):
        cost = desk.flips[total]
        if total < price:
            if price - total > ti:
                continue
            cost += _ti_price(v, params, desk, price - total, in_round)
        if cost < best:
            best = cost
            chosen = total
    return best, chosen
