"""What a result needs to be cited: versions, the command, the date, digests of files."""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, TypeGuard

import concilium
from concilium.baselines import policy_file
from concilium.baselines.registry import names_in

PACKAGES: Final = ("numpy", "numba", "torch", "gymnasium", "pettingzoo", "openskill", "safetensors")


def provenance(
    bots: Iterable[str] = (), options: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """Tell where a result comes from, for JSON.

    Args:
        bots: names of bots, whose policy files are digested.
        options: of the game; those that name a file, such as a deck, are digested as well.

    Returns:
        ``version`` of the package, ``commit`` of its sources (None if not known), ``python``,
        ``packages`` (those that are installed), ``command``, ``date`` (UTC) and ``files``: SHA-256
        by path.
    """
    files = [policy_file(name) for full in bots for name in names_in(full)]
    files += [Path(text) for text in (options or {}).values() if _names_file(text)]
    return {
        "version": _version("concilium"),
        "commit": commit(),
        "python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := _version(name)) is not None},
        "command": list(sys.argv),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {
            str(path): hashlib.sha256(Path(path).read_bytes()).hexdigest()
            for path in files
            if path is not None
        },
    }


def commit() -> str | None:
    """The commit of the sources that run, with ``+`` if they were changed; None if not known."""
    folder = Path(concilium.__file__).parent
    try:
        top = _git(folder, "rev-parse", "--show-toplevel")
        if not (Path(top) / "src" / "concilium").samefile(folder):
            return None  # installed somewhere inside another project
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
        return _git(folder, "rev-parse", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *words: str) -> str:
    ran = subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, timeout=10
    )
    return ran.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _names_file(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and "." in value and Path(value).is_file()
