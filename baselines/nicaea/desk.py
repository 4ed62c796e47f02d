"""What a bot writes down while it decides: one record, so that compiled code allocates nothing.

Everything on it is worked out from the View at hand. Only the forecasts of disputes are kept from
one decision to the next: they are the same whenever the same position comes up.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.baselines.nicaea import dispute, ending
from concilium.envs.core.state import Records, new_records
from concilium.envs.nicaea.state import DISPUTES, SEATS, SIDES, TRACK, VALUES

MOST_SUM: Final = 63  # Influence up to which sums are told apart; the dearest purchase costs 50
MEMO: Final = 16_381  # forecasts kept; a prime, so that keys spread by their remainder
DOCTRINES: Final = DISPUTES * SIDES

DESK: Final = np.dtype(
    [
        # forecasts of disputes: of seats in their order from the viewer
        ("key", np.int64, MEMO),  # what a forecast was made for, 0: nothing
        ("known", np.float64, (MEMO, dispute.ROWS, SIDES)),
        ("track", np.int64, 2 * TRACK + 1),  # the track that they are about
        ("labels", np.int64, SEATS),
        ("means", np.int64, SEATS),
        ("reach", np.int64, SEATS),  # Influence of each for the next purchases
        ("work", np.float64, max(dispute.WORK_SIZE, ending.WORK_SIZE)),
        # the viewer's prospects
        ("forecast", np.float64, (DISPUTES, dispute.ROWS, SIDES)),
        ("hold", np.float64, DISPUTES),  # chance to hold a card of the winning side
        ("gain", np.float64, DOCTRINES),  # of buying each doctrine, its price aside
        ("price", np.int64, DOCTRINES),  # 0 where it cannot be bought
        ("net", np.float64, MOST_SUM + 1),  # gain less price of the best purchase, by budget
        ("hand", np.float64, MOST_SUM + 1),  # worth of the Bishops in hand, by the means at hand
        ("flips", np.float64, MOST_SUM + 1),  # cost of flipping Bishops, by their sum
        ("flip_card", np.int64, MOST_SUM + 1),  # one of these
        ("rounds", np.float64),  # Debate Rounds to come after the next
        ("now", np.int64),  # Influence at hand
        ("budget", np.int64),  # Influence for the next Debate Round
        ("spare", np.int64),  # part of it that can be spent before and comes back
        ("capacity", np.int64),  # cards that the next Debate Round turns up
        ("canons", np.int64),
        ("bishops", np.int64),  # Influence of all own Bishops
        # the end as it would be
        ("facts", np.int64, (ending.FACTS, SEATS)),
        ("supply", np.int64, VALUES),
        ("end", np.float64, (ending.ROWS, SEATS)),
    ],
    align=True,
)


def new_desk() -> Records:
    """An empty desk ``(1,)``."""
    return new_records(1, DESK)
