"""What a table of Believers looks like from another seat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs.believers.state import SEATS, Statement
from concilium.envs.core.compiled.log import EVERYBODY
from concilium.envs.core.state import Records, attribute_records, plain_records


def relabel_believers(states: Records, shift: int) -> Records:
    """Return a copy of ``states`` in which each seat ``k`` has become ``(k + shift) % players``.

    The log stays: neither observations nor masks are made of it.
    """
    moved = plain_records(states).copy()
    n = int(moved["num_players"][0])
    new = np.arange(-1, SEATS + 1)  # new number of each number from -1 on; what is no seat stays
    new[1 : n + 1] = (np.arange(n) + shift) % n
    for name in (
        "actor", "turn", "eye", "hand_seat", "last_hand", "row_target", "mission_eye",
        "mission_hand", "shame_at", "glimpse_by", "glimpse_of",
    ):  # fmt: skip
        moved[name] = new[moved[name] + 1]
    for name in (
        "faith_seen", "given_known", "under_seen", "next_seen", "barred", "witnesses", "passed",
    ):  # fmt: skip
        moved[name] = _turned(moved[name], shift, n)
    order = (np.arange(n) - shift) % n  # who comes to sit on each seat
    for name in (
        "faith_seen", "hand", "hand_count", "shame_at", "gossip", "disciples", "statement",
        "accused", "vouched", "faith",
    ):  # fmt: skip
        moved[name][:, :n] = moved[name][:, order]
    for name in ("accused", "vouched"):
        moved[name][:, :, :n] = moved[name][:, :, order]
    for first in (Statement.ACCUSE, Statement.VOUCH):
        said = (moved["statement"] >= first) & (moved["statement"] < first + SEATS)
        about = np.clip(moved["statement"].astype(np.int64) - first, 0, SEATS - 1)
        moved["statement"] = np.where(said, first + new[about + 1], moved["statement"])
    nominated = moved["nominated"].astype(np.int64)
    target = nominated % SEATS
    moved["nominated"] = np.where(nominated >= 0, nominated - target + new[target + 1], nominated)
    return attribute_records(moved)


def _turned(sets: NDArray[Any], shift: int, n: int) -> NDArray[np.int64]:
    """Sets of seats as bits, all seats moved; who is everybody stays so."""
    bits = sets.astype(np.int64)
    turned = ((bits << shift) | (bits >> (n - shift))) & ((1 << n) - 1)
    return np.where(bits == EVERYBODY, EVERYBODY, turned)
