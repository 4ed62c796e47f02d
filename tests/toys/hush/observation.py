"""What a policy sees of Hush; seats are relative, own seat first."""

from __future__ import annotations

from typing import Any, Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.layout import layout
from concilium.envs.core.state import RUNNING
from tests.toys.hush.state import (
    CARDS,
    MOST_POINTS,
    MOST_ROUNDS,
    SEATS,
    Outcome,
    Phase,
    Place,
    State,
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


@jit
def encode(v: State, out: Any) -> None:
    """Fill the observation of a View; a spectator's has seat 0 first."""
    n = v.num_players
    base = max(v.viewer, 0)
    for seat in range(n):
        me = (seat - base) % n
        out.seat_exists[me] = 1
        out.score[me] = v.score[seat]
        for card in range(CARDS):
            out.known[me, card] = v.where[card] == seat
    out.active[(v.active - base) % n] = 1
    if v.status == RUNNING:
        out.to_act[(v.actor - base) % n] = 1
    out.goal = v.goal
    out.turns_left = v.rounds * n - v.turns
    out.deck_size = v.deck_size
    out.answering = v.phase == Phase.ANSWER
    if v.outcome != Outcome.OPEN:
        out.outcome[v.outcome - 1] = 1
    if v.claimed >= 0:
        out.claimed[v.claimed] = 1
    for card in range(CARDS):
        out.discarded[card] = v.where[card] == Place.DISCARD


@jit
def encode_state(s: State, out: Any) -> None:
    """Fill the perfect-information vector: who acts, hands, order of the deck."""
    if s.status == RUNNING:
        out.to_act[s.actor] = 1
    for card in range(CARDS):
        if s.where[card] < SEATS:
            out.holder[s.where[card], card] = 1
    for k in range(s.deck_size):
        out.draw_order[s.deck[k]] = s.deck_size - k
