"""The Actions of the display but New Offer: what each does, and what happens when it cannot."""

from __future__ import annotations

import pytest

from tests.games.nicaea.tables import (
    ANTIOCH,
    DEBATE_SPACE,
    FREE_3,
    FREE_4,
    NEW_OFFER_SPACE,
    REFRESH_1,
    REFRESH_2,
    ROME,
    ZERO,
    bishop,
    build,
    canon,
)

FREE_PLAYS = [FREE_3, FREE_4]
REFRESHES = [REFRESH_1, REFRESH_2]


def test_the_card_goes_to_hand(players: int) -> None:
    # an Action brings the card into the hand, not into the tableau, and leaves a hole
    t = build(players)
    before = t.display
    t.take(ZERO)
    assert t.hand(0) == {before[ZERO]}
    assert t.tableau(0) == []
    assert t.display == [None, *before[1:]]
    assert t["deck_size"] == 33


@pytest.mark.parametrize("is_canon", [False, True])
def test_the_cost_of_the_card_is_not_paid(players: int, is_canon: bool) -> None:
    # only the cost of the Action
    card = canon(3) if is_canon else bishop(9)
    t = build(players, display={ZERO: card})
    t.take(ZERO)
    assert t.hand(0) == {card}
    assert t.asked == (1, "turn")


@pytest.mark.parametrize("space", range(7))
def test_a_space_without_a_card_cannot_be_taken(players: int, space: int) -> None:
    # N10
    t = build(players, display={space: None}, ti=[9])
    assert t.takes == [k for k in range(7) if k != space]


def test_all_spaces_empty(players: int) -> None:
    # N10: passing is left
    t = build(players, display=dict.fromkeys(range(7)), ti=[9])
    assert t.takes == []
    assert len(t.legal) == 1
    assert t.can_pass


@pytest.mark.parametrize("space", REFRESHES)
def test_refresh_turns_the_leftmost_face_down_card(players: int, space: int) -> None:
    # N11: exactly one, and it must
    a, b, c = bishop(1), bishop(2), bishop(3)
    t = build(players, tableaus={0: [a, b, c]}, flipped=[b, c], ti=[space])
    t.take(space)
    t.pay_rest()
    assert t.asked == (1, "turn")
    assert t.up(0) == [a, b]


@pytest.mark.parametrize("space", REFRESHES)
def test_refresh_with_nothing_face_down(players: int, space: int) -> None:
    # N10: the card is taken all the same
    a, theirs = bishop(1), bishop(2)
    t = build(players, tableaus={0: [a], 1: [theirs]}, flipped=[theirs], ti=[space])
    taken = t.display[space]
    t.take(space)
    t.pay_rest()
    assert t.asked == (1, "turn")
    assert t.hand(0) == {taken}
    assert t.up(0) == [a]
    assert t.up(1) == []  # a rival's card is not refreshed


def test_refresh_may_turn_up_the_card_just_flipped(players: int) -> None:
    # N12
    one, three = bishop(1), bishop(3)
    t = build(players, tableaus={0: [one, three]}, flipped=[three])
    t.take(REFRESH_1)
    t.flip(one)
    assert t.up(0) == [one]  # the leftmost is the one just flipped


def test_refresh_turns_a_card_further_left_than_the_one_just_flipped(players: int) -> None:
    # N12
    three, one = bishop(3), bishop(1)
    t = build(players, tableaus={0: [three, one]}, flipped=[three])
    t.take(REFRESH_1)
    t.flip(one)
    assert t.up(0) == [three]


def test_debate_doctrine_lets_the_player_buy_one(players: int) -> None:
    # N12: the player alone, one card, at the price of the track
    t = build(players, ti=[9, 9, 9])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.asked == (0, "debate_doctrine")
    assert len(t.buys) == 10
    t.buy("II-B")
    t.pay_rest()
    assert t.doctrine(0) == "II-B"
    assert t.tokens == [0, 1, 0, 0, 0]
    assert t.ti[0] == 9 - 2 - 2
    assert t.asked == (1, "turn")
    assert len(t.hand(0)) == 1


def test_debate_doctrine_may_be_declined(players: int) -> None:
    # N11
    t = build(players, ti=[9])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.can_decline
    t.decline()
    assert t.asked == (1, "turn")
    assert t.doctrine(0) == ""
    assert len(t.hand(0)) == 1
    assert t.ti[0] == 7


@pytest.mark.parametrize(("ti", "asked"), [(2, False), (3, False), (4, True)])
def test_debate_doctrine_asks_only_who_can_buy(players: int, ti: int, asked: bool) -> None:
    # N10: what is left after the Action's cost must reach the lowest price, 2
    t = build(players, ti=[ti])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.asked == ((0, "debate_doctrine") if asked else (1, "turn"))
    assert (len(t.hand(0)) == 0) == asked  # taken after the purchase, and also without one


