"""Bots by name, for command lines and configuration files.

A name is one of :data:`BOTS`, that of a policy that comes with the package, or the path of a policy
file. Parameters may follow after a colon: ``chancellors/steward:alarm=8,rank_price=9/8/7``, where /
stands between the entries of a tuple. A bot made of two others is called
``divided:decisions=bidding,bot=random,assistant=nicaea/broker``, with / between several kinds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from concilium.baselines import believers, chancellors, nicaea
from concilium.baselines.divided import DIVIDED, DividedBot
from concilium.baselines.policy import SUFFIX, Network, PolicyBot, load_network
from concilium.baselines.protocol import Bot, UniformBot
from concilium.envs import get_game
from concilium.envs.core.errors import FileFormatError, OptionError
from concilium.envs.core.game import BoundGame, Game

POLICIES = Path(__file__).parent / "policies"
"""Where the policies are that come with the package: ``<game>-<name>.safetensors``."""

Number: TypeAlias = bool | int | float
ParameterValue: TypeAlias = Number | tuple[Number, ...]
_WHOLE: Final = re.compile("-?[0-9]{1,18}")
DIVIDED_FORM: Final = f"{DIVIDED}:decisions=KINDS,bot=BOT,assistant=BOT"
"""How a bot made of two is called: ``bot`` decides on the kinds, ``assistant`` on all others."""
_DIVIDED_KEYS: Final = ("decisions", "bot", "assistant")
_NEXT_KEY: Final = re.compile(f",(?=(?:{'|'.join(_DIVIDED_KEYS)})=)")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?(e-?[0-9]{1,3})?")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a bot.

    Attributes:
        name: as it is given.
        default: value when it is not given. A true or false, a whole number, a decimal number or a
            tuple of one of these, and so must be what is given.
        meaning: one line for documentation.
        low, high: smallest and largest number allowed, for each entry of a tuple.
    """

    name: str
    default: ParameterValue
    meaning: str
    low: float = -math.inf
    high: float = math.inf

    @property
    def kind(self) -> type[Number]:
        """``bool``, ``int`` or ``float``; of a tuple, that of its entries."""
        return type(self.default[0] if isinstance(self.default, tuple) else self.default)

    def allowed(self) -> str:
        """Say in words what is allowed."""
        whole = "whole " if self.kind is int else ""
        one, many = f"a {whole}number", f"{whole}numbers"
        if self.kind is bool:
            one = many = "true or false"
        bounds = ""
        if math.isfinite(self.low):
            bounds += f" from {self.low:g}"
        if math.isfinite(self.high):
            bounds += f" to {self.high:g}"
        if isinstance(self.default, tuple):
            return f"{len(self.default)} {many}{bounds}, in a name with / between them"
        return one + bounds

    def check(self, value: object) -> ParameterValue:
        """Return ``value`` in its plain type.

        Raises:
            OptionError: it is not allowed; the message says what is.
        """
        if isinstance(self.default, tuple):
            given = tuple(value) if isinstance(value, tuple | list) else ()
            entries = [entry for entry in map(self._number, given) if entry is not None]
            if len(entries) == len(given) == len(self.default):
                return tuple(entries)
        elif (number := self._number(value)) is not None:
            return number
        raise OptionError(f"parameter {self.name}={value!r} is not allowed: {self.allowed()}")

    def parse(self, text: str) -> ParameterValue:
        """Read a value as it is written in a name; errors as for :meth:`check`."""
        read = [_read(part, self.kind) for part in text.split("/")]
        try:
            return self.check(read if isinstance(self.default, tuple) or len(read) > 1 else read[0])
        except OptionError:
            raise OptionError(
                f"parameter {self.name}={text} is not allowed: {self.allowed()}"
            ) from None

    def _number(self, value: object) -> Number | None:
        if isinstance(value, np.generic):
            value = value.item()
        if self.kind is float and type(value) is int:
            value = float(value)
        if isinstance(value, bool | int | float) and type(value) is self.kind:
            return value if self.low <= value <= self.high else None
        return None


