"""Hypothesis chooses options, players and seeds: whatever they are, the promises are kept."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concilium.envs import SPECTATOR, BoundGame, Game, get_game
from concilium.envs.check.compare import same_rows
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.bot import Actor, UniformBot
from concilium.envs.core.errors import IllegalActionError
from concilium.envs.core.state import RUNNING, Records, plain_records
from concilium.envs.core.state_json import state_from_json, state_to_json
from tests.contract.players import Careful
from tests.toys.hush import HUSH

# the same examples each time, and no time limit for one: machines are shared
EXAMPLES = settings(
    max_examples=40, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
MANY = settings(EXAMPLES, max_examples=600)
SEEDS = st.integers(0, 2**64 - 1)


def tables(game: Game) -> st.SearchStrategy[BoundGame]:
    """Any options that the game allows, their extremes more often."""

    def values(option: Any) -> st.SearchStrategy[Any]:
        if option.choices:
            return st.sampled_from(option.choices)
        if isinstance(option.default, bool):
            return st.booleans()
        usual = st.integers(option.low, min(option.high, option.low + 60))
        return st.one_of(usual, st.sampled_from([option.low, option.high, option.default]))

    options = st.fixed_dictionaries({option.name: values(option) for option in game.all_options})
    return options.map(lambda chosen: game.bind(**chosen))


def player(game: Game, careful: bool, seed: int) -> Actor:
    """A careful player of Chancellors, or a random one of any game."""
    if careful and game.name == "chancellors":
        return Careful(seed, growth=7 + seed % 4, eager=(seed % 3) / 4)
    return UniformBot(game, seed)


def check_state(bound: BoundGame, states: Records, seed: int) -> None:
    """Views, observations and resampled States of one State, for all who look."""
    layout = bound.game.observation
    plain = plain_records(states)[0]
    running = int(plain["status"]) == RUNNING
    for viewer in (SPECTATOR, *range(bound.num_players)):
        view = bound.view(states, viewer)
        drawn = bound.determinize(view, seed)
        assert same_rows(bound.view(drawn, viewer), view).all()
        assert (bound.census(drawn) == bound.census(states)).all()
        assert bound.legal_actions(drawn).any() == running
        vector = bound.encode(view)[0]
        assert ((vector >= layout.low) & (vector <= layout.high)).all()
        assert bound.describe(view) == bound.describe(bound.view(drawn, viewer))
    if running:
        mask = bound.legal_actions(states)
        assert mask.any()
        assert (bound.legal_actions(bound.view(states, int(plain["actor"]))) == mask).all()
    read = state_from_json(bound.game, state_to_json(states))
    assert read.tobytes() == states.tobytes()


def play_out(bound: BoundGame, bot: Actor, seed: int, look_every: int) -> int:
    """Play a game to its end, looking at it now and then; return its length."""
    states = bound.new_state(seed)
    census = bound.census(states)
    low, high = bound.game.return_range
    moves = 0
    while int(plain_records(states)["status"][0]) == RUNNING:
        assert moves < bound.max_game_length
        assert not bound.returns(states).any()
        if moves % look_every == 0:
            check_state(bound, states, seed)
        view = bound.view(states, int(plain_records(states)["actor"][0]))
        mask = bound.legal_actions(view)
        bound.step(states, int(bot.act(view, mask[np.newaxis])[0]))
        assert (bound.census(states) == census).all()
        moves += 1
    check_state(bound, states, seed)
    returns = bound.returns(states)
    assert ((returns >= low) & (returns <= high)).all()
    assert not bound.legal_actions(states).any()
    return moves


@pytest.mark.parametrize("game", [get_game("chancellors"), HUSH], ids=str)
@EXAMPLES
@given(data=st.data(), seed=SEEDS, careful=st.booleans())
def test_any_game_at_any_table(game: Game, data: st.DataObject, seed: int, careful: bool) -> None:
    bound = data.draw(tables(game))
    play_out(bound, player(game, careful, seed % 1000), seed, look_every=11)


@pytest.mark.long
@pytest.mark.parametrize("game", [get_game("chancellors"), HUSH], ids=str)
@MANY
@given(data=st.data(), seed=SEEDS, careful=st.booleans())
def test_many_games_at_many_tables(
    game: Game, data: st.DataObject, seed: int, careful: bool
) -> None:
    bound = data.draw(tables(game))
    play_out(bound, player(game, careful, seed % 1000), seed, look_every=3)


@pytest.mark.parametrize("game", [get_game("chancellors"), HUSH], ids=str)
@EXAMPLES
@given(data=st.data(), seed=SEEDS, moves=st.integers(0, 60))
def test_copies_of_an_environment_go_on_alike(
    game: Game, data: st.DataObject, seed: int, moves: int
) -> None:
    bound = data.draw(tables(game))
    options: dict[str, Any] = dict(bound.options)
    env = GameEnv(game, **options)
    env.reset(seed=seed)
    _advance(env, UniformBot(game, 1), moves)
    twins = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = [twin.game_state().tobytes() for twin in twins]
    assert set(before) == {env.game_state().tobytes()}
    _advance(env, UniformBot(game, 2), 25)
    assert [twin.game_state().tobytes() for twin in twins] == before
    for twin in twins:
        _advance(twin, UniformBot(game, 2), 25)
        assert twin.game_state().tobytes() == env.game_state().tobytes()
        assert twin.rewards == env.rewards
        assert repr(twin) == repr(env)


def _advance(env: GameEnv, bot: Actor, moves: int) -> None:
    for _ in range(moves):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        mask = env.observe(agent)["action_mask"]
        env.step(int(bot.act(env.view(agent), mask[np.newaxis])[0]))


@EXAMPLES
@given(
    seed=SEEDS,
    action=st.one_of(
        st.integers(), st.floats(), st.booleans(), st.text(), st.binary(), st.none(),
        st.lists(st.integers()), st.complex_numbers(), st.tuples(st.integers()),
    ),
)  # fmt: skip
def test_no_odd_action_does_harm(seed: int, action: Any) -> None:
    env = GameEnv(get_game("chancellors"))
    env.reset(seed=seed)
    before = env.game_state().tobytes()
    mask = env.observe(env.agent_selection)["action_mask"]
    if type(action) is int and 0 <= action < len(mask) and mask[action]:
        env.step(action)
        assert env.game_state().tobytes() != before
        return
    error = RuntimeError if action is None else IllegalActionError
    with pytest.raises(error):
        env.step(action)
    assert env.game_state().tobytes() == before
