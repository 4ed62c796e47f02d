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

from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect, Event, Phase, State, unpacked_at
from concilium.envs.core.compiled.jit import INTERPRETED, jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECOND, SECRET, THIRD
from concilium.envs.core.compiled.rng import below
from concilium.envs.core.state import Cells, new_records

_TOKENS: Final = S.MOST_VIRTUES + S.LOG_CAPACITY
_FINE: Final = 1 << 30  # steps of a random fraction
DEAD: Final = -1e300  # logarithm of the weight of a walk that came to a contradiction
_ALIVE: Final = -1e200  # any other weight is above


def _numbers(*shape: int) -> Any:
    """Declare a field of :class:`World`, whole numbers of this shape or a single one."""
    return shape


class World:
    """A walk's memory. A *reference* is a token, NONE, or ``-2 - kind`` for a Virtue of a kind."""

    kind: Cells = _numbers(_TOKENS)  # of each token, NONE where it is not settled
    pool_of: Cells = _numbers(_TOKENS)  # pool that each token came from
    hands: Cells = _numbers(S.SEATS, S.MOST_VIRTUES)  # tokens in each hand
    held: Cells = _numbers(S.SEATS)  # their numbers
    pools: Cells = _numbers(S.LOG_CAPACITY, S.KINDS)  # Virtues not accounted for, by pool
    pool_size: Cells = _numbers(S.LOG_CAPACITY)  # their sums
    own: Cells = _numbers(S.KINDS)  # the viewer's hand
    piles: Cells = _numbers(3, S.KINDS)  # discards; placed in finished rows; in this row
    first: Cells = _numbers(S.LOG_CAPACITY)  # reference to the hidden Virtue of each event
    second: Cells = _numbers(S.LOG_CAPACITY)  # reference to a second one
    dealt: Cells = _numbers(S.SEATS)  # first token of each seat's deal
    looks: Cells = _numbers(S.MOST_LOOKS, S.MOST_VIRTUES)  # references: hands others looked at
    look_size: Cells = _numbers(S.MOST_LOOKS)  # their numbers
    look_count: int = _numbers()  # looks by others kept
    made: int = _numbers()  # tokens made
    pool: int = _numbers()  # number of the present pool
    deck: int = _numbers()  # Virtues in the deck, all of the present pool
    mixed: int = _numbers()  # 1 if weights may differ between walks
    pending: int = _numbers()  # token that is alone in the tablet, NONE if there is none
    mission: int = _numbers()  # number of the Mission
    broken: int = _numbers()  # 1 if the log cannot have led to the position


WORLD: Final = np.dtype([(name, np.int64, getattr(World, name)) for name in World.__annotations__])


def _new_world() -> Any:
    """Return memory for walks, an array of one record, which must outlive the record."""
    return np.empty(1, WORLD)


new_world = (lambda: new_records(1, WORLD)) if INTERPRETED else jit(_new_world)


@jit
def of_kind(kind: int) -> int:
    """Reference to a Virtue of a known kind."""
    return -2 - kind


@jit
def kind_at(w: World, reference: int) -> int:
    """Kind of the Virtue that a reference is to; NONE if it is to nothing."""
    kind: int = -2 - reference
    if reference >= 0:
        kind = w.kind[reference]
    elif reference == S.NONE:
        kind = S.NONE
    return kind


# Tokens --------------------------------------------------------------------------------------


@jit
def _add_token(w: World, seat: int, kind: int, pool: int) -> int:
    token = w.made
    w.made = token + 1
    w.kind[token] = kind
    w.pool_of[token] = pool
    _put(w, seat, token)
    return token


@jit
def _put(w: World, seat: int, token: int) -> None:
    if token != S.NONE and w.held[seat] < S.MOST_VIRTUES:
        w.hands[seat, w.held[seat]] = token
        w.held[seat] += 1


@jit
def _take(w: World, seat: int, place: int) -> None:
    w.held[seat] -= 1
    w.hands[seat, place] = w.hands[seat, w.held[seat]]


@jit
def _watch(w: World, seat: int, start: int) -> None:
    """Note that walks may differ in weight where not all tokens to choose from are alike."""
    for place in range(start, w.held[seat]):
        token = w.hands[seat, place]
        if w.kind[token] != S.NONE or w.pool_of[token] != w.pool_of[w.hands[seat, start]]:
            w.mixed = 1


@jit
def _take_any(s: State, w: World, seat: int) -> int:
    """A hidden choice: any token of the hand leaves it; NONE if there is none."""
    if w.held[seat] == 0:
        w.broken = 1
        return S.NONE
    _watch(w, seat, 0)
    place = below(s, w.held[seat])
    token: int = w.hands[seat, place]
    _take(w, seat, place)
    return token


