"""What a policy sees of Believers: the layout tables and the functions that fill them.

Seats are relative: own seat first, then clockwise. For the state vector they are
absolute. Virtues, Disciples and Crises are by their number in the file of cards. The Missions that
were played stand in slots, the first in the first; of more than 13 the latest 13 are shown.
Segments of seats and cards that are not in the game stay 0.
"""

from __future__ import annotations

from typing import Any, Final

from concilium.envs.believers import state as S
from concilium.envs.believers.state import Faith, Phase, State, Statement, Trouble
from concilium.envs.believers.table import candidates, shame_of
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.layout import Row, layout
from concilium.envs.core.state import RUNNING, UNKNOWN, Cells

SLOTS: Final = 13  # Missions shown: all of a game with the default rows
_OTHERS: Final = S.SEATS - 1
_LASTING: Final = Trouble.BLINDNESS - Trouble.MUTENESS + 1  # effects that are in force in a row

_PUBLIC: Final[tuple[Row, ...]] = (
    ("seat_exists", (S.SEATS,), 0, 1, "the seat is in play"),
    ("to_act", (S.SEATS,), 0, 1, "the seat is to decide; at night only Defectors see it"),
    ("phase", (len(S.KINDS_OF_DECISIONS),), 0, 1, ", ".join(S.KINDS_OF_DECISIONS)
     + "; all 0 when over"),
    ("ending", (3,), 0, 1, "played out, early, by the decider; all 0 while running"),
    ("winner", (2,), 0, 1, "True Believers, Defectors have won"),
    # the pyramid
    ("row", (S.ROWS + 1,), 0, 1, "the present row from the bottom, the decider last"),
    ("peak", (1,), 0, 1, "it is the peak"),
    ("row_played", (1,), 0, S.LONGEST_ROW, "Missions completed in the row"),
    ("row_won", (1,), 0, S.LONGEST_ROW, "of which succeeded"),
    ("row_left", (1,), 0, S.LONGEST_ROW, "Missions to come in it, a further one after a tie not "
     "counted"),
    ("tokens", (2,), 0, 2 * S.ROWS + 1, "tokens of True Believers, of Defectors"),
    ("row_tokens", (S.ROWS + 1,), -2, 2, "tokens of each row, the decider last: above 0 True "
     "Believers', below 0 Defectors'"),
    ("mission", (1,), 0, S.MOST_MISSIONS, "Missions completed in the game"),
    # the round
    ("turn", (S.SEATS,), 0, 1, "Eye in the order of Eyes"),
    ("eye", (S.SEATS,), 0, 1, "acting Eye"),
    ("hand", (S.SEATS,), 0, 1, "Hand of this round"),
    ("last_hand", (S.SEATS,), 0, 1, "Hand of the last round"),
    ("may_be_hand", (S.SEATS,), 0, 1, "could be chosen as Hand as things stand"),
    ("mission_now", (S.KINDS,), 0, 1, "the Virtues of the Mission turned up in this round"),
    ("shame", (S.SEATS,), 0, S.MOST_DISCIPLE_CARDS, "Shame that counts against the seat"),
    ("shamed_by", (S.SEATS, _OTHERS), 0, 1, "in front of the seat lies the Shame card of the "
     "player 1 to 9 places clockwise from it"),
    ("has_shame", (S.SEATS,), 0, 1, "the seat can still play its Shame card in this row"),
    ("gossip", (S.SEATS,), 0, S.MOST_DISCIPLE_CARDS, "Shame added by Gossips"),
    ("barred", (S.SEATS,), 0, 1, "kept out by a Doorkeeper"),
    ("row_crisis", (_LASTING,), 0, 1, "effect of the Crisis in force in this row: "
     + ", ".join(S.TROUBLES[Trouble.MUTENESS : Trouble.BLINDNESS + 1])),
    ("row_target", (S.SEATS,), 0, 1, "whom it binds"),
    ("lantern", (1,), 0, 1, "what the Hand gives this round is shown to all"),
    ("apostle", (1,), 0, 1, "both Virtues are placed this round"),
    ("witness", (S.SEATS,), 0, 1, "the seat has used a Witness this round"),
    ("turn_over", (S.SEATS,), 0, 1, "the seat has had its part in this round of questions: Part I, "
     "statements; has passed in the Indoctrination"),
    ("shamed_now", (1,), 0, 1, "who is called on has shamed"),
    ("enlisted_now", (1,), 0, 1, "who is called on has enlisted"),
    ("gift_count", (1,), 0, S.GIVEN, "Virtues in the tablet"),
    # cards
    ("hand_count", (S.SEATS,), 0, S.MOST_VIRTUES, "Virtues in the seat's hand"),
    ("deck_size", (1,), 0, S.MOST_VIRTUES, "Virtues in the deck"),
    ("discards", (S.KINDS,), 0, S.MOST_COPIES, "Virtues in the discard pile"),
    ("finished", (S.KINDS,), 0, S.MOST_COPIES, "Virtues on the pyramid in finished rows"),
    ("disciples", (S.SEATS, S.DISCIPLES), 0, S.MOST_DISCIPLE_CARDS,
     "Disciples in front of the seat"),
    ("pile_top", (S.PILES, S.DISCIPLES), 0, 1, "Disciple that shows on the pile"),
    ("pile_size", (S.PILES,), 0, S.MOST_DISCIPLE_CARDS, "Disciples in the pile"),
    ("buried", (S.DISCIPLES,), 0, S.MOST_DISCIPLE_CARDS, "Disciples beneath the tops"),
    ("gone", (S.DISCIPLES,), 0, S.MOST_DISCIPLE_CARDS, "Disciples out of the game"),
    ("crises", (S.CRISES,), 0, 1, "Crisis on the table"),
    ("under_count", (1,), 0, S.MOST_UNDER, "Missions put under the deck"),
    ("buying", (S.DISCIPLES,), 0, 1, "Disciple being paid for"),
    ("due", (1,), 0, S.MOST_COST, "Virtues still to be discarded"),
    # the Missions so far
    ("mission_row", (SLOTS,), 0, S.ROWS + 1, "row of the Mission from 1, the decider last; 0 none"),
    ("mission_result", (SLOTS,), -1, 1, "1 success, -1 failure"),
    ("mission_kinds", (SLOTS, S.KINDS), 0, 1, "its two Virtues"),
    ("mission_eye", (SLOTS, S.SEATS), 0, 1, "its Eye"),
    ("mission_hand", (SLOTS, S.SEATS), 0, 1, "its Hand"),
    ("mission_placed", (SLOTS, S.KINDS), 0, S.GIVEN, "Virtues placed"),
    ("claim_made", (SLOTS, 2), -1, 1, "of the Hand, the Eye: 1 a claim, -1 declined to claim"),
    ("hand_claim", (SLOTS, S.KINDS), 0, S.GIVEN, "Virtues that the Hand claims to have given"),
    ("eye_claim", (SLOTS, S.KINDS), 0, S.GIVEN, "Virtues that the Eye claims to have got"),
    ("as_eye", (S.SEATS, 2), 0, S.MOST_MISSIONS, "successes, failures as Eye"),
    ("as_hand", (S.SEATS, 2), 0, S.MOST_MISSIONS, "successes, failures as Hand"),
    # talk and looks
    ("statement", (S.SEATS, _OTHERS), -1, 1, "this round the seat accuses (-1) or vouches for (1) "
     "the player 1 to 9 places clockwise from it"),
    ("accused", (S.SEATS, _OTHERS), 0, S.MOST_MISSIONS,
     "how often the seat has accused that player"),
    ("vouched", (S.SEATS, _OTHERS), 0, S.MOST_MISSIONS, "how often it has vouched for that player"),
    ("faith_peeked", (S.SEATS, _OTHERS), 0, 1, "it has peeked at the Faith of that player"),
)  # fmt: skip

