"""The turn: the Excuse against a calamity before it, escalation and drawing cards at its end."""

from __future__ import annotations

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import EXCUSE
from concilium.envs.chancellors.deck import draw, leave_hand
from concilium.envs.chancellors.ending import end_game
from concilium.envs.chancellors.problems import raise_die, roll
from concilium.envs.chancellors.state import Event, Outcome, Phase, Place, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import TERMINATED, TRUNCATED, Cells


@jit
def begin_turn(s: State) -> None:
    """C16: before a turn with some 6-6 on the table every player is asked for the Excuse."""
    log_public(s, Event.TURN, s.active, s.turns, 0, 0)
    s.actor = s.active
    s.phase = Phase.MAIN
    if s.excuse == 1:
        for problem in range(s.problems):
            if s.dice[problem, S.LOWER] == 6:
                s.phase = Phase.AVERT
                s.asked = 0


@jit
def legal_averts(s: State, mask: Cells) -> None:
    """C16: silence, or with the Excuse a reroll of one 6-6."""
    mask[A.KEEP_SILENT] = 1
    if s.where[EXCUSE] == s.actor:
        for problem in range(s.problems):
            if s.dice[problem, S.LOWER] == 6:
                mask[A.REROLL + problem] = 1


@jit
def keep_silent(s: State) -> None:
    """C16: pass the question on; when all were silent the turn goes on."""
    log_public(s, Event.SILENT, s.actor, 0, 0, 0)
    s.asked += 1
    s.actor = (s.active + s.asked) % s.num_players
    if s.asked == s.num_players:
        _stop_asking(s)


@jit
def avert(s: State, problem: int) -> None:
    """C16: discard the Excuse and reroll the problem."""
    log_public(s, Event.AVERTED, s.actor, EXCUSE, problem, s.card_deck[EXCUSE])
    leave_hand(s, s.actor, EXCUSE, Place.DISCARD)
    roll(s, problem)
    _stop_asking(s)


@jit
def _stop_asking(s: State) -> None:
    s.asked = 0
    s.phase = Phase.MAIN
    s.actor = s.active


@jit
def end_turn(s: State) -> None:
    """C11: reroll what was solved; C12: an unsolved 6-6 is the calamity; else problems grow."""
    for problem in range(s.problems):
        if s.solved[problem] == 1:
            roll(s, problem)
    for problem in range(s.problems):
        if s.solved[problem] == 0 and s.dice[problem, S.LOWER] == 6:
            end_game(s, Outcome.CALAMITY, TERMINATED)
            return
    _escalate_from(s, 0)


@jit
def escalate(s: State, die: int) -> None:
    """Raise the die that was chosen, then go on with the problems behind."""
    raise_die(s, s.escalating, die)
    _escalate_from(s, s.escalating + 1)


@jit
def _escalate_from(s: State, first: int) -> None:
    """C11: in table order; asked only where the two ways differ."""
    for problem in range(first, s.problems):
        if s.solved[problem] == 1:
            continue
        if s.dice[problem, S.LOWER] == s.dice[problem, S.HIGHER] or s.dice[problem, S.HIGHER] == 6:
            # equal dice: either; a 6 stays, so the lower one
            raise_die(s, problem, S.LOWER)
        else:
            s.escalating = problem
            s.phase = Phase.ESCALATION
            return
    s.escalating = -1
    _draw_cards(s)


@jit
def _draw_cards(s: State) -> None:
    """C13: one card each from the active player on; then the turn is over (C19)."""
    n = s.num_players
    for k in range(n):
        draw(s, (s.active + k) % n)
    for problem in range(S.PROBLEMS):
        s.solved[problem] = 0
    s.turns += 1
    if s.turns >= s.max_turns:
        end_game(s, Outcome.OUT_OF_TIME, TRUNCATED)
        return
    s.active = (s.active + 1) % n
    begin_turn(s)
