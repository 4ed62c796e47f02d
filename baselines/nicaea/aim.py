"""Whether a bot tries to break the church: only while it is not far from being able to.

Who has the most Influence and the lowest score wins. Playing for that against somebody who has more
Influence and fewer points helps only the others.
"""

from __future__ import annotations

from typing import Final

from concilium.baselines.nicaea.desk import Desk
from concilium.baselines.nicaea.ending import INFLUENCE, POINTS, UNSEEN, read_end
from concilium.envs.core.compiled.jit import jit
from concilium.envs.nicaea.state import State

_MARKER: Final = 5  # points of a marker whose value is not known, on average


@jit
def distance(v: State, desk: Desk) -> int:
    """Influence that the viewer lacks for the most, and points by which it is not the last.

    0 if the viewer would win by a schism, were the game over and all unseen markers fives.
    """
    read_end(v, desk.facts, desk.supply)
    seat = v.viewer
    lacking = 0
    beyond = 0
    for other in range(v.num_players):
        if other != seat:
            lacking = max(lacking, desk.facts[INFLUENCE, other] + 1 - desk.facts[INFLUENCE, seat])
            beyond = max(beyond, _points(desk, seat) + 1 - _points(desk, other))
    return lacking + beyond


@jit
def _points(desk: Desk, seat: int) -> int:
    return desk.facts[POINTS, seat] + _MARKER * desk.facts[UNSEEN, seat]
