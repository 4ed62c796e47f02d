"""Writing a sampled world into the State and its log, so that it is as a real game would be.

The log of a View lacks events that only others know of, and secrets. They are put in where the
rules would have written them.
"""

from __future__ import annotations

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.chance import missions_left, random_index
from concilium.envs.believers.faith import invent_night, invent_nominations
from concilium.envs.believers.state import (
    Effect,
    Event,
    Faith,
    Phase,
    State,
    pack,
    pair_of,
    unpacked_at,
)
from concilium.envs.believers.table import bit
from concilium.envs.believers.worlds import (
    World,
    kind_at,
    own_deal,
    settle_token,
)
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, COLUMNS, EVENT, FIRST, SECOND, SECRET, log_event
from concilium.envs.core.state import RUNNING, UNKNOWN, Cells

# Missions ------------------------------------------------------------------------------------


@jit
def _deal_missions(s: State, log: Cells, seen: Cells) -> None:
    """Settle which Missions Heralds saw; ``seen`` gets the pair for each of their events.

    A Mission that a Herald saw was turned up later, or is still on top or under the deck; in those
    places it is any of the Missions that the viewer cannot account for.
    """
    total = 0
    for pair in range(S.PAIRS):
        total += s.mission_copies[pair]
    places = np.empty(log.shape[0] + 1, np.int64)  # Missions seen, in order: their pair
    under = np.empty(S.MOST_UNDER, np.int64)  # which of them are under the deck
    marks = np.empty(log.shape[0] + 1, np.int64)  # which of them each event is about
    made = 0
    below_deck = 0
    front = S.NONE
    drawn = 0  # Missions that have left the unseen part of the deck
    for row in range(log.shape[0]):
        event = log[row, EVENT]
        herald = event == Event.ENLISTED and s.disciple_effect[log[row, FIRST]] == Effect.HERALD
        if (herald or event == Event.TURNED_UP) and front == S.NONE:
            if drawn < total:
                front = made
                places[made] = S.NONE
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
        elif event == Event.TURNED_UP:
            places[front] = log[row, SECOND]
            front = S.NONE
        elif event == Event.HERALDED and log[row, FIRST] == 1:
            under[below_deck] = front
            below_deck += 1
            front = S.NONE
    _fill_missions(s, places, under, front)
    for row in range(log.shape[0]):
        event = log[row, EVENT]
        if event == Event.ENLISTED and s.disciple_effect[log[row, FIRST]] == Effect.HERALD:
            seen[row] = places[marks[row]]


@jit
def _fill_missions(s: State, places: Cells, under: Cells, front: int) -> None:
    """Draw what is on top and under the deck, where the viewer does not know it."""
    count = s.under_count
    for k in range(count):
        s.under[k] = places[under[k]]
    s.next_mission = S.NONE
    if front != S.NONE:
        s.next_mission = places[front]
    left = np.empty(S.PAIRS, np.int64)
    total = missions_left(s, left)
    for k in range(count):
        if s.under[k] == S.NONE:
            total = _draw_mission(s, left, total, places, under[k])
            s.under[k] = places[under[k]]
    if front != S.NONE and s.next_mission == S.NONE:
        _draw_mission(s, left, total, places, front)
        s.next_mission = places[front]


@jit
def _draw_mission(s: State, left: Cells, total: int, places: Cells, mark: int) -> int:
    """Let a Mission that a Herald saw be one that is left; return how many are left then."""
    pair = random_index(s, left, total)
    left[pair] -= 1
    places[mark] = pair
    return total - 1


# Virtues -------------------------------------------------------------------------------------


@jit
def _settle(s: State, viewer: int, w: World) -> None:
    """Draw kinds for all tokens that have none; write hands, tablet and deck."""
    for seat in range(s.num_players):
        if seat != viewer:
            for kind in range(S.KINDS):
                s.hand[seat, kind] = 0
            for place in range(w.held[seat]):
                token = w.hands[seat, place]
                settle_token(s, w, token)
                s.hand[seat, w.kind[token]] = s.hand[seat, w.kind[token]] + 1
    if w.pending != S.NONE:
        settle_token(s, w, w.pending)
        s.gift[0] = w.kind[w.pending]


