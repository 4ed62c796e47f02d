"""Games of which all Views are kept at the end of each row, for measuring beliefs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, OptionError
from concilium.envs.believers.state import Faith
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot, seed_bots
from concilium.envs.core.compiled.rng import first_seed
from concilium.envs.core.games import Games
from concilium.envs.core.play import PlayLoop
from concilium.envs.core.state import SPECTATOR, Records, new_records, take_records
from concilium.evaluation.matches import check_deals

_AT_ONCE: Final = 512


@dataclass(frozen=True)
class Sample:
    """Views with the truth about them.

    Attributes:
        views: ``(k,)``, each at the end of a row, before anything else is decided.
        defectors: as bits ``(k,) int64``.
        game: number of the game ``(k,) int64``.
        row: rows that are over, from 1 ``(k,) int64``.
    """

    views: Records
    defectors: NDArray[np.int64]
    game: NDArray[np.int64]
    row: NDArray[np.int64]

    def take(self, places: NDArray[np.integer]) -> Sample:
        """Those at the given places."""
        return Sample(
            take_records(self.views, places),
            self.defectors[places],
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
        BotError: a bot's answer cannot be used; the message names it.
    """
    check_deals(games, "games")
    check_seed(seed)
    if len(bots) != table.num_players:
        raise OptionError(f"{len(bots)} bots for {table.num_players} seats")
    seed_bots(bots, seed)
    parts: list[Sample] = []
    for first in range(0, games, _AT_ONCE):
        parts += _play(table, bots, range(first, min(first + _AT_ONCE, games)), seed, spectators)
    return Sample(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Sample))
    )


def _play(
    table: BoundGame, bots: Sequence[Bot], numbers: range, seed: int, spectators: bool
) -> list[Sample]:
    """Play the games of some numbers, side by side."""
    games = Games([table] * len(numbers))
    games.deal([first_seed(seed, number) for number in numbers])
    states = games.plain_states
    rows = states["row"].copy()  # over when each game was last looked at
    kept = [_no_views(table)]

    def look(running: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Keep the Views of games in which a row has ended since the last decision."""
        del actions
        over = running[states["row"][running] > rows[running]]
        rows[over] = states["row"][over]
        if not len(over):
            return
        faith = states["faith"][over, : table.num_players].astype(np.int64)
        defectors = (faith << np.arange(table.num_players)).sum(axis=1)
        places, seats = (faith == Faith.BELIEVER).nonzero()
        if spectators:
            places, seats = np.arange(len(over)), np.full(len(over), SPECTATOR)
        at = over[places]
        views = games.views(at, seats)
        kept.append(Sample(views, defectors[places], at + numbers.start, rows[at].astype(np.int64)))

    sits = np.tile(np.arange(table.num_players), (len(numbers), 1))
    PlayLoop(games, bots, sits, ask_forced=True, on_decisions=look).run()
    return kept


def _no_views(table: BoundGame) -> Sample:
    none = np.empty(0, np.int64)
    return Sample(new_records(0, table.game.dtype), none, none, none)
