"""The params that a rule bot decides by, each with its reason, as one character per bot.

Prices and gains are in the same small coin: a plan's value is what it gains less what it spends.
What a character comes to anybody can measure, alone among others and among its like::

    concilium evaluate chancellors/opportunist chancellors/steward --players 2 3 4 --deals 1000
    concilium evaluate chancellors/opportunist --all-seats --deals 1000
    concilium evaluate chancellors/steward:alarm=8 chancellors/steward
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from concilium.baselines.memory import params_records
from concilium.baselines.parameters import number, switch
from concilium.envs.core.state import Records

CALM: Final = 0  # the record for ordinary turns
PUNISHING: Final = 1  # the record while somebody is punished
LAST_STEP: Final = 12  # dice sum of 6-6; a problem that stays there is the calamity
NEVER: Final = LAST_STEP + 1  # as a dice sum, one that does not occur

_DEAREST: Final = 10_000  # so that all gains together stay below that of winning


def _number(default: object, meaning: str, high: float = _DEAREST) -> Any:
    return number(default, meaning, 0, high)


@dataclass(frozen=True)
class Character:
    """What a bot cares about; the defaults are the steward's.

    What each number means is told with it, and by ``concilium.baselines.bot_parameters``.
    """

    # Rises ever more steeply, because what is left unsolved becomes a calamity after 13 - sum
    # turns; at 12 nothing compares, so a calamity counts as the loss that it is.
    danger: tuple[int, ...] = _number(
        (0, 0, 0, 0, 0, 5, 10, 20, 30, 80, 120, 400, 3000),
        "gain of solving a problem, by dice sum 0 to 12",
    )
    # Larger tables draw more cards between two turns of a player, so thrift matters less there.
    rank_price: tuple[int, int, int] = _number(
        (9, 8, 7), "price of one rank spent, with 2, 3 and 4 players"
    )
    # Two forces pay with four suits of six; the third adds little and costs somebody else theirs.
    holding: tuple[int, int, int, int] = _number(
        (0, 40, 60, 65), "value of controlling 0 to 3 forces when the turn ends"
    )
    # Near the price of a rank: cards are spent for points alone only where each rank brings about
    # a point. Twice that price makes a race of it.
    point_value: int = _number(8, "gain of one point")
    # A card spent on a force is a card less to pay with.
    attempt_price: int = _number(20, "price of an attempt beside its ranks")
    contest_price: int = _number(40, "price of attempting a force that somebody controls")
    # Where nobody blocks while a problem is alarming, contesting is free then.
    truce_price: int = _number(40, "the same while a problem is alarming")
    # The Excuse also averts a calamity: only when otherwise a problem of 11 or 12 stays unsolved.
    excuse_price: int = _number(150, "price of taking forces with the Excuse")
    alarm: int = _number(
        9, "dice sum from which problems are alarming: cards are set aside for them", NEVER
    )
    # Cards never fit exactly.
    margin: int = _number(2, "ranks set aside for an alarming problem beyond its lower die", 100)
    # The attacker may need the force: blocking regardless of that multiplies the calamities.
    truce: int = _number(
        9, "dice sum of a problem from which nobody is blocked; 0: never, 13: always block", NEVER
    )
    joint: bool = switch(
        False, "weigh all problems of a turn together, not one by one, the most dangerous first"
    )
    # The calamity is equally far either way. A high higher die scores more in public, a high lower
    # die more for its ranks.
    raise_lower: bool = switch(False, "let unsolved problems grow by the lower die")
    grudge: int = _number(
        0, "points ahead of the others' average for which somebody is punished; 0: nobody is"
    )
    spite: int = _number(40, "gain of attempting a force of somebody punished")
    mercy: float = _number(0.0, "share of the danger that counts while somebody is punished", 1.0)

    def records(self) -> Records:
        """Return the params as compiled code reads them, ``(2,)``: CALM, PUNISHING."""
        danger = np.rint(np.multiply(self.danger, self.mercy)).astype(int)
        punishing = replace(self, danger=tuple(danger), alarm=NEVER)  # no cards are set aside
        return params_records(self, punishing)


STEWARD: Final = Character()
"""Keeps calamity away first and wins second.

Its numbers were chosen by hand and by random search over games among equals.
"""

OPPORTUNIST: Final = Character(
    danger=(0, 0, 0, 0, 0, 0, 0, 4, 7, 6, 9, 200, 2700),  # the others will see to it, up to 10
    rank_price=(13, 10, 10),  # half of what a point is worth: a race
    holding=(0, 32, 44, 52),
    point_value=25,
    attempt_price=10,
    contest_price=36,
    truce_price=0,  # stewards block nobody while a problem is alarming
    truce=0,  # a card spent on a block scores nothing
    joint=True,
    raise_lower=True,
)
"""Wants to win, and lets the others serve: the best answer to stewards that we know.

A selfish racer for a single seat among stewards. Its numbers were found by random search for the
mean, over 2, 3 and 4 players, of the log odds of winning there, as measured by ``evaluate`` of
``concilium.evaluation.seats``: a change was kept if it did better on 400 deals and on 1,000
others, the same for all candidates. Changes of single numbers that were tried after that did not
hold on 1,500 more deals.
"""

GRIM: Final = Character(grudge=25)
"""A steward until somebody runs away with it, from then on merciless against that player.

Somebody runs away who is ``grudge`` points ahead of the average of all others. As long as that
holds, the grim bot

- solves nothing for the kingdom's sake, sets no cards aside and does not spend the Excuse on a
  6-6: problems burn until the calamity, unless the others pay for them;
- blocks every attempt of that player, alarm or not, and no attempt of anybody else;
- takes that player's forces, whatever they are good for.

It still takes what points are worth their cards, and a win. It burns the house down to see one
player lose: with more than two players the calamity costs more than that player's win would, so it
is a threat, and pays only if it keeps others from running away. Scores never fall, so only the
others' catching up ends it. The threshold is a compromise: luck alone should seldom make such a
lead among stewards, and an opportunist often does.
"""

BLOCKER: Final = Character(truce=NEVER, holding=(0, 60, 120, 180))
"""Blocks whenever it can and holds what forces it can get; otherwise a steward.

Each force is worth the same to it, the third as well, because others cannot pay with what they do
not have. So it is more often alone in being able to solve a problem, and then does.
"""
