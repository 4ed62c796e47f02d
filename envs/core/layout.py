"""Tables of named stretches: observation vectors and the flat action numbering.

Spaces, documentation, slices, decoding and offsets all come from the same table, written once, so
they cannot disagree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import OptionError

Row = tuple[str, tuple[int, ...], int, int, str]
"""One line of a layout table: name, shape, lowest value, highest value, meaning."""


@dataclass(frozen=True)
class Segment:
    """A named stretch of an observation.

    Attributes:
        name: what the segment is called everywhere.
        offset: index of its first element.
        shape: its shape when unflattened, in C order.
        low: smallest value that can occur.
        high: largest value that can occur.
        meaning: what an element says, in words.
    """

    name: str
    offset: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where the segment lies in the flat vector."""
        return slice(self.offset, self.offset + self.size)


@dataclass(frozen=True)
class Layout:
    """An ordered table of segments that covers a vector without gaps."""

    segments: tuple[Segment, ...]
    _index: dict[str, Segment] = field(repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._index.update({segment.name: segment for segment in self.segments})
        if len(self._index) != len(self.segments):
            raise OptionError("two segments of a layout have the same name")

    @cached_property
    def size(self) -> int:
        """Length of the flat vector."""
        return self.segments[-1].slice.stop if self.segments else 0

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The vector as a record: a field per segment, a plain number where it has one element."""
        rows: list[Any] = [
            (each.name, np.int8, () if each.shape == (1,) else each.shape) for each in self.segments
        ]
        return np.dtype(rows)

    def __getitem__(self, name: str) -> Segment:
        """Return the segment called ``name``; OptionError lists the names that exist."""
        try:
            return self._index[name]
        except KeyError:
            raise OptionError(
                f"no segment {name!r} in the layout; there are {', '.join(self._index)}"
            ) from None

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def start(self, name: str) -> int:
        """Offset of the first element of segment ``name``."""
        return self[name].offset

    @property
    def low(self) -> NDArray[np.int8]:
        """Lower bounds, ``(size,) int8``."""
        return self._bounds("low")

    @property
    def high(self) -> NDArray[np.int8]:
        """Upper bounds, ``(size,) int8``."""
        return self._bounds("high")

    def _bounds(self, side: str) -> NDArray[np.int8]:
        bounds = np.empty(self.size, np.int8)
        for segment in self.segments:
            bounds[segment.slice] = getattr(segment, side)
        return bounds

    def decode(self, vector: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Split a vector ``(size,)`` or a batch ``(…, size)`` into its named parts (no copies)."""
        if vector.shape[-1:] != (self.size,):
            raise OptionError(f"a vector of shape {vector.shape} is not of length {self.size}")
        return {
            segment.name: vector[..., segment.slice].reshape(*vector.shape[:-1], *segment.shape)
            for segment in self.segments
        }

    def table(self) -> str:
        """Return the layout as a Markdown table."""
        lines = ["| offset | segment | shape | range | meaning |", "|---|---|---|---|---|"]
        lines += [
            f"| {s.offset} | `{s.name}` | {' × '.join(map(str, s.shape))} "
            f"| {s.low} … {s.high} | {s.meaning} |"
            for s in self.segments
        ]
        return "\n".join(lines)


def layout(*rows: Row) -> Layout:
    """Build a layout from ``(name, shape, low, high, meaning)`` rows, offsets being computed.

    Raises:
        OptionError: a range does not fit ``int8``, or two rows have one name.
    """
    segments = []
    offset = 0
    for name, shape, low, high, meaning in rows:
        if not -128 <= low < high <= 127:
            raise OptionError(f"segment {name}: range {low} … {high} does not fit int8")
        segments.append(Segment(name, offset, shape, low, high, meaning))
        offset += segments[-1].size
    return Layout(tuple(segments))


@dataclass(frozen=True)
class Block:
    """A named stretch of the action numbering: actions ``first`` to ``first + size - 1``."""

    name: str
    first: int
    size: int
    meaning: str


@dataclass(frozen=True)
class ActionTable:
    """An ordered table of blocks that covers the action set without gaps."""

    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        """Number of actions."""
        return self.blocks[-1].first + self.blocks[-1].size

    def start(self, name: str) -> int:
        """First action of the block ``name``; OptionError if there is none."""
        for block in self.blocks:
            if block.name == name:
                return block.first
        raise OptionError(f"no block {name!r} among the actions")

    def table(self) -> str:
        """Return the numbering as a Markdown table."""
        lines = ["| first | block | size | meaning |", "|---|---|---|---|"]
        lines += [f"| {b.first} | `{b.name}` | {b.size} | {b.meaning} |" for b in self.blocks]
        return "\n".join(lines)


def action_table(*rows: tuple[str, int, str]) -> ActionTable:
    """Build an action table from ``(name, size, meaning)`` rows, offsets being computed."""
    blocks = []
    first = 0
    for name, size, meaning in rows:
        blocks.append(Block(name, first, size, meaning))
        first += size
    return ActionTable(tuple(blocks))
