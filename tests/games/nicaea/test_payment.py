"""Payments: flips and temporary Influence, none wasted, compared with all sets of Bishops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations

import numpy as np
import pytest

from tests.games.nicaea.tables import (
    ANTIOCH,
    ASIA,
    DEBATE_SPACE,
    FREE_3,
    FREE_4,
    NEW_OFFER_SPACE,
    REFRESH_1,
    REFRESH_2,
    ROME,
    ZERO,
    Card,
    Table,
    bishop,
    build,
    canon,
)


def to_pay(players: int, price: int, own: Sequence[Card], ti: int, **more: object) -> Table:
    """Seat 0 has begun to play a card of that price; its suit is nobody else's."""
    card = bishop(price, ANTIOCH)
    t = build(players, hands={0: [card]}, tableaus={0: own}, ti=[ti], **more)  # type: ignore[arg-type]
    t.play(card)
    assert t.asked == (0, "payment")
    assert t["price"] == price
    return t


def thrifty_sets(cards: Iterable[Card], price: int, ti: int) -> list[set[Card]]:
    """List the finished payments by their Bishops, as N7 says it."""
    cards = list(cards)
    subsets = chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))
    found = []
    for subset in subsets:
        total = sum(card.cost for card in subset)
        if total >= price:
            good = total - min(card.cost for card in subset) < price
        else:
            good = price - total <= ti
        if good:
            found.append(set(subset))
    return found


def test_price_3_with_bishops_1_and_3(players: int) -> None:
    # N7, the first example: the 1 is not offered
    one, three = bishop(1, ROME), bishop(3, ROME)
    t = to_pay(players, 3, [one, three], ti=0)
    assert t.flips == {three}
    assert t.must_flip
    t.flip(three)
    assert t.asked == (1, "turn")
    assert t.up(0)[0] is one


def test_price_3_with_bishops_1_and_3_and_influence(players: int) -> None:
    # N7: with 2 TI the 1 and the rest is a payment; with 1 TI it is not
    one, three = bishop(1, ROME), bishop(3, ROME)
    t = to_pay(players, 3, [one, three], ti=2)
    assert t.flips == {one, three}
    assert t.must_flip
    t.flip(one)
    assert t.flips == set()  # the 3 would make the 1 superfluous
    assert t.can_pay_rest
    t.pay_rest()
    assert t.ti[0] == 0
    t = to_pay(players, 3, [bishop(1, ROME), bishop(3, ROME)], ti=1)
    assert {card.cost for card in t.flips} == {3}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_price_3_with_bishops_1_and_1_and_2(players: int, first: int) -> None:
    # N7, the second example: any two that reach 3
    cards = [bishop(1, ROME), bishop(1, ROME), bishop(2, ROME)]
    t = to_pay(players, 3, cards, ti=0)
    assert t.flips == set(cards)
    assert t.must_flip
    t.flip(cards[first])
    assert t.flips == ({cards[2]} if first < 2 else {cards[0], cards[1]})
    assert t.must_flip
    t.flip(cards[2] if first < 2 else cards[0])
    assert t.asked == (1, "turn")


def test_price_3_with_bishops_1_and_1_and_2_and_one_influence(players: int) -> None:
    # N7, the second example: … or 1 + 1 and one TI
    a, b, two = bishop(1, ROME), bishop(1, ROME), bishop(2, ROME)
    t = to_pay(players, 3, [a, b, two], ti=1)
    assert t.must_flip
    t.flip(a)
    assert t.flips == {b, two}
    assert t.must_flip  # 2 are missing
    t.flip(b)
    assert t.flips == set()  # 1 + 1 + 2 holds a superfluous 1
    assert t.can_pay_rest
    t.pay_rest()
    assert (t.ti[0], t.pools) == (0, [1, 0, 0, 0])
    t = to_pay(players, 3, [bishop(1, ROME), bishop(2, ROME)], ti=1)
    t.flip(t.tableau(0)[1])
    assert t.flips == {t.tableau(0)[0]}
    assert t.can_pay_rest  # or 2 and one TI


def test_influence_alone(players: int) -> None:
    # N7: the empty set and the exact rest
    t = to_pay(players, 3, [], ti=5)
    assert t.flips == set()
    assert t.can_pay_rest
    assert len(t.legal) == 1
    t.pay_rest()
    assert t.ti[0] == 2
    assert t.asked == (1, "turn")


def test_influence_may_be_kept_or_used_first(players: int) -> None:
    # N7: with enough of both every way is open: all TI, or one Bishop
    three = bishop(3, ROME)
    t = to_pay(players, 3, [three], ti=3)
    assert t.flips == {three}
    assert t.can_pay_rest
    t.pay_rest()
    assert three in t.up(0)
    t = to_pay(players, 3, [bishop(3, ROME)], ti=3)
    t.flip(*t.flips)
    assert t.ti[0] == 3


