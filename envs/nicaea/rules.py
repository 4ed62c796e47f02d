"""The rules of Nicaea as the contract wants them: one function for each thing that is asked.

What they do stands in the files of the rulebook's chapters: ``setup``, ``turn``, ``payment``,
``tableau``, ``doctrine``, ``debate``, ``scoring``. Rulings N1–N33 are listed in this folder's
README.
"""

from __future__ import annotations

from typing import Final

from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import log_public
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.debate import ask_next_buyer, legal_names, name_side
from concilium.envs.nicaea.doctrine import begin_purchase, complete_purchase, legal_purchases
from concilium.envs.nicaea.payment import end_payment, flip, is_paid, legal_payments, pay_rest
from concilium.envs.nicaea.scoring import returns
from concilium.envs.nicaea.setup import reset
from concilium.envs.nicaea.state import Event, Phase, State
from concilium.envs.nicaea.turn import (
    complete_play,
    copy_action,
    finish_action,
    legal_copies,
    legal_free_plays,
    legal_turn,
    pass_turn,
    play_card,
    play_free,
    resolve_action,
    take_action,
)

__all__ = ["CENSUS_SIZE", "census", "kind", "legal_actions", "reset", "returns", "step"]


@jit
def legal_actions(s: State, mask: Cells) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = s.phase
    if phase == Phase.TURN:
        legal_turn(s, mask)
    elif phase == Phase.PAYMENT:
        legal_payments(s, mask)
    elif phase == Phase.COPY:
        legal_copies(s, mask)
    elif phase == Phase.PLAY_FREE:
        legal_free_plays(s, mask)
    elif phase == Phase.NAMING:
        legal_names(s, mask)
    else:
        mask[A.DECLINE] = 1  # N11, N23: buying is optional
        legal_purchases(s, mask)


@jit
def step(s: State, action: int) -> None:
    """Take a legal action."""
    if action == A.PASS:
        pass_turn(s)
    elif action < A.PLAY:
        take_action(s, action - A.TAKE)
    elif action < A.PAY_REST:
        card = (action - A.PLAY) // S.SEATS
        if s.phase == Phase.PLAY_FREE:
            play_free(s, card)
        else:
            play_card(s, card, (action - A.PLAY) % S.SEATS)
    elif action < A.COPY:
        _pay(s, action)
    elif action < A.BUY:
        copy_action(s, action - A.COPY)
    elif action < A.DECLINE:
        begin_purchase(s, (action - A.BUY) // S.SIDES, (action - A.BUY) % S.SIDES)
    elif action == A.DECLINE:
        log_public(s, Event.DECLINED, s.actor, s.phase, 0, 0)
        _go_on(s)
    else:
        name_side(s, (action - A.NAME) // S.SIDES, (action - A.NAME) % S.SIDES)


@jit
def _pay(s: State, action: int) -> None:
    """Take a step of a payment; when the price is reached, what was paid for happens."""
    if action == A.PAY_REST:
        pay_rest(s)
    else:
        flip(s, action - A.FLIP)
    if not is_paid(s):
        return
    end_payment(s)
    if s.buying >= 0:
        complete_purchase(s)
        _go_on(s)
    elif s.playing >= 0:
        complete_play(s)
    else:
        resolve_action(s)


@jit
def _go_on(s: State) -> None:
    """After a purchase or a refusal: the Action is finished, or the Debate Round asks the next."""
    if s.taking >= 0:
        finish_action(s)
    else:
        s.asked = s.asked + 1
        ask_next_buyer(s)


@jit
def kind(s: State) -> int:
    """The kind of decision now to be made is the phase."""
    return s.phase


# Counting ------------------------------------------------------------------------------------

_DOCTRINE: Final = S.CARDS
_MARKERS: Final = _DOCTRINE + S.DISPUTES
_IN_TABLEAUS: Final = _MARKERS + S.VALUES
_ON_DISPLAY: Final = _IN_TABLEAUS + 1
_IN_DECK: Final = _ON_DISPLAY + 1
_INFLUENCE: Final = _IN_DECK + 1
_MARKERS_HELD: Final = _INFLUENCE + 1
CENSUS_SIZE: Final = _MARKERS_HELD + 1


@jit
def census(s: State, out: Cells) -> None:
    """Cards 1 each, doctrine 7 per dispute, markers 10 per value; then what must agree, as 0.

    The last five are: cards in tableaus, on the display and in the deck against their lists; TI
    held and in the pools against TI issued; markers against their public number.
    """
    _count_cards(s, out)
    for dispute in range(S.DISPUTES):
        out[_DOCTRINE + dispute] = s.removed[dispute]
        for pile in range(S.SIDES + 1):
            out[_DOCTRINE + dispute] += s.supply[dispute, pile]
        for seat in range(S.SEATS):
            for side in range(S.SIDES):
                out[_DOCTRINE + dispute] += s.doctrine[seat, dispute, side]
    out[_INFLUENCE] = -s.issued
    for place in range(S.POOLS):
        out[_INFLUENCE] += s.pool[place]
    for value in range(S.VALUES):
        out[_MARKERS + value] = s.marker_supply[value]
    for seat in range(S.SEATS):
        out[_INFLUENCE] += s.ti[seat]
        out[_MARKERS_HELD] -= s.marker_count[seat]
        for value in range(S.VALUES):
            out[_MARKERS + value] += s.markers[seat, value]
            out[_MARKERS_HELD] += s.markers[seat, value]


@jit
def _count_cards(s: State, out: Cells) -> None:
    for card in range(S.CARDS):
        place = s.where[card]
        out[card] = 0 <= place < S.ABSENT
        out[_IN_TABLEAUS] += S.TABLEAU <= place < S.DISPLAY
        out[_ON_DISPLAY] += place == S.DISPLAY
        out[_IN_DECK] += place == S.DECK
    for seat in range(S.SEATS):
        for k in range(s.tableau_size[seat]):
            out[_IN_TABLEAUS] -= s.where[s.tableau[seat, k]] == S.TABLEAU + seat
    for space in range(S.SPACES):
        card = s.display[space]
        out[_ON_DISPLAY] -= card != S.NO_CARD and s.where[card] == S.DISPLAY
    for k in range(s.deck_size):
        out[_IN_DECK] -= s.where[s.deck[k]] == S.DECK
