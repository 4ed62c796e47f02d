"""The deal: doctrine cards, tokens, first Influence, the start player; and the house deck."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import state as S
from tests.games.nicaea.tables import Table, doctrine_name, doctrines

SEEDS = range(40)


def dealt(players: int, seed: int) -> Table:
    """A game just dealt; its cards have no names here."""
    game = GAME.bind(num_players=players)
    return Table(game, game.new_state(seed), {})


def test_one_doctrine_card_each(players: int) -> None:
    # N2: ten cards have a hidden back, six with four players, each dealt once at most
    seen = set()
    for seed in SEEDS:
        t = dealt(players, seed)
        cards = [doctrines(t.doctrine(seat)) for seat in range(players)]
        assert [len(held) for held in cards] == [1] * players
        flat = [held[0] for held in cards]
        assert len(set(flat)) == players
        assert t["doctrine"][players:].sum() == 0
        seen |= set(flat)
    disputes = 3 if players == 4 else 5
    assert seen == {(dispute, side) for dispute in range(disputes) for side in range(2)}


def test_tokens_and_influence_by_the_cards_of_a_dispute(players: int) -> None:
    # N2: two cards of a dispute: third space, 2 TI; one: second space, 3 TI; none: first space
    alone = together = 0
    for seed in SEEDS:
        t = dealt(players, seed)
        start = int(t["constantine"])
        expected = [0] * players
        expected[(start + players - 1) % players] = 1  # the start player's right neighbour
        for dispute in range(5):
            holders = [s for s in range(players) if t["doctrine"][s, dispute].sum() == 1]
            assert t["token"][dispute] == len(holders)
            alone += len(holders) == 1
            together += len(holders) == 2
            for seat in holders:
                expected[seat] += {1: 3, 2: 2}[len(holders)]
        assert t.ti == expected
        assert t["issued"] == sum(expected)
        assert t["ti"][players:].sum() == 0
    assert alone > 0
    assert together > 0


def test_four_players_share_at_least_one_dispute() -> None:
    # N2: four of the six cards of I to III: two pairs and nothing of the third, or one pair
    totals = Counter(sum(dealt(4, seed).ti) for seed in SEEDS)
    assert set(totals) == {9, 11}  # 4 × 2 + 1, or 2 × 2 + 2 × 3 + 1


def test_what_is_not_dealt_lies_beside_the_display(players: int) -> None:
    # 3 A, 3 B and the double-sided card of each dispute, less what was dealt
    for seed in SEEDS[:10]:
        t = dealt(players, seed)
        out = t["doctrine"].sum(axis=0)
        assert t["supply"].tolist() == [[3 - a, 3 - b, 1] for a, b in out.tolist()]
        assert t["removed"].tolist() == [0] * 5
        assert t["settled"].tolist() == [0] * 5


def test_display_and_deck(players: int) -> None:
    # seven cards face-up, the other 33 in the deck, nothing in hands and tableaus
    t = dealt(players, 3)
    shown = t["display"].tolist()
    deck = t["deck"][:33].tolist()
    assert t["deck_size"] == 33
    assert sorted(shown + deck) == list(range(40))
    assert t["deck"][33:].tolist() == [-1] * 27
    assert all(t["where"][card] == S.DISPLAY for card in shown)
    assert all(t["where"][card] == S.DECK for card in deck)
    assert t["where"][40:].tolist() == [S.ABSENT] * 20
    assert t["tableau_size"].tolist() == [0] * 6
    assert t["face_down"].sum() == 0
    assert t.pools == [0, 0, 0, 0]


def test_markers_are_all_in_the_supply(players: int) -> None:
    # 30 markers, ten each of 4, 5 and 6
    t = dealt(players, 4)
    assert t["marker_supply"].tolist() == [10, 10, 10]
    assert t["marker_count"].tolist() == [0] * 6


def test_start_player_holds_constantine_and_begins(players: int) -> None:
    # N3
    starts = set()
    for seed in SEEDS:
        t = dealt(players, seed)
        assert t.asked == (t["constantine"], "turn")
        assert t["constantine_space"] == -1
        starts.add(t.actor)
    assert starts == set(range(players))


def test_the_deal_is_even(players: int) -> None:
    # N2: start player, doctrine of any seat and top of the deck all at random
    deals = 1500
    starts: Counter[int] = Counter()
    held: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    together: Counter[tuple[int, int]] = Counter()
    game = GAME.bind(num_players=players)
    for seed in range(deals):
        state = game.new_state(seed)[0]
        start = int(state["constantine"])
        dispute, side = np.argwhere(state["doctrine"][1])[0].tolist()
        starts[start] += 1
        held[dispute, side] += 1
        first[int(state["display"][0])] += 1
        together[start, 2 * dispute + side] += 1
    kinds = 6 if players == 4 else 10
    for counts, size in (
        (starts, players), (held, kinds), (first, 40), (together, players * kinds),
    ):  # fmt: skip
        expected = deals / size
        found = list(counts.values()) + [0] * (size - len(counts))
        spread = sum((count - expected) ** 2 / expected for count in found)
        # chi-square has mean size - 1 and variance 2 (size - 1); five deviations are next to none
        assert spread < size - 1 + 5 * (2 * (size - 1)) ** 0.5


@pytest.mark.parametrize("seed", range(8))
def test_the_dealt_card_commits(players: int, seed: int) -> None:
    # N1: of the own dispute only the own side is for sale, and it is doubling down
    t = dealt(players, seed)
    t.state["ti"][0, :players] = 40
    t.state["issued"] = 40 * players
    t.pass_round()
    seat = t.actor
    ((dispute, side),) = doctrines(t.doctrine(seat))
    name = doctrine_name(2 * dispute + side)
    assert len(t.buys) == 9
    assert doctrine_name(2 * dispute + 1 - side) not in t.buys
    rival = t["doctrine"][:, dispute, 1 - side].sum()  # 0 or 1, against one of the own side
    space = int(t["token"][dispute])
    assert space == 1 + rival
    t.buy(name)
    assert t["price"] == 2 * t["track_base"][space]  # the side with more cards, or as many


def test_house_deck() -> None:
    # HOUSE: 15 figures of two suits each, a Canon of cost 2 and of cost 3 in each suit
    s = GAME.bind().new_state(0)[0]
    bishops, canons = range(30), range(30, 40)
    assert s["num_cards"] == 40
    assert sorted(int(s["partner"][card]) for card in bishops) == list(bishops)
    for card in bishops:
        other = int(s["partner"][card])
        assert other != card
        assert s["partner"][other] == card
        assert s["suit"][other] != s["suit"][card]
        assert 1 <= s["cost"][card] <= 4
        assert int(s["icons"][card]).bit_count() == (2 if s["cost"][card] <= 2 else 1)
        assert s["bonus"][card] == (2 if s["cost"][card] <= 2 else 1)
    assert [int(s["partner"][card]) for card in canons] == [-1] * 10
    assert [int(s["icons"][card]) for card in canons] == [0] * 10
    printed = sorted((int(s["suit"][card]), int(s["cost"][card])) for card in canons)
    assert printed == [(suit, cost) for suit in range(5) for cost in (2, 3)]
    assert [s["suit"][:40].tolist().count(suit) for suit in range(5)] == [8] * 5
    for dispute in range(5):
        icons = sum(int(s["icons"][card]) >> dispute & 1 for card in bishops)
        assert 8 <= icons <= 10


def test_house_track() -> None:
    # SRC for the first three spaces: 2, 3, 4; further ones did not survive tuning (README)
    s = GAME.bind().new_state(0)[0]
    assert s["track_spaces"] == 3
    assert s["track_base"][:3].tolist() == [2, 3, 4]
    base, contrarian = s["track_base"][:3].tolist(), s["track_contrarian"][:3].tolist()
    assert base == sorted(set(base))
    assert all(1 <= low < high for low, high in zip(contrarian, base, strict=True))


def test_spaces_of_the_display() -> None:
    # SRC: 0 nothing, 1 and 2 refresh, 2 debate, 3 new offer, 3 and 4 play free
    assert S.SPACE_COST.tolist() == [0, 1, 2, 2, 3, 3, 4]
    kinds = [
        S.Act.NOTHING,
        S.Act.REFRESH,
        S.Act.REFRESH,
        S.Act.DEBATE,
        S.Act.NEW_OFFER,
        S.Act.FREE_PLAY,
        S.Act.FREE_PLAY,
    ]
    assert S.SPACE_ACTION.tolist() == kinds
