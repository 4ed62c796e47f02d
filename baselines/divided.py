"""A bot made of two: one for some kinds of decisions, the other for all others."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot, answers, check_views
from concilium.envs.core.decisions import Decisions, decision_kinds, kind_names
from concilium.envs.core.errors import OptionError
from concilium.envs.core.play import by_number, deciders
from concilium.envs.core.state import Records, take_records

DIVIDED: Final = "divided"
_BOT: Final = 0
_ASSISTANT: Final = 1  # numbers of the parts


class DividedBot:
    """Leaves decisions to two bots by their kind.

    Args:
        decisions: the kinds that ``bot`` decides, see
            :func:`~concilium.envs.core.decisions.decision_kinds`.
        bot: decides these.
        assistant: decides all others.
        name: for tables and messages; if not given it is made of the parts' names.

    Attributes:
        chosen: which kinds ``bot`` decides ``(len(game.kinds),) bool``.
        parts: the two bots.

    Raises:
        OptionError: the bots play different games, or the kinds are not known to theirs.
    """

    def __init__(
        self, decisions: Decisions, bot: Bot, assistant: Bot, *, name: str | None = None
    ) -> None:
        if bot.game is not assistant.game:
            raise OptionError(
                f"{bot.name} plays {bot.game.id} and {assistant.name} {assistant.game.id}: a bot "
                "made of two plays one game"
            )
        self.game = bot.game
        self.chosen = decision_kinds(self.game, decisions)
        self.parts = (bot, assistant)
        self._deciders = deciders(self.chosen, len(self.parts), _ASSISTANT, leaving=(_BOT,))
        if name is None:
            kinds = "/".join(kind_names(self.game, self.chosen))
            name = f"{DIVIDED}:decisions={kinds},bot={bot.name},assistant={assistant.name}"
        self.name = name

    def seed(self, seed: int) -> None:
        """Seed both bots, each from a stream of its own; a whole number from 0 to 2**64 - 1."""
        streams = np.random.SeedSequence(int(check_seed(seed))).spawn(2)
        for part, stream in zip(self.parts, streams, strict=True):
            part.seed(int(stream.generate_state(1, np.uint64)[0]))

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View; see :meth:`~concilium.envs.core.bot.Actor.act`.

        Raises:
            OptionError, IllegalActionError: as by ``GeneratorBot``.
            BotError: a part's answer cannot be used.
        """
        check_views(self.name, self.game, views, masks)
        kinds = np.empty(len(views), np.int64)
        self.game.kernels.kind_many(views, np.arange(len(views)), kinds, 0, len(views))
        return by_number(
            self._deciders[_BOT + 1, kinds],
            lambda number, places: answers(
                self.parts[number], take_records(views, places), masks[places]
            ),
        )

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game.id}>"
