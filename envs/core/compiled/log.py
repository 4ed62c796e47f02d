"""The event log inside a State: what happened, and who may know it.

A log is an ``int16`` array of shape ``(capacity, COLUMNS)``, a field called ``log`` of the State.
Event number ``k`` stands in row ``k % capacity``; ``log_count`` is the number of events so far.
Each event has a public part and one secret argument. ``WITNESSES`` are the seats that learn that it
happened at all, ``READERS`` those that learn the secret: bit ``seat`` of a mask, ``EVERYBODY`` for
all including spectators.
"""

from __future__ import annotations

from typing import Any, Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.values import UNKNOWN

EVENT: Final = 0  # the game's own numbering, from 1; 0 is an empty row
ACTOR: Final = 1  # seat, or -1 for the game itself
FIRST: Final = 2
SECOND: Final = 3
THIRD: Final = 4
SECRET: Final = 5  # UNKNOWN to those who are not readers
READERS: Final = 6
WITNESSES: Final = 7
COLUMNS: Final = 8

EVERYBODY: Final = -1
NOBODY: Final = 0
_SPECTATOR_BIT: Final = 15  # set in EVERYBODY and in no mask of seats


@jit
def log_event(
    s: Any, kind: Any, actor: Any, first: Any, second: Any, third: Any, secret: Any, readers: Any,
    witnesses: Any,
) -> None:  # fmt: skip
    """Append one event; the oldest is overwritten when the log is full."""
    row = s.log_count % s.log.shape[0]
    s.log_count = s.log_count + 1
    s.log[row, EVENT] = kind
    s.log[row, ACTOR] = actor
    s.log[row, FIRST] = first
    s.log[row, SECOND] = second
    s.log[row, THIRD] = third
    s.log[row, SECRET] = secret
    s.log[row, READERS] = readers
    s.log[row, WITNESSES] = witnesses


@jit
def log_public(s: Any, kind: Any, actor: Any, first: Any, second: Any, third: Any) -> None:
    """Append an event that everybody sees whole."""
    log_event(s, kind, actor, first, second, third, UNKNOWN, EVERYBODY, EVERYBODY)


@jit
def blank_log(v: Any, player: Any) -> None:
    """Reduce the log of ``v`` to what ``player`` may know.

    Secrets are blanked. Events that the player does not know of are taken out and the rest moved
    up, so that neither gaps nor the count tell of them; that needs a log that has not yet wrapped,
    so a game with such events declares a capacity for its longest course.
    """
    capacity = v.log.shape[0]
    count = v.log_count
    used = min(count, capacity)
    bit = 1 << (player if player >= 0 else _SPECTATOR_BIT)
    # without branches: whether a row is hidden is as good as random to the processor
    unseen = 0
    for row in range(used):
        unseen += v.log[row, WITNESSES] & bit == 0
        seen = v.log[row, READERS] & bit != 0
        v.log[row, SECRET] = v.log[row, SECRET] if seen else UNKNOWN
    if unseen > 0 and count <= capacity:
        _close_gaps(v, used, bit)


@jit
def _close_gaps(v: Any, used: Any, bit: Any) -> None:
    kept = 0
    for row in range(used):
        if v.log[row, WITNESSES] & bit != 0:
            for column in range(COLUMNS):
                v.log[kept, column] = v.log[row, column]
            kept += 1
    for row in range(kept, used):
        for column in range(COLUMNS):
            v.log[row, column] = 0
    v.log_count = kept
