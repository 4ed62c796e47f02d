"""Cards that move: the deck and what becomes of it (C13), hands and what leaves them."""

from __future__ import annotations

from concilium.envs.chancellors.cards import EXCUSE, FIRST_PAWN, NUM_CARDS, NUM_FORCES
from concilium.envs.chancellors.state import LET_GO_HORIZON, NO_CARD, NOBODY, Event, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event, log_public
from concilium.envs.core.compiled.rng import shuffle


@jit
def build_first_deck(s: State) -> None:
    """Shuffle the cards in play."""
    for card in range(NUM_CARDS):
        s.deck[card] = NO_CARD
        s.where[card] = Place.DISCARD
        if FIRST_PAWN <= card < EXCUSE and s.pawns == 0:
            s.where[card] = Place.ABSENT
        if card == EXCUSE and s.excuse == 0:
            s.where[card] = Place.ABSENT
    _discards_become_deck(s)


@jit
def _discards_become_deck(s: State) -> None:
    count = 0
    for card in range(NUM_CARDS):
        if s.where[card] == Place.DISCARD:
            s.where[card] = Place.DECK
            s.card_deck[card] = s.deck_number
            s.deck[count] = card
            count += 1
    s.deck_size = count
    shuffle(s, s.deck, count)


@jit
def draw(s: State, seat: int) -> None:
    """C13: the discard pile is shuffled only when a card is needed and the deck is empty."""
    if s.deck_size == 0:
        s.deck_number += 1
        _discards_become_deck(s)
        if s.deck_size == 0:
            s.deck_number -= 1
            return
        log_public(s, Event.SHUFFLE, NOBODY, s.deck_number, s.deck_size, 0)
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = NO_CARD
    s.where[card] = seat
    s.drawn[seat, s.hand_size[seat]] = s.deck_number
    s.hand_size[seat] += 1
    for force in range(NUM_FORCES):
        s.let_go_draws[seat, force] = min(s.let_go_draws[seat, force] + 1, LET_GO_HORIZON)
    log_event(s, Event.DRAW, seat, s.deck_number, 0, 0, card, 1 << seat, EVERYBODY)


@jit
def leave_hand(s: State, seat: int, card: int, place: int) -> None:
    """Move a card out of a hand; the deck it was drawn from is struck off the seat's list."""
    s.where[card] = place
    s.hand_size[seat] -= 1
    last = s.hand_size[seat]
    found = 0
    while s.drawn[seat, found] != s.card_deck[card]:
        found += 1
    for k in range(found, last):
        s.drawn[seat, k] = s.drawn[seat, k + 1]
    s.drawn[seat, last] = -1
