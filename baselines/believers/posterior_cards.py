"""Evidence on Faith from Virtues, quick: Mission by Mission. Compiled.

The hand of a Hand is taken to be what the viewer knows of it, and for the rest a random draw from
the Virtues that the viewer cannot account for, the *closed* ones. Which kinds closed Virtues are
likely to be shifts with what a seat did: a True Believer who gave nothing that matches has most
likely nothing of the kind left, a Defector may. That is kept by seat and Faith as expected parts,
where the exact posterior keeps whole hands.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.believers.behaviour import claim_chance, gift_chance, serving_chance
from concilium.envs.believers.state import (
    BLINDNESS,
    CONFIDANT,
    DEALT,
    DEFECTORS,
    GIVEN,
    KINDS,
    MENDICANT,
    NONE,
    PAIR_HIGH,
    PAIR_LOW,
    pair_of,
    unpack,
)
from concilium.envs.core.events import ACTOR, EVERYBODY, FIRST, KIND, SECOND, SECRET, THIRD
from concilium.envs.core.jit import jit

_TINY: Final = 1e-9  # Virtues to be expected of a kind that there should be none of
_DOUBT: Final = 0.02  # part of a closed Virtue's kind that is as if nothing had shifted it


@jit
def begin_cards(v: Any, w: Any) -> None:
    """The deal: the viewer knows its own hand."""
    n = w.num_players
    size = np.int64(0)
    for kind in range(KINDS):
        w.unseen[kind] = v.virtue_copies[kind]
        size += np.int64(v.virtue_copies[kind])
        for pile in range(w.piles.shape[0]):
            w.piles[pile, kind] = 0
        for seat in range(n):
            w.known[seat, kind] = 0.0
            w.tilt[0, seat, kind] = 1.0
            w.tilt[1, seat, kind] = 1.0
    for seat in range(n):
        w.held[seat] = v.hand_size
    w.deck = size - n * np.int64(v.hand_size)
    for row in range(np.int64(v.log_count)):
        if v.log[row, KIND] == DEALT:
            _see_hand(v, row, w, np.int64(v.log[row, ACTOR]))
            return


@jit
def _see_hand(v: Any, row: Any, w: Any, seat: Any) -> None:
    """A packed event shows the whole hand."""
    for kind in range(KINDS):
        there = 1.0 * unpack(v, row, kind)
        fresh = there - w.known[seat, kind]
        if fresh > 0.0:
            w.lone[seat] += fresh * _closed_says(w, seat, kind, 0.0)
        w.unseen[kind] = max(w.unseen[kind] + w.known[seat, kind] - there, 0.0)
        w.known[seat, kind] = there


@jit
def see_hand(v: Any, row: Any, w: Any) -> None:
    """Testimony, and what the viewer sees as Inquisitor."""
    _see_hand(v, row, w, np.int64(v.log[row, ACTOR]))


# Moves of Virtues ----------------------------------------------------------------------------


@jit
def _lose(w: Any, seat: Any, kind: Any) -> None:
    """A Virtue of a known kind leaves a hand: one that was known there, or an unseen one."""
    part = min(w.known[seat, kind], 1.0)
    w.known[seat, kind] -= part
    w.unseen[kind] = max(w.unseen[kind] - (1.0 - part), 0.0)
    w.held[seat] -= 1


@jit
def _gain(w: Any, seat: Any, kind: Any) -> None:
    """A Virtue of a known kind comes into a hand."""
    w.known[seat, kind] += 1.0
    w.held[seat] += 1


@jit
def _closed(w: Any, seat: Any) -> Any:
    """Virtues of a hand that are not known."""
    known = 0.0
    for kind in range(KINDS):
        known += w.known[seat, kind]
    return max(w.held[seat] - known, 0.0)


@jit
def _total(w: Any, faith: Any, seat: Any) -> Any:
    """What makes the tilts of a seat shares of the unseen Virtues."""
    total = 0.0
    for kind in range(KINDS):
        total += w.unseen[kind] * w.tilt[faith, seat, kind]
    return max(total, _TINY)


@jit
def _closed_says(w: Any, seat: Any, kind: Any, known: Any) -> Any:
    """How much more a Virtue of a hand is of this kind for a Defector, as a logarithm.

    Besides ``known`` ones it may be any of the closed ones, or with ``known`` 0 one of them.
    """
    closed = _closed(w, seat) if known > 0.0 else 1.0
    unseen = 0.0
    for k in range(KINDS):
        unseen += w.unseen[k]
    fair = 1.0 / max(unseen, 1.0)
    one = _DOUBT * fair + (1.0 - _DOUBT) * w.tilt[0, seat, kind] / _total(w, np.int64(0), seat)
    other = _DOUBT * fair + (1.0 - _DOUBT) * w.tilt[1, seat, kind] / _total(w, np.int64(1), seat)
    share = max(w.unseen[kind], _TINY) * closed
    return np.log((known + share * other) / (known + share * one))


@jit
def _add_closed(w: Any, seat: Any) -> None:
    """A closed Virtue comes from the deck: the hand becomes more like all that is unseen."""
    closed = _closed(w, seat)
    unseen = 0.0
    for kind in range(KINDS):
        unseen += w.unseen[kind]
    for faith in range(2):
        total = _total(w, faith, seat)
        for kind in range(KINDS):
            w.tilt[faith, seat, kind] = closed * w.tilt[faith, seat, kind] / total + 1.0 / max(
                unseen, _TINY
            )
    w.held[seat] += 1


@jit
def _pass_hidden(w: Any, giver: Any, taker: Any) -> None:
    """Any Virtue goes from one hand to another."""
    if w.held[giver] == 0:
        return
    closed = _closed(w, taker)
    one = _total(w, np.int64(0), giver)
    other = _total(w, np.int64(1), giver)
    for faith in range(2):
        total = _total(w, faith, taker)
        for kind in range(KINDS):
            given = 0.5 * (w.tilt[0, giver, kind] / one + w.tilt[1, giver, kind] / other)
            w.tilt[faith, taker, kind] = closed * w.tilt[faith, taker, kind] / total + given
    _pass_known(w, giver, taker)


@jit
def _pass_known(w: Any, giver: Any, taker: Any) -> None:
    """Of each known Virtue the part goes along that any Virtue of the hand is likely to."""
    part = 1.0 / w.held[giver]
    for kind in range(KINDS):
        moved = w.known[giver, kind] * part
        w.known[giver, kind] -= moved
        w.known[taker, kind] += moved
    w.held[giver] -= 1
    w.held[taker] += 1


@jit
def _draw(w: Any) -> None:
    """B13: a Virtue is drawn; an empty deck is renewed from the discards, else from ended rows."""
    for pile in range(2):
        if w.deck == 0:
            for kind in range(KINDS):
                w.deck += w.piles[pile, kind]
                w.unseen[kind] += w.piles[pile, kind]
                w.piles[pile, kind] = 0
    w.deck -= 1


@jit
def follow_draw(v: Any, row: Any, w: Any) -> None:
    """A seat draws a Virtue."""
    seat = np.int64(v.log[row, ACTOR])
    _draw(w)
    kind = np.int64(v.log[row, SECRET])
    if kind == NONE:
        _add_closed(w, seat)
    else:
        w.unseen[kind] = max(w.unseen[kind] - 1.0, 0.0)
        _gain(w, seat, kind)


@jit
def follow_discard(v: Any, row: Any, w: Any) -> None:
    """A Virtue is discarded face up."""
    kind = np.int64(v.log[row, FIRST])
    seat = np.int64(v.log[row, ACTOR])
    w.lone[seat] += _closed_says(w, seat, kind, w.known[seat, kind])
    _lose(w, seat, kind)
    w.piles[0, kind] += 1


@jit
def follow_transfer(v: Any, row: Any, w: Any, giver: Any, taker: Any) -> None:
    """A random Virtue changes hands: Mendicant, Tithe."""
    kind = np.int64(v.log[row, SECRET])
    if kind == NONE:
        _pass_hidden(w, giver, taker)
    else:
        w.lone[giver] += _closed_says(w, giver, kind, w.known[giver, kind])
        _lose(w, giver, kind)
        _gain(w, taker, kind)


@jit
def follow_look(v: Any, row: Any, w: Any) -> None:
    """Disciples that show the viewer Virtues, or move them."""
    effect = w.disciple_effect[np.int64(v.log[row, FIRST])]
    target = np.int64(v.log[row, SECOND])
    if effect == MENDICANT:
        follow_transfer(v, row, w, target, np.int64(v.log[row, ACTOR]))
    elif effect == CONFIDANT and v.log[row, SECRET] != NONE:
        kind = np.int64(v.log[row, SECRET])
        w.lone[target] += _closed_says(w, target, kind, w.known[target, kind])
        fresh = 1.0 - min(w.known[target, kind], 1.0)
        w.known[target, kind] += fresh
        w.unseen[kind] = max(w.unseen[kind] - fresh, 0.0)


@jit
def end_row_cards(w: Any) -> None:
    """Virtues placed in the row may one day become the deck."""
    for kind in range(KINDS):
        w.piles[1, kind] += w.piles[2, kind]
        w.piles[2, kind] = 0


@jit
def follow_single(v: Any, row: Any, w: Any) -> None:
    """A Mission with fewer than two Virtues given: from the hand, or from the deck (B10)."""
    kind = np.int64(v.log[row, FIRST])
    given = np.int64(v.log[row, THIRD]) // 2
    if given >= GIVEN or kind == NONE:
        return
    if given == 1:
        hand = np.int64(v.mission_hand[w.number])
        w.lone[hand] += _closed_says(w, hand, kind, w.known[hand, kind])
        _lose(w, hand, kind)
    else:
        _draw(w)
        w.unseen[kind] = max(w.unseen[kind] - 1.0, 0.0)
    w.piles[2, kind] += 1


# A gift --------------------------------------------------------------------------------------


@jit
def follow_gift(v: Any, numbers: Any, row: Any, w: Any) -> None:
    """What the Hand gave and the Eye placed, as far as the viewer knows, and what they said."""
    number = w.number
    hand = np.int64(v.log[row, ACTOR])
    eye = np.int64(v.mission_eye[number])
    pair = np.int64(v.mission_given[number])
    placed = np.int64(v.mission_placed[number, 0])
    mission = np.int64(v.mission_pair[number])
    if pair == NONE and placed == NONE:
        w.held[hand] -= GIVEN  # nobody but Hand and Eye has seen anything yet
        return
    for faith in range(2):
        _expect_hand(w, faith, hand, mission)
        _expect_gift(numbers, w, faith, w.held[hand])
    _weigh_mission(v, numbers, w, number, pair, placed)
    _note_mission(w, eye, hand)
    for faith in range(2):
        _expect_rest(w, faith, w.held[hand])
    closed = _closed(w, eye)
    _move_gift(v, w, eye, hand, pair, placed)
    _tilt_hand(w, hand, mission)
    if pair == NONE:
        _tilt_eye(w, eye, closed)


@jit
def _expect_hand(w: Any, faith: Any, hand: Any, mission: Any) -> None:
    """How many Virtues of the Hand match, and how many of each kind it has."""
    low = PAIR_LOW[mission]
    high = PAIR_HIGH[mission]
    unseen = 0.0
    sure = np.int64(0)
    rest = _closed(w, hand)
    total = _total(w, faith, hand)
    w.whole[faith] = 0.0
    for kind in range(KINDS):
        unseen += w.unseen[kind]
        sure += np.int64(w.known[hand, kind] + _TINY)
        closed = rest * w.unseen[kind] * w.tilt[faith, hand, kind] / total
        w.kinds[faith, kind] = w.known[hand, kind] + closed + _TINY
        w.whole[faith] += w.kinds[faith, kind]
    w.fitting[faith] = w.kinds[faith, low] + w.kinds[faith, high]
    good = np.int64(w.known[hand, low] + _TINY) + np.int64(w.known[hand, high] + _TINY)
    # what is not sure is drawn from as many Virtues as are unseen, of which the expected part fits
    left = w.held[hand] - sure
    share = 0.0
    if left > 0:
        share = min(max(w.fitting[faith] - good, 0.0) / left, 1.0)
    for m in range(w.held[hand] + 1):  # more than can match where others are known not to
        w.matching[faith, m] = 0.0
    _draw_matching(w.matching[faith], good, left, share * unseen, unseen)


@jit
def _draw_matching(matching: Any, good: Any, left: Any, fits: Any, unseen: Any) -> None:
    """Hypergeometric: ``left`` Virtues of ``unseen``, of which ``fits`` match, and ``good``.

    Writes into what is all zero.
    """
    first = min(np.int64(np.ceil(max(left - (unseen - fits), 0.0) - _TINY)), left)
    total = 0.0
    part = 1.0
    for m in range(first, left + 1):
        matching[good + m] = part
        total += part
        others = unseen - fits - left + m + 1
        part *= max(fits - m, 0.0) * (left - m) / ((m + 1) * max(others, _TINY))
    for m in range(good, good + left + 1):
        matching[m] /= total


@jit
def _expect_gift(numbers: Any, w: Any, faith: Any, held: Any) -> None:
    for given in range(GIVEN + 1):
        w.given[faith, given] = _TINY  # known cards are not quite certain
        w.told[faith, given] = 0.0
    for m in range(held + 1):
        if w.matching[faith, m] > 0.0:
            for given in range(GIVEN + 1):
                chance = gift_chance(numbers, faith, m, held - m, given)
                w.gifts[faith, m, given] = chance
                w.given[faith, given] += w.matching[faith, m] * chance


@jit
def _expect_rest(w: Any, faith: Any, held: Any) -> None:
    """How many Virtues that match are left to the Hand after what has been seen."""
    total = _TINY * _TINY
    left = 0.0
    for m in range(held + 1):
        if w.matching[faith, m] > 0.0:
            for given in range(min(m, GIVEN) + 1):
                part = w.matching[faith, m] * w.told[faith, given]
                part *= w.gifts[faith, m, given]
                total += part
                left += part * (m - given)
    w.left[faith] = left / total


@jit
def _weigh_mission(v: Any, numbers: Any, w: Any, number: Any, pair: Any, placed: Any) -> None:
    """Chance of what is seen by Faith of Eye and Hand, over what the viewer cannot see."""
    for faith in range(4):
        w.mission[faith // 2, faith % 2] = 0.0
    for kind in range(KINDS):
        w.kept[0, kind] = 0.0
        w.kept[1, kind] = 0.0
    if pair != NONE:
        _add_gift(v, numbers, w, number, pair, placed)
        return
    for kind in range(np.int64(v.virtue_kinds)):
        _add_gift(v, numbers, w, number, pair_of(placed, kind), placed)


@jit
def _add_gift(v: Any, numbers: Any, w: Any, number: Any, pair: Any, placed: Any) -> None:
    """Add what one pair that may have been given has to say."""
    mission = np.int64(v.mission_pair[number])
    good = _fits(PAIR_LOW[pair], mission) + _fits(PAIR_HIGH[pair], mission)
    kept = np.int64(0)
    if placed != NONE:
        kept = PAIR_LOW[pair] + PAIR_HIGH[pair] - placed
    both_placed = v.mission_placed[number, 1] != NONE
    blind = w.row_crisis == BLINDNESS and w.row_target == v.mission_eye[number]
    lie = np.int64(v.mission_result[number] == 0 and not both_placed)
    if v.given_known[number] == EVERYBODY:
        lie = np.int64(0)
    share = DEFECTORS[w.num_players] / w.num_players
    for eye in range(2):
        w.done[eye] = _claimed(v, numbers, number, eye, 1, np.int64(v.eye_claim[number]), pair, lie)
        if placed != NONE and not both_placed:
            w.done[eye] *= _placing_chance(numbers, eye, pair, placed, mission, good, blind)
    for hand in range(2):
        gave = _kinds_chance(w, hand, mission, pair)
        gave *= _claimed(v, numbers, number, hand, 0, np.int64(v.hand_claim[number]), pair, lie)
        for eye in range(2):
            seen = gave * w.done[eye]
            w.told[hand, good] += seen * (share if eye == 1 else 1.0 - share)
            seen *= w.given[hand, good]
            w.mission[eye, hand] += seen
            w.kept[eye, kept] += seen * (share if hand == 1 else 1.0 - share)


@jit
def _fits(kind: Any, mission: Any) -> Any:
    return np.int64(kind == PAIR_LOW[mission] or kind == PAIR_HIGH[mission])


@jit
def _kinds_chance(w: Any, faith: Any, mission: Any, pair: Any) -> Any:
    """Chance that of cards that match, and of such that do not, it was these kinds."""
    low = PAIR_LOW[pair]
    high = PAIR_HIGH[pair]
    chance = w.kinds[faith, low] * w.kinds[faith, high]
    low_fits = _fits(low, mission)
    high_fits = _fits(high, mission)
    others = w.whole[faith] - w.fitting[faith]
    chance /= w.fitting[faith] if low_fits == 1 else others
    chance /= w.fitting[faith] if high_fits == 1 else others
    if low_fits == high_fits and low != high:
        chance *= 2.0
    return chance


@jit
def _placing_chance(
    numbers: Any, eye: Any, pair: Any, placed: Any, mission: Any, good: Any, blind: Any
) -> Any:
    """Chance that an Eye of this Faith places this one of the pair."""
    if PAIR_LOW[pair] == PAIR_HIGH[pair]:
        return 1.0
    if good != 1 or blind:
        return 0.5
    chance = serving_chance(numbers, eye)
    return chance if _fits(placed, mission) else 1.0 - chance


@jit
def _claimed(
    v: Any, numbers: Any, number: Any, faith: Any, as_eye: Any, claimed: Any, pair: Any, lie: Any
) -> Any:
    if claimed == NONE:
        return 1.0
    return claim_chance(
        numbers, faith, as_eye, claimed, pair, np.int64(v.mission_placed[number, 0]),
        np.int64(v.mission_pair[number]), np.int64(v.virtue_kinds), lie,
    )  # fmt: skip


@jit
def _note_mission(w: Any, eye: Any, hand: Any) -> None:
    """Split the logarithms into parts of the Eye, of the Hand, and of both together."""
    none = np.log(w.mission[0, 0])
    lone_eye = np.log(w.mission[1, 0]) - none
    lone_hand = np.log(w.mission[0, 1]) - none
    w.lone[eye] += lone_eye
    w.lone[hand] += lone_hand
    w.both[eye, hand] += np.log(w.mission[1, 1]) - none - lone_eye - lone_hand


@jit
def _move_gift(v: Any, w: Any, eye: Any, hand: Any, pair: Any, placed: Any) -> None:
    """The Virtues leave the Hand; one or both are placed, the other comes to the Eye."""
    both_placed = v.mission_placed[w.number, 1] != NONE
    if placed != NONE:
        w.piles[2, placed] += 1
    if pair != NONE:
        low = PAIR_LOW[pair]
        high = PAIR_HIGH[pair]
        _lose(w, hand, low)
        _lose(w, hand, high)
        if both_placed:
            w.piles[2, low + high - placed] += 1
        elif placed != NONE:
            _gain(w, eye, low + high - placed)
    elif placed != NONE:
        _lose(w, hand, placed)
        _pass_known(w, hand, eye)


@jit
def _tilt_hand(w: Any, hand: Any, mission: Any) -> None:
    """What is left of the Hand's hand holds as many that match as is to be expected."""
    low = PAIR_LOW[mission]
    high = PAIR_HIGH[mission]
    closed = _closed(w, hand)
    if closed < _TINY:
        return
    for faith in range(2):
        wanted = (w.left[faith] - w.known[hand, low] - w.known[hand, high]) / closed
        wanted = min(max(wanted, 0.0), 1.0)
        fitting = w.unseen[low] * w.tilt[faith, hand, low]
        fitting += w.unseen[high] * w.tilt[faith, hand, high]
        share = fitting / _total(w, faith, hand)
        if share > _TINY and share < 1.0 - _TINY:
            for kind in range(KINDS):
                if kind in (low, high):
                    w.tilt[faith, hand, kind] *= wanted / share
                else:
                    w.tilt[faith, hand, kind] *= (1.0 - wanted) / (1.0 - share)


@jit
def _tilt_eye(w: Any, eye: Any, closed: Any) -> None:
    """The Virtue that the Eye kept joins the closed ones that it had."""
    for faith in range(2):
        total = _total(w, faith, eye)
        ways = _TINY * _TINY
        for kind in range(KINDS):
            ways += w.kept[faith, kind]
        for kind in range(KINDS):
            came = w.kept[faith, kind] / ways / max(w.unseen[kind], 1.0)
            w.tilt[faith, eye, kind] = closed * w.tilt[faith, eye, kind] / total + came
