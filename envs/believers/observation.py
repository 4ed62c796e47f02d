"""What a policy sees of Believers: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the perfect-information vector they are
absolute. Virtues, Disciples and Crises are by their number in the file of cards. The Missions that
were played stand in slots, the first in the first; of more than 13 the latest 13 are shown.
Segments of seats and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.believers.state import (
    ACCUSE,
    BLINDNESS,
    CALL,
    CRISES,
    DEFECTOR,
    DISCIPLES,
    GIVEN,
    GLIMPSES,
    INDOCTRINATION,
    KINDS,
    KINDS_OF_DECISIONS,
    LAID_OUT,
    LONGEST_ROW,
    MOST_COPIES,
    MOST_COST,
    MOST_DEFECTORS,
    MOST_DISCIPLE_CARDS,
    MOST_MISSIONS,
    MOST_UNDER,
    MOST_VIRTUES,
    MUTENESS,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PAYMENT,
    PILES,
    ROWS,
    SEATS,
    SILENT,
    STATEMENT,
    TROUBLES,
    VOUCH,
)
from concilium.envs.believers.table import candidates, shame_of
from concilium.envs.core.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING, UNKNOWN

SLOTS: Final = 13  # Missions shown: all of a game with the default rows
_OTHERS: Final = SEATS - 1
_LASTING: Final = BLINDNESS - MUTENESS + 1  # effects that are in force in a row

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (SEATS,), 0, 1, "the seat is to decide; at night only Defectors see it"),
    ("phase", (len(KINDS_OF_DECISIONS),), 0, 1, ", ".join(KINDS_OF_DECISIONS)
     + "; all 0 when over"),
    ("ending", (3,), 0, 1, "played out, early, by the decider; all 0 while running"),
    ("winner", (2,), 0, 1, "True Believers, Defectors have won"),
    # the pyramid
    ("row", (ROWS + 1,), 0, 1, "the present row from the bottom, the decider last"),
    ("peak", (1,), 0, 1, "it is the peak"),
    ("row_played", (1,), 0, LONGEST_ROW, "Missions completed in the row"),
    ("row_won", (1,), 0, LONGEST_ROW, "of which succeeded"),
    ("row_left", (1,), 0, LONGEST_ROW, "Missions to come in it, a further one after a tie not "
     "counted"),
    ("tokens", (2,), 0, 2 * ROWS + 1, "tokens of True Believers, of Defectors"),
    ("row_tokens", (ROWS + 1,), -2, 2, "tokens of each row, the decider last: above 0 True "
     "Believers', below 0 Defectors'"),
    ("mission", (1,), 0, MOST_MISSIONS, "Missions completed in the game"),
    # the round
    ("turn", (SEATS,), 0, 1, "Eye in the order of Eyes"),
    ("eye", (SEATS,), 0, 1, "acting Eye"),
    ("hand", (SEATS,), 0, 1, "Hand of this round"),
    ("last_hand", (SEATS,), 0, 1, "Hand of the last round"),
    ("may_be_hand", (SEATS,), 0, 1, "could be chosen as Hand as things stand"),
    ("mission_now", (KINDS,), 0, 1, "the Virtues of the Mission turned up in this round"),
    ("shame", (SEATS,), 0, MOST_DISCIPLE_CARDS, "Shame that counts against the seat"),
    ("shamed_by", (SEATS, _OTHERS), 0, 1, "in front of the seat lies the Shame card of the player "
     "1 to 9 places clockwise from it"),
    ("has_shame", (SEATS,), 0, 1, "the seat can still play its Shame card in this row"),
    ("gossip", (SEATS,), 0, MOST_DISCIPLE_CARDS, "Shame added by Gossips"),
    ("barred", (SEATS,), 0, 1, "kept out by a Doorkeeper"),
    ("row_crisis", (_LASTING,), 0, 1, "effect of the Crisis in force in this row: "
     + ", ".join(TROUBLES[MUTENESS : BLINDNESS + 1])),
    ("row_target", (SEATS,), 0, 1, "whom it binds"),
    ("lantern", (1,), 0, 1, "what the Hand gives this round is shown to all"),
    ("apostle", (1,), 0, 1, "both Virtues are placed this round"),
    ("witness", (SEATS,), 0, 1, "the seat will see what the Hand gave"),
    ("turn_over", (SEATS,), 0, 1, "the seat has had its part in this round of questions: Part I, "
     "statements; has passed in the Indoctrination"),
    ("shamed_now", (1,), 0, 1, "who is called on has shamed"),
    ("enlisted_now", (1,), 0, 1, "who is called on has enlisted"),
    ("gift_count", (1,), 0, GIVEN, "Virtues in the tablet"),
    # cards
    ("hand_count", (SEATS,), 0, MOST_VIRTUES, "Virtues in the seat's hand"),
    ("deck_size", (1,), 0, MOST_VIRTUES, "Virtues in the deck"),
    ("discards", (KINDS,), 0, MOST_COPIES, "Virtues in the discard pile"),
    ("finished", (KINDS,), 0, MOST_COPIES, "Virtues on the pyramid in finished rows"),
    ("disciples", (SEATS, DISCIPLES), 0, MOST_DISCIPLE_CARDS, "Disciples in front of the seat"),
    ("pile_top", (PILES, DISCIPLES), 0, 1, "Disciple that shows on the pile"),
    ("pile_size", (PILES,), 0, MOST_DISCIPLE_CARDS, "Disciples in the pile"),
    ("buried", (DISCIPLES,), 0, MOST_DISCIPLE_CARDS, "Disciples beneath the tops"),
    ("gone", (DISCIPLES,), 0, MOST_DISCIPLE_CARDS, "Disciples out of the game"),
    ("crises", (CRISES,), 0, 1, "Crisis on the table"),
    ("under_count", (1,), 0, MOST_UNDER, "Missions put under the deck"),
    ("buying", (DISCIPLES,), 0, 1, "Disciple being paid for"),
    ("due", (1,), 0, MOST_COST, "Virtues still to be discarded"),
    # the Missions so far
    ("mission_row", (SLOTS,), 0, ROWS + 1, "row of the Mission from 1, the decider last; 0 none"),
    ("mission_result", (SLOTS,), -1, 1, "1 success, -1 failure"),
    ("mission_kinds", (SLOTS, KINDS), 0, 1, "its two Virtues"),
    ("mission_eye", (SLOTS, SEATS), 0, 1, "its Eye"),
    ("mission_hand", (SLOTS, SEATS), 0, 1, "its Hand"),
    ("mission_placed", (SLOTS, KINDS), 0, GIVEN, "Virtues placed"),
    ("claim_made", (SLOTS, 2), -1, 1, "of the Hand, the Eye: 1 a claim, -1 declined to claim"),
    ("hand_claim", (SLOTS, KINDS), 0, GIVEN, "Virtues that the Hand claims to have given"),
    ("eye_claim", (SLOTS, KINDS), 0, GIVEN, "Virtues that the Eye claims to have got"),
    ("as_eye", (SEATS, 2), 0, MOST_MISSIONS, "successes, failures as Eye"),
    ("as_hand", (SEATS, 2), 0, MOST_MISSIONS, "successes, failures as Hand"),
    # talk and looks
    ("statement", (SEATS, _OTHERS), -1, 1, "this round the seat accuses (-1) or vouches for (1) "
     "the player 1 to 9 places clockwise from it"),
    ("accused", (SEATS, _OTHERS), 0, MOST_MISSIONS, "how often the seat has accused that player"),
    ("vouched", (SEATS, _OTHERS), 0, MOST_MISSIONS, "how often it has vouched for that player"),
    ("faith_peeked", (SEATS, _OTHERS), 0, 1, "it has peeked at the Faith of that player"),
)  # fmt: skip

_HIDDEN: Final[tuple[Row, ...]] = (
    ("gift", (KINDS,), 0, GIVEN, "Virtues in the tablet, as far as known"),
    ("mission_given", (SLOTS, KINDS), 0, GIVEN, "Virtues that the Hand gave, where known"),
    ("next_mission", (KINDS,), 0, 1, "the Virtues of the Mission on top of the deck, if known"),
    ("nominated_crisis", (MOST_DEFECTORS - 1, CRISES), 0, 1, "Crises nominated this night, in "
     "order; for Defectors"),
    ("nominated_target", (MOST_DEFECTORS - 1, SEATS), 0, 1, "their targets"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    *_HIDDEN,
    ("own_faith", (1,), 0, 1, "1 for a Defector"),
    ("known_faith", (SEATS,), -1, 1, "-1 True Believer, 1 Defector, 0 unknown"),
    ("own_hand", (KINDS,), 0, MOST_COPIES, "own Virtues"),
    ("seen_hand", (SEATS, KINDS), 0, MOST_COPIES, "the seat's hand when last seen whole"),
    ("seen_age", (SEATS,), -1, MOST_MISSIONS, "Missions completed since then; -1 never seen"),
    ("seen_card", (_OTHERS, KINDS), 0, GLIMPSES, "single Virtues seen with each opponent, or "
     "taken by it from oneself, since then"),
)  # fmt: skip

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    *_HIDDEN,
    ("faith", (SEATS,), 0, 1, "1 for a Defector"),
    ("hands", (SEATS, KINDS), 0, MOST_COPIES, "Virtues in each hand"),
    ("deck", (KINDS,), 0, MOST_COPIES, "Virtues in the deck"),
    ("under", (MOST_UNDER, KINDS), 0, 1, "the Virtues of the Missions under the deck"),
)

# Offsets as plain numbers, because compiled code takes no objects
_AT: Final = OBSERVATION.start
_EXISTS: Final = _AT("seat_exists")
_TO_ACT: Final = _AT("to_act")
_PHASE: Final = _AT("phase")
_ENDING: Final = _AT("ending")
_WINNER: Final = _AT("winner")
_ROW: Final = _AT("row")
_PEAK: Final = _AT("peak")
_ROW_PLAYED: Final = _AT("row_played")
_ROW_WON: Final = _AT("row_won")
_ROW_LEFT: Final = _AT("row_left")
_TOKENS: Final = _AT("tokens")
_ROW_TOKENS: Final = _AT("row_tokens")
_MISSION: Final = _AT("mission")
_TURN: Final = _AT("turn")
_EYE: Final = _AT("eye")
_HAND: Final = _AT("hand")
_LAST_HAND: Final = _AT("last_hand")
_MAY_BE_HAND: Final = _AT("may_be_hand")
_MISSION_NOW: Final = _AT("mission_now")
_SHAME: Final = _AT("shame")
_SHAMED_BY: Final = _AT("shamed_by")
_HAS_SHAME: Final = _AT("has_shame")
_GOSSIP: Final = _AT("gossip")
_BARRED: Final = _AT("barred")
_ROW_CRISIS: Final = _AT("row_crisis")
_ROW_TARGET: Final = _AT("row_target")
_LANTERN: Final = _AT("lantern")
_APOSTLE: Final = _AT("apostle")
_WITNESS: Final = _AT("witness")
_TURN_OVER: Final = _AT("turn_over")
_SHAMED_NOW: Final = _AT("shamed_now")
_ENLISTED_NOW: Final = _AT("enlisted_now")
_GIFT_COUNT: Final = _AT("gift_count")
_HAND_COUNT: Final = _AT("hand_count")
_DECK_SIZE: Final = _AT("deck_size")
_DISCARDS: Final = _AT("discards")
_FINISHED: Final = _AT("finished")
_DISCIPLES: Final = _AT("disciples")
_PILE_TOP: Final = _AT("pile_top")
_PILE_SIZE: Final = _AT("pile_size")
_BURIED: Final = _AT("buried")
_GONE: Final = _AT("gone")
_CRISES: Final = _AT("crises")
_UNDER_COUNT: Final = _AT("under_count")
_BUYING: Final = _AT("buying")
_DUE: Final = _AT("due")
_MISSION_ROW: Final = _AT("mission_row")
_MISSION_RESULT: Final = _AT("mission_result")
_MISSION_KINDS: Final = _AT("mission_kinds")
_MISSION_EYE: Final = _AT("mission_eye")
_MISSION_HAND: Final = _AT("mission_hand")
_MISSION_PLACED: Final = _AT("mission_placed")
_CLAIM_MADE: Final = _AT("claim_made")
_HAND_CLAIM: Final = _AT("hand_claim")
_EYE_CLAIM: Final = _AT("eye_claim")
_AS_EYE: Final = _AT("as_eye")
_AS_HAND: Final = _AT("as_hand")
_STATEMENT: Final = _AT("statement")
_ACCUSED: Final = _AT("accused")
_VOUCHED: Final = _AT("vouched")
_FAITH_PEEKED: Final = _AT("faith_peeked")
_GIFT: Final = _AT("gift")
_MISSION_GIVEN: Final = _AT("mission_given")
_NEXT_MISSION: Final = _AT("next_mission")
_NOMINATED_CRISIS: Final = _AT("nominated_crisis")
_NOMINATED_TARGET: Final = _AT("nominated_target")
_OWN_FAITH: Final = _AT("own_faith")
_KNOWN_FAITH: Final = _AT("known_faith")
_OWN_HAND: Final = _AT("own_hand")
_SEEN_HAND: Final = _AT("seen_hand")
_SEEN_AGE: Final = _AT("seen_age")
_SEEN_CARD: Final = _AT("seen_card")
_FAITH: Final = STATE_LAYOUT.start("faith")
_HANDS: Final = STATE_LAYOUT.start("hands")
_DECK: Final = STATE_LAYOUT.start("deck")
_UNDER: Final = STATE_LAYOUT.start("under")


@jit
def encode(v: Any, out: Any) -> None:
    """Fill ``out (OBSERVATION.size,) int8`` from a View; a spectator's begins with seat 0."""
    viewer = np.int64(v.viewer)
    base = max(viewer, np.int64(0))
    n = np.int64(v.num_players)
    _encode_table(v, base, n, out)
    if viewer >= 0:
        out[_OWN_FAITH] = v.faith[viewer] == DEFECTOR
        for kind in range(KINDS):
            out[_OWN_HAND + kind] = v.hand[viewer, kind]
    for seat in range(n):
        me = _relative(seat, base, n)
        if v.faith[seat] != UNKNOWN:
            out[_KNOWN_FAITH + me] = 2 * np.int64(v.faith[seat]) - 1
        out[_SEEN_AGE + me] = -1
    _encode_looks(v, viewer, base, n, out)


