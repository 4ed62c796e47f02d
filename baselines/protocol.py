"""What a bot is: something that answers Views, many at a time, with actions.

A bot never sees a State or an environment, so it knows what its seat may know and nothing else.
Chance comes from a generator of its own, so that bots disturb neither each other nor a game nor the
global generators of ``random`` and NumPy.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import IllegalActionError, OptionError
from concilium.envs.core.game import Game, check_seed
from concilium.envs.core.kernels import pick_actions
from concilium.envs.core.state import Records, plain_records


@runtime_checkable
class Bot(Protocol):
    """Decides in batches.

    Attributes:
        name: for tables and messages, such as ``"chancellors/steward"``.
        game: the game that the bot plays.
    """

    name: str
    game: Game

    def seed(self, seed: int) -> None:
        """Start the bot's own generator anew; equal seeds and Views give equal actions."""

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View.

        Args:
            views: ``(k,)`` Views, each of the player that is to act in it.
            masks: their legal actions ``(k, num_actions) int8``, no row all zero.

        Returns:
            Actions ``(k,) int64``.
        """


class GeneratorBot(ABC):
    """Base of the bots here: the name, the game, a generator, and the checks of what is given."""

    def __init__(self, name: str, game: Game, seed: int | None = None) -> None:
        self.name = name
        self.game = game
        self.generator = np.random.default_rng()
        self.seed(int.from_bytes(os.urandom(8), "little") if seed is None else seed)

    def seed(self, seed: int) -> None:
        """Start the generator anew from a whole number from 0 to 2**64 - 1."""
        self.generator = np.random.default_rng(int(check_seed(seed)))

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View; see :meth:`Bot.act`.

        Raises:
            OptionError: the Views are of another game, or their number is not that of the masks.
            IllegalActionError: a row of the masks is all zero.
        """
        check_views(self.name, self.game, views, masks)
        if not len(views):
            return np.empty(0, np.int64)
        # slices and arrays that are not to be written would have compiled loops compiled anew
        if not views.flags.c_contiguous:
            views = views.copy()
        return self._choose(views, np.require(masks, requirements=("C_CONTIGUOUS", "WRITEABLE")))

    @abstractmethod
    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose for at least one View; what was given has been checked, and is contiguous."""

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game.id}>"


class UniformBot(GeneratorBot):
    """Takes each legal action with the same probability."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        super().__init__("random", game, seed)

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        del views
        return pick_legal(masks, self.generator)


def pick_legal(masks: NDArray[np.int8], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action per row ``(k,) int64``, each with the same probability.

    Args:
        masks: ``(k, num_actions) int8``.
        generator: where the chance comes from; one number per row is drawn.

    Raises:
        IllegalActionError: a row is all zero.
    """
    actions = np.empty(len(masks), np.int64)
    pick_actions(masks, generator.random(len(masks)), actions)
    if len(actions) and actions.min() < 0:
        raise empty_mask_error(int(np.argmin(actions)))
    return actions


def check_views(name: str, game: Game, views: Records, masks: NDArray[Any]) -> None:
    """Refuse Views of another game, States, and masks that do not belong to the Views.

    Raises:
        OptionError: of another game, not a View of whoever is to act, or of another number; the
            message names the bot.
        IllegalActionError: a row of the masks is all zero.
    """
    if views.dtype != game.dtype:
        raise OptionError(f"bot {name} plays {game.id}; these views are of another game or version")
    plain = plain_records(views)
    strange = (plain["viewer"] < 0) | (plain["viewer"] != plain["actor"])
    if strange.any():
        raise OptionError(
            f"bot {name} got a record of viewer {plain['viewer'][strange][0]} where "
            f"{plain['actor'][strange][0]} is to act: it takes Views of the player to act only"
        )
    if masks.shape != (len(views), game.num_actions):
        raise OptionError(
            f"bot {name} got masks of shape {masks.shape} for {len(views)} views; "
            f"needed is {(len(views), game.num_actions)}"
        )
    refuse_empty(masks)


def refuse_empty(masks: NDArray[Any]) -> None:
    """Raise IllegalActionError, naming the row, if a row of ``masks (k, n)`` is all zero."""
    filled = masks.any(axis=1)
    if not filled.all():
        raise empty_mask_error(int(np.argmin(filled)))


def empty_mask_error(row: int) -> IllegalActionError:
    """Say that row ``row`` of some masks leaves nothing to choose."""
    return IllegalActionError(
        f"row {row} of the masks is all zero: at least one legal action is needed"
    )
