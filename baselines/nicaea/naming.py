"""Naming the winners of disputes left open by an empty deck (N30), by the exact end of each way."""

from __future__ import annotations

from typing import Final

from concilium.baselines.nicaea.desk import Desk
from concilium.baselines.nicaea.ending import POINTS, RETURN, UNSEEN, end_of, read_end
from concilium.envs.core.compiled.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.doctrine import first_open
from concilium.envs.nicaea.state import DISPUTES, OPEN, SIDES, State
from concilium.envs.nicaea.tableau import survey

_WORST: Final = -1e9


@jit
def choose_name(v: State, desk: Desk) -> int:
    """Name the side that begins the way of naming all the rest with the best expected return.

    The ways are compared as if all were named at once; what the own next markers turn out to be is
    taken into account when the next dispute is named.
    """
    first = first_open(v)
    open_disputes = 0
    for d in range(DISPUTES):
        open_disputes += int(v.settled[d] == OPEN)
    best = _WORST
    side = 0
    for way in range(1 << open_disputes):
        _end_by(v, desk, way)
        if desk.end[RETURN, v.viewer] > best + 1e-12:
            best = desk.end[RETURN, v.viewer]
            side = way & 1
    return A.NAME + SIDES * first + side


@jit
def _end_by(v: State, desk: Desk, way: int) -> None:
    """Work out the end if the open disputes go to the sides in the bits of ``way``, in order."""
    read_end(v, desk.facts, desk.supply)
    for seat in range(v.num_players):
        lost = 0  # disputes of which the seat has to give its cards back
        left = way
        for d in range(DISPUTES):
            if v.settled[d] != OPEN:
                continue
            side = left & 1
            left >>= 1
            desk.facts[UNSEEN, seat] += v.doctrine[seat, d, side]
            if v.doctrine[seat, d, 1 - side] > 0:
                lost |= 1 << d
        _, _, _, _, icons = survey(v, seat, lost)
        _, _, _, _, none = survey(v, seat, 0)
        desk.facts[POINTS, seat] -= icons - none
    end_of(desk.facts, desk.supply, v.num_players, desk.work, desk.end)
