"""Who plays the other seats: some bots, and how they are distributed over seats and games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.registry import BotLike, resolve
from concilium.envs.core.bot import Actor, seed_bot
from concilium.envs.core.copies import Independent
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game

MIXTURES: Final = ("seats", "games", "free")


class Opponents(Independent):
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
        given: list[BotLike] = list(bots) if isinstance(bots, list | tuple) else [bots]  # type: ignore[list-item]
        if not given:
            raise OptionError("opponents=[] is not allowed: at least one bot")
        if mixture not in MIXTURES:
            raise OptionError(f"mixture={mixture!r} is not allowed: one of {', '.join(MIXTURES)}")
        self.bots: tuple[Actor, ...] = tuple(resolve(bot, game, role="opponent") for bot in given)
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
            seed_bot(bot, child)

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
