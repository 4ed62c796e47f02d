"""Part II, going on the Mission: the Hand, the gift, the placing, and the claims (B9–B12, B21)."""

from __future__ import annotations

from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.chance import (
    add_card,
    draw_card,
    fix_next_mission,
    random_gift,
    remove_card,
)
from concilium.envs.believers.rows import end_mission
from concilium.envs.believers.state import Event, Phase, State, Statement, Trouble, pack, pair_of
from concilium.envs.believers.table import ask_for_hand, bit, candidates
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, log_event, log_public
from concilium.envs.core.state import Cells

# Statements ----------------------------------------------------------------------------------


@jit
def legal_statements(s: State, mask: Cells) -> None:
    """B21: nothing, or a word about another player."""
    mask[A.SILENT] = 1
    for relative in range(1, s.num_players):
        mask[A.ACCUSE + relative - 1] = 1
        mask[A.VOUCH + relative - 1] = 1


@jit
def say(s: State, action: int) -> None:
    """B21: a public statement, in the order of Part I; all of a round stand in one event."""
    seat = s.actor
    n = s.num_players
    code: int = Statement.SILENT
    if action >= A.VOUCH:
        target = (seat + action - A.VOUCH + 1) % n
        code = Statement.VOUCH + target
        s.vouched[seat, target] = s.vouched[seat, target] + 1
    elif action >= A.ACCUSE:
        target = (seat + action - A.ACCUSE + 1) % n
        code = Statement.ACCUSE + target
        s.accused[seat, target] = s.accused[seat, target] + 1
    s.statement[seat] = code
    if s.asked == 0:
        log_event(s, Event.SAID, S.NONE, 0, 0, 0, 0, EVERYBODY, EVERYBODY)
    pack(s, s.log_count - 1, seat, code)
    s.asked = s.asked + 1
    if s.asked == n:
        ask_for_hand(s)
    else:
        s.actor = (seat + 1) % n


# The Hand ------------------------------------------------------------------------------------


@jit
def legal_choices(s: State, mask: Cells) -> None:
    """B9: whom the Eye may choose."""
    n = s.num_players
    free, _ = candidates(s)
    for relative in range(1, n):
        if (free >> ((s.eye + relative) % n)) & 1 == 1:
            mask[A.CHOOSE + relative - 1] = 1


@jit
def choose_hand(s: State, relative: int) -> None:
    """B9: the Mission is turned up after the choice; B10: then the Hand gives what it can."""
    eye = s.eye
    seat = (eye + relative) % s.num_players
    number = s.mission
    _, lifted = candidates(s)
    fix_next_mission(s)
    s.mission_pair[number] = s.next_mission
    s.next_mission = S.NONE
    s.next_seen = 0
    s.mission_row[number] = s.row
    s.mission_eye[number] = eye
    s.mission_hand[number] = seat
    s.hand_seat = seat
    log_public(s, Event.TURNED_UP, eye, seat, s.mission_pair[number], lifted)
    held = s.hand_count[seat]
    if held >= S.GIVEN:
        s.phase = Phase.GIFT
        s.actor = seat
        return
    if held == 1:
        kind = _only_card(s, seat)
        remove_card(s, seat, kind)
    else:
        kind = draw_card(s)
    _settle(s, kind, S.NONE, held)
    end_mission(s)


@jit
def _only_card(s: State, seat: int) -> int:
    for kind in range(S.KINDS):
        if s.hand[seat, kind] > 0:
            return kind
    return S.NONE


@jit
def legal_gifts(s: State, mask: Cells) -> None:
    """B10: any Virtue in the Hand's hand."""
    for kind in range(S.KINDS):
        if s.hand[s.actor, kind] > 0:
            mask[A.GIVE + kind] = 1


@jit
def give(s: State, kind: int) -> None:
    """B10: one Virtue into the tablet; when two are in, the Eye sees them without their order."""
    count = s.gift_count
    remove_card(s, s.actor, kind)
    s.gift[count] = kind
    s.gift_count = count + 1
    if count + 1 < S.GIVEN:
        return
    low = min(s.gift[0], kind)
    high = max(s.gift[0], kind)
    s.gift[0] = low
    s.gift[1] = high
    _hand_over(s)


