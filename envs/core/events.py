"""Events and Views as data: what the rows of a log mean, and records as mappings of names.

A game declares its kinds of events as a table; the tables of its page, events as mappings, and its
texts are made from it::

    EVENTS: Final = event_table(
        Event,
        {
            Event.DRAW: row("a card was drawn", "deck", secret="card"),
            Event.ROLL: row("a problem was rolled", "problem", "low", "high", seat=""),
        },
    )
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.compiled.log import ACTOR, COLUMNS, EVENT, FIRST, SECRET
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import UNKNOWN, Knows, StateTable

Plain: TypeAlias = "int | str | list[Plain] | dict[str, Plain] | None"
"""What JSON can hold, as far as it is needed here."""
_PUBLIC: Final = 3  # numbers of an event


@dataclass(frozen=True)
class EventRow:
    """What one kind of event holds.

    Attributes:
        meaning: what happened, in words.
        columns: names of its public numbers, at most three.
        seat: what the acting seat is called; "" if nobody acts.
        secret: what its secret number is called; "" if it has none.
        packed: reads what is packed into the public numbers, from the row of the log, whatever it
            holds under the same names.
    """

    meaning: str
    columns: tuple[str, ...]
    seat: str = "seat"
    secret: str = ""
    packed: Callable[[Any], dict[str, Plain]] | None = field(default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what it holds but for the secret, in the order of :meth:`EventTable.decode`."""
        packed = () if self.packed is None else self.packed(np.zeros(COLUMNS, np.int16))
        return (*filter(None, (self.seat,)), *self.columns, *packed)


def row(
    meaning: str,
    *columns: str,
    seat: str = "seat",
    secret: str = "",
    packed: Callable[[Any], dict[str, Plain]] | None = None,
) -> EventRow:
    """Declare a kind of event; see :class:`EventRow`."""
    if len(columns) > _PUBLIC:
        raise OptionError(f"an event has {_PUBLIC} public numbers, not {len(columns)}")
    return EventRow(meaning, columns, seat, secret, packed)


@dataclass(frozen=True)
class EventTable:
    """A game's kinds of events.

    Attributes:
        names: of each kind by its number.
        rows: what each holds, by its number.
    """

    names: Mapping[int, str]
    rows: Mapping[int, EventRow]

    def decode(self, log_row: NDArray[np.int16]) -> dict[str, Plain]:
        """Return one row of a log as a mapping, its kind under ``event``; None is not known.

        Raises:
            OptionError: there is no such kind.
        """
        kind = int(log_row[EVENT])
        if kind not in self.rows:
            raise OptionError(f"the log holds an event of kind {kind}, which does not exist")
        declared = self.rows[kind]
        found: dict[str, Plain] = {"event": self.names[kind]}
        if declared.seat:
            found[declared.seat] = int(log_row[ACTOR])
        for place, name in enumerate(declared.columns):
            found[name] = int(log_row[FIRST + place])
        if declared.packed is not None:
            found.update(declared.packed(log_row))
        if declared.secret:
            value = int(log_row[SECRET])
            found[declared.secret] = None if value == UNKNOWN else value
        return found

    def log(self, record: Any) -> list[dict[str, Plain]]:
        """Return all that the log of a State or View ``()`` holds, oldest first."""
        log = np.asarray(record["log"])
        count, capacity = int(record["log_count"]), len(log)
        return [self.decode(log[k % capacity]) for k in range(max(0, count - capacity), count)]

    def faults(self, state: Any) -> Iterator[str]:
        """Say whether the log of a State ``()`` holds what is no event."""
        kinds = set(np.unique(np.asarray(state["log"])[:, EVENT]).tolist())
        if self.rows and not kinds <= {0, *self.rows}:
            yield "the log holds events that do not exist"

    def table(self) -> str:
        """Return the kinds as a Markdown table."""
        lines = ["| event | holds | secret | meaning |", "|---|---|---|---|"]
        for number, each in self.rows.items():
            names = [f"`{name}`" for name in each.names]
            secret = f"`{each.secret}`" if each.secret else ""
            lines.append(
                f"| `{self.names[number]}` | {', '.join(names)} | {secret} | {each.meaning} |"
            )
        return "\n".join(lines)


NO_EVENTS: Final = EventTable({}, {})
"""The table of a game that has not declared its events."""


def event_table(kinds: type[enum.IntEnum], rows: Mapping[Any, EventRow]) -> EventTable:
    """Build the table of a game's events; each kind is called like its member in lower case.

    Raises:
        OptionError: a kind is missing.
    """
    missing = [kind.name for kind in kinds if kind not in rows]
    if missing:
        raise OptionError(f"no row for the events {', '.join(missing)}")
    ordered: Sequence[enum.IntEnum] = sorted(kinds)
    return EventTable(
        {int(kind): kind.name.lower() for kind in ordered},
        {int(kind): rows[kind] for kind in ordered},
    )


def record_dict(table: StateTable, record: Any) -> dict[str, Plain]:
    """Return a State or View ``()`` as a mapping of field names to numbers and nested lists.

    The log is left out, see :meth:`EventTable.log`. In a View, what its viewer does not know is
    None, and so is, in fields that are not public, what is blank for another reason.
    """
    viewed = int(record["viewer"]) != -1
    found: dict[str, Plain] = {}
    for each in table.fields.values():
        if each.knows is Knows.WITNESSES:
            continue
        value = np.asarray(record[each.name]).tolist()
        if viewed and each.knows is not Knows.EVERYBODY:
            value = _without(value, each.blank)
        found[each.name] = value
    return found


def _without(value: Any, blank: int) -> Any:
    if isinstance(value, list):
        return [_without(entry, blank) for entry in value]
    return None if value == blank else value
