"""What the records of all games have in common: the header, its values, and their allocation."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concilium.envs.core.errors import OptionError
from concilium.envs.core.jit import INTERPRETED

Records = NDArray[np.void]
"""A one-dimensional array of States or Views."""

RUNNING: Final = 0
TERMINATED: Final = 1
TRUNCATED: Final = 2

FULL: Final = -1  # viewer of a State: the whole truth
SPECTATOR: Final = -2  # viewer of a View that shows what all players may know
UNKNOWN: Final = -1  # a blanked entry of a View

HEADER: Final[list[Any]] = [
    ("rng_key", np.uint64),  # stream of the generator; hidden from all (0 in a View)
    ("rng_counter", np.uint64),  # draws made; hidden from all (0 in a View)
    ("log_count", np.int32),  # events logged since the start, as far as the viewer knows of them
    ("viewer", np.int8),  # FULL, SPECTATOR, or the seat whose View this is
    ("num_players", np.int8),  # seats in play
    ("actor", np.int8),  # seat to decide; FULL (-1) when over; UNKNOWN where secret
    ("status", np.int8),  # RUNNING, TERMINATED, TRUNCATED
]
"""Fields that begin every State, in this order."""


def state_dtype(fields: list[Any]) -> np.dtype[np.void]:
    """Return the record type of a game: the header, then ``fields``.

    Raises:
        OptionError: the compiler would pad between fields. Padding has no defined content, so it
            must be declared as a field (States are compared and hashed byte by byte).
    """
    dtype = np.dtype([*HEADER, *fields], align=True)
    used = sum(dtype[name].itemsize for name in dtype.names or ())
    if used != dtype.itemsize:
        raise OptionError(
            f"the State has {dtype.itemsize - used} bytes of implicit padding; order the fields "
            "from wide to narrow and declare a padding field"
        )
    return dtype


def new_records(count: int, dtype: DTypeLike) -> Records:
    """Return ``count`` zeroed records, with attribute access when the rules are interpreted."""
    records: Records = np.zeros(count, dtype)
    return attribute_records(records)


def attribute_records(records: Records) -> Records:
    """Return ``records`` in the form that the kernels take (a view, no copy)."""
    return records.view(np.recarray) if INTERPRETED else records


def plain_records(records: Records) -> Records:
    """Return ``records`` as a plain structured array (a view, no copy), for Python code."""
    return records.view(np.ndarray)


def _rows(records: Records) -> NDArray[np.uint8]:
    return records.view(np.ndarray).view(np.uint8).reshape(len(records), records.dtype.itemsize)


def take_records(records: Records, places: NDArray[np.integer]) -> Records:
    """Return a copy of ``records[places]``, moved as bytes: NumPy would go field by field."""
    return attribute_records(_rows(records)[places].reshape(-1).view(records.dtype))


def put_records(records: Records, places: NDArray[np.integer], values: Records) -> None:
    """Set ``records[places] = values``; moved as bytes like :func:`take_records`."""
    _rows(records)[places] = _rows(values)
