"""One learner's seat in each game of a batch, bots in all others.

The driver behind the single-seat environments: it steps a :class:`~concilium.envs.VecGame` until
every game waits for its learner, bots acting in batches on Views. The learner's return is delivered
exactly once per game, losses and games that end in other players' turns included.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs import Batch, OptionError, UsageError, VecGame
from concilium.envs.core.state import Records, attribute_records, new_records


class Actor(Protocol):
    """What is needed of a bot (see :class:`concilium.baselines.Bot`)."""

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View."""


@dataclass(frozen=True)
class SeatBatch:
    """What the learner sees after a step, one row per game.

    Attributes:
        observations: ``(n, size) int8``.
        masks: legal actions ``(n, num_actions) int8``, never all zero.
        rewards: the learner's return ``(n,) float64`` where its game has just ended, else 0.
        terminated: its game has just ended ``(n,) bool``; the row already shows the next game.
        truncated: its game was just cut short ``(n,) bool``.
        final_observations: the learner's last observation of those games ``(f, size) int8``, in the
            order of the rows that are terminated or truncated.
        final_views: the learner's last Views of those games ``(f,)``.
        lengths: learner's decisions in those games ``(f,) int64``.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_observations: NDArray[np.int8]
    final_views: Records
    lengths: NDArray[np.int64]


@dataclass
class Clock:
    """Seconds spent so far: in the engine, and in the bots (their Views included)."""

    engine: float = 0.0
    bots: float = 0.0


class LearnerSeats:
    """Plays the games of ``vec`` between the learner's decisions.

    Args:
        vec: the games; owned by this object from now on.
        opponents: bots for the other seats. Each seat of each game draws one of them anew for every
            game, so one bot means that bot everywhere.
        seat: the learner's seat, or ``"random"``: drawn anew for every game.
        weights: relative chances of the opponents; equal if not given.
        skip_single: play the learner's decisions with a single legal action here, unseen.
        seed: of the draws of seats and opponents.

    A game that ends before the learner has had a decision has nothing to learn from; it is dealt
    again and counted in :attr:`unseen_games`.

    Raises:
        OptionError: no opponents, weights that do not fit, or a seat that is not at every table.
    """

    def __init__(
        self,
        vec: VecGame,
        opponents: Sequence[Actor],
        *,
        seat: int | str = "random",
        weights: Sequence[float] | None = None,
        skip_single: bool = True,
        seed: int | None = None,
    ) -> None:
        if not opponents:
            raise OptionError("at least one opponent is needed")
        if seat != "random" and (
            isinstance(seat, bool | str) or not 0 <= seat < int(vec.num_players.min())
        ):
            raise OptionError(
                f'seat={seat!r} is not allowed: "random" or 0 to {int(vec.num_players.min()) - 1}'
            )
        shares = np.ones(len(opponents)) if weights is None else np.asarray(weights, float)
        if shares.shape != (len(opponents),) or shares.min() < 0 or not shares.sum() > 0:
            raise OptionError(f"weights {weights!r} do not fit {len(opponents)} opponents")
        self.vec = vec
        self.opponents = tuple(opponents)
        self.clock = Clock()
        self.unseen_games = 0
        self._seat = seat
        self._cumulative = np.cumsum(shares / shares.sum())
        self._skip_single = skip_single
        self._generator = np.random.default_rng(seed)
        count = vec.num_envs
        self.learner = np.zeros(count, np.int64)  # seat of the learner in each game
        self._bots = np.zeros((count, vec.seats), np.int64)  # which opponent sits where
        self._decisions = np.zeros(count, np.int64)  # of the learner in the game so far
        self._masks = np.zeros((count, vec.game.num_actions), np.int8)
        self._actors = np.zeros(count, np.int64)
        self._live = False

    def reset(self, seed: int | None = None, vec_seed: int | None = None) -> SeatBatch:
        """Deal all games anew and play until the learner's first decisions.

        Args:
            seed: of the draws of seats and opponents; they go on if not given.
            vec_seed: of the deals; the run's stream goes on if not given.
        """
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        start = time.perf_counter()
        batch = self.vec.reset(vec_seed)
        self.clock.engine += time.perf_counter() - start
        everywhere = np.arange(self.vec.num_envs)
        self._take_seats(everywhere)
        self._decisions[:] = 0
        self._masks[:] = batch.masks
        self._actors[:] = batch.actors
        self._live = True
        return self._play_on(everywhere, _Endings(self.vec))

    def step(self, actions: ArrayLike) -> SeatBatch:
        """Take the learner's action in every game and play until its next decisions.

        Raises:
            UsageError: before the first reset.
            IllegalActionError: an action is not legal; no game is changed.
        """
        if not self._live:
            raise UsageError("step() needs games: call reset() first")
        everywhere = np.arange(self.vec.num_envs)
        endings = _Endings(self.vec)
        batch = self._advance(np.asarray(actions), everywhere)
        self._decisions += 1
        self._note(batch, endings)
        return self._play_on(everywhere, endings)

    def _advance(self, actions: NDArray[Any], games: NDArray[np.int64]) -> Batch:
        start = time.perf_counter()
        batch = self.vec.step(actions, games, observe=False)
        self.clock.engine += time.perf_counter() - start
        return batch

    def _play_on(self, games: NDArray[np.int64], endings: _Endings) -> SeatBatch:
        """Let bots act, and forced learners, until every game waits for its learner."""
        while len(games := self._not_waiting(games)):
            batch = self._advance(self._choose(games), games)
            self._note(batch, endings)
        start = time.perf_counter()
        observations = self.vec.observations()
        self.clock.engine += time.perf_counter() - start
        return endings.batch(observations, self._masks.copy())

    def _not_waiting(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of ``games`` in which the learner has nothing to decide now."""
        others: NDArray[np.bool_] = self._actors[games] != self.learner[games]
        if self._skip_single:
            others |= self._masks[games].sum(axis=1, dtype=np.int64) == 1
        return games[others]

    def _choose(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Actions of the bots, and of learners with a single legal action, in ``games``."""
        actions: NDArray[np.int64] = self._masks[games].argmax(axis=1)
        seats = self._actors[games]
        bot = np.where(seats == self.learner[games], -1, self._bots[games, seats])
        start = time.perf_counter()
        for number, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(bot == number)
            if len(rows):
                views = self.vec.views(games[rows])
                actions[rows] = opponent.act(views, self._masks[games[rows]])
        self.clock.bots += time.perf_counter() - start
        return actions

    def _note(self, batch: Batch, endings: _Endings) -> None:
        """Take over what is new in the games of ``batch`` and keep the ends of games."""
        games = batch.games
        self._masks[games] = batch.masks
        self._actors[games] = batch.actors
        if len(batch.finished):
            ended = games[batch.finished]
            seen = self._decisions[ended] > 0
            self.unseen_games += int((~seen).sum())
            seats = self.learner[ended]
            endings.add(
                ended[seen],
                batch.rewards[batch.finished, seats][seen],
                batch.truncated[batch.finished][seen],
                batch.final_observations[np.arange(len(ended)), seats][seen],
                batch.final_views[np.arange(len(ended)), seats][seen],
                self._decisions[ended][seen],
            )
            self._decisions[ended] = 0
            self._take_seats(ended)

    def _take_seats(self, games: NDArray[np.int64]) -> None:
        """Draw the learner's seat and the opponents for new games."""
        if self._seat == "random":
            spread = self._generator.random(len(games))
            self.learner[games] = (spread * self.vec.num_players[games]).astype(np.int64)
        else:
            self.learner[games] = int(self._seat)
        if len(self.opponents) > 1:
            draws = self._generator.random((len(games), self.vec.seats))
            chosen = np.searchsorted(self._cumulative, draws, side="right")
            self._bots[games] = np.minimum(chosen, len(self.opponents) - 1)


class _Endings:
    """Collects the games that end during one step of the learner: at most one for each row.

    After its game has ended a learner has had no decision in the next one, so that one could only
    end unseen.
    """

    def __init__(self, vec: VecGame) -> None:
        self._count = vec.num_envs
        self._size = vec.game.observation.size
        self._dtype = vec.game.dtype
        self._games: list[NDArray[np.int64]] = []
        self._rewards: list[NDArray[np.float64]] = []
        self._truncated: list[NDArray[np.bool_]] = []
        self._finals: list[NDArray[np.int8]] = []
        self._views: list[Records] = []
        self._lengths: list[NDArray[np.int64]] = []

    def add(
        self,
        games: NDArray[np.int64],
        rewards: NDArray[np.float64],
        truncated: NDArray[np.bool_],
        finals: NDArray[np.int8],
        views: Records,
        lengths: NDArray[np.int64],
    ) -> None:
        self._games.append(games)
        self._rewards.append(rewards)
        self._truncated.append(truncated)
        self._finals.append(finals)
        self._views.append(views)
        self._lengths.append(lengths)

    def batch(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> SeatBatch:
        rewards = np.zeros(self._count)
        terminated = np.zeros(self._count, bool)
        truncated = np.zeros(self._count, bool)
        finals = np.zeros((0, self._size), np.int8)
        views = new_records(0, self._dtype)
        lengths = np.zeros(0, np.int64)
        if self._games:
            games = np.concatenate(self._games)
            order = np.argsort(games)
            rewards[games] = np.concatenate(self._rewards)
            truncated[games] = np.concatenate(self._truncated)
            terminated[games] = ~truncated[games]
            finals = np.concatenate(self._finals)[order]
            views = attribute_records(np.concatenate(self._views)[order])
            lengths = np.concatenate(self._lengths)[order]
        return SeatBatch(
            observations, masks, rewards, terminated, truncated, finals, views, lengths
        )
