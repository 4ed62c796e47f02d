"""Resampled States of Chancellors are as likely as they should be, and possible.

The exact frequencies are counted by hand or by listing all deals. Each test draws at a fixed seed
and compares by a chi-square test at the level of one in a thousand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from concilium.envs import SPECTATOR, BoundGame, get_game
from concilium.envs.chancellors.actions import NUM_ACTIONS, PAY_WITH
from concilium.envs.chancellors.cards import RANK
from concilium.envs.chancellors.state import Event, Phase, Place
from concilium.envs.check.table import play_side_by_side
from concilium.envs.core.compiled.log import EVENT, FIRST, SECRET
from concilium.envs.core.state import UNKNOWN, Records, plain_records
from tests.contract.players import Careful
from tests.contract.positions import LogWalk, add_event, deals, position, resample

LEVEL = 0.001


def require_uniform(found: Iterable[Hashable], possible: set[Any]) -> None:
    """All of what is possible occurs, equally often, and nothing else does."""
    counts = Counter(found)
    assert set(counts) <= possible, set(counts) - possible
    assert stats.chisquare([counts[deal] for deal in possible]).pvalue > LEVEL


def test_a_single_deck_is_dealt_in_every_way() -> None:
    # seat 1 holds 2 of 5 hidden cards, the other 3 are the deck: 10 hands x 6 orders
    bound, states = position({0: [(7, 0)], 1: [(20, 0), (21, 0)]}, (22, 23, 24), num_players=2)
    hidden = {20, 21, 22, 23, 24}
    possible = {
        ((7,), hand, order)
        for hand in combinations(sorted(hidden), 2)
        for order in permutations(sorted(hidden - set(hand)))
    }
    assert len(possible) == 60
    require_uniform(deals(resample(bound, states, 0, 6000, 1), 2), possible)


def test_a_spectator_resamples_every_hand() -> None:
    bound, states = position({0: [(7, 0)], 1: [(20, 0), (21, 0)]}, (22,), num_players=2)
    possible = {
        ((own,), hand, tuple({7, 20, 21, 22} - {own, *hand}))
        for own in (7, 20, 21, 22)
        for hand in combinations(sorted({7, 20, 21, 22} - {own}), 2)
    }
    assert len(possible) == 12
    require_uniform(deals(resample(bound, states, SPECTATOR, 6000, 2), 2), possible)


def test_cards_in_hands_since_the_earlier_deck_stay_in_hands() -> None:
    # Deck 0 is used up; what was not discarded when deck 1 was made has been in a hand ever since.
    # Seat 1 has places for one card of deck 0 and one of deck 1, seat 2 two of deck 0, one of 1.
    hands = {0: [(5, 0), (6, 1)], 1: [(10, 0), (20, 1)], 2: [(11, 0), (12, 0), (21, 1)]}
    bound, states = position(hands, (22, 23), num_players=3, deck_number=1)
    old, new = {10, 11, 12}, {20, 21, 22, 23}
    possible = set()
    for first in sorted(old):  # which card of deck 0 seat 1 has: the other two are seat 2's
        for second, third in permutations(sorted(new), 2):  # the cards of deck 1
            for order in permutations(sorted(new - {second, third})):
                one = tuple(sorted((first, second)))
                two = tuple(sorted((*(old - {first}), third)))
                possible.add(((5, 6), one, two, order))
    assert len(possible) == 3 * 4 * 3 * 2
    require_uniform(deals(resample(bound, states, 0, 7200, 3), 3), possible)


def test_draws_are_named_in_every_order_that_the_plays_allow() -> None:
    # Seat 1 drew x, y, then showed card 30, then drew z; it holds two of the four hidden cards.
    # Card 30 was x or y, the two held are the others in either order: 4 ways for each of 6 hands.
    bound, states = position({0: [(7, 0)], 1: [(20, 0), (21, 0)]}, (22, 23), num_players=2)
    for secret in (30, 20):
        add_event(states, Event.DRAW, 1, 0, 0, secret)
    add_event(states, Event.ATTEMPT, 1, 30, 0, UNKNOWN)
    add_event(states, Event.DRAW, 1, 0, 0, 21)
    found = []
    for record in plain_records(resample(bound, states, 0, 9600, 4)):
        draws = record["log"][[0, 1, 3], SECRET].tolist()
        hand = tuple(np.flatnonzero(record["where"] == 1).tolist())
        found.append((hand, tuple(draws)))
    possible = set()
    for hand in combinations((20, 21, 22, 23), 2):
        for early, late in permutations(hand):
            possible |= {(hand, (30, early, late)), (hand, (early, 30, late))}
    assert len(possible) == 24
    require_uniform(found, possible)


def _can_complete(paid: tuple[int, ...], hand: tuple[int, ...], target: int) -> bool:
    """C7: cards of the hand, with those paid, reach the target, and would not without any one."""
    for size in range(1, len(hand) + 1):
        for more in combinations(hand, size):
            ranks = [int(RANK[card]) for card in (*paid, *more)]
            if sum(ranks) >= target > sum(ranks) - min(ranks):
                return True
    return False


@pytest.mark.parametrize("paid", [(), (18,), (26,)], ids=["nothing", "a 6", "a 9"])
@pytest.mark.parametrize("viewer", [1, SPECTATOR])
def test_who_has_begun_to_pay_can_complete_it(paid: tuple[int, ...], viewer: int) -> None:
    # C7: a payment is begun only if it can be completed, so everybody knows that it can
    bound, states = position(
        {0: [(6, 0), (18, 0), (26, 0)], 1: [(7, 0)]}, (1, 9, 21, 30), num_players=2
    )
    state = plain_records(states)
    state["owner"] = 0
    state["dice"][0, :3] = (5, 6), (1, 1), (1, 1)
    bound.step(states, bound.parse_action("solve problem 1 publicly"))
    for card in paid:
        bound.step(states, PAY_WITH + card)
    assert int(state["phase"][0]) == Phase.PAYMENT
    hidden = {6, 18, 26, 1, 9, 21, 30} - {*paid} | ({7} if viewer == SPECTATOR else set())
    possible = {
        (hand, (other,), order)
        for hand in combinations(sorted(hidden), 3 - len(paid))
        if _can_complete(paid, hand, 11)
        for other in (sorted(hidden - {*hand}) if viewer == SPECTATOR else [7])
        for order in permutations(sorted(hidden - {*hand, other}))
    }
    assert len(possible) > 100
    found = resample(bound, states, viewer, 20 * len(possible), 5)
    require_uniform(deals(found, 2), possible)
    masks = np.empty((len(found), NUM_ACTIONS), np.int8)
    bound.game.kernels.legal_many(found, masks, 0, len(found))
    assert masks.any(axis=1).all()


def _after_a_reshuffle(num_players: int, options: dict[str, object]) -> tuple[BoundGame, Records]:
    """States of careful games in which cards out of sight come from two decks or more."""
    bound = get_game("chancellors").bind(num_players=num_players, **options)
    sample = play_side_by_side(bound, Careful(num_players), list(range(12)))
    plain = plain_records(sample.states)
    out_of_sight = plain["where"] <= Place.DECK
    old = (plain["card_deck"] < plain["deck_number"][:, np.newaxis]) & out_of_sight
    chosen = np.flatnonzero((old.sum(axis=1) >= 3) & (plain["status"] == 0))
    assert len(chosen) >= 20
    return bound, sample.states[chosen[:: max(1, len(chosen) // 8)]]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_after_a_reshuffle_each_card_is_where_its_deck_allows(num_players: int) -> None:
    # a hidden card of deck d is in a given hand with probability (places for d) / (cards of d)
    bound, states = _after_a_reshuffle(num_players, {})
    tested = 0
    for k in range(len(states)):
        state = states[k : k + 1]
        if int(plain_records(state)["phase"][0]) == Phase.PAYMENT:
            continue  # there the payment tells more
        for viewer in (0, SPECTATOR):
            tested += _check_places(bound, state, viewer)
    assert tested > 100


def _check_places(bound: BoundGame, state: Records, viewer: int) -> int:
    """Compare the places of every hidden card with their exact probabilities."""
    view = plain_records(bound.view(state, viewer))[0]
    drawn = plain_records(resample(bound, state, viewer, 2000, 6))["where"]
    hidden = np.flatnonzero(view["where"] == UNKNOWN)
    seats = [seat for seat in range(bound.num_players) if seat != viewer]
    lowest = 1.0
    for card in hidden:
        deck = int(view["card_deck"][card])
        places = [int((view["drawn"][seat] == deck).sum()) for seat in seats]
        if deck == int(view["deck_number"]):
            places.append(int(view["deck_size"]))
        else:
            places.append(0)
        total = int((view["card_deck"][hidden] == deck).sum())
        assert sum(places) == total
        counts = np.array([(drawn[:, card] == place).sum() for place in (*seats, Place.DECK)])
        expected = len(drawn) * np.array(places) / total
        assert not counts[expected == 0].any()
        if (expected > 0).sum() > 1:
            wanted = expected[expected > 0]
            lowest = min(lowest, stats.chisquare(counts[expected > 0], wanted).pvalue)
    assert lowest > LEVEL / 100  # the smallest of some hundred tests
    return len(hidden)


@pytest.mark.parametrize("options", [{}, {"excuse": True, "pawns": True}], ids=["basic", "full"])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_resampled_histories_are_possible(num_players: int, options: dict[str, object]) -> None:
    # pitfalls: a resampled state must make the observed history possible
    bound = get_game("chancellors").bind(num_players=num_players, **options)
    sample = play_side_by_side(bound, Careful(7), list(range(10)))
    generator = np.random.default_rng(7)
    concerned = reshuffled = 0
    for k in generator.choice(len(sample.states), 120, replace=False):
        LogWalk(plain_records(sample.states)[k]).check()  # the walk accepts what really happened
        for viewer in (SPECTATOR, int(generator.integers(num_players))):
            view = bound.view(sample.states, viewer, int(k))
            drawn = bound.determinize(view, int(generator.integers(2**63)))
            record = plain_records(drawn)[0]
            concerned += LogWalk(record).check()
            reshuffled += int(record["deck_number"]) > 0
            _check_own_draws(record, plain_records(sample.states)[k], viewer)
    assert concerned > 3000
    assert reshuffled > 20


def test_the_walk_through_a_log_refuses_what_is_impossible() -> None:
    # so that the test above can fail: another card drawn, a card played that was never held
    bound = get_game("chancellors").bind(num_players=3)
    sample = play_side_by_side(bound, Careful(8), list(range(4)))
    refused = tried = 0
    for record in plain_records(sample.states)[20::25]:
        log = record["log"]
        for column, rows in (
            (SECRET, log[:, EVENT] == Event.DRAW),
            (FIRST, log[:, EVENT] == Event.ATTEMPT),
        ):
            for row in np.flatnonzero(rows)[:5]:
                changed = record.copy()
                changed["log"][row, column] = (changed["log"][row, column] + 1) % 33
                tried += 1
                try:
                    LogWalk(changed).check()
                except AssertionError:
                    refused += 1
    assert tried > 100
    assert refused > 0.8 * tried  # what was held before the log begins may have been another card


def _check_own_draws(record: Any, truth: Any, viewer: int) -> None:
    """The viewer's own draws are the real ones; everybody's are named."""
    draws = truth["log"][:, EVENT] == Event.DRAW
    assert (record["log"][draws, SECRET] >= 0).all()
    own = draws & (truth["log"][:, 1] == viewer)
    assert (record["log"][own] == truth["log"][own]).all()
    assert (record["log"][:, FIRST] == truth["log"][:, FIRST]).all()
