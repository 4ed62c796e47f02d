"""Setting up a game of Believers (B1, B2)."""

from __future__ import annotations

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.chance import (
    add_card,
    draw_card,
    random_index,
    show_disciple,
)
from concilium.envs.believers.state import Event, Faith, State
from concilium.envs.believers.table import bit, pack_hand, start_round
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_event, log_public
from concilium.envs.core.compiled.rng import below, shuffle


@jit
def reset(s: State) -> None:
    """B1: chance in this order: Faith, first Eye, Virtues, Disciples, tops of the piles, Crises.

    Missions are drawn when they are turned up.
    """
    n = s.num_players
    _clear(s, n)
    _deal_faith(s, n)
    s.turn = below(s, n)
    log_public(s, Event.BEGUN, s.turn, 0, 0, 0)
    _deal_virtues(s, n)
    if s.disciples_on == 1:
        _deal_disciples(s, n)
    if s.crises_on == 1:
        _lay_out_crises(s)
    start_round(s)


@jit
def _clear(s: State, n: int) -> None:
    """Everything in its box, nothing known."""
    for number in range(S.MOST_MISSIONS):
        s.mission_pair[number] = S.NONE
        s.mission_row[number] = S.NONE
        s.mission_eye[number] = S.NOBODY
        s.mission_hand[number] = S.NOBODY
        s.mission_placed[number, 0] = S.NONE
        s.mission_placed[number, 1] = S.NONE
        s.mission_result[number] = S.NONE
        s.mission_given[number] = S.NONE
        s.hand_claim[number] = S.NONE
        s.eye_claim[number] = S.NONE
    for place in range(S.GLIMPSES):
        s.glimpse_by[place] = S.NOBODY
        s.glimpse_of[place] = S.NOBODY
    for k in range(S.MOST_UNDER):
        s.under[k] = S.NONE
    for k in range(S.MOST_DEFECTORS):
        s.nominated[k] = S.NONE
    for seat in range(S.SEATS):
        s.shame_at[seat] = S.OWN if s.shame_on == 1 and seat < n else S.AWAY
    for k in range(S.PILES):
        s.pile_top[k] = S.NONE
    for k in range(S.LAID_OUT):
        s.crises[k] = S.NONE
    s.gift[0] = S.NONE
    s.gift[1] = S.NONE
    s.next_mission = S.NONE
    s.last_hand = S.NOBODY
    s.row_crisis = S.NONE
    s.row_target = S.NOBODY
    s.buying = S.NONE
    s.buying_pile = S.NONE
    s.winner = S.NONE


@jit
def _deal_faith(s: State, n: int) -> None:
    """So many Defectors as the number of players asks for, any of them."""
    seats = np.arange(S.SEATS)
    shuffle(s, seats, n)
    for k in range(S.DEFECTORS[n]):
        s.faith[seats[k]] = Faith.DEFECTOR


@jit
def _deal_virtues(s: State, n: int) -> None:
    size = 0
    for kind in range(S.KINDS):
        s.deck[kind] = s.virtue_copies[kind]
        size += s.virtue_copies[kind]
    s.deck_size = size
    for seat in range(n):
        for _ in range(s.hand_size):
            add_card(s, seat, draw_card(s))
        log_event(s, Event.DEALT, seat, 0, 0, 0, 0, bit(seat), bit(seat))
        pack_hand(s, s.log_count - 1, seat)


@jit
def _deal_disciples(s: State, n: int) -> None:
    """B2: one of cost 1 to each; the rest in three piles, the first ones taking the remainder."""
    ones = np.zeros(S.DISCIPLES, np.int64)
    left = 0
    rest = -n
    for name in range(S.DISCIPLES):
        s.buried[name] = s.disciple_copies[name]
        rest += s.disciple_copies[name]
        if s.disciple_cost[name] == 1:
            ones[name] = s.disciple_copies[name]
            left += ones[name]
    for seat in range(n):
        name = random_index(s, ones, left)
        ones[name] -= 1
        left -= 1
        s.disciples[seat, name] = 1
        s.buried[name] = s.buried[name] - 1
    for pile in range(S.PILES):
        s.pile_size[pile] = rest // S.PILES + int(pile < rest % S.PILES) + 1
        show_disciple(s, pile)  # takes off the card that is not there


@jit
def _lay_out_crises(s: State) -> None:
    """Three different ones."""
    names = np.zeros(S.CRISES, np.int64)
    count = 0
    for name in range(S.CRISES):
        if s.crisis_effect[name] >= 0:
            names[count] = name
            count += 1
    shuffle(s, names, count)
    for k in range(S.LAID_OUT):
        s.crises[k] = names[k]
