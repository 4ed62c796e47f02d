"""Reading and writing files so that bad input and interrupted runs do no harm."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from concilium.envs.core.errors import FileFormatError


def write_atomically(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write ``data`` to a temporary file beside ``path`` and rename it: all of it or nothing.

    Raises:
        OSError: the folder cannot be written or is full; an older file at ``path`` is untouched.
    """
    target = Path(path)
    try:
        _write(target, data)
    except OSError as error:
        if error.errno is None:
            raise
        # with the name of the file that was meant, not of the temporary one
        raise OSError(error.errno, error.strerror, str(target)) from None


def _write(target: Path, data: str | bytes) -> None:
    raw = data.encode() if isinstance(data, str) else data
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read_limited(path: str | os.PathLike[str], limit: int, what: str) -> bytes:
    """Read a regular file of at most ``limit`` bytes.

    Args:
        path: the file.
        limit: largest size in bytes.
        what: what it should be, for the message.

    Raises:
        FileFormatError: there is no such file, it is no regular file, cannot be read, or is larger.
    """
    source = Path(path)
    try:
        if not source.is_file():
            raise FileFormatError(f"{what} {source}: no such file")
        with source.open("rb") as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise FileFormatError(
                f"{what} {source}: more than {limit} bytes, the most that is read"
            )
        return data
    except OSError as error:
        raise FileFormatError(f"{what} {source}: {error.strerror}") from None
