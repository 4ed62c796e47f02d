"""What a table of Nicaea looks like from another seat."""

from __future__ import annotations

import numpy as np

from concilium.envs.core.state import Records, attribute_records, plain_records
from concilium.envs.nicaea.state import SEATS, TABLEAU


def relabel_nicaea(states: Records, shift: int) -> Records:
    """Return a copy of ``states`` in which each seat ``k`` has become ``(k + shift) % players``.

    The log stays: neither observations nor masks are made of it.
    """
    moved = plain_records(states).copy()
    n = int(moved["num_players"][0])
    seats = (np.arange(n) + shift) % n  # the new number of each seat
    new = np.arange(-1, 2 * SEATS + 3)  # of each number from -1 on; places behind the seats stay
    new[1 : n + 1] = seats
    for name in ("actor", "constantine", "first_passer", "target"):
        moved[name] = new[moved[name] + 1]
    new[1 + TABLEAU : 1 + TABLEAU + n] = TABLEAU + seats
    moved["where"] = new[moved["where"] + 1]
    order = (np.arange(n) - shift) % n  # who comes to sit on each seat
    for name in (
        "ti", "score", "tableau", "tableau_size", "doctrine", "marker_count", "markers",
    ):  # fmt: skip
        moved[name][:, :n] = moved[name][:, order]
    bits = moved["winners"].astype(np.int64)
    moved["winners"] = ((bits << shift) | (bits >> (n - shift))) & ((1 << n) - 1)
    return attribute_records(moved)
