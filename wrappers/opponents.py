"""Who plays the other seats: some bots, and how they are distributed over seats and games.

Names of bots are resolved by ``concilium.baselines``, which is imported when a name is met and not
before: all else here needs of a bot is a method ``act``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import BotError, OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.state import Records

MIXTURES: Final = ("seats", "games", "free")


@runtime_checkable
class Actor(Protocol):
    """What is asked of an opponent (``concilium.baselines.Bot`` has more)."""

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return a legal action ``(k,) int64`` for each of ``(k,)`` Views with its mask."""


BotLike: TypeAlias = str | Actor


class Opponents:
    """Bots for the seats that the learner does not play.

    Args:
        bots: the bots or their names; a single one plays all other seats.
        mixture: ``"seats"``: the ``k``-th bot sits ``k`` places clockwise of the learner, so there
            is one per seat, or one for all; ``"games"``: each game draws one bot, which plays all
            other seats; ``"free"``: each seat of each game draws one.
        weights: how often each bot is drawn, in proportion; equally if not given.
        game: needed to resolve names.

    Raises:
        OptionError: no bots, an unknown name or mixture, or weights that do not fit.
    """

    def __init__(
        self,
        bots: BotLike | Sequence[BotLike],
        *,
        game: Game,
        mixture: str = "seats",
        weights: Sequence[float] | None = None,
    ) -> None:
        given = [bots] if isinstance(bots, str | Actor) else list(bots)
        if not given:
            raise OptionError("opponents=[] is not allowed: at least one bot")
        if mixture not in MIXTURES:
            raise OptionError(f"mixture={mixture!r} is not allowed: one of {', '.join(MIXTURES)}")
        self.bots: tuple[Actor, ...] = tuple(resolve(bot, game, "opponent") for bot in given)
        self.mixture = mixture
        self._limits = _limits(weights, len(given), mixture)

    def check_seats(self, others: int) -> None:
        """Refuse to leave one of ``others`` seats without a bot.

        Raises:
            OptionError: fewer bots than seats, when they are assigned by seats.
        """
        if self.mixture == "seats" and len(self.bots) not in (1, others):
            raise OptionError(
                f"{len(self.bots)} opponents for {others} other seats: give one for each, or one "
                "for all"
            )

    def seed(self, sequence: np.random.SeedSequence) -> None:
        """Seed every bot that can be seeded from a stream of its own."""
        for bot, child in zip(self.bots, sequence.spawn(len(self.bots)), strict=True):
            seed_actor(bot, child)

    def draw(self, games: int, others: int, generator: np.random.Generator) -> NDArray[np.int64]:
        """Choose bots for new games.

        Args:
            games: how many games begin.
            others: seats beside the learner's.
            generator: where the chance comes from.

        Returns:
            Numbers of bots ``(games, others) int64``, the seat after the learner's first.
        """
        count = len(self.bots)
        if self.mixture == "seats":
            row = np.arange(others) if count > 1 else np.zeros(others, np.int64)
            return np.broadcast_to(row, (games, others))
        if self.mixture == "games":
            return np.broadcast_to(self._numbers(generator.random((games, 1))), (games, others))
        return self._numbers(generator.random((games, others)))

    def _numbers(self, uniform: NDArray[np.float64]) -> NDArray[np.int64]:
        """Turn numbers in [0, 1) into numbers of bots, by their shares."""
        return np.searchsorted(self._limits, uniform, side="right")


FAILED: Final = "a bot failed in the middle of a step: call reset()"
"""What an environment says from then on."""


def answers(bot: Actor, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Ask a bot for actions and look at them before anything is done with them.

    Args:
        bot: whom to ask.
        views: Views ``(k,)`` of those to act.
        masks: their legal actions ``(k, num_actions)``, no row all zero.

    Returns:
        Legal actions ``(k,) int64``.

    Raises:
        BotError: it answered with anything else.
    """
    given = np.asarray(bot.act(views, masks))
    if given.shape != (len(masks),) or given.dtype.kind not in "iu":
        raise BotError(
            f"{bot!r} answered {len(masks)} Views with {given.dtype} of shape {given.shape}; "
            f"needed are integers of shape ({len(masks)},)"
        )
    actions = given.astype(np.int64)
    known = (actions >= 0) & (actions < masks.shape[1])
    legal = known & (masks[np.arange(len(masks)), np.where(known, actions, 0)] == 1)
    if not legal.all():
        raise BotError(f"{bot!r} chose {actions[~legal][0]}, which is not legal")
    return actions


def seed_actor(bot: Actor, sequence: np.random.SeedSequence) -> None:
    """Seed a bot if it can be seeded."""
    if hasattr(bot, "seed"):
        bot.seed(int(sequence.generate_state(1, np.uint64)[0]))


def resolve(bot: BotLike, game: Game, role: str) -> Actor:
    """Return a bot for a game, found by its name if need be.

    Args:
        bot: the bot or its name.
        game: what it is to play.
        role: what it is wanted for, for messages.

    Raises:
        OptionError: an unknown name, no bot, or one for another game.
    """
    if isinstance(bot, str):
        # by name, so that this layer does not depend on the bots
        baselines: Any = importlib.import_module("concilium.baselines")
        return cast(Actor, baselines.make_bot(bot, game))
    if not isinstance(bot, Actor) or isinstance(bot, type):
        raise OptionError(f"{role} {bot!r} is neither a name nor has it a method act(views, masks)")
    plays = getattr(bot, "game", game)
    if plays is not game:
        raise OptionError(f"{role} {bot!r} plays {plays!r}, not {game.id}")
    return bot


def _limits(weights: Sequence[float] | None, count: int, mixture: str) -> NDArray[np.float64]:
    """Where in [0, 1) one bot's share ends and the next one's begins ``(count - 1,)``."""
    shares = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    usable = shares.shape == (count,) and np.isfinite(shares).all() and (shares >= 0).all()
    if (weights is not None and mixture == "seats") or not usable or shares.sum() == 0:
        raise OptionError(
            f"weights={weights!r} is not allowed: one number of at least 0 per bot, not all 0, and "
            "only where bots are drawn"
        )
    limits: NDArray[np.float64] = np.cumsum(shares / shares.sum())[:-1]
    return limits