@jit
def _settle_tablet(s: State, log: Cells, w: World) -> None:
    """The two Virtues between which the Eye is still to choose."""
    if s.gift_count < S.GIVEN:
        return
    for row in range(log.shape[0] - 1, -1, -1):
        if log[row, EVENT] == Event.GAVE:
            settle_token(s, w, w.first[row])
            settle_token(s, w, w.second[row])
            one = kind_at(w, w.first[row])
            other = kind_at(w, w.second[row])
            s.gift[0] = min(one, other)
            s.gift[1] = max(one, other)
            return


@jit
def write_world(s: State, viewer: int, log: Cells, w: World) -> None:
    """Write where all Virtues are, what Heralds saw, and the whole log."""
    seen = np.empty(log.shape[0], np.int64)
    _deal_missions(s, log, seen)
    _settle(s, viewer, w)
    _settle_tablet(s, log, w)
    for kind in range(S.KINDS):
        s.deck[kind] = w.pools[w.pool, kind]
    _write_log(s, viewer, log, w, seen)


@jit
def deal_anew(s: State, viewer: int, w: World) -> None:
    """Deal what is hidden at random, for a position that its log does not explain."""
    for kind in range(S.KINDS):
        rest = s.virtue_copies[kind] - s.discards[kind]
        rest -= s.finished[kind]
        if viewer >= 0:
            rest -= s.hand[viewer, kind]
        w.pools[0, kind] = rest
    for k in range(S.GIVEN):
        if s.gift[k] != S.NONE:
            w.pools[0, s.gift[k]] -= 1
        for number in range(s.mission_row.shape[0]):
            if s.mission_row[number] == s.row and s.mission_placed[number, k] != S.NONE:
                w.pools[0, s.mission_placed[number, k]] -= 1
    for seat in range(s.num_players):
        if seat != viewer:
            for kind in range(S.KINDS):
                s.hand[seat, kind] = 0
            for _ in range(s.hand_count[seat]):
                kind = _deal_one(s, w)
                s.hand[seat, kind] = s.hand[seat, kind] + 1
    for k in range(s.gift_count):
        if s.gift[k] == S.NONE:
            s.gift[k] = _deal_one(s, w)
    for kind in range(S.KINDS):
        s.deck[kind] = w.pools[0, kind]
    left = np.empty(S.PAIRS, np.int64)
    for k in range(s.under_count):
        if s.under[k] == S.NONE:
            s.under[k] = random_index(s, left, missions_left(s, left))
    if s.next_seen != 0 and s.next_mission == S.NONE:
        s.next_mission = random_index(s, left, missions_left(s, left))
    if s.phase == Phase.NIGHT and s.actor == UNKNOWN:
        invent_night(s)


@jit
def _deal_one(s: State, w: World) -> int:
    """Take a random Virtue out of the first pool."""
    size = 0
    for kind in range(S.KINDS):
        size += w.pools[0, kind]
    kind = random_index(s, w.pools[0], size)
    w.pools[0, kind] -= 1
    return kind


# The log -------------------------------------------------------------------------------------


@jit
def _write_log(s: State, viewer: int, log: Cells, w: World, seen: Cells) -> None:
    """Write the log anew from the View's, with everything in it that the sampled world says."""
    awake = viewer >= 0 and s.faith[viewer] == Faith.DEFECTOR
    s.log_count = 0
    s.glimpses = 0
    w.look_count = 0
    w.mission = S.NONE
    turn: int = 0
    for row in range(log.shape[0]):
        event = log[row, EVENT]
        if event in (Event.DEALT, Event.LOOKED):
            continue  # written with the events they belong to
        if event == Event.LAID and not awake:
            table = np.empty(S.LAID_OUT, np.int64)
            _crises_then(s, log, row, table)
            invent_nominations(
                s, turn % s.num_players, log[row, FIRST],
                log[row, SECOND], table,
            )  # fmt: skip
        _copy(s, log, row)
        if event == Event.BEGUN:
            turn = log[row, ACTOR]
            _write_deal(s, viewer, log, w)
        elif event == Event.TURNED_UP:
            turn += 1
            w.mission += 1
        else:
            _write_secret(s, viewer, log, row, w, seen)
    for row in range(s.log_count, s.log.shape[0]):
        for column in range(COLUMNS):
            s.log[row, column] = 0
    if s.phase == Phase.NIGHT and s.status == RUNNING and not awake:
        invent_night(s)


