"""The rules of Chancellors as the contract wants them: one function for each thing that is asked.

What they do stands in the files of the rulebook's chapters: ``turn``, ``control``, ``problems``,
``payment``, ``deck``, ``ending``. Rulings C1–C19 are listed in this folder's README. Seats, cards,
forces and problems are numbers.
"""

from __future__ import annotations

from typing import Final

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors import control, deck, payment, problems, turn
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.ending import returns
from concilium.envs.chancellors.state import NO_CARD, NOBODY, Outcome, Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import Cells

__all__ = ["census", "kind", "legal_actions", "reset", "returns", "step"]

_HAND_AT_START: Final = 3


@jit
def reset(s: State) -> None:
    """C1: start player, dice, deal, in this order of chance."""
    n = s.num_players
    _clear(s)
    s.active = below(s, n)
    for problem in range(s.problems):
        problems.roll(s, problem)
    deck.build_first_deck(s)
    for _ in range(_HAND_AT_START):
        for k in range(n):
            deck.draw(s, (s.active + k) % n)
    turn.begin_turn(s)


@jit
def _clear(s: State) -> None:
    s.drawn[:] = -1
    s.owner[:] = NOBODY
    s.attempt_card = NO_CARD
    s.attempt_force = -1
    s.solve_problem = -1
    s.escalating = -1
    s.winner = NOBODY
    s.outcome = Outcome.OPEN


@jit
def legal_actions(s: State, mask: Cells) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = s.phase
    if phase == Phase.MAIN:
        control.legal_controls(s, mask)
        payment.legal_solves(s, mask)
        mask[A.END_TURN] = 1  # C2: any number of plays, also none
    elif phase == Phase.BLOCK:
        control.legal_blocks(s, mask)
    elif phase == Phase.PAYMENT:
        payment.legal_payments(s, mask)
    elif phase == Phase.ESCALATION:
        mask[A.RAISE_LOWER] = 1
        mask[A.RAISE_HIGHER] = 1
    else:
        turn.legal_averts(s, mask)


@jit
def step(s: State, action: int) -> None:
    """Take a legal action."""
    if action < A.CONTROL_EXCUSE:
        control.attempt(s, A.CONTROL_CARD[action], A.CONTROL_FORCE[action])
    elif action == A.CONTROL_EXCUSE:
        control.attempt_with_excuse(s)
    elif action < A.END_TURN:
        problems.start_solving(s, (action - A.SOLVE) // 2, (action - A.SOLVE) % 2)
    elif action == A.END_TURN:
        turn.end_turn(s)
    elif action == A.DECLINE:
        control.decline(s)
    elif action < A.PAY_WITH:
        control.block(s, action - A.BLOCK_WITH)
    elif action < A.RAISE_LOWER:
        problems.commit(s, action - A.PAY_WITH)
    elif action <= A.RAISE_HIGHER:
        turn.escalate(s, action - A.RAISE_LOWER)
    elif action == A.KEEP_SILENT:
        turn.keep_silent(s)
    else:
        turn.avert(s, action - A.REROLL)


@jit
def census(s: State, out: Cells) -> None:
    """Every card once: 1 per card that is somewhere, then the sizes that must agree with it."""
    for card in range(NUM_CARDS):
        place = s.where[card]
        out[card] = 1 if 0 <= place < Place.ABSENT else 0
        if place < s.num_players:
            out[NUM_CARDS] += 1
        if place == Place.DECK:
            out[NUM_CARDS + 1] += 1
    for seat in range(s.num_players):
        out[NUM_CARDS] -= s.hand_size[seat]
    out[NUM_CARDS + 1] -= s.deck_size


@jit
def kind(s: State) -> int:
    """The kind of decision now to be made is the phase."""
    return s.phase
