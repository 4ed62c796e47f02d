"""Part II, going on the Mission: the Hand, the gift, the placing, and the claims (B9–B12, B21)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers.chance import (
    add_card,
    draw_card,
    fix_next_mission,
    random_gift,
    remove_card,
)
from concilium.envs.believers.rows import end_mission
from concilium.envs.believers.state import ACCUSE as ACCUSE_CODE
from concilium.envs.believers.state import (
    BLINDNESS,
    CLAIMED,
    EYE_CLAIM,
    GAVE,
    GIFT,
    GIVEN,
    HAND_CLAIM,
    KINDS,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    PLACED,
    PLACEMENT,
    SAID,
    TURNED_UP,
    WITNESSED,
    pack,
    pair_of,
)
from concilium.envs.believers.state import SILENT as SILENT_CODE
from concilium.envs.believers.state import VOUCH as VOUCH_CODE
from concilium.envs.believers.table import ask_for_hand, bit, candidates
from concilium.envs.core.events import EVERYBODY, log_event, log_public
from concilium.envs.core.jit import jit

_SILENT: Final = A.SILENT
_ACCUSE: Final = A.ACCUSE
_VOUCH: Final = A.VOUCH
_CHOOSE: Final = A.CHOOSE
_GIVE: Final = A.GIVE
_PLACE: Final = A.PLACE
_CLAIM: Final = A.CLAIM
_NOMINATE: Final = A.NOMINATE

# Statements ----------------------------------------------------------------------------------


@jit
def legal_statements(s: Any, mask: Any) -> None:
    """B21: nothing, or a word about another player."""
    mask[_SILENT] = 1
    for relative in range(1, np.int64(s.num_players)):
        mask[_ACCUSE + relative - 1] = 1
        mask[_VOUCH + relative - 1] = 1


@jit
def say(s: Any, action: Any) -> None:
    """B21: a public statement, in the order of Part I; all of a round stand in one event."""
    seat = np.int64(s.actor)
    n = np.int64(s.num_players)
    code: Any = np.int64(SILENT_CODE)
    if action >= _VOUCH:
        target = (seat + action - _VOUCH + 1) % n
        code = VOUCH_CODE + target
        s.vouched[seat, target] = np.int64(s.vouched[seat, target]) + 1
    elif action >= _ACCUSE:
        target = (seat + action - _ACCUSE + 1) % n
        code = ACCUSE_CODE + target
        s.accused[seat, target] = np.int64(s.accused[seat, target]) + 1
    s.statement[seat] = code
    if s.asked == 0:
        log_event(s, SAID, NONE, 0, 0, 0, 0, EVERYBODY, EVERYBODY)
    pack(s, np.int64(s.log_count) - 1, seat, code)
    s.asked = np.int64(s.asked) + 1
    if s.asked == n:
        ask_for_hand(s)
    else:
        s.actor = (seat + 1) % n


# The Hand ------------------------------------------------------------------------------------


@jit
def legal_choices(s: Any, mask: Any) -> None:
    """B9: whom the Eye may choose."""
    n = np.int64(s.num_players)
    free, _ = candidates(s)
    for relative in range(1, n):
        if (free >> ((np.int64(s.eye) + relative) % n)) & 1 == 1:
            mask[_CHOOSE + relative - 1] = 1


@jit
def choose_hand(s: Any, relative: Any) -> None:
    """B9: the Mission is turned up after the choice; B10: then the Hand gives what it can."""
    eye = np.int64(s.eye)
    seat = (eye + relative) % np.int64(s.num_players)
    number = np.int64(s.mission)
    _, lifted = candidates(s)
    fix_next_mission(s)
    s.mission_pair[number] = s.next_mission
    s.next_mission = NONE
    s.next_seen = 0
    s.mission_row[number] = s.row
    s.mission_eye[number] = eye
    s.mission_hand[number] = seat
    s.hand_seat = seat
    log_public(s, TURNED_UP, eye, seat, s.mission_pair[number], lifted)
    held = np.int64(s.hand_count[seat])
    if held >= GIVEN:
        s.phase = GIFT
        s.actor = seat
        return
    if held == 1:
        kind = _only_card(s, seat)
        remove_card(s, seat, kind)
    else:
        kind = draw_card(s)
    _settle(s, kind, NONE, held)
    end_mission(s)


@jit
def _only_card(s: Any, seat: Any) -> Any:
    for kind in range(KINDS):
        if s.hand[seat, kind] > 0:
            return kind
    return NONE


@jit
def legal_gifts(s: Any, mask: Any) -> None:
    """B10: any Virtue in the Hand's hand."""
    for kind in range(KINDS):
        if s.hand[np.int64(s.actor), kind] > 0:
            mask[_GIVE + kind] = 1


