"""The table of Believers: Shame, Steadfast Disciples, who may be the Hand (B5, B6, B9)."""

from __future__ import annotations

from typing import Final

from concilium.envs.believers import state as S
from concilium.envs.believers.chance import draw_to_hand
from concilium.envs.believers.state import (
    Effect,
    Faith,
    Phase,
    Reason,
    State,
    Statement,
    Trouble,
    pack,
)
from concilium.envs.core.compiled.jit import jit

LIFTS: Final = 4  # bars that can be lifted: last Hand, Shame, Exile, Doorkeeper


@jit
def bit(seat: int) -> int:
    """The seat in a set of seats."""
    return 1 << seat


@jit
def defectors(s: State) -> int:
    """The Defectors, as bits."""
    seats = 0
    for seat in range(s.num_players):
        if s.faith[seat] == Faith.DEFECTOR:
            seats |= bit(seat)
    return seats


@jit
def steadfast(s: State, seat: int, effect: int) -> int:
    """Disciples with this effect in front of a player."""
    count = 0
    for name in range(S.DISCIPLES):
        if s.disciple_effect[name] == effect:
            count += s.disciples[seat, name]
    return count


@jit
def shame_of(s: State, seat: int) -> int:
    """B5: Shame cards that lie in front of a player, and what Gossips add."""
    count: int = s.gossip[seat]
    for other in range(s.num_players):
        if s.shame_at[other] == seat:
            count += 1
    return count


@jit
def gleaners_draw(s: State) -> None:
    """B12: Gleaners draw, clockwise from the Eye, one Virtue per card."""
    n = s.num_players
    for k in range(n):
        seat = (s.eye + k) % n
        for _ in range(steadfast(s, seat, Effect.GLEANER)):
            draw_to_hand(s, seat, Reason.BY_GLEANER)


# Who may be the Hand -------------------------------------------------------------------------


@jit
def _bars(s: State, seat: int) -> int:
    """B9: what keeps a player from being the Hand, as bits in the order of lifting."""
    bars = int(seat == s.last_hand)
    if shame_of(s, seat) >= S.SHAMED_BY and steadfast(s, seat, Effect.GUARDIAN) == 0:
        bars |= 2
    if s.row_crisis == Trouble.EXILE and s.row_target == seat:
        bars |= 4
    bars |= ((s.barred >> seat) & 1) << 3
    return bars


@jit
def candidates(s: State) -> tuple[int, int]:
    """B9: whom the acting Eye may choose, as bits, and how many bars had to be lifted for it."""
    for lifted in range(LIFTS + 1):
        free = 0
        for seat in range(s.num_players):
            if seat != s.eye and _bars(s, seat) >> lifted == 0:
                free |= bit(seat)
        if free != 0:
            return free, lifted
    return 0, LIFTS


# Rounds of questions -------------------------------------------------------------------------


@jit
def start_round(s: State) -> None:
    """A new round begins with Part I, unless nothing can be played in it in this game."""
    s.eye = s.turn
    s.barred = 0
    s.witnesses = 0
    s.lantern = 0
    s.apostle = 0
    s.hand_seat = S.NOBODY
    for seat in range(s.num_players):
        s.statement[seat] = Statement.SILENT
    s.asked = 0
    if s.shame_on == 1 or s.disciples_on == 1:
        call(s)
    else:
        end_call(s)


@jit
def call(s: State) -> None:
    """B4: the next player in the order of Eyes has the opportunity."""
    s.phase = Phase.CALL
    s.actor = (s.turn + s.asked) % s.num_players
    s.shamed_now = 0
    s.enlisted_now = 0


@jit
def end_call(s: State) -> None:
    """After Part I nobody is called on; statements (B21), then the Eye chooses the Hand."""
    s.asked = 0
    s.shamed_now = 0
    s.enlisted_now = 0
    if s.talk == 1:
        s.phase = Phase.STATEMENT
        s.actor = s.turn
    else:
        ask_for_hand(s)


@jit
def ask_for_hand(s: State) -> None:
    """B9: the acting Eye is to choose."""
    s.asked = 0
    s.phase = Phase.CHOICE
    s.actor = s.eye


# Looks at hands ------------------------------------------------------------------------------


@jit
def begin_glimpse(s: State, by: int, of: int, whole: int) -> int:
    """Note that somebody (``SEATS``: everybody) looked at a hand; return the place of the note."""
    place = s.glimpses % S.GLIMPSES
    s.glimpses = s.glimpses + 1
    s.glimpse_by[place] = by
    s.glimpse_of[place] = of
    s.glimpse_at[place] = s.mission
    s.glimpse_whole[place] = whole
    for kind in range(S.KINDS):
        s.glimpse_hand[place, kind] = 0
    return place


@jit
def note_card(s: State, by: int, of: int, kind: int) -> None:
    """Note one Virtue that ``by`` knows in the hand of ``of``."""
    place = begin_glimpse(s, by, of, 0)
    s.glimpse_hand[place, kind] = 1


@jit
def note_hand(s: State, by: int, of: int) -> None:
    """Note a whole hand."""
    place = begin_glimpse(s, by, of, 1)
    for kind in range(S.KINDS):
        s.glimpse_hand[place, kind] = s.hand[of, kind]


@jit
def pack_hand(s: State, row: int, seat: int) -> None:
    """Write a hand into the packed event in row ``row`` of the log."""
    for kind in range(S.KINDS):
        pack(s, row, kind, s.hand[seat, kind])
