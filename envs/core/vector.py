"""Games in batches that reset themselves: arrays in, arrays out, stepped in compiled code.

Unlike Gymnasium's vector environments the player to act differs from row to row; ``actors`` says
who it is, and rewards come for all seats.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.arguments import check_seed
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import BoundGame, check_state
from concilium.envs.core.games import SCRATCH, Games, Stepped, action_array
from concilium.envs.core.kernels import ACTOR_VIEW, stream_seeds
from concilium.envs.core.state import (
    RUNNING,
    TRUNCATED,
    Records,
    new_records,
    plain_records,
    put_records,
)

__all__ = ["Batch", "VecGame", "action_array"]


@dataclass(frozen=True)
class Batch(Stepped):
    """What a vector environment returns: one row per game that was stepped.

    Attributes:
        games: numbers of the games ``(k,) int64``.
        finished: rows whose game has just ended ``(f,) int64``.
        observations: of the player to act ``(k, observation size) int8``.
        masks: legal actions of the player to act ``(k, num_actions) int8``, never all zero.
        actors: seat to act ``(k,) int64``.
        rewards: for all seats ``(k, seats) float64``, zero unless the game has just ended.
        terminated: the game has just ended ``(k,) bool`` (a new one is dealt already).
        truncated: the game was just cut short ``(k,) bool`` (likewise).
        final_views: last Views of all seats of those ``(f, seats)``; zeros for absent seats.
        final_observations: their observations ``(f, seats, size) int8``; zeros likewise.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actors: NDArray[np.int64]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_views: Records
    final_observations: NDArray[np.int8]