def test_the_rest_is_paid_only_in_full(players: int) -> None:
    # N7: TI last and in one decision
    three = bishop(3, ROME)
    t = to_pay(players, 5, [three], ti=2)
    assert t.must_flip
    t.flip(three)
    assert t.can_pay_rest
    assert t["paid"] == 3
    t.pay_rest()
    assert (t.ti[0], t.pools) == (0, [1, 1, 0, 0])


def test_the_excess_of_the_last_flip_is_lost(players: int) -> None:
    # N7
    four = bishop(4, ROME)
    t = to_pay(players, 3, [four], ti=2, pools=[0, 1, 0, 0])
    t.flip(four)
    assert t.ti[0] == 2
    assert t.pools == [0, 1, 0, 0]
    assert t.asked == (1, "turn")


def test_a_payment_ends_with_the_flip_that_reaches_the_price(players: int) -> None:
    # N7: 2 + 2 reach 4, the third is not asked for
    cards = [bishop(2, ROME) for _ in range(3)]
    t = to_pay(players, 4, cards, ti=1)
    t.flip(cards[2])
    assert t.asked == (0, "payment")
    t.flip(cards[0])
    assert t.asked == (1, "turn")
    assert t.up(0)[:1] == [cards[1]]


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    ("space", "cost"),
    [(REFRESH_1, 1), (REFRESH_2, 2), (DEBATE_SPACE, 2), (NEW_OFFER_SPACE, 3), (FREE_3, 3),
     (FREE_4, 4)],
)  # fmt: skip
def test_an_action_is_offered_if_it_can_be_paid(
    players: int, space: int, cost: int, short: bool
) -> None:
    # N7, N10: a payment must exist before anything is begun; here with TI alone
    t = build(players, ti=[cost - short])
    assert (space in t.takes) == (not short)
    if not short:
        t.take(space)
        assert t.asked == (0, "payment")
        assert t["price"] == cost
        t.pay_rest()
        assert sum(t.ti) + sum(t.pools) == cost
        assert t.ti[0] == 0


@pytest.mark.parametrize(("ti", "offered"), [(0, False), (1, False), (2, True), (3, True)])
def test_bishops_and_influence_count_together(players: int, ti: int, offered: bool) -> None:
    # N7: Bishops of 1 and 2 with 0 to 3 TI against a cost of 5
    card = bishop(5, ANTIOCH)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(1), bishop(2)]}, ti=[ti])
    assert ((card, 0) in t.plays) == offered


def test_face_down_bishops_do_not_pay(players: int) -> None:
    # only face-up Bishops can be flipped
    down, up = bishop(3), bishop(2)
    t = build(players, tableaus={0: [down, up]}, flipped=[down])
    assert t.takes == [ZERO, REFRESH_1, REFRESH_2, DEBATE_SPACE]
    t.take(REFRESH_1)
    assert t.flips == {up}


def test_canons_are_never_flipped(players: int) -> None:
    # N9
    t = build(players, tableaus={0: [canon(3), canon(3)]})
    assert t.takes == [ZERO]
    t = build(players, tableaus={0: [canon(3), bishop(1)]})
    assert t.takes == [ZERO, REFRESH_1]
    t.take(REFRESH_1)
    assert {card.is_canon for card in t.flips} == {False}


def test_only_the_own_tableau_and_influence_pay(players: int) -> None:
    # N9: not the rivals', not cards in hand
    rivals = {seat: [bishop(4)] for seat in range(1, players)}
    t = build(players, hands={0: [bishop(1, ASIA)]}, tableaus=rivals, ti=[0, 9, 9, 9])
    assert t.takes == [ZERO]
    assert t.plays == set()


def test_a_card_does_not_pay_for_itself(players: int) -> None:
    # N9: payment is complete before it is placed
    card = bishop(3, ANTIOCH)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(2)]})
    assert t.plays == set()
    card, two = bishop(2, ANTIOCH), bishop(2, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [two]})
    t.play(card)
    assert t.flips == {two}
    assert t.hand(0) == {card}
    assert t.tableau(0) == [two]
    t.flip(two)
    assert t.tableau(0) == [two, card]
    assert t.up(0) == [card]


def test_a_card_for_a_rival_is_paid_by_the_player(players: int) -> None:
    # N9
    card, own, theirs = bishop(3, ANTIOCH), bishop(3, ROME), bishop(3, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [own], 2: [theirs]}, ti=[0, 0, 5], pools=[1])
    t.play(card, to=2)
    assert t.flips == {own}
    assert t.must_flip
    t.flip(own)
    assert t.up(2) == [theirs, card]
    assert t.ti[2] == 5


