"""At the start nothing public tells of the roles: statistics over thousands of deals.

Two families of tests, each at level 0.0005, so that the whole is at 0.001 (Bonferroni within each):
every element of the observation against the Faith of every other seat (chi-square), and every
public value of a seat, or its distance from a seat that is named, against that seat's own Faith,
all seats of a deal together (a sum of hypergeometric counts). The same functions must find deals in
which the first Eye is a Defector two per cent more often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2, norm

from concilium.envs import SPECTATOR, BoundGame, VecGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.state import Records, plain_records
from tests.games.believers.tables import DEFECTORS

LEVEL = 0.001
SEED = 20_240_229
BATCH = 500
DEALS = 10_000  # for the elements of the observation
MORE_DEALS = 24_000  # for the values of seats: two per cent are seen for certain
FEWEST = 40  # deals with a value; rarer ones are taken together
SEAT_NAMES = ("actor", "turn", "eye", "hand_seat", "last_hand", "row_target")

Deals: TypeAlias = Callable[[BoundGame, int], Iterator[Records]]


def fair(bound: BoundGame, count: int) -> Iterator[Records]:
    """Deals of the game, a batch at a time."""
    vec = VecGame([bound] * BATCH, seed=SEED)
    for _ in range(count // BATCH):
        vec.reset()
        yield vec.states


def biased(bound: BoundGame, count: int) -> Iterator[Records]:
    """The same, but the first Eye is a Defector two per cent more often than by chance."""
    rng = np.random.default_rng(1)
    n = bound.num_players
    moved = 0.02 / (1 - DEFECTORS[n] / n)  # of the deals in which a True Believer would be Eye
    for states in fair(bound, count):
        s = plain_records(states)
        for k in np.flatnonzero(rng.random(BATCH) < moved):
            if s["faith"][k, int(s["eye"][k])] == S.Faith.BELIEVER:
                eye = int(rng.choice(np.flatnonzero(s["faith"][k, :n] == S.Faith.DEFECTOR)))
                s["eye"][k] = s["turn"][k] = s["actor"][k] = eye
                s["log"][k, 0, 1] = eye
        yield states


def views_of(bound: BoundGame, states: Records, viewers: NDArray[np.int64]) -> Records:
    """The View of ``viewers[k]`` in ``states[k]``."""
    out = np.empty_like(states)
    places = np.arange(len(states))
    GAME.kernels.view_many(states, places, viewers, out, 0, len(states))
    return out


def believers(faith: NDArray[np.int64]) -> NDArray[np.int64]:
    """A True Believer of each deal, the first from seat 0."""
    first: NDArray[np.int64] = np.argmax(faith == S.Faith.BELIEVER, axis=1)
    return first


def observed(
    bound: BoundGame, deals: Deals, spectator: bool
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Observations of a neutral viewer, and the Faith of the other seats as the viewer counts them.

    A spectator, or a True Believer, who knows nothing but the own Faith.
    """
    n = bound.num_players
    seen, faiths = [], []
    for states in deals(bound, DEALS):
        faith = plain_records(states)["faith"][:, :n].astype(np.int64)
        viewers = np.full(len(states), SPECTATOR) if spectator else believers(faith)
        seen.append(bound.encode(views_of(bound, states, viewers)))
        first = np.zeros(len(states), np.int64) if spectator else viewers
        order = (first[:, None] + np.arange(n)) % n
        faiths.append(np.take_along_axis(faith, order, axis=1))
    return np.concatenate(seen), np.concatenate(faiths)[:, 0 if spectator else 1 :]


def smallest_of_elements(seen: NDArray[np.int8], faiths: NDArray[np.int64]) -> float:
    """Smallest p-value, times the number of tests, of elements against Faiths."""
    p = [1.0]
    share = faiths.mean(axis=0)
    for element in np.flatnonzero(seen.min(axis=0) != seen.max(axis=0)):
        column = seen[:, element]
        found, count = np.unique(column, return_counts=True)
        groups = [column == value for value in found[count >= FEWEST]]
        rare = np.isin(column, found[count < FEWEST])
        if rare.sum() >= FEWEST:
            groups.append(rare)
        elif groups:
            groups[-1] = groups[-1] | rare
        if len(groups) < 2:
            continue
        statistic = np.zeros(faiths.shape[1])
        for group in groups:
            expected = group.sum() * share
            difference = faiths[group].sum(axis=0) - expected
            statistic += difference**2 / expected + difference**2 / (group.sum() * (1 - share))
        p += chi2.sf(statistic, len(groups) - 1).tolist()
    return float(min(p) * (len(p) - 1))


