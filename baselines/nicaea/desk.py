"""What a bot writes down while it decides: one record, so that compiled code allocates nothing.

Everything on it is worked out from the View at hand. Only the forecasts of disputes are kept from
one decision to the next: they are the same whenever the same position comes up.
"""

from __future__ import annotations

from typing import Final

from concilium.baselines.memory import floats, whole
from concilium.baselines.nicaea import dispute, ending
from concilium.envs.core.state import Cells
from concilium.envs.nicaea.state import DISPUTES, SEATS, SIDES, TRACK, VALUES

MOST_SUM: Final = 63  # Influence up to which sums are told apart; the dearest purchase costs 50
MEMO: Final = 16_381  # forecasts kept; a prime, so that keys spread by their remainder
DOCTRINES: Final = DISPUTES * SIDES


class Desk:
    """Scratch memory of a bot."""

    # forecasts of disputes: of seats in their order from the viewer
    key: Cells = whole(MEMO)  # what a forecast was made for, 0: nothing
    known: Cells = floats(MEMO, dispute.ROWS, SIDES)
    track: Cells = whole(2 * TRACK + 1)  # the track that they are about
    labels: Cells = whole(SEATS)
    means: Cells = whole(SEATS)
    reach: Cells = whole(SEATS)  # Influence of each for the next purchases
    work: Cells = floats(max(dispute.WORK_SIZE, ending.WORK_SIZE))
    # the viewer's prospects
    forecast: Cells = floats(DISPUTES, dispute.ROWS, SIDES)
    hold: Cells = floats(DISPUTES)  # chance to hold a card of the winning side
    gain: Cells = floats(DOCTRINES)  # of buying each doctrine, its price aside
    price: Cells = whole(DOCTRINES)  # 0 where it cannot be bought
    net: Cells = floats(MOST_SUM + 1)  # gain less price of the best purchase, by budget
    hand: Cells = floats(MOST_SUM + 1)  # worth of the Bishops in hand, by the means at hand
    flips: Cells = floats(MOST_SUM + 1)  # cost of flipping Bishops, by their sum
    flip_card: Cells = whole(MOST_SUM + 1)  # one of these
    rounds: float = floats()  # Debate Rounds to come after the next
    now: int = whole()  # Influence at hand
    budget: int = whole()  # Influence for the next Debate Round
    spare: int = whole()  # part of it that can be spent before and comes back
    capacity: int = whole()  # cards that the next Debate Round turns up
    canons: int = whole()
    bishops: int = whole()  # Influence of all own Bishops
    # the end as it would be
    facts: Cells = whole(ending.FACTS, SEATS)
    supply: Cells = whole(VALUES)
    end: Cells = floats(ending.ROWS, SEATS)
