"""What a policy sees of Chancellors: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the state vector they are
absolute. Segments for seats, problems and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import MATCHING_RANK, NUM_CARDS, NUM_FORCES
from concilium.envs.chancellors.payment import payment_ranks, solve_target
from concilium.envs.chancellors.state import Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING, UNKNOWN

_HUNDREDS: Final = 80  # target_score and max_turns are at most 8000
_RANKS_COUNTED: Final = 120  # cap of the sums of ranks
_COUNTED: Final = f"; counted to {_RANKS_COUNTED}"

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (S.SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (S.SEATS,), 0, 1, "the seat is to decide"),
    ("active", (S.SEATS,), 0, 1, "the seat whose turn it is"),
    ("phase", (len(Phase),), 0, 1, "action, block, payment, escalation, avert; all 0 when over"),
    ("outcome", (3,), 0, 1, "won, calamity, out of time; all 0 while running"),
    ("options", (3,), 0, 1, "Excuse in play, Pawns in play, lowest score wins a calamity"),
    ("problem_exists", (S.PROBLEMS,), 0, 1, "the problem is on the table"),
    ("problem_solved", (S.PROBLEMS,), 0, 1, "solved in this turn"),
    ("die_low", (S.PROBLEMS, 6), 0, 1, "lower die shows 1 … 6"),
    ("die_high", (S.PROBLEMS, 6), 0, 1, "higher die shows 1 … 6"),
    ("force_owner", (NUM_FORCES, S.SEATS), 0, 1, "Sailor, Soldier, Diplomat: the seat in control"),
    ("points_needed_100s", (S.SEATS,), 0, _HUNDREDS, "hundreds of the points to the target score"),
    ("points_needed", (S.SEATS,), 0, 99, "the rest of the points to the target score"),
    ("turns_left_100s", (1,), 0, _HUNDREDS, "hundreds of the player turns left"),
    ("turns_left", (1,), 0, 99, "the rest of the player turns left"),
    ("hand_size", (S.SEATS,), 0, NUM_CARDS, "cards in hand"),
    ("deck_size", (1,), 0, NUM_CARDS, "cards in the deck"),
    ("discarded", (NUM_CARDS,), 0, 1, "card in the discard pile"),
    ("on_table", (NUM_CARDS,), 0, 1, "card of the pending attempt or payment"),
    ("force_asked", (NUM_FORCES,), 0, 1, "force of the pending attempt that is asked about"),
    ("solving", (S.PROBLEMS,), 0, 1, "problem being paid for"),
    ("solving_quietly", (1,), 0, 1, "only the lower die is being met"),
    ("still_to_pay", (1,), 0, 12, "ranks missing to the target of the payment"),
    ("escalating", (S.PROBLEMS,), 0, 1, "problem whose escalation is being decided"),
    ("kept_silent", (1,), 0, S.SEATS - 1, "players that have kept silent about a 6-6"),
    ("card_age", (NUM_CARDS,), 0, NUM_CARDS, "for a card in a hand or the deck: how many different "
     "decks, this one included, such cards last came from, counting from the newest to its own"),
    ("let_go_rank", (S.SEATS, NUM_FORCES), 0, 10, "rank + 1 of the last attempt that the seat let "
     "pass on the force, 0 if none"),
    ("let_go_draws", (S.SEATS, NUM_FORCES), 0, S.LET_GO_HORIZON, "cards drawn since, or ever; "
     f"counted to {S.LET_GO_HORIZON}"),
    ("solves", (S.SEATS, 2), 0, S.SOLVES_COUNTED, "problems solved publicly, quietly; "
     f"counted to {S.SOLVES_COUNTED}"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    ("own_hand", (NUM_CARDS,), 0, 1, "card in own hand"),
    ("own_ranks", (NUM_FORCES,), 0, _RANKS_COUNTED, "sum of ranks in hand that match the force"
     + _COUNTED),
    ("own_payment", (1,), 0, _RANKS_COUNTED, "sum of ranks in hand that match an own force"
     + _COUNTED),
    ("places", (S.SEATS - 1, NUM_CARDS), 0, NUM_CARDS, "for a card not seen: places in the other "
     "seat's hand that it may take (for cards of its deck)"),
)  # fmt: skip

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    ("holder", (NUM_CARDS, S.SEATS), 0, 1, "card in the hand of the seat (absolute)"),
    ("draw_order", (NUM_CARDS,), 0, NUM_CARDS, "1 for the card drawn next, and so on; 0: not "
     "there"),
)  # fmt: skip


@jit
def encode(v: State, out: Any) -> None:
    """Fill the observation of a View; a spectator's begins with seat 0."""
    viewer = v.viewer
    base = max(viewer, 0)
    _encode_seats(v, base, out)
    _encode_table(v, out)
    _encode_cards(v, out)
    if viewer >= 0:
        _encode_hand(v, viewer, out)
    _encode_places(v, base, out)


