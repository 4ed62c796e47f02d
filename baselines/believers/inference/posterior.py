"""Role inference: how likely each assignment of Faith is, from a View alone.

Without a behaviour model only hard facts count: all assignments that the View does not rule out are
alike (:func:`concilium.envs.believers.faith.possible_faiths`). With one, everything seen is weighed
by how likely the model makes it:

- ``"fast"``: compiled, some microseconds a View. Public evidence is exact; what Virtues tell is
  taken Mission by Mission (:mod:`.cards`).
- ``"exact"``: all hidden Virtues are summed out (:mod:`.exact`), for small configurations.
- ``"sample"``: the same sum over sampled worlds, for any configuration.

What the viewer itself does tells it nothing.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.inference.cards import (
    begin_cards,
    end_row_cards,
    follow_discard,
    follow_draw,
    follow_gift,
    follow_look,
    follow_single,
    follow_transfer,
    see_hand,
)
from concilium.baselines.believers.inference.exact import card_evidence
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.believers.inference.open import (
    begin_table,
    end_row,
    expect_names,
    follow_choice,
    follow_crisis,
    follow_disciple,
    follow_owner,
    follow_shame,
    weigh_statements,
)
from concilium.baselines.believers.inference.work import Work
from concilium.baselines.memory import new_scratch
from concilium.envs.believers import GAME
from concilium.envs.believers.faith import possible_faiths
from concilium.envs.believers.state import DEFECTORS, SEATS, Event, State
from concilium.envs.core.arguments import check_index
from concilium.envs.core.compiled.jit import bind, jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST
from concilium.envs.core.copies import writable
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import FULL, Cells, Records, attribute_records, plain_records

METHODS: Final = ("fast", "exact", "sample")
_LEAST: Final = -600.0  # logarithm, so that no possible assignment gets probability 0


class Evidence(enum.IntEnum):
    """What is weighed."""

    FACTS = 0  # hard facts alone
    OPEN = 1  # and what everybody sees, without Virtues
    ALL = 2


@dataclass(frozen=True)
class Posterior:
    """What one View tells about Faith.

    Attributes:
        assignments: sets of Defectors as bits by seat, ascending ``(k,) int64``; all that the table
            size allows.
        probabilities: of each ``(k,) float64``; 0 only for those that hard facts rule out.
        seats: chance of each seat to be a Defector ``(num_players,) float64``.
    """

    assignments: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    seats: NDArray[np.float64]


@dataclass(frozen=True)
class Posteriors:
    """The same for ``n`` Views of one table size.

    Attributes:
        assignments: ``(k,) int64``; k is at most 210.
        probabilities: ``(n, k) float64``.
        seats: ``(n, num_players) float64``.
    """

    assignments: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    seats: NDArray[np.float64]


@cache
def assignments_of(players: int) -> NDArray[np.int64]:
    """All sets of Defectors at a table of 5 to 10, as bits by seat, ascending ``(k,) int64``."""
    count = int(DEFECTORS[players])
    sets = np.array(
        sorted(sum(1 << seat for seat in seats) for seats in combinations(range(players), count)),
        np.int64,
    )
    sets.setflags(write=False)
    return sets


def posteriors(views: Records, model: BehaviourModel | None = None) -> Posteriors:
    """Weigh many Views, quickly.

    Args:
        views: ``(n,)`` Views of players or spectators, all of one table size.
        model: what the other seats are taken to do; None: hard facts alone.

    Raises:
        OptionError: States, records of another game, or of several table sizes.
    """
    sets, facts, _ = weigh_views(views, model)
    return Posteriors(sets, facts, seat_chances(sets, facts, _players(views)))


def posterior(
    view: Records, model: BehaviourModel | None = None, method: str = "fast", *,
    index: int = 0, worlds: int = 2_000, seed: int = 0,
) -> Posterior:  # fmt: skip
    """Weigh one View.

    Args:
        view: ``(n,)`` Views of a player or spectator.
        model: what the other seats are taken to do; None: hard facts alone, whatever the method.
        method: ``"fast"``, ``"exact"`` or ``"sample"``.
        index: which of the Views.
        worlds: of ``"sample"``: how many are kept at a time.
        seed: of ``"sample"``.

    Raises:
        OptionError: not a View, an unknown method or index, no worlds, too large a configuration
            for ``"exact"``, or no world among those of ``"sample"`` leads to the View.
    """
    if method not in METHODS:
        raise OptionError(f"method={method!r} is not allowed: one of {', '.join(METHODS)}")
    if worlds < 1:
        raise OptionError(f"worlds={worlds} is not allowed: a whole number from 1")
    index = check_index(view, index)
    one = view[index : index + 1]
    if model is None or method == "fast":
        many = posteriors(one, model)
        return Posterior(many.assignments, many.probabilities[0], many.seats[0])
    sets, _, logs = weigh_views(one, model, Evidence.OPEN)
    limit = worlds if method == "sample" else 0
    possible = np.isfinite(logs[0])
    logs = logs[0].copy()
    logs[possible] += card_evidence(one, model, sets[possible], limit, seed)
    chances = normalised(logs)
    return Posterior(sets, chances, seat_chances(sets, chances[np.newaxis], _players(one))[0])


def normalised(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities ``(k,)`` from logarithms of weights; -inf stays 0, others stay above 0."""
    weights = np.where(np.isfinite(logs), np.exp(np.maximum(logs - logs.max(), _LEAST)), 0.0)
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances


