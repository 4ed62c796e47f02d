"""Indoctrination: buying Disciples at the beginning of a row (B20)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers.chance import remove_card, show_disciple
from concilium.envs.believers.state import (
    BOUGHT,
    DISCARDED,
    INDOCTRINATION,
    NOBODY,
    NONE,
    PAYMENT,
    PILES,
    POVERTY,
)
from concilium.envs.believers.table import bit, start_round
from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit

_BUY: Final = A.BUY
_PASS: Final = A.PASS


@jit
def begin_indoctrination(s: Any) -> None:
    """From the next Eye clockwise; the target of a Poverty has no part in it."""
    if s.disciples_on == 0:
        start_round(s)
        return
    s.passed = 0
    if s.row_crisis == POVERTY:
        s.passed = bit(np.int64(s.row_target))
    _ask_from(s, np.int64(s.turn))


@jit
def _ask_from(s: Any, first: Any) -> None:
    """Ask the next who has not passed, ``first`` or clockwise from it; else the row begins."""
    n = np.int64(s.num_players)
    for k in range(n):
        seat = (first + k) % n
        if (np.int64(s.passed) >> seat) & 1 == 0:
            s.phase = INDOCTRINATION
            s.actor = seat
            return
    s.passed = 0
    if s.row_crisis == POVERTY:  # over with the Indoctrination
        s.row_crisis = NONE
        s.row_target = NOBODY
    start_round(s)


@jit
def legal_purchases(s: Any, mask: Any) -> None:
    """B20: what shows and can be afforded, or pass."""
    mask[_PASS] = 1
    for pile in range(PILES):
        name = np.int64(s.pile_top[pile])
        if name != NONE and s.disciple_cost[name] <= s.hand_count[np.int64(s.actor)]:
            mask[_BUY + name] = 1


@jit
def pass_buying(s: Any) -> None:
    """Out of this Indoctrination."""
    seat = np.int64(s.actor)
    s.passed = np.int64(s.passed) | bit(seat)
    _ask_from(s, seat + 1)


@jit
def buy(s: Any, name: Any) -> None:
    """Name the card, then pay. Of piles that show the same, the leftmost with the most cards."""
    chosen: Any = np.int64(NONE)
    for pile in range(PILES):
        shows = s.pile_top[pile] == name
        if shows and (chosen == NONE or s.pile_size[pile] > s.pile_size[chosen]):
            chosen = np.int64(pile)
    s.buying = name
    s.buying_pile = chosen
    s.due = s.disciple_cost[name]
    s.phase = PAYMENT
    log_public(s, BOUGHT, s.actor, name, chosen, 0)


@jit
def pay(s: Any, kind: Any) -> None:
    """Discard one Virtue face up; after the last the Disciple is bought and the next one shows."""
    seat = np.int64(s.actor)
    name = np.int64(s.buying)
    remove_card(s, seat, kind)
    s.discards[kind] = np.int64(s.discards[kind]) + 1
    s.due = np.int64(s.due) - 1
    shown: Any = np.int64(NONE)
    if s.due == 0:
        shown = show_disciple(s, np.int64(s.buying_pile))
    log_public(s, DISCARDED, seat, kind, name, shown)
    if s.due == 0:
        s.disciples[seat, name] = np.int64(s.disciples[seat, name]) + 1
        s.buying = NONE
        s.buying_pile = NONE
        _ask_from(s, seat + 1)
