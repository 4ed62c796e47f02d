"""Whether the States of every game that can be made are States that can be gone on from."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import BoundGame, Game

_TABLES: Final = 6  # sets of options, besides the table's own, of which a game each is played
_TRIES: Final = 1000  # draws until a set of options goes together
_EVERY: Final = 7  # decisions: the State is loaded


def some_options(game: Game, generator: np.random.Generator) -> BoundGame:
    """Return ``game`` with options drawn from all that it allows, the extremes more often.

    Raises:
        OptionError: none of a thousand draws goes together; the last one's.
    """
    for tried in range(_TRIES):
        drawn = {option.name: option.draw(generator) for option in game.all_options}
        try:
            return game.bind(**drawn)
        except OptionError:
            if tried == _TRIES - 1:
                raise
    raise AssertionError


def loads_again(table: Table, tally: Tally) -> None:
    """The States of every game that its options allow are accepted again."""
    generator = table.generator("reload")
    drawn = [some_options(table.bound.game, generator) for _ in range(_TABLES)]
    for number, bound in enumerate([table.bound, *drawn]):
        env, other = (table.env(**bound.options) for _ in range(2))
        seed = int(generator.integers(2**63))
        env.reset(seed=seed)
        for move, _ in enumerate(replace(table, bound=bound).play(env, number)):
            if move % _EVERY == 0:
                _load(env, other, f"{bound}, seed {seed}, {move} decisions")
                tally.count()
        _load(env, other, f"{bound}, seed {seed}, at the end")


def _load(env: GameEnv, other: GameEnv, where: str) -> None:
    state = env.game_state()
    try:
        other.load_game_state(state)
    except OptionError as error:
        raise Counterexample(f"{where}: {error}") from None
    if other.game_state().tobytes() != state.tobytes():
        raise Counterexample(f"{where}: another State after loading")
