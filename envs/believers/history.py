"""Writing a sampled world into the State and its log, so that it is as a real game would be.

The log of a View lacks events that only others know of, and secrets. They are put in where the
rules would have written them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.believers.chance import missions_left, random_index
from concilium.envs.believers.faith import invent_night, invent_nominations
from concilium.envs.believers.state import (
    BEGUN,
    CONFIDANT,
    DEALT,
    DEFECTOR,
    DREW,
    ENLISTED,
    GAVE,
    GIVEN,
    GLIMPSES,
    HERALD,
    HERALDED,
    INQUISITOR,
    KINDS,
    LAID,
    LAID_OUT,
    LOOKED,
    MENDICANT,
    MOST_UNDER,
    NIGHT,
    NONE,
    ORACLE,
    PAIRS,
    SHOWN,
    TITHED,
    TURNED_UP,
    WITNESSED,
    pack,
    pair_of,
)
from concilium.envs.believers.table import bit
from concilium.envs.believers.worlds import (
    LOOKS,
    MISSION,
    PENDING,
    POOL,
    kind_at,
    own_deal,
    settle_token,
    unpacked_at,
)
from concilium.envs.core.events import ACTOR, COLUMNS, FIRST, KIND, SECOND, SECRET, log_event
from concilium.envs.core.jit import jit
from concilium.envs.core.state import RUNNING, UNKNOWN

# Missions ------------------------------------------------------------------------------------


@jit
def _deal_missions(s: Any, log: Any, seen: Any) -> None:
    """Settle which Missions Heralds saw; ``seen`` gets the pair for each of their events.

    A Mission that a Herald saw was turned up later, or is still on top or under the deck; in those
    places it is any of the Missions that the viewer cannot account for.
    """
    total = np.int64(0)
    for pair in range(PAIRS):
        total += np.int64(s.mission_copies[pair])
    places = np.empty(log.shape[0] + 1, np.int64)  # Missions seen, in order: their pair
    under = np.empty(MOST_UNDER, np.int64)  # which of them are under the deck
    marks = np.empty(log.shape[0] + 1, np.int64)  # which of them each event is about
    made = np.int64(0)
    below_deck = np.int64(0)
    front = np.int64(NONE)
    drawn = np.int64(0)  # Missions that have left the unseen part of the deck
    for row in range(log.shape[0]):
        event = np.int64(log[row, KIND])
        herald = event == ENLISTED and s.disciple_effect[np.int64(log[row, FIRST])] == HERALD
        if (herald or event == TURNED_UP) and front == NONE:
            if drawn < total:
                front = made
                places[made] = NONE
                made += 1
                drawn += 1
            else:
                front = under[0]
                below_deck -= 1
                for k in range(below_deck):
                    under[k] = under[k + 1]
        if herald:
            marks[row] = front
            if log[row, SECRET] != UNKNOWN:
                places[front] = log[row, SECRET]
        elif event == TURNED_UP:
            places[front] = log[row, SECOND]
            front = np.int64(NONE)
        elif event == HERALDED and log[row, FIRST] == 1:
            under[below_deck] = front
            below_deck += 1
            front = np.int64(NONE)
    _fill_missions(s, places, under, front)
    for row in range(log.shape[0]):
        event = np.int64(log[row, KIND])
        if event == ENLISTED and s.disciple_effect[np.int64(log[row, FIRST])] == HERALD:
            seen[row] = places[marks[row]]


@jit
def _fill_missions(s: Any, places: Any, under: Any, front: Any) -> None:
    """Draw what is on top and under the deck, where the viewer does not know it."""
    count = np.int64(s.under_count)
    for k in range(count):
        s.under[k] = places[under[k]]
    s.next_mission = NONE
    if front != NONE:
        s.next_mission = places[front]
    left = np.empty(PAIRS, np.int64)
    total = missions_left(s, left)
    for k in range(count):
        if s.under[k] == NONE:
            total = _draw_mission(s, left, total, places, under[k])
            s.under[k] = places[under[k]]
    if front != NONE and s.next_mission == NONE:
        _draw_mission(s, left, total, places, front)
        s.next_mission = places[front]


@jit
def _draw_mission(s: Any, left: Any, total: Any, places: Any, mark: Any) -> Any:
    """Let a Mission that a Herald saw be one that is left; return how many are left then."""
    pair = random_index(s, left, total)
    left[pair] -= 1
    places[mark] = pair
    return total - 1


# Virtues -------------------------------------------------------------------------------------


@jit
def _settle(s: Any, viewer: Any, w: Any) -> None:
    """Draw kinds for all tokens that have none; write hands, tablet and deck."""
    for seat in range(np.int64(s.num_players)):
        if seat != viewer:
            for kind in range(KINDS):
                s.hand[seat, kind] = 0
            for place in range(w.held[seat]):
                token = w.hands[seat, place]
                settle_token(s, w, token)
                s.hand[seat, w.kind[token]] = np.int64(s.hand[seat, w.kind[token]]) + 1
    if w.now[PENDING] != NONE:
        settle_token(s, w, w.now[PENDING])
        s.gift[0] = w.kind[w.now[PENDING]]


@jit
def _settle_tablet(s: Any, log: Any, w: Any) -> None:
    """The two Virtues between which the Eye is still to choose."""
    if s.gift_count < GIVEN:
        return
    for row in range(log.shape[0] - 1, -1, -1):
        if log[row, KIND] == GAVE:
            settle_token(s, w, w.first[row])
            settle_token(s, w, w.second[row])
            one = kind_at(w, w.first[row])
            other = kind_at(w, w.second[row])
            s.gift[0] = min(one, other)
            s.gift[1] = max(one, other)
            return


@jit
def write_world(s: Any, viewer: Any, log: Any, w: Any) -> None:
    """Write where all Virtues are, what Heralds saw, and the whole log."""
    seen = np.empty(log.shape[0], np.int64)
    _deal_missions(s, log, seen)
    _settle(s, viewer, w)
    _settle_tablet(s, log, w)
    for kind in range(KINDS):
        s.deck[kind] = w.pools[w.now[POOL], kind]
    _write_log(s, viewer, log, w, seen)


@jit
def deal_anew(s: Any, viewer: Any, w: Any) -> None:
    """Deal what is hidden at random, for a position that its log does not explain."""
    for kind in range(KINDS):
        rest = np.int64(s.virtue_copies[kind]) - np.int64(s.discards[kind])
        rest -= np.int64(s.finished[kind])
        if viewer >= 0:
            rest -= np.int64(s.hand[viewer, kind])
        w.pools[0, kind] = rest
    for k in range(GIVEN):
        if s.gift[k] != NONE:
            w.pools[0, np.int64(s.gift[k])] -= 1
        for number in range(s.mission_row.shape[0]):
            if s.mission_row[number] == s.row and s.mission_placed[number, k] != NONE:
                w.pools[0, np.int64(s.mission_placed[number, k])] -= 1
    for seat in range(np.int64(s.num_players)):
        if seat != viewer:
            for kind in range(KINDS):
                s.hand[seat, kind] = 0
            for _ in range(np.int64(s.hand_count[seat])):
                kind = _deal_one(s, w)
                s.hand[seat, kind] = np.int64(s.hand[seat, kind]) + 1
    for k in range(np.int64(s.gift_count)):
        if s.gift[k] == NONE:
            s.gift[k] = _deal_one(s, w)
    for kind in range(KINDS):
        s.deck[kind] = w.pools[0, kind]
    left = np.empty(PAIRS, np.int64)
    for k in range(np.int64(s.under_count)):
        if s.under[k] == NONE:
            s.under[k] = random_index(s, left, missions_left(s, left))
    if s.next_seen != 0 and s.next_mission == NONE:
        s.next_mission = random_index(s, left, missions_left(s, left))
    if s.phase == NIGHT and s.actor == UNKNOWN:
        invent_night(s)


@jit
def _deal_one(s: Any, w: Any) -> Any:
    """Take a random Virtue out of the first pool."""
    size = np.int64(0)
    for kind in range(KINDS):
        size += w.pools[0, kind]
    kind = random_index(s, w.pools[0], size)
    w.pools[0, kind] -= 1
    return kind


# The log -------------------------------------------------------------------------------------


@jit
def _write_log(s: Any, viewer: Any, log: Any, w: Any, seen: Any) -> None:
    """Write the log anew from the View's, with everything in it that the sampled world says."""
    awake = viewer >= 0 and s.faith[viewer] == DEFECTOR
    s.log_count = 0
    s.glimpses = 0
    w.now[LOOKS] = 0
    w.now[MISSION] = NONE
    turn: Any = np.int64(0)
    for row in range(log.shape[0]):
        event = np.int64(log[row, KIND])
        if event in (DEALT, LOOKED):
            continue  # written with the events they belong to
        if event == LAID and not awake:
            table = np.empty(LAID_OUT, np.int64)
            _crises_then(s, log, row, table)
            invent_nominations(
                s, turn % np.int64(s.num_players), np.int64(log[row, FIRST]),
                np.int64(log[row, SECOND]), table,
            )  # fmt: skip
        _copy(s, log, row)
        if event == BEGUN:
            turn = np.int64(log[row, ACTOR])
            _write_deal(s, viewer, log, w)
        elif event == TURNED_UP:
            turn += 1
            w.now[MISSION] += 1
        else:
            _write_secret(s, viewer, log, row, w, seen)
    for row in range(np.int64(s.log_count), s.log.shape[0]):
        for column in range(COLUMNS):
            s.log[row, column] = 0
    if s.phase == NIGHT and s.status == RUNNING and not awake:
        invent_night(s)


