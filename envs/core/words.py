"""Words that agree with whom and how many they speak of, and lines that fit.

Texts are templates; whom and how many they are about comes with the forms of the words::

    "{seat:was} dealt {cards:card}".format(seat=seat_name(2, 2), cards=Count(1))
    # "you were dealt 1 card"; to others "player_2 was dealt 1 card"
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from typing import Any, Final

_VERBS: Final = {
    "was": "were", "is": "are", "has": "have", "begins": "begin", "accuses": "accuse",
    "vouches": "vouch",
}  # fmt: skip
"""Verbs that texts use in the present or as auxiliaries, with what follows "you"."""
_POSSESSIVE: Final = "'s"
_INDENT: Final = 4
_OPPONENT: Final = re.compile(r"\bopponent (\d+)\b")  # so many seats clockwise


class Who(str):
    """A seat by name: ``"you"``, or the name of its agent.

    As formats it takes a verb (``{seat:was}``), ``'s`` (``{seat:'s}``: "your", "player_2's"), and
    those of all strings.
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        own = self == "you"
        if form in _VERBS:
            return f"{self} {_VERBS[form] if own else form}"
        if form == _POSSESSIVE:
            return "your" if own else f"{self}'s"
        return super().__format__(form)

    def started(self, form: str = "") -> str:
        """Return ``format(self, form)`` as the beginning of a sentence."""
        text = format(self, form)
        return text[:1].upper() + text[1:]


class Count(int):
    """A number of things: as a format it takes their name (``{cards:card}``: "1 card")."""

    def __format__(self, form: str) -> str:
        if len(form) > 1 and form.isalpha():
            return f"{int(self)} {form}{'' if self == 1 else 's'}"
        return super().__format__(form)


def counted(value: Any) -> Any:
    """Return ``value``, a whole number as one that things can be counted with."""
    return Count(value) if isinstance(value, int) else value


def seat_name(seat: int, viewer: int) -> Who:
    """``"you"`` for the viewer's own seat, else the agent's name."""
    return Who("you" if seat == viewer else f"player_{seat}")


def whom(seat: int, by: int, viewer: int) -> str:
    """Name the seat to which ``by`` does something, which may be its own."""
    if seat != by:
        return seat_name(seat, viewer)
    return "yourself" if by == viewer else "themself"


def with_players(name: str, seat: int, num_players: int) -> str:
    """Put the names of players, as ``seat`` sees them, for ``opponent 1`` … in an action's name.

    Opponents who are not at the table stay what they are.
    """

    def player(found: re.Match[str]) -> str:
        steps = int(found[1])
        return f"player_{(seat + steps) % num_players}" if steps < num_players else found[0]

    return _OPPONENT.sub(player, name)


def for_terminal(text: str) -> str:
    """Return ``text`` as it fits the terminal that standard output is; unchanged if it is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    return wrapped(text, shutil.get_terminal_size().columns)


def wrapped(text: str, width: int) -> str:
    """Break lines that are longer than ``width`` between words, the rest of each indented."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        lines += textwrap.wrap(
            line, max(width, 20), subsequent_indent=" " * (indent + _INDENT), expand_tabs=False,
            replace_whitespace=False, break_long_words=False, break_on_hyphens=False,
        ) or [line]  # fmt: skip
    return "\n".join(lines)
