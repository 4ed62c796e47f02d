"""Seeds, actions and indices are looked at here before the compiled code trusts them."""

from __future__ import annotations

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
    """Return ``action`` as an int; ints, NumPy integers and 0-d integer arrays are accepted.

    Raises:
        IllegalActionError: of another type (floats and bools included), or far out of range.
    """
    whole = isinstance(action, int | np.integer) and not isinstance(action, bool | np.timedelta64)
    if isinstance(action, np.ndarray) and action.shape == ():
        whole = action.dtype.kind in "iu"
    if not whole:
        raise IllegalActionError(
            f"action {action!r} is of type {type(action).__name__}; an int or a NumPy integer is "
            "needed"
        )
    number = int(action)  # type: ignore[call-overload]  # whole numbers only, as checked
    if abs(number) > _LARGEST_ACTION:
        raise IllegalActionError(f"action {number} is out of range")
    return int(number)
