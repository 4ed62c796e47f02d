"""The Excuse as an attempt on all forces, and what it is not good for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.chancellors.actions import CONTROL_EXCUSE, DECLINE, END_TURN
from concilium.envs.chancellors.cards import CARDS, EXCUSE
from concilium.envs.chancellors.state import Event, Place

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build

FORCES = ["Sailor", "Soldier", "Diplomat"]


def test_it_takes_all_free_forces_and_nobody_is_asked(table: Build, players: int) -> None:
    # C15
    active = players - 1
    t = table(
        players,
        active=active,
        hands={active: ["Excuse"], 0: ["Sea", "Bard", "Windfall"]},
        excuse=True,
    )
    assert t.controls == {("Excuse", "all")}
    t.excuse()
    assert t.owners == [active] * 3
    assert (t.kind, t.actor) == ("action", active)
    assert t.discards == {"Excuse"}
    assert t.hand(active) == set()


@pytest.mark.parametrize("own", [["Sailor"], ["Diplomat"], ["Sailor", "Soldier"]])
def test_it_names_only_the_forces_not_ones_own(table: Build, players: int, own: list[str]) -> None:
    # C15
    t = table(players, hands={0: ["Excuse"]}, owners={force: 0 for force in own}, excuse=True)
    t.excuse()
    assert t.owners == [0, 0, 0]
    assert t.kind == "action"
    taken = [FORCES[event[2]] for event in t.events(Event.TAKE)]
    assert taken == [force for force in FORCES if force not in own]


def test_with_all_three_it_names_none_and_is_illegal(table: Build, players: int) -> None:
    # C15: at least one
    t = table(players, hands={0: ["Excuse"]}, owners={force: 0 for force in FORCES}, excuse=True)
    assert t.legal == {END_TURN}


def test_it_needs_the_option_and_the_hand(table: Build, players: int) -> None:
    # C15
    t = table(players)
    assert t["where"][EXCUSE] == Place.ABSENT
    assert CONTROL_EXCUSE not in t.legal
    t = table(players, hands={1: ["Excuse"]}, excuse=True)
    assert CONTROL_EXCUSE not in t.legal


@pytest.mark.parametrize("force", FORCES)
@pytest.mark.parametrize("blocked", [True, False])
def test_one_owned_force(table: Build, players: int, force: str, blocked: bool) -> None:
    # C15: the free ones are taken before the question; one controller decides about his
    controller = players - 1
    ace = {"Sailor": "Ace of Leaves", "Soldier": "Ace of Knots", "Diplomat": "Ace of Suns"}[force]
    t = table(
        players, hands={0: ["Excuse"], controller: [ace]}, owners={force: controller}, excuse=True
    )
    t.excuse()
    assert (t.kind, t.actor) == ("block", controller)
    assert t["attempt_force"] == FORCES.index(force)
    assert t.owners == [controller if name == force else 0 for name in FORCES]
    assert t.blocks == {ace}  # rank 1 is enough
    if blocked:
        t.block(ace)
        assert t.owners == [controller if name == force else 0 for name in FORCES]
        assert t.discards == {"Excuse", ace}
    else:
        t.decline()
        assert t.owners == [0, 0, 0]
        assert t.discards == {"Excuse"}
        assert t.hand(controller) == {ace}
    assert (t.kind, t.actor) == ("action", 0)


def test_any_card_of_the_force_blocks(table: Build) -> None:
    # C15: rank 1 and up, of a matching suit; 16 basic cards and 3 Pawns for each force
    hand = [card.name for card in CARDS[:37]]
    for force, suits in (("Sailor", "WL"), ("Soldier", "YK"), ("Diplomat", "MS")):
        t = table(2, hands={0: ["Excuse"], 1: hand}, owners={force: 1}, excuse=True, pawns=True)
        t.excuse()
        assert t.blocks == {card.name for card in CARDS if set(card.suits) & set(suits)}
        assert len(t.blocks) == 19


@pytest.mark.parametrize(
    ("forces", "blocks", "kept"),
    [
        (["Sailor", "Soldier"], [True, True], ["Sailor", "Soldier"]),
        (["Sailor", "Diplomat"], [False, True], ["Diplomat"]),
        (["Soldier", "Diplomat"], [True, False], ["Soldier"]),
        (["Sailor", "Diplomat"], [False, False], []),
    ],
)
def test_one_controller_is_asked_twice(
    table: Build, players: int, forces: list[str], blocks: list[bool], kept: list[str]
) -> None:
    # C15: in table order, each with a card of its own
    cards = {"Sailor": "Mill", "Soldier": "Betrayal", "Diplomat": "Pact"}
    t = table(
        players,
        hands={0: ["Excuse"], 1: list(cards.values())},
        owners={force: 1 for force in forces},
        excuse=True,
    )
    t.excuse()
    free = next(force for force in FORCES if force not in forces)
    assert t.owners[FORCES.index(free)] == 0
    for force, blocked in zip(forces, blocks, strict=True):
        assert (t.kind, t.actor) == ("block", 1)
        assert t["attempt_force"] == FORCES.index(force)
        assert t.blocks == {cards[force]}
        assert t.pending == {"Excuse"}
        t.block(cards[force]) if blocked else t.decline()
    assert t.owners == [1 if force in kept else 0 for force in FORCES]
    assert t.discards == {"Excuse", *(cards[force] for force in kept)}
    assert (t.kind, t.actor) == ("action", 0)


@pytest.mark.parametrize("last_owner", [1, 2])
def test_different_controllers_are_asked_in_table_order(table: Build, last_owner: int) -> None:
    # C15: by the order of the forces, not of the seats
    t = table(
        3,
        hands={0: ["Excuse"]},
        excuse=True,
        owners={"Sailor": 2, "Soldier": 1, "Diplomat": last_owner},
    )
    t.excuse()
    for force, seat in enumerate((2, 1, last_owner)):
        assert (t.kind, t.actor, t["attempt_force"]) == ("block", seat, force)
        t.decline()
    assert t.owners == [0, 0, 0]


def test_blocked_on_all_fronts_nothing_is_taken(table: Build, players: int) -> None:
    # C15
    t = table(
        players,
        hands={0: ["Excuse"], 1: ["Mill", "Ace of Wyrms", "Huntress"]},
        owners={force: 1 for force in FORCES},
        excuse=True,
    )
    t.excuse()
    for card in ("Mill", "Ace of Wyrms", "Huntress"):
        assert t.actor == 1
        t.block(card)
    assert t.owners == [1, 1, 1]
    assert t.hand(1) == set()
    assert t.discards == {"Excuse", "Mill", "Ace of Wyrms", "Huntress"}
    assert (t.kind, t.actor) == ("action", 0)
    assert t.events(Event.TAKE) == []


def test_three_owned_forces_two_blocked(table: Build, players: int) -> None:
    # C15: something is taken unless all three are blocked
    t = table(
        players,
        hands={0: ["Excuse"], 1: ["Mill", "Huntress"]},
        owners={force: 1 for force in FORCES},
        excuse=True,
    )
    t.excuse()
    t.block("Mill")
    assert t.legal == {DECLINE}
    t.decline()
    t.block("Huntress")
    assert t.owners == [1, 0, 1]


def test_a_card_blocks_one_force_only(table: Build, players: int) -> None:
    # C15: the Savage matches Sailor and Soldier but is spent at the first
    t = table(
        players,
        hands={0: ["Excuse"], 1: ["Savage"]},
        owners={"Sailor": 1, "Soldier": 1},
        excuse=True,
    )
    t.excuse()
    assert t.blocks == {"Savage"}
    t.block("Savage")
    assert t.actor == 1
    assert t.legal == {DECLINE}
    t.decline()
    assert t.owners == [1, 0, 0]


def test_a_controller_without_cards_is_asked_for_each_force(table: Build, players: int) -> None:
    # C15: as in C5
    t = table(players, hands={0: ["Excuse"]}, owners={force: 1 for force in FORCES}, excuse=True)
    t.excuse()
    for force in range(3):
        assert (t.kind, t.actor, t["attempt_force"]) == ("block", 1, force)
        assert t.legal == {DECLINE}
        t.decline()
    assert t.owners == [0, 0, 0]


def test_ones_own_force_is_not_asked_about(table: Build, players: int) -> None:
    # C15: own Sailor, another's Soldier, free Diplomat
    t = table(
        players, hands={0: ["Excuse", "Mill"]}, owners={"Sailor": 0, "Soldier": 1}, excuse=True
    )
    t.excuse()
    assert t.owners == [0, 1, 0]
    assert (t.actor, t["attempt_force"]) == (1, 1)
    t.decline()
    assert (t.kind, t.actor, t.owners) == ("action", 0, [0, 0, 0])


def test_each_decision_is_public_before_the_next(table: Build, players: int) -> None:
    # C15: at the second question everybody sees the first answer
    mill = [card.name for card in CARDS].index("Mill")
    for blocked in (True, False):
        t = table(
            players,
            hands={0: ["Excuse"], 1: ["Mill"]},
            excuse=True,
            owners={"Sailor": 1, "Diplomat": players - 1},
        )
        t.excuse()
        t.block("Mill") if blocked else t.decline()
        assert (t.kind, t.actor) == ("block", players - 1)
        assert t.owners == [1 if blocked else 0, 0, players - 1]
        for viewer in (*range(players), SPECTATOR):
            view = t.game.view(t.state, viewer)
            assert view["owner"][0, 0] == (1 if blocked else 0)
            assert (view["where"][0, mill] == Place.DISCARD) == blocked
            assert view["where"][0, EXCUSE] == Place.TABLE


def test_the_log_tells_free_forces_before_the_questions(table: Build, players: int) -> None:
    # C15
    t = table(
        players,
        hands={0: ["Excuse"], 1: ["Mill"]},
        owners={"Sailor": 1, "Diplomat": 1},
        excuse=True,
    )
    t.excuse()
    t.block("Mill")
    t.decline()
    told = [event[:2] for event in t.events()]
    assert told == [
        (Event.ATTEMPT, 0),
        (Event.TAKE, 0),
        (Event.BLOCKED, 1),
        (Event.DECLINE, 1),
        (Event.TAKE, 0),
    ]


def test_forces_taken_by_it_pay_at_once(table: Build, players: int) -> None:
    # C2, C7
    t = table(players, hands={0: ["Excuse", "Mill"]}, dice=[(2, 6), (1, 1), (1, 1)], excuse=True)
    assert t.solves == set()
    t.excuse()
    assert (0, "public") in t.solves
    t.solve(0, "public", "Mill")
    assert t.scores[0] == 6


def test_it_never_pays_for_a_solve(table: Build, players: int) -> None:
    # C17: with the Excuse alone no problem can be solved, quietly at 1 neither
    owners = {force: 0 for force in FORCES}
    t = table(players, hands={0: ["Excuse"]}, owners=owners, excuse=True)
    assert t.solves == set()
    t = table(players, hands={0: ["Excuse", "Ace of Moons"]}, owners=owners, excuse=True)
    assert t.solves == {(0, "quiet"), (1, "quiet"), (2, "quiet")}
    t.solve(0, "quiet")
    assert t.payments == {"Ace of Moons"}
    assert len(t.legal) == 1


def test_it_cannot_be_declared_for_a_single_force(table: Build, players: int) -> None:
    # C15: it names all forces or none
    t = table(players, hands={0: ["Excuse"]}, owners={"Sailor": 0, "Soldier": 0}, excuse=True)
    assert t.legal == {CONTROL_EXCUSE, END_TURN}
