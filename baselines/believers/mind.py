"""What a rule bot makes of a View: whom it suspects, and what each Virtue is worth."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.posterior import weigh
from concilium.envs.believers.state import (
    DEFECTOR,
    GUARDIAN,
    KINDS,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    SEATS,
    SHAMED_BY,
)
from concilium.envs.believers.table import bit, shame_of, steadfast
from concilium.envs.core.jit import jit
from concilium.envs.core.state import UNKNOWN, Records, new_records

DESK: Final = np.dtype(
    [
        ("suspicion", np.float64, SEATS),  # chance of each seat to be a Defector
        ("worth", np.float64, KINDS),  # part of the Missions to come that a kind matches
        ("faith", np.int64, SEATS),  # kept while the View is looked at with other eyes
    ],
    align=True,
)
"""Scratch memory of a bot."""

_EQUAL: Final = 1e-9  # sums in another order differ by less
_FITS: Final = 0.4  # chance that a Virtue nothing is known of matches a Mission, near enough


def new_desk() -> Records:
    """Empty scratch memory ``(1,)``."""
    return new_records(1, DESK)


@jit
def suspect(v: Any, numbers: Any, desk: Any, work: Any) -> None:
    """Write each seat's suspicion: as a True Believer sees it, for a Defector as others see it.

    What others see is taken to be what the Defector sees without its knowledge of Faith.
    """
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    if v.faith[seat] != DEFECTOR:
        weigh(v, numbers, work, desk.suspicion)
        return
    for k in range(n):
        desk.faith[k] = v.faith[k]
        v.faith[k] = UNKNOWN
    weigh(v, numbers, work, desk.suspicion)
    for k in range(n):
        v.faith[k] = desk.faith[k]


@jit
def is_fellow(v: Any, seat: Any) -> Any:
    """Whether a Defector is to act, and the seat is another one."""
    actor = np.int64(v.actor)
    return v.faith[actor] == DEFECTOR and v.faith[seat] == DEFECTOR and seat != actor


@jit
def above(value: Any, limit: Any) -> Any:
    """Whether a suspicion is above another or a limit; who stands at the prior is not."""
    return value > limit + _EQUAL


@jit
def most_suspected(v: Any, desk: Any, shaming: Any) -> Any:
    """Whom to speak against: the most suspected other player, for a Defector no fellow; or NONE.

    Args:
        v: the View of the player to act.
        desk: with the suspicion.
        shaming: 1 to leave out whom one Shame more would not hurt (B5).
    """
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    best: Any = np.int64(NONE)
    for k in range(1, n):
        other = (seat + k) % n
        if is_fellow(v, other) or (shaming == 1 and not can_be_shamed(v, other)):
            continue
        if best == NONE or above(desk.suspicion[other], desk.suspicion[best]):
            best = other
    return best


@jit
def can_be_shamed(v: Any, seat: Any) -> Any:
    """Whether Shame can still bar a player: less than enough lies there, and no Guardian."""
    return shame_of(v, seat) < SHAMED_BY and steadfast(v, seat, GUARDIAN) == 0


@jit
def least_suspected(v: Any, desk: Any, unguarded: Any) -> Any:
    """The least suspected other player, for a Defector no fellow; or NONE.

    Args:
        v: the View of the player to act.
        desk: with the suspicion.
        unguarded: 1 to leave out owners of a Guardian, on whom a Crisis has no effect.
    """
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    best: Any = np.int64(NONE)
    for k in range(1, n):
        other = (seat + k) % n
        if is_fellow(v, other) or (unguarded == 1 and steadfast(v, other, GUARDIAN) > 0):
            continue
        if best == NONE or above(desk.suspicion[best], desk.suspicion[other]):
            best = other
    return best


@jit
def promise(v: Any, desk: Any, seat: Any) -> Any:
    """Chance that a Hand is honest and holds a Virtue that matches."""
    none = 1.0 - _FITS  # who has no Virtue draws one
    for _ in range(1, np.int64(v.hand_count[seat])):
        none *= 1.0 - _FITS
    return (1.0 - desk.suspicion[seat]) * (1.0 - none)


@jit
def most_promising(v: Any, desk: Any, free: Any) -> Any:
    """Whom a True Believer would make the Hand, of the seats in ``free`` (bits); or NONE.

    For a Defector no fellow.
    """
    best: Any = np.int64(NONE)
    for seat in range(np.int64(v.num_players)):
        if free & bit(seat) == 0 or seat == v.actor or is_fellow(v, seat):
            continue
        if best == NONE or above(promise(v, desk, seat), promise(v, desk, best)):
            best = np.int64(seat)
    return best


@jit
def appraise(v: Any, desk: Any) -> None:
    """Write what part of the Missions to come each kind matches."""
    for kind in range(KINDS):
        desk.worth[kind] = 0.0
    total = 0.0
    for pair in range(PAIRS):
        left = np.int64(v.mission_copies[pair])
        for number in range(np.int64(v.mission) + 1):
            if number < v.mission_pair.shape[0] and v.mission_pair[number] == pair:
                left -= 1
        if left > 0:
            total += left
            desk.worth[PAIR_LOW[pair]] += left
            desk.worth[PAIR_HIGH[pair]] += left
    for kind in range(KINDS):
        desk.worth[kind] /= max(total, 1.0)


@jit
def fits(kind: Any, pair: Any) -> Any:
    """Whether a Virtue matches a Mission."""
    return kind == PAIR_LOW[pair] or kind == PAIR_HIGH[pair]


@jit
def pick_card(hand: Any, worth: Any, pair: Any, wanted: Any, dear: Any) -> Any:
    """The kind in a hand that is worth most (``dear``) or least, or NONE.

    Args:
        hand: counts ``(10,)``.
        worth: of each kind ``(10,)``.
        pair: of a Mission, or NONE.
        wanted: with a Mission: 1 of those that match it, 0 of those that do not.
        dear: 1 for the most, 0 for the least.
    """
    best: Any = np.int64(NONE)
    for kind in range(KINDS):
        if hand[kind] <= 0 or (pair != NONE and np.int64(fits(kind, pair)) != wanted):
            continue
        better = best == NONE
        if not better and dear == 1:
            better = worth[kind] > worth[best]
        elif not better:
            better = worth[kind] < worth[best]
        if better:
            best = np.int64(kind)
    return best
