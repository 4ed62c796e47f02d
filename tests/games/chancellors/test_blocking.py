"""Blocking: who is asked, with which cards an attempt may be blocked, and where the cards go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from concilium.envs.chancellors.actions import DECLINE
from concilium.envs.chancellors.cards import CARDS
from concilium.envs.chancellors.state import Event

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build

SUITS = {"Sailor": set("WL"), "Soldier": set("YK"), "Diplomat": set("MS")}


def test_only_the_controller_is_asked(table: Build, players: int) -> None:
    # C5
    for controller in range(1, players):
        hands = {
            0: ["Origin"],
            **{seat: [("Sea", "End", "Mill")[seat - 1]] for seat in range(1, players)},
        }
        t = table(players, hands=hands, owners={"Sailor": controller})
        t.control("Origin", "Sailor")
        assert (t.kind, t.actor) == ("block", controller)
        assert t["active"] == 0
        t.decline()
        assert (t.kind, t.actor) == ("action", 0)
        assert t.owners == [0, -1, -1]


def test_the_asked_force_is_named(table: Build, players: int) -> None:
    # C5
    t = table(players, hands={0: ["Author"]}, owners={"Soldier": 1, "Diplomat": 1})
    t.control("Author", "Diplomat")
    assert t["attempt_force"] == 2
    assert t["attempt_card"] == [card.name for card in CARDS].index("Author")


@pytest.mark.parametrize(
    ("attempt", "blocker", "may"),
    [
        ("Cave", "Mill", True),  # 8 over 7
        ("Cave", "Chance Meeting", False),  # 7 is not higher than 7
        ("Cave", "Lunatic", False),  # 6 under 7
        ("Cave", "Betrayal", False),  # 8, but neither Waves nor Leaves
        ("Ace of Waves", "Ace of Leaves", False),  # 1 is not higher than 1
        ("Ace of Waves", "Origin", True),  # 2 over 1
        ("Merchant", "Darkness", False),  # 9 is not higher than 9
        ("Merchant", "Sea", True),  # a Crown over 9
        ("Merchant", "Harvest", True),  # a Pawn is rank 10
        ("Merchant", "Watchman", False),  # a Pawn without the suits
        ("Journey", "Savage", False),  # 3 is not higher than 3
        ("Journey", "Forest", True),  # 5 over 3; one suit in common is enough
    ],
)
def test_a_block_needs_a_suit_of_the_force_and_a_higher_rank(
    table: Build, players: int, attempt: str, blocker: str, may: bool
) -> None:
    # C5
    controller = players - 1
    t = table(
        players,
        hands={0: [attempt], controller: [blocker]},
        owners={"Sailor": controller},
        pawns=True,
    )
    t.control(attempt, "Sailor")
    assert t.blocks == ({blocker} if may else set())
    assert DECLINE in t.legal
    assert len(t.legal) == 1 + may


@pytest.mark.parametrize("force", ["Sailor", "Soldier", "Diplomat"])
def test_the_block_needs_no_suit_of_the_attempting_card(table: Build, force: str) -> None:
    # C5: the offered cards are exactly those of the force with a higher rank, for every attempt
    for attempt in CARDS[:37]:
        if attempt.rank == 10 or not SUITS[force] & set(attempt.suits):
            continue
        held = [card for card in CARDS[:37] if card is not attempt]
        t = table(
            2,
            hands={0: [attempt.name], 1: [card.name for card in held]},
            owners={force: 1},
            pawns=True,
        )
        t.control(attempt.name, force)
        assert t.blocks == {
            card.name
            for card in held
            if card.rank > attempt.rank and SUITS[force] & set(card.suits)
        }


def test_a_block_keeps_the_force(table: Build, players: int) -> None:
    # C5: final; both cards are in the discard pile, the turn goes on
    controller = players - 1
    t = table(
        players,
        hands={0: ["Forest", "Sea"], controller: ["Mill", "End"]},
        owners={"Sailor": controller},
    )
    t.control("Forest", "Sailor")
    t.block("Mill")
    assert (t.kind, t.actor) == ("action", 0)  # no counter to a block
    assert t.owners == [controller, -1, -1]
    assert t.discards == {"Forest", "Mill"}
    assert t.hand(0) == {"Sea"}
    assert t.hand(controller) == {"End"}


def test_a_declined_block_costs_nothing(table: Build, players: int) -> None:
    # C5
    controller = players - 1
    t = table(
        players, hands={0: ["Forest"], controller: ["Mill", "End"]}, owners={"Sailor": controller}
    )
    t.control("Forest", "Sailor")
    t.decline()
    assert t.owners == [0, -1, -1]
    assert t.hand(controller) == {"Mill", "End"}
    assert t.discards == {"Forest"}


def test_the_attempting_card_lies_open_until_the_attempt_is_settled(
    table: Build, players: int
) -> None:
    # C5
    t = table(players, hands={0: ["Forest"], 1: ["Mill"]}, owners={"Sailor": 1})
    t.control("Forest", "Sailor")
    assert t.pending == {"Forest"}
    assert t.discards == set()
    assert t.hand(0) == set()
    t.block("Mill")
    assert t.pending == set()
    assert t.discards == {"Forest", "Mill"}
    assert t["attempt_card"] == t["attempt_force"] == -1


def test_a_controller_without_cards_is_asked_too(table: Build, players: int) -> None:
    # C5
    t = table(players, hands={0: ["Ace of Leaves"]}, owners={"Sailor": 1})
    t.control("Ace of Leaves", "Sailor")
    assert (t.kind, t.actor) == ("block", 1)
    assert t.legal == {DECLINE}


def test_a_controller_with_useless_cards_is_asked_too(table: Build, players: int) -> None:
    # C5
    t = table(players, hands={0: ["Cave"], 1: ["Origin", "Windfall"]}, owners={"Sailor": 1})
    t.control("Cave", "Sailor")
    assert (t.kind, t.actor) == ("block", 1)
    assert t.legal == {DECLINE}


@pytest.mark.parametrize(
    ("card", "force"),
    [
        ("Sea", "Sailor"), ("End", "Sailor"), ("Calamity", "Soldier"), ("Windfall", "Soldier"),
        ("Huntress", "Diplomat"), ("Bard", "Diplomat"), ("Harvest", "Sailor"),
        ("Harvest", "Diplomat"), ("Watchman", "Soldier"), ("Light Keeper", "Soldier"),
        ("Light Keeper", "Diplomat"), ("Borderland", "Sailor"),
    ],
)  # fmt: skip
def test_rank_10_takes_at_once_and_nobody_is_asked(
    table: Build, players: int, card: str, force: str
) -> None:
    # C6: even if the controller holds every other card
    hand = [other.name for other in CARDS if other.name != card]
    t = table(players, hands={0: [card], 1: hand}, owners={force: 1}, pawns=True, excuse=True)
    t.control(card, force)
    assert (t.kind, t.actor) == ("action", 0)
    assert t.owners == [0 if name == force else -1 for name in ("Sailor", "Soldier", "Diplomat")]
    assert t.discards == {card}
    assert t.hand(1) == set(hand)


def test_rank_9_is_asked(table: Build, players: int) -> None:
    # C6: the rank below the exception
    t = table(players, hands={0: ["Pact"], 1: ["Bard"]}, owners={"Diplomat": 1})
    t.control("Pact", "Diplomat")
    assert t.blocks == {"Bard"}


def test_the_excuse_cannot_block(table: Build, players: int) -> None:
    # C6
    t = table(
        players, hands={0: ["Ace of Waves"], 1: ["Excuse"]}, owners={"Sailor": 1}, excuse=True
    )
    t.control("Ace of Waves", "Sailor")
    assert t.legal == {DECLINE}


def test_only_cards_of_the_controller_block(table: Build) -> None:
    # C5: a third player's high card is of no use
    t = table(3, hands={0: ["Cave"], 1: ["Origin"], 2: ["Mill"]}, owners={"Sailor": 1})
    t.control("Cave", "Sailor")
    assert t.legal == {DECLINE}


def test_a_new_controller_is_asked_in_the_next_turn(table: Build, players: int) -> None:
    # C5: the present controller, not the earlier one
    t = table(players, hands={0: ["Journey"], 1: ["Lunatic"]}, owners={"Sailor": players - 1})
    t.control("Journey", "Sailor")
    t.decline()
    t.finish_turn()
    t.control("Lunatic", "Sailor")
    assert (t.kind, t.actor) == ("block", 0)


def test_the_log_tells_the_attempt_before_the_answer(table: Build, players: int) -> None:
    # C5: the attempting card is public first
    t = table(players, hands={0: ["Forest", "Mill"], 1: ["Lunatic"]}, owners={"Sailor": 1})
    t.control("Forest", "Sailor")
    assert [event[:2] for event in t.events()] == [(Event.ATTEMPT, 0)]
    t.block("Lunatic")
    assert [event[:2] for event in t.events()] == [(Event.ATTEMPT, 0), (Event.BLOCKED, 1)]
    t.control("Mill", "Sailor")
    t.decline()
    assert [event[:2] for event in t.events()[2:]] == [
        (Event.ATTEMPT, 0),
        (Event.DECLINE, 1),
        (Event.TAKE, 0),
    ]
