"""What the commands have in common: kinds of arguments, which say what is allowed, and files.

Command-line words are read here, not by the library, so that a message names the word and what is
allowed in place of it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO, TypeAlias

from cyclopts import Parameter, Token
from cyclopts.completion import CompletionContext

from concilium.envs import GAMES, BoundGame, Game, OptionError, get_game
from concilium.envs.core.arguments import SEED_LIMIT
from concilium.envs.core.errors import did_you_mean
from concilium.envs.core.files import write_atomically
from concilium.envs.core.option import OptionValue

PLAYERS: Final = "num_players"
MOST: Final = 10**6
"""Largest count that a command takes: of deals, games, repeats."""
_WHOLE: Final = re.compile("-?[0-9]{1,24}")


def whole(low: int, high: int = MOST) -> Callable[[str], int]:
    """A reader of whole numbers from ``low`` to ``high``, for :func:`one` and :func:`several`."""

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            limit = "2**64 - 1" if high == SEED_LIMIT - 1 else str(high)
            raise ValueError(f"{text!r} is no whole number from {low} to {limit}")
        return int(text)

    return read


def one(read: Callable[[str], Any], **more: Any) -> Parameter:
    """An argument of one word.

    Args:
        read: returns the value of a word, or tells by ValueError what is allowed.
        more: what else is to be said of the argument.
    """
    return Parameter(converter=lambda kind, tokens: read(tokens[0].value), **more)


def several(read: Callable[[str], Any] = str, least: int = 1) -> Parameter:
    """An option of one word or more: ``--players 5 7``. Given again, it replaces what was given.

    Args:
        read: as for :func:`one`.
        least: how many words there have to be.
    """

    def convert(kind: Any, tokens: Sequence[Token]) -> tuple[Any, ...]:
        last = max(place for place, token in enumerate(tokens) if token.index == 0)
        return tuple(read(token.value) for token in tokens[last:])

    return Parameter(converter=convert, consume_multiple=(least, None))


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MOST:
        raise ValueError(f"{text!r} is no number above 0 and at most {MOST}")
    return value


def _output_file(text: str) -> Path:
    """A file that can be written, so that nobody finds out after an hour."""
    path = Path(text)
    if path.exists() and not path.is_file():
        raise ValueError(f"{text!r} is a folder or device; needed is a file")
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {str(path.parent)!r} for {text!r}")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"the folder {str(path.parent)!r} cannot be written")
    return path


def names_and_files(names: Callable[[list[Game]], list[str]], suffix: str) -> Parameter:
    """An argument that is completed by names for the game that is being typed, and by files."""

    def complete(context: CompletionContext) -> list[str]:
        said = context.get("game")
        games = [said.value] if said and isinstance(said.value, Game) else [*GAMES.values()]
        folder = Path(context.incomplete + "x").parent  # "a/" is the folder a, "a" a name in this
        files = sorted(folder.iterdir()) if suffix and folder.is_dir() else []
        return [
            *names(games),
            *(f"{path}/" for path in files if path.is_dir()),
            *(str(path) for path in files if path.suffix == suffix and path.is_file()),
        ]

    return Parameter(completer=complete)


def bot_names_of(games: list[Game]) -> list[str]:
    """Names of all bots for any of the games."""
    from concilium.baselines import bot_names

    return list(dict.fromkeys(name for game in games for name in bot_names(game)))


BOT: Final = names_and_files(bot_names_of, ".safetensors")

if TYPE_CHECKING:
    GameName: TypeAlias = Game
else:  # the library would take the fields of a dataclass for options
    GameName = Annotated[
        str,
        one(get_game, completer=lambda context: list(GAMES), help=f"One of {', '.join(GAMES)}."),
    ]
"""A game by its name, with or without version."""
BotName: TypeAlias = Annotated[str, BOT]
BotNames: TypeAlias = Annotated[tuple[str, ...], several(), BOT]
Count: TypeAlias = Annotated[int, one(whole(1))]
TableSize: TypeAlias = Annotated[int, one(whole(1, 99))]
TableSizes: TypeAlias = Annotated[tuple[int, ...], several(whole(1, 99))]
Seed: TypeAlias = Annotated[int, one(whole(0, SEED_LIMIT - 1))]
Seconds: TypeAlias = Annotated[float, one(_positive)]
Options: TypeAlias = Annotated[tuple[str, ...], Parameter(name="--option", metavar="NAME=VALUE")]
"""Options of a game, the flag again for each; :func:`read_options` reads them."""
OutputFile: TypeAlias = Annotated[Path, one(_output_file)]


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
            raise OptionError(
                f"option {setting!r} is not of the form name=value {allowed}"
                f"{did_you_mean(name, known)}"
            )
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


def json_text(
    figures: Any, bots: Sequence[str] = (), options: Mapping[str, OptionValue] | None = None
) -> str:
    """Figures as one JSON document, with what is needed to cite them.

    Args:
        figures: a mapping, or a list of mappings.
        bots: names of bots, whose policy files are told.
        options: of the game, whose files are told.
    """
    from concilium.evaluation.provenance import provenance

    made = {"provenance": provenance(bots, options)}
    many = [{**each, **made} for each in figures] if isinstance(figures, list) else None
    return json.dumps({**figures, **made} if many is None else many, indent=1)


def write_json(
    path: Path | None,
    figures: Any,
    bots: Sequence[str] = (),
    options: Mapping[str, OptionValue] | None = None,
) -> None:
    """Write :func:`json_text` into a file, if one is named."""
    if path is not None:
        with writing(path):
            write_atomically(path, json_text(figures, bots, options) + "\n")


def at_terminal(*streams: TextIO | None) -> bool:
    """Whether there is somebody at each of the streams; one that is closed is None."""
    return all(stream is not None and stream.isatty() for stream in streams)
