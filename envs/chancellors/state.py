"""The State of Chancellors, the values of its fields, and the events of its log."""

from __future__ import annotations

import enum
from typing import Final

import numpy as np

from concilium.envs.chancellors.cards import EXCUSE, NUM_CARDS, NUM_FORCES
from concilium.envs.core.events import event_table, row
from concilium.envs.core.state import (
    Cells,
    StateRecord,
    event_log,
    hidden,
    public,
    secret,
    state_table,
)

SEATS: Final = 4
PROBLEMS: Final = 5
LOG_CAPACITY: Final = 64
LET_GO_HORIZON: Final = 12  # after so many draws a declined block says nothing more
SOLVES_COUNTED: Final = 100  # cap of the counters of solved problems
OPTION_LIMIT: Final = 8000  # largest target_score and max_turns: keeps deck numbers within int16

NO_CARD: Final = -1
NOBODY: Final = -1
LOWER: Final = 0  # a problem's dice
HIGHER: Final = 1


class Place(enum.IntEnum):
    """Where a card is that is in no hand; a smaller number is the seat in whose hand it is."""

    DECK = 4
    DISCARD = 5
    TABLE = 6  # pending attempt, or committed to a payment
    ABSENT = 7  # not part of this game (option off)


class Phase(enum.IntEnum):
    """What is being decided; also the kinds of decisions."""

    MAIN = 0
    BLOCK = 1
    PAYMENT = 2
    ESCALATION = 3
    AVERT = 4


KINDS: Final = ("action", "block", "payment", "escalation", "avert")


class Outcome(enum.IntEnum):
    """How a game stands or has ended."""

    OPEN = 0
    WON = 1
    CALAMITY = 2
    OUT_OF_TIME = 3


class Event(enum.IntEnum):
    """Kinds of events in the log."""

    DRAW = 1
    TURN = 2
    ATTEMPT = 3
    TAKE = 4
    DECLINE = 5
    BLOCKED = 6
    SOLVE = 7
    COMMIT = 8
    SOLVED = 9
    ROLL = 10
    ESCALATE = 11
    SILENT = 12
    AVERTED = 13
    SHUFFLE = 14
    END = 15


EVENTS: Final = event_table(
    Event,
    {
        Event.DRAW: row("the seat draws a card", "deck", secret="card"),
        Event.TURN: row("the seat's turn begins, after so many others", "turns"),
        Event.ATTEMPT: row("the seat tries for a force, -1 for all", "card", "force", "deck"),
        Event.TAKE: row("the seat now controls the force", "force"),
        Event.DECLINE: row("the seat lets the force go", "force"),
        Event.BLOCKED: row("the seat keeps the force", "card", "force", "deck"),
        Event.SOLVE: row("the seat begins to pay, quietly if 1", "problem", "quiet", "target"),
        Event.COMMIT: row("the seat pays with a card", "card", "problem", "deck"),
        Event.SOLVED: row("the seat has solved the problem", "problem", "points"),
        Event.ROLL: row("a problem is rolled", "problem", "low", "high", seat=""),
        Event.ESCALATE: row("a problem grows in the seat's turn", "problem", "low", "high"),
        Event.SILENT: row("the seat lets a 6-6 stand"),
        Event.AVERTED: row("the seat rerolls with the Excuse", "card", "problem", "deck"),
        Event.SHUFFLE: row("the discards become a deck", "deck", "cards", seat=""),
        Event.END: row("the game ends, -1 without a winner", "outcome", seat="winner"),
    },
)
"""Cards, forces, problems and decks are numbers from 0; a card's deck is that it was drawn from."""


