"""Plain functions and strangers' objects as bots."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.bot import Actor, Bot, GeneratorBot, seed_bot
from concilium.envs.core.copies import Independent, writable
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.state import Records, take_records

Decide: TypeAlias = Callable[..., Any]
FORMS: Final = (
    "f(observation, mask), f(observations, masks), f(view, mask) or f(views, masks), which returns "
    "a legal action or an array of them"
)


class FunctionBot(GeneratorBot):
    """A plain function that decides.

    The name of its first argument says what it is given: ``view`` or ``views`` for Views, anything
    else for observation vectors; ``views`` and ``observations`` for a batch ``(k, …)`` and an array
    of actions in return, else it is asked for one decision at a time.

    Args:
        function: see :data:`FORMS`; the masks are ``int8``.
        game: what it plays.
        name: for tables and messages; that of the function if not given.

    Raises:
        OptionError: it does not take two arguments.
    """

    def __init__(self, function: Decide, game: Game, *, name: str | None = None) -> None:
        own = getattr(function, "__name__", type(function).__name__)
        super().__init__(name or str(own), game, 0)
        first = _first_of_two(function)
        self.function = function
        self._takes_views = first in ("view", "views")
        self._takes_many = first in ("views", "observations")

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        given: Any = views
        if not self._takes_views:
            given = np.empty((len(views), self.game.observation.size), np.int8)
            self.game.kernels.encode_many(views, given, 0, len(views))
        if self._takes_many:
            answer: NDArray[np.int64] = self.function(given, masks)
            return answer
        return np.array([self.function(self._one(given, k), masks[k]) for k in range(len(views))])

    def _one(self, given: Any, k: int) -> Any:
        return take_records(given, np.array([k])) if self._takes_views else given[k]


def _first_of_two(function: Decide) -> str:
    """Name of the first argument of a function that can be called with two."""
    try:
        signature = inspect.signature(function)
        signature.bind(None, None)
    except (TypeError, ValueError):
        raise OptionError(f"bot {function!r} cannot be called as {FORMS}") from None
    return next(iter(signature.parameters))


class NamedBot(Independent):
    """Somebody's object with ``act(views, masks)``, with what else a bot has.

    Args:
        actor: decides.
        game: what it plays.

    Attributes:
        name: its own, or how it shows itself.
    """

    def __init__(self, actor: Actor, game: Game) -> None:
        self.actor = actor
        self.game = game
        name = getattr(actor, "name", None)
        self.name = name if isinstance(name, str) else repr(actor)

    def seed(self, seed: int) -> None:
        """Seed the object, if it can be seeded."""
        seed_bot(self.actor, np.random.SeedSequence(seed))

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View; see :meth:`.bot.Actor.act`."""
        return self.actor.act(writable(views), masks)


def as_bot(bot: object, game: Game, role: str = "bot") -> Bot:
    """Return a bot, an object that acts, or a function as a bot of a game.

    Args:
        bot: what is to decide.
        game: what it is to play.
        role: what it is wanted for, for messages.

    Raises:
        OptionError: it is none of these, or plays another game.
    """
    if isinstance(bot, type) or not (isinstance(bot, Actor) or callable(bot)):
        raise OptionError(
            f"{role} {bot!r} is no bot: needed is a name, an object with act(views, masks), or a "
            f"function {FORMS}"
        )
    plays = getattr(bot, "game", game)
    if plays is not game:
        raise OptionError(f"{role} {bot!r} plays {plays!r}, not {game.id}")
    if isinstance(bot, Bot):
        return bot
    return NamedBot(bot, game) if isinstance(bot, Actor) else FunctionBot(bot, game)
