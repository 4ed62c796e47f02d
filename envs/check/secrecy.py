"""Hidden information, examined on records: nothing that a View tells depends on what it hides.

Thousands of pairs of a State and a viewer go through the compiled kernels in a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import (
    determinize_all,
    masks_of,
    observe_all,
    step_all,
    view_all,
)
from concilium.envs.check.compare import (
    GENERATOR,
    difference,
    raw,
    same_rows,
    without,
)
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Sample, Table
from concilium.envs.core.bot import pick_any
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import check_state
from concilium.envs.core.state import FULL, RUNNING, Records, plain_records, take_records

_DRAWS: Final = 6  # resampled States per pair where they are compared with each other
_SOUND: Final = 4  # one of so many resampled States is looked at number by number, which takes long
_SAME_CHANCE: Final = 0.75  # of the pairs of moves; with other chance fewer leave equal logs
_FEWEST_VARYING: Final = 0.2  # of the pairs that hide something: fewer suggest the truth is kept
_FEWEST_COMPARABLE: Final = 0.05  # of the pairs of moves: fewer say nothing about leaks


@dataclass(frozen=True)
class Pairs:
    """Pairs of a State and a viewer, with the View and a State resampled from it."""

    sample: Sample
    states: Records
    index: NDArray[np.int64]  # of the State in the sample
    viewers: NDArray[np.int64]
    views: Records
    seeds: NDArray[np.uint64]
    others: Records  # resampled from the views

    def say(self, k: int) -> str:
        """Name pair ``k`` so that it can be found again."""
        viewer = int(self.viewers[k])
        who = "a spectator" if viewer < 0 else f"player_{viewer}"
        return f"{who} in {self.sample.place(int(self.index[k]))}, resampled by {self.seeds[k]}"


def make_pairs(table: Table, purpose: str, count: int) -> Pairs:
    """Draw ``count`` different pairs from the table's sample, or all there are."""
    sample = table.sample
    viewers = np.array(table.viewers, np.int64)
    generator = table.generator(purpose)
    possible = len(sample.states) * len(viewers)
    chosen = generator.choice(possible, min(count, possible), replace=False)
    index, viewers = chosen // len(viewers), viewers[chosen % len(viewers)]
    states = take_records(sample.states, index)
    seeds = generator.integers(0, 2**64, len(chosen), np.uint64)
    kernels = table.bound.game.kernels
    views = view_all(kernels, states, viewers)
    return Pairs(
        sample, states, index, viewers, views, seeds, determinize_all(kernels, views, seeds)
    )


def first_false(good: Any) -> int | None:
    """Return the first index where the array ``good`` is False, None if there is none."""
    return None if np.all(good) else int(np.argmin(good))


# The properties ------------------------------------------------------------------------------


def round_trip(table: Table, tally: Tally) -> None:
    """A State resampled from a View gives the same View again, byte for byte."""
    pairs = make_pairs(table, "round trip", table.pairs)
    again = view_all(table.bound.game.kernels, pairs.others, pairs.viewers)
    bad = first_false(same_rows(again, pairs.views))
    if bad is not None:
        words = difference(pairs.views, again, bad)
        raise Counterexample(f"{pairs.say(bad)}: {words} when resampled")
    tally.count(len(again))


def legal_from_view(table: Table, tally: Tally) -> None:
    """The legal actions computed from the View of the player to act are those of the State."""
    pairs = make_pairs(table, "legal", table.pairs)
    actors = plain_records(pairs.states)["actor"]
    chosen = np.flatnonzero(actors == pairs.viewers)
    truth = masks_of(table.bound, take_records(pairs.states, chosen))
    for records, what in ((pairs.views, "their View"), (pairs.others, "a resampled State")):
        masks = masks_of(table.bound, take_records(records, chosen))
        bad = first_false((truth == masks).all(axis=1))
        if bad is not None:
            action = int(np.argmax(truth[bad] != masks[bad]))
            raise Counterexample(
                f"{pairs.say(int(chosen[bad]))}: action {action} is legal in "
                f"{'the State' if truth[bad, action] else what} only"
            )
    tally.count(len(chosen))


