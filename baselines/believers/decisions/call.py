"""The rule bots in Part I: Shame and Disciples against suspected players, or trusted ones."""

from __future__ import annotations

from typing import Final

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.decisions.mind import (
    Desk,
    above,
    appraise,
    is_fellow,
    most_promising,
    most_suspected,
    suspect,
)
from concilium.baselines.believers.decisions.mission import plays_for_failure
from concilium.baselines.believers.inference.work import Work
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect, Faith, State
from concilium.envs.believers.table import bit, candidates, shame_of, steadfast
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells

_CERTAIN: Final = 0.95  # suspicion above which, or below 1 minus it, nothing is left to learn


@jit
def call(v: State, params: Character, mask: Cells, desk: Desk, work: Work) -> int:
    """A Disciple if one is of use now, then Shame, else done."""
    if not params.wits or not mask[A.DONE + 1 : A.HERALD].any():
        return A.DONE
    suspect(v, params, desk, work)
    for name in range(S.DISCIPLES):
        first = A.ENLIST + S.SEATS * name
        target = S.NONE
        if mask[first : first + S.SEATS].any():
            target = _enlists(v, params, v.disciple_effect[name], desk)
        if target != S.NONE and mask[first + target] == 1:
            return first + target
    other = most_suspected(v, desk, 1)
    if other != S.NONE and above(desk.suspicion[other], params.shame_at):
        relative = (other - v.actor) % v.num_players
        if mask[A.SHAME + relative - 1] == 1:
            return A.SHAME + relative - 1
    return A.DONE


@jit
def _enlists(v: State, params: Character, effect: int, desk: Desk) -> int:
    """On whom a Disciple with this effect is of use now, in seats clockwise; NONE if on nobody.

    Effects without a target have 0.
    """
    seat = v.actor
    n = v.num_players
    target = S.NONE
    if effect == Effect.ALMONER:
        return 0 if v.deck_size > 0 or v.discards.max() > 0 else target
    if effect == Effect.HERALD:
        return 0 if v.eye == seat else target
    if effect == Effect.PENITENT:
        target = _to_relieve(v, params, desk)
    elif effect == Effect.GOSSIP:
        target = _to_shame(v, params, desk)
    elif effect == Effect.MENDICANT:
        target = _to_rob(v, desk)
    elif v.faith[seat] == Faith.DEFECTOR:
        return _against_success(v, params, effect, desk)
    else:
        return _against_failure(v, params, effect, desk)
    return target if target == S.NONE else (target - seat) % n


# For either side -------------------------------------------------------------------------------


@jit
def _to_relieve(v: State, params: Character, desk: Desk) -> int:
    """A friend who would be barred by Shame."""
    for seat in range(v.num_players):
        friend = desk.suspicion[seat] < 0.5 * params.shame_at
        if v.faith[v.actor] == Faith.DEFECTOR:
            friend = v.faith[seat] == Faith.DEFECTOR
        barred = shame_of(v, seat) >= S.SHAMED_BY and steadfast(v, seat, Effect.GUARDIAN) == 0
        if friend and barred:
            return seat
    return S.NONE


@jit
def _to_shame(v: State, params: Character, desk: Desk) -> int:
    """The suspect whom one Shame more would bar, or bring near it."""
    other = most_suspected(v, desk, 1)
    if other == S.NONE or not above(desk.suspicion[other], params.shame_at):
        return S.NONE
    return other if shame_of(v, other) > 0 else S.NONE


@jit
def _to_rob(v: State, desk: Desk) -> int:
    """The most suspected player with Virtues; by a Defector a True Believer."""
    best = S.NONE
    for other in range(v.num_players):
        if other == v.actor or v.hand_count[other] == 0 or is_fellow(v, other):
            continue
        if best == S.NONE or above(desk.suspicion[other], desk.suspicion[best]):
            best = other
    return best


# True Believers --------------------------------------------------------------------------------


