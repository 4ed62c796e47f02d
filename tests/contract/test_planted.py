"""check_game finds leaks planted in every hidden field, and mutants of what decides who may know.

``python -m tests.contract.planted`` and ``python -m tests.contract.mutants`` print the tables.
"""

from __future__ import annotations

import faulthandler
import os
import signal

import pytest

from concilium.envs.check import check_game
from tests.contract import mutants, planted
from tests.toys.faulty_rules import Faulty, with_fault
from tests.toys.hush import HUSH
from tests.toys.leaks import leaks
from tests.toys.mutate import mutants as mutants_of


@pytest.mark.parametrize("leak", list(leaks(HUSH)))
def test_a_leak_of_hush_is_found(leak: str) -> None:
    report = check_game(
        leaks(HUSH)[leak], num_players=[3], games=4, pairs=600, process=False,
        properties=("no_generator", "visible_events", "opened_is_told", "shown_and_hidden"),
    )  # fmt: skip
    assert not report.ok


def test_a_whole_field_or_a_copy_is_found_without_regard_to_moves() -> None:
    # the properties of moves alone would miss what is dealt before the first
    for leak, name in (
        ("where is not blanked", "opened_is_told"), ("where is copied", "shown_and_hidden"),
    ):  # fmt: skip
        report = check_game(leaks(HUSH)[leak], num_players=[3], process=False, properties=[name])
        assert report.failed == (name,)


@pytest.mark.parametrize("seed", range(5))
def test_sound_games_raise_no_false_alarm(seed: int) -> None:
    report = check_game(
        HUSH, num_players=[2, 4], seed=100 + seed, process=False,
        properties=("shown_is_true", "opened_is_told", "shown_and_hidden"),
    )  # fmt: skip
    report.raise_if_failed()


def test_mutants_are_one_change_each() -> None:
    text = "def view(s, v, player):\n    if s.a > 1 and player:\n        v.b = s.b\n"
    changes = [each.change for each in mutants_of(text)]
    assert "s.a > 1 and player -> s.a > 1" in changes
    assert "v.b = s.b -> pass" in changes
    assert "1 -> 2" in changes
    assert len(changes) == len({each.text for each in mutants_of(text)})


def test_a_fault_of_the_harness_is_not_taken_for_one_that_was_found() -> None:
    def missing() -> tuple[str, ...]:
        raise FileNotFoundError("view.py")

    def killed() -> tuple[str, ...]:
        faulthandler.disable()  # or it would print where
        os.kill(os.getpid(), signal.SIGSEGV)
        return ()

    def ended() -> tuple[str, ...]:
        os._exit(1)

    for work in (missing, ended):
        with pytest.raises(RuntimeError, match="a process of a test failed"):
            planted.apart(work)
    assert planted.apart(killed) == (planted.CRASH,)


def test_an_exception_inside_the_examination_is_not_taken_for_a_property_that_fails() -> None:
    class Raises(Faulty):
        """Views that cannot be made."""

        def view_many(self, *args: object) -> None:
            raise IndexError(len(args))

    found = planted.found_by(with_fault(Raises, HUSH))
    assert found == (planted.RAISED,)
    assert planted.missed(found)


@pytest.mark.long
@pytest.mark.parametrize("name", list(planted.TABLES))
def test_every_planted_leak_is_found(name: str) -> None:
    missed = [leak for leak, found in planted.table(name) if planted.missed(found)]
    assert not missed


@pytest.mark.long
@pytest.mark.parametrize("name", list(mutants.NUMBERS))
def test_mutants_are_found(name: str) -> None:
    results = [
        (mutants.judged(name, mutant, found), str(mutant))
        for mutant, found in mutants.table(name, mutants.NUMBERS[name])
    ]
    missed = [mutant for what, mutant in results if what == mutants.MISSED]
    found = [mutant for what, mutant in results if what == mutants.FOUND]
    assert not missed
    assert found