@jit
def _copy(s: Any, log: Any, row: Any) -> None:
    count = np.int64(s.log_count)
    for column in range(COLUMNS):
        s.log[count, column] = log[row, column]
    s.log_count = count + 1


@jit
def _crises_then(s: Any, log: Any, row: Any, table: Any) -> None:
    """Crises on the table before the one of this event was laid: those laid since, and the rest."""
    count = 0
    for k in range(LAID_OUT):
        table[k] = s.crises[k]
    for later in range(row, log.shape[0]):
        if log[later, KIND] == LAID:
            while count < LAID_OUT and table[count] != NONE:
                count += 1
            table[count] = log[later, FIRST]


@jit
def _write_deal(s: Any, viewer: Any, log: Any, w: Any) -> None:
    """Everybody's first hand."""
    for seat in range(np.int64(s.num_players)):
        log_event(s, DEALT, seat, 0, 0, 0, 0, bit(seat), bit(seat))
        row = np.int64(s.log_count) - 1
        counts = np.zeros(KINDS, np.int64)
        if seat == viewer:
            own = own_deal(log)
            for kind in range(KINDS):
                counts[kind] = unpacked_at(log, own, kind)
        else:
            for k in range(np.int64(s.hand_size)):
                counts[w.kind[w.dealt[seat] + k]] += 1
        for kind in range(KINDS):
            pack(s, row, kind, counts[kind])


