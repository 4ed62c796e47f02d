"""The rule bots' statements and claims (B21)."""

from __future__ import annotations

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.decisions.mind import (
    Desk,
    above,
    is_fellow,
    most_suspected,
    suspect,
)
from concilium.baselines.believers.decisions.mission import plays_for_failure
from concilium.baselines.believers.inference.behaviour import fits
from concilium.baselines.believers.inference.work import Work
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Phase, State
from concilium.envs.believers.table import bit, defectors
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells


@jit
def speak(v: State, params: Character, desk: Desk, work: Work) -> int:
    """Accuse the most suspected player once suspicion is strong; a Defector never a fellow."""
    seat = v.actor
    n = v.num_players
    if not params.talks or not params.wits or v.mission == 0:
        return A.SILENT
    suspect(v, params, desk, work)
    other = most_suspected(v, desk, 0)
    if other == S.NONE or not above(desk.suspicion[other], params.accuse_at):
        return A.SILENT
    return A.ACCUSE + (other - seat - 1) % n


@jit
def claim(v: State, params: Character, draws: Cells) -> int:
    """The truth; a Defector awake whose Mission failed unseen puts it on the other one.

    As Hand it claims to have given one that matches, as Eye to have got none. If the other one is a
    fellow, both say that none was given that matches.
    """
    if not params.talks:
        return A.CLAIM + S.NO_CLAIM
    number = v.mission
    truth = v.mission_given[number]
    failed = v.mission_result[number] == 0 and v.mission_placed[number, 1] == S.NONE
    if not plays_for_failure(v, params) or not failed or _seen(v, number):
        return A.CLAIM + truth
    pair = v.mission_pair[number]
    placed = v.mission_placed[number, 0]
    kept_fits = fits(S.PAIR_LOW[truth] + S.PAIR_HIGH[truth] - placed, pair)
    as_hand = v.phase == Phase.HAND_CLAIM
    if is_fellow(v, v.eye if as_hand else v.hand_seat):
        told = v.hand_claim[number]
        if not as_hand and 0 <= told < S.NO_CLAIM:
            return A.CLAIM + told
        return A.CLAIM + (_none_that_fits(v, pair, placed, draws) if kept_fits else truth)
    if as_hand and not kept_fits:
        one = S.PAIR_LOW[pair] if draws[0] < 0.5 else S.PAIR_HIGH[pair]
        return A.CLAIM + S.pair_of(placed, one)
    if not as_hand and kept_fits:
        return A.CLAIM + _none_that_fits(v, pair, placed, draws)
    return A.CLAIM + truth


@jit
def _seen(v: State, number: int) -> bool:
    """Whether a True Believer beside Eye and Hand knows what was given."""
    friends = bit(v.eye) | bit(v.hand_seat) | defectors(v)
    everybody = (1 << v.num_players) - 1
    return v.given_known[number] & everybody & ~friends != 0


@jit
def _none_that_fits(v: State, pair: int, placed: int, draws: Cells) -> int:
    """The one placed and any kind that does not match."""
    told = int(draws[0] * (v.virtue_kinds - 2))
    for kind in (S.PAIR_LOW[pair], S.PAIR_HIGH[pair]):  # ascending: the told one steps over both
        if told >= kind:
            told += 1
    return S.pair_of(placed, told)
