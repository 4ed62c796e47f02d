"""Whatever holds a game goes on, copied or pickled, as the very same game and by itself."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concilium.baselines import make_bot
from concilium.envs import get_game, make_vec
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.copies import Independent
from concilium.envs.core.games import Games
from concilium.wrappers import DecisionsEnv, SingleSeatEnv, SingleSeatVecEnv, VecDecisions
from concilium.wrappers.sb3 import Sb3VecEnv

GAMES = ["chancellors", "nicaea", "believers"]


def from_store(thing: Any) -> Any:
    """What an object store gives back: arrays that are read-only and lie in shared memory."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(each.raw()) for each in buffers])


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "object store": from_store,
}


# One way of going on for each class: what is seen and paid.


def _go_env(env: GameEnv, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        if not env.agents:
            env.reset()
        observation, reward, over, cut, _ = env.last()
        assert observation is not None
        seen.append((observation["observation"].tobytes(), reward, over, cut))
        env.step(None if over or cut else _some(observation["action_mask"], k))
    return seen


def _go_seat(env: SingleSeatEnv, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        observation, reward, over, cut, info = env.step(_some(env.action_masks(), k))
        seen.append((observation.tobytes(), reward, over, cut, info["seat"]))
        if over or cut:
            seen.append(env.reset()[0].tobytes())
    return seen


def _go_sb3(env: Sb3VecEnv, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        actions = np.array([_some(mask, k) for mask in env.action_masks()])
        observations, rewards, over, _ = env.step(actions)
        seen.append((np.asarray(observations).tobytes(), rewards.tolist(), over.tolist()))
    return seen


def _go_seats(env: SingleSeatVecEnv, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        actions = np.array([_some(mask, k) for mask in env.action_masks()])
        observations, rewards, over, cut, infos = env.step(actions)
        seen.append((observations.tobytes(), rewards.tolist(), over.tolist(), cut.tolist()))
        seen.append(infos["seat"].tolist())
    return seen


def _go_vec(env: Any, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        batch = env.step(np.array([_some(mask, k) for mask in env.masks]))
        seen.append((batch.observations.tobytes(), batch.rewards.tolist()))
    return seen


def _go_games(games: Games, steps: int) -> list[Any]:
    seen: list[Any] = []
    for k in range(steps):
        rows = np.flatnonzero(~games.over)
        games.advance(np.array([_some(games.masks[row], k) for row in rows]), rows)
        seen.append(games.states.tobytes())
    return seen


def _some(mask: np.ndarray, k: int) -> int:
    """A legal action that changes from decision to decision."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * k) % len(legal)])


def _games(name: str) -> Games:
    games = Games([get_game(name).bind()] * 3)
    games.deal(range(3))
    return games


MADE: dict[str, tuple[Callable[[str], Any], Callable[[Any, int], list[Any]]]] = {
    "GameEnv": (lambda name: GameEnv(get_game(name)), _go_env),
    "DecisionsEnv": (
        lambda name: DecisionsEnv(
            name, decisions=get_game(name).kinds[0], assistant=make_bot("random", name, seed=1)
        ),
        _go_env,
    ),
    "SingleSeatEnv": (
        lambda name: SingleSeatEnv(name, opponents=make_bot("random", name, seed=1)),
        _go_seat,
    ),
    "SingleSeatVecEnv": (lambda name: SingleSeatVecEnv(name, 3), _go_seats),
    "Sb3VecEnv": (lambda name: Sb3VecEnv(name, 3, seed=1), _go_sb3),
    "VecGame": (lambda name: make_vec(name, 3, seed=1), _go_vec),
    "VecDecisions": (
        lambda name: VecDecisions(
            make_vec(name, 3, seed=1), decisions=get_game(name).kinds[0], assistant="random"
        ),
        _go_vec,
    ),
    "Games": (_games, _go_games),
}


def _begin(thing: Any) -> None:
    if isinstance(thing, SingleSeatEnv | SingleSeatVecEnv | GameEnv):
        thing.reset(seed=5)
    elif not isinstance(thing, Games) or hasattr(thing, "reset"):
        thing.reset()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("name", GAMES)
def test_a_copy_in_mid_game_is_the_same_game(name: str, kind: str, way: str) -> None:
    make, go_on = MADE[kind]
    thing = make(name)
    _begin(thing)
    go_on(thing, 5)
    first, second = WAYS[way](thing), WAYS[way](thing)
    seen = go_on(first, 25)
    assert go_on(second, 25) == seen, "the first copy has not touched the second"
    assert go_on(thing, 25) == seen, "nor the original"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [kind for kind in MADE if kind != "Games"])
def test_a_copy_before_first_use_is_the_same(kind: str, way: str) -> None:
    make, go_on = MADE[kind]
    thing = make("chancellors")
    twin = WAYS[way](thing)
    _begin(thing)
    _begin(twin)
    assert go_on(twin, 25) == go_on(thing, 25)


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_seat_ends_games_and_pays(way: str) -> None:
    """Copies once never ended a game and never paid, without an error."""
    env = SingleSeatEnv("chancellors", num_players=2)
    env.reset(seed=1)
    rows = _go_seat(WAYS[way](env), 200)
    ends = [row for row in rows if isinstance(row, tuple) and row[2]]
    assert len(ends) > 5
    assert all(row[1] != 0 for row in ends)


def test_games_from_a_store_do_not_have_code_compiled_anew() -> None:
    for name in GAMES:
        game = get_game(name)
        env = GameEnv(game)
        env.reset(seed=1)
        bot = make_bot("random", game, seed=1)
        _go_env(env, 3)
        _ask_all(env, env.game_state(), bot)
        before = game.kernels.cache_misses()
        before = {entry: len(game.kernels.__dict__[entry].signatures) for entry in before}
        state = from_store(env.game_state())
        assert not state.flags.writeable
        _ask_all(from_store(env), state, from_store(bot))
        after = {entry: len(game.kernels.__dict__[entry].signatures) for entry in before}
        assert after == before


def _ask_all(env: GameEnv, state: Any, bot: Any) -> None:
    """Every question that takes records."""
    bound = env.game
    actor = int(state["actor"][0])
    view = bound.view(state, actor)
    view.setflags(write=state.flags.writeable)
    mask = bound.legal_actions(view)[np.newaxis]
    for ask in (bound.encode_state, bound.census, bound.returns, bound.kind, bound.legal_actions):
        ask(state)
    bound.encode(view)
    bound.determinize(view, 1)
    bot.act(view, mask)
    env.load_game_state(state)
    env.observe(env.agent_selection)


def test_everything_that_holds_a_game_copies_deeply() -> None:
    """A class with arrays or chance of its own is Independent, or says itself how it is copied."""
    for make, _ in MADE.values():
        thing = make("chancellors")
        assert isinstance(thing, Independent | GameEnv)
