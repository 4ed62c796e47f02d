"""Nothing is lost or made in many random games: every move of many games side by side is looked at.

The sums are taken from the records themselves, without the census that the rules declare.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import UniformBot
from concilium.envs import Batch, VecGame
from concilium.envs.core.state import RUNNING, plain_records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.actions import PASS

HOUSE_CARDS = 40
SIDE_BY_SIDE = 512
POWER = np.append(2 ** np.arange(S.CARDS, dtype=np.int64), 0)
"""Two to the card's number, and 0 for none, which is -1."""


def check(s: NDArray[Any], players: int) -> None:
    """Every card is in one place, of every dispute there are 7 cards, of every value 10 markers."""
    where = s["where"][:, :HOUSE_CARDS]
    assert (s["where"][:, HOUSE_CARDS:] == S.ABSENT).all()
    assert (where != S.ABSENT).all()
    # the deck, the display and the tableaus list exactly the cards that say that they are there
    places = [(S.DECK, s["deck"]), (S.DISPLAY, s["display"])]
    places += [(S.TABLEAU + seat, s["tableau"][:, seat]) for seat in range(players)]
    for place, listed in places:
        there = where == place
        # as many, and the same sum of powers of two: then they are the same cards, each once
        assert ((listed >= 0).sum(axis=1) == there.sum(axis=1)).all()
        assert (POWER[listed].sum(axis=1) == there @ POWER[:HOUSE_CARDS]).all()
    assert (s["deck_size"] == (where == S.DECK).sum(axis=1)).all()
    in_tableau = (where >= S.TABLEAU) & (where < S.TABLEAU + players)
    assert not (s["face_down"][:, :HOUSE_CARDS] & ~in_tableau).any()
    doctrine = s["supply"].sum(axis=2) + s["doctrine"].sum(axis=(1, 3)) + s["removed"]
    assert (doctrine == 7).all()
    assert (s["markers"].sum(axis=1) + s["marker_supply"] == 10).all()
    assert (s["markers"].sum(axis=2) == s["marker_count"]).all()
    for name in ("ti", "pool", "supply", "doctrine", "removed", "markers", "marker_supply"):
        assert (s[name] >= 0).all()


def total_ti(s: NDArray[Any]) -> NDArray[np.int64]:
    """Temporary Influence held and in the pools."""
    held: NDArray[np.int64] = s["ti"].sum(axis=1, dtype=np.int64)
    pools: NDArray[np.int64] = s["pool"].sum(axis=1, dtype=np.int64)
    return held + pools


def check_influence(
    s: NDArray[Any], before: NDArray[Any], actions: NDArray[np.int64], going: NDArray[np.bool_]
) -> None:
    """TI leaves or enters the supply in a Debate Round alone."""
    assert (total_ti(s) == s["issued"]).all()
    in_round = (before["passes"] == before["num_players"]) | (s["rounds"] != before["rounds"])
    begins = s["passes"] == s["num_players"]
    plain = going & ~in_round & ~begins
    assert (total_ti(s)[plain] == total_ti(before)[plain]).all()
    # who passes takes a whole pool, or there is nothing in any
    passed = np.flatnonzero(plain & (actions == PASS) & (before["phase"] == S.Phase.TURN))
    for k in passed:
        seat = int(before["actor"][k])
        filled = before["pool"][k][before["pool"][k] > 0]
        gained = int(s["ti"][k, seat]) - int(before["ti"][k, seat])
        assert gained == (int(filled[0]) if len(filled) else 0)


def play(players: int, games: int, seed: int) -> int:
    """Play at least so many games; return how many decisions were examined."""
    table = GAME.bind(num_players=players)
    vec = VecGame([table] * SIDE_BY_SIDE, seed=seed)
    bot = UniformBot(GAME, seed)
    batch: Batch = vec.reset()
    views = vec.views()  # the uniform bot looks at masks alone
    before = plain_records(vec.states).copy()
    check(before, players)
    ended = decisions = 0
    lengths = np.zeros(SIDE_BY_SIDE, np.int64)
    while ended < games:
        actions = bot.act(views, batch.masks)
        batch = vec.step(actions, observe=False)
        now = plain_records(vec.states).copy()
        going = np.ones(SIDE_BY_SIDE, bool)
        going[batch.finished] = False
        check(now, players)
        check_influence(now, before, actions, going)
        lengths += 1
        if len(batch.finished):
            finals = plain_records(batch.final_views[:, 0])
            assert (finals["status"] != RUNNING).all()
            assert (lengths[batch.finished] <= table.max_game_length).all()
            assert (total_ti(finals) == finals["issued"]).all()
            lengths[batch.finished] = 0
            ended += len(batch.finished)
        before = now
        decisions += SIDE_BY_SIDE
    return decisions


def test_random_games(players: int) -> None:
    assert play(players, 300, players) > 300 * 100


@pytest.mark.long
def test_hundred_thousand_random_games(players: int) -> None:
    """A third of them at each table size, and one game more in all."""
    assert play(players, 33_334, 10 + players) > 33_334 * 100
