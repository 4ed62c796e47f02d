"""The driver: each return delivered exactly once, shown to the right seat, whatever the end."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import IllegalActionError, OptionError, get_game, make_vec
from concilium.envs.chancellors.state import Outcome
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.state import Records, plain_records
from concilium.wrappers import Driver, Opponents

GAME = get_game("chancellors")
ENDINGS: dict[str, dict[str, Any]] = {
    "calamity": {},
    "wins": {"target_score": 4},
    "lowest wins": {"calamity": "lowest_wins", "excuse": True},
    "truncation": {"max_turns": 3, "target_score": 6},
    "first turn": {"max_turns": 1, "target_score": 2},
}


def make_driver(
    num_players: int | Sequence[int] = 3,
    opponents: Any = "random",
    *,
    count: int = 12,
    mixture: str = "seats",
    **arguments: Any,
) -> Driver:
    settings = {
        name: arguments.pop(name)
        for name in ("seat", "skip_single", "auto_reset")
        if name in arguments
    }
    vec = make_vec(GAME, count, num_players, **arguments)
    return Driver(vec, Opponents(opponents, game=GAME, mixture=mixture), **settings)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("num_players", "seat", "skip_single"),
    [(n, s, True) for n in (2, 3, 4) for s in range(n)] + [(3, 1, False), (4, 0, False)],
)
def test_every_return_is_delivered_once(
    replay: Callable[[Driver], Any], num_players: int, seat: int, ending: str, skip_single: bool
) -> None:
    driver = make_driver(num_players, seat=seat, skip_single=skip_single, **ENDINGS[ending])
    shadow = replay(driver)
    generator = np.random.default_rng(1)
    turn = driver.reset(seed=seat + 10)
    delivered: list[list[tuple[float, bool]]] = [[] for _ in range(12)]
    outcomes: Counter[tuple[int, bool]] = Counter()
    for _ in range(40):
        check_turn(driver, shadow, turn, delivered, seat)
        turn = driver.step(pick_legal(turn.masks, generator))
        assert (turn.rewards[~(turn.terminated | turn.truncated)] == 0).all()
        assert not (turn.terminated & turn.truncated).any()
        for k, row in enumerate(turn.finished.tolist()):
            expected = shadow.ended[row][len(delivered[row])]
            delivered[row].append((turn.rewards[row], turn.truncated[row]))
            assert turn.rewards[row] == expected.returns[seat]
            assert turn.truncated[row] == expected.truncated
            assert (turn.final_observations[k] == expected.observations[seat]).all()
            assert turn.final_views[k].tobytes() == expected.views[seat][0].tobytes()
            assert turn.final_seats[k] == seat
            outcomes[expected.outcome, turn.rewards[row] > 0] += 1
    check_turn(driver, shadow, turn, delivered, seat)
    check_endings(ending, outcomes)


def check_turn(
    driver: Driver, shadow: Any, turn: Any, delivered: list[list[Any]], seat: int
) -> None:
    """What is shown is the learner's; what has ended is delivered, or owed by at most one game."""
    for row in range(12):
        owed = len(shadow.ended[row]) - len(delivered[row])
        if owed:
            assert owed == 1
            assert turn.masks[row].tolist() == [1] + [0] * (GAME.num_actions - 1)
            assert (turn.observations[row] == shadow.ended[row][-1].observations[seat]).all()
        else:
            assert shadow.actor(row) == seat
            assert (turn.masks[row] == shadow.mask(row)).all()
            assert turn.masks[row].sum() > (1 if driver.skip_single else 0)
            assert (turn.observations[row] == shadow.observation(row)).all()


def check_endings(ending: str, outcomes: Counter[tuple[int, bool]]) -> None:
    """The endings that the options are for did occur, on both sides."""
    if ending == "calamity":
        assert outcomes[Outcome.CALAMITY, False] > 10
    elif ending == "wins":
        assert outcomes[Outcome.WON, True] > 3
        assert outcomes[Outcome.WON, False] > 3
    elif ending == "lowest wins":
        assert outcomes[Outcome.CALAMITY, True] > 3
        assert outcomes[Outcome.CALAMITY, False] > 3
    elif ending == "truncation":
        assert outcomes[Outcome.OUT_OF_TIME, False] > 10
    else:
        assert outcomes.total() > 100


def test_games_that_end_before_a_decision_are_delivered() -> None:
    """With one turn per game most games of four are over before the learner's turn comes."""
    driver = make_driver(4, count=200, max_turns=1, target_score=2)
    turn = driver.reset(seed=1)
    over = turn.masks[:, 0] * (turn.masks.sum(axis=1) == 1)
    assert over.sum() > 60
    outcome = GAME.observation["outcome"].slice
    assert turn.observations[over == 1][:, outcome].any(axis=1).all()
    wrong = pick_legal(turn.masks, np.random.default_rng(0))
    wrong[over.argmax()] = 5
    with pytest.raises(IllegalActionError, match="the game is over"):
        driver.step(wrong)
    turn = driver.step(pick_legal(turn.masks, np.random.default_rng(0)))
    assert (turn.terminated | turn.truncated)[over == 1].all()


