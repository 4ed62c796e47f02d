"""The rules of Believers as the contract wants them: one function for each thing that is asked.

What they do stands in the files of the rulebook's chapters: ``setup``, ``call`` (Part I),
``mission`` (Part II), ``rows``, ``night``, ``indoctrination``; ``table`` and ``chance`` serve all.
Rulings B1–B22 are listed in this folder's README.
"""

from __future__ import annotations

from typing import Final

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
    DISCIPLES,
    GIVEN,
    KINDS,
    NONE,
    PILES,
    SEATS,
    Phase,
    State,
)
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells

__all__ = ["CENSUS_SIZE", "census", "kind", "legal_actions", "reset", "returns", "step"]


@jit
def legal_actions(s: State, mask: Cells) -> None:
    """Mark what the player to act may do; uses nothing that this player cannot see."""
    phase = s.phase
    if phase == Phase.CALL:
        legal_call(s, mask)
    elif phase == Phase.HERALDING:
        legal_heralding(mask)
    elif phase == Phase.STATEMENT:
        legal_statements(s, mask)
    elif phase == Phase.CHOICE:
        legal_choices(s, mask)
    elif phase == Phase.GIFT:
        legal_gifts(s, mask)
    elif phase == Phase.PLACEMENT:
        legal_placements(s, mask)
    elif phase in (Phase.HAND_CLAIM, Phase.EYE_CLAIM):
        legal_claims(s, mask)
    elif phase == Phase.NIGHT:
        legal_nominations(s, mask)
    elif phase in (Phase.FASTING, Phase.PAYMENT):
        legal_discards(s, mask)
    elif phase == Phase.DOUBTING:
        legal_dismissals(s, mask)
    elif phase == Phase.INDOCTRINATION:
        legal_purchases(s, mask)


@jit
def step(s: State, action: int) -> None:
    """Take a legal action."""
    n = s.num_players
    seat = s.actor
    if action < A.SHAME:
        done(s)
    elif action < A.ENLIST:
        shame(s, (seat + action - A.SHAME + 1) % n)
    elif action < A.HERALD:
        enlist(s, (action - A.ENLIST) // SEATS, (seat + (action - A.ENLIST) % SEATS) % n)
    elif action < A.SILENT:
        decide_mission(s, action - A.HERALD)
    elif action < A.CHOOSE:
        say(s, action)
    elif action < A.GIVE:
        choose_hand(s, action - A.CHOOSE + 1)
    elif action < A.PLACE:
        give(s, action - A.GIVE)
    elif action < A.CLAIM:
        place(s, action - A.PLACE)
    elif action < A.NOMINATE:
        claim(s, action - A.CLAIM)
    elif action < A.DISCARD:
        relative = (action - A.NOMINATE) % A.OPPONENTS + 1
        nominate(s, (action - A.NOMINATE) // A.OPPONENTS, (seat + relative) % n)
    elif action < A.DISMISS:
        if s.phase == Phase.PAYMENT:
            pay(s, action - A.DISCARD)
        else:
            fast(s, action - A.DISCARD)
    elif action < A.BUY:
        dismiss(s, action - A.DISMISS)
    elif action < A.PASS:
        buy(s, action - A.BUY)
    else:
        pass_buying(s)


@jit
def kind(s: State) -> int:
    """The kind of decision now to be made is the phase."""
    return s.phase


# Counting ------------------------------------------------------------------------------------

_AGREE: Final = KINDS + DISCIPLES
CENSUS_SIZE: Final = _AGREE + 3


@jit
def census(s: State, out: Cells) -> None:
    """Virtues of each kind, Disciples of each name; then what must agree, as 0.

    The last three are: hands against their public sizes, the deck against its size, Disciples
    beneath the tops against the sizes of the piles.
    """
    _count_virtues(s, out)
    for name in range(DISCIPLES):
        total = s.buried[name] + s.gone[name]
        out[_AGREE + 2] += s.buried[name]
        for seat in range(SEATS):
            total += s.disciples[seat, name]
        for pile in range(PILES):
            total += int(s.pile_top[pile] == name)
        out[KINDS + name] = total
    for pile in range(PILES):
        out[_AGREE + 2] += int(s.pile_top[pile] != NONE) - s.pile_size[pile]


@jit
def _count_virtues(s: State, out: Cells) -> None:
    for k in range(KINDS):
        out[k] = s.deck[k] + s.discards[k] + s.finished[k]
        out[_AGREE + 1] += s.deck[k]
        for seat in range(SEATS):
            out[k] += s.hand[seat, k]
            out[_AGREE] += s.hand[seat, k]
    out[_AGREE + 1] -= s.deck_size
    for seat in range(SEATS):
        out[_AGREE] -= s.hand_count[seat]
    for k in range(GIVEN):
        if s.gift[k] != NONE:
            out[s.gift[k]] += 1
        for number in range(s.mission_row.shape[0]):
            # Virtues of a finished row are counted above, as long as they are on the table
            laid = s.mission_placed[number, k]
            if s.mission_row[number] == s.row and laid != NONE:
                out[laid] += 1
