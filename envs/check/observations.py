"""Observations: their form at every step, whose memory they are, and that each element matters."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import observe_all
from concilium.envs.check.compare import poisoned, same_rows
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.secrecy import Pairs, first_false, make_pairs
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.errors import OptionError
from concilium.envs.core.layout import Layout, Segment
from concilium.envs.core.state import Records, take_records

_BLOCK: Final = 2048  # States that are encoded at a time
_WRITE_EVERY: Final = 4  # moves at which everything handed out is spoilt
_POISONS: Final = (0x55, -0x56)  # bytes that memory is filled with before a kernel writes to it


def observation_form(table: Table, tally: Tally) -> None:
    """Observations have the dtype, shape and bounds of their space, at the end as well."""
    env = table.env()
    layout = table.bound.game.observation
    for number, seed in enumerate(table.seeds("form", table.games)):
        env.reset(seed=seed)
        for _ in table.play(env, number):
            tally.count(_check_form(env, layout))
        while env.agents:
            tally.count(_check_form(env, layout))
            env.step(None)
    for _, _, observations in encoded_sample(table):
        _check_bounds(observations, layout, "an observation")
        tally.count(len(observations))


def _check_form(env: GameEnv, layout: Layout) -> int:
    for agent in env.possible_agents:
        observation = env.observe(agent)
        if not env.observation_space(agent).contains(observation):
            vector = observation["observation"]
            what = f"{vector.dtype} of {vector.shape}"
            if vector.dtype == np.int8 and vector.shape == (layout.size,):
                _check_bounds(vector[np.newaxis], layout, f"{env!r}: observation of {agent}")
            raise Counterexample(f"{env!r}: observation of {agent}, {what}, is not in its space")
    return len(env.possible_agents)


def _check_bounds(vectors: NDArray[np.int8], layout: Layout, what: str) -> None:
    outside = (vectors < layout.low) | (vectors > layout.high)
    if outside.any():
        row, at = (int(x) for x in np.argwhere(outside)[0])
        name = element_names(layout)[at]
        raise Counterexample(f"{what} has {vectors[row, at]} in {name}, which is out of bounds")


def encoded_sample(table: Table) -> list[tuple[Records, NDArray[np.int64], NDArray[np.int8]]]:
    """Encode what every seat sees in every State of the sample, block by block.

    Returns:
        States, seats and observations of each block.
    """
    sample = table.sample
    seats = np.arange(table.bound.num_players)
    blocks = []
    for lo in range(0, len(sample.states), _BLOCK):
        part = sample.states[lo : lo + _BLOCK]
        states = take_records(part, np.repeat(np.arange(len(part)), len(seats)))
        viewers = np.tile(seats, len(part))
        blocks.append((states, viewers, observe_all(table.bound, states, viewers)[0]))
    return blocks


def state_vector_form(table: Table, tally: Tally) -> None:
    """The state vector keeps its bounds too."""
    layout = table.bound.game.state_layout
    states = table.sample.states
    out = np.empty((min(len(states), table.pairs), layout.size), np.int8)
    for k in range(len(out)):
        table.bound.game.kernels.encode_state_one(states, k, out[k])
    _check_bounds(out, layout, "a state vector")
    env = table.env()
    env.reset(seed=table.seed)
    if env.state().dtype != np.int8 or env.state().shape != (layout.size,):
        raise Counterexample(f"state() is {env.state().dtype} of {env.state().shape}")
    tally.count(len(out))


def observation_owned(table: Table, tally: Tally) -> None:
    """Arrays handed out are the caller's: they never change later, and writing does no harm."""
    env = table.env()
    for number, seed in enumerate(table.seeds("owned", max(3, table.games // 4))):
        env.reset(seed=seed)
        kept: list[tuple[str, NDArray[Any], bytes]] = []
        for move, _ in enumerate(table.play(env, number)):
            kept += _handed_out(env)
            if move % _WRITE_EVERY == 0:
                _write_into(env)
        for what, array, then in kept:
            if array.tobytes() != then:
                raise Counterexample(f"{env!r}: {what} changed after it was handed out")
        tally.count(len(kept))


def _handed_out(env: GameEnv) -> list[tuple[str, NDArray[Any], bytes]]:
    """All arrays that an environment gives away now, each with its present bytes."""
    arrays: list[tuple[str, NDArray[Any]]] = []
    for agent in env.possible_agents:
        arrays += [(f"{name} of {agent}", array) for name, array in env.observe(agent).items()]
        arrays.append((f"view of {agent}", env.view(agent)))
    last = env.last()[0]
    assert last is not None
    arrays += [(f"{name} from last()", array) for name, array in last.items()]
    arrays += [("state()", env.state()), ("game_state()", env.game_state())]
    return [(what, array, array.tobytes()) for what, array in arrays]


def _write_into(env: GameEnv) -> None:
    """Spoil everything handed out; the environment must not notice."""
    state = env.game_state().tobytes()
    before = [(what, data) for what, _, data in _handed_out(env)]
    for what, array, _ in _handed_out(env):
        memory = array.view(np.ndarray)
        kept = memory.copy()
        memory.view(np.uint8)[...] = 0x55
        spoilt = env.game_state().tobytes() != state
        if memory.dtype.names:  # put back before compiled code could read a spoilt record
            memory[...] = kept
        if spoilt:
            raise Counterexample(f"{env!r}: writing to {what} changes the State")
    for (what, then), (_, _, now) in zip(before, _handed_out(env), strict=True):
        if then != now:
            raise Counterexample(f"{env!r}: writing to arrays handed out changes {what}")


def memory_overwritten(table: Table, tally: Tally) -> None:
    """Kernels write all of the memory that they are given, whatever it held."""
    pairs = make_pairs(table, "memory", min(table.pairs, 200))
    one, other = (_vectors_over(table, pairs, poison) for poison in _POISONS)
    for name, vectors in one.items():
        if (vectors != other[name]).any():
            raise Counterexample(f"{name} leaves memory as it was")
        tally.count(len(vectors))
    _records_overwritten(table, pairs, tally)


def _vectors_over(table: Table, pairs: Pairs, poison: int) -> dict[str, NDArray[Any]]:
    """Let every kernel that fills vectors write over memory full of ``poison``."""
    game, kernels = table.bound.game, table.bound.game.kernels
    count = len(pairs.views)
    rows = np.arange(count)

    def memory(width: int, dtype: type[np.generic] = np.int8) -> NDArray[Any]:
        return np.full((count, width), poison, dtype)

    encoded, legal = memory(game.observation.size), memory(game.num_actions)
    kernels.encode_many(pairs.views, encoded, 0, count)
    kernels.legal_many(pairs.states, legal, 0, count)
    seen, masks, actors = memory(game.observation.size), memory(game.num_actions), rows * poison
    views = poisoned(count, game.dtype, poison & 0x7F)
    kernels.observe_many(pairs.states, rows, pairs.viewers, views, seen, masks, actors, 0, count)
    single, mask = memory(game.observation.size), memory(game.num_actions)
    returns, kinds = memory(game.max_players, np.float64), rows * poison
    kernels.returns_many(pairs.states, rows, returns, 0, count)
    kernels.kind_many(pairs.states, rows, kinds, 0, count)
    truth, census = memory(game.state_layout.size), memory(game.census_size, np.int64)
    for k, viewer in enumerate(pairs.viewers.tolist()):
        kernels.observe_one(pairs.states, k, viewer, views, single[k], mask[k])
        kernels.encode_state_one(pairs.states, k, truth[k])
        kernels.count_parts(pairs.states, k, census[k])
    return {
        "encode_many": encoded, "legal_many": legal, "observe_many": seen,
        "observe_many (masks)": masks, "observe_many (actors)": actors, "observe_one": single,
        "observe_one (masks)": mask, "returns_many": returns, "kind_many": kinds,
        "encode_state_one": truth, "count_parts": census,
    }  # fmt: skip


def _records_overwritten(table: Table, pairs: Pairs, tally: Tally) -> None:
    kernels = table.bound.game.kernels
    count = len(pairs.views)
    dtype = table.bound.game.dtype
    for poison in (0x55, 0xAA):
        views, others = poisoned(count, dtype, poison), poisoned(count, dtype, poison)
        kernels.view_many(pairs.states, np.arange(count), pairs.viewers, views, 0, count)
        kernels.determinize_many(pairs.views, pairs.seeds, others, 0, count)
        for name, got, wanted in (
            ("view_many", views, pairs.views), ("determinize_many", others, pairs.others),
        ):  # fmt: skip
            if first_false(same_rows(got, wanted)) is not None:
                raise Counterexample(f"{name} leaves memory as it was")
        tally.count(2 * count)


def layout_covers(table: Table, tally: Tally) -> None:
    """Decoding by the layout splits a vector into all of its elements, in order."""
    game = table.bound.game
    for layout in (game.observation, game.state_layout):
        vector = np.arange(layout.size)
        parts = layout.decode(vector)
        if list(parts) != [segment.name for segment in layout]:
            raise Counterexample(f"decode() returns the segments {', '.join(parts)}")
        joined = np.concatenate([part.ravel() for part in parts.values()])
        if joined.tolist() != vector.tolist():
            raise Counterexample("the segments of the layout leave gaps or overlap")
        batch = layout.decode(np.stack([vector, vector]))
        for segment in layout:
            if batch[segment.name].shape != (2, *segment.shape):
                raise Counterexample(f"segment {segment.name} of a batch has a wrong shape")
            tally.count()
        if (layout.low > layout.high).any():
            raise Counterexample("a lower bound is above the upper one")


# Coverage: over all tables together ----------------------------------------------------------


class Range:
    """The smallest and largest value of each element seen so far.

    Args:
        layout: of the observations.
        constant: elements that need not change: names of segments, or ``"segment[2]"`` for a part.
    """

    def __init__(self, layout: Layout, constant: Collection[str]) -> None:
        self.layout = layout
        self.excused = _expand(layout, constant)
        self.low = np.full(layout.size, 127, np.int8)
        self.high = np.full(layout.size, -128, np.int8)
        self.vectors = 0

    def add(self, observations: NDArray[np.int8]) -> None:
        """Take note of observations ``(k, size)``."""
        np.minimum(self.low, observations.min(axis=0), out=self.low)
        np.maximum(self.high, observations.max(axis=0), out=self.high)
        self.vectors += len(observations)


def add_range(table: Table, seen: Range, tally: Tally) -> None:
    """Take note of all observations of a table's sample; they are counted at the end."""
    del tally
    for _, _, vectors in encoded_sample(table):
        seen.add(vectors)


def coverage(seen: Range, tally: Tally) -> None:
    """Every element of the observation takes at least two values somewhere."""
    names = element_names(seen.layout)
    still = np.flatnonzero(seen.low >= seen.high).tolist()
    tally.count(seen.vectors)
    excused = [names[at] for at in still if at in seen.excused]
    if excused:
        more = f" and {len(excused) - 12} more" if len(excused) > 12 else ""
        tally.remark = f"constant as expected: {', '.join(excused[:12])}{more}"
    missing = [names[at] for at in still if at not in seen.excused]
    if missing:
        raise Counterexample(
            f"{len(missing)} elements never change in {seen.vectors:,} observations: "
            + ", ".join(missing[:40])
        )


def element_names(layout: Layout) -> list[str]:
    """Name every element of a vector, as in ``"hand[3]"`` or ``"die_low[0, 5]"``."""
    return [
        f"{segment.name}[{', '.join(map(str, place))}]"
        for segment in layout
        for place in np.ndindex(*segment.shape)
    ]


def _expand(layout: Layout, patterns: Collection[str]) -> set[int]:
    found: set[int] = set()
    for pattern in patterns:
        match = re.fullmatch(r"(\w+)(?:\[([\d, ]+)\])?", pattern)
        if match is None:
            raise OptionError(f"{pattern!r} names no elements: needed is 'segment' or 'segment[2]'")
        segment = layout[match[1]]
        place = tuple(int(number) for number in (match[2] or "").split(",") if number.strip())
        found.update(_elements(segment, place))
    return found


def _elements(segment: Segment, place: tuple[int, ...]) -> list[int]:
    return [
        segment.offset + number
        for number, index in enumerate(np.ndindex(*segment.shape))
        if index[: len(place)] == place
    ]