def test_illegal_actions_change_nothing() -> None:
    driver = make_driver(3)
    turn = driver.reset(seed=1)
    before = driver.vec.states.tobytes()
    actions = pick_legal(turn.masks, np.random.default_rng(0))
    bad = actions.copy()
    bad[7] = int(np.flatnonzero(turn.masks[7] == 0)[0])
    with pytest.raises(IllegalActionError, match="game 7"):
        driver.step(bad)
    with pytest.raises(IllegalActionError, match="shape"):
        driver.step(actions[:5])
    assert driver.vec.states.tobytes() == before
    assert driver.clock.decisions == 0
    driver.step(actions)
    assert driver.clock.decisions == (turn.masks.sum(axis=1) > 1).sum()


def test_random_seats_are_drawn_for_each_game_and_table() -> None:
    tables = [2, 3, 4] * 20
    driver = make_driver(tables, count=60)
    turn = driver.reset(seed=1)
    generator = np.random.default_rng(2)
    seen: dict[int, Counter[int]] = {2: Counter(), 3: Counter(), 4: Counter()}
    for _ in range(80):
        views = plain_records(driver.views())
        assert (views["viewer"] == driver.seats).all()
        turn = driver.step(pick_legal(turn.masks, generator))
        for row, seat in zip(turn.finished.tolist(), turn.final_seats.tolist(), strict=True):
            seen[tables[row]][seat] += 1
    for table, counts in seen.items():
        assert set(counts) == set(range(table))
        assert min(counts.values()) > 0.6 * counts.total() / table


