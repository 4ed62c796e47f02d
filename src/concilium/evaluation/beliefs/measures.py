"""How good beliefs about Faith are: measures for whatever reports a chance for each seat.

The unit of all intervals is the game: seats and rows of one game share their truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.errors import OptionError
from concilium.evaluation.intervals import Estimate, block_mean, block_ratio, share_with_error

LEAST_CHANCE: Final = 1e-6
"""What is less likely counts as this likely in the log loss, or one certain error is all."""
_WORST: Final = -float(np.log(LEAST_CHANCE))
"""The largest log loss, in nats."""
BINS: Final = 10


@dataclass(frozen=True)
class Beliefs:
    """What was believed in some Views, and what was true.

    Attributes:
        chances: of each seat to be a Defector ``(k, seats) float64``, 0 to 1.
        truth: where one sits ``(k, seats) bool``.
        counted: seats whose chances count ``(k, seats) bool``: not the viewer's own.
        game: number of the game of each View ``(k,) int64``.
        row: rows of Missions that were over ``(k,) int64``.

    Raises:
        OptionError: shapes do not fit, a counted chance is not from 0 to 1, or nothing is counted.
    """

    chances: NDArray[np.float64]
    truth: NDArray[np.bool_]
    counted: NDArray[np.bool_]
    game: NDArray[np.int64]
    row: NDArray[np.int64]

    def __post_init__(self) -> None:
        shape = self.chances.shape
        fits = len(shape) == 2 and self.truth.shape == shape and self.counted.shape == shape
        if not fits or self.game.shape != shape[:1] or self.row.shape != shape[:1]:
            raise OptionError(
                f"beliefs of shapes {shape}, {self.truth.shape}, {self.counted.shape}, "
                f"{self.game.shape} and {self.row.shape}: three of (k, seats), two of (k,)"
            )
        chances = self.chances[self.counted]
        if not len(chances) or not ((chances >= 0) & (chances <= 1)).all():
            raise OptionError("beliefs need at least one chance that counts, all from 0 to 1")

    def take(self, places: NDArray[np.bool_]) -> Beliefs:
        """Those of some of the Views ``(k,) bool``."""
        return Beliefs(
            self.chances[places], self.truth[places], self.counted[places], self.game[places],
            self.row[places],
        )  # fmt: skip

    def cases(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Chance, truth (0 or 1) and game of every seat that counts, each ``(cases,)``."""
        games = np.broadcast_to(self.game[:, np.newaxis], self.chances.shape)
        return (
            self.chances[self.counted],
            self.truth[self.counted].astype(float),
            games[self.counted],
        )


@dataclass(frozen=True)
class Bin:
    """Cases in which about the same was believed.

    Attributes:
        low, high: of the chances.
        cases: how many there are.
        believed: their mean.
        true: share of Defectors among them.
    """

    low: float
    high: float
    cases: int
    believed: float
    true: Estimate


@dataclass(frozen=True)
class Quality:
    """Measures of beliefs; see the functions of these names."""

    log_loss: Estimate
    brier: Estimate
    auc: Estimate
    bins: tuple[Bin, ...]


def quality(beliefs: Beliefs) -> Quality:
    """All measures."""
    return Quality(log_loss(beliefs), brier(beliefs), auc(beliefs), calibration(beliefs))


def by_row(beliefs: Beliefs) -> dict[int, Quality]:
    """All measures, by rows that were over."""
    return {
        int(row): quality(beliefs.take(beliefs.row == row))
        for row in np.unique(beliefs.row)
        if beliefs.counted[beliefs.row == row].any()
    }


def log_loss(beliefs: Beliefs) -> Estimate:
    """Mean of minus the logarithm of the chance given to what was true, seat by seat; in nats."""
    return _mean_over(beliefs, _losses, _WORST)


def brier(beliefs: Beliefs) -> Estimate:
    """Mean of the squared difference between chance and truth (0 or 1)."""
    return _mean_over(beliefs, lambda chances, truth: (chances - truth) ** 2, 1.0)


