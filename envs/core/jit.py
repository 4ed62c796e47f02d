"""Compilation: which functions are compiled how, and where the compiled code is kept.

Two kinds of compiled function exist. *Helpers* (:func:`jit`) are called from compiled code only and
get no Python or C entry, which would have to be compiled too. *Entry points*
(:func:`bind`) are called from Python and are cached on disk.

Numba notices edits of the file that holds a cached function and of no other file, so each game's
entry points go to a folder whose name is a digest of everything that they are compiled from.
``NUMBA_DISABLE_JIT=1`` runs the very same functions in the interpreter.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from numba.core import config

INTERPRETED: Final[bool] = bool(config.DISABLE_JIT)
"""True when the rules run in the interpreter (``NUMBA_DISABLE_JIT=1``)."""

CACHE_VARIABLE: Final = "CONCILIUM_CACHE_DIR"
_SOURCES: Final = {".py", ".toml", ".json"}
_BEGAN: Final = time.time()  # files that are younger may not be what this process has read
_KEPT_FOLDERS: Final = 4  # newest folders kept per game: enough for a few checkouts side by side


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a helper: callable from compiled code only.

    All signed whole numbers are taken as ``int64``, constants included, so that each helper is
    compiled once and not once per mixture of field widths and literals.
    """
    helper = numba.njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, nogil=True, error_model="numpy"
    )(function)
    if INTERPRETED:
        return helper  # type: ignore[no-any-return]
    resolve = helper.get_call_template

    def resolve_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(_widened, args)), kws)

    helper.get_call_template = resolve_widened
    return helper  # type: ignore[no-any-return]


def _widened(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.Integer) and kind.signed:
        return numba.types.int64
    return kind


def cache_root() -> Path:
    """Return the folder that holds the compiled code of all games.

    ``CONCILIUM_CACHE_DIR`` if set, else ``concilium`` in the user's cache folder.
    """
    override = os.environ.get(CACHE_VARIABLE)
    if override:
        return Path(override)
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "concilium"


def source_digest(folders: Iterable[Path], parts: Iterable[str] = ()) -> str:
    """Return 16 hex digits over what is compiled and the versions that it runs under.

    Args:
        folders: all Python, TOML and JSON files below them count.
        parts: names of the functions that are compiled together.
    """
    digest = hashlib.sha256()
    digest.update(f"{sys.version}|{numba.__version__}|{np.__version__}".encode())
    for part in parts:
        digest.update(part.encode() + b"\0")
    for folder in folders:
        for path in _sources(folder):
            name = path.relative_to(folder).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _sources(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in _SOURCES]


def cache_folder(name: str, folders: Iterable[Path], parts: Iterable[str] = ()) -> Path | None:
    """Return the folder for compiled code of ``name``, made if need be; None if none may be used.

    That is if none is writable, or if a source was changed after this process began: what it has
    read before would be kept as if it came from the new one. A new folder is announced on standard
    error, because filling it takes a while, and the oldest folders of the same name are removed.
    """
    folders = list(folders)
    if any(path.stat().st_mtime > _BEGAN for folder in folders for path in _sources(folder)):
        print(
            f"concilium: compiled code of {name} is not kept: its sources have just been changed",
            file=sys.stderr,
        )
        return None
    root = cache_root()
    folder = root / f"{name}-{source_digest(folders, parts)}"
    try:
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        print(f"concilium: compiled code is not kept: {error}", file=sys.stderr)
        return None
    if fresh:
        print(f"concilium: compiling {name}, once for this machine", file=sys.stderr)
        _prune(root, name)
    else:
        with contextlib.suppress(OSError):
            os.utime(folder)
    return folder


def _prune(root: Path, name: str) -> None:
    with contextlib.suppress(OSError):
        own = re.compile(re.escape(name) + "-[0-9a-f]{16}")
        folders = [path for path in root.iterdir() if own.fullmatch(path.name)]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in folders[_KEPT_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let Numba place caches in ``folder``: it reads the setting when a function is decorated."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def rebound(
    template: Callable[..., Any], name: str, parts: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return a copy of ``template`` that finds the globals in ``parts`` in place of its own."""
    assert isinstance(template, types.FunctionType)
    copy = types.FunctionType(
        template.__code__, {**template.__globals__, **parts}, template.__name__
    )
    copy.__qualname__ = f"{name}.{template.__name__}"
    copy.__module__ = template.__module__
    copy.__doc__ = template.__doc__
    return copy


def bind(
    template: Callable[..., Any], name: str, parts: Mapping[str, Any], folder: Path | None
) -> Callable[..., Any]:
    """Compile ``template`` as an entry point with the globals in ``parts`` put in its place.

    A generic loop written as a closure over a game's functions would never hit Numba's disk cache;
    a copy of the template with other globals and a name of its own does.

    Args:
        template: a module-level function that calls the names in ``parts``.
        name: prefix that makes the copy's qualified name unique (the game's name).
        parts: the functions and constants that the copy calls.
        folder: where the compiled code is kept; None compiles at every start.
    """
    copy = rebound(template, name, parts)
    if INTERPRETED:
        return _raising(copy)
    if folder is None:
        return numba.njit(nogil=True, error_model="numpy")(copy)  # type: ignore[no-any-return]
    with _cache_in(folder):
        entry = numba.njit(nogil=True, cache=True, error_model="numpy")(copy)
    _survive_bad_files(entry._cache, folder)
    return entry  # type: ignore[no-any-return]


def _survive_bad_files(cache: Any, folder: Path) -> None:
    """Let a damaged or unwritable cache cost a compilation and one line, not the program.

    Numba lets whatever goes wrong while it reads or writes a cache file through to the caller.
    """
    load, save = cache.load_overload, cache.save_overload

    def load_or_compile(*args: Any) -> Any:
        try:
            return load(*args)
        except Exception as error:  # any: the files are pickles, and can be damaged in any way
            print(f"concilium: compiling anew, {folder} is damaged: {error!r}", file=sys.stderr)
            with contextlib.suppress(OSError):
                cache.flush()
            return None

    def save_or_not(*args: Any) -> None:
        try:
            save(*args)
        except (OSError, EOFError) as error:
            print(f"concilium: compiled code is not kept: {error}", file=sys.stderr)

    cache.load_overload, cache.save_overload = load_or_compile, save_or_not


def bind_helper(
    template: Callable[..., Any], name: str, parts: Mapping[str, Any]
) -> Callable[..., Any]:
    """Bind ``template`` as a helper: called from compiled code only, compiled with its callers."""
    return jit(rebound(template, name, parts))


def _raising(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the interpreted run raise where compiled integer arithmetic would silently wrap."""

    def run(*args: Any) -> Any:
        with np.errstate(over="raise"):
            return function(*args)

    return run
