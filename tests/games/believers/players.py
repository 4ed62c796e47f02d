"""Who plays Believers in these tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S

Weights: TypeAlias = Mapping[str, float]

CHARACTERS: Mapping[str, Weights] = {
    "uniform": {},
    "idle": {"done": 50, "pass": 50},
    "eager": {"enlist": 20, "shame": 3, "buy": 20, "done": 0.3, "pass": 0.5},
    "shaming": {"shame": 30, "enlist": 5, "done": 1, "pass": 2},
    "loyal": {"done": 5, "pass": 5},
    "hostile": {"done": 5, "pass": 5},
    "sparing": {"done": 5, "pass": 2, "enlist": 3},
}
"""How eager each is for each kind of action, 1 where not given.

The uniform player takes all single actions as equal instead. The loyal one gives and places what
the Mission asks for, the hostile one what it does not; the sparing one shames and peeks at few.
"""

BLOCKS = [block.name for block in act.ACTIONS.blocks for _ in range(block.size)]


def choose(legal: Sequence[int], character: str, rng: np.random.Generator, s: Any) -> int:
    """Choose one of the legal actions of State ``s``: first its kind by the character's weights."""
    if character == "uniform" or len(legal) == 1:
        return int(legal[int(rng.integers(len(legal)))])
    weights = CHARACTERS[character]
    kinds = sorted({BLOCKS[action] for action in legal})
    chance = np.cumsum([weights.get(kind, 1.0) for kind in kinds])
    kind = kinds[int(np.searchsorted(chance, rng.random() * chance[-1], side="right"))]
    found = [action for action in legal if BLOCKS[action] == kind]
    if kind in ("give", "place") and character in ("loyal", "hostile"):
        pair = int(s["mission_pair"][int(s["mission"])])
        asked_for = (int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair]))
        first = act.GIVE if kind == "give" else act.PLACE
        wanted = [a for a in found if (a - first in asked_for) == (character == "loyal")]
        found = wanted or found
    if kind in ("accuse", "shame") and character == "shaming":
        found = found[:1]  # all against the same few
    return int(found[int(rng.integers(len(found)))])