def _read(text: str, kind: type[Number]) -> Number | None:
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower())
    if kind is int:
        return int(text) if _WHOLE.fullmatch(text) else None
    return float(text) if _DECIMAL.fullmatch(text) else None


def written(value: ParameterValue) -> str:
    """A value as it is written in a name."""
    if isinstance(value, tuple):
        return "/".join(map(written, value))
    return str(value).lower()


@dataclass(frozen=True)
class BotKind:
    """How the bots of a name are made.

    Attributes:
        make: returns a bot, from the game, a seed, the bot's name and its settings.
        settings: the default settings: a frozen dataclass whose fields are the parameters. The
            metadata of each hold its ``meaning`` and, for numbers, ``low`` and ``high``. None for a
            bot without parameters.
    """

    make: Callable[[Game, int | None, str, Any], Bot]
    settings: Any = None

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, in the order of the settings."""
        if self.settings is None:
            return ()
        return tuple(
            Parameter(entry.name, getattr(self.settings, entry.name), **entry.metadata)
            for entry in fields(self.settings)
            if entry.metadata
        )


def _chancellor(character: chancellors.Character) -> BotKind:
    return BotKind(
        lambda game, seed, name, settings: chancellors.CharacterBot(settings, name=name, seed=seed),
        character,
    )


def _bishop(character: nicaea.Character) -> BotKind:
    return BotKind(
        lambda game, seed, name, settings: nicaea.CharacterBot(settings, name=name, seed=seed),
        character,
    )


def _believer(character: believers.Character) -> BotKind:
    return BotKind(
        lambda game, seed, name, settings: believers.CharacterBot(settings, name=name, seed=seed),
        character,
    )


BOTS: Final[dict[str, BotKind]] = {
    "random": BotKind(lambda game, seed, name, settings: UniformBot(game, seed)),
    "chancellors/steward": _chancellor(chancellors.STEWARD),
    "chancellors/opportunist": _chancellor(chancellors.OPPORTUNIST),
    "chancellors/grim": _chancellor(chancellors.GRIM),
    "chancellors/blocker": _chancellor(chancellors.BLOCKER),
    "nicaea/broker": _bishop(nicaea.BROKER),
    "nicaea/schismatic": _bishop(nicaea.SCHISMATIC),
    "nicaea/tableau": _bishop(nicaea.TABLEAU),
    "nicaea/contrarian": _bishop(nicaea.CONTRARIAN),
    "nicaea/warden": _bishop(nicaea.WARDEN),
    "believers/selfish": _believer(believers.SELFISH),
    "believers/bayes": _believer(believers.BAYES),
    "believers/always": _believer(believers.ALWAYS),
    "believers/partner": _believer(believers.PARTNER),
    "believers/sleeper": _believer(believers.SLEEPER),
    "believers/mixed": _believer(believers.MIXED),
}
"""The bots by name; ``<game>/<bot>`` plays that game only."""


@dataclass(frozen=True)
class _Playing:
    """Parameters of a policy."""

    draw: bool = field(
        default=False,
        metadata={"meaning": "draw an action by its probability instead of taking the best"},
    )


def make_bot(
    name: str,
    game: str | Game | BoundGame,
    *,
    seed: int | None = None,
    greedy: bool = True,
    **parameters: object,
) -> Bot:
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
    if (divided := _divided(name)) is not None:
        if parameters:
            raise OptionError(f"bot {name!r} has its parameters in its name: {DIVIDED_FORM}")
        return _make_divided(divided, game, seed, greedy)
    base, words = _split(name)
    kind = _kind(base, draw=not greedy)
    if kind is None:
        raise OptionError(
            f"no bot {base!r}; there are {', '.join(bot_names(game))}, and {SUFFIX} files"
        )
    given = _given(base, kind, words, parameters)
    shown = Path(base).stem if base.endswith(SUFFIX) else base
    settings = kind.settings
    if given:
        settings = replace(settings, **given)
        shown += ":" + ",".join(f"{key}={written(value)}" for key, value in given.items())
    bot = kind.make(game, seed, shown, settings)
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
    if not isinstance(name, str) or _split(name)[0] not in BOTS:
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


def names_in(name: str) -> list[str]:
    """The names of which a bot's name is made: two of a divided bot, else itself alone.

    Raises:
        OptionError: a divided bot's name is not of its form.
    """
    divided = _divided(name)
    return [name] if divided is None else [divided["bot"], divided["assistant"]]


def bot_names(game: Game) -> list[str]:
    """Names of the bots that play a game, the policies that come with the package at the end."""
    names = dict.fromkeys([*BOTS, *_shipped()])
    return [name for name in names if "/" not in name or name.startswith(f"{game.name}/")]


def bot_parameters(name: str) -> tuple[Parameter, ...]:
    """The parameters of a bot.

    Args:
        name: of a bot or a policy file, which need not be there; without parameters.

    Raises:
        OptionError: there is no such bot.
    """
    kind = _kind(name)
    if kind is None:
        raise OptionError(
            f"no bot {name!r}; there are {', '.join([*BOTS, *_shipped()])}, and {SUFFIX} files"
        )
    return kind.parameters()


def policy_file(name: str) -> Path | None:
    """The policy file that a bot's name stands for, with or without parameters; None for others."""
    if name.startswith(f"{DIVIDED}:"):
        return None
    base, _ = _split(name)
    if base.endswith(SUFFIX):
        return Path(base)
    return None if base in BOTS else _shipped().get(base)