_HIDDEN: Final[tuple[Row, ...]] = (
    ("gift", (S.KINDS,), 0, S.GIVEN, "Virtues in the tablet, as far as known"),
    ("mission_given", (SLOTS, S.KINDS), 0, S.GIVEN, "Virtues that the Hand gave, where known"),
    ("next_mission", (S.KINDS,), 0, 1, "the Virtues of the Mission on top of the deck, if known"),
    ("nominated_crisis", (S.MOST_DEFECTORS - 1, S.CRISES), 0, 1, "Crises nominated this night, in "
     "order; for Defectors"),
    ("nominated_target", (S.MOST_DEFECTORS - 1, S.SEATS), 0, 1, "their targets"),
)  # fmt: skip

OBSERVATION: Final = layout(
    *_PUBLIC,
    *_HIDDEN,
    ("own_faith", (1,), 0, 1, "1 for a Defector"),
    ("known_faith", (S.SEATS,), -1, 1, "-1 True Believer, 1 Defector, 0 unknown"),
    ("own_hand", (S.KINDS,), 0, S.MOST_COPIES, "own Virtues"),
    ("seen_hand", (S.SEATS, S.KINDS), 0, S.MOST_COPIES, "the seat's hand when last seen whole"),
    ("seen_age", (S.SEATS,), -1, S.MOST_MISSIONS, "Missions completed since then; -1 never seen"),
    ("seen_card", (_OTHERS, S.KINDS), 0, S.GLIMPSES, "single Virtues seen with each opponent, or "
     "taken by it from oneself, since then"),
)  # fmt: skip

