"""When the game ends: all settled, no cards, or nothing done; and who names what is open."""

from __future__ import annotations

import pytest

from concilium.envs.nicaea.state import OPEN, Ending, Event
from tests.games.nicaea.tables import (
    DEBATE_SPACE,
    NEW_OFFER_SPACE,
    ROME,
    ZERO,
    Table,
    bishop,
    build,
    canon,
)

FOUR_SETTLED = "I-A II-B III-A IV-A"
ALL_SETTLED = f"{FOUR_SETTLED} V-B"
THREE_V = {1: "V-A", 2: "V-A", 3: "V-A"}


# all five settled


def test_all_settled_ends_the_game_in_the_debate_round(players: int) -> None:
    # N29
    t = build(players, settled=ALL_SETTLED)
    t.pass_turn(players - 1)
    assert t.running
    t.pass_turn()
    assert t.over
    assert (t["ending"], t.actor) == (Ending.SETTLED, -1)
    assert t["rounds"] == 1
    assert t.legal == set()


def test_four_settled_do_not(players: int) -> None:
    # N29
    t = build(players, settled=FOUR_SETTLED)
    t.pass_round()
    assert t.asked == (0, "turn")
    assert t["ending"] == OPEN


def test_settled_by_a_purchase_of_the_round(players: int) -> None:
    # N29: the others still may … nothing is left; then refill, Influence and the end
    t = build(
        players, settled=FOUR_SETTLED, doctrine=THREE_V, tableaus={0: [bishop(9)], 2: [bishop(9)]},
        display={ZERO: None}, passes=players - 1, pools=[1, players, 0, 0],
    )  # fmt: skip
    t.pass_turn()
    assert t.asked == (0, "debate_round")
    t.buy("V-A")
    t.flip(*t.flips)
    assert t.over
    assert t["ending"] == Ending.SETTLED
    assert t["deck_size"] == 40 - 2 - 6 - 1
    assert t.ti == [1] * players
    assert t.of_seats("marker_count")[:4] == [1, 1, 1, 1]


def test_settled_by_an_action_waits_for_the_debate_round(players: int) -> None:
    # N29
    t = build(players, settled=FOUR_SETTLED, doctrine=THREE_V, ti=[9])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    t.buy("V-A")
    t.pay_rest()
    assert t["settled"].all()
    assert t.asked == (1, "turn")
    t.take(ZERO)
    assert t.running
    t.pass_round()
    assert t.over
    assert t["ending"] == Ending.SETTLED


# the deck


@pytest.mark.parametrize(("cards", "over"), [(0, True), (1, True), (2, True), (3, False)])
def test_an_empty_deck_ends_the_game(players: int, cards: int, over: bool) -> None:
    # N29: also when this refill of two spaces has emptied it; with one card left it does not
    t = build(
        players, deck=[bishop() for _ in range(cards)], display={ZERO: None, DEBATE_SPACE: None}
    )
    t.pass_round()
    assert (t.kind == "naming") == over
    assert t["deck_size"] == max(0, cards - 2)


def test_a_deck_emptied_by_new_offer_waits_for_the_debate_round(players: int) -> None:
    # N29
    t = build(players, deck=[bishop()], display={ZERO: None}, ti=[3], actor=0)
    t.take(NEW_OFFER_SPACE)
    t.pay_rest()
    t.copy("nothing")
    assert t["deck_size"] == 0
    assert t.asked == (1, "turn")
    t.take(ZERO)
    t.pass_turn(players - 1)
    assert t.kind == "turn"
    t.pass_turn()
    assert t.asked == (2, "naming")


def test_an_empty_deck_and_nothing_open(players: int) -> None:
    # N29: if both hold nothing is left to decide
    t = build(players, deck=[], settled=ALL_SETTLED)
    t.pass_round()
    assert t.over
    assert t["ending"] == Ending.SETTLED


def test_purchases_of_the_last_round_come_first(players: int) -> None:
    # N20, N30: seat 0 still buys, settles V, and only then the rest is named
    t = build(
        players, deck=[], settled="I-A II-B", doctrine=THREE_V, tableaus={0: [bishop(9)]}, actor=1
    )
    t.pass_round()
    assert t.asked == (0, "debate_round")
    t.buy("V-A")
    t.flip(*t.flips)
    assert t.asked == (1, "naming")
    assert t.names == {"III-A", "III-B"}
    t.name("III-A")
    assert t.names == {"IV-A", "IV-B"}
    t.name("IV-A")
    assert t.over
    assert t["ending"] == Ending.EXHAUSTED


# naming


def named(players: int, first: int = 0, **position: object) -> Table:
    """Deck empty, all have passed from seat ``first``, nobody could buy anything."""
    t = build(players, deck=[], actor=first, **position)  # type: ignore[arg-type]
    t.pass_round()
    return t


@pytest.mark.parametrize("first", range(4))
def test_the_first_passer_names_in_order(players: int, first: int) -> None:
    # N30: who holds Constantine; one dispute after the other, two choices each
    t = named(players, first, constantine=(first + 1) % players)
    for dispute in ("I", "II", "III", "IV", "V"):
        assert t.running
        assert t.asked == (first, "naming")
        assert t.names == {f"{dispute}-A", f"{dispute}-B"}
        assert len(t.legal) == 2
        t.name(f"{dispute}-{'A' if dispute != 'III' else 'B'}")
    assert t.over
    assert t["ending"] == Ending.EXHAUSTED
    assert t["settled"].tolist() == [1, 1, 2, 1, 1]
    assert [event[1:4] for event in t.events(Event.NAMED)] == [
        (first, 0, 0), (first, 1, 0), (first, 2, 1), (first, 3, 0), (first, 4, 0),
    ]  # fmt: skip


