"""Control: which attempts are offered, what they do, and how freely they mix with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from concilium.envs.chancellors.actions import CONTROL_EXCUSE, END_TURN
from concilium.envs.chancellors.cards import CARDS
from concilium.envs.chancellors.state import Event

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build


def test_an_empty_hand_can_only_end_the_turn_and_is_asked(table: Build, players: int) -> None:
    # C2
    t = table(players, hands={1: ["Author"]})
    assert (t.kind, t.actor) == ("action", 0)
    assert t.legal == {END_TURN}


@pytest.mark.parametrize(
    ("card", "forces"),
    [
        ("Ace of Waves", {"Sailor"}),
        ("Ace of Knots", {"Soldier"}),
        ("Ace of Suns", {"Diplomat"}),
        ("Author", {"Soldier", "Diplomat"}),
        ("Journey", {"Sailor", "Diplomat"}),
        ("Savage", {"Sailor", "Soldier"}),
        ("Huntress", {"Diplomat"}),
        ("Harvest", {"Sailor", "Diplomat"}),
        ("Watchman", {"Soldier", "Diplomat"}),
        ("Borderland", {"Sailor", "Soldier"}),
        ("Light Keeper", {"Sailor", "Soldier", "Diplomat"}),
    ],
)
def test_a_card_may_take_any_force_with_one_of_its_suits(
    table: Build, players: int, card: str, forces: set[str]
) -> None:
    # C4: the player declares one of the forces that the card matches
    t = table(players, hands={0: [card]}, pawns=True)
    assert t.controls == {(card, force) for force in forces}


@pytest.mark.parametrize(
    ("card", "force"), [("Origin", "Sailor"), ("Battle", "Soldier"), ("Pact", "Diplomat")]
)
def test_both_suits_of_one_force_are_one_action(
    table: Build, players: int, card: str, force: str
) -> None:
    # C4
    t = table(players, hands={0: [card]})
    assert t.controls == {(card, force)}
    assert len(t.legal) == 2  # the attempt and the end of the turn


def test_there_is_one_control_action_for_each_card_and_force() -> None:
    # C4: 16 basic cards for each of three forces, and 9 for the Pawns
    assert CONTROL_EXCUSE == 57


@pytest.mark.parametrize("card", ["Ace of Leaves", "Mill", "Sea"])
def test_a_force_of_nobody_is_taken_at_once(table: Build, players: int, card: str) -> None:
    # C5: only the present controller is asked, so here nobody is
    active = players - 1
    others = {seat: ["End"] if seat == 0 else ["Merchant"] for seat in range(min(2, active))}
    t = table(players, active=active, hands={active: [card], **others})
    t.control(card, "Sailor")
    assert t.owners == [active, -1, -1]
    assert (t.kind, t.actor) == ("action", active)
    assert t.hand(active) == set()
    assert t.discards == {card}
    assert t.pending == set()


def test_the_declared_force_is_taken_and_no_other(table: Build, players: int) -> None:
    # C4
    for force, owners in (("Sailor", [0, -1, -1]), ("Diplomat", [-1, -1, 0])):
        t = table(players, hands={0: ["Forest"]})
        t.control("Forest", force)
        assert t.owners == owners


def test_a_force_one_controls_cannot_be_attempted(table: Build, players: int) -> None:
    # C3
    hands = {0: ["Savage", "Mill", "Author"]}
    t = table(players, hands=hands, owners={"Sailor": 0})
    assert t.controls == {("Savage", "Soldier"), ("Author", "Soldier"), ("Author", "Diplomat")}
    t = table(players, hands=hands, owners={"Sailor": 0, "Soldier": 0, "Diplomat": 0})
    assert t.controls == set()


def test_a_force_of_another_can_be_attempted(table: Build, players: int) -> None:
    # C3, C5
    t = table(players, hands={0: ["Savage"]}, owners={"Sailor": players - 1})
    assert t.controls == {("Savage", "Sailor"), ("Savage", "Soldier")}


def test_several_attempts_on_one_force_in_one_turn(table: Build, players: int) -> None:
    # C3: blocked, blocked again, taken at the third try
    t = table(
        players,
        hands={0: ["Origin", "Discovery", "Mill"], 1: ["Journey", "Lunatic", "Merchant"]},
        owners={"Sailor": 1},
    )
    t.control("Origin", "Sailor")
    t.block("Journey")
    t.control("Discovery", "Sailor")
    t.block("Lunatic")
    assert t.owners == [1, -1, -1]
    t.control("Mill", "Sailor")
    t.decline()
    assert t.owners == [0, -1, -1]
    assert t.discards == {"Origin", "Discovery", "Mill", "Journey", "Lunatic"}


def test_several_forces_in_one_turn(table: Build, players: int) -> None:
    # C2
    t = table(players, hands={0: ["Mill", "Author", "Pact"]})
    t.control("Mill", "Sailor")
    t.control("Author", "Soldier")
    t.control("Pact", "Diplomat")
    assert t.owners == [0, 0, 0]
    assert [event[:3] for event in t.events(Event.TAKE)] == [
        (Event.TAKE, 0, 0),
        (Event.TAKE, 0, 1),
        (Event.TAKE, 0, 2),
    ]
    assert t.legal == {END_TURN}


def test_attempts_and_solves_mix_freely(table: Build, players: int) -> None:
    # C2: take, solve, take, solve in one turn
    t = table(
        players,
        hands={0: ["Origin", "Mill", "Author", "Betrayal"]},
        dice=[(2, 6), (3, 5), (1, 1)],
    )
    assert t.solves == set()  # no force, no solve
    t.control("Origin", "Sailor")
    t.solve(0, "public", "Mill")
    t.control("Author", "Soldier")
    t.solve(1, "public", "Betrayal")
    assert t.scores[0] == 6 + 5
    assert t.owners == [0, 0, -1]
    assert (t.kind, t.actor) == ("action", 0)
    assert t.hand(0) == set()


def test_a_turn_may_be_ended_at_any_point_between_plays(table: Build, players: int) -> None:
    # C2
    t = table(players, hands={0: ["Origin", "Mill"]}, dice=[(2, 6), (1, 1), (1, 1)])
    assert END_TURN in t.legal
    t.control("Origin", "Sailor")
    assert END_TURN in t.legal
    t.solve(0, "public", "Mill")
    assert END_TURN in t.legal
    t.end_turn()
    assert t.actor == 1


def test_control_lasts_over_the_turns(table: Build, players: int) -> None:
    # rulebook: control is kept until another player takes it away
    t = table(players, hands={0: ["Mill"]})
    t.control("Mill", "Sailor")
    for _ in range(players):
        t.finish_turn()
    assert t.actor == 0
    assert t.owners == [0, -1, -1]


def test_a_taken_force_can_be_retaken_by_the_next_player(table: Build, players: int) -> None:
    # C5
    t = table(players, hands={0: ["Mill"], 1: ["Sea"]})
    t.control("Mill", "Sailor")
    t.finish_turn()
    t.control("Sea", "Sailor")
    assert t.owners[0] == 1


def test_every_ranked_card_takes_a_free_force(table: Build) -> None:
    # C4: all 37 cards with every force of theirs
    suits = {"Sailor": set("WL"), "Soldier": set("YK"), "Diplomat": set("MS")}
    for card in CARDS[:37]:
        for force, its in suits.items():
            t = table(2, hands={0: [card.name]}, pawns=True)
            assert ((card.name, force) in t.controls) == bool(its & set(card.suits))