@jit
def encode_state(s: Any, out: Any) -> None:
    """Fill ``out (STATE_LAYOUT.size,) int8`` from a State."""
    n = np.int64(s.num_players)
    _encode_table(s, np.int64(0), n, out)
    for seat in range(n):
        out[_FAITH + seat] = s.faith[seat]
        for kind in range(KINDS):
            out[_HANDS + KINDS * seat + kind] = s.hand[seat, kind]
    for kind in range(KINDS):
        out[_DECK + kind] = s.deck[kind]
    for k in range(np.int64(s.under_count)):
        _add_pair(out, _UNDER + KINDS * k, np.int64(s.under[k]))


@jit
def _encode_table(v: Any, base: Any, n: Any, out: Any) -> None:
    _encode_course(v, base, n, out)
    _encode_round(v, base, n, out)
    for seat in range(n):
        _encode_seat(v, seat, base, n, out)
    _encode_cards(v, out)
    _encode_missions(v, base, n, out)
    _encode_night(v, base, n, out)


@jit
def _relative(seat: Any, base: Any, n: Any) -> Any:
    """Places clockwise from ``base`` to ``seat``, both at the table; quicker than a division."""
    me = seat - base
    if me < 0:
        me += n
    return me


@jit
def _mark(out: Any, first: Any, seat: Any, base: Any, n: Any) -> None:
    """Set the element of a seat, if it is one."""
    if seat >= 0:
        out[first + _relative(seat, base, n)] = 1


