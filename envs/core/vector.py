"""Many games at once: arrays in, arrays out, stepped in compiled code.

Unlike Gymnasium's vector environments the player to act differs from row to row; ``actors`` says
who it is, and rewards come for all seats.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.errors import IllegalActionError, OptionError, UsageError
from concilium.envs.core.game import BoundGame, Game, check_seed, check_state
from concilium.envs.core.kernels import ACTOR_VIEW
from concilium.envs.core.state import (
    RUNNING,
    SPECTATOR,
    TRUNCATED,
    Records,
    attribute_records,
    new_records,
    plain_records,
    put_records,
    take_records,
)


@dataclass(frozen=True)
class Batch:
    """What a vector environment returns: one row per game that was stepped.

    Attributes:
        games: numbers of the games ``(k,) int64``.
        observations: of the player to act ``(k, observation size) int8``.
        masks: legal actions of the player to act ``(k, num_actions) int8``, never all zero.
        actors: seat to act ``(k,) int64``.
        rewards: for all seats ``(k, seats) float64``, zero unless the game has just ended.
        terminated: the game has just ended ``(k,) bool`` (a new one is dealt already).
        truncated: the game was just cut short ``(k,) bool`` (likewise).
        finished: rows whose game has just ended ``(f,) int64``.
        final_views: last Views of all seats of those ``(f, seats)``; zeros for absent seats.
        final_observations: their observations ``(f, seats, size) int8``; zeros likewise.
    """

    games: NDArray[np.int64]
    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actors: NDArray[np.int64]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    finished: NDArray[np.int64]
    final_views: Records
    final_observations: NDArray[np.int8]


class VecGame:
    """A batch of games that reset themselves.

    Made by :func:`make_vec`. Game ``i`` deals its ``e``-th game from a seed that is a hash of the
    run's seed, ``i`` and ``e``: streams of different games and runs do not overlap. All arrays
    handed out are the caller's own. One object serves one thread at a time.
    """

    def __init__(
        self, tables: Sequence[BoundGame], *, seed: int | None = None, threads: int = 1
    ) -> None:
        if not tables:
            raise OptionError("num_envs=0 is not allowed: at least 1")
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise OptionError(f"threads={threads!r} is not allowed: a whole number, at least 1")
        self.tables = tuple(tables)
        self.game: Game = tables[0].game
        self.num_envs = len(tables)
        self.seats = max(table.num_players for table in tables)
        self.num_players = np.array([table.num_players for table in tables], np.int64)
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None  # made when needed
        self._pool_process = 0
        self._templates = new_records(self.num_envs, self.game.dtype)
        for i, table in enumerate(self.tables):
            self._templates[i] = table.template[0]
        self._states = self._templates.copy()
        self._masks = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        self._views = new_records(self.num_envs, self.game.dtype)  # scratch
        # everybody's last View, written where a game ends
        self._finals = new_records(self.num_envs * self.seats, self.game.dtype)
        self._no_finals = (
            self._finals[:0].reshape(0, self.seats),
            np.empty((0, self.seats, self.game.observation.size), np.int8),
        )
        self._episodes = np.zeros(self.num_envs, np.int64)
        self._all = np.arange(self.num_envs, dtype=np.int64)
        self._actor_view = np.full(self.num_envs, ACTOR_VIEW, np.int64)
        self._run = np.uint64(int.from_bytes(os.urandom(8), "little"))
        if seed is not None:
            self._run = check_seed(seed)
        self._live = False

    # Playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Batch:
        """Deal all games anew: from ``seed``, or from the next episode of the run's stream."""
        if seed is not None:
            self._run = check_seed(seed)
            self._episodes[:] = 0
        elif self._live:
            self._episodes += 1
        self._run_in_threads(
            self.game.kernels.reset_many, self.num_envs, self._states, self._templates, self._all,
            self._run, self._episodes,
        )  # fmt: skip
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
        count = self.num_envs
        kernels = self.game.kernels
        observations, masks, actors = self._blank(count)
        self._run_in_threads(
            kernels.observe_many, count, self._states, self._all, self._actor_view, self._views,
            observations, masks, actors,
        )  # fmt: skip
        self._masks[:] = masks
        self._live = True
        return Batch(
            games=self._all.copy(),
            observations=observations,
            masks=masks,
            actors=actors,
            rewards=np.zeros((count, self.seats)),
            terminated=np.zeros(count, bool),
            truncated=np.zeros(count, bool),
            finished=np.empty(0, np.int64),
            final_views=self._no_finals[0],
            final_observations=self._no_finals[1],
        )

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
        count = len(rows)
        observations, masks, actors = self._blank(count, observe)
        rewards = np.zeros((count, self.seats))
        status = np.zeros(count, np.int64)
        self._run_in_threads(
            self.game.kernels.advance_many, count, self._states, self._templates, rows, chosen,
            self._run, self._episodes, self._views, observations, masks, actors, rewards, status,
            self._finals,
        )  # fmt: skip
        finished = np.flatnonzero(status)
        final_views, final_observations = self._take_finals(rows, finished)
        if rows is self._all:
            np.copyto(self._masks, masks)
        else:
            self._masks[rows] = masks
        truncated = status == TRUNCATED
        return Batch(
            games=rows.copy(),
            observations=observations,
            masks=masks,
            actors=actors,
            rewards=rewards,
            terminated=(status != RUNNING) & ~truncated,
            truncated=truncated,
            finished=finished,
            final_views=final_views,
            final_observations=final_observations,
        )

    def _take_finals(
        self, rows: NDArray[np.int64], finished: NDArray[np.int64]
    ) -> tuple[Records, NDArray[np.int8]]:
        """Last Views and observations of all seats in the games ``rows[finished]``."""
        if not len(finished):
            return self._no_finals
        there = np.arange(self.seats) < self.num_players[rows[finished]][:, np.newaxis]
        places = finished[:, np.newaxis] * self.seats + np.arange(self.seats)
        views = take_records(self._finals, places[there])
        encoded = np.empty((len(views), self.game.observation.size), np.int8)
        self._run_in_threads(self.game.kernels.encode_many, len(views), views, encoded)
        if there.all():
            return views.reshape(there.shape), encoded.reshape(*there.shape, encoded.shape[1])
        all_views = new_records(there.size, self.game.dtype)
        put_records(all_views, there.ravel().nonzero()[0], views)
        observations = np.zeros((*there.shape, self.game.observation.size), np.int8)
        observations[there] = encoded
        return all_views.reshape(there.shape), observations

    def _blank(
        self, count: int, observe: bool = True
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
        return (
            np.empty((count, self.game.observation.size if observe else 0), np.int8),
            np.empty((count, self.game.num_actions), np.int8),
            np.empty(count, np.int64),
        )

    # What else can be asked ------------------------------------------------------------------

    def views(self, games: ArrayLike | None = None, players: ArrayLike | None = None) -> Records:
        """Views ``(k,)`` of ``players`` (those to act, if not given) in ``games`` (all)."""
        rows = self._rows(games)
        if players is None:
            seats = plain_records(self._states)["actor"][rows].astype(np.int64)
        else:
            seats = np.asarray(players)
            if seats.dtype.kind != "i" and seats.size:
                raise OptionError(f"players of type {seats.dtype}; signed integers are needed")
            seats = seats.astype(np.int64)
            if seats.shape != rows.shape:
                raise OptionError(f"players of shape {seats.shape} for {len(rows)} games")
            there = (seats == SPECTATOR) | ((seats >= 0) & (seats < self.num_players[rows]))
            if not there.all():
                raise OptionError(f"player {seats[~there][0]} is not at the table of its game")
        out = np.empty_like(self._states, shape=len(rows))
        self._run_in_threads(self.game.kernels.view_many, len(rows), self._states, rows, seats, out)
        return out

    def observations(self, games: ArrayLike | None = None) -> NDArray[np.int8]:
        """Observations ``(k, observation size) int8`` of those to act in ``games`` (all)."""
        views = self.views(games)
        observations = np.empty((len(views), self.game.observation.size), np.int8)
        self._run_in_threads(self.game.kernels.encode_many, len(views), views, observations)
        return observations

    def kinds(self, games: ArrayLike | None = None) -> NDArray[np.int64]:
        """Kinds of the decisions due in ``games`` (all), ``(k,)`` indices into ``game.kinds``."""
        rows = self._rows(games)
        out = np.empty(len(rows), np.int64)
        self._run_in_threads(self.game.kernels.kind_many, len(rows), self._states, rows, out)
        return out

    def state_vectors(self, games: ArrayLike | None = None) -> NDArray[np.int8]:
        """Perfect-information vectors ``(k, state size) int8``, for centralised critics."""
        rows = self._rows(games)
        out = np.empty((len(rows), self.game.state_layout.size), np.int8)
        kernel = self.game.kernels.encode_truth_many
        self._run_in_threads(kernel, len(rows), self._states, rows, out)
        return out

    @property
    def states(self) -> Records:
        """A copy of all States ``(num_envs,)``: hidden information included."""
        return self._states.copy()

    @property
    def episodes(self) -> NDArray[np.int64]:
        """Number of the game that each row is playing ``(num_envs,)``."""
        return self._episodes.copy()

    @property
    def run(self) -> int:
        """Seed of the run, from which all deals follow."""
        return int(self._run)

    @property
    def masks(self) -> NDArray[np.int8]:
        """Legal actions in all games as they stand ``(num_envs, num_actions) int8``."""
        return self._masks.copy()

    @property
    def bytes_per_game(self) -> int:
        """Memory held for one game: State, template, View, mask, last Views."""
        records = 3 * self.game.dtype.itemsize
        return records + self.game.num_actions + self.seats * self.game.dtype.itemsize

    def close(self) -> None:
        """Stop the threads; may be called any number of times."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        for name in ("_states", "_templates", "_views", "_finals"):
            setattr(self, name, attribute_records(plain_records(kept[name])))

    def __copy__(self) -> VecGame:
        return copy.deepcopy(self)

    # Checks and threads ----------------------------------------------------------------------

    def check_games(
        self, games: ArrayLike | None = None, *, unique: bool = False
    ) -> NDArray[np.int64]:
        """Return numbers of games ``(k,)``, all in order for None.

        Raises:
            UsageError: before the first reset.
            OptionError: no whole numbers, out of range, or, if they are to be unique, one twice.
        """
        return self._rows(games, unique).copy()

    def _rows(self, games: ArrayLike | None, unique: bool = False) -> NDArray[np.int64]:
        if not self._live:
            raise UsageError("there are no games yet: call reset() first")
        if games is None:
            return self._all
        try:
            rows = np.asarray(games)
        except (ValueError, OverflowError) as error:
            raise OptionError(f"games are no array: {error}") from None
        if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
            raise OptionError("games must be a list of whole numbers, one-dimensional")
        rows = rows.astype(np.int64)
        if rows.size and (rows.min() < 0 or rows.max() >= self.num_envs):
            raise OptionError(f"a game number is out of range: 0 to {self.num_envs - 1}")
        # counting is quicker than sorting, and this is done for every step of a part of the games
        if unique and np.bincount(rows, minlength=1).max() > 1:
            raise OptionError("a game number occurs twice")
        return rows

    def _check_actions(self, actions: ArrayLike, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        wide = action_array(actions, len(rows))
        bad = self.game.kernels.first_illegal(self._masks, rows, wide)
        if bad >= 0:
            i = int(rows[bad])
            message = self.tables[i].illegal_message(self._states, int(wide[bad]), i)
            raise IllegalActionError(f"game {i}: {message}")
        return wide

    def _run_in_threads(self, kernel: Callable[..., Any], count: int, *args: Any) -> None:
        """Run ``kernel(*args, lo, hi)`` over ``count`` rows, split among the threads."""
        if self._threads == 1 or count < 2 * self._threads:
            kernel(*args, 0, count)
            return
        if self._pool is None or self._pool_process != os.getpid():  # threads do not survive a fork
            self._pool, self._pool_process = ThreadPoolExecutor(self._threads), os.getpid()
        cuts = np.linspace(0, count, self._threads + 1).astype(int)
        parts = [self._pool.submit(kernel, *args, int(lo), int(hi)) for lo, hi in pairwise(cuts)]
        wait(parts)  # all of them, so that none still works on the arrays when one has failed
        for part in parts:
            part.result()


def action_array(actions: ArrayLike, games: int) -> NDArray[np.int64]:
    """Return actions as ``(games,) int64``; IllegalActionError if they are of another form."""
    try:
        chosen = np.asarray(actions)
    except (ValueError, OverflowError) as error:
        raise IllegalActionError(f"actions are no array: {error}") from None
    if chosen.shape != (games,):
        raise IllegalActionError(f"{chosen.shape} actions for {games} games")
    if chosen.size and chosen.dtype.kind not in "iu":
        raise IllegalActionError(f"actions are of type {chosen.dtype}; integers are needed")
    return chosen.astype(np.int64)


def make_vec(
    game: str | Game,
    num_envs: int,
    num_players: int | Sequence[int] | NDArray[np.integer] | None = None,
    *,
    seed: int | None = None,
    threads: int = 1,
    **options: object,
) -> VecGame:
    """Make a vector environment.

    Args:
        game: name of a game, or the game itself.
        num_envs: how many games run side by side.
        num_players: one number for all, or one per game; the game's default if not given.
        seed: of the run, 0 to 2**64 - 1; one from the operating system if not given.
        threads: how many threads share the work.
        **options: the game's other options, the same for all.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """
    if isinstance(game, str):
        from concilium.envs import get_game

        game = get_game(game)
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        raise OptionError(f"num_envs={num_envs!r} is not allowed: a whole number, at least 1")
    if num_players is None:
        num_players = game.default_players
    if isinstance(num_players, int | np.integer | float):
        tables = [game.bind(num_players=num_players, **options)] * int(num_envs)
    else:
        if not hasattr(num_players, "__len__") or np.ndim(num_players) != 1:
            raise OptionError(f"num_players={num_players!r} is neither a number nor a list of them")
        if len(num_players) != num_envs:
            raise OptionError(f"{len(num_players)} values of num_players for {num_envs} games")
        sizes = list(num_players)
        bound = {n: game.bind(num_players=n, **options) for n in sizes}
        tables = [bound[n] for n in sizes]
    return VecGame(tables, seed=seed, threads=threads)
