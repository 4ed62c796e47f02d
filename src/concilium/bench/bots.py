"""How fast the rule bots of a game answer, and how long their first answer takes to compile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.registry import BOTS, bot_names, make_bot
from concilium.bench.engine import Figure
from concilium.envs import Game, get_game, make_vec
from concilium.envs.core.bot import Bot, UniformBot, answers
from concilium.envs.core.state import Records

_GAMES: Final = 256
_LONGEST: Final = 150  # decisions after which games are met, at most

_FIRST = """
import sys, time
import concilium.envs
from concilium.baselines.registry import make_bot
game = concilium.envs.get_game({game!r})
vec = concilium.envs.make_vec(game, 64, seed=1)
batch = vec.reset()
views = vec.views()
start = time.perf_counter()
for name in {names!r}:
    make_bot(name, game, seed=1).act(views, batch.masks)
print(time.perf_counter() - start)
"""


def some_views(game: Game, seed: int) -> tuple[Records, NDArray[np.int8]]:
    """Views of players to act in games of chance, each after another number of decisions.

    Returns:
        Views ``(256,)`` and masks ``(256, num_actions) int8``, at the default table.
    """
    vec = make_vec(game, _GAMES, seed=seed)
    generator = np.random.default_rng(seed)
    player = UniformBot(game, seed)
    wanted = generator.integers(0, _LONGEST, _GAMES)
    views = None
    batch = vec.reset()
    for step in range(_LONGEST):
        now = vec.views()
        if views is None:
            views, masks = now.copy(), batch.masks.copy()
        met = wanted == step
        views[met], masks[met] = now[met], batch.masks[met]
        batch = vec.step(player.act(now, batch.masks))
    vec.close()
    assert views is not None
    return views, masks


def answering_speed(bot: Bot, views: Records, masks: NDArray[np.int8], seconds: float) -> float:
    """Answers a second in batches of these Views; BotError if they cannot be used."""
    answers(bot, views, masks)
    given = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        bot.act(views, masks)
        given += len(views)
    return given / spent


def first_answers(game: Game, names: list[str]) -> float:
    """Seconds to compile and give one answer of each bot, once the rules are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run(
            [sys.executable, "-c", _FIRST.format(game=game.name, names=names)],
            env={**os.environ, "CONCILIUM_CACHE_DIR": folder},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    return float(out)


def run(
    name: str,
    *,
    seconds: float = 1.0,
    repeats: int = 5,
    seed: int = 1,
    start: bool = True,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Measure the rule bots, tell it line by line, and return it as a JSON-able mapping."""
    game = get_game(name)
    names = [each for each in bot_names(game) if each in BOTS]
    say(f"{game.id}: one batch of {_GAMES} Views, {repeats} × {seconds} s, seed {seed}")
    views, masks = some_views(game, seed)
    figures = []
    for each in names:
        bot = make_bot(each, game, seed=seed)
        values = [answering_speed(bot, views, masks, seconds) for _ in range(repeats)]
        figures.append(Figure.of(each, "answers/s", values))
        say(figures[-1].line())
    if start:
        figures.append(
            Figure.of("first answers, compiling all bots", "s", [first_answers(game, names)])
        )
        say(figures[-1].line())
    return {"game": game.id, "views": _GAMES, "figures": [asdict(figure) for figure in figures]}
