"""The State of Believers and the values of its fields.

Seats are absolute, 0 to 9, clockwise; "left" is clockwise. Virtues are kinds 0 to 9, Disciples and
Crises names 0 to 19 and 0 to 11, all by their place in the file of cards. Two kinds together are a
*pair*, a number from 0 to 54 (``PAIR_LOW``, ``PAIR_HIGH``): a Mission is a pair of different kinds,
what a Hand gives or claims is any. -1 stands for none and nobody. Cards of a kind are alike, so
hands and the deck are counts. A deck has no order: what nobody can know yet is drawn when it is
needed, which comes to the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.events import COLUMNS, FIRST
from concilium.envs.core.jit import jit
from concilium.envs.core.state import state_dtype

SEATS: Final = 10
FEWEST_SEATS: Final = 5
KINDS: Final = 10
PAIRS: Final = KINDS * (KINDS + 1) // 2
DISCIPLES: Final = 20  # names of Disciples that fit
CRISES: Final = 12  # names of Crises that fit
LAID_OUT: Final = 3  # Crises on the table
PILES: Final = 3
ROWS: Final = 4
LONGEST_ROW: Final = 4
MOST_MISSIONS: Final = ROWS * (LONGEST_ROW + 1) + 1  # every row ties, and the decider
MOST_DEFECTORS: Final = 4
DEFECTORS: Final[NDArray[np.int64]] = np.array([0, 0, 0, 0, 0, 2, 2, 3, 3, 3, 4])
"""Defectors by number of players, ``(11,)``."""
GIVEN: Final = 2  # Virtues that a Hand gives
SHAMED_BY: Final = 3  # Shame that keeps a player from being the Hand
GLIMPSES: Final = 8  # looks at hands that the State remembers outside the log
MOST_UNDER: Final = 8  # Missions put under the deck: Heralds that a file may hold
MOST_LOOKS: Final = 8  # Inquisitors that a file may hold
LOG_CAPACITY: Final = 480
NOBODY: Final = -1
NONE: Final = -1

# limits of what a file of cards may hold
MOST_COPIES: Final = 31  # of one kind of Virtue: a packed count has five bits
MOST_VIRTUES: Final = 96
MOST_MISSION_CARDS: Final = 40
MOST_DISCIPLE_CARDS: Final = 60
MOST_COST: Final = 3
MOST_GLEANERS: Final = 4

PAIR_LOW: Final[NDArray[np.int64]] = np.array([a for a in range(KINDS) for _ in range(a, KINDS)])
"""The lower kind of each pair, ``(55,)``: (0, 0), (0, 1), … (0, 9), (1, 1), …"""
PAIR_HIGH: Final[NDArray[np.int64]] = np.array([b for a in range(KINDS) for b in range(a, KINDS)])
"""The higher kind of each pair, ``(55,)``."""

# Faith, sides
BELIEVER: Final = 0
DEFECTOR: Final = 1

# effects of Disciples
ALMONER: Final = 0  # draw one Virtue
PENITENT: Final = 1  # remove all Shame from one player
GOSSIP: Final = 2  # one player counts one Shame more until the end of the row
CONFIDANT: Final = 3  # peek at one random Virtue of another player
HERALD: Final = 4  # peek at the next Mission; may put it under the deck
INQUISITOR: Final = 5  # peek at all Virtues of another player
DOORKEEPER: Final = 6  # one player cannot be the Hand this round
REGENT: Final = 7  # be the Eye of this round
MENDICANT: Final = 8  # take one random Virtue from another player
GUARDIAN: Final = 9  # steadfast: Shame does not bar, Crises have no effect
GLEANER: Final = 10  # steadfast: draw one Virtue whenever a Mission fails
ORACLE: Final = 11  # peek at another player's Faith
WITNESS: Final = 12  # after the Mission, peek at what the Hand gave
LANTERN: Final = 13  # what the Hand gives this round is shown to all
APOSTLE: Final = 14  # both Virtues are placed this round
EFFECTS: Final = (
    "almoner", "penitent", "gossip", "confidant", "herald", "inquisitor", "doorkeeper", "regent",
    "mendicant", "guardian", "gleaner", "oracle", "witness", "lantern", "apostle",
)  # fmt: skip
"""Names of the effects, as files of cards use them."""
ON_NOBODY: Final = 0
ON_ANYBODY: Final = 1
ON_OTHERS: Final = 2
NEVER: Final = 3
TARGETS: Final[NDArray[np.int64]] = np.array(
    [
        ON_NOBODY, ON_ANYBODY, ON_ANYBODY, ON_OTHERS, ON_NOBODY, ON_OTHERS, ON_ANYBODY, ON_NOBODY,
        ON_OTHERS, NEVER, NEVER, ON_OTHERS, ON_NOBODY, ON_NOBODY, ON_NOBODY,
    ]
)  # fmt: skip
"""B7, whom each effect is used on, ``(15,)``; steadfast ones are never enlisted."""

for _table in (DEFECTORS, PAIR_LOW, PAIR_HIGH, TARGETS):
    _table.setflags(write=False)

# effects of Crises
FAST: Final = 0  # discard two Virtues
TESTIMONY: Final = 1  # one's Virtues are shown to all
DOUBT: Final = 2  # discard a Disciple
MUTENESS: Final = 3  # no Disciple and no Shame in the next row
EXILE: Final = 4  # not the Hand in the next row
POVERTY: Final = 5  # no part in the next Indoctrination
BLINDNESS: Final = 6  # as Eye in the next row: a random one of the two is placed
TITHE: Final = 7  # give two random Virtues to the next player
TROUBLES: Final = (
    "fast", "testimony", "doubt", "muteness", "exile", "poverty", "blindness", "tithe",
)  # fmt: skip
"""Names of the Crises' effects, as files of cards use them."""

