"""Moving all seats of a State of Hush, for the check that seats are alike."""

from __future__ import annotations

import numpy as np

from concilium.envs.core.compiled.log import ACTOR, EVENT, EVERYBODY, FIRST, READERS, WITNESSES
from concilium.envs.core.state import Records, attribute_records, plain_records
from tests.toys.hush.state import SEATS, Event


def relabel_hush(states: Records, shift: int) -> Records:
    """Return a copy of ``states`` in which each seat ``k`` has become ``(k + shift) % players``."""
    moved = plain_records(states).copy()
    n = int(moved["num_players"][0])
    new = np.arange(-1, 8)  # new number of each number from -1 on; places behind the seats stay
    new[1 : n + 1] = (np.arange(n) + shift) % n
    for name in ("actor", "active", "winner"):
        moved[name] = new[moved[name] + 1]
    moved["where"] = np.where(moved["where"] < SEATS, new[moved["where"] + 1], moved["where"])
    order = (np.arange(n) - shift) % n  # who comes to sit on each seat
    for name in ("score", "holds"):
        moved[name][:, :n] = moved[name][:, order]
    moved["seen"][:, :n, :n] = moved["seen"][:, order][:, :, order]
    _move_log(moved["log"], new, n, shift)
    return attribute_records(moved)


def _move_log(log: np.ndarray, new: np.ndarray, n: int, shift: int) -> None:
    log[..., ACTOR] = np.where(log[..., EVENT] > 0, new[log[..., ACTOR] + 1], log[..., ACTOR])
    looked = log[..., EVENT] == Event.LOOKED
    log[..., FIRST] = np.where(looked, new[np.clip(log[..., FIRST], -1, 6) + 1], log[..., FIRST])
    for column in (READERS, WITNESSES):
        bits = log[..., column].astype(np.int64)
        turned = ((bits << shift) | (bits >> (n - shift))) & ((1 << n) - 1)
        log[..., column] = np.where(bits == EVERYBODY, EVERYBODY, turned)
