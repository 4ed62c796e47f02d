"""Which bots there are: those of the folders here, of other packages, and your own.

Each folder of bots, and each module that another package makes known, has a table of its bots by
name, called ``BOTS``. A package makes its bots known by an entry point in the group
``concilium.bots``, whose value is the module that exports the table::

    [project.entry-points."concilium.bots"]
    tides = "my_bots.tides"
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from concilium.baselines.parameters import Parameter, declared
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game

GROUP: Final = "concilium.bots"
_HOME: Final = "concilium.baselines"


@dataclass(frozen=True)
class BotEntry:
    """How the bots of a name are made.

    Attributes:
        make: returns a bot, from the game, a seed, the bot's name and its params.
        params: the default params: a frozen dataclass whose fields are the parameters. The metadata
            of each hold its ``meaning`` and, for numbers, ``low`` and ``high``. None for a bot
            without parameters.
    """

    make: Callable[[Game, int | None, str, Any], Bot]
    params: Any = None

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, in the order of their declaration."""
        return () if self.params is None else declared(self.params)


def _uniform(game: Game, seed: int | None, name: str, params: None) -> Bot:
    del name, params
    return UniformBot(game, seed)


class BotCatalogue(MutableMapping[str, BotEntry]):
    """The bots by name; ``<game>/<bot>`` plays that game only.

    A folder is imported when a name that begins with it is asked for, other packages when a name is
    missed. What one of these does wrong concerns its own bots alone: a warning tells of it, and so
    does every error about a name that is not known.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []
        self._bots = {"random": BotEntry(_uniform)}
        self._homes = {"random": _HOME}
        self._folders = {
            found.name
            for found in pkgutil.iter_modules([str(Path(__file__).parent)])
            if found.ispkg
        }
        self._are_others_read = False

    def __getitem__(self, name: str) -> BotEntry:
        if name not in self._bots:
            self._read_folder(name.partition("/")[0])
        if name not in self._bots:
            self._read_all()
        return self._bots[name]

    def __setitem__(self, name: str, entry: BotEntry) -> None:
        self._bots[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._bots[name]

    def __iter__(self) -> Iterator[str]:
        self._read_all()
        return iter(list(self._bots))

    def __len__(self) -> int:
        self._read_all()
        return len(self._bots)

    def _read_folder(self, folder: str) -> None:
        if folder in self._folders:
            self._folders.remove(folder)
            package = f"{_HOME}.{folder}"
            self._take(package, _table_of(package))

    def _read_all(self) -> None:
        for folder in sorted(self._folders):
            self._read_folder(folder)
        if self._are_others_read:
            return
        self._are_others_read = True
        for package in sorted({point.value for point in entry_points(group=GROUP)}):
            try:
                self._take(package, _table_of(package))
            except Exception as error:  # whatever it raises, the others' bots are there
                self.faults.append(f"bots of {package} are missing: {_words(error)}")
        if self.faults:
            warnings.warn("; ".join(self.faults), RuntimeWarning, stacklevel=4)

    def _take(self, package: str, bots: Mapping[str, BotEntry]) -> None:
        for name, entry in bots.items():
            home = self._homes.setdefault(name, package)
            if home == package:
                self._bots.setdefault(name, entry)
                continue
            self.faults.append(f"{home} and {package} both have a bot {name!r}")
            if not home.startswith(_HOME):  # nobody can know which of the two is meant
                self._bots.pop(name, None)


def _table_of(package: str) -> Mapping[str, BotEntry]:
    found = getattr(importlib.import_module(package), "BOTS", None)
    if isinstance(found, dict) and all(isinstance(each, BotEntry) for each in found.values()):
        return found
    raise OptionError("it exports no table called BOTS, of BotEntry by name")


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, OptionError) else f"{type(error).__name__}: {error}"


BOTS: Final = BotCatalogue()
"""The bots that are known; set an entry to make one of your own known by name."""
