"""Compilation: which functions are compiled how.

Two kinds of compiled function exist. *Helpers* (:func:`jit`) are called from compiled code only and
get no Python or C entry, which would have to be compiled too. *Entry points* (:func:`bind`) are
called from Python and are cached on disk, under a digest of all that they are compiled from.
``NUMBA_DISABLE_JIT=1`` runs the very same functions in the interpreter.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, ParamSpec, TypeVar

import numba
import numpy as np
from numba.core import config

from concilium.envs.core.compiled.cache import KeptCode, cache_folder
from concilium.envs.core.compiled.closure import closure_digest

INTERPRETED: Final[bool] = bool(config.DISABLE_JIT)
"""True when the rules run in the interpreter (``NUMBA_DISABLE_JIT=1``)."""

P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a helper: callable from compiled code only.

    All signed whole numbers are taken as ``int64``, constants included, so that each helper is
    compiled once and not once per mixture of field widths and literals.
    """
    helper = numba.njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, nogil=True, error_model="numpy"
    )(function)
    if INTERPRETED:
        return helper  # type: ignore[no-any-return]
    resolve = helper.get_call_template

    def resolve_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(_widened, args)), kws)

    helper.get_call_template = resolve_widened
    return helper  # type: ignore[no-any-return]


def _widened(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.IntEnumMember):
        return numba.types.int64
    if isinstance(kind, numba.types.Integer) and kind.signed:
        return numba.types.int64
    return kind


def absent(*_: Any) -> Any:
    """Stand for a function in a template, whose copies :func:`bind` gives the real one."""
    raise AssertionError("template used without being bound")


def rebound(
    template: Callable[..., Any], name: str, parts: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return a copy of ``template`` that finds the globals in ``parts`` in place of its own."""
    assert isinstance(template, types.FunctionType)
    copy = types.FunctionType(
        template.__code__, {**template.__globals__, **parts}, template.__name__
    )
    copy.__qualname__ = f"{name}.{template.__name__}"
    copy.__module__ = template.__module__
    copy.__doc__ = template.__doc__
    return copy


def bind(
    template: Callable[..., Any],
    name: str,
    parts: Mapping[str, Any] = MappingProxyType({}),
    folder: Path | None = None,
) -> Callable[..., Any]:
    """Compile ``template`` as an entry point with the globals in ``parts`` put in its place.

    A generic loop written as a closure over a game's functions would never hit Numba's disk cache;
    a copy of the template with other globals and a name of its own does.

    Args:
        template: a module-level function that calls the names in ``parts``.
        name: prefix that makes the copy's qualified name unique, and name of the folder.
        parts: the functions and constants that the copy calls.
        folder: where the compiled code is kept; one of the entry point's own if not given.
    """
    copy = rebound(template, name, parts)
    if INTERPRETED:
        return _raising(copy)
    folder = folder or cache_folder(copy.__qualname__, closure_digest([copy]))
    entry = numba.njit(nogil=True, error_model="numpy")(copy)
    if folder is not None:
        entry._cache = KeptCode(folder, copy.__qualname__)
    return entry  # type: ignore[no-any-return]


def shared_folder(
    templates: Iterable[Callable[..., Any]], name: str, parts: Mapping[str, Any]
) -> Path | None:
    """Return one folder for entry points that are bound to the same parts; None if not kept."""
    if INTERPRETED:
        return None
    return cache_folder(name, closure_digest(rebound(each, name, parts) for each in templates))


def bind_helper(
    template: Callable[..., Any], name: str, parts: Mapping[str, Any]
) -> Callable[..., Any]:
    """Bind ``template`` as a helper: called from compiled code only, compiled with its callers."""
    return jit(rebound(template, name, parts))


def _raising(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the interpreted run raise where compiled integer arithmetic would silently wrap."""

    def run(*args: Any) -> Any:
        with np.errstate(over="raise"):
            return function(*args)

    return run
