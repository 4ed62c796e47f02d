"""What a bot is, and that an answer which cannot be used is one error that names the bot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from concilium.baselines import DividedBot, UniformBot
from concilium.envs import BotError, get_game, make_vec
from concilium.envs.believers.options import MINI
from concilium.envs.core.bot import (
    Actor,
    Bot,
    HasBeliefs,
    HasDistribution,
    answers,
    called,
    seed_bots,
)
from concilium.evaluation import evaluate, play, play_sides
from concilium.evaluation.balance import nicaea as balance
from concilium.evaluation.beliefs import sample_views
from concilium.wrappers import DecisionsEnv, Driver, Opponents, VecDecisions
from tests.envs.odd_bots import ODD_ANSWERS, Named, Stranger, first_legal

GAME = get_game("chancellors")
BELIEVERS = get_game("believers")
NICAEA = get_game("nicaea")
ODD = pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
NAMED = "bot odd one for {}_v0 (answered|chose) "


def some_views() -> tuple[Any, Any]:
    vec = make_vec(GAME, 5, 3, seed=1)
    masks = vec.reset().masks
    return vec.views(), masks


@ODD
def test_an_answer_that_cannot_be_used_names_the_bot(answer: Any) -> None:
    views, masks = some_views()
    with pytest.raises(BotError, match=r"bot <stranger> (answered|chose) "):
        answers(Stranger(answer), views, masks)
    with pytest.raises(BotError, match=NAMED.format("chancellors")):
        answers(Named(answer, GAME), views, masks)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint8, np.uint64, list, tuple])
def test_whole_numbers_of_any_width_are_taken(kind: Any) -> None:
    views, masks = some_views()
    if isinstance(kind, type) and issubclass(kind, list | tuple):
        bot = Stranger(lambda masks: kind(first_legal(masks).tolist()))
    else:
        bot = Stranger(lambda masks: first_legal(masks).astype(kind))
    found = answers(bot, views, masks)
    assert found.dtype == np.int64
    assert (found == first_legal(masks)).all()


def test_answers_are_the_callers_own() -> None:
    views, masks = some_views()
    kept = first_legal(masks)
    bot = Stranger(lambda masks: kept)
    answers(bot, views, masks)[:] = -1
    assert (kept >= 0).all()


def test_the_message_says_what_is_legal() -> None:
    views, masks = some_views()
    masks[:] = 0
    masks[:, [4, 9]] = 1
    with pytest.raises(BotError, match=r"chose 5, which is not legal; legal: 4, 9$"):
        answers(Stranger(lambda masks: np.array([4, 9, 5, 7, 4])), views, masks)
    masks[:, :20] = 1
    with pytest.raises(BotError, match=r"legal: 0, 1, 2, 3, 4, 5, 6, 7 and 12 more$"):
        answers(Stranger(lambda masks: np.full(5, 20)), views, masks)


def test_names_in_messages() -> None:
    bot = UniformBot(GAME)
    assert called(bot) == "bot random for chancellors_v0"
    assert called(Stranger(first_legal)) == "bot <stranger>"
    bot.name = None  # type: ignore[assignment]
    assert called(bot).startswith("bot <bot None")


def test_protocols_at_run_time() -> None:
    class Telling(Named):
        def distribution(self, views: Any, masks: Any) -> Any:
            return masks / masks.sum(axis=1, keepdims=True)

        def beliefs(self, views: Any) -> Any:
            return np.full((len(views), 10, 2), 0.5)

    assert isinstance(Stranger(first_legal), Actor)
    assert not isinstance(Stranger(first_legal), Bot)
    assert not isinstance(first_legal, Actor)
    assert isinstance(UniformBot(GAME), Bot)
    assert not isinstance(UniformBot(GAME), HasBeliefs)
    telling = Telling(first_legal, GAME)
    assert isinstance(telling, Bot)
    assert isinstance(telling, HasDistribution)
    assert isinstance(telling, HasBeliefs)


def test_bots_are_seeded_by_number_and_strangers_left_alone() -> None:
    views, masks = some_views()
    one, two = UniformBot(GAME), UniformBot(GAME)
    seed_bots([one, Stranger(first_legal), two], 7)
    first = (one.act(views, masks).tolist(), two.act(views, masks).tolist())
    assert first[0] != first[1]
    seed_bots([one, two, two], 7)
    assert (one.act(views, masks).tolist(), two.act(views, masks).tolist()) == first


# Every caller ------------------------------------------------------------------------------------


def in_a_match(answer: Any) -> None:
    play(GAME.bind(num_players=3), [Named(answer, GAME)], np.zeros((1, 3), np.int64), 4, 1)


def in_an_evaluation(answer: Any) -> None:
    evaluate(Named(answer, GAME), "random", game=GAME, deals=2, num_players=2)


def among_sides(answer: Any) -> None:
    bots: Any = [UniformBot(BELIEVERS), Named(answer, BELIEVERS)]
    play_sides(BELIEVERS, bots, deals=4, seed=1, options=MINI)


def in_samples_of_beliefs(answer: Any) -> None:
    table = BELIEVERS.bind(**MINI)
    bots: Any = [Named(answer, BELIEVERS)] * table.num_players
    sample_views(table, bots, 4, 1)


def in_a_balance(answer: Any) -> None:
    table = NICAEA.bind(num_players=4)
    bots: Any = [Named(answer, NICAEA)]
    balance._play(table, bots, np.zeros((4, 4), np.int64), 1)


def as_opponent(answer: Any) -> None:
    Driver(make_vec(GAME, 6, 3), Opponents(Named(answer, GAME), game=GAME)).reset(seed=1)


PART: dict[str, Any] = {"decisions": "bidding"}


def as_assistant(answer: Any) -> None:
    opponents = Opponents("random", game=NICAEA)
    driver = Driver(make_vec(NICAEA, 6), opponents, assistant=Named(answer, NICAEA), **PART)
    driver.reset(seed=1)


def as_assistant_of_all(answer: Any) -> None:
    VecDecisions(make_vec(NICAEA, 6), assistant=Named(answer, NICAEA), **PART).reset(seed=1)


def as_assistant_in_one_game(answer: Any) -> None:
    DecisionsEnv(NICAEA, assistant=Named(answer, NICAEA), **PART).reset(seed=1)


def as_part_of_a_bot(answer: Any) -> None:
    odd: Any = Named(answer, NICAEA)
    bot = DividedBot("bidding", UniformBot(NICAEA), odd)
    play(NICAEA.bind(num_players=4), [bot], np.zeros((1, 4), np.int64), 4, 1)


CALLERS = {
    in_a_match: "chancellors", in_an_evaluation: "chancellors", among_sides: "believers",
    in_samples_of_beliefs: "believers", in_a_balance: "nicaea", as_opponent: "chancellors",
    as_assistant: "nicaea", as_assistant_of_all: "nicaea", as_assistant_in_one_game: "nicaea",
    as_part_of_a_bot: "nicaea",
}  # fmt: skip


@ODD
@pytest.mark.parametrize("caller", CALLERS, ids=lambda caller: caller.__name__)
def test_every_caller_refuses_it(caller: Any, answer: Any) -> None:
    with pytest.raises(BotError, match=NAMED.format(CALLERS[caller])):
        caller(answer)
