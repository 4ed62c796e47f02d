"""What a policy sees of Chancellors: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the perfect-information vector they are
absolute. Segments for seats, problems and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors.cards import MATCHING_RANK, NUM_CARDS, NUM_FORCES
from concilium.envs.chancellors.payment import payment_ranks, solve_target
from concilium.envs.chancellors.state import (
    DECK,
    DISCARD,
    LET_GO_HORIZON,
    PROBLEMS,
    SEATS,
    SOLVES_COUNTED,
    TABLE,
)
from concilium.envs.core.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING, UNKNOWN

_PHASES: Final = 5
_HUNDREDS: Final = 80  # target_score and max_turns are at most 8000
_RANKS_COUNTED: Final = 120  # cap of the sums of ranks

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (SEATS,), 0, 1, "the seat is to decide"),
    ("active", (SEATS,), 0, 1, "the seat whose turn it is"),
    ("phase", (_PHASES,), 0, 1, "action, block, payment, escalation, avert; all 0 when over"),
    ("outcome", (3,), 0, 1, "won, calamity, out of time; all 0 while running"),
    ("options", (3,), 0, 1, "Excuse in play, Pawns in play, lowest score wins a calamity"),
    ("problem_exists", (PROBLEMS,), 0, 1, "the problem is on the table"),
    ("problem_solved", (PROBLEMS,), 0, 1, "solved in this turn"),
    ("die_low", (PROBLEMS, 6), 0, 1, "lower die shows 1 … 6"),
    ("die_high", (PROBLEMS, 6), 0, 1, "higher die shows 1 … 6"),
    ("force_owner", (NUM_FORCES, SEATS), 0, 1, "Sailor, Soldier, Diplomat: the seat in control"),
    ("points_needed_100s", (SEATS,), 0, _HUNDREDS, "hundreds of the points to the target score"),
    ("points_needed", (SEATS,), 0, 99, "the rest of the points to the target score"),
    ("turns_left_100s", (1,), 0, _HUNDREDS, "hundreds of the player turns left"),
    ("turns_left", (1,), 0, 99, "the rest of the player turns left"),
    ("hand_size", (SEATS,), 0, NUM_CARDS, "cards in hand"),
    ("deck_size", (1,), 0, NUM_CARDS, "cards in the deck"),
    ("discarded", (NUM_CARDS,), 0, 1, "card in the discard pile"),
    ("on_table", (NUM_CARDS,), 0, 1, "card of the pending attempt or payment"),
    ("force_asked", (NUM_FORCES,), 0, 1, "force of the pending attempt that is asked about"),
    ("solving", (PROBLEMS,), 0, 1, "problem being paid for"),
    ("solving_quietly", (1,), 0, 1, "only the lower die is being met"),
    ("still_to_pay", (1,), 0, 12, "ranks missing to the target of the payment"),
    ("escalating", (PROBLEMS,), 0, 1, "problem whose escalation is being decided"),
    ("kept_silent", (1,), 0, SEATS - 1, "players that have kept silent about a 6-6"),
    ("card_age", (NUM_CARDS,), 0, NUM_CARDS, "for a card in a hand or the deck: how many different "
     "decks, this one included, such cards last came from, counting from the newest to its own"),
    ("let_go_rank", (SEATS, NUM_FORCES), 0, 10, "rank + 1 of the last attempt that the seat let "
     "pass on the force, 0 if none"),
    ("let_go_draws", (SEATS, NUM_FORCES), 0, LET_GO_HORIZON, "cards drawn since, or ever"),
    ("solves", (SEATS, 2), 0, SOLVES_COUNTED, "problems solved publicly, quietly"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    ("own_hand", (NUM_CARDS,), 0, 1, "card in own hand"),
    ("own_ranks", (NUM_FORCES,), 0, _RANKS_COUNTED, "sum of ranks in hand that match the force"),
    ("own_payment", (1,), 0, _RANKS_COUNTED, "sum of ranks in hand that match an own force"),
    ("places", (SEATS - 1, NUM_CARDS), 0, NUM_CARDS, "for a card not seen: places in the other "
     "seat's hand that it may take (for cards of its deck)"),
)  # fmt: skip

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    ("holder", (NUM_CARDS, SEATS), 0, 1, "card in the hand of the seat (absolute)"),
    (
        "draw_order",
        (NUM_CARDS,),
        0,
        NUM_CARDS,
        "1 for the card drawn next, and so on; 0: not there",
    ),
)

# Offsets as plain numbers, because compiled code takes no objects
_AT: Final = OBSERVATION.start
_EXISTS: Final = _AT("seat_exists")
_TO_ACT: Final = _AT("to_act")
_ACTIVE: Final = _AT("active")
_PHASE: Final = _AT("phase")
_OUTCOME: Final = _AT("outcome")
_OPTIONS: Final = _AT("options")
_PROBLEM_EXISTS: Final = _AT("problem_exists")
_PROBLEM_SOLVED: Final = _AT("problem_solved")
_DIE_LOW: Final = _AT("die_low")
_DIE_HIGH: Final = _AT("die_high")
_FORCE_OWNER: Final = _AT("force_owner")
_NEEDED_100S: Final = _AT("points_needed_100s")
_NEEDED: Final = _AT("points_needed")
_LEFT_100S: Final = _AT("turns_left_100s")
_LEFT: Final = _AT("turns_left")
_HAND_SIZE: Final = _AT("hand_size")
_DECK_SIZE: Final = _AT("deck_size")
_DISCARDED: Final = _AT("discarded")
_ON_TABLE: Final = _AT("on_table")
_FORCE_ASKED: Final = _AT("force_asked")
_SOLVING: Final = _AT("solving")
_QUIETLY: Final = _AT("solving_quietly")
_TO_PAY: Final = _AT("still_to_pay")
_ESCALATING: Final = _AT("escalating")
_SILENT: Final = _AT("kept_silent")
_CARD_AGE: Final = _AT("card_age")
_LET_GO_RANK: Final = _AT("let_go_rank")
_LET_GO_DRAWS: Final = _AT("let_go_draws")
_SOLVES: Final = _AT("solves")
_OWN_HAND: Final = _AT("own_hand")
_OWN_RANKS: Final = _AT("own_ranks")
_OWN_PAYMENT: Final = _AT("own_payment")
_PLACES: Final = _AT("places")
_HOLDER: Final = STATE_LAYOUT.start("holder")
_DRAW_ORDER: Final = STATE_LAYOUT.start("draw_order")


@jit
def encode(v: Any, out: Any) -> None:
    """Fill ``out (OBSERVATION.size,) int8`` from a View; a spectator's begins with seat 0."""
    viewer = np.int64(v.viewer)
    base = max(viewer, 0)
    _encode_seats(v, base, out)
    _encode_table(v, out)
    _encode_cards(v, out)
    if viewer >= 0:
        _encode_hand(v, viewer, out)
    _encode_places(v, base, out)


