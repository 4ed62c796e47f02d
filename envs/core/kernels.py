"""Generic loops over a game's rules: templates that are bound to each game and compiled with it.

Every template calls the game's functions by the names ``reset``, ``legal_actions``, ``step``,
``view``, ``determinize``, ``encode``, ``encode_state``, ``returns``, ``census`` and ``kind``;
:func:`concilium.envs.core.jit.bind` puts the game's own in their place. All arrays belong to the
caller. Functions that take ``lo`` and ``hi`` work on that part of a batch, so that threads can
share one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from concilium.envs.core.events import blank_log
from concilium.envs.core.jit import INTERPRETED, bind, bind_helper, cache_folder
from concilium.envs.core.rng import seed_generator, stream_seed
from concilium.envs.core.state import FULL, RUNNING

ACTOR_VIEW: Final = -3  # as a player number: whoever is to act
ILLEGAL: Final = -9  # what step_checked returns for an action that is not legal


def _absent(*_: Any) -> Any:  # stands for a game's function until the template is bound
    raise AssertionError("template used without being bound to a game")


reset = legal_actions = step = view = determinize = encode = encode_state = _absent
returns = census = kind = _absent
encode_reads_log = False


# Shared inside compiled code -----------------------------------------------------------------


def close(v: Any, player: Any) -> None:
    """Turn ``v``, a copy of a State, into ``player``'s: no generator, hidden fields blanked."""
    v.viewer = player
    v.rng_key = 0
    v.rng_counter = 0
    view(v, player)


def make_view(states: Any, i: Any, player: Any, out: Any, j: Any) -> None:
    """Write into ``out[j]`` what ``player`` may know of ``states[i]``."""
    out[j] = states[i]
    blank_log(out[j], player)
    close(out[j], player)


def show(states: Any, i: Any, player: Any, views: Any, j: Any, obs: Any, mask: Any) -> None:
    """Fill the observation and mask of ``player``, both computed from the View alone.

    Where observations do not come from the log, the View has an empty one: that is quicker than to
    blank it.
    """
    views[j] = states[i]
    v = views[j]
    if encode_reads_log:
        blank_log(v, player)
    else:
        v.log_count = 0
    close(v, player)
    for k in range(obs.shape[0]):
        obs[k] = 0
    encode(v, obs)
    for k in range(mask.shape[0]):
        mask[k] = 0
    if np.int64(v.status) == RUNNING and np.int64(states[i].actor) == player:
        legal_actions(v, mask)


def deal(states: Any, templates: Any, i: Any, run: Any, episode: Any) -> None:
    """Deal ``states[i]`` from its template and the seed of the run's episode of game ``i``."""
    states[i] = templates[i]
    s = states[i]
    seed_generator(s, stream_seed(run, i, episode))
    reset(s)


# Entry points on one record ------------------------------------------------------------------


def reset_one(states: Any, i: Any, seed: Any) -> None:
    """Deal ``states[i]``, whose options are filled in, from ``seed``."""
    s = states[i]
    seed_generator(s, seed)
    reset(s)


def step_checked(states: Any, i: Any, action: Any, mask: Any) -> Any:
    """Take ``action`` if it is legal; return (actor, status) or (ILLEGAL, 0) with nothing changed.

    ``mask`` is scratch memory of ``(num_actions,) int8``.
    """
    s = states[i]
    for k in range(mask.shape[0]):
        mask[k] = 0
    if np.int64(s.status) == RUNNING:
        legal_actions(s, mask)
    if action < 0 or action >= mask.shape[0] or mask[action] == 0:
        return ILLEGAL, 0
    step(s, action)
    return np.int64(s.actor), np.int64(s.status)


def observe_one(states: Any, i: Any, player: Any, views: Any, obs: Any, mask: Any) -> None:
    """Fill observation and mask of ``player``; ``views`` is scratch memory of one record."""
    show(states, i, player, views, 0, obs, mask)


def encode_truth(states: Any, i: Any, out: Any) -> None:
    """Fill the perfect-information vector of ``states[i]``."""
    for k in range(out.shape[0]):
        out[k] = 0
    encode_state(states[i], out)


