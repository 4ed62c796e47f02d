"""Setup: the deck, the deal, the dice, the order of chance, the first turn and the turn order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pytest

from concilium.envs.chancellors.cards import CARDS, FORCES, SUIT_NAMES
from concilium.envs.chancellors.state import Event, Place

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Find

ACES = {
    "Ace of Moons": "M", "Ace of Suns": "S", "Ace of Waves": "W",
    "Ace of Leaves": "L", "Ace of Wyrms": "Y", "Ace of Knots": "K",
}  # fmt: skip
RANKED = {
    2: {"Author": "MK", "Desert": "SY", "Origin": "WL"},
    3: {"Journey": "MW", "Painter": "SK", "Savage": "LY"},
    4: {"Mountain": "MS", "Battle": "YK"},
    5: {"Forest": "ML", "Discovery": "SW"},
    6: {"Lunatic": "MW", "Penitent": "SY", "Market": "LK"},
    7: {"Chance Meeting": "ML", "Castle": "SK", "Cave": "WY"},
    8: {"Mill": "WL", "Betrayal": "YK"},
    9: {"Pact": "MS", "Darkness": "WY", "Merchant": "LK"},
}
CROWNS = {
    "Huntress": "M", "Bard": "S", "Sea": "W", "End": "L", "Calamity": "Y", "Windfall": "K",
}  # fmt: skip
PAWNS = {"Harvest": "MSL", "Watchman": "MYK", "Light Keeper": "SWK", "Borderland": "WLY"}
FORCE_SUITS = {"Sailor": "WL", "Soldier": "YK", "Diplomat": "MS"}
CHI_SQUARE_1_IN_1000 = {1: 10.83, 2: 13.82, 3: 16.27, 20: 45.31, 32: 62.49}


def chi_square(seen: Counter[object], expected: Mapping[object, float]) -> float:
    """Return the chi-square statistic of counts against expected counts."""
    return sum((seen[key] - count) ** 2 / count for key, count in expected.items())


def matching(cards: Iterable[str], suits: str) -> int:
    """Count the suit strings that share a letter with ``suits``."""
    return sum(1 for card in cards if set(card) & set(suits))


def test_the_deck_is_the_table_of_the_specification() -> None:
    # deck table of the specification
    expected = {(name, 1, suits) for name, suits in ACES.items()}
    expected |= {(name, rank, s) for rank, cards in RANKED.items() for name, s in cards.items()}
    expected |= {(name, 10, suits) for name, suits in {**CROWNS, **PAWNS}.items()}
    expected |= {("Excuse", 0, "")}
    assert {(card.name, card.rank, card.suits) for card in CARDS} == expected
    assert len(CARDS) == 38


def test_forces_stand_in_table_order_and_are_not_in_the_deck() -> None:
    # C1
    assert [(force.name, force.suits) for force in FORCES] == list(FORCE_SUITS.items())
    assert not set(FORCE_SUITS) & {card.name for card in CARDS}


@pytest.mark.parametrize(
    ("pawns", "cards", "each", "matches"), [(False, 33, 9, 16), (True, 37, 11, 19)]
)
def test_suits_are_even(pawns: bool, cards: int, each: int, matches: int) -> None:
    # deck: 33 cards, 9 of each suit, 16 matching each force; with Pawns 37, 11, 19
    suits = [card.suits for card in CARDS if card.suits and (pawns or card.name not in PAWNS)]
    assert len(suits) == cards
    assert {matching(suits, suit) for suit in SUIT_NAMES} == {each}
    assert {matching(suits, force) for force in FORCE_SUITS.values()} == {matches}


@pytest.mark.parametrize(
    ("excuse", "pawns", "deck_sizes", "absent"),
    [
        (False, False, {2: 27, 3: 24, 4: 21}, {"Excuse", *PAWNS}),
        (True, False, {2: 28, 3: 25, 4: 22}, set(PAWNS)),
        (False, True, {2: 31, 3: 28, 4: 25}, {"Excuse"}),
        (True, True, {2: 32, 3: 29, 4: 26}, set()),
    ],
)
def test_three_cards_each_and_the_rest_is_the_deck(
    deal: Build,
    players: int,
    excuse: bool,
    pawns: bool,
    deck_sizes: dict[int, int],
    absent: set[str],
) -> None:
    # C1
    for seed in range(20):
        t = deal(players, seed, excuse=excuse, pawns=pawns)
        assert [len(t.hand(seat)) for seat in range(players)] == [3] * players
        assert t["deck_size"] == len(t.cards_at(Place.DECK)) == deck_sizes[players]
        assert t.cards_at(Place.ABSENT) == absent
        assert t.discards == t.pending == set()
        order = [int(card) for card in t["deck"]]
        assert {CARDS[card].name for card in order[: deck_sizes[players]]} == t.cards_at(Place.DECK)
        assert set(order[deck_sizes[players] :]) <= {-1}


def test_the_table_at_the_start(deal: Build, players: int) -> None:
    # C1
    for seed in range(50):
        t = deal(players, seed)
        assert t.owners == [-1, -1, -1]
        assert t.scores == [0] * players
        assert t["turns"] == 0
        assert t.actor == t["active"] < players
        assert (t.kind, t.running) == ("action", True)
        assert t.returns == [0.0] * players


@pytest.mark.parametrize("problems", [3, 4, 5])
def test_each_problem_is_a_pair_of_dice_lower_first(
    deal: Build, players: int, problems: int
) -> None:
    # C1, C11: a pair is an unordered value
    for seed in range(50):
        t = deal(players, seed, problems=problems)
        assert len(t.dice) == problems
        assert all(1 <= low <= high <= 6 for low, high in t.dice)
        assert not t["dice"][problems:].any()


def test_the_same_seed_gives_the_same_game(deal: Build, players: int) -> None:
    # C1
    for seed in (0, 1, 2**63, 2**64 - 1):
        first, again = deal(players, seed, excuse=True), deal(players, seed, excuse=True)
        assert first.state.tobytes() == again.state.tobytes()
        for t in (first, again):
            t.keep_silent() if t.kind == "avert" else t.finish_turn()
        assert first.state.tobytes() == again.state.tobytes()
    assert deal(players, 0).state.tobytes() != deal(players, 1).state.tobytes()


def test_the_start_player_is_uniform(deal: Build, players: int) -> None:
    # C1
    seen: Counter[object] = Counter(int(deal(players, seed)["active"]) for seed in range(600))
    expected: dict[object, float] = {seat: 600 / players for seat in range(players)}
    assert set(seen) == set(expected)
    assert chi_square(seen, expected) < CHI_SQUARE_1_IN_1000[players - 1]


def test_the_dice_are_fair(deal: Build) -> None:
    # C1: of 36 rolls each double comes once, each other pair twice
    seen: Counter[object] = Counter(
        pair for seed in range(720) for pair in deal(2, seed, problems=3).dice
    )
    expected: dict[object, float] = {
        (low, high): 2160 / 36 * (1 if low == high else 2)
        for low in range(1, 7)
        for high in range(low, 7)
    }
    assert chi_square(seen, expected) < CHI_SQUARE_1_IN_1000[20]


def test_the_deck_is_shuffled_evenly(deal: Build) -> None:
    # C1: the card left to be drawn first after the deal is any of the 33
    tables = [deal(3, seed) for seed in range(990)]
    seen: Counter[object] = Counter(int(t["deck"][int(t["deck_size"]) - 1]) for t in tables)
    assert chi_square(seen, {card: 30.0 for card in range(33)}) < CHI_SQUARE_1_IN_1000[32]


def test_the_start_player_is_drawn_before_the_dice(deal: Build, players: int) -> None:
    # C1: more dice do not change who starts, nor the first dice
    for seed in range(100):
        few, many = deal(players, seed, problems=3), deal(players, seed, problems=5)
        assert few["active"] == many["active"]
        assert few.dice == many.dice[:3]


def test_the_dice_are_rolled_before_the_deal(deal: Build, players: int) -> None:
    # C1: another deck does not change the start player and the dice; it changes the deal
    deals_differ = 0
    for seed in range(100):
        basic, extended = deal(players, seed), deal(players, seed, excuse=True, pawns=True)
        assert basic["active"] == extended["active"]
        assert basic.dice == extended.dice
        deals_differ += basic.hand(0) != extended.hand(0)
    assert deals_differ > 50


def test_the_deal_goes_round_three_times_from_the_start_player(deal: Build, players: int) -> None:
    # C1
    for seed in range(30):
        t = deal(players, seed)
        start = int(t["active"])
        dealt = t.events(Event.DRAW)
        assert [event[1] for event in dealt] == [(start + k) % players for k in range(3 * players)]
        for seat in range(players):
            cards = {CARDS[event[5]].name for event in dealt if event[1] == seat}
            assert cards == t.hand(seat)


def test_the_log_tells_the_dice_then_the_deal_then_the_turn(deal: Build, players: int) -> None:
    # C1
    t = deal(players, 5, problems=4)
    kinds = [event[0] for event in t.events()]
    assert kinds == [Event.ROLL] * 4 + [Event.DRAW] * (3 * players) + [Event.TURN]
    assert [event[2:5] for event in t.events(Event.ROLL)] == [(i, *t.dice[i]) for i in range(4)]


def test_a_6_6_rolled_at_the_start_stands(deal: Build, seek: Find, players: int) -> None:
    # C12: no reroll, no calamity yet; the first turn is an ordinary one
    t = seek(lambda seed: deal(players, seed), lambda made: (6, 6) in made.dice)
    assert (t.kind, t.running, t.actor) == ("action", True, t["active"])


def test_turns_go_clockwise(deal: Build, players: int) -> None:
    # C1
    t = deal(players, 3, problems=3)
    t.state["dice"][0, :3] = 1
    start = int(t["active"])
    for k in range(2 * players + 1):
        assert t.actor == t["active"] == (start + k) % players
        assert t["turns"] == k
        t.finish_turn()
    beginners = [event[1] for event in t.events(Event.TURN)]
    assert beginners == [(start + k) % players for k in range(2 * players + 2)]
