"""Setting up a game of Believers (B1, B2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.believers.chance import (
    add_card,
    draw_card,
    random_index,
    show_disciple,
)
from concilium.envs.believers.state import (
    AWAY,
    BEGUN,
    CRISES,
    DEALT,
    DEFECTOR,
    DEFECTORS,
    DISCIPLES,
    GLIMPSES,
    KINDS,
    LAID_OUT,
    MOST_DEFECTORS,
    MOST_MISSIONS,
    MOST_UNDER,
    NOBODY,
    NONE,
    OWN,
    PILES,
    SEATS,
)
from concilium.envs.believers.table import bit, pack_hand, start_round
from concilium.envs.core.events import log_event, log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below, shuffle


@jit
def reset(s: Any) -> None:
    """B1: chance in this order: Faith, first Eye, Virtues, Disciples, tops of the piles, Crises.

    Missions are drawn when they are turned up.
    """
    n = np.int64(s.num_players)
    _clear(s, n)
    _deal_faith(s, n)
    s.turn = below(s, n)
    log_public(s, BEGUN, s.turn, 0, 0, 0)
    _deal_virtues(s, n)
    if s.disciples_on == 1:
        _deal_disciples(s, n)
    if s.crises_on == 1:
        _lay_out_crises(s)
    start_round(s)


@jit
def _clear(s: Any, n: Any) -> None:
    """Everything in its box, nothing known."""
    for number in range(MOST_MISSIONS):
        s.mission_pair[number] = NONE
        s.mission_row[number] = NONE
        s.mission_eye[number] = NOBODY
        s.mission_hand[number] = NOBODY
        s.mission_placed[number, 0] = NONE
        s.mission_placed[number, 1] = NONE
        s.mission_result[number] = NONE
        s.mission_given[number] = NONE
        s.hand_claim[number] = NONE
        s.eye_claim[number] = NONE
    for place in range(GLIMPSES):
        s.glimpse_by[place] = NOBODY
        s.glimpse_of[place] = NOBODY
    for k in range(MOST_UNDER):
        s.under[k] = NONE
    for k in range(MOST_DEFECTORS):
        s.nominated[k] = NONE
    for seat in range(SEATS):
        s.shame_at[seat] = OWN if s.shame_on == 1 and seat < n else AWAY
    for k in range(PILES):
        s.pile_top[k] = NONE
    for k in range(LAID_OUT):
        s.crises[k] = NONE
    s.gift[0] = NONE
    s.gift[1] = NONE
    s.next_mission = NONE
    s.last_hand = NOBODY
    s.row_crisis = NONE
    s.row_target = NOBODY
    s.buying = NONE
    s.buying_pile = NONE
    s.winner = NONE


@jit
def _deal_faith(s: Any, n: Any) -> None:
    """So many Defectors as the number of players asks for, any of them."""
    seats = np.arange(SEATS)
    shuffle(s, seats, n)
    for k in range(DEFECTORS[n]):
        s.faith[seats[k]] = DEFECTOR


@jit
def _deal_virtues(s: Any, n: Any) -> None:
    size = np.int64(0)
    for kind in range(KINDS):
        s.deck[kind] = s.virtue_copies[kind]
        size += np.int64(s.virtue_copies[kind])
    s.deck_size = size
    for seat in range(n):
        for _ in range(np.int64(s.hand_size)):
            add_card(s, seat, draw_card(s))
        log_event(s, DEALT, seat, 0, 0, 0, 0, bit(seat), bit(seat))
        pack_hand(s, np.int64(s.log_count) - 1, seat)


@jit
def _deal_disciples(s: Any, n: Any) -> None:
    """B2: one of cost 1 to each; the rest in three piles, the first ones taking the remainder."""
    ones = np.zeros(DISCIPLES, np.int64)
    left = np.int64(0)
    rest = -n
    for name in range(DISCIPLES):
        s.buried[name] = s.disciple_copies[name]
        rest += np.int64(s.disciple_copies[name])
        if s.disciple_cost[name] == 1:
            ones[name] = s.disciple_copies[name]
            left += ones[name]
    for seat in range(n):
        name = random_index(s, ones, left)
        ones[name] -= 1
        left -= 1
        s.disciples[seat, name] = 1
        s.buried[name] = np.int64(s.buried[name]) - 1
    for pile in range(PILES):
        s.pile_size[pile] = rest // PILES + np.int64(pile < rest % PILES) + 1
        show_disciple(s, pile)  # takes off the card that is not there


@jit
def _lay_out_crises(s: Any) -> None:
    """Three different ones."""
    names = np.zeros(CRISES, np.int64)
    count = np.int64(0)
    for name in range(CRISES):
        if s.crisis_effect[name] >= 0:
            names[count] = name
            count += 1
    shuffle(s, names, count)
    for k in range(LAID_OUT):
        s.crises[k] = names[k]
