"""Who would win and whether the church would break, were the game over now: exact for any viewer.

Nothing about the end is hidden but the values of Victory Point markers. Those that a viewer does
not know were drawn from ten each of 4, 5 and 6 less the viewer's own, all orders equally likely.
Seats draw from one supply, so their points depend on each other; the chances are exact sums over
what all of them can have drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.compiled.jit import bind, jit
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import UNKNOWN, Cells, Records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.scoring import disputes_held, marker_points
from concilium.envs.nicaea.state import State
from concilium.envs.nicaea.tableau import survey

# rows of what is found; columns are the seats
WIN: Final = 0
SCHISM: Final = 1
RETURN: Final = 2
ROWS: Final = 3

# what decides the end of a seat: rows of a table whose columns are the seats
POINTS: Final = 0  # all that is known
INFLUENCE: Final = 1
UNSEEN: Final = 2  # markers whose values are not known
FACTS: Final = 3

_SPAN: Final = S.MARKERS_EACH + 1  # a supply has 0 to 10 markers of a value
_AREA: Final = _SPAN * _SPAN
_NO_TOP: Final = 10_000  # more than any score
_SETS: Final = 1 << S.SEATS  # sets of winners, as bits by rank in Influence
WORK_SIZE: Final = 2 * _SETS * _AREA
"""Length of the scratch memory: two tables of fives and sixes drawn for each set of winners."""

_FACTORIAL: Final[NDArray[np.float64]] = np.array(
    [float(np.prod(np.arange(1, k + 1), dtype=float)) for k in range(S.MOST_MARKERS + 1)]
)
_FACTORIAL.setflags(write=False)


@dataclass(frozen=True)
class EndChances:
    """Chances of an end, by seat, ``(k, seats) float64``.

    Attributes:
        win: to win; of a victory shared by k, 1/k.
        schism: to win by schism.
        returns: expected return (N33).
    """

    win: NDArray[np.float64]
    schism: NDArray[np.float64]
    returns: NDArray[np.float64]


def end_chances(
    points: Sequence[int], influence: Sequence[int], unseen: Sequence[int],
    supply: ArrayLike = (S.MARKERS_EACH,) * S.VALUES,
) -> EndChances:  # fmt: skip
    """Chances of one end, from its numbers.

    Args:
        points: what is known of each seat's points, 1 to 6 seats.
        influence: of each seat at the end (N31).
        unseen: markers of each seat whose values are not known, 0 to 10.
        supply: markers of value 4, 5 and 6 from which these were drawn, 0 to 10 of each.

    Returns:
        Arrays ``(1, seats)``.

    Raises:
        OptionError: the numbers do not fit each other.
    """
    seats = len(points)
    left = np.asarray(supply, np.int64)
    if not 1 <= seats == len(influence) == len(unseen) <= S.SEATS:
        raise OptionError(
            f"{seats}, {len(influence)} and {len(unseen)} numbers of seats: as many of each, "
            f"1 to {S.SEATS}"
        )
    if left.shape != (S.VALUES,) or left.min() < 0 or left.max() > S.MARKERS_EACH:
        raise OptionError(
            f"supply {left.tolist()} is not allowed: {S.VALUES} numbers from 0 to {S.MARKERS_EACH}"
        )
    if not 0 <= min(unseen) <= max(unseen) <= S.MOST_MARKERS or sum(unseen) > left.sum():
        raise OptionError(
            f"unseen markers {list(unseen)} of a supply of {left.sum()}: 0 to {S.MOST_MARKERS} "
            "each, and no more than there are"
        )
    facts = np.zeros((FACTS, S.SEATS), np.int64)
    facts[POINTS, :seats], facts[INFLUENCE, :seats], facts[UNSEEN, :seats] = (
        points,
        influence,
        unseen,
    )
    out = np.zeros((1, ROWS, S.SEATS))
    _kernel("end_one")(facts, left, seats, np.empty(WORK_SIZE), out[0])
    return _by_seat(out, seats)


def end_chances_of(views: Records) -> EndChances:
    """Chances of the end for the viewers of Views, were the game over now as it stands.

    Cards of open disputes count for icons, as where idle rounds end the game (N6).

    Args:
        views: ``(k,)`` Views of players, or States, which hide nothing; all of one table size.

    Raises:
        OptionError: they are of another game, or of tables of several sizes.
    """
    sizes = np.unique(np.asarray(views["num_players"]))
    if views.dtype != GAME.dtype or len(sizes) != 1:
        raise OptionError(f"records of Nicaea of one table size are needed, not of sizes {sizes}")
    out = np.zeros((len(views), ROWS, S.SEATS))
    _kernel("end_many")(views, np.empty(WORK_SIZE), out)
    return _by_seat(out, int(sizes[0]))


def _by_seat(out: NDArray[np.float64], seats: int) -> EndChances:
    return EndChances(out[:, WIN, :seats], out[:, SCHISM, :seats], out[:, RETURN, :seats])


# Compiled --------------------------------------------------------------------------------------


def end_one(facts: Cells, supply: Cells, seats: int, work: Cells, out: Cells) -> None:
    """Entry point of :func:`end_of`."""
    end_of(facts, supply, seats, work, out)


def end_many(views: Sequence[State], work: Cells, out: Cells) -> None:
    """Chances of ``views[k]`` in ``out[k]``, for all k."""
    facts = np.zeros((FACTS, S.SEATS), np.int64)
    supply = np.zeros(S.VALUES, np.int64)
    for k in range(len(views)):
        read_end(views[k], facts, supply)
        end_of(facts, supply, views[k].num_players, work, out[k])


@jit
def read_end(v: State, facts: Cells, supply: Cells) -> None:
    """Read off a View what decides the end, ``facts (3, 6)`` and ``supply (3,)``."""
    for value in range(S.VALUES):
        supply[value] = S.MARKERS_EACH
    for seat in range(v.num_players):
        _, _, bishops, _, points = survey(v, seat, disputes_held(v, seat))
        facts[POINTS, seat] = points
        facts[INFLUENCE, seat] = bishops + v.ti[seat]
        if v.markers[seat, 0] == UNKNOWN:
            facts[UNSEEN, seat] = v.marker_count[seat]
        else:
            facts[UNSEEN, seat] = 0
            facts[POINTS, seat] += marker_points(v, seat)
            for value in range(S.VALUES):
                supply[value] -= v.markers[seat, value]


@jit
def end_of(facts: Cells, supply: Cells, seats: int, work: Cells, out: Cells) -> None:
    """Work out one end.

    Args:
        facts: POINTS, INFLUENCE, UNSEEN of each seat ``(3, 6) int64``.
        supply: unseen markers of each value ``(3,) int64``.
        seats: how many there are.
        work: scratch memory ``(WORK_SIZE,) float64``.
        out: chances ``(3, 6) float64``: WIN, SCHISM, RETURN.
    """
    for row in range(ROWS):
        for seat in range(seats):
            out[row, seat] = 0.0
    order = _by_influence(facts, seats)
    low, high = _top_scores(facts, seats)
    for top in range(low, high + 1):
        _share_out(facts, supply, seats, order, top, -1, 1.0, work, out)
    if seats > 1 and facts[INFLUENCE, order[0]] > facts[INFLUENCE, order[1]]:
        _break_church(facts, supply, seats, order, work, out)
        for seat in range(seats):
            out[WIN, seat] = max(out[WIN, seat], 0.0)  # taking away leaves a rounding error


@jit
def _by_influence(facts: Cells, seats: int) -> Cells:
    """Seats from the most Influence to the least."""
    order = np.empty(S.SEATS, np.int64)
    for seat in range(seats):
        place = seat
        while place > 0 and facts[INFLUENCE, order[place - 1]] < facts[INFLUENCE, seat]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = seat
    return order


@jit
def _least(facts: Cells, seat: int) -> int:
    """No score of the seat is lower."""
    return facts[POINTS, seat] + S.LOWEST_VALUE * facts[UNSEEN, seat]


@jit
def _most(facts: Cells, seat: int) -> int:
    """No score of the seat is higher."""
    return facts[POINTS, seat] + (S.LOWEST_VALUE + S.VALUES - 1) * facts[UNSEEN, seat]


@jit
def _top_scores(facts: Cells, seats: int) -> tuple[int, int]:
    """The lowest and the highest that the best score can be."""
    low = 0
    high = 0
    for seat in range(seats):
        low = max(low, _least(facts, seat))
        high = max(high, _most(facts, seat))
    return low, high


@jit
def _break_church(
    facts: Cells, supply: Cells, seats: int, order: Cells, work: Cells, out: Cells
) -> None:
    """Schism (N32): take the ends in which the seat of most Influence is alone the last.

    They are taken from those who would have won them, and given to that seat.
    """
    last = order[0]
    low, high = _top_scores(facts, seats)
    for score in range(_least(facts, last), _last_score(facts, seats, order) + 1):
        for top in range(max(low, score + 1), high + 1):
            broken = _share_out(facts, supply, seats, order, top, score, -1.0, work, out)
            out[WIN, last] += broken
            out[SCHISM, last] += broken
            for seat in range(seats):
                out[RETURN, seat] += broken if seat == last else -broken / (seats - 1)


@jit
def _last_score(facts: Cells, seats: int, order: Cells) -> int:
    """The highest score with which the seat of most Influence can be alone the last."""
    limit = _most(facts, order[0])
    for rank in range(1, seats):
        limit = min(limit, _most(facts, order[rank]) - 1)
    return limit


@jit
def schism_of(facts: Cells, supply: Cells, seats: int, work: Cells) -> tuple[int, float]:
    """The seat that could break the church, -1 if there is none, and its chance; see `end_of`."""
    order = _by_influence(facts, seats)
    if seats < 2 or facts[INFLUENCE, order[0]] == facts[INFLUENCE, order[1]]:
        return -1, 0.0
    chance = 0.0
    for score in range(_least(facts, order[0]), _last_score(facts, seats, order) + 1):
        some, place = _draw_all(facts, supply, seats, order, _NO_TOP, score, work)
        if some != 0:
            chance += _chance(facts, supply, seats, work, place)
    return order[0], chance


@jit
def _share_out(
    facts: Cells, supply: Cells, seats: int, order: Cells, top: int, last: int, sign: float,
    work: Cells, out: Cells,
) -> float:  # fmt: skip
    """Give the ends of :func:`_draw_all` to their winners, times ``sign``; return their chance."""
    some, place = _draw_all(facts, supply, seats, order, top, last, work)
    total = 0.0
    for winners in range(1, 1 << seats):
        if (some >> winners) & 1 == 1:
            chance = _chance(facts, supply, seats, work, place + winners * _AREA)
            _pay_out(seats, order, winners, sign * chance, out)
            total += chance
    return total


@jit
def _draw_all(
    facts: Cells, supply: Cells, seats: int, order: Cells, top: int, last: int, work: Cells
) -> tuple[int, int]:
    """Let all seats draw, with scores up to ``top``.

    With ``last`` of at least 0 only so that the seat of most Influence has that score and all
    others more. Seats come in the order of their Influence: whoever is the first to have the score
    ``top`` wins, with those of the same Influence who have it too.

    Returns:
        The sets of winners that are possible, as bits, and where their tables begin in ``work``.
    """
    source = 0  # halves of the scratch memory
    target = _SETS * _AREA
    some = 1
    drawn = 0
    for k in range(_AREA):
        work[source + k] = 0.0
    work[source] = 1.0
    for rank in range(seats):
        floor = last + 1
        ceiling = top
        if last >= 0 and rank == 0:
            floor = last
            ceiling = last
        some = _let_draw(
            facts, supply, order, rank, drawn, floor, ceiling, top, some, work, source, target
        )
        drawn += facts[UNSEEN, order[rank]]
        source, target = target, source
        if some == 0:
            break
    return some, source


@jit
def _let_draw(
    facts: Cells, supply: Cells, order: Cells, rank: int, drawn: int, floor: int, ceiling: int,
    top: int, some: int, work: Cells, source: int, target: int,
) -> int:  # fmt: skip
    """Let one more seat draw its markers, so that its score is from ``floor`` to ``ceiling``.

    ``drawn`` are the markers of the seats before.

    Returns:
        The sets of winners that are then possible, as bits. The set of nobody stays possible only
        while nobody has the best score.
    """
    seat = order[rank]
    after = 0
    for winners in range(1 << rank):
        if (some >> winners) & 1 == 0:
            continue
        joined = winners | (1 << rank)
        if winners > 0 and facts[INFLUENCE, seat] < facts[INFLUENCE, order[_first(winners)]]:
            joined = winners
        for number in range(facts[UNSEEN, seat] + 1):  # of sixes
            sixes = facts[UNSEEN, seat] - number
            for fives in range(number + 1):
                score = _least(facts, seat) + fives + 2 * sixes
                if floor <= score <= ceiling:
                    to = joined if score == top else winners
                    if (after >> to) & 1 == 0:
                        after |= 1 << to
                        for k in range(_AREA):
                            work[target + to * _AREA + k] = 0.0
                    _add_shifted(
                        work, source + winners * _AREA, target + to * _AREA, drawn, supply, fives,
                        sixes, _ways(facts[UNSEEN, seat], fives, sixes),
                    )  # fmt: skip
    return after


@jit
def _first(winners: int) -> int:
    """The lowest bit that is set."""
    rank = 0
    while (winners >> rank) & 1 == 0:
        rank += 1
    return rank


@jit
def _ways(count: int, fives: int, sixes: int) -> float:
    """In how many orders so many markers can come, the others being fours."""
    return _FACTORIAL[count] / (
        _FACTORIAL[fives] * _FACTORIAL[sixes] * _FACTORIAL[count - fives - sixes]
    )


@jit
def _add_shifted(
    work: Cells, source: int, target: int, drawn: int, supply: Cells, fives: int, sixes: int,
    ways: float,
) -> None:  # fmt: skip
    """Add one table of fives and sixes among ``drawn`` markers to another, with some more drawn."""
    for x in range(min(drawn, supply[1] - fives) + 1):
        for y in range(min(drawn - x, supply[2] - sixes) + 1):
            work[target + (x + fives) * _SPAN + y + sixes] += ways * work[source + x * _SPAN + y]


@jit
def _chance(facts: Cells, supply: Cells, seats: int, work: Cells, place: int) -> float:
    """Turn a table of ways to draw into the chance of all of them."""
    drawn = 0
    for seat in range(seats):
        drawn += facts[UNSEEN, seat]
    chance = 0.0
    for x in range(min(drawn, supply[1]) + 1):
        for y in range(max(drawn - x - supply[0], 0), min(drawn - x, supply[2]) + 1):
            ways = work[place + x * _SPAN + y]
            if ways != 0.0:
                chance += (
                    ways * _falling(supply[0], drawn - x - y) * _falling(supply[1], x)
                    * _falling(supply[2], y)
                )  # fmt: skip
    left = supply[0] + supply[1] + supply[2]
    for k in range(drawn):
        chance /= left - k
    return chance


@jit
def _pay_out(seats: int, order: Cells, winners: int, chance: float, out: Cells) -> None:
    """N33: k winners share +1, the others -1; nobody gets anything if all win."""
    count = 0
    for rank in range(seats):
        count += (winners >> rank) & 1
    for rank in range(seats):
        seat = order[rank]
        if (winners >> rank) & 1 == 1:
            out[WIN, seat] += chance / count
            if count < seats:
                out[RETURN, seat] += chance / count
        elif count < seats:
            out[RETURN, seat] -= chance / (seats - count)


@jit
def _falling(n: int, k: int) -> float:
    """How many orders there are to draw k of n."""
    return _FACTORIAL[n] / _FACTORIAL[n - k]


@cache
def _kernel(name: str) -> Any:
    entries: dict[str, Callable[..., Any]] = {"end_one": end_one, "end_many": end_many}
    return bind(entries[name], "nicaea.ending")
