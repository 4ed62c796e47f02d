"""Environments: the games by name, as PettingZoo modules and in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concilium.envs import believers_v0, chancellors_v0, nicaea_v0
from concilium.envs.core.errors import (
    BotError,
    ConciliumError,
    FileFormatError,
    IllegalActionError,
    NotResetError,
    OptionError,
    UsageError,
)
from concilium.envs.core.game import BoundGame, Game
from concilium.envs.core.option import Option
from concilium.envs.core.replay import Replay, load_replays, save_replays
from concilium.envs.core.state import SPECTATOR
from concilium.envs.core.vector import Batch, VecGame
from concilium.envs.registry import GAMES, find_games, get_game, make_vec, register_game

if TYPE_CHECKING:
    from concilium.envs.check import Report

find_games()


def check_game(game: Game, **arguments: Any) -> Report:
    """Examine a game and its environment; see :func:`concilium.envs.check.check_game`."""
    from concilium.envs import check  # here, so that importing the games stays quick

    return check.check_game(game, **arguments)


__all__ = [
    "GAMES", "SPECTATOR", "Batch", "BotError", "BoundGame", "ConciliumError", "FileFormatError",
    "Game", "IllegalActionError", "NotResetError", "Option", "OptionError", "Replay", "UsageError",
    "VecGame", "believers_v0", "chancellors_v0", "check_game", "get_game", "load_replays",
    "make_vec", "nicaea_v0", "register_game", "save_replays",
]  # fmt: skip
