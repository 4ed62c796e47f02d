"""What a policy sees of Nicaea: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the perfect-information vector they are
absolute. Cards are by identity. What is printed on them is the same in every game of a deck and so
not here; it is in the View. Segments of seats and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING
from concilium.envs.nicaea.debate import refresh_count
from concilium.envs.nicaea.doctrine import base_price, cards_in_hands, first_open
from concilium.envs.nicaea.scoring import disputes_held, marker_points
from concilium.envs.nicaea.state import (
    CARDS,
    DISPUTES,
    IDLE_LIMIT,
    KINDS,
    MOST_BASE,
    MOST_HELD,
    MOST_MARKERS,
    MOST_REFRESH,
    NAMING,
    NO_CARD,
    OPEN,
    POOLS,
    SEATS,
    SIDE_A,
    SIDE_B,
    SIDES,
    SPACES,
    SUITS,
    TABLEAU,
    TRACK,
    VALUES,
    WINNING_CARDS,
)
from concilium.envs.nicaea.tableau import leading_suits, pair_bonus, suit_count, survey

_CAP: Final = 120  # of amounts that have no small limit
_ENDINGS: Final = 3
_LARGEST_VALUE: Final = 6 * MOST_MARKERS

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (SEATS,), 0, 1, "the seat is to decide"),
    ("phase", (len(KINDS),), 0, 1, "turn, payment, copy, free_play, debate_doctrine, debate_round, "
     "naming; all 0 when over"),
    ("in_debate_round", (1,), 0, 1, "a Debate Round is going on"),
    ("ending", (_ENDINGS,), 0, 1, "all disputes settled, deck empty, idle; all 0 while running"),
    ("schism", (1,), 0, 1, "the game was won by a schism"),
    ("winner", (SEATS,), 0, 1, "the seat has won, alone or with others"),
    # the turn
    ("constantine", (SEATS,), 0, 1, "the seat holds Constantine"),
    ("constantine_space", (SPACES,), 0, 1, "Constantine stands on the space"),
    ("passed", (SEATS,), 0, 1, "the seat has passed in the unbroken run of passes"),
    ("first_passer", (SEATS,), 0, 1, "the seat began that run"),
    ("may_still_buy", (SEATS,), 0, 1, "in a Debate Round: the seat's purchase is not over"),
    ("busy", (1,), 0, 1, "somebody has acted, played or bought since the last Debate Round"),
    ("idle_rounds", (1,), 0, IDLE_LIMIT, "idle Debate Rounds in a row"),
    ("rounds", (1,), 0, _CAP, "Debate Rounds completed, counted to 120"),
    # Influence
    ("ti", (SEATS,), 0, _CAP, "temporary Influence held"),
    ("pool", (POOLS,), 0, _CAP, "temporary Influence in the Pass Pools, topmost first"),
    ("means", (SEATS,), 0, _CAP, "temporary Influence and that of face-up Bishops"),
    ("final_influence", (SEATS,), 0, _CAP, "temporary Influence and that of all Bishops"),
    ("canons", (SEATS,), 0, CARDS, "Canons in the tableau: the temporary Influence that is kept"),
    ("next_bonus", (SEATS,), 0, _CAP, "bonus if a Debate Round came now"),
    ("next_refresh", (SEATS,), 0, _CAP, "cards refreshed if a Debate Round came now"),
    ("points", (SEATS,), 0, _CAP, "points of Canons and icons as things stand"),
    ("marker_count", (SEATS,), 0, MOST_MARKERS, "Victory Point markers held"),
    ("score", (SEATS,), 0, _CAP, "points at the end; 0 while running"),
    # doctrine
    ("doctrine", (SEATS, DISPUTES, SIDES), 0, MOST_HELD, "doctrine cards held"),
    ("still_needed", (DISPUTES, SIDES), 0, WINNING_CARDS, "cards that the side of an open dispute "
     "still needs in players' hands to win"),
    ("settled", (DISPUTES, SIDES), 0, 1, "the side has won"),
    ("token", (DISPUTES,), 0, TRACK, "space of the token from 1; 0 once settled"),
    ("refresh_halves", (DISPUTES,), 0, MOST_REFRESH, "refresh number of the dispute, in halves"),
    ("price", (DISPUTES, SIDES), 0, MOST_BASE, "price of an argument for the side of an open "
     "dispute; who has a card of it pays twice for a second"),
    # cards
    ("hand", (SEATS, CARDS), 0, 2, "card in the seat's hand; 2 while it is being paid for"),
    ("tableau", (SEATS, CARDS), -1, 1, "card in the seat's tableau: 1 face up, -1 face down"),
    ("place", (CARDS,), 0, CARDS, "place from the left in its tableau, from 1"),
    ("display", (SPACES, CARDS), 0, 1, "card on the space"),
    ("deck_size", (1,), 0, CARDS, "cards in the deck: those that are nowhere else"),
    ("suit_count", (SEATS, SUITS), 0, CARDS, "face-up cards of the suit in the tableau"),
    ("leading_suit", (SEATS, SUITS), 0, 1, "cards of the suit are free to play there"),
    # what is going on
    ("taking", (SPACES - 1,), 0, 1, "space whose Action is being paid for or resolved; not the "
     "first, whose Action is nothing for nothing"),
    ("target", (SEATS,), 0, 1, "to whose tableau the card being paid for goes"),
    ("buying", (DISPUTES, SIDES), 0, 1, "doctrine card being paid for"),
    ("naming", (DISPUTES,), 0, 1, "dispute whose winner is being named"),
    ("still_to_pay", (1,), 0, 2 * MOST_BASE, "Influence missing to the price"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    ("own_markers", (VALUES,), 0, MOST_MARKERS, "own Victory Point markers of value 4, 5, 6"),
    ("own_marker_points", (1,), 0, _LARGEST_VALUE, "their sum"),
)

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    ("markers", (SEATS, VALUES), 0, MOST_MARKERS, "Victory Point markers of value 4, 5, 6"),
    ("draw_order", (CARDS,), 0, CARDS, "1 for the card drawn next, and so on; 0: not there"),
)

# Offsets as plain numbers, because compiled code takes no objects
_AT: Final = OBSERVATION.start
_EXISTS: Final = _AT("seat_exists")
_TO_ACT: Final = _AT("to_act")
_PHASE: Final = _AT("phase")
_IN_DEBATE_ROUND: Final = _AT("in_debate_round")
_ENDING: Final = _AT("ending")
_SCHISM: Final = _AT("schism")
_WINNER: Final = _AT("winner")
_CONSTANTINE: Final = _AT("constantine")
_CONSTANTINE_SPACE: Final = _AT("constantine_space")
_PASSED: Final = _AT("passed")
_FIRST_PASSER: Final = _AT("first_passer")
_MAY_BUY: Final = _AT("may_still_buy")
_BUSY: Final = _AT("busy")
_IDLE_ROUNDS: Final = _AT("idle_rounds")
_ROUNDS: Final = _AT("rounds")
_TI: Final = _AT("ti")
_POOL: Final = _AT("pool")
_MEANS: Final = _AT("means")
_FINAL_INFLUENCE: Final = _AT("final_influence")
_CANONS: Final = _AT("canons")
_NEXT_BONUS: Final = _AT("next_bonus")
_NEXT_REFRESH: Final = _AT("next_refresh")
_POINTS: Final = _AT("points")
_MARKER_COUNT: Final = _AT("marker_count")
_SCORE: Final = _AT("score")
_DOCTRINE: Final = _AT("doctrine")
_STILL_NEEDED: Final = _AT("still_needed")
_SETTLED: Final = _AT("settled")
_TOKEN: Final = _AT("token")
_REFRESH_HALVES: Final = _AT("refresh_halves")
_PRICE: Final = _AT("price")
_HAND: Final = _AT("hand")
_TABLEAU: Final = _AT("tableau")
_PLACE: Final = _AT("place")
_DISPLAY: Final = _AT("display")
_DECK_SIZE: Final = _AT("deck_size")
_SUIT_COUNT: Final = _AT("suit_count")
_LEADING: Final = _AT("leading_suit")
_TAKING: Final = _AT("taking")
_TARGET: Final = _AT("target")
_BUYING: Final = _AT("buying")
_NAMING: Final = _AT("naming")
_TO_PAY: Final = _AT("still_to_pay")
_OWN_MARKERS: Final = _AT("own_markers")
_OWN_POINTS: Final = _AT("own_marker_points")
_MARKERS: Final = STATE_LAYOUT.start("markers")
_DRAW_ORDER: Final = STATE_LAYOUT.start("draw_order")


@jit
def encode(v: Any, out: Any) -> None:
    """Fill ``out (OBSERVATION.size,) int8`` from a View; a spectator's begins with seat 0."""
    viewer = np.int64(v.viewer)
    _encode_public(v, max(viewer, np.int64(0)), out)
    if viewer >= 0:
        for value in range(VALUES):
            out[_OWN_MARKERS + value] = v.markers[viewer, value]
        out[_OWN_POINTS] = marker_points(v, viewer)


