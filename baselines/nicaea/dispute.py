"""How a dispute will end: exact chances that A or B settles it, under a declared model of players.

Prices, limits and settling follow the rulings (N23–N26). What players want is the model's:
opportunities to buy come in turn order, round after round, and at each the player takes a card of a
side with a chance that depends on the cards held of this dispute, on the prices, and on what that
player can pay at once.

A state of the dispute is what each seat holds of it: nothing, one or two A, one or two B. Cards are
never given back before the dispute is settled, so states are worked out from the last to the first;
passing round the table without a purchase leaves the state as it is and is summed in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.compiled.jit import bind, jit
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import state as S

# what a seat holds of a dispute
NOTHING_HELD: Final = 0
ONE_A: Final = 1
TWO_A: Final = 2
ONE_B: Final = 3
TWO_B: Final = 4
HOLDINGS: Final = 5
# what a holding adds to the totals of a state: four bits for its A, four for its B, and above them
# the steps that the token has made for it, since a second card moves it by two
_ADDS: Final[NDArray[np.int64]] = np.array([0, 0x101, 0x302, 0x110, 0x320])
_NIBBLE: Final = 15
_MOVED: Final = 8  # bits below the steps
_LATER: Final[NDArray[np.int64]] = np.array(
    [5, 2, 1, 2, 1]
)  # holdings that can come of it, itself too
for _table in (_ADDS, _LATER):
    _table.setflags(write=False)

# rows of what is found; columns are the sides
BEFORE: Final = 0  # the first seat is to decide
DECLINED: Final = 1  # it has bought nothing
BOUGHT: Final = 2  # + side: it has bought that card
ROWS: Final = BOUGHT + S.SIDES

# where each chance stands in DisputeModel.buying
ARGUE: Final = 0
DOUBLE: Final = 1
SETTLE: Final = 2
STOP: Final = 3

WORK_SIZE: Final = HOLDINGS**S.SEATS * S.SEATS * S.SIDES
"""Length of the scratch memory: all states of six seats, whoever is next, both sides."""


@dataclass(frozen=True)
class DisputeModel:
    """What players are taken to do about one dispute, at each opportunity to buy.

    A seat buys only what it may hold and what its means reach. Seats with no card that could buy
    of both sides choose one with chances in proportion to ``follow ** cards / price``, where
    ``cards`` are those of the side in players' hands and ``price`` is what the next one costs.

    Attributes:
        argue: chance to buy a first card of the side chosen, 0 to 1.
        double: chance to buy a second card.
        settle: chance instead of these where the card bought would be its side's fourth.
        stop: chance that the game ends after a round of opportunities, the dispute open.
        follow: how much each card more of a side draws players to it, at least 0; 1: not at all.
    """

    argue: float = 0.3
    double: float = 0.15
    settle: float = 0.7
    stop: float = 0.0
    follow: float = 1.5

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            high = 100.0 if entry.name == "follow" else 1.0
            if not 0 <= value <= high:  # false for what is not a number, too
                raise OptionError(
                    f"{entry.name}={value!r} is not allowed: a number from 0 to {high:g}"
                )

    def buying(self) -> tuple[float, float, float, float]:
        """The chances at ARGUE, DOUBLE, SETTLE and STOP, as compiled code reads them."""
        return self.argue, self.double, self.settle, self.stop


def settling_chances(
    held: ArrayLike, means: Sequence[int], *, base: Sequence[int], contrarian: Sequence[int],
    token: int, model: DisputeModel, first: int = 0,
) -> NDArray[np.float64]:  # fmt: skip
    """Chances that side A, and that side B, settles an open dispute.

    Args:
        held: doctrine cards of the dispute ``(seats, 2)``, 1 to 6 seats.
        means: what each seat can pay at each opportunity, whole numbers from 0.
        base: prices by the token's space.
        contrarian: prices of the side with fewer cards.
        token: space of the dispute's token, from 0.
        model: what players are taken to do.
        first: seat that is to decide next; the others follow clockwise, and so every round.

    Returns:
        ``(4, 2)``: before the first seat decides; after it declines; after it buys an A; after it
        buys a B. Columns: A settles, B settles; what is missing to 1 is the chance that the dispute
        stays open. A card that the seat may not buy, whatever its means, has a row of zeros.

    Raises:
        OptionError: the cards are not those of an open dispute, or the numbers do not fit.
    """
    cards = np.asarray(held, np.int64)
    seats = len(cards)
    _check(cards, means, base, contrarian, token, first)
    turned = [(first + k) % seats for k in range(seats)]
    labels = np.zeros(S.SEATS, np.int64)
    purse = np.zeros(S.SEATS, np.int64)
    for place, seat in enumerate(turned):
        labels[place] = (
            cards[seat, S.SIDE_A] + (cards[seat, S.SIDE_B] > 0) * 2 + cards[seat, S.SIDE_B]
        )
        purse[place] = means[seat]
    track = np.zeros((2, S.TRACK), np.int8)
    track[0, : len(base)], track[1, : len(base)] = base, contrarian
    out = np.zeros((ROWS, S.SIDES))
    work = np.empty(WORK_SIZE)
    _kernel()(
        labels,
        purse,
        seats,
        track[0],
        track[1],
        len(base) - 1,
        token,
        model.buying(),
        model.follow,
        work,
        out,
    )
    return out


def _check(
    cards: NDArray[np.int64], means: Sequence[int], base: Sequence[int],
    contrarian: Sequence[int], token: int, first: int,
) -> None:  # fmt: skip
    if cards.ndim != 2 or cards.shape[1] != S.SIDES or not 1 <= len(cards) <= S.SEATS:
        raise OptionError(f"cards of shape {cards.shape}: (seats, 2) with 1 to {S.SEATS} seats")
    fit = cards.min() >= 0 and cards.max() <= S.MOST_HELD and not (cards > 0).all(axis=1).any()
    if not fit or cards.sum(axis=0).max() > S.SINGLE_CARDS:
        raise OptionError(
            f"cards {cards.tolist()} are not those of an open dispute: at most {S.MOST_HELD} a "
            f"seat, of one side, and at most {S.SINGLE_CARDS} of a side"
        )
    if len(means) != len(cards) or min(means) < 0:
        raise OptionError(f"means {list(means)} for {len(cards)} seats: one each, from 0")
    if not 1 <= len(base) == len(contrarian) <= S.TRACK or not 0 <= token < len(base):
        raise OptionError(
            f"token {token} on a track of {len(base)} and {len(contrarian)} prices: 1 to {S.TRACK} "
            "of both, and the token on one of them"
        )
    if not 0 <= first < len(cards):
        raise OptionError(f"first={first} is not a seat from 0 to {len(cards) - 1}")


# Compiled --------------------------------------------------------------------------------------


def settle_one(
    labels: Cells, means: Cells, seats: int, base: Cells, contrarian: Cells, last: int, token: int,
    buying: Sequence[float], follow: float, work: Cells, out: Cells,
) -> None:  # fmt: skip
    """Entry point of :func:`settle`."""
    settle(labels, means, seats, base, contrarian, last, token, buying, follow, work, out)


@jit
def settle(
    labels: Cells, means: Cells, seats: int, base: Cells, contrarian: Cells, last: int, token: int,
    buying: Sequence[float], follow: float, work: Cells, out: Cells,
) -> None:  # fmt: skip
    """Work out a dispute for the seats in the order in which they decide.

    Args:
        labels: what each holds ``(6,) int64``, NOTHING_HELD … TWO_B.
        means: what each can pay ``(6,) int64``.
        seats: how many there are.
        base: prices by space ``(12,) int8``.
        contrarian: likewise.
        last: the last space of the track.
        token: space of the token.
        buying: chances of the model, four.
        follow: of the model.
        work: scratch memory ``(WORK_SIZE,) float64``.
        out: chances ``(4, 2) float64``, see :func:`settling_chances`.
    """
    stride = np.empty(S.SEATS, np.int64)
    now = np.empty(S.SEATS, np.int64)
    total = 0
    count = 1
    for k in range(seats):
        stride[k] = count
        count *= _LATER[labels[k]]
        now[k] = labels[k] + _LATER[labels[k]] - 1
        token -= _ADDS[labels[k]] >> _MOVED
        total += _ADDS[now[k]]
    pull = np.empty(S.SINGLE_CARDS + 1)
    for cards in range(S.SINGLE_CARDS + 1):
        pull[cards] = follow**cards
    chance = np.empty((S.SEATS, S.SIDES))
    for number in range(count - 1, -1, -1):
        cards_a = total & _NIBBLE
        cards_b = (total >> 4) & _NIBBLE
        if cards_a <= S.SINGLE_CARDS and cards_b <= S.SINGLE_CARDS:
            space = min(token + (total >> _MOVED), last)
            price_a = int(contrarian[space] if cards_a < cards_b else base[space])
            price_b = int(contrarian[space] if cards_b < cards_a else base[space])
            _wishes(
                now, means, seats, cards_a, cards_b, price_a, price_b,
                pull[cards_a] / price_a, pull[cards_b] / price_b, buying, chance,
            )  # fmt: skip
            _round_the_table(
                now, seats, stride, number, cards_a, cards_b, chance, 1.0 - buying[STOP], work
            )
        total = _step_back(labels, now, seats, total)
    _report(labels, seats, stride, work, 1.0 - buying[STOP], out)


@jit
def _step_back(labels: Cells, now: Cells, seats: int, total: int) -> int:
    """Go to the state before, in the order of their numbers; return its totals."""
    for k in range(seats):
        total -= _ADDS[now[k]]
        if now[k] > labels[k]:
            now[k] -= 1
            return total + _ADDS[now[k]]
        now[k] = labels[k] + _LATER[labels[k]] - 1
        total += _ADDS[now[k]]
    return total


@jit
def _wishes(
    now: Cells, means: Cells, seats: int, cards_a: int, cards_b: int, price_a: int, price_b: int,
    pull_a: float, pull_b: float, buying: Sequence[float], chance: Cells,
) -> None:  # fmt: skip
    """The model: each seat's chances to buy an A and a B, were it to decide now."""
    first_a = buying[SETTLE] if cards_a == S.SINGLE_CARDS else buying[ARGUE]
    first_b = buying[SETTLE] if cards_b == S.SINGLE_CARDS else buying[ARGUE]
    second_a = buying[SETTLE] if cards_a == S.SINGLE_CARDS else buying[DOUBLE]
    second_b = buying[SETTLE] if cards_b == S.SINGLE_CARDS else buying[DOUBLE]
    for k in range(seats):
        chance[k, S.SIDE_A] = 0.0
        chance[k, S.SIDE_B] = 0.0
        if now[k] == NOTHING_HELD:
            draw_a = pull_a if price_a <= means[k] else 0.0
            draw_b = pull_b if price_b <= means[k] else 0.0
            if draw_a + draw_b > 0.0:
                chance[k, S.SIDE_A] = first_a * draw_a / (draw_a + draw_b)
                chance[k, S.SIDE_B] = first_b * draw_b / (draw_a + draw_b)
        elif now[k] == ONE_A and 2 * price_a <= means[k]:
            chance[k, S.SIDE_A] = second_a
        elif now[k] == ONE_B and 2 * price_b <= means[k]:
            chance[k, S.SIDE_B] = second_b


