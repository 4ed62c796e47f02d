"""The end of Nicaea: scores, schism, winners (N31–N33)."""

from __future__ import annotations

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import TERMINATED, Cells
from concilium.envs.nicaea.doctrine import cards_held
from concilium.envs.nicaea.state import DISPUTES, LOWEST_VALUE, NOBODY, VALUES, Event, Phase, State
from concilium.envs.nicaea.tableau import final_influence, survey


@jit
def disputes_held(s: State, seat: int) -> int:
    """The disputes of which the seat holds a doctrine card, as bits."""
    held = 0
    for dispute in range(DISPUTES):
        held |= (cards_held(s, seat, dispute) > 0) << dispute
    return held


@jit
def table_points(s: State, seat: int) -> int:
    """N31: the costs of the seat's Canons, and a point for each icon of a dispute that it holds."""
    _, _, _, _, points = survey(s, seat, disputes_held(s, seat))
    return points


@jit
def marker_points(s: State, seat: int) -> int:
    """Points of the seat's Victory Point markers, where they are known."""
    points = 0
    for value in range(VALUES):
        points += s.markers[seat, value] * (LOWEST_VALUE + value)
    return points


@jit
def finish(s: State, ending: int) -> None:
    """Reveal all markers, count, and name the winners."""
    for seat in range(s.num_players):
        s.score[seat] = marker_points(s, seat) + table_points(s, seat)
        log_public(
            s, Event.REVEALED, seat, s.markers[seat, 0], s.markers[seat, 1], s.markers[seat, 2]
        )
        log_public(s, Event.SCORED, seat, s.score[seat], final_influence(s, seat), 0)
    schismatic = _schismatic(s)
    if schismatic >= 0:
        s.schism = 1
        s.winners = 1 << schismatic
    else:
        s.winners = _best(s)
    s.ending = ending
    s.status = TERMINATED
    s.actor = NOBODY
    s.phase = Phase.TURN
    log_public(s, Event.END, NOBODY, ending, s.schism, s.winners)


@jit
def _schismatic(s: State) -> int:
    """N32: the seat that alone has the lowest score and alone the most Influence, or -1."""
    n = s.num_players
    last = 0
    for seat in range(1, n):
        if s.score[seat] < s.score[last]:
            last = seat
    influence = final_influence(s, last)
    for seat in range(n):
        tied = s.score[seat] == s.score[last] or final_influence(s, seat) >= influence
        if seat != last and tied:
            return NOBODY
    return last


@jit
def _best(s: State) -> int:
    """N32: the most points, then the most Influence; all who still tie, as bits."""
    winners = 0
    score = -1
    influence = -1
    for seat in range(s.num_players):
        points = s.score[seat]
        power = final_influence(s, seat)
        if points > score or (points == score and power > influence):
            winners = 0
            score = points
            influence = power
        if points == score and power == influence:
            winners |= 1 << seat
    return winners


@jit
def returns(s: State, out: Cells) -> None:
    """N33: k winners share +1, the others -1; zeros if all win and while the game runs."""
    n = s.num_players
    winners = s.winners
    count = 0
    for seat in range(n):
        count += (winners >> seat) & 1
    if 0 < count < n:
        for seat in range(n):
            if (winners >> seat) & 1 == 1:
                out[seat] = 1.0 / count
            else:
                out[seat] = -1.0 / (n - count)
