"""Which games there are: the folders of this package, other packages' entry points, and your own.

A package makes its games known by an entry point in the group ``concilium.games``, whose value is
the package that exports the game as ``GAME``::

    [project.entry-points."concilium.games"]
    tides = "my_games.tides"
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.catalogue import GAMES, finders, get_game, register_game
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game, game_of
from concilium.envs.core.vector import VecGame

__all__ = ["GAMES", "GROUP", "find_games", "get_game", "make_vec", "register_game"]

GROUP: Final = "concilium.games"
_OTHERS: Final = {"core", "check"}  # folders here that are no games


def own_packages() -> Iterator[str]:
    """Names of the packages of the games that come with this one."""
    for found in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if found.ispkg and found.name not in _OTHERS:
            yield f"concilium.envs.{found.name}"


def find_games() -> None:
    """Register the games that come with this package, and look for others when one is missed."""
    for package in own_packages():
        register_game(game_of(package))
    finders.append(_find_others)


def _find_others() -> None:
    for point in entry_points(group=GROUP):
        register_game(game_of(point.value))


def make_vec(
    game: str | Game,
    num_envs: int,
    num_players: int | Sequence[int] | NDArray[np.integer] | None = None,
    *,
    seed: int | None = None,
    threads: int = 1,
    **options: object,
) -> VecGame:
    """Make a vector environment.

    Args:
        game: name of a game, or the game itself.
        num_envs: how many games run side by side.
        num_players: one number for all, or one per game; the game's default if not given.
        seed: of the run, 0 to 2**64 - 1; one from the operating system if not given.
        threads: how many threads share the work.
        **options: the game's other options, the same for all.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """
    if isinstance(game, str):
        game = get_game(game)
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        raise OptionError(f"num_envs={num_envs!r} is not allowed: a whole number, at least 1")
    if num_players is None:
        num_players = game.default_players
    if isinstance(num_players, int | np.integer | float):
        tables = [game.bind(num_players=num_players, **options)] * int(num_envs)
    else:
        if not hasattr(num_players, "__len__") or np.ndim(num_players) != 1:
            raise OptionError(f"num_players={num_players!r} is neither a number nor a list of them")
        if len(num_players) != num_envs:
            raise OptionError(f"{len(num_players)} values of num_players for {num_envs} games")
        sizes = list(num_players)
        bound = {n: game.bind(num_players=n, **options) for n in sizes}
        tables = [bound[n] for n in sizes]
    return VecGame(tables, seed=seed, threads=threads)
