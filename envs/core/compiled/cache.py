"""Where compiled code is kept on disk: a folder per digest of what is compiled.

Whatever goes wrong with it costs a compilation and one line on standard error, not the program.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import shutil
import sys
import uuid
from pathlib import Path
from typing import Any, Final

import platformdirs
from numba.core import serialize
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult

CACHE_VARIABLE: Final = "CONCILIUM_CACHE_DIR"
_KEPT_FOLDERS: Final = 4  # newest folders kept per name: enough for a few checkouts side by side
_not_kept: Final[set[Path]] = set()  # roots about which it has been said


def cache_root() -> Path:
    """Return the folder that holds all compiled code.

    ``CONCILIUM_CACHE_DIR`` if set, else ``concilium`` in the user's cache folder.
    """
    override = os.environ.get(CACHE_VARIABLE)
    return (
        Path(override) if override else platformdirs.user_cache_path("concilium", appauthor=False)
    )


def cache_folder(name: str, digest: str) -> Path | None:
    """Return the folder for compiled code of ``name``, made if need be; None if it cannot be made.

    A new folder is announced on standard error, because filling it takes a while, and the oldest
    folders of the same name are removed. One that cannot be written is still read from.
    """
    root = cache_root()
    folder = root / f"{name}-{digest}"
    if folder.is_dir():
        with contextlib.suppress(OSError):
            os.utime(folder)
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _say_not_kept(root, error)
        return None
    print(f"concilium: compiling {name}, once for this machine", file=sys.stderr)
    _prune(root, name)
    return folder


def _say_not_kept(root: Path, error: Exception) -> None:
    """Say so once per process: it is the same for every entry point."""
    if root not in _not_kept:
        _not_kept.add(root)
        print(f"concilium: compiled code is not kept: {error}", file=sys.stderr)


def _prune(root: Path, name: str) -> None:
    with contextlib.suppress(OSError):
        own = re.compile(re.escape(name) + "-[0-9a-f]{16}")
        folders = [path for path in root.iterdir() if own.fullmatch(path.name)]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in folders[_KEPT_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)


class KeptCode(NullCache):  # type: ignore[misc]  # Numba is untyped
    """Keeps an entry point's compiled code, a file for each signature and kind of processor.

    Stands for the cache that Numba gives to a function. Numba's own compiles anew when a comment of
    the file changes, cannot read from a folder that it cannot write, and can mix up two signatures
    that two processes write at once.

    Args:
        folder: where the files lie, whose name tells what the code was compiled from.
        name: of the entry point in the folder.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def _file(self, signature: Any, codegen: Any) -> Path:
        key = repr((signature, codegen.magic_tuple())).encode()
        return self._folder / f"{self._name}-{hashlib.sha256(key).hexdigest()[:16]}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None if it is not there or cannot be read."""
        target_context.refresh()
        try:
            data = self._file(sig, target_context.codegen()).read_bytes()
            return CompileResult._rebuild(target_context, *pickle.loads(data))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Exception as error:  # any: the file is a pickle, and can be damaged in any way
            print(
                f"concilium: compiling anew, {self._folder} is damaged: {error!r}", file=sys.stderr
            )
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature if that is possible."""
        if data.lifted or data.library.has_dynamic_globals:
            raise TypeError(f"{self._name} cannot be kept: it holds addresses of this process")
        path = self._file(sig, data.codegen)
        part = path.with_suffix(f".{uuid.uuid4().hex}")
        try:
            part.write_bytes(serialize.dumps(data._reduce()))
            os.replace(part, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            _say_not_kept(self._folder.parent, error)
