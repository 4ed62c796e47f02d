"""Generic loops over a game's rules: templates that are bound to each game and compiled with it.

Every template calls the game's functions by the names ``reset``, ``legal_actions``, ``step``,
``view``, ``determinize``, ``encode``, ``encode_state``, ``returns``, ``census`` and ``kind``;
:func:`~.jit.bind` puts the game's own in their place. All arrays belong to the caller. Functions
that take ``lo`` and ``hi`` work on that part of a batch, so that threads can share one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.compiled.jit import absent
from concilium.envs.core.compiled.log import blank_log
from concilium.envs.core.compiled.rng import seed_generator, stream_seed
from concilium.envs.core.compiled.values import FULL, RUNNING

ACTOR_VIEW: Final = -3  # as a player number: whoever is to act
ILLEGAL: Final = -9  # what step_checked returns for an action that is not legal


reset = legal_actions = step = view = determinize = encode = encode_state = absent
returns = census = kind = absent
encode_reads_log = False
blank_spans = np.empty((0, 3), np.int64)  # see StateTable.spans
blank_bytes = np.empty(0, np.uint8)  # of a wholly blank record
observation_dtype = state_vector_dtype = np.dtype([])


# Shared inside compiled code -----------------------------------------------------------------


def blank(raw: Any, start: Any, first: Any, stop: Any) -> None:
    """Blank some bytes of the record that begins at ``raw[start]``.

    Unsigned, because a place that may be negative is tested byte by byte for counting from the end.
    """
    for place in range(np.uint64(first), np.uint64(stop)):
        raw[np.uint64(start) + place] = blank_bytes[place]


def hide(out: Any, j: Any, player: Any) -> None:
    """Blank in ``out[j]``, a copy of a State, all that is not declared public."""
    raw = out.view(np.uint8)
    start = j * blank_bytes.shape[0]
    seats = out[j].num_players
    for k in range(blank_spans.shape[0]):
        first, size, row = blank_spans[k, 0], blank_spans[k, 1], blank_spans[k, 2]
        if row == 0:
            blank(raw, start, first, first + size)
        else:
            for seat in range(seats):
                if seat != player:
                    blank(raw, start, first + seat * row, first + (seat + 1) * row)
    out[j].viewer = player


def make_view(states: Any, i: Any, player: Any, out: Any, j: Any) -> None:
    """Write into ``out[j]`` what ``player`` may know of ``states[i]``."""
    out[j] = states[i]
    blank_log(out[j], player)
    hide(out, j, player)
    view(states[i], out[j], player)


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
    hide(views, j, player)
    view(states[i], v, player)
    write_observation(v, obs)
    for k in range(mask.shape[0]):
        mask[k] = 0
    if v.status == RUNNING and states[i].actor == player:
        legal_actions(v, mask)


def write_observation(v: Any, obs: Any) -> None:
    """Fill ``obs (observation size,) int8`` from a View."""
    for k in range(obs.shape[0]):
        obs[k] = 0
    encode(v, obs.view(observation_dtype)[0])


def write_state_vector(s: Any, out: Any) -> None:
    """Fill ``out (state vector size,) int8`` from a State."""
    for k in range(out.shape[0]):
        out[k] = 0
    encode_state(s, out.view(state_vector_dtype)[0])


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
    if s.status == RUNNING:
        legal_actions(s, mask)
    if action < 0 or action >= mask.shape[0] or mask[action] == 0:
        return ILLEGAL, 0
    step(s, action)
    return np.int64(s.actor), np.int64(s.status)


def observe_one(states: Any, i: Any, player: Any, views: Any, obs: Any, mask: Any) -> None:
    """Fill observation and mask of ``player``; ``views`` is scratch memory of one record."""
    show(states, i, player, views, 0, obs, mask)


def encode_state_one(states: Any, i: Any, out: Any) -> None:
    """Fill the state vector of ``states[i]``."""
    write_state_vector(states[i], out)


def count_parts(states: Any, i: Any, out: Any) -> None:
    """Fill the census of ``states[i]``: counts that stay the same throughout a game."""
    for k in range(out.shape[0]):
        out[k] = 0
    census(states[i], out)


# Entry points on a batch ---------------------------------------------------------------------


def deal_many(
    states: Any, templates: Any, tables: Any, games: Any, seeds: Any, lo: Any, hi: Any
) -> None:
    """Deal game ``i = games[k]``, at table ``tables[i]``, from ``seeds[k]``."""
    for k in range(lo, hi):
        i = games[k]
        states[i] = templates[tables[i]]
        s = states[i]
        seed_generator(s, seeds[k])
        reset(s)


def first_illegal(masks: Any, games: Any, actions: Any) -> Any:
    """Return the first ``k`` where ``actions[k]`` is not legal in game ``games[k]``, or -1."""
    for k in range(games.shape[0]):
        action = actions[k]
        if action < 0 or action >= masks.shape[1] or masks[games[k], action] == 0:
            return k
    return -1


def step_many(
    states: Any, games: Any, actions: Any, views: Any, obs: Any, masks: Any, actors: Any,
    status: Any, lo: Any, hi: Any,
) -> None:  # fmt: skip
    """Take ``actions[k]``, legal, in ``states[games[k]]`` and say what comes next.

    Written are ``status[k]``, ``actors[k]`` and ``masks[k]``, where the game is over -1 and zeros;
    and ``obs[k]``, of whoever is to act, where the game goes on. An ``obs`` of width 0 asks for
    none. ``views[0]`` is scratch memory: one record per thread, which stays in the cache.
    """
    for k in range(lo, hi):
        i = games[k]
        s = states[i]
        step(s, actions[k])
        status[k] = s.status
        actors[k] = s.actor
        if obs.shape[1] > 0 and s.status == RUNNING:
            show(states, i, s.actor, views, 0, obs[k], masks[k])
        else:  # the mask alone; from the State it is the same, as the checks of a game show
            mask = masks[k]
            for j in range(mask.shape[0]):
                mask[j] = 0
            if s.status == RUNNING:
                legal_actions(s, mask)


def observe_many(
    states: Any, games: Any, players: Any, views: Any, obs: Any, masks: Any, actors: Any,
    lo: Any, hi: Any,
) -> None:  # fmt: skip
    """Fill observation and mask of ``players[k]`` (or ``ACTOR_VIEW``) in game ``games[k]``.

    ``views[0]`` is scratch memory: one record per thread, which stays in the cache.
    """
    for k in range(lo, hi):
        i = games[k]
        actor = states[i].actor
        player = players[k]
        if player == ACTOR_VIEW:
            player = actor
        actors[k] = actor
        show(states, i, player, views, 0, obs[k], masks[k])


def view_many(states: Any, games: Any, players: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the View of ``players[k]`` in ``states[games[k]]`` into ``out[k]``."""
    for k in range(lo, hi):
        make_view(states, games[k], players[k], out, k)


