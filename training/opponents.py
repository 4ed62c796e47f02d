"""Who plays which seat: the current policy, past policies and bots, drawn for each new game."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.training.presets import Preset

LEARNER: Final = 0
"""Number of the current policy among the players; past policies follow, then the bots."""


class OpponentSampler:
    """Draws players for the seats of new games.

    Players have numbers: 0 is the current policy, 1 … ``snapshots`` are the places for past ones,
    the bots come after these.

    Args:
        preset: shares and weights.
    """

    def __init__(self, preset: Preset) -> None:
        self.first_bot = 1 + preset.snapshots
        self._alike = preset.alike
        self._shares = np.array([preset.share_self, preset.share_snapshots, preset.share_bots])
        total = sum(preset.weights)
        self._weights = np.array(preset.weights) / total if total > 0 else np.array([])

    def draw(
        self, games: int, players: int, snapshots: int, generator: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Draw the seats of ``games`` games at a table of ``players``.

        One seat of each game, any with the same chance, is the learner's own; the others are drawn.

        Args:
            games: how many.
            players: seats at the table.
            snapshots: how many past policies there are; without any their share goes to the
                current one.
            generator: where the chance comes from.

        Returns:
            Numbers of the players ``(games, players)``, and the learner's own seats ``(games,)``.
        """
        own = generator.integers(0, players, games)
        cast = self._players((games, players), snapshots, generator)
        alike = generator.random(games) < self._alike
        cast[alike] = cast[alike, :1]
        cast[np.arange(games), own] = LEARNER
        return cast, own

    def draw_against(
        self, sides: NDArray[np.bool_], generator: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Seat the learner's whole side and draw bots for everybody else.

        One of the side's seats, any with the same chance, is the learner's own; the current policy
        sits in the others too.

        Args:
            sides: whether a seat is of the learner's side ``(games, players)``, at least one in
                each game.
            generator: where the chance comes from.

        Returns:
            Numbers of the players ``(games, players)``, and the learner's own seats ``(games,)``.
        """
        own = np.where(sides, generator.random(sides.shape), -1.0).argmax(axis=1)
        cast = self._bots(sides.shape, generator)
        alike = generator.random(len(sides)) < self._alike
        cast[alike] = cast[alike, :1]
        cast[sides] = LEARNER
        return cast, own

    def _bots(self, shape: tuple[int, ...], generator: np.random.Generator) -> NDArray[np.int64]:
        chosen = generator.choice(len(self._weights), size=shape, p=self._weights)
        return self.first_bot + chosen

    def _players(
        self, shape: tuple[int, int], snapshots: int, generator: np.random.Generator
    ) -> NDArray[np.int64]:
        shares = self._shares.copy()
        if snapshots == 0:
            shares[0] += shares[1]
            shares[1] = 0
        group = generator.choice(3, size=shape, p=shares / shares.sum())
        cast = np.zeros(shape, np.int64)
        past = group == 1
        cast[past] = 1 + generator.integers(0, max(snapshots, 1), int(past.sum()))
        bots = group == 2
        if bots.any():
            cast[bots] = self._bots((int(bots.sum()),), generator)
        return cast
