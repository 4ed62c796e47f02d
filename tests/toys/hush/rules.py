"""The rules of Hush as functions of one record."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import EVERYBODY, log_event, log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.layout import action_table
from concilium.envs.core.rng import below, shuffle
from concilium.envs.core.state import TERMINATED, TRUNCATED, UNKNOWN
from tests.toys.hush.state import (
    ANSWER,
    CARDS,
    CLAIMED,
    DECK,
    DISCARD,
    DRAWN,
    ENDED,
    GOAL,
    LOOKED,
    NO_CARD,
    NO_CARDS,
    OBJECTED,
    OPEN,
    OUT_OF_TIME,
    PASSED,
    QUIET,
    SCORED,
    SEATS,
    SWAPPED,
    TABLE,
    TURN,
)

ACTIONS: Final = action_table(
    ("claim", 1, "lay the own card down for a point"),
    ("swap", 1, "discard the own card and draw another"),
    ("wait", 1, "do nothing"),
    ("look", SEATS - 1, "look at the card of the first, second, third player clockwise"),
    ("pass", 1, "let a claim be"),
    ("object", 1, "beat a claim with the own card"),
)
CLAIM: Final = ACTIONS.start("claim")
SWAP: Final = ACTIONS.start("swap")
WAIT: Final = ACTIONS.start("wait")
LOOK: Final = ACTIONS.start("look")
PASS: Final = ACTIONS.start("pass")
OBJECT: Final = ACTIONS.start("object")


@jit
def reset(s: Any) -> None:
    """Choose who begins, shuffle, deal one card each."""
    n = np.int64(s.num_players)
    s.active = below(s, n)
    for card in range(CARDS):
        s.where[card] = DECK
        s.deck[card] = card
    s.deck_size = CARDS
    shuffle(s, s.deck, CARDS)
    s.claimed = NO_CARD
    s.winner = -1
    s.outcome = OPEN
    for k in range(n):
        draw(s, (np.int64(s.active) + k) % n)
    s.phase = TURN
    s.actor = s.active


@jit
def held(s: Any, seat: Any) -> Any:
    """The card that the seat holds, as far as the record tells; NO_CARD if it does not."""
    for card in range(CARDS):
        if s.where[card] == seat:
            return card
    return NO_CARD


@jit
def draw(s: Any, seat: Any) -> Any:
    """Draw a card; return 0 if there is none."""
    last = np.int64(s.deck_size) - 1
    if last < 0:
        return 0
    card = np.int64(s.deck[last])
    s.deck[last] = NO_CARD
    s.deck_size = last
    s.where[card] = seat
    s.holds[seat] = 1
    log_event(s, DRAWN, seat, 0, 0, 0, card, np.int64(1) << seat, EVERYBODY)
    return 1


@jit
def give_up(s: Any, seat: Any, place: Any) -> Any:
    """Put the seat's card at ``place``; nobody knows the next one."""
    card = held(s, seat)
    s.where[card] = place
    s.holds[seat] = 0
    for looker in range(SEATS):
        s.seen[looker, seat] = 0
    return card


@jit
def legal_actions(s: Any, mask: Any) -> None:
    """Everybody is asked about a claim, able to object or not."""
    if s.phase == TURN:
        mask[CLAIM] = 1
        mask[WAIT] = 1
        if s.deck_size > 0:
            mask[SWAP] = 1
        for k in range(np.int64(s.num_players) - 1):
            mask[LOOK + k] = 1
    else:
        mask[PASS] = 1
        if held(s, np.int64(s.actor)) > s.claimed:
            mask[OBJECT] = 1


@jit
def step(s: Any, action: Any) -> None:
    """Take a legal action."""
    seat = np.int64(s.actor)
    if action == CLAIM:
        claim(s, seat)
    elif action == SWAP:
        log_public(s, SWAPPED, seat, give_up(s, seat, DISCARD), 0, 0)
        next_turn(s, draw(s, seat))
    elif action == WAIT:
        log_public(s, QUIET, seat, 0, 0, 0)
        next_turn(s, 1)
    elif action < PASS:
        look(s, seat, (seat + 1 + action - LOOK) % np.int64(s.num_players))
        next_turn(s, 1)
    elif action == PASS:
        log_public(s, PASSED, seat, 0, 0, 0)
        ask_next(s)
    else:
        objection(s, seat)


