"""Many games side by side, stepped in compiled code; a game that is over stays as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs.core.arguments import check_seed
from concilium.envs.core.copies import Independent
from concilium.envs.core.errors import IllegalActionError, OptionError, UsageError
from concilium.envs.core.game import BoundGame, Game
from concilium.envs.core.state import (
    RUNNING,
    SPECTATOR,
    Records,
    new_records,
    plain_records,
    put_records,
    take_records,
)


@dataclass(frozen=True)
class Stepped:
    """What has come of one step.

    Attributes:
        games: numbers of the games that were stepped ``(k,) int64``.
        finished: places in ``games`` of those that have just ended ``(f,) int64``.
    """

    games: NDArray[np.int64]
    finished: NDArray[np.int64]


class Games(Independent):
    """A batch of games that are dealt by :meth:`deal` or put there by :meth:`put`.

    States, masks and players to act lie in arrays and are changed in place. All arrays handed out
    are the caller's own, but :attr:`standing`. One object serves one thread at a time.

    Args:
        tables: the game with its options, for each row.
        threads: how many threads share the work.

    Raises:
        OptionError: there are no tables, or the number of threads is not allowed.
    """

    def __init__(self, tables: Sequence[BoundGame], *, threads: int = 1) -> None:
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
        kinds = list(dict.fromkeys(tables))
        self._templates = new_records(len(kinds), self.game.dtype)
        for number, table in enumerate(kinds):
            self._templates[number] = table.template[0]
        self._table_of = np.array([kinds.index(table) for table in tables], np.int64)
        self._states = new_records(self.num_envs, self.game.dtype)
        self._scratch = new_records(threads, self.game.dtype)
        self._masks = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        self._actors = np.full(self.num_envs, -1, np.int64)
        self._all = np.arange(self.num_envs, dtype=np.int64)
        self._live = False

    # Playing ---------------------------------------------------------------------------------

    def deal(self, seeds: Iterable[object], games: ArrayLike | None = None) -> None:
        """Deal ``games`` (all) anew from ``seeds (k,)``, as ``BoundGame.new_state`` does.

        Raises:
            OptionError: a seed or a game number is not allowed, or they are not as many.
        """
        rows = self._rows(games, unique=True, before=True)
        given = np.array([check_seed(seed) for seed in seeds], np.uint64)
        if given.shape != rows.shape:
            raise OptionError(f"{given.shape} seeds for {len(rows)} games")
        self._deal(rows, given)
        self._stand(rows)

    def put(self, states: Records, games: ArrayLike | None = None) -> None:
        """Go on from ``states (k,)`` in ``games`` (all); they are copied, and trusted."""
        rows = self._rows(games, unique=True, before=True)
        put_records(self._states, rows, states)
        self._stand(rows)

    def advance(self, actions: ArrayLike, games: ArrayLike | None = None) -> Stepped:
        """Take one action in each of ``games`` (all).

        Args:
            actions: whole numbers ``(k,)``.
            games: numbers of the games that they are for ``(k,)``, each at most once.

        Raises:
            UsageError: nothing has been dealt.
            IllegalActionError: an action is not legal, or the game is over; no game is changed.
            OptionError: a game number is out of range or occurs twice.
        """
        rows = self._rows(games, unique=True)
        chosen = self._check_actions(actions, rows)
        nothing, masks, actors = self._blank(len(rows), observe=False)
        status = np.empty(len(rows), np.int64)
        self._step(rows, chosen, nothing, masks, actors, status)
        self._note(rows, masks, actors)
        return Stepped(rows.copy(), np.flatnonzero(status != RUNNING))

    def _deal(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        self._run_in_threads(
            self.game.kernels.deal_many, len(rows), self._states, self._templates, self._table_of,
            rows, seeds,
        )  # fmt: skip
        if len(rows) == self.num_envs:
            self._live = True

    def _step(
        self,
        rows: NDArray[np.int64],
        actions: NDArray[np.int64],
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        actors: NDArray[np.int64],
        status: NDArray[np.int64],
    ) -> None:
        self._run_in_threads(
            self.game.kernels.step_many, len(rows), self._states, rows, actions, SCRATCH,
            observations, masks, actors, status,
        )  # fmt: skip

    def _stand(self, rows: NDArray[np.int64]) -> None:
        """Say anew who is to act in ``rows``, and how."""
        states = take_records(self._states, rows)
        masks = np.empty((len(rows), self.game.num_actions), np.int8)
        self._run_in_threads(self.game.kernels.legal_many, len(rows), states, masks)
        self._note(rows, masks, plain_records(states)["actor"].astype(np.int64))
        if len(rows) == self.num_envs:
            self._live = True

    def _note(
        self, rows: NDArray[np.int64], masks: NDArray[np.int8], actors: NDArray[np.int64]
    ) -> None:
        if rows is self._all:
            np.copyto(self._masks, masks)
            np.copyto(self._actors, actors)
        else:
            self._masks[rows], self._actors[rows] = masks, actors

    def _blank(
        self, count: int, observe: bool = True
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
        return (
            np.empty((count, self.game.observation.size if observe else 0), np.int8),
            np.empty((count, self.game.num_actions), np.int8),
            np.empty(count, np.int64),
        )

    # What else can be asked ------------------------------------------------------------------

    @property
    def standing(self) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Masks ``(num_envs, num_actions) int8`` and players to act ``(num_envs,) int64``.

        For loops: these are not copies, they change with every step. A game that is over has an
        empty mask and -1.
        """
        return self._masks, self._actors

    def views(self, games: ArrayLike | None = None, players: ArrayLike | None = None) -> Records:
        """Views ``(k,)`` of ``players`` (those to act, if not given) in ``games`` (all)."""
        rows = self._rows(games)
        if players is None:
            seats = self._actors[rows]
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
        return self._views_of(self._states, rows, seats)

    def _views_of(
        self, states: Records, rows: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> Records:
        out = np.empty_like(states, shape=len(rows))
        self._run_in_threads(self.game.kernels.view_many, len(rows), states, rows, seats, out)
        return out

    def observations(self, games: ArrayLike | None = None) -> NDArray[np.int8]:
        """Observations ``(k, observation size) int8`` of those to act in ``games`` (all)."""
        return self._encoded(self.views(games))

    def _encoded(self, views: Records) -> NDArray[np.int8]:
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
        kernel = self.game.kernels.encode_state_many
        self._run_in_threads(kernel, len(rows), self._states, rows, out)
        return out

    def returns(self, games: ArrayLike | None = None) -> NDArray[np.float64]:
        """Returns of all seats in ``games`` (all), ``(k, seats) float64``; zeros while they run."""
        rows = self._rows(games)
        out = np.empty((len(rows), self.seats))
        self._run_in_threads(self.game.kernels.returns_many, len(rows), self._states, rows, out)
        return out

    @property
    def states(self) -> Records:
        """A copy of all States ``(num_envs,)``: hidden information included."""
        return self._states.copy()

    @property
    def plain_states(self) -> Records:
        """The States as a plain array ``(num_envs,)`` to look into: no copy, not to be written."""
        found = plain_records(self._states).view()
        found.flags.writeable = False
        return found

    @property
    def masks(self) -> NDArray[np.int8]:
        """Legal actions in all games as they stand ``(num_envs, num_actions) int8``."""
        return self._masks.copy()

    @property
    def actors(self) -> NDArray[np.int64]:
        """Seats to act in all games ``(num_envs,) int64``, -1 where the game is over."""
        return self._actors.copy()

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over ``(num_envs,) bool``."""
        over: NDArray[np.bool_] = plain_records(self._states)["status"] != RUNNING
        return over

    @property
    def bytes_per_game(self) -> int:
        """Memory held for one game: its State, its mask, and numbers.

        What all games share, a blank State for each table and a scratch View for each thread, is
        not counted.
        """
        own = (self._states, self._masks, self._actors, self._table_of, self._all, self.num_players)
        return sum(array.nbytes for array in own) // self.num_envs

    def close(self) -> None:
        """Stop the threads; may be called any number of times."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}

    # Checks and threads ----------------------------------------------------------------------

    def check_games(
        self, games: ArrayLike | None = None, *, unique: bool = False
    ) -> NDArray[np.int64]:
        """Return numbers of games ``(k,)``, all in order for None.

        Raises:
            UsageError: before the first deal.
            OptionError: no whole numbers, out of range, or, if they are to be unique, one twice.
        """
        return self._rows(games, unique).copy()

    def _rows(
        self, games: ArrayLike | None, unique: bool = False, before: bool = False
    ) -> NDArray[np.int64]:
        """The numbers of games; ``before``: also before all have been dealt."""
        if not self._live and not before:
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
        """Run ``kernel(*args, lo, hi)`` over ``count`` rows, split among the threads.

        In place of ``SCRATCH`` each thread gets an array of one record of its own.
        """
        if self._threads == 1 or count < 2 * self._threads:
            kernel(*_with_scratch(args, self._scratch[:1]), 0, count)
            return
        if self._pool is None or self._pool_process != os.getpid():  # threads do not survive a fork
            self._pool, self._pool_process = ThreadPoolExecutor(self._threads), os.getpid()
        cuts = np.linspace(0, count, self._threads + 1).astype(int).tolist()
        parts = [
            self._pool.submit(
                kernel, *_with_scratch(args, self._scratch[number : number + 1]), lo, hi
            )
            for number, (lo, hi) in enumerate(pairwise(cuts))
        ]
        wait(parts)  # all of them, so that none still works on the arrays when one has failed
        for part in parts:
            part.result()


SCRATCH: Final = object()
"""Stands for an array with a record of each thread's own, see :meth:`Games._run_in_threads`."""


def _with_scratch(args: Sequence[Any], scratch: Records) -> list[Any]:
    return [scratch if each is SCRATCH else each for each in args]


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
