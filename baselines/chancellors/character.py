"""The numbers that a rule bot decides by, each with its reason, as one table.

All values are in the same small coin: a plan's value is what it gains less what it spends. The
numbers were chosen by hand and by random search over games among equals. What they come to is told
by ``python -m concilium.training.evaluate chancellors/steward chancellors/steward --all-seats``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

# where each number stands in the table that compiled code reads
DANGER: Final = 0  # + dice sum 0..12
RANK_PRICE: Final = 13  # + number of players - 2
HOLDING: Final = 16  # + number of forces 0..3
POINT_VALUE: Final = 20
ATTEMPT_PRICE: Final = 21
CONTEST_PRICE: Final = 22
EXCUSE_PRICE: Final = 23
ALARM: Final = 24
MARGIN: Final = 25
TABLE_SIZE: Final = 26


@dataclass(frozen=True)
class Character:
    """What a bot cares about.

    Attributes:
        danger: gain of solving a problem, by dice sum 0 … 12. It rises ever more steeply, because
            what is left unsolved becomes a calamity after 13 − sum turns; at 12 nothing compares,
            so a calamity counts as the loss that it is.
        rank_price: price of one rank spent, with 2, 3 and 4 players. Larger tables draw more cards
            between two turns of a player, so thrift matters less there; a low price means a race.
        holding: value of controlling 0 … 3 forces when the turn ends. Two forces pay with four
            suits of six; the third adds little and costs somebody else theirs.
        point_value: gain of one point. Near ``rank_price``: for points alone cards are spent only
            where they bring about a point for each rank.
        attempt_price: price of an attempt beside the ranks: a card less to pay with.
        contest_price: price of attempting a force that somebody controls, who may block.
        excuse_price: price of taking forces with the Excuse, which also averts a calamity: only
            when otherwise a problem of 11 or 12 stays unsolved.
        alarm: dice sum from which a problem is solved whatever else the cards could do, paid for in
            advance by public solves of others, and from which nobody is blocked: the attacker may
            need the force. Blocking regardless of that multiplies the calamities.
        margin: ranks set aside for each alarming problem above its lower die, for cards never fit
            exactly.
    """

    danger: tuple[int, ...] = (0, 0, 0, 0, 0, 5, 10, 20, 30, 80, 120, 400, 3000)
    rank_price: tuple[int, int, int] = (9, 8, 7)
    holding: tuple[int, int, int, int] = (0, 40, 60, 65)
    point_value: int = 8
    attempt_price: int = 20
    contest_price: int = 40
    excuse_price: int = 150
    alarm: int = 9
    margin: int = 2

    def table(self) -> NDArray[np.int64]:
        """Return the numbers as compiled code reads them, ``(TABLE_SIZE,)``."""
        table = np.empty(TABLE_SIZE, np.int64)
        table[DANGER:RANK_PRICE] = self.danger
        table[RANK_PRICE:HOLDING] = self.rank_price
        table[HOLDING:POINT_VALUE] = self.holding
        table[POINT_VALUE:] = (
            self.point_value, self.attempt_price, self.contest_price, self.excuse_price,
            self.alarm, self.margin,
        )  # fmt: skip
        return table


STEWARD: Final = Character()
"""Keeps calamity away first and wins second."""
