"""The longest games: they fit the log, the declared bound, and thirteen Missions."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.believers.options import most_events
from concilium.envs.core.state import RUNNING, plain_records
from tests.games.believers.players import BLOCKS
from tests.games.believers.tables import PLAIN

WANTED = "SFSFS" + "SSS" + "SFF" + "F" + "S"
"""Rows 1 and 3 tie, and so do the tokens: 1-0, 3-0, 3-1, 3-3."""


def busy(legal: list[int], s: Any, rng: np.random.Generator) -> int:
    """Choose so that the game lasts and much happens: shame, enlist, buy, and fail in turn."""
    names = {BLOCKS[action] for action in legal}
    for name in ("shame", "enlist", "buy"):
        if name in names:
            legal = [action for action in legal if BLOCKS[action] == name]
            break
    if names <= {"give", "place"}:
        number = int(s["mission"])
        pair = int(s["mission_pair"][number])
        asked_for = (int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair]))
        first = act.GIVE if "give" in names else act.PLACE
        wanted = WANTED[number] == "S"
        legal = [a for a in legal if (a - first in asked_for) == wanted] or legal
    return int(legal[int(rng.integers(len(legal)))])


def play(bound: BoundGame, seed: int) -> tuple[int, int, int]:
    """Play a busy game; return its decisions, events and Missions."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    decisions = 0
    while int(s["status"]) == RUNNING:
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        bound.step(states, busy(legal, s, rng))
        decisions += 1
        assert decisions <= bound.max_game_length
        assert int(s["log_count"]) <= most_events(bound.options) <= S.LOG_CAPACITY
    return decisions, int(s["log_count"]), int(s["mission"])


def test_busy_games_fit(players: int) -> None:
    # no more rows in the log than it has, no more decisions than are declared
    found = []
    for cards in ("house", PLAIN):
        bound = GAME.bind(num_players=players, talk="claims", cards=cards)
        found += [play(bound, seed) for seed in range(6)]
    assert max(events for _, events, _ in found) > 150
    assert max(decisions for decisions, _, _ in found) > 250
    assert max(missions for _, _, missions in found) >= 12
    assert max(missions for _, _, missions in found) <= 13
