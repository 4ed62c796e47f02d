"""The flow of play: one thing a turn, passing and its pools, and Constantine's marker."""

from __future__ import annotations

import pytest

from tests.games.nicaea.tables import (
    ASIA,
    DEBATE_SPACE,
    FREE_4,
    REFRESH_1,
    REFRESH_2,
    ROME,
    ZERO,
    bishop,
    build,
    canon,
)


def test_with_nothing_one_may_pass_or_take_the_free_space(players: int) -> None:
    # N5, N10
    t = build(players)
    assert t.asked == (0, "turn")
    assert t.takes == [ZERO]
    assert t.plays == set()
    assert len(t.legal) == 2
    assert t.can_pass


def test_play_goes_clockwise(players: int) -> None:
    # one thing a turn, then the next seat, seat 0 after the last
    last = players - 1
    card = bishop(2, ROME)
    t = build(players, actor=last, hands={0: [card]}, tableaus={0: [bishop(3, ROME)]})
    t.take(ZERO)
    assert t.asked == (0, "turn")
    t.play(card)
    assert t.asked == (1, "turn")
    t.pass_turn()
    assert t.asked == (2, "turn")


def test_passing_is_not_final(players: int) -> None:
    # N4: whoever passed has a turn again, as long as not all have passed in a row
    t = build(players)
    t.pass_turn(players - 1)
    t.take(ZERO)
    assert t.asked == (0, "turn")
    assert t.takes == []  # the space is empty, nothing else can be paid
    t.pass_turn(players - 1)
    assert t.asked == (players - 1, "turn")
    assert t["rounds"] == 0


def test_a_run_of_all_players_brings_the_debate_round(players: int) -> None:
    # N4: one pass less does not
    t = build(players)
    t.pass_turn(players - 1)
    assert t["rounds"] == 0
    assert (t["passes"], t["first_passer"]) == (players - 1, 0)
    t.pass_turn()
    assert t["rounds"] == 1
    assert (t["passes"], t["first_passer"]) == (0, -1)


@pytest.mark.parametrize("how", ["take", "free card", "paid card"])
def test_an_action_or_a_play_breaks_the_run(players: int, how: str) -> None:
    # N4: first and last passer are those of the unbroken run
    card = bishop(2, ROME)
    own = [bishop(3, ROME if how == "free card" else ASIA)]
    t = build(players, hands={1: [card]}, tableaus={1: own})
    t.pass_turn()
    assert (t["passes"], t["first_passer"]) == (1, 0)
    if how == "take":
        t.take(ZERO)
    else:
        t.play(card)
    if how == "paid card":
        t.flip(own[0])
    assert (t["passes"], t["first_passer"]) == (0, -1)
    t.pass_turn(players - 1)
    assert t.asked == (1, "turn")
    assert t["rounds"] == 0
    t.pass_turn()
    t.decline_all()
    assert t["rounds"] == 1
    assert t["constantine"] == 2  # the first passer of the new run
    assert t.actor == 2


def test_the_run_may_begin_anywhere(players: int) -> None:
    # N4: seats 2, 3, …, 0, 1: seat 2 gets Constantine, seat 1 was last and buys first
    t = build(players, actor=2, ti=[0, 2, 2], tableaus={1: [canon(), canon()]})
    t.pass_round()
    assert t.asked == (1, "debate_round")
    assert t["constantine"] == 2
    t.decline()
    assert t.asked == (2, "debate_round")
    t.decline()
    assert t.asked == (2, "turn")


def test_a_debate_round_resets_the_run(players: int) -> None:
    # N4: then again all must pass
    t = build(players)
    t.pass_round()
    t.pass_turn(players - 1)
    assert t["rounds"] == 1
    t.pass_turn()
    assert t["rounds"] == 2


