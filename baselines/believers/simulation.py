"""Games of which all Views are kept at the end of each row, for measuring beliefs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.protocol import Bot
from concilium.envs import BoundGame, OptionError
from concilium.envs.believers.state import BELIEVER
from concilium.envs.core.rng import first_seed
from concilium.envs.core.state import (
    RUNNING,
    SPECTATOR,
    Records,
    attribute_records,
    new_records,
    plain_records,
    take_records,
)

_AT_ONCE: Final = 512


@dataclass(frozen=True)
class Sample:
    """Views with the truth about them.

    Attributes:
        views: ``(k,)``, each at the end of a row, before anything else is decided.
        truth: the Defectors as bits ``(k,) int64``.
        game: number of the game ``(k,) int64``.
        row: rows that are over, from 1 ``(k,) int64``.
    """

    views: Records
    truth: NDArray[np.int64]
    game: NDArray[np.int64]
    row: NDArray[np.int64]

    def take(self, places: NDArray[np.integer]) -> Sample:
        """Those at the given places."""
        return Sample(
            take_records(self.views, places),
            self.truth[places],
            self.game[places],
            self.row[places],
        )


def sample_views(
    table: BoundGame, bots: Sequence[Bot], games: int, seed: int, *, spectators: bool = False
) -> Sample:
    """Play games and keep what each True Believer knows at the end of each row but the last.

    Args:
        table: Believers with its options.
        bots: one for each seat.
        games: how many.
        seed: of deals and bots.
        spectators: keep the Views of spectators instead.

    Raises:
        OptionError: the bots are not as many as the seats, or no game is wanted.
    """
    if len(bots) != table.num_players or games < 1:
        raise OptionError(f"{len(bots)} bots for {table.num_players} seats, {games} games")
    for number, bot in enumerate(bots):
        bot.seed(int(np.random.SeedSequence((seed, number)).generate_state(1, np.uint64)[0]))
    parts = [
        _play(table, bots, range(lo, min(lo + _AT_ONCE, games)), seed, spectators)
        for lo in range(0, games, _AT_ONCE)
    ]
    return Sample(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("views", "truth", "game", "row")
        )
    )


def _play(
    table: BoundGame, bots: Sequence[Bot], numbers: range, seed: int, spectators: bool
) -> Sample:
    dealt = [table.new_state(first_seed(seed, number)) for number in numbers]
    states = attribute_records(np.concatenate(dealt))
    plain = plain_records(states)
    kept: list[tuple[Records, int, int, int]] = []
    scratch = np.empty(table.game.num_actions, np.int8)
    running = np.arange(len(states))
    while len(running):
        rows = plain["row"][running].copy()
        _step(table, bots, states, running, scratch)
        for k in running[plain["row"][running] > rows]:
            if plain["status"][k] == RUNNING:
                kept += _views_of(table, states, int(k), numbers[int(k)], spectators)
        running = running[plain["status"][running] == RUNNING]
    views = np.concatenate([part[0] for part in kept]) if kept else states[:0].copy()
    truth, game, row = (np.array([part[column] for part in kept], np.int64) for column in (1, 2, 3))
    return Sample(views, truth, game, row)


def _step(
    table: BoundGame, bots: Sequence[Bot], states: Records, running: NDArray[np.int64],
    scratch: NDArray[np.int8],
) -> None:  # fmt: skip
    """One decision in each game that is running."""
    kernels = table.game.kernels
    actors = plain_records(states)["actor"][running].astype(np.int64)
    views = new_records(len(running), states.dtype)
    kernels.view_many(states, running, actors, views, 0, len(running))
    masks = np.empty((len(running), table.game.num_actions), np.int8)
    kernels.legal_many(views, masks, 0, len(running))
    actions = np.empty(len(running), np.int64)
    for seat in np.unique(actors):
        rows = np.flatnonzero(actors == seat)
        actions[rows] = bots[seat].act(take_records(views, rows), masks[rows])
    for k, action in zip(running, actions, strict=True):
        kernels.step_checked(states, k, action, scratch)


def _views_of(
    table: BoundGame, states: Records, index: int, number: int, spectators: bool
) -> list[tuple[Records, int, int, int]]:
    plain = plain_records(states)[index]
    faith = plain["faith"][: table.num_players]
    truth = int((faith.astype(np.int64) << np.arange(table.num_players)).sum())
    seats = [SPECTATOR] if spectators else np.flatnonzero(faith == BELIEVER).tolist()
    return [(table.view(states, seat, index), truth, number, int(plain["row"])) for seat in seats]
