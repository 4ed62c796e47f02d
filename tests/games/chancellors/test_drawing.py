"""Drawing: one card each after a turn, and the discard pile as the new deck when need be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from concilium.envs.chancellors.cards import CARDS
from concilium.envs.chancellors.state import Event, Place

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Table

TOP = ["Mill", "Sea", "End", "Bard", "Author"]


def decks_drawn_from(t: Table, seat: int) -> list[int]:
    """Deck numbers of the cards in a hand, which stand before the blanks."""
    size = int(t["hand_size"][seat])
    numbers = [int(number) for number in t["drawn"][seat]]
    assert set(numbers[size:]) <= {-1}
    return numbers[:size]


def test_one_card_each_clockwise_from_the_active_player(table: Build, players: int) -> None:
    # C13
    for active in range(players):
        t = table(players, active=active, deck=TOP)
        t.finish_turn()
        for k in range(players):
            assert t.hand((active + k) % players) == {TOP[k]}
        drawn = [(event[1], CARDS[event[5]].name) for event in t.events(Event.DRAW)]
        assert drawn == [((active + k) % players, TOP[k]) for k in range(players)]
        assert t["deck_size"] == 5 - players


def test_everyone_draws_after_every_turn(table: Build, players: int) -> None:
    # C13: not only the player whose turn it was
    t = table(players, hands={0: ["Mill"], 1: ["Sea", "Pact"]})
    for turn in range(3):
        assert t.sizes == [1 + turn, 2 + turn, *[turn] * (players - 2)]
        t.finish_turn()


def test_there_is_no_hand_limit(table: Build, players: int) -> None:
    # C13
    hand = [card.name for card in CARDS[:33] if card.name not in TOP]
    t = table(players, hands={0: hand}, deck=TOP)
    t.finish_turn()
    assert t.hand(0) == {*hand, "Mill"}
    assert (t.kind, t.actor) == ("action", 1)


def test_a_deck_that_just_suffices_is_not_reshuffled(table: Build, players: int) -> None:
    # C13: only when a player must draw
    t = table(players, deck=TOP[:players])
    discards = t.discards
    t.finish_turn()
    assert t["deck_size"] == 0
    assert t.discards == discards
    assert t["deck_number"] == 0
    assert t.events(Event.SHUFFLE) == []


def test_an_empty_deck_is_reshuffled_at_the_next_draw(table: Build, players: int) -> None:
    # C13
    t = table(players, deck=TOP[:players])
    discards = t.discards
    t.finish_turn()
    t.finish_turn()
    assert t.discards == set()
    assert t["deck_size"] == len(discards) - players == 33 - 2 * players
    assert t["deck_number"] == 1
    drawn = set().union(*(t.hand(seat) for seat in range(players))) - set(TOP[:players])
    assert drawn | t.cards_at(Place.DECK) == discards
    assert [event[2:4] for event in t.events(Event.SHUFFLE)] == [(1, len(discards))]


def test_the_deck_runs_empty_in_the_middle_of_a_round(table: Build, players: int) -> None:
    # C13
    t = table(players, deck=["Mill"], active=1)
    discards = t.discards
    t.finish_turn()
    assert t.hand(1) == {"Mill"}
    assert t.sizes == [1] * players
    assert t["deck_size"] == 32 - (players - 1)
    assert t.discards == set()
    others = set().union(*(t.hand(seat) for seat in range(players) if seat != 1))
    assert others <= discards
    assert [event[0] for event in t.events(Event.DRAW, Event.SHUFFLE)] == [
        Event.DRAW,
        Event.SHUFFLE,
    ] + [Event.DRAW] * (players - 1)


def test_cards_paid_in_this_turn_are_among_them(table: Build, players: int) -> None:
    # C13: an attempt, a block and a payment come back by the reshuffle of the same turn
    rest = [
        card.name for card in CARDS[:33] if card.name not in ("Origin", "Forest", "Savage", "Sea")
    ]
    t = table(
        players,
        hands={0: ["Origin", "Forest", "Sea"], 1: ["Savage", *rest]},
        deck=[],
        owners={"Sailor": 1, "Diplomat": 0},
        dice=[(2, 3), (1, 1), (1, 1)],
    )
    t.control("Origin", "Sailor")
    t.block("Savage")
    t.solve(0, "public", "Forest")
    assert t.discards == {"Origin", "Savage", "Forest"}
    t.finish_turn()
    drawn = (t.hand(0) - {"Sea"}) | (t.hand(1) - set(rest))
    drawn |= set().union(*(t.hand(seat) for seat in range(2, players)))
    assert len(drawn) == min(players, 3)
    assert drawn | t.cards_at(Place.DECK) == {"Origin", "Savage", "Forest"}
    assert t.discards == set()


def test_both_empty_no_draw(table: Build, players: int) -> None:
    # C13
    t = table(players, hands={1: [card.name for card in CARDS[:33]]}, deck=[])
    t.finish_turn()
    assert t.sizes == [0, 33, *[0] * (players - 2)]
    assert t["deck_number"] == 0
    assert t.events(Event.DRAW, Event.SHUFFLE) == []
    assert (t.running, t.actor) == (True, 1)


def test_the_last_cards_go_to_the_first_in_line(table: Build, players: int) -> None:
    # C13: one card in the deck, none in the pile; the active player gets it
    rest = [card.name for card in CARDS[:33] if card.name != "Mill"]
    t = table(players, hands={0: rest}, deck=["Mill"], active=1)
    t.finish_turn()
    assert t.hand(1) == {"Mill"}
    assert t.sizes == [32, 1, *[0] * (players - 2)]
    assert t["deck_number"] == 0


def test_a_pile_of_one_card_becomes_a_deck(table: Build, players: int) -> None:
    # C13: the pile serves the active player, then both are empty
    rest = [card.name for card in CARDS[:33] if card.name != "Mill"]
    t = table(players, hands={0: rest}, deck=[], active=1)
    assert t.discards == {"Mill"}
    t.finish_turn()
    assert t.hand(1) == {"Mill"}
    assert t.sizes == [32, 1, *[0] * (players - 2)]
    assert (t["deck_number"], t["deck_size"]) == (1, 0)


def test_forces_are_never_shuffled_in(table: Build, players: int) -> None:
    # rulebook: the forces lie on the table
    t = table(players, deck=[], owners={"Sailor": 0, "Soldier": 1})
    t.finish_turn()
    assert t.owners == [0, 1, -1]
    assert t["deck_size"] == 33 - players


def test_the_excuse_is_shuffled_in_again(table: Build, players: int) -> None:
    # C13: the whole pile, the Excuse included
    seen = 0
    for seed in range(40):
        t = table(players, seed=seed, deck=[], excuse=True, pawns=True)
        t.finish_turn()
        assert t["deck_size"] == 38 - players
        assert t.discards == set()
        seen += "Excuse" in t.cards_at(Place.DECK)
    assert seen > 20  # the deck holds it unless it was drawn again at once


def test_the_reshuffle_is_random(table: Build) -> None:
    # C13: the first card drawn from the new deck is any of 33, df 32
    counts = [0] * 33
    for seed in range(990):
        t = table(2, seed=seed, deck=[])
        t.finish_turn()
        counts[t.events(Event.DRAW)[0][5]] += 1
    assert sum((count - 30) ** 2 / 30 for count in counts) < 62.49


def test_deck_numbers_tell_which_deck_a_card_came_from(table: Build, players: int) -> None:
    # C14: the deck's number is public, and so is how many cards of a hand came from which deck
    t = table(players, hands={0: ["Pact"]}, deck=["Mill"])
    t.finish_turn()
    assert decks_drawn_from(t, 0) == [0, 0]
    assert all(decks_drawn_from(t, seat) == [1] for seat in range(1, players))
    t.finish_turn()
    assert decks_drawn_from(t, 0) == [0, 0, 1]
    for seat in range(players):
        numbers = sorted(
            int(t["card_deck"][number]) for number in range(33) if t["where"][number] == seat
        )
        assert numbers == decks_drawn_from(t, seat)
