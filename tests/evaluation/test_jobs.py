"""Jobs: the same results however they are shared out, and nothing left over when one fails."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import UniformBot, make_bot
from concilium.envs import ConciliumError, FileFormatError, OptionError, get_game
from concilium.envs.core.state import RUNNING, Records
from concilium.evaluation.jobs import (
    DEALS_PER_JOB,
    Match,
    default_workers,
    play_all,
    seeds_of_deals,
)
from concilium.evaluation.matches import deal_seeds, play

GAME = get_game("chancellors")
TWO = GAME.bind(num_players=2, target_score=10)
BOTS = ("chancellors/steward", "random")
PAIRED = np.array([[0, 1], [1, 0]])


class Weak(UniformBot):
    """Breaks down at once."""

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        raise ZeroDivisionError("too tired")


def matches(deals: int) -> list[Match]:
    drawn = np.random.default_rng(0).integers(0, 2, (1, deals, 2))
    return [Match(TWO, PAIRED, deals), Match(TWO, drawn, deals)]


def test_results_are_the_same_for_any_number_of_workers() -> None:
    deals = DEALS_PER_JOB + 9
    told: list[tuple[int, int]] = []
    alone = play_all(matches(deals), BOTS, seed=2**64 - 1)
    shared = play_all(
        matches(deals), BOTS, seed=2**64 - 1, workers=2, tell=lambda *now: told.append(now)
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    for one, other in zip(alone, shared, strict=True):
        assert one.returns.shape[1:] == (deals, 2)
        assert (one.returns == other.returns).all()
        assert (one.outcomes == other.outcomes).all()
        assert (one.decisions == other.decisions).all()
        assert (one.seating == other.seating).all()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("what", ["interrupt", "kill"])
def test_no_process_is_left_over(what: str) -> None:
    def stop(done: int, jobs: int) -> None:
        if what == "interrupt":
            raise KeyboardInterrupt
        for child in multiprocessing.active_children():
            child.kill()

    many = [Match(TWO, PAIRED, DEALS_PER_JOB)] * 40
    if what == "interrupt":
        with pytest.raises(KeyboardInterrupt):
            play_all(many, BOTS, seed=1, workers=2, tell=stop)
    else:
        with pytest.raises(ConciliumError, match="one of 2 worker processes ended"):
            play_all(many, BOTS, seed=1, workers=2, tell=stop)
    assert multiprocessing.active_children() == []


def test_an_error_of_a_bot_says_whose_match_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, game: Any, seed: int) -> UniformBot:
        return Weak(GAME) if name == "weak" else UniformBot(GAME)

    monkeypatch.setattr("concilium.evaluation.jobs.make_bot", make)
    with pytest.raises(ConciliumError, match="2 players, random, weak, failed: ZeroDivisionError"):
        play_all([Match(TWO, PAIRED, 1)], ("random", "weak"), seed=1)


def test_a_bot_is_made_anew_for_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(name: str, game: Any, seed: int) -> Any:
        made.append(name)  # a policy file may have changed since the last call
        return make_bot(name, game, seed=seed)

    monkeypatch.setattr("concilium.evaluation.jobs.make_bot", make)
    for _ in range(2):
        play_all([Match(TWO, PAIRED, 1)], BOTS, seed=1)
    assert made == [*BOTS, *BOTS]


def test_a_deal_is_the_same_in_every_match_of_a_seed() -> None:
    few, many = seeds_of_deals(TWO, 7, seed=3), seeds_of_deals(TWO, DEALS_PER_JOB + 7, seed=3)
    assert many[:7] == few
    assert len(set(many)) == DEALS_PER_JOB + 7
    assert seeds_of_deals(TWO, 7, seed=4) != few
    assert not set(seeds_of_deals(GAME.bind(num_players=3), 7, seed=3)) & set(few)


def test_seeds_of_deals_deal_them_again() -> None:
    deals = 520  # more than one episode of the games side by side
    seeds = deal_seeds(deals, seed=9)
    assert len(set(seeds)) == deals
    bot = make_bot("chancellors/steward", GAME, seed=0)
    results = play(TWO, [bot], np.zeros((1, 2), np.int64), deals, seed=9)
    for deal in (0, 1, 511, 512, 519):
        states, decisions = TWO.new_state(seeds[deal]), 0
        while states["status"][0] == RUNNING:
            view = TWO.view(states, int(states["actor"][0]))
            TWO.step(states, int(bot.act(view, TWO.legal_actions(view)[np.newaxis])[0]))
            decisions += 1
        assert decisions == results.decisions[0, deal]
        assert int(GAME.outcome(states)[0]) == results.outcomes[0, deal]


def test_seats_that_differ_between_deals() -> None:
    bots = [make_bot(name, GAME, seed=0) for name in BOTS]
    drawn = np.array([[[0, 1], [1, 0], [1, 1]], [[1, 0], [0, 1], [0, 0]]])
    results = play(TWO, bots, drawn, 3, seed=2)
    assert results.seats(0).tolist() == [[1, 1, 0], [1, 1, 2]]
    assert results.sits(1).tolist()[0] == [[False, True], [True, False], [True, True]]
    returns = np.array([[[1.0, -1], [1, -1], [-1, 1]], [[1.0, -1], [-1, -1], [1, -1]]])
    made = type(results)(returns, results.outcomes, results.decisions, drawn)
    assert made.wins(0).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert made.totals(0).tolist() == [[1, -1, 0], [-1, -1, 0]]
    assert made.win_share(1).tolist() == [0.5, 0.5, 0.5]
    # the deterministic bot alone at deal 2 plays as it does when all seats are fixed
    fixed = play(TWO, bots, np.array([[0, 0]]), 3, seed=2)
    assert results.decisions[1, 2] == fixed.decisions[0, 2]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"bots": ("random", "nobody")}, OptionError, "no bot 'nobody'"),
        ({"bots": ("random", "none.safetensors")}, FileFormatError, "none.safetensors"),
        ({"workers": 0}, OptionError, "workers=0"),
        ({"workers": True}, OptionError, "workers=True"),
        ({"seed": -1}, OptionError, "-1"),
        ({"played": [Match(TWO, PAIRED, 3), Match(TWO, PAIRED, 0)]}, OptionError, "deals=0"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    changes: dict[str, Any], error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "concilium.evaluation.matches.play", lambda *_: pytest.fail("something was played")
    )
    arguments: dict[str, Any] = {"played": matches(3), "bots": BOTS, "seed": 1, "workers": 1}
    arguments |= changes
    with pytest.raises(error, match=message):
        play_all(arguments.pop("played"), arguments.pop("bots"), **arguments)


def test_nothing_to_play() -> None:
    assert play_all([], BOTS, seed=1) == []
    assert default_workers() >= 1
