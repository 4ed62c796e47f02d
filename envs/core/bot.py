"""What a bot is: something that answers Views, many at a time, with actions.

A bot never sees a State or an environment, so it knows what its seat may know and nothing else.
Chance comes from a generator of its own, so that bots disturb neither each other nor a game nor the
global generators of ``random`` and NumPy.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.arguments import check_seed
from concilium.envs.core.copies import Independent, writable
from concilium.envs.core.errors import BotError, IllegalActionError, OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.kernels import pick_actions
from concilium.envs.core.state import Records, plain_records


@runtime_checkable
class Actor(Protocol):
    """The least that is asked of whoever decides: also of bots from elsewhere."""

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View.

        Args:
            views: ``(k,)`` Views, each of the player that is to act in it.
            masks: their legal actions ``(k, num_actions) int8``, no row all zero.

        Returns:
            Actions ``(k,) int64``.
        """


@runtime_checkable
class Bot(Actor, Protocol):
    """Decides in batches.

    Attributes:
        name: for tables and messages, such as ``"chancellors/steward"``.
        game: the game that the bot plays.
    """

    name: str
    game: Game

    def seed(self, seed: int) -> None:
        """Start the bot's own generator anew; equal seeds and Views give equal actions."""


@runtime_checkable
class HasDistribution(Protocol):
    """A bot that tells how likely it is to choose each action."""

    def distribution(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the probabilities from which :meth:`Actor.act` draws.

        Args:
            views: ``(k,)`` Views, each of the player that is to act in it.
            masks: their legal actions ``(k, num_actions) int8``, no row all zero.

        Returns:
            ``(k, num_actions) float64``: 0 where the mask is, rows that sum to 1.
        """


@runtime_checkable
class HasBeliefs(Protocol):
    """A bot that tells what it takes the hidden sides of a game to be."""

    def beliefs(self, views: Records) -> NDArray[np.float64]:
        """Return the chance that each seat is of each side, as far as its View tells.

        Args:
            views: ``(k,)`` Views, of any player or a spectator.

        Returns:
            ``(k, max_players, len(game.sides)) float64``: for each seat at the table a row that
            sums to 1, zeros for absent seats.
        """


def called(bot: Actor) -> str:
    """Name a bot and its game in a message; a bot without a name by its ``repr``."""
    name, game = getattr(bot, "name", None), getattr(bot, "game", None)
    shown = name if isinstance(name, str) else " ".join(repr(bot).split())
    return f"bot {shown} for {game.id}" if isinstance(game, Game) else f"bot {shown}"


def answers(bot: Actor, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Ask a bot for actions and look at them before anything is done with them.

    Args:
        bot: whom to ask.
        views: Views ``(k,)`` of those to act.
        masks: their legal actions ``(k, num_actions)``, no row all zero.

    Returns:
        Legal actions ``(k,) int64``, the caller's own.

    Raises:
        BotError: it answered with anything else: with None or what else is no array, with numbers
            that are not whole or truth values, with a scalar or an array of another shape, or with
            an action that is not legal. The message is one line and names bot and game.
    """
    answer = bot.act(views, masks)
    try:
        given = np.asarray(answer)
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        said = " ".join(str(error).split())
        raise BotError(f"{called(bot)} answered with what is no array: {said}") from error
    if given.shape != (len(masks),) or given.dtype.kind not in "iu":
        raise BotError(
            f"{called(bot)} answered {len(masks)} Views with {given.dtype} of shape "
            f"{given.shape}; needed are integers of shape ({len(masks)},)"
        )
    actions = given.astype(np.int64)
    known = (actions >= 0) & (actions < masks.shape[1])
    legal = known & (masks[np.arange(len(masks)), np.where(known, actions, 0)] != 0)
    if not legal.all():
        row = int(np.argmin(legal))
        may = np.flatnonzero(masks[row])
        more = f" and {len(may) - 8} more" if len(may) > 8 else ""
        raise BotError(
            f"{called(bot)} chose {given[row]}, which is not legal; legal: "
            f"{', '.join(map(str, may[:8]))}{more}"
        )
    return actions


def seed_bots(bots: Sequence[Actor], seed: int) -> None:
    """Seed the bots, each from a stream of its own, which depends on the seed and its number."""
    for number, bot in enumerate(bots):
        seed_bot(bot, np.random.SeedSequence((seed, number)))


def seed_bot(bot: Actor, sequence: np.random.SeedSequence) -> None:
    """Seed a bot if it can be seeded."""
    if hasattr(bot, "seed"):
        bot.seed(int(sequence.generate_state(1, np.uint64)[0]))


class GeneratorBot(Independent, ABC):
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
        """Choose one legal action per View; see :meth:`Actor.act`.

        Raises:
            OptionError: the Views are of another game, or their number is not that of the masks.
            IllegalActionError: a row of the masks is all zero.
        """
        check_views(self.name, self.game, views, masks)
        if not len(views):
            return np.empty(0, np.int64)
        return self._choose(writable(views), writable(masks))

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


def pick_any(masks: NDArray[np.int8], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw actions like :func:`pick_legal`; -1 for a row that is all zero."""
    actions = np.empty(len(masks), np.int64)
    pick_actions(masks, generator.random(len(masks)), actions)
    return actions


def pick_legal(masks: NDArray[np.int8], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action per row ``(k,) int64``, each with the same probability.

    Args:
        masks: ``(k, num_actions) int8``.
        generator: where the chance comes from; one number per row is drawn.

    Raises:
        IllegalActionError: a row is all zero.
    """
    actions = pick_any(masks, generator)
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
