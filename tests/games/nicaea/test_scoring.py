"""The end of the game: points, schism, ties, and what each player gets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from concilium.envs.nicaea.state import Ending
from tests.games.nicaea.tables import (
    REFRESH_1,
    Card,
    Table,
    bishop,
    build,
    canon,
)

ALL_SETTLED = "I-A II-B III-A IV-A V-A"


def plain(cost: int) -> Card:
    """A Bishop worth Influence alone: nobody here holds cards of dispute V."""
    return bishop(cost, icons="V")


def ended(players: int, **position: object) -> Table:
    """Everything is settled and all pass: the game is over."""
    given = {"settled": ALL_SETTLED, **position}
    t = build(players, **given)  # type: ignore[arg-type]
    t.pass_round()
    assert t.over
    return t


def decided(points: Sequence[int], weights: Sequence[int], players: int) -> Table:
    """End with these points and Influence; the seats behind have 6 points and 1 Influence.

    All points of a seat are one Canon, all Influence one Bishop.
    """
    points = [*points, *[6] * (players - len(points))]
    weights = [*weights, *[1] * (players - len(weights))]
    rows = {}
    for seat in range(players):
        rows[seat] = [canon(points[seat])] if points[seat] else []
        rows[seat] += [plain(weights[seat])] if weights[seat] else []
    t = ended(players, tableaus=rows)
    assert t.of_seats("score") == list(points)
    return t


def payoffs(winners: Sequence[int], players: int) -> list[float]:
    """N33: +1/k to each of k winners, -1/(n - k) to each other."""
    k = len(winners)
    return [1 / k if seat in winners else -1 / (players - k) for seat in range(players)]


# points


def test_markers_count_their_values(players: int) -> None:
    # N31
    held = {0: "I-A I-A", 1: "I-A", 2: "II-B"}
    t = ended(players, doctrine=held, markers={0: [4, 6], 1: [5], 2: [6]})
    assert t.of_seats("score") == [10, 5, 6, *[0] * (players - 3)]


def test_canons_count_their_cost(players: int) -> None:
    # N31: as printed
    t = ended(players, tableaus={0: [canon(2), canon(3)], 1: [canon(3), canon(3), canon(2)]})
    assert t.of_seats("score") == [5, 8, *[0] * (players - 2)]


def test_cards_in_hand_score_nothing(players: int) -> None:
    # N19
    t = ended(players, hands={0: [canon(3), bishop(4, icons="I")]}, doctrine={0: "I-A"},
              markers={0: [4]})  # fmt: skip
    assert t.of_seats("score") == [4, *[0] * (players - 1)]


@pytest.mark.parametrize(
    ("held", "icons", "points"),
    [
        ("I-A", ["I"], 1),
        ("I-A I-A", ["I"], 1),  # doubling down does not count twice
        ("I-A", ["I", "I"], 2),  # each icon does
        ("I-A", ["I II"], 1),
        ("I-A II-B", ["I II"], 2),
        ("I-A II-B", ["I II", "II IV", "V"], 3),
        ("III-A", ["I II"], 0),
        ("", ["I"], 0),
        ("I-A II-B III-A IV-A V-A", ["I II", "III IV", "V"], 5),
    ],
)
def test_icons(players: int, held: str, icons: list[str], points: int) -> None:
    # N31: one point for each icon of a dispute of which one holds a card
    cards = [bishop(1, icons=each) for each in icons]
    markers = [4] * len(held.split())
    t = ended(players, tableaus={1: cards}, doctrine={1: held}, markers={1: markers})
    assert t["score"][1] == 4 * len(markers) + points


def test_face_down_cards_score_too(players: int) -> None:
    # N31: all cards are turned face up
    card = bishop(1, icons="I II")
    t = ended(players, tableaus={0: [card]}, flipped=[card], doctrine={0: "I-A"}, markers={0: [5]})
    assert t["score"][0] == 6


def test_icons_of_a_lost_dispute_score_nothing(players: int) -> None:
    # N31: the losers' doctrine cards are gone when the dispute is settled
    card = bishop(1, icons="III")
    rows = {0: [card], 1: [bishop(1, icons="III")]}
    t = build(
        players, deck=[], settled="I-A II-B IV-A V-A", tableaus=rows, flipped=[card],
        doctrine={0: "III-A", 1: "III-B"},
    )  # fmt: skip
    t.pass_round()
    t.name("III-B")
    marker = int(t["score"][1]) - 1
    assert t["score"][0] == 0
    assert marker in (4, 5, 6)
    assert t.markers(1) == [int(marker == value) for value in (4, 5, 6)]


def test_icons_of_an_open_dispute_count(players: int) -> None:
    # N31: after three idle rounds
    rows = {0: [bishop(1, icons="I II")], 1: [bishop(1, icons="II V")]}
    t = build(players, idle_rounds=2, tableaus=rows, doctrine={0: "I-A II-B", 1: "II-A"})
    t.pass_round()
    t.decline_all()
    assert t["ending"] == Ending.IDLE
    assert t.of_seats("score") == [2, 1, *[0] * (players - 2)]


def test_everything_together(players: int) -> None:
    # N31: 5 + 6 by markers, 3 + 2 by Canons, icons I twice and III once
    rows = {2: [bishop(2, icons="I III"), canon(3), bishop(4, icons="I"), canon(2),
                bishop(2, icons="II IV")]}  # fmt: skip
    t = ended(players, tableaus=rows, doctrine={2: "I-A III-A"}, markers={2: [5, 6]})
    assert t["score"][2] == 11 + 5 + 3


# who wins


def test_most_points_win(players: int) -> None:
    # N32
    t = decided([7, 3, 4], [1, 1, 9], players)
    assert t.winners == {0}
    assert not t["schism"]
    assert t.returns == pytest.approx(payoffs([0], players))


@pytest.mark.parametrize("seat", range(4))
def test_schism(players: int, seat: int) -> None:
    # N32: the only lowest score and the only highest Influence
    points, weights = [7, 8, 9, 7], [4, 5, 6, 5]
    points[seat], weights[seat] = 3, 7
    t = decided(points, weights, players)
    assert t.winners == {seat}
    assert t["schism"] == 1
    assert t.returns == pytest.approx(payoffs([seat], players))


def test_no_schism_on_a_tie_for_the_lowest_score(players: int) -> None:
    # N32
    t = decided([3, 3, 8, 7], [9, 1, 1, 1], players)
    assert t.winners == {2}
    assert t["schism"] == 0


def test_no_schism_on_a_tie_for_the_most_influence(players: int) -> None:
    # N32
    t = decided([3, 4, 8, 7], [9, 9, 1, 1], players)
    assert t.winners == {2}
    t = decided([3, 4, 8, 7], [9, 1, 9, 1], players)
    assert t.winners == {2}
    assert t["schism"] == 0


def test_no_schism_if_another_has_more_influence(players: int) -> None:
    # N32: by one
    t = decided([3, 4, 8, 7], [8, 9, 1, 1], players)
    assert t.winners == {2}


def test_the_schism_is_by_one_point_and_one_influence(players: int) -> None:
    # N32: a near tie on both sides is no tie
    t = decided([3, 4, 8, 7], [7, 6, 6, 6], players)
    assert t.winners == {0}
    assert t["schism"] == 1


def test_influence_is_ti_and_the_bishops(players: int) -> None:
    # N31: face-down Bishops count, Canons do not
    a, b = plain(4), plain(4)
    rows = {0: [a, b], 1: [plain(7), canon(3)], 2: [canon(2)], 3: [canon(2)]}
    rows |= {seat: [canon(2)] for seat in range(4, players)}
    t = ended(players, tableaus=rows, flipped=[a, b])
    assert t.of_seats("score")[:4] == [0, 3, 2, 2]
    assert t.winners == {0}  # 8 against 7, and 10 if the Canon counted
    assert t["schism"] == 1


@pytest.mark.parametrize(("ti", "winners"), [(0, {1}), (1, {0, 1}), (2, {0}), (3, {0}), (9, {0})])
def test_influence_in_hand_counts(players: int, ti: int, winners: set[int]) -> None:
    # N31, N32: 6 points each, Influence 3 and what of the TI is kept, against 4
    rows = {0: [canon(2), canon(2), canon(2), plain(3)], 1: [canon(6), plain(4)]}
    t = ended(players, tableaus=rows, ti=[ti, 0])
    assert t.of_seats("score")[:2] == [6, 6]
    assert t.ti[0] == min(ti, 3)
    assert t.winners == winners


def test_influence_lost_in_the_round_does_not_count(players: int) -> None:
    # N28, N31: without a Canon 9 TI are nothing
    rows = {0: [plain(1), bishop(1, icons="I")], 1: [bishop(3, icons="I")]}
    held = {0: "I-A", 1: "I-A"}
    t = ended(players, tableaus=rows, ti=[9], doctrine=held, markers={0: [4], 1: [4]})
    assert t.of_seats("score")[:2] == [5, 5]
    assert t.winners == {1}  # 3 against 2


def test_a_tie_for_the_most_points_is_broken_by_influence(players: int) -> None:
    # N32: among those tied alone; seat 2 has more, with fewer points
    t = decided([8, 8, 7, 6], [3, 4, 9, 1], players)
    assert t.winners == {1}
    assert t.returns == pytest.approx(payoffs([1], players))


def test_a_tie_that_persists_is_shared(players: int) -> None:
    # N32
    t = decided([8, 8, 3, 3], [4, 4, 9, 1], players)
    assert t.winners == {0, 1}
    assert t.returns == pytest.approx(payoffs([0, 1], players))
    assert t.returns[:3] == pytest.approx([1 / 2, 1 / 2, -1 / (players - 2)])


def test_three_winners_of_four_tied(players: int) -> None:
    # N32: the fourth is tied for points and has less Influence
    t = decided([8, 8, 8, 8], [4, 3, 4, 4], players)
    assert t.winners == {0, 2, 3}
    assert t.returns == pytest.approx(payoffs([0, 2, 3], players))


def test_all_win(players: int) -> None:
    # N33: nobody has won anything
    t = decided([6] * 4, [1] * 4, players)
    assert t.winners == set(range(players))
    assert t.returns == [0.0] * players
    assert t["schism"] == 0


def test_a_schism_needs_no_points_at_all(players: int) -> None:
    # N32: 0 points and most Influence
    t = decided([0, 4, 4, 4], [9, 1, 1, 1], players)
    assert t.winners == {0}
    assert t["schism"] == 1


@pytest.mark.parametrize("winners", [1, 2, 3])
def test_returns_add_up_to_nothing(players: int, winners: int) -> None:
    # N33
    t = decided([9] * winners, [4] * winners, players)
    assert t.winners == set(range(winners))
    assert sum(t.returns) == pytest.approx(0.0)
    assert t.returns[0] == pytest.approx(1 / winners)
    assert t.returns[-1] == pytest.approx(-1 / (players - winners))


def test_no_returns_before_the_end(players: int) -> None:
    # rewards come at the end, and points are counted then
    t = build(players, settled=ALL_SETTLED, tableaus={0: [canon(3)]}, ti=[1])
    assert t.returns == [0.0] * players
    t.take(REFRESH_1)
    t.pay_rest()
    assert t.returns == [0.0] * players
    assert t.of_seats("score") == [0] * players
    assert t.winners == set()
