"""Solving: targets, points, which cards pay, once a turn, and what stays as it is meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from concilium.envs.chancellors.state import Event

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build

ALL_FORCES = {"Sailor": 0, "Soldier": 0, "Diplomat": 0}
BOTH = {(0, "public"), (0, "quiet")}


def test_no_force_no_solve(table: Build, players: int) -> None:
    # C7: a paying card needs a suit of a force that one controls
    hands = {0: ["Sea", "End", "Bard"]}
    assert table(players, hands=hands).solves == set()
    elsewhere = {"Sailor": 1, "Soldier": 1, "Diplomat": players - 1}
    assert table(players, hands=hands, owners=elsewhere).solves == set()


@pytest.mark.parametrize(
    ("card", "forces", "pays"),
    [
        ("Mill", ["Sailor"], True),
        ("Mill", ["Soldier", "Diplomat"], False),
        ("Betrayal", ["Soldier"], True),
        ("Betrayal", ["Sailor", "Diplomat"], False),
        ("Pact", ["Diplomat"], True),
        ("Pact", ["Sailor", "Soldier"], False),
        ("Darkness", ["Sailor"], True),  # one suit is enough
        ("Darkness", ["Soldier"], True),
        ("Darkness", ["Diplomat"], False),
        ("Huntress", ["Diplomat"], True),
        ("Huntress", ["Sailor", "Soldier"], False),
    ],
)
def test_a_card_pays_only_for_a_controlled_force(
    table: Build, players: int, card: str, forces: list[str], pays: bool
) -> None:
    # C7
    t = table(
        players,
        hands={0: [card]},
        owners={force: 0 for force in forces},
        dice=[(2, 5), (6, 6), (6, 6)],
    )
    expected = BOTH if pays else set()
    assert {offer for offer in t.solves if offer[0] == 0} == expected


def test_the_public_target_is_both_dice_and_scores_the_higher(table: Build, players: int) -> None:
    # C7: 2 and 6 make 8; 8 is enough
    active = players - 1
    t = table(
        players,
        active=active,
        hands={active: ["Mill"]},
        owners={"Sailor": active},
        dice=[(2, 6), (4, 5), (1, 1)],
    )
    assert (0, "public") in t.solves
    assert (1, "public") not in t.solves  # 9 is one too many
    t.solve(0, "public", "Mill")
    assert t.scores == [0] * active + [6]
    assert t.hand(active) == set()
    assert (t.kind, t.actor) == ("action", active)
    assert t.discards == {"Mill"}


def test_the_quiet_target_is_the_lower_die_and_scores_one_less(table: Build, players: int) -> None:
    # rulebook: the lower of the two dice minus one
    t = table(players, hands={0: ["Battle"]}, owners={"Soldier": 0}, dice=[(4, 6), (5, 5), (1, 1)])
    assert (0, "quiet") in t.solves
    assert (1, "quiet") not in t.solves  # 4 does not meet a 5
    assert (0, "public") not in t.solves
    t.solve(0, "quiet", "Battle")
    assert t.scores == [3] + [0] * (players - 1)


@pytest.mark.parametrize(
    ("die", "cards", "way", "points"),
    [
        (1, ["Origin"], "public", 1), (1, ["Ace of Waves"], "quiet", 0),
        (2, ["Merchant"], "public", 2), (2, ["Origin"], "quiet", 1),
        (3, ["Lunatic"], "public", 3), (3, ["Journey"], "quiet", 2),
        (4, ["Mill"], "public", 4), (4, ["Forest"], "quiet", 3),
        (5, ["Sea"], "public", 5), (5, ["Forest"], "quiet", 4),
        (6, ["Merchant", "Journey"], "public", 6), (6, ["Lunatic"], "quiet", 5),
    ],
)  # fmt: skip
def test_equal_dice(
    table: Build, players: int, die: int, cards: list[str], way: str, points: int
) -> None:
    # C8: public the die, quiet the die minus one
    t = table(players, hands={0: cards}, owners={"Sailor": 0}, dice=[(die, die), (1, 1), (1, 1)])
    t.solve(0, way, *cards)
    assert t.scores[0] == points
    assert t.hand(0) == set()
    assert t.kind == "action"


def test_a_lower_die_of_1_is_solved_quietly_for_nothing(table: Build, players: int) -> None:
    # C8: legal, 0 points, and it stops the escalation: the problem is rerolled, not raised
    t = table(
        players, hands={0: ["Ace of Leaves"]}, owners={"Sailor": 0}, dice=[(1, 5), (6, 6), (2, 2)]
    )
    assert (0, "quiet") in t.solves
    t.solve(0, "quiet", "Ace of Leaves")
    assert t.scores[0] == 0
    assert [event[1:4] for event in t.events(Event.SOLVED)] == [(0, 0, 0)]
    assert t["solved"][0] == 1


def test_a_public_solve_with_a_lower_die_of_1_scores_the_higher(table: Build, players: int) -> None:
    # C7
    t = table(players, hands={0: ["Cave"]}, owners={"Soldier": 0}, dice=[(1, 6), (1, 1), (1, 1)])
    t.solve(0, "public", "Cave")
    assert t.scores[0] == 6


def test_cards_for_different_forces_combine(table: Build, players: int) -> None:
    # C7: Mill for the Sailor, Battle for the Soldier, 12 together
    owners = {"Sailor": 0, "Soldier": 0}
    hands = {0: ["Mill", "Battle"]}
    t = table(players, hands=hands, owners=owners, dice=[(6, 6), (1, 1), (1, 1)])
    assert (0, "public") in t.solves
    t.solve(0, "public", "Mill", "Battle")
    assert t.scores[0] == 6
    t = table(
        players, hands=hands, owners={"Sailor": 0, "Soldier": 1}, dice=[(6, 6), (1, 1), (1, 1)]
    )
    assert (0, "public") not in t.solves
    assert (0, "quiet") in t.solves


def test_control_at_that_moment_counts(table: Build, players: int) -> None:
    # C7: a force taken in this turn pays in this turn
    t = table(players, hands={0: ["Origin", "Sea"]}, dice=[(4, 6), (6, 6), (6, 6)])
    assert t.solves == set()
    t.control("Origin", "Sailor")
    assert t.solves == {(0, "public"), (0, "quiet"), (1, "quiet"), (2, "quiet")}


def test_an_excess_is_lost(table: Build, players: int) -> None:
    # rulebook: at least the total
    t = table(players, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(1, 2), (1, 1), (1, 1)])
    t.solve(0, "public", "Sea")
    assert t.scores[0] == 2
    assert t.discards == {"Sea"}


@pytest.mark.parametrize("card", ["Harvest", "Sea"])
def test_crowns_and_pawns_are_worth_10(table: Build, players: int, card: str) -> None:
    # deck: rank 10; 4 and 6 make 10, 5 and 6 make 11
    t = table(
        players, hands={0: [card]}, owners={"Sailor": 0}, pawns=True, dice=[(4, 6), (5, 6), (6, 6)]
    )
    assert t.solves == {(0, "public"), (0, "quiet"), (1, "quiet"), (2, "quiet")}
    t.solve(0, "public", card)
    assert t.scores[0] == 6


@pytest.mark.parametrize("way", ["public", "quiet"])
def test_each_problem_once_a_turn(table: Build, players: int, way: str) -> None:
    # C9: neither way is offered again
    t = table(
        players,
        hands={0: ["Mill", "Sea", "End"]},
        owners={"Sailor": 0},
        dice=[(2, 6), (1, 3), (1, 1)],
    )
    t.solve(0, way, "Mill")
    assert t.solves == {(1, "public"), (1, "quiet"), (2, "public"), (2, "quiet")}


def test_several_problems_in_one_turn(table: Build, players: int) -> None:
    # C2, C9: all three, each in its own way
    t = table(
        players,
        hands={0: ["Mill", "Sea", "End", "Origin", "Pact"]},
        owners={"Sailor": 0},
        dice=[(2, 6), (5, 5), (3, 4)],
    )
    t.solve(2, "quiet", "End")
    assert t.scores[0] == 2
    t.solve(0, "public", "Mill")
    assert t.scores[0] == 2 + 6
    t.solve(1, "public", "Sea")
    assert t.scores[0] == 2 + 6 + 5
    assert t.solves == set()
    assert [int(x) for x in t["solved"][:3]] == [1, 1, 1]
    assert t.hand(0) == {"Origin", "Pact"}


def test_the_problem_can_be_solved_again_in_the_next_turn(table: Build, players: int) -> None:
    # C9
    t = table(
        players, hands={0: ["Ace of Waves"], 1: ["Windfall"]}, owners={"Sailor": 0, "Soldier": 1}
    )
    t.solve(0, "quiet", "Ace of Waves")
    t.finish_turn()
    assert not t["solved"].any()
    assert (0, "quiet") in t.solves


def test_dice_stay_as_they_are_until_the_turn_ends(table: Build, players: int) -> None:
    # C9
    dice = [(2, 6), (1, 3), (4, 4)]
    t = table(players, hands={0: ["Mill", "Sea"]}, owners={"Sailor": 0}, dice=dice)
    t.solve(0, "public", "Mill")
    assert t.dice == dice
    t.solve(1, "quiet", "Sea")
    assert t.dice == dice


@pytest.mark.parametrize("problems", [3, 4, 5])
def test_every_problem_can_be_solved(table: Build, players: int, problems: int) -> None:
    # option problems: each has its own public and quiet solve
    t = table(players, hands={0: ["Sea"]}, owners={"Sailor": 0}, dice=[(4, 5)] * problems)
    assert t.solves == {(i, way) for i in range(problems) for way in ("public", "quiet")}
    t.solve(problems - 1, "public", "Sea")
    assert t.scores[0] == 5
    assert [int(x) for x in t["solved"]] == [int(i == problems - 1) for i in range(5)]


def test_points_go_to_the_solver_alone(table: Build, players: int) -> None:
    # rulebook
    scores = [7, 8, 9, 10][:players]
    t = table(
        players,
        hands={0: ["Mill"]},
        owners={"Sailor": 0},
        scores=scores,
        dice=[(2, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public", "Mill")
    assert t.scores == [13, *scores[1:]]


def test_the_solver_pays_alone(table: Build, players: int) -> None:
    # rulebook: the cards of others are not offered
    t = table(
        players,
        hands={0: ["Journey"], 1: ["Sea"]},
        owners=ALL_FORCES,
        dice=[(3, 6), (6, 6), (6, 6)],
    )
    assert t.solves == {(0, "quiet")}
    t.solve(0, "quiet")
    assert t.payments == {"Journey"}


def test_the_log_tells_the_solve(table: Build, players: int) -> None:
    # C14: problem, way, target; each card; the points
    t = table(
        players, hands={0: ["Mill", "Origin"]}, owners={"Sailor": 0}, dice=[(1, 1), (4, 6), (1, 1)]
    )
    t.solve(1, "public", "Origin", "Mill")
    assert [event[1:5] for event in t.events(Event.SOLVE)] == [(0, 1, 0, 10)]
    assert [event[1] for event in t.events(Event.COMMIT)] == [0, 0]
    assert [event[1:4] for event in t.events(Event.SOLVED)] == [(0, 1, 6)]