def count_parts(states: Any, i: Any, out: Any) -> None:
    """Fill the census of ``states[i]``: counts that stay the same throughout a game."""
    for k in range(out.shape[0]):
        out[k] = 0
    census(states[i], out)


# Entry points on a batch ---------------------------------------------------------------------


def reset_many(
    states: Any, templates: Any, games: Any, run: Any, episodes: Any, lo: Any, hi: Any
) -> None:
    """Deal game ``i`` anew, as its episode ``episodes[i]``, for each ``i`` in ``games[lo:hi]``."""
    for k in range(lo, hi):
        deal(states, templates, games[k], run, episodes[games[k]])


def first_illegal(masks: Any, games: Any, actions: Any) -> Any:
    """Return the first ``k`` where ``actions[k]`` is not legal in game ``games[k]``, or -1."""
    for k in range(games.shape[0]):
        action = actions[k]
        if action < 0 or action >= masks.shape[1] or masks[games[k], action] == 0:
            return k
    return -1


def advance_many(
    states: Any, templates: Any, games: Any, actions: Any, run: Any, episodes: Any, views: Any,
    obs: Any, masks: Any, actors: Any, rewards: Any, status: Any, finals: Any, lo: Any, hi: Any,
) -> None:  # fmt: skip
    """Take ``actions[k]``, legal, in game ``games[k]`` and observe what comes next.

    An ``obs`` of width 0 asks for the masks only. A game that ends leaves its returns, its status
    and everybody's last View, that of ``seat`` in ``finals[k * seats + seat]``, and is dealt anew.
    ``views[lo]`` is scratch memory: one record per thread, which stays in the cache.
    """
    for k in range(lo, hi):
        i = games[k]
        s = states[i]
        step(s, actions[k])
        status[k] = s.status
        if np.int64(s.status) != RUNNING:
            returns(s, rewards[k])
            for seat in range(np.int64(s.num_players)):
                make_view(states, i, seat, finals, k * rewards.shape[1] + seat)
            episodes[i] += 1
            deal(states, templates, i, run, episodes[i])
        actors[k] = s.actor
        if obs.shape[1] > 0:
            show(states, i, np.int64(s.actor), views, lo, obs[k], masks[k])
        else:  # the mask alone; from the State it is the same, as the checks of a game show
            mask = masks[k]
            for j in range(mask.shape[0]):
                mask[j] = 0
            legal_actions(s, mask)


def observe_many(
    states: Any, games: Any, players: Any, views: Any, obs: Any, masks: Any, actors: Any,
    lo: Any, hi: Any,
) -> None:  # fmt: skip
    """Fill observation and mask of ``players[k]`` (or ``ACTOR_VIEW``) in game ``games[k]``.

    ``views[lo]`` is scratch memory: one record per thread, which stays in the cache.
    """
    for k in range(lo, hi):
        i = games[k]
        actor = np.int64(states[i].actor)
        player = np.int64(players[k])
        if player == ACTOR_VIEW:
            player = actor
        actors[k] = actor
        show(states, i, player, views, lo, obs[k], masks[k])


