"""Who may know what in Chancellors (C14): the only place that decides it.

Public are dice, owners, scores, hand sizes, the discard pile and every card played. Hidden are the
other hands and the order of the deck. One thing follows from the public record and is easily
forgotten: a new deck is exactly the discards of its moment, so a card that was not among them has
been in a hand ever since. ``card_deck`` and ``drawn`` keep that knowledge: a hidden card is in a
hand only in a place for a card of its deck, and in the deck only if it belongs to the present one.
Another thing: who has begun a payment holds cards that complete it (C7).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.payment import can_complete_payment
from concilium.envs.chancellors.state import NO_CARD, Event, Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECRET, THIRD
from concilium.envs.core.compiled.rng import below, shuffle
from concilium.envs.core.state import UNKNOWN, Cells

_ATTEMPTS: Final = 1 << 20


@jit
def view(s: State, v: State, player: int) -> None:
    """Open where a card is unless it is in the deck or in another hand."""
    for card in range(NUM_CARDS):
        place = s.where[card]
        if place > Place.DECK or place == player:
            v.where[card] = place


@jit
def determinize(s: State, viewer: int) -> None:
    """Deal the hidden cards of ``s``, a copy of a View, uniformly over what is possible.

    Possible are the deals in which each hand's hidden cards come from the decks that its cards were
    drawn from, and in which a payment begun can be completed. Then the draws in the log are given
    cards that make the later plays possible.
    """
    hidden = np.empty(NUM_CARDS, np.int64)
    count = 0
    for card in range(NUM_CARDS):
        if s.where[card] == UNKNOWN:
            hidden[count] = card
            count += 1
    shuffle(s, hidden, count)
    payer = -1
    if s.phase == Phase.PAYMENT and s.active != viewer:
        payer = s.active
        _deal_payer(s, payer, hidden, count)
    for seat in range(s.num_players):
        if seat not in (viewer, payer):
            _deal_hand(s, seat, hidden, count)
    size = 0
    for k in range(count):
        if hidden[k] != NO_CARD:
            s.where[hidden[k]] = Place.DECK
            s.deck[size] = hidden[k]
            size += 1
    for seat in range(s.num_players):
        if seat != viewer:
            _fill_draws(s, seat)


@jit
def _deal_payer(s: State, payer: int, hidden: Cells, count: int) -> None:
    """Deal the payer's hand until it can complete the payment: every such hand stays as likely.

    The real hand is one of them, so this ends; the bound is for records that no game has made.
    """
    for _ in range(_ATTEMPTS):
        _deal_hand(s, payer, hidden, count)
        if can_complete_payment(s):
            return
        back = 0
        for card in range(NUM_CARDS):
            if s.where[card] == payer:
                s.where[card] = UNKNOWN
            if s.where[card] == UNKNOWN:
                hidden[back] = card
                back += 1
        shuffle(s, hidden, count)
    _deal_hand(s, payer, hidden, count)


@jit
def _deal_hand(s: State, seat: int, hidden: Cells, count: int) -> None:
    """Give the seat, for each place in its hand, the next hidden card of the right deck."""
    for k in range(s.hand_size[seat]):
        for h in range(count):
            card = hidden[h]
            if card != NO_CARD and s.card_deck[card] == s.drawn[seat, k]:
                s.where[card] = seat
                hidden[h] = NO_CARD
                break


@jit
def _fill_draws(s: State, seat: int) -> None:
    """Name the cards that the seat drew, going back through the log.

    Going backwards, a card played returns to the hand, and a draw takes out one of the cards then
    held that came from the same deck, each being equally likely to be the one drawn last.
    """
    held_from = np.full(NUM_CARDS, -1, np.int64)
    for card in range(NUM_CARDS):
        if s.where[card] == seat:
            held_from[card] = s.card_deck[card]
    capacity = s.log.shape[0]
    total = s.log_count
    for back in range(min(total, capacity)):
        row = (total - 1 - back) % capacity
        if s.log[row, ACTOR] != seat:
            continue
        event = s.log[row, EVENT]
        if event == Event.DRAW:
            s.log[row, SECRET] = _last_drawn(s, held_from, s.log[row, FIRST])
        elif event in (Event.ATTEMPT, Event.BLOCKED, Event.COMMIT, Event.AVERTED):
            held_from[s.log[row, FIRST]] = s.log[row, THIRD]


@jit
def _last_drawn(s: State, held_from: Cells, deck: int) -> int:
    """Take one card of ``deck`` out of ``held_from`` at random."""
    cards = np.flatnonzero(held_from == deck)
    if cards.size == 0:  # in no log that a game has written
        return NO_CARD
    card: int = cards[below(s, cards.size)]
    held_from[card] = -1
    return card
