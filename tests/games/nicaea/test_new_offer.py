"""New Offer: what it copies, what Constantine bars, and which spaces it fills."""

from __future__ import annotations

import pytest

from tests.games.nicaea.tables import (
    COPY_NAMES,
    DEBATE_SPACE,
    FREE_3,
    FREE_4,
    NEW_OFFER_SPACE,
    REFRESH_1,
    REFRESH_2,
    ZERO,
    Table,
    bishop,
    build,
    canon,
)

ALL = list(COPY_NAMES)


def offer(players: int, **position: object) -> Table:
    """Seat 0 has paid for New Offer, by default with its only 3 TI; seat 1 holds Constantine."""
    given = {"ti": [3], "constantine": 1, **position}
    t = build(players, **given)  # type: ignore[arg-type]
    t.take(NEW_OFFER_SPACE)
    t.pay_rest()
    assert t.asked == (0, "copy")
    return t


@pytest.mark.parametrize(
    ("marked", "barred"),
    [
        (ZERO, "nothing"),
        (REFRESH_1, "refresh"),
        (REFRESH_2, "refresh"),
        (DEBATE_SPACE, "debate"),
        (FREE_3, "free play"),
        (FREE_4, "free play"),
    ],
)
def test_constantine_bars_an_action(players: int, marked: int, barred: str) -> None:
    # N14: also if its twin space is free
    t = offer(players, marked=marked, display={marked: None})
    assert t.copies == [name for name in ALL if name != barred]
    assert len(t.legal) == 3


def test_constantine_in_a_hand_bars_nothing(players: int) -> None:
    # N14: never itself, else everything
    assert offer(players).copies == ALL
    assert len(offer(players).legal) == 4
    assert offer(players, constantine=0).copies == ALL


def test_a_twin_space_may_be_taken(players: int) -> None:
    # N14: the bar concerns only the copy
    t = build(players, marked=REFRESH_1, display={REFRESH_1: None}, ti=[2])
    assert REFRESH_2 in t.takes
    t = build(players, marked=FREE_4, display={FREE_4: None}, ti=[3])
    assert FREE_3 in t.takes


def test_a_copied_refresh_costs_nothing_more(players: int) -> None:
    # N14: and the spaces of that kind keep their cards
    a, b = bishop(3), bishop(2)
    t = build(players, constantine=1, tableaus={0: [a, b]}, flipped=[b])
    before = t.display
    t.take(NEW_OFFER_SPACE)
    t.flip(a)
    t.copy("refresh")
    assert t.asked == (1, "turn")
    assert t.up(0) == [a]
    assert t.hand(0) == {before[NEW_OFFER_SPACE]}
    assert t.display == [*before[:4], None, *before[5:]]


def test_a_copied_debate_still_costs_the_doctrine(players: int) -> None:
    # N14
    t = offer(players, ti=[5])
    before = t.display
    t.copy("debate")
    assert t.asked == (0, "debate_doctrine")
    t.buy("IV-B")
    assert t["price"] == 2
    t.pay_rest()
    assert t.ti[0] == 0
    assert t.doctrine(0) == "IV-B"
    assert t.display[DEBATE_SPACE] is before[DEBATE_SPACE]
    assert t.asked == (1, "turn")


def test_a_copied_debate_asks_nothing_where_nothing_is_affordable(players: int) -> None:
    # N10, N14: it may be copied all the same
    t = offer(players)
    assert "debate" in t.copies
    t.copy("debate")
    assert t.asked == (1, "turn")
    assert len(t.hand(0)) == 1


def test_a_copied_free_play(players: int) -> None:
    # N13, N14
    card = canon(3)
    t = offer(players, hands={0: [card]})
    t.copy("free play")
    assert t.asked == (0, "free_play")
    assert t.plays == {(card, 0)}
    t.play(card)
    assert t.tableau(0) == [card]
    assert t.ti[0] == 0


@pytest.mark.parametrize("name", ["refresh", "free play"])
def test_what_would_do_nothing_may_be_copied(players: int, name: str) -> None:
    # N14
    t = offer(players)
    t.copy(name)
    assert t.asked == (1, "turn")
    assert len(t.hand(0)) == 1


@pytest.mark.parametrize("name", COPY_NAMES)
def test_the_copied_space_needs_no_card(players: int, name: str) -> None:
    # N14
    empty = dict.fromkeys(space for space in range(7) if space != NEW_OFFER_SPACE)
    t = offer(players, display=empty)
    assert t.copies == ALL
    t.copy(name)
    assert t.asked == (1, "turn")


def test_empty_spaces_are_filled_from_left_to_right(players: int) -> None:
    # N15: nothing slides; the space taken was not empty and stays without a card
    top = [bishop(1), bishop(2), bishop(3)]
    t = offer(players, display={ZERO: None, DEBATE_SPACE: None, FREE_4: None}, deck=[*top, canon()])
    before = t.display
    t.copy("nothing")
    expected = [top[0], before[1], before[2], top[1], None, before[5], top[2]]
    assert t.display == expected
    assert len(t.deck) == 1


def test_the_marked_space_is_not_filled(players: int) -> None:
    # N15
    top = [bishop(1), bishop(2)]
    t = offer(
        players, marked=REFRESH_2, deck=[*top, canon()],
        display={ZERO: None, REFRESH_2: None, FREE_3: None},
    )  # fmt: skip
    t.copy("nothing")
    assert t.display[ZERO] is top[0]
    assert t.display[REFRESH_2] is None
    assert t.display[FREE_3] is top[1]
    assert t["constantine_space"] == REFRESH_2


def test_a_holder_of_constantine_fills_all_and_marks_new_offer(players: int) -> None:
    # N15: Constantine is still in hand during the refill
    top = [bishop(1), bishop(2)]
    t = offer(players, constantine=0, display={ZERO: None, FREE_4: None}, deck=[*top, canon()])
    t.copy("nothing")
    assert (t.display[ZERO], t.display[FREE_4]) == (top[0], top[1])
    assert t.display[NEW_OFFER_SPACE] is None
    assert t["constantine_space"] == NEW_OFFER_SPACE


def test_marked_new_offer_cannot_be_taken_again(players: int) -> None:
    # N10: its space stays empty until the Debate Round
    t = offer(players, constantine=0, ti=[3, 9])
    t.copy("nothing")
    assert NEW_OFFER_SPACE not in t.takes
    assert len(t.takes) == 6


@pytest.mark.parametrize(("cards", "filled"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)])
def test_the_deck_may_run_out(players: int, cards: int, filled: int) -> None:
    # N15, N29: then it stops, and the game goes on
    deck = [bishop(1) for _ in range(cards)]
    holes = [REFRESH_1, REFRESH_2, FREE_3]
    t = offer(players, display=dict.fromkeys(holes), deck=deck)
    t.copy("nothing")
    assert [t.display[space] for space in holes] == deck[:filled] + [None] * (3 - filled)
    assert len(t.deck) == cards - filled
    assert t.asked == (1, "turn")


def test_the_copied_action_comes_before_the_refill(players: int) -> None:
    # N15
    t = offer(players, ti=[9], display={ZERO: None})
    t.copy("debate")
    assert t.display[ZERO] is None
    t.decline()
    assert t.display[ZERO] is not None


def test_full_display_draws_nothing(players: int) -> None:
    # N15
    t = offer(players)
    before = t["deck_size"].copy()
    t.copy("nothing")
    assert t["deck_size"] == before