def _shipped() -> dict[str, Path]:
    """Names and files of the policies that come with the package."""
    found = {}
    for path in sorted(POLICIES.glob(f"*{SUFFIX}")):
        game, _, policy = path.stem.partition("-")
        if game and policy:
            found[f"{game}/{policy}"] = path
    return found


def _split(name: str) -> tuple[str, str | None]:
    """A name without its parameters, and these; a path may contain colons of its own."""
    base, colon, words = name.rpartition(":")
    if name.endswith(SUFFIX) or not colon:
        return name, None
    return base, words


def _divided(name: str) -> dict[str, str] | None:
    """What the name of a divided bot says, by :data:`_DIVIDED_KEYS`; None for other names."""
    base, _, words = name.partition(":")
    if base != DIVIDED:
        return None
    pairs = [word.partition("=")[::2] for word in _NEXT_KEY.split(words)]
    found = dict(pairs)
    if len(found) != len(pairs) or set(found) != set(_DIVIDED_KEYS):
        raise OptionError(f"bot {name!r} is not of the form {DIVIDED_FORM}")
    return found


def _kind(name: str, *, draw: bool = False) -> BotKind | None:
    """What makes the bot of a name without parameters, None if there is none."""
    if name in BOTS:
        return BOTS[name]
    path = policy_file(name)
    if path is None:
        return None
    return BotKind(
        lambda game, seed, shown, playing: load_policy(
            path, greedy=not playing.draw, seed=seed, name=shown
        ),
        _Playing(draw),
    )


def _given(
    name: str, kind: BotKind, words: str | None, more: Mapping[str, object]
) -> dict[str, ParameterValue]:
    """Parameters from a name's end and from keywords, checked, in the order of the settings."""
    known = {parameter.name: parameter for parameter in kind.parameters()}
    has = f"it has {', '.join(known)}" if known else "it has none"
    values: dict[str, ParameterValue] = {}
    for word in [] if words is None else words.split(","):
        key, equals, text = word.partition("=")
        if not equals or key not in known:
            raise OptionError(
                f"parameter {word!r} of bot {name!r} is not of the form name=value; {has}"
            )
        if key in values:
            raise OptionError(f"parameter {key} of bot {name!r} is given twice")
        values[key] = known[key].parse(text)
    for key, value in more.items():
        if key not in known:
            raise OptionError(f"bot {name!r} has no parameter {key!r}; {has}")
        if key in values:
            raise OptionError(f"parameter {key} of bot {name!r} is given twice")
        values[key] = known[key].check(value)
    return {key: values[key] for key in known if key in values}
