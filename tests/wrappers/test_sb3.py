"""The vector environment for stable-baselines3."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import IllegalActionError, OptionError, UsageError, get_game
from concilium.envs.core.bot import pick_legal
from concilium.wrappers import Opponents

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from concilium.wrappers.sb3 import Sb3VecEnv
from tests.wrappers.conftest import SCALES

ENDINGS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": [2, 3, 4] * 4, "target_score": 4},
    {"num_players": 3, "calamity": "lowest_wins"},
    {"num_players": 4, "max_turns": 3},
    {"num_players": 4, "max_turns": 1, "target_score": 2},
]


@pytest.mark.parametrize("seat", ["random", 0, 1])
@pytest.mark.parametrize("options", ENDINGS, ids=lambda o: "-".join(o))
def test_every_return_is_delivered_once(
    replay: Callable[[Any], Any], options: dict[str, Any], seat: int | str
) -> None:
    env = Sb3VecEnv("chancellors", 12, seat=seat, seed=3, **options)
    shadow = replay(env._driver)
    generator = np.random.default_rng(0)
    observations: Any = env.reset()
    count = np.zeros(12, int)
    lengths = np.zeros(12, int)
    totals = np.zeros(12)
    for _ in range(50):
        masks = get_action_masks(env)
        for row in range(12):
            if len(shadow.ended[row]) == count[row]:
                assert (masks[row] == shadow.mask(row)).all()
                assert (observations[row] == shadow.observation(row)).all()
                assert shadow.actor(row) == env.get_attr("seat")[row]
        observations, rewards, dones, infos = env.step(pick_legal(masks, generator))
        assert observations.dtype == np.int8
        assert rewards.dtype == np.float32
        lengths += 1
        for row in range(12):
            if not dones[row]:
                assert rewards[row] == 0
                assert set(infos[row]) == {"action_mask"}
                continue
            ended, info = shadow.ended[row][count[row]], infos[row]
            totals[row] += rewards[row]
            assert rewards[row] == np.float32(ended.returns[info["seat"]])
            assert seat in ("random", info["seat"])
            assert info["TimeLimit.truncated"] == ended.truncated
            assert (info["terminal_observation"] == ended.observations[info["seat"]]).all()
            assert info["episode"]["r"] == ended.returns[info["seat"]]
            assert info["episode"]["l"] == lengths[row]
            count[row] += 1
            lengths[row] = 0
    assert (count > 0).all()
    assert all(len(games) - count[row] in (0, 1) for row, games in enumerate(shadow.ended))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("game", "decisions", "options"),
    [
        *[("nicaea", "bidding", {"num_players": n}) for n in (4, 5, 6)],
        *[
            ("chancellors", ["payment", "escalation"], {"num_players": n, "target_score": 4})
            for n in (2, 3, 4)
        ],
    ],
)
def test_a_part_of_the_decisions_brings_every_return_once(
    replay: Callable[[Any], Any], helper: Callable[[Any], Any], game: str, decisions: Any,
    options: dict[str, Any], scale: int,
) -> None:  # fmt: skip
    rules = get_game(game)
    env = Sb3VecEnv(
        game, 8, decisions=decisions, assistant=helper(rules), opponents=helper(rules), seed=3,
        **options,
    )  # fmt: skip
    shadow = replay(env._driver)
    generator = np.random.default_rng(0)
    env.reset()
    count, faced = np.zeros(8, int), set()
    for _ in range(60 * scale):
        going = [row for row in range(8) if len(shadow.ended[row]) == count[row]]
        faced |= {shadow.kind(row) for row in going}
        _, rewards, dones, infos = env.step(pick_legal(env.action_masks(), generator))
        assert not rewards[~dones].any()
        for row in np.flatnonzero(dones):
            ended = shadow.ended[row][count[row]]
            assert rewards[row] == np.float32(ended.returns[infos[row]["seat"]])
            count[row] += 1
    assert count.sum() > 15 * scale
    assert all(len(games) - count[row] in (0, 1) for row, games in enumerate(shadow.ended))
    assert faced <= ({*rules.decision_sets["bidding"]} if game == "nicaea" else set(decisions))
    assert faced


def test_a_learner_accepts_a_part_of_the_decisions() -> None:
    env = Sb3VecEnv(
        "nicaea", 8, decisions="bidding", assistant="nicaea/tableau", num_players=4, seed=1
    )
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1)
    model.learn(64)
    with pytest.raises(OptionError, match="to an assistant: one is needed"):
        Sb3VecEnv("nicaea", 8, decisions="bidding")
    with pytest.raises(OptionError, match="no decisions 'bids' in nicaea"):
        Sb3VecEnv("nicaea", 8, decisions="bids", assistant="random")


def test_masks_are_served_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    env = Sb3VecEnv("chancellors", 5, seed=1)
    env.reset()

    def never(*args: Any) -> None:
        raise AssertionError("the engine was asked")

    for name in ("step", "views", "observations", "reset"):
        monkeypatch.setattr(env._driver.vec, name, never)
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == np.int8
    assert (masks == env.action_masks()).all()
    assert (masks.sum(axis=1) > 1).all()
    some = env.env_method("action_masks", indices=[3, 1])
    assert (np.stack(some) == masks[[3, 1]]).all()
    masks[:] = 0
    assert env.action_masks().any()


def test_what_is_asked_of_single_environments() -> None:
    env = Sb3VecEnv("chancellors", 3, num_players=[2, 3, 4], seed=1)
    assert env.num_envs == 3
    assert env.get_attr("num_players") == [2, 3, 4]
    assert env.get_attr("num_players", 1) == [3]
    assert env.get_attr("render_mode") == [None] * 3
    assert env.render_mode is None
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    assert env.has_attr("seat")
    assert not env.has_attr("colour")
    with pytest.raises(AttributeError, match="colour"):
        env.get_attr("colour")
    with pytest.raises(OptionError, match="no method 'fly'"):
        env.env_method("fly")
    with pytest.raises(OptionError, match="cannot be set"):
        env.set_attr("seat", 1)
    env.close()
    env.close()


def test_order_and_legality_of_steps() -> None:
    env = Sb3VecEnv("chancellors", 4, seed=1)
    with pytest.raises(UsageError, match="step_async"):
        env.step_wait()
    with pytest.raises(UsageError, match="reset"):
        env.step(np.zeros(4, np.int64))
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == env.get_attr("seat")
    actions = env.action_masks().argmax(axis=1)
    actions[2] = int(env.action_masks()[2].argmin())
    with pytest.raises(IllegalActionError, match="game 2"):
        env.step(actions)


def run(env: Sb3VecEnv, steps: int = 30) -> list[bytes]:
    generator = np.random.default_rng(4)
    record = [env.reset().tobytes()]
    for _ in range(steps):
        observations: Any
        observations, rewards, _, _ = env.step(pick_legal(env.action_masks(), generator))
        record.append(observations.tobytes() + rewards.tobytes())
    return record


def test_seeds() -> None:
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    env, same = (Sb3VecEnv("chancellors", 6, seed=5) for _ in range(2))
    first = run(env)
    assert run(same) == first
    assert run(env) != first  # fresh games
    assert set(env.seed(5)) == {5}
    assert run(env) == first
    assert env.seed(None) != env.seed(None)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002
    with pytest.raises(OptionError, match="seed -1 is out of range"):
        env.seed(-1)
    with pytest.raises(OptionError, match="seed"):
        Sb3VecEnv("chancellors", 6, seed=-1)


def test_games_of_a_batch_and_of_neighbouring_seeds_differ() -> None:
    """``seed + i`` would give run 5 and run 6 the same games in neighbouring rows."""
    seen: set[bytes] = set()
    for seed in (5, 6):
        env = Sb3VecEnv("chancellors", 50, num_players=2, seat=0, seed=seed)
        seen |= {row.tobytes() for row in env.reset()}
    assert len(seen) == 100


def test_observations_are_not_reused() -> None:
    env = Sb3VecEnv("chancellors", 6, seed=5, target_score=4)
    generator = np.random.default_rng(4)
    kept: list[tuple[NDArray[np.int8], bytes]] = []
    observations: Any = env.reset()
    for _ in range(30):
        kept.append((observations, observations.tobytes()))
        observations, _, dones, infos = env.step(pick_legal(env.action_masks(), generator))
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            kept.append((last, last.tobytes()))
    assert all(array.tobytes() == copy for array, copy in kept)


def test_monitor_and_learner_accept_it() -> None:
    opponents = Opponents(["random", "chancellors/steward"], game=_game(), mixture="free")
    env = Sb3VecEnv("chancellors", 8, opponents=opponents, num_players=[2, 3, 4, 4] * 2, seed=1)
    model = MaskablePPO("MlpPolicy", VecMonitor(env), n_steps=16, batch_size=64, n_epochs=1)
    model.learn(256)
    assert model.ep_info_buffer is not None
    assert len(model.ep_info_buffer) > 0
    assert all(-1 <= info["r"] <= 1 for info in model.ep_info_buffer)


def _game() -> Any:
    from concilium.envs import get_game

    return get_game("chancellors")
