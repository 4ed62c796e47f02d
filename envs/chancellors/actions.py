"""The flat action numbering of Chancellors. Nothing else knows an offset."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.chancellors.cards import MATCHES, NUM_FORCES, NUM_SUITED
from concilium.envs.chancellors.state import PROBLEMS

_PAIRS: Final = [
    (card, force)
    for card in range(NUM_SUITED)
    for force in range(NUM_FORCES)
    if MATCHES[card, force]
]

# block        first number            what the place in the block means
CONTROL: Final = 0  # a (card, force) pair with a common suit
CONTROL_EXCUSE: Final = len(_PAIRS)
SOLVE: Final = CONTROL_EXCUSE + 1  # problem * 2 + (1 if quiet)
END_TURN: Final = SOLVE + 2 * PROBLEMS
DECLINE: Final = END_TURN + 1
BLOCK_WITH: Final = DECLINE + 1  # card
PAY_WITH: Final = BLOCK_WITH + NUM_SUITED  # card
RAISE_LOWER: Final = PAY_WITH + NUM_SUITED
RAISE_HIGHER: Final = RAISE_LOWER + 1
KEEP_SILENT: Final = RAISE_HIGHER + 1
REROLL: Final = KEEP_SILENT + 1  # problem
NUM_ACTIONS: Final = REROLL + PROBLEMS

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
