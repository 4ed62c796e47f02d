"""Reading and writing of named float arrays in the safetensors format, with NumPy alone.

A file is eight bytes that give the length of the header, little end first; the header, a JSON
object that maps each name to type, shape and place, and ``__metadata__`` to a mapping of strings;
then the arrays. Source: the format description of the ``safetensors`` project, whose readers can
open what is written here. Nothing in such a file is ever executed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import FileFormatError
from concilium.envs.core.files import read_limited, write_atomically

Array = NDArray[np.float32]

LARGEST_FILE: Final = 1 << 28  # bytes; policies here have well under a million weights
LARGEST_HEADER: Final = 1 << 20
_LENGTH_BYTES: Final = 8
_METADATA: Final = "__metadata__"
_TYPE: Final = "F32"
_MOST_AXES: Final = 2


def write_tensors(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write arrays of ``float32`` and strings, under a temporary name that is then renamed.

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
        header[name] = {
            "dtype": _TYPE,
            "shape": list(array.shape),
            "data_offsets": [start, start + len(data)],
        }
        chunks.append(data)
        start += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # arrays begin at a multiple of eight
    write_atomically(path, b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *chunks]))


def read_tensors(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """Return the arrays and strings in a file.

    Raises:
        FileFormatError: the file is not there, too large, cut short, or damaged in any other way.
    """
    data = read_limited(path, LARGEST_FILE, "policy file")
    try:
        header, body = _split(data)
        metadata = _check_metadata(header.pop(_METADATA, {}))
        return _arrays(header, body), metadata
    except FileFormatError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None


def _split(data: bytes) -> tuple[dict[str, Any], memoryview]:
    """The header as a mapping, and the rest."""
    if len(data) < _LENGTH_BYTES:
        raise FileFormatError(f"{len(data)} bytes are no policy file")
    length = int.from_bytes(data[:_LENGTH_BYTES], "little")
    stop = _LENGTH_BYTES + length
    if length > LARGEST_HEADER or stop > len(data):
        raise FileFormatError(
            f"the header is said to have {length} bytes, the file has {len(data)}"
        )
    header = parse_object(data[_LENGTH_BYTES:stop], "the header")
    return header, memoryview(data)[stop:]


def parse_object(text: bytes | str, what: str) -> dict[str, Any]:
    """Parse a JSON object strictly: no name twice, no NaN, not too deep.

    Raises:
        FileFormatError: it is not one; ``what`` names it in the message.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{what} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise FileFormatError(f"{what} is not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a name occurs twice")
    return result


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _check_metadata(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise FileFormatError("the metadata are not a mapping of strings")
    return value


def _arrays(header: Mapping[str, Any], body: memoryview) -> dict[str, Array]:
    """Cut the body into arrays that follow each other without gap or overlap and fill it."""
    places = sorted((*_place(name, entry), name) for name, entry in header.items())
    tensors = {}
    expected = 0
    for start, stop, shape, name in places:
        if start != expected:
            raise FileFormatError(f"tensor {name!r} begins at {start}, not at {expected}")
        if stop > len(body):
            raise FileFormatError(f"cut short: tensor {name!r} ends at {stop} of {len(body)} bytes")
        array = np.frombuffer(body[start:stop], "<f4").astype(np.float32).reshape(shape)
        if not np.isfinite(array).all():
            raise FileFormatError(f"tensor {name!r} holds numbers that are not finite")
        tensors[name] = array
        expected = stop
    if expected != len(body):
        raise FileFormatError(f"{len(body) - expected} bytes belong to no tensor")
    return tensors


def _place(name: str, entry: Any) -> tuple[int, int, tuple[int, ...]]:
    """Start, stop and shape of a tensor, consistent with each other."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise FileFormatError(f"tensor {name!r} lacks type, shape or place")
    if entry["dtype"] != _TYPE:
        raise FileFormatError(
            f"tensor {name!r} is of type {entry['dtype']!r}; only {_TYPE} is read"
        )
    shape = _whole_numbers(entry["shape"], f"the shape of tensor {name!r}")
    offsets = _whole_numbers(entry["data_offsets"], f"the place of tensor {name!r}")
    if len(shape) > _MOST_AXES or len(offsets) != 2:
        raise FileFormatError(f"tensor {name!r} has shape {shape} and place {offsets}")
    start, stop = offsets
    if stop - start != 4 * math.prod(shape):
        raise FileFormatError(f"tensor {name!r}: {stop - start} bytes for shape {shape}")
    return start, stop, shape


def _whole_numbers(value: Any, what: str) -> tuple[int, ...]:
    if isinstance(value, list) and all(type(n) is int and 0 <= n <= LARGEST_FILE for n in value):
        return tuple(value)
    raise FileFormatError(f"{what} is not a list of whole numbers from 0 to {LARGEST_FILE}")
