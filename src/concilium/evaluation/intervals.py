"""95 % intervals for shares and means."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Z: Final = 1.959963984540054  # 97.5 % point of the normal distribution
_ROUNDING: Final = 1e-15  # a variance below is that of equal figures, such as thirds, rounded


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

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON; what is unknown or unbounded is None."""
        return {name: x if math.isfinite(x) else None for name, x in asdict(self).items()}


def share(hits: int, units: int) -> Estimate:
    """Share of hits among independent units, with Wilson's interval (JASA 22, 1927)."""
    if units == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    return _wilson(hits / units, units, units)


def block_share(shares: ArrayLike) -> Estimate:
    """Mean of shares measured on independent blocks of games, ``(k,)`` in [0, 1].

    Wilson's interval for the number of independent games that would have the variance observed
    between the blocks; unlike the normal interval it stays within [0, 1]. Where all blocks are
    alike, as when nothing or everything was hit, it says how large a part of all blocks could still
    be different.
    """
    x = np.asarray(shares, float)
    return block_ratio(x, np.ones_like(x))


def block_ratio(hits: ArrayLike, cases: ArrayLike) -> Estimate:
    """Share of hits among all cases, where independent blocks hold unequal numbers of cases.

    The interval is that of :func:`block_share`, with the variance of the ratio linearised (Cochran,
    Sampling Techniques, chapter 6). Blocks without a case count for nothing.

    Args:
        hits: of each block, ``(k,)``, from 0 to its number of cases.
        cases: of each block, ``(k,)``, from 0.
    """
    x, n = _with_cases(hits, cases)
    if len(x) < 2:
        return Estimate(float(x.sum() / n.sum()) if len(x) else math.nan, 0.0, 1.0, len(x))
    p = float(x.sum() / n.sum())
    spread = _spread(x, n, p)
    if spread <= _ROUNDING:
        unseen = _wilson(0.0, len(x), len(x)).high  # what none of so many blocks can still hide
        return Estimate(p, p * (1 - unseen), p + (1 - p) * unseen, len(x))
    return _wilson(p, len(x) * p * (1 - p) / spread, len(x))


def block_mean(totals: ArrayLike, cases: ArrayLike) -> Estimate:
    """Mean over all cases, with the normal interval; the blocks are those of :func:`block_ratio`.

    Args:
        totals: sum over the cases of each block, ``(k,)``.
        cases: of each block, ``(k,)``, from 0.
    """
    x, n = _with_cases(totals, cases)
    if not len(x):
        return Estimate(math.nan, -math.inf, math.inf, 0)
    middle = float(x.sum() / n.sum())
    if len(x) < 2:
        return interval(middle, math.inf, len(x))
    return interval(middle, math.sqrt(_spread(x, n, middle) / len(x)), len(x))


def _with_cases(
    values: ArrayLike, cases: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, n = np.broadcast_arrays(np.asarray(values, float), np.asarray(cases, float))
    return x[n > 0], n[n > 0]


def _spread(x: NDArray[np.float64], n: NDArray[np.float64], ratio: float) -> float:
    """Variance of a block's part in the ratio."""
    return float(((x - ratio * n) ** 2).sum()) / (len(x) - 1) / float(n.mean()) ** 2


def deal_efficiency(*measured: NDArray[np.float64]) -> float | None:
    """How many times as many games would be needed if each had a deal of its own.

    That is the variance that the mean would have with a deal for each game, over the variance it
    has with the same deals in all rotations; of several figures the sums of both.

    Args:
        *measured: figures ``(rotations, deals)``; those of fewer than two deals say nothing.

    Returns:
        The factor, or None where the figures do not differ between deals.
    """
    told = [values for values in measured if values.shape[1] > 1]
    observed = sum(float(values.mean(axis=0).var(ddof=1)) for values in told)
    independent = sum(float(values.var(axis=1, ddof=1).mean()) / len(values) for values in told)
    return independent / observed if observed > _ROUNDING else None


def _wilson(p: float, n: float, units: int) -> Estimate:
    middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), units)


def mean(values: ArrayLike) -> Estimate:
    """Mean of independent values ``(k,)``, with the normal interval."""
    x = np.asarray(values, float)
    if len(x) < 2:
        return Estimate(float(x.mean()) if len(x) else math.nan, -math.inf, math.inf, len(x))
    return interval(float(x.mean()), float(x.std(ddof=1)) / math.sqrt(len(x)), len(x))


def interval(value: float, error: float, units: int) -> Estimate:
    """The normal interval of a figure with a known standard error."""
    return Estimate(value, value - _Z * error, value + _Z * error, units)
