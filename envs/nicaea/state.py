"""The State of Nicaea and the values of its fields.

Seats are absolute, 0 to 5, clockwise. Disputes I to V are numbers 0 to 4, sides A and B 0 and 1,
the spaces of the Action Display 0 to 6 from left to right, suits 0 to 4. Cards are numbers by their
place in the deck file, Bishops first. TI is temporary Influence.
"""

from __future__ import annotations

import enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.events import event_table, row
from concilium.envs.core.state import (
    RUNNING,
    TERMINATED,
    Cells,
    StateRecord,
    event_log,
    hidden,
    public,
    secret,
    state_table,
)

SEATS: Final = 6
FEWEST_SEATS: Final = 4
DISPUTES: Final = 5
SIDES: Final = 2
SIDE_A: Final = 0
SIDE_B: Final = 1
CARDS: Final = 60  # the largest deck that fits
FEWEST_CARDS: Final = 8  # a display and one card to come
SUITS: Final = 5
TRACK: Final = 12  # the longest dispute track that fits; 9 spaces are all that a token can use
POOLS: Final = 4
VALUES: Final = 3  # of Victory Point markers
LOWEST_VALUE: Final = 4  # markers show 4, 5, 6
MARKERS_EACH: Final = 10
MOST_MARKERS: Final = 2 * DISPUTES  # that one player can win
WINNING_CARDS: Final = 4  # of a side in players' hands settle the dispute
SINGLE_CARDS: Final = 3  # one-sided cards of each side
MOST_HELD: Final = 2  # doctrine cards of one dispute that a player may hold
IDLE_LIMIT: Final = 3  # idle Debate Rounds in a row that end the game (N6)
LOG_CAPACITY: Final = 64
NO_CARD: Final = -1
NOBODY: Final = -1
NONE: Final = -1

# limits of what a deck file may hold: a payment's sums must fit the bits of one number
MOST_COST: Final = 9
MOST_BONUS: Final = 9
MOST_BASE: Final = 25  # so a price is at most 50
MOST_REFRESH: Final = 20  # in halves


class Act(enum.IntEnum):
    """What the spaces of the Action Display stand for, left to right."""

    NOTHING = 0
    REFRESH = 1
    DEBATE = 2
    FREE_PLAY = 3
    NEW_OFFER = 4


SPACES: Final = 7
SPACE_ACTION: Final[NDArray[np.int64]] = np.array(
    [Act.NOTHING, Act.REFRESH, Act.REFRESH, Act.DEBATE, Act.NEW_OFFER, Act.FREE_PLAY, Act.FREE_PLAY]
)
"""Which Action each space stands for, ``(7,)``."""
SPACE_COST: Final[NDArray[np.int64]] = np.array([0, 1, 2, 2, 3, 3, 4])
"""Influence that the Action of each space costs, ``(7,)``."""
for _table in (SPACE_ACTION, SPACE_COST):
    _table.setflags(write=False)

# where a card is: 0..5 in that seat's hand, 6..11 in the tableau of seat 0..5, or
TABLEAU: Final = SEATS  # + seat
DISPLAY: Final = 12
DECK: Final = 13
ABSENT: Final = 14  # there is no such card in this deck


class Phase(enum.IntEnum):
    """What is being decided; also the kinds of decisions."""

    TURN = 0  # take an Action, play a card or pass
    PAYMENT = 1  # flip a Bishop or pay the rest in TI
    COPY = 2  # New Offer: which Action to copy
    PLAY_FREE = 3  # which card to play without paying, or none
    DEBATE_DOCTRINE = 4  # which doctrine to buy by an Action, or none
    DEBATE_ROUND = 5  # which doctrine to buy in the Debate Round, or none
    NAMING = 6  # which side wins a dispute left open by an empty deck


KINDS: Final = (
    "turn", "payment", "copy", "free_play", "debate_doctrine", "debate_round", "naming",
)  # fmt: skip
BIDDING: Final = ("debate_doctrine", "debate_round", "naming")
"""The kinds of decisions that are about doctrine: buying it, declining to, naming a side."""

OPEN: Final = 0
"""Of a game: running. Of a dispute: not settled; a settled one has the side that won + 1."""


class Ending(enum.IntEnum):
    """How a game ended."""

    SETTLED = 1  # all five disputes were settled
    EXHAUSTED = 2  # the deck was empty, Constantine's holder named the rest (N30)
    IDLE = 3  # three idle Debate Rounds (N6)


class Event(enum.IntEnum):
    """Kinds of events in the log; what each holds stands in :data:`EVENTS`."""

    DEALT = 1
    BEGUN = 2
    DREW = 3
    TOOK = 4
    PLAYED = 5
    PASSED = 6
    FLIPPED = 7
    PAID = 8
    COPIED = 9
    REFRESHED = 10
    PLAYED_FREE = 11
    BOUGHT = 12
    DECLINED = 13
    WON = 14
    MARKER = 15
    ROUND = 16
    BONUS = 17
    LOST = 18
    SHARED = 19
    MOVED = 20
    NAMED = 21
    REVEALED = 22
    SCORED = 23
    END = 24


