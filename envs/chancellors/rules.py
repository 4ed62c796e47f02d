"""The rules of Chancellors, in the order of the rulebook, as functions of one record.

Rulings C1–C19 are listed in this folder's README. Seats, cards, forces and problems are numbers;
``np.int64(...)`` around a field widens it before arithmetic and keeps each helper to one compiled
version.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import (
    EXCUSE,
    FIRST_PAWN,
    MATCHES,
    NUM_CARDS,
    NUM_FORCES,
    NUM_SUITED,
    RANK,
)
from concilium.envs.chancellors.payment import legal_payments, legal_solves, solve_target
from concilium.envs.chancellors.state import (
    ABSENT,
    ATTEMPT,
    AVERT,
    AVERTED,
    BLOCK,
    BLOCKED,
    CALAMITY,
    COMMIT,
    DECK,
    DECLINE,
    DISCARD,
    DRAW,
    END,
    ESCALATE,
    ESCALATION,
    LET_GO_HORIZON,
    MAIN,
    NO_CARD,
    NOBODY,
    OPEN,
    OUT_OF_TIME,
    PAYMENT,
    PROBLEMS,
    ROLL,
    SEATS,
    SHUFFLE,
    SILENT,
    SOLVE,
    SOLVED,
    SOLVES_COUNTED,
    TABLE,
    TAKE,
    TURN,
    WON,
)
from concilium.envs.core.events import EVERYBODY, log_event, log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.rng import below, shuffle
from concilium.envs.core.state import TERMINATED, TRUNCATED

# Action offsets as plain numbers, because compiled code takes no module attributes
_CONTROL_EXCUSE: Final = A.CONTROL_EXCUSE
_SOLVE: Final = A.SOLVE
_END_TURN: Final = A.END_TURN
_DECLINE: Final = A.DECLINE
_BLOCK_WITH: Final = A.BLOCK_WITH
_PAY_WITH: Final = A.PAY_WITH
_RAISE_LOWER: Final = A.RAISE_LOWER
_RAISE_HIGHER: Final = A.RAISE_HIGHER
_KEEP_SILENT: Final = A.KEEP_SILENT
_REROLL: Final = A.REROLL
_CONTROL_CARD: Final = A.CONTROL_CARD
_CONTROL_FORCE: Final = A.CONTROL_FORCE

_HAND_AT_START: Final = 3
_TOP_RANK: Final = 10

# Set up --------------------------------------------------------------------------------------


@jit
def reset(s: Any) -> None:
    """C1: start player, dice, deal, in this order of chance."""
    n = np.int64(s.num_players)
    _clear(s)
    s.active = below(s, n)
    for problem in range(np.int64(s.problems)):
        _roll(s, problem)
    _build_first_deck(s)
    for _ in range(_HAND_AT_START):
        for k in range(n):
            _draw(s, (np.int64(s.active) + k) % n)
    _begin_turn(s)


@jit
def _clear(s: Any) -> None:
    for seat in range(SEATS):
        for k in range(NUM_CARDS):
            s.drawn[seat, k] = -1
    for force in range(NUM_FORCES):
        s.owner[force] = NOBODY
    s.attempt_card = NO_CARD
    s.attempt_force = -1
    s.solve_problem = -1
    s.escalating = -1
    s.winner = NOBODY
    s.outcome = OPEN


@jit
def _build_first_deck(s: Any) -> None:
    for card in range(NUM_CARDS):
        s.where[card] = DISCARD
        s.deck[card] = NO_CARD
        if FIRST_PAWN <= card < EXCUSE and s.pawns == 0:
            s.where[card] = ABSENT
        if card == EXCUSE and s.excuse == 0:
            s.where[card] = ABSENT
    _discards_become_deck(s)


@jit
def _discards_become_deck(s: Any) -> None:
    count = 0
    for card in range(NUM_CARDS):
        if s.where[card] == DISCARD:
            s.where[card] = DECK
            s.card_deck[card] = s.deck_number
            s.deck[count] = card
            count += 1
    s.deck_size = count
    shuffle(s, s.deck, count)


@jit
def _roll(s: Any, problem: Any) -> None:
    """Roll both dice; a pair is an unordered value, kept lower first (C11)."""
    one = below(s, 6) + 1
    two = below(s, 6) + 1
    s.dice[problem, 0] = min(one, two)
    s.dice[problem, 1] = max(one, two)
    log_public(s, ROLL, NOBODY, problem, min(one, two), max(one, two))


# The turn ------------------------------------------------------------------------------------


@jit
def _begin_turn(s: Any) -> None:
    """C16: before a turn with some 6-6 on the table every player is asked for the Excuse."""
    log_public(s, TURN, s.active, s.turns, 0, 0)
    s.actor = s.active
    s.phase = MAIN
    if s.excuse == 1:
        for problem in range(np.int64(s.problems)):
            if s.dice[problem, 0] == 6:
                s.phase = AVERT
                s.asked = 0


@jit
def legal_actions(s: Any, mask: Any) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = np.int64(s.phase)
    if phase == MAIN:
        _legal_controls(s, mask)
        legal_solves(s, mask)
        mask[_END_TURN] = 1  # C2: any number of plays, also none
    elif phase == BLOCK:
        _legal_blocks(s, mask)
    elif phase == PAYMENT:
        legal_payments(s, mask)
    elif phase == ESCALATION:
        mask[_RAISE_LOWER] = 1
        mask[_RAISE_HIGHER] = 1
    else:
        _legal_averts(s, mask)


@jit
def step(s: Any, action: Any) -> None:
    """Take a legal action."""
    if action < _CONTROL_EXCUSE:
        _attempt(s, _CONTROL_CARD[action], _CONTROL_FORCE[action])
    elif action == _CONTROL_EXCUSE:
        _attempt_with_excuse(s)
    elif action < _END_TURN:
        _start_solving(s, (action - _SOLVE) // 2, (action - _SOLVE) % 2)
    elif action == _END_TURN:
        _end_turn(s)
    elif action == _DECLINE:
        _decline(s)
    elif action < _PAY_WITH:
        _block(s, action - _BLOCK_WITH)
    elif action < _RAISE_LOWER:
        _commit(s, action - _PAY_WITH)
    elif action <= _RAISE_HIGHER:
        _raise_die(s, action - _RAISE_LOWER)
        _escalate_from(s, np.int64(s.escalating) + 1)
    elif action == _KEEP_SILENT:
        _keep_silent(s)
    else:
        _avert(s, action - _REROLL)


@jit
def _leave_hand(s: Any, seat: Any, card: Any, place: Any) -> None:
    """Move a card out of a hand; the deck it was drawn from is struck off the seat's list."""
    s.where[card] = place
    size = np.int64(s.hand_size[seat])
    found = 0
    while s.drawn[seat, found] != s.card_deck[card]:
        found += 1
    for k in range(found, size - 1):
        s.drawn[seat, k] = s.drawn[seat, k + 1]
    s.drawn[seat, size - 1] = -1
    s.hand_size[seat] = size - 1


