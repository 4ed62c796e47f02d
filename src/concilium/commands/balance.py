"""``concilium balance``: what games of rule bots come to with a set of cards."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated

from concilium.commands import arguments as arg
from concilium.envs import OptionError


def run(
    game: arg.GameName,
    /,
    *,
    players: arg.TableSizes | None = None,
    games: arg.Count = 500,
    seed: arg.Seed = 0,
    option: arg.Options = (),
    search: Annotated[tuple[int, ...], arg.several(arg.whole(0, 99), least=0)] | None = None,
) -> None:
    """Measure what games of rule bots come to with a set of cards.

    The unit of intervals is the game. Believers: one bot plays the whole side of the True
    Believers, one that of the Defectors; the strongest schedule is chosen on one set of deals and
    measured on another. Nicaea: line-ups are drawn from all characters, each in as many seats.

    Args:
        game: the game.
        players: table sizes; all by default.
        games: at each table size, in Believers of each pairing of bots.
        seed: of all chance.
        option: an option of the game, again for each, such as talk=claims or deck=my_deck.toml.
        search: try other numbers: in Believers as many copies of the Regent as named, in Nicaea
            other prices, refresh numbers and costs.
    """
    from concilium.evaluation import balance

    names = [module.name for module in iter_modules(balance.__path__)]
    if game.name not in names:
        raise OptionError(f"the balance of {game.name} is not measured, but of {', '.join(names)}")
    sizes = players or tuple(range(game.min_players, game.max_players + 1))
    tell = import_module(f"{balance.__name__}.{game.name}").tell
    tell(sizes, games, seed, arg.read_options(game, option), search)
