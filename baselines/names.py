"""What bots are called, on command lines and in configuration files.

A name is one of :data:`BOTS`, that of a policy that comes with the package, the path of a policy
file, or that of a training run's folder, whose best policy it stands for. Parameters may follow
after a colon: ``chancellors/steward:alarm=8,rank_price=9/8/7``, where / stands between the entries
of a tuple. A bot made of two others is called
``divided:decisions=bidding,bot=random,assistant=nicaea/broker``, with / between several kinds of
decisions, or ``sides:believers=believers/bayes,defectors=random``, with a bot for each side. One
that searches is called ``search:bot=believers/bayes,others=believers/bayes+random,worlds=64``: what
it plays on with, by which the others play on (by one of them each time), and its settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from concilium.baselines.bots import BOTS
from concilium.baselines.divided import DIVIDED, SIDES
from concilium.baselines.policy import SUFFIX, policy_in
from concilium.baselines.search.settings import BETWEEN, SEARCH, SEARCH_FORM, SEARCH_KEYS
from concilium.envs import GAMES
from concilium.envs.core.errors import OptionError, did_you_mean
from concilium.envs.core.game import Game

_COMPOSED: Final = (DIVIDED, SIDES, SEARCH)
POLICIES = Path(__file__).parent / "policies"
"""Where the policies are that come with the package: ``<game>-<name>.safetensors``."""

DIVIDED_FORM: Final = f"{DIVIDED}:decisions=KINDS,bot=BOT,assistant=BOT"
"""How a bot made of two is called: ``bot`` decides on the kinds, ``assistant`` on all others."""
_NO_BOTS: Final = ("decisions", *(set(SEARCH_KEYS) - {"bot", "others"}))


def sides_form(sides: Iterable[str]) -> str:
    """How a bot with a part for each of the ``sides`` is called."""
    return f"{SIDES}:" + ",".join(f"{side}=BOT" for side in sides)


def names_in(name: str) -> list[str]:
    """The names of which a bot's name is made: those of a composed bot's parts, else itself alone.

    Raises:
        OptionError: a composed bot's name is not of its form.
    """
    composed = composed_parts(name)
    if composed is None:
        return [name]
    parts = [part for key, part in composed.items() if key not in _NO_BOTS]
    if name.startswith(f"{SEARCH}:"):
        parts = [each for part in parts for each in part.split(BETWEEN)]
    return [found for part in parts for found in names_in(part)]


def bot_names(game: Game) -> list[str]:
    """Names of the bots that play a game, the policies that come with the package at the end."""
    names = dict.fromkeys([*BOTS, *shipped_policies()])
    return [name for name in names if "/" not in name or name.startswith(f"{game.name}/")]


def policy_file(name: str) -> Path | None:
    """The policy file that a bot's name stands for, with or without parameters; None for others."""
    if name.partition(":")[0] in _COMPOSED:
        return None
    base, _ = split_name(name)
    if base.endswith(SUFFIX):
        return policy_in(Path(base)) or Path(base)
    if base in BOTS:
        return None
    return shipped_policies().get(base) or (policy_in(Path(base)) if base else None)


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


def composed_parts(name: str) -> dict[str, str] | None:
    """What the name of a composed bot says, by key; None for other names.

    The keys are those of :data:`DIVIDED_FORM`, the sides of a game, or, but for ``bot`` as far as
    they are given, those of a search.

    Raises:
        OptionError: it is not of its form.
    """
    base, _, words = name.partition(":")
    if base not in _COMPOSED:
        return None
    forms = [SEARCH_FORM if base == SEARCH else DIVIDED_FORM]
    if base == SIDES:
        forms = sorted({sides_form(game.sides) for game in GAMES.values() if game.sides})
    for form in forms:
        keys = [word.partition("=")[0] for word in form.partition(":")[2].split(",")]
        pairs = re.split(f",(?=(?:{'|'.join(map(re.escape, keys))})=)", words)
        found = dict(pair.partition("=")[::2] for pair in pairs)
        needed = {"bot"} if base == SEARCH else set(keys)
        if len(found) == len(pairs) and needed <= set(found) <= set(keys):
            return {key: found[key] for key in keys if key in found}
    raise OptionError(f"bot {name!r} is not of the form {' or '.join(forms)}")


def no_bot(name: str, known: list[str]) -> OptionError:
    """Say that there is no bot of a name, and which there are."""
    faults = "".join(f"; {fault}" for fault in BOTS.faults)
    near = did_you_mean(name, known)
    return OptionError(
        f"no bot {name!r}; there are {', '.join(known)}, and {SUFFIX} files and folders of runs"
        f"{near}{faults}"
    )
