"""The games that are known by name in this process.

Who looks for games elsewhere, such as :mod:`concilium.envs.registry`, adds a finder here, which is
asked once, when a name is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from concilium.envs.core.errors import OptionError, did_you_mean
from concilium.envs.core.game import Game

_games: dict[str, Game] = {}
GAMES: Final[Mapping[str, Game]] = MappingProxyType(_games)
"""The games by name."""
finders: Final[list[Callable[[], None]]] = []
"""Functions that register more games; each is called once, when a name is not known."""


def register_game(game: Game) -> None:
    """Make ``game`` known by name, so that it can be replayed and named on command lines.

    Raises:
        OptionError: another game has the name.
    """
    if _games.setdefault(game.name, game) is not game:
        raise OptionError(f"there is a game {game.name!r} already")


def get_game(name: str) -> Game:
    """Return the game called ``name``, with or without version (``"chancellors_v0"``).

    Raises:
        OptionError: no such game; the message lists the names.
    """
    while True:
        for game in _games.values():
            if name in (game.name, game.id):
                return game
        if not finders:
            near = did_you_mean(name, _games)
            raise OptionError(f"no game {name!r}; there are {', '.join(_games)}{near}")
        finders.pop(0)()
