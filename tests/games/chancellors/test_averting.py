"""Averting a calamity with the Excuse: who is asked at the beginning of a turn, and the reroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from concilium.envs.chancellors.actions import KEEP_SILENT
from concilium.envs.chancellors.state import Event, Outcome

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Find, Table

ONE = [(1, 1), (6, 6), (1, 1)]


def test_the_question_comes_at_the_beginning_of_the_turn(table: Build, players: int) -> None:
    # C16: 5-6 escalates, so the next turn begins with it
    t = table(players, dice=[(1, 1), (5, 6), (1, 1)], excuse=True)
    assert t.kind == "action"
    t.end_turn()
    assert (t.kind, t["active"], t.actor) == ("avert", 1, 1)


def test_the_first_turn_may_begin_with_it(deal: Build, seek: Find, players: int) -> None:
    # C16: a 6-6 of the first roll
    t = seek(lambda seed: deal(players, seed, excuse=True), lambda made: (6, 6) in made.dice)
    assert t.kind == "avert"
    assert t.actor == t["active"]


def test_no_6_6_no_question(table: Build, deal: Build, players: int) -> None:
    # C16
    for seed in range(100):
        t = deal(players, seed, excuse=True)
        assert (t.kind == "avert") == ((6, 6) in t.dice)
    t = table(players, dice=[(4, 6), (5, 5), (1, 1)], hands={1: ["Excuse"]}, excuse=True)
    t.end_turn()
    assert (t.kind, t.actor) == ("action", 1)


def test_without_the_option_nobody_is_asked(table: Build, players: int) -> None:
    # C16: only with the option on
    t = table(players, dice=[(5, 6), (1, 1), (1, 1)], pawns=True)
    t.end_turn()
    assert t.dice[0] == (6, 6)
    assert (t.kind, t.actor) == ("action", 1)


def test_all_are_asked_clockwise_from_the_active_player(table: Build, players: int) -> None:
    # C16: one question each, holders or not; here the Excuse is in the deck
    for before in range(players):
        t = table(players, active=before, dice=[(1, 1), (5, 6), (1, 1)], excuse=True)
        t.end_turn()
        active = (before + 1) % players
        for k in range(players):
            assert (t.kind, t.actor, t["active"]) == ("avert", (active + k) % players, active)
            assert t.legal == {KEEP_SILENT}
            t.keep_silent()
        assert (t.kind, t.actor, t["active"]) == ("action", active, active)
        assert [event[1] for event in t.events(Event.SILENT)] == [
            (active + k) % players for k in range(players)
        ]


def test_all_are_asked_when_the_excuse_lies_in_the_discard_pile(table: Build, players: int) -> None:
    # C16
    t = table(players, dice=[(1, 1), (5, 6), (1, 1)], discards=["Excuse"], excuse=True)
    t.end_turn()
    for seat in (1, *range(2, players), 0):
        assert (t.kind, t.actor) == ("avert", seat)
        assert t.legal == {KEEP_SILENT}
        t.keep_silent()
    assert (t.kind, t.actor) == ("action", 1)


def test_the_holder_may_keep_silent(table: Build, players: int) -> None:
    # C16: and keeps the card; the 6-6 stands
    holder = players - 1
    t = table(players, dice=ONE, hands={holder: ["Excuse", "Mill"]}, asking=True, excuse=True)
    for seat in range(players):
        assert t.actor == seat
        assert t.rerolls == ({1} if seat == holder else set())
        t.keep_silent()
    assert t.hand(holder) == {"Excuse", "Mill"}
    assert t.dice == ONE
    assert (t.kind, t.actor) == ("action", 0)


def test_a_discard_ends_the_asking(table: Build, players: int) -> None:
    # C16: any player may do it; the turn stays with the active player
    for holder in range(players):
        t = table(players, dice=ONE, hands={holder: ["Excuse", "Mill"]}, asking=True, excuse=True)
        for _ in range(holder):
            t.keep_silent()
        assert t.actor == holder
        t.reroll(1)
        assert (t.kind, t.actor, t["active"]) == ("action", 0, 0)
        assert t.hand(holder) == {"Mill"}
        assert t.discards == {"Excuse"}
        assert len(t.events(Event.SILENT)) == holder
        assert [event[1] for event in t.events(Event.AVERTED)] == [holder]


def test_both_dice_are_rerolled_and_the_others_stay(table: Build, players: int) -> None:
    # C16
    seen = set()
    for seed in range(300):
        t = table(
            players,
            seed=seed,
            dice=[(2, 3), (6, 6), (1, 4)],
            hands={0: ["Excuse"]},
            asking=True,
            excuse=True,
        )
        t.reroll(1)
        assert t.dice[0] == (2, 3)
        assert t.dice[2] == (1, 4)
        assert [event[2:5] for event in t.events(Event.ROLL)] == [(1, *t.dice[1])]
        seen.add(t.dice[1])
    assert len(seen) == 21  # every pair comes up


def test_one_problem_of_ones_choice(table: Build, players: int) -> None:
    # C16: only problems at 6-6 are offered, and one Excuse rerolls one of them
    dice = [(6, 6), (5, 6), (6, 6)]
    for chosen, other in ((0, 2), (2, 0)):
        t = table(players, dice=dice, hands={0: ["Excuse"]}, asking=True, excuse=True)
        assert t.rerolls == {0, 2}
        assert KEEP_SILENT in t.legal
        t.reroll(chosen)
        assert t.dice[other] == (6, 6)
        assert t.dice[1] == (5, 6)
        assert t.kind == "action"
        t.end_turn()
        assert t.terminated  # the other 6-6 was left unsolved


@pytest.mark.parametrize("problems", [3, 4, 5])
def test_every_problem_can_be_rerolled(table: Build, players: int, problems: int) -> None:
    # C16
    t = table(players, dice=[(6, 6)] * problems, hands={0: ["Excuse"]}, asking=True, excuse=True)
    assert t.rerolls == set(range(problems))
    t.reroll(problems - 1)
    assert t.dice[:-1] == [(6, 6)] * (problems - 1)


def test_the_rerolled_problem_is_an_ordinary_unsolved_one(
    table: Build, seek: Find, players: int
) -> None:
    # C16: it can be solved in this turn, and escalates if it is not
    def make(seed: int) -> Table:
        t = table(
            players,
            seed=seed,
            dice=ONE,
            hands={0: ["Excuse", "Mill"]},
            owners={"Sailor": 0},
            asking=True,
            excuse=True,
        )
        t.reroll(1)
        return t

    t = seek(make, lambda made: made.dice[1] == (2, 6))
    assert {(1, "public"), (1, "quiet")} <= t.solves
    t.end_turn()
    assert t.dice[1] == (3, 6)
    t = seek(make, lambda made: made.dice[1] == (2, 6))
    t.solve(1, "public", "Mill")
    assert t.scores[0] == 6


def test_a_new_6_6_may_be_the_calamity_of_this_turn(table: Build, seek: Find, players: int) -> None:
    # C16: no second question in this turn
    def make(seed: int) -> Table:
        t = table(players, seed=seed, dice=ONE, hands={1: ["Excuse"]}, asking=True, excuse=True)
        t.keep_silent()
        t.reroll(1)
        return t

    t = seek(make, lambda made: made.dice[1] == (6, 6))
    assert (t.kind, t.actor) == ("action", 0)
    t.end_turn()
    assert t.terminated
    assert t["outcome"] == Outcome.CALAMITY


def test_an_averted_calamity_lets_the_game_go_on(table: Build, seek: Find, players: int) -> None:
    # C16
    def make(seed: int) -> Table:
        t = table(players, seed=seed, dice=ONE, hands={0: ["Excuse"]}, asking=True, excuse=True)
        t.reroll(1)
        return t

    t = seek(make, lambda made: made.dice[1] != (6, 6))
    t.finish_turn()
    assert t.running
    assert t["active"] == 1


def test_silence_and_then_a_solve(table: Build, players: int) -> None:
    # C16, C12: the 6-6 that stood is solved in the turn
    t = table(
        players, dice=ONE, hands={0: ["Lunatic"]}, owners={"Sailor": 0}, asking=True, excuse=True
    )
    for _ in range(players):
        t.keep_silent()
    t.solve(1, "quiet", "Lunatic")
    t.end_turn()
    assert t.running


def test_everybody_is_asked_again_in_the_next_turn(table: Build, seek: Find, players: int) -> None:
    # C16: a solved 6-6 that rerolls to 6-6 is safe, and asked about at the next turn
    def make(seed: int) -> Table:
        t = table(
            players,
            seed=seed,
            dice=ONE,
            hands={0: ["Lunatic"]},
            owners={"Sailor": 0},
            asking=True,
            excuse=True,
        )
        for _ in range(players):
            t.keep_silent()
        t.solve(1, "quiet", "Lunatic")
        t.end_turn()
        return t

    t = seek(make, lambda made: made.dice[1] == (6, 6))
    for seat in (1, *range(2, players), 0):
        assert (t.kind, t.actor) == ("avert", seat)
        t.keep_silent()
    assert (t.kind, t.actor) == ("action", 1)


def test_the_question_comes_after_the_draw(table: Build, players: int) -> None:
    # C13, C16: whoever draws the Excuse after the turn can use it at once
    t = table(
        players,
        dice=[(5, 6), (1, 1), (1, 1)],
        excuse=True,
        deck=["Mill", "Excuse", "Sea", "End", "Bard"],
    )
    t.end_turn()
    assert (t.kind, t.actor) == ("avert", 1)
    assert t.rerolls == {0}
