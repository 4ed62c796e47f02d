"""Tableaus of Nicaea: cards in rows, face up or face down, and what can be read off them.

``np.int64(...)`` around a field widens it before arithmetic and keeps each helper to one compiled
version. Counts of several things are packed into one number, so that nothing is allocated.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.nicaea.state import DISPUTES, REFRESHED, SUITS, TABLEAU

_BITS: Final = 8  # of a packed counter: a tableau has at most 60 cards
_COUNTER: Final = (1 << _BITS) - 1

ICON_COUNT: Final[NDArray[np.int64]] = np.array([n.bit_count() for n in range(2**DISPUTES)])
"""How many disputes there are in a set given as bits, ``(32,)``."""
ICON_COUNT.setflags(write=False)


@jit
def place_card(s: Any, card: Any, seat: Any) -> None:
    """Put the card face up into the rightmost space of the seat's tableau."""
    size = np.int64(s.tableau_size[seat])
    s.tableau[seat, size] = card
    s.tableau_size[seat] = size + 1
    s.where[card] = TABLEAU + seat
    s.face_down[card] = 0


@jit
def survey(s: Any, seat: Any, disputes: Any) -> Any:
    """Count the seat's tableau in one pass.

    Args:
        s: the State.
        seat: whose tableau.
        disputes: those whose icons count, as bits.

    Returns:
        Face-up cards of each suit (eight bits each, suit 0 the lowest), Influence of face-up
        Bishops, Influence of all Bishops, number of Canons, points of Canons and icons (N31).
    """
    suits = np.int64(0)
    face_up = np.int64(0)
    bishops = np.int64(0)
    canons = np.int64(0)
    points = np.int64(0)
    for k in range(np.int64(s.tableau_size[seat])):
        card = np.int64(s.tableau[seat, k])
        cost = np.int64(s.cost[card])
        shown = 1 - np.int64(s.face_down[card])
        suits += shown << (_BITS * np.int64(s.suit[card]))
        if is_bishop(s, card):
            face_up += cost * shown
            bishops += cost
            points += ICON_COUNT[np.int64(s.icons[card]) & disputes]
        else:
            canons += 1
            points += cost
    return suits, face_up, bishops, canons, points


@jit
def is_bishop(s: Any, card: Any) -> Any:
    """Every Bishop's figure is on two cards; Canons have none."""
    return s.partner[card] >= 0


@jit
def suit_count(suits: Any, suit: Any) -> Any:
    """Face-up cards of one suit, from what :func:`survey` returns first."""
    return (suits >> (_BITS * suit)) & _COUNTER


@jit
def leading_suits(suits: Any) -> Any:
    """N17: the suits with the most face-up cards, at least one, as bits."""
    most = np.int64(1)
    for suit in range(SUITS):
        most = max(most, suit_count(suits, suit))
    bits = np.int64(0)
    for suit in range(SUITS):
        bits |= np.int64(suit_count(suits, suit) == most) << suit
    return bits


@jit
def plays_free(s: Any, card: Any, seat: Any) -> Any:
    """N17: whether the card is of a leading suit of the seat's tableau."""
    suits, _, _, _, _ = survey(s, seat, 0)
    return (leading_suits(suits) >> np.int64(s.suit[card])) & 1 == 1


@jit
def face_up_influence(s: Any, seat: Any) -> Any:
    """N9: what the seat's face-up Bishops could pay; Canons pay nothing."""
    _, face_up, _, _, _ = survey(s, seat, 0)
    return face_up


@jit
def final_influence(s: Any, seat: Any) -> Any:
    """N31: TI and the cost of all Bishops in the tableau, face up or down."""
    _, _, bishops, _, _ = survey(s, seat, 0)
    return bishops + np.int64(s.ti[seat])


@jit
def count_canons(s: Any, seat: Any) -> Any:
    """Canons in the seat's tableau: the TI that it may keep (N28)."""
    _, _, _, canons, _ = survey(s, seat, 0)
    return canons


@jit
def pair_bonus(s: Any, card: Any) -> Any:
    """N21: TI for a figure both of whose cards are face up in one tableau, told at its first card.

    0 for every other card, so that the sum over a tableau counts each pair once.
    """
    other = np.int64(s.partner[card])
    if other <= card or s.where[other] != s.where[card]:
        return np.int64(0)
    if s.face_down[card] == 1 or s.face_down[other] == 1:
        return np.int64(0)
    return np.int64(s.bonus[card]) + np.int64(s.bonus[other])


@jit
def refresh_leftmost(s: Any, seat: Any) -> Any:
    """N11: turn up the leftmost face-down card of the seat; return 1 if there was one."""
    for k in range(np.int64(s.tableau_size[seat])):
        card = np.int64(s.tableau[seat, k])
        if s.face_down[card] == 1:
            s.face_down[card] = 0
            log_public(s, REFRESHED, seat, card, 0, 0)
            return 1
    return 0
