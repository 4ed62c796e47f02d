"""Ratings of bots from games of mixed tables, for display; conclusions stand on win shares.

The model is openskill's Plackett-Luce (Weng and Lin, JMLR 12, 2011). It takes games one after the
other, so the figures are means over several orders of the games. A rating is a single number: it
says nothing of how a bot fares at a table of its own kind or against one bot in particular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from concilium.evaluation.intervals import Estimate, interval
from concilium.evaluation.matches import Results

MODEL: Final = "openskill PlackettLuce, tau=0"
NOTE: Final = (
    "ratings are for display: ranks by return, equal returns tie, so a game that everybody loses "
    "ties all seats"
)
_ORDERS: Final = 5  # of the games, to take the mean of
_RESAMPLES: Final = 20  # of the deals, for the interval
_MOST_GAMES: Final = 2000  # enough for a display; a game takes some 50 µs, 25 times over

_Game = tuple[list[int], list[float]]
"""Who sat there, and what each got."""


@dataclass(frozen=True)
class Rating:
    """The rating of one bot.

    Attributes:
        bot: its name.
        mu: its strength; a new bot has 25. The interval is by resampling deals.
        sigma: the model's own uncertainty of the strength; it takes all games for independent.
    """

    bot: str
    mu: Estimate
    sigma: float


@dataclass(frozen=True)
class Ratings:
    """Ratings of all bots, the strongest first.

    Attributes:
        model: how they were found.
        note: what they are for, and what ties.
        games: how many games they are from.
        bots: the ratings.
    """

    model: str
    note: str
    games: int
    bots: tuple[Rating, ...]


def rate(played: Sequence[Results], bots: Sequence[str], *, seed: int) -> Ratings:
    """Rate bots that sat together at tables; equal arguments give equal ratings.

    Seats are ranked by return, and equal returns tie: of a game that everybody loses alike all
    seats tie, which draws their ratings together. Each seat is rated as if alone; a bot in several
    seats gains what they gain together, so that what some gain others lose. Games of one bot alone
    say nothing and are left out. Of very many games a part is taken, whole deals drawn by the seed.

    Args:
        played: results whose seatings hold numbers of ``bots``.
        bots: their names.
        seed: of the orders and resamples of the games.

    Raises:
        ModuleNotFoundError: openskill is not installed.
    """
    from openskill.models import PlackettLuce

    generator = np.random.default_rng(seed)
    deals = _some(_deals(played), generator)
    model = PlackettLuce(tau=0.0)  # bots stay as they are, so nothing is added to sigma
    orders = [
        _rate_once(model, [deals[k] for k in generator.permutation(len(deals))], len(bots))
        for _ in range(_ORDERS)
    ]
    resamples = [
        _rate_once(model, [deals[k] for k in generator.integers(0, len(deals), len(deals))],
                   len(bots))
        for _ in range(_RESAMPLES if deals else 0)
    ]  # fmt: skip
    means = np.mean(orders, axis=0)
    errors = np.std(resamples, axis=0, ddof=1)[:, 0] if deals else np.full(len(bots), np.inf)
    rated = [
        Rating(name, interval(float(mu), float(error), len(deals)), float(sigma))
        for name, (mu, sigma), error in zip(bots, means, errors, strict=True)
    ]
    rated.sort(key=lambda rating: -rating.mu.value)
    return Ratings(MODEL, NOTE, sum(map(len, deals)), tuple(rated))


def _deals(played: Sequence[Results]) -> list[list[_Game]]:
    """Games of different bots, by deal."""
    deals = []
    for results in played:
        sits = results.seating if results.seating.ndim == 3 else results.seating[:, np.newaxis]
        sits = np.broadcast_to(sits, results.returns.shape)
        for deal in range(results.returns.shape[1]):
            games = [
                (seats.tolist(), returns.tolist())
                for seats, returns in zip(sits[:, deal], results.returns[:, deal], strict=True)
                if len(set(seats.tolist())) > 1
            ]
            if games:
                deals.append(games)
    return deals


def _some(deals: list[list[_Game]], generator: np.random.Generator) -> list[list[_Game]]:
    taken: list[list[_Game]] = []
    games = 0
    for k in generator.permutation(len(deals)):
        games += len(deals[k])
        if taken and games > _MOST_GAMES:
            break
        taken.append(deals[k])
    return taken


def _rate_once(
    model: Any, deals: Sequence[Sequence[_Game]], bots: int
) -> list[tuple[float, float]]:
    """Rate all games in their order; return mu and sigma of each bot."""
    start = model.rating()
    ratings = [(start.mu, start.sigma)] * bots
    for games in deals:
        for seats, returns in games:
            # an object for each seat, also of the same bot: the model changes them one by one
            teams = [[model.rating(*ratings[number])] for number in seats]
            rated = model.rate(teams, scores=returns)
            for number in set(seats):
                mu, sigma = ratings[number]
                own = [rated[k][0] for k, other in enumerate(seats) if other == number]
                gained = sum(each.mu - mu for each in own)
                ratings[number] = (mu + gained, sigma * prod(each.sigma / sigma for each in own))
    return ratings
