"""A batch that is saved and restored goes on exactly as the one it was saved from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from concilium.envs import Game, OptionError, VecGame, get_game, make_vec
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.state import plain_records
from tests.games.nicaea.players import SMALL_DECK


def played(vec: VecGame, rounds: int, seed: int) -> list[bytes]:
    """Play on at random; return all masks and rewards as bytes."""
    generator = np.random.default_rng(seed)
    told = []
    for _ in range(rounds):
        batch = vec.step(pick_legal(vec.masks, generator))
        told += [batch.masks.tobytes(), batch.rewards.tobytes(), batch.observations.tobytes()]
    return told


def make(game: Game) -> VecGame:
    sizes = [game.min_players, game.max_players] * 4
    return make_vec(game, 8, sizes, seed=3)


def test_it_goes_on_exactly() -> None:
    game = get_game("chancellors")
    vec = make(game)
    vec.reset()
    played(vec, 150, 1)
    states, episodes, run = vec.states, vec.episodes, vec.run
    expected = played(vec, 150, 2)
    assert (vec.episodes > episodes).any()  # deals that follow are the same too
    other = make_vec(game, 8, vec.num_players, seed=99)
    batch = other.restore(states, episodes, run)
    assert np.array_equal(batch.masks, other.masks)
    assert np.array_equal(batch.observations, other.observations())
    assert played(other, 150, 2) == expected


def test_what_does_not_fit_is_refused() -> None:
    game = get_game("chancellors")
    vec = make(game)
    vec.reset()
    states, episodes = vec.states, vec.episodes
    before = vec.states.tobytes()
    ended = states.copy()
    plain_records(ended)["status"][0] = 1
    broken = states.copy()
    plain_records(broken)["actor"][1] = 99
    for wrong, message in (
        (states[:4], "another shape"),
        (states[::-1].copy(), "state 0 has num_players 4, not 2"),
        (ended, "is over"),
        (broken, "not a state of"),
    ):
        with pytest.raises(OptionError, match=message):
            vec.restore(wrong, episodes, 1)
    wrong_counts: list[Any] = [episodes[:3], episodes - 1, episodes * 0.5]
    for counts in wrong_counts:
        with pytest.raises(OptionError, match="episodes are not"):
            vec.restore(states, counts, 1)
    with pytest.raises(OptionError, match="seed"):
        vec.restore(states, episodes, -1)
    assert vec.states.tobytes() == before


def test_truths_of_a_batch_are_those_of_its_states() -> None:
    game = get_game("chancellors")
    vec = make(game)
    vec.reset()
    played(vec, 60, 1)
    expected = np.empty((8, game.state_layout.size), np.int8)
    states = vec.states
    for i in range(8):
        game.kernels.encode_state_one(states, i, expected[i])
    assert np.array_equal(vec.state_vectors(), expected)
    assert np.array_equal(vec.state_vectors([5, 5, 0]), expected[[5, 5, 0]])


def test_states_of_another_deck_are_refused() -> None:
    house, small = (make_vec("nicaea", 2, 4, seed=1, deck=deck) for deck in ("house", SMALL_DECK))
    small.reset()
    with pytest.raises(OptionError, match="state 0 has num_cards 8, not 40"):
        house.restore(small.states, small.episodes, 1)
