"""How good role inference is, on games of bots that play by the behaviour model.

``concilium beliefs`` prints it. Beliefs of True Believers at the end of each row. The reference is
the exact posterior; where that is too large it is the sum over sampled worlds, of a few Views drawn
at random: twice from different draws, which says how far it is to be trusted. Other bots may play,
one for each side, and then the model is what the first of them takes the others to do: there is no
reference then. The unit of intervals is the game.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.bot import CharacterBot
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.believers.inference.model_bot import ModelBot
from concilium.baselines.believers.inference.posterior import (
    members,
    posterior,
    posteriors,
    seat_chances,
)
from concilium.baselines.divided import SidedBot
from concilium.baselines.registry import make_bot
from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers.state import DEFECTORS
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import plain_records
from concilium.evaluation.beliefs.measures import (
    Beliefs,
    assignment_loss,
    by_row,
    calibration,
    divergence,
    excess_log_loss,
)
from concilium.evaluation.beliefs.sample import Sample, sample_views
from concilium.evaluation.intervals import Estimate

_BATCH: Final = 1024
_ROUNDS: Final = 10


@dataclass(frozen=True)
class Reference:
    """Posteriors that others are measured by.

    Attributes:
        sample: the Views that could be weighed.
        first, second: probabilities of assignments ``(k, assignments)`` from two separate draws;
            the same twice if exact.
        refused: Views to which no sampled world leads.
        seconds: a View, for one of the two.
    """

    sample: Sample
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    refused: int
    seconds: float

    @property
    def both(self) -> NDArray[np.float64]:
        """Their mean."""
        mean: NDArray[np.float64] = (self.first + self.second) / 2
        return mean


def beliefs_of(sample: Sample, chances: NDArray[np.float64]) -> Beliefs:
    """Beliefs about all seats but the viewer's own.

    Args:
        sample: Views and the truth about them.
        chances: of each seat to be a Defector ``(k, seats)``.
    """
    seats = chances.shape[1]
    viewers = plain_records(sample.views)["viewer"].astype(np.int64)
    return Beliefs(
        chances,
        members(sample.defectors, seats) > 0,
        np.arange(seats) != viewers[:, np.newaxis],
        sample.game,
        sample.row,
    )


def refer(sample: Sample, model: BehaviourModel, worlds: int, seed: int) -> Reference:
    """Weigh Views as well as can be.

    Args:
        sample: the Views.
        model: what the seats do.
        worlds: kept at a time; 0: exact.
        seed: of the draws.

    Raises:
        OptionError: worlds is 0 and the configuration too large.
    """
    found: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    places = []
    start = time.perf_counter()
    for k in range(len(sample.views)):
        try:
            told = _refer_one(sample, k, model, worlds, seed)
        except OptionError:
            if not worlds:
                raise
            continue
        found.append(told)
        places.append(k)
    seconds = (time.perf_counter() - start) / max(len(sample.views), 1) / (2 if worlds else 1)
    first, second = (np.array([told[part] for told in found]) for part in range(2))
    refused = len(sample.views) - len(found)
    return Reference(sample.take(np.array(places, np.int64)), first, second, refused, seconds)


def _refer_one(
    sample: Sample, index: int, model: BehaviourModel, worlds: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not worlds:
        exact = posterior(sample.views, model, "exact", index=index).probabilities
        return exact, exact
    first, second = (
        posterior(
            sample.views, model, "sample", index=index, worlds=worlds, seed=seed + part
        ).probabilities
        for part in range(2)
    )
    return first, second


def compare(
    table: BoundGame, model: BehaviourModel, games: int, seed: int, views: int, worlds: int
) -> Iterable[str]:
    """Play games and tell in lines how good beliefs about them are.

    Args:
        table: Believers with its options.
        model: what bots do and inference takes them to do.
        games: how many are played.
        seed: of all chance.
        views: how many are referred to sampled worlds; all are where the reference is exact.
        worlds: of the reference; 0: exact.
    """
    sample = sample_views(table, [ModelBot(model)] * table.num_players, games, seed)
    yield f"{table}: {games} games, {len(sample.views)} Views of True Believers, seed {seed}"
    yield from _measures(sample, model)
    chosen = sample
    if worlds:
        generator = np.random.default_rng(seed)
        places = generator.permutation(len(sample.views))[:views]
        chosen = sample.take(np.sort(places))
    reference = refer(chosen, model, worlds, seed)
    yield from _excesses(reference, model, worlds)
    yield from _speed(sample, model)


def of_bots(table: BoundGame, names: Sequence[str], games: int, seed: int) -> Iterable[str]:
    """Tell in lines how good beliefs are about games of two bots, one for each side.

    Args:
        table: Believers with its options.
        names: of the bots, that of the True Believers first. If it is a rule bot of Believers,
            inference is by what it takes the others to do, else by the default model.
        games: how many are played.
        seed: of all chance.

    Raises:
        OptionError: there is no such bot.
    """
    believers, defectors = (make_bot(name, GAME) for name in names)
    model = BehaviourModel()
    if isinstance(believers, CharacterBot):
        model = believers.character.model()
    # one object in all seats: what it draws depends on nothing but the seed
    both = SidedBot([believers, defectors])
    sample = sample_views(table, [both] * table.num_players, games, seed)
    yield f"{table}: {' against '.join(names)}, {games} games, seed {seed}"
    yield from _measures(sample, model)


def _measures(sample: Sample, model: BehaviourModel) -> Iterable[str]:
    players = int(plain_records(sample.views)["num_players"][0])
    share = int(DEFECTORS[players]) / (players - 1)
    told = {
        "prior": np.full((len(sample.views), players), share),
        "hard facts": posteriors(sample.views).seats,
        "fast": posteriors(sample.views, model).seats,
    }
    yield "rows over  beliefs     log loss              Brier                 AUC"
    for name, chances in told.items():
        for row, found in by_row(beliefs_of(sample, chances)).items():
            yield f"{row:9}  {name:10}  {found.log_loss}  {found.brier}  {found.auc}"
    yield "fast, calibration over all rows: believed, true, cases"
    for entry in _all_bins(beliefs_of(sample, told["fast"])):
        yield f"  {entry}"


def _all_bins(beliefs: Beliefs) -> Iterable[str]:
    for each in calibration(beliefs):
        yield f"{each.believed:.3f}  {each.true}  {each.cases}"


def _excesses(reference: Reference, model: BehaviourModel, worlds: int) -> Iterable[str]:
    """The reference, and what others lose to it."""
    sample = reference.sample
    what = f"{worlds} worlds, twice" if worlds else "exact"
    yield (
        f"reference: {what}, {len(sample.views)} Views, {reference.refused} refused, "
        f"{1e3 * reference.seconds:.0f} ms a View"
    )
    if not len(sample.views):
        return
    fast, facts = posteriors(sample.views, model), posteriors(sample.views)
    true = np.searchsorted(fast.assignments, sample.defectors)
    players = fast.seats.shape[1]
    seats = beliefs_of(sample, seat_chances(fast.assignments, reference.both, players))
    yield "rows over  beliefs     loss of assignments    excess, expected       excess of seats"
    for row in [0, *np.unique(sample.row)]:
        inside = (sample.row == row) | (row == 0)
        for name, found in (("reference", None), ("fast", fast), ("hard facts", facts)):
            chances = reference.both if found is None else found.probabilities
            loss = assignment_loss(chances[inside], true[inside], sample.game[inside])
            line = f"{row or 'all':>9}  {name:10}  {loss}"
            if found is not None:
                more = divergence(reference.both[inside], chances[inside], sample.game[inside])
                own = beliefs_of(sample, found.seats).take(inside)
                line += f"  {more}  {excess_log_loss(own, seats.take(inside))}"
            yield line
    if worlds:
        yield f"error of the reference, half the divergence of its two draws: {_error(reference)}"


def _error(reference: Reference) -> Estimate:
    """Each of two draws is as far from their middle as that is from the truth, or less."""
    halves = [
        divergence(half, reference.both, reference.sample.game)
        for half in (reference.first, reference.second)
    ]
    return max(halves, key=lambda found: found.value)


def _speed(sample: Sample, model: BehaviourModel) -> Iterable[str]:
    views = sample.take(np.resize(np.arange(len(sample.views)), _BATCH)).views
    taken = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        posteriors(views, model)
        taken.append((time.perf_counter() - start) / _BATCH * 1e6)
    yield (
        f"fast: {min(taken):.1f} µs a View at best, {np.median(taken):.1f} in the middle, in "
        f"batches of {_BATCH}"
    )
