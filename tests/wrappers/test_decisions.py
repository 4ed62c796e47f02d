"""A part of the decisions for all players, in one game and in batches: the audit of rewards."""

from __future__ import annotations

import copy
import pickle
import warnings
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
from concilium.envs.core.bot import pick_legal
from concilium.wrappers import DecisionsEnv, VecDecisions

with warnings.catch_warnings():
    # PettingZoo's checkers import one of its games by the way that it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

from tests.wrappers.conftest import SCALES

CHANCELLORS, NICAEA = get_game("chancellors"), get_game("nicaea")
BIDDING = ("debate_doctrine", "debate_round", "naming")
PART = ("payment", "escalation")
BRIEF: dict[str, Any] = {"num_players": 4, "max_turns": 1, "target_score": 2}
AUDITED = [
    # the game, the kinds, options, whether nobody is asked in many games
    *[("nicaea", BIDDING, {"num_players": n}, False) for n in (4, 5, 6)],
    ("nicaea", ("naming",), {"num_players": 6}, False),
    *[("chancellors", PART, {"num_players": n, "target_score": 4}, False) for n in (2, 3, 4)],
    ("chancellors", ("block",), BRIEF, True),
]
EVERY = pytest.mark.parametrize(
    ("game", "decisions", "options", "unasked"), AUDITED, ids=lambda part: str(part)
)


# One game --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@EVERY
def test_aec_pays_every_return_once(
    helper: Callable[[Any], Any], game: str, decisions: Any, options: dict[str, Any], unasked: bool,
    scale: int,
) -> None:  # fmt: skip
    assistant = helper(get_game(game))
    env = DecisionsEnv(game, decisions=decisions, assistant=assistant, **options)
    generator = np.random.default_rng(3)
    faced, nobody = set(), 0
    games = scale * (10 if game == "nicaea" else 50)
    for number in range(games):
        env.reset(seed=5 if number == 0 else None)
        assert not any(env.terminations.values())
        cumulative = dict.fromkeys(env.possible_agents, 0.0)
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        asked = 0
        while env.agents:
            agent = env.agent_selection
            seen, reward, terminated, truncated, _ = env.last()
            cumulative[agent] += reward
            if terminated or truncated:
                env.step(None)
            else:
                assert seen is not None
                late = seen["action_mask"].tolist() == [1] + [0] * (env.game.game.num_actions - 1)
                if not late:
                    faced.add(env.game.kind(env.game_state()))
                    asked += 1
                mask = seen["action_mask"][np.newaxis]
                env.step(int(pick_legal(mask, generator)[0]))
            for agent in env.agents:
                rewards[agent] += env.rewards[agent]
        returns = env.game.returns(env.game_state()).tolist()
        assert any(returns) or game == "chancellors"
        assert list(cumulative.values()) == list(rewards.values()) == returns
        *_, (last, _) = env.replay().play()
        assert last.tobytes() == env.game_state().tobytes()
        nobody += asked == 0
    assert faced <= set(decisions)
    assert unasked == (nobody > games // 5)
    assert assistant.kinds
    assert not assistant.kinds & set(decisions)


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.parametrize(
    ("game", "arguments"),
    [
        ("nicaea", {"decisions": "bidding", "assistant": "nicaea/broker", "num_players": 4}),
        ("nicaea", {"decisions": "bidding", "assistant": "random", "num_players": 6}),
        ("nicaea", {"decisions": "naming", "assistant": "nicaea/tableau"}),
        ("chancellors", {"decisions": PART, "assistant": "chancellors/steward"}),
        ("chancellors", {"decisions": "block", "assistant": "random", **BRIEF}),
        ("chancellors", {"decisions": "all"}),
    ],
)
@pytest.mark.filterwarnings("ignore:reset\\(options=")  # it gives some that mean nothing
def test_pettingzoo_accepts_it(game: str, arguments: dict[str, Any]) -> None:
    api_test(DecisionsEnv(game, **arguments), num_cycles=30)
    seed_test(lambda: DecisionsEnv(game, **arguments), num_cycles=30)


def test_all_decisions_are_the_game_itself() -> None:
    part = DecisionsEnv("chancellors", decisions="all", num_players=3)
    whole = chancellors_v0.env(num_players=3)
    generator = np.random.default_rng(3)
    for env in (part, whole):
        env.reset(seed=4)
    while whole.agents:
        assert part.game_state().tobytes() == whole.game_state().tobytes()
        (one, *rest), (other, *others) = part.last(), whole.last()
        assert rest == others
        assert one is not None
        assert other is not None
        assert all((one[key] == other[key]).all() for key in one)
        mask = one["action_mask"][np.newaxis]
        action = int(pick_legal(mask, generator)[0]) if mask.any() else None
        part.step(action)
        whole.step(action)
    assert part.agents == []


def a_late_game(**keywords: Any) -> DecisionsEnv:
    """A game that is over before anybody was asked."""
    env = DecisionsEnv("chancellors", decisions="avert", assistant="random", **BRIEF, **keywords)
    env.reset(seed=1)
    return env


def test_a_game_without_a_chosen_decision_is_shown_and_paid() -> None:
    env = a_late_game()
    assert env.agents == env.possible_agents
    assert env.agent_selection == "player_0"
    assert not any((*env.terminations.values(), *env.truncations.values(), *env.rewards.values()))
    assert env.observe("player_0")["action_mask"].nonzero()[0].tolist() == [0]
    assert not env.observe("player_1")["action_mask"].any()
    last = env.game.encode(env.game.view(env.game_state(), 0))[0]
    assert (env.observe("player_0")["observation"] == last).all()
    twin = env.clone()
    for wrong in (5, -1, 1.5, True):
        with pytest.raises(IllegalActionError, match=r"player_0: the game is over|of type"):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="step\\(None\\) has no meaning"):
        env.step(None)
    returns = env.game.returns(env.game_state()).tolist()
    length = len(env.history)
    for one in (env, twin):
        one.step(0)
        assert list(one.rewards.values()) == returns
        ends = zip(one.terminations.values(), one.truncations.values(), strict=True)
        assert all(terminated != truncated for terminated, truncated in ends)
        assert len(one.history) == length
        with pytest.raises(UsageError, match="the game is over"):
            one.step(0)


