"""Who may know what in Nicaea (N18): the only place that decides it.

Everything on the table is public, hands too: every card in a hand was taken from the open display.
Hidden are the values of Victory Point markers, of others and of those not drawn, until all are
revealed at the end; and always the order of the deck.
"""

from __future__ import annotations

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, SECRET
from concilium.envs.core.compiled.rng import below, shuffle
from concilium.envs.core.state import RUNNING, UNKNOWN
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.doctrine import draw_value
from concilium.envs.nicaea.state import Event, State


@jit
def view(s: State, v: State, player: int) -> None:
    """Open ``player``'s own markers, and all of them when the game is over."""
    over = s.status != RUNNING
    for value in range(S.VALUES):
        if over:
            v.marker_supply[value] = s.marker_supply[value]
        for seat in range(S.SEATS):
            if over or seat == player:
                v.markers[seat, value] = s.markers[seat, value]


@jit
def determinize(s: State, viewer: int) -> None:
    """Draw markers and a deck for ``s``, a copy of a View, uniformly over what is possible.

    What anybody may do never depends on what is hidden, so every order of the deck and every
    drawing of markers from those that the viewer does not hold is possible, and all are drawn
    alike. What others did could tell something of their own markers (N18); that is left to who
    models them.
    """
    if s.marker_supply[0] == UNKNOWN:
        _draw_markers(s, viewer)
    for seat in range(s.num_players):
        if seat != viewer:
            _name_markers(s, seat)
    size = 0
    for card in range(S.CARDS):
        if s.where[card] == S.DECK:
            s.deck[size] = card
            size += 1
    shuffle(s, s.deck, size)


@jit
def _draw_markers(s: State, viewer: int) -> None:
    """Let every other seat draw as many markers as it has."""
    for value in range(S.VALUES):
        s.marker_supply[value] = S.MARKERS_EACH
        if viewer >= 0:
            s.marker_supply[value] -= s.markers[viewer, value]
    for seat in range(S.SEATS):
        if seat != viewer:
            for value in range(S.VALUES):
                s.markers[seat, value] = 0
            for _ in range(s.marker_count[seat]):
                value = draw_value(s)
                s.markers[seat, value] = s.markers[seat, value] + 1


@jit
def _name_markers(s: State, seat: int) -> None:
    """Give the seat's draws in the log the values of its markers, in a random order.

    The log may have forgotten the first draws, so it is gone through from the end.
    """
    kept = 0  # markers of each value not yet named, eight bits each
    left = 0
    for value in range(S.VALUES):
        kept |= s.markers[seat, value] << (8 * value)
        left += s.markers[seat, value]
    capacity = s.log.shape[0]
    total = s.log_count
    for back in range(min(total, capacity)):
        row = (total - 1 - back) % capacity
        if s.log[row, EVENT] == Event.MARKER and s.log[row, ACTOR] == seat and left > 0:
            chosen = below(s, left)
            value = 0
            while chosen >= (kept >> (8 * value)) & 255:
                chosen -= (kept >> (8 * value)) & 255
                value += 1
            kept -= 1 << (8 * value)
            left -= 1
            s.log[row, SECRET] = S.LOWEST_VALUE + value
