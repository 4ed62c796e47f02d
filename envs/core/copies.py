"""Copies that go on by themselves, and memory that compiled code takes as it is."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.state import attribute_records, plain_records

T = TypeVar("T")
Array = TypeVar("Array", bound=NDArray[Any])


class Independent:
    """Base of what holds games or chance: every copy goes on as the very same, by itself.

    ``copy.copy`` copies deeply, because two objects that share half a game are none. What comes
    from pickles owns its arrays: those from an object store are read-only, and others use them too.
    """

    def __copy__(self: T) -> T:
        return copy.deepcopy(self)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update({name: own(value) for name, value in kept.items()})


def own(value: Any) -> Any:
    """Return arrays as copies that may be written, also those in a tuple; else what was given."""
    if type(value) is tuple:
        return tuple(map(own, value))
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.names:
        return attribute_records(plain_records(value).copy())
    return value.copy()


def writable(array: Array) -> Array:
    """Return an array that is contiguous and may be written: itself, else a copy.

    Compiled code would be compiled anew for arrays of another form, which takes half a minute.
    """
    if array.flags.c_contiguous and array.flags.writeable:
        return array
    return array.copy()