@jit
def _write_secret(s: Any, viewer: Any, log: Any, row: Any, w: Any, seen: Any) -> None:
    """What is secret in the event just copied."""
    event = np.int64(log[row, KIND])
    here = np.int64(s.log_count) - 1
    seat = np.int64(log[row, ACTOR])
    number = w.now[MISSION]
    if event == GAVE:
        pair = pair_of(kind_at(w, w.first[row]), kind_at(w, w.second[row]))
        s.mission_given[number] = pair
        s.log[here, SECRET] = pair
    elif event == WITNESSED:
        s.log[here, SECRET] = s.mission_given[number]
    elif event == DREW:
        if seat != viewer:
            s.log[here, SECRET] = w.kind[w.first[row]]
    elif event == TITHED:
        kind = kind_at(w, w.first[row])
        s.log[here, SECRET] = kind
        _note(s, kind)
    elif event == SHOWN:
        _note_packed(s, here)
    elif event == ENLISTED:
        _write_peek(s, viewer, log, row, w, seen)


@jit
def _write_peek(s: Any, viewer: Any, log: Any, row: Any, w: Any, seen: Any) -> None:
    """What the user of a Disciple learned."""
    effect = np.int64(s.disciple_effect[np.int64(log[row, FIRST])])
    here = np.int64(s.log_count) - 1
    user = np.int64(log[row, ACTOR])
    target = np.int64(log[row, SECOND])
    if effect == ORACLE:
        s.log[here, SECRET] = s.faith[target]
    elif effect == HERALD:
        s.log[here, SECRET] = seen[row]
    elif effect in (CONFIDANT, MENDICANT):
        kind = kind_at(w, w.first[row])
        s.log[here, SECRET] = kind
        if kind != NONE:
            _note(s, kind)
    elif effect == INQUISITOR:
        if user == viewer:
            _copy(s, log, row + 1)
        else:
            log_event(s, LOOKED, target, 0, 0, 0, 0, bit(user), bit(user))
            _pack_look(s, w)
        _note_packed(s, here + 1)


@jit
def _pack_look(s: Any, w: Any) -> None:
    """The hand that somebody else looked at."""
    look = w.now[LOOKS]
    w.now[LOOKS] = look + 1
    counts = np.zeros(KINDS, np.int64)
    for k in range(w.look_size[look]):
        counts[kind_at(w, w.looks[look, k])] += 1
    for kind in range(KINDS):
        pack(s, np.int64(s.log_count) - 1, kind, counts[kind])


# Looks at hands that the State remembers; who looked at whom is public and stands there already


@jit
def _note(s: Any, kind: Any) -> None:
    place = np.int64(s.glimpses) % GLIMPSES
    s.glimpses = np.int64(s.glimpses) + 1
    for other in range(KINDS):
        s.glimpse_hand[place, other] = np.int64(other == kind)


@jit
def _note_packed(s: Any, row: Any) -> None:
    place = np.int64(s.glimpses) % GLIMPSES
    s.glimpses = np.int64(s.glimpses) + 1
    for kind in range(KINDS):
        s.glimpse_hand[place, kind] = unpacked_at(s.log, row, kind)
