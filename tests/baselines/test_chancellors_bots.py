"""The rule bots at play: how often they win and lose, and habits that hold in every position."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.baselines import make_bot
from concilium.baselines.chancellors import STEWARD, Character, CharacterBot, StewardBot
from concilium.envs import get_game, make_vec
from concilium.envs.chancellors.actions import (
    DECLINE,
    END_TURN,
    KEEP_SILENT,
    RAISE_HIGHER,
    REROLL,
    SOLVE,
)
from concilium.envs.chancellors.state import Outcome
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.state import Records, plain_records
from concilium.evaluation.intervals import share
from concilium.evaluation.matches import play
from concilium.evaluation.seats import Evaluation, evaluate

GAME = get_game("chancellors")
GAMES = 400
NAMES = [
    "chancellors/steward", "chancellors/opportunist", "chancellors/grim", "chancellors/blocker"
]  # fmt: skip


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_stewards_keep_calamity_away(num_players: int) -> None:
    table = GAME.bind(num_players=num_players)
    seating = np.zeros((1, num_players), np.int64)
    results = play(table, [StewardBot()], seating, GAMES, seed=11)
    calamities = int((results.outcomes == Outcome.CALAMITY).sum())
    # about 2 % (python -m concilium.training.evaluate): more than 6 % of 400 is no accident
    assert share(calamities, GAMES).value <= 0.06
    assert int((results.outcomes == Outcome.WON).sum()) == GAMES - calamities
    assert abs(results.returns.sum()) > 0


def test_stewards_win_alike_from_all_seats() -> None:
    table = GAME.bind(num_players=3)
    results = play(table, [StewardBot()], np.zeros((1, 3), np.int64), GAMES, seed=12)
    for seat in range(3):
        estimate = share(int((results.returns[0, :, seat] > 0).sum()), GAMES)
        assert estimate.low < 0.36
        assert estimate.high > 0.28


def test_careless_stewards_do_worse() -> None:
    """The bound above can fail: without fear of calamities they come."""
    careless = CharacterBot(Character(danger=(0,) * 13), name="careless")
    result = play(GAME.bind(num_players=2), [careless], np.zeros((1, 2), np.int64), 100, seed=1)
    assert share(int((result.outcomes == Outcome.CALAMITY).sum()), 100).low > 0.2


@cache
def alone(bot: str, others: str, num_players: int, deals: int) -> Evaluation:
    return evaluate(bot, others, game=GAME, deals=deals, num_players=num_players, seed=13)


@pytest.mark.parametrize(("num_players", "least"), [(2, 0.9), (3, 0.9), (4, 0.75)])
def test_opportunists_win_among_stewards(num_players: int, least: float) -> None:
    result = alone("chancellors/opportunist", "chancellors/steward", num_players, 150)
    # 94, 97 and 82 %, where a steward wins its share
    assert result.won.high > least
    assert result.won.low > 1.5 / num_players
    steward = alone("chancellors/steward", "chancellors/opportunist", num_players, 50)
    assert steward.won.high < 0.2


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_grims_keep_an_opportunist_from_winning(num_players: int) -> None:
    among_stewards = alone("chancellors/opportunist", "chancellors/steward", num_players, 100)
    among_grims = alone("chancellors/opportunist", "chancellors/grim", num_players, 100)
    assert among_grims.won.high < among_stewards.won.low
    assert among_grims.outcomes["calamity"].low > 0.15  # which is how they do it


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("name", NAMES)
def test_every_bot_beats_random_play(name: str, num_players: int) -> None:
    for others in ("random", "chancellors/steward"):
        bot = alone(name, others, num_players, 40)
        random = alone("random", others, num_players, 40)
        assert bot.won.low > random.won.high
        assert bot.mean_return.low > random.mean_return.high


def sampled_views(count: int) -> tuple[Records, np.ndarray]:
    """Views of all kinds of decisions with all options on, from mixed play."""
    vec = make_vec(GAME, 40, [2, 3, 4, 4] * 10, seed=5, excuse=True, pawns=True, problems=4)
    bots = [*(make_bot(name, GAME, seed=1) for name in NAMES), UniformBot(GAME, 1)]
    generator = np.random.default_rng(2)
    batch = vec.reset()
    views, masks = [], []
    for step in range(150):
        now = vec.views()
        keep = generator.random(40) < 0.05
        views.append(now[keep])
        masks.append(batch.masks[keep])
        batch = vec.step(bots[step % 5].act(now, batch.masks))
    all_views, all_masks = np.concatenate(views), np.concatenate(masks)
    assert set(plain_records(all_views)["phase"].tolist()) == {0, 1, 2, 3, 4}
    return all_views[:count], all_masks[:count]


INTERPRETED = """
import sys
import numpy as np
from concilium.baselines import make_bot
from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.core.state import attribute_records
assert INTERPRETED
views, masks = attribute_records(np.load(sys.argv[1])), np.load(sys.argv[2])
bots = [make_bot(name, "chancellors", seed=1) for name in sys.argv[4:]]
np.save(sys.argv[3], [bot.act(views, masks) for bot in bots])
"""


def test_compiled_and_interpreted_decide_alike(tmp_path: Path) -> None:
    views, masks = sampled_views(200)
    files = [str(tmp_path / name) for name in ("views.npy", "masks.npy", "actions.npy")]
    np.save(files[0], plain_records(views))
    np.save(files[1], masks)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    names = [*NAMES[:2], "chancellors/grim:grudge=3", NAMES[3]]  # early positions have low scores
    subprocess.run(
        [sys.executable, "-c", INTERPRETED, *files, *names], check=True, env=environment
    )  # fmt: skip
    interpreted = np.load(files[2])
    assert interpreted.shape == (4, 200)
    for name, actions in zip(names, interpreted, strict=True):
        assert (actions == make_bot(name, GAME).act(views, masks)).all()
    differing = [(one != interpreted[0]).sum() for one in interpreted[1:]]
    assert min(differing) > 0  # no two names for the same play


@pytest.mark.parametrize("name", NAMES)
def test_same_decisions_one_by_one_in_batches_and_again(name: str) -> None:
    views, masks = sampled_views(200)
    bot = make_bot(name, GAME, seed=1)
    together = bot.act(views, masks)
    alone = [int(bot.act(views[k : k + 1], masks[k : k + 1])[0]) for k in range(len(views))]
    assert together.tolist() == alone
    assert (make_bot(name, GAME, seed=2).act(views[::-1], masks[::-1]) == together[::-1]).all()


def positions(num_players: int, **options: Any) -> tuple[Records, Records, np.ndarray]:
    """States of games among stewards with the Views and masks of those to act."""
    vec = make_vec(GAME, 200, num_players, seed=8, **options)
    bot = StewardBot()
    batch = vec.reset()
    states, views, masks = [], [], []
    for _ in range(60):
        now = vec.views()
        states.append(vec.states)
        views.append(now)
        masks.append(batch.masks)
        batch = vec.step(bot.act(now, batch.masks))
    return np.concatenate(states), np.concatenate(views), np.concatenate(masks)


def test_alarming_problems_are_solved_if_forces_and_cards_allow() -> None:
    states, views, masks = positions(3)
    actions = StewardBot().act(views, masks)
    plain = plain_records(states)
    sums = plain["dice"].astype(int).sum(axis=2)
    checked = 0
    for problem in range(3):
        can = masks[:, SOLVE + 2 * problem] | masks[:, SOLVE + 2 * problem + 1]
        rows = np.flatnonzero((can == 1) & (sums[:, problem] >= STEWARD.alarm))
        assert (actions[rows] != END_TURN).all()
        checked += len(rows)
    assert checked > 500


def test_nobody_is_blocked_while_a_problem_is_alarming() -> None:
    states, views, masks = positions(4)
    actions = StewardBot().act(views, masks)
    plain = plain_records(states)
    asked = plain["phase"] == 1
    sums = np.where(plain["solved"] == 0, plain["dice"].astype(int).sum(axis=2), 0).max(axis=1)
    alarming = asked & (sums >= STEWARD.alarm)
    assert alarming.sum() > 50
    assert (actions[alarming] == DECLINE).all()
    able = asked & ~alarming & (masks.sum(axis=1) > 1)
    assert able.sum() > 20
    assert (actions[able] != DECLINE).all()


def test_higher_die_is_raised_and_the_excuse_averts() -> None:
    states, views, masks = positions(3, excuse=True)
    actions = StewardBot().act(views, masks)
    phases = plain_records(states)["phase"]
    assert (actions[phases == 3] == RAISE_HIGHER).all()
    assert (phases == 3).sum() > 500
    holders = (phases == 4) & (masks.sum(axis=1) > 1)
    others = holders & (plain_records(states)["actor"] != plain_records(states)["active"])
    assert others.sum() > 0
    assert (actions[others] >= REROLL).all()
    silent = (phases == 4) & ~holders
    assert (actions[silent] == KEEP_SILENT).all()
