"""What a policy sees of Nicaea: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the state vector they are
absolute. Cards are by identity. What is printed on them is the same in every game of a deck and so
not here; it is in the View. Segments of seats and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.debate import refresh_count
from concilium.envs.nicaea.doctrine import base_price, cards_in_hands, first_open
from concilium.envs.nicaea.scoring import disputes_held, marker_points
from concilium.envs.nicaea.state import Phase, State
from concilium.envs.nicaea.tableau import leading_suits, pair_bonus, suit_count, survey

_CAP: Final = 120  # of amounts that have no small limit
_COUNTED: Final = f"; counted to {_CAP}"
_ENDINGS: Final = 3
_LARGEST_VALUE: Final = 6 * S.MOST_MARKERS

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (S.SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (S.SEATS,), 0, 1, "the seat is to decide"),
    ("phase", (len(S.KINDS),), 0, 1, "turn, payment, copy, free_play, debate_doctrine, "
     "debate_round, naming; all 0 when over"),
    ("in_debate_round", (1,), 0, 1, "a Debate Round is going on"),
    ("ending", (_ENDINGS,), 0, 1, "all disputes settled, deck empty, idle; all 0 while running"),
    ("schism", (1,), 0, 1, "the game was won by a schism"),
    ("winner", (S.SEATS,), 0, 1, "the seat has won, alone or with others"),
    # the turn
    ("constantine", (S.SEATS,), 0, 1, "the seat holds Constantine"),
    ("constantine_space", (S.SPACES,), 0, 1, "Constantine stands on the space"),
    ("passed", (S.SEATS,), 0, 1, "the seat has passed in the unbroken run of passes"),
    ("first_passer", (S.SEATS,), 0, 1, "the seat began that run"),
    ("may_still_buy", (S.SEATS,), 0, 1, "in a Debate Round: the seat's purchase is not over"),
    ("busy", (1,), 0, 1, "somebody has acted, played or bought since the last Debate Round"),
    ("idle_rounds", (1,), 0, S.IDLE_LIMIT, "idle Debate Rounds in a row"),
    ("rounds", (1,), 0, _CAP, "Debate Rounds completed" + _COUNTED),
    # Influence
    ("ti", (S.SEATS,), 0, _CAP, "temporary Influence held" + _COUNTED),
    ("pool", (S.POOLS,), 0, _CAP, "temporary Influence in the Pass Pools, topmost first"
     + _COUNTED),
    ("means", (S.SEATS,), 0, _CAP, "temporary Influence and that of face-up Bishops" + _COUNTED),
    ("final_influence", (S.SEATS,), 0, _CAP, "temporary Influence and that of all Bishops"
     + _COUNTED),
    ("canons", (S.SEATS,), 0, S.CARDS, "Canons in the tableau: the temporary Influence "
     "that is kept"),
    ("next_bonus", (S.SEATS,), 0, _CAP, "bonus if a Debate Round came now" + _COUNTED),
    ("next_refresh", (S.SEATS,), 0, _CAP, "sum of the refresh numbers of its doctrine cards as a "
     "Debate Round would take it now, rounded up: at most so many cards are turned up" + _COUNTED),
    ("points", (S.SEATS,), 0, _CAP, "points of Canons and icons as things stand" + _COUNTED),
    ("marker_count", (S.SEATS,), 0, S.MOST_MARKERS, "Victory Point markers held"),
    ("score", (S.SEATS,), 0, _CAP, "points at the end; 0 while running" + _COUNTED),
    # doctrine
    ("doctrine", (S.SEATS, S.DISPUTES, S.SIDES), 0, S.MOST_HELD, "doctrine cards held"),
    ("still_needed", (S.DISPUTES, S.SIDES), 0, S.WINNING_CARDS, "cards that the side of an open "
     "dispute still needs in players' hands to win"),
    ("settled", (S.DISPUTES, S.SIDES), 0, 1, "the side has won"),
    ("token", (S.DISPUTES,), 0, S.TRACK, "space of the token from 1; 0 once settled"),
    ("refresh_halves", (S.DISPUTES,), 0, S.MOST_REFRESH, "refresh number of the dispute, in "
     "halves"),
    ("price", (S.DISPUTES, S.SIDES), 0, S.MOST_BASE, "price of an argument for the side of an open "
     "dispute; who has a card of it pays twice for a second"),
    # cards
    ("hand", (S.SEATS, S.CARDS), 0, 2, "card in the seat's hand; 2 while it is being paid for"),
    ("tableau", (S.SEATS, S.CARDS), -1, 1, "card in the seat's tableau: 1 face up, -1 face down"),
    ("place", (S.CARDS,), 0, S.CARDS, "place from the left in its tableau, from 1"),
    ("display", (S.SPACES, S.CARDS), 0, 1, "card on the space"),
    ("deck_size", (1,), 0, S.CARDS, "cards in the deck: those that are nowhere else"),
    ("suit_count", (S.SEATS, S.SUITS), 0, S.CARDS, "face-up cards of the suit in the tableau"),
    ("leading_suit", (S.SEATS, S.SUITS), 0, 1, "cards of the suit are free to play there"),
    # what is going on
    ("taking", (S.SPACES - 1,), 0, 1, "space whose Action is being paid for or resolved; not the "
     "first, whose Action is nothing for nothing"),
    ("target", (S.SEATS,), 0, 1, "to whose tableau the card being paid for goes"),
    ("buying", (S.DISPUTES, S.SIDES), 0, 1, "doctrine card being paid for"),
    ("naming", (S.DISPUTES,), 0, 1, "dispute whose winner is being named"),
    ("still_to_pay", (1,), 0, 2 * S.MOST_BASE, "Influence missing to the price"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    ("own_markers", (S.VALUES,), 0, S.MOST_MARKERS, "own Victory Point markers of value 4, 5, 6"),
    ("own_marker_points", (1,), 0, _LARGEST_VALUE, "their sum"),
)

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    ("markers", (S.SEATS, S.VALUES), 0, S.MOST_MARKERS, "Victory Point markers of value 4, 5, 6"),
    ("draw_order", (S.CARDS,), 0, S.CARDS, "1 for the card drawn next, and so on; 0: not there"),
)


@jit
def encode(v: State, out: Any) -> None:
    """Fill an observation, a record of :data:`OBSERVATION`; a spectator's begins with seat 0."""
    viewer = v.viewer
    _encode_public(v, max(viewer, 0), out)
    if viewer >= 0:
        for value in range(S.VALUES):
            out.own_markers[value] = v.markers[viewer, value]
        out.own_marker_points = marker_points(v, viewer)


