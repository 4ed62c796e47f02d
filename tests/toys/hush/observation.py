"""What a policy sees of Hush; seats are relative, own seat first."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.jit import jit
from concilium.envs.core.layout import layout
from concilium.envs.core.state import RUNNING
from tests.toys.hush.state import (
    ANSWER,
    CARDS,
    DISCARD,
    MOST_POINTS,
    MOST_ROUNDS,
    OPEN,
    SEATS,
)

OBSERVATION: Final = layout(
    ("seat_exists", (SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (SEATS,), 0, 1, "the seat is to decide"),
    ("active", (SEATS,), 0, 1, "the seat whose turn it is"),
    ("score", (SEATS,), 0, MOST_POINTS, "points"),
    ("goal", (1,), 0, MOST_POINTS, "points that win"),
    ("turns_left", (1,), 0, MOST_ROUNDS * SEATS, "turns until the game is cut short"),
    ("deck_size", (1,), 0, CARDS, "cards in the deck"),
    ("answering", (1,), 0, 1, "a claim is being decided"),
    ("outcome", (3,), 0, 1, "goal reached, no cards left, out of time; all 0 while running"),
    ("claimed", (CARDS,), 0, 1, "the card on the table"),
    ("discarded", (CARDS,), 0, 1, "cards discarded"),
    ("known", (SEATS, CARDS), 0, 1, "the seat holds the card: the own one, or one looked at"),
)
STATE_LAYOUT: Final = layout(
    ("to_act", (SEATS,), 0, 1, "the seat (absolute) is to decide"),
    ("holder", (SEATS, CARDS), 0, 1, "the seat (absolute) holds the card"),
    ("draw_order", (CARDS,), 0, CARDS, "1 for the card drawn next, and so on; 0: not in the deck"),
)

_AT: Final = OBSERVATION.start
_EXISTS: Final = _AT("seat_exists")
_TO_ACT: Final = _AT("to_act")
_ACTIVE: Final = _AT("active")
_SCORE: Final = _AT("score")
_GOAL: Final = _AT("goal")
_TURNS: Final = _AT("turns_left")
_DECK_SIZE: Final = _AT("deck_size")
_ANSWERING: Final = _AT("answering")
_OUTCOME: Final = _AT("outcome")
_CLAIMED: Final = _AT("claimed")
_DISCARDED: Final = _AT("discarded")
_KNOWN: Final = _AT("known")
_HOLDER: Final = STATE_LAYOUT.start("holder")
_ORDER: Final = STATE_LAYOUT.start("draw_order")


@jit
def encode(v: Any, out: Any) -> None:
    """Fill the observation of a View; a spectator's has seat 0 first."""
    n = np.int64(v.num_players)
    base = np.int64(v.viewer)
    if base < 0:
        base = np.int64(0)
    for seat in range(n):
        me = (seat - base) % n
        out[_EXISTS + me] = 1
        out[_SCORE + me] = v.score[seat]
        for card in range(CARDS):
            out[_KNOWN + CARDS * me + card] = v.where[card] == seat
    out[_ACTIVE + (np.int64(v.active) - base) % n] = 1
    if v.status == RUNNING:
        out[_TO_ACT + (np.int64(v.actor) - base) % n] = 1
    out[_GOAL] = v.goal
    out[_TURNS] = np.int64(v.rounds) * n - np.int64(v.turns)
    out[_DECK_SIZE] = v.deck_size
    out[_ANSWERING] = v.phase == ANSWER
    if v.outcome != OPEN:
        out[_OUTCOME + np.int64(v.outcome) - 1] = 1
    if v.claimed >= 0:
        out[_CLAIMED + np.int64(v.claimed)] = 1
    for card in range(CARDS):
        out[_DISCARDED + card] = v.where[card] == DISCARD


@jit
def encode_state(s: Any, out: Any) -> None:
    """Fill the perfect-information vector: who acts, hands, order of the deck."""
    if s.status == RUNNING:
        out[np.int64(s.actor)] = 1
    for card in range(CARDS):
        if s.where[card] < SEATS:
            out[_HOLDER + CARDS * np.int64(s.where[card]) + card] = 1
    size = np.int64(s.deck_size)
    for k in range(size):
        out[_ORDER + np.int64(s.deck[k])] = size - k