@jit
def _add_pair(out: Any, first: Any, pair: Any) -> None:
    """Count the two kinds of a pair, if it is one."""
    if 0 <= pair < PAIRS:
        out[first + PAIR_LOW[pair]] += 1
        out[first + PAIR_HIGH[pair]] += 1


@jit
def _encode_course(v: Any, base: Any, n: Any, out: Any) -> None:
    """Whose turn, how the pyramid stands."""
    if v.status == RUNNING:
        _mark(out, _TO_ACT, np.int64(v.actor), base, n)
        out[_PHASE + np.int64(v.phase)] = 1
    else:
        out[_ENDING + np.int64(v.ending) - 1] = 1
        out[_WINNER + np.int64(v.winner)] = 1
    rows = np.int64(v.num_rows)
    row = np.int64(v.row)
    if row < rows:
        out[_ROW + row] = 1
        out[_PEAK] = row == rows - 1
        out[_ROW_LEFT] = max(np.int64(v.row_length[row]) - np.int64(v.row_played), 0)
    elif row == rows:
        out[_ROW + ROWS] = 1
    out[_ROW_PLAYED] = v.row_played
    out[_ROW_WON] = v.row_won
    for side in range(2):
        out[_TOKENS + side] = v.tokens[side]
    for k in range(rows):
        out[_ROW_TOKENS + k] = v.row_tokens[k]
    out[_ROW_TOKENS + ROWS] = v.row_tokens[rows]
    out[_MISSION] = v.mission


