"""The command line: puts the commands together, runs one, and says in one line what went wrong.

Exit codes: 0 done, 1 the answer is no (a check failed, a game was broken off), 2 wrong input or a
file that cannot be read or written, 130 interrupted, 141 nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import concilium
from concilium.commands.arguments import printable
from concilium.envs import ConciliumError

COMMANDS: Final = (
    "train", "evaluate", "tournament", "dilemma", "play", "replay", "bench", "check", "list",
    "completion",
)  # fmt: skip
"""The modules of :mod:`concilium.commands`, in the order of the help."""

_WRONG: Final = 2
_INTERRUPTED: Final = 130  # what a shell reports of a program ended by SIGINT
_UNREAD: Final = 141  # and by SIGPIPE
_EXTRA: Final = "concilium[train]"  # has every package that a command may need


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line. Parsers of commands are of this class too."""

    def __init__(self, **arguments: Any) -> None:
        arguments.setdefault("allow_abbrev", False)  # a new option must not change what works now
        super().__init__(**arguments)

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        self.exit(_WRONG, f"concilium: {printable(message)}; see {self.prog} --help\n")


def parser() -> Parser:
    """Return the parser of the whole command line."""
    top = Parser(prog="concilium", description=concilium.__doc__)
    top.add_argument("--version", action="version", version=f"concilium {concilium.__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        importlib.import_module(f"concilium.commands.{name}").add_parser(commands)
    top.set_defaults(commands=commands.choices)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; wrong input gives one line on standard error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # unreadable bytes are no reason to stop
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where an error can be told
        return code
    except BrokenPipeError:
        code = _UNREAD
    except KeyboardInterrupt:
        code = _complain("interrupted", _INTERRUPTED)
    except ConciliumError as error:
        code = _complain(str(error))
    except ModuleNotFoundError as error:
        missing = (error.name or concilium.__name__).partition(".")[0]
        if missing == concilium.__name__:
            raise
        code = _complain(f"this needs {missing}: pip install '{_EXTRA}'")
    except OSError as error:
        code = _complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    _settle_output()
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        args, rest = parser().parse_known_args(arguments)
        if rest:
            args.commands[args.command].error(f"not understood: {' '.join(rest)}")
    except SystemExit as stop:  # how argparse leaves, after --help too
        return int(stop.code or 0)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


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
