"""What a rule bot makes of a View: whom it suspects, and what each Virtue is worth."""

from __future__ import annotations

from typing import Final

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.inference.behaviour import fits
from concilium.baselines.believers.inference.posterior import weigh
from concilium.baselines.believers.inference.work import Work
from concilium.baselines.memory import floats, whole
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect, Faith, State
from concilium.envs.believers.table import bit, shame_of, steadfast
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import UNKNOWN, Cells

_EQUAL: Final = 1e-9  # sums in another order differ by less
_FITS: Final = 0.4  # chance that a Virtue nothing is known of matches a Mission, near enough


class Desk:
    """Scratch memory of a bot."""

    suspicion: Cells = floats(S.SEATS)  # chance of each seat to be a Defector
    worth: Cells = floats(S.KINDS)  # part of the Missions to come that a kind matches
    faith: Cells = whole(S.SEATS)  # kept while the View is looked at with other eyes


@jit
def suspect(v: State, params: Character, desk: Desk, work: Work) -> None:
    """Write each seat's suspicion: as a True Believer sees it, for a Defector as others see it.

    What others see is taken to be what the Defector sees without its knowledge of Faith.
    """
    seat = v.actor
    n = v.num_players
    if v.faith[seat] != Faith.DEFECTOR:
        weigh(v, params, work, desk.suspicion)
        return
    for k in range(n):
        desk.faith[k] = v.faith[k]
        v.faith[k] = UNKNOWN
    weigh(v, params, work, desk.suspicion)
    for k in range(n):
        v.faith[k] = desk.faith[k]


@jit
def is_fellow(v: State, seat: int) -> bool:
    """Whether a Defector is to act, and the seat is another one."""
    actor = v.actor
    return v.faith[actor] == Faith.DEFECTOR and v.faith[seat] == Faith.DEFECTOR and seat != actor


@jit
def above(value: float, limit: float) -> bool:
    """Whether a suspicion is above another or a limit; who stands at the prior is not."""
    return value > limit + _EQUAL


@jit
def most_suspected(v: State, desk: Desk, shaming: int) -> int:
    """Whom to speak against: the most suspected other player, for a Defector no fellow; or NONE.

    Args:
        v: the View of the player to act.
        desk: with the suspicion.
        shaming: 1 to leave out whom one Shame more would not hurt (B5).
    """
    seat = v.actor
    n = v.num_players
    best = S.NONE
    for k in range(1, n):
        other = (seat + k) % n
        if is_fellow(v, other) or (shaming == 1 and not can_be_shamed(v, other)):
            continue
        if best == S.NONE or above(desk.suspicion[other], desk.suspicion[best]):
            best = other
    return best


@jit
def can_be_shamed(v: State, seat: int) -> bool:
    """Whether Shame can still bar a player: less than enough lies there, and no Guardian."""
    return shame_of(v, seat) < S.SHAMED_BY and steadfast(v, seat, Effect.GUARDIAN) == 0


@jit
def least_suspected(v: State, desk: Desk, unguarded: int) -> int:
    """The least suspected other player, for a Defector no fellow; or NONE.

    Args:
        v: the View of the player to act.
        desk: with the suspicion.
        unguarded: 1 to leave out owners of a Guardian, on whom a Crisis has no effect.
    """
    seat = v.actor
    n = v.num_players
    best = S.NONE
    for k in range(1, n):
        other = (seat + k) % n
        if is_fellow(v, other) or (unguarded == 1 and steadfast(v, other, Effect.GUARDIAN) > 0):
            continue
        if best == S.NONE or above(desk.suspicion[best], desk.suspicion[other]):
            best = other
    return best


@jit
def promise(v: State, desk: Desk, seat: int) -> float:
    """Chance that a Hand is honest and holds a Virtue that matches."""
    none = 1.0 - _FITS  # who has no Virtue draws one
    for _ in range(1, v.hand_count[seat]):
        none *= 1.0 - _FITS
    return (1.0 - desk.suspicion[seat]) * (1.0 - none)


@jit
def most_promising(v: State, desk: Desk, free: int) -> int:
    """Whom a True Believer would make the Hand, of the seats in ``free`` (bits); or NONE.

    For a Defector no fellow.
    """
    best = S.NONE
    for seat in range(v.num_players):
        if free & bit(seat) == 0 or seat == v.actor or is_fellow(v, seat):
            continue
        if best == S.NONE or above(promise(v, desk, seat), promise(v, desk, best)):
            best = seat
    return best


@jit
def appraise(v: State, desk: Desk) -> None:
    """Write what part of the Missions to come each kind matches."""
    for kind in range(S.KINDS):
        desk.worth[kind] = 0.0
    total = 0.0
    for pair in range(S.PAIRS):
        left = v.mission_copies[pair]
        for number in range(v.mission + 1):
            if number < v.mission_pair.shape[0] and v.mission_pair[number] == pair:
                left -= 1
        if left > 0:
            total += left
            desk.worth[S.PAIR_LOW[pair]] += left
            desk.worth[S.PAIR_HIGH[pair]] += left
    for kind in range(S.KINDS):
        desk.worth[kind] /= max(total, 1.0)


@jit
def pick_card(hand: Cells, worth: Cells, pair: int, wanted: int, dear: int) -> int:
    """The kind in a hand that is worth most (``dear``) or least, or NONE.

    Args:
        hand: counts ``(10,)``.
        worth: of each kind ``(10,)``.
        pair: of a Mission, or NONE.
        wanted: with a Mission: 1 of those that match it, 0 of those that do not.
        dear: 1 for the most, 0 for the least.
    """
    best = S.NONE
    for kind in range(S.KINDS):
        if hand[kind] <= 0 or (pair != S.NONE and fits(kind, pair) != wanted):
            continue
        better = best == S.NONE
        if not better and dear == 1:
            better = worth[kind] > worth[best]
        elif not better:
            better = worth[kind] < worth[best]
        if better:
            best = kind
    return best