class Spy:
    """A bot that notes whom it plays for."""

    def __init__(self) -> None:
        self.calls: list[list[tuple[int, int]]] = []
        self.generator = np.random.default_rng(0)

    def seed(self, seed: int) -> None:
        """Start anew."""
        self.generator = np.random.default_rng(seed)

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Note the seats and choose at random."""
        plain = plain_records(views)
        assert (plain["viewer"] == plain["actor"]).all()
        assert (plain["rng_key"] == 0).all()
        assert (plain["deck"] == -1).all()
        assert (masks.sum(axis=1) > 1).all()  # nobody is asked where there is nothing to choose
        self.calls.append(
            list(zip(plain["num_players"].tolist(), plain["viewer"].tolist(), strict=True))
        )
        return pick_legal(masks, self.generator)


def test_bots_sit_clockwise_of_the_learner() -> None:
    spies = [Spy(), Spy(), Spy()]
    driver = make_driver(4, spies, seat=2, count=60)
    turn = driver.reset(seed=1)
    for _ in range(30):
        turn = driver.step(pick_legal(turn.masks, np.random.default_rng(3)))
    for spy, seat in zip(spies, (3, 0, 1), strict=True):
        assert {viewer for call in spy.calls for _, viewer in call} == {seat}
    # in batches: far fewer calls than decisions
    decisions = sum(len(call) for spy in spies for call in spy.calls)
    assert decisions > 2 * sum(len(spy.calls) for spy in spies)


@pytest.mark.parametrize("mixture", ["games", "free"])
def test_drawn_bots_follow_their_weights(mixture: str) -> None:
    opponents = Opponents([Spy(), Spy(), Spy()], game=GAME, mixture=mixture, weights=[1, 0, 3])
    drawn = opponents.draw(4000, 3, np.random.default_rng(1))
    assert drawn.shape == (4000, 3)
    assert (drawn == 1).sum() == 0
    assert abs((drawn == 2).mean() - 0.75) < 0.045  # six standard deviations of 4,000 draws
    alike = (drawn == drawn[:, :1]).all(axis=1).mean()
    assert alike == 1 if mixture == "games" else 0.3 < alike < 0.6
    even = Opponents([Spy(), Spy()], game=GAME, mixture=mixture)
    assert abs((even.draw(4000, 1, np.random.default_rng(1)) == 0).mean() - 0.5) < 0.05


def test_a_zero_weight_at_the_end_is_never_drawn() -> None:
    opponents = Opponents([Spy(), Spy()], game=GAME, mixture="free", weights=[1, 0])
    assert (opponents.draw(1000, 3, np.random.default_rng(1)) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bots": []}, "at least one bot"),
        ({"bots": ["stewart"]}, "no bot 'stewart'"),
        ({"bots": [7]}, "opponent 7 is no bot: needed is a name"),
        ({"bots": "random", "mixture": "all"}, "one of seats, games, free"),
        ({"bots": ["random"], "weights": [1]}, "only where bots are drawn"),
        ({"bots": ["random"], "mixture": "free", "weights": [1, 2]}, "one number of at least 0"),
        ({"bots": ["random"], "mixture": "free", "weights": [-1]}, "one number of at least 0"),
        ({"bots": ["random"], "mixture": "free", "weights": [0]}, "not all 0"),
        ({"bots": ["random"], "mixture": "free", "weights": [float("nan")]}, "one number"),
    ],
)
def test_opponents_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Opponents(arguments.pop("bots"), game=GAME, **arguments)


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "first", None])
def test_seats_that_cannot_be(seat: Any) -> None:
    with pytest.raises(OptionError, match="0 to 2, or 'random'"):
        make_driver(3, seat=seat)


def test_each_seat_needs_a_bot() -> None:
    with pytest.raises(OptionError, match="2 opponents for 3 other seats"):
        make_driver(4, ["random", "random"])
    with pytest.raises(OptionError, match="2 opponents for 1 other seats"):
        make_driver([3, 2] * 6, ["random", "random"])


def trace(driver: Driver, seed: int | None, steps: int = 40) -> list[bytes]:
    turn = driver.reset(seed)
    generator = np.random.default_rng(5)
    seen = []
    for _ in range(steps):
        seen.append(turn.observations.tobytes() + turn.masks.tobytes() + turn.rewards.tobytes())
        turn = driver.step(pick_legal(turn.masks, generator))
    return seen


def test_equal_seeds_give_equal_games() -> None:
    mixed: dict[str, Any] = {
        "num_players": [2, 3, 4, 3] * 3,
        "opponents": ["random", "chancellors/steward"],
    }
    one, two = (make_driver(**mixed, mixture="free") for _ in range(2))
    first = trace(one, 8)
    assert trace(two, 8) == first
    assert trace(one, 8) == first
    on = trace(one, None)  # streams go on
    assert on != first
    assert trace(two, None) == on
    assert trace(one, 9) != first


def test_global_generators_are_left_alone() -> None:
    before = (random.getstate(), str(np.random.get_state()))  # noqa: NPY002
    trace(make_driver(3, ["random", "chancellors/steward"]), None)
    assert (random.getstate(), str(np.random.get_state())) == before  # noqa: NPY002


def test_what_is_handed_out_stays() -> None:
    driver = make_driver(3, target_score=4)
    turn = driver.reset(seed=1)
    generator = np.random.default_rng(5)
    kept = []
    for _ in range(30):
        kept.append((turn, [np.array(value) for value in vars(turn).values()]))
        turn = driver.step(pick_legal(turn.masks, generator))
    for turn, copies in kept:
        for value, copy in zip(vars(turn).values(), copies, strict=True):
            assert np.array(value).tobytes() == copy.tobytes()


def test_time_is_accounted_for() -> None:
    driver = make_driver(3, "chancellors/steward")
    trace(driver, 1)
    clock = driver.clock
    assert min(clock.engine, clock.adapter, clock.opponents) > 0
    assert clock.environment == clock.engine + clock.adapter
    assert 0 < clock.decisions <= 40 * 12


INTERPRETED = """
import hashlib, sys
import numpy as np
from concilium.envs import get_game, make_vec
from concilium.wrappers import DecisionsEnv, Driver, Opponents, VecDecisions
game = get_game("chancellors")
vec = make_vec(game, 3, [2, 3, 4], max_turns=3, excuse=True)
bots = Opponents(["random", "random"], game=game, mixture="free")
digest = hashlib.sha256()
for part in ({}, {"decisions": ["payment", "block"], "assistant": "random"}):
    driver = Driver(vec, bots, **part)
    turn = driver.reset(seed=3)
    for _ in range(12):
        for array in (turn.observations, turn.masks, turn.rewards, turn.final_observations):
            digest.update(array.tobytes())
        turn = driver.step(turn.masks.argmax(axis=1))
both = VecDecisions(vec, **part)
batch = both.reset(seed=3)
for _ in range(12):
    for array in (batch.observations, batch.masks, batch.rewards, batch.final_views):
        digest.update(array.tobytes())
    batch = both.step(batch.masks.argmax(axis=1))
env = DecisionsEnv(game, max_turns=3, **part)
env.reset(seed=3)
while env.agents:
    seen, reward, *_ = env.last()
    digest.update(seen["observation"].tobytes() + np.float64(reward).tobytes())
    env.step(int(seen["action_mask"].argmax()) if seen["action_mask"].any() else None)
print(digest.hexdigest())
"""


def test_compiled_and_interpreted_agree() -> None:
    found = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", INTERPRETED], check=True, capture_output=True, text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
        )  # fmt: skip
        found.append(done.stdout)
    assert found[0] == found[1] != ""
