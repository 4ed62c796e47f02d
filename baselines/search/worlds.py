"""Worlds that a View leaves possible: States that its viewer cannot tell from the real one.

Where the bots of a game know a posterior of what is hidden, its folder exports ``draw_hidden``,
which writes a draw of it into copies of the View; resampling then fills in the rest. Worlds drawn
so weigh alike: as many as there are is their effective number.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from concilium.envs import Game
from concilium.envs.core.bot import Bot
from concilium.envs.core.state import Records, take_records


def draw_worlds(view: Records, bot: Bot, count: int, generator: np.random.Generator) -> Records:
    """Draw States ``(count,)`` from one View ``(1,)``.

    Args:
        view: of the player to act.
        bot: by whose beliefs, where it has any.
        count: how many.
        generator: where the chance comes from, the worlds' future included.
    """
    game = bot.game
    views = take_records(view, np.zeros(count, np.int64))
    draw = _hidden(game)
    if draw is not None:
        draw(views, bot, generator)
    worlds = np.empty_like(views)
    seeds = generator.integers(0, 2**64, count, np.uint64)
    game.kernels.determinize_many(views, seeds, worlds, 0, count)
    return worlds


@cache
def _hidden(game: Game) -> Callable[[Records, Bot, np.random.Generator], None] | None:
    try:
        folder: Any = importlib.import_module(f"concilium.baselines.{game.name}")
    except ModuleNotFoundError:
        return None
    return getattr(folder, "draw_hidden", None)
