"""Tableaus of Nicaea: cards in rows, face up or face down, and what can be read off them.

Counts of several things are packed into one number, so that nothing is allocated.
"""

# what an array of a State holds is Any
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.nicaea.state import DISPUTES, SUITS, TABLEAU, Event, State

_BITS: Final = 8  # of a packed counter: a tableau has at most 60 cards
_COUNTER: Final = (1 << _BITS) - 1

ICON_COUNT: Final[NDArray[np.int64]] = np.array([n.bit_count() for n in range(2**DISPUTES)])
"""How many disputes there are in a set given as bits, ``(32,)``."""
ICON_COUNT.setflags(write=False)


@jit
def place_card(s: State, card: int, seat: int) -> None:
    """Put the card face up into the rightmost space of the seat's tableau."""
    size = s.tableau_size[seat]
    s.tableau[seat, size] = card
    s.tableau_size[seat] = size + 1
    s.where[card] = TABLEAU + seat
    s.face_down[card] = 0


@jit
def survey(s: State, seat: int, disputes: int) -> tuple[int, int, int, int, int]:
    """Count the seat's tableau in one pass.

    Args:
        s: the State.
        seat: whose tableau.
        disputes: those whose icons count, as bits.

    Returns:
        Face-up cards of each suit (eight bits each, suit 0 the lowest), Influence of face-up
        Bishops, Influence of all Bishops, number of Canons, points of Canons and icons (N31).
    """
    suits = 0
    face_up = 0
    bishops = 0
    canons = 0
    points = 0
    for k in range(s.tableau_size[seat]):
        card = s.tableau[seat, k]
        cost = s.cost[card]
        shown = 1 - s.face_down[card]
        suits += shown << (_BITS * s.suit[card])
        if is_bishop(s, card):
            face_up += cost * shown
            bishops += cost
            points += ICON_COUNT[s.icons[card] & disputes]
        else:
            canons += 1
            points += cost
    return suits, face_up, bishops, canons, points


@jit
def is_bishop(s: State, card: int) -> bool:
    """Every Bishop's figure is on two cards; Canons have none."""
    return s.partner[card] >= 0


@jit
def suit_count(suits: int, suit: int) -> int:
    """Face-up cards of one suit, from what :func:`survey` returns first."""
    return (suits >> (_BITS * suit)) & _COUNTER


@jit
def leading_suits(suits: int) -> int:
    """N17: the suits with the most face-up cards, at least one, as bits."""
    most = 1
    for suit in range(SUITS):
        most = max(most, suit_count(suits, suit))
    bits = 0
    for suit in range(SUITS):
        bits |= (suit_count(suits, suit) == most) << suit
    return bits


@jit
def plays_free(s: State, card: int, seat: int) -> bool:
    """N17: whether the card is of a leading suit of the seat's tableau."""
    suits, _, _, _, _ = survey(s, seat, 0)
    return (leading_suits(suits) >> s.suit[card]) & 1 == 1


@jit
def face_up_influence(s: State, seat: int) -> int:
    """N9: what the seat's face-up Bishops could pay; Canons pay nothing."""
    _, face_up, _, _, _ = survey(s, seat, 0)
    return face_up


@jit
def final_influence(s: State, seat: int) -> int:
    """N31: TI and the cost of all Bishops in the tableau, face up or down."""
    _, _, bishops, _, _ = survey(s, seat, 0)
    return bishops + s.ti[seat]


@jit
def count_canons(s: State, seat: int) -> int:
    """Canons in the seat's tableau: the TI that it may keep (N28)."""
    _, _, _, canons, _ = survey(s, seat, 0)
    return canons


@jit
def pair_bonus(s: State, card: int) -> int:
    """N21: TI for a figure both of whose cards are face up in one tableau, told at its first card.

    0 for every other card, so that the sum over a tableau counts each pair once.
    """
    other = s.partner[card]
    if other <= card or s.where[other] != s.where[card]:
        return 0
    if s.face_down[card] == 1 or s.face_down[other] == 1:
        return 0
    return s.bonus[card] + s.bonus[other]


@jit
def refresh_leftmost(s: State, seat: int) -> bool:
    """N11: turn up the leftmost face-down card of the seat, if there is one; say whether."""
    for k in range(s.tableau_size[seat]):
        card = s.tableau[seat, k]
        if s.face_down[card] == 1:
            s.face_down[card] = 0
            log_public(s, Event.REFRESHED, seat, card, 0, 0)
            return True
    return False
