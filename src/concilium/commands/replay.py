"""``concilium replay``: a recorded game, decision by decision."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from concilium.commands import arguments as arg
from concilium.commands.played import Narrator, ending, seat_names, settings, tell
from concilium.envs import (
    SPECTATOR,
    BoundGame,
    FileFormatError,
    Replay,
    load_replays,
)
from concilium.envs.core.state import FULL, RUNNING, Records, plain_records

_VIEWS: Final = {"all": FULL, "public": SPECTATOR}
_KEYS: Final = "Enter: next   p: previous   g N: go to N   q: leave"
_PROMPT: Final = "> "


@dataclass(frozen=True)
class Step:
    """One step of a replay as an onlooker sees it.

    Attributes:
        heading: the decision in words; what the step is where it is none, or none of the onlooker's
            business.
        news: what the log then tells, one line each.
        picture: the position after it.
    """

    heading: str
    news: tuple[str, ...]
    picture: str

    def lines(self) -> Iterator[str]:
        """Heading and news."""
        yield self.heading
        yield from (f"    {line}" for line in self.news)


def _view(text: str) -> int:
    if text in _VIEWS:
        return _VIEWS[text]
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(f"{text!r} is none of {', '.join(_VIEWS)} or the number of a seat from 0")
    return int(text)


_VIEW: Final = arg.one(_view, completer=lambda context: list(_VIEWS), show_default="all")


def run(
    file: Path,
    /,
    *,
    game_number: arg.Count = 1,
    text: bool = False,
    view: Annotated[int, _VIEW] = FULL,
) -> None:
    """Step through a recorded game.

    At a terminal one steps through it; through a pipe or with --text it is told from the first
    decision to the last. Three views: all tells every decision and every secret of the log, and
    draws the position as whoever is to decide sees it; public tells what a spectator knows; a
    seat's number what that seat knew. In the last two, decisions of others are told as far as they
    left a trace, and steps are counted by what is told.

    Args:
        file: replays, one a line.
        game_number: which of them, from 1.
        text: tell it all, at a terminal too.
        view: all, public, or a seat from 0.
    """
    replays = load_replays(file)
    if game_number > len(replays):
        held = f"it holds {len(replays)}" if replays else "it holds none"
        raise FileFormatError(f"replay file {file}: no game {game_number}; {held}")
    replay = replays[game_number - 1]
    try:
        bound = replay.bind()
        last = replay.verify()
    except FileFormatError as error:
        raise FileFormatError(f"replay file {file}, game {game_number}: {error}") from None
    own = arg.check_seat(view, bound) if view >= 0 else None
    head = f"Game {game_number} of {len(replays)} in {file}, seed {replay.seed}\n{settings(bound)}"
    known = {seat: player.name for seat, player in enumerate(replay.players)}
    names = seat_names(bound.num_players, known, own)
    if known:
        head += f"\nAt the table: {', '.join(names)}."
    end = list(ending(bound, last, names))
    if text or not arg.at_terminal(sys.stdin, sys.stdout):
        print(head)
        _tell(steps(replay, view), end)
    else:
        tell(head)
        step_through(list(steps(replay, view)), end, _ask)


def steps(replay: Replay, viewer: int) -> Iterator[Step]:
    """The deal, then each decision that the viewer learns of.

    Args:
        replay: the game; it plays back.
        viewer: a seat, ``SPECTATOR``, or ``FULL`` for everything.
    """
    bound = replay.bind()
    narrator = Narrator(bound, viewer)
    heading, shown = "The deal", True
    for states, action in replay.play():
        news = narrator.told(states)
        ended = action is None and replay.status != "running"  # that everybody learns
        if shown or news or ended:
            yield Step(heading, tuple(news), _picture(bound, states, narrator))
        if action is not None:
            actor = int(plain_records(states)["actor"][0])
            shown = viewer in (FULL, actor)
            heading = "Then"
            if shown:
                who = "you" if viewer == actor else f"player_{actor}"
                heading = f"{who}: {bound.action_name(action, actor)}"


def _picture(bound: BoundGame, states: Records, narrator: Narrator) -> str:
    if narrator.viewer != FULL:
        return bound.render(narrator.view(states))
    plain = plain_records(states)
    if int(plain["status"][0]) != RUNNING:
        return bound.render(bound.view(states, SPECTATOR))
    actor = int(plain["actor"][0])
    return f"player_{actor} sees:\n" + bound.render(bound.view(states, actor))


def _tell(all_steps: Iterator[Step], end: Sequence[str]) -> None:
    """Print every step, the position at the beginning and the end; for files, so unwrapped."""
    picture = ""
    for number, step in enumerate(all_steps):
        lines = list(step.lines())
        print("\n".join([f"{number:>4}  {lines[0]}", *(f"  {line}" for line in lines[1:])]))
        picture = step.picture
        if number == 0:
            print("\n" + picture + "\n")
    print("\n" + picture + "\n")
    print("\n".join(end))


def _ask() -> str | None:
    try:
        return input(_PROMPT)
    except EOFError:
        print()
        return None


def step_through(
    all_steps: Sequence[Step], end: Sequence[str], ask: Callable[[], str | None]
) -> None:
    """Show one step after the other, as a person wants.

    Args:
        all_steps: at least one.
        end: lines to show with the last step.
        ask: returns what the person typed, None when there is no more of it.
    """
    last = len(all_steps) - 1
    print(_KEYS)
    at: int | None = 0
    shown = -1
    while at is not None:
        if at != shown:
            step = all_steps[at]
            tell(f"\n[{at}/{last}] " + "\n".join(step.lines()) + "\n\n" + step.picture)
            if at == last:
                tell("\n" + "\n".join(end))
            shown = at
        line = ask()
        at = None if line is None else _follow(line.strip().lower(), at, last)


def _follow(said: str, at: int, last: int) -> int | None:
    """The step to show after ``said``, None to leave; ``at`` again if there is no other."""
    word, _, number = said.partition(" ")
    if said in ("q", "quit"):
        return None
    if said in ("", "n", "p"):
        goal = at + (-1 if said == "p" else 1)
    elif word == "g" and number.strip().isdecimal() and len(number) < 10:
        goal = int(number)
    else:
        print(_KEYS)
        return at
    if not 0 <= goal <= last:
        tell(f"There is no step {goal}: 0 to {last}.")
        return at
    return goal
