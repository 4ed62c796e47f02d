"""Plays games on behalf of everybody but one learner, until the learner is to decide.

All adapters stand on this: many games side by side, in each of them one seat of the learner's, or
all seats of its side, the others answered by bots in batches. Kinds of decisions that are not the
learner's are left to one more bot, the assistant in its seat. The learner's return of each game is
delivered exactly once, at whoever's turn the game ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from concilium.baselines.registry import BotLike
from concilium.envs import Batch, Game, VecGame
from concilium.envs.core.copies import Independent
from concilium.envs.core.decisions import ALL, Decisions
from concilium.envs.core.errors import IllegalActionError, OptionError, UsageError
from concilium.envs.core.play import FAILED, OUTSIDE, PlayLoop
from concilium.envs.core.play import Clock as LoopClock
from concilium.envs.core.state import (
    SPECTATOR,
    Records,
    new_records,
    put_records,
    take_records,
)
from concilium.wrappers.delegation import Delegation
from concilium.wrappers.opponents import Opponents

DELIVERED: Final = 0  # slots of what the learner saw last: of the game delivered in this step,
OWED: Final = 1  # and of one after it that is over already
RANDOM_SEAT: Final = "random"


@dataclass(frozen=True)
class Turn:
    """Where each game stands when the learner is to decide in all of them.

    All arrays are the caller's own.

    Attributes:
        observations: of the learner ``(n, size) int8``.
        masks: its legal actions ``(n, num_actions) int8``, never all zero.
        rewards: its returns of the games that have just ended, else 0, ``(n,) float64``.
        terminated: the game that was being played is over ``(n,) bool``.
        truncated: it was cut short ``(n,) bool``.
        finished: rows where one of the two holds ``(f,) int64``.
        final_observations: the learner's last observations of those games ``(f, size) int8``.
        final_seats: the learner's seats in them ``(f,) int64``.
        final_views: the learner's last Views of them ``(f,)``.
        outcomes: names of how they ended, ``(f,)`` of the game's ``outcomes``.
    """

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    finished: NDArray[np.int64]
    final_observations: NDArray[np.int8]
    final_seats: NDArray[np.int64]
    final_views: Records
    outcomes: tuple[str, ...]


@dataclass
class Clock:
    """Seconds spent, for reports.

    Attributes:
        engine: in the games themselves: rules, Views, observations, masks.
        adapter: in the driver, between the engine and the bots.
        opponents: in the bots' ``act``, the assistant's included.
        decisions: how many decisions with at least two options the learner has made.
    """

    engine: float = 0.0
    adapter: float = 0.0
    opponents: float = 0.0
    decisions: int = 0

    @property
    def environment(self) -> float:
        """Engine and adapter together: all that is neither learner nor opponent."""
        return self.engine + self.adapter


class Driver(Independent):
    """Games with one learner's seat each, or one side; everybody else is played here.

    A game may end before the learner has decided anything. It is an episode all the same: the
    learner gets its last observation and a mask that allows action 0 alone, which does nothing, and
    the next step delivers the return.

    Args:
        vec: the games.
        opponents: who plays the other seats: bots, names, or :class:`.opponents.Opponents`.
        seat: the learner's seat, ``"random"``: drawn for each game, or the name of a side: one of
            the seats that are dealt to it, drawn for each game.
        side: name of a side, all of whose seats the learner plays; None for one seat.
        skip_single: play decisions with one option for the learner. No View tells of it, and with
            an undiscounted return nothing is lost.
        auto_reset: go on with the next game where one ends; without, ended games rest until
            :meth:`reset`.
        decisions: the kinds of decisions that the learner makes.
        assistant: a bot or its name, which makes the others in the learner's seat.

    Raises:
        OptionError: the seat does not exist in every game, there is no such side, a seat has no
            opponent, or decisions and assistant do not fit.
    """

    def __init__(
        self,
        vec: VecGame,
        opponents: BotLike | Sequence[BotLike] | Opponents,
        *,
        seat: int | str = RANDOM_SEAT,
        side: str | None = None,
        skip_single: bool = True,
        auto_reset: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
    ) -> None:
        self.vec = vec
        if not isinstance(opponents, Opponents):
            opponents = Opponents(opponents, game=vec.game)
        self.opponents = opponents
        self.skip_single = skip_single
        self.auto_reset = auto_reset
        self.clock = Clock()
        self._tables: list[int] = sorted(set(vec.num_players.tolist()))
        self._whole = side is not None
        self._side = _check_side(seat, side, vec.game)
        self._fixed_seat = None if self._side is not None else _check_seat(seat, self._tables[0])
        for table in self._tables:
            opponents.check_seats(table - 1)
        self._delegation = Delegation(vec.game, decisions, assistant)
        count = vec.num_envs
        self._loop = PlayLoop(
            vec, (*opponents.bots, *self._delegation.players), np.zeros((count, vec.seats), int),
            deciders=self._delegation.deciders(len(opponents.bots)), stop_forced=not skip_single,
            on_ends=self._end,
        )  # fmt: skip
        self._generator = np.random.default_rng(int.from_bytes(os.urandom(8), "little"))
        self._rows = np.arange(count)
        self._seat = np.zeros(count, np.int64)  # the learner's
        self._next_seat = np.zeros(count, np.int64)  # its seat in the next game
        self._next_chance = np.zeros(count)  # which of a side's seats that is, known once dealt
        self._next_bots = np.zeros((count, vec.seats - 1), np.int64)  # clockwise of it
        self._done = np.zeros(count, bool)  # a game is delivered in this step
        # a game ended before a decision of the learner, and is not yet delivered
        self._owed = np.zeros(count, bool)
        # of the games that are delivered and owed: see the slots
        self._rewards = np.zeros((count, 2))
        self._truncated = np.zeros((count, 2), bool)
        self._final_seats = np.zeros((count, 2), np.int64)
        self._seen = np.zeros((count, 2, vec.game.observation.size), np.int8)
        self._views = new_records(2 * count, vec.game.dtype)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each game ``(n,)``; of those of its side the one to decide."""
        return self._seat.copy()

    def views(self) -> Records:
        """The learner's Views of all games ``(n,)``, the last ones of games that are over."""
        over = self._loop.resting
        # where a game is over the engine has dealt the next, which nobody is to see yet
        views = self.vec.views(self._rows, np.where(over, SPECTATOR, self._seat))
        last = take_records(self._views, 2 * self._rows[over] + self._owed[over])
        put_records(views, self._rows[over], last)
        return views

    def texts(self, rows: Iterable[int] | None = None) -> list[str]:
        """The tables ``rows`` (all) in characters, as :meth:`views` shows them."""
        views = self.views()
        rows = self._rows.tolist() if rows is None else rows
        return [self.vec.tables[row].render(views, row) for row in rows]

    # Playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Turn:
        """Deal all games anew.

        Args:
            seed: games, seats, bots and assistant are seeded from it, each from a stream of its
                own; without one, all streams go on.
        """
        start = time.perf_counter()
        if seed is None:
            self.vec.reset()
        else:
            games, own, bots, helper = np.random.SeedSequence(seed).spawn(4)
            self._generator = np.random.default_rng(own)
            self.opponents.seed(bots)
            self._delegation.seed(helper)
            self.vec.reset(int(games.generate_state(1, np.uint64)[0]))
        self._loop.failed = False
        self._loop.clock = LoopClock()
        self._loop.resting[:] = False
        self._owed[:] = False
        self._draw_next(self._rows)
        self._take_next(self._rows)
        self._draw_next(self._rows)
        self._done[:] = True  # what ends from here on does so before a decision of the learner
        self._loop.run()
        self._done[:] = False
        return self._turn(start)

    def step(self, actions: ArrayLike) -> Turn:
        """Take the learner's actions ``(n,)``, legal ones, and play on until it decides again.

        Raises:
            IllegalActionError: an action is not legal; nothing has changed.
            BotError: a bot's answer cannot be used. Whatever a bot raises, the games cannot go on
                before the next reset.
            UsageError: that has happened.
        """
        if self._loop.failed:
            raise UsageError(FAILED)
        start = time.perf_counter()
        self._loop.clock = LoopClock()
        chosen = np.asarray(actions)
        if chosen.shape != self._rows.shape:
            raise IllegalActionError(f"actions of shape {chosen.shape} for {len(self._rows)} games")
        over = self._loop.resting
        if (chosen[over] != 0).any():
            raise IllegalActionError("the game is over: only action 0 is legal, and does nothing")
        late = np.flatnonzero(self._owed)
        playing = np.flatnonzero(~over) if over.any() else self._rows
        choices = len(playing)
        if not self.skip_single:
            options = self.vec.standing[0][playing].sum(axis=1, dtype=np.int64)
            choices = int((options > 1).sum())
        before = time.perf_counter()
        batch = self.vec.advance(chosen[playing], None if playing is self._rows else playing)
        self._loop.clock.engine += time.perf_counter() - before
        self.clock.decisions += choices
        if len(batch.finished):
            self._end(batch)
        if len(late):
            self._deliver_owed(late)
            playing = np.concatenate([playing, late])
        self._loop.run(playing)
        return self._turn(start)

    def _draw_next(self, rows: NDArray[np.int64]) -> None:
        """Draw seats and opponents for the games to come in ``rows``."""
        for table in self._tables:
            group = self._at(table, rows)
            if self._side is not None:
                self._next_chance[group] = self._generator.random(len(group))
            elif self._fixed_seat is None:
                self._next_seat[group] = self._generator.integers(0, table, len(group))
            else:
                self._next_seat[group] = self._fixed_seat
            drawn = self.opponents.draw(len(group), table - 1, self._generator)
            self._next_bots[group, : table - 1] = drawn

    def _at(self, table: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of ``rows`` whose games have ``table`` players."""
        return rows if len(self._tables) == 1 else rows[self.vec.num_players[rows] == table]

    def _take_next(self, rows: NDArray[np.int64]) -> None:
        """Let the learner and the bots sit down as drawn for the next game, which is dealt."""
        if self._side is not None:
            dealt = take_records(self.vec.plain_states, rows)
            theirs = self.vec.game.sides_in(dealt)[:, : self.vec.seats] == self._side
            which = (self._next_chance[rows] * theirs.sum(axis=1)).astype(np.int64)
            self._next_seat[rows] = (theirs.cumsum(axis=1) > which[:, np.newaxis]).argmax(axis=1)
        self._seat[rows] = self._next_seat[rows]
        sits = self._loop.sits
        for table in self._tables:
            group = self._at(table, rows)
            seats = self._seat[group]
            for k in range(table - 1):
                sits[group, (seats + 1 + k) % table] = self._next_bots[group, k]
            sits[group, seats] = OUTSIDE
        if self._whole:
            sits[rows] = np.where(theirs, OUTSIDE, sits[rows])

    def _end(self, batch: Batch) -> None:
        """Keep what the learner gets of games that have ended."""
        rows, games = batch.games[batch.finished], np.arange(len(batch.finished))
        seats = self._seat[rows]
        # a second game, over before the learner decided anything in it, has to wait
        again = self._done[rows]
        slots = np.where(again, OWED, DELIVERED)
        self._rewards[rows, slots] = batch.rewards[batch.finished, seats]
        self._truncated[rows, slots] = batch.truncated[batch.finished]
        self._final_seats[rows, slots] = seats
        self._seen[rows, slots] = batch.final_observations[games, seats]
        last = take_records(batch.final_views.reshape(-1), games * self.vec.seats + seats)
        put_records(self._views, 2 * rows + slots, last)
        self._owed[rows[again]] = True
        self._loop.resting[rows[again]] = True
        self._go_on(rows[~again])

    def _go_on(self, rows: NDArray[np.int64]) -> None:
        """A game is delivered in ``rows``; go on with the next, or rest."""
        self._done[rows] = True
        self._loop.resting[rows] = not self.auto_reset
        if self.auto_reset:
            self._take_next(rows)

    def _deliver_owed(self, rows: NDArray[np.int64]) -> None:
        """Deliver in this step the games that were over before a decision of the learner."""
        self._owed[rows] = False
        for kept in (self._rewards, self._truncated, self._final_seats, self._seen):
            kept[rows, DELIVERED] = kept[rows, OWED]
        put_records(self._views, 2 * rows + DELIVERED, take_records(self._views, 2 * rows + OWED))
        self._go_on(rows)

    def _turn(self, start: float) -> Turn:
        """Collect what the learner gets, close the books of this step, and account for its time."""
        before = time.perf_counter()
        observations, masks = self.vec.observations(), self.vec.masks
        spent = self._loop.clock
        spent.engine += time.perf_counter() - before
        over = np.flatnonzero(self._loop.resting)
        if self._whole:
            self._seat = np.where(self._loop.resting, self._seat, self.vec.standing[1])
        if len(over):
            observations[over] = self._seen[over, self._owed[over].astype(np.int64)]
            masks[over] = 0
            masks[over, 0] = 1
        done = self._done
        finished = np.flatnonzero(done)
        truncated = done & self._truncated[:, DELIVERED]
        final_views = take_records(self._views, 2 * finished + DELIVERED)
        turn = Turn(
            observations=observations,
            masks=masks,
            rewards=np.where(done, self._rewards[:, DELIVERED], 0.0),
            terminated=done & ~truncated,
            truncated=truncated,
            finished=finished,
            final_observations=self._seen[finished, DELIVERED],
            final_seats=self._final_seats[finished, DELIVERED],
            final_views=final_views,
            outcomes=self.vec.game.outcome_names(final_views),
        )
        done[:] = False
        if len(finished) and self.auto_reset:
            self._draw_next(finished)
        self.clock.engine += spent.engine
        self.clock.opponents += spent.bots
        self.clock.adapter += time.perf_counter() - start - spent.engine - spent.bots
        return turn


def _check_seat(seat: int | str, players: int) -> int | None:
    """The fixed seat, or None for a random one."""
    if isinstance(seat, str) and seat == RANDOM_SEAT:
        return None
    if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < players:
        return int(seat)
    raise OptionError(f"seat={seat!r} is not allowed: 0 to {players - 1}, or {RANDOM_SEAT!r}")


def _check_side(seat: int | str, side: str | None, game: Game) -> int | None:
    """The number of the side that is named by ``side``, or by ``seat``; None without one."""
    if side is None:
        named = isinstance(seat, str) and seat != RANDOM_SEAT and bool(game.sides)
        return game.side_number(str(seat)) if named else None
    if seat != RANDOM_SEAT:
        raise OptionError(
            f"seat={seat!r} is not allowed with side={side!r}, which takes all seats of a side"
        )
    return game.side_number(side)


def learner_spaces(game: Game) -> tuple[spaces.Space[Any], spaces.Discrete]:
    """Spaces of a learner's observations and actions."""
    layout = game.observation
    box = spaces.Box(layout.low, layout.high, dtype=np.int8)
    return box, spaces.Discrete(game.num_actions)
