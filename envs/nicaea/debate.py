"""The Debate Round, in the order of N20, and what may end the game after it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.doctrine import can_buy, cards_held, first_open, settle
from concilium.envs.nicaea.payment import gain, put_into_pools
from concilium.envs.nicaea.scoring import finish
from concilium.envs.nicaea.state import (
    BONUS,
    DEBATE_ROUND,
    DISPLAY,
    DISPUTES,
    DREW,
    EXHAUSTED,
    IDLE,
    IDLE_LIMIT,
    LOST,
    NAMED,
    NAMING,
    NO_CARD,
    NOBODY,
    NONE,
    OPEN,
    POOLS,
    ROUND,
    SETTLED,
    SHARED,
    SIDES,
    SPACES,
    TURN,
)
from concilium.envs.nicaea.tableau import count_canons, pair_bonus, refresh_leftmost

_NAME: Final = A.NAME


@jit
def begin_debate_round(s: Any) -> None:
    """N20: Constantine to the first passer, bonus, refresh; then the purchases are asked for."""
    n = np.int64(s.num_players)
    log_public(s, ROUND, s.first_passer, s.rounds, 0, 0)
    s.constantine = s.first_passer
    s.constantine_space = NONE
    for seat in range(n):
        _earn_bonus(s, seat)
    for seat in range(n):
        for _ in range(refresh_count(s, seat)):
            if refresh_leftmost(s, seat) == 0:
                break
    s.asked = 0
    ask_next_buyer(s)


@jit
def _earn_bonus(s: Any, seat: Any) -> None:
    """N21: TI for each figure both of whose cards are face up."""
    for k in range(np.int64(s.tableau_size[seat])):
        card = np.int64(s.tableau[seat, k])
        amount = pair_bonus(s, card)
        if amount > 0:
            gain(s, seat, amount)
            log_public(s, BONUS, seat, card, amount, 0)


@jit
def refresh_count(s: Any, seat: Any) -> Any:
    """N22: cards that the seat may turn up: halves summed over open disputes, rounded up once."""
    halves = np.int64(0)
    for dispute in range(DISPUTES):
        if s.settled[dispute] == OPEN:
            number = np.int64(s.track_refresh[np.int64(s.token[dispute])])
            halves += number * cards_held(s, seat, dispute)
    return (halves + 1) // 2


@jit
def ask_next_buyer(s: Any) -> None:
    """N23: from the last passer clockwise, whoever can buy anything; then the round goes on."""
    n = np.int64(s.num_players)
    while np.int64(s.asked) < n:
        # a run of passes goes round the table, so the last passer sits before the first
        seat = (np.int64(s.first_passer) + n - 1 + np.int64(s.asked)) % n
        if can_buy(s, seat):
            s.phase = DEBATE_ROUND
            s.actor = seat
            return
        s.asked = np.int64(s.asked) + 1
    _end_debate_round(s)


@jit
def _end_debate_round(s: Any) -> None:
    """Refill, Influence, N6's count of idle rounds, and N29: the one test for the end."""
    _slide_display(s)
    fill_display(s)
    _adjust_influence(s)
    s.rounds = np.int64(s.rounds) + 1
    s.idle_rounds = np.int64(s.idle_rounds) + 1
    if s.busy == 1:
        s.idle_rounds = 0
    s.busy = 0
    s.passes = 0  # N4
    s.first_passer = NOBODY
    s.asked = 0
    s.phase = TURN
    s.actor = s.constantine
    if first_open(s) == DISPUTES:
        finish(s, SETTLED)
    elif s.deck_size == 0:
        s.phase = NAMING
    elif s.idle_rounds == IDLE_LIMIT:
        finish(s, IDLE)


@jit
def _slide_display(s: Any) -> None:
    """N27: all cards to the left, in their order."""
    filled = 0
    for space in range(SPACES):
        card = np.int64(s.display[space])
        if card != NO_CARD:
            s.display[space] = NO_CARD
            s.display[filled] = card
            filled += 1


@jit
def fill_display(s: Any) -> None:
    """N15, N27: a card for each empty space but Constantine's, left to right, while there are."""
    for space in range(SPACES):
        size = np.int64(s.deck_size)
        if s.display[space] == NO_CARD and space != s.constantine_space and size > 0:
            card = np.int64(s.deck[size - 1])
            s.deck[size - 1] = NO_CARD
            s.deck_size = size - 1
            s.display[space] = card
            s.where[card] = DISPLAY
            log_public(s, DREW, NOBODY, card, space, 0)


@jit
def _adjust_influence(s: Any) -> None:
    """N28: TI cut to the Canons; the pools shared, the remainder back, the share not cut."""
    n = np.int64(s.num_players)
    for seat in range(n):
        excess = np.int64(s.ti[seat]) - count_canons(s, seat)
        if excess > 0:
            gain(s, seat, -excess)
            log_public(s, LOST, seat, excess, 0, 0)
    total = np.int64(0)
    for place in range(POOLS):
        total += np.int64(s.pool[place])
        s.pool[place] = 0
    for seat in range(n):
        s.ti[seat] = np.int64(s.ti[seat]) + total // n
    put_into_pools(s, total % n)
    if total > 0:
        log_public(s, SHARED, NOBODY, total // n, total % n, 0)


# Exhaustion ----------------------------------------------------------------------------------


@jit
def legal_names(s: Any, mask: Any) -> None:
    """N30: either side of the first dispute still open."""
    dispute = first_open(s)
    for side in range(SIDES):
        mask[_NAME + SIDES * dispute + side] = 1


@jit
def name_side(s: Any, dispute: Any, side: Any) -> None:
    """N30: the dispute is settled at once, so the namer sees own markers before the next."""
    log_public(s, NAMED, s.actor, dispute, side, 0)
    settle(s, dispute, side)
    if first_open(s) == DISPUTES:
        finish(s, EXHAUSTED)
