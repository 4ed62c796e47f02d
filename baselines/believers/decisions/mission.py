"""The rule bots in a Mission: whom the Eye chooses, what the Hand gives, what the Eye places."""

from __future__ import annotations

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.decisions.mind import (
    Desk,
    appraise,
    is_fellow,
    pick_card,
    promise,
    suspect,
)
from concilium.baselines.believers.inference.behaviour import fits
from concilium.baselines.believers.inference.work import Work
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import NONE, Faith, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells


@jit
def sabotages(v: State, params: Character, draw: float) -> bool:
    """Whether the Defector to act lets this Mission fail if it can, by its schedule."""
    seat = v.actor
    if v.faith[seat] != Faith.DEFECTOR:
        return False
    if params.urgent and decides_row(v):
        return True
    if v.mission < params.sleep:
        return False
    chance = params.often
    if v.eye == seat:
        chance *= params.as_eye
    return chance >= 1.0 or draw < chance


@jit
def decides_row(v: State) -> bool:
    """Whether a success now would give the row, or the decider, to the True Believers."""
    if v.row >= v.num_rows:
        return True
    return 2 * (v.row_won + 1) > v.row_length[v.row]


@jit
def choose_hand(
    v: State, params: Character, mask: Cells, draws: Cells, desk: Desk, work: Work
) -> int:
    """As Eye: a partner, or who promises most; without wits anybody."""
    seat = v.actor
    n = v.num_players
    for_partner = v.faith[seat] == Faith.DEFECTOR and draws[1] < params.pick
    if for_partner and v.mission < params.sleep:
        for_partner = params.urgent and decides_row(v)
    if not params.wits and not for_partner:
        return _any_hand(mask, n, draws[0])
    suspect(v, params, desk, work)
    best = NONE
    most = -1.0
    first = 0
    if not params.steady:
        first = int(draws[0] * (n - 1))
    for k in range(n - 1):
        relative = (first + k) % (n - 1)
        if mask[A.CHOOSE + relative] == 0:
            continue
        other = (seat + relative + 1) % n
        score = promise(v, desk, other)
        if for_partner and is_fellow(v, other):
            score += 1.0  # before all others
        if score > most + 1e-9:
            most = score
            best = relative
    return A.CHOOSE + best


@jit
def _any_hand(mask: Cells, n: int, draw: float) -> int:
    count = 0
    for relative in range(n - 1):
        count += mask[A.CHOOSE + relative]
    left = int(draw * count)
    for relative in range(n - 1):
        if mask[A.CHOOSE + relative] == 1:
            if left == 0:
                return A.CHOOSE + relative
            left -= 1
    return A.CHOOSE


@jit
def give(v: State, params: Character, draws: Cells, desk: Desk) -> int:
    """As Hand: as many Virtues that match as it can, or as few; of those alike the cheapest.

    The second follows the first: a Defector who has given one that matches has kept to its Faith.
    """
    pair = v.mission_pair[v.mission]
    hand = v.hand[v.actor]
    appraise(v, desk)
    wanted = int(not sabotages(v, params, draws[0]))
    if v.gift_count == 1 and v.faith[v.actor] == Faith.DEFECTOR:
        wanted = fits(v.gift[0], pair)
    kind = pick_card(hand, desk.worth, pair, wanted, 0)
    if kind == NONE:
        kind = pick_card(hand, desk.worth, pair, 1 - wanted, 0)
    return A.GIVE + kind


@jit
def place(v: State, params: Character, draws: Cells, desk: Desk) -> int:
    """As Eye: the one that matches, or the other; where both are alike the cheaper one."""
    pair = v.mission_pair[v.mission]
    one = v.gift[0]
    other = v.gift[1]
    if fits(one, pair) == fits(other, pair):
        appraise(v, desk)
        return A.PLACE + (one if desk.worth[one] <= desk.worth[other] else other)
    if fits(other, pair):
        one, other = other, one
    return A.PLACE + (other if sabotages(v, params, draws[0]) else one)


@jit
def plays_for_failure(v: State, params: Character) -> bool:
    """Whether a Defector is to act, and its schedule lets it work against this Mission."""
    if v.faith[v.actor] != Faith.DEFECTOR:
        return False
    return v.mission >= params.sleep or (params.urgent and decides_row(v))
