"""Evidence on Faith from Virtues, quick: Mission by Mission. Compiled.

The hand of a Hand is taken to be what the viewer knows of it, and for the rest a random draw from
the Virtues that the viewer cannot account for, the *closed* ones. Which kinds closed Virtues are
likely to be shifts with what a seat did: a True Believer who gave nothing that matches has most
likely nothing of the kind left, a Defector may. That is kept by seat and Faith as expected parts,
where the exact posterior keeps whole hands.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from concilium.baselines.believers.inference.behaviour import (
    claim_chance,
    fits,
    gift_chance,
    serving_chance,
)
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.believers.inference.work import Work
from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect, Event, State, Trouble
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import ACTOR, EVENT, EVERYBODY, FIRST, SECOND, SECRET, THIRD
from concilium.envs.core.state import Cells

_TINY: Final = 1e-9  # Virtues to be expected of a kind that there should be none of
_DOUBT: Final = 0.02  # part of a closed Virtue's kind that is as if nothing had shifted it


@jit
def begin_cards(v: State, w: Work) -> None:
    """The deal: the viewer knows its own hand."""
    n = w.num_players
    size = 0
    for kind in range(S.KINDS):
        w.unseen[kind] = v.virtue_copies[kind]
        size += v.virtue_copies[kind]
        for pile in range(w.piles.shape[0]):
            w.piles[pile, kind] = 0
        for seat in range(n):
            w.known[seat, kind] = 0.0
            w.tilt[0, seat, kind] = 1.0
            w.tilt[1, seat, kind] = 1.0
    for seat in range(n):
        w.held[seat] = v.hand_size
    w.deck = size - n * v.hand_size
    for row in range(v.log_count):
        if v.log[row, EVENT] == Event.DEALT:
            _see_hand(v, row, w, v.log[row, ACTOR])
            return


@jit
def _see_hand(v: State, row: int, w: Work, seat: int) -> None:
    """A packed event shows the whole hand."""
    for kind in range(S.KINDS):
        there = 1.0 * S.unpack(v, row, kind)
        fresh = there - w.known[seat, kind]
        if fresh > 0.0:
            w.lone[seat] += fresh * _closed_says(w, seat, kind, 0.0)
        w.unseen[kind] = max(w.unseen[kind] + w.known[seat, kind] - there, 0.0)
        w.known[seat, kind] = there


@jit
def see_hand(v: State, row: int, w: Work) -> None:
    """Testimony, and what the viewer sees as Inquisitor."""
    _see_hand(v, row, w, v.log[row, ACTOR])


# Moves of Virtues ----------------------------------------------------------------------------


@jit
def _lose(w: Work, seat: int, kind: int) -> None:
    """A Virtue of a known kind leaves a hand: one that was known there, or an unseen one."""
    part = min(w.known[seat, kind], 1.0)
    w.known[seat, kind] -= part
    w.unseen[kind] = max(w.unseen[kind] - (1.0 - part), 0.0)
    w.held[seat] -= 1


@jit
def _receive(w: Work, seat: int, kind: int) -> None:
    """A Virtue of a known kind comes into a hand."""
    w.known[seat, kind] += 1.0
    w.held[seat] += 1


@jit
def _closed(w: Work, seat: int) -> float:
    """Virtues of a hand that are not known."""
    known = 0.0
    for kind in range(S.KINDS):
        known += w.known[seat, kind]
    return max(w.held[seat] - known, 0.0)


@jit
def _total(w: Work, faith: int, seat: int) -> float:
    """What makes the tilts of a seat shares of the unseen Virtues."""
    total = 0.0
    for kind in range(S.KINDS):
        total += w.unseen[kind] * w.tilt[faith, seat, kind]
    return max(total, _TINY)


@jit
def _closed_says(w: Work, seat: int, kind: int, known: float) -> float:
    """How much more a Virtue of a hand is of this kind for a Defector, as a logarithm.

    Besides ``known`` ones it may be any of the closed ones, or with ``known`` 0 one of them.
    """
    closed = _closed(w, seat) if known > 0.0 else 1.0
    unseen = 0.0
    for k in range(S.KINDS):
        unseen += w.unseen[k]
    fair = 1.0 / max(unseen, 1.0)
    one = _DOUBT * fair + (1.0 - _DOUBT) * w.tilt[0, seat, kind] / _total(w, 0, seat)
    other = _DOUBT * fair + (1.0 - _DOUBT) * w.tilt[1, seat, kind] / _total(w, 1, seat)
    share = max(w.unseen[kind], _TINY) * closed
    return np.log((known + share * other) / (known + share * one))


@jit
def _add_closed(w: Work, seat: int) -> None:
    """A closed Virtue comes from the deck: the hand becomes more like all that is unseen."""
    closed = _closed(w, seat)
    unseen = 0.0
    for kind in range(S.KINDS):
        unseen += w.unseen[kind]
    for faith in range(2):
        total = _total(w, faith, seat)
        for kind in range(S.KINDS):
            w.tilt[faith, seat, kind] = closed * w.tilt[faith, seat, kind] / total + 1.0 / max(
                unseen, _TINY
            )
    w.held[seat] += 1


@jit
def _pass_hidden(w: Work, giver: int, taker: int) -> None:
    """Any Virtue goes from one hand to another."""
    if w.held[giver] == 0:
        return
    closed = _closed(w, taker)
    one = _total(w, 0, giver)
    other = _total(w, 1, giver)
    for faith in range(2):
        total = _total(w, faith, taker)
        for kind in range(S.KINDS):
            given = 0.5 * (w.tilt[0, giver, kind] / one + w.tilt[1, giver, kind] / other)
            w.tilt[faith, taker, kind] = closed * w.tilt[faith, taker, kind] / total + given
    _pass_known(w, giver, taker)


@jit
def _pass_known(w: Work, giver: int, taker: int) -> None:
    """Of each known Virtue the part goes along that any Virtue of the hand is likely to."""
    part = 1.0 / w.held[giver]
    for kind in range(S.KINDS):
        moved = w.known[giver, kind] * part
        w.known[giver, kind] -= moved
        w.known[taker, kind] += moved
    w.held[giver] -= 1
    w.held[taker] += 1


@jit
def _draw(w: Work) -> None:
    """B13: a Virtue is drawn; an empty deck is renewed from the discards, else from ended rows."""
    for pile in range(2):
        if w.deck == 0:
            for kind in range(S.KINDS):
                w.deck += w.piles[pile, kind]
                w.unseen[kind] += w.piles[pile, kind]
                w.piles[pile, kind] = 0
    w.deck -= 1


@jit
def follow_draw(v: State, row: int, w: Work) -> None:
    """A seat draws a Virtue."""
    seat = v.log[row, ACTOR]
    _draw(w)
    kind = v.log[row, SECRET]
    if kind == S.NONE:
        _add_closed(w, seat)
    else:
        w.unseen[kind] = max(w.unseen[kind] - 1.0, 0.0)
        _receive(w, seat, kind)


@jit
def follow_discard(v: State, row: int, w: Work) -> None:
    """A Virtue is discarded face up."""
    kind = v.log[row, FIRST]
    seat = v.log[row, ACTOR]
    w.lone[seat] += _closed_says(w, seat, kind, w.known[seat, kind])
    _lose(w, seat, kind)
    w.piles[0, kind] += 1


@jit
def follow_transfer(v: State, row: int, w: Work, giver: int, taker: int) -> None:
    """A random Virtue changes hands: Mendicant, Tithe."""
    kind = v.log[row, SECRET]
    if kind == S.NONE:
        _pass_hidden(w, giver, taker)
    else:
        w.lone[giver] += _closed_says(w, giver, kind, w.known[giver, kind])
        _lose(w, giver, kind)
        _receive(w, taker, kind)


@jit
def follow_look(v: State, row: int, w: Work) -> None:
    """Disciples that show the viewer Virtues, or move them."""
    effect = w.disciple_effect[v.log[row, FIRST]]
    target = v.log[row, SECOND]
    if effect == Effect.MENDICANT:
        follow_transfer(v, row, w, target, v.log[row, ACTOR])
    elif effect == Effect.CONFIDANT and v.log[row, SECRET] != S.NONE:
        kind = v.log[row, SECRET]
        w.lone[target] += _closed_says(w, target, kind, w.known[target, kind])
        fresh = 1.0 - min(w.known[target, kind], 1.0)
        w.known[target, kind] += fresh
        w.unseen[kind] = max(w.unseen[kind] - fresh, 0.0)


@jit
def end_row_cards(w: Work) -> None:
    """Virtues placed in the row may one day become the deck."""
    for kind in range(S.KINDS):
        w.piles[1, kind] += w.piles[2, kind]
        w.piles[2, kind] = 0


@jit
def follow_single(v: State, row: int, w: Work) -> None:
    """A Mission with fewer than two Virtues given: from the hand, or from the deck (B10)."""
    kind = v.log[row, FIRST]
    given = v.log[row, THIRD] // 2
    if given >= S.GIVEN or kind == S.NONE:
        return
    if given == 1:
        hand = v.mission_hand[w.number]
        w.lone[hand] += _closed_says(w, hand, kind, w.known[hand, kind])
        _lose(w, hand, kind)
    else:
        _draw(w)
        w.unseen[kind] = max(w.unseen[kind] - 1.0, 0.0)
    w.piles[2, kind] += 1


# A gift --------------------------------------------------------------------------------------


@jit
def follow_gift(v: State, model: BehaviourModel, row: int, w: Work) -> None:
    """What the Hand gave and the Eye placed, as far as the viewer knows, and what they said."""
    number = w.number
    hand = v.log[row, ACTOR]
    eye = v.mission_eye[number]
    pair = v.mission_given[number]
    placed = v.mission_placed[number, 0]
    mission = v.mission_pair[number]
    if pair == S.NONE and placed == S.NONE:
        w.held[hand] -= S.GIVEN  # nobody but Hand and Eye has seen anything yet
        return
    for faith in range(2):
        _expect_hand(w, faith, hand, mission)
        _expect_gift(model, w, faith, w.held[hand])
    _weigh_mission(v, model, w, number, pair, placed)
    _note_mission(w, eye, hand)
    for faith in range(2):
        _expect_rest(w, faith, w.held[hand])
    closed = _closed(w, eye)
    _move_gift(v, w, eye, hand, pair, placed)
    _tilt_hand(w, hand, mission)
    if pair == S.NONE:
        _tilt_eye(w, eye, closed)


@jit
def _expect_hand(w: Work, faith: int, hand: int, mission: int) -> None:
    """How many Virtues of the Hand match, and how many of each kind it has."""
    low = S.PAIR_LOW[mission]
    high = S.PAIR_HIGH[mission]
    unseen = 0.0
    sure = 0
    rest = _closed(w, hand)
    total = _total(w, faith, hand)
    w.kinds_sum[faith] = 0.0
    for kind in range(S.KINDS):
        unseen += w.unseen[kind]
        sure += int(w.known[hand, kind] + _TINY)
        closed = rest * w.unseen[kind] * w.tilt[faith, hand, kind] / total
        w.kinds[faith, kind] = w.known[hand, kind] + closed + _TINY
        w.kinds_sum[faith] += w.kinds[faith, kind]
    w.fitting[faith] = w.kinds[faith, low] + w.kinds[faith, high]
    good = int(w.known[hand, low] + _TINY) + int(w.known[hand, high] + _TINY)
    # what is not sure is drawn from as many Virtues as are unseen, of which the expected part fits
    left = w.held[hand] - sure
    share = 0.0
    if left > 0:
        share = min(max(w.fitting[faith] - good, 0.0) / left, 1.0)
    for m in range(w.held[hand] + 1):  # more than can match where others are known not to
        w.matching[faith, m] = 0.0
    _draw_matching(w.matching[faith], good, left, share * unseen, unseen)


@jit
def _draw_matching(matching: Cells, good: int, left: int, fits: float, unseen: float) -> None:
    """Hypergeometric: ``left`` Virtues of ``unseen``, of which ``fits`` match, and ``good``.

    Writes into what is all zero.
    """
    first = min(int(np.ceil(max(left - (unseen - fits), 0.0) - _TINY)), left)
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
def _expect_gift(model: BehaviourModel, w: Work, faith: int, held: int) -> None:
    for given in range(S.GIVEN + 1):
        w.given[faith, given] = _TINY  # known cards are not quite certain
        w.told[faith, given] = 0.0
    for m in range(held + 1):
        if w.matching[faith, m] > 0.0:
            for given in range(S.GIVEN + 1):
                chance = gift_chance(model, faith, m, held - m, given)
                w.gifts[faith, m, given] = chance
                w.given[faith, given] += w.matching[faith, m] * chance


@jit
def _expect_rest(w: Work, faith: int, held: int) -> None:
    """How many Virtues that match are left to the Hand after what has been seen."""
    total = _TINY * _TINY
    left = 0.0
    for m in range(held + 1):
        if w.matching[faith, m] > 0.0:
            for given in range(min(m, S.GIVEN) + 1):
                part = w.matching[faith, m] * w.told[faith, given]
                part *= w.gifts[faith, m, given]
                total += part
                left += part * (m - given)
    w.left[faith] = left / total


@jit
def _weigh_mission(
    v: State, model: BehaviourModel, w: Work, number: int, pair: int, placed: int
) -> None:
    """Chance of what is seen by Faith of Eye and Hand, over what the viewer cannot see."""
    for faith in range(4):
        w.mission[faith // 2, faith % 2] = 0.0
    for kind in range(S.KINDS):
        w.kept[0, kind] = 0.0
        w.kept[1, kind] = 0.0
    if pair != S.NONE:
        _add_gift(v, model, w, number, pair, placed)
        return
    for kind in range(v.virtue_kinds):
        _add_gift(v, model, w, number, S.pair_of(placed, kind), placed)


@jit
def _add_gift(
    v: State, model: BehaviourModel, w: Work, number: int, pair: int, placed: int
) -> None:
    """Add what one pair that may have been given has to say."""
    mission = v.mission_pair[number]
    good = fits(S.PAIR_LOW[pair], mission) + fits(S.PAIR_HIGH[pair], mission)
    kept = 0
    if placed != S.NONE:
        kept = S.PAIR_LOW[pair] + S.PAIR_HIGH[pair] - placed
    both_placed = v.mission_placed[number, 1] != S.NONE
    blind = w.row_crisis == Trouble.BLINDNESS and w.row_target == v.mission_eye[number]
    lie = int(v.mission_result[number] == 0 and not both_placed)
    if v.given_known[number] == EVERYBODY:
        lie = 0
    share = S.DEFECTORS[w.num_players] / w.num_players
    for eye in range(2):
        w.done[eye] = _claimed(v, model, number, eye, 1, v.eye_claim[number], pair, lie)
        if placed != S.NONE and not both_placed:
            w.done[eye] *= _placing_chance(model, eye, pair, placed, mission, good, blind)
    for hand in range(2):
        gave = _kinds_chance(w, hand, mission, pair)
        gave *= _claimed(v, model, number, hand, 0, v.hand_claim[number], pair, lie)
        for eye in range(2):
            seen = gave * w.done[eye]
            w.told[hand, good] += seen * (share if eye == 1 else 1.0 - share)
            seen *= w.given[hand, good]
            w.mission[eye, hand] += seen
            w.kept[eye, kept] += seen * (share if hand == 1 else 1.0 - share)


@jit
def _kinds_chance(w: Work, faith: int, mission: int, pair: int) -> float:
    """Chance that of cards that match, and of such that do not, it was these kinds."""
    low = S.PAIR_LOW[pair]
    high = S.PAIR_HIGH[pair]
    chance = w.kinds[faith, low] * w.kinds[faith, high]
    low_fits = fits(low, mission)
    high_fits = fits(high, mission)
    others = w.kinds_sum[faith] - w.fitting[faith]
    chance /= w.fitting[faith] if low_fits == 1 else others
    chance /= w.fitting[faith] if high_fits == 1 else others
    if low_fits == high_fits and low != high:
        chance *= 2.0
    return chance


@jit
def _placing_chance(
    model: BehaviourModel, eye: int, pair: int, placed: int, mission: int, good: int, blind: bool
) -> float:
    """Chance that an Eye of this Faith places this one of the pair."""
    if S.PAIR_LOW[pair] == S.PAIR_HIGH[pair]:
        return 1.0
    if good != 1 or blind:
        return 0.5
    chance = serving_chance(model, eye)
    return chance if fits(placed, mission) else 1.0 - chance


@jit
def _claimed(
    v: State, model: BehaviourModel, number: int, faith: int, as_eye: int, claimed: int, pair: int,
    lie: int,
) -> float:  # fmt: skip
    if claimed == S.NONE:
        return 1.0
    return claim_chance(
        model, faith, as_eye, claimed, pair, v.mission_placed[number, 0],
        v.mission_pair[number], v.virtue_kinds, lie,
    )  # fmt: skip


@jit
def _note_mission(w: Work, eye: int, hand: int) -> None:
    """Split the logarithms into parts of the Eye, of the Hand, and of both together."""
    none = np.log(w.mission[0, 0])
    lone_eye = np.log(w.mission[1, 0]) - none
    lone_hand = np.log(w.mission[0, 1]) - none
    w.lone[eye] += lone_eye
    w.lone[hand] += lone_hand
    w.both[eye, hand] += np.log(w.mission[1, 1]) - none - lone_eye - lone_hand


@jit
def _move_gift(v: State, w: Work, eye: int, hand: int, pair: int, placed: int) -> None:
    """The Virtues leave the Hand; one or both are placed, the other comes to the Eye."""
    both_placed = v.mission_placed[w.number, 1] != S.NONE
    if placed != S.NONE:
        w.piles[2, placed] += 1
    if pair != S.NONE:
        low = S.PAIR_LOW[pair]
        high = S.PAIR_HIGH[pair]
        _lose(w, hand, low)
        _lose(w, hand, high)
        if both_placed:
            w.piles[2, low + high - placed] += 1
        elif placed != S.NONE:
            _receive(w, eye, low + high - placed)
    elif placed != S.NONE:
        _lose(w, hand, placed)
        _pass_known(w, hand, eye)


@jit
def _tilt_hand(w: Work, hand: int, mission: int) -> None:
    """What is left of the Hand's hand holds as many that match as is to be expected."""
    low = S.PAIR_LOW[mission]
    high = S.PAIR_HIGH[mission]
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
            for kind in range(S.KINDS):
                if kind in (low, high):
                    w.tilt[faith, hand, kind] *= wanted / share
                else:
                    w.tilt[faith, hand, kind] *= (1.0 - wanted) / (1.0 - share)


@jit
def _tilt_eye(w: Work, eye: int, closed: float) -> None:
    """The Virtue that the Eye kept joins the closed ones that it had."""
    for faith in range(2):
        total = _total(w, faith, eye)
        ways = _TINY * _TINY
        for kind in range(S.KINDS):
            ways += w.kept[faith, kind]
        for kind in range(S.KINDS):
            came = w.kept[faith, kind] / ways / max(w.unseen[kind], 1.0)
            w.tilt[faith, eye, kind] = closed * w.tilt[faith, eye, kind] / total + came