class State(StateRecord):
    """The fields of Chancellors."""

    num_players: int = public(np.int8, 2, SEATS, "seats in play")
    target_score: int = public(np.int16, 1, OPTION_LIMIT, "points that win at once")
    max_turns: int = public(np.int16, 1, OPTION_LIMIT, "player turns until the game is cut short")
    turns: int = public(np.int16, 0, "max_turns", "player turns completed")
    deck_number: int = public(
        np.int16, 0, 2**15 - 1, "number of the deck: times the discard pile became the deck"
    )
    score: Cells = public(np.int16, 0, "target_score+5", "points of each seat", shape=SEATS)
    card_deck: Cells = public(
        np.int16, 0, "deck_number", "number of the deck that each card last belonged to; as public "
        "as the discards that decks are made of", shape=NUM_CARDS,
    )  # fmt: skip
    drawn: Cells = public(
        np.int16, -1, "deck_number", "numbers of the decks that the cards in each hand were drawn "
        "from, ascending; -1 behind them", shape=(SEATS, NUM_CARDS),
    )  # fmt: skip
    log: Cells = event_log(LOG_CAPACITY)
    solves: Cells = public(
        np.int8, 0, SOLVES_COUNTED, "problems that each seat has solved publicly, quietly; counted "
        "to 100", shape=(SEATS, 2),
    )  # fmt: skip
    let_go_rank: Cells = public(
        np.int8, 0, 10, "rank + 1 of the last attempt that each seat let pass on each force (1: "
        "the Excuse), 0 if none", shape=(SEATS, NUM_FORCES),
    )  # fmt: skip
    let_go_draws: Cells = public(
        np.int8, 0, LET_GO_HORIZON, "cards that the seat has drawn since, or ever; counted to 12",
        shape=(SEATS, NUM_FORCES),
    )  # fmt: skip
    dice: Cells = public(
        np.int8, 0, 6, "lower and higher die of each problem; 0 where there is no such problem",
        shape=(PROBLEMS, 2),
    )  # fmt: skip
    solved: Cells = public(
        np.int8, 0, 1, "1 where the problem has been solved in this turn", shape=PROBLEMS
    )
    owner: Cells = public(
        np.int8, NOBODY, "num_players-1", "seat that controls each force, -1 nobody",
        shape=NUM_FORCES,
    )  # fmt: skip
    hand_size: Cells = public(np.int8, 0, NUM_CARDS, "cards in each hand", shape=SEATS)
    deck_size: int = public(np.int8, 0, NUM_CARDS, "cards in the deck")
    active: int = public(np.int8, 0, "num_players-1", "seat whose turn it is")
    phase: int = public(
        np.int8, Phase.MAIN, Phase.AVERT, "what is being decided: action, block, payment, "
        "escalation, avert",
    )  # fmt: skip
    attempt_card: int = public(np.int8, NO_CARD, EXCUSE, "card of the pending attempt, -1 none")
    attempt_force: int = public(
        np.int8, -1, NUM_FORCES - 1, "force whose controller is asked to keep it or not, -1 none"
    )
    solve_problem: int = public(np.int8, -1, "problems-1", "problem being paid for, -1 none")
    solve_quiet: int = public(np.int8, 0, 1, "1 while only the lower die is being met")
    solve_paid: int = public(np.int8, 0, 11, "sum of the ranks committed to the payment so far")
    escalating: int = public(
        np.int8, -1, "problems-1", "problem whose growth is being decided, -1 none"
    )
    asked: int = public(
        np.int8, 0, "num_players-1", "players that have kept silent about a 6-6 before this turn"
    )
    outcome: int = public(
        np.int8, Outcome.OPEN, Outcome.OUT_OF_TIME, "open, won, calamity, out of time"
    )
    winner: int = public(np.int8, NOBODY, "num_players-1", "seat that has won, -1 none")
    problems: int = public(np.int8, 3, PROBLEMS, "pairs of dice on the table")
    excuse: int = public(np.int8, 0, 1, "1 if the Excuse is in play")
    pawns: int = public(np.int8, 0, 1, "1 if the Pawns are in play")
    lowest_wins: int = public(np.int8, 0, 1, "1 if the lowest score wins at a calamity")
    where: Cells = secret(
        np.int8, 0, Place.ABSENT, "seat in whose hand each card is, or 4 deck, 5 discard pile, "
        "6 table (pending attempt or payment), 7 not in play", shape=NUM_CARDS,
    )  # fmt: skip
    deck: Cells = hidden(
        np.int8, NO_CARD, EXCUSE, "cards of the deck in order, the last is drawn next; -1 behind "
        "them", shape=NUM_CARDS,
    )  # fmt: skip
    padding: Cells = public(np.int8, 0, 0, "always 0", shape=2)


STATE: Final = state_table(State)
