"""The chances of a dispute by hand, against all that can happen, and in the model played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from concilium.baselines.nicaea.dispute import (
    BEFORE,
    BOUGHT,
    DECLINED,
    DisputeModel,
    settling_chances,
)
from concilium.envs.core.errors import OptionError
from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea.state import Phase
from tests.games.nicaea.tables import Table, build

BASE = (2, 3, 4, 5, 6, 7, 8, 9, 10)
CONTRARIAN = (1, 2, 2, 3, 3, 4, 4, 5, 5)
A, B = 0, 1
Holdings = tuple[tuple[int, int], ...]


def chances(
    held: Sequence[tuple[int, int]],
    means: Sequence[int],
    model: DisputeModel,
    first: int = 0,
    token: int = 0,
) -> np.ndarray:
    return settling_chances(
        held, means, base=BASE, contrarian=CONTRARIAN, token=token, model=model, first=first
    )


# By hand ---------------------------------------------------------------------------------------


def test_one_seat_can_settle_at_each_of_its_turns() -> None:
    """Seat 1 holds an A, seat 0 two: the fourth costs 2 × 3 and comes with 0.4 at each turn."""
    model = DisputeModel(argue=0.5, double=0.5, settle=0.4, stop=0.1, follow=1.0)
    found = chances([(2, 0), (1, 0)], [0, 6], model, token=1)
    # the round ends after seat 1: 0.4 + 0.6 · 0.9 · x = x
    assert found[BEFORE] == pytest.approx([0.4 / 0.46, 0])
    assert found[DECLINED] == pytest.approx([0.4 / 0.46, 0])
    assert (found[BOUGHT:] == 0).all()  # seat 0 can hold no more
    assert chances([(2, 0), (1, 0)], [0, 5], model, token=1)[BEFORE].tolist() == [0, 0]  # too poor


def test_the_seat_that_decides_first_counts() -> None:
    """Three A and three B, each with one seat that can end it: whoever comes first mostly does."""
    model = DisputeModel(argue=0.0, double=0.0, settle=0.5, stop=0.0, follow=1.0)
    held = [(1, 0), (0, 1), (2, 0), (0, 2)]
    # x = 1/2 + 1/4 · x for the first, the other has what is left
    assert chances(held, [50] * 4, model)[BEFORE] == pytest.approx([2 / 3, 1 / 3])
    assert chances(held, [50] * 4, model, first=1)[BEFORE] == pytest.approx([1 / 3, 2 / 3])
    found = chances(held, [50] * 4, model)
    assert found[BOUGHT + A].tolist() == [1, 0]
    assert found[DECLINED] == pytest.approx([1 / 3, 2 / 3])
    assert found[BOUGHT + B].tolist() == [0, 0]  # seat 0 holds an A


def test_the_price_decides_the_side_of_those_who_are_free() -> None:
    """A leads 3 : 2, so an A costs 10 and a B 5; follow 2 draws 8 / 10 against 4 / 5: even."""
    model = DisputeModel(argue=0.6, double=0.0, settle=0.6, stop=1.0, follow=2.0)
    held = [(0, 0), (2, 0), (1, 0), (0, 2)]
    found = chances(held, [10, 0, 0, 0], model, token=8)
    assert found[BEFORE] == pytest.approx([0.3, 0.0])  # the B is the third: it settles nothing
    found = chances(held, [9, 0, 0, 0], model, token=8)
    assert found[BEFORE] == pytest.approx([0.0, 0.0])  # an A is too dear
    held = [(0, 0), (2, 0), (1, 0), (0, 2), (0, 1)]  # 3 : 3, both cost 10
    found = chances(held, [10, 0, 0, 0, 0], model, token=8)
    assert found[BEFORE] == pytest.approx([0.3, 0.3])


def test_nobody_buys_for_ever() -> None:
    model = DisputeModel(argue=0.0, double=0.0, settle=0.0, stop=0.0)
    assert (chances([(0, 0)] * 5, [20] * 5, model) == 0).all()


# All that can happen ---------------------------------------------------------------------------


def wishes(held: Holdings, seat: int, means: int, model: DisputeModel) -> list[float]:
    """What the model says that a seat does: chances to buy A and B."""
    cards = [sum(h[side] for h in held) for side in (A, B)]
    token = min(sum({0: 0, 1: 1, 2: 3}[sum(h)] for h in held), 8)
    own = held[seat]
    prices, weights = [], []
    for side in (A, B):
        behind = cards[side] < cards[1 - side]
        price = (CONTRARIAN if behind else BASE)[token] * (own[side] + 1)
        allowed = own[1 - side] == 0 and own[side] < 2 and price <= means
        prices.append(price)
        weights.append(model.follow ** cards[side] / price if allowed else 0.0)
    total = sum(weights)
    chance = []
    for side in (A, B):
        eager = model.settle if cards[side] == 3 else model.argue if sum(own) == 0 else model.double
        chance.append(eager * weights[side] / total if total else 0.0)
    return chance


def forwards(held: Holdings, means: Sequence[int], model: DisputeModel, first: int) -> list[float]:
    """Follow everything that can happen, round by round, until nearly nothing is undecided."""
    settled = [0.0, 0.0]
    mass: dict[Holdings, float] = {held: 1.0}
    n = len(held)
    for _ in range(3000):
        for place in range(n):
            seat = (first + place) % n
            after: dict[Holdings, float] = defaultdict(float)
            for state, weight in mass.items():
                stays = 1.0
                for side, chance in enumerate(wishes(state, seat, means[seat], model)):
                    if chance == 0:
                        continue
                    stays -= chance
                    own = [list(h) for h in state]
                    own[seat][side] += 1
                    if sum(h[side] for h in own) == 4:
                        settled[side] += weight * chance
                    else:
                        after[tuple((h[0], h[1]) for h in own)] += weight * chance
                after[state] += weight * stays
            mass = after
        mass = {
            state: weight * (1 - model.stop) for state, weight in mass.items() if weight > 1e-13
        }
        if sum(mass.values()) < 1e-10:
            break
    return settled


MODELS = [
    DisputeModel(),
    DisputeModel(argue=0.6, double=0.3, settle=0.9, stop=0.2, follow=3.0),
    DisputeModel(argue=0.8, double=0.05, settle=0.5, stop=0.05, follow=0.5),
]


@pytest.mark.parametrize(
    ("held", "means"),
    [
        ([(0, 0), (0, 0)], [40, 40]),
        ([(1, 0), (0, 0), (0, 1)], [11, 14, 20]),
        ([(0, 0), (0, 0), (0, 0)], [9, 50, 4]),
        ([(0, 0), (1, 0), (0, 2), (0, 0)], [8, 30, 6, 12]),
        ([(0, 1), (1, 0), (1, 0), (0, 0)], [20, 12, 8, 3]),
    ],
)
def test_all_that_can_happen(held: list[tuple[int, int]], means: list[int]) -> None:
    for model in MODELS:
        token = min(sum({0: 0, 1: 1, 2: 3}[sum(h)] for h in held), 8)
        for first in (0, len(held) - 1):
            found = chances(held, means, model, first, token)[BEFORE]
            assert found == pytest.approx(forwards(tuple(held), means, model, first), abs=1e-8)


def test_rows_are_those_of_the_seats_choices() -> None:
    """What the first seat does by the model, times what comes of it, is what is expected before."""
    held = [(0, 0), (1, 0), (0, 1), (0, 0), (0, 0), (1, 0)]
    means = [9, 8, 20, 4, 12, 15]
    for model in MODELS:
        found = chances(held, means, model, token=3)
        buys = wishes(tuple(held), 0, means[0], model)
        mixed = buys[A] * found[BOUGHT + A] + buys[B] * found[BOUGHT + B]
        mixed = mixed + (1 - sum(buys)) * found[DECLINED]
        assert mixed == pytest.approx(found[BEFORE])


# Played in the model ---------------------------------------------------------------------------


def simulate(
    means: Sequence[int], model: DisputeModel, first: int, games: int, seed: int
) -> list[float]:
    """Play disputes from their beginning by the model; shares won by A and by B."""
    rng = np.random.default_rng(seed)
    n = len(means)
    known: dict[tuple[Holdings, int], list[float]] = {}
    won = [0, 0]
    for _ in range(games):
        held: Holdings = ((0, 0),) * n
        place = 0
        while True:
            seat = (first + place) % n
            key = (held, seat)
            if key not in known:
                known[key] = wishes(held, seat, means[seat], model)
            a, b = known[key]
            x = rng.random()
            if x < a + b:
                side = A if x < a else B
                own = list(held)
                own[seat] = (own[seat][0] + (side == A), own[seat][1] + (side == B))
                held = tuple(own)
                if sum(h[side] for h in held) == 4:
                    won[side] += 1
                    break
            place += 1
            if place == n:
                place = 0
                if rng.random() < model.stop:
                    break
    return [count / games for count in won]


@pytest.mark.parametrize("n", [4, 5, 6])
def test_simulated(n: int) -> None:
    model = DisputeModel(argue=0.4, double=0.3, settle=0.8, stop=0.08, follow=1.7)
    means = [7, 12, 20, 5, 9, 15][:n]
    games = 6000
    found = chances([(0, 0)] * n, means, model, first=2)[BEFORE]
    played = simulate(means, model, 2, games, seed=n)
    assert 0.2 < found.sum() < 1
    for exact, seen in zip(found, played, strict=True):
        assert abs(exact - seen) < 4 * (exact * (1 - exact) / games) ** 0.5


# Played by the rules ---------------------------------------------------------------------------


def played_by_the_rules(
    table: Table, means: Sequence[int], model: DisputeModel, rng: np.random.Generator
) -> int:
    """Let players of the model argue dispute I in Debate Rounds of the game; the side that wins.

    Everything else is kept as the model has it: each seat has the same TI at every opportunity, and
    no round counts as idle.
    """
    state, n = table.state.copy(), len(means)

    def endow() -> None:
        state["ti"][0, :n], state["pool"], state["idle_rounds"] = means, 0, 0
        state["issued"] = sum(means)

    rounds = 0
    while True:
        endow()
        if state["phase"][0] == Phase.TURN:
            if state["rounds"][0] > rounds:
                rounds = int(state["rounds"][0])
                if rng.random() < model.stop:
                    return -1
            table.game.step(state, act.PASS)
            continue
        seat = int(state["actor"][0])
        held = tuple((int(a), int(b)) for a, b in state["doctrine"][0, :n, 0])
        chances = wishes(held, seat, means[seat], model)
        side = int(np.searchsorted(np.cumsum(chances), rng.random(), side="right"))
        if side == len(chances):
            table.game.step(state, act.DECLINE)
            continue
        table.game.step(state, act.BUY + side)
        table.game.step(state, act.PAY_REST)
        if state["settled"][0, 0] > 0:
            return int(state["settled"][0, 0]) - 1


def compared_with_the_rules(games: int) -> None:
    means = [7, 12, 20, 5, 9]
    table = build(5, settled="II-A III-A IV-A V-A", tokens=(0, -1, -1, -1, -1), actor=3)
    for name, prices in (("track_base", BASE), ("track_contrarian", CONTRARIAN)):
        table.state[name][0, : len(BASE)] = prices
    table.state["track_spaces"] = len(BASE)
    model = DisputeModel(argue=0.4, double=0.3, settle=0.8, stop=0.08, follow=1.7)
    found = chances([(0, 0)] * 5, means, model, first=2)[BEFORE]  # the last passer
    rng = np.random.default_rng(games)
    won = [played_by_the_rules(table, means, model, rng) for _ in range(games)]
    for side in (A, B):
        seen, exact = won.count(side) / games, found[side]
        assert abs(seen - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


def test_in_games() -> None:
    compared_with_the_rules(300)


@pytest.mark.long
def test_in_many_games() -> None:
    compared_with_the_rules(20_000)


# The rest --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "means", "words"),
    [
        ([(1, 1), (0, 0)], [1, 1], "not those of an open dispute"),
        ([(2, 0), (2, 0)], [1, 1], "not those of an open dispute"),
        ([(3, 0), (0, 0)], [1, 1], "not those of an open dispute"),
        ([(0, 0)] * 7, [1] * 7, "1 to 6 seats"),
        ([(0, 0)] * 4, [1] * 3, "means .* for 4 seats"),
        ([(0, 0)] * 4, [1, 1, -1, 1], "means"),
    ],
)
def test_wrong_numbers(held: list[tuple[int, int]], means: list[int], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        chances(held, means, DisputeModel())
    with pytest.raises(OptionError, match="token 9"):
        chances([(0, 0)] * 4, [1] * 4, DisputeModel(), token=9)
    with pytest.raises(OptionError, match="first=4"):
        chances([(0, 0)] * 4, [1] * 4, DisputeModel(), first=4)
    for name in ("argue", "double", "settle", "stop", "follow"):
        with pytest.raises(OptionError, match=f"{name}=-0.5"):
            DisputeModel(**{name: -0.5})
        with pytest.raises(OptionError, match=f"{name}=nan"):
            DisputeModel(**{name: float("nan")})
