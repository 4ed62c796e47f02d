"""The rules of Believers as the contract wants them: one function for each thing that is asked.

What they do stands in the files of the rulebook's chapters: ``setup``, ``call`` (Part I),
``mission`` (Part II), ``rows``, ``night``, ``indoctrination``; ``table`` and ``chance`` serve all.
Rulings B1–B22 are listed in this folder's README.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers.call import (
    decide_mission,
    done,
    enlist,
    legal_call,
    legal_heralding,
    shame,
)
from concilium.envs.believers.indoctrination import buy, legal_purchases, pass_buying, pay
from concilium.envs.believers.mission import (
    choose_hand,
    claim,
    give,
    legal_choices,
    legal_claims,
    legal_gifts,
    legal_placements,
    legal_statements,
    place,
    say,
)
from concilium.envs.believers.night import (
    dismiss,
    fast,
    legal_discards,
    legal_dismissals,
    legal_nominations,
    nominate,
)
from concilium.envs.believers.rows import returns
from concilium.envs.believers.setup import reset
from concilium.envs.believers.state import (
    CALL,
    CHOICE,
    DISCIPLES,
    DOUBTING,
    EYE_CLAIM,
    FASTING,
    GIFT,
    GIVEN,
    HAND_CLAIM,
    HERALDING,
    INDOCTRINATION,
    KINDS,
    NIGHT,
    NONE,
    PAYMENT,
    PILES,
    PLACEMENT,
    SEATS,
    STATEMENT,
)
from concilium.envs.core.jit import jit

__all__ = ["CENSUS_SIZE", "census", "kind", "legal_actions", "reset", "returns", "step"]

# Action offsets as plain numbers, because compiled code takes no module attributes
_OPPONENTS: Final = A.OPPONENTS
_SHAME: Final = A.SHAME
_ENLIST: Final = A.ENLIST
_HERALD: Final = A.HERALD
_SILENT: Final = A.SILENT
_CHOOSE: Final = A.CHOOSE
_GIVE: Final = A.GIVE
_PLACE: Final = A.PLACE
_CLAIM: Final = A.CLAIM
_NOMINATE: Final = A.NOMINATE
_DISCARD: Final = A.DISCARD
_DISMISS: Final = A.DISMISS
_BUY: Final = A.BUY
_PASS: Final = A.PASS


@jit
def legal_actions(s: Any, mask: Any) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = np.int64(s.phase)
    if phase == CALL:
        legal_call(s, mask)
    elif phase == HERALDING:
        legal_heralding(mask)
    elif phase == STATEMENT:
        legal_statements(s, mask)
    elif phase == CHOICE:
        legal_choices(s, mask)
    elif phase == GIFT:
        legal_gifts(s, mask)
    elif phase == PLACEMENT:
        legal_placements(s, mask)
    elif phase in (HAND_CLAIM, EYE_CLAIM):
        legal_claims(s, mask)
    elif phase == NIGHT:
        legal_nominations(s, mask)
    elif phase in (FASTING, PAYMENT):
        legal_discards(s, mask)
    elif phase == DOUBTING:
        legal_dismissals(s, mask)
    elif phase == INDOCTRINATION:
        legal_purchases(s, mask)


@jit
def step(s: Any, action: Any) -> None:
    """Take a legal action."""
    n = np.int64(s.num_players)
    seat = np.int64(s.actor)
    if action < _SHAME:
        done(s)
    elif action < _ENLIST:
        shame(s, (seat + action - _SHAME + 1) % n)
    elif action < _HERALD:
        enlist(s, (action - _ENLIST) // SEATS, (seat + (action - _ENLIST) % SEATS) % n)
    elif action < _SILENT:
        decide_mission(s, action - _HERALD)
    elif action < _CHOOSE:
        say(s, action)
    elif action < _GIVE:
        choose_hand(s, action - _CHOOSE + 1)
    elif action < _PLACE:
        give(s, action - _GIVE)
    elif action < _CLAIM:
        place(s, action - _PLACE)
    elif action < _NOMINATE:
        claim(s, action - _CLAIM)
    elif action < _DISCARD:
        relative = (action - _NOMINATE) % _OPPONENTS + 1
        nominate(s, (action - _NOMINATE) // _OPPONENTS, (seat + relative) % n)
    elif action < _DISMISS:
        if s.phase == PAYMENT:
            pay(s, action - _DISCARD)
        else:
            fast(s, action - _DISCARD)
    elif action < _BUY:
        dismiss(s, action - _DISMISS)
    elif action < _PASS:
        buy(s, action - _BUY)
    else:
        pass_buying(s)


@jit
def kind(s: Any) -> Any:
    """The kind of decision now to be made is the phase."""
    return np.int64(s.phase)


# Counting ------------------------------------------------------------------------------------

_AGREE: Final = KINDS + DISCIPLES
CENSUS_SIZE: Final = _AGREE + 3


@jit
def census(s: Any, out: Any) -> None:
    """Virtues of each kind, Disciples of each name; then what must agree, as 0.

    The last three are: hands against their public sizes, the deck against its size, Disciples
    beneath the tops against the sizes of the piles.
    """
    _count_virtues(s, out)
    for name in range(DISCIPLES):
        total = np.int64(s.buried[name]) + np.int64(s.gone[name])
        out[_AGREE + 2] += np.int64(s.buried[name])
        for seat in range(SEATS):
            total += np.int64(s.disciples[seat, name])
        for pile in range(PILES):
            total += np.int64(s.pile_top[pile] == name)
        out[KINDS + name] = total
    for pile in range(PILES):
        out[_AGREE + 2] += np.int64(s.pile_top[pile] != NONE) - np.int64(s.pile_size[pile])


@jit
def _count_virtues(s: Any, out: Any) -> None:
    for k in range(KINDS):
        out[k] = np.int64(s.deck[k]) + np.int64(s.discards[k]) + np.int64(s.finished[k])
        out[_AGREE + 1] += np.int64(s.deck[k])
        for seat in range(SEATS):
            out[k] += np.int64(s.hand[seat, k])
            out[_AGREE] += np.int64(s.hand[seat, k])
    out[_AGREE + 1] -= np.int64(s.deck_size)
    for seat in range(SEATS):
        out[_AGREE] -= np.int64(s.hand_count[seat])
    for k in range(GIVEN):
        if s.gift[k] != NONE:
            out[np.int64(s.gift[k])] += 1
        for number in range(s.mission_row.shape[0]):
            # Virtues of a finished row are counted above, as long as they are on the table
            laid = np.int64(s.mission_placed[number, k])
            if s.mission_row[number] == s.row and laid != NONE:
                out[laid] += 1
