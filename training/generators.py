"""Seeding the global generators that torch and stable-baselines3 draw from, undone afterwards."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import numpy as np
import torch


@contextlib.contextmanager
def borrowed_generators(seed: int) -> Iterator[None]:
    """Seed the global generators of ``random``, NumPy and torch, and restore them at the end.

    Args:
        seed: whole number of at least 0; each generator gets a stream of its own.
    """
    before = (random.getstate(), np.random.get_state(), torch.get_rng_state())  # noqa: NPY002
    words = [int(word) for word in np.random.SeedSequence(seed).generate_state(3)]
    random.seed(words[0])
    np.random.seed(words[1])  # noqa: NPY002 (the rollout buffer shuffles with it)
    torch.manual_seed(words[2])
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
        torch.set_rng_state(before[2])


@contextlib.contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch use ``count`` threads for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
