"""The command line: puts the commands together, runs one, and says in one line what went wrong.

Exit codes: 0 done, 1 the answer is no (a check failed, a game was broken off), 2 wrong input or a
file that cannot be read or written, 130 interrupted, 141 nobody reads the output any more.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from cyclopts import App, CoercionError, CycloptsError, Parameter, UnknownCommandError

import concilium

COMMANDS: Final = {
    "train": "Learn a policy by self-play, or go on with a run that was interrupted.",
    "evaluate": "Measure how strong a bot or a saved policy is.",
    "tournament": "Let every bot play every other, at several table sizes.",
    "search": "Measure what searching adds to a bot, on the same deals with and without.",
    "dilemma": "Tell what becomes of a table as more of its seats deviate.",
    "play": "Play a game among bots, or watch them.",
    "replay": "Step through a recorded game.",
    "bench": "Measure how fast a game and its bots are here, and how fast one learns it.",
    "check": "Check whether a game keeps its contract.",
    "list": "Tell what there is: games with their options, bots, presets.",
    "balance": "Measure what games of rule bots come to with a set of cards.",
    "beliefs": "Measure how good role inference in Believers is.",
    "best-response": "Compute what one seat of a small game of Believers can win at most.",
    "completion": "Print a script that completes commands, names and files in a shell.",
}
"""The first line of each command's help, in the order of the list.

The commands are the functions ``run`` of the modules of :mod:`concilium.commands`, which are loaded
when they are needed: not for this list.
"""

_WRONG: Final = 2
_INTERRUPTED: Final = 130  # what a shell reports of a program ended by SIGINT
_UNREAD: Final = 141  # and by SIGPIPE
_EXTRAS: Final = {"matplotlib": "evaluate", "openskill": "evaluate", "PIL": "render"}
_EXTRA: Final = "train"  # has all others that a command may need


def command_line(chosen: str = "") -> App:
    """The whole command line; the command that is ``chosen`` tells its help itself."""
    app = App(
        name="concilium",
        help=concilium.__doc__,
        help_format="markdown",
        version=f"concilium {concilium.__version__}",
        default_parameter=Parameter(
            negative=(), allow_repeating=True, json_list=False, show_default=_shown
        ),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for position, (name, summary) in enumerate(COMMANDS.items()):
        place = f"concilium.commands.{name.replace('-', '_')}"
        shown = None if name == chosen else summary
        app.command(f"{place}:run", name=name, help=shown, sort_key=position)

    return app


def _shown(default: Any) -> str | None:
    """A default as one would type it; none of a flag, or of what may be left out."""
    words = default if isinstance(default, tuple) else (default,)
    return None if default is None or default is False else " ".join(map(str, words)) or None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; wrong input gives one line on standard error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # unreadable bytes are no reason to stop
            stream.reconfigure(errors="replace")
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where an error can be told
        return code
    except BrokenPipeError:
        code = _UNREAD
    except KeyboardInterrupt:
        code = _complain("interrupted", _INTERRUPTED)
    except ModuleNotFoundError as error:
        missing = (error.name or concilium.__name__).partition(".")[0]
        if missing == concilium.__name__:
            raise
        extra = _EXTRAS.get(missing, _EXTRA)
        code = _complain(f"this needs {missing}: pip install 'concilium[{extra}]'")
    except OSError as error:
        code = _complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except Exception as error:
        from concilium.envs.core.errors import ConciliumError  # loads the games: not for --help

        if not isinstance(error, ConciliumError):
            raise
        code = _complain(str(error))
    _settle_output()
    return code


def _run(words: Sequence[str]) -> int:
    chosen = words[0] if words else ""
    if not words:
        return _complain(f"a COMMAND is required: {', '.join(COMMANDS)}; see concilium --help")
    try:
        code = command_line(chosen)(words)
    except CycloptsError as error:
        called = f"concilium {chosen}" if chosen in COMMANDS else "concilium"
        return _complain(f"{_told(error)}; see {called} --help")
    except SystemExit:  # how rich leaves when nobody reads the help any more
        return _UNREAD
    return int(code or 0)


def _told(error: CycloptsError) -> str:
    """What is wrong with the command line, in one line."""
    if isinstance(error, CoercionError) and error.msg and error.argument:
        return f"{error.argument.name}: {error.msg}"
    if isinstance(error, UnknownCommandError) and error.unused_tokens:
        word = error.unused_tokens[0]
        near = difflib.get_close_matches(word, COMMANDS, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        return f"no command {word!r}; there are {', '.join(COMMANDS)}{meant}"
    message = " ".join(str(error).split()).replace('"', "'").rstrip(".")
    return message[:1].lower() + message[1:]


def printable(text: str) -> str:
    """``text`` with whatever is not printable spelled out, line ends and escape codes included."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _complain(message: str, code: int = _WRONG) -> int:
    with contextlib.suppress(OSError, AttributeError):  # closed, or None when there is none
        sys.stderr.write(f"concilium: {printable(message)}\n")
    return code


def _settle_output() -> None:
    """Write what is still to be written; where that fails, see that the exit does not try again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