# Controlling forces --------------------------------------------------------------------------


@jit
def _legal_controls(s: Any, mask: Any) -> None:
    """C3, C4, C15: any matching card in hand for any force not one's own."""
    seat = np.int64(s.actor)
    for action in range(_CONTROL_EXCUSE):
        held = s.where[_CONTROL_CARD[action]] == seat
        mask[action] = held & (s.owner[_CONTROL_FORCE[action]] != seat)
    if s.where[EXCUSE] == seat:
        for force in range(NUM_FORCES):
            if s.owner[force] != seat:
                mask[_CONTROL_EXCUSE] = 1


@jit
def _attempt(s: Any, card: Any, force: Any) -> None:
    """Play a card for a force; its controller is asked unless nothing could beat the card (C6)."""
    seat = np.int64(s.active)
    log_public(s, ATTEMPT, seat, card, force, s.card_deck[card])
    _leave_hand(s, seat, card, TABLE)
    s.attempt_card = card
    if s.owner[force] == NOBODY or RANK[card] == _TOP_RANK:
        _take(s, force)
        _settle_attempt(s)
    else:
        _ask(s, force)


@jit
def _attempt_with_excuse(s: Any) -> None:
    """C15: all forces not one's own; free ones at once, then each controller in table order."""
    seat = np.int64(s.active)
    log_public(s, ATTEMPT, seat, EXCUSE, -1, s.card_deck[EXCUSE])
    _leave_hand(s, seat, EXCUSE, TABLE)
    s.attempt_card = EXCUSE
    for force in range(NUM_FORCES):
        if s.owner[force] == NOBODY:
            _take(s, force)
    _next_question(s, 0)


