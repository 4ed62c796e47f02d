"""Named float arrays with strings beside them in one safetensors file.

Reading is the ``safetensors`` package's; added are a limit of the size, before anything is read,
and errors of one line that name the file. Nothing in such a file is ever executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from concilium.envs.core.errors import FileFormatError
from concilium.envs.core.files import read_limited

Array = NDArray[np.float32]

LARGEST_FILE: Final = 1 << 28  # bytes; policies here have well under a million weights
_LENGTH_BYTES: Final = 8
_METADATA: Final = "__metadata__"
_TYPE: Final = "F32"


def tensor_bytes(tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    """Arrays of ``float32`` and strings as the contents of a file.

    The arrays lie in the order given; the package's own writer would sort them by name.
    """
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    chunks = []
    start = 0
    for name, array in tensors.items():
        with np.errstate(over="ignore"):  # what becomes infinite is refused by the reader
            data = np.ascontiguousarray(array, "<f4").tobytes()
        stop = start + len(data)
        header[name] = {"dtype": _TYPE, "shape": list(array.shape), "data_offsets": [start, stop]}
        chunks.append(data)
        start = stop
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # arrays begin at a multiple of eight
    return b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *chunks])


def read_tensors(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the arrays and strings in a file.

    Raises:
        FileFormatError: the file is not there, too large, damaged, or holds other things than
            finite numbers of type ``float32``.
    """
    data = read_limited(path, LARGEST_FILE, "policy file")
    try:
        return tensors_of(data)
    except FileFormatError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None


def tensors_of(data: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays and strings in a file's contents; errors as for :func:`read_tensors`."""
    if len(data) > LARGEST_FILE:
        raise FileFormatError(f"more than {LARGEST_FILE} bytes, the most that is read")
    try:
        entries = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise FileFormatError(str(error)) from None
    tensors = {name: _array(name, entry) for name, entry in entries}
    stop = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    return tensors, json.loads(data[_LENGTH_BYTES:stop]).get(_METADATA) or {}


def _array(name: str, entry: Mapping[str, Any]) -> Array:
    if entry["dtype"] != _TYPE:
        raise FileFormatError(
            f"tensor {name!r} is of type {entry['dtype']!r}; only {_TYPE} is read"
        )
    array = np.frombuffer(entry["data"], "<f4").astype(np.float32).reshape(entry["shape"])
    if not np.isfinite(array).all():
        raise FileFormatError(f"tensor {name!r} holds numbers that are not finite")
    return array