@jit
def encode_state(s: State, out: Any) -> None:
    """Fill the state vector of a State: public part, hands, deck order."""
    _encode_seats(s, 0, out)
    _encode_table(s, out)
    _encode_cards(s, out)
    for card in range(NUM_CARDS):
        if s.where[card] < S.SEATS:
            out.holder[card, s.where[card]] = 1
    for k in range(s.deck_size):
        out.draw_order[s.deck[k]] = s.deck_size - k


@jit
def _encode_seats(v: State, base: int, out: Any) -> None:
    n = v.num_players
    for seat in range(n):
        me = (seat - base) % n
        out.seat_exists[me] = 1
        needed = max(v.target_score - v.score[seat], 0)
        out.points_needed_100s[me] = needed // 100
        out.points_needed[me] = needed % 100
        out.hand_size[me] = v.hand_size[seat]
        for force in range(NUM_FORCES):
            out.let_go_rank[me, force] = v.let_go_rank[seat, force]
            out.let_go_draws[me, force] = v.let_go_draws[seat, force]
            if v.owner[force] == seat:
                out.force_owner[force, me] = 1
        for quiet in range(2):
            out.solves[me, quiet] = v.solves[seat, quiet]
    out.active[(v.active - base) % n] = 1
    if v.status == RUNNING:
        out.to_act[(v.actor - base) % n] = 1


@jit
def _encode_table(v: State, out: Any) -> None:
    if v.status == RUNNING:
        out.phase[v.phase] = 1
    else:
        out.outcome[v.outcome - 1] = 1
    out.options[0] = v.excuse
    out.options[1] = v.pawns
    out.options[2] = v.lowest_wins
    for problem in range(v.problems):
        out.problem_exists[problem] = 1
        out.problem_solved[problem] = v.solved[problem]
        out.die_low[problem, v.dice[problem, S.LOWER] - 1] = 1
        out.die_high[problem, v.dice[problem, S.HIGHER] - 1] = 1
    left = v.max_turns - v.turns
    out.turns_left_100s = left // 100
    out.turns_left = left % 100
    if v.attempt_force >= 0:
        out.force_asked[v.attempt_force] = 1
    if v.solve_problem >= 0:
        out.solving[v.solve_problem] = 1
        out.solving_quietly = v.solve_quiet
        out.still_to_pay = solve_target(v, v.solve_problem, v.solve_quiet) - v.solve_paid
    if v.escalating >= 0:
        out.escalating[v.escalating] = 1
    out.kept_silent = v.asked


@jit
def _encode_cards(v: State, out: Any) -> None:
    out.deck_size = v.deck_size
    for card in range(NUM_CARDS):
        out.discarded[card] = v.where[card] == Place.DISCARD
        out.on_table[card] = v.where[card] == Place.TABLE
    ages = out.card_age
    age = 0
    deck = _next_deck(v, v.deck_number + 1)
    while deck >= 0:
        age += 1
        for card in range(NUM_CARDS):
            ages[card] += age * ((v.where[card] <= Place.DECK) & (v.card_deck[card] == deck))
        deck = _next_deck(v, deck)


@jit
def _next_deck(v: State, before: int) -> int:
    """The newest deck before ``before`` that a card out of sight last came from, or -1."""
    newest = -1
    for card in range(NUM_CARDS):
        deck = v.card_deck[card]
        newest = max(newest, deck if (v.where[card] <= Place.DECK) & (deck < before) else -1)
    return newest


@jit
def _encode_hand(v: State, viewer: int, out: Any) -> None:
    for card in range(NUM_CARDS):
        out.own_hand[card] = v.where[card] == viewer
    for force in range(NUM_FORCES):
        total = 0
        for card in range(NUM_CARDS):
            total += MATCHING_RANK[force, card] * (v.where[card] == viewer)
        out.own_ranks[force] = min(total, _RANKS_COUNTED)
    out.own_payment = min(payment_ranks(v, viewer), _RANKS_COUNTED)


@jit
def _encode_places(v: State, base: int, out: Any) -> None:
    """For each card not seen and each other seat: the seat's places for cards of that deck."""
    n = v.num_players
    ages = out.card_age
    age = np.int8(0)  # as narrow as the vector, so that many cards are looked at in one step
    deck = _next_deck(v, v.deck_number + 1)
    while deck >= 0:
        age = np.int8(age + 1)
        for other in range(1, n):
            seat = (base + other) % n
            places = out.places[other - 1]
            free = np.int8(0)
            for k in range(NUM_CARDS):
                free += np.int8(v.drawn[seat, k] == deck)
            for card in range(NUM_CARDS):
                hidden = (v.where[card] == UNKNOWN) & (ages[card] == age)
                places[card] |= free if hidden else np.int8(0)
        deck = _next_deck(v, deck)
