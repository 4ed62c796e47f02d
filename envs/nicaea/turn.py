"""A turn of Nicaea: take an Action, play a card, or pass (N4, N5, N10–N17)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.debate import begin_debate_round, fill_display
from concilium.envs.nicaea.doctrine import can_buy
from concilium.envs.nicaea.payment import begin_payment, means
from concilium.envs.nicaea.state import (
    COPIED,
    COPY,
    DEBATE,
    DEBATE_DOCTRINE,
    FREE_PLAY,
    MOVED,
    NEW_OFFER,
    NO_CARD,
    NOBODY,
    NONE,
    PASSED,
    PLAY_FREE,
    PLAYED,
    PLAYED_FREE,
    POOLS,
    REFRESH,
    SEATS,
    SPACE_COST,
    SPACE_KIND,
    SPACES,
    SUITS,
    TOOK,
    TURN,
)
from concilium.envs.nicaea.tableau import (
    leading_suits,
    place_card,
    plays_free,
    refresh_leftmost,
    survey,
)

_PASS: Final = A.PASS
_TAKE: Final = A.TAKE
_PLAY: Final = A.PLAY
_COPY_KIND: Final = A.COPY_KIND
_DECLINE: Final = A.DECLINE


@jit
def legal_turn(s: Any, mask: Any) -> None:
    """N5, N10, N17: pass always; what can be paid; a card of a leading suit of the tableau free."""
    seat = np.int64(s.actor)
    n = np.int64(s.num_players)
    limit = means(s, seat)
    mask[_PASS] = 1
    for space in range(SPACES):
        lying = np.int64(s.display[space])
        if lying != NO_CARD and SPACE_COST[space] <= limit:
            mask[_TAKE + lying] = 1
    leading = np.int64(0)  # suits of each tableau, the own one lowest
    for relative in range(n):
        suits, _, _, _, _ = survey(s, (seat + relative) % n, 0)
        leading |= leading_suits(suits) << (SUITS * relative)
    for card in range(np.int64(s.num_cards)):
        if s.where[card] == seat:
            payable = np.int64(s.cost[card]) <= limit
            for relative in range(n):
                leads = (leading >> (SUITS * relative + np.int64(s.suit[card]))) & 1
                mask[_PLAY + SEATS * card + relative] = payable | leads


@jit
def next_turn(s: Any) -> None:
    """The turn passes clockwise."""
    s.actor = (np.int64(s.actor) + 1) % np.int64(s.num_players)
    s.phase = TURN


@jit
def _break_run(s: Any) -> None:
    """N4: an Action or a play breaks the run of passes; N6: and this round is not idle."""
    s.passes = 0
    s.first_passer = NOBODY
    s.busy = 1


@jit
def pass_turn(s: Any) -> None:
    """N5: take the topmost pool that is not empty; the n-th pass in a row begins the debate."""
    seat = np.int64(s.actor)
    taken = np.int64(0)
    place: Any = np.int64(NONE)
    for k in range(POOLS):
        if taken == 0 and s.pool[k] > 0:
            taken = np.int64(s.pool[k])
            place = k
            s.pool[k] = 0
    s.ti[seat] = np.int64(s.ti[seat]) + taken
    log_public(s, PASSED, seat, taken, place, 0)
    if s.passes == 0:
        s.first_passer = seat
    s.passes = np.int64(s.passes) + 1
    if s.passes == s.num_players:
        begin_debate_round(s)
    else:
        next_turn(s)


# Actions -------------------------------------------------------------------------------------


@jit
def _space_of(s: Any, card: Any) -> Any:
    for space in range(SPACES):
        if s.display[space] == card:
            return space
    return NONE


@jit
def take_action(s: Any, card: Any) -> None:
    """N10: choose the space on which the card lies and pay its cost."""
    space = _space_of(s, card)
    price = SPACE_COST[space]
    log_public(s, TOOK, s.actor, card, space, price)
    _break_run(s)
    s.taking = card
    if price > 0:
        begin_payment(s, price)
    else:
        resolve_action(s)


@jit
def resolve_action(s: Any) -> None:
    """Do what the space paid for is about."""
    kind = SPACE_KIND[_space_of(s, np.int64(s.taking))]
    if kind == NEW_OFFER:
        s.phase = COPY
    else:
        _perform(s, kind)


@jit
def legal_copies(s: Any, mask: Any) -> None:
    """N14: any Action but New Offer, unless Constantine stands on a space of that kind."""
    for kind in range(NEW_OFFER):
        mask[_COPY_KIND + kind] = 1
    if s.constantine_space >= 0:
        barred = SPACE_KIND[np.int64(s.constantine_space)]
        if barred != NEW_OFFER:
            mask[_COPY_KIND + barred] = 0


@jit
def copy_action(s: Any, kind: Any) -> None:
    """N14: do it without the card of that space and without its cost."""
    log_public(s, COPIED, s.actor, kind, 0, 0)
    _perform(s, kind)


@jit
def _perform(s: Any, kind: Any) -> None:
    """N10, N11: an effect that cannot happen does nothing; debate and free play are asked for."""
    seat = np.int64(s.actor)
    if kind == REFRESH:
        refresh_leftmost(s, seat)
    elif kind == DEBATE and can_buy(s, seat):
        s.phase = DEBATE_DOCTRINE
        return
    elif kind == FREE_PLAY and _cards_in_hand(s, seat) > 0:
        s.phase = PLAY_FREE
        return
    finish_action(s)


@jit
def finish_action(s: Any) -> None:
    """N15: New Offer refills first; then the card is taken and Constantine put down, if held."""
    seat = np.int64(s.actor)
    card = np.int64(s.taking)
    space = _space_of(s, card)
    if SPACE_KIND[space] == NEW_OFFER:
        fill_display(s)
    s.display[space] = NO_CARD
    s.where[card] = seat
    s.taking = NO_CARD
    if s.constantine == seat:
        s.constantine = NOBODY
        s.constantine_space = space
        log_public(s, MOVED, seat, space, 0, 0)
    next_turn(s)


@jit
def _cards_in_hand(s: Any, seat: Any) -> Any:
    count = np.int64(0)
    for card in range(np.int64(s.num_cards)):
        count += np.int64(s.where[card] == seat)
    return count


@jit
def legal_free_plays(s: Any, mask: Any) -> None:
    """N11, N13: any card of the own hand into the own tableau, or none."""
    mask[_DECLINE] = 1
    for card in range(np.int64(s.num_cards)):
        if s.where[card] == s.actor:
            mask[_PLAY + SEATS * card] = 1


@jit
def play_free(s: Any, card: Any) -> None:
    """N13: place it without paying."""
    log_public(s, PLAYED_FREE, s.actor, card, 0, 0)
    place_card(s, card, np.int64(s.actor))
    finish_action(s)


# Playing a card ------------------------------------------------------------------------------


@jit
def play_card(s: Any, card: Any, relative: Any) -> None:
    """N17: free if of a leading suit of that tableau, tested now; else paid before it is placed."""
    seat = (np.int64(s.actor) + relative) % np.int64(s.num_players)
    price = np.int64(s.cost[card])
    if plays_free(s, card, seat):
        price = np.int64(0)
    log_public(s, PLAYED, s.actor, card, seat, price)
    _break_run(s)
    if price > 0:
        s.playing = card
        s.target = seat
        begin_payment(s, price)
    else:
        place_card(s, card, seat)
        next_turn(s)


@jit
def complete_play(s: Any) -> None:
    """N9: payment is complete, the card goes to the tableau it was played to."""
    place_card(s, np.int64(s.playing), np.int64(s.target))
    s.playing = NO_CARD
    s.target = NOBODY
    next_turn(s)
