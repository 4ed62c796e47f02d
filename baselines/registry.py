"""Bots by name, for command lines and configuration files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from concilium.baselines.chancellors import StewardBot
from concilium.baselines.policy import SUFFIX, load_policy
from concilium.baselines.protocol import Bot, UniformBot
from concilium.envs import get_game
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import BoundGame, Game

BOTS: Final[dict[str, Callable[[Game, int | None], Bot]]] = {
    "random": UniformBot,
    "chancellors/steward": lambda game, seed: StewardBot(seed),
}
"""What makes each bot, from the game and a seed; ``<game>/<bot>`` plays that game only."""


def make_bot(
    name: str, game: str | Game | BoundGame, *, seed: int | None = None, greedy: bool = True
) -> Bot:
    """Return the bot called ``name`` for a game.

    Args:
        name: a name in :data:`BOTS`, or the path of a policy file (``….safetensors``).
        game: what it is to play.
        seed: of the bot's generator; from the operating system if not given.
        greedy: for policy files: play the best action rather than draw one.

    Raises:
        OptionError: there is no such bot, or it plays another game; the message lists the names.
        FileFormatError: the policy file cannot be used.
    """
    if isinstance(game, BoundGame):
        game = game.game
    elif isinstance(game, str):
        game = get_game(game)
    if name.endswith(SUFFIX):
        bot: Bot = load_policy(Path(name), greedy=greedy, seed=seed)
    elif name in BOTS:
        bot = BOTS[name](game, seed)
    else:
        raise OptionError(
            f"no bot {name!r}; there are {', '.join(bot_names(game))}, and {SUFFIX} files"
        )
    if bot.game is not game:
        raise OptionError(
            f"bot {name!r} plays {bot.game.id}, not {game.id}; for that there are "
            f"{', '.join(bot_names(game))}"
        )
    return bot


def bot_names(game: Game) -> list[str]:
    """Names of the bots that play a game."""
    return [name for name in BOTS if "/" not in name or name.startswith(f"{game.name}/")]