@jit
def encode_state(s: State, out: Any) -> None:
    """Fill a record of :data:`STATE_LAYOUT`: public part, markers, deck order."""
    _encode_public(s, 0, out)
    for seat in range(s.num_players):
        for value in range(S.VALUES):
            out.markers[seat, value] = s.markers[seat, value]
    size = s.deck_size
    for k in range(size):
        out.draw_order[s.deck[k]] = size - k


@jit
def _encode_public(v: State, base: int, out: Any) -> None:
    n = v.num_players
    for seat in range(n):
        me = _relative(seat, base, n)
        out.seat_exists[me] = 1
        _encode_seat(v, seat, me, out)
        _encode_tableau(v, seat, me, out)
    _encode_turn(v, base, n, out)
    _encode_doctrine(v, out)
    _encode_cards(v, base, n, out)
    _encode_pending(v, base, n, out)


@jit
def _relative(seat: int, base: int, n: int) -> int:
    """Places clockwise from ``base`` to ``seat``, both at the table; quicker than a division."""
    me = seat - base
    if me < 0:
        me += n
    return me


@jit
def _encode_seat(v: State, seat: int, me: int, out: Any) -> None:
    """The numbers of one seat."""
    ti = v.ti[seat]
    suits, face_up, bishops, canons, points = survey(v, seat, disputes_held(v, seat))
    out.ti[me] = min(ti, _CAP)
    out.means[me] = min(ti + face_up, _CAP)
    out.final_influence[me] = min(ti + bishops, _CAP)
    out.canons[me] = canons
    out.next_refresh[me] = min(refresh_count(v, seat), _CAP)
    out.points[me] = min(points, _CAP)
    out.marker_count[me] = v.marker_count[seat]
    out.score[me] = min(v.score[seat], _CAP)
    out.winner[me] = (v.winners >> seat) & 1
    leading = leading_suits(suits)
    for suit in range(S.SUITS):
        out.suit_count[me, suit] = suit_count(suits, suit)
        out.leading_suit[me, suit] = (leading >> suit) & 1


