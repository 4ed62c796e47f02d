"""The State of Chancellors and the values of its fields."""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.chancellors.cards import NUM_CARDS, NUM_FORCES
from concilium.envs.core.events import COLUMNS
from concilium.envs.core.state import state_dtype

SEATS: Final = 4
PROBLEMS: Final = 5
LOG_CAPACITY: Final = 64
NO_CARD: Final = -1
NOBODY: Final = -1

# where a card is: 0..3 in that seat's hand, or
DECK: Final = 4
DISCARD: Final = 5
TABLE: Final = 6  # pending attempt, or committed to a payment
ABSENT: Final = 7  # not part of this game (option off)

# phases, also the kinds of decisions
MAIN: Final = 0
BLOCK: Final = 1
PAYMENT: Final = 2
ESCALATION: Final = 3
AVERT: Final = 4
KINDS: Final = ("action", "block", "payment", "escalation", "avert")

# outcomes
OPEN: Final = 0
WON: Final = 1
CALAMITY: Final = 2
OUT_OF_TIME: Final = 3

LET_GO_HORIZON: Final = 12  # after so many draws a declined block says nothing more
SOLVES_COUNTED: Final = 100  # cap of the counters of solved problems
OPTION_LIMIT: Final = 8000  # largest target_score and max_turns: keeps deck numbers within int16

# events; every number is public except the card drawn
DRAW: Final = 1  # who; deck number; secret: card
TURN: Final = 2  # who begins the turn; turns completed
ATTEMPT: Final = 3  # who; card, force (-1: the Excuse, all), deck number of the card
TAKE: Final = 4  # who now controls; force
DECLINE: Final = 5  # who lets go; force
BLOCKED: Final = 6  # who; card, force, deck number of the card
SOLVE: Final = 7  # who; problem, 1 if quiet, target
COMMIT: Final = 8  # who; card, problem, deck number of the card
SOLVED: Final = 9  # who; problem, points
ROLL: Final = 10  # problem, low, high
ESCALATE: Final = 11  # who; problem, low, high
SILENT: Final = 12  # who lets a 6-6 stand
AVERTED: Final = 13  # who; the Excuse's number, problem, deck number of the card
SHUFFLE: Final = 14  # new deck number, cards in it
END: Final = 15  # winner or -1; outcome

STATE: Final = state_dtype(
    [
        # options, public
        ("target_score", np.int16),  # points that win, 1..8000
        ("max_turns", np.int16),  # player turns until the game is cut short, 1..8000
        # public
        ("turns", np.int16),  # player turns completed
        ("deck_number", np.int16),  # times the discard pile became the deck, 0 at the start
        ("score", np.int16, SEATS),  # points
        # deck that each card last belonged to; with the discards public, so is this
        ("card_deck", np.int16, NUM_CARDS),
        # decks that the cards in each hand were drawn from, ascending, -1 behind them; public
        ("drawn", np.int16, (SEATS, NUM_CARDS)),
        ("log", np.int16, (LOG_CAPACITY, COLUMNS)),
        ("solves", np.int8, (SEATS, 2)),  # problems solved publicly, quietly; counted to 100
        ("let_go_rank", np.int8, (SEATS, NUM_FORCES)),  # rank+1 last let pass unblocked, 0: none
        ("let_go_draws", np.int8, (SEATS, NUM_FORCES)),  # cards drawn since, counted to 12
        ("dice", np.int8, (PROBLEMS, 2)),  # lower, higher; 0 where there is no such problem
        ("solved", np.int8, PROBLEMS),  # 1 if solved in this turn
        ("owner", np.int8, NUM_FORCES),  # seat that controls the force, -1 nobody
        ("hand_size", np.int8, SEATS),
        ("deck_size", np.int8),
        ("active", np.int8),  # seat whose turn it is
        ("phase", np.int8),  # MAIN … AVERT
        ("attempt_card", np.int8),  # card of the pending attempt, -1 none
        ("attempt_force", np.int8),  # force whose controller is asked, -1 none
        ("solve_problem", np.int8),  # problem being paid for, -1 none
        ("solve_quiet", np.int8),  # 1 if the lower die is being met
        ("solve_paid", np.int8),  # ranks committed so far
        ("escalating", np.int8),  # problem whose escalation is being decided, -1 none
        ("asked", np.int8),  # players that kept silent so far (AVERT)
        ("outcome", np.int8),  # OPEN … OUT_OF_TIME
        ("winner", np.int8),  # seat, -1 none
        # options, public
        ("problems", np.int8),  # 3..5
        ("excuse", np.int8),  # 1 if in the deck
        ("pawns", np.int8),  # 1 if in the deck
        ("lowest_wins", np.int8),  # 1 if the lowest score wins at a calamity
        # partly hidden: other hands and the deck are UNKNOWN in a View
        ("where", np.int8, NUM_CARDS),  # seat, DECK, DISCARD, TABLE, ABSENT
        # hidden from all
        ("deck", np.int8, NUM_CARDS),  # order, the last of deck_size is drawn next; -1 behind
        ("padding", np.int8, 2),  # always 0
    ]
)