@jit
def _next_question(s: Any, first: Any) -> None:
    """Ask the controller of the next force from ``first`` on, or settle the attempt."""
    if s.attempt_card == EXCUSE:
        for force in range(first, NUM_FORCES):
            if s.owner[force] != s.active:
                _ask(s, force)
                return
    _settle_attempt(s)


@jit
def _ask(s: Any, force: Any) -> None:
    """C5: the controller is asked whether able to block or not."""
    s.phase = BLOCK
    s.attempt_force = force
    s.actor = s.owner[force]


@jit
def _take(s: Any, force: Any) -> None:
    s.owner[force] = s.active
    log_public(s, TAKE, s.active, force, 0, 0)


@jit
def _settle_attempt(s: Any) -> None:
    s.where[np.int64(s.attempt_card)] = DISCARD
    s.attempt_card = NO_CARD
    s.attempt_force = -1
    s.phase = MAIN
    s.actor = s.active


@jit
def _legal_blocks(s: Any, mask: Any) -> None:
    """C5, C15: one card with a suit of the force and a higher rank (the Excuse counts as 0)."""
    seat = np.int64(s.actor)
    force = np.int64(s.attempt_force)
    rank = RANK[np.int64(s.attempt_card)]
    mask[_DECLINE] = 1
    for card in range(NUM_SUITED):
        if s.where[card] == seat and MATCHES[card, force] == 1 and RANK[card] > rank:
            mask[_BLOCK_WITH + card] = 1


@jit
def _decline(s: Any) -> None:
    seat = np.int64(s.actor)
    force = np.int64(s.attempt_force)
    s.let_go_rank[seat, force] = RANK[np.int64(s.attempt_card)] + 1
    s.let_go_draws[seat, force] = 0
    log_public(s, DECLINE, seat, force, 0, 0)
    _take(s, force)
    _next_question(s, force + 1)


@jit
def _block(s: Any, card: Any) -> None:
    """C5: the blocking card is discarded at once and final."""
    seat = np.int64(s.actor)
    force = np.int64(s.attempt_force)
    log_public(s, BLOCKED, seat, card, force, s.card_deck[card])
    _leave_hand(s, seat, card, DISCARD)
    _next_question(s, force + 1)


# Solving problems (what pays for them: payment.py) ------------------------------------------


@jit
def _start_solving(s: Any, problem: Any, quiet: Any) -> None:
    s.phase = PAYMENT
    s.solve_problem = problem
    s.solve_quiet = quiet
    s.solve_paid = 0
    log_public(s, SOLVE, s.active, problem, quiet, solve_target(s, problem, quiet))


@jit
def _commit(s: Any, card: Any) -> None:
    seat = np.int64(s.active)
    problem = np.int64(s.solve_problem)
    log_public(s, COMMIT, seat, card, problem, s.card_deck[card])
    _leave_hand(s, seat, card, TABLE)
    s.solve_paid = np.int64(s.solve_paid) + RANK[card]
    if np.int64(s.solve_paid) >= solve_target(s, problem, np.int64(s.solve_quiet)):
        _finish_solving(s, seat, problem, np.int64(s.solve_quiet))