def encoding_from_view(table: Table, tally: Tally) -> None:
    """Observation and mask shown in a State are those shown in a State resampled from the View."""
    pairs = make_pairs(table, "encoding", table.pairs)
    seen = [
        observe_all(table.bound, records, pairs.viewers) for records in (pairs.states, pairs.others)
    ]
    encoded = table.bound.encode(pairs.views)
    layout = table.bound.game.observation
    for observations in (seen[0][0], seen[1][0]):
        bad = first_false((observations == encoded).all(axis=1))
        if bad is not None:
            at = int(np.argmax(observations[bad] != encoded[bad]))
            name = next(s.name for s in layout if at < s.slice.stop)
            raise Counterexample(f"{pairs.say(bad)}: element {at} ({name}) of the observation")
    bad = first_false((seen[0][1] == seen[1][1]).all(axis=1))
    if bad is not None:
        raise Counterexample(f"{pairs.say(bad)}: the mask differs")
    tally.count(len(encoded))


def visible_events(table: Table, tally: Tally) -> None:
    """Views change by what the viewer's log tells and by nothing else.

    The real State and a resampled one, most of them with the same generator, take the same action,
    or different ones if the viewer is not the one to act. When the logs that the viewer then has
    are equal, so must be the whole Views. That catches what no log explains: an order of acting
    that depends on hidden cards, a public counter of secret moves.
    """
    pairs = make_pairs(table, "events", table.pairs)
    truth, other, chosen = _step_both(table, pairs)
    views = [
        view_all(table.bound.game.kernels, states, pairs.viewers[chosen])
        for states in (truth, other)
    ]
    logs = [np.ascontiguousarray(plain_records(v)["log"]).reshape(len(chosen), -1) for v in views]
    counts = [plain_records(v)["log_count"] for v in views]
    comparable = (logs[0] == logs[1]).all(axis=1) & (counts[0] == counts[1])
    bad = first_false(same_rows(views[0], views[1]) | ~comparable)
    if bad is not None:
        words = difference(views[0], views[1], bad)
        raise Counterexample(
            f"{pairs.say(int(chosen[bad]))}: after a decision no event differs, but {words}"
        )
    tally.count(int(comparable.sum()))
    tally.note("moves tried", len(chosen))
    if comparable.sum() < _FEWEST_COMPARABLE * len(chosen):
        raise Counterexample(
            f"only {int(comparable.sum())} of {len(chosen)} pairs of moves left equal logs"
        )


def _step_both(table: Table, pairs: Pairs) -> tuple[Records, Records, NDArray[np.int64]]:
    """Take an action in each real State and in its resampled twin; return them and the pairs."""
    generator = table.generator("steps")
    truth, other = pairs.states.copy(), pairs.others.copy()
    alike = generator.random(len(truth)) < _SAME_CHANCE
    for name in GENERATOR:
        plain_records(other)[name][alike] = plain_records(truth)[name][alike]
    masks = [masks_of(table.bound, truth), masks_of(table.bound, other)]
    shared = masks[0] & masks[1]
    bystander = plain_records(truth)["actor"] != pairs.viewers
    apart = bystander & (generator.random(len(truth)) < 0.5)
    pick = np.random.default_rng(int(generator.integers(2**32)))
    first = pick_any(np.where(apart[:, np.newaxis], masks[0], shared), pick)
    second = np.where(apart, pick_any(masks[1], pick), first)
    chosen = np.flatnonzero((first >= 0) & (second >= 0))
    stepped = step_all(table.bound, truth, chosen, first[chosen])
    chosen = chosen[stepped & step_all(table.bound, other, chosen, second[chosen])]
    return take_records(truth, chosen), take_records(other, chosen), chosen


