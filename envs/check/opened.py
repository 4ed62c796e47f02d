"""Views against what they rest on: the State, its declaration, and what the viewer was told.

A View shows a cell only if it is declared public, or the viewer's own, or if ``view`` opens it; and
what it opens must follow from what the viewer was told: from the event log. So in two games with
the same log and own rows, the same is opened. A field that everybody sees by mistake is found in
that way although no resampling ever varies it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import deal_all, determinize_all, view_all
from concilium.envs.check.blind import blind_states
from concilium.envs.check.compare import raw
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.secrecy import first_false, make_pairs
from concilium.envs.check.table import Table
from concilium.envs.core.state import (
    SPECTATOR,
    Knows,
    Records,
    StateTable,
    attribute_records,
    plain_records,
    take_records,
)

_DEALS: Final = 3000  # real games compared at their beginning
_PLACES: Final = 10  # States at which resampled States are compared with each other
_TWINS: Final = 800  # resampled States at each of them
_ENOUGH: Final = 20  # comparisons after which a seat can be said to see nothing of others


def shown_is_true(table: Table, tally: Tally) -> None:
    """A View shows what is public and the own rows; all else is blank or as in the State."""
    pairs = make_pairs(table, "true", table.pairs)
    states, views = plain_records(pairs.states), plain_records(pairs.views)
    seats = np.arange(table.bound.num_players)
    for each in table.bound.game.state.fields.values():
        if each.knows is Knows.WITNESSES or each.name in ("viewer", "log_count"):
            continue
        true, shown = (records[each.name].reshape(len(views), -1) for records in (states, views))
        same, blank = true == shown, shown == each.blank
        if each.knows is Knows.EVERYBODY:
            good = same
        elif each.knows is Knows.NOBODY:
            good = blank
        else:
            good = same | blank
        if each.knows is Knows.OWNER:
            own = np.zeros((len(views), each.shape[0]), bool)
            own[:, : len(seats)] = pairs.viewers[:, np.newaxis] == seats
            good &= same | ~np.repeat(own, good.shape[1] // each.shape[0], axis=1)
        bad = first_false(good.all(axis=1))
        if bad is not None:
            at = int(np.argmin(good[bad]))
            raise Counterexample(
                f"{pairs.say(bad)}: number {at} of {each.name} (known to: {each.knows.value}) is "
                f"{shown[bad, at]} in the View, {true[bad, at]} in the State"
            )
    tally.count(len(views))


def opened_is_told(table: Table, tally: Tally) -> None:
    """What a View opens follows from the log and the own rows of its viewer.

    Compared are real games at their beginning, and for seats also States resampled from the View of
    a spectator: among hundreds of them there are many pairs in which a seat was told the same.
    Rows of other seats may also be opened by a standing rule to those whose own row says so, like
    allies to each other: not to everybody.
    """
    generator = table.generator("told")
    kernels = table.bound.game.kernels
    given = [deal_all(table.bound, generator.integers(0, 2**64, _DEALS, np.uint64))]
    found = [_Openings(table, viewer) for viewer in table.viewers]
    met = blind_states(table)
    log = plain_records(met)["log"]
    whole = np.flatnonzero(plain_records(met)["log_count"] <= log.shape[1])  # nothing forgotten
    for k in generator.choice(whole, min(_PLACES, len(whole)), replace=False):
        same = take_records(met, np.full(_TWINS, k))
        views = view_all(kernels, same, np.full(_TWINS, SPECTATOR))
        seeds = generator.integers(0, 2**64, _TWINS, np.uint64)
        given.append(determinize_all(kernels, views, seeds))
    for states in given:
        for openings in found:
            openings.add(view_all(kernels, states, np.full(len(states), openings.viewer)))
    for openings in found:
        tally.count(openings.compared)
    _judge_rows(found, tally)


def told(table: StateTable, views: Records, *kinds: Knows) -> Records:
    """Of Views of one viewer, keep the log, the own rows, and fields known to ``kinds``."""
    kept = plain_records(views).copy()
    players, viewer = int(kept["num_players"][0]), int(kept["viewer"][0])
    for each in table.fields.values():
        if each.knows in (Knows.WITNESSES, *kinds) or each.name == "log_count":
            continue
        if each.knows is Knows.OWNER:
            kept[each.name][:, [seat for seat in range(players) if seat != viewer]] = 0
        else:
            kept[each.name] = 0
    return attribute_records(kept)


@dataclass
class _Openings:
    """What is opened to one viewer, compared between States in which it was told the same."""

    table: Table
    viewer: int
    compared: int = 0
    # by field and own row: comparisons, and one of them in which others' rows differ
    tried: dict[tuple[str, bytes], int] = field(default_factory=lambda: defaultdict(int))
    differing: dict[tuple[str, bytes], str] = field(default_factory=dict)

    def add(self, views: Records) -> None:
        """Compare Views with each other."""
        table = self.table.bound.game.state
        fields = table.fields
        plain = plain_records(views)
        later, first = _alike(told(table, views))
        for each in fields.values():
            if each.knows is Knows.OWNER:
                self._compare_rows(each.name, plain[each.name], later, first)
        later, first = _alike(told(table, views, Knows.OWNER))
        self.compared += len(later)
        for each in fields.values():
            if each.knows in (Knows.RULE, Knows.NOBODY):
                bad = first_false(_equal(plain[each.name], later, first))
                if bad is not None:
                    raise Counterexample(self._say(each.name, plain[each.name], later, first, bad))

    def _compare_rows(
        self, name: str, cells: NDArray[np.generic], later: NDArray[np.int64],
        first: NDArray[np.int64],
    ) -> None:  # fmt: skip
        equal = _equal(cells, later, first)
        if not len(later):
            return
        own = cells[later, max(self.viewer, 0)].reshape(len(later), -1)
        values, groups = np.unique(own, axis=0, return_inverse=True)
        for number, value in enumerate(values):
            key = name, value.tobytes() if self.viewer >= 0 else b""
            self.tried[key] += int((groups == number).sum())
            bad = np.flatnonzero((groups == number) & ~equal)
            if len(bad) and key not in self.differing:
                self.differing[key] = self._say(name, cells, later, first, int(bad[0]))

    def _say(
        self, name: str, cells: NDArray[np.generic], later: NDArray[np.int64],
        first: NDArray[np.int64], k: int,
    ) -> str:  # fmt: skip
        one, other = (cells[i].ravel().tolist() for i in (later[k], first[k]))
        who = "a spectator" if self.viewer < 0 else f"player_{self.viewer}"
        return f"{who} is shown {name} = {one} or {other}, and was told the same"


def _alike(records: Records) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of records that equal an earlier one, and of the first that each equals."""
    words = raw(records).view(np.uint64)
    words = words[:, (words != words[0]).any(axis=0)]
    odd = np.random.default_rng(1).integers(0, 2**64, words.shape[1], np.uint64) | np.uint64(1)
    mixed = words * odd
    mixed ^= mixed >> np.uint64(32)  # or the highest bytes would reach nothing else
    hashes = (mixed * odd).sum(axis=1, dtype=np.uint64)
    _, firsts, groups = np.unique(hashes, return_index=True, return_inverse=True)
    first = firsts[groups]
    later = np.flatnonzero(first != np.arange(len(first)))
    return later, first[later]


def _equal(
    cells: NDArray[np.generic], later: NDArray[np.int64], first: NDArray[np.int64]
) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = (cells[later] == cells[first]).all(axis=tuple(range(1, cells.ndim)))
    return same


def _judge_rows(found: list[_Openings], tally: Tally) -> None:
    """Refuse rows of others that are opened, untold, to a spectator or to everybody."""
    for openings in found:
        for (name, _), words in openings.differing.items():
            blind = any(
                other == name and count >= _ENOUGH and (other, own) not in openings.differing
                for (other, own), count in openings.tried.items()
            )
            if openings.viewer == SPECTATOR or not blind:
                raise Counterexample(words)
            tally.remark = f"{name} is opened by a standing rule"