@jit
def _against_failure(v: State, params: Character, effect: int, desk: Desk) -> int:
    """Step in where the Eye is suspected; look where there is something to learn."""
    seat = v.actor
    n = v.num_players
    eye = v.eye
    feared = above(desk.suspicion[eye], params.block_at)
    shown = v.lantern == 1 or v.apostle == 1  # everybody will see what the Hand gives
    target = S.NONE
    if effect in (Effect.REGENT, Effect.APOSTLE):
        if feared and eye != seat and (effect == Effect.REGENT or v.apostle == 0):
            target = 0
    elif effect == Effect.LANTERN:
        if eye != seat and above(desk.suspicion[eye], 0.5 * params.block_at) and not shown:
            target = 0
    elif effect == Effect.WITNESS:
        if eye != seat and _is_open(desk.suspicion[eye]) and not shown:
            target = 0
    elif effect == Effect.DOORKEEPER:
        suspected = _whom_to_bar(v, desk, feared)
        if suspected != S.NONE and above(desk.suspicion[suspected], params.block_at):
            target = (suspected - seat) % n
    elif effect == Effect.ORACLE:
        asked = _most_open(v, desk)
        if asked != S.NONE:
            target = (asked - seat) % n
    elif effect in (Effect.INQUISITOR, Effect.CONFIDANT) and eye == seat:
        free, _ = candidates(v)
        other = most_promising(v, desk, free)
        if other != S.NONE and v.hand_count[other] > 0:
            target = (other - seat) % n
    return target


@jit
def _is_open(chance: float) -> bool:
    return 1.0 - _CERTAIN < chance < _CERTAIN


@jit
def _whom_to_bar(v: State, desk: Desk, feared: bool) -> int:
    """The partner that a feared Eye is likely to choose: of those it can, the most suspected."""
    best = S.NONE
    if not feared or v.eye == v.actor:
        return best
    free, _ = candidates(v)
    for seat in range(v.num_players):
        if free & bit(seat) == 0 or seat == v.actor:
            continue
        if best == S.NONE or above(desk.suspicion[seat], desk.suspicion[best]):
            best = seat
    return best


@jit
def _most_open(v: State, desk: Desk) -> int:
    """Of whom one knows least: suspicion nearest to one half."""
    best = S.NONE
    for seat in range(v.num_players):
        if seat == v.actor or not _is_open(desk.suspicion[seat]):
            continue
        if best == S.NONE or above(
            abs(desk.suspicion[best] - 0.5), abs(desk.suspicion[seat] - 0.5)
        ):
            best = seat
    return best


# Defectors -------------------------------------------------------------------------------------


@jit
def _against_success(v: State, params: Character, effect: int, desk: Desk) -> int:
    """Take the place of a True Believer as Eye, or bar the one who would be chosen as Hand."""
    seat = v.actor
    n = v.num_players
    if not plays_for_failure(v, params) or v.faith[v.eye] == Faith.DEFECTOR:
        return S.NONE
    if effect == Effect.REGENT:
        return 0
    if effect == Effect.DOORKEEPER:
        free, _ = candidates(v)
        trusted = most_promising(v, desk, free)
        if trusted != S.NONE:
            return (trusted - seat) % n
    return S.NONE


# Heralds ---------------------------------------------------------------------------------------


@jit
def herald(v: State, desk: Desk) -> int:
    """A True Believer puts a Mission away that few Virtues match, a Defector one that many do."""
    appraise(v, desk)
    pair = v.next_mission
    matching = 0.0
    every = 0.0
    for kind in range(S.KINDS):
        left = v.virtue_copies[kind] - v.discards[kind]
        every += left
        if kind == S.PAIR_LOW[pair] or kind == S.PAIR_HIGH[pair]:
            matching += left
    mean = 0.0  # chance that a Virtue matches one of the Missions to come
    for kind in range(S.KINDS):
        left = v.virtue_copies[kind] - v.discards[kind]
        mean += left * desk.worth[kind]
    easy = matching > mean
    if v.faith[v.actor] == Faith.DEFECTOR:
        easy = not easy
    return A.HERALD + (0 if easy else 1)
