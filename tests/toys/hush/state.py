"""The State of Hush and the values of its fields.

Ten cards with ranks 1 to 10; everybody holds one. On a turn a player lays the card down as a claim,
swaps it face up for a new one, or stays quiet, and a quiet player may or may not look at a card of
another player's: nobody else can tell. A claim scores a point unless another player, asked in turn
whether able or not, objects with a higher card.
"""

from __future__ import annotations

import enum
from typing import Final

import numpy as np

from concilium.envs.core.state import (
    Cells,
    StateRecord,
    event_log,
    hidden,
    owned,
    public,
    secret,
    state_table,
)

SEATS: Final = 4
CARDS: Final = 10
MOST_POINTS: Final = 3
MOST_ROUNDS: Final = 3
# 4 cards dealt, the end, and per turn at most: a claim, 3 answers, a result, 2 draws; or 2 quiet
LOG_CAPACITY: Final = SEATS + 1 + MOST_ROUNDS * SEATS * 7

# where a card is: 0..3 in that seat's hand, or


class Place(enum.IntEnum):
    """Where a card is that is in no hand."""

    DECK = 4
    DISCARD = 5
    TABLE = 6  # a claim that is being decided


NO_CARD: Final = -1

# phases, also the kinds of decisions


class Phase(enum.IntEnum):
    """What is being decided; also the kinds of decisions."""

    TURN = 0
    ANSWER = 1


# outcomes


class Outcome(enum.IntEnum):
    """How a game stands or has ended."""

    OPEN = 0
    GOAL = 1
    NO_CARDS = 2
    OUT_OF_TIME = 3


# events


class Event(enum.IntEnum):
    """Kinds of events in the log."""

    DRAWN = 1  # who; secret: card
    CLAIMED = 2  # who; card
    PASSED = 3  # who
    OBJECTED = 4  # who; card
    SCORED = 5  # who
    SWAPPED = 6  # who; card given up
    QUIET = 7  # who waited or looked
    LOOKED = 8  # who; at whom; secret: card; only the looker knows that it happened
    ENDED = 9  # winner or -1; outcome


class State(StateRecord):
    """The fields of Hush."""

    log: Cells = event_log(LOG_CAPACITY)
    # options
    goal: int = public(np.int8, 1, MOST_POINTS, "points that win")
    rounds: int = public(np.int8, 1, MOST_ROUNDS, "rounds until the game is cut short")
    # the table
    turns: int = public(np.int8, 0, MOST_ROUNDS * SEATS, "turns completed")
    score: Cells = public(np.int8, 0, "goal", "points", shape=SEATS)
    holds: Cells = public(np.int8, 0, 1, "1 where the seat has a card", shape=SEATS)
    claimed: int = public(np.int8, NO_CARD, CARDS - 1, "card on the table, -1 none")
    active: int = public(np.int8, 0, "num_players-1", "seat whose turn it is")
    phase: int = public(np.int8, Phase.TURN, Phase.ANSWER, "what is being decided")
    asked: int = public(np.int8, 0, "num_players", "players asked so far about the claim")
    outcome: int = public(np.int8, Outcome.OPEN, Outcome.OUT_OF_TIME, "how the game ended")
    winner: int = public(np.int8, -1, "num_players-1", "seat, -1 none")
    deck_size: int = public(np.int8, 0, CARDS, "cards in the deck")
    # cards
    where: Cells = secret(np.int8, 0, Place.TABLE, "seat that holds it, or the place", shape=CARDS)
    deck: Cells = hidden(np.int8, NO_CARD, CARDS - 1, "order, the last is drawn next", shape=CARDS)
    seen: Cells = owned(
        np.int8, 0, 1, "1 where the seat has looked at the present card of the other",
        shape=(SEATS, SEATS),
    )  # fmt: skip
    padding: Cells = public(np.int8, 0, 0, "always 0", shape=2)


STATE: Final = state_table(State)