@jit
def _copy(s: State, log: Cells, row: int) -> None:
    count = s.log_count
    for column in range(COLUMNS):
        s.log[count, column] = log[row, column]
    s.log_count = count + 1


@jit
def _crises_then(s: State, log: Cells, row: int, table: Cells) -> None:
    """Crises on the table before the one of this event was laid: those laid since, and the rest."""
    count = 0
    for k in range(S.LAID_OUT):
        table[k] = s.crises[k]
    for later in range(row, log.shape[0]):
        if log[later, EVENT] == Event.LAID:
            while count < S.LAID_OUT and table[count] != S.NONE:
                count += 1
            table[count] = log[later, FIRST]


@jit
def _write_deal(s: State, viewer: int, log: Cells, w: World) -> None:
    """Everybody's first hand."""
    for seat in range(s.num_players):
        log_event(s, Event.DEALT, seat, 0, 0, 0, 0, bit(seat), bit(seat))
        row = s.log_count - 1
        counts = np.zeros(S.KINDS, np.int64)
        if seat == viewer:
            own = own_deal(log)
            for kind in range(S.KINDS):
                counts[kind] = unpacked_at(log, own, kind)
        else:
            for k in range(s.hand_size):
                counts[w.kind[w.dealt[seat] + k]] += 1
        for kind in range(S.KINDS):
            pack(s, row, kind, counts[kind])


@jit
def _write_secret(s: State, viewer: int, log: Cells, row: int, w: World, seen: Cells) -> None:
    """What is secret in the event just copied."""
    event = log[row, EVENT]
    here = s.log_count - 1
    seat = log[row, ACTOR]
    number = w.mission
    if event == Event.GAVE:
        pair = pair_of(kind_at(w, w.first[row]), kind_at(w, w.second[row]))
        s.mission_given[number] = pair
        s.log[here, SECRET] = pair
    elif event == Event.WITNESSED:
        s.log[here, SECRET] = s.mission_given[number]
    elif event == Event.DREW:
        if seat != viewer:
            s.log[here, SECRET] = w.kind[w.first[row]]
    elif event == Event.TITHED:
        kind = kind_at(w, w.first[row])
        s.log[here, SECRET] = kind
        _note(s, kind)
    elif event == Event.SHOWN:
        _note_packed(s, here)
    elif event == Event.ENLISTED:
        _write_peek(s, viewer, log, row, w, seen)


@jit
def _write_peek(s: State, viewer: int, log: Cells, row: int, w: World, seen: Cells) -> None:
    """What the user of a Disciple learned."""
    effect = s.disciple_effect[log[row, FIRST]]
    here = s.log_count - 1
    user = log[row, ACTOR]
    target = log[row, SECOND]
    if effect == Effect.ORACLE:
        s.log[here, SECRET] = s.faith[target]
    elif effect == Effect.HERALD:
        s.log[here, SECRET] = seen[row]
    elif effect in (Effect.CONFIDANT, Effect.MENDICANT):
        kind = kind_at(w, w.first[row])
        s.log[here, SECRET] = kind
        if kind != S.NONE:
            _note(s, kind)
    elif effect == Effect.INQUISITOR:
        if user == viewer:
            _copy(s, log, row + 1)
        else:
            log_event(s, Event.LOOKED, target, 0, 0, 0, 0, bit(user), bit(user))
            _pack_look(s, w)
        _note_packed(s, here + 1)


@jit
def _pack_look(s: State, w: World) -> None:
    """The hand that somebody else looked at."""
    look = w.look_count
    w.look_count = look + 1
    counts = np.zeros(S.KINDS, np.int64)
    for k in range(w.look_size[look]):
        counts[kind_at(w, w.looks[look, k])] += 1
    for kind in range(S.KINDS):
        pack(s, s.log_count - 1, kind, counts[kind])


# Looks at hands that the State remembers; who looked at whom is public and stands there already


@jit
def _note(s: State, kind: int) -> None:
    place = s.glimpses % S.GLIMPSES
    s.glimpses = s.glimpses + 1
    for other in range(S.KINDS):
        s.glimpse_hand[place, other] = int(other == kind)


@jit
def _note_packed(s: State, row: int) -> None:
    place = s.glimpses % S.GLIMPSES
    s.glimpses = s.glimpses + 1
    for kind in range(S.KINDS):
        s.glimpse_hand[place, kind] = unpacked_at(s.log, row, kind)
