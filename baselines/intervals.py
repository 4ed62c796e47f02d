"""95 % intervals for shares and means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

_Z: Final = 1.959963984540054  # 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval and the number of independent units behind it."""

    value: float
    low: float
    high: float
    units: int

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"

    def percent(self) -> str:
        """The same in percent."""
        return f"{100 * self.value:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def share(hits: int, units: int) -> Estimate:
    """Share of hits among independent units, with Wilson's interval (JASA 22, 1927)."""
    if units == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    return _wilson(hits / units, units, units)


def block_share(shares: ArrayLike) -> Estimate:
    """Mean of shares measured on independent blocks of games, ``(k,)`` in [0, 1].

    Wilson's interval for the number of independent games that would have the variance observed
    between the blocks; unlike the normal interval it stays within [0, 1] and has a width when
    nothing or everything was hit.
    """
    x = np.asarray(shares, float)
    if len(x) < 2:
        return Estimate(float(x.mean()) if len(x) else math.nan, 0.0, 1.0, len(x))
    p = float(x.mean())
    spread = float(x.var(ddof=1))
    effective = len(x) * p * (1 - p) / spread if spread > 0 else float(len(x))
    return _wilson(p, effective, len(x))


def _wilson(p: float, n: float, units: int) -> Estimate:
    middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), units)


def mean(values: ArrayLike) -> Estimate:
    """Mean of independent values ``(k,)``, with the normal interval."""
    x = np.asarray(values, float)
    if len(x) < 2:
        return Estimate(float(x.mean()) if len(x) else math.nan, -math.inf, math.inf, len(x))
    half = _Z * float(x.std(ddof=1)) / math.sqrt(len(x))
    return Estimate(float(x.mean()), float(x.mean()) - half, float(x.mean()) + half, len(x))
