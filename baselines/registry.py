"""Bots by name, made: with their parameters, policies with their assistants, bots made of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from concilium.baselines.bots import BOTS, BotEntry
from concilium.baselines.divided import DividedBot
from concilium.baselines.names import (
    DIVIDED_FORM,
    bot_names,
    divided_parts,
    names_in,
    no_bot,
    policy_file,
    shipped_policies,
    split_name,
)
from concilium.baselines.parameters import Parameter, changes, switch, written
from concilium.baselines.policy import SUFFIX, Network, PolicyBot, load_network
from concilium.envs import get_game
from concilium.envs.core.bot import Bot
from concilium.envs.core.errors import FileFormatError, OptionError
from concilium.envs.core.game import BoundGame, Game

__all__ = [
    "BOTS", "DIVIDED_FORM", "bot_names", "bot_parameters", "load_policy", "make_assistant",
    "make_bot", "names_in", "policy_bot", "policy_file", "written",
]  # fmt: skip


@dataclass(frozen=True)
class _Playing:
    """Parameters of a policy."""

    draw: bool = switch(False, "draw an action by its probability instead of taking the best")


def make_bot(
    name: str, game: str | Game | BoundGame, *, seed: int | None = None, greedy: bool = True,
    **parameters: object,
) -> Bot:  # fmt: skip
    """Return the bot called ``name`` for a game; its own name tells the parameters given.

    Args:
        name: a name that :func:`bot_names` lists, or the path of a policy file
            (``….safetensors``), with or without parameters behind a colon; or
            :data:`DIVIDED_FORM`.
        game: what it is to play.
        seed: of the bot's generator; from the operating system if not given.
        greedy: for policies: whether the best action is taken where ``draw`` is not given.
        **parameters: more parameters, as :func:`bot_parameters` lists them.

    Raises:
        OptionError: there is no such bot, it plays another game, or a parameter is unknown, given
            twice or not allowed; the message says what there is.
        FileFormatError: the policy file cannot be used.
    """
    if isinstance(game, BoundGame):
        game = game.game
    elif isinstance(game, str):
        game = get_game(game)
    if (divided := divided_parts(name)) is not None:
        if parameters:
            raise OptionError(f"bot {name!r} has its parameters in its name: {DIVIDED_FORM}")
        return _make_divided(divided, game, seed, greedy)
    base, words = split_name(name)
    entry = _entry(base, draw=not greedy)
    if entry is None:
        raise no_bot(base, bot_names(game))
    given = changes(base, entry.parameters(), words, parameters)
    shown = Path(base).stem if base.endswith(SUFFIX) else base
    params = entry.params
    if given:
        params = replace(params, **given)
        shown += ":" + ",".join(f"{key}={written(value)}" for key, value in given.items())
    bot = entry.make(game, seed, shown, params)
    if bot.game is not game:
        raise OptionError(
            f"bot {base!r} plays {bot.game.id}, not {game.id}; for that there are "
            f"{', '.join(bot_names(game))}"
        )
    return bot


def _make_divided(words: Mapping[str, str], game: Game, seed: int | None, greedy: bool) -> Bot:
    parts = [make_bot(words[role], game, greedy=greedy) for role in ("bot", "assistant")]
    made = DividedBot(tuple(words["decisions"].split("/")), *parts)
    if seed is not None:
        made.seed(seed)
    return made


def make_assistant(name: str, game: str | Game, *, seed: int | None = None) -> Bot:
    """Return the bot to which a policy leaves decisions.

    Args:
        name: one of :data:`BOTS`, with or without parameters. Policies are refused: what a policy
            file names must neither lead to other files nor depend on them.
        game: what it is to play.
        seed: of the bot's generator; from the operating system if not given.

    Raises:
        OptionError: it is none of these or plays another game; the message says what there is.
    """
    if isinstance(game, str):
        game = get_game(game)
    if not isinstance(name, str) or split_name(name)[0] not in BOTS:
        allowed = ", ".join(known for known in bot_names(game) if known in BOTS)
        raise OptionError(f"assistant {name!r} is no rule bot: one of {allowed}")
    return make_bot(name, game, seed=seed)


def policy_bot(
    network: Network, *, greedy: bool = True, name: str = "policy", seed: int | None = None
) -> PolicyBot | DividedBot:
    """Return the bot that plays a policy, together with its assistant if it has one.

    Args:
        network: the policy.
        greedy: take the best action rather than draw one.
        name: for tables and messages.
        seed: of the bot's generators; from the operating system if not given.

    Raises:
        OptionError: its assistant is not known.
    """
    if not network.decisions:
        return PolicyBot(network, greedy=greedy, name=name, seed=seed)
    player = PolicyBot(replace(network, decisions=(), assistant=""), greedy=greedy, name=name)
    assistant = make_assistant(network.assistant, network.game)
    bot = DividedBot(network.decisions, player, assistant, name=name)
    if seed is not None:
        bot.seed(seed)
    return bot


def load_policy(
    path: str | Path, *, greedy: bool = True, seed: int | None = None, name: str | None = None
) -> PolicyBot | DividedBot:
    """Read a policy file and return a bot that plays it, called like the file if no name is given.

    Raises:
        FileFormatError: as for :func:`.policy.load_network`, or its assistant is not known.
    """
    network = load_network(path)
    try:
        return policy_bot(network, greedy=greedy, name=name or Path(path).stem, seed=seed)
    except OptionError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None


def bot_parameters(name: str) -> tuple[Parameter, ...]:
    """The parameters of a bot.

    Args:
        name: of a bot or a policy file, which need not be there; without parameters.

    Raises:
        OptionError: there is no such bot.
    """
    entry = _entry(name)
    if entry is None:
        raise no_bot(name, [*BOTS, *shipped_policies()])
    return entry.parameters()


def _entry(name: str, *, draw: bool = False) -> BotEntry | None:
    """What makes the bot of a name without parameters, None if there is none."""
    if name in BOTS:
        return BOTS[name]
    path = policy_file(name)
    if path is None:
        return None
    return BotEntry(
        lambda game, seed, shown, playing: load_policy(
            path, greedy=not playing.draw, seed=seed, name=shown
        ),
        _Playing(draw),
    )