def no_generator(table: Table, tally: Tally) -> None:
    """A View holds no generator and names its viewer; a resampled State has one of its own."""
    pairs = make_pairs(table, "generator", table.pairs)
    views, others = plain_records(pairs.views), plain_records(pairs.others)
    states = plain_records(pairs.states)
    conditions = {
        "the View holds the generator": (views["rng_key"] == 0) & (views["rng_counter"] == 0),
        "the View names another viewer": views["viewer"] == pairs.viewers,
        "the resampled State is not a full State": others["viewer"] == FULL,
        "the resampled State has the generator of the true one": (
            others["rng_key"] != states["rng_key"]
        ),
    }
    for words, good in conditions.items():
        bad = first_false(good)
        if bad is not None:
            raise Counterexample(f"{pairs.say(bad)}: {words}")
    tally.count(len(views))


def resampled_varies(table: Table, tally: Tally) -> None:
    """A resampled State is drawn by its seed, and is not simply the true one."""
    pairs = make_pairs(table, "varies", table.pairs)
    hiding = np.flatnonzero(~same_rows(
        without(pairs.states, *GENERATOR, "viewer"), without(pairs.views, *GENERATOR, "viewer")
    ))  # fmt: skip
    if not len(hiding):
        tally.count(len(pairs.views))
        tally.remark = "nothing is hidden"
        return
    views = take_records(pairs.views, hiding)
    truth = raw(without(take_records(pairs.states, hiding), *GENERATOR))
    kernels = table.bound.game.kernels
    untrue = np.zeros(len(views), bool)
    varying = np.zeros(len(views), bool)
    first = raw(without(take_records(pairs.others, hiding), *GENERATOR))
    for number in range(1, _DRAWS):
        seeds = pairs.seeds[hiding] + np.uint64(number)
        drawn = determinize_all(kernels, views, seeds)
        again = determinize_all(kernels, views, seeds)
        bad = first_false(same_rows(drawn, again))
        if bad is not None:
            words = difference(drawn, again, bad)
            raise Counterexample(f"{pairs.say(int(hiding[bad]))}: the same seed gives {words}")
        drawn_bytes = raw(without(drawn, *GENERATOR))
        untrue |= (drawn_bytes != truth).any(axis=1)
        varying |= (drawn_bytes != first).any(axis=1)
    tally.count(len(views))
    for good, words in ((untrue, "differ from the true State"), (varying, "differ by the seed")):
        if good.mean() < _FEWEST_VARYING:
            raise Counterexample(
                f"in only {good.mean():.0%} of {len(views)} pairs that hide something do any of "
                f"{_DRAWS} resampled States {words}"
            )


def resampled_playable(table: Table, tally: Tally) -> None:
    """A resampled State is sound: same parts, something legal, and it plays on to an end."""
    pairs = make_pairs(table, "playable", max(1, table.pairs // 4))
    bound = table.bound
    states = pairs.others.copy()
    running = plain_records(states)["status"] == RUNNING
    bad = first_false(masks_of(bound, states).any(axis=1) | ~running)
    if bad is not None:
        raise Counterexample(f"{pairs.say(bad)}: nothing is legal in the resampled State")
    for k in range(-(-len(states) // _SOUND)):
        try:
            check_state(bound.game, states[k : k + 1])
        except OptionError as error:
            raise Counterexample(f"{pairs.say(k)}, where it is {error}") from None
    counts = [bound.census(pairs.states, k) for k in range(len(states))]
    for k, count in enumerate(counts):
        if (bound.census(states, k) != count).any():
            raise Counterexample(f"{pairs.say(k)}: the resampled State has other parts")
    live = np.flatnonzero(running)
    pick = np.random.default_rng(table.seed)
    for _ in range(bound.max_game_length + 1):
        if not len(live):
            break
        present = take_records(states, live)
        bad = first_false(step_all(bound, states, live, pick_any(masks_of(bound, present), pick)))
        if bad is not None:
            raise Counterexample(f"{pairs.say(int(live[bad]))}: later nothing is legal")
        live = live[plain_records(states)["status"][live] == RUNNING]
    if len(live):
        raise Counterexample(f"{pairs.say(int(live[0]))}: the resampled game does not end")
    for k, count in enumerate(counts):
        if (bound.census(states, k) != count).any():
            raise Counterexample(f"{pairs.say(k)}: parts are lost when the resampled game goes on")
    tally.count(len(states))