EVENTS: Final = event_table(
    Event,
    {
        Event.DEALT: row("got a doctrine card at the start", "dispute", "side"),
        Event.BEGUN: row("begins the game and holds Constantine"),
        Event.DREW: row("a card was drawn to the display", "card", "space", seat=""),
        Event.TOOK: row("chose the Action of a space", "card", "space", "price"),
        Event.PLAYED: row(
            "chose to play a card to the tableau of `target`; for nothing if `price` is 0",
            "card", "target", "price",
        ),
        Event.PASSED: row("passed and took TI from a pool; -1: all were empty", "taken", "pool"),
        Event.FLIPPED: row("flipped a Bishop to pay", "card", "influence"),
        Event.PAID: row("paid the rest in TI", "amount"),
        Event.COPIED: row(
            "chose what New Offer copies: 0 nothing, 1 refresh, 2 debate, 3 free play", "action"
        ),
        Event.REFRESHED: row("had a card turned face up", "card"),
        Event.PLAYED_FREE: row("played a card by an Action", "card"),
        Event.BOUGHT: row("chose to buy a doctrine card", "dispute", "side", "price"),
        Event.DECLINED: row("bought no doctrine card, or played no card free", "phase"),
        Event.WON: row(
            "a side won a dispute by its cards in hands", "dispute", "side", "cards", seat=""
        ),
        Event.MARKER: row("drew a Victory Point marker", "dispute", secret="value"),
        Event.ROUND: row(
            "passed first and takes Constantine: a Debate Round, counted from 0", "round"
        ),
        Event.BONUS: row(
            "got TI for a pair; `card` is the figure's card with the lower number", "card", "amount"
        ),
        Event.LOST: row("gave back the TI above the number of Canons", "amount"),
        Event.SHARED: row("the pools gave each player TI, kept the rest", "each", "kept", seat=""),
        Event.MOVED: row("put Constantine down", "space"),
        Event.NAMED: row("named the side that wins a dispute", "dispute", "side"),
        Event.REVEALED: row("revealed markers of value 4, 5, 6", "fours", "fives", "sixes"),
        Event.SCORED: row("has points and Influence at the end", "points", "influence"),
        Event.END: row(
            "1 settled, 2 deck empty, 3 idle; 1 if by schism; bit of each seat that won",
            "ending", "schism", "winners", seat="",
        ),
    },
)  # fmt: skip

_MOST: Final = 2**15 - 1


