"""The flat action numbering of Chancellors. Nothing else knows an offset."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.chancellors.cards import MATCHES, NUM_FORCES, NUM_SUITED
from concilium.envs.chancellors.state import PROBLEMS
from concilium.envs.core.layout import action_table

_PAIRS: Final = [
    (card, force)
    for card in range(NUM_SUITED)
    for force in range(NUM_FORCES)
    if MATCHES[card, force]
]

ACTIONS: Final = action_table(
    ("control", len(_PAIRS), "play a card for a force; one action per card and force it matches"),
    ("control_excuse", 1, "play the Excuse for all forces"),
    ("solve", 2 * PROBLEMS, "begin to pay for a problem: problem × (publicly, quietly)"),
    ("end_turn", 1, "stop playing cards"),
    ("decline", 1, "let a force go"),
    ("block", NUM_SUITED, "keep a force with the card"),
    ("pay", NUM_SUITED, "commit the card to the problem begun"),
    ("raise", 2, "raise the lower, the higher die of the problem in question"),
    ("keep_silent", 1, "let a 6-6 stand"),
    ("reroll", PROBLEMS, "discard the Excuse and reroll the problem"),
)

CONTROL: Final = ACTIONS.start("control")
CONTROL_EXCUSE: Final = ACTIONS.start("control_excuse")
SOLVE: Final = ACTIONS.start("solve")  # + 2 * problem + (1 if quiet)
END_TURN: Final = ACTIONS.start("end_turn")
DECLINE: Final = ACTIONS.start("decline")
BLOCK_WITH: Final = ACTIONS.start("block")  # + card
PAY_WITH: Final = ACTIONS.start("pay")  # + card
RAISE_LOWER: Final = ACTIONS.start("raise")
RAISE_HIGHER: Final = RAISE_LOWER + 1
KEEP_SILENT: Final = ACTIONS.start("keep_silent")
REROLL: Final = ACTIONS.start("reroll")  # + problem
NUM_ACTIONS: Final = ACTIONS.size

CONTROL_CARD: Final[NDArray[np.int64]] = np.array([card for card, _ in _PAIRS])
"""Card of each control action, ``(57,)``."""
CONTROL_FORCE: Final[NDArray[np.int64]] = np.array([force for _, force in _PAIRS])
"""Force of each control action, ``(57,)``."""

CONTROL_ACTION: Final[NDArray[np.int64]] = np.full((NUM_SUITED, NUM_FORCES), -1)
"""Control action of a card and a force, -1 where they have no common suit, ``(37, 3)``."""
for _number, (_card, _force) in enumerate(_PAIRS):
    CONTROL_ACTION[_card, _force] = _number

for _table in (CONTROL_CARD, CONTROL_FORCE, CONTROL_ACTION):
    _table.setflags(write=False)
