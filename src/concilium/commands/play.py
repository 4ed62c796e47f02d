"""``concilium play``: a person at the terminal among bots, or bots among themselves.

Everything that is told comes from the View of the person's seat, with ``--watch`` from that of a
spectator. Bots get the Views of their own seats. Input may come from a pipe; then each line of it
is repeated in the output.
"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from concilium.baselines import Bot, bot_names, make_bot
from concilium.commands.arguments import (
    SEED,
    about,
    add_game,
    add_options,
    at_terminal,
    check_seat,
    output_file,
    printable,
    read_options,
    whole,
    writing,
)
from concilium.commands.played import Narrator, PlayedGame, ending, seat_names, settings
from concilium.envs import (
    SPECTATOR,
    BoundGame,
    Game,
    OptionError,
    Replay,
    load_replays,
    save_replays,
)

_HELP: Final = """\
  a number, or words of a move that no other move has: make that move
  look   everything you know, in words
  log    everything that happened
  ?      this help
  quit   leave the game
There is no undo: the others have seen it."""
_PROMPT: Final = "move> "
_BROKEN_OFF: Final = 1  # exit code when the input ends before the game


class Left(Exception):
    """The person has left: on purpose, or because there is no more input.

    Attributes:
        on_purpose: it was said so.
    """

    def __init__(self, on_purpose: bool) -> None:
        super().__init__(on_purpose)
        self.on_purpose = on_purpose


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "play", help="play a game among bots, or watch them", description=about(__doc__),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add_game(parser)
    parser.add_argument("--players", metavar="N", type=whole(1, 99), help="seats at the table")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--seat", metavar="K", type=whole(0, 98), default=0, help="yours, from 0")
    who.add_argument("--watch", action="store_true", help="nobody plays but bots")
    parser.add_argument(
        "--bots", metavar="BOT", nargs="+",
        help="one for all other seats, or one for each in the order of seats: names or policy "
        "files; by default the game's own first bot",
    )  # fmt: skip
    parser.add_argument(
        "--seed", metavar="S", type=SEED,
        help="of deal and bots; the same seed and moves give the same game",
    )  # fmt: skip
    parser.add_argument(
        "--record", metavar="FILE.jsonl", type=output_file,
        help="add the game to this file, however far it came",
    )  # fmt: skip
    add_options(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    game: Game = args.game
    options: dict[str, object] = {**read_options(game, args.option)}
    if args.players is not None:
        options["num_players"] = args.players
    bound = game.bind(**options)
    person = None if args.watch else check_seat(args.seat, bound)
    seed = secrets.randbits(63) if args.seed is None else args.seed
    bots = seat_bots(bound, args.bots or [_first_bot(game)], person, seed)
    if args.record:
        _recorded(args.record)  # so that a file that cannot be added to is known before the game
    table = PlayedGame(bound, seed)
    left = None
    try:
        _play(table, bots, person)
    except Left as leaving:
        left = leaving
    finally:
        if args.record:
            with writing(args.record):
                save_replays(args.record, [*_recorded(args.record), table.replay()])
    if left is None:
        if args.record:
            print(f"The game is in {args.record}.")
        return 0
    where = f"the game so far is in {args.record}" if args.record else "it is not recorded"
    state = f"decisions so far: {len(table.decisions)}; seed {seed}; {where}"
    if left.on_purpose:
        print(f"You left the game. {state}.")
        return 0
    print(f"concilium: the input ended before the game; {state}", file=sys.stderr)
    return _BROKEN_OFF


def seat_bots(
    bound: BoundGame, names: Sequence[str], person: int | None, seed: int
) -> dict[int, Bot]:
    """Make the bots of all seats but the person's, each with chance of its own.

    Args:
        bound: the game with its options.
        names: one for all, or one for each in the order of seats; names or policy files.
        person: the seat left free, None for none.
        seed: of the bots.

    Raises:
        OptionError: unknown, for another game, or not as many as seats.
        FileFormatError: a policy file cannot be used.
    """
    seats = [seat for seat in range(bound.num_players) if seat != person]
    if len(names) not in (1, len(seats)):
        raise OptionError(f"{len(names)} bots for {len(seats)} seats: one for each, or one for all")
    each = list(names) * (len(seats) if len(names) == 1 else 1)
    seeds = np.random.SeedSequence(seed).generate_state(bound.num_players, np.uint64)
    return {
        seat: make_bot(name, bound, seed=int(seeds[seat]))
        for seat, name in zip(seats, each, strict=True)
    }


def _first_bot(game: Game) -> str:
    """A bot made for the game, if there is one."""
    names = bot_names(game)
    return next((name for name in names if "/" in name), names[0])


def _recorded(path: Path) -> list[Replay]:
    return load_replays(path) if path.exists() else []


def _play(table: PlayedGame, bots: dict[int, Bot], person: int | None) -> None:
    """Play to the end and tell it; Left if the person goes before."""
    bound = table.bound
    viewer = SPECTATOR if person is None else person
    narrator = Narrator(bound, viewer)
    known = {seat: bot.name for seat, bot in bots.items()}
    names = seat_names(bound.num_players, known, person)
    print(settings(bound))
    print(f"At the table: {', '.join(names)}.")
    asker = None if person is None else Person(table)
    news = narrator.news(table.states)
    while not table.over:
        if asker is None or table.actor != person:
            table.take(table.choice(bots[table.actor]))
        elif len(legal := table.legal()) == 1:
            news.append(f"you have one move only: {bound.action_name(legal[0])}")
            table.take(legal[0])
        else:
            table.take(asker.ask(news))
            news = []
        news += narrator.news(table.states)
        if person is None and news:
            print("\n".join(news), flush=True)
            news = []
    if news:
        print("\n" + "\n".join(f"  {line}" for line in news))
    print("\n" + bound.render(narrator.view(table.states)) + "\n")
    print("\n".join(ending(bound, table.states, names)))
    print(f"Seed {table.seed}; decisions: {len(table.decisions)}.")


class Person:
    """Asks for moves at standard input.

    Args:
        table: the game; who is to decide when asked is the person.
    """

    def __init__(self, table: PlayedGame) -> None:
        self._table = table
        self._log: list[str] = []
        self._terminal = at_terminal(sys.stdin)
        if self._terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (from then on input() lets one edit the line)

    def ask(self, news: Sequence[str]) -> int:
        """Show what is new, the position and the moves; return the one chosen.

        Raises:
            Left: the person left, or there is no more input.
        """
        bound, view = self._table.bound, self._table.view()
        legal = self._table.legal()
        moves = [bound.action_name(action) for action in legal]
        self._log += news
        commands: dict[str, Callable[[], str]] = {
            "?": lambda: _HELP,
            "help": lambda: _HELP,
            "log": lambda: "\n".join(self._log) or "nothing yet",
            "look": lambda: bound.describe(view),
            "undo": lambda: _HELP.splitlines()[-1],
        }
        if news:
            when = "Since your last move" if self._table.decisions else "So far"
            print(f"\n{when}:\n" + "\n".join(f"  {line}" for line in news))
        print("\n" + bound.render(view))
        print(f"\nYour moves ({bound.kind(view)}):")
        print("\n".join(f"{number:>4}  {move}" for number, move in enumerate(moves, start=1)))
        while True:
            line = self._read().strip()
            if line.lower() == "quit":
                raise Left(on_purpose=True)
            if line.lower() in commands:
                print(commands[line.lower()]())
                continue
            chosen = find_move(line, moves)
            if isinstance(chosen, int):
                return legal[chosen]
            print(chosen)

    def _read(self) -> str:
        """The next line of input, without its end."""
        if self._terminal:
            try:
                return input(_PROMPT)
            except EOFError:
                print()
                raise Left(on_purpose=False) from None
        print(_PROMPT, end="", flush=True)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        print(printable(line.rstrip("\n")), flush=True)
        if not line:
            raise Left(on_purpose=False)
        return line


def find_move(line: str, moves: Sequence[str]) -> int | str:
    """Find the move that is meant.

    Args:
        line: a number from 1, a move's whole name, or parts of it in any order; upper case or not.
        moves: names of the moves that there are.

    Returns:
        Its index in ``moves``; or, if it is not clear, what to tell the person.
    """
    said = line.strip().lower()
    if said.isdecimal():
        number = int(said) if len(said) < 10 else 0
        if 1 <= number <= len(moves):
            return number - 1
        return f"There is no move {said}: 1 to {len(moves)}, words of a move, or ? for help."
    names = [move.lower() for move in moves]
    if said in names:
        return names.index(said)
    words = said.split()
    fitting = [k for k, name in enumerate(names) if words and all(word in name for word in words)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return f"{line.strip()!r} fits " + ", ".join(f"{k + 1} ({moves[k]})" for k in fitting) + "."
    return f"No move fits {line.strip()!r}: a number, words of a move, or ? for help."
