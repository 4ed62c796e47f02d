"""What Gymnasium and stable-baselines3 make, check and are told of our environments."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from stable_baselines3.common.env_checker import check_env as sb3_check

from concilium.envs import IllegalActionError, UsageError, get_game
from concilium.envs.core.aec import GameEnv
from concilium.wrappers import SingleSeatEnv, SingleSeatVecEnv
from concilium.wrappers.sb3 import Sb3VecEnv

IDS = [name for name in gymnasium.registry if name.startswith("concilium/")]


def arguments(name: str) -> dict[str, Any]:
    return {"assistant": "random"} if "Bidding" in name else {}


def test_every_game_part_and_side_has_an_id() -> None:
    assert {
        "concilium/Chancellors-v0", "concilium/Nicaea-v0", "concilium/Believers-v0",
        "concilium/NicaeaBidding-v0", "concilium/BelieversBelievers-v0",
        "concilium/BelieversDefectors-v0",
    } <= set(IDS)  # fmt: skip


@pytest.mark.parametrize("name", IDS)
def test_ids_make_single_and_vector_environments(name: str) -> None:
    single = gymnasium.make(name, **arguments(name))
    assert isinstance(single.unwrapped, SingleSeatEnv)
    many = gymnasium.make_vec(name, 3, **arguments(name))
    assert isinstance(many, SingleSeatVecEnv)
    observations, infos = many.reset(seed=1)
    for _ in range(20):
        assert many.observation_space.contains(observations)
        assert (infos["action_mask"] == many.action_masks()).all()
        observations, *_, infos = many.step(many.action_masks().argmax(axis=1))
    many.close()


def test_a_name_that_brings_the_import_works_without_ours() -> None:
    code = (
        "import gymnasium\n"
        "name = 'concilium.wrappers:concilium/Chancellors-v0'\n"
        "gymnasium.make(name, num_players=2).reset(seed=1)\n"
        "gymnasium.make_vec(name, 2, num_players=2).reset(seed=1)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", IDS)
def test_the_usual_checkers_accept_them(name: str) -> None:
    env = gymnasium.make(name, illegal="lose", **arguments(name)).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # hints about networks for other spaces
        gymnasium_check(env)
        sb3_check(env)


@pytest.mark.parametrize("name", ["chancellors", "nicaea", "believers"])
def test_infos_hold_the_mask_and_at_the_end_the_outcome(name: str) -> None:
    game = get_game(name)
    single = SingleSeatEnv(name)
    _, info = single.reset(seed=1)
    over = False
    while not over:
        assert (info["action_mask"] == single.action_masks()).all()
        assert "outcome" not in info
        *_, terminated, truncated, info = single.step(int(single.action_masks().argmax()))
        over = terminated or truncated
    assert info["outcome"] in game.outcomes[1:]
    aec = GameEnv(game)
    aec.reset(seed=1)
    while not any(aec.terminations.values()) and not any(aec.truncations.values()):
        assert not any(aec.infos.values())
        observation = aec.last()[0]
        assert observation is not None
        aec.step(int(observation["action_mask"].argmax()))
    assert {info["outcome"] for info in aec.infos.values()} <= set(game.outcomes[1:])
    assert check_endings_of_many(SingleSeatVecEnv(name, 8)) > 3


def check_endings_of_many(env: SingleSeatVecEnv) -> int:
    generator = np.random.default_rng(0)
    env.reset(seed=1)
    ended = 0
    while ended < 4:
        scores = generator.random((8, env.game.num_actions)) * env.action_masks()
        observations, rewards, terminated, truncated, infos = env.step(scores.argmax(axis=1))
        rows = np.flatnonzero(terminated | truncated)
        ended += len(rows)
        if len(rows):
            assert (infos["_final_obs"].nonzero()[0] == rows).all()
            assert set(infos["final_info"]["outcome"][rows]) <= set(env.game.outcomes[1:])
            assert infos["final_obs"][rows[0]].shape == observations[0].shape
        else:
            assert "final_obs" not in infos
            assert not rewards.any()
    return ended


def test_infos_of_sb3_hold_the_mask_and_the_outcome() -> None:
    env = Sb3VecEnv("chancellors", 6, seed=1, num_players=2)
    env.reset()
    infos, ended = env.reset_infos, 0
    for _ in range(150):
        masks = env.action_masks()
        assert (np.stack([info["action_mask"] for info in infos]) == masks).all()
        _, _, dones, infos = env.step(masks.argmax(axis=1))
        ended += int(dones.sum())
        assert [("outcome" in info) for info in infos] == dones.tolist()
    assert ended


def test_a_forfeit_is_an_outcome() -> None:
    env = SingleSeatEnv("chancellors", illegal="lose")
    env.reset(seed=1)
    assert env.step(10**6)[-1]["outcome"] == "illegal action"
    aec = GameEnv(get_game("chancellors"), illegal="lose")
    aec.reset(seed=1)
    aec.step(10**6)
    assert {info["outcome"] for info in aec.infos.values()} == {"illegal action"}


@pytest.mark.parametrize("name", ["chancellors", "nicaea", "believers"])
def test_logs_are_data_in_every_adapter(name: str) -> None:
    single = SingleSeatEnv(name)
    with pytest.raises(UsageError, match="call reset"):
        single.events()
    single.reset(seed=1)
    many = SingleSeatVecEnv(name, 2)
    many.reset(seed=1)
    aec = GameEnv(get_game(name))
    aec.reset(seed=1)
    logs: list[Any] = [single.events(), *many.events(), aec.events("player_0")]
    assert all(isinstance(log, list) for log in logs)
    assert any(logs)
    assert json.loads(json.dumps(logs)) == logs


def test_order_and_seeds_of_the_vector_environment() -> None:
    one, two = (SingleSeatVecEnv("chancellors", 4) for _ in range(2))
    with pytest.raises(UsageError, match="call reset"):
        one.step([0] * 4)
    for seed in (5, [1, 2, 3, 4], None):
        assert (one.reset(seed=seed)[0] == two.reset(seed=seed)[0]).all()
    masks = one.action_masks()
    with pytest.raises(IllegalActionError):
        one.step(masks.argmin(axis=1))
    assert (one.action_masks() == masks).all()
    with pytest.warns(UserWarning, match="changes nothing"):
        one.reset(options={"num_players": 4})