def test_an_illegal_action_can_lose_there_too() -> None:
    env = a_late_game(illegal="lose")
    env.step(7)
    assert list(env.rewards.values()) == [-1.0, 0.0, 0.0, 0.0]
    env = DecisionsEnv(
        "nicaea", decisions="bidding", assistant="random", num_players=4, illegal="lose"
    )
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmin()))
    assert env.rewards == {a: -1.0 if a == agent else 0.0 for a in env.possible_agents}


def test_copies_go_on_alike() -> None:
    env = DecisionsEnv("nicaea", decisions="bidding", assistant="random", num_players=4)
    env.reset(seed=6)
    copies = [env, env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    traces = []
    for one in copies:
        generator = np.random.default_rng(1)
        for _ in range(10):
            mask = one.observe(one.agent_selection)["action_mask"][np.newaxis]
            one.step(int(pick_legal(mask, generator)[0]))
        traces.append(one.game_state().tobytes())
    assert traces[1:] == traces[:1] * 3


def test_a_loaded_game_goes_on_with_the_assistant() -> None:
    env = DecisionsEnv("nicaea", decisions="bidding", assistant="random", num_players=4)
    state = env.game.new_state(3)
    assert env.game.kind(state) == "turn"
    env.load_game_state(state)
    assert env.game.kind(env.game_state()) in BIDDING
    late = a_late_game()
    ended = late.game_state()
    late.load_game_state(ended)  # as anywhere, a game that is over is paid at once
    assert list(late.rewards.values()) == late.game.returns(ended).tolist()
    assert late.agents == late.possible_agents


def test_it_tells_what_agents_decide() -> None:
    env = DecisionsEnv("nicaea", decisions="bidding", assistant="random", num_players=4)
    env.reset(seed=6)
    assert "; agents decide debate_doctrine, debate_round, naming>" in repr(env)


# Batches ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", SCALES)
@EVERY
def test_batches_pay_every_return_once(
    replay: Callable[[Any], Any], helper: Callable[[Any], Any], game: str, decisions: Any,
    options: dict[str, Any], unasked: bool, scale: int,
) -> None:  # fmt: skip
    count = 6
    assistant = helper(get_game(game))
    vec = VecDecisions(make_vec(game, count, **options), decisions=decisions, assistant=assistant)
    shadow = replay(vec)
    generator = np.random.default_rng(1)
    batch = vec.reset(seed=2)
    delivered = np.zeros(count, np.int64)
    late, faced = 0, set()
    seats = np.arange(vec.seats)
    for step in range(scale * 150 if game == "nicaea" and len(decisions) > 1 else scale * 40):
        rows = np.arange(count) if step % 3 else generator.permutation(count)[:4]
        check_standing(vec, shadow, delivered)
        late += int(vec.over.sum())
        faced |= {shadow.kind(row) for row in np.flatnonzero(~vec.over)}
        batch = vec.step(pick_legal(vec.masks[rows], generator), rows)
        assert (batch.games == rows).all()
        assert (batch.masks == vec.masks[rows]).all()
        assert (batch.observations == vec.observations(rows)).all()
        done = batch.terminated | batch.truncated
        assert (np.flatnonzero(done) == batch.finished).all()
        assert (batch.rewards[~done] == 0).all()
        for f, k in enumerate(batch.finished.tolist()):
            row = rows[k]
            expected = shadow.ended[row][delivered[row]]
            assert batch.rewards[k].tolist() == expected.returns
            assert batch.truncated[k] == expected.truncated != batch.terminated[k]
            for seat in seats:
                assert batch.final_views[f, seat].tobytes() == expected.views[seat][0].tobytes()
                assert (batch.final_observations[f, seat] == expected.observations[seat]).all()
            delivered[row] += 1
    check_standing(vec, shadow, delivered)
    assert delivered.sum() > scale * (10 if game == "nicaea" else 40)
    assert faced <= set(decisions)
    assert (late > scale * 20) == unasked
    assert not assistant.kinds & set(decisions)


def check_standing(vec: VecDecisions, shadow: Any, delivered: Any) -> None:
    """Every row stands at a chosen decision, or shows the one game that is not delivered yet."""
    views, observations, masks = vec.views(), vec.observations(), vec.masks
    for row in range(vec.num_envs):
        owed = len(shadow.ended[row]) - delivered[row]
        assert owed == vec.over[row]
        if owed:
            ended = shadow.ended[row][-1]
            assert masks[row].nonzero()[0].tolist() == [0]
            assert (observations[row] == ended.observations[0]).all()
            assert views[row].tobytes() == ended.views[0][0].tobytes()
        else:
            assert (masks[row] == shadow.mask(row)).all()
            assert (observations[row] == shadow.observation(row)).all()
            assert int(views["viewer"][row]) == shadow.actor(row)


def test_all_decisions_are_the_batch_itself() -> None:
    sizes = [2, 3, 4] * 3
    part = VecDecisions(make_vec("chancellors", 9, sizes, target_score=4), decisions="all")
    whole = make_vec("chancellors", 9, sizes, target_score=4)
    generator = np.random.default_rng(1)
    one, other = part.reset(seed=4), whole.reset(seed=4)
    for _ in range(150):
        for name, value in vars(one).items():
            assert value.tobytes() == getattr(other, name).tobytes(), name
        actions = pick_legal(one.masks, generator)
        one, other = part.step(actions), whole.step(actions)


def test_equal_seeds_give_equal_batches() -> None:
    def trace(vec: VecDecisions, seed: int | None) -> bytes:
        generator, batch = np.random.default_rng(2), vec.reset(seed)
        for _ in range(5):
            batch = vec.step(pick_legal(batch.masks, generator), observe=False)
            assert batch.observations.shape == (4, 0)
        return vec.vec.states.tobytes()

    one, two = (
        VecDecisions(make_vec("nicaea", 4, seed=9), decisions="bidding", assistant="random")
        for _ in range(2)
    )
    first = trace(one, None)
    assert trace(two, None) == first == trace(one, 9)
    assert trace(one, None) == trace(two, None)
    assert trace(one, 10) != first
    one.close()


def test_what_a_batch_refuses() -> None:
    vec = VecDecisions(make_vec("chancellors", 6, **BRIEF), decisions="avert", assistant="random")
    with pytest.raises(UsageError, match="call reset"):
        vec.step(np.zeros(6, np.int64))
    vec.reset(seed=1)
    assert vec.over.all()
    with pytest.raises(IllegalActionError, match="game 2 is over: only action 0 is legal"):
        vec.step([0, 0, 1, 0, 0, 0])
    with pytest.raises(IllegalActionError, match="actions for 6 games"):
        vec.step([0])
    with pytest.raises(IllegalActionError, match="of type float64"):
        vec.step(np.zeros(6))
    with pytest.raises(OptionError, match="twice"):
        vec.step([0, 0], [1, 1])
    with pytest.raises(OptionError, match="out of range"):
        vec.step([0], [6])
    with pytest.raises(OptionError, match="game 3 is over: only its players' Views"):
        vec.views([3], [SPECTATOR])
    assert int(vec.views([3], [2])["viewer"][0]) == 2
    assert vec.over.all()
    batch = vec.step([0, 0], [4, 1])
    assert (batch.terminated | batch.truncated).all()


@pytest.mark.parametrize("make", [
    lambda **given: DecisionsEnv("nicaea", **given),
    lambda **given: VecDecisions(make_vec("nicaea", 2), **given),
])  # fmt: skip
@pytest.mark.parametrize(("given", "message"), [
    ({"decisions": "bids", "assistant": "random"}, "no decisions 'bids' in nicaea: one or more of"),
    ({"decisions": "bidding"}, "leave turn, payment, copy, free_play to an assistant"),
    ({"decisions": "bidding", "assistant": "nobody"}, "no bot 'nobody'"),
    ({"decisions": "bidding", "assistant": 7}, "assistant 7 is no bot: needed is a name"),
    ({"decisions": "bidding", "assistant": "chancellors/steward"}, "plays chancellors_v0"),
])  # fmt: skip
def test_what_cannot_be_is_refused(
    make: Callable[..., Any], given: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        make(**given)
