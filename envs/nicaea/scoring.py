"""The end of Nicaea: scores, schism, winners (N31–N33)."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.state import TERMINATED
from concilium.envs.nicaea.doctrine import cards_held
from concilium.envs.nicaea.state import (
    DISPUTES,
    END,
    LOWEST_VALUE,
    NOBODY,
    REVEALED,
    SCORED,
    TURN,
    VALUES,
)
from concilium.envs.nicaea.tableau import final_influence, survey


@jit
def disputes_held(s: Any, seat: Any) -> Any:
    """The disputes of which the seat holds a doctrine card, as bits."""
    held = np.int64(0)
    for dispute in range(DISPUTES):
        held |= np.int64(cards_held(s, seat, dispute) > 0) << dispute
    return held


@jit
def table_points(s: Any, seat: Any) -> Any:
    """N31: the costs of the seat's Canons, and a point for each icon of a dispute that it holds."""
    _, _, _, _, points = survey(s, seat, disputes_held(s, seat))
    return points


@jit
def marker_points(s: Any, seat: Any) -> Any:
    """Points of the seat's Victory Point markers, where they are known."""
    points = np.int64(0)
    for value in range(VALUES):
        points += np.int64(s.markers[seat, value]) * (LOWEST_VALUE + value)
    return points


@jit
def finish(s: Any, ending: Any) -> None:
    """Reveal all markers, count, and name the winners."""
    for seat in range(np.int64(s.num_players)):
        s.score[seat] = marker_points(s, seat) + table_points(s, seat)
        log_public(s, REVEALED, seat, s.markers[seat, 0], s.markers[seat, 1], s.markers[seat, 2])
        log_public(s, SCORED, seat, s.score[seat], final_influence(s, seat), 0)
    schismatic = _schismatic(s)
    if schismatic >= 0:
        s.schism = 1
        s.winners = np.int64(1) << schismatic
    else:
        s.winners = _best(s)
    s.ending = ending
    s.status = TERMINATED
    s.actor = NOBODY
    s.phase = TURN
    log_public(s, END, NOBODY, ending, s.schism, s.winners)


@jit
def _schismatic(s: Any) -> Any:
    """N32: the seat that alone has the lowest score and alone the most Influence, or -1."""
    n = np.int64(s.num_players)
    last: Any = np.int64(0)
    for seat in range(1, n):
        if s.score[seat] < s.score[last]:
            last = seat
    influence = final_influence(s, last)
    for seat in range(n):
        tied = s.score[seat] == s.score[last] or final_influence(s, seat) >= influence
        if seat != last and tied:
            return np.int64(NOBODY)
    return last


@jit
def _best(s: Any) -> Any:
    """N32: the most points, then the most Influence; all who still tie, as bits."""
    winners = np.int64(0)
    score = np.int64(-1)
    influence = np.int64(-1)
    for seat in range(np.int64(s.num_players)):
        points = np.int64(s.score[seat])
        power = final_influence(s, seat)
        if points > score or (points == score and power > influence):
            winners = np.int64(0)
            score = points
            influence = power
        if points == score and power == influence:
            winners |= np.int64(1) << seat
    return winners


@jit
def returns(s: Any, out: Any) -> None:
    """N33: k winners share +1, the others -1; zeros if all win and while the game runs."""
    n = np.int64(s.num_players)
    winners = np.int64(s.winners)
    count = np.int64(0)
    for seat in range(n):
        count += (winners >> seat) & 1
    if 0 < count < n:
        for seat in range(n):
            if (winners >> seat) & 1 == 1:
                out[seat] = 1.0 / count
            else:
                out[seat] = -1.0 / (n - count)
