"""Games made up by a rule, for figures that can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from concilium.evaluation.jobs import Match
from concilium.evaluation.matches import Results

Rule = Callable[[list[int], int], tuple[list[float], int]]
"""From who sits where and the deal: the returns and the number of the outcome."""

WON, CALAMITY = 1, 2


def winner(seat: int, players: int) -> list[float]:
    """Returns of a game that one seat wins: they sum to zero."""
    return [1.0 if place == seat else -1 / (players - 1) for place in range(players)]


def play_by(rule: Rule) -> Callable[..., list[Results]]:
    """What can stand in for :func:`concilium.evaluation.jobs.play_all`."""

    def play_all(played: Sequence[Match], bots: Sequence[str], **_: Any) -> list[Results]:
        return [_made(match, rule) for match in played]

    return play_all


def _made(match: Match, rule: Rule) -> Results:
    seating = match.seating
    sits = np.broadcast_to(
        seating if seating.ndim == 3 else seating[:, np.newaxis],
        (len(seating), match.deals, match.table.num_players),
    )
    games = [[rule(seats.tolist(), deal) for deal, seats in enumerate(turn)] for turn in sits]
    returns = np.array([[game[0] for game in turn] for turn in games])
    outcomes = np.array([[game[1] for game in turn] for turn in games])
    return Results(returns, outcomes, np.ones_like(outcomes), seating)