def seat_chances(
    sets: NDArray[np.int64], probabilities: NDArray[np.float64], players: int
) -> NDArray[np.float64]:
    """Chance of each seat to be a Defector ``(n, players)``, from assignments' ``(n, k)``."""
    chances: NDArray[np.float64] = probabilities @ members(sets, players)
    return np.minimum(chances, 1.0)


def members(sets: NDArray[np.int64], players: int) -> NDArray[np.float64]:
    """1 where a seat is in a set, ``(k, players) float64``."""
    inside: NDArray[np.float64] = ((sets[:, np.newaxis] >> np.arange(players)) & 1).astype(float)
    return inside


def weigh_views(
    views: Records, model: BehaviourModel | None, evidence: Evidence = Evidence.ALL
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Assignments ``(k,)``, their probabilities and the logarithms of their weights ``(n, k)``.

    Args:
        views: as for :func:`posteriors`.
        model: as for :func:`posteriors`.
        evidence: what is weighed with a model.
    """
    players = _players(views)
    sets = assignments_of(players)
    chances = np.zeros((len(views), len(sets)))
    logs = np.full((len(views), len(sets)), -np.inf)
    if model is None:
        model, evidence = BehaviourModel(), Evidence.FACTS
    _kernel()(
        writable(attribute_records(views)), model.records(), int(evidence), sets, new_scratch(Work),
        np.empty(SEATS), chances, logs,
    )  # fmt: skip
    return sets, chances, logs


def _players(views: Records) -> int:
    plain = plain_records(views)
    if views.dtype != GAME.dtype or not len(views):
        raise OptionError("Views of Believers are needed, at least one")
    sizes = np.unique(plain["num_players"])
    if len(sizes) != 1:
        raise OptionError(f"Views of one table size are needed, not of sizes {sizes.tolist()}")
    if (plain["viewer"] == FULL).any():
        raise OptionError("a State hides nothing: take somebody's View of it")
    return int(sizes[0])


# Compiled --------------------------------------------------------------------------------------


def weigh_many(
    views: Sequence[State], models: Sequence[BehaviourModel], evidence: int, sets: Cells,
    works: Sequence[Work], seats: Cells, chances: Cells, logs: Cells,
) -> None:  # fmt: skip
    """Weigh ``views[k]`` into ``chances[k]`` and ``logs[k]``, whose columns are ``sets``."""
    w = works[0]
    for k in range(len(views)):
        count = weigh_some(views[k], models[0], evidence, w, seats)
        column = 0
        for place in range(count):
            while sets[column] != w.sets[place]:
                column += 1
            chances[k, column] = w.chance[place]
            logs[k, column] = w.logs[place]


@jit
def weigh(v: State, model: BehaviourModel, w: Work, out: Cells) -> int:
    """Work out the posterior of one View.

    Args:
        v: a View.
        model: what the other seats are taken to do.
        w: work memory. Afterwards its ``sets`` are the assignments that hard facts leave and
            ``chance`` their probabilities.
        out: chance of each seat to be a Defector ``(10,) float64``.

    Returns:
        Number of these assignments.
    """
    return weigh_some(v, model, Evidence.ALL, w, out)


@jit
def weigh_some(v: State, model: BehaviourModel, evidence: int, w: Work, out: Cells) -> int:
    """Like :func:`weigh`, of the :class:`Evidence` named."""
    count = possible_faiths(v, w.sets)
    for k in range(count):
        w.logs[k] = 0.0
    if count > 1 and evidence != Evidence.FACTS:
        begin_table(v, w)
        expect_names(model, w)
        begin_cards(v, w)
        for row in range(v.log_count):
            _follow(v, model, row, w, count)
            if evidence == Evidence.ALL:
                _follow_cards(v, model, row, w)
        weigh_statements(v, w)
        _join(w, count)
    _normalise(w, count, v.num_players, out)
    return count


@jit
def _follow(v: State, model: BehaviourModel, row: int, w: Work, count: int) -> None:
    """An event as everybody sees it."""
    event = v.log[row, EVENT]
    if event == Event.BEGUN:
        w.turn = v.log[row, ACTOR]
    elif event == Event.SHAMED:
        follow_shame(v, row, w)
    elif event == Event.ENLISTED:
        follow_disciple(v, row, w)
    elif event == Event.TURNED_UP:
        follow_choice(v, model, row, w, count)
    elif event == Event.TOKENS:
        end_row(v, w)
    elif event == Event.LAID:
        follow_crisis(v, model, row, w, count)
    else:
        follow_owner(v, row, w)


@jit
def _follow_cards(v: State, model: BehaviourModel, row: int, w: Work) -> None:
    """What an event does with Virtues."""
    event = v.log[row, EVENT]
    if event == Event.GAVE:
        follow_gift(v, model, row, w)
    elif event == Event.PLACED:
        follow_single(v, row, w)
    elif event == Event.DREW:
        follow_draw(v, row, w)
    elif event == Event.DISCARDED:
        follow_discard(v, row, w)
    elif event == Event.ENLISTED:
        follow_look(v, row, w)
    elif event == Event.TITHED:
        follow_transfer(v, row, w, v.log[row, ACTOR], v.log[row, FIRST])
    elif event in (Event.SHOWN, Event.LOOKED):
        see_hand(v, row, w)
    elif event == Event.TOKENS:
        end_row_cards(w)


@jit
def _join(w: Work, count: int) -> None:
    """Add up what tells of seats and of pairs of seats."""
    for seat in range(w.num_players):
        for other in range(seat):
            w.both[seat, other] += w.both[other, seat]
    for k in range(count):
        size = 0
        for seat in range(w.num_players):
            if (w.sets[k] >> seat) & 1 == 1:
                w.logs[k] += w.lone[seat]
                for other in range(size):
                    w.logs[k] += w.both[seat, w.members[other]]
                w.members[size] = seat
                size += 1


@jit
def _normalise(w: Work, count: int, n: int, out: Cells) -> None:
    for seat in range(n):
        out[seat] = 0.0
    most = w.logs[0]
    for k in range(count):
        most = max(most, w.logs[k])
    total = 0.0
    for k in range(count):
        w.chance[k] = np.exp(max(w.logs[k] - most, _LEAST))
        total += w.chance[k]
    for k in range(count):
        w.chance[k] /= total
        for seat in range(n):
            if (w.sets[k] >> seat) & 1 == 1:
                out[seat] += w.chance[k]


@cache
def _kernel() -> Any:
    return bind(weigh_many, "believers.inference")
