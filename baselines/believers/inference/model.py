"""What the other seats are taken to do, by Faith: the behaviour model of role inference.

The model is simple and declared, the same for all seats. True Believers play for success and know
nothing of others; Defectors sabotage, pick each other and spare each other, each to a degree. In
part ``slip`` of all choices anything legal happens, so that nothing that can happen is impossible
and the true assignment of Faith keeps a probability.

Formulas are plain functions; compiled code calls them as :mod:`.behaviour` binds them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from concilium.baselines.memory import params_records
from concilium.baselines.parameters import number
from concilium.envs.believers.state import PAIR_HIGH, PAIR_LOW, Faith
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records

# what a Hand has in mind
SERVE: Final = 0  # as many Virtues that match as it can
SPOIL: Final = 1  # as few as it can
WHATEVER: Final = 2  # a slip: any two
PLANS: Final = 3

_LEAST_SLIP: Final = 0.01
_MOST_FACTOR: Final = 100.0


def _factor(default: float, meaning: str) -> Any:
    return number(default, meaning, 1 / _MOST_FACTOR, _MOST_FACTOR)


@dataclass(frozen=True)
class BehaviourModel:
    """Choices by Faith, as probabilities.

    Each choice below is, with probability ``slip``, any legal one, all alike; else:

    - Hand: a True Believer as Eye chooses each candidate alike; a Defector a fellow Defector
      ``partner`` times as readily as another.
    - Gift: two cards are chosen together. A True Believer gives as many Virtues that match the
      Mission as it can, two rather than one. A Defector gives as few as it can with probability
      ``sabotage``, else it does like a True Believer. Of Virtues that match, and of those that do
      not, each physical card is as likely as any other. A slip is a random two of the hand.
    - Placing: where one of two Virtues matches, a True Believer places it; a Defector places the
      other one with probability ``sabotage``. Where both do or neither does: one at random. A slip
      is a random one.
    - Shame: whoever shames chooses the target: a True Believer any other player, a Defector a
      fellow Defector ``spare`` times as readily as another.
    - Statements: likewise ``accuse_partner`` times for an accusation, ``vouch_partner`` times for a
      word in favour. Whether one speaks, and which of the two it is, does not depend on Faith.
    - Claims: the truth, but for a Mission that failed with one Virtue placed and not shown to all.
      Then, with probability ``lie``, a Defector as Hand that gave none that match claims the one
      placed and one of the Mission's two kinds, each alike; a Defector as Eye that got one that
      matches claims the one placed and any kind that does not match, each alike. A slip is any
      claim, "no claim" among them.
    - Night: each Defector nominates any of the Crises laid out, each alike, and any other player, a
      fellow Defector ``betray`` times as readily as another. There is no slip.

    All else tells nothing of Faith: whether one shames or speaks, Disciples and their targets,
    purchases. Virtues that are discarded are random ones of the hand.

    Attributes:
        slip: 0.01 to 1.
        partner, spare, accuse_partner, vouch_partner, betray: factors, 0.01 to 100; 1: no
            difference.
        sabotage, lie: probabilities, 0 to 1.

    Raises:
        OptionError: a number is not in its range.
    """

    slip: float = number(0.05, "part of choices that are any legal one", _LEAST_SLIP, 1.0)
    partner: float = _factor(2.0, "how much more readily a Defector chooses a partner as Hand")
    sabotage: float = number(0.8, "chance that a Defector lets a Mission fail if it can", 0.0, 1.0)
    spare: float = _factor(0.5, "how much more readily a Defector shames a partner")
    accuse_partner: float = _factor(0.5, "how much more readily a Defector accuses a partner")
    vouch_partner: float = _factor(1.5, "how much more readily a Defector vouches for a partner")
    lie: float = number(0.6, "chance that a Defector lies about a failure", 0.0, 1.0)
    betray: float = _factor(0.25, "how much more readily a Defector lays a Crisis on a partner")

    def __post_init__(self) -> None:
        for entry in fields(BehaviourModel):
            value = getattr(self, entry.name)
            low, high = entry.metadata["low"], entry.metadata["high"]
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not (is_number and low <= value <= high):  # false for what is not a number, too
                raise OptionError(
                    f"{entry.name}={value!r} is not allowed: a number from {low:g} to {high:g}"
                )

    def records(self) -> Records:
        """Return the model as compiled code reads it, ``(1,)``."""
        return params_records(self)


# Formulas --------------------------------------------------------------------------------------


def fits(kind: int, mission: int) -> int:
    """1 if a Virtue matches a Mission, else 0."""
    return int(kind == PAIR_LOW[mission] or kind == PAIR_HIGH[mission])


def target_chance(
    model: BehaviourModel, factor: float, fellow: int, fellows: int, targets: int
) -> float:
    """Chance that a Defector chooses one of ``targets``, of whom ``fellows`` are Defectors too.

    Args:
        model: the model's ``(8,)``.
        factor: place of the factor by which a fellow is preferred.
        fellow: whether the one chosen is a fellow.
        fellows: how many of the targets are.
        targets: how many there are; for a True Believer each has the chance ``1 / targets``.
    """
    weight = factor if fellow else 1.0
    total = targets + (factor - 1.0) * fellows
    return model.slip / targets + (1.0 - model.slip) * weight / total


def plan_chance(model: BehaviourModel, faith: int, plan: int) -> float:
    """Chance that a Hand of this Faith has a plan: SERVE, SPOIL or WHATEVER."""
    if plan == WHATEVER:
        return model.slip
    spoil = model.sabotage if faith == Faith.DEFECTOR else 0.0
    return (1.0 - model.slip) * (spoil if plan == SPOIL else 1.0 - spoil)


def gift_chance(model: BehaviourModel, faith: int, good: int, bad: int, given: int) -> float:
    """Chance that a Hand gives ``given`` Virtues that match, 0 to 2.

    Args:
        model: the model's ``(8,)``.
        faith: of the Hand.
        good: Virtues in its hand that match the Mission.
        bad: those that do not; at least two together.
        given: how many of the two match.
    """
    most = min(good, 2)
    least = max(2 - bad, 0)
    spoil = model.sabotage if faith == Faith.DEFECTOR else 0.0
    planned = 0.0
    if given == most:
        planned += 1.0 - spoil
    if given == least:
        planned += spoil
    ways = 1.0 * good * bad
    if given == 0:
        ways = bad * (bad - 1) / 2
    elif given == 2:
        ways = good * (good - 1) / 2
    held = good + bad
    at_random = ways / (held * (held - 1) / 2)
    return (1.0 - model.slip) * planned + model.slip * at_random


def serving_chance(model: BehaviourModel, faith: int) -> float:
    """Chance that an Eye of this Faith places the one of two Virtues that matches."""
    spoil = model.sabotage if faith == Faith.DEFECTOR else 0.0
    return 0.5 * model.slip + (1.0 - model.slip) * (1.0 - spoil)


def claim_chance(
    model: BehaviourModel, faith: int, as_eye: int, claimed: int, given: int, placed: int,
    mission: int, kinds: int, can_lie: int,
) -> float:  # fmt: skip
    """Chance of a claim.

    Args:
        model: the model's ``(8,)``.
        faith: of whoever claims.
        as_eye: 1 for the Eye, 0 for the Hand.
        claimed: the pair claimed, or NO_CLAIM.
        given: the pair that was given.
        placed: the kind placed.
        mission: the Mission's pair.
        kinds: of Virtues in the game.
        can_lie: 1 if the Mission failed with one Virtue placed and not shown to all.
    """
    low = PAIR_LOW[mission]
    high = PAIR_HIGH[mission]
    claims = kinds * (kinds + 1) // 2 + 1
    kept = PAIR_LOW[given] + PAIR_HIGH[given] - placed
    kept_fits = kept in (low, high)
    lies = 0.0
    # after a failure what was placed does not match: the one kept tells what there is to hide
    if faith == Faith.DEFECTOR and can_lie == 1 and kept_fits == (as_eye == 1):
        lies = model.lie
    told = 0.0
    if claimed == given:
        told = 1.0 - lies
    if lies > 0.0 and claimed < PAIR_LOW.shape[0]:
        other = -1
        if PAIR_LOW[claimed] == placed:
            other = PAIR_HIGH[claimed]
        elif PAIR_HIGH[claimed] == placed:
            other = PAIR_LOW[claimed]
        if other >= 0 and (other in (low, high)) == (as_eye == 0):
            told += lies / (2 if as_eye == 0 else kinds - 2)
    return model.slip / claims + (1.0 - model.slip) * told


def night_chance(model: BehaviourModel, place: int, seats: int, count: int, crises: int) -> float:
    """Chance that the nominations of a night lay a certain Crisis on a certain player (B16).

    Most nominations for the same pair win, of equals the one made earliest. So with one nomination
    it must be the first Defector's, and no two of the others may agree on something else.

    Args:
        model: the model's ``(8,)``.
        place: of the target among the Defectors in their order of nominating, from 0; -1 if it is a
            True Believer.
        seats: at the table.
        count: Defectors, 2 to 4.
        crises: laid out.
    """
    betray = model.betray
    total = seats - count + betray * (count - 1)
    vote = (1.0 if place < 0 else betray) / (total * crises)  # of each but the target itself
    pair = (seats - count + betray**2 * (count - 2)) / (total**2 * crises)  # two agree
    triple = (seats - count + betray**3 * (count - 3)) / (total**3 * crises**2)  # three agree
    chance = 0.0
    for voters in range(1, 1 << count):
        votes = 0
        part = 1.0
        others = 1.0  # the others nominate something else
        agreed = 1.0  # by all others
        for k in range(count):
            own = 0.0 if k == place else vote
            if (voters >> k) & 1 == 1:
                votes += 1
                part *= own
            else:
                others *= 1.0 - own
                agreed *= own
        left = count - votes
        if votes == 1 and voters & 1 == 0:
            continue
        if left == 2 and (votes == 1 or voters & 1 == 0):
            others -= pair - agreed
        elif left == 3:
            for k in range(1, count):  # k is not one of the two that agree
                own = 0.0 if k == place else vote
                product = 0.0 if place >= 1 and place != k else vote * vote
                others -= (pair - product) * (1.0 - own)
            others += 2.0 * (triple - agreed)
        chance += part * others
    return chance
