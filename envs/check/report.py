"""What a check found: one line per property, with the first counterexample in words."""

from __future__ import annotations

from dataclasses import dataclass

from concilium.envs.core.errors import ConciliumError, OptionError


class ConformanceError(ConciliumError, AssertionError):
    """A game or its environment lacks a property; the message is the report."""


class Counterexample(Exception):
    """Raised inside a check where the property is seen not to hold; the message says how."""


@dataclass(frozen=True)
class Line:
    """One property and what became of it.

    Attributes:
        name: short name of the property, as in ``"round_trip"``.
        meaning: the property in words.
        examined: how many cases were looked at.
        unit: what was counted.
        fault: the first counterexample in words, empty if there was none.
        note: what else there is to know, such as how many pairs could be compared.
        error: name of the exception that ended the examination, which then has shown nothing.
    """

    name: str
    meaning: str
    examined: int
    unit: str
    fault: str = ""
    note: str = ""
    error: str = ""

    @property
    def ok(self) -> bool:
        """Whether cases were examined and none speaks against the property."""
        return not self.fault

    def __str__(self) -> str:
        mark = "ok  " if self.ok else "FAIL"
        text = f"{mark} {self.name:<20} {self.examined:>9,} {self.unit:<10} {self.meaning}"
        if self.note:
            text += f" ({self.note})"
        return text if self.ok else f"{text}\n     {self.fault}"


@dataclass(frozen=True)
class Report:
    """The outcome of :func:`concilium.envs.check.check_game`.

    Attributes:
        game: id of the game.
        tables: the player counts and option sets that were examined, in words.
        lines: the properties.
    """

    game: str
    tables: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def ok(self) -> bool:
        """Whether every property holds as far as was seen."""
        return all(line.ok for line in self.lines)

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the properties that do not hold."""
        return tuple(line.name for line in self.lines if not line.ok)

    def __getitem__(self, name: str) -> Line:
        """Return the line of a property; OptionError lists the names that exist."""
        for line in self.lines:
            if line.name == name:
                return line
        raise OptionError(
            f"no property {name!r}; there are {', '.join(line.name for line in self.lines)}"
        )

    def raise_if_failed(self) -> None:
        """Raise ConformanceError, with the whole report, unless every property holds."""
        if not self.ok:
            raise ConformanceError(str(self))

    def __str__(self) -> str:
        head = f"{self.game}: {len(self.tables)} tables, {len(self.lines)} properties, "
        head += f"{len(self.failed)} of them violated" if self.failed else "all hold"
        return "\n".join([head, *map(str, self.lines)])


class Tally:
    """Counts what a property was examined on while its check runs, table by table."""

    def __init__(self, name: str, meaning: str, unit: str) -> None:
        self.name = name
        self.meaning = meaning
        self.unit = unit
        self.examined = 0
        self.fault = ""
        self.error = ""
        self.notes: dict[str, int] = {}
        self.remark = ""

    def count(self, number: int = 1) -> None:
        """Add cases that were examined and found good."""
        self.examined += number

    def note(self, what: str, number: int) -> None:
        """Add to a counter that the report shows in brackets."""
        self.notes[what] = self.notes.get(what, 0) + number

    def largest(self, what: str, number: int) -> None:
        """Keep the largest of some numbers for the brackets."""
        self.notes[what] = max(self.notes.get(what, 0), number)

    def line(self) -> Line:
        """Close the tally; a property that was never examined has failed."""
        fault = self.fault
        if not fault and not self.examined:
            fault = "nothing was examined"
        notes = [f"{number:,} {what}" for what, number in self.notes.items()]
        if self.remark:
            notes.append(self.remark)
        return Line(
            self.name, self.meaning, self.examined, self.unit, fault, "; ".join(notes), self.error
        )
