"""A bot made of two: one decides for True Believers, the other for Defectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from concilium.envs.believers import GAME
from concilium.envs.believers.state import Faith
from concilium.envs.core.bot import Bot, GeneratorBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records, take_records


class BySide(GeneratorBot):
    """Asks the bot of the side that the player to act is on; everybody knows the own Faith.

    Args:
        believers: decides for True Believers.
        defectors: decides for Defectors; another object, for each has a generator of its own.
        seed: of both; from the operating system if not given.

    Raises:
        OptionError: a bot of another game, or one object for both.
    """

    def __init__(self, believers: Bot, defectors: Bot, *, seed: int | None = None) -> None:
        if believers is defectors:
            raise OptionError("one bot for both sides needs no bot made of two")
        for bot in (believers, defectors):
            if bot.game is not GAME:
                raise OptionError(f"bot {bot.name} plays {bot.game.id}, not {GAME.id}")
        self.sides = {Faith.BELIEVER: believers, Faith.DEFECTOR: defectors}
        super().__init__(f"{believers.name}|{defectors.name}", GAME, seed)

    def seed(self, seed: int) -> None:
        """Start both generators anew, from numbers that follow from the seed."""
        super().seed(seed)
        for bot, own in zip(
            self.sides.values(), np.random.SeedSequence(seed).spawn(2), strict=True
        ):
            bot.seed(int(own.generate_state(1, np.uint64)[0]))

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        plain = plain_records(views)
        faith = plain["faith"][np.arange(len(views)), plain["actor"]]
        actions = np.empty(len(views), np.int64)
        for side, bot in self.sides.items():
            rows = np.flatnonzero(faith == side)
            if len(rows):
                actions[rows] = bot.act(take_records(views, rows), masks[rows])
        return actions