@jit
def _place(number: int, seat: int, seats: int) -> int:
    """Where in the scratch memory the chances of a state stand when the seat is to decide."""
    return (number * seats + seat) * S.SIDES


@jit
def _round_the_table(
    now: Cells, seats: int, stride: Cells, number: int, cards_a: int, cards_b: int, chance: Cells,
    go_on: float, work: Cells,
) -> None:  # fmt: skip
    """Chances of a state for each seat that may be next, from those of the states after it.

    Backwards round the table, the chances before seat k are ``known + again * x``, where x are
    those before seat 0 in the same state. At seat 0 that is an equation for x.
    """
    known_a = 0.0
    known_b = 0.0
    again = go_on
    for back in range(seats):
        k = seats - 1 - back
        a, b = _after(now, seats, stride, number, cards_a, cards_b, k, S.SIDE_A, go_on, work)
        c, d = _after(now, seats, stride, number, cards_a, cards_b, k, S.SIDE_B, go_on, work)
        buys_a = chance[k, S.SIDE_A]
        buys_b = chance[k, S.SIDE_B]
        passes = 1.0 - buys_a - buys_b
        known_a = buys_a * a + buys_b * c + passes * known_a
        known_b = buys_a * b + buys_b * d + passes * known_b
        again *= passes
        place = _place(number, k, seats)
        work[place] = known_a
        work[place + 1] = known_b
        chance[k, S.SIDE_A] = again  # the seat's chances are used up; its share of x comes here
    x = 0.0
    y = 0.0
    if again < 1.0:
        x = known_a / (1.0 - again)
        y = known_b / (1.0 - again)
    for k in range(seats):
        place = _place(number, k, seats)
        work[place] += chance[k, S.SIDE_A] * x
        work[place + 1] += chance[k, S.SIDE_A] * y


