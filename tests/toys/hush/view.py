"""Who may know what in Hush: other hands only by looking, the deck not at all, looks in secret."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import (
    ACTOR,
    COLUMNS,
    EVENT,
    FIRST,
    READERS,
    SECRET,
    WITNESSES,
)
from concilium.envs.core.compiled.rng import below, shuffle
from concilium.envs.core.state import UNKNOWN
from tests.toys.hush.rules import held
from tests.toys.hush.state import CARDS, NO_CARD, SEATS, Event, Place, State


@jit
def view(s: State, v: State, player: int) -> None:
    """Open the cards on the table, the own card, and those looked at."""
    for card in range(CARDS):
        place = s.where[card]
        known = place > Place.DECK or place == player
        if player >= 0 and place < SEATS:
            known |= s.seen[player, place] == 1
        if known:
            v.where[card] = place


@jit
def determinize(s: State, viewer: int) -> None:
    """Deal the hidden cards at random, then make up what the others did on their quiet turns."""
    hidden = np.empty(CARDS, np.int64)
    count = 0
    for card in range(CARDS):
        if s.where[card] == UNKNOWN:
            hidden[count] = card
            count += 1
    shuffle(s, hidden, count)
    for seat in range(s.num_players):
        if s.holds[seat] == 1 and held(s, seat) == NO_CARD:
            count -= 1
            s.where[hidden[count]] = seat
    for k in range(count):
        s.where[hidden[k]] = Place.DECK
        s.deck[k] = hidden[k]
    _name_draws(s)
    _make_up_looks(s, viewer)


@jit
def _name_draws(s: State) -> None:
    """Going back, a card given up returns to the hand, and what is held was drawn before."""
    hand = np.empty(SEATS, np.int64)
    for seat in range(SEATS):
        hand[seat] = held(s, seat)
    for row in range(s.log_count - 1, -1, -1):
        event = s.log[row, EVENT]
        if event == Event.DRAWN:
            s.log[row, SECRET] = hand[s.log[row, ACTOR]]
        elif event in (Event.CLAIMED, Event.OBJECTED, Event.SWAPPED):
            hand[s.log[row, ACTOR]] = s.log[row, FIRST]


@jit
def _make_up_looks(s: State, viewer: Any) -> None:
    """After each quiet turn of another player, insert a look at a random player, or none."""
    n = s.num_players
    told = s.log.copy()
    count = s.log_count
    hand = np.full(SEATS, NO_CARD, np.int64)
    for looker in range(n):
        if looker != viewer:
            for other in range(SEATS):
                s.seen[looker, other] = 0
    written = 0
    for row in range(count):
        for column in range(COLUMNS):
            s.log[written, column] = told[row, column]
        written += 1
        event = told[row, EVENT]
        seat = told[row, ACTOR]
        if event == Event.DRAWN:
            hand[seat] = told[row, SECRET]
        elif event in (Event.CLAIMED, Event.OBJECTED, Event.SWAPPED):
            for looker in range(n):
                if looker != viewer:
                    s.seen[looker, seat] = 0
        elif event == Event.QUIET and seat != viewer:
            target = (seat + below(s, n)) % n
            if target != seat:
                _insert_look(s, written, seat, target, hand[target])
                s.seen[seat, target] = 1
                written += 1
    s.log_count = written


@jit
def _insert_look(s: State, row: Any, seat: Any, other: Any, card: Any) -> None:
    for column in range(COLUMNS):
        s.log[row, column] = 0
    s.log[row, EVENT] = Event.LOOKED
    s.log[row, ACTOR] = seat
    s.log[row, FIRST] = other
    s.log[row, SECRET] = card
    s.log[row, READERS] = 1 << seat
    s.log[row, WITNESSES] = 1 << seat
