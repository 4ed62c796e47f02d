"""Parameters of bots: how they are declared, checked, read and written.

The parameters of a bot are the fields of a frozen dataclass, declared by :func:`number` and
:func:`switch`; its instances are what a bot is made from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeAlias

import numpy as np

from concilium.envs.core.errors import OptionError

Number: TypeAlias = bool | int | float
ParameterValue: TypeAlias = Number | tuple[Number, ...]
_WHOLE: Final = re.compile("-?[0-9]{1,18}")
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
    def type(self) -> type[Number]:
        """``bool``, ``int`` or ``float``; of a tuple, that of its entries."""
        return type(self.default[0] if isinstance(self.default, tuple) else self.default)

    def allowed(self) -> str:
        """Say in words what is allowed."""
        whole = "whole " if self.type is int else ""
        one, many = f"a {whole}number", f"{whole}numbers"
        if self.type is bool:
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
        read = [_read(part, self.type) for part in text.split("/")]
        try:
            return self.check(read if isinstance(self.default, tuple) or len(read) > 1 else read[0])
        except OptionError:
            raise OptionError(
                f"parameter {self.name}={text} is not allowed: {self.allowed()}"
            ) from None

    def _number(self, value: object) -> Number | None:
        if isinstance(value, np.generic):
            value = value.item()
        if self.type is float and type(value) is int:
            value = float(value)
        if isinstance(value, bool | int | float) and type(value) is self.type:
            return value if self.low <= value <= self.high else None
        return None


def _read(text: str, number: type[Number]) -> Number | None:
    if number is bool:
        return {"true": True, "false": False}.get(text.lower())
    if number is int:
        return int(text) if _WHOLE.fullmatch(text) else None
    return float(text) if _DECIMAL.fullmatch(text) else None


def written(value: ParameterValue) -> str:
    """A value as it is written in a name."""
    if isinstance(value, tuple):
        return "/".join(map(written, value))
    return str(value).lower()


# Parameters of a dataclass ---------------------------------------------------------------------


def number(default: object, meaning: str, low: float = 0, high: float = math.inf) -> Any:
    """Declare a field that is a number or a tuple of numbers; see :class:`Parameter`."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


def switch(default: bool, meaning: str) -> Any:
    """Declare a field that is true or false."""
    return field(default=default, metadata={"meaning": meaning})


def declared(params: Any) -> tuple[Parameter, ...]:
    """The parameters that a dataclass declares, with the values of an instance as defaults."""
    return tuple(
        Parameter(entry.name, getattr(params, entry.name), **entry.metadata)
        for entry in fields(params)
        if entry.metadata
    )


def changes(
    name: str, known: tuple[Parameter, ...], text: str | None, more: Mapping[str, object]
) -> dict[str, ParameterValue]:
    """Values from a name's end and from keywords, checked, in the order of the parameters.

    Args:
        name: of the bot, for messages.
        known: its parameters.
        text: what follows the colon in a name; None if there is none.
        more: values by name.

    Raises:
        OptionError: a parameter is unknown, given twice or not allowed.
    """
    by_name = {parameter.name: parameter for parameter in known}
    has = f"it has {', '.join(by_name)}" if by_name else "it has none"
    values: dict[str, ParameterValue] = {}
    for word in [] if text is None else text.split(","):
        key, equals, written_value = word.partition("=")
        if not equals or key not in by_name:
            raise OptionError(
                f"parameter {word!r} of bot {name!r} is not of the form name=value; {has}"
            )
        if key in values:
            raise OptionError(f"parameter {key} of bot {name!r} is given twice")
        values[key] = by_name[key].parse(written_value)
    for key, value in more.items():
        if key not in by_name:
            raise OptionError(f"bot {name!r} has no parameter {key!r}; {has}")
        if key in values:
            raise OptionError(f"parameter {key} of bot {name!r} is given twice")
        values[key] = by_name[key].check(value)
    return {key: values[key] for key in by_name if key in values}
