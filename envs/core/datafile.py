"""Data files of games: TOML tables that are checked field by field, and the option that names one.

What is wrong is said with the file, the entry and the field. The option's value for a file is its
absolute path with a digest behind it, so that a replay or a pickle notices when the file is not the
same any more.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from concilium.envs.core.errors import FileFormatError
from concilium.envs.core.files import read_limited
from concilium.envs.core.option import Option, OptionValue
from concilium.envs.core.schema import FaultError

SIZE_LIMIT: Final = 2**16  # bytes
LONGEST_NAME: Final = 60  # characters
LONGEST_TEXT: Final = 400
_MARKED: Final = re.compile(r"(.+)#([0-9a-f]{16})", re.DOTALL)
Parsed = TypeVar("Parsed")


def need(good: bool, where: str, wrong: str) -> None:
    """Raise FaultError, naming the place, unless ``good``."""
    if not good:
        raise FaultError(f"{where}: {wrong}")


def check_fields(table: Mapping[str, Any], fields: frozenset[str], where: str) -> None:
    """Require exactly these fields."""
    missing, unknown = sorted(fields - set(table)), sorted(set(table) - fields)
    need(not missing, where, f"field {', '.join(missing)} is missing")
    need(
        not unknown, where,
        f"field {', '.join(unknown)[:LONGEST_NAME]} is unknown: there are "
        f"{', '.join(sorted(fields))}",
    )  # fmt: skip


def entries(
    table: Mapping[str, Any], name: str, fields: frozenset[str], *, label: str = "name"
) -> list[tuple[str, Any]]:
    """Return the tables ``[[name]]`` with how to name each in messages; all have the fields.

    Args:
        table: what holds them.
        name: of the list.
        fields: of each.
        label: the field by which one is called in messages.
    """
    listed = table[name]
    need(isinstance(listed, list), name, f"is not a list of tables: write [[{name}]]")
    found = []
    for place, entry in enumerate(listed, 1):
        where = f"{name} {place}"
        need(isinstance(entry, dict), where, "is not a table")
        if isinstance(entry.get(label), str):
            where = f"{name} {place} ({entry[label][:LONGEST_NAME]!r})"
        check_fields(entry, fields, where)
        found.append((where, entry))
    return found


def text_in(table: Mapping[str, Any], name: str, where: str, *, longest: int = LONGEST_NAME) -> str:
    """Return a field that holds printable text."""
    value = table[name]
    good = isinstance(value, str) and value.isprintable() and value == value.strip()
    need(
        good and 1 <= len(value) <= longest, f"{where}, field {name}",
        f"{str(value)[:LONGEST_NAME]!r} is not allowed: 1 to {longest} printable characters, no "
        "space at the ends",
    )  # fmt: skip
    assert isinstance(value, str)
    return value


def is_whole(value: object) -> bool:
    """Whether ``value`` is a whole number; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole_in(table: Mapping[str, Any], name: str, low: int, high: int, where: str) -> int:
    """Return a field that holds a whole number from ``low`` to ``high``."""
    value = table[name]
    need(
        is_whole(value) and low <= value <= high, f"{where}, field {name}",
        f"{value!r:.80} is not allowed: a whole number from {low} to {high}",
    )  # fmt: skip
    return int(value)


def parse_file(data: bytes, what: str, parse: Callable[[Mapping[str, Any]], Parsed]) -> Parsed:
    """Parse TOML and hand the table to ``parse``, which may raise FaultError.

    Raises:
        FileFormatError: not TOML, or what ``parse`` finds wrong; begins with ``what``.
    """
    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # also bytes that are not UTF-8
        raise FileFormatError(f"{what} is not TOML: {error}") from None
    try:
        return parse(table)
    except FaultError as fault:
        raise FileFormatError(f"{what}: {fault}") from None


def read_named(name: str, what: str) -> tuple[str, bytes]:
    """Return path and content of the file that a checked value of a :class:`FileOption` names.

    Raises:
        FileFormatError: it cannot be read, or has changed since its digest was taken.
    """
    path, _, digest = name.rpartition("#")
    data = read_limited(path, SIZE_LIMIT, what)
    if _digest(data) != digest:
        raise FileFormatError(
            f"{what} {path} has changed: its digest is {_digest(data)}, not {digest}"
        )
    return path, data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@dataclass(frozen=True)
class FileOption(Option):
    """An option that is the name of the house data or the path of a file of the same form.

    Attributes:
        what: what the file is, for messages.
        load: called with the checked value; raises FileFormatError if the file is broken.
    """

    what: str = "data file"
    load: Callable[[str], object] = str

    def allowed(self) -> str:
        """Say in words what is allowed."""
        return f"{self.default!r} or the path of a {self.what}"

    def check(self, value: object) -> OptionValue:
        """Return the value, a path with its digest.

        Raises:
            OptionError: it is no name and no path.
            FileFormatError: the file is broken, or not the one that the digest was taken of.
        """
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if value == self.default or not isinstance(value, str) or not value:
            return super().check(value)
        marked = _MARKED.fullmatch(value)
        path = os.path.abspath(marked[1] if marked else value)
        digest = marked[2] if marked else _digest(read_limited(path, SIZE_LIMIT, self.what))
        name = f"{path}#{digest}"
        self.load(name)
        return name