@jit
def encode_state(s: Any, out: Any) -> None:
    """Fill ``out (STATE_LAYOUT.size,) int8`` from a State: public part, markers, deck order."""
    _encode_public(s, np.int64(0), out)
    for seat in range(np.int64(s.num_players)):
        for value in range(VALUES):
            out[_MARKERS + VALUES * seat + value] = s.markers[seat, value]
    size = np.int64(s.deck_size)
    for k in range(size):
        out[_DRAW_ORDER + np.int64(s.deck[k])] = size - k


@jit
def _encode_public(v: Any, base: Any, out: Any) -> None:
    n = np.int64(v.num_players)
    for seat in range(n):
        me = _relative(seat, base, n)
        out[_EXISTS + me] = 1
        _encode_seat(v, seat, me, out)
        _encode_tableau(v, seat, me, out)
    _encode_turn(v, base, n, out)
    _encode_doctrine(v, out)
    _encode_cards(v, base, n, out)
    _encode_pending(v, base, n, out)


@jit
def _relative(seat: Any, base: Any, n: Any) -> Any:
    """Places clockwise from ``base`` to ``seat``, both at the table; quicker than a division."""
    me = seat - base
    if me < 0:
        me += n
    return me


@jit
def _encode_seat(v: Any, seat: Any, me: Any, out: Any) -> None:
    """The numbers of one seat."""
    ti = np.int64(v.ti[seat])
    suits, face_up, bishops, canons, points = survey(v, seat, disputes_held(v, seat))
    out[_TI + me] = min(ti, _CAP)
    out[_MEANS + me] = min(ti + face_up, _CAP)
    out[_FINAL_INFLUENCE + me] = min(ti + bishops, _CAP)
    out[_CANONS + me] = canons
    out[_NEXT_REFRESH + me] = min(refresh_count(v, seat), _CAP)
    out[_POINTS + me] = min(points, _CAP)
    out[_MARKER_COUNT + me] = v.marker_count[seat]
    out[_SCORE + me] = min(np.int64(v.score[seat]), _CAP)
    out[_WINNER + me] = (np.int64(v.winners) >> seat) & 1
    leading = leading_suits(suits)
    for suit in range(SUITS):
        out[_SUIT_COUNT + SUITS * me + suit] = suit_count(suits, suit)
        out[_LEADING + SUITS * me + suit] = (leading >> suit) & 1