@jit
def _after(
    now: Cells, seats: int, stride: Cells, number: int, cards_a: int, cards_b: int, k: int,
    side: int, go_on: float, work: Cells,
) -> tuple[float, float]:  # fmt: skip
    """Chances after seat k has bought a card of a side; zeros if it may not."""
    more = _bought(now[k], side)
    if more < 0:
        return 0.0, 0.0
    if side == S.SIDE_A and cards_a == S.SINGLE_CARDS:
        return 1.0, 0.0
    if side == S.SIDE_B and cards_b == S.SINGLE_CARDS:
        return 0.0, 1.0
    later = number + stride[k] * (more - now[k])
    if k + 1 < seats:
        place = _place(later, k + 1, seats)
        return work[place], work[place + 1]
    place = _place(later, 0, seats)
    return go_on * work[place], go_on * work[place + 1]


@jit
def _bought(holding: int, side: int) -> int:
    """The holding after buying a card of the side, -1 if there is none."""
    one = ONE_A if side == S.SIDE_A else ONE_B
    if holding == NOTHING_HELD:
        return one
    if holding == one:
        return one + 1
    return -1


@jit
def _report(
    labels: Cells, seats: int, stride: Cells, work: Cells, go_on: float, out: Cells
) -> None:
    """Copy what concerns the first seat in the present state, whose number is 0."""
    total = 0
    for k in range(seats):
        total += _ADDS[labels[k]]
    cards_a = total & _NIBBLE
    cards_b = (total >> 4) & _NIBBLE
    out[BEFORE, S.SIDE_A] = work[0]
    out[BEFORE, S.SIDE_B] = work[1]
    place = _place(0, 1 % seats, seats)
    left = 1.0 if seats > 1 else go_on
    out[DECLINED, S.SIDE_A] = left * work[place]
    out[DECLINED, S.SIDE_B] = left * work[place + 1]
    for side in range(S.SIDES):
        a, b = _after(labels, seats, stride, 0, cards_a, cards_b, 0, side, go_on, work)
        out[BOUGHT + side, S.SIDE_A] = a
        out[BOUGHT + side, S.SIDE_B] = b


@cache
def _kernel() -> Any:
    return bind(settle_one, "nicaea.dispute")
