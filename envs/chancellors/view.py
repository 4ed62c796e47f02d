"""Who may know what in Chancellors (C14): the only place that decides it.

Public are dice, owners, scores, hand sizes, the discard pile and every card played. Hidden are the
other hands and the order of the deck. One thing follows from the public record and is easily
forgotten: a new deck is exactly the discards of its moment, so a card that was not among them has
been in a hand ever since. ``card_deck`` and ``drawn`` keep that knowledge: a hidden card is in a
hand only in a place for a card of its deck, and in the deck only if it belongs to the present one.
Another thing: who has begun a payment holds cards that complete it (C7).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.payment import can_complete_payment
from concilium.envs.chancellors.state import (
    ATTEMPT,
    AVERTED,
    BLOCKED,
    COMMIT,
    DECK,
    DRAW,
    NO_CARD,
    PAYMENT,
)
from concilium.envs.core.events import ACTOR, FIRST, KIND, SECRET, THIRD
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below, shuffle
from concilium.envs.core.state import UNKNOWN

_ATTEMPTS: Final = 1 << 20


@jit
def view(v: Any, player: Any) -> None:
    """Blank the other hands and the deck in ``v``, a copy of a State."""
    for card in range(NUM_CARDS):
        place = np.int64(v.where[card])
        if place <= DECK and place != player:
            v.where[card] = UNKNOWN
        v.deck[card] = NO_CARD


@jit
def determinize(s: Any, viewer: Any) -> None:
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
    payer = np.int64(-1)
    if s.phase == PAYMENT and s.active != viewer:
        payer = np.int64(s.active)
        _deal_payer(s, payer, hidden, count)
    for seat in range(np.int64(s.num_players)):
        if seat not in (viewer, payer):
            _deal_hand(s, seat, hidden, count)
    size = 0
    for k in range(count):
        if hidden[k] != NO_CARD:
            s.where[hidden[k]] = DECK
            s.deck[size] = hidden[k]
            size += 1
    for seat in range(np.int64(s.num_players)):
        if seat != viewer:
            _fill_draws(s, seat)


@jit
def _deal_payer(s: Any, payer: Any, hidden: Any, count: Any) -> None:
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
def _deal_hand(s: Any, seat: Any, hidden: Any, count: Any) -> None:
    """Give the seat, for each place in its hand, the next hidden card of the right deck."""
    for k in range(np.int64(s.hand_size[seat])):
        for h in range(count):
            card = hidden[h]
            if card != NO_CARD and s.card_deck[card] == s.drawn[seat, k]:
                s.where[card] = seat
                hidden[h] = NO_CARD
                break


@jit
def _fill_draws(s: Any, seat: Any) -> None:
    """Name the cards that the seat drew, going back through the log.

    Going backwards, a card played returns to the hand, and a draw takes out one of the cards then
    held that came from the same deck, each being equally likely to be the one drawn last.
    """
    held_from = np.full(NUM_CARDS, -1, np.int64)
    for card in range(NUM_CARDS):
        if s.where[card] == seat:
            held_from[card] = s.card_deck[card]
    capacity = s.log.shape[0]
    total = np.int64(s.log_count)
    for back in range(min(total, capacity)):
        row = (total - 1 - back) % capacity
        if s.log[row, ACTOR] != seat:
            continue
        event = np.int64(s.log[row, KIND])
        if event == DRAW:
            s.log[row, SECRET] = _last_drawn(s, held_from, np.int64(s.log[row, FIRST]))
        elif event in (ATTEMPT, BLOCKED, COMMIT, AVERTED):
            held_from[np.int64(s.log[row, FIRST])] = s.log[row, THIRD]


@jit
def _last_drawn(s: Any, held_from: Any, deck: Any) -> Any:
    """Take one card of ``deck`` out of ``held_from`` at random."""
    count = 0
    for card in range(NUM_CARDS):
        if held_from[card] == deck:
            count += 1
    left = below(s, count)
    for card in range(NUM_CARDS):
        if held_from[card] == deck:
            if left == 0:
                held_from[card] = -1
                return card
            left -= 1
    return NO_CARD
