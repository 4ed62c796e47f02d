"""Best responses by plain enumeration: every deal and every draw, State by State.

Only for games of Virtues alone with very few deals. Hands are dealt whole, nothing is left closed
or joined, information sets are the Views themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np

from concilium.envs import BoundGame
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.core.bot import Bot
from concilium.envs.core.state import Records, plain_records, take_records

Outcomes = list[tuple[float, Any]]


@dataclass
class Decision:
    """A history in which the responder is to act."""

    view: bytes
    reach: float
    after: dict[int, Outcomes]


@dataclass
class Enumeration:
    """The tree of all histories from one first Eye."""

    table: BoundGame
    bot: Bot
    seat: int
    role: int
    alike: dict[bytes, list[Decision]] = field(default_factory=dict)
    answers: dict[bytes, int] = field(default_factory=dict)
    best: dict[bytes, int] = field(default_factory=dict)

    # The tree --------------------------------------------------------------------------------

    def deals(self, eye: int) -> Iterator[tuple[float, Records]]:
        """All deals with their probabilities."""
        n, size = self.table.num_players, int(self.table.options["hand_size"])
        sets = [
            chosen
            for chosen in combinations(range(n), int(S.DEFECTORS[n]))
            if (self.seat in chosen) == (self.role == S.Faith.DEFECTOR)
        ]
        blank = self.table.new_state(0)
        copies = plain_records(blank)["virtue_copies"][0].astype(int)
        kinds = int(plain_records(blank)["virtue_kinds"][0])
        ways = [
            np.bincount(w, minlength=10) for w in combinations_with_replacement(range(kinds), size)
        ]
        for hands in product(ways, repeat=n):
            left, chance = copies.copy(), 1.0
            for hand in hands:
                chance *= prod(comb(int(a), int(b)) for a, b in zip(left, hand, strict=True))
                chance /= comb(int(left.sum()), size)
                left = left - hand
                if chance == 0:
                    break
            if chance == 0:
                continue
            for traitors in sets:
                state = copy(blank)
                s = plain_records(state)[0]
                s["turn"] = s["eye"] = s["actor"] = eye
                s["log"][0, 1] = eye
                s["faith"][:n] = [seat in traitors for seat in range(n)]
                s["deck"] = left
                for seat, hand in enumerate(hands):
                    s["hand"][seat] = hand
                    row = next(k for k in range(1, n + 1) if s["log"][k, 1] == seat)
                    s["log"][row, 2:6] = 0
                    for kind, count in enumerate(hand):
                        s["log"][row, 2 + kind // 3] |= count << (5 * (kind % 3))
                yield chance / len(sets), state

    def root(self, eye: int) -> Outcomes:
        """All deals, each with its tree."""
        return [(chance, self.grow(state, chance)) for chance, state in self.deals(eye)]

    def grow(self, state: Records, reach: float) -> Any:
        """The tree from here: 1.0 or 0.0, a Decision, or a list of outcomes."""
        s = plain_records(state)[0]
        if s["status"] != 0:
            return float(s["winner"] == s["faith"][self.seat])
        view = self.table.view(state, int(s["actor"]))
        mask = self.table.legal_actions(view)
        key = view.tobytes()
        if s["actor"] != self.seat:
            if key not in self.answers:
                self.answers[key] = int(self.bot.act(view, mask[np.newaxis])[0])
            return self.follow(state, self.answers[key], reach)
        found = Decision(key, reach, {})
        self.alike.setdefault(key, []).append(found)
        for action in np.flatnonzero(mask):
            found.after[int(action)] = self.follow(state, int(action), reach)
        return found

    def follow(self, state: Records, action: int, reach: float) -> Outcomes:
        """What can come of an action."""
        return [
            (chance, self.grow(after, reach * chance))
            for chance, after in self.outcomes(state, action)
        ]

    def outcomes(self, state: Records, action: int) -> Iterator[tuple[float, Records]]:
        """States after an action, with the chance of each."""
        s = plain_records(state)[0]
        if s["phase"] != S.Phase.CHOICE:
            yield from self.drawn(state, action, s["deck"].astype(int))
            return
        left = s["mission_copies"].astype(int)
        for pair in s["mission_pair"][: s["mission"]]:
            left[pair] -= 1
        hand = (int(s["eye"]) + action - A.CHOOSE + 1) % self.table.num_players
        for pair in np.flatnonzero(left):
            with_mission = copy(state)
            t = plain_records(with_mission)[0]
            t["next_mission"] = pair
            if s["hand_count"][hand] > 0:
                for chance, after in self.drawn(with_mission, action, s["deck"].astype(int)):
                    yield chance * left[pair] / left.sum(), after
                continue
            for kind in np.flatnonzero(s["deck"]):
                t["deck"] = 0
                t["deck"][kind] = s["deck_size"]
                rest = s["deck"].astype(int)
                rest[kind] -= 1
                for chance, after in self.drawn(with_mission, action, rest):
                    share = s["deck"][kind] / s["deck_size"]
                    yield chance * share * left[pair] / left.sum(), after

    def drawn(
        self, state: Records, action: int, deck: np.ndarray
    ) -> Iterator[tuple[float, Records]]:
        """Take the action; the Virtues drawn after it are exchanged for any that ``deck`` holds."""
        after = copy(state)
        self.table.step(after, action)
        s = plain_records(after)[0]
        rows = [
            row
            for row in range(int(plain_records(state)["log_count"][0]), int(s["log_count"]))
            if s["log"][row, 0] == S.Event.DREW
        ]
        if s["status"] != 0 or not rows:
            s["deck"] = deck
            yield 1.0, after
            return
        for row in rows:
            s["hand"][s["log"][row, 1], s["log"][row, 5]] -= 1
        for chance, kinds in sequences(deck.tolist(), len(rows)):
            left = deck - np.bincount(kinds, minlength=len(deck))
            one = copy(after)
            t = plain_records(one)[0]
            t["deck"] = left
            for row, kind in zip(rows, kinds, strict=True):
                t["log"][row, 5] = kind
                t["hand"][t["log"][row, 1], kind] += 1
            yield chance, one

    # Its value -------------------------------------------------------------------------------

    def value(self, node: Any) -> float:
        """Chance of a win when the responder does its best in every information set."""
        if isinstance(node, float):
            return node
        if isinstance(node, Decision):
            return self.value(node.after[self.choice(node.view)])
        return float(sum(chance * self.value(child) for chance, child in node))

    def choice(self, view: bytes) -> int:
        """The best action in an information set."""
        if view not in self.best:
            alike = self.alike[view]
            sums = {
                action: sum(each.reach * self.value(each.after[action]) for each in alike)
                for action in alike[0].after
            }
            self.best[view] = max(sums, key=lambda action: sums[action])
        return self.best[view]

    def of_all_policies(self, root: Outcomes) -> list[float]:
        """Chance of a win of every pure policy; of decisions it never comes to, none is made."""
        found, open_ones = [], [dict[bytes, int]()]
        while open_ones:
            policy = open_ones.pop()
            try:
                found.append(_played(root, policy))
            except KeyError as unknown:
                view = unknown.args[0]
                open_ones += [{**policy, view: a} for a in self.alike[view][0].after]
        return found


def copy(state: Records) -> Records:
    """A copy of a State, as bytes: NumPy would go field by field."""
    return take_records(state, np.zeros(1, np.int64))


def sequences(deck: list[int], draws: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Kinds that can be drawn one after the other, with their chances."""
    if draws == 0:
        yield 1.0, ()
        return
    for kind, count in enumerate(deck):
        if count:
            rest = [*deck[:kind], count - 1, *deck[kind + 1 :]]
            for chance, kinds in sequences(rest, draws - 1):
                yield chance * count / sum(deck), (kind, *kinds)


def _played(node: Any, policy: dict[bytes, int]) -> float:
    if isinstance(node, float):
        return node
    if isinstance(node, Decision):
        return _played(node.after[policy[node.view]], policy)
    return float(sum(chance * _played(child, policy) for chance, child in node))
