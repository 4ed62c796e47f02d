"""The State of Hush and the values of its fields.

Ten cards with ranks 1 to 10; everybody holds one. On a turn a player lays the card down as a claim,
swaps it face up for a new one, or stays quiet, and a quiet player may or may not look at a card of
another player's: nobody else can tell. A claim scores a point unless another player, asked in turn
whether able or not, objects with a higher card.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import COLUMNS
from concilium.envs.core.state import state_dtype

SEATS: Final = 4
CARDS: Final = 10
MOST_POINTS: Final = 3
MOST_ROUNDS: Final = 3
# 4 cards dealt, the end, and per turn at most: a claim, 3 answers, a result, 2 draws; or 2 quiet
LOG_CAPACITY: Final = SEATS + 1 + MOST_ROUNDS * SEATS * 7

# where a card is: 0..3 in that seat's hand, or
DECK: Final = 4
DISCARD: Final = 5
TABLE: Final = 6  # a claim that is being decided
NO_CARD: Final = -1

# phases, also the kinds of decisions
TURN: Final = 0
ANSWER: Final = 1

# outcomes
OPEN: Final = 0
GOAL: Final = 1
NO_CARDS: Final = 2
OUT_OF_TIME: Final = 3

# events
DRAWN: Final = 1  # who; secret: card
CLAIMED: Final = 2  # who; card
PASSED: Final = 3  # who
OBJECTED: Final = 4  # who; card
SCORED: Final = 5  # who
SWAPPED: Final = 6  # who; card given up
QUIET: Final = 7  # who waited or looked
LOOKED: Final = 8  # who; at whom; secret: card; only the looker knows that it happened
ENDED: Final = 9  # winner or -1; outcome

FIELDS: Final[list[Any]] = [
    ("log", np.int16, (LOG_CAPACITY, COLUMNS)),
    # options, public
    ("goal", np.int8),  # points that win, 1..3
    ("rounds", np.int8),  # rounds until the game is cut short, 1..3
    # public
    ("turns", np.int8),  # turns completed
    ("score", np.int8, SEATS),
    ("holds", np.int8, SEATS),  # 1 where the seat has a card
    ("claimed", np.int8),  # card on the table, -1 none
    ("active", np.int8),  # seat whose turn it is
    ("phase", np.int8),  # TURN or ANSWER
    ("asked", np.int8),  # players asked so far about the claim
    ("outcome", np.int8),  # OPEN … OUT_OF_TIME
    ("winner", np.int8),  # seat, -1 none
    ("deck_size", np.int8),
    # partly hidden: other hands and the deck are UNKNOWN in a View, except cards looked at
    ("where", np.int8, CARDS),  # seat, DECK, DISCARD, TABLE
    # hidden from all
    ("deck", np.int8, CARDS),  # order, the last of deck_size is drawn next; -1 behind
    # row a is known to seat a only: 1 where a has looked at the present card of that seat
    ("seen", np.int8, (SEATS, SEATS)),
]
STATE: Final = state_dtype([*FIELDS, ("padding", np.int8, 2)])
