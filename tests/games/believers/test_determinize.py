"""Resampled worlds of Believers: possible, complete, and as likely as they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.believers.actions import NOMINATE, OPPONENTS
from concilium.envs.believers.options import MINI
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECRET, THIRD
from concilium.envs.core.state import SPECTATOR, Records, plain_records

Hands = tuple[tuple[int, ...], ...]
World = tuple[Hands, tuple[int, ...]]
"""Virtues of each kind in each hand and in the deck."""

SAMPLES = 2000
RETRACE = Path(__file__).with_name("retrace.py")


def retraced(*arguments: str) -> int:
    """Steps that the interpreter took when it ran sampled worlds again."""
    run = subprocess.run(
        [sys.executable, str(RETRACE), *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    return int(run.stdout)


def test_a_sampled_world_runs_again_to_the_sampled_state() -> None:
    assert retraced("quick") > 300


@pytest.mark.long
def test_sampled_worlds_of_all_tables_run_again() -> None:
    assert retraced() > 5000


# Exact probabilities -------------------------------------------------------------------------


def moved(world: World, seat: int, kind: int, by: int) -> World:
    """The world with Virtues added to a hand, or taken from it."""
    hands, deck = world
    hand = list(hands[seat])
    hand[kind] += by
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :]), deck


def drawn(world: World, kind: int) -> World:
    deck = list(world[1])
    deck[kind] -= 1
    return world[0], tuple(deck)


class Exact:
    """Follows the log of a View in a game of Virtues alone, keeping all worlds and their weights.

    Written for the small game without Shame, Disciples and Crises: hidden choices fall on each
    physical card alike, and what is seen multiplies the weight by its probability.
    """

    def __init__(self, view: Any) -> None:
        self.view = view
        self.viewer = int(view["viewer"])
        self.n = int(view["num_players"])
        self.kinds = int(view["virtue_kinds"])
        self.log = [row for row in view["log"][: int(view["log_count"])]]
        self.worlds: dict[World, float] = dict(self.deals())
        self.mission = -1
        for number, event in enumerate(self.log):
            self.follow(number, event)
        if int(view["phase"]) == S.Phase.GIFT and int(view["gift_count"]) == 1:
            if int(view["hand_seat"]) == self.viewer:
                self.see_leave(self.viewer, int(view["gift"][0]))
            else:
                self.hide_leave(int(view["hand_seat"]))

    def deals(self) -> Iterator[tuple[World, float]]:
        """All deals that the viewer's own hand allows, with the ways to deal them."""
        copies = [int(c) for c in self.view["virtue_copies"][: self.kinds]]
        size = int(self.view["hand_size"])
        hands = [h for h in product(range(size + 1), repeat=self.kinds) if sum(h) == size]
        own = None
        for event in self.log:
            if event[EVENT] == S.Event.DEALT:
                own = tuple(S.unpacked(event)[: self.kinds])
        choices = [[own] if seat == self.viewer and own else hands for seat in range(self.n)]
        for deal in product(*choices):
            left = list(copies)
            weight = 1.0
            for hand in deal:
                for kind, count in enumerate(hand):
                    weight *= comb(left[kind], count)
                    left[kind] -= count
            if weight > 0:
                yield (deal, tuple(left)), weight

    def follow(self, number: int, event: Any) -> None:
        """One event."""
        kind, seat = int(event[EVENT]), int(event[ACTOR])
        if kind == S.Event.TURNED_UP:
            self.mission += 1
        elif kind == S.Event.GAVE:
            self.give(number, seat)
        elif kind == S.Event.PLACED and int(event[THIRD]) // 2 == 1:
            self.see_leave(int(self.view["mission_hand"][self.mission]), int(event[FIRST]))
        elif kind == S.Event.PLACED and int(event[THIRD]) // 2 == 0:
            self.draw(None, int(event[FIRST]))
        elif kind == S.Event.DREW:
            self.draw(seat, int(event[SECRET]) if seat == self.viewer else None)

    def give(self, number: int, hand: int) -> None:
        """Two Virtues leave the Hand; one is placed and the other comes to the Eye."""
        pair = int(self.view["mission_given"][self.mission])
        eye = int(self.view["mission_eye"][self.mission])
        placed = next(
            (int(e[FIRST]) for e in self.log[number:] if e[EVENT] == S.Event.PLACED), None
        )
        if pair >= 0:
            both = [int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])]
            for kind in both:
                self.see_leave(hand, kind)
            if placed is not None:
                self.worlds = {moved(w, eye, sum(both) - placed, 1): p
                               for w, p in self.worlds.items()}  # fmt: skip
        elif placed is not None:
            self.see_leave(hand, placed)
            self.hide_leave(hand, eye)
        else:
            self.hide_leave(hand)
            self.hide_leave(hand)

    def see_leave(self, seat: int, kind: int) -> None:
        """A Virtue of a known kind leaves a hand."""
        after: defaultdict[World, float] = defaultdict(float)
        for world, weight in self.worlds.items():
            hand = world[0][seat]
            if hand[kind]:
                after[moved(world, seat, kind, -1)] += weight * hand[kind] / sum(hand)
        self.worlds = dict(after)

    def hide_leave(self, seat: int, to: int | None = None) -> None:
        """Any Virtue leaves a hand, perhaps for another hand."""
        after: defaultdict[World, float] = defaultdict(float)
        for world, weight in self.worlds.items():
            hand = world[0][seat]
            for kind, count in enumerate(hand):
                if count:
                    less = moved(world, seat, kind, -1)
                    if to is not None:
                        less = moved(less, to, kind, 1)
                    after[less] += weight * count / sum(hand)
        self.worlds = dict(after)

    def draw(self, seat: int | None, seen: int | None) -> None:
        """A Virtue is drawn, of a kind that is seen or of any."""
        after: defaultdict[World, float] = defaultdict(float)
        for world, weight in self.worlds.items():
            for kind, count in enumerate(world[1]):
                if count and seen in (None, kind):
                    less = drawn(world, kind)
                    if seat is not None:
                        less = moved(less, seat, kind, 1)
                    after[less] += weight * count / sum(world[1])
        self.worlds = dict(after)

    def of_two(self, one: int, other: int) -> dict[Hands, float]:
        """Probabilities of the hands of two players together."""
        sums: defaultdict[Hands, float] = defaultdict(float)
        for (hands, _), weight in self.worlds.items():
            sums[hands[one], hands[other]] += weight
        total = sum(sums.values())
        return {hands: weight / total for hands, weight in sums.items()}


