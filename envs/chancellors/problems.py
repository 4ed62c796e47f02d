"""Problems: their dice, and how they are solved (C7–C11). What pays for them: ``payment``."""

from __future__ import annotations

from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import NUM_SUITED, RANK
from concilium.envs.chancellors.deck import leave_hand
from concilium.envs.chancellors.ending import end_game
from concilium.envs.chancellors.payment import solve_target
from concilium.envs.chancellors.state import Event, Outcome, Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import TERMINATED


@jit
def roll(s: State, problem: int) -> None:
    """Roll both dice."""
    one = below(s, 6) + 1
    _set_dice(s, problem, one, below(s, 6) + 1, Event.ROLL, S.NOBODY)


@jit
def raise_die(s: State, problem: int, die: int) -> None:
    """C11: the problem grows by one on its lower or higher die."""
    _set_dice(
        s, problem, s.dice[problem, die] + 1, s.dice[problem, 1 - die], Event.ESCALATE, s.active
    )


@jit
def _set_dice(s: State, problem: int, one: int, two: int, event: int, seat: int) -> None:
    """A pair is an unordered value, kept lower first (C11)."""
    s.dice[problem, S.LOWER] = min(one, two)
    s.dice[problem, S.HIGHER] = max(one, two)
    log_public(s, event, seat, problem, min(one, two), max(one, two))


@jit
def start_solving(s: State, problem: int, quiet: int) -> None:
    """Begin to pay for a problem."""
    s.phase = Phase.PAYMENT
    s.solve_problem = problem
    s.solve_quiet = quiet
    s.solve_paid = 0
    log_public(s, Event.SOLVE, s.active, problem, quiet, solve_target(s, problem, quiet))


@jit
def commit(s: State, card: int) -> None:
    """C7: pay with a card; the target reached, the problem is solved."""
    problem = s.solve_problem
    log_public(s, Event.COMMIT, s.active, card, problem, s.card_deck[card])
    leave_hand(s, s.active, card, Place.TABLE)
    s.solve_paid += RANK[card]
    if s.solve_paid >= solve_target(s, problem, s.solve_quiet):
        _finish_solving(s, s.active, problem, s.solve_quiet)


@jit
def _finish_solving(s: State, seat: int, problem: int, quiet: int) -> None:
    """C8: the higher die, or the lower one less one; C10: the target score wins at once."""
    for card in range(NUM_SUITED):
        if s.where[card] == Place.TABLE:
            s.where[card] = Place.DISCARD
    points = s.dice[problem, S.LOWER] - 1 if quiet == 1 else s.dice[problem, S.HIGHER]
    s.score[seat] += points
    s.solves[seat, quiet] = min(s.solves[seat, quiet] + 1, S.SOLVES_COUNTED)
    s.solved[problem] = 1
    s.solve_problem = -1
    s.solve_quiet = 0
    s.solve_paid = 0
    s.phase = Phase.MAIN
    log_public(s, Event.SOLVED, seat, problem, points, 0)
    if s.score[seat] >= s.target_score:
        s.winner = seat
        end_game(s, Outcome.WON, TERMINATED)
