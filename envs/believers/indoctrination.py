"""Indoctrination: buying Disciples at the beginning of a row (B20)."""

from __future__ import annotations

from concilium.envs.believers import actions as A
from concilium.envs.believers.chance import remove_card, show_disciple
from concilium.envs.believers.state import (
    NOBODY,
    NONE,
    PILES,
    Event,
    Phase,
    State,
    Trouble,
)
from concilium.envs.believers.table import bit, start_round
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells


@jit
def begin_indoctrination(s: State) -> None:
    """From the next Eye clockwise; the target of a Poverty has no part in it."""
    if s.disciples_on == 0:
        _end_indoctrination(s)
        return
    s.passed = 0
    if s.row_crisis == Trouble.POVERTY:
        s.passed = bit(s.row_target)
    _ask_from(s, s.turn)


@jit
def _ask_from(s: State, first: int) -> None:
    """Ask the next who has not passed, ``first`` or clockwise from it; else the row begins."""
    n = s.num_players
    for k in range(n):
        seat = (first + k) % n
        if (s.passed >> seat) & 1 == 0:
            s.phase = Phase.INDOCTRINATION
            s.actor = seat
            return
    _end_indoctrination(s)


@jit
def _end_indoctrination(s: State) -> None:
    """A Poverty is over, also where there is no Indoctrination; the row begins."""
    s.passed = 0
    if s.row_crisis == Trouble.POVERTY:
        s.row_crisis = NONE
        s.row_target = NOBODY
    start_round(s)


@jit
def legal_purchases(s: State, mask: Cells) -> None:
    """B20: what shows and can be afforded, or pass."""
    mask[A.PASS] = 1
    for pile in range(PILES):
        name = s.pile_top[pile]
        if name != NONE and s.disciple_cost[name] <= s.hand_count[s.actor]:
            mask[A.BUY + name] = 1


@jit
def pass_buying(s: State) -> None:
    """Out of this Indoctrination."""
    seat = s.actor
    s.passed = s.passed | bit(seat)
    _ask_from(s, seat + 1)


@jit
def buy(s: State, name: int) -> None:
    """Name the card, then pay. Of piles that show the same, the leftmost with the most cards."""
    chosen: int = NONE
    for pile in range(PILES):
        shows = s.pile_top[pile] == name
        if shows and (chosen == NONE or s.pile_size[pile] > s.pile_size[chosen]):
            chosen = pile
    s.buying = name
    s.buying_pile = chosen
    s.due = s.disciple_cost[name]
    s.phase = Phase.PAYMENT
    log_public(s, Event.BOUGHT, s.actor, name, chosen, 0)


@jit
def pay(s: State, kind: int) -> None:
    """Discard one Virtue face up; after the last the Disciple is bought and the next one shows."""
    seat = s.actor
    name = s.buying
    remove_card(s, seat, kind)
    s.discards[kind] = s.discards[kind] + 1
    s.due = s.due - 1
    shown: int = NONE
    if s.due == 0:
        shown = show_disciple(s, s.buying_pile)
    log_public(s, Event.DISCARDED, seat, kind, name, shown)
    if s.due == 0:
        s.disciples[seat, name] = s.disciples[seat, name] + 1
        s.buying = NONE
        s.buying_pile = NONE
        _ask_from(s, seat + 1)