@pytest.mark.parametrize(
    ("pools", "gets", "left"),
    [
        ([3, 2, 0, 1], 3, [0, 2, 0, 1]),
        ([0, 2, 0, 1], 2, [0, 0, 0, 1]),
        ([0, 0, 4, 1], 4, [0, 0, 0, 1]),
        ([0, 0, 0, 1], 1, [0, 0, 0, 0]),
        ([0, 0, 0, 0], 0, [0, 0, 0, 0]),
    ],
)
def test_passing_takes_the_topmost_pool(
    players: int, pools: list[int], gets: int, left: list[int]
) -> None:
    # N5: all of it, and of one pool only
    t = build(players, actor=1, ti=[0, 5], pools=pools)
    t.pass_turn()
    assert t.ti[:3] == [0, 5 + gets, 0]
    assert t.pools == left


def test_passers_take_one_pool_after_the_other(players: int) -> None:
    # N5
    t = build(players, pools=[1, 2, 3, 4])
    t.pass_turn(3)
    assert t.ti[:4] == [1, 2, 3, 0]
    assert t.pools == [0, 0, 0, 4]


def test_passing_is_legal_whatever_else_is(players: int) -> None:
    # N5
    card = bishop(1, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(3, ROME)]}, ti=[9], pools=[1])
    assert t.takes == list(range(7))
    assert t.plays
    assert t.can_pass


def test_the_first_action_of_the_start_player_is_marked(players: int) -> None:
    # N3
    t = build(players, actor=0, constantine=0, ti=[1])
    taken = t.display[REFRESH_1]
    t.take(REFRESH_1)
    t.pay_rest()
    assert (t["constantine"], t["constantine_space"]) == (-1, REFRESH_1)
    assert t.hand(0) == {taken}


def test_constantine_is_placed_after_the_action(players: int) -> None:
    # N3: while it is paid for and resolved, its holder still has it
    t = build(players, ti=[4])
    t.take(DEBATE_SPACE)
    assert (t.kind, t["constantine"]) == ("payment", 0)
    t.pay_rest()
    assert (t.kind, t["constantine"]) == ("debate_doctrine", 0)
    t.decline()
    assert (t["constantine"], t["constantine_space"]) == (-1, DEBATE_SPACE)


def test_passing_and_playing_leave_constantine_in_hand(players: int) -> None:
    # N16
    card = bishop(2, ROME)
    t = build(players, hands={0: [card]}, tableaus={0: [bishop(3, ROME)]})
    t.play(card)
    assert t["constantine"] == 0
    t.pass_turn(players - 1)
    assert t.actor == 0
    t.pass_turn()
    t = build(players)
    t.pass_turn()
    assert t["constantine"] == 0
    t.take(ZERO)
    assert (t["constantine"], t["constantine_space"]) == (0, -1)  # seat 1 does not hold it


def test_the_marker_stays_until_the_debate_round(players: int) -> None:
    # N3: neither the next Action of the same player nor one of another moves it
    t = build(players, ti=[2, 1])
    t.take(REFRESH_2)
    t.pay_rest()
    t.take(REFRESH_1)
    t.pay_rest()
    assert t["constantine_space"] == REFRESH_2
    t.pass_turn(players - 2)
    t.take(ZERO)
    assert t["constantine_space"] == REFRESH_2
    t.pass_round()
    assert (t["constantine"], t["constantine_space"]) == (1, -1)


def test_who_gets_constantine_marks_the_next_action(players: int) -> None:
    # N20: the first passer
    t = build(players, actor=1, marked=ZERO, display={ZERO: None})
    t.pass_round()
    assert (t.actor, t["constantine"]) == (1, 1)
    t.take(ZERO)
    assert (t["constantine"], t["constantine_space"]) == (-1, ZERO)


def test_a_free_card_places_nothing_and_play_free_marks_its_space(players: int) -> None:
    # N16: a play within an Action is part of the Action
    card = canon(3)
    t = build(players, hands={0: [card]}, ti=[4])
    t.take(FREE_4)
    t.pay_rest()
    t.play(card)
    assert t.tableau(0) == [card]
    assert t["constantine_space"] == FREE_4
