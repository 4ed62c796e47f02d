"""Playing a card: to whose tableau, what it costs, and the majority of suits."""

from __future__ import annotations

import pytest

from tests.games.nicaea.tables import (
    ALEXANDRIA,
    ANTIOCH,
    ASIA,
    PALESTINE,
    REFRESH_1,
    ROME,
    bishop,
    build,
    canon,
)


def offered(players: int, suit: int, row: list[int], down: tuple[int, ...] = ()) -> bool:
    """Whether a card of ``suit`` can be played to a rival's tableau of these suits for nothing."""
    cards = [bishop(1, each) for each in row]
    card = bishop(4, suit)
    t = build(players, hands={0: [card]}, tableaus={1: cards}, flipped=[cards[k] for k in down])
    return (card, 1) in t.plays


def test_no_card_in_hand_no_play(players: int) -> None:
    # "If you do not have a card in your hand, you can't play one!"
    t = build(players, hands={1: [canon()]}, tableaus={0: [bishop(4)]}, ti=[20])
    assert t.plays == set()


def test_a_card_may_go_to_any_tableau(players: int) -> None:
    # "you can totally play cards to another player's tableau!"
    card, rule = bishop(2), canon(2)
    t = build(players, hands={0: [card, rule]}, ti=[2])
    expected = {(c, seat) for c in (card, rule) for seat in range(players)}
    assert t.plays == expected


def test_targets_are_counted_from_any_seat(players: int) -> None:
    # the same from the last seat
    card = bishop(2)
    last = players - 1
    t = build(players, actor=last, hands={last: [card]}, ti=[0] * last + [2])
    assert t.plays == {(card, seat) for seat in range(players)}
    t.play(card, to=1)
    t.pay_rest()
    assert t.tableau(1) == [card]


def test_a_card_goes_to_the_right_of_the_tableau(players: int) -> None:
    # face up, behind face-down cards too
    a, b, card = bishop(1), bishop(3), canon(2, ANTIOCH)
    t = build(players, hands={0: [card]}, tableaus={2: [a, b]}, flipped=[b], ti=[2])
    t.play(card, to=2)
    assert t.hand(0) == {card}  # until it is paid
    t.pay_rest()
    assert t.tableau(2) == [a, b, card]
    assert t.up(2) == [a, card]
    assert t.hand(0) == set()
    assert t.asked == (1, "turn")


def test_whose_tableau_it_is_owns_the_card(players: int) -> None:
    # N17: seat 1 pays with the Bishop that seat 0 gave it
    gift = bishop(1)
    t = build(players, hands={0: [gift]}, ti=[1])
    t.play(gift, to=1)
    t.pay_rest()
    t.take(REFRESH_1)
    assert t.asked == (1, "payment")
    assert t.flips == {gift}


def test_cost_of_bishop_and_canon_is_the_printed_one(players: int) -> None:
    # a Canon has a cost in Influence as a Bishop does
    for card, ti in ((bishop(4), 4), (canon(3), 3)):
        t = build(players, hands={0: [card]}, ti=[ti - 1])
        assert t.plays == set()
        t = build(players, hands={0: [card]}, ti=[ti])
        t.play(card)
        assert t["price"] == ti


@pytest.mark.parametrize(
    ("suit", "row", "free"),
    [
        (ROME, [], False),  # at least one card must be there
        (ROME, [ROME], True),
        (ROME, [ASIA], False),
        (ROME, [ASIA, ROME], True),  # a tie
        (ROME, [ASIA, ROME, ASIA], False),
        (ASIA, [ASIA, ROME, ASIA], True),
        (ROME, [ASIA, ROME, ASIA, ROME], True),
        (PALESTINE, [ASIA, ROME, ASIA, ROME], False),
        (ALEXANDRIA, [ALEXANDRIA, ANTIOCH, ASIA, PALESTINE, ROME], True),
        (ALEXANDRIA, [ALEXANDRIA, ANTIOCH, ASIA, PALESTINE, ROME, ROME], False),
    ],
)
def test_majority_of_suits(players: int, suit: int, row: list[int], free: bool) -> None:
    # N17: ties all count
    assert offered(players, suit, row) == free


