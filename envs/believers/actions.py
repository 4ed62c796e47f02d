"""The flat action numbering of Believers. Nothing else knows an offset."""

from __future__ import annotations

from typing import Final

from concilium.envs.believers.state import CRISES, DISCIPLES, KINDS, PAIRS, SEATS
from concilium.envs.core.layout import action_table

OPPONENTS: Final = SEATS - 1

ACTIONS: Final = action_table(
    ("done", 1, "Part I: nothing more"),
    ("shame", OPPONENTS, "lay the own Shame card in front of the player 1 to 9 seats clockwise"),
    (
        "enlist",
        DISCIPLES * SEATS,
        "use a Disciple: name × target, 0 to 9 seats clockwise; 0 also where there is none",
    ),
    ("herald", 2, "the Mission peeked at: leave it, put it under the deck"),
    ("silent", 1, "say nothing"),
    ("accuse", OPPONENTS, "accuse the player 1 to 9 seats clockwise"),
    ("vouch", OPPONENTS, "vouch for the player 1 to 9 seats clockwise"),
    ("choose", OPPONENTS, "make the player 1 to 9 seats clockwise the Hand"),
    ("give", KINDS, "as Hand: give a Virtue of this kind"),
    ("place", KINDS, "as Eye: place the Virtue of this kind and keep the other"),
    ("claim", PAIRS + 1, "claim that this pair of Virtues was given; the last: no claim"),
    ("nominate", CRISES * OPPONENTS, "a Crisis × its target, 1 to 9 seats clockwise"),
    ("discard", KINDS, "discard a Virtue of this kind, for a Fast or to pay"),
    ("dismiss", DISCIPLES, "discard a Disciple of this name, for a Doubt"),
    ("buy", DISCIPLES, "buy a Disciple of this name"),
    ("pass", 1, "take no further part in this Indoctrination"),
)

DONE: Final = ACTIONS.start("done")
SHAME: Final = ACTIONS.start("shame")  # + relative seat - 1
ENLIST: Final = ACTIONS.start("enlist")  # + SEATS * Disciple + relative seat
HERALD: Final = ACTIONS.start("herald")  # + 1 to put it under
SILENT: Final = ACTIONS.start("silent")
ACCUSE: Final = ACTIONS.start("accuse")  # + relative seat - 1
VOUCH: Final = ACTIONS.start("vouch")  # + relative seat - 1
CHOOSE: Final = ACTIONS.start("choose")  # + relative seat - 1
GIVE: Final = ACTIONS.start("give")  # + kind
PLACE: Final = ACTIONS.start("place")  # + kind
CLAIM: Final = ACTIONS.start("claim")  # + pair, or NO_CLAIM
NOMINATE: Final = ACTIONS.start("nominate")  # + OPPONENTS * Crisis + relative seat - 1
DISCARD: Final = ACTIONS.start("discard")  # + kind
DISMISS: Final = ACTIONS.start("dismiss")  # + Disciple
BUY: Final = ACTIONS.start("buy")  # + Disciple
PASS: Final = ACTIONS.start("pass")
NUM_ACTIONS: Final = ACTIONS.size
