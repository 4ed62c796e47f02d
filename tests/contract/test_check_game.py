"""The conformance check itself: a sound game passes whole, each known fault is found and named."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs.check import PROPERTIES, ConformanceError, Report, check_game, repeat
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.state import Records
from concilium.envs.core.state_json import state_to_json
from tests.toys import faulty_envs as E
from tests.toys import faulty_rules as R
from tests.toys.hush import HUSH
from tests.toys.relabel import relabel_hush

CONSTANT = ("seat_exists[0]", "seat_exists[1]")  # at every table


def test_a_sound_game_has_every_property() -> None:
    report = check_game(
        HUSH,
        options=({}, {"goal": 1, "rounds": 1}, {"goal": 3}),
        pairs=1000,
        constant=CONSTANT,
        relabel=relabel_hush,
        modules=("tests.toys.hush",),
    )
    report.raise_if_failed()
    assert tuple(line.name for line in report.lines) == PROPERTIES
    assert len(report.tables) == 9
    assert all(line.examined > 0 for line in report.lines)
    assert str(report).count("\n") == len(PROPERTIES)


def test_ten_thousand_pairs_are_examined_in_batches() -> None:
    # compiled and together, so that the whole examination takes seconds, not minutes
    report = check_game(
        HUSH, num_players=[4], pairs=10_000, constant=("seat_exists",), process=False
    )
    assert report["round_trip"].examined == 10_000
    assert report["visible_events"].examined > 1000


def examined(
    game: Game,
    factory: Callable[..., E.HushEnv] | None = None,
    properties: Collection[str] = PROPERTIES,
) -> Report:
    """Check a broken game at the largest table, with an option that is not the default."""
    return check_game(
        game,
        env_factory=factory,
        options={"goal": 1},
        num_players=[4],
        games=6,
        pairs=300,
        constant=tuple(segment.name for segment in HUSH.observation),  # examined elsewhere,
        relabel=relabel_hush,
        modules=("tests.toys.hush",),
        process=False,
        properties=properties,
    )


RULES: dict[str, tuple[Callable[[], Game], str]] = {
    "a hint in the view": (lambda: R.with_fault(R.HintInView), "round_trip"),
    "hands open to all": (lambda: R.with_fault(R.OpenHands), "opened_is_told"),
    "the next card in a public field": (lambda: R.with_fault(R.NextCardTold), "shown_and_hidden"),
    "a false number of turns": (lambda: R.with_fault(R.NoTurns), "shown_is_true"),
    "a public counter of secret acts": (lambda: R.with_fault(R.PublicLooks), "visible_events"),
    "a mask from the truth": (lambda: R.with_fault(R.MaskFromTruth), "legal_from_view"),
    "only the able are asked": (lambda: R.with_fault(R.OnlyTheAbleAreAsked), "visible_events"),
    "a lost card": (lambda: R.with_fault(R.CardIsLost), "parts_conserved"),
    "an empty mask": (lambda: R.with_fault(R.EmptyMask), "mask_form"),
    "resampling gives the truth": (lambda: R.with_fault(R.TruthInTheView), "resampled_varies"),
    "resampling loses a card": (lambda: R.with_fault(R.UnplayableResample), "resampled_playable"),
    "the generator in the view": (lambda: R.with_fault(R.GeneratorInTheView), "no_generator"),
    "memory left as it was": (lambda: R.with_fault(R.MemoryLeftOver), "memory_overwritten"),
    "absolute seats": (lambda: R.with_fault(R.AbsoluteSeats), "seat_symmetry"),
    "observations from the truth": (
        lambda: R.with_fault(R.ObservesTheTruth),
        "encoding_from_view",
    ),
    "events that tell all": (lambda: R.with_fault(R.TellsEverything), "visible_events"),
    "an actor after the end": (lambda: R.with_fault(R.ActsAfterTheEnd), "status_consistent"),
    "a kind that is not seen": (lambda: R.with_fault(R.KindFromTruth), "status_consistent"),
    "rules with a memory": (lambda: R.with_fault(R.RemembersCalls), "replays_alike"),
    "longer than declared": (R.declared_short, "length_declared"),
    "state vector out of bounds": (R.narrow_state, "state_vector_form"),
    "a gap in the layout": (R.gap_in_the_layout, "layout_covers"),
    "an outcome never told": (R.wrong_outcome, "status_consistent"),
    "out of bounds": (R.narrow_bounds, "observation_form"),
    "returns out of range": (R.narrow_returns, "returns_declared"),
    "two actions of one name": (R.double_names, "action_names"),
}


@pytest.mark.parametrize("fault", list(RULES))
def test_a_fault_of_the_rules_is_named(fault: str) -> None:
    make, name = RULES[fault]
    report = examined(make(), properties=[name])
    assert name in report.failed, str(report)
    assert not report.ok
    with pytest.raises(ConformanceError, match=name):
        report.raise_if_failed()


ENVIRONMENTS: dict[type[E.HushEnv], str] = {
    E.ObservationLeaks: "nothing_shown",
    E.MaskLeaks: "nothing_shown",
    E.InfosLeak: "nothing_shown_next",
    E.WordsLeak: "nothing_shown",
    E.PictureLeaks: "pictures",
    E.PaysOnlyTheWinner: "rewards_once",
    E.PaysTwice: "rewards_once",
    E.PaysByTheWay: "rewards_once",
    E.EndsOneByOne: "ends_together",
    E.CallsTheEndWrong: "ends_together",
    E.DriftsOnReset: "same_seed",
    E.StreamDependsOnPlay: "unseeded_resets",
    E.TouchesGlobalRandom: "generators_untouched",
    E.TouchesGlobalNumpy: "generators_untouched",
    E.ReusesItsBuffer: "observation_owned",
    E.HandsOutItsState: "observation_owned",
    E.WideObservation: "observation_form",
    E.MasksForAll: "mask_form",
    E.AcceptsIllegal: "mask_exact",
    E.TakesFloats: "action_types",
    E.ChangesOnError: "mask_exact",
    E.ForgivesIllegal: "illegal_loses",
    E.StepsAfterTheEnd: "order_enforced",
    E.CloneRestarts: "copies_continue",
    E.CloneShares: "copies_continue",
    E.PickleRestarts: "copies_continue",
    E.LosesOptions: "options_kept",
    E.SaysLittle: "repr_tells",
    E.RefusesItsStates: "loads_again",
}


@pytest.mark.parametrize("factory", list(ENVIRONMENTS), ids=lambda kind: kind.__name__)
def test_a_fault_of_the_environment_is_named(factory: type[E.HushEnv]) -> None:
    report = examined(HUSH, factory, [ENVIRONMENTS[factory]])
    assert ENVIRONMENTS[factory] in report.failed, str(report)


def test_a_fault_of_json_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def rounded(records: Records, index: int = 0) -> str:
        return state_to_json(records, index).replace(str(int(records["rng_key"][index])), "1")

    monkeypatch.setattr(repeat, "state_to_json", rounded)
    assert examined(HUSH).failed == ("json_round_trip",)


def test_every_property_has_a_fault_that_shows_it() -> None:
    # the second process, coverage and JSON have tests of their own
    shown = {name for _, name in RULES.values()} | set(ENVIRONMENTS.values())
    assert set(PROPERTIES) - shown == {"second_process", "coverage", "json_round_trip"}


def test_the_sound_environment_passes_the_same_examination() -> None:
    # so what the faulty ones fail in is their fault
    examined(HUSH, E.HushEnv).raise_if_failed()


def test_an_order_that_comes_from_hashing_is_found_by_a_second_process() -> None:
    report = check_game(
        HUSH, env_factory=E.HashedOrder, num_players=[2], pairs=100, constant=("seat_exists",)
    )
    assert "second_process" in report.failed
    assert "same_seed" not in report.failed


def test_a_constant_element_is_listed() -> None:
    report = check_game(HUSH, num_players=[2], pairs=200, process=False)
    assert report.failed == ("coverage",)
    assert "seat_exists[3]" in report["coverage"].fault
    assert "known[3, 9]" in report["coverage"].fault
    assert "turns_left" not in report["coverage"].fault


def test_symmetry_is_examined_only_with_a_relabelling() -> None:
    report = check_game(HUSH, num_players=[2], pairs=100, process=False)
    with pytest.raises(OptionError, match="seat_symmetry"):
        report["seat_symmetry"]


def test_a_wrong_relabelling_is_found() -> None:
    def unmoved(states: Records, shift: int) -> Records:
        del shift
        return states

    report = check_game(HUSH, num_players=[3], pairs=100, process=False, relabel=unmoved)
    assert "seat_symmetry" in report.failed


def test_names_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionError, match="hat"):
        check_game(HUSH, constant=("hat",), process=False)
    with pytest.raises(OptionError, match="tempo"):
        check_game(HUSH, options={"tempo": 3}, process=False)
    with pytest.raises(OptionError, match="honesty"):
        check_game(HUSH, properties=["honesty"])


def test_bots_take_their_turns() -> None:
    class First:
        """Takes the first legal action."""

        calls = 0

        def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
            self.calls += len(views)
            actions: NDArray[np.int64] = np.argmax(masks, axis=1)
            return actions

    bot = First()
    report = check_game(HUSH, num_players=[2], pairs=300, bots=[bot], process=False, games=4)
    assert bot.calls > 100
    assert report.failed == ("coverage",)
