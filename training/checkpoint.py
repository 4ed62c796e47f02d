"""Checkpoints: one folder each, written whole or not at all, nothing pickled.

``tensors.safetensors`` holds weights, the optimiser's moments, past policies and the decisions
that wait; ``state.json`` counters and the states of generators; ``games.bin`` the States of the
games being played, byte for byte. ``state.json`` names the digests of the other two.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from concilium.envs import FileFormatError, OptionError
from concilium.envs.core.files import read_limited, write_atomically
from concilium.envs.core.schema import json_text, parse_json

KEPT: Final = 2  # the newest; older ones are removed
FORMAT: Final = 1
TENSORS: Final = "tensors.safetensors"
STATE: Final = "state.json"
GAMES: Final = "games.bin"
_NAME: Final = re.compile("[0-9]{8}")
_UPDATES: Final = 10**8  # numbers that such a name can hold
_LIMITS: Final = {STATE: 2**24, TENSORS: 2**31, GAMES: 2**31}  # bytes
_FORMER: Final = (
    ("samples.truths", "rollout.state_vectors"), ("samples.", "rollout."),
    ("truth_scale", "state_scale"),
)  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    """All that a run needs to go on.

    Attributes:
        update: number of the last update made.
        tensors: by name.
        state: counters and generator states; JSON-able.
        games: bytes of the games' States.
    """

    update: int
    tensors: dict[str, Tensor]
    state: dict[str, Any]
    games: bytes


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint into ``folder``, made if need be, and remove all but the newest.

    It is written into a temporary folder, which is then renamed: whoever is interrupted leaves the
    older ones as they were. Later ones are of a future that did not come and are removed as well.

    Raises:
        OptionError: it could not be read again, as of numbers that are not finite; nothing is
            written.
        OSError: the disk is full or cannot be written; older checkpoints are untouched.
    """
    target = folder / f"{checkpoint.update:08d}"
    files = _files(checkpoint)
    try:
        _checkpoint(files, target)
    except FileFormatError as error:
        raise OptionError(f"this is no checkpoint: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder, prefix=".new-"))
    try:
        for name, data in files.items():
            write_atomically(temporary / name, data)
        if target.exists():  # of a run that was cut short after it and resumed before it
            shutil.rmtree(target)
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    found = checkpoints(folder)
    here = found.index(target)
    for other in (*found[: max(0, here + 1 - KEPT)], *found[here + 1 :]):
        shutil.rmtree(other, ignore_errors=True)
    return target


def _files(checkpoint: Checkpoint) -> dict[str, bytes]:
    """The contents of a checkpoint's files by name; ``state.json`` is the last."""
    data = save({name: value.contiguous() for name, value in checkpoint.tensors.items()})
    description = {
        **checkpoint.state,
        "format": FORMAT,
        "update": checkpoint.update,
        "digests": {TENSORS: _digest(data), GAMES: _digest(checkpoint.games)},
    }
    what = "the state of a checkpoint"
    described = parse_json(json_text(description, what), what)  # as it will be read
    described["digest"] = _digest(_written(described))
    text = json.dumps(described) + "\n"
    return {TENSORS: data, GAMES: checkpoint.games, STATE: text.encode()}


def checkpoints(folder: Path) -> list[Path]:
    """All checkpoints in ``folder``, oldest first. Clears what was cut short.

    Raises:
        FileFormatError: it is not a folder.
    """
    if not folder.exists():
        return []
    if not folder.is_dir():
        raise FileFormatError(f"checkpoints {folder}: not a folder")
    for broken in folder.glob(".new-*"):
        shutil.rmtree(broken, ignore_errors=True)
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        FileFormatError: a file is missing, damaged or of another format; one line says which.
    """
    files = {
        name: read_limited(path / name, limit, "checkpoint") for name, limit in _LIMITS.items()
    }
    return _checkpoint(files, path)


def _checkpoint(files: Mapping[str, bytes], path: Path) -> Checkpoint:
    """Put a checkpoint together from what its files at ``path`` hold, and check it."""
    for name, limit in _LIMITS.items():
        if len(files[name]) > limit:
            raise FileFormatError(f"checkpoint {path / name}: more than {limit} bytes")
    state = parse_json(files[STATE], f"checkpoint {path / STATE}")
    if state.get("format") != FORMAT or not isinstance(state.get("digests"), dict):
        raise FileFormatError(f"checkpoint {path}: format {state.get('format')!r}, not {FORMAT}")
    digest = state.pop("digest", None)
    update = state.get("update")
    if digest != _digest(_written(state)) or type(update) is not int:
        raise FileFormatError(f"checkpoint {path / STATE}: damaged, the digest is another")
    if not 0 <= update < _UPDATES:
        raise FileFormatError(f"checkpoint {path / STATE}: update {update} is not 0 to 99999999")
    for name in (TENSORS, GAMES):
        if _digest(files[name]) != state["digests"].get(name):
            raise FileFormatError(f"checkpoint {path / name}: damaged, the digest is another")
    try:
        tensors: dict[str, Tensor] = load(files[TENSORS])
    except SafetensorError as error:
        raise FileFormatError(f"checkpoint {path / TENSORS}: {error}") from None
    for name, value in tensors.items():
        if value.is_floating_point() and not torch.isfinite(value).all():
            raise FileFormatError(f"checkpoint {path / TENSORS}: {name!r} is not finite")
    tensors = {_renamed(name): value for name, value in tensors.items()}
    return Checkpoint(update, tensors, state, files[GAMES])


def _renamed(name: str) -> str:
    """The name of an array that an older run may have kept under another one."""
    for former, now in _FORMER:
        name = name.replace(former, now)
    return name


def _written(description: dict[str, Any]) -> bytes:
    return json.dumps(description, sort_keys=True).encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
