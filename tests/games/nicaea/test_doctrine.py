"""Buying doctrine: prices, sides and limits, and how a dispute is settled."""

from __future__ import annotations

import pytest

from concilium.envs.nicaea.state import Event
from tests.games.nicaea.tables import BASE, CONTRARIAN, DEBATE_SPACE, Table, build, print_track


def debate(players: int, ti: int = 60, **position: object) -> Table:
    """Seat 0 may buy doctrine by an Action and has ``ti`` left."""
    t = build(players, ti=[ti + 2], **position)  # type: ignore[arg-type]
    t.take(DEBATE_SPACE)
    t.pay_rest()
    return t


def price(t: Table, doctrine: str) -> int:
    """Buy a doctrine card and return what it cost."""
    before = t.ti[0]
    t.buy(doctrine)
    asked = int(t["price"])
    t.pay_rest()
    assert before - t.ti[0] == asked
    return asked


@pytest.mark.parametrize("space", range(9))
def test_price_of_an_argument(players: int, space: int) -> None:
    # the larger number of the token's space, also for 0 to 0 (N24); the token moves one space
    for side in "AB":
        t = debate(players, tokens=(0, 0, space, 0, 0))
        assert price(t, f"III-{side}") == BASE[space]
        assert t.tokens == [0, 0, min(space + 1, 8), 0, 0]
        assert t.doctrine(0) == f"III-{side}"


@pytest.mark.parametrize("space", range(9))
def test_price_of_the_contrarian_side(players: int, space: int) -> None:
    # N24: strictly fewer cards in players' hands: the smaller number
    t = debate(players, doctrine={1: "I-A"}, tokens=(space, 0, 0, 0, 0))
    assert price(t, "I-B") == CONTRARIAN[space]
    t = debate(players, doctrine={1: "I-A"}, tokens=(space, 0, 0, 0, 0))
    assert price(t, "I-A") == BASE[space]


def test_the_rulebooks_example_of_a_contrarian(players: int) -> None:
    # two A, one B: B costs the smaller number, A the larger
    held = {1: "I-A", 2: "I-A", 3: "I-B"}
    assert price(debate(players, doctrine=held, tokens=(3, 0, 0, 0, 0)), "I-B") == 3
    assert price(debate(players, doctrine=held, tokens=(3, 0, 0, 0, 0)), "I-A") == 5


def test_equal_sides_have_no_contrarian(players: int) -> None:
    # N24
    held = {1: "I-A", 2: "I-B", 3: "II-A II-A"}
    for name in ("I-A", "I-B", "V-A", "V-B"):
        assert price(debate(players, doctrine=held, tokens=(2, 2, 0, 0, 2)), name) == 4


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({}, 2 * 4),  # 1 to 0: the side with more
        ({1: "I-B"}, 2 * 4),  # 1 to 1
        ({1: "I-B", 2: "I-B"}, 2 * 2),  # 1 to 2: contrarian
        ({1: "I-B I-B"}, 2 * 2),
        ({1: "I-A", 2: "I-B I-B"}, 2 * 4),  # 2 to 2
    ],
)
def test_doubling_down(players: int, others: dict[int, str], expected: int) -> None:
    # N24: twice the number that applies before the purchase, and two spaces
    t = debate(players, doctrine={0: "I-A", **others}, tokens=(2, 0, 0, 0, 0))
    assert price(t, "I-A") == expected
    assert t.tokens == [4, 0, 0, 0, 0]
    assert t.doctrine(0) == "I-A I-A"


def test_a_player_conforms_to_the_position_taken(players: int) -> None:
    # N1: nothing of the other side of a dispute, however it was got
    t = debate(players, doctrine={0: "I-A II-B"})
    assert t.buys == {"I-A", "II-B", "III-A", "III-B", "IV-A", "IV-B", "V-A", "V-B"}


def test_two_cards_of_a_dispute_are_the_limit(players: int) -> None:
    # and a third is not offered, one is doubled
    t = debate(players, doctrine={0: "I-A I-A II-B"})
    assert t.buys == {"II-B", "III-A", "III-B", "IV-A", "IV-B", "V-A", "V-B"}


