"""Whether a record from outside is a State of Chancellors that the compiled rules can go on from.

The rules trust their States. A State from a file is looked at first: every number in its range,
every card once, sizes and pending things in agreement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import EXCUSE, FIRST_PAWN, NUM_CARDS, NUM_FORCES
from concilium.envs.core.state import RUNNING, TRUNCATED


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()``; nothing if it is sound."""
    ranged = list(_out_of_range(state))
    yield from ranged
    if not ranged:  # only then do the numbers mean anything
        yield from _wrong_cards(state)
        yield from _wrong_phase(state)


def _out_of_range(s: Any) -> Iterator[str]:
    n = int(s["num_players"])
    limits = {
        "num_players": (2, S.SEATS), "status": (RUNNING, TRUNCATED), "actor": (-1, n - 1),
        "active": (0, n - 1), "phase": (S.MAIN, S.AVERT), "problems": (3, S.PROBLEMS),
        "excuse": (0, 1), "pawns": (0, 1), "lowest_wins": (0, 1),
        "target_score": (1, S.OPTION_LIMIT), "max_turns": (1, S.OPTION_LIMIT),
        "turns": (0, int(s["max_turns"])), "deck_number": (0, 2**15 - 1),
        "score": (0, S.OPTION_LIMIT + 5), "card_deck": (0, int(s["deck_number"])),
        "drawn": (-1, int(s["deck_number"])), "solves": (0, S.SOLVES_COUNTED),
        "let_go_rank": (0, 10), "let_go_draws": (0, S.LET_GO_HORIZON), "dice": (0, 6),
        "solved": (0, 1), "owner": (-1, n - 1), "hand_size": (0, NUM_CARDS),
        "deck_size": (0, NUM_CARDS), "attempt_card": (-1, EXCUSE),
        "attempt_force": (-1, NUM_FORCES - 1), "solve_problem": (-1, S.PROBLEMS - 1),
        "solve_quiet": (0, 1), "solve_paid": (0, 11), "escalating": (-1, S.PROBLEMS - 1),
        "asked": (0, n - 1), "outcome": (S.OPEN, S.OUT_OF_TIME), "winner": (-1, n - 1),
        "where": (0, S.ABSENT), "deck": (-1, EXCUSE), "padding": (0, 0),
        "log_count": (0, 2**31 - 1),
    }  # fmt: skip
    for name, (low, high) in limits.items():
        values = np.asarray(s[name])
        if values.min() < low or values.max() > high:
            yield f"{name} is not from {low} to {high}"
    kinds = np.asarray(s["log"])[:, 0]
    if kinds.min() < 0 or kinds.max() > S.END:
        yield "the log holds events that do not exist"


def _wrong_cards(s: Any) -> Iterator[str]:
    where = np.asarray(s["where"])
    n = int(s["num_players"])
    absent = np.zeros(NUM_CARDS, bool)
    absent[FIRST_PAWN:EXCUSE] = not s["pawns"]
    absent[EXCUSE] = not s["excuse"]
    if ((where == S.ABSENT) != absent).any():
        yield "where: the cards in play do not fit the options"
    for seat in range(S.SEATS):
        held = np.sort(np.asarray(s["card_deck"])[where == seat])
        size = int(s["hand_size"][seat]) if seat < n else 0
        drawn = np.asarray(s["drawn"][seat])
        if len(held) != size or (drawn[:size] != held).any() or (drawn[size:] != -1).any():
            yield f"hand_size or drawn do not fit the cards of seat {seat}"
    size = int(s["deck_size"])
    deck = np.asarray(s["deck"])
    cards = np.flatnonzero(where == S.DECK)
    if not np.array_equal(np.sort(deck[:size]), cards) or (deck[size:] != S.NO_CARD).any():
        yield "deck or deck_size do not fit the cards in the deck"
    elif (np.asarray(s["card_deck"])[cards] != s["deck_number"]).any():
        yield "card_deck: a card in the deck is of another one"
    problems = int(s["problems"])
    dice = np.asarray(s["dice"])
    if (dice[:problems] < 1).any() or (dice[:problems, 0] > dice[:problems, 1]).any():
        yield "dice are not pairs with the lower one first"


def _wrong_phase(s: Any) -> Iterator[str]:
    phase = int(s["phase"])
    running = int(s["status"]) == RUNNING
    if running != (int(s["actor"]) >= 0) or running != (int(s["outcome"]) == S.OPEN):
        yield "status, actor and outcome do not agree"
        return
    on_table = np.asarray(s["where"]) == S.TABLE
    attempt, force = int(s["attempt_card"]), int(s["attempt_force"])
    problem, raised = int(s["solve_problem"]), int(s["escalating"])
    problems = int(s["problems"])
    if not running:
        return
    if (phase == S.BLOCK) != (force >= 0) or (force >= 0) != (attempt >= 0):
        yield "attempt_card and attempt_force do not fit the phase"
    elif phase == S.BLOCK and not on_table[attempt]:
        yield "attempt_card is not on the table"
    if (phase == S.PAYMENT) != (0 <= problem < problems):
        yield "solve_problem does not fit the phase"
    if phase == S.ESCALATION and not 0 <= raised < problems:
        yield "escalating does not fit the phase"
    owner = int(s["owner"][force]) if phase == S.BLOCK else int(s["active"])
    if phase != S.AVERT and int(s["actor"]) != owner:
        yield "actor does not fit the phase"
