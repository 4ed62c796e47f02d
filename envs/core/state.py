"""How a game declares its State, what the States of all games begin with, and their memory.

A State is declared as a class whose attributes say everything about a field at once: its Python
type for editors and type checkers, how it is stored, which values it takes, who may know it, and
what it means. :func:`state_table` makes of it the record type, the code that blanks a View, the
check of States from outside, and the tables of the games' pages::

    class State(StateRecord):
        score: Cells = public(np.int16, 0, 120, "points", shape=SEATS)
        hand: Cells = owned(np.int8, 0, 3, "copies held", shape=(SEATS, CARDS))
        deck: Cells = hidden(np.int8, -1, CARDS - 1, "order, the last is drawn next", shape=CARDS)

    STATE: Final = state_table(State)

What is not declared public is blank in every View, unless the game's ``view`` opens it.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concilium.envs.core.compiled.jit import INTERPRETED
from concilium.envs.core.compiled.log import COLUMNS
from concilium.envs.core.compiled.values import (
    FULL,
    RUNNING,
    SPECTATOR,
    TERMINATED,
    TRUNCATED,
    UNKNOWN,
)
from concilium.envs.core.errors import OptionError

__all__ = [
    "FULL", "RUNNING", "SPECTATOR", "TERMINATED", "TRUNCATED", "UNKNOWN", "Cells", "Knows",
    "Records", "StateField", "StateRecord", "StateTable", "attribute_dtype", "attribute_records",
    "event_log", "hidden", "new_records", "owned", "plain_records", "public", "put_records",
    "secret", "state_table", "take_records",
]  # fmt: skip

Records = NDArray[np.void]
"""A one-dimensional array of States or Views."""
Cells: TypeAlias = NDArray[Any]
"""A field that holds several numbers."""

Bound: TypeAlias = int | str
"""A number, or the name of a field that holds it, with or without a number added: "turns-1"."""
_BOUND: Final = re.compile(r"([a-z_]+)([+-]\d+)?")


class Knows(enum.Enum):
    """Who knows a field."""

    EVERYBODY = "everybody"
    OWNER = "each seat its own row"
    RULE = "whom the rules let"  # blank unless the game's ``view`` opens it
    NOBODY = "nobody"
    WITNESSES = "by event"  # the log: each event says who


@dataclass(frozen=True)
class StateField:
    """One field of a State.

    Attributes:
        storage: how a number is stored, such as ``np.int8``.
        low, high: smallest and largest value in a State.
        meaning: what it says, in words.
        knows: who knows it.
        shape: of its numbers; () for a single one.
        blank: what stands in a View for a number that its viewer does not know.
        name: what it is called; filled in from the declaration.
        offset: in bytes from the beginning of the record; filled in.
    """

    storage: Any
    low: Bound
    high: Bound
    meaning: str
    knows: Knows
    shape: tuple[int, ...] = ()
    blank: int = UNKNOWN
    name: str = ""
    offset: int = 0

    @property
    def size(self) -> int:
        """Length in bytes."""
        return int(math.prod(self.shape) * np.dtype(self.storage).itemsize)


def _declare(
    knows: Knows,
    storage: Any,
    low: Bound,
    high: Bound,
    meaning: str,
    shape: int | tuple[int, ...],
    blank: int = UNKNOWN,
) -> Any:
    sizes = (shape,) if isinstance(shape, int) else shape
    return StateField(storage, low, high, meaning, knows, sizes, blank)


def public(
    storage: Any, low: Bound, high: Bound, meaning: str, *, shape: int | tuple[int, ...] = ()
) -> Any:
    """Declare a field that everybody knows; see :class:`StateField`."""
    return _declare(Knows.EVERYBODY, storage, low, high, meaning, shape)


def owned(
    storage: Any,
    low: Bound,
    high: Bound,
    meaning: str,
    *,
    shape: int | tuple[int, ...],
    blank: int = UNKNOWN,
) -> Any:
    """Declare a field with a row for each seat, which that seat knows.

    The rows of seats at which nobody sits are public. ``view`` may open more to whom the rules let.
    """
    return _declare(Knows.OWNER, storage, low, high, meaning, shape, blank)


def secret(
    storage: Any,
    low: Bound,
    high: Bound,
    meaning: str,
    *,
    shape: int | tuple[int, ...] = (),
    blank: int = UNKNOWN,
) -> Any:
    """Declare a field that is blank but for what ``view`` opens by the rules."""
    return _declare(Knows.RULE, storage, low, high, meaning, shape, blank)


def hidden(
    storage: Any,
    low: Bound,
    high: Bound,
    meaning: str,
    *,
    shape: int | tuple[int, ...] = (),
    blank: int = UNKNOWN,
) -> Any:
    """Declare a field that nobody ever knows."""
    return _declare(Knows.NOBODY, storage, low, high, meaning, shape, blank)


def event_log(capacity: int) -> Any:
    """Declare the event log, of which each seat knows what the events say; see :mod:`.log`."""
    limits = np.iinfo(np.int16)
    return _declare(
        Knows.WITNESSES, np.int16, int(limits.min), int(limits.max), "what happened",
        (capacity, COLUMNS),
    )  # fmt: skip


class StateRecord:
    """The fields that begin every State, in this order; a game's class adds its own."""

    rng_key: int = hidden(np.uint64, 0, 2**64 - 1, "stream of the generator", blank=0)
    rng_counter: int = hidden(np.uint64, 0, 2**64 - 1, "draws made", blank=0)
    log_count: int = public(
        np.int32, 0, 2**31 - 1, "events logged, as far as the viewer knows of them"
    )
    viewer: int = public(
        np.int8, SPECTATOR, 126, "-1 for a State; whose View: a seat, -2 spectator"
    )
    num_players: int = public(np.int8, 1, 126, "seats in play")
    actor: int = public(np.int8, -1, "num_players-1", "seat to decide; -1 when over")
    status: int = public(np.int8, RUNNING, TRUNCATED, "0 running, 1 terminated, 2 truncated")
    log: Cells