STATE_LAYOUT: Final = layout(
    *_PUBLIC,
    *_HIDDEN,
    ("faith", (S.SEATS,), 0, 1, "1 for a Defector"),
    ("hands", (S.SEATS, S.KINDS), 0, S.MOST_COPIES, "Virtues in each hand"),
    ("deck", (S.KINDS,), 0, S.MOST_COPIES, "Virtues in the deck"),
    ("under", (S.MOST_UNDER, S.KINDS), 0, 1, "the Virtues of the Missions under the deck"),
)


@jit
def encode(v: State, out: Any) -> None:
    """Fill the observation of a View; a spectator's has seat 0 first."""
    viewer = v.viewer
    base = max(viewer, 0)
    n = v.num_players
    _encode_table(v, base, n, out)
    if viewer >= 0:
        out.own_faith = v.faith[viewer] == Faith.DEFECTOR
        for kind in range(S.KINDS):
            out.own_hand[kind] = v.hand[viewer, kind]
    for seat in range(n):
        me = _relative(seat, base, n)
        if v.faith[seat] != UNKNOWN:
            out.known_faith[me] = 2 * v.faith[seat] - 1
        out.seen_age[me] = -1
    _encode_looks(v, viewer, base, n, out)


@jit
def encode_state(s: State, out: Any) -> None:
    """Fill the state vector: the table, Faiths, hands and both decks."""
    n = s.num_players
    _encode_table(s, 0, n, out)
    for seat in range(n):
        out.faith[seat] = s.faith[seat]
        for kind in range(S.KINDS):
            out.hands[seat, kind] = s.hand[seat, kind]
    for kind in range(S.KINDS):
        out.deck[kind] = s.deck[kind]
    for k in range(s.under_count):
        _add_pair(out.under[k], s.under[k])


@jit
def _encode_table(v: State, base: int, n: int, out: Any) -> None:
    _encode_course(v, base, n, out)
    _encode_round(v, base, n, out)
    for seat in range(n):
        _encode_seat(v, seat, base, n, out)
        _encode_words(v, seat, base, n, out)
    _encode_cards(v, out)
    _encode_missions(v, base, n, out)
    _encode_night(v, base, n, out)


@jit
def _relative(seat: int, base: int, n: int) -> int:
    """Places clockwise from ``base`` to ``seat``, both at the table; quicker than a division."""
    me = seat - base
    if me < 0:
        me += n
    return me


@jit
def _mark(seats: Cells, seat: int, base: int, n: int) -> None:
    """Set the element of a seat, if it is one."""
    if seat >= 0:
        seats[_relative(seat, base, n)] = 1