@jit
def settle_token(s: State, w: World, token: int) -> None:
    """Draw a kind for a token that has none yet from its pool."""
    if token < 0 or w.kind[token] != S.NONE:
        return
    pool = w.pool_of[token]
    left = below(s, w.pool_size[pool])
    kind = 0
    while left >= w.pools[pool, kind]:
        left -= w.pools[pool, kind]
        kind += 1
    _account(w, pool, kind)
    w.kind[token] = kind


@jit
def _account(w: World, pool: int, kind: int) -> None:
    w.pools[pool, kind] -= 1
    w.pool_size[pool] -= 1


@jit
def _share(w: World, token: int, kind: int) -> float:
    """Probability that a token is of a kind."""
    if w.kind[token] != S.NONE:
        return 1.0 if w.kind[token] == kind else 0.0
    pool = w.pool_of[token]
    share: float = w.pools[pool, kind] / w.pool_size[pool]
    return share


@jit
def _find(s: State, w: World, seat: int, kind: int, start: int) -> tuple[int, float]:
    """A Virtue of this kind is one of the hand's tokens from place ``start`` on: settle which.

    Returns the token's place and the logarithm of the probability; DEAD if there is none.
    """
    _watch(w, seat, start)
    total = 0.0
    for place in range(start, w.held[seat]):
        total += _share(w, w.hands[seat, place], kind)
    if total <= 0.0:
        return 0, DEAD
    left = total * (below(s, _FINE) + 0.5) / _FINE
    chosen = S.NONE
    for place in range(start, w.held[seat]):
        share = _share(w, w.hands[seat, place], kind)
        if share > 0.0 and (chosen == S.NONE or left > 0.0):
            chosen = place
        left -= share
    token = w.hands[seat, chosen]
    if w.kind[token] == S.NONE:
        _account(w, w.pool_of[token], kind)
        w.kind[token] = kind
    return chosen, np.log(total / (w.held[seat] - start))


# What happens to hands and deck --------------------------------------------------------------


@jit
def _lose(s: State, viewer: int, w: World, seat: int, kind: int) -> float:
    """A Virtue of a known kind leaves a hand."""
    if seat == viewer:
        w.own[kind] -= 1
        return 0.0
    place, weight = _find(s, w, seat, kind, 0)
    if weight != DEAD:
        _take(w, seat, place)
    return weight


@jit
def _gain(viewer: int, w: World, seat: int, kind: int) -> None:
    """A Virtue of a known kind comes into a hand."""
    if seat == viewer:
        w.own[kind] += 1
    else:
        _add_token(w, seat, kind, S.NONE)


@jit
def _identify(s: State, log: Cells, row: int, w: World, seat: int) -> float:
    """The whole hand is seen: the packed event in ``row`` says what is in it."""
    weight = 0.0
    start = 0
    for kind in range(S.KINDS):
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
def _renew(w: World) -> None:
    """B13: an empty deck is renewed from the discards, else from the finished rows."""
    for pile in range(2):
        if w.deck == 0:
            pool = w.pool + 1
            size = 0
            for kind in range(S.KINDS):
                w.pools[pool, kind] = w.piles[pile, kind]
                size += w.piles[pile, kind]
                w.piles[pile, kind] = 0
            if size > 0:
                w.pool = pool
                w.deck = size
                w.pool_size[pool] = size


@jit
def _draw_known(w: World, kind: int) -> float:
    """A Virtue of a known kind is drawn."""
    _renew(w)
    pool = w.pool
    if w.pools[pool, kind] <= 0:
        return DEAD
    weight: float = np.log(w.pools[pool, kind] / w.pool_size[pool])
    _account(w, pool, kind)
    w.deck -= 1
    return weight


@jit
def _draw_hidden(w: World, seat: int) -> int:
    """Somebody else draws."""
    _renew(w)
    if w.deck == 0:
        w.broken = 1
        return S.NONE
    w.deck -= 1
    return _add_token(w, seat, S.NONE, w.pool)


# The walk ------------------------------------------------------------------------------------


