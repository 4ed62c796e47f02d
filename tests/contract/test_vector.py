"""Games in batches are the same games: step by step as in the AEC environment."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import (
    Batch,
    Game,
    IllegalActionError,
    OptionError,
    get_game,
    make_vec,
)
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.vector import VecGame
from tests.contract import philox
from tests.games.nicaea.players import SMALL_DECK
from tests.toys.hush import HUSH

CHANCELLORS = get_game("chancellors")
NICAEA = get_game("nicaea")
TABLES: list[tuple[Game, list[int] | int, dict[str, Any]]] = [
    (CHANCELLORS, 2, {}),
    (CHANCELLORS, 3, {"excuse": True, "pawns": True}),
    (CHANCELLORS, 4, {"problems": 5, "calamity": "lowest_wins"}),
    (CHANCELLORS, [2, 3, 4, 3, 2, 4], {}),
    (CHANCELLORS, [4, 2, 3, 3, 4, 2], {"max_turns": 2}),  # cut short
    (CHANCELLORS, [2, 4, 4, 3, 3, 2], {"target_score": 1}),  # won at once
    (HUSH, [2, 3, 4, 4, 2, 3], {}),
    (NICAEA, [4, 5, 6, 6, 5, 4], {"deck": SMALL_DECK}),
]
NAMES = [
    f"{g.name}-{n}-{'-'.join(f'{k}={Path(str(v)).name}' for k, v in o.items())}"
    for g, n, o in TABLES
]
GAMES = 6


def random_actions(masks: NDArray[np.int8], generator: np.random.Generator) -> NDArray[np.int64]:
    """Choose a legal action per row."""
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in masks])


class Mirror:
    """One AEC environment per game of a batch, dealt from the same seeds."""

    def __init__(self, vec: VecGame, run: int) -> None:
        self.run = run
        options: list[dict[str, Any]] = [dict(table.options) for table in vec.tables]
        self.envs = [GameEnv(vec.game, **given) for given in options]
        self.episodes = [0] * len(self.envs)
        for i in range(len(self.envs)):
            self._deal(i)

    def _deal(self, i: int) -> None:
        self.envs[i].reset(seed=philox.seed_of(self.run, i, self.episodes[i]))

    def check_waiting(self, batch: Batch) -> None:
        """The player to act, its observation and its mask are those of the batch."""
        for k, i in enumerate(batch.games.tolist()):
            env = self.envs[i]
            agent = env.agent_selection
            seen = env.observe(agent)
            assert batch.actors[k] == env.possible_agents.index(agent)
            assert (batch.observations[k] == seen["observation"]).all()
            assert (batch.masks[k] == seen["action_mask"]).all()

    def step(self, batch: Batch, actions: NDArray[np.int64]) -> int:
        """Take the same actions and compare rewards and endings; return how many games ended."""
        finals = dict(zip(batch.finished.tolist(), batch.final_observations, strict=True))
        views = dict(zip(batch.finished.tolist(), batch.final_views, strict=True))
        for k, i in enumerate(batch.games.tolist()):
            env = self.envs[i]
            env.step(int(actions[k]))
            rewards = list(env.rewards.values())
            absent = batch.rewards.shape[1] - len(rewards)
            assert batch.rewards[k].tolist() == [*rewards, *[0.0] * absent]
            assert batch.terminated[k] == env.terminations["player_0"]
            assert batch.truncated[k] == env.truncations["player_0"]
            over = bool(batch.terminated[k] or batch.truncated[k])
            assert over == (k in finals)
            if over:
                shown = [env.observe(agent)["observation"] for agent in env.possible_agents]
                assert (finals[k][: len(shown)] == np.array(shown)).all()
                assert not finals[k][len(shown) :].any()
                for seat, agent in enumerate(env.possible_agents):
                    assert views[k][seat].tobytes() == env.view(agent)[0].tobytes()
                assert not any(views[k][len(shown) :].tobytes())
                self.episodes[i] += 1
                self._deal(i)
        self.check_waiting(batch)
        return len(finals)


@pytest.mark.parametrize(("game", "num_players", "options"), TABLES, ids=NAMES)
def test_a_batch_plays_the_games_of_the_aec_environment(
    game: Game, num_players: int | list[int], options: dict[str, Any]
) -> None:
    run = 2**64 - 7
    vec = make_vec(game, GAMES, num_players, seed=run, **options)
    mirror = Mirror(vec, run)
    generator = np.random.default_rng(5)
    batch = vec.reset()
    mirror.check_waiting(batch)
    ended = 0
    for _ in range(120):
        actions = random_actions(batch.masks, generator)
        batch = vec.step(actions)
        ended += mirror.step(batch, actions)
    assert ended > GAMES
    assert vec.episodes.tolist() == mirror.episodes


@pytest.mark.parametrize(("game", "num_players", "options"), TABLES, ids=NAMES)
def test_any_part_of_a_batch_can_be_stepped(
    game: Game, num_players: int | list[int], options: dict[str, Any]
) -> None:
    vec = make_vec(game, GAMES, num_players, seed=11, **options)
    mirror = Mirror(vec, 11)
    generator = np.random.default_rng(6)
    vec.reset()
    ended = 0
    for _ in range(200):
        rows = generator.permutation(GAMES)[: generator.integers(0, GAMES + 1)]
        before = vec.states
        actions = random_actions(vec.masks[rows], generator).astype(np.int64)
        batch = vec.step(actions, games=rows)
        assert batch.games.tolist() == rows.tolist()
        ended += mirror.step(batch, actions)
        others = np.setdiff1d(np.arange(GAMES), rows)
        assert vec.states[others].tobytes() == before[others].tobytes()
    assert ended > GAMES


@pytest.mark.parametrize(("game", "num_players", "options"), TABLES, ids=NAMES)
def test_threads_change_nothing(
    game: Game, num_players: int | list[int], options: dict[str, Any]
) -> None:
    if isinstance(num_players, list):
        num_players = num_players * 5
    vecs = [
        make_vec(game, 5 * GAMES, num_players, seed=3, threads=threads, **options)
        for threads in (1, 2, 3)
    ]
    generator = np.random.default_rng(7)
    batches = [vec.reset() for vec in vecs]
    for _ in range(60):
        actions = random_actions(batches[0].masks, generator)
        for one in batches[1:]:
            for field in fields(Batch):
                wanted = getattr(batches[0], field.name)
                assert getattr(one, field.name).tobytes() == wanted.tobytes()
        assert vecs[0].views().tobytes() == vecs[1].views().tobytes() == vecs[2].views().tobytes()
        batches = [vec.step(actions) for vec in vecs]
    for vec in vecs:
        vec.close()
    assert vecs[0].states.tobytes() == vecs[1].states.tobytes() == vecs[2].states.tobytes()


def test_views_and_state_vectors_are_those_of_the_environments() -> None:
    vec = make_vec(CHANCELLORS, GAMES, [2, 3, 4, 2, 3, 4], seed=8)
    mirror = Mirror(vec, 8)
    generator = np.random.default_rng(8)
    batch = vec.reset()
    for _ in range(30):
        actions = random_actions(batch.masks, generator)
        batch = vec.step(actions)
        mirror.step(batch, actions)
        vectors = vec.state_vectors()
        for i, env in enumerate(mirror.envs):
            agent = env.agent_selection
            assert vec.views([i]).tobytes() == env.view(agent).tobytes()
            assert vec.views([i], [1]).tobytes() == env.view("player_1").tobytes()
            assert (vectors[i] == env.state()).all()


def test_arrays_of_a_batch_are_the_callers_own() -> None:
    # pitfalls: an observation kept by the caller does not change later
    vec = make_vec(CHANCELLORS, GAMES, [2, 3, 4, 2, 3, 4], seed=9, max_turns=2)
    other = make_vec(CHANCELLORS, GAMES, [2, 3, 4, 2, 3, 4], seed=9, max_turns=2)
    generator = np.random.default_rng(9)
    batch, twin = vec.reset(), other.reset()
    kept: list[tuple[NDArray[Any], bytes]] = []
    for _ in range(60):
        actions = random_actions(twin.masks, generator)
        for field in fields(Batch):
            array = getattr(batch, field.name)
            assert array.tobytes() == getattr(twin, field.name).tobytes()
            kept.append((getattr(twin, field.name), getattr(twin, field.name).tobytes()))
            array[...] = 1  # the first batch's arrays are spoilt each time
        vec.masks[...] = 0
        vec.states.view(np.uint8)[...] = 0x55
        vec.episodes[...] = 99
        batch, twin = vec.step(actions), other.step(actions)
    assert all(array.tobytes() == data for array, data in kept)


def test_observations_can_be_left_out() -> None:
    vecs = [make_vec(CHANCELLORS, GAMES, 3, seed=12) for _ in range(2)]
    batches = [vec.reset() for vec in vecs]
    generator = np.random.default_rng(12)
    for _ in range(80):
        actions = random_actions(batches[0].masks, generator)
        batches = [vecs[0].step(actions), vecs[1].step(actions, observe=False)]
        assert batches[1].observations.shape == (GAMES, 0)
        for name in ("masks", "actors", "rewards", "terminated", "truncated", "finished"):
            assert (getattr(batches[0], name) == getattr(batches[1], name)).all()
    assert vecs[0].states.tobytes() == vecs[1].states.tobytes()


def test_one_illegal_action_changes_no_game() -> None:
    vec = make_vec(CHANCELLORS, GAMES, 3, seed=10)
    batch = vec.reset()
    actions = random_actions(batch.masks, np.random.default_rng(10))
    wrong = actions.copy()
    wrong[4] = np.argmin(batch.masks[4])
    before = vec.states.tobytes()
    with pytest.raises(IllegalActionError, match=rf"game 4.*{wrong[4]}"):
        vec.step(wrong)
    for bad in (actions.astype(float), actions.astype(bool), actions[:-1], [-1] * GAMES):
        with pytest.raises(IllegalActionError):
            vec.step(bad)
    for rows in ([0, 0], [GAMES], [-1]):
        with pytest.raises(OptionError):
            vec.step(actions[: len(rows)], games=rows)
    assert vec.states.tobytes() == before
    assert (vec.masks == batch.masks).all()
