"""``concilium replay``: a recorded game, decision by decision.

At a terminal one steps through it; through a pipe or with ``--text`` it is told from the first
decision to the last. Three views: ``all`` (the default) tells every decision and every secret of
the log, and draws the position as whoever is to decide sees it; ``public`` tells what a spectator
knows; a seat's number what that seat knew. In the last two, decisions of others are told as far as
they left a trace, and steps are counted by what is told.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from concilium.commands.arguments import about, at_terminal, check_seat, whole
from concilium.commands.played import Narrator, ending, seat_names, settings
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


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "replay", help="step through a recorded game", description=about(__doc__),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("file", metavar="FILE.jsonl", type=Path, help="replays, one a line")
    parser.add_argument(
        "--game-number", metavar="K", type=whole(1), default=1, help="which of them, from 1"
    )
    parser.add_argument("--text", action="store_true", help="tell it all, at a terminal too")
    parser.add_argument(
        "--view", metavar="VIEW", type=_view, default=FULL, help="all, public, or a seat from 0"
    )
    parser.set_defaults(run=_run)


def _view(text: str) -> int:
    if text in _VIEWS:
        return _VIEWS[text]
    try:
        return whole(0, 98)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is none of {', '.join(_VIEWS)} or the number of a seat from 0"
        ) from None


def _run(args: argparse.Namespace) -> int:
    replays = load_replays(args.file)
    number = args.game_number
    if number > len(replays):
        held = f"it holds {len(replays)}" if replays else "it holds none"
        raise FileFormatError(f"replay file {args.file}: no game {number}; {held}")
    replay = replays[number - 1]
    try:
        bound = replay.bind()
        last = replay.verify()
    except FileFormatError as error:
        raise FileFormatError(f"replay file {args.file}, game {number}: {error}") from None
    if args.view >= 0:
        check_seat(args.view, bound)
    print(f"Game {number} of {len(replays)} in {args.file}, seed {replay.seed}")
    print(settings(bound))
    own = args.view if args.view >= 0 else None
    end = list(ending(bound, last, seat_names(bound.num_players, {}, own)))
    if args.text or not at_terminal(sys.stdin, sys.stdout):
        _tell(steps(replay, args.view), end)
    else:
        step_through(list(steps(replay, args.view)), end, _ask)
    return 0


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
        news = narrator.news(states)
        ended = action is None and replay.status != "running"  # that everybody learns
        if shown or news or ended:
            yield Step(heading, tuple(news), _picture(bound, states, narrator))
        if action is not None:
            actor = int(plain_records(states)["actor"][0])
            shown = viewer in (FULL, actor)
            heading = "Then"
            if shown:
                who = "you" if viewer == actor else f"player_{actor}"
                heading = f"{who}: {bound.action_name(action)}"


def _picture(bound: BoundGame, states: Records, narrator: Narrator) -> str:
    if narrator.viewer != FULL:
        return bound.render(narrator.view(states))
    plain = plain_records(states)
    if int(plain["status"][0]) != RUNNING:
        return bound.render(bound.view(states, SPECTATOR))
    actor = int(plain["actor"][0])
    return f"player_{actor} sees:\n" + bound.render(bound.view(states, actor))


def _tell(all_steps: Iterator[Step], end: Sequence[str]) -> None:
    """Print every step, the position at the beginning and the end."""
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
            print(f"\n[{at}/{last}] " + "\n".join(step.lines()) + "\n\n" + step.picture)
            if at == last:
                print("\n" + "\n".join(end))
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
        print(f"There is no step {goal}: 0 to {last}.")
        return at
    return goal