def encode_many(views: Any, obs: Any, lo: Any, hi: Any) -> None:
    """Fill ``obs[k]`` with the observation vector of ``views[k]``."""
    for k in range(lo, hi):
        write_observation(views[k], obs[k])


def encode_state_many(states: Any, games: Any, out: Any, lo: Any, hi: Any) -> None:
    """Fill ``out[k]`` with the state vector of ``states[games[k]]``."""
    for k in range(lo, hi):
        write_state_vector(states[games[k]], out[k])


def legal_many(views: Any, masks: Any, lo: Any, hi: Any) -> None:
    """Fill ``masks[k]`` with the legal actions of whoever is to act in ``views[k]``."""
    for k in range(lo, hi):
        mask = masks[k]
        for j in range(mask.shape[0]):
            mask[j] = 0
        if views[k].status == RUNNING:
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
        viewer = s.viewer
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


# Entry points that belong to no game -----------------------------------------------------------


def stream_seeds(run: Any, games: Any, episodes: Any, out: Any) -> None:
    """Write the seed of episode ``episodes[k]`` of game ``games[k]`` of a run into ``out[k]``."""
    for k in range(games.shape[0]):
        out[k] = stream_seed(run, games[k], episodes[k])


def sort_out(
    games: Any, actors: Any, masks: Any, resting: Any, sits: Any, kinds: Any, deciders: Any,
    ask_forced: Any, stop_forced: Any, going: Any, actions: Any, asked: Any, players: Any,
) -> Any:  # fmt: skip
    """Find the ``games (k,)`` that go on by one decision; return how many, and how many ask.

    Their numbers are written to ``going``, their first legal actions to ``actions``; where a player
    is to be asked, the place in ``going`` to ``asked`` and the player's number to ``players``.
    Without ``kinds (k,)`` whoever sits there decides, else ``deciders[player + 1, kind]``.
    """
    g = 0
    a = 0
    for k in range(games.shape[0]):
        i = games[k]
        if resting[i] or actors[i] < 0:
            continue
        player = sits[i, actors[i]]
        if kinds.shape[0] > 0:
            player = deciders[player + 1, kinds[k]]
        options = 0
        first = 0
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                if options == 0:
                    first = action
                options += 1
                if options == 2:
                    break
        if player < 0 and (options > 1 or stop_forced):
            continue
        if player >= 0 and (options != 1 or ask_forced):
            asked[a] = g
            players[a] = player
            a += 1
        going[g] = i
        actions[g] = first
        g += 1
    return g, a


def pick(masks: Any, uniform: Any, out: Any) -> None:
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
