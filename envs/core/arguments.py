"""Seeds, actions and indices are looked at here before the compiled code trusts them."""

from __future__ import annotations

import operator
from typing import Final

import numpy as np

from concilium.envs.core.errors import IllegalActionError, OptionError
from concilium.envs.core.state import Records

SEED_LIMIT: Final = 2**64
_LARGEST_ACTION: Final = 2**31  # what is beyond would not fit the compiled code's integers


def check_index(records: Records, index: int) -> int:
    """Return ``index`` if there is such a record, else raise OptionError."""
    if records.ndim != 1 or not 0 <= index < len(records):
        raise OptionError(f"index {index} into records of shape {records.shape}")
    return int(index)


def check_seed(seed: object) -> np.uint64:
    """Return ``seed`` as 64 bits; OptionError unless it is a whole number from 0 to 2**64 - 1."""
    if isinstance(seed, bool | np.bool_ | np.timedelta64) or not isinstance(seed, int | np.integer):
        raise OptionError(f"seed {seed!r} is not a whole number")
    if not 0 <= int(seed) < SEED_LIMIT:
        raise OptionError(f"seed {seed} is out of range: 0 to 2**64 - 1")
    return np.uint64(seed)


def check_action(action: object) -> int:
    """Return ``action`` as an int; whatever is one whole number is accepted, a tensor too.

    Raises:
        IllegalActionError: of another type (floats and bools included), or far out of range.
    """
    if type(action) is int or type(action) is np.int64:  # nearly always, and asked at every step
        number = int(action)
    else:
        number = _whole_number(action)
    if abs(number) > _LARGEST_ACTION:
        raise IllegalActionError(f"action {number} is out of range")
    return number


def _whole_number(action: object) -> int:
    single = getattr(action, "shape", ()) == () and not isinstance(action, bool | np.timedelta64)
    try:
        if not single or "bool" in str(getattr(action, "dtype", "")):
            raise TypeError
        return operator.index(action)  # type: ignore[arg-type]  # whatever has none is refused
    except (TypeError, ValueError, RuntimeError):
        raise IllegalActionError(
            f"action {action!r} is of type {type(action).__name__}; an int, a NumPy integer or "
            "another whole number is needed"
        ) from None
