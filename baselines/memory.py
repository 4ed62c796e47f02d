"""Records that compiled code reads parameters from, and writes on while it decides.

Scratch memory is declared as a class, so that editors and type checkers know its fields, and is one
record, so that compiled code allocates nothing::

    class Desk:
        suspicion: Cells = floats(SEATS)  # chance of each seat to be a Defector
        budget: int = whole()
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from concilium.envs.core.state import Records, new_records


def floats(*shape: int) -> Any:
    """Declare a field of numbers as float64, one if no shape is given."""
    return np.float64, shape


def whole(*shape: int) -> Any:
    """Declare a field of whole numbers as int64, one if no shape is given."""
    return np.int64, shape


def new_scratch(declared: type) -> Records:
    """Empty memory ``(1,)`` with the fields that a class declares, in their order."""
    names = declared.__annotations__
    rows: list[Any] = [(name, *getattr(declared, name)) for name in names]
    return new_records(1, np.dtype(rows, align=True))


def params_records(*many: Any) -> Records:
    """What compiled code reads parameters from: a record for each instance of one dataclass.

    Fields have the names, shapes and types of the dataclass's defaults, so that compiled functions
    are written, and checked, as if they were given the instance itself.
    """
    rows: list[Any] = []
    for entry in fields(many[0]):
        default = np.asarray(entry.default)
        rows.append((entry.name, default.dtype, default.shape))
    records = new_records(len(many), np.dtype(rows, align=True))
    for place, params in enumerate(many):
        for entry in fields(params):
            records[entry.name][place] = getattr(params, entry.name)
    return records
