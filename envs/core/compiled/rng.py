"""The generator of all chance: Philox4x32-10, keyed by the seed, counted in the State.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
A draw is a pure function of (key, counter), so a copied State continues exactly, equal seeds give
equal games on every machine, and different keys are different streams. All products are of two
32-bit numbers held in 64 bits: nothing overflows, compiled or interpreted.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.core.compiled.jit import jit

u64 = np.uint64
_LOW: Final = u64(0xFFFFFFFF)
_HALF: Final = u64(32)
_MULTIPLY_0: Final = u64(0xD2511F53)
_MULTIPLY_1: Final = u64(0xCD9E8D57)
_WEYL_0: Final = u64(0x9E3779B9)
_WEYL_1: Final = u64(0xBB67AE85)
_ZERO: Final = u64(0)
_ONE: Final = u64(1)
_STREAM: Final = u64(1)  # fourth counter word of derived seeds; game draws have 0 there


@jit
def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Any:
    """Return the four 32-bit output words for a counter of four and a key of two words."""
    for _ in range(10):
        p0 = _MULTIPLY_0 * c0
        p1 = _MULTIPLY_1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _LOW, (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@jit
def below(s: Any, n: Any) -> Any:
    """Draw a whole number from 0 to ``n - 1``, all equally likely, and advance ``s``'s counter.

    ``n`` is between 1 and 2**31. Lemire's multiplication with rejection: no bias.
    """
    size = u64(n)
    refused = (_LOW + _ONE) % size
    while True:
        counter = s.rng_counter
        s.rng_counter = counter + _ONE
        word, _, _, _ = philox(
            counter & _LOW, counter >> _HALF, _ZERO, _ZERO, s.rng_key & _LOW, s.rng_key >> _HALF
        )
        product = word * size
        if (product & _LOW) >= refused:
            return np.int64(product >> _HALF)


@jit
def shuffle(s: Any, cards: Any, count: Any) -> None:
    """Put the first ``count`` entries of ``cards`` into a uniformly random order."""
    for last in range(count - 1, 0, -1):
        other = below(s, last + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


@jit
def seed_generator(s: Any, seed: Any) -> None:
    """Start the generator of ``s`` at the beginning of the stream ``seed`` (any 64 bits)."""
    s.rng_key = seed
    s.rng_counter = _ZERO


@jit
def stream_seed(run: Any, index: Any, episode: Any) -> Any:
    """Return the 64-bit seed of episode ``episode`` of game ``index`` in the run ``run``.

    Hashed rather than added, so the streams of neighbouring runs and games do not overlap.
    """
    w0, w1, _, _ = philox(
        u64(episode) & _LOW,
        u64(episode) >> _HALF,
        u64(index) & _LOW,
        _STREAM,
        run & _LOW,
        run >> _HALF,
    )
    return (w1 << _HALF) | w0


def first_seed(run: int, episode: int) -> int:
    """Return the 64-bit seed of episode ``episode`` of game 0 in the run ``run``, from Python."""
    words = _philox_words(episode & 0xFFFFFFFF, episode >> 32, 0, 1, run & 0xFFFFFFFF, run >> 32)
    return (words[1] << 32) | words[0]


def _philox_words(*words: int) -> tuple[int, int, int, int]:
    """The same function as :func:`philox`, on Python's whole numbers."""
    c0, c1, c2, c3, k0, k1 = words
    low = 0xFFFFFFFF
    for _ in range(10):
        p0, p1 = int(_MULTIPLY_0) * c0, int(_MULTIPLY_1) * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & low, (p0 >> 32) ^ c3 ^ k1, p0 & low
        k0, k1 = (k0 + int(_WEYL_0)) & low, (k1 + int(_WEYL_1)) & low
    return c0, c1, c2, c3