@jit
def _hand_over(s: State) -> None:
    """B11: Lantern and Apostle show all what was given; Apostle places both; Blindness chooses."""
    number = s.mission
    eye = s.eye
    seat = s.hand_seat
    known: int = bit(eye) | bit(seat)
    if s.lantern == 1 or s.apostle == 1:
        known = EVERYBODY
    pair = pair_of(s.gift[0], s.gift[1])
    s.mission_given[number] = pair
    s.given_known[number] = known
    log_event(s, Event.GAVE, seat, 0, 0, 0, pair, known, EVERYBODY)
    if s.apostle == 1:
        _settle(s, s.gift[0], s.gift[1], S.GIVEN)
        _after_gift(s)
    elif s.row_crisis == Trouble.BLINDNESS and s.row_target == eye:
        place(s, random_gift(s))
    else:
        s.phase = Phase.PLACEMENT
        s.actor = eye


# Placing -------------------------------------------------------------------------------------


@jit
def legal_placements(s: State, mask: Cells) -> None:
    """B10: one of the two."""
    mask[A.PLACE + s.gift[0]] = 1
    mask[A.PLACE + s.gift[1]] = 1


@jit
def place(s: State, kind: int) -> None:
    """B10: the Eye keeps the other one."""
    kept = s.gift[0]
    if kept == kind:
        kept = s.gift[1]
    add_card(s, s.eye, kept)
    _settle(s, kind, S.NONE, S.GIVEN)
    _after_gift(s)


@jit
def _settle(s: State, first: int, second: int, given: int) -> None:
    """B12: the Mission succeeds if a placed Virtue is one of its two."""
    number = s.mission
    pair = s.mission_pair[number]
    success = 0
    if first != S.NONE and (first == S.PAIR_LOW[pair] or first == S.PAIR_HIGH[pair]):
        success = 1
    if second != S.NONE and (second == S.PAIR_LOW[pair] or second == S.PAIR_HIGH[pair]):
        success = 1
    s.mission_placed[number, 0] = first
    s.mission_placed[number, 1] = second
    s.mission_result[number] = success
    s.gift[0] = S.NONE
    s.gift[1] = S.NONE
    s.gift_count = 0
    log_public(s, Event.PLACED, s.eye, first, second, success + 2 * given)


@jit
def _after_gift(s: State) -> None:
    """B11, B12: Witnesses learn the pair; then claims, if there is talk."""
    number = s.mission
    pair = s.mission_given[number]
    n = s.num_players
    for k in range(n):
        seat = (s.turn + k) % n
        if (s.witnesses >> seat) & 1 == 1:
            s.given_known[number] = s.given_known[number] | bit(seat)
            log_event(s, Event.WITNESSED, seat, 0, 0, 0, pair, bit(seat), EVERYBODY)
    if s.talk == 1:
        s.phase = Phase.HAND_CLAIM
        s.actor = s.hand_seat
    else:
        end_mission(s)


# Claims --------------------------------------------------------------------------------------


@jit
def legal_claims(s: State, mask: Cells) -> None:
    """B21: any pair of kinds that are in the game, or no claim."""
    kinds = s.virtue_kinds
    for action in range(A.CLAIM, A.NOMINATE - 1):
        if S.PAIR_HIGH[action - A.CLAIM] < kinds:
            mask[action] = 1
    mask[A.NOMINATE - 1] = 1


@jit
def claim(s: State, pair: int) -> None:
    """B21: first the Hand says what it gave, then the Eye what it got."""
    number = s.mission
    if s.phase == Phase.HAND_CLAIM:
        s.hand_claim[number] = pair
        log_public(s, Event.CLAIMED, s.actor, pair, 0, 0)
        s.phase = Phase.EYE_CLAIM
        s.actor = s.eye
    else:
        s.eye_claim[number] = pair
        log_public(s, Event.CLAIMED, s.actor, pair, 1, 0)
        end_mission(s)
