"""Paying: what giving up Influence is worth, and which Bishops to flip for a price.

A Bishop that the next Debate Round turns up again costs little, the half of a face-up pair costs
its bonus too, and TI that would be lost to the limit of the Canons costs next to nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.nicaea.character import PAIR, THRIFT
from concilium.baselines.nicaea.desk import MOST_SUM
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import MOST_COST, NO_CARD
from concilium.envs.nicaea.tableau import is_bishop

_FLIP: Final = A.FLIP
_NEVER: Final = 1e9  # price of what cannot be paid
_TURNED_UP: Final = (
    0.15  # part of its worth that a flip costs if it is turned up before the purchases
)
_NEXT_TIME: Final = 0.6  # likewise if it is turned up only in the round after
_HANDLING: Final = 0.02  # of each flip, so that of equal payments the one with fewer is chosen
_LOST: Final = 0.05  # part of its worth that TI has that would be lost after these purchases
_FLEETING: Final = 0.2  # likewise before the purchases, for which it could still be used


@jit
def lay_out(v: Any, numbers: Any, desk: Any, in_round: Any, mask: Any, legal: Any) -> None:
    """Find the cheapest flips for every sum, in ``desk.flips`` and ``desk.flip_card``.

    Args:
        v: View of the player who pays.
        numbers: of the character.
        desk: what is written on.
        in_round: 1 during the purchases of the Debate Round.
        mask: legal actions.
        legal: whether only what the mask allows may be flipped, as within a payment.
    """
    seat = np.int64(v.viewer)
    for total in range(MOST_SUM + 1):
        desk.flips[total] = _NEVER
        desk.flip_card[total] = NO_CARD
    desk.flips[0] = 0.0
    turned_up = np.int64(desk.capacity)
    down = np.int64(0)
    for k in range(np.int64(v.tableau_size[seat])):
        card = np.int64(v.tableau[seat, k])
        if v.face_down[card] == 1:
            down += 1
        elif is_bishop(v, card) and (not legal or mask[_FLIP + card] == 1):
            price = _flip_price(v, numbers, card, down < turned_up, in_round)
            _offer(desk, card, np.int64(v.cost[card]), price)


@jit
def _flip_price(v: Any, numbers: Any, card: Any, turned_up: Any, in_round: Any) -> Any:
    part = 1.0
    if turned_up:
        part = _NEXT_TIME if in_round == 1 else _TURNED_UP
    price = numbers[THRIFT] * part * np.int64(v.cost[card]) + _HANDLING
    other = np.int64(v.partner[card])
    if in_round == 0 and v.where[other] == v.where[card] and v.face_down[other] == 0:
        bonus = np.int64(v.bonus[card]) + np.int64(v.bonus[other])
        price += numbers[PAIR] * numbers[THRIFT] * bonus
    return price


@jit
def _offer(desk: Any, card: Any, cost: Any, price: Any) -> None:
    """Let one more Bishop be flipped."""
    for total in range(MOST_SUM - cost, -1, -1):
        if desk.flips[total] + price < desk.flips[total + cost]:
            desk.flips[total + cost] = desk.flips[total] + price
            before = desk.flip_card[total]
            desk.flip_card[total + cost] = card if before == NO_CARD else before


@jit
def _ti_price(v: Any, numbers: Any, desk: Any, amount: Any, in_round: Any) -> Any:
    """What it costs to give up TI: first what the Canons would not keep."""
    excess = max(np.int64(v.ti[np.int64(v.viewer)]) - np.int64(desk.canons), np.int64(0))
    part = _LOST if in_round == 1 else _FLEETING
    return numbers[THRIFT] * (part * min(amount, excess) + max(amount - excess, np.int64(0)))


@jit
def cheapest_payment(v: Any, numbers: Any, desk: Any, price: Any, in_round: Any) -> Any:
    """The cheapest way to pay, after :func:`lay_out`.

    Returns:
        Its cost, and the sum of the Bishops flipped in it; a very high cost if there is no way.
    """
    ti = np.int64(v.ti[np.int64(v.viewer)])
    best = _NEVER
    chosen = np.int64(0)
    for total in range(min(price + MOST_COST, np.int64(MOST_SUM + 1))):
        cost = desk.flips[total]
        if total < price:
            if price - total > ti:
                continue
            cost += _ti_price(v, numbers, desk, price - total, in_round)
        if cost < best:
            best = cost
            chosen = np.int64(total)
    return best, chosen
