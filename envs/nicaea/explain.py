"""What each card and Action of Nicaea does, in a line: for the page and for who asks at play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from concilium.envs.core.game import BoundGame
from concilium.envs.core.words import Count
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.deck import NUMERALS, Card
from concilium.envs.nicaea.text import (
    COPIES,
    DISPUTE_NAMES,
    SIDE_LETTERS,
    SPACE_NAMES,
    base_price,
    deck_in,
    doctrine_name,
    shown,
)

_ACTIONS: Final = {
    "nothing": "nothing happens",
    "refresh leftmost": "turn up the leftmost face-down card of your tableau",
    "debate doctrine": "buy a doctrine card at its price, or decline",
    "new offer": "do one of the other Actions without its cost and card, then fill empty spaces",
    "play free card": "play a card from your hand to your own tableau for nothing, or decline",
}
_TAKEN: Final = "then the card of its space comes into your hand"


def card_texts(bound: BoundGame) -> list[tuple[str, str]]:
    """Each card of the deck, each doctrine card and each Action, with what it does."""
    deck = deck_in(bound)
    cards = zip(deck.texts, deck.cards, strict=True)
    return [
        *((text, _canon(card) if card.is_canon else _bishop(card)) for text, card in cards),
        *_doctrine(),
        *_actions(),
    ]


def _bishop(card: Card) -> str:
    icons = " and ".join(NUMERALS[dispute] for dispute in card.icons)
    return (
        f"Bishop of {card.suit}: costs {card.cost} to play, pays {card.cost} when flipped; adds "
        f"{card.bonus} TI in a Debate Round if {card.name}'s other card is face up in the same "
        "tableau; at the end "
        f"{Count(len(card.icons)):point} with doctrine of {icons}"
        + (", one for each" if len(card.icons) > 1 else "")
    )


def _canon(card: Card) -> str:
    return (
        f"Canon of {card.suit}: costs {card.cost} to play, is never flipped; keeps 1 TI more after "
        f"a Debate Round; {Count(card.cost):point} at the end"
    )


def _doctrine() -> Iterator[tuple[str, str]]:
    for number in range(S.DISPUTES * S.SIDES):
        dispute, side = divmod(number, S.SIDES)
        yield (
            doctrine_name(number),
            f"doctrine of dispute {NUMERALS[dispute]}, {DISPUTE_NAMES[dispute]}, side "
            f"{SIDE_LETTERS[side]}: turns up cards in Debate Rounds until the dispute is settled; "
            f"with {S.WINNING_CARDS} in players' hands the side wins, and each draws a marker",
        )


def _actions() -> Iterator[tuple[str, str]]:
    for name, text in _ACTIONS.items():
        costs = sorted({
            int(S.SPACE_COST[space]) for space, other in enumerate(SPACE_NAMES) if other == name
        })  # fmt: skip
        yield name, f"Action for {' or '.join(map(str, costs))}: {text}; {_TAKEN}"


def move_note(bound: BoundGame, record: Any, action: int) -> str:
    """Price of a legal action, and which Action it is, to who sees the View ``()``."""
    view, deck = shown(record), deck_in(bound)
    if action == A.PAY_REST:
        return f"{view['price'] - view['paid']} TI"
    if A.TAKE <= action < A.PLAY:
        space = view["display"].index(action - A.TAKE)
        name = SPACE_NAMES[space]
        return f"{name} for {S.SPACE_COST[space]}: {_ACTIONS[name]}"
    if A.PLAY <= action < A.PAY_REST:
        free = view["phase"] == S.Phase.PLAY_FREE
        return "free" if free else f"for {deck.cards[(action - A.PLAY) // S.SEATS].cost}"
    if A.FLIP <= action < A.COPY:
        return f"pays {deck.cards[action - A.FLIP].cost}"
    if A.COPY <= action < A.BUY:
        return _ACTIONS[COPIES[action - A.COPY]]
    if A.BUY <= action < A.DECLINE:
        dispute, side = divmod(action - A.BUY, S.SIDES)
        held = view["doctrine"][view["actor"]][dispute][side]
        return f"for {base_price(view, dispute, side) * (held + 1)}"
    return ""
