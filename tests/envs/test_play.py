"""The loop: who is asked, where it stops, what it tells; and games that are not dealt anew."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from concilium.envs import (
    BoundGame,
    IllegalActionError,
    OptionError,
    UsageError,
    get_game,
    make_vec,
)
from concilium.envs.core.games import Games
from concilium.envs.core.play import OUTSIDE, PlayLoop, by_number, deciders
from concilium.envs.core.state import plain_records
from tests.envs.odd_bots import Stranger, first_legal

TABLES = [
    get_game("chancellors").bind(num_players=3, max_turns=4),
    get_game("nicaea").bind(num_players=4),
    get_game("believers").bind(num_players=5, rows="1"),
]
TABLE = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game.name)


def dealt(table: BoundGame, count: int, threads: int = 1) -> Games:
    games = Games([table] * count, threads=threads)
    games.deal(range(10, 10 + count))
    return games


def played_alone(table: BoundGame, seed: int) -> tuple[bytes, int]:
    """The end of a game in which the first legal action is taken, and its length."""
    state, decisions = table.new_state(seed), 0
    while plain_records(state)["status"][0] == 0:
        table.step(state, int(table.legal_actions(state).argmax()))
        decisions += 1
    return state.tobytes(), decisions


# Games -------------------------------------------------------------------------------------------


@TABLE
@pytest.mark.parametrize("threads", [1, 2])
def test_games_are_those_of_the_rules_and_stay_as_they_ended(
    table: BoundGame, threads: int
) -> None:
    games = dealt(table, 7, threads)
    lengths = np.zeros(7, np.int64)
    rows = np.arange(7)
    while len(rows):
        stepped = games.advance(games.masks[rows].argmax(axis=1), rows)
        assert (stepped.games == rows).all()
        lengths[rows] += 1
        assert (games.over[rows[stepped.finished]]).all()
        rows = np.delete(rows, stepped.finished)
        assert not games.over[rows].any()
    for row in range(7):
        assert (games.states[row : row + 1].tobytes(), lengths[row]) == played_alone(
            table, 10 + row
        )
        assert games.returns([row])[0].tolist() == table.returns(games.states, row).tolist()
    assert not games.masks.any()
    assert (games.actors == -1).all()
    games.close()


@TABLE
def test_games_can_be_dealt_anew_and_put(table: BoundGame) -> None:
    games = dealt(table, 4)
    games.advance(games.masks.argmax(axis=1))
    before = games.states
    games.deal([77], [2])
    assert games.states[2].tobytes() == table.new_state(77)[0].tobytes()
    assert games.states[[0, 1, 3]].tobytes() == before[[0, 1, 3]].tobytes()
    games.put(before)
    assert games.states.tobytes() == before.tobytes()
    for row in range(4):
        assert (games.masks[row] == table.legal_actions(before, row)).all()
        assert games.actors[row] == plain_records(before)["actor"][row]
        assert games.views([row]).tobytes() == table.view(before, games.actors[row], row).tobytes()
    assert not games.plain_states.flags.writeable
    assert games.plain_states.tobytes() == before.tobytes()


def test_copies_go_their_own_way() -> None:
    games = dealt(TABLES[0], 3)
    for twin in (copy.deepcopy(games), copy.copy(games), pickle.loads(pickle.dumps(games))):
        before = games.states.tobytes()
        twin.advance(twin.masks.argmax(axis=1))
        assert games.states.tobytes() == before != twin.states.tobytes()


def test_what_games_refuse() -> None:
    games = Games([TABLES[0]] * 3)
    with pytest.raises(UsageError, match="no games yet"):
        games.advance([0, 0, 0])
    with pytest.raises(OptionError, match=r"\(2,\) seeds for 3 games"):
        games.deal([1, 2])
    with pytest.raises(OptionError, match=r"seed 1\.5"):
        games.deal([1, 2, 1.5])
    games.deal([1, 2, 3])
    before = games.states.tobytes()
    wrong = games.masks.argmax(axis=1)
    wrong[1] = games.masks[1].argmin()
    with pytest.raises(IllegalActionError, match=f"game 1: action {wrong[1]}"):
        games.advance(wrong)
    with pytest.raises(OptionError, match="twice"):
        games.deal([1, 2], [0, 0])
    assert games.states.tobytes() == before
    PlayLoop(games, [Stranger(first_legal)], np.zeros((3, 3), int)).run()
    with pytest.raises(IllegalActionError, match="after the end of the game"):
        games.advance([0], [1])


def test_a_batch_holds_little_more_than_its_states() -> None:
    vec = make_vec("believers", 4, 10)
    assert vec.bytes_per_game < 1.2 * vec.game.dtype.itemsize


# The loop ----------------------------------------------------------------------------------------


class Noting:
    """Takes the first legal action and notes what it was asked."""

    def __init__(self, number: int, log: list[tuple[int, Any, Any]]) -> None:
        self.number = number
        self.log = log

    def act(self, views: Any, masks: Any) -> Any:
        """Note and choose."""
        self.log.append((self.number, plain_records(views).copy(), masks.copy()))
        return first_legal(masks)


@TABLE
@pytest.mark.parametrize("ask_forced", [False, True])
def test_everybody_is_asked_for_its_own_seats(table: BoundGame, ask_forced: bool) -> None:
    log: list[tuple[int, Any, Any]] = []
    games = dealt(table, 6)
    sits = np.random.default_rng(1).integers(0, 3, (6, table.num_players))
    met = {"decisions": 0, "ends": 0, "forced": 0}

    def decided(rows: Any, actions: Any) -> None:
        masks = games.masks[rows]
        assert (masks[np.arange(len(rows)), actions] == 1).all()
        met["decisions"] += len(rows)
        met["forced"] += int((masks.sum(axis=1) == 1).sum())

    def ended(stepped: Any) -> None:
        met["ends"] += len(stepped.finished)

    bots = [Noting(number, log) for number in range(3)]
    keys = games.plain_states["rng_key"].tolist()
    loop = PlayLoop(
        games, bots, sits, ask_forced=ask_forced, on_decisions=decided, on_ends=ended
    )  # fmt: skip
    order: list[list[int]] = []
    going = loop.round()
    while len(going):
        order.append([number for number, _, _ in log[sum(map(len, order)) :]])
        going = loop.round()
    assert all(numbers == sorted(set(numbers)) for numbers in order)  # each once in a round
    assert games.over.all()
    assert [played_alone(table, key)[0] for key in keys] == [
        state.tobytes() for state in games.states
    ]
    asked = sum(len(masks) for _, _, masks in log)
    assert met["ends"] == 6
    assert met["forced"] > 0 or table.game.name == "believers"
    assert met["decisions"] == sum(played_alone(table, key)[1] for key in keys)
    assert asked == met["decisions"] - (0 if ask_forced else met["forced"])
    for number, views, masks in log:
        assert (views["viewer"] == views["actor"]).all()
        assert ask_forced or (masks.sum(axis=1) > 1).all()
        assert (np.isin(number, sits)).all()


@TABLE
@pytest.mark.parametrize("stop_forced", [False, True])
def test_it_stops_at_the_turn_of_somebody_outside(table: BoundGame, stop_forced: bool) -> None:
    games = dealt(table, 5)
    sits = np.zeros((5, table.num_players), np.int64)
    sits[:, 1] = OUTSIDE
    loop = PlayLoop(games, [Stranger(first_legal)], sits, stop_forced=stop_forced)
    loop.run()
    stops = 0
    while not games.over.all():
        rows = np.flatnonzero(~games.over)
        masks = games.masks[rows]
        assert (games.actors[rows] == 1).all()
        assert stop_forced or (masks.sum(axis=1) > 1).all()
        stops += len(rows)
        games.advance(first_legal(masks), rows)
        loop.run(rows)
    assert stops > 5
    for row in range(5):
        assert games.states[row].tobytes() == played_alone(table, 10 + row)[0]


def test_a_part_of_the_decisions_is_left_to_an_assistant() -> None:
    table = TABLES[1]
    games = dealt(table, 6)
    chosen = np.array([kind == "turn" for kind in table.game.kinds])
    log: list[tuple[int, Any, Any]] = []
    sits = np.tile([0, 1, 0, 1], (6, 1))
    table_of = deciders(chosen, 3, 2, leaving=(0,))
    assert table_of.tolist() == [
        [OUTSIDE] * len(chosen), np.where(chosen, 0, 2).tolist(), [1] * len(chosen),
        [2] * len(chosen),
    ]  # fmt: skip
    PlayLoop(games, [Noting(k, log) for k in range(3)], sits, deciders=table_of).run()
    kinds: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    for number, views, _ in log:
        found = {table.kind(views, k) for k in range(len(views))}
        kinds[number] |= found
        seats = set((views["viewer"] % 2).tolist())
        assert seats == ({1} if number == 1 else {0})
    assert kinds[0] == {"turn"}
    assert kinds[2] == kinds[1] - {"turn"} != set()


def test_games_that_rest_are_left_alone_and_rows_can_be_chosen() -> None:
    games = dealt(TABLES[0], 6)
    before = games.states
    loop = PlayLoop(games, [Stranger(first_legal)], np.zeros((6, 3), int))
    loop.resting[2] = True
    loop.run(np.array([4, 2, 0]))
    assert games.over.tolist() == [True, False, False, False, True, False]
    assert games.states[[1, 2, 3, 5]].tobytes() == before[[1, 2, 3, 5]].tobytes()
    loop.resting[2] = False
    loop.run()
    assert games.over.all()
    assert len(loop.round()) == 0


def test_functions_are_asked_about_the_games_themselves() -> None:
    games = dealt(TABLES[0], 4)
    seen: list[int] = []

    def choose(rows: Any) -> Any:
        seen.extend(games.actors[rows].tolist())
        return games.masks[rows].argmax(axis=1)

    sits = np.tile([0, 1, 1], (4, 1))
    PlayLoop(games, [choose, Stranger(first_legal)], sits).run()
    assert set(seen) == {0}
    for row in range(4):
        assert games.states[row].tobytes() == played_alone(TABLES[0], 10 + row)[0]


def test_games_that_deal_themselves_anew_go_on() -> None:
    vec = make_vec("chancellors", 4, 2, seed=3, max_turns=2)
    vec.reset()
    loop = PlayLoop(vec, [Stranger(first_legal)], np.zeros((4, 2), int))
    for _ in range(200):
        assert loop.round().tolist() == [0, 1, 2, 3]
    assert (vec.episodes > 2).all()
    assert loop.clock.engine > 0
    assert loop.clock.bots > 0


def test_a_failure_is_remembered() -> None:
    def fail(masks: Any) -> Any:
        raise RuntimeError("tired")

    games = dealt(TABLES[0], 2)
    loop = PlayLoop(games, [Stranger(fail)], np.zeros((2, 3), int))
    before = games.states.tobytes()
    with pytest.raises(RuntimeError, match="tired"):
        loop.run()
    assert loop.failed
    assert games.states.tobytes() == before


def test_answers_by_number() -> None:
    calls: list[tuple[int, list[int]]] = []

    def ask(number: int, places: Any) -> Any:
        calls.append((number, places.tolist()))
        return places * 10 + number

    found = by_number(np.array([4, 1, 4, 0]), ask)
    assert found.tolist() == [4, 11, 24, 30]
    assert calls == [(0, [3]), (1, [1]), (4, [0, 2])]
    assert by_number(np.empty(0, np.int64), ask).tolist() == []