@jit
def claim(s: Any, seat: Any) -> None:
    """Lay the card on the table and ask the others, clockwise."""
    s.claimed = give_up(s, seat, TABLE)
    log_public(s, CLAIMED, seat, s.claimed, 0, 0)
    s.phase = ANSWER
    s.asked = 0
    ask_next(s)


@jit
def ask_next(s: Any) -> None:
    """Ask the next player about the claim, or score it when nobody is left."""
    n = np.int64(s.num_players)
    s.asked = np.int64(s.asked) + 1
    if np.int64(s.asked) < n:
        s.actor = (np.int64(s.active) + np.int64(s.asked)) % n
        return
    seat = np.int64(s.active)
    s.score[seat] = np.int64(s.score[seat]) + 1
    log_public(s, SCORED, seat, 0, 0, 0)
    clear_table(s)
    if s.score[seat] >= s.goal:
        s.winner = seat
        end(s, GOAL, TERMINATED)
    else:
        next_turn(s, draw(s, seat))


@jit
def objection(s: Any, seat: Any) -> None:
    """Both cards are discarded and replaced, the claimant's first."""
    log_public(s, OBJECTED, seat, give_up(s, seat, DISCARD), 0, 0)
    clear_table(s)
    enough = draw(s, np.int64(s.active))
    if enough == 1:
        enough = draw(s, seat)
    next_turn(s, enough)


@jit
def clear_table(s: Any) -> None:
    """The claim is decided."""
    s.where[np.int64(s.claimed)] = DISCARD
    s.claimed = NO_CARD
    s.asked = 0
    s.phase = TURN


@jit
def look(s: Any, seat: Any, other: Any) -> None:
    """Look at a card; others only notice a quiet turn."""
    log_public(s, QUIET, seat, 0, 0, 0)
    s.seen[seat, other] = 1
    bit = np.int64(1) << seat
    log_event(s, LOOKED, seat, other, 0, 0, held(s, other), bit, bit)


@jit
def next_turn(s: Any, enough: Any) -> None:
    """Pass the turn, unless a card was missing or time is up."""
    n = np.int64(s.num_players)
    s.turns = np.int64(s.turns) + 1
    if enough == 0:
        _count_points(s, n)
        end(s, NO_CARDS, TERMINATED)
    elif s.turns >= np.int64(s.rounds) * n:
        end(s, OUT_OF_TIME, TRUNCATED)
    else:
        s.active = (np.int64(s.active) + 1) % n
        s.actor = s.active


@jit
def _count_points(s: Any, n: Any) -> None:
    """The single highest score wins; a tie has no winner."""
    for seat in range(n):
        better = 1
        for other in range(n):
            if other != seat and s.score[other] >= s.score[seat]:
                better = 0
        if better == 1:
            s.winner = seat


@jit
def end(s: Any, outcome: Any, status: Any) -> None:
    """End the game."""
    s.outcome = outcome
    s.status = status
    s.actor = UNKNOWN
    log_public(s, ENDED, s.winner, outcome, 0, 0)


@jit
def returns(s: Any, out: Any) -> None:
    """The winner gets 1 from the others together; without a winner nobody gets anything."""
    n = np.int64(s.num_players)
    if s.winner >= 0:
        for seat in range(n):
            out[seat] = 1.0 if seat == s.winner else -1.0 / (n - 1)


@jit
def census(s: Any, out: Any) -> None:
    """Each card is somewhere, and the deck is as large as it says."""
    for card in range(CARDS):
        out[card] = 1 if 0 <= s.where[card] <= TABLE else 0
        if s.where[card] == DECK:
            out[CARDS] += 1
    out[CARDS] -= np.int64(s.deck_size)


@jit
def kind(s: Any) -> Any:
    """The phase."""
    return np.int64(s.phase)