@jit
def _encode_round(v: Any, base: Any, n: Any, out: Any) -> None:
    """Eye, Hand, what is in force, what is pending."""
    free, _ = candidates(v)
    for seat in range(n):
        out[_MAY_BE_HAND + _relative(seat, base, n)] = (free >> seat) & 1
    _mark(out, _TURN, np.int64(v.turn), base, n)
    _mark(out, _EYE, np.int64(v.eye), base, n)
    _mark(out, _HAND, np.int64(v.hand_seat), base, n)
    _mark(out, _LAST_HAND, np.int64(v.last_hand), base, n)
    if v.hand_seat >= 0:
        _add_pair(out, _MISSION_NOW, np.int64(v.mission_pair[np.int64(v.mission)]))
    if v.row_crisis != NONE:
        out[_ROW_CRISIS + np.int64(v.row_crisis) - MUTENESS] = 1
        _mark(out, _ROW_TARGET, np.int64(v.row_target), base, n)
    out[_LANTERN] = v.lantern
    out[_APOSTLE] = v.apostle
    out[_SHAMED_NOW] = v.shamed_now
    out[_ENLISTED_NOW] = v.enlisted_now
    out[_GIFT_COUNT] = v.gift_count
    for k in range(GIVEN):
        if v.gift[k] != NONE:
            out[_GIFT + np.int64(v.gift[k])] += 1
    _add_pair(out, _NEXT_MISSION, np.int64(v.next_mission))
    if v.phase == CALL or v.phase == STATEMENT:
        for k in range(np.int64(v.asked)):
            _mark(out, _TURN_OVER, (np.int64(v.turn) + k) % n, base, n)
    if v.buying != NONE:
        out[_BUYING + np.int64(v.buying)] = 1
    out[_DUE] = v.due