@jit
def _encode_tableau(v: Any, seat: Any, me: Any, out: Any) -> None:
    """The seat's row of cards, its pairs and its doctrine cards."""
    bonus = np.int64(0)
    for k in range(np.int64(v.tableau_size[seat])):
        card = np.int64(v.tableau[seat, k])
        out[_TABLEAU + CARDS * me + card] = 1 - 2 * np.int64(v.face_down[card])
        out[_PLACE + card] = k + 1
        bonus += pair_bonus(v, card)
    out[_NEXT_BONUS + me] = min(bonus, _CAP)
    for dispute in range(DISPUTES):
        for side in range(SIDES):
            at = SIDES * (DISPUTES * me + dispute) + side
            out[_DOCTRINE + at] = v.doctrine[seat, dispute, side]


@jit
def _encode_turn(v: Any, base: Any, n: Any, out: Any) -> None:
    """Whose turn, who passed, how the game stands."""
    if v.status == RUNNING:
        out[_TO_ACT + _relative(np.int64(v.actor), base, n)] = 1
        out[_PHASE + np.int64(v.phase)] = 1
    else:
        out[_ENDING + np.int64(v.ending) - 1] = 1
        out[_SCHISM] = v.schism
    if v.constantine >= 0:
        out[_CONSTANTINE + _relative(np.int64(v.constantine), base, n)] = 1
    else:
        out[_CONSTANTINE_SPACE + np.int64(v.constantine_space)] = 1
    first = np.int64(v.first_passer)
    if first >= 0:
        me = _relative(first, base, n)
        out[_FIRST_PASSER + me] = 1
        for k in range(np.int64(v.passes)):
            out[_PASSED + (me + k) % n] = 1
        if v.passes == n:
            out[_IN_DEBATE_ROUND] = 1
            for k in range(np.int64(v.asked), n):
                out[_MAY_BUY + (me + n - 1 + k) % n] = 1
    out[_BUSY] = v.busy
    out[_IDLE_ROUNDS] = v.idle_rounds
    out[_ROUNDS] = min(np.int64(v.rounds), _CAP)
    for place in range(POOLS):
        out[_POOL + place] = min(np.int64(v.pool[place]), _CAP)