def test_only_open_disputes_are_named(players: int) -> None:
    # N30
    t = named(players, settled="I-A III-B V-A")
    assert t.names == {"II-A", "II-B"}
    t.name("II-B")
    assert t.names == {"IV-A", "IV-B"}
    t.name("IV-A")
    assert t.over
    assert t["settled"].tolist() == [1, 2, 2, 1, 1]


def test_naming_settles_at_once(players: int) -> None:
    # N30, N26: however many cards the side has; the namer sees the own markers before the next
    held = {0: "I-A II-B", 1: "I-B I-B", 2: "I-A I-A II-B", 3: "I-B II-A"}
    t = named(players, doctrine=held, tokens=(7, 4, 0, 0, 0))
    assert t.of_seats("marker_count") == [0] * players
    t.name("I-A")
    assert t.asked == (0, "naming")
    assert t.tokens == [-1, 4, 0, 0, 0]
    assert [t.doctrine(seat) for seat in range(4)] == ["I-A II-B", "", "I-A I-A II-B", "II-A"]
    assert t["removed"].tolist() == [3, 0, 0, 0, 0]
    assert t.drawn_markers() == [(0, 0), (2, 0), (2, 0)]
    seen = t.game.view(t.state, 0)[0]
    assert seen["markers"][0].sum() == 1
    assert seen["markers"][2].tolist() == [-1, -1, -1]
    t.name("II-A")
    assert t.drawn_markers() == [(0, 0), (2, 0), (2, 0), (3, 1)]
    assert t.doctrine(0) == "I-A"
    assert t.supply("II") == [2, 1, 1]


def test_a_side_without_cards_may_be_named(players: int) -> None:
    # N30: nobody draws, and the others lose their cards
    held = {0: "I-A", 1: "I-A I-A"}
    t = named(players, doctrine=held, settled="II-A III-A IV-A V-A")
    assert t.names == {"I-A", "I-B"}
    t.name("I-B")
    assert t["settled"][0] == 2
    assert t.of_seats("marker_count") == [0] * players
    assert t["removed"][0] == 3
    assert t.doctrine(0) == t.doctrine(1) == ""


def test_naming_comes_after_influence(players: int) -> None:
    # N29, N30: the last step of the round is done
    t = build(players, deck=[], passes=players - 1, ti=[0, 1], pools=[1, players + 1, 0, 0])
    t.pass_turn()
    assert t.kind == "naming"
    assert t.ti == [1] * players
    assert t.pools == [1, 0, 0, 0]


# the guard against games without an end


def test_three_idle_rounds_end_the_game(players: int) -> None:
    # N6: what is open stays open
    t = build(players, doctrine={0: "I-A", 1: "I-A I-A", 2: "II-B"}, tokens=(3, 1, 0, 0, 0))
    for number in (1, 2):
        t.pass_round()
        assert t.running
        assert t["idle_rounds"] == number
    t.pass_turn(players - 1)
    assert t.running
    t.pass_turn()
    assert t.over
    assert t["ending"] == Ending.IDLE
    assert t["settled"].tolist() == [0] * 5
    assert t.of_seats("marker_count") == [0] * players
    assert [t.doctrine(seat) for seat in range(3)] == ["I-A", "I-A I-A", "II-B"]


def test_declining_is_idle(players: int) -> None:
    # N6: a purchase that is only possible is none
    t = build(players, idle_rounds=2, tableaus={0: [bishop(9)]})
    t.pass_round()
    t.decline()
    assert t["ending"] == Ending.IDLE


@pytest.mark.parametrize("how", ["take", "play", "buy"])
def test_anything_done_starts_the_count_again(players: int, how: str) -> None:
    # N6: an Action, a play, or a purchase in the round itself
    card = bishop(1, ROME)
    t = build(players, idle_rounds=2, hands={0: [card]}, tableaus={0: [bishop(9, ROME)]})
    if how == "take":
        t.take(ZERO)
    elif how == "play":
        t.play(card)
    t.pass_round()
    while t.kind == "debate_round":
        if how == "buy":
            t.buy("I-A")
            t.flip(*t.flips)
        else:
            t.decline()
    assert t.running
    assert t["idle_rounds"] == 0
    for number in (1, 2):
        t.pass_round()
        t.decline_all()
        assert t["idle_rounds"] == number
    t.pass_round()
    t.decline_all()
    assert t["ending"] == Ending.IDLE


def test_an_idle_round_ends_after_influence(players: int) -> None:
    # N6: after N28
    t = build(
        players, idle_rounds=2, passes=players - 1, pools=[1, 2 * players + 1, 0, 0],
        tableaus={1: [canon()]}, ti=[0, 4],
    )  # fmt: skip
    t.pass_turn()
    t.decline_all()
    assert t["ending"] == Ending.IDLE
    assert t.ti == [2, 3, *[2] * (players - 2)]
    assert t.pools == [1, 0, 0, 0]


def test_passing_with_gain_is_idle_all_the_same(players: int) -> None:
    # N6: nobody acted, played or bought
    t = build(players, idle_rounds=1, pools=[2, 2, 2, 2])
    t.pass_round()
    t.decline_all()
    assert t["idle_rounds"] == 2


def test_all_settled_in_an_idle_round(players: int) -> None:
    # N29 comes before N6: the game has ended as it should
    t = build(players, idle_rounds=2, settled=ALL_SETTLED)
    t.pass_round()
    assert t["ending"] == Ending.SETTLED
