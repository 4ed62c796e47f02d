"""Running the command line, in this process and in one of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


def concilium(*words: object, given: str = "") -> Ran:
    """Run a command in a process of its own, with ``given`` as its input through a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "concilium", *map(str, words)],
        input=given, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A command run at a terminal of its own.

    Attributes:
        shown: all that it has shown so far.
    """

    def __init__(self, *words: object) -> None:
        self._manager, terminal = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "concilium", *map(str, words)],
            stdin=terminal, stdout=terminal, stderr=subprocess.PIPE,
            env={**os.environ, "TERM": "dumb"},
        )  # fmt: skip
        os.close(terminal)
        self.shown = ""

    def type(self, keys: str, prompt: str) -> str:
        """Wait for the prompt, then type; return what was shown before, without the prompt."""
        start, end = len(self.shown), time.monotonic() + 60
        while prompt not in self.shown[start:]:
            assert time.monotonic() < end, self.shown
            if select.select([self._manager], [], [], 1)[0]:
                self.shown += os.read(self._manager, 65536).decode()
        os.write(self._manager, keys.encode())
        return self.shown[start:].replace(prompt, "").replace("\r\n", "\n")

    def finish(self) -> Ran:
        """Wait for the end of the command."""
        _, error = self._process.communicate(timeout=60)
        try:
            while chunk := os.read(self._manager, 65536):
                self.shown += chunk.decode()
        except OSError:  # how Linux says that nobody is at the other end
            pass
        os.close(self._manager)
        # where colorama is installed, Numba loads it, and at the end it resets the colours
        shown = self.shown.replace("\r\n", "\n").removesuffix("\x1b[0m")
        return Ran(self._process.returncode, shown, error.decode())
