"""Hidden Virtues sampled by walking through the log (B3, B7, B10, B13).

A *world* says which physical card every hidden Virtue is and was: the deal, what was drawn, given,
kept, taken. All worlds that lead to the View are equally likely if the deck was shuffled well and
hidden choices are as likely for each physical card in hand.

Virtues in hands of others are *tokens*. A token has no kind until something says what it is. When a
Virtue of a known kind leaves a hand or is seen in it, one of the hand's tokens must have been it:
those of that kind count 1, those without a kind the share of that kind among the Virtues that are
not accounted for. What they add up to, divided by the number of tokens, is the probability of what
was seen; a walk's probabilities multiplied are its *weight*. Drawing walks and keeping the last one
by the rule of Metropolis and Hastings gives worlds with equal probability.

Virtues not accounted for come in *pools*: when the discards become a new deck the old one is used
up, so that tokens drawn before are exactly the old pool, and later ones come from the new one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers.state import (
    CONFIDANT,
    DEALT,
    DISCARDED,
    DREW,
    ENLISTED,
    GAVE,
    GIFT,
    GIVEN,
    INQUISITOR,
    KINDS,
    LOG_CAPACITY,
    LOOKED,
    MENDICANT,
    MOST_LOOKS,
    MOST_VIRTUES,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    PLACED,
    SEATS,
    SHOWN,
    TITHED,
    TOKENS,
    TURNED_UP,
)
from concilium.envs.core.events import ACTOR, FIRST, KIND, SECOND, SECRET, THIRD
from concilium.envs.core.jit import INTERPRETED, jit
from concilium.envs.core.rng import below
from concilium.envs.core.state import new_records

_TOKENS: Final = MOST_VIRTUES + LOG_CAPACITY
_FINE: Final = 1 << 30  # steps of a random fraction
DEAD: Final = -1e300  # logarithm of the weight of a walk that came to a contradiction
_ALIVE: Final = -1e200  # any other weight is above

# places in the field ``now``
MADE: Final = 0  # tokens made
POOL: Final = 1  # number of the present pool
DECK: Final = 2  # Virtues in the deck, all of the present pool
MIXED: Final = 3  # 1 if weights may differ between walks
LOOKS: Final = 4  # looks by others kept
PENDING: Final = 5  # token that is alone in the tablet, NONE if there is none
MISSION: Final = 6  # number of the Mission
BROKEN: Final = 7  # 1 if the log cannot have led to the position
_PLACES: Final = 8


WORLD: Final = np.dtype(
    [
        ("kind", np.int64, _TOKENS),  # of each token, NONE where it is not settled
        ("pool_of", np.int64, _TOKENS),  # pool that each token came from
        ("hands", np.int64, (SEATS, MOST_VIRTUES)),  # tokens in each hand
        ("held", np.int64, SEATS),  # their numbers
        ("pools", np.int64, (LOG_CAPACITY, KINDS)),  # Virtues not accounted for, by pool
        ("pool_size", np.int64, LOG_CAPACITY),  # their sums
        ("own", np.int64, KINDS),  # the viewer's hand
        ("piles", np.int64, (3, KINDS)),  # discards; placed in finished rows; in this row
        ("first", np.int64, LOG_CAPACITY),  # reference to the hidden Virtue of each event
        ("second", np.int64, LOG_CAPACITY),  # reference to a second one
        ("dealt", np.int64, SEATS),  # first token of each seat's deal
        ("looks", np.int64, (MOST_LOOKS, MOST_VIRTUES)),  # references: hands others looked at
        ("look_size", np.int64, MOST_LOOKS),  # their numbers
        ("now", np.int64, _PLACES),  # whole numbers that change during a walk
    ]
)
"""A walk's memory. A *reference* is a token, NONE, or ``-2 - kind`` for a Virtue of a kind."""


def _new_world() -> Any:
    """Return memory for walks, an array of one record, which must outlive the record."""
    return np.empty(1, WORLD)


new_world = (lambda: new_records(1, WORLD)) if INTERPRETED else jit(_new_world)


@jit
def of_kind(kind: Any) -> Any:
    """Reference to a Virtue of a known kind."""
    return -2 - np.int64(kind)


