"""Answers that cannot be used: every caller of a bot says so in one line that names the bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concilium.baselines import UniformBot
from concilium.baselines.divided import SidedBot
from concilium.bench.bots import answering_speed
from concilium.commands.played import PlayedGame
from concilium.envs import BotError, get_game
from concilium.envs.core.bot import GeneratorBot
from concilium.evaluation.beliefs.sample import sample_views
from concilium.evaluation.matches import play
from concilium.evaluation.seats import evaluate, evaluate_side
from concilium.evaluation.sides import play_sides

GAME = get_game("believers")
TABLE = GAME.bind(num_players=5)
Answer = Callable[[Any], Any]
ANSWERS: dict[str, Answer] = {
    "parts of actions": lambda masks: masks.argmax(1) + 0.9,
    "whole numbers as floats": lambda masks: masks.argmax(1).astype(float),
    "truth values": lambda masks: masks.argmax(1) > 0,
    "a scalar": lambda masks: int(masks[0].argmax()),
    "a short array": lambda masks: masks.argmax(1)[:-1],
    "a column": lambda masks: masks.argmax(1)[:, np.newaxis],
    "nothing": lambda masks: None,
    "words": lambda masks: ["first"] * len(masks),
    "a ragged list": lambda masks: [[0], [0, 1]],
    "an illegal action": lambda masks: masks.argmin(1),
    "an action beyond the table": lambda masks: masks.argmax(1) + masks.shape[1],
    "a negative action": lambda masks: masks.argmax(1) - masks.shape[1],
}


class OddBot:
    """Answers as it is told to; checks nothing."""

    name = "odd"
    game = GAME

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def seed(self, seed: int) -> None:
        """Needs no chance."""

    def act(self, views: Any, masks: Any) -> Any:
        """Answer."""
        return self.answer(masks)


def _random() -> GeneratorBot:
    return UniformBot(GAME, 1)


def _by_side(bot: Any) -> None:
    game = PlayedGame(TABLE, 1)
    game.choice(SidedBot([bot, _random()]))
    game.choice(SidedBot([_random(), bot]))


def _bench(bot: Any) -> None:
    state = TABLE.new_state(1)
    view = TABLE.view(state, int(state["actor"][0]))
    answering_speed(bot, view, TABLE.legal_actions(view)[np.newaxis], 0.0)


CALLERS: dict[str, Callable[[Any], Any]] = {
    "evaluate": lambda bot: evaluate(bot, "random", game=GAME, deals=2, num_players=5),
    "opponent": lambda bot: evaluate("random", bot, game=GAME, deals=2, num_players=5),
    "side": lambda bot: evaluate_side(
        bot, "random", game=GAME, side="believers", deals=2, num_players=5
    ),
    "other side": lambda bot: evaluate_side(
        "random", bot, game=GAME, side="believers", deals=2, num_players=5
    ),
    "matches": lambda bot: play(TABLE, [bot], np.zeros((1, 5), np.int64), 2, 0),
    "balance": lambda bot: play_sides(
        GAME, [bot, _random()], deals=2, seed=0, options=dict(TABLE.options)
    ),
    "beliefs": lambda bot: sample_views(TABLE, [bot, *(_random() for _ in range(4))], 2, 0),
    "play": lambda bot: PlayedGame(TABLE, 1).choice(bot),
    "by side": _by_side,
    "bench": _bench,
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_names_the_bot_whose_answer_cannot_be_used(caller: str, answer: str) -> None:
    with pytest.raises(BotError, match="bot odd for believers") as raised:
        CALLERS[caller](OddBot(ANSWERS[answer]))
    assert "\n" not in str(raised.value)
