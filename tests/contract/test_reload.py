"""Every State of every game that the options allow can be loaded again."""

from __future__ import annotations

import numpy as np
import pytest

from concilium.envs import believers_v0, get_game
from concilium.envs.believers.options import missions_to_come, most_missions, rows_of
from concilium.envs.check.reload import some_options
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.game import BoundGame, check_state
from concilium.envs.core.state import RUNNING, plain_records

GAMES = ("chancellors", "nicaea", "believers")


def check_game_of(bound: BoundGame, seed: int, every: int) -> int:
    """Play one game at random and have its States checked; return how many were."""
    rng, states, checked = np.random.default_rng(seed), bound.new_state(seed), 0
    for move in range(bound.max_game_length + 1):
        over = plain_records(states)["status"][0] != RUNNING
        if over or move % every == 0:
            try:
                check_state(bound.game, states)
            except Exception as error:
                raise AssertionError(f"{bound!r}, seed {seed}, move {move}: {error}") from None
            checked += 1
        if over:
            return checked
        bound.step(states, int(pick_legal(bound.legal_actions(states)[np.newaxis], rng)[0]))
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("name", GAMES)
def test_states_of_any_options_load_again(name: str) -> None:
    generator = np.random.default_rng(7)
    game = get_game(name)
    checked = [check_game_of(some_options(game, generator), seed, 9) for seed in range(60)]
    assert sum(checked) > 200


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_states_of_a_thousand_options_load_again(name: str) -> None:
    generator = np.random.default_rng(11)
    for seed in range(1000):
        check_game_of(some_options(get_game(name), generator), seed, 3)


# Believers: Missions still to come -----------------------------------------------------------


def test_a_game_that_needs_all_its_missions_loads_again() -> None:
    env = believers_v0.env(num_players=5, rows="4-4-4-4")
    env.reset(seed=1)
    env.load_game_state(env.game_state())


@pytest.mark.parametrize("rows", ["4-4-4-4", "4-3-2-1", "1-1", "2", "1-4-1", "3-3-2"])
def test_missions_to_come_are_those_of_the_rules(rows: str) -> None:
    # none to come when the compiled rules say that it is over, and at least those that come
    bound = get_game("believers").bind(num_players=5, rows=rows)
    longest = 0
    for seed in range(40):
        rng, states = np.random.default_rng(seed), bound.new_state(seed)
        s = plain_records(states)[0]
        bounds = [most_missions(bound.options)]
        while int(s["status"]) == RUNNING:
            bound.step(states, int(pick_legal(bound.legal_actions(states)[np.newaxis], rng)[0]))
            if int(s["mission"]) == len(bounds):
                left = tuple(rows_of(bound.options)[int(s["row"]) :])
                lead, won = int(s["tokens"][0] - s["tokens"][1]), int(s["row_won"])
                lost = int(s["row_played"]) - won
                decider = int(s["row"]) > len(rows_of(bound.options))
                bounds.append(0 if decider else missions_to_come(left, lead, won, lost))
                assert (bounds[-1] > 0) == (int(s["status"]) == RUNNING)
        assert (np.diff(bounds) < 0).all()
        longest = max(longest, int(s["mission"]))
    assert longest <= most_missions(bound.options)