@dataclass(frozen=True, eq=False)
class StateTable:
    """What a State is made of, as data.

    Attributes:
        fields: by name, in the order in which they lie in memory.
        dtype: type of States and Views.
    """

    fields: Mapping[str, StateField]
    dtype: np.dtype[np.void] = field(repr=False)

    @cached_property
    def blank(self) -> Records:
        """A record ``(1,)`` in which every number is what stands for it where it is not known."""
        records: Records = np.zeros(1, self.dtype)
        for each in self.fields.values():
            records[each.name] = each.blank
        return records

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """What is blanked in Views ``(k, 3) int64``: first byte, bytes, bytes of a seat's row.

        The third number is 0 where everything is blanked whoever looks; else the rows of all seats
        at the table but the viewer's are.
        """
        rows: list[tuple[int, int, int]] = []
        for each in self.fields.values():
            if each.knows in (Knows.EVERYBODY, Knows.WITNESSES):
                continue
            row = each.size // each.shape[0] if each.knows is Knows.OWNER else 0
            if rows and not row and not rows[-1][2] and sum(rows[-1][:2]) == each.offset:
                rows[-1] = (rows[-1][0], rows[-1][1] + each.size, 0)
            else:
                rows.append((each.offset, each.size, row))
        return np.array(rows, np.int64).reshape(-1, 3)

    def faults(self, state: Any) -> Iterator[str]:
        """Say which numbers of a State ``()`` are out of their range."""
        for each in self.fields.values():
            if each.name == "viewer":
                continue
            low, high = (_value(bound, state) for bound in (each.low, each.high))
            values = np.asarray(state[each.name])
            if values.size and (int(values.min()) < low or int(values.max()) > high):
                yield f"{each.name} is not from {low} to {high}"

    def table(self) -> str:
        """Return the fields as a Markdown table."""
        lines = ["| field | stored as | range | known to | meaning |", "|---|---|---|---|---|"]
        for each in self.fields.values():
            shape = " × ".join([np.dtype(each.storage).name, *map(str, each.shape)])
            lines.append(
                f"| `{each.name}` | {shape} | {each.low} … {each.high} | {each.knows.value} "
                f"| {each.meaning} |"
            )
        return "\n".join(lines)


