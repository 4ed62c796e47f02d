"""Options of a game: their names, defaults, and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from concilium.envs.core.errors import OptionError

OptionValue: TypeAlias = int | bool | str


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes:
        name: keyword under which it is given.
        default: value when it is not given; its type is the type that is accepted.
        meaning: one line for documentation.
        choices: the allowed values, if they are a short list.
        low: smallest allowed whole number.
        high: largest allowed whole number.
    """

    name: str
    default: OptionValue
    meaning: str
    choices: tuple[OptionValue, ...] = ()
    low: int = 0
    high: int = 0

    def allowed(self) -> str:
        """Say in words what is allowed."""
        if self.choices:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        if isinstance(self.default, bool):
            return "True or False"
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: object) -> OptionValue:
        """Return ``value`` in its plain type; OptionError says what is allowed instead."""
        if isinstance(value, np.bool_ | np.integer | np.str_):
            value = value.item()
        if type(value) is type(self.default):
            assert isinstance(value, int | bool | str)
            if self.choices:
                if value in self.choices:
                    return value
            elif isinstance(value, bool) or (
                isinstance(value, int) and self.low <= value <= self.high
            ):
                return value
        raise OptionError(f"option {self.name}={value!r} is not allowed: {self.allowed()}")

    def draw(self, generator: np.random.Generator) -> OptionValue:
        """Return an allowed value at random, the default and the extremes more often."""
        if self.choices:
            return self.choices[int(generator.integers(len(self.choices)))]
        if isinstance(self.default, bool):
            return bool(generator.integers(2))
        if generator.random() < 0.5:
            return (self.low, self.high, self.default)[int(generator.integers(3))]
        return int(generator.integers(self.low, self.high + 1))
