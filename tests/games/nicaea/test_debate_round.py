"""The Debate Round: bonus, refresh, purchases, refill and Influence, in this order."""

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
    Card,
    bishop,
    build,
    canon,
    pair,
)


def canons(count: int) -> list[Card]:
    """So many Canons, of one suit."""
    return [canon(2, ANTIOCH) for _ in range(count)]


def twins(first: int = 1, second: int = 1) -> tuple[Card, Card]:
    """Both cards of a figure with these bonuses; they cost 9 and so buy whatever one likes."""
    return pair(bishop(9, bonus=first), bishop(9, bonus=second))


# Constantine


@pytest.mark.parametrize("first", range(4))
def test_constantine_goes_to_the_first_passer(players: int, first: int) -> None:
    # N20: from another player
    t = build(players, actor=first, constantine=(first + 1) % players)
    t.pass_round()
    assert (t["constantine"], t["constantine_space"]) == (first, -1)
    assert t.asked == (first, "turn")


@pytest.mark.parametrize("space", [ZERO, REFRESH_1, DEBATE_SPACE, NEW_OFFER_SPACE, FREE_4])
def test_constantine_leaves_the_display(players: int, space: int) -> None:
    # N20, N27: its space is filled with the others
    t = build(players, actor=3, marked=space, display={space: None})
    t.pass_round()
    assert (t["constantine"], t["constantine_space"]) == (3, -1)
    assert None not in t.display
    assert t.actor == 3


def test_constantine_moves_before_the_purchases(players: int) -> None:
    # N20
    t = build(players, actor=2, tableaus={0: [bishop(2)]})
    t.pass_round()
    assert t.asked == (0, "debate_round")
    assert t["constantine"] == 2


# bonus


@pytest.mark.parametrize(("first", "second", "total"), [(2, 2, 4), (1, 2, 3), (2, 1, 3), (0, 0, 0)])
def test_bonus_of_a_pair(players: int, first: int, second: int, total: int) -> None:
    # N21: the sum of the two printed numbers
    a, b = twins(first, second)
    t = build(players, tableaus={1: [bishop(1), a, canon(), b]})
    t.pass_round()
    assert t.asked[1] == "debate_round"
    assert t.ti == [0, total, *[0] * (players - 2)]
    assert t["issued"] == total


def test_no_bonus_for_half_a_pair(players: int) -> None:
    # N21: one face-down, both face-down, in hand, in another tableau
    a, b = twins()
    t = build(players, tableaus={0: [a, b, bishop(9)]}, flipped=[b])
    t.pass_round()
    assert t.ti == [0] * players
    a, b = twins()
    t = build(players, tableaus={0: [a, b, bishop(9)]}, flipped=[a, b])
    t.pass_round()
    assert t.ti == [0] * players
    a, b = twins()
    t = build(players, tableaus={0: [a]}, hands={0: [b]})
    t.pass_round()
    assert t.ti == [0] * players
    a, b = twins()
    t = build(players, tableaus={0: [a], 1: [b]})
    t.pass_round()
    assert t.ti == [0] * players


def test_bonus_of_two_pairs(players: int) -> None:
    # N21: and of several players
    a, b = twins(1, 2)
    c, d = twins(3, 1)
    e, f = twins(2, 2)
    t = build(players, tableaus={0: [a, c, d, b], 3: [e, f]})
    t.pass_round()
    assert t.ti == [7, 0, 0, 4, *[0] * (players - 4)]


def test_bonus_comes_before_refresh(players: int) -> None:
    # N20: the pair is completed a step too late
    a, b = twins()
    t = build(players, tableaus={0: [a, b]}, flipped=[b], doctrine={0: "I-A"})
    t.pass_round()
    assert t.ti[0] == 0
    assert t.up(0) == [a, b]


def test_bonus_pays_for_purchases_and_is_lost_after_them(players: int) -> None:
    # N20: bonus, purchases, and Influence at the end
    a, b = pair(bishop(1, bonus=2), bishop(1, bonus=2))
    t = build(players, tableaus={0: [a, b, canon()]})
    t.pass_round()
    assert t.asked == (0, "debate_round")
    assert t.ti[0] == 4
    t.buy("I-A")
    t.pay_rest()
    assert t.asked == (0, "turn")
    # of 2 left one is kept with one Canon; 2 in the pools are too few to share
    assert t.ti[0] == 1
    assert t.pools == [1, 1, 0, 0]


# refresh


