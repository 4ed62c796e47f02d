"""A bot that plays by the behaviour model: worlds from the prior of role inference.

What the model says nothing about is done at random: which Disciple is enlisted on whom, whether one
shames, speaks or passes. It buys only what leaves it two Virtues, or hands would soon be empty.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.behaviour import (
    claim_chance,
    plan_chance,
    serving_chance,
    target_chance,
)
from concilium.baselines.believers.model import (
    ACCUSE_PARTNER,
    BETRAY,
    PARTNER,
    PLANS,
    SERVE,
    SPARE,
    VOUCH_PARTNER,
    WHATEVER,
    BehaviourModel,
)
from concilium.baselines.protocol import GeneratorBot
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as A
from concilium.envs.believers.state import (
    CALL,
    CHOICE,
    DEFECTOR,
    DISCIPLES,
    EYE_CLAIM,
    FASTING,
    GIFT,
    HAND_CLAIM,
    INDOCTRINATION,
    KINDS,
    LAID_OUT,
    NIGHT,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    PAYMENT,
    PLACEMENT,
    SEATS,
    STATEMENT,
)
from concilium.envs.core import jit as compilation
from concilium.envs.core.events import EVERYBODY
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder, jit
from concilium.envs.core.state import Records

_DONE: Final = A.DONE
_SHAME: Final = A.SHAME
_ENLIST: Final = A.ENLIST
_SILENT: Final = A.SILENT
_ACCUSE: Final = A.ACCUSE
_VOUCH: Final = A.VOUCH
_CHOOSE: Final = A.CHOOSE
_GIVE: Final = A.GIVE
_PLACE: Final = A.PLACE
_CLAIM: Final = A.CLAIM
_NOMINATE: Final = A.NOMINATE
_DISCARD: Final = A.DISCARD
_BUY: Final = A.BUY
_PASS: Final = A.PASS
_OPPONENTS: Final = A.OPPONENTS
_KEPT: Final = 2  # Virtues that a purchase must leave
_DRAWS: Final = 3  # random numbers for a decision


@jit
def decide(v: Any, numbers: Any, mask: Any, draws: Any) -> Any:
    """Choose an action in the View ``v`` of the player to act; ``draws (3,)`` are in [0, 1)."""
    phase = np.int64(v.phase)
    if phase == CALL:
        return _call(v, numbers, mask, draws)
    if phase == STATEMENT:
        kind = np.int64(3 * draws[0])
        if kind == 0:
            return np.int64(_SILENT)
        if kind == 1:
            return _name(v, numbers, ACCUSE_PARTNER, mask, _ACCUSE, draws[1])
        return _name(v, numbers, VOUCH_PARTNER, mask, _VOUCH, draws[1])
    if phase == CHOICE:
        return _name(v, numbers, PARTNER, mask, _CHOOSE, draws[0])
    if phase == GIFT:
        return _give(v, numbers, draws)
    if phase == PLACEMENT:
        return _place(v, numbers, draws)
    if phase in (HAND_CLAIM, EYE_CLAIM):
        return _say(v, numbers, mask, draws[0])
    if phase == NIGHT:
        return _nominate(v, numbers, mask, draws)
    if phase in (FASTING, PAYMENT):
        return _DISCARD + _card(v.hand[np.int64(v.actor)], np.int64(NONE), 0, draws[0])
    if phase == INDOCTRINATION:
        return _buy(v, mask, draws[0])
    return _any(mask, np.int64(0), np.int64(mask.shape[0]), draws[0])


@jit
def _any(mask: Any, lo: Any, hi: Any, draw: Any) -> Any:
    """Any legal action from ``lo`` to ``hi - 1``."""
    left = np.int64(draw * _legal(mask, lo, hi))
    for action in range(lo, hi):
        if mask[action] != 0:
            if left == 0:
                return np.int64(action)
            left -= 1
    return np.int64(lo)


@jit
def _legal(mask: Any, lo: Any, hi: Any) -> Any:
    """How many actions from ``lo`` to ``hi - 1`` are legal."""
    count = np.int64(0)
    for action in range(lo, hi):
        count += np.int64(mask[action] != 0)
    return count


# Whom ------------------------------------------------------------------------------------------


@jit
def _name(v: Any, numbers: Any, factor: Any, mask: Any, first: Any, draw: Any) -> Any:
    """One of the other players, legal actions from ``first`` on, a fellow Defector by a factor."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    if v.faith[seat] != DEFECTOR:
        return _any(mask, first, first + n - 1, draw)
    targets = np.int64(0)
    fellows = np.int64(0)
    for k in range(1, n):
        if mask[first + k - 1] != 0:
            targets += 1
            fellows += np.int64(v.faith[(seat + k) % n] == DEFECTOR)
    last: Any = np.int64(NONE)
    left = draw
    for k in range(1, n):
        if mask[first + k - 1] != 0:
            last = first + k - 1
            fellow = np.int64(v.faith[(seat + k) % n] == DEFECTOR)
            left -= target_chance(numbers, factor, fellow, fellows, targets)
            if left < 0.0:
                break
    return last