@jit
def _encode_seat(v: Any, seat: Any, base: Any, n: Any, out: Any) -> None:
    """What stands in front of a seat, and what it has said and seen."""
    me = _relative(seat, base, n)
    out[_EXISTS + me] = 1
    out[_SHAME + me] = shame_of(v, seat)
    out[_GOSSIP + me] = v.gossip[seat]
    out[_BARRED + me] = (np.int64(v.barred) >> seat) & 1
    out[_WITNESS + me] = (np.int64(v.witnesses) >> seat) & 1
    if v.phase == INDOCTRINATION or v.phase == PAYMENT:
        out[_TURN_OVER + me] = (np.int64(v.passed) >> seat) & 1
    out[_HAND_COUNT + me] = v.hand_count[seat]
    lying = np.int64(v.shame_at[seat])
    if lying < 0:
        out[_HAS_SHAME + me] = 1
    elif lying < SEATS:
        at = _OTHERS * _relative(lying, base, n)
        out[_SHAMED_BY + at + _relative(seat, lying, n) - 1] = 1
    for name in range(DISCIPLES):
        out[_DISCIPLES + DISCIPLES * me + name] = v.disciples[seat, name]
    said = np.int64(v.statement[seat])
    if said >= VOUCH:
        out[_STATEMENT + _OTHERS * me + _relative(said - VOUCH, seat, n) - 1] = 1
    elif said != SILENT:
        out[_STATEMENT + _OTHERS * me + _relative(said - ACCUSE, seat, n) - 1] = -1
    for place in range(1, n):
        other = (seat + place) % n
        at = _OTHERS * me + place - 1
        out[_FAITH_PEEKED + at] = (np.int64(v.faith_seen[other]) >> seat) & 1
        if v.talk == 1:
            out[_ACCUSED + at] = v.accused[seat, other]
            out[_VOUCHED + at] = v.vouched[seat, other]