@jit
def encode_state(s: Any, out: Any) -> None:
    """Fill ``out (STATE_LAYOUT.size,) int8`` from a State: public part, hands, deck order."""
    _encode_seats(s, 0, out)
    _encode_table(s, out)
    _encode_cards(s, out)
    for card in range(NUM_CARDS):
        place = np.int64(s.where[card])
        if 0 <= place < SEATS:
            out[_HOLDER + SEATS * card + place] = 1
    size = np.int64(s.deck_size)
    for k in range(size):
        out[_DRAW_ORDER + np.int64(s.deck[k])] = size - k


@jit
def _encode_seats(v: Any, base: Any, out: Any) -> None:
    n = np.int64(v.num_players)
    for seat in range(n):
        me = (seat - base) % n
        out[_EXISTS + me] = 1
        needed = max(np.int64(v.target_score) - np.int64(v.score[seat]), 0)
        out[_NEEDED_100S + me] = needed // 100
        out[_NEEDED + me] = needed % 100
        out[_HAND_SIZE + me] = v.hand_size[seat]
        for force in range(NUM_FORCES):
            out[_LET_GO_RANK + NUM_FORCES * me + force] = v.let_go_rank[seat, force]
            out[_LET_GO_DRAWS + NUM_FORCES * me + force] = v.let_go_draws[seat, force]
            if v.owner[force] == seat:
                out[_FORCE_OWNER + SEATS * force + me] = 1
        out[_SOLVES + 2 * me] = v.solves[seat, 0]
        out[_SOLVES + 2 * me + 1] = v.solves[seat, 1]
    out[_ACTIVE + (np.int64(v.active) - base) % n] = 1
    if v.status == RUNNING:
        out[_TO_ACT + (np.int64(v.actor) - base) % n] = 1


