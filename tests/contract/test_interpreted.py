"""The rules are Python: run by the interpreter they do exactly what the compiled code does."""

from __future__ import annotations

from typing import Any

import pytest

from concilium.envs.chancellors.state import Outcome
from concilium.envs.core.state import plain_records
from tests.contract.transcript import Task, in_another_process, play, transcript
from tests.games.nicaea.players import SMALL_DECK

# every option at its ends; careful players reach reshuffles and wins, which random ones do not
SHORT: list[tuple[dict[str, Any], bool, int]] = [
    ({"num_players": 2}, True, 60),
    ({"num_players": 3, "excuse": True, "pawns": True}, False, 40),
    ({"num_players": 4, "excuse": True, "pawns": True}, True, 70),
    ({"num_players": 4, "problems": 5, "calamity": "lowest_wins"}, False, 40),
    ({"num_players": 3, "problems": 4, "target_score": 1}, True, 30),
    ({"num_players": 4, "max_turns": 1}, False, 40),
    ({"num_players": 2, "target_score": 8000, "max_turns": 8000, "excuse": True}, True, 60),
]


def _tasks(moves: float, seeds: range) -> list[Task]:
    return [
        Task(
            game="chancellors", options=options, seed=seed, careful=careful,
            moves=int(limit * moves),
        )
        for options, careful, limit in SHORT
        for seed in seeds
    ] + [
        Task(
            game="nicaea", options={"num_players": players, "deck": deck}, seed=seed,
            careful=False, moves=int(30 * moves),
        )
        for players in (4, 5, 6)
        for deck in ("house", SMALL_DECK)
        for seed in seeds
    ]  # fmt: skip


def _compare(tasks: list[Task]) -> int:
    """Play in both ways, compare action by action; return how many decisions were compared."""
    decisions = 0
    for task, found in zip(tasks, in_another_process(tasks, NUMBA_DISABLE_JIT="1"), strict=True):
        wanted = transcript(task)
        assert len(found) == len(wanted)
        for move, (one, other) in enumerate(zip(found, wanted, strict=True)):
            assert one == other, f"{task} after {move} decisions"
        decisions += len(found)
    return decisions


def test_interpreted_and_compiled_rules_agree() -> None:
    assert _compare(_tasks(1, range(1))) > 150


def test_the_games_compared_reach_what_is_rare() -> None:
    reached = set()
    for task in _tasks(1, range(1)):
        if task["game"] != "chancellors":
            continue
        *_, (_, states, _) = play(task)
        state = plain_records(states)[0]
        reached.add(("outcome", int(state["outcome"])))
        reached.add(("reshuffled", bool(state["deck_number"] > 0)))
    assert ("reshuffled", True) in reached
    assert {
        ("outcome", outcome)
        for outcome in (Outcome.OPEN, Outcome.WON, Outcome.CALAMITY, Outcome.OUT_OF_TIME)
    } <= reached


@pytest.mark.long
def test_interpreted_and_compiled_rules_agree_in_long_games() -> None:
    assert _compare(_tasks(10, range(4))) > 2000


def test_a_second_process_plays_the_same_games() -> None:
    tasks = _tasks(10, range(3))
    assert in_another_process(tasks, PYTHONHASHSEED="7") == [transcript(task) for task in tasks]
