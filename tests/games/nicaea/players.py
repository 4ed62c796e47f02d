"""Who plays Nicaea in these tests, and decks other than the house deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea.state import SEATS

SMALL_DECK = str(Path(__file__).with_name("small.toml"))
"""Eight cards, so that games are short."""

Weights: TypeAlias = Mapping[str, float]

CHARACTERS: Mapping[str, Weights] = {
    "uniform": {},
    "debater": {"pass": 4, "buy": 50, "decline": 0.5, "take": 3, "own": 3},
    "ally": {"pass": 6, "buy": 100, "decline": 0.1, "take": 2, "own": 20, "play": 0.1},
    "builder": {"pass": 4, "own": 12, "take": 6, "play": 0.5, "buy": 8, "pay_rest": 0.3},
    "collector": {"pass": 0.5, "take": 20, "own": 0.2, "play": 0.1, "copy": 5},
    "giver": {"pass": 2, "play": 10, "own": 2, "take": 4, "buy": 2},
    "sleeper": {"pass": 400, "decline": 400},
}
"""How eager each is for each kind of action, 1 where not given; "own" is a play to the own tableau.

The uniform player takes all single actions as equal instead; the ally buys A wherever possible, so
that disputes are settled.
"""

BLOCKS = [block.name for block in act.ACTIONS.blocks for _ in range(block.size)]
for _action in range(act.PLAY, act.PAY_REST, SEATS):
    BLOCKS[_action] = "own"


def choose(legal: Sequence[int], character: str, rng: np.random.Generator) -> int:
    """Choose one of the legal actions: first its kind by the character's weights."""
    if character == "uniform" or len(legal) == 1:
        return int(legal[int(rng.integers(len(legal)))])
    weights = CHARACTERS[character]
    kinds = sorted({BLOCKS[action] for action in legal})
    chance = np.cumsum([weights.get(kind, 1.0) for kind in kinds])
    kind = kinds[int(np.searchsorted(chance, rng.random() * chance[-1], side="right"))]
    found = [action for action in legal if BLOCKS[action] == kind]
    if character == "ally" and kind == "buy":
        found = [action for action in found if (action - act.BUY) % 2 == 0] or found
    return int(found[int(rng.integers(len(found)))])


def write_deck(
    path: Path, rng: np.random.Generator, figures: int, canons: int, *, generous: bool = False
) -> Path:
    """Write a deck and a track with values from all that is allowed, small ones more often.

    Args:
        path: file to write.
        rng: chooses the values.
        figures: pairs of Bishops.
        canons: number of Canons.
        generous: doctrine is cheap and refreshes much, so that all disputes get settled.

    Returns:
        The path.
    """
    spaces = 3 if generous else int(rng.integers(3, 13))
    dearest = 26 if rng.random() < 0.2 else 15
    base = sorted(rng.choice(np.arange(2, dearest), spaces, replace=False).tolist())
    contrarian = [int(rng.integers(1, price)) for price in base]
    refresh = [int(rng.integers(0, 7)) / 2 for _ in base]
    if generous:
        base, contrarian, refresh = [2, 3, 4], [1, 1, 1], [5.0, 10.0, 10.0]
    lines = [
        'title = "test"',
        'provenance = "test"',
        *(["canon = []"] if canons == 0 else []),
        "[track]",
        'provenance = "test"',
        f"base = {base}",
        f"contrarian = {contrarian}",
        f"refresh = {refresh}",
    ]
    suits = [f"Suit {'ABCDE'[k if k < 5 else int(rng.integers(5))]}" for k in range(2 * figures)]
    for k, suit in enumerate(suits):
        icons = sorted(int(x) + 1 for x in rng.choice(5, int(rng.integers(1, 3)), replace=False))
        lines += [
            "[[bishop]]", f'id = "b{k}"', f'figure = "Figure {k // 2}"', f'suit = "{suit}"',
            f"cost = {min(9, int(rng.geometric(0.35)))}", f"bonus = {int(rng.integers(4))}",
            f"disputes = {icons}",
        ]  # fmt: skip
    for k in range(canons):
        lines += [
            "[[canon]]", f'id = "c{k}"', f'name = "Canon {k}"',
            f'suit = "{suits[int(rng.integers(len(suits)))]}"', f"cost = {int(rng.integers(1, 5))}",
        ]  # fmt: skip
    path.write_text("\n".join(lines) + "\n")
    return path