@jit
def _encode_doctrine(v: Any, out: Any) -> None:
    for dispute in range(DISPUTES):
        if v.settled[dispute] == OPEN:
            space = np.int64(v.token[dispute])
            out[_TOKEN + dispute] = space + 1
            out[_REFRESH_HALVES + dispute] = v.track_refresh[space]
            hands_a = cards_in_hands(v, dispute, SIDE_A)
            hands_b = cards_in_hands(v, dispute, SIDE_B)
            at = SIDES * dispute
            out[_STILL_NEEDED + at] = WINNING_CARDS - hands_a
            out[_STILL_NEEDED + at + 1] = WINNING_CARDS - hands_b
            out[_PRICE + at] = base_price(v, dispute, hands_a - hands_b)
            out[_PRICE + at + 1] = base_price(v, dispute, hands_b - hands_a)
        else:
            out[_SETTLED + SIDES * dispute + np.int64(v.settled[dispute]) - 1] = 1


@jit
def _encode_cards(v: Any, base: Any, n: Any, out: Any) -> None:
    """Hands, display and deck."""
    out[_DECK_SIZE] = v.deck_size
    for card in range(np.int64(v.num_cards)):
        place = np.int64(v.where[card])
        if place < TABLEAU:
            out[_HAND + CARDS * _relative(place, base, n) + card] = 1
    for space in range(SPACES):
        card = np.int64(v.display[space])
        if card != NO_CARD:
            out[_DISPLAY + CARDS * space + card] = 1


@jit
def _encode_pending(v: Any, base: Any, n: Any, out: Any) -> None:
    """What is being taken, played, bought, named and paid for."""
    if v.taking != NO_CARD:
        for space in range(1, SPACES):
            out[_TAKING + space - 1] = v.display[space] == v.taking
    if v.playing != NO_CARD:  # it is the actor's, who is the seat it would come from
        me = _relative(np.int64(v.actor), base, n)
        out[_HAND + CARDS * me + np.int64(v.playing)] = 2
        out[_TARGET + _relative(np.int64(v.target), base, n)] = 1
    if v.buying >= 0:
        out[_BUYING + SIDES * np.int64(v.buying) + np.int64(v.buying_side)] = 1
    if v.phase == NAMING:
        out[_NAMING + first_open(v)] = 1
    out[_TO_PAY] = np.int64(v.price) - np.int64(v.paid)