@pytest.mark.parametrize(("ti", "offered"), [(7, False), (8, True)])
def test_doubling_must_be_affordable(players: int, ti: int, offered: bool) -> None:
    # N7: twice 4
    t = debate(players, ti=ti, doctrine={0: "I-A"}, tokens=(2, 2, 2, 2, 2))
    assert ("I-A" in t.buys) == offered
    assert "II-A" in t.buys


def test_influence_decides_what_is_offered(players: int) -> None:
    # 3 TI: spaces 1 (base 3) and 2 (contrarian 2) but not space 2's base of 4
    t = debate(players, ti=3, doctrine={1: "III-B"}, tokens=(2, 2, 2, 1, 2))
    assert t.buys == {"III-A", "IV-A", "IV-B"}


def test_single_cards_are_sold_first(players: int) -> None:
    # N25: two A in hands: the third is a single one
    t = debate(players, doctrine={1: "I-A", 2: "I-A"})
    assert t.supply("I") == [1, 3, 1]
    price(t, "I-A")
    assert t.supply("I") == [0, 3, 1]
    assert t["settled"][0] == 0


def test_the_fourth_card_is_the_double_sided_one(players: int) -> None:
    # N25
    t = debate(players, doctrine={1: "I-A", 2: "I-A", 3: "I-A"})
    price(t, "I-A")
    assert t.supply("I") == [0, 3, 0]
    assert t.doctrine(0) == "I-A"
    assert t["settled"][0] == 1


def test_three_against_three_and_the_double_sided_card(players: int) -> None:
    # N25, N26: either side takes it; here B, which doubles down
    held = {0: "I-B", 1: "I-B I-B", 2: "I-A I-A", 3: "I-A"}
    t = debate(players, doctrine=held, tokens=(6, 0, 0, 0, 0))
    assert price(t, "I-B") == 2 * BASE[6]
    assert t["settled"].tolist() == [2, 0, 0, 0, 0]
    assert [t.doctrine(seat) for seat in range(4)] == ["I-B I-B", "I-B I-B", "", ""]
    assert t["removed"].tolist() == [3, 0, 0, 0, 0]
    assert t.supply("I") == [0, 0, 0]
    assert t.of_seats("marker_count")[:4] == [2, 2, 0, 0]


def test_three_cards_of_a_side_settle_nothing(players: int) -> None:
    # four are needed on one side
    t = debate(players, doctrine={1: "I-A I-A", 2: "I-B I-B", 3: "I-B"})
    price(t, "I-A")
    assert t["settled"].tolist() == [0] * 5
    assert t.tokens == [1, 0, 0, 0, 0]
    assert t.of_seats("marker_count") == [0] * players


@pytest.mark.parametrize("side", ["A", "B"])
def test_settling(players: int, side: str) -> None:
    # N26: losers' cards and the token leave, every winning card draws a marker
    other = "BA"["AB".index(side)]
    held = {
        0: f"IV-{side}",
        1: f"IV-{other} I-A",
        2: f"IV-{other}",
        3: f"IV-{side} IV-{side} V-B",
    }
    t = debate(players, doctrine=held, tokens=(1, 0, 0, 7, 1))
    price(t, f"IV-{side}")
    assert t["settled"].tolist() == [0, 0, 0, 1 + "AB".index(side), 0]
    assert t.tokens == [1, 0, 0, -1, 1]
    assert t.doctrine(0) == f"IV-{side} IV-{side}"
    assert t.doctrine(1) == "I-A"
    assert t.doctrine(2) == ""
    assert t.doctrine(3) == f"IV-{side} IV-{side} V-B"
    assert t["removed"].tolist() == [0, 0, 0, 2, 0]
    assert t.of_seats("marker_count")[:4] == [2, 0, 0, 2]
    assert sum(t.supply("IV")) == 1
    assert t.events(Event.WON) == [(Event.WON, -1, 3, "AB".index(side), 4, -1)]