@jit
def kind_at(w: Any, reference: Any) -> Any:
    """Kind of the Virtue that a reference is to; NONE if it is to nothing."""
    if reference >= 0:
        return w.kind[reference]
    if reference == NONE:
        return np.int64(NONE)
    return -2 - reference


# Tokens --------------------------------------------------------------------------------------


@jit
def _add_token(w: Any, seat: Any, kind: Any, pool: Any) -> Any:
    token = w.now[MADE]
    w.now[MADE] = token + 1
    w.kind[token] = kind
    w.pool_of[token] = pool
    _put(w, seat, token)
    return token


@jit
def _put(w: Any, seat: Any, token: Any) -> None:
    if token != NONE and w.held[seat] < MOST_VIRTUES:
        w.hands[seat, w.held[seat]] = token
        w.held[seat] += 1


@jit
def _take(w: Any, seat: Any, place: Any) -> None:
    w.held[seat] -= 1
    w.hands[seat, place] = w.hands[seat, w.held[seat]]


@jit
def _watch(w: Any, seat: Any, start: Any) -> None:
    """Note that walks may differ in weight where not all tokens to choose from are alike."""
    for place in range(start, w.held[seat]):
        token = w.hands[seat, place]
        if w.kind[token] != NONE or w.pool_of[token] != w.pool_of[w.hands[seat, start]]:
            w.now[MIXED] = 1


@jit
def _take_any(s: Any, w: Any, seat: Any) -> Any:
    """A hidden choice: any token of the hand leaves it; NONE if there is none."""
    if w.held[seat] == 0:
        w.now[BROKEN] = 1
        return np.int64(NONE)
    _watch(w, seat, np.int64(0))
    place = below(s, w.held[seat])
    token = w.hands[seat, place]
    _take(w, seat, place)
    return token


@jit
def settle_token(s: Any, w: Any, token: Any) -> None:
    """Draw a kind for a token that has none yet from its pool."""
    if token < 0 or w.kind[token] != NONE:
        return
    pool = w.pool_of[token]
    left = below(s, w.pool_size[pool])
    kind = np.int64(0)
    while left >= w.pools[pool, kind]:
        left -= w.pools[pool, kind]
        kind += 1
    _account(w, pool, kind)
    w.kind[token] = kind


@jit
def _account(w: Any, pool: Any, kind: Any) -> None:
    w.pools[pool, kind] -= 1
    w.pool_size[pool] -= 1


@jit
def _share(w: Any, token: Any, kind: Any) -> Any:
    """Probability that a token is of a kind."""
    if w.kind[token] != NONE:
        return 1.0 if w.kind[token] == kind else 0.0
    pool = w.pool_of[token]
    return w.pools[pool, kind] / w.pool_size[pool]


@jit
def _find(s: Any, w: Any, seat: Any, kind: Any, start: Any) -> Any:
    """A Virtue of this kind is one of the hand's tokens from place ``start`` on: settle which.

    Returns the token's place and the logarithm of the probability; DEAD if there is none.
    """
    _watch(w, seat, start)
    total = 0.0
    for place in range(start, w.held[seat]):
        total += _share(w, w.hands[seat, place], kind)
    if total <= 0.0:
        return np.int64(0), DEAD
    left = total * (below(s, _FINE) + 0.5) / _FINE
    chosen = np.int64(NONE)
    for place in range(start, w.held[seat]):
        share = _share(w, w.hands[seat, place], kind)
        if share > 0.0 and (chosen == NONE or left > 0.0):
            chosen = np.int64(place)
        left -= share
    token = w.hands[seat, chosen]
    if w.kind[token] == NONE:
        _account(w, w.pool_of[token], kind)
        w.kind[token] = kind
    return chosen, np.log(total / (w.held[seat] - start))


# What happens to hands and deck --------------------------------------------------------------


@jit
def _lose(s: Any, viewer: Any, w: Any, seat: Any, kind: Any) -> Any:
    """A Virtue of a known kind leaves a hand."""
    if seat == viewer:
        w.own[kind] -= 1
        return 0.0
    place, weight = _find(s, w, seat, kind, 0)
    if weight != DEAD:
        _take(w, seat, place)
    return weight


@jit
def _gain(viewer: Any, w: Any, seat: Any, kind: Any) -> None:
    """A Virtue of a known kind comes into a hand."""
    if seat == viewer:
        w.own[kind] += 1
    else:
        _add_token(w, seat, kind, NONE)