# where a player's Shame card is (field ``shame_at``): a seat it lies in front of, or
OWN: Final = -1  # not played in this row
AWAY: Final = 10  # removed by a Penitent until the end of the row; or there are none in this game

# phases, also the kinds of decisions
CALL: Final = 0  # Part I: shame, enlist, or be done
HERALDING: Final = 1  # the Mission peeked at: leave it or put it under the deck
STATEMENT: Final = 2  # talk: accuse, vouch or stay silent
CHOICE: Final = 3  # the Eye chooses the Hand
GIFT: Final = 4  # the Hand gives a Virtue
PLACEMENT: Final = 5  # the Eye places one of the two
HAND_CLAIM: Final = 6  # talk: what the Hand says it gave
EYE_CLAIM: Final = 7  # talk: what the Eye says it got
NIGHT: Final = 8  # a Defector nominates a Crisis and its target
FASTING: Final = 9  # the target of a Fast discards a Virtue
DOUBTING: Final = 10  # the target of a Doubt discards a Disciple
INDOCTRINATION: Final = 11  # buy a Disciple or pass
PAYMENT: Final = 12  # discard a Virtue to pay for it
KINDS_OF_DECISIONS: Final = (
    "call", "heralding", "statement", "choice", "gift", "placement", "hand_claim", "eye_claim",
    "night", "fasting", "doubting", "indoctrination", "payment",
)  # fmt: skip

# how a game ended
OPEN: Final = 0
PLAYED_OUT: Final = 1  # after the peak
EARLY: Final = 2  # the trailing side could not even tie any more
DECIDED: Final = 3  # by the decider

# statements: 0 nothing, ACCUSE + seat, VOUCH + seat
SILENT: Final = 0
ACCUSE: Final = 1
VOUCH: Final = 1 + SEATS
NO_CLAIM: Final = PAIRS  # a claim that was declined; -1 none was asked for

# events. Packed ones hold ten counts or codes of five bits (see ``unpack``) in four columns.
BEGUN: Final = 1  # who is the first Eye
DEALT: Final = 2  # whose; packed hand; nobody else knows of the row
SHAMED: Final = 3  # who; seat shamed
ENLISTED: Final = 4  # who; Disciple, target or -1; secret: what a peek or Mendicant showed
HERALDED: Final = 5  # who; 1 if the Mission was put under the deck
LOOKED: Final = 6  # whose; packed hand; known to the user of an Inquisitor alone
SAID: Final = 7  # nobody; packed statements of the round by seat
TURNED_UP: Final = 8  # acting Eye; Hand chosen, pair of the Mission, bars lifted (B9)
GAVE: Final = 9  # the Hand; secret: the pair given
PLACED: Final = 10  # acting Eye; kind or -1, second kind or -1, 1 if it succeeds + 2 × given
WITNESSED: Final = 11  # who; secret: the pair given
CLAIMED: Final = 12  # who; pair or NO_CLAIM, 0 as Hand or 1 as Eye
DREW: Final = 13  # who; why; secret: kind
TOKENS: Final = 14  # nobody; row, side, tokens
NOMINATED: Final = 15  # who; Crisis, target; known to Defectors alone
LAID: Final = 16  # nobody; Crisis, target, 1 if a Guardian keeps it off
SHOWN: Final = 17  # whose; packed hand, seen by all
TITHED: Final = 18  # who; receiver; secret: kind
DISCARDED: Final = 19  # who; kind, Disciple paid for or -1, Disciple then shown on the pile or -1
DISMISSED: Final = 20  # who; Disciple discarded
BOUGHT: Final = 21  # who; Disciple, pile
END: Final = 22  # nobody; side that won, how, the Defectors as bits

