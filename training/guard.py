"""What keeps a run from harm: one process at a time in its folder, and an end that can be told."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final

from concilium.envs import OptionError

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows: there folders are not kept apart
    fcntl = None

LOCK: Final = ".lock"
_NO_LOCKS: Final = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}  # of some network drives
TERMINATED: Final = 128 + signal.SIGTERM
"""Exit code of a process that was asked to end, as a shell tells it."""


@contextlib.contextmanager
def only_process(folder: Path) -> Iterator[None]:
    """Keep every other process out of a run's folder, which is there.

    The system holds the lock for as long as the file is open, so a process that is killed leaves
    none behind, whatever becomes of the file.

    Raises:
        OptionError: another process has it.
        OSError: the folder cannot be written.
    """
    if fcntl is None:
        yield
        return
    path = folder / LOCK
    handle = _open_locked(path, folder)
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _open_locked(path: Path, folder: Path) -> int:
    """A handle of the file, locked, that is still the file of that name."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
        except BlockingIOError:
            owner = os.read(handle, 20).decode(errors="replace").strip()
            os.close(handle)
            raise OptionError(
                f"folder {folder} is in use: process {owner or 'unknown'} trains in it"
            ) from None
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return handle
            os.close(handle)
            raise
        os.close(handle)  # whoever had it before has removed the file meanwhile


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM raise ``SystemExit``, so that what is to be kept is, if nobody else cares for it.

    Ctrl-C raises ``KeyboardInterrupt`` anyway. Signals can only be cared for in the main thread.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise SystemExit(TERMINATED)
