"""Small positions of Chancellors whose hidden deals can be enumerated, and walks through logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, get_game
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.state import NO_CARD, Event, Phase, Place
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECRET
from concilium.envs.core.state import Records, new_records, plain_records

PLAYS = (Event.ATTEMPT, Event.BLOCKED, Event.COMMIT, Event.AVERTED)
"""Events by which a card leaves a hand in the open."""


def position(
    hands: Mapping[int, Sequence[tuple[int, int]]], deck: Sequence[int], *, num_players: int,
    deck_number: int = 0,
) -> tuple[BoundGame, Records]:  # fmt: skip
    """Make a State of Chancellors, card by card, with nothing in its log.

    Args:
        hands: for each seat the cards held, each with the number of the deck it was drawn from,
            those in the order of drawing.
        deck: the cards of the present deck, the last drawn next.
        num_players: seats at the table.
        deck_number: number of the present deck.
    """
    bound = get_game("chancellors").bind(num_players=num_players, excuse=True, pawns=True)
    states = bound.new_state(1)
    state = plain_records(states)
    state["log"] = 0
    state["log_count"] = 0
    state["phase"] = Phase.MAIN
    state["active"] = state["actor"] = 0
    state["where"] = Place.DISCARD
    state["card_deck"] = deck_number
    state["deck_number"] = deck_number
    state["deck"] = NO_CARD
    state["deck"][0, : len(deck)] = deck
    state["where"][0, list(deck)] = Place.DECK
    state["deck_size"] = len(deck)
    state["drawn"] = -1
    state["hand_size"] = 0
    for seat, cards in hands.items():
        state["hand_size"][0, seat] = len(cards)
        for k, (card, number) in enumerate(cards):
            state["where"][0, card] = seat
            state["card_deck"][0, card] = number
            state["drawn"][0, seat, k] = number
    assert (bound.census(states)[NUM_CARDS:] == 0).all()
    return bound, states


def add_event(states: Records, kind: int, seat: int, first: int, third: int, secret: int) -> None:
    """Append an event that everybody notices and whose secret the seat alone knows."""
    state = plain_records(states)
    row = int(state["log_count"][0])
    state["log"][0, row] = (kind, seat, first, 0, third, secret, 1 << seat, -1)
    state["log_count"] = row + 1


def resample(bound: BoundGame, states: Records, viewer: int, count: int, seed: int) -> Records:
    """Resample the View of ``viewer`` so many times, in one batch."""
    views = np.repeat(plain_records(bound.view(states, viewer)), count)
    seeds = np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)
    given, out = new_records(count, bound.game.dtype), new_records(count, bound.game.dtype)
    plain_records(given)[:] = views
    bound.game.kernels.determinize_many(given, seeds, out, 0, count)
    return out


def deals(states: Records, seats: int) -> list[tuple[Any, ...]]:
    """For each State: the set of cards in each hand, and the deck in order."""
    plain = plain_records(states)
    found = []
    for where, deck, size in zip(plain["where"], plain["deck"], plain["deck_size"], strict=True):
        hands = tuple(tuple(np.flatnonzero(where == seat).tolist()) for seat in range(seats))
        found.append((*hands, tuple(deck[: int(size)].tolist())))
    return found


@dataclass
class LogWalk:
    """Follows the cards of a State through its log, from the first event to the present.

    Raises AssertionError where an event is impossible: a card played that is not in the hand, drawn
    while it is in a hand, or drawn from a deck that it cannot have been in.
    """

    record: Any

    def events(self) -> NDArray[np.int64]:
        """The events that the log still holds, oldest first."""
        log, count = self.record["log"], int(self.record["log_count"])
        rows = np.arange(max(0, count - len(log)), count) % len(log)
        events: NDArray[np.int64] = log[rows].astype(np.int64)
        return events

    def first_hands(self) -> list[set[int]]:
        """Hands before the first event: going back, plays return to the hand, draws leave it."""
        seats = int(self.record["num_players"])
        hands = [
            set(np.flatnonzero(self.record["where"] == seat).tolist()) for seat in range(seats)
        ]
        for event in self.events()[::-1]:
            seat = int(event[ACTOR])
            if event[EVENT] in PLAYS:
                assert int(event[FIRST]) not in hands[seat]
                hands[seat].add(int(event[FIRST]))
            elif event[EVENT] == Event.DRAW:
                assert int(event[SECRET]) in hands[seat], "drawn, and neither held nor played since"
                hands[seat].remove(int(event[SECRET]))
        return hands

    def check(self) -> int:
        """Walk forward; return the number of events that concern cards."""
        hands = self.first_hands()
        events = self.events()
        deck = int(self.record["deck_number"]) - int((events[:, EVENT] == Event.SHUFFLE).sum())
        elsewhere = set().union(*hands)  # cards that are certainly not in the present deck
        concerned = 0
        for event in events:
            kind, seat = int(event[EVENT]), int(event[ACTOR])
            if kind in PLAYS:
                assert int(event[FIRST]) in hands[seat], "played and not held"
                hands[seat].remove(int(event[FIRST]))
            elif kind == Event.SHUFFLE:
                deck += 1
                assert int(event[FIRST]) == deck
                elsewhere = set().union(*hands)
            elif kind == Event.DRAW:
                card = int(event[SECRET])
                assert int(event[FIRST]) == deck
                assert card not in elsewhere, "drawn from a deck without it"
                assert int(self.record["where"][card]) != Place.ABSENT
                hands[seat].add(card)
                elsewhere.add(card)  # also after it is played: it comes back with the next deck
            concerned += kind in (*PLAYS, Event.DRAW)
        for seat, cards in enumerate(hands):
            assert cards == set(np.flatnonzero(self.record["where"] == seat).tolist())
        return concerned
