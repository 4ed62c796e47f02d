"""One learner's seat with a part of its decisions: the audit of rewards, and who is asked what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concilium.envs import BotError, OptionError, UsageError, get_game, make_vec
from concilium.envs.core.bot import pick_legal
from concilium.wrappers import (
    DecisionsEnv,
    Driver,
    Opponents,
    SingleSeatEnv,
    VecDecisions,
    check_env,
)
from tests.wrappers.conftest import SCALES

CHANCELLORS, NICAEA = get_game("chancellors"), get_game("nicaea")
BIDDING = ("debate_doctrine", "debate_round", "naming")
PARTS: list[tuple[str, Any, dict[str, Any]]] = [
    # the game, what the learner decides, options
    *[("nicaea", "bidding", {"num_players": n}) for n in (4, 5, 6)],
    ("nicaea", "naming", {"num_players": 5}),
    *[
        ("chancellors", ["payment", "escalation"], {"num_players": n, "target_score": 4})
        for n in (2, 3, 4)
    ],
    ("chancellors", "block", {"num_players": 4, "max_turns": 1, "target_score": 2}),
]
EVERY = pytest.mark.parametrize(
    ("game", "decisions", "options"), PARTS, ids=lambda part: str(part).replace(" ", "")
)


def kinds_of(game: str, decisions: Any) -> set[str]:
    if decisions == "bidding":
        return set(BIDDING)
    return {decisions} if isinstance(decisions, str) else set(decisions)


@pytest.mark.parametrize("scale", SCALES)
@EVERY
def test_driver_delivers_every_return_once(
    replay: Callable[[Any], Any], helper: Callable[[Any], Any], game: str, decisions: Any,
    options: dict[str, Any], scale: int,
) -> None:  # fmt: skip
    rules, assistant, opponent = get_game(game), helper(get_game(game)), helper(get_game(game))
    seat, count = 1, 10
    rare = decisions == "naming" or options.get("max_turns") == 1
    driver = Driver(
        make_vec(rules, count, **options), Opponents(opponent, game=rules), seat=seat,
        decisions=decisions, assistant=assistant,
    )  # fmt: skip
    shadow = replay(driver)
    generator = np.random.default_rng(1)
    turn = driver.reset(seed=2)
    delivered = np.zeros(count, np.int64)
    faced: Counter[str] = Counter()
    unasked = 0
    steps = scale * (16 if rare else 60)
    for step in range(steps + 1):
        for row in range(count):
            owed = len(shadow.ended[row]) - delivered[row]
            if owed:
                assert owed == 1
                assert turn.masks[row].tolist() == [1] + [0] * (rules.num_actions - 1)
                unasked += 1
            else:
                assert shadow.actor(row) == seat
                assert (turn.masks[row] == shadow.mask(row)).all()
                assert (turn.observations[row] == shadow.observation(row)).all()
                faced[shadow.kind(row)] += 1
        if step == steps:
            break
        turn = driver.step(pick_legal(turn.masks, generator))
        done = turn.terminated | turn.truncated
        assert (turn.rewards[~done] == 0).all()
        for k, row in enumerate(turn.finished.tolist()):
            expected = shadow.ended[row][delivered[row]]
            assert turn.rewards[row] == expected.returns[seat]
            assert turn.truncated[row] == expected.truncated
            assert turn.final_views[k].tobytes() == expected.views[seat][0].tobytes()
            delivered[row] += 1
    assert delivered.sum() > 30 * scale
    assert set(faced) <= kinds_of(game, decisions)
    assert unasked > 60 * scale if rare else sum(faced.values()) > 300 * scale
    assert set(assistant.seats) == {seat}
    assert seat not in opponent.seats
    assert not assistant.kinds & kinds_of(game, decisions)
    # the others decide everything themselves
    assert rare or opponent.kinds >= assistant.kinds | kinds_of(game, decisions) - {"naming"}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("players", [4, 5, 6])
def test_single_seat_pays_once(
    replay: Callable[[Any], Any], helper: Callable[[Any], Any], players: int, scale: int
) -> None:
    assistant = helper(NICAEA)
    env = SingleSeatEnv(
        "nicaea", decisions="bidding", assistant=assistant, num_players=players,
    )  # fmt: skip
    shadow = replay(env._driver)
    generator = np.random.default_rng(0)
    for game in range(15 * scale):
        _, info = env.reset(seed=7 if game == 0 else None)
        over, total = False, 0.0
        before = len(assistant.seats)
        while not over:
            if not shadow.ended[0]:
                assert shadow.kind(0) in BIDDING
                assert shadow.actor(0) == info["seat"]
            action = int(generator.choice(np.flatnonzero(env.action_masks())))
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            assert over or reward == 0
            total += reward
        assert len(shadow.ended[0]) == 1
        assert total == shadow.ended[0][0].returns[info["seat"]]
        assert set(assistant.seats[before:]) <= {info["seat"]}
    assert not assistant.kinds & set(BIDDING)


def test_a_checker_accepts_it() -> None:
    env = SingleSeatEnv(
        "nicaea", decisions="bidding", assistant="nicaea/broker", opponents="nicaea/tableau"
    )
    check_env(env, games=3)
    env = SingleSeatEnv("chancellors", decisions="avert", assistant="random")
    check_env(env, games=6)  # without the Excuse nobody ever averts anything


def test_all_kinds_are_what_there_was_before(helper: Callable[[Any], Any]) -> None:
    """With an assistant that has nothing to do, and without, the same games are played."""
    seen = []
    assistant = helper(CHANCELLORS)
    for arguments in (
        {},
        {"decisions": "all"},
        {"decisions": list(CHANCELLORS.kinds), "assistant": assistant},
    ):
        vec = make_vec(CHANCELLORS, 12, [2, 3, 4] * 4, target_score=6)
        bots = Opponents(["random", "chancellors/steward"], game=CHANCELLORS, mixture="free")
        driver = Driver(vec, bots, **arguments)
        generator = np.random.default_rng(4)
        turn, trace = driver.reset(seed=8), []
        for _ in range(40):
            trace += [turn.observations.tobytes(), turn.masks.tobytes(), turn.rewards.tobytes()]
            turn = driver.step(pick_legal(turn.masks, generator))
        seen.append(trace)
    assert seen[0] == seen[1] == seen[2]
    assert assistant.seats == []


def test_equal_seeds_give_equal_games_with_an_assistant() -> None:
    def trace(driver: Driver, seed: int | None) -> bytes:
        turn, generator = driver.reset(seed), np.random.default_rng(5)
        for _ in range(20):
            turn = driver.step(pick_legal(turn.masks, generator))
        return turn.observations.tobytes()

    def make() -> Driver:
        vec = make_vec(NICAEA, 6, [4, 5, 6] * 2)
        return Driver(
            vec, Opponents("random", game=NICAEA), decisions="bidding", assistant="random"
        )

    one, two = make(), make()
    first = trace(one, 3)
    assert trace(two, 3) == first == trace(one, 3)
    assert trace(one, None) == trace(two, None) != first


def test_decisions_with_one_option_are_shown_on_request(
    replay: Callable[[Any], Any], helper: Callable[[Any], Any]
) -> None:
    driver = Driver(
        make_vec(NICAEA, 20, 5), Opponents("random", game=NICAEA), seat=0, skip_single=False,
        decisions="payment", assistant=helper(NICAEA),
    )  # fmt: skip
    shadow = replay(driver)
    turn = driver.reset(seed=1)
    single = 0
    for _ in range(20):
        single += int((turn.masks.sum(axis=1) == 1).sum())
        assert {shadow.kind(row) for row in range(20)} == {"payment"}
        turn = driver.step(pick_legal(turn.masks, np.random.default_rng(2)))
    assert single > 20


ENTRANCES: list[Callable[..., Any]] = [
    lambda **given: SingleSeatEnv("nicaea", **given),
    lambda **given: Driver(make_vec(NICAEA, 2), Opponents("random", game=NICAEA), **given),
]


@pytest.mark.parametrize("make", ENTRANCES)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"decisions": "bids", "assistant": "random"},
         r"no decisions 'bids' in nicaea: one or more of all, bidding \(debate_doctrine, .*turn"),
        ({"decisions": ["turn", "bids"], "assistant": "random"}, "no decisions 'bids'"),
        ({"decisions": [], "assistant": "random"}, "are none: one or more of all"),
        ({"decisions": 3, "assistant": "random"}, "no decisions 3"),
        ({"decisions": "bidding"},
         "decisions='bidding' leave turn, payment, copy, free_play to an assistant: one is needed"),
        ({"decisions": "bidding", "assistant": "nobody"}, "no bot 'nobody'"),
        ({"decisions": "bidding", "assistant": 7}, "assistant 7 is no bot: needed is a name"),
        ({"decisions": "all", "assistant": "nobody"}, "no bot 'nobody'"),
        ({"decisions": "bidding", "assistant": "chancellors/steward"}, "plays chancellors_v0"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    make: Callable[..., Any], given: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        make(**given)


def test_an_assistant_that_cheats_is_named(helper: Callable[[Any], Any]) -> None:
    class Cheat:
        def act(self, views: Any, masks: Any) -> Any:
            return masks.argmin(axis=1)

        def __repr__(self) -> str:
            return "<cheat>"

    env = SingleSeatEnv("nicaea", decisions="naming", assistant=Cheat(), opponents="random")
    with pytest.raises(BotError, match=r"bot <cheat> for nicaea_v0 chose .* which is not legal"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda masks: np.full(len(masks), -1), "chose -1, which is not legal"),
        (lambda masks: np.full(len(masks), 10**6), "chose 1000000, which is not legal"),
        (lambda masks: masks.argmax(axis=1) + 0.5, "with float64 of shape"),
        (lambda masks: masks.argmax(axis=1)[:, np.newaxis], r"of shape \(\d+, 1\)"),
        (lambda masks: None, "with object of shape"),
    ],
)
def test_answers_that_are_no_legal_actions(answer: Callable[[Any], Any], message: str) -> None:
    class Odd:
        def act(self, views: Any, masks: Any) -> Any:
            del views
            return answer(masks)

    env = DecisionsEnv("nicaea", decisions="bidding", assistant=Odd(), illegal="lose")
    with pytest.raises(BotError, match=message):
        env.reset(seed=1)
    with pytest.raises(UsageError, match=r"call reset\(\)"):
        env.step(0)
    vec = VecDecisions(make_vec("nicaea", 4, 5), decisions="bidding", assistant=Odd())
    with pytest.raises(BotError, match=message):
        vec.reset(seed=1)
    with pytest.raises(UsageError, match=r"call reset\(\)"):
        vec.step([0] * 4)


class Tiring:
    """Plays the first legal action, and fails when it is told to."""

    tired = False

    def act(self, views: Any, masks: Any) -> Any:
        """Choose the first legal action per View."""
        del views
        if self.tired:
            raise RuntimeError("tired")
        return masks.argmax(axis=1)


@pytest.mark.parametrize("kind", ["aec", "batch", "driver"])
def test_after_a_bot_has_failed_nothing_goes_on_before_a_reset(kind: str) -> None:
    bot = Tiring()
    env: Any
    if kind == "aec":
        env = DecisionsEnv("nicaea", decisions="bidding", assistant=bot)
    elif kind == "batch":
        env = VecDecisions(make_vec("nicaea", 4, 5), decisions="bidding", assistant=bot)
    else:
        vec = make_vec("nicaea", 4, 5)
        env = Driver(vec, Opponents(bot, game=vec.game), decisions="bidding", assistant=bot)

    def step(seen: Any) -> Any:
        if kind == "aec":
            mask = env.observe(env.agent_selection)["action_mask"]
            return env.step(int(mask.argmax()))
        return env.step(seen.masks.argmax(axis=1))

    def play_on(seen: Any) -> None:
        for _ in range(50):
            seen = step(seen)

    seen = env.reset(seed=3)
    seen = step(seen)
    bot.tired = True
    with pytest.raises(RuntimeError, match="tired"):
        play_on(seen)
    bot.tired = False
    with pytest.raises(UsageError, match=r"call reset\(\)"):
        step(seen)
    seen = env.reset(seed=3)
    for _ in range(5):
        seen = step(seen)
