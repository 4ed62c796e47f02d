"""Rule bots: a compiled way of deciding for each game; what they care about makes them differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.bots import BotEntry
from concilium.envs.core.bot import GeneratorBot
from concilium.envs.core.compiled.jit import absent, bind
from concilium.envs.core.game import Game
from concilium.envs.core.state import Cells, Records


@dataclass(frozen=True, eq=False)
class Program:
    """A way of deciding, the same for all bots of a game.

    Attributes:
        game: what is played.
        decide: compiled; returns the action, from the View of the player to act, the records of the
            params, the legal actions, random numbers in [0, 1), and the scratch memory.
        draws: random numbers for a decision.
        new_scratch: makes the memory that ``decide`` writes on.
    """

    game: Game
    decide: Callable[..., int]
    draws: int = 0
    new_scratch: Callable[[], tuple[Records, ...]] = tuple

    @cached_property
    def loop(self) -> Any:
        """The compiled :func:`decide_many`, made on first use."""
        return bind(decide_many, f"{self.game.name}.bots", {"decide": self.decide})


decide = absent  # a program's, in :func:`decide_many`


def decide_many(
    views: Records, params: Records, masks: Cells, draws: Cells, scratch: tuple[Records, ...],
    out: Cells,
) -> None:  # fmt: skip
    """Write the action for ``views[k]`` into ``out[k]``, for all k."""
    for k in range(len(views)):
        out[k] = decide(views[k], params, masks[k], draws[k], scratch)


class Character(Protocol):
    """What a rule bot cares about: the params of a bot."""

    def records(self) -> Records:
        """Return the params as compiled code reads them."""


C = TypeVar("C", bound=Character)


class RuleBot(GeneratorBot, Generic[C]):
    """Decides by the params of a character. A game's class says by which program.

    Args:
        character: the params.
        name: for tables and messages.
        seed: of its generator; from the operating system if not given.
    """

    program: ClassVar[Program]

    def __init__(self, character: C, *, name: str, seed: int | None = None) -> None:
        super().__init__(name, self.program.game, seed)
        self.character = character
        self._params = character.records()
        self._scratch = self.program.new_scratch()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_scratch"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self._scratch = self.program.new_scratch()

    @property
    def steady(self) -> bool:
        """Whether every random number that it is given is 0.5."""
        return False

    def records(self) -> Records:
        """The params as compiled code reads them, for loops of rules and bot together."""
        return self._params

    def _draw(self, count: int) -> NDArray[np.float64]:
        """Random numbers for so many decisions ``(count, draws)``."""
        draws = self.generator.random((count, self.program.draws))
        if self.steady:
            draws[:] = 0.5
        return draws

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.empty(len(views), np.int64)
        draws = self._draw(len(views))
        self.program.loop(views, self._params, masks, draws, self._scratch, actions)
        return actions


def rule_bots(bot: type[RuleBot[Any]], **characters: Character) -> dict[str, BotEntry]:
    """Return the table of bots of one class, called after their characters."""

    def make(game: Game, seed: int | None, name: str, params: Character) -> RuleBot[Any]:
        del game
        return bot(params, name=name, seed=seed)

    game_name = bot.program.game.name
    return {f"{game_name}/{name}": BotEntry(make, params) for name, params in characters.items()}
