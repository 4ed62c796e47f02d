"""``concilium play``: a person at the terminal among bots, or bots among themselves."""

from __future__ import annotations

import contextlib
import secrets
import shlex
import sys
from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import Group, Parameter
from cyclopts.validators import mutually_exclusive

from concilium.baselines import Bot
from concilium.cli import printable
from concilium.commands import arguments as arg
from concilium.commands.played import Listener, PlayedGame, ending, settings, tell
from concilium.commands.seats import (
    Save,
    bots_of,
    cast,
    default_bot,
    go_on,
    names_of,
    person_name,
    sit_down,
    unfinished,
)
from concilium.commands.session import Desk, Left, Pause, clear, hand_over, menu
from concilium.envs import SPECTATOR, BoundGame, OptionError

_PROMPT: Final = "move> "
_BROKEN_OFF: Final = 1  # exit code when the input ends before the game
_WHO: Final = Parameter(group=Group("Who plays", validator=mutually_exclusive))


def run(
    game: arg.GameName,
    /,
    *,
    players: arg.TableSize | None = None,
    seat: Annotated[int, arg.one(arg.whole(0, 98)), _WHO] = 0,
    watch: Annotated[bool, _WHO] = False,
    bots: arg.BotNames | None = None,
    seed: arg.Seed | None = None,
    record: arg.OutputFile | None = None,
    resume: arg.OutputFile | None = None,
    people: Annotated[tuple[str, ...], arg.several(person_name)] = (),
    step: bool = False,
    option: arg.Options = (),
) -> int:
    """Play a game among bots, or watch them.

    Everything that is told comes from the View of the person's seat, with --watch from that of a
    spectator. Bots get the Views of their own seats. Input may come from a pipe; then each line of
    it is repeated in the output.

    Args:
        game: the game.
        players: seats at the table.
        seat: yours, from 0.
        watch: nobody plays but bots.
        bots: one for all other seats, or one for each in the order of seats: names or policy files;
            by default the game's strongest rule bot.
        seed: of deal and bots; the same seed and moves give the same game. Drawn by default.
        record: add the game to this file, however far it came.
        resume: go on with the last unfinished game in this file, and keep it there.
        people: names of those who play at this terminal, in the seats from --seat on; by default
            one, without a name.
        step: with --watch at a terminal, wait after everything that happens.
        option: an option of the game, again for each; concilium list tells them.
    """
    if resume is not None:
        if players is not None or seed is not None or any((option, record, bots, people, watch)):
            raise OptionError(
                "--resume takes table, seed and players from the file: leave them out"
            )
        saved = unfinished(resume, game)
        table, seated = go_on(saved, seat)
        save: Save | None = Save(resume, saved)
    else:
        if watch and people:
            raise OptionError("--people play, and with --watch nobody plays but bots")
        options: dict[str, object] = {**arg.read_options(game, option)}
        if players is not None:
            options["num_players"] = players
        bound = game.bind(**options)
        names = {} if watch else sit_down(bound, seat, people or ("",))
        drawn = secrets.randbits(63) if seed is None else seed
        who = cast(bound, bots or [default_bot(game)], names, drawn)
        table, seated = PlayedGame(bound, drawn, who), bots_of(bound, who)
        save = Save(record) if record else None
        if save:
            save.held()  # so that a file that cannot be added to is known before the game
    return _played(table, seated, save, step)


def _played(table: PlayedGame, bots: dict[int, Bot], save: Save | None, step: bool) -> int:
    """Play, keep the game and say where it is; the exit code."""
    left = None
    try:
        try:
            _play(table, bots, step)
        finally:
            if save:
                save.keep(table.replay())
    except Left as leaving:
        left = leaving
    except KeyboardInterrupt:
        print("\n" + _so_far(table, save), flush=True)
        raise
    if left is None:
        if save:
            print(f"The game is in {save.path}.")
        return 0
    if left.on_purpose:
        print(f"You left the game. {_so_far(table, save)}.")
        return 0
    print(f"concilium: the input ended before the game; {_so_far(table, save)}", file=sys.stderr)
    return _BROKEN_OFF


def _so_far(table: PlayedGame, save: Save | None) -> str:
    """How far a game came that was broken off, where it is, and how it goes on."""
    text = f"decisions so far: {len(table.decisions)}; seed {table.seed}; "
    if save is None:
        return text + "it is not recorded"
    again = f"concilium play {table.bound.game.name} --resume {shlex.quote(str(save.path))}"
    return text + f"the game so far is in {save.path}; to go on: {again}"


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
    people = {} if person is None else {person: ""}
    return bots_of(bound, cast(bound, names, people, seed))


def _play(table: PlayedGame, bots: dict[int, Bot], step: bool = False) -> None:
    """Play to the end and tell it; Left if a person goes before."""
    bound = table.bound
    seats = [seat for seat in range(bound.num_players) if seat not in bots]
    own = seats[0] if len(seats) == 1 else None
    names = names_of(table.players, own)
    tell(settings(bound))
    tell(f"At the table: {', '.join(names)}.")
    people = {seat: Person(table, seat) for seat in seats}
    public = Listener(bound, SPECTATOR)
    everybody = [*people.values(), public]
    pause = Pause(step and not seats)
    last = own
    for each in everybody:
        each.listen(table.states)
    while not table.over:
        actor = table.actor
        if actor in bots:
            table.take(table.choice(bots[actor]))
        elif len(legal := table.legal()) == 1:
            move = bound.action_name(legal[0], actor)
            people[actor].news.append(f"you have one move only: {move}")
            table.take(legal[0])
        else:
            if last != actor:
                hand_over(names[actor])
            last = actor
            action = people[actor].ask()
            public.news = []
            table.take(action)
        for each in everybody:
            each.listen(table.states)
        if not seats and public.news:
            tell("\n".join(public.news))
            sys.stdout.flush()
            public.news = []
            pause.wait()
    onlooker = public if own is None else people[own]
    if len(seats) > 1:
        clear()
    if onlooker.news:
        tell("\n" + "\n".join(f"  {line}" for line in onlooker.news))
    tell("\n" + bound.render(onlooker.view(table.states)) + "\n")
    tell("\n".join(ending(bound, table.states, names)))
    tell(f"Seed {table.seed}; decisions: {len(table.decisions)}.")


class Person(Listener):
    """Asks for moves at standard input.

    Args:
        table: the game.
        seat: the person's.
    """

    def __init__(self, table: PlayedGame, seat: int) -> None:
        super().__init__(table.bound, seat)
        self._table = table
        self._log: list[str] = []
        self._terminal = arg.at_terminal(sys.stdin)
        if self._terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (from then on input() lets one edit the line)

    def ask(self) -> int:
        """Show what is new, the position and the moves; return the one chosen.

        Raises:
            Left: the person left, or there is no more input.
        """
        bound, view = self._table.bound, self._table.view()
        legal = self._table.legal()
        moves = [bound.action_name(action, self.viewer) for action in legal]
        news, self.news = self.news, []
        self._log += news
        if news:
            when = "Since your last move" if self._table.decisions else "So far"
            tell(f"\n{when}:\n" + "\n".join(f"  {line}" for line in news))
        tell("\n" + bound.render(view))
        desk = Desk(bound, view, menu(bound, view, legal, moves), self._log)
        tell("\n" + desk.menu)
        while True:
            line = self._read().strip()
            if line.lower() == "quit":
                raise Left(on_purpose=True)
            if (answer := desk.answer(line)) is not None:
                tell(answer)
                continue
            chosen = find_move(line, moves)
            if isinstance(chosen, int):
                return legal[chosen]
            tell(chosen)

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
