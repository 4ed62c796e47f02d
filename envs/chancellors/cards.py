"""The cards of Chancellors: the Decktet without its Courts, the three forces taken out.

The Decktet is by P.D. Magnus, published under CC BY-NC-SA 3.0; only names, ranks and suits are
used here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SUIT_NAMES: Final = {
    "M": "Moons", "S": "Suns", "W": "Waves", "L": "Leaves", "Y": "Wyrms", "K": "Knots",
}  # fmt: skip


@dataclass(frozen=True)
class Card:
    """A card: ``rank`` 1–10 (0 for the Excuse), ``suits`` a string of suit letters."""

    name: str
    rank: int
    suits: str


def _rank(rank: int, *cards: str) -> tuple[Card, ...]:
    return tuple(
        Card(card[: card.rindex(" ")], rank, card[card.rindex(" ") + 1 :]) for card in cards
    )


CARDS: Final[tuple[Card, ...]] = (
    *(Card(f"Ace of {suit}", 1, letter) for letter, suit in SUIT_NAMES.items()),
    *_rank(2, "Author MK", "Desert SY", "Origin WL"),
    *_rank(3, "Journey MW", "Painter SK", "Savage LY"),
    *_rank(4, "Mountain MS", "Battle YK"),
    *_rank(5, "Forest ML", "Discovery SW"),
    *_rank(6, "Lunatic MW", "Penitent SY", "Market LK"),
    *_rank(7, "Chance Meeting ML", "Castle SK", "Cave WY"),
    *_rank(8, "Mill WL", "Betrayal YK"),
    *_rank(9, "Pact MS", "Darkness WY", "Merchant LK"),
    *_rank(10, "Huntress M", "Bard S", "Sea W", "End L", "Calamity Y", "Windfall K"),
    *_rank(10, "Harvest MSL", "Watchman MYK", "Light Keeper SWK", "Borderland WLY"),
    Card("Excuse", 0, ""),
)
"""33 basic cards, 4 Pawns, the Excuse; a card's number is its place here."""

NUM_CARDS: Final = len(CARDS)  # 38
FIRST_PAWN: Final = 33
EXCUSE: Final = 37
TOP_RANK: Final = 10
NUM_SUITED: Final = EXCUSE  # the cards with a rank: all but the Excuse

FORCES: Final[tuple[Card, ...]] = (  # C1: table order; removed by name, their rank never matters
    Card("Sailor", 4, "WL"),
    Card("Soldier", 5, "YK"),
    Card("Diplomat", 8, "MS"),
)
NUM_FORCES: Final = len(FORCES)

RANK: Final[NDArray[np.int64]] = np.array([card.rank for card in CARDS])
"""Rank by card number, ``(38,)``."""

MATCHES: Final[NDArray[np.int8]] = np.array(
    [[set(card.suits) & set(force.suits) != set() for force in FORCES] for card in CARDS], np.int8
)
"""1 where a card has a suit of a force, ``(38, 3)``."""

FORCE_BITS: Final[NDArray[np.int64]] = MATCHES.astype(np.int64) @ (1 << np.arange(NUM_FORCES))
"""The forces that a card matches as bits, bit 0 the first force, ``(38,)``."""

MATCHING_RANK: Final[NDArray[np.int64]] = np.ascontiguousarray(RANK * MATCHES.T)
"""Rank of a card where it matches a force, else 0, ``(3, 38)``."""

for _table in (RANK, MATCHES, FORCE_BITS, MATCHING_RANK):
    _table.setflags(write=False)