def seat_values(views: NDArray[Any], n: int) -> dict[str, NDArray[np.int64]]:
    """Every public value that belongs to a seat ``(deals, n)``, by name."""
    found = {}
    for name in views.dtype.names or ():
        shape = views.dtype[name].shape
        if name in SEAT_NAMES:
            found[name] = (np.arange(n) - views[name].astype(np.int64)[:, None]) % n
        elif shape[:1] == (S.SEATS,) and name not in ("faith", "hand"):
            values = views[name][:, :n].reshape(len(views), n, -1).astype(np.int64)
            for k in range(values.shape[2]):
                found[f"{name} {k}"] = values[:, :, k]
    return found


def smallest_of_seats(bound: BoundGame, deals: Deals) -> float:
    """Smallest p-value, times the number of tests, of seats' values against their own Faith."""
    n = bound.num_players
    share = DEFECTORS[n] / n
    over: dict[tuple[str, int], float] = {}  # Defectors beyond what is expected
    variance: dict[tuple[str, int], float] = {}
    for states in deals(bound, MORE_DEALS):
        faith = plain_records(states)["faith"][:, :n]
        views = plain_records(views_of(bound, states, np.full(len(states), SPECTATOR)))
        for name, values in seat_values(views, n).items():
            if values.min() == values.max():
                continue  # then every seat has it, and it tells nothing
            for value in np.unique(values):
                there = values == value
                seats = there.sum(axis=1)
                key = (name, int(value))
                excess = (there & (faith == S.Faith.DEFECTOR)).sum() - share * seats.sum()
                over[key] = over.get(key, 0.0) + float(excess)
                spread = seats * (n - seats) * share * (1 - share) / (n - 1)
                variance[key] = variance.get(key, 0.0) + float(spread.sum())
    tested = [key for key in over if variance[key] > 20]
    p = [2 * norm.sf(abs(over[key]) / variance[key] ** 0.5) for key in tested]
    assert len(p) > 3 * n  # distances from the Eye of three fields, Disciples
    return float(min(p) * len(p))


def check_start(bound: BoundGame, deals: Deals) -> None:
    """Nothing public at the start tells of the roles.

    Raises:
        AssertionError: something does, beyond chance.
    """
    assert smallest_of_seats(bound, deals) > LEVEL / 2, "a value of a seat"
    for spectator in (True, False):
        assert smallest_of_elements(*observed(bound, deals, spectator)) > LEVEL / 4, "an element"


def test_nothing_public_tells_of_the_roles(players: int) -> None:
    # B1, B3
    check_start(GAME.bind(num_players=players), fair)


@pytest.mark.parametrize("players", [5, 7, 10])
def test_a_bias_of_two_per_cent_is_found(players: int) -> None:
    # the same test, with the first Eye a Defector a little more often
    with pytest.raises(AssertionError, match="a value of a seat"):
        check_start(GAME.bind(num_players=players), biased)


def test_an_element_that_tells_is_found() -> None:
    # the chi-square of elements: one that follows a Faith in two per cent of the deals
    bound = GAME.bind(num_players=7)
    seen, faiths = observed(bound, fair, spectator=True)
    assert smallest_of_elements(seen, faiths) > LEVEL / 4
    rng = np.random.default_rng(2)
    element = int(np.flatnonzero(seen.min(axis=0) == seen.max(axis=0))[0])
    telling = seen.copy()
    told = rng.random(len(seen)) < 0.02
    telling[:, element] = np.where(told, faiths[:, 3], seen[:, element])
    assert smallest_of_elements(telling, faiths) < LEVEL / 4