# why a Virtue was drawn
BY_ALMONER: Final = 0
AFTER_FAILURE: Final = 1
BY_GLEANER: Final = 2
AFTER_ROW: Final = 3

STATE: Final = state_dtype(
    [
        ("attempts", np.int32),  # proposals that determinize made; 0 in a game and in a View
        ("log", np.int16, (LOG_CAPACITY, COLUMNS)),  # the whole game
        # public: seats as bits
        ("faith_seen", np.int16, SEATS),  # who has peeked at this seat's Faith
        ("given_known", np.int16, MOST_MISSIONS),  # who knows what the Hand gave for each Mission
        ("under_seen", np.int16, MOST_UNDER),  # who knows each Mission put under the deck
        ("next_seen", np.int16),  # who knows the Mission on top of the deck
        ("barred", np.int16),  # kept out by Doorkeepers this round
        ("witnesses", np.int16),  # used a Witness this round
        ("passed", np.int16),  # out of the Indoctrination that is going on
        # options, public
        ("virtue_copies", np.int8, KINDS),  # Virtues of each kind in the game, 0..31
        ("mission_copies", np.int8, PAIRS),  # Missions of each pair
        ("disciple_effect", np.int8, DISCIPLES),  # ALMONER … APOSTLE; -1 no such name
        ("disciple_cost", np.int8, DISCIPLES),  # 1..3
        ("disciple_copies", np.int8, DISCIPLES),
        ("crisis_effect", np.int8, CRISES),  # FAST … TITHE; -1 no such name
        ("row_length", np.int8, ROWS),  # Missions of each row, 1..4; 0 no such row
        ("num_rows", np.int8),  # 1..4
        ("hand_size", np.int8),  # Virtues dealt to each
        ("virtue_kinds", np.int8),  # 2..10
        ("shame_on", np.int8),
        ("disciples_on", np.int8),
        ("crises_on", np.int8),
        ("talk", np.int8),  # 1 with claims (B21)
        ("zero_sum", np.int8),  # 1 if returns are divided by the size of the side (B22)
        # public: cards
        ("hand_count", np.int8, SEATS),  # Virtues in each hand
        ("deck_size", np.int8),
        ("discards", np.int8, KINDS),
        ("finished", np.int8, KINDS),  # placed in rows whose tokens are given, still there
        ("shame_at", np.int8, SEATS),  # where each player's own Shame card is: seat, OWN, AWAY
        ("gossip", np.int8, SEATS),  # Shame that Gossips add
        ("disciples", np.int8, (SEATS, DISCIPLES)),  # Disciples in front of each
        ("pile_top", np.int8, PILES),  # the Disciple that shows, -1 none
        ("pile_size", np.int8, PILES),  # Disciples in the pile, the top included
        ("buried", np.int8, DISCIPLES),  # Disciples beneath the tops, of all piles together
        ("gone", np.int8, DISCIPLES),  # Disciples used or discarded
        ("crises", np.int8, LAID_OUT),  # Crises on the table, -1 used up
        ("under_count", np.int8),  # Missions put under the deck
        # public: the course of the game
        ("phase", np.int8),  # CALL … PAYMENT
        ("row", np.int8),  # from 0 at the bottom; num_rows for the decider
        ("row_played", np.int8),  # Missions completed in the row
        ("row_won", np.int8),  # of which succeeded
        ("mission", np.int8),  # Missions completed in the game: number of the present one from 0
        ("tokens", np.int8, 2),  # of True Believers, of Defectors
        ("row_tokens", np.int8, ROWS + 1),  # of each row, the decider last: > 0 for True Believers
        ("turn", np.int8),  # the Eye in the order of Eyes
        ("eye", np.int8),  # the acting Eye (B8)
        ("hand_seat", np.int8),  # the Hand of this round, -1 not yet chosen
        ("last_hand", np.int8),  # the Hand of the last round, -1 none
        ("lantern", np.int8),  # 1 if one is lit this round
        ("apostle", np.int8),  # 1 if one is at work this round
        ("row_crisis", np.int8),  # effect of the Crisis in force in this row, -1 none
        ("row_target", np.int8),  # whom it binds
        ("asked", np.int8),  # players whose part in this round of questions is over
        ("shamed_now", np.int8),  # 1 if the player called on has shamed
        ("enlisted_now", np.int8),  # 1 if the player called on has enlisted
        ("gift_count", np.int8),  # Virtues in the tablet, 0..2
        ("due", np.int8),  # Virtues still to be discarded, for a Fast or a payment
        ("buying", np.int8),  # Disciple being paid for, -1 none
        ("buying_pile", np.int8),  # the pile it is on
        ("winner", np.int8),  # BELIEVER, DEFECTOR; -1 while running
        ("ending", np.int8),  # OPEN, PLAYED_OUT, EARLY, DECIDED
        # public: the Missions played, by number
        ("mission_pair", np.int8, MOST_MISSIONS),  # -1 not turned up
        ("mission_row", np.int8, MOST_MISSIONS),
        ("mission_eye", np.int8, MOST_MISSIONS),  # the acting Eye
        ("mission_hand", np.int8, MOST_MISSIONS),
        ("mission_placed", np.int8, (MOST_MISSIONS, GIVEN)),  # kinds, -1 none
        ("mission_result", np.int8, MOST_MISSIONS),  # 1 success, 0 failure, -1 open
        ("hand_claim", np.int8, MOST_MISSIONS),  # pair, NO_CLAIM; -1 not asked
        ("eye_claim", np.int8, MOST_MISSIONS),
        # public: talk
        ("statement", np.int8, SEATS),  # of this round: SILENT, ACCUSE + seat, VOUCH + seat
        ("accused", np.int8, (SEATS, SEATS)),  # how often the first accused the second
        ("vouched", np.int8, (SEATS, SEATS)),  # how often the first vouched for the second
        # public: who looked at whose hand, the latest eight
        ("glimpses", np.int8),  # looks so far; number k stands in place k % 8
        ("glimpse_by", np.int8, GLIMPSES),  # seat; SEATS: everybody; -1 empty
        ("glimpse_of", np.int8, GLIMPSES),  # seat
        ("glimpse_at", np.int8, GLIMPSES),  # Missions completed then
        ("glimpse_whole", np.int8, GLIMPSES),  # 1 the whole hand, 0 one card
        # hidden from some, then -1
        ("glimpse_hand", np.int8, (GLIMPSES, KINDS)),  # what was seen; for glimpse_by alone
        ("faith", np.int8, SEATS),  # for oneself, Defectors, peeks; for all at the end
        ("hand", np.int8, (SEATS, KINDS)),  # Virtues of each kind; own row only
        ("gift", np.int8, GIVEN),  # in the tablet: for the Hand, and when full for the Eye
        ("mission_given", np.int8, MOST_MISSIONS),  # pair given; for given_known
        ("next_mission", np.int8),  # on top of the deck, if a Herald looked; -1 not yet drawn
        ("under", np.int8, MOST_UNDER),  # Missions put under the deck, the first comes first
        ("nominated", np.int8, MOST_DEFECTORS),  # this night: SEATS * Crisis + target; Defectors
        ("nominations", np.int8),  # made this night; for Defectors, 0 in other Views
        # hidden from all
        ("deck", np.int8, KINDS),  # Virtues of each kind in the deck; -1 in a View
        ("padding", np.int8, 2),
    ]
)