@jit
def _finish_solving(s: Any, seat: Any, problem: Any, quiet: Any) -> None:
    """C8: the higher die, or the lower one less one; C10: the target score wins at once."""
    for card in range(NUM_SUITED):
        if s.where[card] == TABLE:
            s.where[card] = DISCARD
    points = np.int64(s.dice[problem, 1])
    if quiet == 1:
        points = np.int64(s.dice[problem, 0]) - 1
    s.score[seat] = np.int64(s.score[seat]) + points
    s.solves[seat, quiet] = min(np.int64(s.solves[seat, quiet]) + 1, SOLVES_COUNTED)
    s.solved[problem] = 1
    s.solve_problem = -1
    s.solve_quiet = 0
    s.solve_paid = 0
    s.phase = MAIN
    log_public(s, SOLVED, seat, problem, points, 0)
    if s.score[seat] >= s.target_score:
        s.winner = seat
        _end_game(s, WON, TERMINATED)


# Escalation ----------------------------------------------------------------------------------


@jit
def _end_turn(s: Any) -> None:
    """C11: reroll what was solved; C12: an unsolved 6-6 is the calamity; else problems grow."""
    for problem in range(np.int64(s.problems)):
        if s.solved[problem] == 1:
            _roll(s, problem)
    for problem in range(np.int64(s.problems)):
        if s.solved[problem] == 0 and s.dice[problem, 0] == 6:
            _end_game(s, CALAMITY, TERMINATED)
            return
    _escalate_from(s, 0)


@jit
def _escalate_from(s: Any, first: Any) -> None:
    """C11: in table order; asked only where the two ways differ."""
    for problem in range(first, np.int64(s.problems)):
        if s.solved[problem] == 1:
            continue
        s.escalating = problem
        if s.dice[problem, 0] == s.dice[problem, 1] or s.dice[problem, 1] == 6:
            # equal dice: either; a 6 stays, so the lower one
            _raise_die(s, 0)
        else:
            s.phase = ESCALATION
            return
    s.escalating = -1
    _draw_cards(s)


@jit
def _raise_die(s: Any, die: Any) -> None:
    problem = np.int64(s.escalating)
    one = np.int64(s.dice[problem, die]) + 1
    two = np.int64(s.dice[problem, 1 - die])
    s.dice[problem, 0] = min(one, two)
    s.dice[problem, 1] = max(one, two)
    log_public(s, ESCALATE, s.active, problem, min(one, two), max(one, two))


# Drawing cards -------------------------------------------------------------------------------


@jit
def _draw_cards(s: Any) -> None:
    """C13: one card each from the active player on; then the turn is over (C19)."""
    n = np.int64(s.num_players)
    for k in range(n):
        _draw(s, (np.int64(s.active) + k) % n)
    for problem in range(PROBLEMS):
        s.solved[problem] = 0
    s.turns = np.int64(s.turns) + 1
    if s.turns >= s.max_turns:
        _end_game(s, OUT_OF_TIME, TRUNCATED)
        return
    s.active = (np.int64(s.active) + 1) % n
    _begin_turn(s)


@jit
def _draw(s: Any, seat: Any) -> None:
    """C13: the discard pile is shuffled only when a card is needed and the deck is empty."""
    if s.deck_size == 0:
        s.deck_number = np.int64(s.deck_number) + 1
        _discards_become_deck(s)
        if s.deck_size == 0:
            s.deck_number = np.int64(s.deck_number) - 1
            return
        log_public(s, SHUFFLE, NOBODY, s.deck_number, s.deck_size, 0)
    last = np.int64(s.deck_size) - 1
    card = np.int64(s.deck[last])
    s.deck[last] = NO_CARD
    s.deck_size = last
    s.where[card] = seat
    size = np.int64(s.hand_size[seat])
    s.drawn[seat, size] = s.deck_number
    s.hand_size[seat] = size + 1
    for force in range(NUM_FORCES):
        s.let_go_draws[seat, force] = min(np.int64(s.let_go_draws[seat, force]) + 1, LET_GO_HORIZON)
    log_event(s, DRAW, seat, s.deck_number, 0, 0, card, np.int64(1) << seat, EVERYBODY)


