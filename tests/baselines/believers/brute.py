"""The posterior by plain enumeration: every deal, every hidden card and choice, card by card.

Only for games without Disciples and Crises. The behaviour model is written out again here from its
description, in terms of physical cards and single choices.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import pair_number

Hands = tuple[tuple[int, ...], ...]
EVERYBODY = -1


def posterior(view: Any, model: BehaviourModel) -> dict[int, float]:
    """Probability of each set of Defectors, as bits."""
    brute = Brute(view, model)
    n = int(view["num_players"])
    weights = {}
    for traitors in combinations(range(n), int(S.DEFECTORS[n])):
        faith = [int(seat in traitors) for seat in range(n)]
        known = [int(f) for f in view["faith"][:n]]
        fits = all(k in (-1, f) for k, f in zip(known, faith, strict=True))
        weights[sum(1 << seat for seat in traitors)] = brute.weight(faith) if fits else 0.0
    total = sum(weights.values())
    return {seats: weight / total for seats, weight in weights.items()}


class Brute:
    """Follows one View's log with everything that is hidden made explicit."""

    def __init__(self, view: Any, model: BehaviourModel) -> None:
        self.view, self.model = view, model
        self.n = int(view["num_players"])
        self.viewer = int(view["viewer"])
        self.kinds = int(view["virtue_kinds"])
        self.log = [[int(x) for x in event] for event in view["log"][: int(view["log_count"])]]
        self.faith: list[int] = []
        self.memo: dict[Any, float] = {}

    def weight(self, faith: list[int]) -> float:
        """Probability of the View for one assignment."""
        self.faith, self.memo = faith, {}
        return sum(
            chance * self.rest(0, 0, hands, -1, frozenset()) for hands, chance in self.deals()
        )

    def deals(self) -> list[tuple[Hands, float]]:
        """All hands that can be dealt to the others, card by card, with their chances."""
        size = int(self.view["hand_size"])
        own: tuple[int, ...] = ()
        for event in self.log:
            if event[0] == S.Event.DEALT:
                counts = S.unpacked(event)
                own = tuple(k for k in range(self.kinds) for _ in range(counts[k]))
        found: dict[Hands, float] = {(): 1.0}
        for seat in range(self.n):
            following: dict[Hands, float] = {}
            for hands, chance in found.items():
                if seat == self.viewer:
                    following[(*hands, own)] = following.get((*hands, own), 0.0) + chance
                    continue
                dealt: dict[tuple[int, ...], float] = {(): chance}
                for _ in range(size):
                    longer: dict[tuple[int, ...], float] = {}
                    for cards, part in dealt.items():
                        taken = [*sum(hands, ()), *cards]
                        if seat < self.viewer:
                            taken += own
                        for kind, share in self.deck(taken).items():
                            key = tuple(sorted((*cards, kind)))
                            longer[key] = longer.get(key, 0.0) + part * share
                    dealt = longer
                for cards, part in dealt.items():
                    key2 = (*hands, cards)
                    following[key2] = following.get(key2, 0.0) + part
            found = following
        return list(found.items())

    def deck(self, gone: Any) -> dict[int, float]:
        """Chances of the next card when some cards are not in the deck."""
        counts = Counter(gone)
        left = {k: int(self.view["virtue_copies"][k]) - counts[k] for k in range(self.kinds)}
        total = sum(left.values())
        return {k: c / total for k, c in left.items() if c > 0}

    def rest(
        self, place: int, number: int, hands: Hands, last: int, shamed: frozenset[tuple[int, int]]
    ) -> float:
        """Probability of the events from ``place`` on."""
        if place == len(self.log):
            return 1.0
        key = (place, hands)
        if key not in self.memo:
            self.memo[key] = self._rest(place, number, hands, last, shamed)
        return self.memo[key]

    def _rest(
        self, place: int, number: int, hands: Hands, last: int, shamed: frozenset[tuple[int, int]]
    ) -> float:
        kind, seat, first = self.log[place][:3]
        following = place + 1
        if kind == S.Event.SHAMED:
            part = self.named(seat, first, self.model.spare)
            return part * self.rest(following, number, hands, last, shamed | {(seat, first)})
        if kind == S.Event.SAID:
            part = 1.0
            for speaker, code in enumerate(S.unpacked(self.log[place])[: self.n]):
                if code >= S.Statement.VOUCH:
                    part *= self.named(speaker, code - S.Statement.VOUCH, self.model.vouch_partner)
                elif code >= S.Statement.ACCUSE:
                    part *= self.named(
                        speaker, code - S.Statement.ACCUSE, self.model.accuse_partner
                    )
            return part * self.rest(following, number, hands, last, shamed)
        if kind == S.Event.TURNED_UP:
            full = [s for s in range(self.n) if sum(b == s for _, b in shamed) >= 3]
            free = [s for s in range(self.n) if s not in (seat, last) and s not in full]
            part = self.chosen(seat, first, free, self.model.partner)
            return part * self.rest(following, number, hands, first, shamed)
        if kind == S.Event.GAVE:
            return sum(
                part * self.rest(following, number, after, last, shamed)
                for after, part in self.gifts(number, hands)
            )
        if kind == S.Event.PLACED:
            return self.placed_alone(place, number, hands, last, shamed)
        if kind == S.Event.DREW:
            secret = self.log[place][5]
            gone = [*sum(hands, ()), *self.on_table(place)]
            return sum(
                share * self.rest(following, number, with_card(hands, seat, card), last, shamed)
                for card, share in self.deck(gone).items()
                if secret in (-1, card)
            )
        if kind == S.Event.TOKENS:
            return self.rest(following, number, hands, last, frozenset())
        return self.rest(following, number, hands, last, shamed)

    def placed_alone(
        self, place: int, number: int, hands: Hands, last: int, shamed: frozenset[tuple[int, int]]
    ) -> float:
        """After a gift nothing is left to be told; a single card comes from hand or deck."""
        card, given = self.log[place][2], self.log[place][4] // 2
        hand = int(self.view["mission_hand"][number])
        if given == 2:
            return self.rest(place + 1, number + 1, hands, last, shamed)
        if given == 1:
            if card not in hands[hand]:
                return 0.0
            return self.rest(place + 1, number + 1, without(hands, hand, [card]), last, shamed)
        share = self.deck([*sum(hands, ()), *self.on_table(place)]).get(card, 0.0)
        return share * self.rest(place + 1, number + 1, hands, last, shamed)

    def on_table(self, place: int) -> list[int]:
        """Virtues placed before an event."""
        return [
            event[2] for event in self.log[:place] if event[0] == S.Event.PLACED and event[2] >= 0
        ]

    # The model, written out ---------------------------------------------------------------------

    def chosen(self, seat: int, target: int, choices: list[int], factor: float) -> float:
        """A choice of a player: by weights, or a slip."""
        traitor = self.faith[seat] == 1
        weights = {c: factor if traitor and self.faith[c] == 1 else 1.0 for c in choices}
        wanted = weights[target] / sum(weights.values())
        return (1 - self.model.slip) * wanted + self.model.slip / len(choices)

    def named(self, seat: int, target: int, factor: float) -> float:
        """One of all others."""
        return self.chosen(seat, target, [s for s in range(self.n) if s != seat], factor)

    def gifts(self, number: int, hands: Hands) -> list[tuple[Hands, float]]:
        """All that Hand and Eye can have done, with its chance, where it fits the View."""
        view = self.view
        hand, eye = int(view["mission_hand"][number]), int(view["mission_eye"][number])
        seen_pair, seen = int(view["mission_given"][number]), int(view["mission_placed"][number, 0])
        found: dict[Hands, float] = {}
        cards = list(enumerate(hands[hand]))
        for one, other in combinations(cards, 2):
            pair = pair_number(one[1], other[1])
            if seen_pair not in (-1, pair):
                continue
            part = self.gives(number, hand, cards, {one[0], other[0]})
            after = without(hands, hand, [one[1], other[1]])
            if seen < 0:
                found[after] = found.get(after, 0.0) + part
                continue
            for placed, kept in ((one[1], other[1]), (other[1], one[1])):
                if placed != seen:
                    continue
                told = part * self.places(number, eye, placed, kept)
                told *= self.claims(number, hand, False, pair, placed, kept)
                told *= self.claims(number, eye, True, pair, placed, kept)
                result = with_card(after, eye, kept)
                found[result] = found.get(result, 0.0) + told
        return list(found.items())

    def wanted(self, number: int) -> set[int]:
        """The kinds that match a Mission."""
        pair = int(self.view["mission_pair"][number])
        return {int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])}

    def gives(
        self, number: int, hand: int, cards: list[tuple[int, int]], chosen: set[int]
    ) -> float:
        """Chance that these two physical cards are given: by a plan, one after the other."""
        sabotage = self.model.sabotage if self.faith[hand] == 1 else 0.0
        plans = {
            "serve": (1 - self.model.slip) * (1 - sabotage),
            "spoil": (1 - self.model.slip) * sabotage,
            "slip": self.model.slip,
        }
        total = 0.0
        for plan, chance in plans.items():
            for first in chosen:
                (second,) = chosen - {first}
                options = self.preferred(plan, number, cards)
                if first not in options:
                    continue
                left = [card for card in cards if card[0] != first]
                later = self.preferred(plan, number, left)
                if second in later:
                    total += chance / len(options) / len(later)
        return total

    def preferred(self, plan: str, number: int, cards: list[tuple[int, int]]) -> list[int]:
        """Cards of which a plan takes any."""
        good = [name for name, kind in cards if kind in self.wanted(number)]
        bad = [name for name, kind in cards if kind not in self.wanted(number)]
        if plan == "slip":
            return good + bad
        return (good or bad) if plan == "serve" else (bad or good)

    def places(self, number: int, eye: int, placed: int, kept: int) -> float:
        """Chance that one physical card of two is placed."""
        fits, other = placed in self.wanted(number), kept in self.wanted(number)
        if fits == other:
            return 0.5
        sabotage = self.model.sabotage if self.faith[eye] == 1 else 0.0
        on_purpose = 1 - sabotage if fits else sabotage
        return (1 - self.model.slip) * on_purpose + self.model.slip * 0.5

    def claims(
        self, number: int, seat: int, as_eye: bool, pair: int, placed: int, kept: int
    ) -> float:
        """Chance of what was claimed."""
        claim = int(self.view["eye_claim" if as_eye else "hand_claim"][number])
        if claim < 0:
            return 1.0
        wanted = self.wanted(number)
        options = [pair_number(a, b) for a in range(self.kinds) for b in range(a, self.kinds)] + [
            S.NO_CLAIM
        ]
        planned = {pair: 1.0}
        failed = placed not in wanted
        if self.faith[seat] == 1 and failed and (kept in wanted) == as_eye:
            others = [k for k in range(self.kinds) if (k in wanted) != as_eye]
            planned[pair] = 1 - self.model.lie
            for k in others:
                lie = pair_number(placed, k)
                planned[lie] = planned.get(lie, 0.0) + self.model.lie / len(others)
        return (1 - self.model.slip) * planned.get(claim, 0.0) + self.model.slip / len(options)


def with_card(hands: Hands, seat: int, card: int) -> Hands:
    """Hands after a card came to one."""
    changed = list(hands)
    changed[seat] = tuple(sorted((*hands[seat], card)))
    return tuple(changed)


def without(hands: Hands, seat: int, cards: list[int]) -> Hands:
    """Hands after cards left one."""
    left = list(hands[seat])
    for card in cards:
        left.remove(card)
    changed = list(hands)
    changed[seat] = tuple(left)
    return tuple(changed)


def as_array(weights: dict[int, float]) -> np.ndarray:
    """Probabilities in the order of ascending sets."""
    return np.array([weights[seats] for seats in sorted(weights)])