@jit
def _encode_cards(v: Any, out: Any) -> None:
    """Deck, discards, piles of Disciples, Crises."""
    out[_DECK_SIZE] = v.deck_size
    for kind in range(KINDS):
        out[_DISCARDS + kind] = v.discards[kind]
        out[_FINISHED + kind] = v.finished[kind]
    for pile in range(PILES):
        out[_PILE_SIZE + pile] = v.pile_size[pile]
        if v.pile_top[pile] != NONE:
            out[_PILE_TOP + DISCIPLES * pile + np.int64(v.pile_top[pile])] = 1
    for name in range(DISCIPLES):
        out[_BURIED + name] = v.buried[name]
        out[_GONE + name] = v.gone[name]
    for k in range(LAID_OUT):
        if v.crises[k] != NONE:
            out[_CRISES + np.int64(v.crises[k])] = 1
    out[_UNDER_COUNT] = v.under_count


@jit
def _encode_missions(v: Any, base: Any, n: Any, out: Any) -> None:
    """The Missions turned up so far, the latest 13."""
    count = np.int64(v.mission)
    if v.hand_seat >= 0:
        count += 1
    first = max(count - SLOTS, np.int64(0))
    for number in range(count):
        eye = _relative(np.int64(v.mission_eye[number]), base, n)
        hand = _relative(np.int64(v.mission_hand[number]), base, n)
        result = np.int64(v.mission_result[number])
        if result != NONE:
            out[_AS_EYE + 2 * eye + 1 - result] += 1
            out[_AS_HAND + 2 * hand + 1 - result] += 1
        slot = number - first
        if slot < 0:
            continue
        row = np.int64(v.mission_row[number])
        out[_MISSION_ROW + slot] = row + 1 if row < v.num_rows else ROWS + 1
        if result != NONE:
            out[_MISSION_RESULT + slot] = 2 * result - 1
        out[_MISSION_EYE + SEATS * slot + eye] = 1
        out[_MISSION_HAND + SEATS * slot + hand] = 1
        at = KINDS * slot
        _add_pair(out, _MISSION_KINDS + at, np.int64(v.mission_pair[number]))
        _add_pair(out, _MISSION_GIVEN + at, np.int64(v.mission_given[number]))
        for k in range(GIVEN):
            if v.mission_placed[number, k] != NONE:
                out[_MISSION_PLACED + at + np.int64(v.mission_placed[number, k])] += 1
        _encode_claim(out, _CLAIM_MADE + 2 * slot, _HAND_CLAIM + at, np.int64(v.hand_claim[number]))
        _encode_claim(
            out, _CLAIM_MADE + 2 * slot + 1, _EYE_CLAIM + at, np.int64(v.eye_claim[number])
        )


@jit
def _encode_claim(out: Any, made: Any, first: Any, pair: Any) -> None:
    if pair != NONE:
        out[made] = 1 if pair < PAIRS else -1
        _add_pair(out, first, pair)


@jit
def _encode_night(v: Any, base: Any, n: Any, out: Any) -> None:
    """What has been nominated; nothing in the View of whom it does not concern."""
    for k in range(np.int64(v.nominations)):
        name = np.int64(v.nominated[k]) // SEATS
        target = np.int64(v.nominated[k]) % SEATS
        out[_NOMINATED_CRISIS + CRISES * k + name] = 1
        out[_NOMINATED_TARGET + SEATS * k + _relative(target, base, n)] = 1


@jit
def _encode_looks(v: Any, viewer: Any, base: Any, n: Any, out: Any) -> None:
    """The latest look at each whole hand, and single Virtues seen since."""
    count = np.int64(v.glimpses)
    for number in range(max(count - GLIMPSES, np.int64(0)), count):
        place = number % GLIMPSES
        by = np.int64(v.glimpse_by[place])
        if by != SEATS and (by != viewer or viewer < 0):
            continue
        me = _relative(np.int64(v.glimpse_of[place]), base, n)
        if v.glimpse_whole[place] == 1:
            out[_SEEN_AGE + me] = np.int64(v.mission) - np.int64(v.glimpse_at[place])
            for kind in range(KINDS):
                out[_SEEN_HAND + KINDS * me + kind] = v.glimpse_hand[place, kind]
                if me > 0:
                    out[_SEEN_CARD + KINDS * (me - 1) + kind] = 0
        else:
            for kind in range(KINDS):
                out[_SEEN_CARD + KINDS * (me - 1) + kind] += np.int64(v.glimpse_hand[place, kind])
