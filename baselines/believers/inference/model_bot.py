"""A bot that plays by the behaviour model: worlds from the prior of role inference.

What the model says nothing about is done at random: which Disciple is enlisted on whom, whether one
shames, speaks or passes. It buys only what leaves it two Virtues, or hands would soon be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from concilium.baselines.believers.inference.behaviour import (
    claim_chance,
    fits,
    plan_chance,
    serving_chance,
    target_chance,
)
from concilium.baselines.believers.inference.model import PLANS, SERVE, WHATEVER, BehaviourModel
from concilium.baselines.rule_bot import Program, RuleBot
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Faith, Phase, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY
from concilium.envs.core.state import Cells

_KEPT: Final = 2  # Virtues that a purchase must leave


@jit
def decide(
    v: State, models: Sequence[BehaviourModel], mask: Cells, draws: Cells, scratch: tuple[()]
) -> int:
    """Choose an action in the View ``v`` of the player to act; ``draws (3,)`` are in [0, 1)."""
    model = models[0]
    phase = v.phase
    if phase == Phase.CALL:
        return _call(v, model, mask, draws)
    if phase == Phase.STATEMENT:
        kind = int(3 * draws[0])
        if kind == 0:
            return A.SILENT
        if kind == 1:
            return _name(v, model, model.accuse_partner, mask, A.ACCUSE, draws[1])
        return _name(v, model, model.vouch_partner, mask, A.VOUCH, draws[1])
    if phase == Phase.CHOICE:
        return _name(v, model, model.partner, mask, A.CHOOSE, draws[0])
    if phase == Phase.GIFT:
        return _give(v, model, draws)
    if phase == Phase.PLACEMENT:
        return _place(v, model, draws)
    if phase in (Phase.HAND_CLAIM, Phase.EYE_CLAIM):
        return _say(v, model, mask, draws[0])
    if phase == Phase.NIGHT:
        return _nominate(v, model, mask, draws)
    if phase in (Phase.FASTING, Phase.PAYMENT):
        return A.DISCARD + _card(v.hand[v.actor], S.NONE, 0, draws[0])
    if phase == Phase.INDOCTRINATION:
        return _buy(v, mask, draws[0])
    return _any(mask, 0, mask.shape[0], draws[0])


@jit
def _any(mask: Cells, lo: int, hi: int, draw: float) -> int:
    """Any legal action from ``lo`` to ``hi - 1``."""
    left = int(draw * _legal(mask, lo, hi))
    for action in range(lo, hi):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return lo


@jit
def _legal(mask: Cells, lo: int, hi: int) -> int:
    """How many actions from ``lo`` to ``hi - 1`` are legal."""
    count = 0
    for action in range(lo, hi):
        count += int(mask[action] != 0)
    return count


# Whom ------------------------------------------------------------------------------------------


@jit
def _name(
    v: State, model: BehaviourModel, factor: float, mask: Cells, first: int, draw: float
) -> int:
    """One of the other players, legal actions from ``first`` on, a fellow Defector by a factor."""
    seat = v.actor
    n = v.num_players
    if v.faith[seat] != Faith.DEFECTOR:
        return _any(mask, first, first + n - 1, draw)
    targets = 0
    fellows = 0
    for k in range(1, n):
        if mask[first + k - 1] != 0:
            targets += 1
            fellows += int(v.faith[(seat + k) % n] == Faith.DEFECTOR)
    last = S.NONE
    left = draw
    for k in range(1, n):
        if mask[first + k - 1] != 0:
            last = first + k - 1
            fellow = int(v.faith[(seat + k) % n] == Faith.DEFECTOR)
            left -= target_chance(model, factor, fellow, fellows, targets)
            if left < 0.0:
                break
    return last


@jit
def _call(v: State, model: BehaviourModel, mask: Cells, draws: Cells) -> int:
    """Be done, shame, or enlist one of the Disciples, each alike."""
    n = v.num_players
    shames = min(_legal(mask, A.SHAME, A.SHAME + n - 1), 1)
    ways = 1 + shames
    for name in range(S.DISCIPLES):
        first = A.ENLIST + S.SEATS * name
        ways += min(_legal(mask, first, first + S.SEATS), 1)
    left = int(draws[0] * ways)
    if left == 0:
        return A.DONE
    if left == 1 and shames == 1:
        return _name(v, model, model.spare, mask, A.SHAME, draws[1])
    left -= 1 + shames
    for name in range(S.DISCIPLES):
        first = A.ENLIST + S.SEATS * name
        if _legal(mask, first, first + S.SEATS) > 0:
            if left == 0:
                return _any(mask, first, first + S.SEATS, draws[1])
            left -= 1
    return A.DONE


@jit
def _nominate(v: State, model: BehaviourModel, mask: Cells, draws: Cells) -> int:
    """Any Crisis, and a target; there is no slip."""
    seat = v.actor
    n = v.num_players
    left = 0
    for k in range(S.LAID_OUT):
        left += int(v.crises[k] != S.NONE)
    left = int(draws[0] * left)
    first = S.NONE
    for k in range(S.LAID_OUT):
        if v.crises[k] != S.NONE:
            if left == 0:
                first = A.NOMINATE + A.OPPONENTS * v.crises[k]
            left -= 1
    total = 0.0
    for k in range(1, n):
        total += model.betray if v.faith[(seat + k) % n] == Faith.DEFECTOR else 1.0
    mark = draws[1] * total
    for k in range(1, n):
        mark -= model.betray if v.faith[(seat + k) % n] == Faith.DEFECTOR else 1.0
        if mark < 0.0:
            return first + k - 1
    return first + n - 2


# Virtues ---------------------------------------------------------------------------------------


@jit
def _card(hand: Cells, mission: int, wanted: int, draw: float) -> int:
    """Any Virtue of a hand; with a Mission, of those that match it (1) or do not (0)."""
    total = 0
    for kind in range(S.KINDS):
        if mission == S.NONE or fits(kind, mission) == wanted:
            total += hand[kind]
    left = int(draw * total)
    for kind in range(S.KINDS):
        if mission == S.NONE or fits(kind, mission) == wanted:
            left -= hand[kind]
            if left < 0:
                return kind
    return S.NONE


@jit
def _give(v: State, model: BehaviourModel, draws: Cells) -> int:
    """The first of two, by a plan; or the second, by a plan that would have given the first."""
    seat = v.actor
    mission = v.mission_pair[v.mission]
    faith = v.faith[seat]
    hand = v.hand[seat]
    given = v.gift[0] if v.gift_count == 1 else S.NONE
    total = 0.0
    for plan in range(PLANS):
        total += plan_chance(model, faith, plan) * _planned(hand, mission, given, plan)
    left = draws[0] * total
    chosen = WHATEVER
    for plan in range(PLANS):
        part = plan_chance(model, faith, plan) * _planned(hand, mission, given, plan)
        if part > 0.0 and left >= 0.0:
            chosen = plan
        left -= part
    if chosen == WHATEVER:
        return A.GIVE + _card(hand, S.NONE, 0, draws[1])
    wanted = int(chosen == SERVE)
    kind = _card(hand, mission, wanted, draws[1])
    if kind == S.NONE:
        kind = _card(hand, mission, 1 - wanted, draws[1])
    return A.GIVE + kind


@jit
def _planned(hand: Cells, mission: int, given: int, plan: int) -> float:
    """Chance that a plan gives ``given`` first, from the hand as it was before; NONE: nothing."""
    if given == S.NONE:
        return 1.0
    alike = 1.0 + hand[given]
    matches = fits(given, mission)
    held = 1.0
    same = 1.0  # Virtues that match the Mission if the given one does, else the others
    for kind in range(S.KINDS):
        held += hand[kind]
        if fits(kind, mission) == matches:
            same += hand[kind]
    if plan == WHATEVER:
        return alike / held
    if int(plan == SERVE) != matches and same < held:
        return 0.0  # it had what the plan prefers
    return alike / same


@jit
def _place(v: State, model: BehaviourModel, draws: Cells) -> int:
    """One of the two in the tablet."""
    mission = v.mission_pair[v.mission]
    one = v.gift[0]
    other = v.gift[1]
    if fits(one, mission) == fits(other, mission):
        return A.PLACE + (one if draws[0] < 0.5 else other)
    if fits(other, mission) == 1:
        one, other = other, one
    serves = draws[0] < serving_chance(model, v.faith[v.actor])
    return A.PLACE + (one if serves else other)


@jit
def _say(v: State, model: BehaviourModel, mask: Cells, draw: float) -> int:
    """A claim."""
    number = v.mission
    alone = v.mission_placed[number, 1] == S.NONE
    hidden = v.given_known[number] != EVERYBODY
    lie = int(v.mission_result[number] == 0 and alone and hidden)
    left = draw
    last = S.NONE
    for claim in range(S.PAIR_LOW.shape[0] + 1):
        if mask[A.CLAIM + claim] != 0:
            last = A.CLAIM + claim
            left -= claim_chance(
                model, v.faith[v.actor], int(v.phase == Phase.EYE_CLAIM),
                claim, v.mission_given[number],
                v.mission_placed[number, 0], v.mission_pair[number],
                v.virtue_kinds, lie,
            )  # fmt: skip
            if left < 0.0:
                break
    return last


@jit
def _buy(v: State, mask: Cells, draw: float) -> int:
    """Pass, or buy one of the Disciples that leave enough Virtues, each alike."""
    most = v.hand_count[v.actor] - _KEPT
    ways = 1
    for name in range(S.DISCIPLES):
        ways += int(mask[A.BUY + name] != 0 and v.disciple_cost[name] <= most)
    left = int(draw * ways)
    for name in range(S.DISCIPLES):
        if mask[A.BUY + name] != 0 and v.disciple_cost[name] <= most:
            left -= 1
            if left < 0:
                return A.BUY + name
    return A.PASS


class ModelBot(RuleBot[BehaviourModel]):
    """Plays by a behaviour model.

    Args:
        model: the model.
        name: for tables and messages.
        seed: of its generator; from the operating system if not given.
    """

    program = Program(GAME, decide, draws=3)

    def __init__(
        self, model: BehaviourModel, *, name: str = "model", seed: int | None = None
    ) -> None:
        super().__init__(model, name=name, seed=seed)
