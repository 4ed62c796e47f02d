"""A digest of everything that a compiled function is made of.

Numba notices edits of the file that holds a cached function and of no other file. So compiled code
is kept under the digest of the function itself, of all functions that it calls, and of all
constants that they use, as this process holds them: an edit of a text, a comment or a renderer
changes nothing, and code can never be kept under the key of another.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Final

import numba
import numpy as np
from numba.core import config

_FOREIGN: Final = {"numpy", "numba", "math", "builtins", "typing"}  # their versions are digested
_FORM: Final = "digest first"  # of the files; another form has other folders
_SETTINGS: Final = (
    "OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "CPU_NAME",
    "CPU_FEATURES", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "DEBUG_NRT", "NRT_STATS",
)  # fmt: skip
"""What Numba is told by ``NUMBA_…`` variables and its file of settings that changes its code."""


def closure_digest(functions: Iterable[Callable[..., Any]]) -> str:
    """Return 16 hex digits over functions, all that they call and use, versions and settings.

    Raises:
        TypeError: they use a global that compiled code cannot hold; the message names it.
    """
    digest = hashlib.sha256()
    settings = [f"{name}={getattr(config, name, None)!r}" for name in _SETTINGS]
    versions = [_FORM, sys.version, numba.__version__, np.__version__]
    digest.update("|".join([*versions, *settings]).encode())
    walk = _Walk(digest)
    for function in functions:
        walk.add("", function, ())
    return digest.hexdigest()[:16]


class _Walk:
    """Goes once through everything that is reachable."""

    def __init__(self, digest: Any) -> None:
        self._digest = digest
        self._seen: set[int] = set()
        self._kept: list[Any] = []  # so that no number in _seen is given to another object

    def _put(self, *words: object) -> None:
        self._digest.update("\0".join(map(str, words)).encode() + b"\1")

    def add(self, name: str, value: Any, names: tuple[str, ...]) -> None:
        """Digest ``value``, which is called ``name``; of a module, what is called by ``names``."""
        function = getattr(value, "py_func", value)  # what Numba has wrapped
        if isinstance(function, types.FunctionType):
            self._add_function(name, function)
        elif isinstance(value, types.ModuleType):
            self._add_module(name, value, names)
        elif isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value)
            self._put(name, array.dtype, array.shape)
            self._digest.update(array.tobytes())
        elif isinstance(value, type) and issubclass(value, enum.Enum):
            self._put(name, *((member.name, member.value) for member in value))
        elif isinstance(value, tuple):
            for entry in value:
                self.add(name, entry, names)
        elif value is None or isinstance(value, int | float | str | bytes | np.generic | np.dtype):
            self._put(name, type(value).__name__, repr(value))
        elif callable(value) and _home(value) in _FOREIGN:
            self._put(name, getattr(value, "__module__", ""), getattr(value, "__name__", value))
        else:
            raise TypeError(f"compiled code uses {name} = {value!r}, which it cannot hold")

    def _add_function(self, name: str, function: types.FunctionType) -> None:
        self._put(name, function.__qualname__)
        if _home(function) in _FOREIGN or id(function) in self._seen:
            return
        self._seen.add(id(function))
        self._kept.append(function)
        self._add_code(function.__code__, function.__globals__, function.__doc__)
        for cell in function.__closure__ or ():
            self.add(name, cell.cell_contents, function.__code__.co_names)

    def _add_code(self, code: types.CodeType, scope: dict[str, Any], doc: str | None) -> None:
        text = doc is not None and code.co_consts[:1] == (doc,)  # the first constant, if there
        self._digest.update(code.co_code)
        for constant in code.co_consts[text:]:
            if isinstance(constant, types.CodeType):
                self._add_code(constant, scope, None)
            elif isinstance(constant, frozenset):
                self._put(*sorted(map(repr, constant)))
            else:
                self._put(repr(constant))
        self._put(*code.co_names)
        for name, attributes in _names(code).items():
            if name in scope:
                self.add(name, scope[name], tuple(attributes))

    def _add_module(self, name: str, module: types.ModuleType, names: tuple[str, ...]) -> None:
        self._put(name, module.__name__)
        if module.__name__.partition(".")[0] in _FOREIGN:
            return
        for attribute in names:
            if hasattr(module, attribute):
                self.add(attribute, getattr(module, attribute), names)


def _names(code: types.CodeType) -> dict[str, dict[str, None]]:
    """Names that a piece of code looks up globally, each with what it takes from them, in order."""
    found: dict[str, dict[str, None]] = {}
    name = ""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            name = str(step.argval)
            found.setdefault(name, {})
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and name:
            found[name][str(step.argval)] = None
        elif step.opname != "EXTENDED_ARG":  # which belongs to the next step
            name = ""
    return found


def _home(value: Any) -> str:
    """Top-level package in which a thing is defined."""
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    return str(module).partition(".")[0]