@jit
def _identify(s: Any, log: Any, row: Any, w: Any, seat: Any) -> Any:
    """The whole hand is seen: the packed event in ``row`` says what is in it."""
    weight = 0.0
    start = np.int64(0)
    for kind in range(KINDS):
        for _ in range(unpacked_at(log, row, kind)):
            place, part = _find(s, w, seat, kind, start)
            if part == DEAD:
                return DEAD
            weight += part
            token = w.hands[seat, place]
            w.hands[seat, place] = w.hands[seat, start]
            w.hands[seat, start] = token
            start += 1
    return weight


@jit
def unpacked_at(log: Any, row: Any, place: Any) -> Any:
    """The number at ``place`` of a packed event in a copy of the log."""
    return (np.int64(log[row, FIRST + place // 3]) >> (5 * (place % 3))) & 31


@jit
def _renew(w: Any) -> None:
    """B13: an empty deck is renewed from the discards, else from the finished rows."""
    for pile in range(2):
        if w.now[DECK] == 0:
            pool = w.now[POOL] + 1
            size = np.int64(0)
            for kind in range(KINDS):
                w.pools[pool, kind] = w.piles[pile, kind]
                size += w.piles[pile, kind]
                w.piles[pile, kind] = 0
            if size > 0:
                w.now[POOL] = pool
                w.now[DECK] = size
                w.pool_size[pool] = size


@jit
def _draw_known(w: Any, kind: Any) -> Any:
    """A Virtue of a known kind is drawn."""
    _renew(w)
    pool = w.now[POOL]
    if w.pools[pool, kind] <= 0:
        return DEAD
    weight = np.log(w.pools[pool, kind] / w.pool_size[pool])
    _account(w, pool, kind)
    w.now[DECK] -= 1
    return weight


@jit
def _draw_hidden(w: Any, seat: Any) -> Any:
    """Somebody else draws."""
    _renew(w)
    if w.now[DECK] == 0:
        w.now[BROKEN] = 1
        return np.int64(NONE)
    w.now[DECK] -= 1
    return _add_token(w, seat, np.int64(NONE), w.now[POOL])


# The walk ------------------------------------------------------------------------------------


@jit
def walk(s: Any, viewer: Any, log: Any, w: Any) -> Any:
    """Go once through the events of a View; return the logarithm of the weight, or DEAD."""
    _begin(s, viewer, log, w)
    weight = 0.0
    for row in range(log.shape[0]):
        w.first[row] = NONE
        w.second[row] = NONE
        if log[row, KIND] == TURNED_UP:
            w.now[MISSION] += 1
        seat, one, other = _known_losses(s, viewer, log, row, w)
        for k in range(GIVEN):
            kind = one if k == 0 else other
            if kind != NONE:
                weight += _lose(s, viewer, w, seat, kind)
        if weight > _ALIVE:
            weight += _follow(s, viewer, log, row, w)
        if weight < _ALIVE or w.now[BROKEN] == 1:
            return DEAD
    if s.phase == GIFT and s.gift_count == 1 and s.hand_seat != viewer:
        w.now[PENDING] = _take_any(s, w, np.int64(s.hand_seat))
    if s.phase == GIFT and s.hand_seat == viewer:
        for k in range(np.int64(s.gift_count)):
            w.own[np.int64(s.gift[k])] -= 1
    _compare(s, viewer, w)
    return weight if w.now[BROKEN] == 0 else DEAD


@jit
def _begin(s: Any, viewer: Any, log: Any, w: Any) -> None:
    """The deal: the viewer's hand is known, all others are tokens of the first pool."""
    for k in range(_PLACES):
        w.now[k] = 0
    w.now[PENDING] = NONE
    w.now[MISSION] = NONE
    size = np.int64(0)
    for kind in range(KINDS):
        w.own[kind] = 0
        w.pools[0, kind] = s.virtue_copies[kind]
        size += np.int64(s.virtue_copies[kind])
        for pile in range(3):
            w.piles[pile, kind] = 0
    n = np.int64(s.num_players)
    w.now[DECK] = size - n * np.int64(s.hand_size)
    w.pool_size[0] = size
    for seat in range(n):
        w.held[seat] = 0
        w.dealt[seat] = w.now[MADE]
        if seat != viewer:
            for _ in range(np.int64(s.hand_size)):
                _add_token(w, seat, np.int64(NONE), np.int64(0))
    if viewer < 0:
        return
    row = own_deal(log)
    if row == NONE:
        w.now[BROKEN] = 1
        return
    for kind in range(KINDS):
        w.own[kind] = unpacked_at(log, row, kind)
        w.pools[0, kind] -= w.own[kind]
    w.pool_size[0] -= np.int64(s.hand_size)


@jit
def own_deal(log: Any) -> Any:
    """Row of the event that holds the viewer's first hand, NONE if there is none."""
    for row in range(log.shape[0]):
        if log[row, KIND] == DEALT:
            return np.int64(row)
    return np.int64(NONE)


@jit
def _compare(s: Any, viewer: Any, w: Any) -> None:
    """Note it if the walk ends with other numbers than the position, as one made by hand may."""
    for seat in range(np.int64(s.num_players)):
        if seat != viewer and w.held[seat] != s.hand_count[seat]:
            w.now[BROKEN] = 1
    for kind in range(KINDS):
        if viewer >= 0 and w.own[kind] != s.hand[viewer, kind]:
            w.now[BROKEN] = 1
    if w.now[DECK] != s.deck_size:
        w.now[BROKEN] = 1


@jit
def _placed_later(log: Any, row: Any) -> Any:
    """Row of the placing that follows a gift; NONE if the Eye is still to choose."""
    for later in range(row + 1, log.shape[0]):
        if log[later, KIND] == PLACED:
            return np.int64(later)
    return np.int64(NONE)


@jit
def _transfer(s: Any, log: Any, row: Any) -> Any:
    """Giver and taker if the event moves a random Virtue (Tithe, Mendicant), else NONE twice."""
    actor = np.int64(log[row, ACTOR])
    if log[row, KIND] == TITHED:
        return actor, np.int64(log[row, FIRST])
    enlisted = log[row, KIND] == ENLISTED
    if enlisted and s.disciple_effect[np.int64(log[row, FIRST])] == MENDICANT:
        return np.int64(log[row, SECOND]), actor
    return np.int64(NONE), np.int64(NONE)


@jit
def _known_losses(s: Any, viewer: Any, log: Any, row: Any, w: Any) -> Any:
    """Virtues of known kinds that leave a hand by this event: the seat, up to two kinds."""
    event = np.int64(log[row, KIND])
    none = np.int64(NONE)
    if event == DISCARDED:
        return np.int64(log[row, ACTOR]), np.int64(log[row, FIRST]), none
    if event == PLACED and log[row, THIRD] // 2 == 1:
        return np.int64(s.mission_hand[w.now[MISSION]]), np.int64(log[row, FIRST]), none
    if event == GAVE:
        hand = np.int64(log[row, ACTOR])
        pair = np.int64(s.mission_given[w.now[MISSION]])
        if pair != NONE:
            return hand, PAIR_LOW[pair], PAIR_HIGH[pair]
        later = _placed_later(log, row)
        if later != NONE:
            return hand, np.int64(log[later, FIRST]), none
    giver, taker = _transfer(s, log, row)
    if giver != NONE and (giver == viewer or taker == viewer):
        return giver, np.int64(log[row, SECRET]), none
    return none, none, none


@jit
def _follow(s: Any, viewer: Any, log: Any, row: Any, w: Any) -> Any:
    """What else an event does; return the logarithm of its probability."""
    event = np.int64(log[row, KIND])
    seat = np.int64(log[row, ACTOR])
    drawn = np.int64(NONE)  # kind of a Virtue that is seen to come from the deck
    if event == GAVE:
        _follow_gift(s, viewer, log, row, w)
    elif event == PLACED:
        for column in range(FIRST, FIRST + GIVEN):
            if log[row, column] != NONE:
                w.piles[2, np.int64(log[row, column])] += 1
        if log[row, THIRD] // 2 == 0:
            drawn = np.int64(log[row, FIRST])
    elif event == DREW:
        if seat == viewer:
            drawn = np.int64(log[row, SECRET])
            w.own[drawn] += 1
        else:
            w.first[row] = _draw_hidden(w, seat)
    elif event == DISCARDED:
        w.piles[0, np.int64(log[row, FIRST])] += 1
    elif event == TOKENS:
        for kind in range(KINDS):
            w.piles[1, kind] += w.piles[2, kind]
            w.piles[2, kind] = 0
    elif event in (SHOWN, LOOKED) and seat != viewer:
        return _identify(s, log, row, w, seat)
    else:
        _follow_transfer(s, viewer, log, row, w)
        if event == ENLISTED:
            return _follow_look(s, viewer, log, row, w)
    return _draw_known(w, drawn) if drawn != NONE else 0.0


@jit
def _follow_gift(s: Any, viewer: Any, log: Any, row: Any, w: Any) -> None:
    """Two Virtues have left the Hand or leave it now; what is not placed comes to the Eye."""
    hand = np.int64(log[row, ACTOR])
    eye = np.int64(s.mission_eye[w.now[MISSION]])
    pair = np.int64(s.mission_given[w.now[MISSION]])
    later = _placed_later(log, row)
    if pair != NONE:
        w.first[row] = of_kind(PAIR_LOW[pair])
        w.second[row] = of_kind(PAIR_HIGH[pair])
        if later != NONE and log[later, SECOND] == NONE:
            kept = PAIR_LOW[pair] + PAIR_HIGH[pair] - np.int64(log[later, FIRST])
            _gain(viewer, w, eye, kept)
        return
    w.first[row] = _take_any(s, w, hand)  # the viewer is neither of them
    if later == NONE:
        w.second[row] = _take_any(s, w, hand)
    else:
        w.second[row] = of_kind(log[later, FIRST])
        _put(w, eye, w.first[row])


@jit
def _follow_transfer(s: Any, viewer: Any, log: Any, row: Any, w: Any) -> None:
    """A random Virtue goes from one hand to another."""
    giver, taker = _transfer(s, log, row)
    if giver == NONE:
        return
    if giver == viewer or taker == viewer:
        kind = np.int64(log[row, SECRET])
        if kind != NONE:
            w.first[row] = of_kind(kind)
            _gain(viewer, w, taker, kind)
    elif w.held[giver] > 0:
        w.first[row] = _take_any(s, w, giver)
        _put(w, taker, w.first[row])


@jit
def _follow_look(s: Any, viewer: Any, log: Any, row: Any, w: Any) -> Any:
    """A Confidant or an Inquisitor looks at a hand."""
    effect = np.int64(s.disciple_effect[np.int64(log[row, FIRST])])
    user = np.int64(log[row, ACTOR])
    target = np.int64(log[row, SECOND])
    if effect == INQUISITOR and user != viewer:
        _keep_look(viewer, w, target)
    elif effect == CONFIDANT and user == viewer:
        kind = np.int64(log[row, SECRET])
        if kind != NONE:
            w.first[row] = of_kind(kind)
            _, weight = _find(s, w, target, kind, 0)
            return weight
    elif effect == CONFIDANT and target == viewer:
        w.first[row] = _any_own(s, w)
    elif effect == CONFIDANT and w.held[target] > 0:
        w.first[row] = w.hands[target, below(s, w.held[target])]
    return 0.0


@jit
def _any_own(s: Any, w: Any) -> Any:
    """A random Virtue of the viewer's hand."""
    size = np.int64(0)
    for kind in range(KINDS):
        size += w.own[kind]
    if size == 0:
        return np.int64(NONE)
    left = below(s, size)
    for kind in range(KINDS):
        left -= w.own[kind]
        if left < 0:
            return of_kind(kind)
    return np.int64(NONE)


@jit
def _keep_look(viewer: Any, w: Any, target: Any) -> None:
    """Remember the hand that somebody else looks at."""
    look = w.now[LOOKS]
    if look >= MOST_LOOKS:
        w.now[BROKEN] = 1
        return
    w.now[LOOKS] = look + 1
    size = np.int64(0)
    if target == viewer:
        for kind in range(KINDS):
            for _ in range(w.own[kind]):
                w.looks[look, size] = of_kind(kind)
                size += 1
    else:
        for place in range(w.held[target]):
            w.looks[look, size] = w.hands[target, place]
            size += 1
    w.look_size[look] = size
