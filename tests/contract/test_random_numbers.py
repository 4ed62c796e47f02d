"""The generator of all chance: known answers, no bias, streams that do not overlap."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from scipy import stats

from concilium.envs import get_game, make_vec
from concilium.envs.core.compiled import rng
from concilium.envs.core.compiled.rng import first_seed
from concilium.envs.core.state import Records, plain_records
from tests.contract import philox as reference
from tests.toys.hush import HUSH

# Random123's kat_vectors for philox4x32-10: counter, key, output
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip
RUNS = [0, 1, 2, 2**32, 2**63, 2**64 - 1]


def _plain_words(words: Any) -> Any:
    return rng.philox(words[0], words[1], words[2], words[3], words[4], words[5])


def _plain_draws(states: Any, size: Any, out: Any) -> Any:
    for k in range(out.shape[0]):
        out[k] = rng.below(states[0], size)


def _plain_shuffles(states: Any, cards: Any) -> Any:
    for k in range(cards.shape[0]):
        rng.shuffle(states[0], cards[k], cards.shape[1])


def _plain_stream_seeds(run: Any, places: Any, episodes: Any, out: Any) -> Any:
    for k in range(out.shape[0]):
        out[k] = rng.stream_seed(run, places[k], episodes[k])


_words: Any = numba.njit(_plain_words)
_draws: Any = numba.njit(_plain_draws)
_shuffles: Any = numba.njit(_plain_shuffles)
_stream_seeds: Any = numba.njit(_plain_stream_seeds)


def _hex(words: str) -> list[int]:
    return [int(word, 16) for word in words.split()]


def _state(key: int, counter: int = 0) -> Records:
    states = HUSH.bind().template.copy()
    plain_records(states)["rng_key"] = key
    plain_records(states)["rng_counter"] = counter
    return states


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN_ANSWERS)
def test_known_answers(counter: str, key: str, output: str) -> None:
    words = np.array(_hex(counter) + _hex(key), np.uint64)
    assert [int(word) for word in _words(words)] == _hex(output)
    c0, c1, c2, c3, k0, k1 = _hex(counter) + _hex(key)
    assert list(reference.philox((c0, c1, c2, c3), (k0, k1))) == _hex(output)


@pytest.mark.parametrize("size", [1, 2, 6, 33, 38, 1000, 2**31 - 1])
def test_draws_are_those_of_the_plain_implementation(size: int) -> None:
    key, counter = 2**63 + 12345, 2**32 - 40  # the counter passes from one word to the next
    states = _state(key, counter)
    out = np.empty(80, np.int64)
    _draws(states, size, out)
    for number in out.tolist():
        expected, counter = reference.draw(key, counter, size)
        assert number == expected
    assert int(plain_records(states)["rng_counter"][0]) == counter


def test_numbers_below_have_no_bias() -> None:
    out = np.empty(60_000, np.int64)
    _draws(_state(7), 6, out)
    assert stats.chisquare(np.bincount(out, minlength=6)).pvalue > 0.001
    assert stats.chisquare(np.bincount(out[::2] * 6 + out[1::2], minlength=36)).pvalue > 0.001


def test_shuffles_are_uniform() -> None:
    cards = np.tile(np.arange(4, dtype=np.int8), (24_000, 1))
    _shuffles(_state(8), cards)
    assert (np.sort(cards, axis=1) == np.arange(4)).all()
    orders = cards.astype(np.int64) @ np.array([64, 16, 4, 1])
    counts = np.unique(orders, return_counts=True)[1]
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > 0.001


def test_stream_seeds_are_those_of_the_plain_implementation() -> None:
    places, episodes = (a.ravel() for a in np.mgrid[0:6, 0:6])
    episodes = np.where(episodes == 5, 2**32 + 3, episodes)
    for run in RUNS:
        out = np.empty(len(places), np.uint64)
        _stream_seeds(np.uint64(run), places, episodes, out)
        expected = [
            reference.seed_of(run, int(p), int(e)) for p, e in zip(places, episodes, strict=True)
        ]
        assert out.tolist() == expected
        assert [first_seed(run, int(e)) for e in episodes[:6]] == expected[:6]


def test_streams_of_runs_games_and_episodes_are_disjoint() -> None:
    # pitfalls: seed + i overlaps between runs
    seen: list[int] = []
    for run in RUNS:
        vec = make_vec("chancellors", 40, 2, seed=run)
        for episode in range(5):
            vec.reset(seed=run if episode == 0 else None)
            keys = plain_records(vec.states)["rng_key"].tolist()
            assert keys == [reference.seed_of(run, i, episode) for i in range(40)]
            seen += keys
    assert len(set(seen)) == len(seen) == 40 * 5 * len(RUNS)


def test_games_of_neighbouring_seeds_share_no_draws() -> None:
    # equal seeds give equal games, so different seeds must not run into each other's draws
    game = get_game("chancellors").bind(num_players=2)
    deals = {game.new_state(seed)["deck"].tobytes() for seed in range(2000)}
    assert len(deals) == 2000
