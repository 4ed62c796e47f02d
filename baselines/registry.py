"""Bots by name, made: with their parameters, policies with their assistants, bots made of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from concilium.baselines.bots import BOTS, BotEntry
from concilium.baselines.divided import SIDES, ComposedBot, DividedBot, SidedBot
from concilium.baselines.names import (
    DIVIDED_FORM,
    bot_names,
    composed_parts,
    names_in,
    no_bot,
    policy_file,
    shipped_policies,
    sides_form,
    split_name,
)
from concilium.baselines.parameters import Parameter, changes, declared, switch, written
from concilium.baselines.policy import SUFFIX, Network, PolicyBot, load_network
from concilium.baselines.search import SearchBot, Settings
from concilium.baselines.search.settings import BETWEEN, SEARCH
from concilium.envs import get_game
from concilium.envs.core.bot import Actor, Bot
from concilium.envs.core.errors import FileFormatError, OptionError
from concilium.envs.core.functions import Decide, as_bot
from concilium.envs.core.game import BoundGame, Game

__all__ = [
    "BOTS", "DIVIDED_FORM", "bot_names", "bot_parameters", "load_policy", "make_assistant",
    "make_bot", "names_in", "policy_bot", "policy_file", "resolve", "sides_form", "written",
]  # fmt: skip


BotLike: TypeAlias = str | Actor | Decide
"""What is accepted as a bot; see :func:`resolve`."""


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
            (``….safetensors``) or a run's folder, with or without parameters behind a colon;
            :data:`DIVIDED_FORM`; :func:`sides_form`; or a search (see :mod:`.names`).
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
    if (composed := composed_parts(name)) is not None:
        if parameters:
            raise OptionError(f"bot {name!r} has its parameters in its name, behind its parts")
        return _make_composed(name, composed, game, seed, greedy)
    base, words = split_name(name)
    entry = _entry(base, draw=not greedy)
    if entry is None:
        raise no_bot(base, bot_names(game))
    given = changes(base, entry.parameters(), words, parameters)
    shown = base if base in BOTS or base in shipped_policies() else _shown(Path(base))
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


def resolve(bot: BotLike, game: Game, *, role: str = "bot", seed: int | None = None) -> Bot:
    """Return a bot for a game: by its name, or what :func:`~.functions.as_bot` makes of it.

    Args:
        bot: a name, a bot, an object that acts, or a function.
        game: what it is to play.
        role: what it is wanted for, for messages.
        seed: of a bot that is made here.

    Raises:
        OptionError, FileFormatError: it is none of these, or plays another game.
    """
    return make_bot(bot, game, seed=seed) if isinstance(bot, str) else as_bot(bot, game, role)


def _shown(path: Path) -> str:
    """What a policy is called after its file, or its run after the folder."""
    return path.stem if path.suffix == SUFFIX else path.resolve().name


def _make_composed(
    name: str, words: Mapping[str, str], game: Game, seed: int | None, greedy: bool
) -> Bot:
    if name.startswith(f"{SEARCH}:"):
        return _make_search(words, game, seed, greedy)
    made: ComposedBot
    if name.startswith(f"{SIDES}:"):
        if set(words) != set(game.sides):
            has = f"there is {sides_form(game.sides)}" if game.sides else "it has no sides"
            raise OptionError(f"bot {name!r} does not play {game.id}: {has}")
        made = SidedBot([make_bot(words[side], game, greedy=greedy) for side in game.sides])
    else:
        parts = [make_bot(words[role], game, greedy=greedy) for role in ("bot", "assistant")]
        made = DividedBot(tuple(words["decisions"].split("/")), *parts)
    if seed is not None:
        made.seed(seed)
    return made


def _make_search(words: Mapping[str, str], game: Game, seed: int | None, greedy: bool) -> SearchBot:
    """The bot of a search; its name tells what was given."""
    kept = [f"{key}={value}" for key, value in words.items() if key not in ("bot", "others")]
    given: Any = changes(SEARCH, declared(Settings()), ",".join(kept) or None, {})
    own = make_bot(words["bot"], game, greedy=greedy)
    parts = words["others"].split(BETWEEN) if "others" in words else []
    others = [make_bot(part, game, greedy=greedy) for part in parts]
    name = f"{SEARCH}:" + ",".join(f"{key}={value}" for key, value in words.items())
    return SearchBot(own, others, replace(Settings(), **given), name=name, seed=seed)


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
        return policy_bot(network, greedy=greedy, name=name or _shown(Path(path)), seed=seed)
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