@jit
def walk(s: State, viewer: int, log: Cells, w: World) -> float:
    """Go once through the events of a View; return the logarithm of the weight, or DEAD."""
    _begin(s, viewer, log, w)
    weight = 0.0
    for row in range(log.shape[0]):
        w.first[row] = S.NONE
        w.second[row] = S.NONE
        if log[row, EVENT] == Event.TURNED_UP:
            w.mission += 1
        seat, one, other = _known_losses(s, viewer, log, row, w)
        for k in range(S.GIVEN):
            kind = one if k == 0 else other
            if kind != S.NONE:
                weight += _lose(s, viewer, w, seat, kind)
        if weight > _ALIVE:
            weight += _follow(s, viewer, log, row, w)
        if weight < _ALIVE or w.broken == 1:
            return DEAD
    if s.phase == Phase.GIFT and s.gift_count == 1 and s.hand_seat != viewer:
        w.pending = _take_any(s, w, s.hand_seat)
    if s.phase == Phase.GIFT and s.hand_seat == viewer:
        for k in range(s.gift_count):
            w.own[s.gift[k]] -= 1
    _compare(s, viewer, w)
    return weight if w.broken == 0 else DEAD


@jit
def _begin(s: State, viewer: int, log: Cells, w: World) -> None:
    """The deal: the viewer's hand is known, all others are tokens of the first pool."""
    w.made = 0
    w.pool = 0
    w.mixed = 0
    w.broken = 0
    w.look_count = 0
    w.pending = S.NONE
    w.mission = S.NONE
    size = 0
    for kind in range(S.KINDS):
        w.own[kind] = 0
        w.pools[0, kind] = s.virtue_copies[kind]
        size += s.virtue_copies[kind]
        for pile in range(3):
            w.piles[pile, kind] = 0
    n = s.num_players
    w.deck = size - n * s.hand_size
    w.pool_size[0] = size
    for seat in range(n):
        w.held[seat] = 0
        w.dealt[seat] = w.made
        if seat != viewer:
            for _ in range(s.hand_size):
                _add_token(w, seat, S.NONE, 0)
    if viewer < 0:
        return
    row = own_deal(log)
    if row == S.NONE:
        w.broken = 1
        return
    for kind in range(S.KINDS):
        w.own[kind] = unpacked_at(log, row, kind)
        w.pools[0, kind] -= w.own[kind]
    w.pool_size[0] -= s.hand_size


@jit
def own_deal(log: Cells) -> int:
    """Row of the event that holds the viewer's first hand, NONE if there is none."""
    for row in range(log.shape[0]):
        if log[row, EVENT] == Event.DEALT:
            return row
    return S.NONE


@jit
def _compare(s: State, viewer: int, w: World) -> None:
    """Note it if the walk ends with other numbers than the position, as one made by hand may."""
    for seat in range(s.num_players):
        if seat != viewer and w.held[seat] != s.hand_count[seat]:
            w.broken = 1
    for kind in range(S.KINDS):
        if viewer >= 0 and w.own[kind] != s.hand[viewer, kind]:
            w.broken = 1
    if w.deck != s.deck_size:
        w.broken = 1


@jit
def _placed_later(log: Cells, row: int) -> int:
    """Row of the placing that follows a gift; NONE if the Eye is still to choose."""
    for later in range(row + 1, log.shape[0]):
        if log[later, EVENT] == Event.PLACED:
            return later
    return S.NONE


@jit
def _transfer(s: State, log: Cells, row: int) -> tuple[int, int]:
    """Giver and taker if the event moves a random Virtue (Tithe, Mendicant), else NONE twice."""
    actor = log[row, ACTOR]
    if log[row, EVENT] == Event.TITHED:
        return actor, log[row, FIRST]
    enlisted = log[row, EVENT] == Event.ENLISTED
    if enlisted and s.disciple_effect[log[row, FIRST]] == Effect.MENDICANT:
        return log[row, SECOND], actor
    return S.NONE, S.NONE


@jit
def _known_losses(s: State, viewer: int, log: Cells, row: int, w: World) -> tuple[int, int, int]:
    """Virtues of known kinds that leave a hand by this event: the seat, up to two kinds."""
    event = log[row, EVENT]
    none = S.NONE
    if event == Event.DISCARDED:
        return log[row, ACTOR], log[row, FIRST], none
    if event == Event.PLACED and log[row, THIRD] // 2 == 1:
        return s.mission_hand[w.mission], log[row, FIRST], none
    if event == Event.GAVE:
        hand = log[row, ACTOR]
        pair = s.mission_given[w.mission]
        if pair != S.NONE:
            return hand, S.PAIR_LOW[pair], S.PAIR_HIGH[pair]
        later = _placed_later(log, row)
        if later != S.NONE:
            return hand, log[later, FIRST], none
    giver, taker = _transfer(s, log, row)
    if giver != S.NONE and (giver == viewer or taker == viewer):
        return giver, log[row, SECRET], none
    return none, none, none


