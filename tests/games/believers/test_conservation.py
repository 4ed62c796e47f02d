"""What holds at every step of very many random games, looked at side by side.

The sums are taken from the records themselves, without the census that the rules declare.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import SPECTATOR, Batch, VecGame
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.core.state import RUNNING, plain_records
from tests.games.believers.players import BLOCKS
from tests.games.believers.tables import DEFECTORS, PLAIN

TABLES: list[dict[str, Any]] = [
    {}, {}, {"talk": "claims"}, {"reward": "zero_sum"}, {"cards": PLAIN, "talk": "claims"},
    {"shame": False, "hand_size": 2}, {"disciples": False}, {"crises": False, "rows": "4-4"},
]  # fmt: skip
"""Options of the tables that stand side by side."""
EAGERNESS = np.ones(act.NUM_ACTIONS)
EAGERNESS[[act.DONE, act.PASS]] = 4.0
EAGERNESS[[k for k, block in enumerate(BLOCKS) if block in ("shame", "enlist", "nominate")]] = 0.3


def counted(kinds: NDArray[Any], size: int) -> NDArray[np.int64]:
    """How often each number from 0 is in the rows of ``kinds``; negative ones are nothing."""
    flat = kinds.reshape(len(kinds), -1)
    total: NDArray[np.int64] = (flat[:, :, None] == np.arange(size)).sum(axis=1)
    return total


def check_virtues(s: NDArray[Any]) -> None:
    """Of each kind as many as there ever were: hands, deck, discards, tablet, Missions."""
    row = np.clip(s["mission_row"], 0, 4)
    open_row = np.take_along_axis(s["row_tokens"], row, axis=1) == 0
    there = np.where((s["mission_pair"] >= 0) & open_row, 0, 99)
    placed = np.where(there[:, :, None] == 0, s["mission_placed"], -1)
    total = (
        s["hand"].sum(axis=1)
        + s["deck"]
        + s["discards"]
        + s["finished"]
        + counted(s["gift"], S.KINDS)
        + counted(placed, S.KINDS)
    )
    assert (total == s["virtue_copies"]).all()
    assert (s["hand"].sum(axis=2) == s["hand_count"]).all()
    assert (s["deck"].sum(axis=1) == s["deck_size"]).all()
    for name in ("hand", "deck", "discards", "finished"):
        assert (s[name] >= 0).all()


def check_disciples(s: NDArray[Any]) -> None:
    """Of each name as many as there ever were."""
    held = s["disciples"].sum(axis=1)
    total = held + counted(s["pile_top"], S.DISCIPLES) + s["buried"] + s["gone"]
    copies = np.where(s["disciples_on"][:, None] == 1, s["disciple_copies"], 0)
    assert (total == copies).all()
    tops = (s["pile_top"] >= 0).sum(axis=1)
    assert (s["pile_size"].sum(axis=1) == tops + s["buried"].sum(axis=1)).all()
    assert ((s["pile_size"] > 0) == (s["pile_top"] >= 0)).all()
    for name in ("disciples", "buried", "gone", "pile_size"):
        assert (s[name] >= 0).all()


def check_missions(s: NDArray[Any]) -> None:
    """No Mission is turned up more often than there are copies; tokens are those of the rows."""
    pairs = np.concatenate([s["mission_pair"], s["next_mission"][:, None], s["under"]], axis=1)
    assert (counted(pairs, S.PAIRS) <= s["mission_copies"]).all()
    turned_up = (s["mission_pair"] >= 0).sum(axis=1)
    assert ((turned_up == s["mission"]) | (turned_up == s["mission"] + 1)).all()
    given = s["row_tokens"]
    assert (np.where(given > 0, given, 0).sum(axis=1) == s["tokens"][:, 0]).all()
    assert (np.where(given < 0, -given, 0).sum(axis=1) == s["tokens"][:, 1]).all()
    assert (s["under_count"] == (s["under"] >= 0).sum(axis=1)).all()


def check_shame(s: NDArray[Any], players: int) -> None:
    """Each player has one card, which is at home, away, or before another player."""
    where = s["shame_at"][:, :players]
    good = (where == S.OWN) | (where == S.AWAY) | ((where >= 0) & (where < players))
    assert good.all()
    assert (where != np.arange(players)).all()
    assert (where[s["shame_on"] == 0] == S.AWAY).all()
    assert (s["gossip"] >= 0).all()


def check_sides(s: NDArray[Any], players: int) -> None:
    """As many Defectors as there should be, and nobody else at the table."""
    assert (s["faith"][:, :players].sum(axis=1) == DEFECTORS[players]).all()
    assert (s["hand_count"][:, players:] == 0).all()
    assert (s["status"] == RUNNING).all()
    assert (s["winner"] == -1).all()
    assert (s["log_count"] <= S.LOG_CAPACITY).all()
    assert ((s["actor"] >= 0) & (s["actor"] < players)).all()
    assert (np.sort(s["crises"], axis=1)[:, ::-1] < S.CRISES).all()


def check_all(s: NDArray[Any], players: int) -> None:
    """Everything about one moment."""
    check_virtues(s)
    check_disciples(s)
    check_missions(s)
    check_shame(s, players)
    check_sides(s, players)


class NightWatch:
    """B17 over random games: a non-Defector's View stays the same, byte for byte, all night."""

    def __init__(self) -> None:
        """Nothing has been seen."""
        self.before: dict[int, tuple[int, bytes]] = {}
        self.compared = 0

    def look(self, vec: VecGame, s: NDArray[Any], rng: np.random.Generator) -> None:
        """Compare the Views of all games in which it is night."""
        nights = np.flatnonzero(s["phase"] == S.Phase.NIGHT)
        fresh: dict[int, tuple[int, bytes]] = {}
        if len(nights):
            viewers = np.empty(len(nights), np.int64)
            for k, game in enumerate(nights):
                kept = self.before.get(int(game))
                believers = np.flatnonzero(s["faith"][game][: int(s["num_players"][game])] == 0)
                viewers[k] = kept[0] if kept else int(rng.choice([*believers, SPECTATOR]))
            views = plain_records(vec.views(nights, viewers))
            assert (views["actor"] == -1).all()
            assert (views["nominations"] == 0).all()
            assert (views["log"][:, :, 0] != S.Event.NOMINATED).all()
            for k, game in enumerate(nights):
                seen = views[k].tobytes()
                kept = self.before.get(int(game))
                if kept is not None and s["nominations"][game] > 0:
                    assert kept[1] == seen
                    self.compared += 1
                fresh[int(game)] = (int(viewers[k]), seen)
        self.before = fresh