@jit
def _encode_tableau(v: State, seat: int, me: int, out: Any) -> None:
    """The seat's row of cards, its pairs and its doctrine cards."""
    bonus = 0
    for k in range(v.tableau_size[seat]):
        card = v.tableau[seat, k]
        out.tableau[me, card] = 1 - 2 * v.face_down[card]
        out.place[card] = k + 1
        bonus += pair_bonus(v, card)
    out.next_bonus[me] = min(bonus, _CAP)
    for dispute in range(S.DISPUTES):
        for side in range(S.SIDES):
            out.doctrine[me, dispute, side] = v.doctrine[seat, dispute, side]


@jit
def _encode_turn(v: State, base: int, n: int, out: Any) -> None:
    """Whose turn, who passed, how the game stands."""
    if v.status == RUNNING:
        out.to_act[_relative(v.actor, base, n)] = 1
        out.phase[v.phase] = 1
    else:
        out.ending[v.ending - 1] = 1
        out.schism = v.schism
    if v.constantine >= 0:
        out.constantine[_relative(v.constantine, base, n)] = 1
    else:
        out.constantine_space[v.constantine_space] = 1
    first = v.first_passer
    if first >= 0:
        me = _relative(first, base, n)
        out.first_passer[me] = 1
        for k in range(v.passes):
            out.passed[(me + k) % n] = 1
        if v.passes == n:
            out.in_debate_round = 1
            for k in range(v.asked, n):
                out.may_still_buy[(me + n - 1 + k) % n] = 1
    out.busy = v.busy
    out.idle_rounds = v.idle_rounds
    out.rounds = min(v.rounds, _CAP)
    for place in range(S.POOLS):
        out.pool[place] = min(v.pool[place], _CAP)


@jit
def _encode_doctrine(v: State, out: Any) -> None:
    for dispute in range(S.DISPUTES):
        if v.settled[dispute] == S.OPEN:
            space = v.token[dispute]
            out.token[dispute] = space + 1
            out.refresh_halves[dispute] = v.track_refresh[space]
            hands_a = cards_in_hands(v, dispute, S.SIDE_A)
            hands_b = cards_in_hands(v, dispute, S.SIDE_B)
            out.still_needed[dispute, S.SIDE_A] = S.WINNING_CARDS - hands_a
            out.still_needed[dispute, S.SIDE_B] = S.WINNING_CARDS - hands_b
            out.price[dispute, S.SIDE_A] = base_price(v, dispute, hands_a - hands_b)
            out.price[dispute, S.SIDE_B] = base_price(v, dispute, hands_b - hands_a)
        else:
            out.settled[dispute, v.settled[dispute] - 1] = 1


@jit
def _encode_cards(v: State, base: int, n: int, out: Any) -> None:
    """Hands, display and deck."""
    out.deck_size = v.deck_size
    for card in range(v.num_cards):
        place = v.where[card]
        if place < S.TABLEAU:
            out.hand[_relative(place, base, n), card] = 1
    for space in range(S.SPACES):
        card = v.display[space]
        if card != S.NO_CARD:
            out.display[space, card] = 1


@jit
def _encode_pending(v: State, base: int, n: int, out: Any) -> None:
    """What is being taken, played, bought, named and paid for."""
    if v.taking != S.NO_CARD:
        for space in range(1, S.SPACES):
            out.taking[space - 1] = v.display[space] == v.taking
    if v.playing != S.NO_CARD:  # it is the actor's, who is the seat it would come from
        out.hand[_relative(v.actor, base, n), v.playing] = 2
        out.target[_relative(v.target, base, n)] = 1
    if v.buying >= 0:
        out.buying[v.buying, v.buying_side] = 1
    if v.phase == Phase.NAMING:
        out.naming[first_open(v)] = 1
    out.still_to_pay = v.price - v.paid
