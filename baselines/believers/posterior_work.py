"""Work memory of the compiled posterior: one record, so that compiled code allocates nothing.

Fields that say how the table stands have the names that they have in the State, so that the rules'
own functions read them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.baselines.believers.model import NUMBERS
from concilium.envs.believers.faith import MOST_ASSIGNMENTS
from concilium.envs.believers.state import (
    DISCIPLES,
    GIVEN,
    KINDS,
    MOST_DEFECTORS,
    MOST_VIRTUES,
    SEATS,
)
from concilium.envs.core.state import Records, new_records

PILES: Final = 3  # discards; placed in finished rows; placed in this row

WORK: Final = np.dtype(
    [
        # what is found
        ("sets", np.int64, MOST_ASSIGNMENTS),  # assignments that hard facts leave, as bits
        ("chance", np.float64, MOST_ASSIGNMENTS),  # their probabilities
        # evidence, as logarithms; what is common to all assignments is left out
        ("logs", np.float64, MOST_ASSIGNMENTS),  # of each assignment
        ("lone", np.float64, SEATS),  # for an assignment in which this seat is a Defector
        ("both", np.float64, (SEATS, SEATS)),  # in which these two are
        ("mission", np.float64, (2, 2)),  # of a Mission, by Faith of Eye and Hand; not logarithms
        ("members", np.int64, MOST_DEFECTORS),  # of an assignment
        ("choice", np.float64, (2, MOST_DEFECTORS)),  # by: Hand is a fellow, fellows to choose from
        (
            "named",
            np.float64,
            (NUMBERS, 2),
        ),  # a fellow of whoever names one, by factor: alone, more
        ("night", np.float64, MOST_DEFECTORS + 1),  # by 1 + place of the target
        # how the table stood when the event at hand happened
        ("num_players", np.int64),
        ("turn", np.int64),
        ("eye", np.int64),
        ("last_hand", np.int64),
        ("barred", np.int64),
        ("row_crisis", np.int64),
        ("row_target", np.int64),
        ("gossip", np.int64, SEATS),
        ("shame_at", np.int64, SEATS),
        ("disciple_effect", np.int64, DISCIPLES),
        ("disciples", np.int64, (SEATS, DISCIPLES)),
        ("number", np.int64),  # of the Mission
        ("nights", np.int64),  # gone by
        # Virtues as the viewer can account for them
        ("held", np.int64, SEATS),  # Virtues in each hand
        ("known", np.float64, (SEATS, KINDS)),  # of which known; parts where one of several left
        ("unseen", np.float64, KINDS),  # in the deck and in hands, not known
        # closed ones, by Faith of the seat: how much likelier a kind is than among all unseen ones
        ("tilt", np.float64, (2, SEATS, KINDS)),
        ("piles", np.int64, (PILES, KINDS)),
        ("deck", np.int64),
        # the Hand of a Mission
        # by its Faith
        ("matching", np.float64, (2, MOST_VIRTUES + 1)),  # chance of so many Virtues that match
        ("kinds", np.float64, (2, KINDS)),  # Virtues of each kind to be expected
        ("whole", np.float64, 2),  # their sum
        ("fitting", np.float64, 2),  # of those that match
        ("gifts", np.float64, (2, MOST_VIRTUES + 1, GIVEN + 1)),  # chance of gifts by what matches
        ("given", np.float64, (2, GIVEN + 1)),  # chance that it gives so many that match
        ("told", np.float64, (2, GIVEN + 1)),  # chance of what is seen if it gave so many
        ("left", np.float64, 2),  # Virtues that match to be expected in what is left of its hand
        ("done", np.float64, 2),  # chance of what the Eye did, by its Faith
        ("kept", np.float64, (2, KINDS)),  # chance of the kind that the Eye kept, by its Faith
    ],
    align=True,
)


def new_work() -> Records:
    """Empty work memory ``(1,)``."""
    return new_records(1, WORK)
