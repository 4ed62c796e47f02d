"""Information: what every player and a spectator sees, and what nobody can tell from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs import SPECTATOR
from concilium.envs.chancellors.cards import CARDS, EXCUSE
from concilium.envs.chancellors.state import Event, Place
from concilium.envs.core.state import UNKNOWN, Records

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Play, Table

NUMBER = {card.name: number for number, card in enumerate(CARDS)}
PUBLIC = [
    "dice", "owner", "score", "hand_size", "deck_size", "deck_number", "turns", "active", "phase",
    "attempt_card", "attempt_force", "solve_problem", "solve_quiet", "solve_paid", "solved",
    "card_deck", "drawn", "actor", "status", "outcome",
]  # fmt: skip
HANDS = {0: ["Mill", "Sea"], 1: ["Author", "Bard"], 2: ["Pact", "End"], 3: ["Cave", "Windfall"]}


def middle_of_a_game(table: Build, players: int, **changes: object) -> Table:
    """Return a position with two cards in each hand, cards in the pile and an owned force."""
    setting: dict[str, object] = {
        "hands": {seat: HANDS[seat] for seat in range(players)},
        "discards": ["Origin", "Castle"],
        "owners": {"Sailor": 0, "Soldier": 1},
        "dice": [(2, 6), (3, 5), (1, 1)],
        "scores": [5, 6],
    }
    return table(players, **{**setting, **changes})


def all_views(t: Table) -> dict[int, Records]:
    """Return the View of each seat and of a spectator."""
    return {v: t.game.view(t.state, v) for v in (*range(t.game.num_players), SPECTATOR)}


def told(t: Table, viewer: int) -> list[list[int]]:
    """Return the DRAW events as the viewer sees them: who, secret."""
    view = t.game.view(t.state, viewer)
    rows = view["log"][0][: int(view["log_count"][0])]
    return [[int(row[1]), int(row[5])] for row in rows if row[0] == Event.DRAW]


def swapped(t: Table, one: str, other: str) -> Records:
    """Return the State with two hidden cards in each other's place."""
    state = t.state.copy()
    a, b = NUMBER[one], NUMBER[other]
    where, deck = state["where"][0], state["deck"][0]
    where[[a, b]] = where[[b, a]]
    deck[:] = [{a: b, b: a}.get(int(card), int(card)) for card in deck]
    return state


def test_public_facts_are_in_every_view(table: Build, players: int) -> None:
    # C14
    t = middle_of_a_game(table, players)
    for viewer, view in all_views(t).items():
        assert view["viewer"][0] == viewer
        for field in PUBLIC:
            assert (view[field] == t.state[field]).all(), field
        assert {CARDS[card].name for card in np.flatnonzero(view["where"][0] == Place.DISCARD)} == {
            "Origin",
            "Castle",
        }


def test_a_player_sees_the_own_hand_only(table: Build, players: int) -> None:
    # C14
    t = middle_of_a_game(table, players)
    for viewer, view in all_views(t).items():
        for seat in range(players):
            seen = {CARDS[card].name for card in np.flatnonzero(view["where"][0] == seat)}
            assert seen == (set(HANDS[seat]) if seat == viewer else set())
        hidden = [name for seat in range(players) if seat != viewer for name in HANDS[seat]]
        assert {int(view["where"][0, NUMBER[name]]) for name in hidden} == {UNKNOWN}


def test_the_deck_is_hidden_from_all(table: Build, players: int) -> None:
    # C14: neither the order nor which cards are in it
    t = middle_of_a_game(table, players)
    in_deck = np.flatnonzero(t["where"] == Place.DECK)
    for view in all_views(t).values():
        assert set(view["deck"][0].tolist()) == {UNKNOWN}
        assert set(view["where"][0][in_deck].tolist()) == {UNKNOWN}


def test_the_generator_is_hidden_from_all(deal: Build, players: int) -> None:
    # C14: nobody knows the coming rolls
    t = deal(players, 12345)
    assert t["rng_key"] != 0
    for view in all_views(t).values():
        assert view["rng_key"][0] == view["rng_counter"][0] == 0


def test_a_drawn_card_is_told_to_its_owner_only(deal: Build, players: int) -> None:
    # C14
    t = deal(players, 3)
    t.state["dice"][0, :3] = 1
    t.finish_turn()
    true = [[event[1], event[5]] for event in t.events(Event.DRAW)]
    assert len(true) == 4 * players
    for viewer in (*range(players), SPECTATOR):
        expected = [[seat, card if seat == viewer else UNKNOWN] for seat, card in true]
        assert told(t, viewer) == expected


