"""Bots whose answers cannot be used, each in another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

Answer = Callable[[Any], Any]

ODD_ANSWERS: Final[dict[str, Answer]] = {
    "none": lambda masks: None,
    "scalar": lambda masks: 3,
    "0-d": lambda masks: np.int64(masks[0].argmax()),
    "short": lambda masks: masks.argmax(axis=1)[:-1],
    "long": lambda masks: np.append(masks.argmax(axis=1), 0),
    "column": lambda masks: masks.argmax(axis=1)[:, np.newaxis],
    "floats": lambda masks: masks.argmax(axis=1) + 0.9,
    "whole floats": lambda masks: masks.argmax(axis=1).astype(float),
    "not finite": lambda masks: np.full(len(masks), np.nan),
    "bools": lambda masks: masks.argmax(axis=1) > 0,
    "objects": lambda masks: masks.argmax(axis=1).astype(object),
    "ragged": lambda masks: [[1], [1, 2]],
    "words": lambda masks: ["first"] * len(masks),
    "too large to be an index": lambda masks: [10**30] * len(masks),
    "negative": lambda masks: np.full(len(masks), -1),
    "out of range": lambda masks: np.full(len(masks), masks.shape[1]),
    "unsigned": lambda masks: np.full(len(masks), 2**64 - 1, np.uint64),
    "illegal": lambda masks: (masks == 0).argmax(axis=1),
}
"""What a bot returns, given the masks."""


class Stranger:
    """A bot from elsewhere, which has nothing but ``act``."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def act(self, views: Any, masks: Any) -> Any:
        """Answer as told."""
        del views
        return self.answer(masks)

    def __repr__(self) -> str:
        return "<stranger>"


class Named(Stranger):
    """One with a name and a game."""

    name = "odd one"

    def __init__(self, answer: Answer, game: Any) -> None:
        super().__init__(answer)
        self.game = game

    def seed(self, seed: int) -> None:
        """Leave nothing to chance."""


def first_legal(masks: Any) -> Any:
    """Choose the legal action with the smallest number."""
    return masks.argmax(axis=1)
