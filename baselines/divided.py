"""Bots made of others: one for some kinds of decisions and one for the rest, or one a side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot, answers, check_views
from concilium.envs.core.copies import Independent, writable
from concilium.envs.core.decisions import Decisions, decision_kinds, kind_names
from concilium.envs.core.errors import OptionError
from concilium.envs.core.play import by_number, deciders
from concilium.envs.core.state import Records, take_records

DIVIDED: Final = "divided"
SIDES: Final = "sides"
_BOT: Final = 0
_ASSISTANT: Final = 1  # numbers of the parts of a DividedBot


class ComposedBot(Independent, ABC):
    """Leaves each decision to one of several bots.

    Args:
        parts: the bots, each a different object.
        name: for tables and messages.
        seed: of all parts; they keep their own if not given.

    Attributes:
        game: the game that all of them play.
        parts: the bots, by number.

    Raises:
        OptionError: the bots play different games.
    """

    def __init__(self, parts: Sequence[Bot], name: str, seed: int | None = None) -> None:
        first = parts[0]
        for part in parts[1:]:
            if part.game is not first.game:
                raise OptionError(
                    f"{first.name} plays {first.game.id} and {part.name} {part.game.id}: a bot "
                    "made of two plays one game"
                )
        self.game = first.game
        self.parts = tuple(parts)
        self.name = name
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: int) -> None:
        """Seed all bots, each from a stream of its own; a whole number from 0 to 2**64 - 1."""
        streams = np.random.SeedSequence(int(check_seed(seed))).spawn(len(self.parts))
        for part, stream in zip(self.parts, streams, strict=True):
            part.seed(int(stream.generate_state(1, np.uint64)[0]))

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View; see :meth:`~concilium.envs.core.bot.Actor.act`.

        Raises:
            OptionError, IllegalActionError: as by ``GeneratorBot``.
            BotError: a part's answer cannot be used.
        """
        check_views(self.name, self.game, views, masks)
        return by_number(
            self._numbers(views),
            lambda number, places: answers(
                self.parts[number], take_records(views, places), masks[places]
            ),
        )

    @abstractmethod
    def _numbers(self, views: Records) -> NDArray[np.int64]:
        """Number of the part that decides in each View ``(k,)``."""

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game.id}>"


class DividedBot(ComposedBot):
    """Leaves decisions to two bots by their kind.

    Args:
        decisions: the kinds that ``bot`` decides, see
            :func:`~concilium.envs.core.decisions.decision_kinds`.
        bot: decides these.
        assistant: decides all others.
        name: for tables and messages; if not given it is made of the parts' names.

    Attributes:
        chosen: which kinds ``bot`` decides ``(len(game.kinds),) bool``.

    Raises:
        OptionError: the bots play different games, or the kinds are not known to theirs.
    """

    def __init__(
        self, decisions: Decisions, bot: Bot, assistant: Bot, *, name: str | None = None
    ) -> None:
        super().__init__((bot, assistant), name or "")
        self.chosen = decision_kinds(self.game, decisions)
        self._deciders = deciders(self.chosen, len(self.parts), _ASSISTANT, leaving=(_BOT,))
        if name is None:
            kinds = "/".join(kind_names(self.game, self.chosen))
            self.name = f"{DIVIDED}:decisions={kinds},bot={bot.name},assistant={assistant.name}"

    def _numbers(self, views: Records) -> NDArray[np.int64]:
        kinds = np.empty(len(views), np.int64)
        self.game.kernels.kind_many(writable(views), np.arange(len(views)), kinds, 0, len(views))
        numbers: NDArray[np.int64] = self._deciders[_BOT + 1, kinds]
        return numbers


class SidedBot(ComposedBot):
    """Asks the bot of the side that the player to act is on, which every player knows.

    Args:
        parts: a bot for each side, in the order of ``game.sides``; each another object, for each
            has a generator of its own.
        seed: of all of them; they keep their own if not given.

    Raises:
        OptionError: bots of different games, of a game without so many sides, or one object twice.
    """

    def __init__(self, parts: Sequence[Bot], *, seed: int | None = None) -> None:
        game = parts[0].game
        if len(parts) != len(game.sides):
            raise OptionError(
                f"{len(parts)} bots for the sides of {game.name}: it has "
                f"{', '.join(game.sides) or 'none'}"
            )
        if len({id(part) for part in parts}) < len(parts):
            raise OptionError("one bot for several sides needs no bot made of two")
        pairs = zip(game.sides, parts, strict=True)
        name = f"{SIDES}:" + ",".join(f"{side}={part.name}" for side, part in pairs)
        super().__init__(parts, name, seed)

    def _numbers(self, views: Records) -> NDArray[np.int64]:
        return self.game.own_sides(views)