def test_debate_doctrine_offers_what_can_be_paid(players: int) -> None:
    # N12: 1 TI is left: only the contrarian side of III at 1
    t = build(players, doctrine={1: "III-A"}, ti=[3])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.buys == {"III-B"}


def test_debate_doctrine_follows_all_rules_of_buying(players: int) -> None:
    # N12: own side only, two at most, nothing settled
    held = {0: "I-A II-B II-B", 1: "V-A V-A", 2: "V-A V-A"}
    t = build(
        players, doctrine=held, settled="V-A", ti=[30], markers={1: [4, 5], 2: [4, 6]},
        tokens=(1, 2, 0, 0, 0),
    )  # fmt: skip
    t.take(DEBATE_SPACE)
    t.pay_rest()
    assert t.buys == {"I-A", "III-A", "III-B", "IV-A", "IV-B"}


def test_debate_doctrine_settles_at_once(players: int) -> None:
    # N12, N26: before the card is taken, and the game goes on
    held = {1: "I-A", 2: "I-A", 3: "I-A"}
    t = build(players, doctrine=held, tokens=(3, 0, 0, 0, 0), ti=[20])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    t.buy("I-A")
    assert t["price"] == 5
    t.pay_rest()
    assert t["settled"].tolist() == [1, 0, 0, 0, 0]
    assert t.of_seats("marker_count")[:4] == [1, 1, 1, 1]
    assert t.asked == (1, "turn")


def test_cost_and_price_are_paid_from_the_same_tableau(players: int) -> None:
    # N8: one after the other
    two, other = bishop(2), bishop(2)
    t = build(players, tableaus={0: [two, other]})
    t.take(DEBATE_SPACE)
    t.flip(two)
    t.buy("I-A")
    assert t.flips == {other}
    t.flip(other)
    assert t.up(0) == []


@pytest.mark.parametrize("space", FREE_PLAYS)
def test_play_free_card(players: int, space: int) -> None:
    # N13: any card of the hand, whatever its suit and cost, into one's own tableau, on the right
    left, dear, rule = bishop(1, ROME), bishop(9, ANTIOCH), canon(3, ANTIOCH)
    cost = 3 if space == FREE_3 else 4
    t = build(players, hands={0: [dear, rule]}, tableaus={0: [left]}, ti=[cost])
    t.take(space)
    t.pay_rest()
    assert t.asked == (0, "free_play")
    assert t.plays == {(dear, 0), (rule, 0)}
    assert len(t.legal) == 3
    assert t.can_decline
    t.play(dear)
    assert t.tableau(0) == t.up(0) == [left, dear]
    assert t.ti[0] == 0
    assert t.asked == (1, "turn")
    assert len(t.hand(0)) == 2  # the Canon and the card of the space


@pytest.mark.parametrize("space", FREE_PLAYS)
def test_play_free_may_be_declined(players: int, space: int) -> None:
    # N11
    card = canon(3)
    t = build(players, hands={0: [card]}, ti=[4])
    t.take(space)
    t.pay_rest()
    t.decline()
    assert t.tableau(0) == []
    assert card in t.hand(0)
    assert t.asked == (1, "turn")


@pytest.mark.parametrize("space", FREE_PLAYS)
def test_play_free_with_an_empty_hand(players: int, space: int) -> None:
    # N10, N13: the card being taken is not in hand yet, so there is none
    t = build(players, ti=[4])
    taken = t.display[space]
    t.take(space)
    t.pay_rest()
    assert t.asked == (1, "turn")
    assert t.hand(0) == {taken}
    assert t.tableau(0) == []


def test_the_card_being_taken_stays_on_the_display_until_the_end(players: int) -> None:
    # N13
    card = canon(3)
    t = build(players, hands={0: [card]}, ti=[3])
    taken = t.display[FREE_3]
    t.take(FREE_3)
    t.pay_rest()
    assert t.display[FREE_3] is taken
    t.decline()
    assert t.display[FREE_3] is None
    assert t.hand(0) == {card, taken}


def test_no_hand_limit(players: int) -> None:
    # N19
    t = build(players, constantine=1, ti=[0, 0, 99])
    for space in (ZERO, REFRESH_1, REFRESH_2, DEBATE_SPACE, FREE_3, FREE_4, NEW_OFFER_SPACE):
        while t.actor != 2:
            t.pass_turn()
        t.take(space)
        while t.actor == 2:
            if t.can_pay_rest:
                t.pay_rest()
            elif t.can_decline:
                t.decline()
            else:
                t.copy("nothing")
    assert len(t.hand(2)) == 7
    assert t["rounds"] == 0
    assert t["where"][t["where"] < 6].tolist() == [2] * 7
