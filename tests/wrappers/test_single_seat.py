"""The Gymnasium environment: rewards, masks, seeding, the ends of games, and its registration."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import PassiveEnvChecker

import concilium.wrappers
from concilium.baselines import make_bot
from concilium.envs import IllegalActionError, OptionError, UsageError, get_game
from concilium.wrappers import SingleSeatEnv, check_env

GAME = get_game("chancellors")
ENDINGS: list[dict[str, Any]] = [
    {},
    {"target_score": 4},
    {"calamity": "lowest_wins", "excuse": True, "pawns": True, "problems": 5},
    {"max_turns": 2},
    {"max_turns": 1, "target_score": 2, "num_players": 4},
]


def choose(env: Any, generator: np.random.Generator) -> int:
    return int(generator.choice(np.flatnonzero(env.unwrapped.action_masks())))


@pytest.mark.parametrize("seat", ["random", 0, 1])
@pytest.mark.parametrize("options", ENDINGS, ids=lambda o: "-".join(o) or "default")
def test_the_reward_is_the_return_of_the_game(
    replay: Callable[[Any], Any], options: dict[str, Any], seat: int | str
) -> None:
    env = SingleSeatEnv("chancellors", seat=seat, opponents="random", **options)
    shadow = replay(env._driver)
    generator = np.random.default_rng(0)
    without_decision = 0
    for game in range(25):
        observation, info = env.reset(seed=7 if game == 0 else None)
        without_decision += len(shadow.ended[0])
        over, total, steps = False, 0.0, 0
        while not over:
            if not shadow.ended[0]:
                assert shadow.actor(0) == info["seat"] == env.seat
                assert (env.action_masks() == shadow.mask(0)).all()
                assert (observation == shadow.observation(0)).all()
            observation, reward, terminated, truncated, info = env.step(choose(env, generator))
            over = terminated or truncated
            assert over == bool(shadow.ended[0])
            assert over or reward == 0
            total += reward
            steps += 1
        ended = shadow.ended[0][0]
        assert len(shadow.ended[0]) == 1
        assert seat in ("random", info["seat"])
        assert total == ended.returns[info["seat"]]
        assert truncated == ended.truncated != terminated
        assert (observation == ended.observations[info["seat"]]).all()
    if options.get("max_turns") == 1:
        assert without_decision > 3


def test_registration_and_checkers() -> None:
    for players in (2, 3, 4):
        env = gymnasium.make(
            "concilium/Chancellors-v0", num_players=players, opponents=["random"] * (players - 1)
        )
        check_env(env, games=6)
    env = gymnasium.make("concilium/Chancellors-v0", opponents="random", skip_single=False)
    check_env(env, games=6)
    env = gymnasium.make("concilium/Chancellors-v0", illegal="lose", max_turns=1, target_score=2)
    check_env(env, games=12)


def test_passive_checker_has_nothing_to_say() -> None:
    env = PassiveEnvChecker(SingleSeatEnv("chancellors", num_players=3))
    generator = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for game in range(3):
            env.reset(seed=game)
            over = False
            while not over:
                *_, terminated, truncated, _ = env.step(choose(env, generator))
                over = terminated or truncated
    env.close()  # type: ignore[no-untyped-call]


def test_importing_is_cheap() -> None:
    code = (
        "import sys, concilium.wrappers, gymnasium\n"
        "heavy = {'torch', 'stable_baselines3', 'sb3_contrib', 'matplotlib', 'rich'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert 'concilium/Chancellors-v0' in gymnasium.registry\n"
        "gymnasium.make('concilium/Chancellors-v0', opponents='random')\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert concilium.wrappers.SingleSeatEnv is SingleSeatEnv


def test_seeds_follow_the_rules_of_gymnasium() -> None:
    def games(env: SingleSeatEnv, seed: int | None) -> list[bytes]:
        generator = np.random.default_rng(1)
        record = []
        for game in range(4):
            observation, info = env.reset(seed=seed if game == 0 else None)
            over = False
            while not over:
                record.append(observation.tobytes() + bytes([info["seat"]]))
                observation, _, terminated, truncated, info = env.step(choose(env, generator))
                over = terminated or truncated
        return record

    bots = ["random", "chancellors/steward"]
    one, two = (SingleSeatEnv("chancellors", opponents=bots) for _ in range(2))
    first = games(one, 5)
    assert games(two, 5) == first
    on = games(one, None)
    assert on != first
    assert games(two, None) == on
    assert games(one, 6) != first
    assert one.np_random_seed == 6


def test_abandoned_games_do_no_harm() -> None:
    env = SingleSeatEnv("chancellors")
    first, _ = env.reset(seed=1)
    env.step(choose(env, np.random.default_rng(0)))
    again, _ = env.reset(seed=1)
    assert (first == again).all()
    other, _ = env.reset()
    assert (other != again).any()


def test_order_of_calls() -> None:
    env = SingleSeatEnv("chancellors", max_turns=1)
    with pytest.raises(UsageError, match="call reset"):
        env.step(0)
    with pytest.raises(UsageError, match="call reset"):
        env.action_masks()
    assert env.render() is None
    env.reset(seed=1)
    over = False
    while not over:
        *_, terminated, truncated, _ = env.step(choose(env, np.random.default_rng(0)))
        over = terminated or truncated
    with pytest.raises(UsageError, match="call reset"):
        env.step(0)
    assert env.action_masks().sum() == 1
    env.close()
    env.close()


@pytest.mark.parametrize("action", [1.0, True, None, "0", np.float32(1)])
def test_actions_of_a_wrong_type(action: Any) -> None:
    env = SingleSeatEnv("chancellors")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="of type"):
        env.step(action)


def test_actions_that_are_accepted() -> None:
    env = SingleSeatEnv("chancellors", seat=0)
    kinds: list[Any] = [int, np.int8, np.uint16, np.int64, np.array]
    for kind in kinds:
        env.reset(seed=1)
        env.step(kind(int(env.action_masks().argmax())))


@pytest.mark.parametrize("action", [-1, 152, 10**9])
def test_illegal_actions_are_named(action: int) -> None:
    env = SingleSeatEnv("chancellors")
    env.reset(seed=1)
    before = env.action_masks()
    with pytest.raises(IllegalActionError, match=f"action {action} is not legal now; legal: "):
        env.step(action)
    assert (env.action_masks() == before).all()


def test_illegal_actions_lose_if_wanted() -> None:
    env = SingleSeatEnv("chancellors", illegal="lose")
    env.reset(seed=1)
    observation, reward, terminated, truncated, _ = env.step(152)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert env.observation_space.contains(observation)
    with pytest.raises(UsageError):
        env.step(0)
    env.reset()
    env.step(choose(env, np.random.default_rng(0)))


def test_rendering_shows_the_last_position_after_the_end() -> None:
    env = SingleSeatEnv("chancellors", render_mode="ansi", seat=1, num_players=2)
    env.reset(seed=1)
    generator = np.random.default_rng(0)
    over = False
    while not over:
        text = env.render()
        assert text is not None
        assert "you" in text
        assert "over" not in text
        *_, terminated, truncated, _ = env.step(choose(env, generator))
        over = terminated or truncated
    text = env.render()
    assert text is not None
    assert "over: calamity" in text
    assert SingleSeatEnv("chancellors").render() is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"illegal": "ignore"}, "illegal='ignore' is not allowed"),
        ({"render_mode": "web"}, "render_mode='web' is not allowed"),
        ({"seat": 3}, "0 to 2"),
        ({"num_players": 5}, "num_players=5 is not allowed"),
        ({"colour": 1}, "no option 'colour'"),
        ({"opponents": ["random"] * 3}, "3 opponents for 2 other seats"),
        ({"opponents": "nobody"}, "no bot 'nobody'"),
    ],
)
def test_arguments_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SingleSeatEnv("chancellors", **arguments)


def test_bots_as_objects_and_policies_by_seat() -> None:
    bots = [make_bot("random", GAME), make_bot("chancellors/steward", GAME)]
    env = SingleSeatEnv(GAME, opponents=bots, num_players=3)
    check_env(env, games=4)