@jit
def _encode_table(v: Any, out: Any) -> None:
    if v.status == RUNNING:
        out[_PHASE + np.int64(v.phase)] = 1
    else:
        out[_OUTCOME + np.int64(v.outcome) - 1] = 1
    out[_OPTIONS] = v.excuse
    out[_OPTIONS + 1] = v.pawns
    out[_OPTIONS + 2] = v.lowest_wins
    for problem in range(np.int64(v.problems)):
        out[_PROBLEM_EXISTS + problem] = 1
        out[_PROBLEM_SOLVED + problem] = v.solved[problem]
        out[_DIE_LOW + 6 * problem + np.int64(v.dice[problem, 0]) - 1] = 1
        out[_DIE_HIGH + 6 * problem + np.int64(v.dice[problem, 1]) - 1] = 1
    left = np.int64(v.max_turns) - np.int64(v.turns)
    out[_LEFT_100S] = left // 100
    out[_LEFT] = left % 100
    if v.attempt_force >= 0:
        out[_FORCE_ASKED + np.int64(v.attempt_force)] = 1
    if v.solve_problem >= 0:
        problem = np.int64(v.solve_problem)
        out[_SOLVING + problem] = 1
        out[_QUIETLY] = v.solve_quiet
        out[_TO_PAY] = solve_target(v, problem, np.int64(v.solve_quiet)) - np.int64(v.solve_paid)
    if v.escalating >= 0:
        out[_ESCALATING + np.int64(v.escalating)] = 1
    out[_SILENT] = v.asked


@jit
def _encode_cards(v: Any, out: Any) -> None:
    out[_DECK_SIZE] = v.deck_size
    for card in range(NUM_CARDS):
        out[_DISCARDED + card] = v.where[card] == DISCARD
        out[_ON_TABLE + card] = v.where[card] == TABLE
    ages = out[_CARD_AGE : _CARD_AGE + NUM_CARDS]
    age = 0
    deck = _next_deck(v, np.int64(v.deck_number) + 1)
    while deck >= 0:
        age += 1
        for card in range(NUM_CARDS):
            ages[card] += age * ((v.where[card] <= DECK) & (v.card_deck[card] == deck))
        deck = _next_deck(v, deck)


@jit
def _next_deck(v: Any, before: Any) -> Any:
    """The newest deck before ``before`` that a card out of sight last came from, or -1."""
    newest = np.int64(-1)
    for card in range(NUM_CARDS):
        deck = np.int64(v.card_deck[card])
        newest = max(newest, deck if (v.where[card] <= DECK) & (deck < before) else -1)
    return newest


@jit
def _encode_hand(v: Any, viewer: Any, out: Any) -> None:
    for card in range(NUM_CARDS):
        out[_OWN_HAND + card] = v.where[card] == viewer
    for force in range(NUM_FORCES):
        total = 0
        for card in range(NUM_CARDS):
            total += MATCHING_RANK[force, card] * (v.where[card] == viewer)
        out[_OWN_RANKS + force] = min(total, _RANKS_COUNTED)
    out[_OWN_PAYMENT] = min(payment_ranks(v, viewer), _RANKS_COUNTED)


@jit
def _encode_places(v: Any, base: Any, out: Any) -> None:
    """For each card not seen and each other seat: the seat's places for cards of that deck."""
    n = np.int64(v.num_players)
    ages = out[_CARD_AGE : _CARD_AGE + NUM_CARDS]
    age = np.int8(0)
    deck = _next_deck(v, np.int64(v.deck_number) + 1)
    while deck >= 0:
        age = np.int8(age + 1)
        for other in range(1, n):
            seat = (base + other) % n
            start = _PLACES + NUM_CARDS * (other - 1)
            places = out[start : start + NUM_CARDS]
            free = np.int8(0)
            for k in range(NUM_CARDS):
                free += np.int8(v.drawn[seat, k] == deck)
            for card in range(NUM_CARDS):
                hidden = (v.where[card] == UNKNOWN) & (ages[card] == age)
                places[card] |= free if hidden else np.int8(0)
        deck = _next_deck(v, deck)