def test_face_down_cards_have_no_suit(players: int) -> None:
    # N17: only face-up cards are counted
    assert not offered(players, ROME, [ROME], down=(0,))
    assert offered(players, ROME, [ROME, ASIA, ASIA], down=(1,))  # one each
    assert not offered(players, ROME, [ROME, ASIA, ASIA])
    assert not offered(players, ROME, [ROME, ROME, ASIA, ASIA], down=(0,))


def test_canons_count(players: int) -> None:
    # N17
    card = bishop(4, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [canon(2, ROME)]})
    assert t.plays == {(card, 0)}
    row = [canon(2, ROME), bishop(1, ASIA), canon(3, ASIA)]
    card = bishop(4, ROME)
    t = build(players, hands={0: [card]}, tableaus={1: row})
    assert t.plays == set()


def test_a_canon_can_be_free(players: int) -> None:
    # N17
    card = canon(3, ASIA)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(1, ASIA)]})
    t.play(card)
    assert t.asked == (1, "turn")
    assert len(t.tableau(0)) == 2


def test_a_rivals_suits_count_for_a_rivals_tableau(players: int) -> None:
    # N17: each tableau by itself
    card = bishop(4, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(1, ASIA)], 2: [bishop(1, ROME)]})
    assert t.plays == {(card, 2)}
    t.play(card, to=2)
    assert t.asked == (1, "turn")
    assert t.tableau(2)[-1] is card
    assert [other.cost for other in t.up(0)] == [1]  # nothing was paid


def test_a_matching_card_is_always_free(players: int) -> None:
    # N17: paying by choice is not offered
    card = bishop(4, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(4, ROME)]}, ti=[9])
    t.play(card)
    assert t.asked == (1, "turn")
    assert (t.ti[0], t.pools) == (9, [0, 0, 0, 0])


def test_the_suit_test_comes_before_the_payment(players: int) -> None:
    # N17: Rome 2 to Asia 1; the first flip makes them even, and changes nothing
    a, b = bishop(2, ROME), bishop(1, ROME)
    card = bishop(3, ASIA)
    t = build(players, hands={0: [card]}, tableaus={0: [a, b, canon(2, ASIA)]})
    t.play(card)
    t.flip(a)
    assert t.asked == (0, "payment")
    assert t.flips == {b}
    t.flip(b)
    assert t.tableau(0)[-1] is card


def test_the_suit_test_comes_before_the_placing(players: int) -> None:
    # N17: a tie that the card itself would make does not count
    card = bishop(4, ROME)
    row = [bishop(1, ROME), bishop(1, ASIA), bishop(1, ASIA)]
    t = build(players, hands={0: [card]}, tableaus={1: row}, ti=[4])
    t.play(card, to=1)
    assert t.asked == (0, "payment")


def test_a_gift_needs_no_consent_and_has_no_limit(players: int) -> None:
    # N17
    cards = [bishop(4, ROME) for _ in range(4)]
    t = build(players, hands={0: cards}, tableaus={1: [bishop(1, ROME)]})
    for k, card in enumerate(cards):
        t.play(card, to=1)
        assert len(t.tableau(1)) == k + 2
        t.pass_turn(players - 1)
    assert t.asked == (0, "turn")


def test_flipping_for_one_card_can_change_the_majority_for_the_next(players: int) -> None:
    # N17: the test is made anew for every play
    rome = bishop(2, ROME)
    first, second = bishop(2, PALESTINE), bishop(4, ASIA)
    row = [rome, bishop(1, ROME), canon(2, ASIA)]
    t = build(players, hands={0: [first, second]}, tableaus={0: row})
    assert (second, 0) not in t.plays  # two of Rome, and only 3 to pay with
    t.play(first)
    t.flip(rome)
    t.pass_turn(players - 1)
    t.play(second)  # one each of Rome, Asia and Palestine
    assert t.asked == (1, "turn")