@jit
def pair_of(one: Any, other: Any) -> Any:
    """Number of the pair of two kinds, in either order."""
    low = min(one, other)
    return low * KINDS - low * (low - 1) // 2 + max(one, other) - low


_BITS: Final = 5
_MASK: Final = (1 << _BITS) - 1
_EACH: Final = 3  # packed numbers per column


@jit
def pack(s: Any, row: Any, place: Any, value: Any) -> None:
    """Put ``value`` (0 to 31) at ``place`` (0 to 11) of the packed event in row ``row``."""
    column = FIRST + place // _EACH
    shift = _BITS * (place % _EACH)
    kept = np.int64(s.log[row, column]) & ~(_MASK << shift)
    s.log[row, column] = kept | (value << shift)


@jit
def unpack(s: Any, row: Any, place: Any) -> Any:
    """Return what :func:`pack` put there."""
    return (np.int64(s.log[row, FIRST + place // _EACH]) >> (_BITS * (place % _EACH))) & _MASK


def unpacked(event: Any) -> list[int]:
    """Return the ten numbers of one packed event, a row of the log ``(COLUMNS,)``."""
    return [
        (int(event[FIRST + place // _EACH]) >> (_BITS * (place % _EACH))) & _MASK
        for place in range(KINDS)
    ]
