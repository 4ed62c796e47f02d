"""Comparing records byte by byte and saying where they differ."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.state import Records, attribute_records, new_records, plain_records

GENERATOR: Final = ("rng_key", "rng_counter")
"""The fields of the generator."""


def raw(records: Records) -> NDArray[np.uint8]:
    """Return the bytes of records, ``(k, itemsize)`` (a view, no copy)."""
    plain = np.ascontiguousarray(plain_records(records))
    return plain.view(np.uint8).reshape(len(plain), plain.dtype.itemsize)


def same_rows(a: Records, b: Records) -> NDArray[np.bool_]:
    """Tell for each pair of records whether all bytes are equal, ``(k,)``."""
    equal: NDArray[np.bool_] = (raw(a) == raw(b)).all(axis=1)
    return equal


def without(records: Records, *fields: str) -> Records:
    """Return a copy of ``records`` with some fields set to zero."""
    copy = records.copy()
    plain = plain_records(copy)
    for name in fields:
        plain[name] = 0
    return attribute_records(plain)


def poisoned(count: int, dtype: np.dtype[np.void], value: int) -> Records:
    """Return records whose every byte is ``value``: memory that a kernel must overwrite."""
    records = new_records(count, dtype)
    plain_records(records).view(np.uint8)[:] = value
    return records


def difference(a: Records, b: Records, index: int) -> str:
    """Say in which fields record ``index`` of ``a`` and ``b`` differs, with the first values."""
    one, other = plain_records(a)[index], plain_records(b)[index]
    names = [n for n in one.dtype.names or () if one[n].tobytes() != other[n].tobytes()]
    if not names:
        return "no difference"
    name = names[0]
    left, right = np.atleast_1d(one[name]).ravel(), np.atleast_1d(other[name]).ravel()
    at = int(np.argmax(left != right))
    where = f"{name}[{at}]" if len(left) > 1 else name
    more = f" (also {', '.join(names[1:5])})" if len(names) > 1 else ""
    return f"{where} is {left[at]} against {right[at]}{more}"


def frozen(value: Any) -> Any:
    """Return a form of ``value`` in which equality means that everything in it is the same."""
    if isinstance(value, np.ndarray | np.generic):
        return (value.dtype, value.shape, value.tobytes())
    if isinstance(value, dict):
        return tuple(sorted((repr(key), frozen(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(frozen, value))
    return (type(value).__name__, value)
