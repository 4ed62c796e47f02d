"""Improvement at the root: what each legal action is worth if everybody then plays on as before.

All actions are tried in the same worlds. Those that fall behind are dropped in stages (sequential
halving: Karnin, Koren and Somekh, ICML 2013), the blueprint's own never. In the end one is left
beside it, and is taken only if the mean of the paired differences is beyond doubt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.search.settings import Settings

Numbers = NDArray[np.int64]
Returns = NDArray[np.float64]
Try = Callable[[Numbers, int], Returns]
"""Returns ``(actions, worlds)`` of actions in so many new worlds, the same for all of them."""
_STEP: Final = 16  # worlds at a time; between them the clock is looked at


@dataclass(frozen=True)
class Thoughts:
    """What a search found.

    Attributes:
        actions: the legal actions, ascending ``(a,) int64``.
        visits: in how many worlds each was tried ``(a,) int64``.
        values: mean return of the seat ``(a,) float64``, NaN where it was not tried.
        gains: mean paired difference from the blueprint's action in the worlds tried ``(a,)``.
        errors: standard errors of these ``(a,)``; 0 for the blueprint's own.
        blueprint: what the blueprint chose.
        chosen: what the search chose.
        worlds: how many were drawn; also their effective number, for they weigh alike.
    """

    actions: Numbers
    visits: Numbers
    values: Returns
    gains: Returns
    errors: Returns
    blueprint: int
    chosen: int
    worlds: int


def improve(actions: Numbers, blueprint: int, attempt: Try, settings: Settings) -> Thoughts:
    """Search among at least two actions.

    Args:
        actions: the legal ones, ascending ``(a,)``.
        blueprint: one of them, what is done where nothing is better beyond doubt.
        attempt: tries actions in new worlds.
        settings: how long, and how sure.
    """
    record = _Record(actions, blueprint)
    left = np.arange(len(actions))
    for until in _stages(len(actions) - 1, settings):
        more = until(record.worlds)
        while more > 0:
            record.add(left, attempt(actions[left], more))
            more = until(record.worlds)
        left = record.better_half(left)
    return record.thoughts(left, settings.threshold)


def _stages(challengers: int, settings: Settings) -> list[Callable[[int], int]]:
    """For each stage a function from the worlds tried so far to how many more are tried at once."""
    stages = max(1, math.ceil(math.log2(max(challengers, 1))) + 1)
    if settings.milliseconds:
        begun, span = time.perf_counter(), settings.milliseconds / 1000

        def by_time(part: float) -> Callable[[int], int]:
            def more(tried: int) -> int:
                late = time.perf_counter() - begun >= part * span
                return 0 if late and tried > 1 else _STEP

            return more

        return [by_time((k + 1) / stages) for k in range(stages)]

    def by_count(target: int) -> Callable[[int], int]:
        return lambda tried: target - tried

    least = min(_STEP, settings.worlds)
    return [by_count(max(least, settings.worlds >> (stages - 1 - k))) for k in range(stages)]


class _Record:
    """Returns of all actions in all worlds so far; NaN where one was not tried."""

    def __init__(self, actions: Numbers, blueprint: int) -> None:
        self.actions = actions
        self.own = int(np.flatnonzero(actions == blueprint)[0])
        self._returns = np.empty((len(actions), 0))

    @property
    def worlds(self) -> int:
        return self._returns.shape[1]

    def add(self, places: Numbers, returns: Returns) -> None:
        block = np.full((len(self.actions), returns.shape[1]), np.nan)
        block[places] = returns
        self._returns = np.concatenate([self._returns, block], axis=1)

    def gains(self, places: Numbers) -> tuple[Returns, Returns]:
        """Mean paired differences from the blueprint's action, and their standard errors."""
        means, errors = np.full(len(places), np.nan), np.full(len(places), np.inf)
        for k, place in enumerate(places.tolist()):
            paired = self._returns[place] - self._returns[self.own]
            paired = paired[~np.isnan(paired)]
            if len(paired):
                means[k] = paired.mean()
            if len(paired) > 1:
                errors[k] = paired.std(ddof=1) / math.sqrt(len(paired))
        return means, errors

    def better_half(self, left: Numbers) -> Numbers:
        """Keep the blueprint's action and the better half of the others, one at least."""
        others = left[left != self.own]
        means, _ = self.gains(others)
        order = np.argsort(-means, kind="stable")  # of equals the first
        kept = others[order[: max(1, len(others) // 2)]]
        return np.sort(np.append(kept, self.own))

    def thoughts(self, left: Numbers, threshold: float) -> Thoughts:
        every = np.arange(len(self.actions))
        gains, errors = self.gains(every)
        visits = (~np.isnan(self._returns)).sum(axis=1)
        sums = np.nansum(self._returns, axis=1)
        rival = int(left[left != self.own][0])
        sure = gains[rival] > 0 and gains[rival] > threshold * errors[rival]
        chosen = rival if sure else self.own
        return Thoughts(
            actions=self.actions,
            visits=visits,
            values=np.divide(sums, visits, out=np.full(len(sums), np.nan), where=visits > 0),
            gains=gains,
            errors=errors,
            blueprint=int(self.actions[self.own]),
            chosen=int(self.actions[chosen]),
            worlds=self.worlds,
        )
