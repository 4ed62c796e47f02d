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
from concilium.envs.core.files import read_limited, write_atomically

Array = NDArray[np.float32]

LARGEST_FILE: Final = 1 << 28  # bytes; policies here have well under a million weights
_LENGTH_BYTES: Final = 8
_METADATA: Final = "__metadata__"
_TYPE: Final = "F32"


def write_tensors(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write arrays of ``float32`` and strings, under a temporary name that is then renamed.

    The arrays lie in the order given; the package's own writer would sort them by name.

    Args:
        path: the file; its folder exists. A file of that name is replaced.
        tensors: arrays by name.
        metadata: strings by name.
    """
    header: dict[str, Any] = {_METADATA: dict(metadata)}
    chunks = []
    start = 0
    for name, array in tensors.items():
        data = np.ascontiguousarray(array, "<f4").tobytes()
        stop = start + len(data)
        header[name] = {"dtype": _TYPE, "shape": list(array.shape), "data_offsets": [start, stop]}
        chunks.append(data)
        start = stop
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # arrays begin at a multiple of eight
    write_atomically(path, b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *chunks]))


def read_tensors(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the arrays and strings in a file.

    Raises:
        FileFormatError: the file is not there, too large, damaged, or holds other things than
            finite numbers of type ``float32``.
    """
    data = read_limited(path, LARGEST_FILE, "policy file")
    try:
        entries = deserialize(data)  # type: ignore[no-untyped-call]
        tensors = {name: _array(name, entry) for name, entry in entries}
    except SafetensorError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None
    except FileFormatError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None
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