# The Excuse against a calamity ---------------------------------------------------------------


@jit
def _legal_averts(s: Any, mask: Any) -> None:
    """C16: silence, or with the Excuse a reroll of one 6-6."""
    mask[_KEEP_SILENT] = 1
    if s.where[EXCUSE] == s.actor:
        for problem in range(np.int64(s.problems)):
            if s.dice[problem, 0] == 6:
                mask[_REROLL + problem] = 1


@jit
def _keep_silent(s: Any) -> None:
    n = np.int64(s.num_players)
    log_public(s, SILENT, s.actor, 0, 0, 0)
    s.asked = np.int64(s.asked) + 1
    s.actor = (np.int64(s.active) + np.int64(s.asked)) % n
    if np.int64(s.asked) == n:
        _stop_asking(s)


@jit
def _avert(s: Any, problem: Any) -> None:
    seat = np.int64(s.actor)
    log_public(s, AVERTED, seat, EXCUSE, problem, s.card_deck[EXCUSE])
    _leave_hand(s, seat, EXCUSE, DISCARD)
    _roll(s, problem)
    _stop_asking(s)


@jit
def _stop_asking(s: Any) -> None:
    s.asked = 0
    s.phase = MAIN
    s.actor = s.active


# Endings -------------------------------------------------------------------------------------


@jit
def _end_game(s: Any, outcome: Any, status: Any) -> None:
    s.outcome = outcome
    s.status = status
    s.actor = NOBODY
    log_public(s, END, s.winner, outcome, 0, 0)


@jit
def returns(s: Any, out: Any) -> None:
    """C18, C19: what each seat gets; zeros while the game runs and when it ran out of time."""
    n = np.int64(s.num_players)
    if s.outcome == WON:
        for seat in range(n):
            out[seat] = 1.0 if seat == s.winner else -1.0 / (n - 1)
    elif s.outcome == CALAMITY and s.lowest_wins == 0:
        for seat in range(n):
            out[seat] = -1.0
    elif s.outcome == CALAMITY:
        _lowest_score_wins(s, n, out)


@jit
def _lowest_score_wins(s: Any, n: Any, out: Any) -> None:
    lowest = np.int64(s.score[0])
    for seat in range(1, n):
        lowest = min(lowest, np.int64(s.score[seat]))
    tied = 0
    for seat in range(n):
        if s.score[seat] == lowest:
            tied += 1
    for seat in range(n):
        if s.score[seat] == lowest:
            out[seat] = (1.0 - (tied - 1) / (n - 1)) / tied
        else:
            out[seat] = -1.0 / (n - 1)


@jit
def census(s: Any, out: Any) -> None:
    """Every card once: 1 per card that is somewhere, then the sizes that must agree with it."""
    for card in range(NUM_CARDS):
        place = np.int64(s.where[card])
        out[card] = 1 if 0 <= place < ABSENT else 0
        if place < np.int64(s.num_players):
            out[NUM_CARDS] += 1
        if place == DECK:
            out[NUM_CARDS + 1] += 1
    for seat in range(np.int64(s.num_players)):
        out[NUM_CARDS] -= np.int64(s.hand_size[seat])
    out[NUM_CARDS + 1] -= np.int64(s.deck_size)


@jit
def kind(s: Any) -> Any:
    """The kind of decision now to be made is the phase."""
    return np.int64(s.phase)
