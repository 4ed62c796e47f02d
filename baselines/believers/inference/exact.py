"""What Virtues tell of Faith, all hidden ones summed out.

A filter runs forward through the log. What it carries along are *worlds*: who holds what, each with
a weight for every assignment of Faith, the probability of that world and of what was seen so far.
A Virtue in a hand is *closed* until something depends on its kind: a closed one is as likely any of
those in the deck and other closed ones, the *pool*, so hands that nobody asks about need no worlds.
Worlds that come to the same hands are joined, so the sum is exact. Where they become too many, some
are drawn from them, which leaves the expected weights as they are (the optimal resampling of
Fearnhead and Clifford, J. R. Stat. Soc. B 65, 2003: heavy worlds stay, of the light ones some do).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.inference import model as M
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import pair_number
from concilium.envs.core.compiled.log import ACTOR, EVENT, EVERYBODY, FIRST, SECOND, SECRET, THIRD
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records

MOST_WORLDS: Final = 200_000
"""Worlds that the exact sum may carry along."""
_LEAST: Final = 1e-290
_FAITHS: Final = 4  # of an Eye and a Hand: 2 * Eye + Hand


def card_evidence(
    view: Records, model: BehaviourModel, sets: NDArray[np.int64], limit: int, seed: int
) -> NDArray[np.float64]:
    """Logarithm of the weight that Virtues give each assignment, up to a common constant ``(k,)``.

    Args:
        view: ``(1,)`` View of a player or spectator.
        model: what the other seats are taken to do.
        sets: assignments to weigh, as bits ``(k,)``.
        limit: worlds that are kept at a time; 0: all, the sum is exact.
        seed: of the draws.

    Raises:
        OptionError: an exact sum would need more than :data:`MOST_WORLDS`, or none of those drawn
            leads to the View.
    """
    walk = _Filter(plain_records(view)[0], model, sets, limit, np.random.default_rng(seed))
    walk.run()
    logs: NDArray[np.float64] = np.log(np.maximum(walk.weights.sum(axis=0), _LEAST))
    return logs


class _Filter:
    """Worlds and their weights, and what is open on the table.

    ``hands (worlds, seats, kinds + 1)`` counts Virtues of each kind, closed ones in the last
    column; ``weights (worlds, assignments)``.
    """

    def __init__(
        self, view: Any, model: BehaviourModel, sets: NDArray[np.int64], limit: int,
        generator: np.random.Generator,
    ) -> None:  # fmt: skip
        self.view = view
        self.model = model
        self.limit = limit
        self.generator = generator
        self.players = int(view["num_players"])
        self.kinds = int(view["virtue_kinds"])
        self.log = view["log"][: int(view["log_count"])].astype(np.int64)
        self.faith = (sets[:, np.newaxis] >> np.arange(self.players)) & 1
        self.copies = view["virtue_copies"][: self.kinds].astype(np.int64)
        self.discards, self.finished, self.placed = np.zeros((3, self.kinds), np.int64)
        self.number = -1  # of the Mission
        self.blind = -1  # the seat under a Blindness
        self.hands = np.zeros((1, self.players, self.kinds + 1), np.int8)
        self.weights = np.ones((1, len(sets)))
        self.deck = 0

    def run(self) -> None:
        """Follow the log."""
        self._deal()
        for event in self.log:
            self._follow(event)
            if not self.weights.any():
                raise OptionError(
                    f"none of {self.limit} worlds drawn leads to this View: it takes more worlds"
                )
            self.weights /= self.weights.max()

    def _follow(self, event: NDArray[np.int64]) -> None:
        kind, seat, first, second = (int(x) for x in event[[EVENT, ACTOR, FIRST, SECOND]])
        if kind == S.Event.TURNED_UP:
            self.number += 1
        elif kind == S.Event.GAVE:
            self._gift(seat)
        elif kind == S.Event.PLACED:
            self._place(event)
        elif kind == S.Event.DREW:
            self._draw(seat, int(event[SECRET]))
        elif kind == S.Event.DISCARDED:
            self._lose(seat, first)
            self.discards[first] += 1
        elif kind == S.Event.TOKENS:
            self.finished += self.placed
            self.placed[:] = 0
            self.blind = -1
        elif kind == S.Event.LAID:
            if self.view["crisis_effect"][first] == S.Trouble.BLINDNESS and event[THIRD] == 0:
                self.blind = second
        elif kind == S.Event.TITHED:
            self._pass(seat, first, int(event[SECRET]))
        elif kind in (S.Event.SHOWN, S.Event.LOOKED):
            self._see(seat, np.array(S.unpacked(event)[: self.kinds]))
        elif kind == S.Event.ENLISTED:
            self._disciple(seat, int(self.view["disciple_effect"][first]), second, event)

    # Moves of Virtues --------------------------------------------------------------------------

    def _deal(self) -> None:
        viewer, size = int(self.view["viewer"]), int(self.view["hand_size"])
        self.hands[0, :, -1] = size
        self.deck = int(self.copies.sum()) - size * self.players
        if viewer >= 0:
            row = int(np.flatnonzero(self.log[:, EVENT] == S.Event.DEALT)[0])
            self.hands[0, viewer, :-1] = S.unpacked(self.log[row])[: self.kinds]
            self.hands[0, viewer, -1] = 0

    def _pool(self) -> NDArray[np.int64]:
        """Virtues in the deck or closed, ``(worlds, kinds)``."""
        open_cards = self.discards + self.finished + self.placed
        hidden = self.hands[:, :, :-1].sum(axis=1, dtype=np.int64)
        pool: NDArray[np.int64] = self.copies - open_cards - hidden
        return pool

    def _shares(self) -> NDArray[np.float64]:
        """Chance of a closed Virtue to be of each kind ``(worlds, kinds)``."""
        pool = self._pool()
        shares: NDArray[np.float64] = pool / np.maximum(pool.sum(axis=1, keepdims=True), 1)
        return shares

    def _take_from_deck(self) -> None:
        """B13: an empty deck is renewed; what is closed then belongs to the old one."""
        for pile in (self.discards, self.finished):
            if self.deck == 0:
                for seat in range(self.players):
                    self._open(seat)
                self.deck = int(pile.sum())
                pile[:] = 0
        self.deck -= 1

    def _draw(self, seat: int, kind: int) -> None:
        self._take_from_deck()
        if kind != S.NONE:
            self.weights *= self._shares()[:, kind, np.newaxis]
        self.hands[:, seat, kind] += 1  # NONE is the place of closed ones

    def _lose(self, seat: int, kind: int) -> None:
        """A random Virtue of a hand is seen and leaves it."""
        self._show(seat, kind, [(seat, kind, -1)], [(seat, -1, -1)])

    def _pass(self, giver: int, taker: int, kind: int) -> None:
        """A random Virtue goes from one hand to another."""
        if not self.hands[0, giver].any():
            return
        if kind != S.NONE:
            won = (taker, kind, 1)
            self._show(giver, kind, [(giver, kind, -1), won], [(giver, -1, -1), won])
            return
        held = int(self.hands[0, giver].sum())
        moves = [[(giver, k, -1), (taker, k, 1)] for k in range(self.kinds + 1)]
        self._spread(self.hands[:, giver] / held, moves)

    def _show(
        self, seat: int, kind: int, if_open: list[tuple[int, int, int]],
        if_closed: list[tuple[int, int, int]],
    ) -> None:  # fmt: skip
        """A random Virtue of a hand is seen: an open one, or a closed one."""
        hand = self.hands[:, seat] / int(self.hands[0, seat].sum())
        factors = np.stack([hand[:, kind], hand[:, -1] * self._shares()[:, kind]], axis=1)
        self._spread(factors, [if_open, if_closed])

    def _see(self, seat: int, counts: NDArray[np.int64]) -> None:
        """A whole hand is seen."""
        closed = self.hands[:, seat, -1].astype(np.int64)
        needed = counts - self.hands[:, seat, :-1]
        pool = self._pool()
        ways = np.where((needed >= 0).all(axis=1), 1.0, 0.0)
        for kind in range(self.kinds):
            ways *= _choose(pool[:, kind], needed[:, kind])
        ways /= np.maximum(_choose(pool.sum(axis=1), closed), 1.0)
        alive = ways > 0
        self.hands, self.weights = self.hands[alive], self.weights[alive] * ways[alive, np.newaxis]
        self.hands[:, seat, :-1] = counts
        self.hands[:, seat, -1] = 0
        self._join()

    def _open(self, seat: int, wanted: tuple[int, ...] = ()) -> None:
        """Open all closed Virtues of a hand, one after the other.

        Args:
            seat: whose.
            wanted: kinds that it must turn out to hold: worlds are not drawn without regard to it.
        """
        while (closed := self.hands[:, seat, -1] > 0).any():
            shares = np.where(closed[:, np.newaxis], self._shares(), 0.0)
            factors = np.concatenate([shares, ~closed[:, np.newaxis]], axis=1)
            moves = [[(seat, k, 1), (seat, -1, -1)] for k in range(self.kinds)]
            self._spread(factors, [*moves, []], (seat, wanted))

    def _disciple(self, seat: int, effect: int, target: int, event: NDArray[np.int64]) -> None:
        kind = int(event[SECRET])
        if effect == S.Effect.MENDICANT:
            self._pass(target, seat, kind)
        elif effect == S.Effect.CONFIDANT and kind != S.NONE and int(self.view["viewer"]) == seat:
            self._show(target, kind, [], [(target, -1, -1), (target, kind, 1)])

    def _place(self, event: NDArray[np.int64]) -> None:
        """Virtues come to the pyramid; one that no gift explains from the hand or the deck."""
        first, second, given = int(event[FIRST]), int(event[SECOND]), int(event[THIRD]) // 2
        if given == 1:
            self._lose(int(self.view["mission_hand"][self.number]), first)
        elif given == 0 and first != S.NONE:
            self._take_from_deck()
            self.weights *= self._shares()[:, first, np.newaxis]
        for kind in (first, second):
            if kind != S.NONE:
                self.placed[kind] += 1

    # A gift ------------------------------------------------------------------------------------

    def _gift(self, hand: int) -> None:
        """The Hand gives two; the Eye places one; both may claim something."""
        view, number = self.view, self.number
        eye, pair = int(view["mission_eye"][number]), int(view["mission_given"][number])
        placed, second = (int(kind) for kind in view["mission_placed"][number])
        if pair != S.NONE:
            pairs = [pair]
        elif placed != S.NONE:
            pairs = [pair_number(placed, kind) for kind in range(self.kinds)]
        else:
            return  # nobody but Hand and Eye has seen anything yet
        wanted = (placed,) if pair == S.NONE else (int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair]))
        self._open(hand, wanted)
        given = self._given(hand, int(view["mission_pair"][number]), pairs)
        told = np.array([self._told(eye, one) for one in pairs])  # (pairs, 4)
        factors = np.tile(given, (1, 1, 2)) * told
        moves = []
        for one in pairs:
            low, high = int(S.PAIR_LOW[one]), int(S.PAIR_HIGH[one])
            moves.append([(hand, low, -1), (hand, high, -1)])
            if placed != S.NONE and second == S.NONE:
                moves[-1].append((eye, low + high - placed, 1))
        self._spread(factors, moves, faiths=2 * self.faith[:, eye] + self.faith[:, hand])

    def _given(self, hand: int, mission: int, pairs: list[int]) -> NDArray[np.float64]:
        """Chance of each pair in each world by Faith of the Hand, ``(worlds, pairs, 2)``."""
        low, high = int(S.PAIR_LOW[mission]), int(S.PAIR_HIGH[mission])
        counts = self.hands[:, hand, :-1].astype(np.int64)
        held = int(counts[0].sum())
        good = counts[:, low] + counts[:, high]
        table = _gift_table(self.model, held)
        chances = np.zeros((len(counts), len(pairs), 2))
        for place, pair in enumerate(pairs):
            one, other = int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])
            fits = int(one in (low, high)) + int(other in (low, high))
            ways = counts[:, one] * counts[:, other]
            if one == other:
                ways = counts[:, one] * (counts[:, one] - 1) // 2
            chances[:, place] = table[fits][good] * ways[:, np.newaxis]
        return chances

    def _told(self, eye: int, pair: int) -> NDArray[np.float64]:
        """Chance of what Eye and Hand did with a pair, by Faith of both ``(4,)``."""
        view, number = self.view, self.number
        mission = int(view["mission_pair"][number])
        placed, second = (int(kind) for kind in view["mission_placed"][number])
        hidden = int(view["given_known"][number]) != EVERYBODY
        lie = int(view["mission_result"][number] == 0 and second == S.NONE and hidden)
        told = np.ones(_FAITHS)
        for faith in range(_FAITHS):
            if placed != S.NONE and second == S.NONE:
                told[faith] *= self._placing(eye, faith // 2, pair, placed)
            for as_eye, claims in ((1, view["eye_claim"]), (0, view["hand_claim"])):
                if claims[number] != S.NONE:
                    told[faith] *= M.claim_chance(
                        self.model,
                        faith // 2 if as_eye else faith % 2,
                        as_eye,
                        int(claims[number]),
                        pair,
                        placed,
                        mission,
                        self.kinds,
                        lie,
                    )
        return told

    def _placing(self, eye: int, faith: int, pair: int, placed: int) -> float:
        kinds = {int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])}
        mission = int(self.view["mission_pair"][self.number])
        wanted = {int(S.PAIR_LOW[mission]), int(S.PAIR_HIGH[mission])}
        if len(kinds) == 1:
            return 1.0
        if len(kinds & wanted) != 1 or self.blind == eye:
            return 0.5
        chance = M.serving_chance(self.model, faith)
        return chance if placed in wanted else 1.0 - chance

    # Worlds ------------------------------------------------------------------------------------

    def _spread(
        self, factors: NDArray[np.float64], moves: list[list[tuple[int, int, int]]],
        wanted: tuple[int, tuple[int, ...]] = (0, ()), faiths: NDArray[np.int64] | None = None,
    ) -> None:  # fmt: skip
        """Let each world go on in several ways.

        Args:
            factors: chance of each way ``(worlds, ways)``; by Faith of Eye and Hand ``(…, 4)``.
            moves: of each way: seats, kinds and what is added to that count.
            wanted: a seat and kinds that will be needed there.
            faiths: of Eye and Hand by assignment, for factors that depend on it.
        """
        changes = np.zeros((len(moves), self.players, self.kinds + 1), np.int8)
        for number, parts in enumerate(moves):
            for seat, kind, more in parts:
                changes[number, seat, kind] += more
        world, way = np.nonzero(factors if faiths is None else factors.max(axis=2))
        if not self.limit and len(world) > MOST_WORLDS:
            raise OptionError(
                f"an exact sum over {len(world)} worlds is not allowed: at most {MOST_WORLDS}, as "
                'in small configurations; method="sample" takes any'
            )
        taken = factors[world, way]
        self.weights = self.weights[world] * (
            taken[:, np.newaxis] if faiths is None else taken[:, faiths]
        )
        self.hands = self.hands[world] + changes[way]
        self._join()
        if self.limit and len(self.hands) > self.limit:
            self._thin_out(*wanted)

    def _join(self) -> None:
        """Join worlds with the same hands."""
        if len(self.hands) < 2:
            return
        flat = np.ascontiguousarray(self.hands.reshape(len(self.hands), -1))
        order = np.argsort(flat.view(np.dtype((np.void, flat.shape[1]))).reshape(-1))
        flat = flat[order]
        fresh = np.concatenate([[True], (flat[1:] != flat[:-1]).any(axis=1)])
        if not fresh.all():
            first = np.flatnonzero(fresh)
            self.hands = self.hands[order[first]]
            self.weights = np.add.reduceat(self.weights[order], first, axis=0)

    def _thin_out(self, seat: int, wanted: tuple[int, ...]) -> None:
        """Draw as many worlds as may be kept, each in proportion to what it is worth."""
        totals = self.weights.sum(axis=0)
        worth = (self.weights / np.maximum(totals, _LEAST)).mean(axis=1)
        for kind in wanted:
            worth *= self._prospect(seat, kind, wanted.count(kind))
        alive = np.flatnonzero(worth > 0)
        alive = alive[np.argsort(-worth[alive], kind="stable")]
        worth = worth[alive]
        # the threshold: what is worth more stays as it is, the others share the places left
        rest = worth[::-1].cumsum()[::-1]
        places = self.limit - np.arange(len(worth))
        light = np.flatnonzero((places > 0) & (worth * places <= rest))
        heavy = int(light[0]) if len(light) else len(worth)
        if heavy == len(worth):
            self.hands, self.weights = self.hands[alive], self.weights[alive]
            return
        threshold = rest[heavy] / places[heavy]
        marks = (self.generator.random() + np.arange(places[heavy])) * threshold
        chosen = heavy + np.searchsorted(worth[heavy:].cumsum(), marks)
        chosen = np.unique(np.minimum(chosen, len(worth) - 1))
        factor = np.concatenate([np.ones(heavy), threshold / worth[chosen]])
        kept = alive[np.concatenate([np.arange(heavy), chosen])]
        self.hands = self.hands[kept]
        self.weights = self.weights[kept] * factor[:, np.newaxis]

    def _prospect(self, seat: int, kind: int, count: int) -> NDArray[np.float64]:
        """Chance ``(worlds,)`` that a hand turns out to hold a kind, near enough to go by."""
        closed = self.hands[:, seat, -1]
        missing = np.maximum(count - self.hands[:, seat, kind], 0)
        one = 1.0 - (1.0 - self._shares()[:, kind]) ** closed
        return np.where(missing == 0, 1.0, np.where(missing <= closed, one, 0.0) ** missing)


def _choose(total: NDArray[np.int64], taken: NDArray[np.int64]) -> NDArray[np.float64]:
    """Binomial coefficients ``(worlds,)``, 0 where too many are taken."""
    ways = np.ones(len(total))
    for k in range(int(taken.max(initial=0))):
        ways *= np.where(taken > k, np.maximum(total - k, 0) / (k + 1), 1.0)
    return ways


@lru_cache(maxsize=256)
def _gift_table(model: BehaviourModel, held: int) -> NDArray[np.float64]:
    """Chance of one certain two of a hand, ``(3, held + 1, 2)``.

    By how many of the two match, how many of the hand do, and Faith.
    """
    table = np.zeros((S.GIVEN + 1, held + 1, 2))
    for fits in range(S.GIVEN + 1):
        for good in range(held + 1):
            bad = held - good
            ways = float((bad * (bad - 1) // 2, good * bad, good * (good - 1) // 2)[fits])
            for faith in range(2):
                if ways > 0:
                    table[fits, good, faith] = M.gift_chance(model, faith, good, bad, fits) / ways
    table.setflags(write=False)
    return table
