"""The end of a Mission, of a row and of the game (B12, B14, B15, B18, B19, B22)."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.believers.chance import draw_to_hand
from concilium.envs.believers.night import begin_night
from concilium.envs.believers.state import (
    AFTER_FAILURE,
    AFTER_ROW,
    BELIEVER,
    CALL,
    DECIDED,
    DEFECTOR,
    DEFECTORS,
    EARLY,
    END,
    GIVEN,
    NOBODY,
    NONE,
    OWN,
    PLAYED_OUT,
    TOKENS,
)
from concilium.envs.believers.table import defectors, gleaners_draw, start_round
from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.core.state import TERMINATED


@jit
def end_mission(s: Any) -> None:
    """B12: draws, tokens, what ends with the row, the end test, the next Eye, the next question."""
    number = np.int64(s.mission)
    result = np.int64(s.mission_result[number])
    if result == 0:
        draw_to_hand(s, np.int64(s.eye), AFTER_FAILURE)
        draw_to_hand(s, np.int64(s.hand_seat), AFTER_FAILURE)
        gleaners_draw(s)
    s.last_hand = s.hand_seat
    s.hand_seat = NOBODY
    s.row_played = np.int64(s.row_played) + 1
    s.row_won = np.int64(s.row_won) + result
    ended = _row_is_over(s)
    if ended:
        _end_row(s)
    s.mission = number + 1
    if _is_decided(s):
        _finish(s)
        return
    s.turn = (np.int64(s.turn) + 1) % np.int64(s.num_players)  # B15
    if ended and s.row < s.num_rows:
        begin_night(s)
    else:
        start_round(s)  # B14: the same row goes on, tied or not; B19: the decider


# Rows ----------------------------------------------------------------------------------------


@jit
def _row_is_over(s: Any) -> Any:
    """B14: all Missions played and no tie."""
    length: Any = np.int64(1)  # of the decider
    if s.row < s.num_rows:
        length = np.int64(s.row_length[np.int64(s.row)])
    return s.row_played >= length and 2 * np.int64(s.row_won) != s.row_played


@jit
def _end_row(s: Any) -> None:
    """B12: everybody draws after a row that failed as a whole; tokens; row effects end."""
    n = np.int64(s.num_players)
    row = np.int64(s.row)
    if s.row_won == 0:
        for k in range(n):
            draw_to_hand(s, (np.int64(s.eye) + k) % n, AFTER_ROW)
    side: Any = np.int64(BELIEVER)
    if 2 * np.int64(s.row_won) < s.row_played:
        side = np.int64(DEFECTOR)
    amount = _worth(s, row, s.row_won == 0 or s.row_won == s.row_played)
    s.tokens[side] = np.int64(s.tokens[side]) + amount
    s.row_tokens[row] = amount if side == BELIEVER else -amount
    log_public(s, TOKENS, NONE, row, side, amount)
    _clear_row(s, row)
    s.row = row + 1
    s.row_played = 0
    s.row_won = 0


@jit
def _worth(s: Any, row: Any, sweep: Any) -> Any:
    """B14: a sweep two tokens, the peak two and not four; the decider one, which is enough."""
    amount = np.int64(1)
    if row == np.int64(s.num_rows) - 1 or (sweep and row < s.num_rows):
        amount = np.int64(2)
    return amount


@jit
def _clear_row(s: Any, row: Any) -> None:
    """B5, B12: Shame returns, Gossip and the Crisis of the row end; B13: its Virtues are free."""
    for seat in range(np.int64(s.num_players)):
        s.gossip[seat] = 0
        if s.shame_on == 1:
            s.shame_at[seat] = OWN
    s.row_crisis = NONE
    s.row_target = NOBODY
    for number in range(np.int64(s.mission) + 1):
        if s.mission_row[number] == row:
            for k in range(GIVEN):
                kind = np.int64(s.mission_placed[number, k])
                if kind != NONE:
                    s.finished[kind] = np.int64(s.finished[kind]) + 1


# The end of the game -------------------------------------------------------------------------


@jit
def _is_decided(s: Any) -> Any:
    """B18: the trailing side could not even tie with all tokens that may still come."""
    believers = np.int64(s.tokens[BELIEVER])
    others = np.int64(s.tokens[DEFECTOR])
    if believers == others:
        return False
    behind: Any = np.int64(BELIEVER)
    if others < believers:
        behind = np.int64(DEFECTOR)
    possible: Any = min(believers, others)
    for row in range(np.int64(s.row), np.int64(s.num_rows)):
        possible += _possible(s, row, behind)
    most: Any = max(believers, others)
    return possible < most


@jit
def _possible(s: Any, row: Any, side: Any) -> Any:
    """B18: tokens that a side may still win in a row: 2 by a sweep, 1, or 0; at the peak 2 or 0."""
    if row > s.row:
        return np.int64(2)
    lost = np.int64(s.row_won)
    if side == BELIEVER:
        lost = np.int64(s.row_played) - lost
    won = np.int64(s.row_played) - lost
    left: Any = max(np.int64(s.row_length[row]) - np.int64(s.row_played), 0)
    if lost == 0 and left > 0:
        return np.int64(2)
    if won + left < lost:
        return np.int64(0)
    return _worth(s, row, False)  # if won + left equals lost, one more Mission would follow


@jit
def _finish(s: Any) -> None:
    """Whoever has more tokens has won; everybody's Faith is revealed."""
    side: Any = np.int64(BELIEVER)
    if s.tokens[DEFECTOR] > s.tokens[BELIEVER]:
        side = np.int64(DEFECTOR)
    s.winner = side
    s.ending = EARLY
    if s.row == s.num_rows:
        s.ending = PLAYED_OUT
    elif s.row > s.num_rows:
        s.ending = DECIDED
    s.status = TERMINATED
    s.actor = NOBODY
    s.phase = CALL
    log_public(s, END, NONE, side, s.ending, defectors(s))


@jit
def returns(s: Any, out: Any) -> None:
    """B22: +1 and -1, divided by the size of the own side where that is wanted."""
    if s.winner == NONE:
        return
    n = np.int64(s.num_players)
    for seat in range(n):
        size = 1.0
        if s.zero_sum == 1:
            size = 1.0 * DEFECTORS[n]
            if s.faith[seat] == BELIEVER:
                size = 1.0 * (n - DEFECTORS[n])
        out[seat] = 1.0 / size if s.faith[seat] == s.winner else -1.0 / size
