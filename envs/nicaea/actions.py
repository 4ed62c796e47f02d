"""The flat action numbering of Nicaea. Nothing else knows an offset."""

from __future__ import annotations

from typing import Final

from concilium.envs.core.layout import action_table
from concilium.envs.nicaea.state import CARDS, DISPUTES, SEATS, SIDES, Act

ACTIONS: Final = action_table(
    ("pass", 1, "pass, with the topmost pool that is not empty"),
    ("take", CARDS, "take the Action of the space on which the card lies, and in the end the card"),
    (
        "play",
        CARDS * SEATS,
        "play the card to a tableau: card × seat, the own one first, then clockwise",
    ),
    ("pay_rest", 1, "pay all that is missing of the price in temporary Influence"),
    ("flip", CARDS, "flip the Bishop in the own tableau face-down to pay"),
    (
        "copy",
        Act.NEW_OFFER,
        "by New Offer: nothing, refresh leftmost, debate doctrine, play free card",
    ),
    ("buy", DISPUTES * SIDES, "buy a doctrine card: dispute × (A, B)"),
    ("decline", 1, "buy no doctrine card, play no free card"),
    ("name", DISPUTES * SIDES, "name the side that wins an open dispute: dispute × (A, B)"),
)

PASS: Final = ACTIONS.start("pass")
TAKE: Final = ACTIONS.start("take")  # + card
PLAY: Final = ACTIONS.start("play")  # + SEATS * card + relative seat
PAY_REST: Final = ACTIONS.start("pay_rest")
FLIP: Final = ACTIONS.start("flip")  # + card
COPY: Final = ACTIONS.start("copy")  # + NOTHING, REFRESH, DEBATE or FREE_PLAY
BUY: Final = ACTIONS.start("buy")  # + SIDES * dispute + side
DECLINE: Final = ACTIONS.start("decline")
NAME: Final = ACTIONS.start("name")  # + SIDES * dispute + side
NUM_ACTIONS: Final = ACTIONS.size
