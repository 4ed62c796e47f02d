"""Philox4x32-10 once more, in plain Python from the paper, to compare the compiled one with.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from __future__ import annotations

WORD = 2**32
Words = tuple[int, int, int, int]


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Return the four output words of a counter under a key."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, WORD)
        high1, low1 = divmod(0xCD9E8D57 * c2, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % WORD, (k1 + 0xBB67AE85) % WORD
    return c0, c1, c2, c3


def draw(key: int, counter: int, size: int) -> tuple[int, int]:
    """Draw a number below ``size`` by multiplication with rejection; return it and the counter."""
    while True:
        words = philox((counter % WORD, counter // WORD, 0, 0), (key % WORD, key // WORD))
        counter += 1
        number, rest = divmod(words[0] * size, WORD)
        if rest >= WORD % size:
            return number, counter


def seed_of(run: int, index: int, episode: int) -> int:
    """Return the seed of a game of a vector environment: a hash of run, place and episode."""
    w0, w1, _, _ = philox((episode % WORD, episode // WORD, index, 1), (run % WORD, run // WORD))
    return w1 * WORD + w0