def mini_views(seeds: range) -> Iterator[tuple[Records, bool]]:
    """Views of games of Virtues alone, near the end; whether walks differ in weight."""
    bound = GAME.bind(**{**MINI, "rows": "2-1"})
    for seed in seeds:
        generator = np.random.default_rng(seed)
        state = bound.new_state(seed)
        states = [state.copy()]
        while int(plain_records(state)["status"][0]) == 0:
            bound.step(state, int(generator.choice(np.flatnonzero(bound.legal_actions(state)))))
            states.append(state.copy())
        for viewer in range(5):
            view = bound.view(states[-1 - int(generator.integers(4))], viewer)
            mixed = int(plain_records(bound.determinize(view, seed))["attempts"][0]) > 1
            yield view, mixed


def test_hands_are_as_likely_as_enumeration_says() -> None:
    """Chi-squared at one in a million, for the hands of each two neighbours together."""
    bound = GAME.bind(**{**MINI, "rows": "2-1"})
    chosen = [view for view, mixed in mini_views(range(40)) if mixed][:3]
    chosen += [view for view, mixed in mini_views(range(3)) if not mixed][:1]
    for view in chosen:
        exact = Exact(plain_records(view)[0])
        hands = np.array(
            [plain_records(bound.determinize(view, seed))["hand"][0] for seed in range(SAMPLES)]
        ).tolist()
        for seat in range(5):
            pair = (seat, (seat + 1) % 5)
            found = Counter(tuple(tuple(hand[k][:3]) for k in pair) for hand in hands)
            likely = exact.of_two(*pair)
            assert set(found) <= set(likely), "a sampled world is impossible"
            common = [h for h, p in likely.items() if p * SAMPLES >= 8]
            counts = np.array([*(found[h] for h in common), 0])
            wanted = SAMPLES * np.array([*(likely[h] for h in common), 0])
            counts[-1], wanted[-1] = SAMPLES - counts.sum(), SAMPLES - wanted.sum()
            keep = wanted > 4
            statistic = float(((counts - wanted)[keep] ** 2 / wanted[keep]).sum())
            assert statistic <= chi2.isf(1e-6, max(int(keep.sum()) - 1, 1)), (seat, statistic)