@jit
def give(s: Any, kind: Any) -> None:
    """B10: one Virtue into the tablet; when two are in, the Eye sees them without their order."""
    count = np.int64(s.gift_count)
    remove_card(s, np.int64(s.actor), kind)
    s.gift[count] = kind
    s.gift_count = count + 1
    if count + 1 < GIVEN:
        return
    low = min(np.int64(s.gift[0]), kind)
    high = max(np.int64(s.gift[0]), kind)
    s.gift[0] = low
    s.gift[1] = high
    _hand_over(s)


@jit
def _hand_over(s: Any) -> None:
    """B11: Lantern and Apostle show all what was given; Apostle places both; Blindness chooses."""
    number = np.int64(s.mission)
    eye = np.int64(s.eye)
    seat = np.int64(s.hand_seat)
    known: Any = bit(eye) | bit(seat)
    if s.lantern == 1 or s.apostle == 1:
        known = np.int64(EVERYBODY)
    pair = pair_of(np.int64(s.gift[0]), np.int64(s.gift[1]))
    s.mission_given[number] = pair
    s.given_known[number] = known
    log_event(s, GAVE, seat, 0, 0, 0, pair, known, EVERYBODY)
    if s.apostle == 1:
        _settle(s, np.int64(s.gift[0]), np.int64(s.gift[1]), GIVEN)
        _after_gift(s)
    elif s.row_crisis == BLINDNESS and s.row_target == eye:
        place(s, random_gift(s))
    else:
        s.phase = PLACEMENT
        s.actor = eye


# Placing -------------------------------------------------------------------------------------


@jit
def legal_placements(s: Any, mask: Any) -> None:
    """B10: one of the two."""
    mask[_PLACE + np.int64(s.gift[0])] = 1
    mask[_PLACE + np.int64(s.gift[1])] = 1


@jit
def place(s: Any, kind: Any) -> None:
    """B10: the Eye keeps the other one."""
    kept = np.int64(s.gift[0])
    if kept == kind:
        kept = np.int64(s.gift[1])
    add_card(s, np.int64(s.eye), kept)
    _settle(s, kind, NONE, GIVEN)
    _after_gift(s)


@jit
def _settle(s: Any, first: Any, second: Any, given: Any) -> None:
    """B12: the Mission succeeds if a placed Virtue is one of its two."""
    number = np.int64(s.mission)
    pair = np.int64(s.mission_pair[number])
    success = np.int64(0)
    if first != NONE and (first == PAIR_LOW[pair] or first == PAIR_HIGH[pair]):
        success = np.int64(1)
    if second != NONE and (second == PAIR_LOW[pair] or second == PAIR_HIGH[pair]):
        success = np.int64(1)
    s.mission_placed[number, 0] = first
    s.mission_placed[number, 1] = second
    s.mission_result[number] = success
    s.gift[0] = NONE
    s.gift[1] = NONE
    s.gift_count = 0
    log_public(s, PLACED, s.eye, first, second, success + 2 * given)


@jit
def _after_gift(s: Any) -> None:
    """B11, B12: Witnesses learn the pair; then claims, if there is talk."""
    number = np.int64(s.mission)
    pair = np.int64(s.mission_given[number])
    n = np.int64(s.num_players)
    for k in range(n):
        seat = (np.int64(s.turn) + k) % n
        if (np.int64(s.witnesses) >> seat) & 1 == 1:
            s.given_known[number] = np.int64(s.given_known[number]) | bit(seat)
            log_event(s, WITNESSED, seat, 0, 0, 0, pair, bit(seat), EVERYBODY)
    if s.talk == 1:
        s.phase = HAND_CLAIM
        s.actor = s.hand_seat
    else:
        end_mission(s)


# Claims --------------------------------------------------------------------------------------


@jit
def legal_claims(s: Any, mask: Any) -> None:
    """B21: any pair of kinds that are in the game, or no claim."""
    kinds = np.int64(s.virtue_kinds)
    for action in range(_CLAIM, _NOMINATE - 1):
        if PAIR_HIGH[action - _CLAIM] < kinds:
            mask[action] = 1
    mask[_NOMINATE - 1] = 1


@jit
def claim(s: Any, pair: Any) -> None:
    """B21: first the Hand says what it gave, then the Eye what it got."""
    number = np.int64(s.mission)
    if s.phase == HAND_CLAIM:
        s.hand_claim[number] = pair
        log_public(s, CLAIMED, s.actor, pair, 0, 0)
        s.phase = EYE_CLAIM
        s.actor = s.eye
    else:
        s.eye_claim[number] = pair
        log_public(s, CLAIMED, s.actor, pair, 1, 0)
        end_mission(s)