@pytest.mark.parametrize(
    ("held", "tokens", "count"),
    [
        ("", (0, 0, 0, 0, 0), 0),
        ("I-A", (0, 0, 0, 0, 0), 1),  # ½
        ("I-A I-A", (0, 0, 0, 0, 0), 1),  # ½ + ½
        ("I-A II-B", (0, 0, 0, 0, 0), 1),
        ("I-A II-B III-A", (0, 0, 0, 0, 0), 2),  # 1½, rounded up once and not three times
        ("I-A I-A II-B II-B III-A", (0, 0, 0, 0, 0), 3),  # 2½
        ("I-A", (2, 0, 0, 0, 0), 1),
        ("I-A II-A", (2, 0, 0, 0, 0), 2),  # 1 + ½
        ("I-A", (4, 0, 0, 0, 0), 2),  # 1½
        ("I-A I-A", (4, 0, 0, 0, 0), 3),  # 1½ + 1½
        ("I-A II-B", (6, 8, 0, 0, 0), 4),  # 2 + 2
        ("I-A I-A II-B II-B", (8, 8, 0, 0, 0), 6),  # 8, and there are but six
    ],
)
def test_number_of_cards_refreshed(
    players: int, held: str, tokens: tuple[int, ...], count: int
) -> None:
    # N22
    down = [bishop(9) for _ in range(6)]
    t = build(players, tableaus={1: down}, flipped=down, doctrine={1: held}, tokens=tokens)
    t.pass_round()
    assert t.up(1) == down[:count]


def test_refresh_from_the_left(players: int) -> None:
    # N22: face-up cards and Canons are passed over
    a, b, c, d, e = bishop(1), bishop(1), canon(), bishop(1), bishop(1)
    t = build(
        players, tableaus={0: [a, b, c, d, e]}, flipped=[b, d, e], doctrine={0: "I-A II-A III-A"}
    )
    t.pass_round()
    assert t.up(0) == [a, b, c, d]


def test_settled_disputes_do_not_refresh(players: int) -> None:
    # N26: the winners of I hold their cards, and turn nothing up with them
    down = [bishop(9) for _ in range(4)]
    held = {0: "I-A I-A II-A", 1: "I-A I-A"}
    t = build(
        players, tableaus={0: down}, flipped=down, doctrine=held, settled="I-A",
        markers={0: [4, 4], 1: [5, 5]}, tokens=(0, 4, 0, 0, 0),
    )  # fmt: skip
    t.pass_round()
    assert t.up(0) == down[:2]  # 1½ for II


def test_refresh_comes_before_purchases(players: int) -> None:
    # N20: what is turned up can pay
    down = bishop(2)
    t = build(players, tableaus={0: [down]}, flipped=[down], doctrine={0: "I-A"})
    t.pass_round()
    assert t.asked == (0, "debate_round")
    t.buy("II-A")
    assert t.flips == {down}


def test_a_purchase_of_the_round_refreshes_nothing(players: int) -> None:
    # N22: doctrine cards and tokens from before the purchases
    down = [bishop(9) for _ in range(3)]
    own = bishop(9)
    t = build(
        players, tableaus={0: [*down, own], 1: [bishop(9)]}, flipped=down, doctrine={1: "I-A"}
    )
    t.pass_round()
    assert t.asked == (0, "debate_round")
    t.buy("I-A")
    t.flip(own)
    t.decline_all()
    assert t.up(0) == []


# purchases


def test_purchases_from_the_last_passer_clockwise(players: int) -> None:
    # N23: every player once
    rows = {seat: [bishop(2)] for seat in range(players)}
    for first in range(players):
        t = build(players, actor=first, tableaus=rows)
        t.pass_round()
        for k in range(players):
            assert t.asked == ((first - 1 + k) % players, "debate_round")
            assert t["asked"] == k
            t.decline()
        assert t.asked == (first, "turn")


def test_only_who_can_buy_is_asked(players: int) -> None:
    # nobody is asked where nothing can happen: 2 is the lowest price
    last = players - 1
    t = build(players, tableaus={0: [bishop(1)], 2: [bishop(2)], last: [bishop(1), bishop(1)]})
    t.pass_round()
    assert t.asked == (last, "debate_round")
    t.decline()
    assert t.asked == (2, "debate_round")
    t.decline()
    assert t.asked == (0, "turn")


