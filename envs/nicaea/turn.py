"""A turn of Nicaea: take an Action, play a card, or pass (N4, N5, N10–N17)."""

from __future__ import annotations

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.debate import begin_debate_round, fill_display
from concilium.envs.nicaea.doctrine import can_buy
from concilium.envs.nicaea.payment import begin_payment, means
from concilium.envs.nicaea.state import Act, Event, Phase, State
from concilium.envs.nicaea.tableau import (
    leading_suits,
    place_card,
    plays_free,
    refresh_leftmost,
    survey,
)


@jit
def legal_turn(s: State, mask: Cells) -> None:
    """N5, N10, N17: pass always; what can be paid; a card of a leading suit of the tableau free."""
    seat = s.actor
    n = s.num_players
    limit = means(s, seat)
    mask[A.PASS] = 1
    for space in range(S.SPACES):
        lying = s.display[space]
        if lying != S.NO_CARD and S.SPACE_COST[space] <= limit:
            mask[A.TAKE + lying] = 1
    leading = 0  # suits of each tableau, the own one lowest
    for relative in range(n):
        suits, _, _, _, _ = survey(s, (seat + relative) % n, 0)
        leading |= leading_suits(suits) << (S.SUITS * relative)
    for card in range(s.num_cards):
        if s.where[card] == seat:
            payable = s.cost[card] <= limit
            for relative in range(n):
                leads = (leading >> (S.SUITS * relative + s.suit[card])) & 1
                mask[A.PLAY + S.SEATS * card + relative] = payable | leads


@jit
def next_turn(s: State) -> None:
    """The turn passes clockwise."""
    s.actor = (s.actor + 1) % s.num_players
    s.phase = Phase.TURN


@jit
def _break_run(s: State) -> None:
    """N4: an Action or a play breaks the run of passes; N6: and this round is not idle."""
    s.passes = 0
    s.first_passer = S.NOBODY
    s.busy = 1


@jit
def pass_turn(s: State) -> None:
    """N5: take the topmost pool that is not empty; the n-th pass in a row begins the debate."""
    seat = s.actor
    taken = 0
    place = S.NONE
    for k in range(S.POOLS):
        if taken == 0 and s.pool[k] > 0:
            taken = s.pool[k]
            place = k
            s.pool[k] = 0
    s.ti[seat] = s.ti[seat] + taken
    log_public(s, Event.PASSED, seat, taken, place, 0)
    if s.passes == 0:
        s.first_passer = seat
    s.passes = s.passes + 1
    if s.passes == s.num_players:
        begin_debate_round(s)
    else:
        next_turn(s)


# Actions -------------------------------------------------------------------------------------


@jit
def _space_of(s: State, card: int) -> int:
    for space in range(S.SPACES):
        if s.display[space] == card:
            return space
    return S.NONE


@jit
def take_action(s: State, card: int) -> None:
    """N10: choose the space on which the card lies and pay its cost."""
    space = _space_of(s, card)
    price = S.SPACE_COST[space]
    log_public(s, Event.TOOK, s.actor, card, space, price)
    _break_run(s)
    s.taking = card
    if price > 0:
        begin_payment(s, price)
    else:
        resolve_action(s)


@jit
def resolve_action(s: State) -> None:
    """Do what the space paid for is about."""
    kind = S.SPACE_ACTION[_space_of(s, s.taking)]
    if kind == Act.NEW_OFFER:
        s.phase = Phase.COPY
    else:
        _perform(s, kind)


@jit
def legal_copies(s: State, mask: Cells) -> None:
    """N14: any Action but New Offer, unless Constantine stands on a space of that kind."""
    for kind in range(Act.NEW_OFFER):
        mask[A.COPY + kind] = 1
    if s.constantine_space >= 0:
        barred = S.SPACE_ACTION[s.constantine_space]
        if barred != Act.NEW_OFFER:
            mask[A.COPY + barred] = 0


@jit
def copy_action(s: State, kind: int) -> None:
    """N14: do it without the card of that space and without its cost."""
    log_public(s, Event.COPIED, s.actor, kind, 0, 0)
    _perform(s, kind)


@jit
def _perform(s: State, kind: int) -> None:
    """N10, N11: an effect that cannot happen does nothing; debate and free play are asked for."""
    seat = s.actor
    if kind == Act.REFRESH:
        refresh_leftmost(s, seat)
    elif kind == Act.DEBATE and can_buy(s, seat):
        s.phase = Phase.DEBATE_DOCTRINE
        return
    elif kind == Act.FREE_PLAY and _cards_in_hand(s, seat) > 0:
        s.phase = Phase.PLAY_FREE
        return
    finish_action(s)


@jit
def finish_action(s: State) -> None:
    """N15: New Offer refills first; then the card is taken and Constantine put down, if held."""
    seat = s.actor
    card = s.taking
    space = _space_of(s, card)
    if S.SPACE_ACTION[space] == Act.NEW_OFFER:
        fill_display(s)
    s.display[space] = S.NO_CARD
    s.where[card] = seat
    s.taking = S.NO_CARD
    if s.constantine == seat:
        s.constantine = S.NOBODY
        s.constantine_space = space
        log_public(s, Event.MOVED, seat, space, 0, 0)
    next_turn(s)


@jit
def _cards_in_hand(s: State, seat: int) -> int:
    count = 0
    for card in range(s.num_cards):
        count += s.where[card] == seat
    return count


@jit
def legal_free_plays(s: State, mask: Cells) -> None:
    """N11, N13: any card of the own hand into the own tableau, or none."""
    mask[A.DECLINE] = 1
    for card in range(s.num_cards):
        if s.where[card] == s.actor:
            mask[A.PLAY + S.SEATS * card] = 1


@jit
def play_free(s: State, card: int) -> None:
    """N13: place it without paying."""
    log_public(s, Event.PLAYED_FREE, s.actor, card, 0, 0)
    place_card(s, card, s.actor)
    finish_action(s)


# Playing a card ------------------------------------------------------------------------------


@jit
def play_card(s: State, card: int, relative: int) -> None:
    """N17: free if of a leading suit of that tableau, tested now; else paid before it is placed."""
    seat = (s.actor + relative) % s.num_players
    price = s.cost[card]
    if plays_free(s, card, seat):
        price = 0
    log_public(s, Event.PLAYED, s.actor, card, seat, price)
    _break_run(s)
    if price > 0:
        s.playing = card
        s.target = seat
        begin_payment(s, price)
    else:
        place_card(s, card, seat)
        next_turn(s)


@jit
def complete_play(s: State) -> None:
    """N9: payment is complete, the card goes to the tableau it was played to."""
    place_card(s, s.playing, s.target)
    s.playing = S.NO_CARD
    s.target = S.NOBODY
    next_turn(s)