# Faith and nights ----------------------------------------------------------------------------


def night_state(players: int) -> Records:
    """A night about to begin: everything before it at random."""
    bound = GAME.bind(num_players=players)
    for seed in range(100):
        generator = np.random.default_rng(seed)
        state = bound.new_state(seed)
        while int(plain_records(state)["status"][0]) == 0:
            if int(plain_records(state)["phase"][0]) == S.Phase.NIGHT:
                return state
            bound.step(state, int(generator.choice(np.flatnonzero(bound.legal_actions(state)))))
    raise AssertionError("no night in 100 games")


def test_faith_is_uniform_over_what_is_possible() -> None:
    """Seven players, a True Believer's View: 20 sets of three Defectors among the six others."""
    bound = GAME.bind(num_players=7)
    state = bound.new_state(3)
    seat = int(np.flatnonzero(plain_records(state)["faith"][0][:7] == S.Faith.BELIEVER)[0])
    view = bound.view(state, seat)
    counts: Counter[bytes] = Counter()
    for seed in range(2000):
        counts[plain_records(bound.determinize(view, seed))["faith"][0].tobytes()] += 1
    assert len(counts) == 20
    assert max(counts.values()) < 150  # 100 expected, standard deviation 9.7
    assert min(counts.values()) > 55


def test_with_two_defectors_nobody_laid_a_crisis_on_itself() -> None:
    """B16: of two different nominations the earlier wins, so its maker is not the target."""
    bound = GAME.bind(num_players=5)
    state = night_state(5)
    turn = int(plain_records(state)["turn"][0])
    faith = plain_records(state)["faith"][0][:5]
    order = [seat for k in range(5) if faith[seat := (turn + k) % 5] == S.Faith.DEFECTOR]
    target = next(seat for seat in range(5) if faith[seat] == S.Faith.BELIEVER and seat != turn)
    crisis = int(plain_records(state)["crises"][0][0])
    for seat in order:
        bound.step(state, NOMINATE + OPPONENTS * crisis + (target - seat) % 5 - 1)
    view = bound.view(state, SPECTATOR)
    pairs = set()
    for seed in range(400):
        sampled = plain_records(bound.determinize(view, seed))["faith"][0][:5]
        pairs.add(tuple(np.flatnonzero(sampled == S.Faith.DEFECTOR).tolist()))
    place = {seat: (seat - turn) % 5 for seat in range(5)}
    allowed = {
        (a, b)
        for a in range(5)
        for b in range(a + 1, 5)
        if min((a, b), key=lambda seat: place[seat]) != target
    }
    assert pairs == allowed


@pytest.mark.parametrize("players", [5, 8, 10])
def test_the_night_looks_alike_whoever_acts(players: int) -> None:
    """B17: no View but a Defector's changes with the nominations."""
    bound = GAME.bind(num_players=players)
    state = night_state(players)
    plain = plain_records(state)[0]
    blind = [SPECTATOR, *np.flatnonzero(plain["faith"][:players] == S.Faith.BELIEVER).tolist()]
    before = [bound.view(state, viewer).tobytes() for viewer in blind]
    count = 1
    while True:
        legal = np.flatnonzero(bound.legal_actions(state))
        bound.step(state, int(legal[count % len(legal)]))
        if int(plain_records(state)["phase"][0]) != S.Phase.NIGHT:
            break
        assert [bound.view(state, viewer).tobytes() for viewer in blind] == before
        count += 1
    assert count == int(S.DEFECTORS[players])
    view = plain_records(bound.view(state, blind[1]))[0]
    assert S.Event.NOMINATED not in view["log"][:, EVENT]
    assert S.Event.LAID in view["log"][:, EVENT]


def test_a_position_made_by_hand_can_be_sampled() -> None:
    """A log that does not lead to the position: hidden cards are dealt without it."""
    bound = GAME.bind(num_players=6)
    state = bound.new_state(5)
    plain = plain_records(state)
    plain["log"][0], plain["log_count"][0] = 0, 0
    for viewer in (SPECTATOR, 0, 3):
        view = bound.view(state, viewer)
        sampled = bound.determinize(view, 1)
        assert bound.view(sampled, viewer).tobytes() == view.tobytes()
        assert bound.census(sampled).tolist() == bound.census(state).tolist()
        assert list(GAME.faults(plain_records(sampled)[0])) == []
