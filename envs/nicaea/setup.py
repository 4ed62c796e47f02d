"""Setting up a game of Nicaea (N1–N3)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below, shuffle
from concilium.envs.nicaea.debate import fill_display
from concilium.envs.nicaea.doctrine import cards_held
from concilium.envs.nicaea.payment import gain
from concilium.envs.nicaea.state import (
    ABSENT,
    BEGUN,
    CARDS,
    DEALT,
    DECK,
    DISPUTES,
    FEWEST_SEATS,
    MARKERS_EACH,
    NO_CARD,
    NOBODY,
    NONE,
    SEATS,
    SIDES,
    SINGLE_CARDS,
    SPACES,
    TURN,
    VALUES,
)

_DISPUTES_OF_FOUR: Final = 3  # disputes whose cards with a hidden back are dealt to four players


@jit
def reset(s: Any) -> None:
    """N2: start player, doctrine cards, deck, in this order of chance."""
    n = np.int64(s.num_players)
    _clear(s)
    start = below(s, n)
    log_public(s, BEGUN, start, 0, 0, 0)
    _deal_doctrine(s, n)
    gain(s, (start + n - 1) % n, 1)
    _build_deck(s)
    s.constantine = start  # N3
    s.actor = start


@jit
def _clear(s: Any) -> None:
    """Everything in its box, nothing pending."""
    for seat in range(SEATS):
        for k in range(CARDS):
            s.tableau[seat, k] = NO_CARD
    for dispute in range(DISPUTES):
        for side in range(SIDES):
            s.supply[dispute, side] = SINGLE_CARDS
        s.supply[dispute, SIDES] = 1
    for value in range(VALUES):
        s.marker_supply[value] = MARKERS_EACH
    for space in range(SPACES):
        s.display[space] = NO_CARD
    s.constantine_space = NONE
    s.first_passer = NOBODY
    s.taking = NO_CARD
    s.playing = NO_CARD
    s.target = NOBODY
    s.buying = NONE
    s.buying_side = NONE
    s.phase = TURN


@jit
def _deal_doctrine(s: Any, n: Any) -> None:
    """N1, N2: a card with a hidden back to each seat; tokens and TI by how many were dealt."""
    disputes = DISPUTES
    if n == FEWEST_SEATS:
        disputes = _DISPUTES_OF_FOUR
    backs = np.empty(SIDES * DISPUTES, np.int64)
    for k in range(SIDES * disputes):
        backs[k] = k
    shuffle(s, backs, SIDES * disputes)
    for seat in range(n):
        dispute = backs[seat] // SIDES
        side = backs[seat] % SIDES
        s.doctrine[seat, dispute, side] = 1
        s.supply[dispute, side] = np.int64(s.supply[dispute, side]) - 1
        s.token[dispute] = np.int64(s.token[dispute]) + 1
        log_public(s, DEALT, seat, dispute, side, 0)
    for dispute in range(DISPUTES):
        for seat in range(n):
            if cards_held(s, seat, dispute) == 1:
                gain(s, seat, 4 - np.int64(s.token[dispute]))  # 3 for the only card, 2 for one of 2


@jit
def _build_deck(s: Any) -> None:
    size = np.int64(s.num_cards)
    for card in range(CARDS):
        s.where[card] = ABSENT
        s.deck[card] = NO_CARD
    for card in range(size):
        s.where[card] = DECK
        s.deck[card] = card
    shuffle(s, s.deck, size)
    s.deck_size = size
    fill_display(s)