def view_many(states: Any, games: Any, players: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the View of ``players[k]`` in ``states[games[k]]`` into ``out[k]``."""
    for k in range(lo, hi):
        make_view(states, games[k], np.int64(players[k]), out, k)


def encode_many(views: Any, obs: Any, lo: Any, hi: Any) -> None:
    """Fill ``obs[k]`` with the observation vector of ``views[k]``."""
    for k in range(lo, hi):
        out = obs[k]
        for j in range(out.shape[0]):
            out[j] = 0
        encode(views[k], out)


def encode_truth_many(states: Any, games: Any, out: Any, lo: Any, hi: Any) -> None:
    """Fill ``out[k]`` with the perfect-information vector of ``states[games[k]]``."""
    for k in range(lo, hi):
        row = out[k]
        for j in range(row.shape[0]):
            row[j] = 0
        encode_state(states[games[k]], row)


def legal_many(views: Any, masks: Any, lo: Any, hi: Any) -> None:
    """Fill ``masks[k]`` with the legal actions of whoever is to act in ``views[k]``."""
    for k in range(lo, hi):
        mask = masks[k]
        for j in range(mask.shape[0]):
            mask[j] = 0
        if np.int64(views[k].status) == RUNNING:
            legal_actions(views[k], mask)


def kind_many(records: Any, rows: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the number of the kind of decision due in ``records[rows[k]]`` into ``out[k]``."""
    for k in range(lo, hi):
        out[k] = kind(records[rows[k]])


def determinize_many(views: Any, seeds: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write into ``out[k]`` a State that the viewer of ``views[k]`` cannot tell from the real one.

    ``seeds[k]`` drives both the sampling and the future of the sampled State.
    """
    for k in range(lo, hi):
        out[k] = views[k]
        s = out[k]
        viewer = np.int64(s.viewer)
        s.viewer = FULL
        seed_generator(s, seeds[k])
        determinize(s, viewer)


def returns_many(states: Any, games: Any, out: Any, lo: Any, hi: Any) -> None:
    """Fill ``out[k]`` with the returns of all seats in ``states[games[k]]``; absent seats get 0."""
    for k in range(lo, hi):
        row = out[k]
        for j in range(row.shape[0]):
            row[j] = 0.0
        returns(states[games[k]], row)


def _pick(masks: Any, uniform: Any, out: Any) -> None:
    """Choose for each row one of its non-zero entries; ``uniform`` holds numbers in [0, 1).

    A row without a legal action gets -1.
    """
    for k in range(masks.shape[0]):
        count = 0
        for j in range(masks.shape[1]):
            if masks[k, j] != 0:
                count += 1
        left: Any = min(np.int64(uniform[k] * count), count - 1)
        out[k] = -1
        for j in range(masks.shape[1]):
            if masks[k, j] != 0:
                if left == 0:
                    out[k] = j
                    break
                left -= 1


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


_CORE_FOLDER: Final = Path(__file__).parent


class Kernels:
    """A game's entry points, compiled on first use and then loaded from the disk cache."""

    def __init__(self, name: str, rules: Rules, folder: Path) -> None:
        self._name = name
        self._rules = rules
        self._folder = folder

    @cached_property
    def _parts(self) -> dict[str, Any]:
        parts: dict[str, Any] = dict(vars(self._rules))
        for template in (close, make_view, show, deal):
            parts[template.__name__] = bind_helper(template, self._name, parts)
        return parts

    @cached_property
    def cache_folder(self) -> Path | None:
        """Where this game's compiled code lives; None when it is not kept."""
        if INTERPRETED:
            return None
        names = [
            f"{part.__module__}.{part.__qualname__}" if callable(part) else f"{name}={part}"
            for name, part in vars(self._rules).items()
        ]
        return cache_folder(self._name, (_CORE_FOLDER, self._folder), names)

    def __getattr__(self, name: str) -> Any:
        template = _ENTRIES.get(name)
        if template is None:
            raise AttributeError(f"a game has no entry point {name!r}")
        entry = bind(template, self._name, self._parts, self.cache_folder)
        setattr(self, name, entry)
        return entry

    def cache_misses(self) -> dict[str, int]:
        """Return how often each entry point used so far had to be compiled in this process."""
        used = {name: entry for name, entry in vars(self).items() if name in _ENTRIES}
        if INTERPRETED:
            return {}
        return {name: sum(entry.stats.cache_misses.values()) for name, entry in used.items()}


_ENTRIES: Final[dict[str, Callable[..., Any]]] = {
    template.__name__: template
    for template in (
        reset_one, step_checked, observe_one, encode_truth, encode_truth_many, count_parts,
        reset_many, first_illegal, advance_many, observe_many, view_many, encode_many, legal_many,
        kind_many, determinize_many, returns_many,
    )
}  # fmt: skip

_pick_compiled: Callable[..., Any] | None = None


def pick_actions(masks: Any, uniform: Any, out: Any) -> None:
    """Choose one legal action per row of ``masks (k, n) int8``, uniformly, into ``out (k,) int64``.

    ``uniform (k,) float64`` are numbers in [0, 1) from the caller's own generator.
    """
    global _pick_compiled
    if _pick_compiled is None:
        folder = None if INTERPRETED else cache_folder("core", (_CORE_FOLDER,))
        _pick_compiled = bind(_pick, "core", {}, folder)
    _pick_compiled(masks, uniform, out)