def test_markers_are_drawn_in_seat_order(players: int) -> None:
    # N26: from seat 0, not from the buyer; a holder of two draws two in a row
    held = {3: "II-B", 0: "II-B", 1: "II-B"}
    t = build(players, actor=2, doctrine=held, ti=[0, 0, 22])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    t.buy("II-B")
    t.pay_rest()
    assert t.drawn_markers() == [(0, 1), (1, 1), (2, 1), (3, 1)]
    held = {3: "II-B II-B", 1: "II-B"}
    t = build(players, actor=1, doctrine=held, ti=[0, 22])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    t.buy("II-B")
    t.pay_rest()
    assert t.drawn_markers() == [(1, 1), (1, 1), (3, 1), (3, 1)]


def test_markers_are_drawn_at_random_from_those_left(players: int) -> None:
    # 4, 5 and 6 all occur, and what is drawn is gone
    seen = [0, 0, 0]
    for seed in range(30):
        t = debate(players, seed=seed, doctrine={1: "I-A I-A", 2: "I-A"})
        price(t, "I-A")
        drawn = [sum(t.markers(seat)[k] for seat in range(3)) for k in range(3)]
        assert t["marker_supply"].tolist() == [10 - count for count in drawn]
        assert sum(drawn) == 4
        seen = [have + more for have, more in zip(seen, drawn, strict=True)]
    # 120 markers, 40 of each expected, standard deviation 5.2 with single draws
    assert all(22 <= count <= 58 for count in seen)


def test_a_value_that_has_run_out_is_not_drawn(players: int) -> None:
    # sixteen markers are out, all ten of value 5 among them
    held = {
        0: "I-A I-A II-A II-A III-A III-A IV-A IV-A V-A",
        1: "I-A I-A II-A II-A III-A III-A IV-A IV-A",
        2: "V-A",
        3: "V-A",
    }
    t = debate(
        players, doctrine=held, settled="I-A II-A III-A IV-A",
        markers={0: [5] * 8, 1: [5, 5, *[6] * 6]},
    )  # fmt: skip
    assert t["marker_supply"].tolist() == [10, 0, 4]
    price(t, "V-A")
    assert t["marker_supply"][1] == 0
    assert t["marker_count"].sum() == 20


def test_a_settled_dispute_is_not_for_sale(players: int) -> None:
    # N26: neither to winners who hold one card nor to anybody else
    held = {0: "I-A", 1: "I-A", 2: "I-A", 3: "I-A"}
    markers = {seat: [4] for seat in range(4)}
    t = debate(players, doctrine=held, settled="I-A", markers=markers)
    assert {name.split("-")[0] for name in t.buys} == {"II", "III", "IV", "V"}


def test_no_question_when_everything_is_settled(players: int) -> None:
    # N10: nothing is for sale
    t = debate(players, settled="I-A II-A III-A IV-A V-A")
    assert t.asked == (1, "turn")


def test_a_short_track_ends_at_its_last_space(players: int) -> None:
    # the token stays there, and the price with it
    for start, name, end in ((1, "I-A", 2), (2, "I-A", 2), (0, "I-A", 2), (1, "II-B", 2)):
        t = build(players, doctrine={0: "I-A"}, tokens=(start, start, 0, 0, 0), ti=[62])
        print_track(t.state, (2, 5, 9), (1, 2, 3), (1, 1, 1))
        t.take(DEBATE_SPACE)
        t.pay_rest()
        base = (2, 5, 9)[start]
        assert price(t, name) == (2 * base if name == "I-A" else base)
        assert t.tokens[0 if name == "I-A" else 1] == end


def test_a_doubling_onto_the_last_space(players: int) -> None:
    # three A with this one, three B: nothing is settled, and the token stands on the ninth space
    held = {0: "I-A", 1: "I-A", 2: "I-B I-B", 3: "I-B"}
    t = debate(players, doctrine=held, tokens=(6, 0, 0, 0, 0))
    assert price(t, "I-A") == 2 * CONTRARIAN[6]
    assert t.tokens[0] == 8
    assert t["settled"][0] == 0
