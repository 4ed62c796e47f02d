"""Payment of a solve: cards one at a time, none wasted, compared with all sets of cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs.chancellors.cards import CARDS

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Table

RANK = {card.name: card.rank for card in CARDS}
SUITS = {card.name: set(card.suits) for card in CARDS}
FORCE_SUITS = {"Sailor": set("WL"), "Soldier": set("YK"), "Diplomat": set("MS")}
ALL_FORCES = {"Sailor": 0, "Soldier": 0, "Diplomat": 0}


def thrifty_sets(cards: Iterable[str], target: int) -> list[set[str]]:
    """List the sets that reach the target and fail without any one of their cards (C7)."""
    cards = list(cards)
    subsets = chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))
    found = []
    for subset in subsets:
        total = sum(RANK[card] for card in subset)
        if total >= target and all(total - RANK[card] < target for card in subset):
            found.append(set(subset))
    return found


def offered_by_enumeration(
    hand: set[str], committed: set[str], forces: Iterable[str], target: int
) -> set[str]:
    """Cards of the hand that together with the committed ones belong to such a set."""
    suits = set().union(*(FORCE_SUITS[force] for force in forces))
    usable = {card for card in hand if SUITS[card] & suits}
    sets = [found for found in thrifty_sets(usable | committed, target) if committed <= found]
    return set().union(*sets) - committed


def test_target_5_with_2_and_8(table: Build, players: int) -> None:
    # C7: the 2 is not offered, the 8 alone is enough
    t = table(
        players, hands={0: ["Origin", "Mill"]}, owners=ALL_FORCES, dice=[(5, 6), (1, 1), (1, 1)]
    )
    t.solve(0, "quiet")
    assert (t.kind, t.actor) == ("payment", 0)
    assert t.payments == {"Mill"}
    assert len(t.legal) == 1
    t.pay("Mill")
    assert (t.kind, t.scores[0]) == ("action", 4)
    assert t.hand(0) == {"Origin"}


@pytest.mark.parametrize(
    ("first", "then"), [("Savage", {"Mill"}), ("Origin", {"Mill"}), ("Mill", {"Origin", "Savage"})]
)
def test_target_10_with_2_and_3_and_8(
    table: Build, players: int, first: str, then: set[str]
) -> None:
    # C7: 3 and 8 are a payment, 2 and 8 are; all three would waste a card
    t = table(
        players,
        hands={0: ["Origin", "Savage", "Mill"]},
        owners=ALL_FORCES,
        dice=[(4, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public")
    assert t.payments == {"Origin", "Savage", "Mill"}
    t.pay(first)
    assert t.payments == then
    second = sorted(then)[0]
    t.pay(second)
    assert t.kind == "action"
    assert t.discards == {first, second}


def test_every_card_is_needed_when_only_all_reach(table: Build, players: int) -> None:
    # C7: 1 + 2 + 3 = 6
    t = table(
        players,
        hands={0: ["Ace of Waves", "Origin", "Savage"]},
        owners={"Sailor": 0},
        dice=[(1, 5), (1, 6), (1, 1)],
    )
    assert (0, "public") in t.solves
    assert (1, "public") not in t.solves  # 7 cannot be reached
    t.solve(0, "public")
    assert t.payments == {"Ace of Waves", "Origin", "Savage"}
    t.pay("Origin")
    assert t.payments == {"Ace of Waves", "Savage"}
    t.pay("Ace of Waves")
    assert t.payments == {"Savage"}


def test_equal_ranks_are_each_offered(table: Build, players: int) -> None:
    # C7: target 2 with two aces and a 2: both aces together, or the 2
    t = table(
        players,
        hands={0: ["Ace of Waves", "Ace of Leaves", "Origin"]},
        owners={"Sailor": 0},
        dice=[(2, 5), (1, 1), (1, 1)],
    )
    t.solve(0, "quiet")
    assert t.payments == {"Ace of Waves", "Ace of Leaves", "Origin"}
    t.pay("Ace of Leaves")
    assert t.payments == {"Ace of Waves"}


def test_cards_without_a_controlled_force_are_not_offered(table: Build, players: int) -> None:
    # C7
    t = table(
        players,
        hands={0: ["Mill", "Betrayal", "Pact", "Darkness"]},
        owners={"Sailor": 0},
        dice=[(6, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public")
    assert t.payments == {"Mill", "Darkness"}


def test_a_started_solve_must_be_completed(table: Build, players: int) -> None:
    # C7: nothing but payments until the target is reached
    t = table(
        players,
        hands={0: ["Mill", "Sea", "Author", "Origin"]},
        owners={"Sailor": 0},
        dice=[(6, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public")
    assert len(t.legal) == len(t.payments) == 3
    t.pay("Origin")
    assert t.kind == "payment"
    assert t.payments == {"Sea"}  # with the Mill too the Origin would be wasted
    t.pay("Sea")
    assert t.kind == "action"


def test_committed_cards_lie_open_until_the_solve_is_complete(table: Build, players: int) -> None:
    # C14
    t = table(
        players, hands={0: ["Mill", "Lunatic"]}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (1, 1)]
    )
    t.solve(0, "public", "Mill")
    assert t.pending == {"Mill"}
    assert t.discards == set()
    assert t.hand(0) == {"Lunatic"}
    assert (t["solve_problem"], t["solve_quiet"], t["solve_paid"]) == (0, 0, 8)
    assert t.scores[0] == 0
    t.pay("Lunatic")
    assert t.pending == set()
    assert t.discards == {"Mill", "Lunatic"}
    assert t["solve_problem"] == -1


@pytest.mark.parametrize("start", ["Mill", "Sea", "Origin"])
def test_cards_may_be_committed_in_any_order(table: Build, players: int, start: str) -> None:
    # C7: 10 + 2 and 10 + 8 are sets of two; each card may come first
    t = table(
        players,
        hands={0: ["Mill", "Sea", "Origin"]},
        owners={"Sailor": 0},
        dice=[(6, 6), (1, 1), (1, 1)],
    )
    t.solve(0, "public", start)
    second = {"Mill": "Sea", "Sea": "Origin", "Origin": "Sea"}[start]
    t.pay(second)
    assert t.scores[0] == 6


def test_a_small_card_that_only_overshoots_is_not_offered(table: Build, players: int) -> None:
    # C7: target 9 with 1, 5, 9: {9} or nothing, since 1 + 5 = 6 and 9 needs no help
    t = table(
        players,
        hands={0: ["Ace of Waves", "Forest", "Merchant"]},
        owners={"Sailor": 0},
        dice=[(4, 5), (1, 1), (1, 1)],
    )
    t.solve(0, "public")
    assert t.payments == {"Merchant"}


def test_the_quiet_and_the_public_target_differ(table: Build, players: int) -> None:
    # C7: dice 3 and 4 quietly: the 3 alone; dice 1 and 3 publicly: 3 and 1 together
    t = table(
        players,
        hands={0: ["Journey", "Ace of Waves"]},
        owners={"Sailor": 0},
        dice=[(3, 4), (1, 3), (1, 1)],
    )
    t.solve(0, "quiet")
    assert t.payments == {"Journey"}
    t = table(
        players,
        hands={0: ["Journey", "Ace of Waves"]},
        owners={"Sailor": 0},
        dice=[(3, 4), (1, 3), (1, 1)],
    )
    t.solve(1, "public")
    assert t.payments == {"Journey", "Ace of Waves"}


def random_position(table: Build, seed: int) -> tuple[Table, set[str], list[str]]:
    """Return a random position, the hand of seat 0 and the forces it controls."""
    rng = np.random.default_rng(seed)
    names = [card.name for card in CARDS]
    size = int(rng.integers(1, 11))
    hand = {names[int(k)] for k in rng.choice(38, size, replace=False)}
    forces = [force for force in FORCE_SUITS if rng.random() < 0.6]
    pairs = np.sort(rng.integers(1, 7, size=(3, 2)))
    t = table(
        int(rng.integers(2, 5)),
        hands={0: sorted(hand)},
        owners={force: 0 for force in forces},
        dice=[(int(a), int(b)) for a, b in pairs],
        excuse=True,
        pawns=True,
    )
    return t, hand, forces


@pytest.mark.parametrize("block", range(10))
def test_random_hands_against_all_sets(table: Build, block: int) -> None:
    # C7: 400 positions; the started solve is followed to its end by random choices
    started = 0
    for seed in range(40 * block, 40 * block + 40):
        t, hand, forces = random_position(table, seed)
        rng = np.random.default_rng(10**6 + seed)
        expected = {
            (problem, way)
            for problem, (low, high) in enumerate(t.dice)
            for way, target in (("public", low + high), ("quiet", low))
            if offered_by_enumeration(hand, set(), forces, target)
        }
        assert t.solves == expected
        if not expected:
            continue
        started += 1
        problem, way = sorted(expected)[int(rng.integers(len(expected)))]
        target = sum(t.dice[problem]) if way == "public" else t.dice[problem][0]
        t.solve(problem, way)
        committed: set[str] = set()
        while sum(RANK[card] for card in committed) < target:
            assert t.kind == "payment"
            assert t.payments == offered_by_enumeration(hand, committed, forces, target)
            card = sorted(t.payments)[int(rng.integers(len(t.payments)))]
            t.pay(card)
            committed.add(card)
        assert t.kind == "action"
        assert t.discards == committed
        assert t.hand(0) == hand - committed
    assert started > 20
