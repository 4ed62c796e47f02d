"""The end of a Mission, of a row and of the game (B12, B14, B15, B18, B19, B22)."""

from __future__ import annotations

from concilium.envs.believers import state as S
from concilium.envs.believers.chance import draw_to_hand
from concilium.envs.believers.night import begin_night
from concilium.envs.believers.state import Ending, Event, Faith, Phase, Reason, State
from concilium.envs.believers.table import defectors, gleaners_draw, start_round
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import TERMINATED, Cells


@jit
def end_mission(s: State) -> None:
    """B12: draws, tokens, what ends with the row, the end test, the next Eye, the next question."""
    number = s.mission
    result = s.mission_result[number]
    if result == 0:
        draw_to_hand(s, s.eye, Reason.AFTER_FAILURE)
        draw_to_hand(s, s.hand_seat, Reason.AFTER_FAILURE)
        gleaners_draw(s)
    s.last_hand = s.hand_seat
    s.hand_seat = S.NOBODY
    s.row_played = s.row_played + 1
    s.row_won = s.row_won + result
    ended = _row_is_over(s)
    if ended:
        _end_row(s)
    s.mission = number + 1
    if _is_decided(s):
        _finish(s)
        return
    s.turn = (s.turn + 1) % s.num_players  # B15
    if ended and s.row < s.num_rows:
        begin_night(s)
    else:
        start_round(s)  # B14: the same row goes on, tied or not; B19: the decider


# Rows ----------------------------------------------------------------------------------------


@jit
def _row_is_over(s: State) -> bool:
    """B14: all Missions played and no tie."""
    length: int = 1  # of the decider
    if s.row < s.num_rows:
        length = s.row_length[s.row]
    return s.row_played >= length and 2 * s.row_won != s.row_played


@jit
def _end_row(s: State) -> None:
    """B12: everybody draws after a row that failed as a whole; tokens; row effects end."""
    n = s.num_players
    row = s.row
    if s.row_won == 0:
        for k in range(n):
            draw_to_hand(s, (s.eye + k) % n, Reason.AFTER_ROW)
    side: int = Faith.BELIEVER
    if 2 * s.row_won < s.row_played:
        side = Faith.DEFECTOR
    amount = _worth(s, row, s.row_won == 0 or s.row_won == s.row_played)
    s.tokens[side] = s.tokens[side] + amount
    s.row_tokens[row] = amount if side == Faith.BELIEVER else -amount
    log_public(s, Event.TOKENS, S.NONE, row, side, amount)
    _clear_row(s, row)
    s.row = row + 1
    s.row_played = 0
    s.row_won = 0


@jit
def _worth(s: State, row: int, sweep: bool) -> int:
    """B14: a sweep two tokens, the peak two and not four; the decider one, which is enough."""
    amount = 1
    if row == s.num_rows - 1 or (sweep and row < s.num_rows):
        amount = 2
    return amount


@jit
def _clear_row(s: State, row: int) -> None:
    """B5, B12: Shame returns, Gossip and the Crisis of the row end; B13: its Virtues are free."""
    for seat in range(s.num_players):
        s.gossip[seat] = 0
        if s.shame_on == 1:
            s.shame_at[seat] = S.OWN
    s.row_crisis = S.NONE
    s.row_target = S.NOBODY
    for number in range(s.mission + 1):
        if s.mission_row[number] == row:
            for k in range(S.GIVEN):
                kind = s.mission_placed[number, k]
                if kind != S.NONE:
                    s.finished[kind] = s.finished[kind] + 1


# The end of the game -------------------------------------------------------------------------


@jit
def _is_decided(s: State) -> bool:
    """B18: the trailing side could not even tie with all tokens that may still come."""
    believers = s.tokens[Faith.BELIEVER]
    others = s.tokens[Faith.DEFECTOR]
    if believers == others:
        return False
    behind: int = Faith.BELIEVER
    if others < believers:
        behind = Faith.DEFECTOR
    possible: int = min(believers, others)
    for row in range(s.row, s.num_rows):
        possible += _possible(s, row, behind)
    most: int = max(believers, others)
    return possible < most


@jit
def _possible(s: State, row: int, side: int) -> int:
    """B18: tokens that a side may still win in a row: 2 by a sweep, 1, or 0; at the peak 2 or 0."""
    if row > s.row:
        return 2
    lost = s.row_won
    if side == Faith.BELIEVER:
        lost = s.row_played - lost
    won = s.row_played - lost
    left: int = max(s.row_length[row] - s.row_played, 0)
    if lost == 0 and left > 0:
        return 2
    if won + left < lost:
        return 0
    return _worth(s, row, False)  # if won + left equals lost, one more Mission would follow


@jit
def _finish(s: State) -> None:
    """Whoever has more tokens has won; everybody's Faith is revealed."""
    side: int = Faith.BELIEVER
    if s.tokens[Faith.DEFECTOR] > s.tokens[Faith.BELIEVER]:
        side = Faith.DEFECTOR
    s.winner = side
    s.ending = Ending.EARLY
    if s.row == s.num_rows:
        s.ending = Ending.PLAYED_OUT
    elif s.row > s.num_rows:
        s.ending = Ending.DECIDED
    s.status = TERMINATED
    s.actor = S.NOBODY
    s.phase = Phase.CALL
    log_public(s, Event.END, S.NONE, side, s.ending, defectors(s))


@jit
def returns(s: State, out: Cells) -> None:
    """B22: +1 and -1, divided by the size of the own side where that is wanted."""
    if s.winner == S.NONE:
        return
    n = s.num_players
    for seat in range(n):
        size = 1.0
        if s.zero_sum == 1:
            size = 1.0 * S.DEFECTORS[n]
            if s.faith[seat] == Faith.BELIEVER:
                size = 1.0 * (n - S.DEFECTORS[n])
        out[seat] = 1.0 / size if s.faith[seat] == s.winner else -1.0 / size