@jit
def _call(v: Any, numbers: Any, mask: Any, draws: Any) -> Any:
    """Be done, shame, or enlist one of the Disciples, each alike."""
    n = np.int64(v.num_players)
    shames = min(_legal(mask, _SHAME, _SHAME + n - 1), 1)
    ways = 1 + shames
    for name in range(DISCIPLES):
        first = _ENLIST + SEATS * name
        ways += min(_legal(mask, first, first + SEATS), 1)
    left = np.int64(draws[0] * ways)
    if left == 0:
        return np.int64(_DONE)
    if left == 1 and shames == 1:
        return _name(v, numbers, SPARE, mask, _SHAME, draws[1])
    left -= 1 + shames
    for name in range(DISCIPLES):
        first = _ENLIST + SEATS * name
        if _legal(mask, first, first + SEATS) > 0:
            if left == 0:
                return _any(mask, first, first + SEATS, draws[1])
            left -= 1
    return np.int64(_DONE)


@jit
def _nominate(v: Any, numbers: Any, mask: Any, draws: Any) -> Any:
    """Any Crisis, and a target; there is no slip."""
    seat = np.int64(v.actor)
    n = np.int64(v.num_players)
    left = np.int64(0)
    for k in range(LAID_OUT):
        left += np.int64(v.crises[k] != NONE)
    left = np.int64(draws[0] * left)
    first = np.int64(NONE)
    for k in range(LAID_OUT):
        if v.crises[k] != NONE:
            if left == 0:
                first = _NOMINATE + _OPPONENTS * np.int64(v.crises[k])
            left -= 1
    total = 0.0
    for k in range(1, n):
        total += numbers[BETRAY] if v.faith[(seat + k) % n] == DEFECTOR else 1.0
    mark = draws[1] * total
    for k in range(1, n):
        mark -= numbers[BETRAY] if v.faith[(seat + k) % n] == DEFECTOR else 1.0
        if mark < 0.0:
            return first + k - 1
    return first + n - 2


# Virtues ---------------------------------------------------------------------------------------


@jit
def _fits(kind: Any, mission: Any) -> Any:
    return np.int64(kind == PAIR_LOW[mission] or kind == PAIR_HIGH[mission])


@jit
def _card(hand: Any, mission: Any, fits: Any, draw: Any) -> Any:
    """Any Virtue of a hand; with a Mission, of those that match it (1) or do not (0)."""
    total = np.int64(0)
    for kind in range(KINDS):
        if mission == NONE or _fits(kind, mission) == fits:
            total += np.int64(hand[kind])
    left = np.int64(draw * total)
    for kind in range(KINDS):
        if mission == NONE or _fits(kind, mission) == fits:
            left -= np.int64(hand[kind])
            if left < 0:
                return np.int64(kind)
    return np.int64(NONE)


@jit
def _give(v: Any, numbers: Any, draws: Any) -> Any:
    """The first of two, by a plan; or the second, by a plan that would have given the first."""
    seat = np.int64(v.actor)
    mission = np.int64(v.mission_pair[np.int64(v.mission)])
    faith = np.int64(v.faith[seat])
    hand = v.hand[seat]
    given = np.int64(v.gift[0]) if v.gift_count == 1 else np.int64(NONE)
    total = 0.0
    for plan in range(PLANS):
        total += plan_chance(numbers, faith, plan) * _planned(hand, mission, given, plan)
    left = draws[0] * total
    chosen = np.int64(WHATEVER)
    for plan in range(PLANS):
        part = plan_chance(numbers, faith, plan) * _planned(hand, mission, given, plan)
        if part > 0.0 and left >= 0.0:
            chosen = np.int64(plan)
        left -= part
    if chosen == WHATEVER:
        return _GIVE + _card(hand, np.int64(NONE), 0, draws[1])
    wanted = np.int64(chosen == SERVE)
    kind = _card(hand, mission, wanted, draws[1])
    if kind == NONE:
        kind = _card(hand, mission, 1 - wanted, draws[1])
    return _GIVE + kind