class VecGame(Games):
    """A batch of games that reset themselves.

    Made by :func:`make_vec`. Game ``i`` deals its ``e``-th game from a seed that is a hash of the
    run's seed, ``i`` and ``e``: streams of different games and runs do not overlap. All arrays
    handed out are the caller's own, but :attr:`standing`. One object serves one thread at a time.
    """

    def __init__(
        self, tables: Sequence[BoundGame], *, seed: int | None = None, threads: int = 1
    ) -> None:
        super().__init__(tables, threads=threads)
        self._no_finals = (
            new_records(0, self.game.dtype).reshape(0, self.seats),
            np.empty((0, self.seats, self.game.observation.size), np.int8),
        )
        self._episodes = np.zeros(self.num_envs, np.int64)
        self._run = np.uint64(int.from_bytes(os.urandom(8), "little"))
        if seed is not None:
            self._run = check_seed(seed)

    # Playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Batch:
        """Deal all games anew: from ``seed``, or from the next episode of the run's stream."""
        if seed is not None:
            self._run = check_seed(seed)
            self._episodes[:] = 0
        elif self._live:
            self._episodes += 1
        self._deal(self._all, stream_seeds(self._run, self._all, self._episodes))
        return self._begin()

    def restore(self, states: Records, episodes: NDArray[np.integer], run: int) -> Batch:
        """Go on from saved games, exactly as the batch that they were saved from would have.

        Args:
            states: what :attr:`states` was, ``(num_envs,)``.
            episodes: what :attr:`episodes` was, ``(num_envs,)``.
            run: what :attr:`run` was.

        Raises:
            OptionError: of another game, number or table, over, or not a sound position.
        """
        if states.dtype != self.game.dtype or states.shape != (self.num_envs,):
            raise OptionError(f"{states.shape} states of another shape or game than this batch's")
        plain = plain_records(states)
        for i, table in enumerate(self.tables):
            if plain["status"][i] != RUNNING:
                raise OptionError(f"state {i} is over")
            template = plain_records(table.template)[0]
            for name in ("num_players", *table.option_fields):
                if not np.array_equal(plain[name][i], template[name]):
                    raise OptionError(
                        f"state {i} has {name} {plain[name][i]}, not {template[name]}"
                    )
            check_state(self.game, states[i : i + 1])
        counts = np.asarray(episodes)
        if counts.shape != (self.num_envs,) or counts.dtype.kind not in "iu" or counts.min() < 0:
            raise OptionError("episodes are not one whole number from 0 per game")
        self._run = check_seed(run)
        self._episodes[:] = counts
        put_records(self._states, self._all, states)
        return self._begin()

    def _begin(self) -> Batch:
        """Observe all games as they stand."""
        self._live = True
        observations, masks, actors = self._observe(self._all)
        self._note(self._all, masks, actors)
        status = np.zeros(self.num_envs, np.int64)
        rewards = np.zeros((self.num_envs, self.seats))
        return _batch(self._all, status, observations, masks, actors, rewards, self._no_finals)

    def step(
        self, actions: ArrayLike, games: ArrayLike | None = None, *, observe: bool = True
    ) -> Batch:
        """Take one action in each game; finished games are dealt anew.

        Args:
            actions: whole numbers ``(k,)``.
            games: numbers of the games they are for ``(k,)``, each at most once; all, in order,
                if not given.
            observe: leave False to save the time for observations that nobody reads, as when bots
                decide on :meth:`views`; ``observations`` is then of shape ``(k, 0)``.

        Raises:
            UsageError: before the first reset.
            IllegalActionError: an action is not legal; the message names game and action, and no
                game is changed.
            OptionError: a game number is out of range or occurs twice.
        """
        rows = self._rows(games, unique=True)
        chosen = self._check_actions(actions, rows)
        observations, masks, actors = self._blank(len(rows), observe)
        status = np.empty(len(rows), np.int64)
        self._step(rows, chosen, observations, masks, actors, status)
        rewards = np.zeros((len(rows), self.seats))
        finals = self._no_finals
        finished = np.flatnonzero(status)
        if len(finished):
            ended = rows[finished]
            rewards[finished] = self.returns(ended)
            finals = self._finals(ended)
            self._episodes[ended] += 1
            self._deal(ended, stream_seeds(self._run, ended, self._episodes[ended]))
            seen, masks[finished], actors[finished] = self._observe(ended)
            if observe:
                observations[finished] = seen
        self._note(rows, masks, actors)
        return _batch(rows, status, observations, masks, actors, rewards, finals)

    def advance(self, actions: ArrayLike, games: ArrayLike | None = None) -> Batch:
        """Take one action in each game without observing what comes next; see :meth:`step`."""
        return self.step(actions, games, observe=False)

    def _observe(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
        """What those to act in ``rows`` see and may do, and who they are."""
        observations, masks, actors = self._blank(len(rows))
        self._run_in_threads(
            self.game.kernels.observe_many, len(rows), self._states, rows,
            np.full(len(rows), ACTOR_VIEW, np.int64), SCRATCH, observations, masks, actors,
        )  # fmt: skip
        return observations, masks, actors

    def _finals(self, ended: NDArray[np.int64]) -> tuple[Records, NDArray[np.int8]]:
        """Last Views and observations of all seats in the games ``ended (f,)``, as they stand."""
        there = np.arange(self.seats) < self.num_players[ended][:, np.newaxis]
        games, seats = there.nonzero()
        views = self._views_of(self._states, ended[games], seats)
        encoded = self._encoded(views)
        if there.all():
            return views.reshape(there.shape), encoded.reshape(*there.shape, encoded.shape[1])
        all_views = new_records(there.size, self.game.dtype)
        put_records(all_views, there.ravel().nonzero()[0], views)
        observations = np.zeros((*there.shape, self.game.observation.size), np.int8)
        observations[there] = encoded
        return all_views.reshape(there.shape), observations

    # What else can be asked ------------------------------------------------------------------

    @property
    def episodes(self) -> NDArray[np.int64]:
        """Number of the game that each row is playing ``(num_envs,)``."""
        return self._episodes.copy()

    @property
    def run(self) -> int:
        """Seed of the run, from which all deals follow."""
        return int(self._run)

    @property
    def bytes_per_game(self) -> int:
        """Memory held for one game; see :attr:`Games.bytes_per_game`."""
        return super().bytes_per_game + self._episodes.itemsize


def _batch(
    rows: NDArray[np.int64],
    status: NDArray[np.int64],
    observations: NDArray[np.int8],
    masks: NDArray[np.int8],
    actors: NDArray[np.int64],
    rewards: NDArray[np.float64],
    finals: tuple[Records, NDArray[np.int8]],
) -> Batch:
    truncated = status == TRUNCATED
    return Batch(
        games=rows.copy(),
        finished=np.flatnonzero(status),
        observations=observations,
        masks=masks,
        actors=actors,
        rewards=rewards,
        terminated=(status != RUNNING) & ~truncated,
        truncated=truncated,
        final_views=finals[0],
        final_observations=finals[1],
    )
