"""Buying doctrine cards and settling disputes (N1, N23–N26)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import EVERYBODY, log_event, log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.payment import begin_payment, means
from concilium.envs.nicaea.state import (
    BOUGHT,
    DISPUTES,
    LOWEST_VALUE,
    MARKER,
    MOST_HELD,
    NOBODY,
    NONE,
    OPEN,
    SIDES,
    SINGLE_CARDS,
    VALUES,
    WINNING_CARDS,
    WON,
)

_BUY: Final = A.BUY


@jit
def cards_in_hands(s: Any, dispute: Any, side: Any) -> Any:
    """Doctrine cards of a side that players hold."""
    count = np.int64(0)
    for seat in range(np.int64(s.num_players)):
        count += np.int64(s.doctrine[seat, dispute, side])
    return count


@jit
def cards_held(s: Any, seat: Any, dispute: Any) -> Any:
    """Doctrine cards of a dispute that the seat holds: of one side only."""
    return np.int64(s.doctrine[seat, dispute, 0]) + np.int64(s.doctrine[seat, dispute, 1])


@jit
def doctrine_price(s: Any, seat: Any, dispute: Any, side: Any) -> Any:
    """N23, N24: what the next card of a side costs the seat; 0 if it cannot be bought.

    Fewer cards in hands make a side the contrarian, cheaper one. A second card costs twice as much
    and must be of the same side; there is no third.
    """
    own = np.int64(s.doctrine[seat, dispute, side])
    if s.settled[dispute] != OPEN or s.doctrine[seat, dispute, 1 - side] > 0 or own >= MOST_HELD:
        return np.int64(0)
    lead = cards_in_hands(s, dispute, side) - cards_in_hands(s, dispute, 1 - side)
    return base_price(s, dispute, lead) * (own + 1)


@jit
def base_price(s: Any, dispute: Any, lead: Any) -> Any:
    """N24: the price of an argument for a side of an open dispute that leads by ``lead`` cards."""
    space = np.int64(s.token[dispute])
    if lead < 0:
        return np.int64(s.track_contrarian[space])
    return np.int64(s.track_base[space])


@jit
def can_buy(s: Any, seat: Any) -> Any:
    """Whether there is any doctrine card that the seat may buy and can pay."""
    limit = means(s, seat)
    for dispute in range(DISPUTES):
        for side in range(SIDES):
            if 0 < doctrine_price(s, seat, dispute, side) <= limit:
                return True
    return False


@jit
def legal_purchases(s: Any, mask: Any) -> None:
    """Doctrine cards that the actor may buy and can pay."""
    seat = np.int64(s.actor)
    limit = means(s, seat)
    for dispute in range(DISPUTES):
        for side in range(SIDES):
            if 0 < doctrine_price(s, seat, dispute, side) <= limit:
                mask[_BUY + SIDES * dispute + side] = 1


@jit
def begin_purchase(s: Any, dispute: Any, side: Any) -> None:
    """Choose a doctrine card; its payment is one of its own (N8)."""
    price = doctrine_price(s, np.int64(s.actor), dispute, side)
    log_public(s, BOUGHT, s.actor, dispute, side, price)
    s.busy = 1
    s.buying = dispute
    s.buying_side = side
    begin_payment(s, price)


@jit
def complete_purchase(s: Any) -> None:
    """Take the card paid for and advance the token, by two for a second card; N26 at the fourth."""
    seat = np.int64(s.actor)
    dispute = np.int64(s.buying)
    side = np.int64(s.buying_side)
    before = cards_in_hands(s, dispute, side)
    pile: Any = side
    if before == SINGLE_CARDS:
        pile = SIDES  # N25: the double-sided card
    s.supply[dispute, pile] = np.int64(s.supply[dispute, pile]) - 1
    own = np.int64(s.doctrine[seat, dispute, side]) + 1
    s.doctrine[seat, dispute, side] = own
    s.token[dispute] = min(np.int64(s.token[dispute]) + own, np.int64(s.track_spaces) - 1)
    s.buying = NONE
    s.buying_side = NONE
    if before + 1 == WINNING_CARDS:
        settle(s, dispute, side)


@jit
def settle(s: Any, dispute: Any, side: Any) -> None:
    """N26: losers' cards leave, every winning card draws a marker, in seat order from seat 0."""
    n = np.int64(s.num_players)
    for seat in range(n):
        lost = np.int64(s.doctrine[seat, dispute, 1 - side])
        s.doctrine[seat, dispute, 1 - side] = 0
        s.removed[dispute] = np.int64(s.removed[dispute]) + lost
    s.settled[dispute] = side + 1
    s.token[dispute] = NONE
    log_public(s, WON, NOBODY, dispute, side, cards_in_hands(s, dispute, side))
    for seat in range(n):
        for _ in range(np.int64(s.doctrine[seat, dispute, side])):
            _draw_marker(s, seat, dispute)


@jit
def _draw_marker(s: Any, seat: Any, dispute: Any) -> None:
    """Draw a Victory Point marker; its owner sees the value at once (N18)."""
    value = draw_value(s)
    s.markers[seat, value] = np.int64(s.markers[seat, value]) + 1
    s.marker_count[seat] = np.int64(s.marker_count[seat]) + 1
    log_event(s, MARKER, seat, dispute, 0, 0, LOWEST_VALUE + value, np.int64(1) << seat, EVERYBODY)


@jit
def draw_value(s: Any) -> Any:
    """Take a marker out of the supply, all equally likely; return its value from 0."""
    total = np.int64(0)
    for value in range(VALUES):
        total += np.int64(s.marker_supply[value])
    left = below(s, total)
    drawn = np.int64(0)
    while left >= np.int64(s.marker_supply[drawn]):
        left -= np.int64(s.marker_supply[drawn])
        drawn += 1
    s.marker_supply[drawn] = np.int64(s.marker_supply[drawn]) - 1
    return drawn


@jit
def first_open(s: Any) -> Any:
    """The first dispute not settled, DISPUTES if all are."""
    for dispute in range(DISPUTES):
        if s.settled[dispute] == OPEN:
            return dispute
    return DISPUTES
