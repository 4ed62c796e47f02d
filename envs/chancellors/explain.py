"""What each card of Chancellors does, in a line: for the page, and for who asks at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from concilium.envs.chancellors.cards import (
    CARDS,
    EXCUSE,
    FIRST_PAWN,
    FORCES,
    MATCHES,
    SUIT_NAMES,
    TOP_RANK,
    Card,
)
from concilium.envs.chancellors.text import card_name
from concilium.envs.core.game import BoundGame

_EXCUSE: Final = (
    "tries for all forces at once, each of which any card of its suits keeps; or is discarded "
    "before a turn to reroll a 6-6; never pays"
)


def card_texts(bound: BoundGame) -> list[tuple[str, str]]:
    """Each force and each card that is in the game, with what it does."""
    found = [(force.name, f"force of {_suits(force)}: who controls it can pay with cards of them")
             for force in FORCES]  # fmt: skip
    found += _suited(bool(bound.options["pawns"]))
    if bound.options["excuse"]:
        found.append((card_name(EXCUSE), _EXCUSE))
    return found


def _suited(pawns: bool) -> Iterator[tuple[str, str]]:
    for number, card in enumerate(CARDS[: EXCUSE if pawns else FIRST_PAWN]):
        forces = [force.name for k, force in enumerate(FORCES) if MATCHES[number, k]]
        unbeaten = " (nobody can keep it then)" if card.rank == TOP_RANK else ""
        yield (
            card_name(number),
            f"rank {card.rank}, {_suits(card)}: takes or keeps {' or '.join(forces)}{unbeaten}, "
            f"pays {card.rank} for a problem while you control "
            f"{'that force' if len(forces) == 1 else 'one of these forces'}",
        )


def _suits(card: Card) -> str:
    *first, last = (SUIT_NAMES[letter] for letter in card.suits)
    return f"{', '.join(first)} and {last}" if first else last