@pytest.mark.parametrize(
    ("one", "other", "holder"),
    [("Author", "Journey", 1), ("Bard", "Huntress", 1), ("Journey", "Savage", None)],
)
def test_others_cannot_tell_hidden_cards_apart(
    table: Build, players: int, one: str, other: str, holder: int | None
) -> None:
    # C14: a card of a hand against one of the deck; two cards of the deck
    t = middle_of_a_game(table, players)
    different = swapped(t, one, other)
    assert different.tobytes() != t.state.tobytes()
    for viewer, view in all_views(t).items():
        same = t.game.view(different, viewer).tobytes() == view.tobytes()
        assert same == (viewer != holder)


def test_a_third_player_cannot_tell_two_hands_apart(table: Build) -> None:
    # C14
    t = middle_of_a_game(table, 4)
    different = swapped(t, "Author", "End")  # of seats 1 and 2
    for viewer, view in all_views(t).items():
        same = t.game.view(different, viewer).tobytes() == view.tobytes()
        assert same == (viewer not in (1, 2))


def test_a_pending_attempt_is_public(table: Build, players: int) -> None:
    # C14: it lies on the table, then in the discard pile
    t = middle_of_a_game(table, players, owners={"Sailor": 1})
    t.control("Mill", "Sailor")
    for view in all_views(t).values():
        assert view["attempt_card"][0] == NUMBER["Mill"]
        assert view["attempt_force"][0] == 0
        assert view["where"][0, NUMBER["Mill"]] == Place.TABLE
        assert view["actor"][0] == 1
    t.decline()
    for view in all_views(t).values():
        assert view["attempt_card"][0] == -1
        assert view["where"][0, NUMBER["Mill"]] == Place.DISCARD


def test_a_partial_payment_is_public(table: Build, players: int) -> None:
    # C14
    t = middle_of_a_game(table, players, dice=[(6, 6), (1, 1), (1, 1)])
    t.solve(0, "public", "Mill")
    for view in all_views(t).values():
        assert view["where"][0, NUMBER["Mill"]] == Place.TABLE
        assert view["where"][0, NUMBER["Sea"]] in (0, UNKNOWN)
        assert (view["solve_problem"][0], view["solve_paid"][0]) == (0, 8)
    t.pay("Sea")
    for view in all_views(t).values():
        assert view["where"][0, NUMBER["Mill"]] == view["where"][0, NUMBER["Sea"]] == Place.DISCARD


@pytest.mark.parametrize("hand", [["End", "Merchant"], ["Origin", "Bard"], []])
def test_the_asking_for_a_block_tells_nothing(table: Build, players: int, hand: list[str]) -> None:
    # C5: the attacker's view is that of any other hand of that size, before and after the answer
    bystander = [card.name for card in CARDS[10:13]]
    names = ["Betrayal", "Windfall"][: len(hand)]
    views = []
    for held in (hand, names):
        t = table(players, hands={0: ["Cave", *bystander], 1: held}, owners={"Sailor": 1})
        t.control("Cave", "Sailor")
        assert (t.kind, t.actor) == ("block", 1)
        asked = t.game.view(t.state, 0).tobytes()
        t.decline()
        views.append((asked, t.game.view(t.state, 0).tobytes()))
    assert views[0] == views[1]


def test_the_asking_about_6_6_tells_nothing(table: Build, players: int) -> None:
    # C16: the silence of a holder looks like that of anybody else
    views = []
    for held in ("Excuse", "Journey"):
        t = table(
            players,
            hands={0: ["Mill"], 1: [held]},
            dice=[(6, 6), (1, 1), (1, 1)],
            asking=True,
            excuse=True,
        )
        t.keep_silent()
        asked = t.game.view(t.state, 0).tobytes()
        t.keep_silent()
        views.append((asked, t.game.view(t.state, 0).tobytes()))
    assert views[0] == views[1]


def test_the_excuse_is_hidden_like_other_cards(table: Build, players: int) -> None:
    # C14
    t = table(players, hands={0: ["Mill"], 1: ["Excuse"]}, excuse=True)
    for viewer, view in all_views(t).items():
        assert view["where"][0, EXCUSE] == (1 if viewer == 1 else UNKNOWN)
    different = swapped(t, "Excuse", "Sea")
    assert t.game.view(different, 0).tobytes() == t.game.view(t.state, 0).tobytes()


