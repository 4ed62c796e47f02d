"""Which Faiths and nights are possible from a View (B16, B17): the hard facts about roles.

An assignment of Faith is a set of Defectors, as bits by seat; there are at most 210. A View rules
out those that contradict what it knows for certain: the own Faith, Faith peeked at, and with two
Defectors the nights: of two nominations that differ the earlier wins, so the Crisis was laid by the
first of the two, who cannot have laid it on itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.night import elected, nominator
from concilium.envs.believers.state import Event, Faith, State
from concilium.envs.believers.table import bit, defectors
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, SECOND, log_event
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import UNKNOWN, Cells

MOST_ASSIGNMENTS: Final = 210
_PAIR: Final = 2  # Defectors at the tables at which the earlier nomination decides
_ATTEMPTS: Final = 4096
_TURN: Final = 0  # columns of the table of nights
_TARGET: Final = 1


@jit
def possible_faiths(v: State, out: Cells) -> int:
    """Write the sets of Defectors that a View does not rule out into ``out (210,)``; count them.

    Uses the View's fields and log. From a State it gives the one true set.
    """
    n = v.num_players
    known = 0
    cleared = 0
    for seat in range(n):
        if v.faith[seat] == Faith.DEFECTOR:
            known |= bit(seat)
        elif v.faith[seat] == Faith.BELIEVER:
            cleared |= bit(seat)
    nights = np.empty((S.ROWS, 2), np.int64)
    laid = 0
    if S.DEFECTORS[n] == _PAIR:
        laid = _nights(v, nights)
    count = _list_faiths(n, known, cleared, nights, laid, out)
    if count == 0:  # a position made by hand, whose nights make no sense
        count = _list_faiths(n, known, cleared, nights, 0, out)
    return count


@jit
def _list_faiths(n: int, known: int, cleared: int, nights: Cells, laid: int, out: Cells) -> int:
    count = 0
    for seats in range(1 << n):
        fits = seats & known == known and seats & cleared == 0 and _size(seats) == S.DEFECTORS[n]
        if fits and _could_have_laid(seats, nights, laid, n):
            out[count] = seats
            count += 1
    return count


@jit
def _size(seats: int) -> int:
    size = 0
    left: int = seats
    while left > 0:
        left &= left - 1
        size += 1
    return size


@jit
def _nights(v: State, nights: Cells) -> int:
    """Write the next Eye and the target of each night into ``nights (ROWS, 2)``; count them."""
    turn: int = 0
    laid = 0
    for row in range(v.log_count):
        event = v.log[row, EVENT]
        if event == Event.BEGUN:
            turn = v.log[row, ACTOR]
        elif event == Event.TURNED_UP:
            turn += 1
        elif event == Event.LAID and laid < S.ROWS:
            nights[laid, _TURN] = turn
            nights[laid, _TARGET] = v.log[row, SECOND]
            laid += 1
    return laid


@jit
def _could_have_laid(seats: int, nights: Cells, laid: int, n: int) -> bool:
    """Whether in no night the first Defector clockwise from the next Eye was the target."""
    for night in range(laid):
        for k in range(n):
            seat = (nights[night, _TURN] + k) % n
            if (seats >> seat) & 1 == 1:
                if seat == nights[night, _TARGET]:
                    return False
                break
    return True


@jit
def deal_faith(s: State) -> None:
    """Choose one of the possible assignments, all equally likely."""
    sets = np.empty(MOST_ASSIGNMENTS, np.int64)
    count = possible_faiths(s, sets)
    chosen = sets[below(s, count)] if count > 0 else 0
    for seat in range(s.num_players):
        if s.faith[seat] == UNKNOWN:
            s.faith[seat] = (chosen >> seat) & 1


# Nights that the viewer slept through --------------------------------------------------------


@jit
def invent_nominations(s: State, turn: int, name: int, target: int, table: Cells) -> None:
    """Log nominations of a night from which this Crisis on this target resulted.

    Uniformly over what the Defectors could nominate with that result. ``turn`` was the next Eye,
    ``table (3,)`` holds the Crises that were laid out then, -1 for those used up.
    """
    n = s.num_players
    count = S.DEFECTORS[n]
    made = np.empty(S.MOST_DEFECTORS, np.int64)
    wanted = S.SEATS * name + target
    for _ in range(_ATTEMPTS):
        _nominate_any(s, turn, count, table, made)
        if elected(made, count) == wanted:
            _log_nominations(s, turn, made, count)
            return
    # for whom so many attempts were in vain: all want it but the target
    for k in range(count):
        if _nominator_from(s, turn, k) != target:
            made[k] = wanted
    _log_nominations(s, turn, made, count)


@jit
def _nominator_from(s: State, turn: int, place: int) -> int:
    """The Defector who nominated after ``place`` others when ``turn`` was the next Eye."""
    present = s.turn
    s.turn = turn
    seat = nominator(s, place)
    s.turn = present
    return seat


@jit
def _nominate_any(s: State, turn: int, count: int, table: Cells, made: Cells) -> None:
    n = s.num_players
    left = 0
    for k in range(S.LAID_OUT):
        left += int(table[k] != S.NONE)
    for place in range(count):
        chosen = below(s, left)
        name = S.NONE
        for k in range(S.LAID_OUT):
            if table[k] != S.NONE:
                if chosen == 0:
                    name = table[k]
                chosen -= 1
        target = (_nominator_from(s, turn, place) + 1 + below(s, n - 1)) % n
        made[place] = S.SEATS * name + target


@jit
def _log_nominations(s: State, turn: int, made: Cells, count: int) -> None:
    known = defectors(s)
    for place in range(count):
        seat = _nominator_from(s, turn, place)
        name = made[place] // S.SEATS
        log_event(s, Event.NOMINATED, seat, name, made[place] % S.SEATS, 0, S.NONE, known, known)


@jit
def invent_night(s: State) -> None:
    """The night that is going on: some Defectors have nominated something, another is to."""
    made = np.empty(S.MOST_DEFECTORS, np.int64)
    count = below(s, S.DEFECTORS[s.num_players])
    turn = s.turn
    _nominate_any(s, turn, count, s.crises, made)
    _log_nominations(s, turn, made, count)
    for k in range(S.MOST_DEFECTORS):
        s.nominated[k] = made[k] if k < count else S.NOBODY
    s.nominations = count
    s.actor = nominator(s, count)
