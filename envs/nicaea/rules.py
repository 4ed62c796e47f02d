"""The rules of Nicaea as the contract wants them: one function for each thing that is asked.

What they do stands in the files of the rulebook's chapters: ``setup``, ``turn``, ``payment``,
``tableau``, ``doctrine``, ``debate``, ``scoring``. Rulings N1–N33 are listed in this folder's
README.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.events import log_public
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.debate import ask_next_buyer, legal_names, name_side
from concilium.envs.nicaea.doctrine import begin_purchase, complete_purchase, legal_purchases
from concilium.envs.nicaea.payment import end_payment, flip, is_paid, legal_payments, pay_rest
from concilium.envs.nicaea.scoring import returns
from concilium.envs.nicaea.setup import reset
from concilium.envs.nicaea.state import (
    ABSENT,
    CARDS,
    COPY,
    DECK,
    DECLINED,
    DISPLAY,
    DISPUTES,
    NAMING,
    NO_CARD,
    PAYMENT,
    PLAY_FREE,
    POOLS,
    SEATS,
    SIDES,
    SPACES,
    TABLEAU,
    TURN,
    VALUES,
)
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

# Action offsets as plain numbers, because compiled code takes no module attributes
_PASS: Final = A.PASS
_TAKE: Final = A.TAKE
_PLAY: Final = A.PLAY
_PAY_REST: Final = A.PAY_REST
_FLIP: Final = A.FLIP
_COPY_KIND: Final = A.COPY_KIND
_BUY: Final = A.BUY
_DECLINE: Final = A.DECLINE
_NAME: Final = A.NAME


@jit
def legal_actions(s: Any, mask: Any) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = np.int64(s.phase)
    if phase == TURN:
        legal_turn(s, mask)
    elif phase == PAYMENT:
        legal_payments(s, mask)
    elif phase == COPY:
        legal_copies(s, mask)
    elif phase == PLAY_FREE:
        legal_free_plays(s, mask)
    elif phase == NAMING:
        legal_names(s, mask)
    else:
        mask[_DECLINE] = 1  # N11, N23: buying is optional
        legal_purchases(s, mask)


@jit
def step(s: Any, action: Any) -> None:
    """Take a legal action."""
    if action == _PASS:
        pass_turn(s)
    elif action < _PLAY:
        take_action(s, action - _TAKE)
    elif action < _PAY_REST:
        card = (action - _PLAY) // SEATS
        if s.phase == PLAY_FREE:
            play_free(s, card)
        else:
            play_card(s, card, (action - _PLAY) % SEATS)
    elif action < _COPY_KIND:
        _pay(s, action)
    elif action < _BUY:
        copy_action(s, action - _COPY_KIND)
    elif action < _DECLINE:
        begin_purchase(s, (action - _BUY) // SIDES, (action - _BUY) % SIDES)
    elif action == _DECLINE:
        log_public(s, DECLINED, s.actor, s.phase, 0, 0)
        _go_on(s)
    else:
        name_side(s, (action - _NAME) // SIDES, (action - _NAME) % SIDES)


@jit
def _pay(s: Any, action: Any) -> None:
    """Take a step of a payment; when the price is reached, what was paid for happens."""
    if action == _PAY_REST:
        pay_rest(s)
    else:
        flip(s, action - _FLIP)
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
def _go_on(s: Any) -> None:
    """After a purchase or a refusal: the Action is finished, or the Debate Round asks the next."""
    if s.taking >= 0:
        finish_action(s)
    else:
        s.asked = np.int64(s.asked) + 1
        ask_next_buyer(s)


@jit
def kind(s: Any) -> Any:
    """The kind of decision now to be made is the phase."""
    return np.int64(s.phase)


# Counting ------------------------------------------------------------------------------------

_DOCTRINE: Final = CARDS
_MARKERS: Final = _DOCTRINE + DISPUTES
_AGREE: Final = _MARKERS + VALUES
CENSUS_SIZE: Final = _AGREE + 5


@jit
def census(s: Any, out: Any) -> None:
    """Cards 1 each, doctrine 7 per dispute, markers 10 per value; then what must agree, as 0.

    The last five are: cards in tableaus, on the display and in the deck against their lists; TI
    held and in the pools against TI issued; markers against their public number.
    """
    _count_cards(s, out)
    for dispute in range(DISPUTES):
        total = np.int64(s.removed[dispute])
        for pile in range(SIDES + 1):
            total += np.int64(s.supply[dispute, pile])
        for seat in range(SEATS):
            for side in range(SIDES):
                total += np.int64(s.doctrine[seat, dispute, side])
        out[_DOCTRINE + dispute] = total
    for value in range(VALUES):
        out[_MARKERS + value] = s.marker_supply[value]
    out[_AGREE + 3] = -np.int64(s.issued)
    for seat in range(SEATS):
        for value in range(VALUES):
            out[_MARKERS + value] += np.int64(s.markers[seat, value])
            out[_AGREE + 4] += np.int64(s.markers[seat, value])
        out[_AGREE + 4] -= np.int64(s.marker_count[seat])
        out[_AGREE + 3] += np.int64(s.ti[seat])
    for place in range(POOLS):
        out[_AGREE + 3] += np.int64(s.pool[place])


@jit
def _count_cards(s: Any, out: Any) -> None:
    for card in range(CARDS):
        place = np.int64(s.where[card])
        out[card] = 1 if 0 <= place < ABSENT else 0
        out[_AGREE] += np.int64(TABLEAU <= place < DISPLAY)
        out[_AGREE + 1] += np.int64(place == DISPLAY)
        out[_AGREE + 2] += np.int64(place == DECK)
    for seat in range(SEATS):
        for k in range(np.int64(s.tableau_size[seat])):
            out[_AGREE] -= np.int64(s.where[np.int64(s.tableau[seat, k])] == TABLEAU + seat)
    for space in range(SPACES):
        card = np.int64(s.display[space])
        out[_AGREE + 1] -= np.int64(card != NO_CARD and s.where[card] == DISPLAY)
    for k in range(np.int64(s.deck_size)):
        out[_AGREE + 2] -= np.int64(s.where[np.int64(s.deck[k])] == DECK)
