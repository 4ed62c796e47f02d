"""Work memory of the compiled posterior: one record, so that compiled code allocates nothing.

Fields that say how the table stands have the names that they have in the State, so that the rules'
own functions read them.
"""

from __future__ import annotations

import enum
from typing import Final

from concilium.baselines.memory import floats, whole
from concilium.envs.believers import state as S
from concilium.envs.believers.faith import MOST_ASSIGNMENTS
from concilium.envs.core.state import Cells

PILES: Final = 3  # discards; placed in finished rows; placed in this row


class Naming(enum.IntEnum):
    """Ways of naming somebody."""

    SHAMED = 0
    ACCUSED = 1
    VOUCHED = 2


class Work:
    """What the posterior of one View is worked out in."""

    # what is found
    sets: Cells = whole(MOST_ASSIGNMENTS)  # assignments that hard facts leave, as bits
    chance: Cells = floats(MOST_ASSIGNMENTS)  # their probabilities
    # evidence, as logarithms; what is common to all assignments is left out
    logs: Cells = floats(MOST_ASSIGNMENTS)  # of each assignment
    lone: Cells = floats(S.SEATS)  # for an assignment in which this seat is a Defector
    both: Cells = floats(S.SEATS, S.SEATS)  # in which these two are
    mission: Cells = floats(2, 2)  # of a Mission, by Faith of Eye and Hand; not logarithms
    members: Cells = whole(S.MOST_DEFECTORS)  # of an assignment
    choice: Cells = floats(2, S.MOST_DEFECTORS)  # by: Hand is a fellow, fellows to choose from
    named: Cells = floats(len(Naming), 2)  # of a fellow whoever names one: alone, more
    night: Cells = floats(S.MOST_DEFECTORS + 1)  # by 1 + place of the target
    # how the table stood when the event at hand happened
    num_players: int = whole()
    turn: int = whole()
    eye: int = whole()
    last_hand: int = whole()
    barred: int = whole()
    row_crisis: int = whole()
    row_target: int = whole()
    gossip: Cells = whole(S.SEATS)
    shame_at: Cells = whole(S.SEATS)
    disciple_effect: Cells = whole(S.DISCIPLES)
    disciples: Cells = whole(S.SEATS, S.DISCIPLES)
    number: int = whole()  # of the Mission
    nights: int = whole()  # gone by
    # Virtues as the viewer can account for them
    held: Cells = whole(S.SEATS)  # Virtues in each hand
    known: Cells = floats(S.SEATS, S.KINDS)  # of which known; parts where one of several left
    unseen: Cells = floats(S.KINDS)  # in the deck and in hands, not known
    # closed ones, by Faith of the seat: how much likelier a kind is than among all unseen ones
    tilt: Cells = floats(2, S.SEATS, S.KINDS)
    piles: Cells = whole(PILES, S.KINDS)
    deck: int = whole()
    # the Hand of a Mission
    # by its Faith
    matching: Cells = floats(2, S.MOST_VIRTUES + 1)  # chance of so many Virtues that match
    kinds: Cells = floats(2, S.KINDS)  # Virtues of each kind to be expected
    kinds_sum: Cells = floats(2)  # their sum
    fitting: Cells = floats(2)  # of those that match
    gifts: Cells = floats(2, S.MOST_VIRTUES + 1, S.GIVEN + 1)  # chance of gifts by what matches
    given: Cells = floats(2, S.GIVEN + 1)  # chance that it gives so many that match
    told: Cells = floats(2, S.GIVEN + 1)  # chance of what is seen if it gave so many
    left: Cells = floats(2)  # Virtues that match to be expected in what is left of its hand
    done: Cells = floats(2)  # chance of what the Eye did, by its Faith
    kept: Cells = floats(2, S.KINDS)  # chance of the kind that the Eye kept, by its Faith
