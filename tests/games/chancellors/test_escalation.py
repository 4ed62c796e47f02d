"""End of a turn: rerolls first, then the calamity, then each unsolved problem gets worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs.chancellors.actions import RAISE_HIGHER, RAISE_LOWER
from concilium.envs.chancellors.state import Event, Outcome

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Find, Table

PAIRS = [(low, high) for low in range(1, 7) for high in range(low, 7)]

# pair: raised by itself (equal dice, or one is a 6)
UNASKED = {
    (1, 1): (1, 2), (2, 2): (2, 3), (3, 3): (3, 4), (4, 4): (4, 5), (5, 5): (5, 6),
    (1, 6): (2, 6), (2, 6): (3, 6), (3, 6): (4, 6), (4, 6): (5, 6), (5, 6): (6, 6),
}  # fmt: skip
# pair: after raising the lower die, after raising the higher die
ASKED = {
    (1, 2): ((2, 2), (1, 3)), (1, 3): ((2, 3), (1, 4)), (1, 4): ((2, 4), (1, 5)),
    (1, 5): ((2, 5), (1, 6)), (2, 3): ((3, 3), (2, 4)), (2, 4): ((3, 4), (2, 5)),
    (2, 5): ((3, 5), (2, 6)), (3, 4): ((4, 4), (3, 5)), (3, 5): ((4, 5), (3, 6)),
    (4, 5): ((5, 5), (4, 6)),
}  # fmt: skip


def test_the_cases_are_complete() -> None:
    # C11: 21 pairs, 6-6 is the calamity
    assert {*UNASKED, *ASKED, (6, 6)} == set(PAIRS)


@pytest.mark.parametrize(("before", "after"), UNASKED.items())
def test_nobody_is_asked_about_equal_dice_or_a_6(
    table: Build, players: int, before: tuple[int, int], after: tuple[int, int]
) -> None:
    # C11
    t = table(players, dice=[before, (1, 1), (1, 1)])
    t.end_turn()
    assert (t.kind, t.actor, t["active"]) == ("action", 1, 1)
    assert t.dice == [after, (1, 2), (1, 2)]


@pytest.mark.parametrize(("before", "after"), ASKED.items())
@pytest.mark.parametrize("which", [0, 1])
def test_the_active_player_chooses_the_die(
    table: Build,
    players: int,
    before: tuple[int, int],
    after: tuple[tuple[int, int], ...],
    which: int,
) -> None:
    # C11
    active = players - 1
    t = table(players, active=active, dice=[(1, 1), before, (1, 1)])
    t.end_turn()
    assert (t.kind, t.actor, t["active"], t["escalating"]) == ("escalation", active, active, 1)
    assert t.legal == {RAISE_LOWER, RAISE_HIGHER}
    t.step((RAISE_LOWER, RAISE_HIGHER)[which])
    assert t.dice[1] == after[which]
    assert (t.kind, t.actor, t["escalating"]) == ("action", 0, -1)


def test_problems_escalate_in_table_order(table: Build, players: int) -> None:
    # C11: at a question the earlier problems are raised, the later ones not yet
    t = table(players, dice=[(3, 3), (2, 4), (5, 5), (3, 5), (1, 6)])
    t.end_turn()
    assert t["escalating"] == 1
    assert t.dice == [(3, 4), (2, 4), (5, 5), (3, 5), (1, 6)]
    t.raise_higher()
    assert t["escalating"] == 3
    assert t.dice == [(3, 4), (2, 5), (5, 6), (3, 5), (1, 6)]
    t.raise_lower()
    assert t.dice == [(3, 4), (2, 5), (5, 6), (4, 5), (2, 6)]
    assert [event[1:5] for event in t.events(Event.ESCALATE)] == [
        (0, 0, 3, 4), (0, 1, 2, 5), (0, 2, 5, 6), (0, 3, 4, 5), (0, 4, 2, 6),
    ]  # fmt: skip


def test_each_unsolved_problem_has_a_question_of_its_own(table: Build, players: int) -> None:
    # C11
    t = table(players, dice=[(1, 2), (1, 2), (1, 2)])
    t.end_turn()
    for problem, choose in enumerate((t.raise_lower, t.raise_higher, t.raise_lower)):
        assert (t.kind, t["escalating"]) == ("escalation", problem)
        choose()
    assert t.dice == [(2, 2), (1, 3), (2, 2)]


def test_a_solved_problem_is_rerolled_and_not_raised(table: Build, players: int) -> None:
    # C11
    seen = set()
    for seed in range(300):
        t = table(
            players,
            seed=seed,
            hands={0: ["Mill"]},
            owners={"Sailor": 0},
            dice=[(2, 6), (1, 1), (3, 3)],
        )
        t.solve(0, "public", "Mill")
        t.end_turn()
        assert t.dice[1:] == [(1, 2), (3, 4)]
        assert [event[2:5] for event in t.events(Event.ROLL)] == [(0, *t.dice[0])]
        assert [event[2] for event in t.events(Event.ESCALATE)] == [1, 2]
        seen.add(t.dice[0])
    assert len(seen) == 21  # every pair comes up


def test_rerolls_come_before_the_questions(table: Build, players: int) -> None:
    # C11: first every solved problem, though it stands later in table order
    t = table(
        players, hands={0: ["Mill", "Lunatic"]}, owners={"Sailor": 0}, dice=[(1, 2), (2, 6), (3, 3)]
    )
    t.solve(1, "public", "Mill")
    t.solve(2, "public", "Lunatic")
    t.end_turn()
    assert (t.kind, t["escalating"]) == ("escalation", 0)
    assert [event[0] for event in t.events(Event.ROLL, Event.ESCALATE)] == [Event.ROLL, Event.ROLL]
    assert [event[2:5] for event in t.events(Event.ROLL)] == [(1, *t.dice[1]), (2, *t.dice[2])]


def test_rerolled_dice_are_fair(table: Build) -> None:
    # C11: both dice are rolled; 36 rolls give each double once, each other pair twice
    counts = dict.fromkeys(PAIRS, 0)
    for seed in range(1080):
        t = table(
            2, seed=seed, hands={0: ["Mill"]}, owners={"Sailor": 0}, dice=[(2, 6), (1, 1), (1, 1)]
        )
        t.solve(0, "public", "Mill")
        t.end_turn()
        counts[t.dice[0]] += 1
    expected = {pair: 30 if pair[0] == pair[1] else 60 for pair in PAIRS}
    assert sum((counts[pair] - expected[pair]) ** 2 / expected[pair] for pair in PAIRS) < 45.31


def test_all_problems_solved_nothing_is_raised(table: Build, players: int) -> None:
    # C11
    t = table(
        players,
        hands={0: ["Mill", "Sea", "End"]},
        owners={"Sailor": 0},
        dice=[(2, 6), (1, 5), (6, 6)],
    )
    t.solve(0, "public", "Mill")
    t.solve(1, "quiet", "Sea")
    t.solve(2, "quiet", "End")
    t.end_turn()
    assert len(t.events(Event.ROLL)) == 3
    assert t.events(Event.ESCALATE) == []
    assert (t.running, t.kind, t.actor) == (True, "action", 1)


def test_the_questions_come_before_the_draw(table: Build, players: int) -> None:
    # C11, C13
    t = table(players, dice=[(1, 2), (1, 1), (1, 1)])
    t.end_turn()
    assert t.sizes == [0] * players
    t.raise_lower()
    assert t.sizes == [1] * players
    kinds = [event[0] for event in t.events(Event.ESCALATE, Event.DRAW)]
    assert kinds == [Event.ESCALATE] * 3 + [Event.DRAW] * players


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_unsolved_6_6_is_the_calamity(table: Build, players: int, place: int) -> None:
    # C12: at once; nothing is raised and nobody draws
    dice = [(1, 2), (1, 2), (1, 2)]
    dice[place] = (6, 6)
    t = table(players, dice=dice)
    t.end_turn()
    assert t.terminated
    assert t["outcome"] == Outcome.CALAMITY
    assert t.dice == dice
    assert t.sizes == [0] * players
    assert t.events(Event.ESCALATE, Event.DRAW) == []
    assert [event[0] for event in t.events()][-1] == Event.END


def test_reaching_6_6_is_not_yet_the_calamity(table: Build, players: int) -> None:
    # C12: only a problem that was at 6-6 already
    t = table(players, dice=[(5, 6), (1, 1), (1, 1)])
    t.end_turn()
    assert (t.running, t.dice[0], t.actor) == (True, (6, 6), 1)
    t.finish_turn()
    assert t.terminated


@pytest.mark.parametrize(("way", "cards"), [("public", ["Sea", "Origin"]), ("quiet", ["Lunatic"])])
def test_a_solved_6_6_is_no_calamity(
    table: Build, players: int, way: str, cards: list[str]
) -> None:
    # C12: solved either way
    t = table(players, hands={0: cards}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (1, 1)])
    t.solve(0, way, *cards)
    t.end_turn()
    assert (t.running, t.actor) == (True, 1)


def test_a_solved_problem_that_rerolls_to_6_6_is_safe_in_that_turn(
    table: Build, seek: Find, players: int
) -> None:
    # C12: and the calamity of the next turn if it is left alone
    def make(seed: int) -> Table:
        t = table(
            players,
            seed=seed,
            hands={0: ["Mill"]},
            owners={"Sailor": 0},
            dice=[(2, 6), (1, 1), (1, 1)],
        )
        t.solve(0, "public", "Mill")
        t.end_turn()
        return t

    t = seek(make, lambda made: made.dice[0] == (6, 6))
    assert (t.running, t.kind, t.actor) == (True, "action", 1)
    assert t.dice[1:] == [(1, 2), (1, 2)]
    assert t.sizes == [1] * players
    t.finish_turn()
    assert t.terminated


def test_one_6_6_solved_and_one_not(table: Build, players: int) -> None:
    # C11, C12: the solved problem is rerolled first, then comes the calamity
    t = table(players, hands={0: ["Lunatic"]}, owners={"Sailor": 0}, dice=[(6, 6), (1, 1), (6, 6)])
    t.solve(0, "quiet", "Lunatic")
    t.end_turn()
    assert t.terminated
    assert t["outcome"] == Outcome.CALAMITY
    assert [event[2:5] for event in t.events(Event.ROLL)] == [(0, *t.dice[0])]
    assert t.events(Event.ESCALATE, Event.DRAW) == []
    assert t.dice[1:] == [(1, 1), (6, 6)]


@pytest.mark.parametrize("pair", PAIRS)
def test_an_untouched_problem_lasts_13_minus_its_sum_turns(
    table: Build, players: int, pair: tuple[int, int]
) -> None:
    # C11, C12: 12 - (a + b) raises lead to 6-6, one more turn to the calamity, whichever die
    rng = np.random.default_rng(sum(pair) * 10 + players)
    for _ in range(4):
        t = table(players, dice=[(1, 1), pair, (1, 1)])
        turns = 0
        while t.running:
            t.end_turn()
            turns += 1
            while t.running and t.kind == "escalation":
                t.step((RAISE_LOWER, RAISE_HIGHER)[int(rng.integers(2))])
        assert turns == 13 - sum(pair)
        assert t["outcome"] == Outcome.CALAMITY
