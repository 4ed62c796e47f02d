"""Environments: the games by name, as PettingZoo modules and in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from concilium.envs import believers_v0, chancellors_v0, nicaea_v0
from concilium.envs.believers import GAME as _BELIEVERS
from concilium.envs.chancellors import GAME as _CHANCELLORS
from concilium.envs.core.errors import (
    BotError,
    ConciliumError,
    FileFormatError,
    IllegalActionError,
    OptionError,
    UsageError,
)
from concilium.envs.core.game import BoundGame, Game, Option
from concilium.envs.core.replay import Replay, load_replays, save_replays
from concilium.envs.core.state import SPECTATOR
from concilium.envs.core.vector import Batch, VecGame, make_vec
from concilium.envs.nicaea import GAME as _NICAEA

if TYPE_CHECKING:
    from concilium.envs.core.check import Report

GAMES: Final[dict[str, Game]] = {game.name: game for game in (_CHANCELLORS, _NICAEA, _BELIEVERS)}
"""The games by name."""


def get_game(name: str) -> Game:
    """Return the game called ``name``, with or without version (``"chancellors_v0"``).

    Raises:
        OptionError: no such game; the message lists the names.
    """
    for game in GAMES.values():
        if name in (game.name, game.id):
            return game
    raise OptionError(f"no game {name!r}; there are {', '.join(GAMES)}")


def check_game(game: Game, **arguments: Any) -> Report:
    """Examine a game and its environment; see :func:`concilium.envs.core.check.check_game`."""
    from concilium.envs.core import check  # here, so that importing the games stays quick

    return check.check_game(game, **arguments)


def register_game(game: Game) -> None:
    """Make ``game`` known by name, so that its environments can be pickled and replayed.

    Raises:
        OptionError: another game has the name.
    """
    if GAMES.setdefault(game.name, game) is not game:
        raise OptionError(f"there is a game {game.name!r} already")


__all__ = [
    "GAMES", "SPECTATOR", "Batch", "BotError", "BoundGame", "ConciliumError", "FileFormatError",
    "Game", "IllegalActionError", "Option", "OptionError", "Replay", "UsageError", "VecGame",
    "believers_v0", "chancellors_v0", "check_game", "get_game", "load_replays", "make_vec",
    "nicaea_v0", "register_game", "save_replays",
]  # fmt: skip
