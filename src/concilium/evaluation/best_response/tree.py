"""All courses of a small game of Believers, summed exactly.

The tree is that of what everybody sees. At each of its positions stand the *courses* that lead
there: who is a Defector, who holds and has seen what, each with the probability that chance and the
bots bring it about. A Virtue is *closed* until its owner decides something or it leaves the hand: a
closed one is as likely any of those in the deck and other closed ones, so what nobody's decision
depends on is never enumerated. Courses that nobody who still decides can tell apart are joined.

Where the responder decides, the courses fall into its information sets: equal Views. Because it
remembers all it saw, those of a later decision split those of an earlier one, so the best action of
each can be found from the end of the game backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import pair_number
from concilium.envs.believers.options import most_missions, rows_of
from concilium.envs.core.bot import Bot, answers
from concilium.envs.core.compiled.log import ACTOR, COLUMNS, EVENT, FIRST, SECRET
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import (
    RUNNING,
    Records,
    new_records,
    plain_records,
    take_records,
)
from concilium.evaluation.best_response.bots import digests

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST_HAND: Final = 2
_DIGIT: Final = 6  # bits for one thing that a seat saw: a pair or a kind, plus 1
_MOST_SEEN: Final = 10  # of them in an int64
_COUNT: Final = 6  # bits of a packed count of one kind
_AT_ONCE: Final = 1024  # Views made at a time, 9 KB each
_SEEDS: Final = (1, 2)  # with which every question is asked
_ONE: Final = np.zeros(1, np.int64)  # the place of the only record


@dataclass(frozen=True)
class Courses:
    """Courses of the game that share a position, ``k`` of them.

    Attributes:
        weight: probability of chance and bots; the responder's own choices do not count
            ``(k,) float64``.
        faith: number of the set of Defectors ``(k,)``.
        seen: what each seat saw alone, a digit for each ``(k, seats)``; 0 once forgotten.
        hand: open Virtues of each seat, packed counts ``(k, seats)``; 0 once forgotten.
        gone: Virtues that are neither in the deck nor closed, packed counts ``(k,)``.
        gift: in the tablet: -1 nothing, the kind of the first Virtue, or the pair ``(k,)``.
    """

    weight: Floats
    faith: Ints
    seen: Ints
    hand: Ints
    gone: Ints
    gift: Ints

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, places: NDArray[Any]) -> Courses:
        """Those at the given places, or marked by a mask."""
        return Courses(
            self.weight[places], self.faith[places], self.seen[places], self.hand[places],
            self.gone[places], self.gift[places],
        )  # fmt: skip


@dataclass(frozen=True)
class Position:
    """What everybody sees.

    Attributes:
        state: ``(1,)`` State in which all hidden cards are of kind 0 and only the rest counts.
        closed: for each seat the rows of the log of its closed Virtues.
        known: for each seat the rows of the log that the digits of :attr:`Courses.seen` stand for,
            each with the number of the Mission, or -1, if it tells of a gift.
        last: whether the game ends with the present Mission.
    """

    state: Records
    closed: tuple[tuple[int, ...], ...]
    known: tuple[tuple[tuple[int, int], ...], ...]
    last: bool = False

    def __getitem__(self, name: str) -> int:
        return int(plain_records(self.state)[name][0])


@dataclass
class Counts:
    """How large a tree was.

    Attributes:
        positions: decisions that everybody can tell apart, but for the responder's own gifts.
        courses: histories at these, after joining.
        information_sets: of the responder.
        questions: Views that bots were asked about.
    """

    positions: int = 0
    courses: int = 0
    information_sets: int = 0
    questions: int = 0


@dataclass
class Tree:
    """The sums for one seat with one Faith.

    Attributes:
        table: Believers with its options.
        bots: one for each seat; the responder's is not asked unless ``responds`` is false.
        seat: whose wins are summed.
        role: its Faith.
        responds: whether the seat responds best; otherwise its bot decides.
        policy: if given, takes the best action by digest of the View.
    """

    table: BoundGame
    bots: Sequence[Bot]
    seat: int
    role: int
    responds: bool = True
    policy: dict[bytes, int] | None = None
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        check_options(self.table)
        start = plain_records(self.table.template)[0]
        self.players = self.table.num_players
        self.kinds = int(start["virtue_kinds"])
        self.copies = start["virtue_copies"][: self.kinds].astype(np.int64)
        self.units = np.int64(1) << (_COUNT * np.arange(self.kinds, dtype=np.int64))
        defectors = int(S.DEFECTORS[self.players])
        self.sets = np.array(
            [
                sum(1 << seat for seat in chosen)
                for chosen in combinations(range(self.players), defectors)
                if (self.seat in chosen) == (self.role == S.Faith.DEFECTOR)
            ]
        )
        self.faiths = (self.sets[:, np.newaxis] >> np.arange(self.players) & 1).astype(np.int8)
        size = int(start["hand_size"])
        self.deals = _ways(self.kinds, size)
        self.draws = _ways(self.kinds, 1)
        self.packed = _packed_hands(self.deals)

    # The beginning and the end ---------------------------------------------------------------

    def win(self) -> float:
        """Probability that the seat wins, over all deals and all chance."""
        return sum(map(self.win_from, range(self.players))) / self.players

    def win_from(self, eye: int) -> float:
        """The same of the deals in which the first Eye is ``eye``."""
        count = len(self.sets)
        nothing = np.zeros((count, self.players), np.int64)
        courses = Courses(
            np.full(count, 1 / count), np.arange(count), nothing, nothing,
            np.zeros(count, np.int64), np.full(count, -1),
        )  # fmt: skip
        return float(self._value(self._start(eye), courses).mean())

    def _start(self, eye: int) -> Position:
        state = self.table.new_state(0)
        s = plain_records(state)[0]
        s["turn"] = s["eye"] = s["actor"] = eye
        s["log"][0, ACTOR] = eye
        s["faith"][: self.players] = self.faiths[0]
        _hide(s)
        dealt = tuple(
            (
                int(
                    np.flatnonzero(
                        (s["log"][:, EVENT] == S.Event.DEALT) & (s["log"][:, ACTOR] == seat)
                    )[0]
                ),
            )
            for seat in range(self.players)
        )
        return Position(state, dealt, ((),) * self.players)

    def _value(self, position: Position, courses: Courses) -> Floats:
        """Probability of a win from here on, for each course ``(k,)``."""
        if position["status"] != RUNNING:
            won = self.table.returns(position.state)[self.seat] > 0
            return np.full(len(courses), float(won))
        seat, phase = position["actor"], position["phase"]
        joined: Ints | None = None
        if phase != S.Phase.GIFT:
            if phase == S.Phase.CHOICE:
                position = replace(position, last=self._is_last(position))
            courses, joined = self._join(position, courses)
        position, opened, parent, chance = self._open(position, courses, seat)
        self.counts.positions += 1
        self.counts.courses += len(opened)
        if seat == self.seat and self.responds:
            values = self._best(position, opened)
        else:
            values = self._take(position, opened, self._answers(position, opened))
        summed = sums(parent, chance * values, len(courses))
        return summed if joined is None else summed[joined]

    # Deciding ----------------------------------------------------------------------------------

    def _best(self, position: Position, courses: Courses) -> Floats:
        first, group = self._questions(position, courses)
        views, masks = self._views(position, courses.take(first))
        self.counts.information_sets += len(first)
        if position["phase"] == S.Phase.GIFT:
            self._order_gifts(position, courses.take(first), masks)
        legal = np.flatnonzero(masks.any(axis=0))
        values = np.full((len(legal), len(courses)), -np.inf)
        totals = np.full((len(legal), len(first)), -np.inf)
        for number, action in enumerate(legal):
            may = np.flatnonzero(masks[group, action])
            taken = self._take(position, courses.take(may), np.full(len(may), action))
            values[number, may] = taken
            total = sums(group[may], courses.weight[may] * taken, len(first))
            totals[number] = np.where(masks[:, action] == 1, total, -np.inf)
        best = totals.argmax(axis=0)
        if self.policy is not None:
            self.policy.update(zip(digests(views), legal[best].tolist(), strict=True))
        chosen: Floats = values[best[group], np.arange(len(courses))]
        return chosen

    def _order_gifts(self, position: Position, courses: Courses, masks: NDArray[np.int8]) -> None:
        """Of the two orders in which two Virtues can be given, only the one by kind is tried."""
        held = self._unpacked(courses.hand[:, self.seat])
        for kind in range(self.kinds):
            if position["gift_count"] == 0:
                after = held[:, kind:].sum(axis=1) >= S.GIVEN
            else:
                after = courses.gift <= kind
            masks[~after, A.GIVE + kind] = 0

    def _questions(self, position: Position, courses: Courses) -> tuple[Ints, Ints]:
        """Courses that stand for each different View of who is to act, and the View of each."""
        seat = position["actor"]
        sets = self.sets[courses.faith]
        told = np.where(sets >> seat & 1 == 1, sets, 0)
        return groups((courses.seen[:, seat], courses.gift, told))

    def _answers(self, position: Position, courses: Courses) -> Ints:
        """What the bot does in each course ``(k,)``."""
        first, group = self._questions(position, courses)
        bot = self.bots[position["actor"]]
        parts = []
        for low in range(0, len(first), _AT_ONCE):
            views, masks = self._views(position, courses.take(first[low : low + _AT_ONCE]))
            found = []
            for seed in _SEEDS:
                bot.seed(seed)
                found.append(answers(bot, views, masks))
            if (found[0] != found[1]).any():
                raise OptionError(
                    f"bot {bot.name} acts by chance: with seeds {_SEEDS[0]} and {_SEEDS[1]} it "
                    "answers the same View differently; a best response is exact only against "
                    "deterministic bots"
                )
            parts.append(found[0])
        self.counts.questions += len(first)
        actions: Ints = np.concatenate(parts)[group]
        return actions

    def _views(self, position: Position, courses: Courses) -> tuple[Records, NDArray[np.int8]]:
        """Views of who is to act, and the masks."""
        count, seat = len(courses), position["actor"]
        states = take_records(position.state, np.zeros(count, np.int64))
        s = plain_records(states)
        s["faith"][:, : self.players] = self.faiths[courses.faith]
        s["hand"][:, seat, : self.kinds] = self._unpacked(courses.hand[:, seat])
        for place, (row, mission) in enumerate(position.known[seat]):
            shift = _DIGIT * (len(position.known[seat]) - 1 - place)
            digit = (courses.seen[:, seat] >> shift & ((1 << _DIGIT) - 1)) - 1
            if s["log"][0, row, EVENT] == S.Event.DEALT:
                s["log"][:, row, FIRST : SECRET + 1] = self.packed[digit]
            else:
                s["log"][:, row, SECRET] = digit
            if mission >= 0:
                s["mission_given"][:, mission] = digit
        if position["gift_count"] == 1:
            s["gift"][:, 0] = courses.gift
        elif position["gift_count"] == S.GIVEN:
            s["gift"][:, 0] = S.PAIR_LOW[courses.gift]
            s["gift"][:, 1] = S.PAIR_HIGH[courses.gift]
        views = new_records(count, states.dtype)
        kernels = self.table.game.kernels
        kernels.view_many(states, np.arange(count), np.full(count, seat), views, 0, count)
        masks = np.empty((count, self.table.game.num_actions), np.int8)
        kernels.legal_many(views, masks, 0, count)
        return views, masks

    # What follows ------------------------------------------------------------------------------

    def _take(self, position: Position, courses: Courses, actions: Ints) -> Floats:
        """Value of taking these legal actions, for each course."""
        if position["phase"] == S.Phase.GIFT:  # which Virtue it is, only the Hand sees
            return self._give(position, courses, actions - A.GIVE)
        values = np.empty(len(courses))
        for action in np.unique(actions):
            rows = np.flatnonzero(actions == action)
            if position["phase"] == S.Phase.CHOICE:
                values[rows] = self._choose(position, courses.take(rows), int(action))
            else:
                values[rows] = self._place(position, courses.take(rows), int(action) - A.PLACE)
        return values

    def _choose(self, position: Position, courses: Courses, action: int) -> Floats:
        hand = (position["eye"] + action - A.CHOOSE + 1) % self.players
        s = plain_records(position.state)[0]
        if position.last:  # nobody else will decide anything more
            courses, joined = self._join(position, courses, (position["eye"], hand))
        else:
            joined = np.arange(len(courses))
        left = s["mission_copies"].astype(np.int64)
        for pair in s["mission_pair"]:
            if pair != S.NONE:
                left[pair] -= 1
        values = np.zeros(len(courses))
        for pair in np.flatnonzero(left):
            if s["hand_count"][hand] >= S.GIVEN:
                after = self._step(position, action, next_mission=int(pair))
                value = self._value(after, courses)
            else:
                value = self._alone(position, courses, action, int(pair), hand)
            values += left[pair] / left.sum() * value
        return values[joined]

    def _alone(
        self, position: Position, courses: Courses, action: int, pair: int, hand: int
    ) -> Floats:
        """B10: the only Virtue of the Hand is placed, or one from the deck."""
        if plain_records(position.state)["hand_count"][0, hand] == 1:
            position, opened, parent, chance = self._open(position, courses, hand)
            kinds = self._unpacked(opened.hand[:, hand]).argmax(axis=1)
            held = opened.hand.copy()
            held[:, hand] = 0
            opened = replace(opened, hand=held)
        else:
            opened, parent, chance, kinds = self._draw(courses, self.draws)
        values = np.empty(len(opened))
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            after = self._step(position, action, next_mission=pair, kind=int(kind))
            values[rows] = self._value(after, opened.take(rows))
        return sums(parent, chance * values, len(courses))

    def _give(self, position: Position, courses: Courses, kinds: Ints) -> Floats:
        seat, eye = position["actor"], position["eye"]
        held = courses.hand.copy()
        held[:, seat] -= self.units[kinds]
        after = self._step(position, A.GIVE)
        if position["gift_count"] == 0:
            return self._value(after, replace(courses, hand=held, gift=kinds))
        low, high = np.minimum(courses.gift, kinds), np.maximum(courses.gift, kinds)
        pairs = _PAIR_OF[low, high]
        seen = courses.seen.copy()
        known = list(after.known)
        row, _ = next(_events(after.state, position["log_count"], S.Event.GAVE))
        for who in (seat, eye):
            seen[:, who] = seen[:, who] << _DIGIT | (pairs + 1)
            known[who] = (*known[who], (row, position["mission"]))
        after = replace(after, known=tuple(known))
        return self._value(after, replace(courses, hand=held, gift=pairs, seen=seen))

    def _place(self, position: Position, courses: Courses, kind: int) -> Floats:
        low, high = S.PAIR_LOW[courses.gift], S.PAIR_HIGH[courses.gift]
        held = courses.hand.copy()
        held[:, position["eye"]] += self.units[np.where(low == kind, high, low)]
        after = self._step(position, A.PLACE + kind, kind=kind)
        return self._value(after, replace(courses, hand=held, gift=np.full_like(courses.gift, -1)))

    def _step(
        self, position: Position, action: int, *, next_mission: int = S.NONE, kind: int = 0
    ) -> Position:
        """Take an action; the Mission that turns up and all hidden Virtues are as given."""
        state = take_records(position.state, _ONE)
        s = plain_records(state)[0]
        if next_mission != S.NONE:
            s["next_mission"] = next_mission
        _hide(s, kind)
        if s["gift_count"] == S.GIVEN:
            s["gift"] = kind
        self.table.step(state, action)
        _hide(s)
        closed = list(position.closed)
        for row, seat in _events(state, position["log_count"], S.Event.DREW):
            closed[seat] = (*closed[seat], row)
        return replace(position, state=state, closed=tuple(closed))

    def _is_last(self, position: Position) -> bool:
        """Whether the game ends with the Mission now to come, whatever its result."""
        first = int(np.flatnonzero(self.table.legal_actions(position.state))[0])
        copies = plain_records(position.state)["mission_copies"][0]
        pair = int(np.flatnonzero(copies)[0])
        for kind in range(self.kinds):
            after = self._step(position, first, next_mission=pair, kind=kind)
            while after["status"] == RUNNING and after["mission"] == position["mission"]:
                offset = A.GIVE if after["phase"] == S.Phase.GIFT else A.PLACE
                given = 0 if offset == A.GIVE else kind
                after = self._step(after, offset + given, kind=given)
            if after["status"] == RUNNING:
                return False
        return True

    # Courses -----------------------------------------------------------------------------------

    def _join(
        self, position: Position, courses: Courses, deciding: tuple[int, ...] = ()
    ) -> tuple[Courses, Ints]:
        """Join those that differ in nothing that matters; and where each has gone ``(k,)``.

        What a seat saw that does not decide any more is forgotten: in the last Mission all but
        ``deciding``, or, if that is empty, all who cannot be Hand or Eye of it.
        """
        keep = np.ones(self.players, np.bool_)
        if position.last:
            eye = position["eye"]
            if deciding:
                keep[:] = np.isin(np.arange(self.players), deciding)
            elif position["phase"] == S.Phase.PLACEMENT:
                keep[:] = np.arange(self.players) == eye
            elif position["last_hand"] not in (S.NOBODY, eye):
                keep[position["last_hand"]] = False
        seen, hand = courses.seen * keep, courses.hand * keep
        first, group = groups((courses.faith, courses.gone, courses.gift, *seen.T, *hand.T))
        joined = replace(courses, seen=seen, hand=hand).take(first)
        weight = sums(group, courses.weight, len(first))
        return replace(joined, weight=weight), group

    def _open(
        self, position: Position, courses: Courses, seat: int
    ) -> tuple[Position, Courses, Ints, Floats]:
        """Open all closed Virtues of a seat.

        Returns:
            The position, the courses, and for each of these its number before and its chance.
        """
        parent, chance = np.arange(len(courses)), np.ones(len(courses))
        known = list(position.known)
        for row in position.closed[seat]:
            dealt = plain_records(position.state)["log"][0, row, EVENT] == S.Event.DEALT
            ways = self.deals if dealt else self.draws
            courses, before, part, way = self._draw(courses, ways)
            parent, chance = parent[before], chance[before] * part
            seen, hand = courses.seen.copy(), courses.hand.copy()
            seen[:, seat] = seen[:, seat] << _DIGIT | (way + 1)
            hand[:, seat] += (ways @ self.units)[way]
            courses = replace(courses, seen=seen, hand=hand)
            known[seat] = (*known[seat], (row, -1))
        if len(known[seat]) > _MOST_SEEN - 1:  # a gift may follow
            raise OptionError(
                f"a player may see {len(known[seat])} secrets here; at most {_MOST_SEEN - 1} fit"
            )
        closed = tuple(() if k == seat else rows for k, rows in enumerate(position.closed))
        return replace(position, closed=closed, known=tuple(known)), courses, parent, chance

    def _draw(self, courses: Courses, ways: Ints) -> tuple[Courses, Ints, Floats, Ints]:
        """Take Virtues that nobody has seen, in each of the ways ``(ways, kinds)``.

        Returns:
            The courses, and for each its number before, its chance and its way.
        """
        left = self.copies - self._unpacked(courses.gone)
        total = left.sum(axis=1)
        size = int(ways[0].sum())
        below = total if size == 1 else total * (total - 1) / 2
        chances = np.ones((len(ways), len(courses)))
        for number, way in enumerate(ways):
            for kind in np.flatnonzero(way):
                some = left[:, kind]
                chances[number] *= some if way[kind] == 1 else some * (some - 1) / 2
        chances /= below
        way, parent = np.nonzero(chances)
        part = chances[way, parent]
        drawn = courses.take(parent)
        gone = drawn.gone + (ways @ self.units)[way]
        return replace(drawn, weight=drawn.weight * part, gone=gone), parent, part, way

    def _unpacked(self, packed: Ints) -> Ints:
        """Counts of each kind ``(k, kinds)``."""
        shifts = _COUNT * np.arange(self.kinds)
        counts: Ints = packed[:, np.newaxis] >> shifts & ((1 << _COUNT) - 1)
        return counts


_PAIR_OF: Final = np.array(
    [[pair_number(min(a, b), max(a, b)) for b in range(S.KINDS)] for a in range(S.KINDS)]
)
"""Number of the pair of two kinds ``(kinds, kinds)``."""


def check_options(table: BoundGame) -> None:
    """Refuse games that this enumeration does not know.

    Raises:
        OptionError: with talk, Shame, Disciples or Crises, hands of more than two, or so few
            Virtues that the deck may have to be renewed.
    """
    options = table.options
    if options["talk"] != "none" or any(options[x] for x in ("shame", "disciples", "crises")):
        raise OptionError(
            "exact best responses are for Believers without talk, Shame, Disciples and Crises"
        )
    if int(options["hand_size"]) > LARGEST_HAND:
        raise OptionError(f"hand_size={options['hand_size']}: at most {LARGEST_HAND} here")
    missions, n = most_missions(options), table.num_players
    start = plain_records(table.template)[0]
    most = n * int(options["hand_size"]) + 3 * missions + n * (len(rows_of(options)) + 1)
    virtues = int(start["virtue_copies"].sum())
    if virtues < most:
        raise OptionError(
            f"{virtues} Virtues are too few: {most} may be drawn, and the deck is not renewed here"
        )


def groups(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Find equal rows.

    Args:
        columns: each ``(k,)``.

    Returns:
        The places of different rows ``(g,)``, and for each row the number of its like ``(k,)``.
    """
    salt = 0
    while True:  # equal sums of different rows are found out and tried with other factors
        factors = np.random.default_rng(salt).integers(
            2**63, size=(2, len(columns)), dtype=np.int64
        )
        mixed = np.zeros(len(columns[0]), np.uint64)
        for column, (odd, other) in zip(columns, factors.T.astype(np.uint64), strict=True):
            part = (column.astype(np.uint64) + other) * (odd | np.uint64(1))
            mixed = (mixed ^ part ^ (part >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
        _, first, group = np.unique(mixed, return_index=True, return_inverse=True)
        if all((column == column[first][group]).all() for column in columns):
            return first, group
        salt += 1


def sums(places: Ints, values: Floats, count: int) -> Floats:
    """Add up ``values (k,)`` by place, ``(count,)``."""
    added: NDArray[Any] = np.bincount(places, values, count)
    return added


def _ways(kinds: int, size: int) -> Ints:
    """Hands of a size as counts ``(ways, kinds)``, in the order of kinds, of pairs for two.

    Of two, way ``k`` stands for the ``k``-th pair of these kinds.
    """
    ways = combinations_with_replacement(range(kinds), size)
    return np.array([np.bincount(way, minlength=kinds) for way in ways])


def _packed_hands(ways: Ints) -> NDArray[np.int16]:
    """The columns of the log for each hand dealt ``(ways, 4)``."""
    packed = np.zeros((len(ways), COLUMNS - 2 - FIRST), np.int16)
    for number, way in enumerate(ways):
        for kind, count in enumerate(way):
            packed[number, kind // 3] |= int(count) << (5 * (kind % 3))
    return packed


def _hide(s: Any, kind: int = 0) -> None:
    """Let all hidden Virtues be of one kind."""
    s["hand"][:, :] = 0
    s["hand"][:, kind] = s["hand_count"]
    s["deck"][:] = 0
    s["deck"][kind] = s["deck_size"]


def _events(state: Records, since: int, kind: int) -> Any:
    """Rows of the log and actors of the events of a kind, from row ``since`` on."""
    s = plain_records(state)[0]
    for row in range(since, int(s["log_count"])):
        if s["log"][row, EVENT] == kind:
            yield row, int(s["log"][row, ACTOR])