def check_end(batch: Batch, lengths: NDArray[np.int64], vec: VecGame, players: int) -> None:
    """B22 for the games just over, within the declared bound."""
    finals = plain_records(batch.final_views[:, 0])
    rewards = batch.rewards[batch.finished]
    assert batch.terminated[batch.finished].all()
    assert (finals["status"] != RUNNING).all()
    assert (finals["actor"] == -1).all()
    bounds = np.array([vec.tables[k].max_game_length for k in batch.games[batch.finished]])
    assert (lengths[batch.finished] <= bounds).all()
    assert (finals["log_count"] <= S.LOG_CAPACITY).all()
    faith, winner = finals["faith"][:, :players], finals["winner"][:, None]
    won = np.where(faith == winner, 1.0, -1.0)
    side = np.where(faith == 1, DEFECTORS[players], players - DEFECTORS[players])
    expected = np.where(finals["zero_sum"][:, None] == 1, won / side, won)
    assert np.allclose(rewards[:, :players], expected)
    ahead = finals["tokens"][:, 0] > finals["tokens"][:, 1]
    assert (finals["tokens"][:, 0] != finals["tokens"][:, 1]).all()
    assert (ahead == (finals["winner"] == S.Faith.BELIEVER)).all()
    assert (finals["mission"] <= 13).all()
    assert (finals["ending"] != S.Ending.OPEN).all()


def play(players: int, games: int, seed: int, side_by_side: int) -> tuple[int, int]:
    """Play at least so many games; return the decisions examined and the nights compared."""
    tables = [GAME.bind(num_players=players, **TABLES[k % 8]) for k in range(side_by_side)]
    vec = VecGame(tables, seed=seed)
    rng = np.random.default_rng(seed)
    batch = vec.reset()
    lengths = np.zeros(side_by_side, np.int64)
    watch = NightWatch()
    check_all(plain_records(vec.states), players)
    ended = decisions = 0
    while ended < games:
        # a random legal action, an easy one more often, so that games are not all spending
        draws = rng.random(batch.masks.shape, dtype=np.float32) + np.float32(1e-6)
        actions = (batch.masks * draws ** (1 / EAGERNESS)).argmax(axis=1)
        batch = vec.step(actions, observe=False)
        now = plain_records(vec.states)
        check_all(now, players)
        watch.look(vec, now, rng)
        lengths += 1
        if len(batch.finished):
            check_end(batch, lengths, vec, players)
            lengths[batch.finished] = 0
            ended += len(batch.finished)
        decisions += side_by_side
    return decisions, watch.compared


def test_random_games(players: int) -> None:
    decisions, compared = play(players, 64, players, 64)
    assert decisions > 64 * 60
    assert compared > 64


@pytest.mark.long
def test_hundred_thousand_random_games(players: int) -> None:
    """A sixth of them at each table size, and a few more in all."""
    decisions, compared = play(players, 16_667, 10 + players, 512)
    assert decisions > 16_667 * 60
    assert compared > 16_667


def test_a_lost_card_is_found() -> None:
    # the sums do notice
    vec = VecGame([GAME.bind(num_players=5)] * 4, seed=1)
    vec.reset()
    s = plain_records(vec.states)
    check_all(s, 5)
    for field in ("deck", "discards", "finished", "buried", "gone", "gossip"):
        lost = s.copy()
        lost[field][2, 0] += -1 if field == "gossip" else 1
        with pytest.raises(AssertionError):
            check_all(lost, 5)