@jit
def _add_pair(kinds: Cells, pair: int) -> None:
    """Count the two kinds of a pair, if it is one."""
    if 0 <= pair < S.PAIRS:
        kinds[S.PAIR_LOW[pair]] += 1
        kinds[S.PAIR_HIGH[pair]] += 1


@jit
def _encode_course(v: State, base: int, n: int, out: Any) -> None:
    """Whose turn, how the pyramid stands."""
    if v.status == RUNNING:
        _mark(out.to_act, v.actor, base, n)
        out.phase[v.phase] = 1
    else:
        out.ending[v.ending - 1] = 1
        out.winner[v.winner] = 1
    rows = v.num_rows
    row = v.row
    if row < rows:
        out.row[row] = 1
        out.peak = row == rows - 1
        out.row_left = max(v.row_length[row] - v.row_played, 0)
    elif row == rows:
        out.row[S.ROWS] = 1
    out.row_played = v.row_played
    out.row_won = v.row_won
    for side in range(2):
        out.tokens[side] = v.tokens[side]
    for k in range(rows):
        out.row_tokens[k] = v.row_tokens[k]
    out.row_tokens[S.ROWS] = v.row_tokens[rows]
    out.mission = v.mission


@jit
def _encode_round(v: State, base: int, n: int, out: Any) -> None:
    """Eye, Hand, what is in force, what is pending."""
    free, _ = candidates(v)
    for seat in range(n):
        out.may_be_hand[_relative(seat, base, n)] = (free >> seat) & 1
    _mark(out.turn, v.turn, base, n)
    _mark(out.eye, v.eye, base, n)
    _mark(out.hand, v.hand_seat, base, n)
    _mark(out.last_hand, v.last_hand, base, n)
    if v.hand_seat >= 0:
        _add_pair(out.mission_now, v.mission_pair[v.mission])
    if v.row_crisis != S.NONE:
        out.row_crisis[v.row_crisis - Trouble.MUTENESS] = 1
        _mark(out.row_target, v.row_target, base, n)
    out.lantern = v.lantern
    out.apostle = v.apostle
    out.shamed_now = v.shamed_now
    out.enlisted_now = v.enlisted_now
    out.gift_count = v.gift_count
    for k in range(S.GIVEN):
        if v.gift[k] != S.NONE:
            out.gift[v.gift[k]] += 1
    _add_pair(out.next_mission, v.next_mission)
    if v.phase == Phase.CALL or v.phase == Phase.STATEMENT:
        for k in range(v.asked):
            _mark(out.turn_over, (v.turn + k) % n, base, n)
    if v.buying != S.NONE:
        out.buying[v.buying] = 1
    out.due = v.due


@jit
def _encode_seat(v: State, seat: int, base: int, n: int, out: Any) -> None:
    """What stands in front of a seat."""
    me = _relative(seat, base, n)
    out.seat_exists[me] = 1
    out.shame[me] = shame_of(v, seat)
    out.gossip[me] = v.gossip[seat]
    out.barred[me] = (v.barred >> seat) & 1
    out.witness[me] = (v.witnesses >> seat) & 1
    if v.phase == Phase.INDOCTRINATION or v.phase == Phase.PAYMENT:
        out.turn_over[me] = (v.passed >> seat) & 1
    out.hand_count[me] = v.hand_count[seat]
    lying = v.shame_at[seat]
    if lying < 0:
        out.has_shame[me] = 1
    elif lying < S.SEATS:
        out.shamed_by[_relative(lying, base, n), _relative(seat, lying, n) - 1] = 1
    for name in range(S.DISCIPLES):
        out.disciples[me, name] = v.disciples[seat, name]


@jit
def _encode_words(v: State, seat: int, base: int, n: int, out: Any) -> None:
    """What a seat has said, and whose Faith it has seen."""
    me = _relative(seat, base, n)
    said = v.statement[seat]
    if said >= Statement.VOUCH:
        out.statement[me, _relative(said - Statement.VOUCH, seat, n) - 1] = 1
    elif said != Statement.SILENT:
        out.statement[me, _relative(said - Statement.ACCUSE, seat, n) - 1] = -1
    for place in range(1, n):
        other = (seat + place) % n
        out.faith_peeked[me, place - 1] = (v.faith_seen[other] >> seat) & 1
        if v.talk == 1:
            out.accused[me, place - 1] = v.accused[seat, other]
            out.vouched[me, place - 1] = v.vouched[seat, other]


