"""How a game ends, and what everybody gets (C18, C19)."""

from __future__ import annotations

from concilium.envs.chancellors.state import NOBODY, Event, Outcome, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells


@jit
def end_game(s: State, outcome: int, status: int) -> None:
    """End the game; a winner has been named before."""
    s.outcome = outcome
    s.status = status
    s.actor = NOBODY
    log_public(s, Event.END, s.winner, outcome, 0, 0)


@jit
def returns(s: State, out: Cells) -> None:
    """C18, C19: what each seat gets; zeros while the game runs and when it ran out of time."""
    n = s.num_players
    if s.outcome == Outcome.WON:
        for seat in range(n):
            out[seat] = 1.0 if seat == s.winner else -1.0 / (n - 1)
    elif s.outcome == Outcome.CALAMITY and s.lowest_wins == 0:
        for seat in range(n):
            out[seat] = -1.0
    elif s.outcome == Outcome.CALAMITY:
        _lowest_score_wins(s, n, out)


@jit
def _lowest_score_wins(s: State, n: int, out: Cells) -> None:
    lowest = s.score[0]
    for seat in range(1, n):
        lowest = min(lowest, s.score[seat])
    tied = 0
    for seat in range(n):
        if s.score[seat] == lowest:
            tied += 1
    for seat in range(n):
        if s.score[seat] == lowest:
            out[seat] = (1.0 - (tied - 1) / (n - 1)) / tied
        else:
            out[seat] = -1.0 / (n - 1)