def test_one_purchase_each(players: int) -> None:
    # N23
    t = build(players, tableaus={0: [bishop(9), bishop(9)]})
    t.pass_round()
    t.buy("I-A")
    assert t.asked == (0, "payment")
    t.flip(t.tableau(0)[0])
    assert t.asked == (0, "turn")
    assert t.doctrine(0) == "I-A"


def test_prices_change_as_they_go(players: int) -> None:
    # N23: the last passer is seat n-1
    last = players - 1
    t = build(players, tableaus={seat: [bishop(9)] for seat in (last, 0, 1, 2)})
    t.pass_round()
    for name, price, token in (("I-A", 2, 1), ("I-A", 3, 2), ("I-B", 2, 3), ("I-A", 5, 4)):
        t.buy(name)
        assert t["price"] == price
        t.flip(*t.flips)
        assert t.tokens[0] == token
    assert t.asked == (0, "turn")
    assert [t.doctrine(seat) for seat in (last, 0, 1, 2)] == ["I-A", "I-A", "I-B", "I-A"]


def test_an_early_purchase_can_take_the_last_chance(players: int) -> None:
    # N23, N26: seat 0 settles I, so that seat 1 cannot buy it any more
    held = {1: "I-A", 2: "I-A", 3: "I-A"}
    t = build(players, actor=1, tableaus={0: [bishop(9)], 1: [bishop(9)]}, doctrine=held)
    t.pass_round()
    assert t.asked == (0, "debate_round")
    t.buy("I-A")
    t.flip(*t.flips)
    assert t.asked == (1, "debate_round")
    assert {name for name in t.buys if name.startswith("I-")} == set()
    assert t.of_seats("marker_count")[:4] == [1, 1, 1, 1]


def test_a_purchase_settled_by_the_last_passer_makes_it_dear_for_nobody(players: int) -> None:
    # N23: who was able and is not any more is not asked
    held = {1: "I-A", 2: "I-A", 3: "I-A"}
    t = build(
        players, actor=1, tableaus={0: [bishop(9)], 1: [bishop(2)]}, doctrine=held,
        tokens=(0, 1, 1, 1, 1),
    )  # fmt: skip
    t.pass_round()
    t.buy("I-A")  # the only dispute that seat 1 could have paid for: doubling costs 4, others 3
    t.flip(*t.flips)
    assert t.asked == (1, "turn")


# refill


def test_refill_slides_left_and_draws(players: int) -> None:
    # N27
    top = [bishop(1), bishop(1), bishop(1)]
    t = build(players, display={ZERO: None, DEBATE_SPACE: None, FREE_3: None}, deck=[*top, canon()])
    before = t.display
    t.pass_round()
    assert t.display == [before[1], before[2], before[4], before[6], *top]
    assert len(t.deck) == 1


def test_refill_of_an_empty_display(players: int) -> None:
    # N27
    top = [bishop(1) for _ in range(8)]
    t = build(players, display=dict.fromkeys(range(7)), deck=top)
    t.pass_round()
    assert t.display == top[:7]
    assert t.deck == top[7:]


def test_refill_of_a_full_display(players: int) -> None:
    # N27
    t = build(players)
    before = t.display
    t.pass_round()
    assert t.display == before
    assert t["deck_size"] == 33


def test_refill_with_too_small_a_deck(players: int) -> None:
    # N27, N29: the rest stays empty, on the right, and the game is at its end
    top = [bishop(1)]
    t = build(players, display={ZERO: None, REFRESH_2: None, FREE_4: None}, deck=top)
    before = t.display
    t.pass_round()
    assert t.display == [before[1], before[3], before[4], before[5], top[0], None, None]
    assert t.kind == "naming"


def test_refill_comes_after_purchases(players: int) -> None:
    # N20: while they buy, the holes are there, the pools full and no TI lost
    t = build(
        players, tableaus={0: [bishop(2)]}, display={ZERO: None}, ti=[3, 1], pools=[0, 0, 0, 0]
    )
    t.pass_round()
    assert t.asked == (0, "debate_round")
    assert t.display[ZERO] is None
    assert t.ti[:2] == [3, 1]
    t.decline()
    assert t.display[ZERO] is not None
    assert t.ti[:2] == [0, 0]


# Influence


@pytest.mark.parametrize(("number", "ti", "kept"), [(0, 3, 0), (1, 3, 1), (2, 3, 2), (3, 3, 3),
                                                    (4, 3, 3)])  # fmt: skip
