"""Whether something is refused, and in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from concilium.envs import ConciliumError


def refusal(call: Callable[[], Any], kind: type[ConciliumError]) -> str:
    """What an error of this kind says; empty if there is none. It has to be one line."""
    try:
        call()
    except kind as error:
        told = str(error)
    else:
        return ""
    assert told
    assert len(told.splitlines()) == 1, told
    return told