@jit
def _planned(hand: Any, mission: Any, given: Any, plan: Any) -> Any:
    """Chance that a plan gives ``given`` first, from the hand as it was before; NONE: nothing."""
    if given == NONE:
        return 1.0
    alike = 1.0 + hand[given]
    fits = _fits(given, mission)
    held = 1.0
    same = 1.0  # Virtues that match the Mission if the given one does, else the others
    for kind in range(KINDS):
        held += hand[kind]
        if _fits(kind, mission) == fits:
            same += hand[kind]
    if plan == WHATEVER:
        return alike / held
    if np.int64(plan == SERVE) != fits and same < held:
        return 0.0  # it had what the plan prefers
    return alike / same


@jit
def _place(v: Any, numbers: Any, draws: Any) -> Any:
    """One of the two in the tablet."""
    mission = np.int64(v.mission_pair[np.int64(v.mission)])
    one = np.int64(v.gift[0])
    other = np.int64(v.gift[1])
    if _fits(one, mission) == _fits(other, mission):
        return _PLACE + (one if draws[0] < 0.5 else other)
    if _fits(other, mission) == 1:
        one, other = other, one
    serves = draws[0] < serving_chance(numbers, np.int64(v.faith[np.int64(v.actor)]))
    return _PLACE + (one if serves else other)


@jit
def _say(v: Any, numbers: Any, mask: Any, draw: Any) -> Any:
    """A claim."""
    number = np.int64(v.mission)
    alone = v.mission_placed[number, 1] == NONE
    hidden = v.given_known[number] != EVERYBODY
    lie = np.int64(v.mission_result[number] == 0 and alone and hidden)
    left = draw
    last: Any = np.int64(NONE)
    for claim in range(PAIR_LOW.shape[0] + 1):
        if mask[_CLAIM + claim] != 0:
            last = _CLAIM + claim
            left -= claim_chance(
                numbers, np.int64(v.faith[np.int64(v.actor)]), np.int64(v.phase == EYE_CLAIM),
                claim, np.int64(v.mission_given[number]),
                np.int64(v.mission_placed[number, 0]), np.int64(v.mission_pair[number]),
                np.int64(v.virtue_kinds), lie,
            )  # fmt: skip
            if left < 0.0:
                break
    return last


@jit
def _buy(v: Any, mask: Any, draw: Any) -> Any:
    """Pass, or buy one of the Disciples that leave enough Virtues, each alike."""
    most = np.int64(v.hand_count[np.int64(v.actor)]) - _KEPT
    ways = np.int64(1)
    for name in range(DISCIPLES):
        ways += np.int64(mask[_BUY + name] != 0 and v.disciple_cost[name] <= most)
    left = np.int64(draw * ways)
    for name in range(DISCIPLES):
        if mask[_BUY + name] != 0 and v.disciple_cost[name] <= most:
            left -= 1
            if left < 0:
                return np.int64(_BUY + name)
    return np.int64(_PASS)


def decide_many(views: Any, numbers: Any, masks: Any, draws: Any, out: Any) -> None:
    """Write the action for ``views[k]`` into ``out[k]``, for all k."""
    for k in range(views.shape[0]):
        out[k] = decide(views[k], numbers, masks[k], draws[k])


@cache
def _kernel() -> Any:
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("believers-inference", (core, GAME.folder, Path(__file__).parent))
    return bind(decide_many, "believers.inference", {}, folder)


class ModelBot(GeneratorBot):
    """Plays by a behaviour model.

    Args:
        model: the model.
        name: for tables and messages.
        seed: of its generator; from the operating system if not given.
    """

    def __init__(
        self, model: BehaviourModel, *, name: str = "model", seed: int | None = None
    ) -> None:
        super().__init__(name, GAME, seed)
        self.model = model
        self._numbers = model.numbers()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        draws = self.generator.random((len(views), _DRAWS))
        actions = np.empty(len(views), np.int64)
        _kernel()(views, self._numbers, masks, draws, actions)
        return actions
