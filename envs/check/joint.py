"""Hidden information as a distribution: what is shown goes with what is hidden only as it must.

A View may hold a copy of something hidden where neither the game's ``view`` nor ``determinize``
looks, in a field of the State that both take for public. A State resampled from that View keeps the
copy, so the Views agree byte for byte; but the copy and what it copies then go together in games
and not in resampled States. No declaration is trusted to see that.

Given the View, the true State and a resampled one are two draws from one distribution: exchanging
them changes nothing. So for any feature ``f`` of a State and its View, ``f(true) - f(resampled)``
is as likely negative as positive, and sums over independent games are bounded by Hoeffding's
inequality, exactly and for any number of games::

    P(|sum of d| >= t * sqrt(sum of d * d)) <= 2 * exp(-t * t / 2)

The features are the products of what is shown with what is hidden, and of what is hidden with one
another, all held to one level together. What is hidden includes the places that the latest events
point at: where a card is that the viewer was shown.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import determinize_all, view_all
from concilium.envs.check.blind import blind_states
from concilium.envs.check.compare import GENERATOR
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Table
from concilium.envs.core.compiled.log import EVENT, FIRST, SECRET
from concilium.envs.core.state import Knows, Records, plain_records

LEVEL: Final = 0.001  # chance that a sound table is found at fault
_MOST_FEATURES: Final = 1000  # each of what is shown and of what is hidden; the rest by lot
_MOST_VALUES: Final = 64  # of a number whose single values are features too
_EVENTS: Final = 2  # latest ones whose numbers are looked up
_FEWEST: Final = 25  # games in which a value must occur

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class _Features:
    """Numbers of records as columns: each number itself, and whether it is a certain value."""

    names: list[str]
    columns: list[Matrix]  # one matrix (games, features) for each array of records


def shown_and_hidden(table: Table, tally: Tally) -> None:
    """What Views show and what they hide go together in games as in resampled States."""
    states = blind_states(table)
    generator = table.generator("joint")
    kernels = table.bound.game.kernels
    plain = plain_records(table.sample.states)
    met = np.unique(_secrets(table.sample.states))
    left_out = {"viewer", *GENERATOR}.union(
        each.name
        for each in table.bound.game.state.fields.values()
        if each.knows is Knows.NOBODY and (plain[each.name] == plain[each.name][:1]).all()
    )  # what is no part of the game, such as what resampling notes down for nobody to see
    for viewer in table.viewers:
        views = view_all(kernels, states, np.full(len(states), viewer))
        seeds = generator.integers(0, 2**64, len(states), np.uint64)
        drawn = determinize_all(kernels, views, seeds)
        tests, words = _compare((views, states, drawn), left_out, len(table.viewers), generator)
        words = words or _stranger(met, states, drawn, len(table.viewers))
        if words:
            who = "a spectator" if viewer < 0 else f"player_{viewer}"
            raise Counterexample(f"{who} in {len(states)} games: {words}")
        tally.count(len(states))
        tally.note("comparisons", tests)


def _limit(tests: int) -> float:
    """How many times its own root mean square a sum may be."""
    return float(np.sqrt(2 * np.log(2 * max(tests, 1) / LEVEL)))


def _compare(
    arrays: tuple[Records, Records, Records],
    left_out: Collection[str],
    viewers: int,
    generator: np.random.Generator,
) -> tuple[int, str]:
    """Compare, given Views, States and resampled States; return how often, and what differs."""
    numbers = [_numbers(records, left_out) for records in arrays]
    for k in (1, 2):
        names, values = _pointed_at(arrays[0], arrays[k], left_out)
        numbers[k] = (numbers[k][0] + names, np.concatenate([numbers[k][1], values], axis=1))
    varying = (numbers[1][1] != numbers[2][1]).any(axis=0)
    if not varying.any():
        return 0, ""
    shown = _features(numbers[0][0], [numbers[0][1]], generator)
    names = [name for name, chosen in zip(numbers[1][0], varying, strict=True) if chosen]
    hidden = _features(names, [values[:, varying] for _, values in numbers[1:]], generator)
    (seen,), (true, other) = shown.columns, hidden.columns
    seen = np.concatenate([np.ones((len(seen), 1), np.float32), seen], axis=1)
    apart = true - other
    sums = (seen.T @ apart, true.T @ true - other.T @ other)
    squares = (
        (seen * seen).T @ (apart * apart),
        _gram(true * true) + _gram(other * other) - 2 * _gram(true * other),
    )
    tests = sums[0].size + sums[1].size
    limit = _limit(2 * tests * viewers)  # half of the level, see _stranger
    firsts = (["nothing", *shown.names], hidden.names)
    for total, square, first in zip(sums, squares, firsts, strict=True):
        with np.errstate(all="ignore"):  # where nothing differs at all
            score = np.where(square > 0.5, np.abs(total) / np.sqrt(square), 0)
        if score.max() > limit:
            i, j = np.unravel_index(int(np.argmax(score)), score.shape)
            return tests, (
                f"{first[i]} and the hidden {hidden.names[j]} go together in another way than in "
                f"resampled States ({score[i, j]:.1f}, where {limit:.1f} is the limit)"
            )
    return tests, ""


def _secrets(records: Records) -> NDArray[np.int64]:
    """Kinds of events with their secrets, as numbers ``(records, log capacity)``."""
    log = plain_records(records)["log"].astype(np.int64)
    return (log[..., EVENT] << 16) + log[..., SECRET]


def _stranger(met: NDArray[np.int64], states: Records, drawn: Records, viewers: int) -> str:
    """Say whether resampled States hold secrets of events that no game has, ``met`` being others.

    Such are few and differ: each alone would be too rare to be noticed.
    """
    strange = [~np.isin(_secrets(records), met) for records in (states, drawn)]
    apart = np.sign(strange[1].sum(axis=1) - strange[0].sum(axis=1))
    limit = _limit(2 * viewers)
    if abs(apart.sum()) <= limit * np.sqrt(np.abs(apart).sum()):
        return ""
    side = int(apart.sum() > 0)
    where, row = np.argwhere(strange[side])[0]
    event = plain_records((states, drawn)[side])["log"][where, row].tolist()
    words = ("true", "resampled")[side]
    return f"the log of {words} States holds more secrets that no other game has, as in {event}"


def _gram(matrix: Matrix) -> Any:
    return matrix.T @ matrix


def _numbers(records: Records, left_out: Collection[str]) -> tuple[list[str], Matrix]:
    """All numbers of records with their names, but for some fields."""
    plain = plain_records(records)
    names: list[str] = []
    columns = []
    for name in plain.dtype.names or ():
        if name in left_out:
            continue
        values = plain[name].reshape(len(plain), -1).astype(np.float32)
        places = list(np.ndindex(plain[name].shape[1:]))
        names += [name + (str(list(place)) if place else "") for place in places]
        columns.append(values)
    return names, np.concatenate(columns, axis=1)


def _pointed_at(
    views: Records, records: Records, left_out: Collection[str]
) -> tuple[list[str], Matrix]:
    """What records hold in the places that the latest events of Views name, and all secrets."""
    shown, plain = plain_records(views), plain_records(records)
    capacity = shown["log"].shape[1]
    rows = np.arange(len(shown))
    # secrets of whatever events together: one by one they may be rare
    names = ["log[secrets, together]"]
    columns: list[Any] = [plain["log"][..., SECRET].sum(axis=1, dtype=np.int64)[:, np.newaxis]]
    for back in range(1, _EVENTS + 1):
        events = shown["log"][rows, (shown["log_count"] - back) % capacity]
        for column in range(FIRST, SECRET + 1):
            place = events[:, column].astype(np.int64)
            for name in plain.dtype.names or ():
                if plain[name].ndim == 2 and name not in left_out:
                    good = (place >= 0) & (place < plain[name].shape[1])
                    found = plain[name][rows, np.where(good, place, 0)]
                    columns.append(np.where(good, found, 0)[:, np.newaxis])
                    names.append(f"{name}[number {column} of the event {back} before]")
    return names, np.concatenate(columns, axis=1).astype(np.float32)


def _features(names: list[str], parts: list[Matrix], generator: np.random.Generator) -> _Features:
    """Make features of numbers, the same ones of each part, about zero on the whole."""
    together = np.concatenate(parts)
    rows: list[tuple[int, float | None]] = []  # column, and the value in question
    singles: list[tuple[int, float | None]] = []
    for column in np.flatnonzero((together != together[0]).any(axis=0)).tolist():
        rows.append((column, None))
        values, counts = np.unique(together[:, column], return_counts=True)
        if 2 < len(values) <= _MOST_VALUES:
            singles += [(column, float(value)) for value in values[counts >= _FEWEST]]
    room = max(0, _MOST_FEATURES - len(rows))
    if len(singles) > room:
        chosen = generator.choice(len(singles), room, replace=False)
        singles = [singles[k] for k in sorted(chosen.tolist())]
    rows += singles
    columns = [np.empty((len(part), len(rows)), np.float32) for part in parts]
    for k, (column, value) in enumerate(rows):
        whole = together[:, column] if value is None else together[:, column] == value
        for out, part in zip(columns, parts, strict=True):
            own = part[:, column] if value is None else part[:, column] == value
            out[:, k] = own - whole.mean(dtype=np.float64)
    labels = [names[c] if v is None else f"{names[c]} = {v:.0f}" for c, v in rows]
    return _Features(labels, columns)