class State(StateRecord):
    """The fields of Nicaea."""

    num_players: int = public(np.int8, FEWEST_SEATS, SEATS, "seats in play")
    status: int = public(np.int8, RUNNING, TERMINATED, "0 running, 1 terminated")
    rounds: int = public(np.int16, 0, _MOST, "Debate Rounds completed")
    issued: int = public(np.int16, 0, _MOST, "TI out of the supply: held or in the pools")
    ti: Cells = public(np.int16, 0, _MOST, "TI that the seat holds", shape=SEATS)
    pool: Cells = public(np.int16, 0, _MOST, "TI in the Pass Pools, topmost first", shape=POOLS)
    score: Cells = public(np.int16, 0, _MOST, "points at the end; 0 while running", shape=SEATS)
    log: Cells = event_log(LOG_CAPACITY)
    # options: the deck and the track
    num_cards: int = public(np.int8, FEWEST_CARDS, CARDS, "cards of the deck, numbered from 0")
    partner: Cells = public(
        np.int8, -1, "num_cards-1", "the other card of a Bishop's figure; -1 for a Canon",
        shape=CARDS,
    )  # fmt: skip
    suit: Cells = public(np.int8, 0, SUITS - 1, "suit of the card, by the alphabet", shape=CARDS)
    cost: Cells = public(
        np.int8, 0, MOST_COST, "Influence to play the card; of a Canon also its points", shape=CARDS
    )
    bonus: Cells = public(
        np.int8, 0, MOST_BONUS, "TI that the card adds to a pair of face-up Bishops", shape=CARDS
    )
    icons: Cells = public(
        np.int8, 0, 2**DISPUTES - 1, "disputes that the Bishop scores for, bit 0 dispute I",
        shape=CARDS,
    )  # fmt: skip
    track_spaces: int = public(np.int8, 3, TRACK, "spaces of the dispute track")
    track_base: Cells = public(
        np.int8, 0, MOST_BASE, "price of an argument with the token on the space", shape=TRACK
    )
    track_contrarian: Cells = public(
        np.int8, 0, MOST_BASE, "price for the side with fewer cards in hands", shape=TRACK
    )
    track_refresh: Cells = public(
        np.int8, 0, MOST_REFRESH, "cards refreshed per doctrine card, in halves", shape=TRACK
    )
    # cards
    where: Cells = public(
        np.int8, 0, ABSENT,
        "0–5 hand of that seat, 6–11 tableau of seat 0–5, 12 display, 13 deck, 14 in no place",
        shape=CARDS,
    )  # fmt: skip
    face_down: Cells = public(np.int8, 0, 1, "1 for a flipped card in a tableau", shape=CARDS)
    tableau: Cells = public(
        np.int8, -1, "num_cards-1", "cards from left to right, -1 behind them", shape=(SEATS, CARDS)
    )
    tableau_size: Cells = public(np.int8, 0, CARDS, "cards in the tableau", shape=SEATS)
    display: Cells = public(np.int8, -1, "num_cards-1", "card on each space; -1 none", shape=SPACES)
    deck_size: int = public(np.int8, 0, CARDS, "cards in the deck")
    # doctrine
    doctrine: Cells = public(
        np.int8, 0, MOST_HELD, "doctrine cards that the seat holds of a dispute's side A, B",
        shape=(SEATS, DISPUTES, SIDES),
    )  # fmt: skip
    supply: Cells = public(
        np.int8, 0, SINGLE_CARDS, "A, B, double-sided cards not yet bought",
        shape=(DISPUTES, SIDES + 1),
    )  # fmt: skip
    removed: Cells = public(
        np.int8, 0, 7, "doctrine cards of the losing side, in the box", shape=DISPUTES
    )
    token: Cells = public(
        np.int8, -1, "track_spaces-1", "space of the track from 0; -1 when settled", shape=DISPUTES
    )
    settled: Cells = public(
        np.int8, OPEN, SIDES, "0: open, 1: A has won, 2: B has won", shape=DISPUTES
    )
    marker_count: Cells = public(
        np.int8, 0, MOST_MARKERS, "Victory Point markers that the seat holds", shape=SEATS
    )
    # the turn
    constantine: int = public(
        np.int8, -1, "num_players-1", "seat that holds the marker; -1: it is on the display"
    )
    constantine_space: int = public(
        np.int8, -1, SPACES - 1, "space on which it stands; -1: a seat holds it"
    )
    passes: int = public(
        np.int8, 0, "num_players", "length of the unbroken run of passes; all: a Debate Round"
    )
    first_passer: int = public(
        np.int8, -1, "num_players-1", "seat that began the run; -1: there is none"
    )
    busy: int = public(
        np.int8, 0, 1, "1 if anybody acted, played or bought since the last Debate Round"
    )
    idle_rounds: int = public(np.int8, 0, IDLE_LIMIT, "idle Debate Rounds in a row")
    phase: int = public(
        np.int8,
        Phase.TURN,
        Phase.NAMING,
        "number of what is being decided among the kinds of decisions",
    )
    asked: int = public(
        np.int8, 0, "num_players", "players whose purchase in this Debate Round is over"
    )
    taking: int = public(
        np.int8, -1, "num_cards-1", "card whose Action is being paid for or resolved; -1 none"
    )
    playing: int = public(np.int8, -1, "num_cards-1", "card being paid for, still in hand; -1 none")
    target: int = public(np.int8, -1, "num_players-1", "seat to whose tableau it goes; -1 none")
    buying: int = public(
        np.int8, -1, DISPUTES - 1, "dispute whose doctrine card is being paid for; -1 none"
    )
    buying_side: int = public(np.int8, -1, SIDES - 1, "side of that card; -1 none")
    price: int = public(np.int8, 0, 2 * MOST_BASE, "price of the payment begun; 0 none")
    paid: int = public(np.int8, 0, 2 * MOST_BASE, "Influence of the Bishops flipped for it so far")
    lowest_flip: int = public(np.int8, 0, MOST_COST, "smallest cost among them; 0 none")
    ending: int = public(
        np.int8, OPEN, Ending.IDLE, "0 running, 1 disputes settled, 2 deck empty, 3 idle"
    )
    schism: int = public(np.int8, 0, 1, "1 if the game was won by a schism")
    winners: int = public(np.int8, 0, 2**SEATS - 1, "seats that won, bit 0 seat 0; 0 while running")
    markers: Cells = secret(
        np.int8, 0, MOST_MARKERS,
        "markers of value 4, 5, 6 that the seat holds; own ones, and all at the end",
        shape=(SEATS, VALUES),
    )  # fmt: skip
    marker_supply: Cells = secret(
        np.int8, 0, MARKERS_EACH, "markers of value 4, 5, 6 not drawn; at the end", shape=VALUES
    )
    deck: Cells = hidden(
        np.int8, -1, "num_cards-1",
        "the deck, the last of `deck_size` is drawn next; -1 behind", shape=CARDS,
    )  # fmt: skip


STATE: Final = state_table(State)
