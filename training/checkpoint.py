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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from concilium.envs import FileFormatError
from concilium.envs.core.files import read_limited, write_atomically
from concilium.envs.core.schema import parse_json

KEPT: Final = 2  # the newest; older ones are removed
FORMAT: Final = 1
TENSORS: Final = "tensors.safetensors"
STATE: Final = "state.json"
GAMES: Final = "games.bin"
_NAME: Final = re.compile("[0-9]{8}")
_LARGEST: Final = 2**31
_LARGEST_STATE: Final = 2**24
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
    older ones as they were.

    Raises:
        OSError: the disk is full or cannot be written; older checkpoints are untouched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{checkpoint.update:08d}"
    data = save({name: value.contiguous() for name, value in checkpoint.tensors.items()})
    description = {
        "format": FORMAT,
        "update": checkpoint.update,
        "digests": {TENSORS: _digest(data), GAMES: _digest(checkpoint.games)},
        **checkpoint.state,
    }
    temporary = Path(tempfile.mkdtemp(dir=folder, prefix=".new-"))
    try:
        write_atomically(temporary / TENSORS, data)
        write_atomically(temporary / GAMES, checkpoint.games)
        description["digest"] = _digest(_written(description))
        write_atomically(temporary / STATE, json.dumps(description) + "\n")
        if target.exists():  # of a run that was cut short after it and resumed before it
            shutil.rmtree(target)
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    for old in _checkpoints(folder)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return target


def newest_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint in ``folder``; None if there is none. Clears what was cut short.

    Raises:
        FileFormatError: it is not a folder.
    """
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise FileFormatError(f"checkpoints {folder}: not a folder")
    for broken in folder.glob(".new-*"):
        shutil.rmtree(broken, ignore_errors=True)
    found = _checkpoints(folder)
    return found[-1] if found else None


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        FileFormatError: a file is missing, damaged or of another format; one line says which.
    """
    text = read_limited(path / STATE, _LARGEST_STATE, "checkpoint")
    state = parse_json(text, f"checkpoint {path / STATE}")
    if state.get("format") != FORMAT or not isinstance(state.get("digests"), dict):
        raise FileFormatError(f"checkpoint {path}: format {state.get('format')!r}, not {FORMAT}")
    digest = state.pop("digest", None)
    if digest != _digest(_written(state)) or type(state.get("update")) is not int:
        raise FileFormatError(f"checkpoint {path / STATE}: damaged, the digest is another")
    data = {}
    for name in (TENSORS, GAMES):
        data[name] = read_limited(path / name, _LARGEST, "checkpoint")
        if _digest(data[name]) != state["digests"].get(name):
            raise FileFormatError(f"checkpoint {path / name}: damaged, the digest is another")
    try:
        tensors: dict[str, Tensor] = load(data[TENSORS])
    except SafetensorError as error:
        raise FileFormatError(f"checkpoint {path / TENSORS}: {error}") from None
    for name, value in tensors.items():
        if value.is_floating_point() and not torch.isfinite(value).all():
            raise FileFormatError(f"checkpoint {path / TENSORS}: {name} is not finite")
    tensors = {_renamed(name): value for name, value in tensors.items()}
    return Checkpoint(state["update"], tensors, state, data[GAMES])


def _renamed(name: str) -> str:
    """The name of an array that an older run may have kept under another one."""
    for former, now in _FORMER:
        name = name.replace(former, now)
    return name


def _checkpoints(folder: Path) -> list[Path]:
    """All checkpoints, oldest first."""
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def _written(description: dict[str, Any]) -> bytes:
    return json.dumps(description, sort_keys=True).encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
