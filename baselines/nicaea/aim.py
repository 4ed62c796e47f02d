"""Whether a bot tries to break the church: only while it is not far from being able to.

Who has the most Influence and the lowest score wins. Playing for that against somebody who has more
Influence and fewer points helps only the others.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.nicaea.ending import INFLUENCE, POINTS, UNSEEN, read_end
from concilium.envs.core.jit import jit

_MARKER: Final = 5  # points of a marker whose value is not known, on average


@jit
def distance(v: Any, desk: Any) -> Any:
    """Influence that the viewer lacks for the most, and points by which it is not the last.

    0 if the viewer would win by a schism, were the game over and all unseen markers fives.
    """
    read_end(v, desk.facts, desk.supply)
    seat = np.int64(v.viewer)
    lacking = np.int64(0)
    beyond = np.int64(0)
    for other in range(np.int64(v.num_players)):
        if other != seat:
            lacking = max(lacking, desk.facts[INFLUENCE, other] + 1 - desk.facts[INFLUENCE, seat])
            beyond = max(beyond, _points(desk, seat) + 1 - _points(desk, other))
    return lacking + beyond


@jit
def _points(desk: Any, seat: Any) -> Any:
    return desk.facts[POINTS, seat] + _MARKER * desk.facts[UNSEEN, seat]