@jit
def _encode_cards(v: State, out: Any) -> None:
    """Deck, discards, piles of Disciples, Crises."""
    out.deck_size = v.deck_size
    for kind in range(S.KINDS):
        out.discards[kind] = v.discards[kind]
        out.finished[kind] = v.finished[kind]
    for pile in range(S.PILES):
        out.pile_size[pile] = v.pile_size[pile]
        if v.pile_top[pile] != S.NONE:
            out.pile_top[pile, v.pile_top[pile]] = 1
    for name in range(S.DISCIPLES):
        out.buried[name] = v.buried[name]
        out.gone[name] = v.gone[name]
    for k in range(S.LAID_OUT):
        if v.crises[k] != S.NONE:
            out.crises[v.crises[k]] = 1
    out.under_count = v.under_count


@jit
def _encode_missions(v: State, base: int, n: int, out: Any) -> None:
    """The Missions turned up so far, the latest 13."""
    count = v.mission
    if v.hand_seat >= 0:
        count += 1
    first = max(count - SLOTS, 0)
    for number in range(count):
        eye = _relative(v.mission_eye[number], base, n)
        hand = _relative(v.mission_hand[number], base, n)
        result = v.mission_result[number]
        if result != S.NONE:
            out.as_eye[eye, 1 - result] += 1
            out.as_hand[hand, 1 - result] += 1
        slot = number - first
        if slot < 0:
            continue
        row = v.mission_row[number]
        out.mission_row[slot] = row + 1 if row < v.num_rows else S.ROWS + 1
        if result != S.NONE:
            out.mission_result[slot] = 2 * result - 1
        out.mission_eye[slot, eye] = 1
        out.mission_hand[slot, hand] = 1
        _add_pair(out.mission_kinds[slot], v.mission_pair[number])
        _add_pair(out.mission_given[slot], v.mission_given[number])
        for k in range(S.GIVEN):
            if v.mission_placed[number, k] != S.NONE:
                out.mission_placed[slot, v.mission_placed[number, k]] += 1
        _encode_claim(out.claim_made[slot], 0, out.hand_claim[slot], v.hand_claim[number])
        _encode_claim(out.claim_made[slot], 1, out.eye_claim[slot], v.eye_claim[number])


@jit
def _encode_claim(made: Cells, place: int, kinds: Cells, pair: int) -> None:
    if pair != S.NONE:
        made[place] = 1 if pair < S.PAIRS else -1
        _add_pair(kinds, pair)


@jit
def _encode_night(v: State, base: int, n: int, out: Any) -> None:
    """What has been nominated; nothing in the View of whom it does not concern."""
    for k in range(v.nominations):
        out.nominated_crisis[k, v.nominated[k] // S.SEATS] = 1
        out.nominated_target[k, _relative(v.nominated[k] % S.SEATS, base, n)] = 1


@jit
def _encode_looks(v: State, viewer: int, base: int, n: int, out: Any) -> None:
    """The latest look at each whole hand, and single Virtues seen since."""
    count = v.glimpses
    for number in range(max(count - S.GLIMPSES, 0), count):
        place = number % S.GLIMPSES
        by = v.glimpse_by[place]
        if by != S.SEATS and (by != viewer or viewer < 0):
            continue
        me = _relative(v.glimpse_of[place], base, n)
        if v.glimpse_whole[place] == 1:
            out.seen_age[me] = v.mission - v.glimpse_at[place]
            for kind in range(S.KINDS):
                out.seen_hand[me, kind] = v.glimpse_hand[place, kind]
                if me > 0:
                    out.seen_card[me - 1, kind] = 0
        else:
            for kind in range(S.KINDS):
                out.seen_card[me - 1, kind] += v.glimpse_hand[place, kind]
