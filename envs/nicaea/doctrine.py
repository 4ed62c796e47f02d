"""Buying doctrine cards and settling disputes (N1, N23–N26)."""

# what an array of a State holds is Any
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event, log_public
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.payment import begin_payment, means
from concilium.envs.nicaea.state import Event, State


@jit
def cards_in_hands(s: State, dispute: int, side: int) -> int:
    """Doctrine cards of a side that players hold."""
    count = 0
    for seat in range(s.num_players):
        count += s.doctrine[seat, dispute, side]
    return count


@jit
def cards_held(s: State, seat: int, dispute: int) -> int:
    """Doctrine cards of a dispute that the seat holds: of one side only."""
    return s.doctrine[seat, dispute, 0] + s.doctrine[seat, dispute, 1]


@jit
def doctrine_price(s: State, seat: int, dispute: int, side: int) -> int:
    """N23, N24: what the next card of a side costs the seat; 0 if it cannot be bought.

    Fewer cards in hands make a side the contrarian, cheaper one. A second card costs twice as much
    and must be of the same side; there is no third.
    """
    own = s.doctrine[seat, dispute, side]
    if (
        s.settled[dispute] != S.OPEN
        or s.doctrine[seat, dispute, 1 - side] > 0
        or own >= S.MOST_HELD
    ):
        return 0
    lead = cards_in_hands(s, dispute, side) - cards_in_hands(s, dispute, 1 - side)
    return base_price(s, dispute, lead) * (own + 1)


@jit
def base_price(s: State, dispute: int, lead: int) -> int:
    """N24: the price of an argument for a side of an open dispute that leads by ``lead`` cards."""
    space = s.token[dispute]
    if lead < 0:
        return s.track_contrarian[space]
    return s.track_base[space]


@jit
def can_buy(s: State, seat: int) -> bool:
    """Whether there is any doctrine card that the seat may buy and can pay."""
    limit = means(s, seat)
    for dispute in range(S.DISPUTES):
        for side in range(S.SIDES):
            if 0 < doctrine_price(s, seat, dispute, side) <= limit:
                return True
    return False


@jit
def legal_purchases(s: State, mask: Cells) -> None:
    """Doctrine cards that the actor may buy and can pay."""
    seat = s.actor
    limit = means(s, seat)
    for dispute in range(S.DISPUTES):
        for side in range(S.SIDES):
            if 0 < doctrine_price(s, seat, dispute, side) <= limit:
                mask[A.BUY + S.SIDES * dispute + side] = 1


@jit
def begin_purchase(s: State, dispute: int, side: int) -> None:
    """Choose a doctrine card; its payment is one of its own (N8)."""
    price = doctrine_price(s, s.actor, dispute, side)
    log_public(s, Event.BOUGHT, s.actor, dispute, side, price)
    s.busy = 1
    s.buying = dispute
    s.buying_side = side
    begin_payment(s, price)


@jit
def complete_purchase(s: State) -> None:
    """Take the card paid for and advance the token, by two for a second card; N26 at the fourth."""
    seat = s.actor
    dispute = s.buying
    side = s.buying_side
    before = cards_in_hands(s, dispute, side)
    pile = side
    if before == S.SINGLE_CARDS:
        pile = S.SIDES  # N25: the double-sided card
    s.supply[dispute, pile] = s.supply[dispute, pile] - 1
    own = s.doctrine[seat, dispute, side] + 1
    s.doctrine[seat, dispute, side] = own
    s.token[dispute] = min(s.token[dispute] + own, s.track_spaces - 1)
    s.buying = S.NONE
    s.buying_side = S.NONE
    if before + 1 == S.WINNING_CARDS:
        settle(s, dispute, side)


@jit
def settle(s: State, dispute: int, side: int) -> None:
    """N26: losers' cards leave, every winning card draws a marker, in seat order from seat 0."""
    n = s.num_players
    for seat in range(n):
        lost = s.doctrine[seat, dispute, 1 - side]
        s.doctrine[seat, dispute, 1 - side] = 0
        s.removed[dispute] = s.removed[dispute] + lost
    s.settled[dispute] = side + 1
    s.token[dispute] = S.NONE
    log_public(s, Event.WON, S.NOBODY, dispute, side, cards_in_hands(s, dispute, side))
    for seat in range(n):
        for _ in range(s.doctrine[seat, dispute, side]):
            _draw_marker(s, seat, dispute)


@jit
def _draw_marker(s: State, seat: int, dispute: int) -> None:
    """Draw a Victory Point marker; its owner sees the value at once (N18)."""
    value = draw_value(s)
    s.markers[seat, value] = s.markers[seat, value] + 1
    s.marker_count[seat] = s.marker_count[seat] + 1
    log_event(s, Event.MARKER, seat, dispute, 0, 0, S.LOWEST_VALUE + value, 1 << seat, EVERYBODY)


@jit
def draw_value(s: State) -> int:
    """Take a marker out of the supply, all equally likely; return its value from 0."""
    total = 0
    for value in range(S.VALUES):
        total += s.marker_supply[value]
    left = below(s, total)
    drawn = 0
    while left >= s.marker_supply[drawn]:
        left -= s.marker_supply[drawn]
        drawn += 1
    s.marker_supply[drawn] = s.marker_supply[drawn] - 1
    return drawn


@jit
def first_open(s: State) -> int:
    """The first dispute not settled, DISPUTES if all are."""
    for dispute in range(S.DISPUTES):
        if s.settled[dispute] == S.OPEN:
            return dispute
    return S.DISPUTES
