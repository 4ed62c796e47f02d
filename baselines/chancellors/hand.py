"""What a hand can do: take a force cheaply, pay for a problem cheaply.

All functions read the View of the player whose hand it is. Cards are the numbers of
``envs.chancellors.cards``; sets of cards and of forces are the bits of a number, card or force
``k`` being bit ``k``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.chancellors.cards import FORCE_BITS, MATCHES, NUM_FORCES, NUM_SUITED, RANK
from concilium.envs.chancellors.state import State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells

NO_CARD: Final = -1
_HIGHEST_TARGET: Final = 12  # 6 and 6
_MOST: Final = 22  # that, overshot by a card of rank 10
_FAR: Final = 1 << 30  # price of what cannot be had


@jit
def has(cards: int, card: int) -> bool:
    """Whether the card is in the set."""
    return (cards >> card) & 1 == 1


@jit
def with_card(cards: int, card: int) -> int:
    """The set with the card added."""
    return cards | (1 << card)


@jit
def size(forces: int) -> int:
    """Number of forces in the set."""
    return (forces & 1) + ((forces >> 1) & 1) + ((forces >> 2) & 1)


@jit
def ranks(cards: int) -> int:
    """Sum of the ranks in the set."""
    total = 0
    for card in range(NUM_SUITED):
        if has(cards, card):
            total += RANK[card]
    return total


@jit
def eligible(v: State, seat: int, forces: int, spent: int) -> int:
    """The seat's cards that match one of the forces, without those in ``spent``."""
    cards = 0
    for card in range(NUM_SUITED):
        if v.where[card] == seat and FORCE_BITS[card] & forces != 0 and not has(spent, card):
            cards = with_card(cards, card)
    return cards


@jit
def lowest_matching(v: State, seat: int, force: int, above: int, spent: int) -> int:
    """The seat's lowest card above rank ``above`` that matches the force, or NO_CARD.

    Cards in ``spent`` are left out. Of equal ranks the card that matches fewest forces.
    """
    best = NO_CARD
    least = _FAR
    for card in range(NUM_SUITED):
        held = v.where[card] == seat and not has(spent, card)
        if held and MATCHES[card, force] == 1 and RANK[card] > above:
            price = (NUM_FORCES + 1) * RANK[card] + size(FORCE_BITS[card])
            if price < least:
                least = price
                best = card
    return best


@jit
def payments(cards: int) -> Cells:
    """For each sum of ranks the subset of ``cards`` with fewest cards ``(23,)``, 0 if none has it.

    Only sums below 12, the highest target, are carried on: beyond it a card would be superfluous.
    """
    count = np.full(_MOST + 1, _FAR, np.int64)
    chosen = np.zeros(_MOST + 1, np.int64)
    count[0] = 0
    for card in range(NUM_SUITED):
        if has(cards, card):
            rank = RANK[card]
            for total in range(_HIGHEST_TARGET - 1, -1, -1):
                if count[total] + 1 < count[total + rank]:
                    count[total + rank] = count[total] + 1
                    chosen[total + rank] = with_card(chosen[total], card)
    return chosen


@jit
def cheapest(chosen: Cells, target: int) -> int:
    """Of :func:`payments`, the set of lowest sum that reaches the target, 0 if there is none.

    In a cheapest set no card is superfluous, so the rules allow it (C7).
    """
    for total in range(target, _MOST + 1):
        if chosen[total] != 0:
            return chosen[total]
    return 0
