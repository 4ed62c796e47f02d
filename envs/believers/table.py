"""The table of Believers: Shame, Steadfast Disciples, who may be the Hand (B5, B6, B9)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers.chance import draw_to_hand
from concilium.envs.believers.state import (
    BY_GLEANER,
    CALL,
    CHOICE,
    DEFECTOR,
    DISCIPLES,
    EXILE,
    GLEANER,
    GLIMPSES,
    GUARDIAN,
    KINDS,
    NOBODY,
    SHAMED_BY,
    SILENT,
    STATEMENT,
    pack,
)
from concilium.envs.core.jit import jit

LIFTS: Final = 4  # bars that can be lifted: last Hand, Shame, Exile, Doorkeeper


@jit
def bit(seat: Any) -> Any:
    """The seat in a set of seats."""
    return np.int64(1) << seat


@jit
def defectors(s: Any) -> Any:
    """The Defectors, as bits."""
    seats = np.int64(0)
    for seat in range(np.int64(s.num_players)):
        if s.faith[seat] == DEFECTOR:
            seats |= bit(seat)
    return seats


@jit
def steadfast(s: Any, seat: Any, effect: Any) -> Any:
    """Disciples with this effect in front of a player."""
    count = np.int64(0)
    for name in range(DISCIPLES):
        if s.disciple_effect[name] == effect:
            count += np.int64(s.disciples[seat, name])
    return count


@jit
def shame_of(s: Any, seat: Any) -> Any:
    """B5: Shame cards that lie in front of a player, and what Gossips add."""
    count = np.int64(s.gossip[seat])
    for other in range(np.int64(s.num_players)):
        if s.shame_at[other] == seat:
            count += 1
    return count


@jit
def gleaners_draw(s: Any) -> None:
    """B12: Gleaners draw, clockwise from the Eye, one Virtue per card."""
    n = np.int64(s.num_players)
    for k in range(n):
        seat = (np.int64(s.eye) + k) % n
        for _ in range(steadfast(s, seat, GLEANER)):
            draw_to_hand(s, seat, BY_GLEANER)


# Who may be the Hand -------------------------------------------------------------------------


@jit
def _bars(s: Any, seat: Any) -> Any:
    """B9: what keeps a player from being the Hand, as bits in the order of lifting."""
    bars = np.int64(seat == s.last_hand)
    if shame_of(s, seat) >= SHAMED_BY and steadfast(s, seat, GUARDIAN) == 0:
        bars |= 2
    if s.row_crisis == EXILE and s.row_target == seat:
        bars |= 4
    bars |= ((np.int64(s.barred) >> seat) & 1) << 3
    return bars


@jit
def candidates(s: Any) -> Any:
    """B9: whom the acting Eye may choose, as bits, and how many bars had to be lifted for it."""
    for lifted in range(LIFTS + 1):
        free = np.int64(0)
        for seat in range(np.int64(s.num_players)):
            if seat != s.eye and _bars(s, seat) >> lifted == 0:
                free |= bit(seat)
        if free != 0:
            return free, lifted
    return np.int64(0), np.int64(LIFTS)


# Rounds of questions -------------------------------------------------------------------------


@jit
def start_round(s: Any) -> None:
    """A new round begins with Part I, unless nothing can be played in it in this game."""
    s.eye = s.turn
    s.barred = 0
    s.witnesses = 0
    s.lantern = 0
    s.apostle = 0
    s.hand_seat = NOBODY
    for seat in range(np.int64(s.num_players)):
        s.statement[seat] = SILENT
    s.asked = 0
    if s.shame_on == 1 or s.disciples_on == 1:
        call(s)
    else:
        end_call(s)


@jit
def call(s: Any) -> None:
    """B4: the next player in the order of Eyes has the opportunity."""
    s.phase = CALL
    s.actor = (np.int64(s.turn) + np.int64(s.asked)) % np.int64(s.num_players)
    s.shamed_now = 0
    s.enlisted_now = 0


@jit
def end_call(s: Any) -> None:
    """After Part I: statements (B21), then the Eye chooses the Hand."""
    s.asked = 0
    if s.talk == 1:
        s.phase = STATEMENT
        s.actor = s.turn
    else:
        ask_for_hand(s)


@jit
def ask_for_hand(s: Any) -> None:
    """B9: the acting Eye is to choose."""
    s.asked = 0
    s.shamed_now = 0
    s.enlisted_now = 0
    s.phase = CHOICE
    s.actor = s.eye


# Looks at hands ------------------------------------------------------------------------------


@jit
def begin_glimpse(s: Any, by: Any, of: Any, whole: Any) -> Any:
    """Note that somebody (``SEATS``: everybody) looked at a hand; return the place of the note."""
    place = np.int64(s.glimpses) % GLIMPSES
    s.glimpses = np.int64(s.glimpses) + 1
    s.glimpse_by[place] = by
    s.glimpse_of[place] = of
    s.glimpse_at[place] = s.mission
    s.glimpse_whole[place] = whole
    for kind in range(KINDS):
        s.glimpse_hand[place, kind] = 0
    return place


@jit
def note_card(s: Any, by: Any, of: Any, kind: Any) -> None:
    """Note one Virtue that ``by`` knows in the hand of ``of``."""
    place = begin_glimpse(s, by, of, 0)
    s.glimpse_hand[place, kind] = 1


@jit
def note_hand(s: Any, by: Any, of: Any) -> None:
    """Note a whole hand."""
    place = begin_glimpse(s, by, of, 1)
    for kind in range(KINDS):
        s.glimpse_hand[place, kind] = s.hand[of, kind]


@jit
def pack_hand(s: Any, row: Any, seat: Any) -> None:
    """Write a hand into the packed event in row ``row`` of the log."""
    for kind in range(KINDS):
        pack(s, row, kind, np.int64(s.hand[seat, kind]))
