"""What a person at the table can ask for besides making a move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from concilium.commands.arguments import at_terminal
from concilium.envs import BoundGame, OptionError
from concilium.envs.core.state import Records

HELP: Final = """\
  a number, or words of a move that no other move has: make that move
  moves      the moves that you have
  table      the position
  look       everything you know, in words
  log        everything that happened
  card NAME  what a card does; card alone names all of them
  rules      the rules of the game
  ?, help    this help
  quit       leave the game
There is no undo: the others have seen it."""
_CARD: Final = "card"


def menu(bound: BoundGame, view: Records, legal: Sequence[int], moves: Sequence[str]) -> str:
    """The moves, numbered from 1, each with what there is to say of it.

    Args:
        bound: the game with its options.
        view: of the seat that is to decide, ``(1,)``.
        legal: its actions.
        moves: their names.
    """
    notes = (bound.move_note(view, action) for action in legal)
    lines = [
        f"{number:>4}  {move}" + (f" — {note}" if note else "")
        for number, (move, note) in enumerate(zip(moves, notes, strict=True), start=1)
    ]
    return "\n".join([f"Your moves ({bound.kind(view)}):", *lines])


@dataclass(frozen=True)
class Desk:
    """Answers what a person asks before a move.

    Attributes:
        bound: the game with its options.
        view: what the person knows, ``(1,)``.
        menu: the moves, as :func:`menu` lists them.
        log: what the person has been told so far.
    """

    bound: BoundGame
    view: Records
    menu: str
    log: Sequence[str]

    def answer(self, line: str) -> str | None:
        """The answer to a line of input, None if it asks for nothing."""
        word, _, rest = line.strip().partition(" ")
        if word.lower() == _CARD:
            return self._card(rest.strip())
        answers: dict[str, Callable[[], str]] = {
            "?": lambda: HELP,
            "help": lambda: HELP,
            "moves": lambda: self.menu,
            "table": lambda: self.bound.render(self.view),
            "look": lambda: self.bound.describe(self.view),
            "log": lambda: "\n".join(self.log) or "nothing yet",
            "rules": lambda: self.bound.game.rules_text() or "the game has no page that tells them",
            "undo": lambda: HELP.splitlines()[-1],
        }
        asked = answers.get(line.strip().lower())
        return asked() if asked else None

    def _card(self, name: str) -> str:
        if not name:
            return f"{_CARD} NAME, one of: {', '.join(self.bound.cards()) or 'none'}"
        try:
            return self.bound.card_text(name)
        except OptionError as error:
            return str(error)


class Left(Exception):
    """The person has left: on purpose, or because there is no more input.

    Attributes:
        on_purpose: it was said so.
    """

    def __init__(self, on_purpose: bool) -> None:
        super().__init__(on_purpose)
        self.on_purpose = on_purpose


class Pause:
    """Waits for a person who watches; where nobody is at a terminal it does nothing.

    Args:
        wanted: whether to wait at all.
    """

    def __init__(self, wanted: bool) -> None:
        self._waits = wanted and at_terminal(sys.stdin, sys.stdout)

    def wait(self) -> None:
        """Wait for Enter; Left if the person wants to leave or there is no more input."""
        if not self._waits:
            return
        said = _line("Enter: next   g: to the end   q: leave> ").strip().lower()
        if said in ("q", "quit"):
            raise Left(on_purpose=True)
        self._waits = said != "g"


def hand_over(name: str) -> None:
    """Clear the screen and wait for the next of several people; through a pipe, only say who."""
    clear()
    if at_terminal(sys.stdin, sys.stdout):
        _line(f"{name} is next. Press Enter when nobody else looks> ")
    else:
        print(f"\n{name} is next.", flush=True)


def clear() -> None:
    """Clear screen and what has scrolled out of it, if it is a terminal."""
    if at_terminal(sys.stdin, sys.stdout):
        print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)


def _line(prompt: str) -> str:
    print(prompt, end="", flush=True)  # input() may write it to standard error
    try:
        return input()
    except EOFError:
        print()
        raise Left(on_purpose=False) from None
