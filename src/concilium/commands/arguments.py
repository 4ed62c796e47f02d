"""What the arguments of the commands have in common: types that say what is allowed, and files."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from concilium.envs import GAMES, BoundGame, Game, OptionError, get_game
from concilium.envs.core.arguments import SEED_LIMIT
from concilium.envs.core.option import OptionValue

PLAYERS: Final = "num_players"
MOST: Final = 10**6
"""Largest count that a command takes: of deals, games, repeats."""
_WHOLE: Final = re.compile("-?[0-9]{1,24}")


def whole(low: int, high: int = MOST) -> Callable[[str], int]:
    """Return an argument type: a whole number from ``low`` to ``high``."""

    def parse(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            limit = "2**64 - 1" if high == SEED_LIMIT - 1 else str(high)
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low} to {limit}")
        return int(text)

    return parse


def positive(text: str) -> float:
    """Argument type: a number above 0 and at most a million."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0 and at most {MOST}")
    return value


SEED: Final = whole(0, SEED_LIMIT - 1)
"""Argument type: a seed."""


def game_named(text: str) -> Game:
    """Argument type: a game by its name, with or without version."""
    try:
        return get_game(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def output_file(text: str) -> Path:
    """Argument type: a file that can be written, so that nobody finds out after an hour."""
    path = Path(text)
    if path.exists() and not path.is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder or device; needed is a file")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r} for {text!r}")
    if not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"the folder {str(path.parent)!r} cannot be written")
    return path


def about(docstring: str | None) -> str:
    """What a command's help says of it: the docstring of its module without the command's name."""
    text = (docstring or "").partition(": ")[2].replace("``", "")
    return text[:1].upper() + text[1:]


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument ``game``, a :class:`Game`."""
    parser.add_argument("game", metavar="GAME", type=game_named, help=f"one of {', '.join(GAMES)}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--option``, to be given any number of times; :func:`read_options` reads it."""
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[],
        help="an option of the game, again for each; concilium list tells them",
    )  # fmt: skip


def read_options(game: Game, settings: Sequence[str]) -> dict[str, OptionValue]:
    """Turn ``name=value`` words into options of a game; how many players is not among them.

    Raises:
        OptionError: not of that form, an unknown name, a name given twice, or a value that is not
            allowed.
    """
    known = {option.name: option for option in game.options}
    options: dict[str, OptionValue] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if name == PLAYERS:
            raise OptionError(f"option {setting!r}: the number of players is set by --players")
        if not sign or name not in known:
            allowed = f"with one of {', '.join(known)}" if known else f"and {game.name} has none"
            raise OptionError(f"option {setting!r} is not of the form name=value {allowed}")
        if name in options:
            raise OptionError(f"option {setting!r}: {name} is given twice")
        options[name] = known[name].check(_value(text, known[name].default))
    return options


def _value(text: str, default: OptionValue) -> Any:
    """``text`` in the type of ``default`` if it can be read so, else as it is."""
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if isinstance(default, int) and _WHOLE.fullmatch(text):
        return int(text)
    return text


def check_seat(seat: int, bound: BoundGame) -> int:
    """Return ``seat`` if it is at the table, else raise OptionError."""
    if not 0 <= seat < bound.num_players:
        raise OptionError(
            f"seat {seat} is not at a table of {bound.num_players}: 0 to {bound.num_players - 1}"
        )
    return seat


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Give errors of writing the name of the file that is meant, not that of a temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from None


def printable(text: str) -> str:
    """``text`` with whatever is not printable spelled out, line ends and escape codes included."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def at_terminal(*streams: TextIO | None) -> bool:
    """Whether there is somebody at each of the streams; one that is closed is None."""
    return all(stream is not None and stream.isatty() for stream in streams)
