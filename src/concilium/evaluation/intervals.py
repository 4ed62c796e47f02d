"""95 % intervals for shares and means."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Z: Final = 1.959963984540054  # 97.5 % point of the normal distribution
_STUDENT: Final = (
    12.7062,
    4.30265,
    3.18245,
    2.77645,
    2.57058,
    2.44691,
    2.36462,
    2.30600,
    2.26216,
)  # 97.5 % points of Student's distribution with 1, 2, … degrees of freedom
_FEW: Final = 30  # blocks; below, what they did not show is a larger part of the uncertainty
_ROUNDING: Final = 1e-15  # a variance below is that of equal figures, such as thirds, rounded


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval and the number of independent units behind it."""

    value: float
    low: float
    high: float
    units: int

    def __str__(self) -> str:
        return f"{self.value:z.3f} [{self.low:z.3f}, {self.high:z.3f}]"

    def percent(self) -> str:
        """The same in percent."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.value:z.1f} % [{low:z.1f}, {high:z.1f}]"

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

    See :func:`block_ratio`. Where all blocks are alike, as when nothing or everything was hit, the
    interval says how large a part of all blocks could still be different.
    """
    x = np.asarray(shares, float)
    return block_ratio(x, np.ones_like(x))


def block_ratio(hits: ArrayLike, cases: ArrayLike) -> Estimate:
    """Share of hits among all cases, where independent blocks hold unequal numbers of cases.

    The variance of the ratio is linearised (Cochran, Sampling Techniques, chapter 6), and the
    interval is that of :func:`share_with_error`. Blocks without a case count for nothing; of fewer
    than two the interval is everything from 0 to 1.

    Args:
        hits: of each block, ``(k,)``, from 0 to its number of cases.
        cases: of each block, ``(k,)``, from 0.
    """
    x, n = _with_cases(hits, cases)
    p = min(max(float(x.sum() / n.sum()), 0.0), 1.0) if len(x) else math.nan
    if len(x) < 2:
        return Estimate(p, 0.0, 1.0, len(x))
    return share_with_error(p, math.sqrt(_spread(x, n, p) / len(x)), len(x))


def share_with_error(p: float, error: float, units: int) -> Estimate:
    """Interval of a figure from 0 to 1 with a standard error estimated from some blocks.

    Wilson's interval for the number of independent games that would have this error, with Student's
    quantile for the degrees of freedom, as Korn and Graubard propose for surveys (Survey
    Methodology 24, 1998). It stays from 0 to 1. The error says nothing of what the blocks did not
    show, which matters where they are few or alike: then the interval also holds what the part of
    all blocks that none of so many shows could change.

    Args:
        p: the figure.
        error: its standard error, from 0.
        units: how many independent blocks, at least 2.
    """
    z = student(units - 1)
    unseen = z**2 / (units + z**2)  # the upper end of Wilson's interval for none of them
    hidden = Estimate(p, p * (1 - unseen), p + (1 - p) * unseen, units)
    if error**2 * units <= _ROUNDING or p * (1 - p) <= _ROUNDING:
        return hidden
    found = _wilson(p, p * (1 - p) / error**2, units, z)
    if units >= _FEW:
        return found
    return Estimate(p, min(found.low, hidden.low), max(found.high, hidden.high), units)


def student(freedom: int) -> float:
    """97.5 % point of Student's distribution, to four digits.

    Above nine degrees of freedom by the expansion 26.7.5 of Abramowitz and Stegun, Handbook of
    Mathematical Functions.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z, v = _Z, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def block_mean(totals: ArrayLike, cases: ArrayLike, low: float, high: float) -> Estimate:
    """Mean over all cases of figures within a range, which the interval respects.

    The range is brought to that from 0 to 1, and the interval is that of :func:`block_ratio`.

    Args:
        totals: sum over the cases of each block, ``(k,)``.
        cases: of each block, ``(k,)``, from 0.
        low: the smallest figure that is possible, not that was seen.
        high: the largest.
    """
    x, n = _with_cases(totals, cases)
    width = high - low
    part = block_ratio((x - low * n) / width, n)
    middle = float(x.sum() / n.sum()) if len(x) else math.nan
    return Estimate(middle, low + width * part.low, high - width * (1 - part.high), part.units)


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


def _wilson(p: float, n: float, units: int, z: float = _Z) -> Estimate:
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), units)


def mean(values: ArrayLike, low: float, high: float) -> Estimate:
    """Mean of independent values ``(k,)`` from ``low`` to ``high``; see :func:`block_mean`."""
    x = np.asarray(values, float)
    return block_mean(x, np.ones_like(x), low, high)


def difference(values: ArrayLike, low: float, high: float) -> Estimate:
    """Mean of differences ``(k,)`` between two figures that are each from ``low`` to ``high``."""
    return mean(values, low - high, high - low)


def interval(value: float, error: float, units: int) -> Estimate:
    """The normal interval of a figure without bounds, with a known standard error."""
    return Estimate(value, value - _Z * error, value + _Z * error, units)