def _value(bound: Bound, state: Any) -> int:
    if isinstance(bound, int):
        return bound
    name, more = _split_bound(bound)
    return int(state[name]) + more


def _split_bound(bound: str) -> tuple[str, int]:
    found = _BOUND.fullmatch(bound)
    if found is None:
        raise OptionError(f"bound {bound!r} is neither a number nor a field with a number added")
    return found[1], int(found[2] or 0)


def state_table(declared: type[StateRecord]) -> StateTable:
    """Return the table of the State that a class declares, its base's fields first.

    Raises:
        OptionError: a field has no declaration, a bound names no single number, an owned field has
            no rows, or the compiler would pad between fields. Padding has no defined content, so it
            must be declared as a field (States are compared and hashed byte by byte).
    """
    found: dict[str, StateField] = {}
    for kind in reversed(declared.__mro__):
        for name in vars(kind).get("__annotations__", {}):
            value = getattr(declared, name, None)
            if isinstance(vars(kind).get(name), StateField):
                assert isinstance(value, StateField)
                found[name] = replace(value, name=name)
            elif kind is declared:
                raise OptionError(f"field {name} of the State is not declared")
    for each in found.values():
        for bound in (each.low, each.high):
            if isinstance(bound, str) and found[_split_bound(bound)[0]].shape:
                raise OptionError(f"field {each.name}: bound {bound} is not a single number")
        if each.knows is Knows.OWNER and not each.shape:
            raise OptionError(f"field {each.name} is owned, but has no row for each seat")
    rows: list[Any] = [(each.name, each.storage, each.shape) for each in found.values()]
    dtype = np.dtype(rows, align=True)
    used = sum(each.size for each in found.values())
    if used != dtype.itemsize:
        raise OptionError(
            f"the State has {dtype.itemsize - used} bytes of implicit padding; order the fields "
            "from wide to narrow and declare a padding field"
        )
    assert dtype.fields is not None
    placed = {n: replace(each, offset=int(dtype.fields[n][1])) for n, each in found.items()}
    return StateTable(MappingProxyType(placed), dtype)


# Memory --------------------------------------------------------------------------------------


class _PlainRecord(np.record):  # type: ignore[misc]  # NumPy's stubs call its base final
    """A record of the interpreted run: its numbers are Python's, which do not overflow."""

    def __getattribute__(self, name: str) -> Any:
        return _promoted(super().__getattribute__(name))


class _PlainCells(np.ndarray[Any, Any]):
    def __getitem__(self, key: Any) -> Any:
        return _promoted(super().__getitem__(key))


def _promoted(value: Any) -> Any:
    if isinstance(value, np.signedinteger):
        return int(value)
    if type(value) is np.ndarray:
        return value.view(_PlainCells)
    return value


def new_records(count: int, dtype: DTypeLike) -> Records:
    """Return ``count`` zeroed records, with attribute access when the rules are interpreted."""
    records: Records = np.zeros(count, dtype)
    return attribute_records(records)


def attribute_dtype(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return ``dtype`` in the form that compiled code takes; interpreted, fields are attributes."""
    return np.dtype((_PlainRecord, dtype)) if INTERPRETED else dtype


def attribute_records(records: Records) -> Records:
    """Return ``records`` in the form that the kernels take (a view, no copy)."""
    return records.view(attribute_dtype(records.dtype)) if INTERPRETED else records


def plain_records(records: Records) -> Records:
    """Return ``records`` as a plain structured array (a view, no copy), for Python code."""
    return records.view(np.ndarray)


def _rows(records: Records) -> NDArray[np.uint8]:
    return records.view(np.ndarray).view(np.uint8).reshape(len(records), records.dtype.itemsize)


def take_records(records: Records, places: NDArray[np.integer]) -> Records:
    """Return a copy of ``records[places]``, moved as bytes: NumPy would go field by field."""
    return attribute_records(_rows(records)[places].reshape(-1).view(records.dtype))


def put_records(records: Records, places: NDArray[np.integer], values: Records) -> None:
    """Set ``records[places] = values``; moved as bytes like :func:`take_records`."""
    _rows(records)[places] = _rows(values)
