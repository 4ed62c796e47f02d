"""Wrong use at the edges gives one typed error and harms nothing."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concilium.envs import (
    SPECTATOR,
    IllegalActionError,
    OptionError,
    UsageError,
    chancellors_v0,
    get_game,
    make_vec,
)
from concilium.envs.core.state import FULL, new_records, plain_records
from concilium.envs.core.state_json import state_from_json, state_to_json

GAME = get_game("chancellors")


def test_a_state_of_another_table_is_not_loaded() -> None:
    env = chancellors_v0.env(num_players=3)
    env.reset(seed=1)
    before = env.game_state().tobytes()
    others: list[dict[str, Any]] = [
        {"num_players": 4}, {"problems": 5}, {"excuse": True}, {"target_score": 49},
        {"calamity": "lowest_wins"}, {"max_turns": 299}, {"pawns": True},
    ]  # fmt: skip
    for options in others:
        state = GAME.bind(**{"num_players": 3, **options}).new_state(2)
        with pytest.raises(OptionError, match="the state has"):
            env.load_game_state(state)
    with pytest.raises(OptionError, match="View"):
        env.load_game_state(env.view("player_0"))
    with pytest.raises(OptionError):
        env.load_game_state(new_records(2, GAME.dtype))
    assert env.game_state().tobytes() == before


BAD_FIELDS = {
    "a float": ("turns", 1.7),
    "a truth": ("turns", True),
    "a text": ("turns", "3"),
    "too large": ("turns", 10**9),
    "huge": ("turns", 10**400),
    "a list": ("turns", [1]),
    "ragged": ("dice", [[1, 2], [3]]),
    "another shape": ("dice", [1, 2]),
    "no such seat": ("actor", 50),
    "no such status": ("status", 7),
    "no such table": ("num_players", 9),
}


@pytest.mark.parametrize("name", list(BAD_FIELDS))
def test_json_of_a_state_is_read_strictly(name: str) -> None:
    fields = json.loads(state_to_json(GAME.bind().new_state(1)))
    field, value = BAD_FIELDS[name]
    fields[field] = value
    with pytest.raises(OptionError):
        state_from_json(GAME, json.dumps(fields))


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR, -3, 50])
def test_a_record_that_is_no_state_is_refused_in_one_line(viewer: int) -> None:
    table = GAME.bind(num_players=2)
    record = table.new_state(1)
    if viewer in (0, 1, SPECTATOR):
        record = table.view(record, viewer)
    plain_records(record)["viewer"] = viewer
    vec = make_vec(GAME, 1, 2, seed=1)
    vec.reset()
    env = chancellors_v0.env(num_players=2)
    env.reset(seed=1)
    uses: list[Callable[[], object]] = [
        lambda: state_from_json(GAME, state_to_json(record)),
        lambda: vec.restore(record, vec.episodes, vec.run),
        lambda: env.load_game_state(record),
        lambda: table.encode_state(record),
    ]
    for use in uses:
        with pytest.raises(OptionError, match=f"^not a state of .*: viewer is {viewer}, .*$"):
            use()


@pytest.mark.parametrize("viewer", [FULL, 2, -3, 50])
def test_a_record_that_is_no_view_is_refused_in_one_line(viewer: int) -> None:
    table = GAME.bind(num_players=2)  # at which nobody sits in seat 2
    record = table.new_state(1)
    plain_records(record)["viewer"] = viewer
    for use in (lambda: table.determinize(record, 1), lambda: table.encode(record)):
        with pytest.raises(OptionError, match=f"^not a view of .*: viewer is {viewer}, .*$"):
            use()


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", "{}", "1" * 5000, "null"])
def test_json_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        state_from_json(GAME, text)


def test_an_index_beyond_the_records_is_refused_everywhere() -> None:
    table = GAME.bind()
    states = table.new_state(1)
    view = table.view(states, 0)
    for index in (1, -1, 5):
        calls = (
            lambda i: table.legal_actions(states, i),
            lambda i: table.step(states, 0, i),
            lambda i: table.view(states, 0, i),
            lambda i: table.determinize(view, 1, i),
            lambda i: table.returns(states, i),
            lambda i: table.census(states, i),
            lambda i: table.kind(states, i),
            lambda i: table.encode_state(states, i),
            lambda i: table.describe(view, i),
            lambda i: table.render(view, i),
        )
        for call in calls:
            with pytest.raises(OptionError):
                call(index)


def test_a_view_is_not_taken_for_a_state() -> None:
    table = GAME.bind()
    states = table.new_state(1)
    view = table.view(states, 0)
    with pytest.raises(OptionError):
        table.view(view, 1)
    with pytest.raises(OptionError):
        table.step(view, 0)
    with pytest.raises(OptionError):
        table.encode_state(view)
    with pytest.raises(OptionError):
        table.determinize(states, 1)


@pytest.mark.parametrize("action", [10**30, -1, 152, 0.0, True, "1", None, np.float64(1)])
def test_a_game_lost_by_an_illegal_action_is_over_for_good(action: Any) -> None:
    env = chancellors_v0.env(num_players=3, illegal="lose")
    env.reset(seed=1)
    offender = env.agent_selection
    if action is None:
        with pytest.raises(UsageError):
            env.step(None)
        return
    env.step(action)
    total = {agent: env.rewards[agent] for agent in env.possible_agents}
    assert total == {agent: -1.0 if agent == offender else 0.0 for agent in total}
    while env.agents:
        assert not env.observe(env.agent_selection)["action_mask"].any()
        env.step(None)
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()
    with pytest.raises(UsageError, match="illegal action"):
        env.replay()
    env.reset(seed=1)
    assert env.observe(env.agent_selection)["action_mask"].any()
    env.replay().verify()


def test_copies_sample_from_spaces_of_their_own() -> None:
    env = chancellors_v0.env()
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    agent = env.agent_selection
    env.action_space(agent).seed(1)
    twin.action_space(agent).seed(1)
    first = [int(env.action_space(agent).sample()) for _ in range(5)]
    assert [int(twin.action_space(agent).sample()) for _ in range(5)] == first
    with pytest.raises(OptionError):
        env.action_space("player_9")


@pytest.mark.parametrize("threads", [1, 2])
def test_more_rows_than_games_are_observed_right(threads: int) -> None:
    vec = make_vec(GAME, 4, [2, 3, 4, 2], seed=1, threads=threads)
    batch = vec.reset()
    rows = np.arange(200) % 4
    assert (vec.observations(rows) == batch.observations[rows]).all()
    views = vec.views(rows)
    assert (views["viewer"] == batch.actors[rows]).all()
    for players in (np.full(200, 3), np.full(200, -1), np.zeros(3, int)):
        with pytest.raises(OptionError):
            vec.views(rows, players)
    vec.close()


def test_wrong_actions_and_games_change_no_game() -> None:
    vec = make_vec(GAME, 3, 2, seed=1)
    with pytest.raises(UsageError):
        vec.step([0, 0, 0])
    legal = vec.reset().masks.argmax(axis=1)
    before = vec.states.tobytes()
    bad_actions: list[Any] = [
        [1.0, 2.0, 3.0], [True, True, True], ["a", "b", "c"], [[0, 0, 0]], [0, 0],
        [legal[0], legal[1], 151], [legal[0], -1, legal[2]], [legal[0], 10**12, legal[2]],
    ]  # fmt: skip
    for actions in bad_actions:
        with pytest.raises(IllegalActionError):
            vec.step(actions)
    bad_games: list[Any] = [[0, 0], [3], [-1], [0.5], [[0]]]
    for games in bad_games:
        with pytest.raises(OptionError):
            vec.step(legal[: len(games)], games)
    assert vec.states.tobytes() == before
    assert len(vec.step([], []).games) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_envs": 0}, {"num_envs": True}, {"num_envs": 2.0}, {"num_players": 5},
        {"num_players": [2, 2.7]}, {"num_players": [2]}, {"threads": 0}, {"seed": -1},
        {"seed": 2**64}, {"seed": 1.5}, {"colour": "red"}, {"self": 1},
    ],
)  # fmt: skip
def test_wrong_arguments_of_make_vec_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        make_vec("chancellors", **{"num_envs": 2, **arguments})


DAMAGE: dict[str, tuple[str, Any]] = {
    "more cards than there are": ("deck_size", 127),
    "no such phase": ("phase", 99),
    "a die of 7": ("dice", [[1, 7], [1, 1], [1, 1], [0, 0], [0, 0]]),
    "the higher die first": ("dice", [[5, 2], [1, 1], [1, 1], [0, 0], [0, 0]]),
    "a hand too large": ("hand_size", [9, 3, 3, 0]),
    "a payment for nothing": ("phase", 2),
    "somebody else to act": ("actor", 0),
    "a card of another deck": ("card_deck", [1] * 38),
    "an empty deck of 24": ("deck", [-1] * 38),
    "an owner who is not there": ("owner", [3, -1, -1]),
    "a force asked about nothing": ("attempt_force", 1),
    "padding": ("padding", [1, 0]),
}


@pytest.mark.parametrize("name", list(DAMAGE))
def test_a_damaged_position_is_not_loaded(name: str) -> None:
    env = chancellors_v0.env(num_players=3)
    env.reset(seed=1)
    state = env.game_state()
    assert int(state["actor"][0]) != 0  # so that the damage is one
    state[DAMAGE[name][0]][0] = DAMAGE[name][1]
    with pytest.raises(OptionError, match="not a state"):
        env.load_game_state(state)
    with pytest.raises(OptionError):
        state_from_json(GAME, state_to_json(state))


def test_blank_states_and_things_that_are_none_are_not_loaded() -> None:
    env = chancellors_v0.env(num_players=3)
    wrong: list[Any] = [env.game.template.copy(), None, 3, np.zeros(3)]
    for state in wrong:
        with pytest.raises(OptionError):
            env.load_game_state(state)


def test_every_position_of_a_game_is_sound() -> None:
    for options in ({}, {"excuse": True, "pawns": True, "problems": 5}, {"target_score": 3}):
        vec = make_vec(GAME, 30, [2, 3, 4] * 10, seed=3, **options)
        batch = vec.reset()
        rng = np.random.default_rng(1)
        for _ in range(60):
            for state in vec.states:
                assert list(GAME.faults(state)) == []
            batch = vec.step([int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks])
            for view in batch.final_views[:, 0]:
                assert view["status"] != 0


def test_read_only_states_are_not_written() -> None:
    table = GAME.bind()
    frozen = np.frombuffer(bytes(table.new_state(1).tobytes()), GAME.dtype)
    with pytest.raises(OptionError, match="read-only"):
        table.step(frozen, int(table.legal_actions(frozen).argmax()))
    with pytest.raises((ValueError, TypeError)):
        table.template["problems"] = 5
    with pytest.raises(TypeError):
        table.options["problems"] = 5  # type: ignore[index]


def test_a_batch_can_be_copied_and_pickled_in_the_middle() -> None:
    vec = make_vec(GAME, 8, 3, seed=1, threads=2)
    actions = vec.reset().masks.argmax(axis=1)
    twins = [pickle.loads(pickle.dumps(vec)), copy.copy(vec), copy.deepcopy(vec)]
    assert twins[0].game is GAME
    ends = vec.step(actions).observations
    for twin in twins:
        assert (twin.step(actions).observations == ends).all()
        twin.close()
    vec.close()


def test_questions_before_the_first_reset_are_refused() -> None:
    vec = make_vec(GAME, 2, 2, seed=1)
    for question in (vec.views, vec.observations, vec.state_vectors):
        with pytest.raises(UsageError):
            question()


def test_what_is_legal_is_told_to_whoever_is_to_act_only() -> None:
    table = GAME.bind(num_players=3)
    states = table.new_state(1)
    actor = int(states["actor"][0])
    for player in range(3):
        view = table.view(states, player)
        if player == actor:
            assert (table.legal_actions(view) == table.legal_actions(states)).all()
        else:
            with pytest.raises(OptionError):
                table.legal_actions(view)
    with pytest.raises(OptionError):
        table.encode(states)
