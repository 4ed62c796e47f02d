"""What bots are called, on command lines and in configuration files.

A name is one of :data:`BOTS`, that of a policy that comes with the package, or the path of a policy
file. Parameters may follow after a colon: ``chancellors/steward:alarm=8,rank_price=9/8/7``, where /
stands between the entries of a tuple. A bot made of two others is called
``divided:decisions=bidding,bot=random,assistant=nicaea/broker``, with / between several kinds of
decisions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from concilium.baselines.bots import BOTS
from concilium.baselines.divided import DIVIDED
from concilium.baselines.policy import SUFFIX
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game

POLICIES = Path(__file__).parent / "policies"
"""Where the policies are that come with the package: ``<game>-<name>.safetensors``."""

DIVIDED_FORM: Final = f"{DIVIDED}:decisions=KINDS,bot=BOT,assistant=BOT"
"""How a bot made of two is called: ``bot`` decides on the kinds, ``assistant`` on all others."""
_DIVIDED_KEYS: Final = ("decisions", "bot", "assistant")
_NEXT_KEY: Final = re.compile(f",(?=(?:{'|'.join(_DIVIDED_KEYS)})=)")


def names_in(name: str) -> list[str]:
    """The names of which a bot's name is made: two of a divided bot, else itself alone.

    Raises:
        OptionError: a divided bot's name is not of its form.
    """
    divided = divided_parts(name)
    return [name] if divided is None else [divided["bot"], divided["assistant"]]


def bot_names(game: Game) -> list[str]:
    """Names of the bots that play a game, the policies that come with the package at the end."""
    names = dict.fromkeys([*BOTS, *shipped_policies()])
    return [name for name in names if "/" not in name or name.startswith(f"{game.name}/")]


def policy_file(name: str) -> Path | None:
    """The policy file that a bot's name stands for, with or without parameters; None for others."""
    if name.startswith(f"{DIVIDED}:"):
        return None
    base, _ = split_name(name)
    if base.endswith(SUFFIX):
        return Path(base)
    return None if base in BOTS else shipped_policies().get(base)


def shipped_policies() -> dict[str, Path]:
    """Names and files of the policies that come with the package."""
    found = {}
    for path in sorted(POLICIES.glob(f"*{SUFFIX}")):
        game, _, policy = path.stem.partition("-")
        if game and policy:
            found[f"{game}/{policy}"] = path
    return found


def split_name(name: str) -> tuple[str, str | None]:
    """A name without its parameters, and these; a path may contain colons of its own."""
    base, colon, words = name.rpartition(":")
    if name.endswith(SUFFIX) or not colon:
        return name, None
    return base, words


def divided_parts(name: str) -> dict[str, str] | None:
    """What the name of a divided bot says, by :data:`_DIVIDED_KEYS`; None for other names."""
    base, _, words = name.partition(":")
    if base != DIVIDED:
        return None
    pairs = [word.partition("=")[::2] for word in _NEXT_KEY.split(words)]
    found = dict(pairs)
    if len(found) != len(pairs) or set(found) != set(_DIVIDED_KEYS):
        raise OptionError(f"bot {name!r} is not of the form {DIVIDED_FORM}")
    return found


def no_bot(name: str, known: list[str]) -> OptionError:
    """Say that there is no bot of a name, and which there are."""
    faults = "".join(f"; {fault}" for fault in BOTS.faults)
    return OptionError(f"no bot {name!r}; there are {', '.join(known)}, and {SUFFIX} files{faults}")
