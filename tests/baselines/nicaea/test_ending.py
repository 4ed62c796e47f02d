"""The chances of an end against figures by hand, all drawings of markers, and ends of games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from concilium.baselines.nicaea.ending import end_chances, end_chances_of
from concilium.envs import make_vec
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import plain_records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as act
from tests.games.nicaea.tables import bishop, build, canon


def outcome(scores: Sequence[int], influence: Sequence[int]) -> tuple[list[int], int]:
    """N32: the winners, and who broke the church, or -1."""
    n = len(scores)
    last = [k for k in range(n) if scores[k] == min(scores)]
    strong = [k for k in range(n) if influence[k] == max(influence)]
    if n > 1 and len(last) == len(strong) == 1 and last == strong:
        return last, last[0]
    best = max((scores[k], influence[k]) for k in range(n))
    return [k for k in range(n) if (scores[k], influence[k]) == best], -1


def enumerated(
    points: Sequence[int], influence: Sequence[int], unseen: Sequence[int], supply: Sequence[int]
) -> np.ndarray:
    """Win, schism and return of each seat, over all drawings in their order."""
    n = len(points)
    out = np.zeros((3, n))
    for drawn in product(range(3), repeat=sum(unseen)):
        left, chance = list(supply), 1.0
        for value in drawn:
            chance *= left[value] / sum(left)
            left[value] -= 1
        scores, place = [], 0
        for k in range(n):
            scores.append(points[k] + sum(4 + x for x in drawn[place : place + unseen[k]]))
            place += unseen[k]
        winners, schismatic = outcome(scores, influence)
        for k in range(n):
            out[0, k] += chance * (k in winners) / len(winners)
            out[1, k] += chance * (k == schismatic)
            if len(winners) < n:
                share = 1 / len(winners) if k in winners else -1 / (n - len(winners))
                out[2, k] += chance * share
    return out


def test_by_hand() -> None:
    """One marker each: the better marker wins, of equal ones the seat with more Influence."""
    found = end_chances([0, 0], [3, 2], [1, 1], (1, 1, 0))
    # 4 and 5 in either order; the seat of most Influence with the 4 is alone the last: a schism
    assert found.win[0].tolist() == [1.0, 0.0]
    assert found.schism[0] == pytest.approx([0.5, 0.0])
    found = end_chances([0, 0, 1], [3, 3, 3], [1, 1, 0], (10, 10, 10))
    # nobody has the most Influence: equal markers (270 of 870) share, else the better wins
    assert found.win[0] == pytest.approx([0.5, 0.5, 0.0])
    assert found.schism[0].sum() == 0
    equal = 270 / 870
    assert found.returns[0] == pytest.approx(
        [(1 - equal) / 4 + equal / 2, (1 - equal) / 4 + equal / 2, -(1 - equal) / 2 - equal]
    )
    found = end_chances([7, 7, 7], [2, 2, 2], [0, 0, 0])
    assert found.win[0] == pytest.approx([1 / 3] * 3)
    assert found.returns[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("points", "influence", "unseen", "supply"),
    [
        ([0, 3, 5, 2], [4, 4, 9, 1], [2, 1, 0, 2], (10, 10, 10)),
        ([0, 3, 5, 2], [9, 9, 9, 1], [2, 2, 1, 2], (8, 10, 9)),
        ([1, 0, 2, 2, 6], [5, 12, 3, 5, 5], [1, 2, 2, 1, 0], (10, 2, 9)),
        ([4, 0, 3, 2, 6, 1], [3, 12, 3, 5, 5, 2], [1, 2, 1, 1, 0, 1], (9, 10, 1)),
        ([2, 2, 2], [1, 1, 1], [2, 2, 2], (2, 2, 2)),
        ([30, 0, 0, 0], [0, 8, 7, 9], [0, 2, 2, 2], (10, 10, 10)),
    ],
)
def test_all_drawings(
    points: list[int], influence: list[int], unseen: list[int], supply: tuple[int, int, int]
) -> None:
    found = end_chances(points, influence, unseen, supply)
    expected = enumerated(points, influence, unseen, supply)
    assert found.win[0] == pytest.approx(expected[0], abs=1e-12)
    assert found.schism[0] == pytest.approx(expected[1], abs=1e-12)
    assert found.returns[0] == pytest.approx(expected[2], abs=1e-12)


def test_twenty_markers_drawn_at_random() -> None:
    """The largest end: six seats, 17 markers that the viewer does not know."""
    points, influence = [16, 3, 4, 1, 6, 3], [9, 11, 14, 20, 11, 7]
    unseen, supply = [0, 3, 4, 3, 3, 4], (9, 9, 9)
    found = end_chances(points, influence, unseen, supply)
    rng = np.random.default_rng(3)
    draws = 6000
    seen = np.zeros((2, 6))
    pile = np.repeat([4, 5, 6], supply)
    cuts = np.cumsum(unseen)[:-1]
    for _ in range(draws):
        drawn = np.split(rng.permutation(pile)[: sum(unseen)], cuts)
        winners, schismatic = outcome(
            [p + int(d.sum()) for p, d in zip(points, drawn, strict=True)], influence
        )
        for k in winners:
            seen[0, k] += 1 / len(winners) / draws
        seen[1, schismatic] += schismatic >= 0
    seen[1] /= draws
    assert 0.05 < found.schism[0, 3] < 0.95
    for exact, part in zip(np.stack([found.win[0], found.schism[0]]), seen, strict=True):
        assert (np.abs(exact - part) < 4 * np.sqrt(exact * (1 - exact) / draws) + 1e-9).all()


@pytest.mark.parametrize("n", [4, 5, 6])
def test_an_end_that_is_known_is_what_the_rules_make_of_it(n: int) -> None:
    """Of a State nothing is hidden: the chances are the result."""
    vec = make_vec(GAME, 60, n, seed=4)
    rng = np.random.default_rng(5)
    step = vec.reset()
    ended = 0
    schisms = 0
    while ended < 60:
        step = vec.step([int(rng.choice(np.flatnonzero(mask))) for mask in step.masks])
        if not len(step.finished):
            continue
        finals = step.final_views[:, 0] if step.final_views.ndim == 2 else step.final_views
        plain = plain_records(finals)
        found = end_chances_of(finals)
        for k in range(len(finals)):
            winners = [seat for seat in range(n) if int(plain["winners"][k]) >> seat & 1]
            assert found.win[k] == pytest.approx([(s in winners) / len(winners) for s in range(n)])
            assert found.schism[k].sum() == pytest.approx(int(plain["schism"][k]))
            schisms += int(plain["schism"][k])
        ended += len(finals)
    assert schisms > 0


def test_a_viewer_knows_own_markers_only() -> None:
    """Seat 0 has 6 and 6, seat 1 two markers: only two sixes of the 8 left make a tie."""
    table = build(
        4,
        tableaus={0: [bishop(2)], 1: [bishop(4)], 2: [canon(3)], 3: [bishop(3), canon(2)]},
        ti=[0, 0, 1, 0],
        doctrine={0: "I-A II-A", 1: "I-A II-A"},
        settled="I-A II-A",
        tokens=(-1, -1, 0, 0, 0),
        markers={0: [6, 6], 1: [5, 4]},
    )
    game = table.game
    # seat 0: 12; seat 1: 8 to 12, more Influence; seat 2: 3; seat 3: 2, not the most Influence
    seen = end_chances_of(game.view(table.state, 0))
    tie = 8 / 28 * 7 / 27
    assert seen.win[0] == pytest.approx([1 - tie, tie, 0, 0])
    assert end_chances_of(game.view(table.state, 1)).win[0] == pytest.approx(
        enumerated([0, 9, 3, 2], [2, 4, 1, 3], [2, 0, 0, 0], (9, 9, 10))[0]
    )
    assert end_chances_of(table.state).win[0].tolist() == [1, 0, 0, 0]


def compared_with_the_rules(ends: int) -> None:
    """Seat 0's View, its hidden markers drawn again and again, and the last pass of the game."""
    table = build(
        6,
        tableaus={
            0: [canon(3), bishop(2)],
            1: [bishop(1), bishop(3), canon(2)],
            2: [bishop(9), bishop(3)],
            3: [bishop(4), bishop(2, icons="II")],
            4: [bishop(2), canon(4)],
            5: [bishop(4), canon(3)],
        },
        doctrine={
            0: "I-A I-A", 1: "I-A II-A II-A", 2: "I-A III-A", 3: "II-A III-A III-A", 4: "IV-A IV-A",
            5: "II-A V-A V-A",
        },
        settled="I-A II-A III-A IV-A V-A",
        tokens=(-1,) * 5,
        markers={0: [4, 6], 1: [4, 4, 5], 2: [4, 5], 3: [6, 6, 6], 4: [5, 5], 5: [4, 5, 6]},
        passes=5,
        actor=5,
    )  # fmt: skip
    table.state["first_passer"] = 0
    view = table.game.view(table.state, 0)
    found = end_chances_of(view)
    seen = np.zeros((2, 6))
    for k in range(ends):
        state = table.game.determinize(view, k)
        table.game.step(state, act.PASS)
        winners = np.array([int(state["winners"][0]) >> seat & 1 for seat in range(6)])
        seen[0] += winners / winners.sum() / ends
        seen[1] += winners * int(state["schism"][0]) / ends
    assert 0.05 < found.schism[0, 2] < 0.95
    for exact, part in zip((found.win[0], found.schism[0]), seen, strict=True):
        assert (np.abs(exact - part) < 4 * np.sqrt(exact * (1 - exact) / ends) + 1e-9).all()


def test_ends_of_games() -> None:
    compared_with_the_rules(1500)


@pytest.mark.long
def test_many_ends_of_games() -> None:
    compared_with_the_rules(100_000)


def test_wrong_numbers() -> None:
    for points, influence, unseen, supply, words in (
        ([0] * 7, [0] * 7, [0] * 7, (10, 10, 10), "1 to 6"),
        ([0, 0], [0], [0, 0], (10, 10, 10), "as many of each"),
        ([0, 0], [0, 0], [0, 11], (10, 10, 10), "unseen markers"),
        ([0, 0], [0, 0], [2, 2], (1, 1, 1), "no more than there are"),
        ([0, 0], [0, 0], [0, 0], (11, 1, 1), "supply"),
    ):
        with pytest.raises(OptionError, match=words):
            end_chances(points, influence, unseen, supply)
    with pytest.raises(OptionError, match="one table size"):
        end_chances_of(np.concatenate([GAME.bind(num_players=n).new_state(0) for n in (4, 5)]))
