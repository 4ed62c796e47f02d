"""A game's compiled functions, and the entry points that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.compiled import loops
from concilium.envs.core.compiled.jit import INTERPRETED, bind, bind_helper, shared_folder
from concilium.envs.core.compiled.loops import ACTOR_VIEW, ILLEGAL
from concilium.envs.core.layout import Layout
from concilium.envs.core.state import StateTable, attribute_dtype

__all__ = [
    "ACTOR_VIEW", "ILLEGAL", "Kernels", "Rules", "core_kernel", "pick_actions", "stream_seeds",
]  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """The compiled functions of a game, each on one record (see the package's ``game`` module).

    ``encode_reads_log`` tells that ``encode`` or ``legal_actions`` look at the event log.
    """

    reset: Callable[..., Any]
    legal_actions: Callable[..., Any]
    step: Callable[..., Any]
    view: Callable[..., Any]
    determinize: Callable[..., Any]
    encode: Callable[..., Any]
    encode_state: Callable[..., Any]
    returns: Callable[..., Any]
    census: Callable[..., Any]
    kind: Callable[..., Any]
    encode_reads_log: bool = False


class Kernels:
    """A game's entry points, compiled on first use and then loaded from the disk cache.

    Args:
        name: of the game.
        rules: its functions.
        state: the table of its State.
        observation: layout of observations.
        state_vector: layout of the state vector.
    """

    def __init__(
        self, name: str, rules: Rules, state: StateTable, observation: Layout, state_vector: Layout
    ) -> None:
        self._name = name
        self._given = {
            **vars(rules),
            "blank_spans": state.spans,
            "blank_bytes": state.blank.view(np.uint8),
            "observation_dtype": attribute_dtype(observation.dtype),
            "state_vector_dtype": attribute_dtype(state_vector.dtype),
        }

    @cached_property
    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = dict(self._given)
        for template in _HELPERS:
            parts[template.__name__] = bind_helper(template, self._name, parts)
        return parts

    @cached_property
    def cache_folder(self) -> Path | None:
        """Where this game's compiled code lives; None when it is not kept."""
        return shared_folder(_ENTRIES.values(), self._name, self._parts)

    def __getattr__(self, name: str) -> Any:
        template = _ENTRIES.get(name)
        if template is None:
            raise AttributeError(f"a game has no entry point {name!r}")
        entry = bind(template, self._name, self._parts, self.cache_folder)
        setattr(self, name, entry)
        return entry

    def bind(self, template: Callable[..., Any], **more: Any) -> Callable[..., Any]:
        """Compile a loop of somebody else over this game's functions, as those here are compiled.

        Args:
            template: a module-level function that calls them by the names that
                :mod:`.compiled.loops` uses.
            **more: what else it calls by name.
        """
        return bind(template, self._name, {**self._parts, **more})

    def cache_misses(self) -> dict[str, int]:
        """Return how often each entry point used so far had to be compiled in this process."""
        used = {name: entry for name, entry in vars(self).items() if name in _ENTRIES}
        if INTERPRETED:
            return {}
        return {name: sum(entry.stats.cache_misses.values()) for name, entry in used.items()}


_HELPERS: Final = (
    loops.blank, loops.hide, loops.make_view, loops.write_observation, loops.write_state_vector,
    loops.show,
)  # fmt: skip
_ENTRIES: Final[dict[str, Callable[..., Any]]] = {
    template.__name__: template
    for template in (
        loops.reset_one, loops.step_checked, loops.observe_one, loops.encode_state_one,
        loops.encode_state_many, loops.count_parts, loops.deal_many, loops.first_illegal,
        loops.step_many, loops.observe_many, loops.view_many, loops.encode_many,
        loops.legal_many, loops.kind_many, loops.determinize_many, loops.returns_many,
    )
}  # fmt: skip


@cache
def core_kernel(template: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry point that belongs to no game, compiled once."""
    return bind(template, "core")


def stream_seeds(
    run: np.uint64, games: NDArray[np.int64], episodes: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Seeds ``(k,) uint64`` of the ``episodes (k,)`` of ``games (k,)`` of a run.

    Hashed, so that the streams of different games and runs do not overlap.
    """
    seeds = np.empty(len(games), np.uint64)
    core_kernel(loops.stream_seeds)(run, games, episodes, seeds)
    return seeds


def pick_actions(masks: Any, uniform: Any, out: Any) -> None:
    """Choose one legal action per row of ``masks (k, n) int8``, uniformly, into ``out (k,) int64``.

    ``uniform (k,) float64`` are numbers in [0, 1) from the caller's own generator.
    """
    core_kernel(loops.pick)(masks, uniform, out)
