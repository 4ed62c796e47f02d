"""Matches: the deals that are announced are the deals that are played, once per seating."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.baselines import GeneratorBot, UniformBot
from concilium.envs import OptionError, get_game, make_vec
from concilium.envs.core.state import Records
from concilium.evaluation.matches import play

GAME = get_game("chancellors")
ROTATED = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])


class FirstBot(GeneratorBot):
    """Always takes the legal action with the lowest number: no chance in it."""

    def __init__(self) -> None:
        super().__init__("first", GAME)

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = masks.argmax(axis=1)
        return chosen


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_each_deal_is_played_as_on_its_own(num_players: int) -> None:
    table = GAME.bind(num_players=num_players, target_score=10)
    deals = 520  # more than fit side by side
    results = play(table, [FirstBot()], np.zeros((2, num_players), np.int64), deals, seed=5)
    assert results.returns.shape == (2, deals, num_players)
    assert (results.returns[0] == results.returns[1]).all()
    vec = make_vec(GAME, 512, num_players, seed=5, target_score=10)
    batch = vec.reset()
    first: dict[int, NDArray[np.float64]] = {}
    lengths = np.zeros(512, np.int64)
    while len(first) < 512:
        batch = vec.step(batch.masks.argmax(axis=1))
        lengths += 1
        for row in batch.finished:
            if row not in first:
                first[int(row)] = batch.rewards[row]
                assert results.decisions[0, row] == lengths[row]
    expected = np.stack([first[k] for k in range(512)])
    assert (results.returns[0, :512] == expected).all()


def test_equal_seeds_give_equal_results_and_others_do_not() -> None:
    table = GAME.bind(num_players=3)
    bots = [UniformBot(GAME), UniformBot(GAME)]
    runs = [play(table, bots, ROTATED, 64, seed) for seed in (1, 1, 2)]
    assert (runs[0].decisions == runs[1].decisions).all()
    assert (runs[0].decisions != runs[2].decisions).any()


def test_shares_are_counted_by_bot_and_deal() -> None:
    table = GAME.bind(num_players=2)
    results = play(
        table, [UniformBot(GAME), UniformBot(GAME)], np.array([[0, 1], [1, 0]]), 3, seed=1
    )
    returns = np.array(
        [[[1.0, -1.0], [-1.0, -1.0], [1.0, -1.0]], [[-1.0, 1.0], [1.0, -1.0], [-1, -1]]]
    )
    results = type(results)(returns, results.outcomes, results.decisions, results.seating)
    # the focal bot sits at seat 0 in the first seating and at seat 1 in the second
    assert results.won(0).tolist() == [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert results.won(1).tolist() == [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert results.returned(0).tolist() == [1.0, -1.0, 0.0]


def test_outcomes_are_the_games_own() -> None:
    table = GAME.bind(num_players=2, max_turns=2)
    results = play(table, [UniformBot(GAME)], np.zeros((1, 2), np.int64), 200, seed=3)
    shares = [results.ended(number).mean() for number in range(len(GAME.outcomes))]
    assert sum(shares[1:]) == pytest.approx(1.0)
    assert shares[GAME.outcomes.index("out of time")] > 0.5
    lost = results.outcomes == GAME.outcomes.index("calamity")
    assert (results.returns[lost] == -1).all()


def test_a_seating_that_does_not_fit_is_refused() -> None:
    table = GAME.bind(num_players=3)
    for seating in (np.zeros((1, 2), np.int64), np.full((1, 3), 2), np.full((1, 3), -1)):
        with pytest.raises(OptionError):
            play(table, [UniformBot(GAME)], seating, 1, 0)
    with pytest.raises(OptionError):
        play(table, [UniformBot(GAME)], np.zeros((1, 3), np.int64), 0, 0)
