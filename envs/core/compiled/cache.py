"""Where compiled code is kept on disk: a folder per digest of what is compiled.

Whatever goes wrong with it costs a compilation and one line on standard error, not the program.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any, Final

import platformdirs
from numba.core import serialize
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult

CACHE_VARIABLE: Final = "CONCILIUM_CACHE_DIR"
_KEPT_FOLDERS: Final = 4  # newest folders kept per name: enough for a few checkouts side by side
_DIGEST_BYTES: Final = hashlib.sha256().digest_size
_FILLED: Final = "filled"  # file in a folder that a process has left with all that it compiled
_said: Final[set[tuple[str, Path]]] = set()
_unkept: Final[dict[Path, set[Path]]] = {}  # by folder: files that this process is to write


def _say_once(what: str, path: Path, line: str) -> None:
    """Say a line on standard error once per process: it is the same for every entry point."""
    if (what, path) not in _said:
        _said.add((what, path))
        print(f"concilium: {line}", file=sys.stderr)


def cache_root() -> Path:
    """Return the folder that holds all compiled code.

    ``CONCILIUM_CACHE_DIR`` if set, else ``concilium`` in the user's cache folder; a user without a
    home has a folder of their own among the temporary ones.

    Raises:
        OSError: there is no home, and no temporary folder that is this user's alone.
    """
    override = os.environ.get(CACHE_VARIABLE)
    if override:
        return Path(override)
    with contextlib.suppress(RuntimeError):  # no HOME, and the user is not listed
        root = platformdirs.user_cache_path("concilium", appauthor=False)
        if root.is_absolute():
            return root
    return _temporary_root()


def _temporary_root() -> Path:
    root = Path(tempfile.gettempdir()) / f"concilium-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        root.mkdir(mode=0o700)
        print(f"concilium: no home: compiled code is kept in {root}", file=sys.stderr)
    found = root.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        # what lies there is run, so nobody else may have put it there
        raise PermissionError(f"there is no home, and {root} is not this user's alone")
    return root


def cache_folder(name: str, digest: str) -> Path | None:
    """Return the folder for compiled code of ``name``, made if need be; None if it cannot be made.

    With a new folder the oldest ones of the same name are removed. One that cannot be written is
    still read from.
    """
    root = Path()
    try:
        root = cache_root()
        folder = root / f"{name}-{digest}"
        if folder.is_dir():
            with contextlib.suppress(OSError):
                os.utime(folder)
            return folder
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _say_not_kept(root, error)
        return None
    _prune(root, name)
    return folder


def _say_not_kept(root: Path, error: Exception) -> None:
    _say_once("not kept", root, f"compiled code is not kept: {error}")


@atexit.register
def _mark_filled() -> None:
    """From now on nobody is told of the few signatures that another process may add."""
    for folder, files in _unkept.items():
        if not files:  # else this process is ended in mid-compilation, or could not write
            with contextlib.suppress(OSError):
                (folder / _FILLED).touch()


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
        """Return the code for a signature; None if it is to be compiled.

        That is said as long as no process has ended with all that it compiled kept, so again after
        a first start that was killed.
        """
        target_context.refresh()
        path = self._file(sig, target_context.codegen())
        what = self._folder.name.rpartition("-")[0]
        line = ""
        try:
            kept = path.read_bytes()
            digest, code = kept[:_DIGEST_BYTES], kept[_DIGEST_BYTES:]
            if hashlib.sha256(code).digest() == digest:  # else it could end the process
                return CompileResult._rebuild(target_context, *pickle.loads(code))
            line = f"compiling {what} anew, {self._folder} is damaged"
        except (FileNotFoundError, NotADirectoryError):
            if not (self._folder / _FILLED).exists():
                line = f"compiling {what}, once for this machine"
        except OSError as error:
            line = f"compiling {what}, what is kept cannot be read: {error}"
        except Exception as error:  # any: what was written by another version of a library
            line = f"compiling {what} anew, {self._folder} is damaged: {error!r}"
        _unkept.setdefault(self._folder, set()).add(path)
        if line:
            _say_once("compiling", self._folder, line)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature, after its digest, if that is possible."""
        if data.lifted or data.library.has_dynamic_globals:
            raise TypeError(f"{self._name} cannot be kept: it holds addresses of this process")
        path = self._file(sig, data.codegen)
        part = path.with_suffix(f".{uuid.uuid4().hex}")
        code = serialize.dumps(data._reduce())
        try:
            part.write_bytes(hashlib.sha256(code).digest() + code)
            os.replace(part, path)
            _unkept[self._folder].discard(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            _say_not_kept(self._folder.parent, error)