def test_no_payment_is_asked_where_nothing_is_to_pay(players: int) -> None:
    # N17, and the space of cost 0
    card = bishop(3, ROME)
    t = build(players, hands={1: [card]}, tableaus={1: [bishop(2, ROME)]}, ti=[5, 5])
    t.take(ZERO)
    assert t.asked == (1, "turn")
    t.play(card)
    assert t.asked == (2, "turn")
    assert t.ti[:2] == [5, 5]


@pytest.mark.parametrize(
    ("price", "pools"),
    [
        (1, [1, 0, 0, 0]),
        (3, [1, 1, 1, 0]),
        (4, [1, 1, 1, 1]),
        (5, [2, 1, 1, 1]),
        (6, [2, 2, 1, 1]),
        (9, [3, 2, 2, 2]),
    ],
)
def test_influence_goes_into_the_pools_one_by_one(
    players: int, price: int, pools: list[int]
) -> None:
    # N8: the fifth goes to the top again
    t = to_pay(players, price, [], ti=9)
    t.pay_rest()
    assert t.pools == pools


def test_influence_comes_on_top_of_what_is_in_the_pools(players: int) -> None:
    # N8: the top pool first, however full it is
    t = to_pay(players, 3, [], ti=3, pools=[4, 0, 0, 1])
    t.pay_rest()
    assert t.pools == [5, 1, 1, 1]


def test_only_influence_goes_into_the_pools(players: int) -> None:
    # N8: 4 by a Bishop, then 2 TI from the top pool on
    four = bishop(4, ROME)
    t = to_pay(players, 6, [four], ti=2)
    t.flip(four)
    t.pay_rest()
    assert t.pools == [1, 1, 0, 0]


def test_each_payment_starts_at_the_top(players: int) -> None:
    # N8: Action cost and doctrine price are two payments, 2 and 2
    t = build(players, ti=[4, 1])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.pools == [1, 1, 0, 0]
    t.buy("I-A")
    assert t.asked == (0, "payment")
    assert t["price"] == 2
    t.pay_rest()
    assert t.pools == [2, 2, 0, 0]
    t.take(REFRESH_1)  # and the next player's payment too
    t.pay_rest()
    assert t.pools == [3, 2, 0, 0]


def test_excess_does_not_carry_over_to_the_next_payment(players: int) -> None:
    # N8: a Bishop of 4 for the Action of cost 2 pays nothing of the doctrine
    four = bishop(4)
    t = build(players, tableaus={0: [four]}, ti=[1])
    t.take(DEBATE_SPACE)
    t.flip(four)
    assert t.asked == (1, "turn")  # 1 TI is less than any price
    t = build(players, tableaus={0: [bishop(4)]}, ti=[2])
    t.take(DEBATE_SPACE)
    t.flip(*t.flips)
    t.buy("I-A")
    assert t["price"] == 2
    t.pay_rest()
    assert t.ti[0] == 0


def test_more_influence_than_there_are_counters(players: int) -> None:
    # N9: the supply of 36 is unlimited
    t = build(players, ti=[40] * players, pools=[30, 30, 0, 0])
    t.pass_turn()
    assert t.ti[0] == 70
    t.take(FREE_4)
    t.pay_rest()
    assert t.ti[1] == 36
    assert t.pools == [1, 31, 1, 1]


@pytest.mark.parametrize("seed", range(40))
def test_offers_agree_with_all_sets(seed: int) -> None:
    # N7: at every step exactly the cards that belong to a finished payment
    rng = np.random.default_rng(seed)
    own = [bishop(int(cost), ROME) for cost in rng.integers(1, 6, int(rng.integers(0, 8)))]
    ti = int(rng.integers(0, 5))
    price = int(rng.integers(1, 10))
    card = bishop(price, ANTIOCH)
    t = build(4, hands={0: [card]}, tableaus={0: own}, ti=[ti])
    finished = thrifty_sets(own, price, ti)
    assert ((card, 0) in t.plays) == bool(finished)
    if not finished:
        return
    t.play(card)
    flipped: set[Card] = set()
    while t.kind == "payment":
        possible = [found for found in finished if flipped <= found]
        total = sum(paid.cost for paid in flipped)
        assert t.flips == set().union(*possible) - flipped
        assert t.can_pay_rest == (flipped in possible and total < price)
        assert (t["paid"], t["price"]) == (total, price)
        action = int(rng.choice(sorted(t.legal)))
        before = t.flips
        t.step(action)
        flipped |= before - set(t.up(0))
    assert flipped in finished
    assert t.ti[0] == ti - max(0, price - sum(paid.cost for paid in flipped))