def test_words_and_pictures_do_not_name_hidden_cards(table: Build, players: int) -> None:
    # C14: neither the hands of others nor the deck
    t = table(
        players,
        hands={0: ["Mill", "Journey"], 1: ["Author", "Huntress"]},
        discards=["Origin"],
        owners={"Sailor": 1, "Diplomat": 0},
    )
    open_to_0 = {"mill", "journey", "origin"}
    names = {card.name.lower() for card in CARDS} - {
        "calamity",
        "excuse",
        "end",
    }  # ordinary words too
    for tell in (t.game.describe, t.game.render):
        text = tell(t.game.view(t.state, 0)).lower()
        assert {name for name in names if name in text} <= open_to_0
        assert "mill" in text
        text = tell(t.game.view(t.state, SPECTATOR)).lower()
        assert {name for name in names if name in text} <= {"origin"}


def test_looking_changes_nothing(deal: Build, players: int) -> None:
    # C14
    t = deal(players, 9, excuse=True)
    before = t.state.tobytes()
    for viewer, view in all_views(t).items():
        kept = view.tobytes()
        t.game.determinize(view, 5)
        t.game.describe(view)
        t.game.render(view)
        if viewer == t.actor:
            t.game.legal_actions(view)
        assert view.tobytes() == kept == t.game.view(t.state, viewer).tobytes()
    assert t.state.tobytes() == before


def check_views(t: Table, seed: int) -> None:
    """A View says enough for its legal actions, and fits the States resampled from it."""
    census = t.game.census(t.state)
    for viewer, view in all_views(t).items():
        other = t.game.determinize(view, seed)
        assert t.game.view(other, viewer).tobytes() == view.tobytes()
        assert (t.game.census(other) == census).all()
        for seat in range(t.game.num_players):
            cards = np.flatnonzero(other["where"][0] == seat)
            size = int(t["hand_size"][seat])
            assert len(cards) == size
            numbers = sorted(int(other["card_deck"][0, card]) for card in cards)
            assert numbers == t["drawn"][seat][:size].tolist()
    if t.running:
        mask = t.game.legal_actions(t.state)
        assert (t.game.legal_actions(t.game.view(t.state, t.actor)) == mask).all()


@pytest.mark.parametrize("extended", [False, True])
def test_views_in_whole_games(deal: Build, careful: Play, players: int, extended: bool) -> None:
    # C14: through reshuffles, attempts, payments and the end
    reshuffled = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        t = deal(players, seed, excuse=extended, pawns=extended, problems=3)
        while t.running:
            if rng.random() < 0.25:
                check_views(t, seed)
            t.step(careful(t, rng))
        check_views(t, seed)
        reshuffled += int(t["deck_number"])
    assert reshuffled > 0


def test_a_resampled_state_is_one_of_many(table: Build, players: int) -> None:
    # C14: the hidden cards of another hand are anywhere in it and the deck
    t = middle_of_a_game(table, players)
    view = t.game.view(t.state, 0)
    hands = set()
    for seed in range(200):
        other = t.game.determinize(view, seed)
        hands.add(frozenset(np.flatnonzero(other["where"][0] == 1).tolist()))
    open_cards = {NUMBER[name] for name in ("Mill", "Sea", "Origin", "Castle")}
    assert frozenset().union(*hands) == set(range(33)) - open_cards
    assert len(hands) > 100


def test_a_played_card_is_remembered_by_its_deck(table: Build, players: int) -> None:
    # C14: after a reshuffle, a hand drawn before holds no card that was in the pile
    t = table(players, hands={1: ["Author", "Bard"]}, deck=["Mill", "Sea", "End", "Cave"][:players])
    t.finish_turn()
    t.finish_turn()
    assert t["deck_number"] == 1
    view = t.game.view(t.state, 0)
    own = "Mill"  # seat 0 drew first
    kept = {
        NUMBER[name] for name in ("Author", "Bard", "Mill", "Sea", "End", "Cave")[: 2 + players]
    }
    for seed in range(50):
        other = t.game.determinize(view, seed)
        old = {
            int(card)
            for seat in range(players)
            for card in np.flatnonzero(other["where"][0] == seat)
            if other["card_deck"][0, card] == 0
        }
        assert old == kept
        assert other["where"][0, NUMBER[own]] == 0
