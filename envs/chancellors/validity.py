"""Whether a record from outside is a State of Chancellors that the compiled rules can go on from.

The rules trust their States. Of a State from a file every number is in its range when it comes
here; asked is whether every card is there once, and sizes and pending things agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from concilium.envs.chancellors.cards import EXCUSE, FIRST_PAWN, NUM_CARDS
from concilium.envs.chancellors.state import NO_CARD, SEATS, STATE, Outcome, Phase, Place
from concilium.envs.core.state import RUNNING


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()``; nothing if it is sound."""
    fields = {name: state[name].tolist() for name in STATE.fields}
    yield from _wrong_cards(fields)
    yield from _wrong_phase(fields)


def _wrong_cards(s: Mapping[str, Any]) -> Iterator[str]:
    at: dict[int, list[int]] = {place: [] for place in range(Place.ABSENT + 1)}
    for card, place in enumerate(s["where"]):
        at[place].append(card)
    pawns = [] if s["pawns"] else list(range(FIRST_PAWN, EXCUSE))
    if at[Place.ABSENT] != pawns + ([] if s["excuse"] else [EXCUSE]):
        yield "where: the cards in play do not fit the options"
    for seat in range(SEATS):
        held = sorted(s["card_deck"][card] for card in at[seat])
        size = s["hand_size"][seat] if seat < s["num_players"] else 0
        if len(held) != size or s["drawn"][seat] != held + [-1] * (NUM_CARDS - size):
            yield f"hand_size or drawn do not fit the cards of seat {seat}"
    size, deck = s["deck_size"], s["deck"]
    if sorted(deck[:size]) != at[Place.DECK] or set(deck[size:]) - {NO_CARD}:
        yield "deck or deck_size do not fit the cards in the deck"
    elif any(s["card_deck"][card] != s["deck_number"] for card in at[Place.DECK]):
        yield "card_deck: a card in the deck is of another one"
    if any(not 1 <= low <= high for low, high in s["dice"][: s["problems"]]):
        yield "dice are not pairs with the lower one first"


def _wrong_phase(s: Mapping[str, Any]) -> Iterator[str]:
    phase, attempt, force = s["phase"], s["attempt_card"], s["attempt_force"]
    running = s["status"] == RUNNING
    if running != (s["actor"] >= 0) or running != (s["outcome"] == Outcome.OPEN):
        yield "status, actor and outcome do not agree"
        return
    if not running:
        return
    if (phase == Phase.BLOCK) != (force >= 0) or (force >= 0) != (attempt >= 0):
        yield "attempt_card and attempt_force do not fit the phase"
    elif phase == Phase.BLOCK and s["where"][attempt] != Place.TABLE:
        yield "attempt_card is not on the table"
    if (phase == Phase.PAYMENT) != (s["solve_problem"] >= 0):
        yield "solve_problem does not fit the phase"
    if phase == Phase.ESCALATION and s["escalating"] < 0:
        yield "escalating does not fit the phase"
    decides = s["owner"][force] if phase == Phase.BLOCK else s["active"]
    if phase != Phase.AVERT and s["actor"] != decides:
        yield "actor does not fit the phase"