def auc(beliefs: Beliefs) -> Estimate:
    """Chance that a Defector was given more than a True Believer, equal ones counting one half.

    Over all pairs of cases. The error is that of Obuchowski for clustered data (Biometrics 53,
    1997). NaN where all are on one side.
    """
    chances, truth, games = beliefs.cases()
    guilty = truth > 0
    placed_guilty = _placements(chances[guilty], chances[~guilty])
    placed_others = 1.0 - _placements(chances[~guilty], chances[guilty])
    value = float(placed_guilty.mean()) if guilty.any() and not guilty.all() else np.nan
    units, number = np.unique(games, return_inverse=True)
    parts = np.zeros(len(units))
    if np.isnan(value) or len(units) < 2:
        return Estimate(value, 0.0, 1.0, len(units))
    np.add.at(parts, number[guilty], (placed_guilty - value) / guilty.sum())
    np.add.at(parts, number[~guilty], (placed_others - value) / (~guilty).sum())
    error = float(np.sqrt((parts**2).sum() * len(units) / (len(units) - 1)))
    return share_with_error(value, error, len(units))


def calibration(beliefs: Beliefs, bins: int = BINS) -> tuple[Bin, ...]:
    """How often what was believed came true, in bins of equal width; empty bins are left out.

    Args:
        beliefs: what was believed.
        bins: how many, from 1.

    Raises:
        OptionError: no bins.
    """
    if bins < 1:
        raise OptionError(f"bins={bins} is not allowed: a whole number from 1")
    chances, truth, games = beliefs.cases()
    place = np.minimum((chances * bins).astype(np.int64), bins - 1)
    found = []
    for k in np.unique(place):
        inside = place == k
        hits, cases = _by_game(games[inside], truth[inside])
        found.append(
            Bin(
                float(k / bins), float((k + 1) / bins), int(inside.sum()),
                float(chances[inside].mean()), block_ratio(hits, cases),
            )
        )  # fmt: skip
    return tuple(found)


def excess_log_loss(beliefs: Beliefs, posterior: Beliefs) -> Estimate:
    """Log loss beyond that of a posterior about the same Views, case by case.

    Raises:
        OptionError: they are not about the same.
    """
    same = all(
        np.array_equal(getattr(beliefs, name), getattr(posterior, name))
        for name in ("truth", "counted", "game", "row")
    )
    if not same:
        raise OptionError("an excess needs beliefs and a posterior about the same Views and seats")
    chances, truth, games = beliefs.cases()
    least, _, _ = posterior.cases()
    lost = _losses(chances, truth) - _losses(least, truth)
    return _mean_by_game(games, lost, -_WORST, _WORST)


def assignment_loss(
    probabilities: NDArray[np.float64], true: NDArray[np.int64], game: NDArray[np.int64]
) -> Estimate:
    """Mean of minus the logarithm of the probability of the true assignment, in nats.

    Args:
        probabilities: of assignments ``(k, assignments)``.
        true: number of the true one ``(k,)``.
        game: of each ``(k,)``.
    """
    told = probabilities[np.arange(len(true)), true]
    return _mean_by_game(game, -np.log(np.maximum(told, LEAST_CHANCE)), 0.0, _WORST)


def divergence(
    posterior: NDArray[np.float64], beliefs: NDArray[np.float64], game: NDArray[np.int64]
) -> Estimate:
    """Excess log loss to be expected: mean of the Kullback-Leibler divergence, in nats.

    If the posterior is right this is what beliefs lose to it on average, with less noise than on
    what happened to be true.

    Args:
        posterior: probabilities of assignments ``(k, assignments)``.
        beliefs: likewise; above 0 wherever the posterior is.
        game: of each ``(k,)``.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(posterior > 0, posterior * np.log(posterior / beliefs), 0.0)
    found = parts.sum(axis=1)
    return _mean_by_game(game, found, 0.0, max(_WORST, float(found.max(initial=0.0))))


def _losses(chances: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    told = np.where(truth > 0, chances, 1.0 - chances)
    losses: NDArray[np.float64] = -np.log(np.maximum(told, LEAST_CHANCE))
    return losses


def _mean_over(
    beliefs: Beliefs,
    measure: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]],
    high: float,
) -> Estimate:
    """Mean by game of a measure from 0 to ``high``."""
    chances, truth, games = beliefs.cases()
    return _mean_by_game(games, measure(chances, truth), 0.0, high)


def _mean_by_game(games: NDArray[np.int64], values: ArrayLike, low: float, high: float) -> Estimate:
    return block_mean(*_by_game(games, np.asarray(values, float)), low, high)


def _by_game(
    games: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and number of the values of each game."""
    units, number = np.unique(games, return_inverse=True)
    totals = np.bincount(number, values, len(units)).astype(np.float64)
    return totals, np.bincount(number, minlength=len(units)).astype(np.float64)


def _placements(chances: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the others that lie below each chance, equal ones counting one half."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, chances, "left") + np.searchsorted(ordered, chances, "right")
    shares: NDArray[np.float64] = below / (2.0 * max(len(others), 1))
    return shares
