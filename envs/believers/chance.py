"""All chance after the deal, and where cards come from and go to (B13).

No deck has an order in the State. A card that nobody can know yet is drawn at random when it is
needed: that comes to the same as shuffling before, because nobody ever sees into a deck but a
Herald, whose Mission is fixed when it is seen.
"""

from __future__ import annotations

import numpy as np

from concilium.envs.believers.state import (
    DISCIPLES,
    GIVEN,
    KINDS,
    NONE,
    PAIRS,
    Event,
    State,
)
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import Cells


@jit
def random_index(s: State, weights: Cells, total: int) -> int:
    """Draw an index of ``weights``, whole numbers that add up to ``total``, in proportion."""
    left = below(s, total)
    for k in range(weights.shape[0]):
        left -= weights[k]
        if left < 0:
            return k
    return NONE


# Virtues -------------------------------------------------------------------------------------


@jit
def add_card(s: State, seat: int, kind: int) -> None:
    """Put a Virtue into a hand."""
    s.hand[seat, kind] = s.hand[seat, kind] + 1
    s.hand_count[seat] = s.hand_count[seat] + 1


@jit
def remove_card(s: State, seat: int, kind: int) -> None:
    """Take a Virtue out of a hand."""
    s.hand[seat, kind] = s.hand[seat, kind] - 1
    s.hand_count[seat] = s.hand_count[seat] - 1


@jit
def random_card(s: State, seat: int) -> int:
    """Choose a random Virtue of a hand that is not empty; it stays there."""
    return random_index(s, s.hand[seat], s.hand_count[seat])


@jit
def pass_random_card(s: State, giver: int, taker: int) -> int:
    """Move a random Virtue from one hand to another; return its kind, NONE if there is none."""
    if s.hand_count[giver] == 0:
        return NONE
    kind = random_card(s, giver)
    remove_card(s, giver, kind)
    add_card(s, taker, kind)
    return kind


@jit
def draw_card(s: State) -> int:
    """B13: take the top of the Virtue deck, renewed if need be; NONE if there is no card at all."""
    if s.deck_size == 0:
        _renew_deck(s, s.discards)
    if s.deck_size == 0:
        _renew_deck(s, s.finished)
    if s.deck_size == 0:
        return NONE
    kind = random_index(s, s.deck, s.deck_size)
    s.deck[kind] = s.deck[kind] - 1
    s.deck_size = s.deck_size - 1
    return kind


@jit
def _renew_deck(s: State, pile: Cells) -> None:
    size = 0
    for kind in range(KINDS):
        s.deck[kind] = pile[kind]
        size += pile[kind]
        pile[kind] = 0
    s.deck_size = size


@jit
def draw_to_hand(s: State, seat: int, why: int) -> None:
    """The seat draws a Virtue, which it alone sees."""
    kind = draw_card(s)
    if kind != NONE:
        add_card(s, seat, kind)
        log_event(s, Event.DREW, seat, why, 0, 0, kind, 1 << seat, EVERYBODY)


@jit
def random_gift(s: State) -> int:
    """Blindness: a random one of the two Virtues in the tablet."""
    kind: int = s.gift[random_index(s, np.ones(GIVEN, np.int64), GIVEN)]
    return kind


# Missions and Disciples ----------------------------------------------------------------------


@jit
def missions_left(s: State, left: Cells) -> int:
    """Write the undrawn Missions of each pair into ``left (PAIRS,)``; return how many they are.

    Those are all that were never turned up and that no Herald has seen.
    """
    total = 0
    for pair in range(PAIRS):
        left[pair] = s.mission_copies[pair]
        total += left[pair]
    for number in range(s.mission_pair.shape[0]):
        if s.mission_pair[number] != NONE:
            left[s.mission_pair[number]] -= 1
            total -= 1
    for k in range(s.under_count):
        if s.under[k] != NONE:
            left[s.under[k]] -= 1
            total -= 1
    if s.next_mission != NONE:
        left[s.next_mission] -= 1
        total -= 1
    return total


@jit
def fix_next_mission(s: State) -> None:
    """Let it be settled which Mission is on top of the deck."""
    if s.next_mission != NONE:
        return
    left = np.empty(PAIRS, np.int64)
    total = missions_left(s, left)
    if total > 0:
        s.next_mission = random_index(s, left, total)
        s.next_seen = 0
        return
    s.next_mission = s.under[0]  # all others are gone: the first that was put under
    s.next_seen = s.under_seen[0]
    count = s.under_count - 1
    s.under_count = count
    for k in range(count):
        s.under[k] = s.under[k + 1]
        s.under_seen[k] = s.under_seen[k + 1]
    s.under[count] = NONE
    s.under_seen[count] = 0


@jit
def show_disciple(s: State, pile: int) -> int:
    """Turn to the Disciple beneath the one that was taken from a pile; NONE if there is none."""
    s.pile_size[pile] = s.pile_size[pile] - 1
    s.pile_top[pile] = NONE
    if s.pile_size[pile] == 0:
        return NONE
    total = 0
    for name in range(DISCIPLES):
        total += s.buried[name]
    name = random_index(s, s.buried, total)
    s.buried[name] = s.buried[name] - 1
    s.pile_top[pile] = name
    return name