@jit
def _follow(s: State, viewer: int, log: Cells, row: int, w: World) -> float:
    """What else an event does; return the logarithm of its probability."""
    event = log[row, EVENT]
    seat = log[row, ACTOR]
    drawn = S.NONE  # kind of a Virtue that is seen to come from the deck
    if event == Event.GAVE:
        _follow_gift(s, viewer, log, row, w)
    elif event == Event.PLACED:
        for column in range(FIRST, FIRST + S.GIVEN):
            if log[row, column] != S.NONE:
                w.piles[2, log[row, column]] += 1
        if log[row, THIRD] // 2 == 0:
            drawn = log[row, FIRST]
    elif event == Event.DREW:
        if seat == viewer:
            drawn = log[row, SECRET]
            w.own[drawn] += 1
        else:
            w.first[row] = _draw_hidden(w, seat)
    elif event == Event.DISCARDED:
        w.piles[0, log[row, FIRST]] += 1
    elif event == Event.TOKENS:
        for kind in range(S.KINDS):
            w.piles[1, kind] += w.piles[2, kind]
            w.piles[2, kind] = 0
    elif event in (Event.SHOWN, Event.LOOKED) and seat != viewer:
        return _identify(s, log, row, w, seat)
    else:
        _follow_transfer(s, viewer, log, row, w)
        if event == Event.ENLISTED:
            return _follow_look(s, viewer, log, row, w)
    return _draw_known(w, drawn) if drawn != S.NONE else 0.0


@jit
def _follow_gift(s: State, viewer: int, log: Cells, row: int, w: World) -> None:
    """Two Virtues have left the Hand or leave it now; what is not placed comes to the Eye."""
    hand = log[row, ACTOR]
    eye = s.mission_eye[w.mission]
    pair = s.mission_given[w.mission]
    later = _placed_later(log, row)
    if pair != S.NONE:
        w.first[row] = of_kind(S.PAIR_LOW[pair])
        w.second[row] = of_kind(S.PAIR_HIGH[pair])
        if later != S.NONE and log[later, SECOND] == S.NONE:
            kept = S.PAIR_LOW[pair] + S.PAIR_HIGH[pair] - log[later, FIRST]
            _gain(viewer, w, eye, kept)
        return
    w.first[row] = _take_any(s, w, hand)  # the viewer is neither of them
    if later == S.NONE:
        w.second[row] = _take_any(s, w, hand)
    else:
        w.second[row] = of_kind(log[later, FIRST])
        _put(w, eye, w.first[row])


@jit
def _follow_transfer(s: State, viewer: int, log: Cells, row: int, w: World) -> None:
    """A random Virtue goes from one hand to another."""
    giver, taker = _transfer(s, log, row)
    if giver == S.NONE:
        return
    if giver == viewer or taker == viewer:
        kind = log[row, SECRET]
        if kind != S.NONE:
            w.first[row] = of_kind(kind)
            _gain(viewer, w, taker, kind)
    elif w.held[giver] > 0:
        w.first[row] = _take_any(s, w, giver)
        _put(w, taker, w.first[row])


@jit
def _follow_look(s: State, viewer: int, log: Cells, row: int, w: World) -> float:
    """A Confidant or an Inquisitor looks at a hand."""
    effect = s.disciple_effect[log[row, FIRST]]
    user = log[row, ACTOR]
    target = log[row, SECOND]
    if effect == Effect.INQUISITOR and user != viewer:
        _keep_look(viewer, w, target)
    elif effect == Effect.CONFIDANT and user == viewer:
        kind = log[row, SECRET]
        if kind != S.NONE:
            w.first[row] = of_kind(kind)
            _, weight = _find(s, w, target, kind, 0)
            return weight
    elif effect == Effect.CONFIDANT and target == viewer:
        w.first[row] = _any_own(s, w)
    elif effect == Effect.CONFIDANT and w.held[target] > 0:
        w.first[row] = w.hands[target, below(s, w.held[target])]
    return 0.0


@jit
def _any_own(s: State, w: World) -> int:
    """A random Virtue of the viewer's hand."""
    size = 0
    for kind in range(S.KINDS):
        size += w.own[kind]
    if size == 0:
        return S.NONE
    left = below(s, size)
    for kind in range(S.KINDS):
        left -= w.own[kind]
        if left < 0:
            return of_kind(kind)
    return S.NONE


@jit
def _keep_look(viewer: int, w: World, target: int) -> None:
    """Remember the hand that somebody else looks at."""
    look = w.look_count
    if look >= S.MOST_LOOKS:
        w.broken = 1
        return
    w.look_count = look + 1
    size = 0
    if target == viewer:
        for kind in range(S.KINDS):
            for _ in range(w.own[kind]):
                w.looks[look, size] = of_kind(kind)
                size += 1
    else:
        for place in range(w.held[target]):
            w.looks[look, size] = w.hands[target, place]
            size += 1
    w.look_size[look] = size