def test_a_canon_keeps_one_influence(players: int, number: int, ti: int, kept: int) -> None:
    # N28: the number of Canons, not their value; the rest goes to the supply
    rows = {2: [*canons(number), bishop(1)]}
    t = build(players, tableaus=rows, ti=[0, 0, ti])
    t.pass_round()
    t.decline_all()
    assert t.ti[2] == kept
    assert t["issued"] == kept


def test_only_canons_in_the_tableau_count(players: int) -> None:
    # N28: not in hand, not a rival's
    t = build(players, tableaus={1: canons(2)}, hands={0: canons(1)}, ti=[1, 1])
    t.pass_round()
    assert t.ti[:2] == [0, 1]


@pytest.mark.parametrize(
    ("total", "left"),
    [(0, [0, 0, 0, 0]), (1, [1, 0, 0, 0]), (2, [1, 1, 0, 0]), (3, [1, 1, 1, 0])],
)
@pytest.mark.parametrize("share", [0, 1, 2])
def test_pools_are_shared(players: int, share: int, total: int, left: list[int]) -> None:
    # N28: equally, the remainder from the top; all lies in the lowest pool before
    # one player is still to pass and takes what is in the top pool
    t = build(
        players, actor=1, passes=players - 1, pools=[1, 0, 0, share * players + total],
        tableaus={1: canons(1)},
    )  # fmt: skip
    t.pass_turn()
    assert t.ti == [share, share + 1, *[share] * (players - 2)]
    assert t.pools == left


def test_a_remainder_of_more_than_four(players: int) -> None:
    # N28: the fifth of a remainder comes to the top again; only with six players
    t = build(players, passes=players - 1, pools=[1, 2, 2, 1])
    t.pass_turn()
    share, pools = {4: (1, [1, 0, 0, 0]), 5: (1, [0, 0, 0, 0]), 6: (0, [2, 1, 1, 1])}[players]
    assert t.ti == [share] * players
    assert t.pools == pools


def test_the_pools_are_shared_as_one(players: int) -> None:
    # N28: their total, not pool by pool
    t = build(players, passes=players - 1, pools=[1, 1, players - 1, 1])
    t.pass_turn()
    assert t.ti == [1] * players
    assert t.pools == [1, 0, 0, 0]


def test_the_share_is_not_cut(players: int) -> None:
    # N28: first the cut, then the share: nobody has a Canon and all keep what they get
    t = build(players, passes=players - 1, ti=[1] * players, pools=[1, 0, 0, 3 * players])
    t.pass_turn()
    t.decline_all()
    assert t.ti == [3] * players
    assert t.pools == [0, 0, 0, 0]


def test_what_is_paid_in_the_round_is_shared_too(players: int) -> None:
    # N20, N28: seat 0 pays 2 TI into pools that hold players - 2 by then
    t = build(players, passes=players - 1, ti=[2], pools=[0, 0, 0, 0], tableaus={1: [canon(2)]})
    t.pass_turn()
    assert t.asked == (0, "debate_round")
    t.buy("I-A")
    t.pay_rest()
    assert t.pools == [1, 1, 0, 0]  # two are not enough for a share
    assert t.ti == [0] * players
    t = build(players, passes=players - 1, ti=[2], pools=[0, 0, 1, players - 2])
    t.pass_turn()  # takes the one
    assert t.ti[0] == 3
    t.buy("I-A")
    t.pay_rest()
    assert t.ti == [1] * players  # seat 0 had one left and lost it, then got its share
    assert t.pools == [0, 0, 0, 0]


# and on


def test_play_resumes_with_constantines_holder(players: int) -> None:
    # the first passer of the round begins, whoever bought last
    t = build(players, actor=2, tableaus={0: [bishop(2)]})
    t.pass_round()
    t.buy("I-A")
    t.flip(*t.flips)
    assert t.asked == (2, "turn")
    assert t["rounds"] == 1
    assert (t["passes"], t["first_passer"], t["asked"]) == (0, -1, 0)
    assert t["constantine"] == 2


def test_nobody_can_buy(players: int) -> None:
    # the whole round is over at once
    t = build(players, actor=3, tableaus={0: canons(3)}, ti=[1], display={ZERO: None})
    t.pass_round()
    assert t.asked == (3, "turn")
    assert t.ti[0] == 1
    assert None not in t.display


def test_hands_stay(players: int) -> None:
    # N19
    card = bishop(3, ROME)
    t = build(players, hands={1: [card]})
    t.pass_round()
    assert t.hand(1) == {card}
