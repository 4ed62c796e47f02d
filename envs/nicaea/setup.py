"""Setting up a game of Nicaea (N1–N3)."""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.compiled.rng import below, shuffle
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.debate import fill_display
from concilium.envs.nicaea.doctrine import cards_held
from concilium.envs.nicaea.payment import gain
from concilium.envs.nicaea.state import Event, Phase, State

_DISPUTES_OF_FOUR: Final = 3  # disputes whose cards with a hidden back are dealt to four players


@jit
def reset(s: State) -> None:
    """N2: start player, doctrine cards, deck, in this order of chance."""
    n = s.num_players
    _clear(s)
    start = below(s, n)
    log_public(s, Event.BEGUN, start, 0, 0, 0)
    _deal_doctrine(s, n)
    gain(s, (start + n - 1) % n, 1)
    _build_deck(s)
    s.constantine = start  # N3
    s.actor = start


@jit
def _clear(s: State) -> None:
    """Everything in its box, nothing pending."""
    for seat in range(S.SEATS):
        for k in range(S.CARDS):
            s.tableau[seat, k] = S.NO_CARD
    for dispute in range(S.DISPUTES):
        for side in range(S.SIDES):
            s.supply[dispute, side] = S.SINGLE_CARDS
        s.supply[dispute, S.SIDES] = 1
    for value in range(S.VALUES):
        s.marker_supply[value] = S.MARKERS_EACH
    for space in range(S.SPACES):
        s.display[space] = S.NO_CARD
    s.constantine_space = S.NONE
    s.first_passer = S.NOBODY
    s.taking = S.NO_CARD
    s.playing = S.NO_CARD
    s.target = S.NOBODY
    s.buying = S.NONE
    s.buying_side = S.NONE
    s.phase = Phase.TURN


@jit
def _deal_doctrine(s: State, n: int) -> None:
    """N1, N2: a card with a hidden back to each seat; tokens and TI by how many were dealt."""
    disputes = S.DISPUTES
    if n == S.FEWEST_SEATS:
        disputes = _DISPUTES_OF_FOUR
    backs = np.empty(S.SIDES * S.DISPUTES, np.int64)
    for k in range(S.SIDES * disputes):
        backs[k] = k
    shuffle(s, backs, S.SIDES * disputes)
    for seat in range(n):
        dispute = backs[seat] // S.SIDES
        side = backs[seat] % S.SIDES
        s.doctrine[seat, dispute, side] = 1
        s.supply[dispute, side] = s.supply[dispute, side] - 1
        s.token[dispute] = s.token[dispute] + 1
        log_public(s, Event.DEALT, seat, dispute, side, 0)
    for dispute in range(S.DISPUTES):
        for seat in range(n):
            if cards_held(s, seat, dispute) == 1:
                gain(s, seat, 4 - s.token[dispute])  # 3 for the only card, 2 for one of 2


@jit
def _build_deck(s: State) -> None:
    size = s.num_cards
    for card in range(S.CARDS):
        s.where[card] = S.ABSENT
        s.deck[card] = S.NO_CARD
    for card in range(size):
        s.where[card] = S.DECK
        s.deck[card] = card
    shuffle(s, s.deck, size)
    s.deck_size = size
    fill_display(s)
