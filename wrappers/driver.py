"""Plays games on behalf of everybody but one learner, until the learner is to decide.

Both adapters stand on this: many games side by side, in each of them one seat of the learner's, the
others answered by bots in batches. Kinds of decisions that are not the learner's are left to one
more bot, the assistant in its seat. The learner's return of each game is delivered exactly once,
at whoever's turn the game ends.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.envs import VecGame
from concilium.envs.core.decisions import ALL, Decisions
from concilium.envs.core.errors import IllegalActionError, OptionError, UsageError
from concilium.envs.core.state import SPECTATOR, Records
from concilium.wrappers.delegation import Delegation
from concilium.wrappers.ledger import DELIVERED, OWED, Ledger
from concilium.wrappers.opponents import FAILED, Actor, BotLike, Opponents, answers

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


class Driver:
    """Games with one learner's seat each; everybody else is played here.

    A game may end before the learner has decided anything. It is an episode all the same: the
    learner gets its last observation and a mask that allows action 0 alone, which does nothing, and
    the next step delivers the return.

    Args:
        vec: the games.
        opponents: who plays the other seats.
        seat: the learner's seat, or ``"random"``: drawn for each game.
        skip_single: play decisions with one option for the learner. No View tells of it, and with
            an undiscounted return nothing is lost.
        auto_reset: go on with the next game where one ends; without, ended games rest until
            :meth:`reset`.
        decisions: the kinds of decisions that the learner makes.
        assistant: a bot or its name, which makes the others in the learner's seat.

    Raises:
        OptionError: the seat does not exist in every game, a seat has no opponent, or decisions
            and assistant do not fit.
    """

    def __init__(
        self,
        vec: VecGame,
        opponents: Opponents,
        *,
        seat: int | str = RANDOM_SEAT,
        skip_single: bool = True,
        auto_reset: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
    ) -> None:
        self.vec = vec
        self.opponents = opponents
        self.skip_single = skip_single
        self.auto_reset = auto_reset
        self.clock = Clock()
        self._tables: list[int] = sorted(set(vec.num_players.tolist()))
        self._fixed_seat = _check_seat(seat, self._tables[0])
        for table in self._tables:
            opponents.check_seats(table - 1)
        game = vec.game
        self._delegation = Delegation(game, decisions, assistant)
        self._actors = opponents.bots
        if self._delegation.assistant is not None:
            self._actors = (*opponents.bots, self._delegation.assistant)
        self._ledger = Ledger(
            vec.num_envs, vec.seats, game.num_actions, game.observation.size, game.dtype
        )
        self._games = self._ledger.games
        self._generator = np.random.default_rng(int.from_bytes(os.urandom(8), "little"))
        self._rows = np.arange(vec.num_envs)
        self._failed = False  # a bot, in the middle of a step
        self._engine_seconds = 0.0  # in this step
        self._bot_seconds = 0.0

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each game ``(n,)``."""
        seats: NDArray[np.int64] = self._games["seat"].copy()
        return seats

    def views(self) -> Records:
        """The learner's Views of all games ``(n,)``, the last ones of games that are over."""
        owed, resting = self._games["owed"] != 0, self._games["resting"] != 0
        # where a game is over the engine has dealt the next, which nobody is to see yet
        players = np.where(owed | resting, SPECTATOR, self._games["seat"])
        views = self.vec.views(self._rows, players)
        views[owed] = self._ledger.views[owed, OWED]
        views[resting] = self._ledger.views[resting, DELIVERED]
        return views

    # Playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Turn:
        """Deal all games anew.

        Args:
            seed: games, seats, bots and assistant are seeded from it, each from a stream of its
                own; without one, all streams go on.
        """
        start = time.perf_counter()
        if seed is None:
            batch = self.vec.reset()
        else:
            games, own, bots, helper = np.random.SeedSequence(seed).spawn(4)
            self._generator = np.random.default_rng(own)
            self.opponents.seed(bots)
            self._delegation.seed(helper)
            batch = self.vec.reset(int(games.generate_state(1, np.uint64)[0]))
        self._failed = False
        self._games["owed"] = 0
        self._games["resting"] = 0
        self._draw_next(self._rows)
        self._ledger.take_next(self._rows)
        self._draw_next(self._rows)
        self._ledger.take_over(self._rows, batch, self.auto_reset)
        self._games["done"] = 1  # what ends from here on does so before a decision of the learner
        self._advance(self._rows)
        self._games["done"] = 0
        return self._turn(start)

    def step(self, actions: ArrayLike) -> Turn:
        """Take the learner's actions ``(n,)``, legal ones, and play on until it decides again.

        Raises:
            IllegalActionError: an action is not legal; nothing has changed.
            BotError: a bot's answer cannot be used. Whatever a bot raises, the games cannot go on
                before the next reset.
            UsageError: that has happened.
        """
        if self._failed:
            raise UsageError(FAILED)
        start = time.perf_counter()
        chosen = np.asarray(actions)
        if chosen.shape != self._rows.shape:
            raise IllegalActionError(f"actions of shape {chosen.shape} for {len(self._rows)} games")
        owed = self._games["owed"] != 0
        over = owed | (self._games["resting"] != 0)
        if (chosen[over] != 0).any():
            raise IllegalActionError("the game is over: only action 0 is legal, and does nothing")
        playing = np.flatnonzero(~over) if over.any() else self._rows
        choices = len(playing)
        if not self.skip_single:
            options = self._ledger.masks[playing].sum(axis=1, dtype=np.int64)
            choices = int((options > 1).sum())
        self._play(playing, chosen[playing])
        self.clock.decisions += choices
        if owed.any():
            late = np.flatnonzero(owed)
            self._ledger.deliver_owed(late, self.auto_reset)
            playing = np.concatenate([playing, late])
        self._advance(playing)
        return self._turn(start)

    def _draw_next(self, rows: NDArray[np.int64]) -> None:
        """Draw seats and opponents for the games to come in ``rows``."""
        for table in self._tables:
            group = rows
            if len(self._tables) > 1:
                group = rows[self.vec.num_players[rows] == table]
            if self._fixed_seat is None:
                seats = self._generator.integers(0, table, len(group))
            else:
                seats = np.full(len(group), self._fixed_seat)
            self._games["next_seat"][group] = seats
            drawn = self.opponents.draw(len(group), table - 1, self._generator)
            for k in range(table - 1):
                self._games["next_bots"][group, (seats + 1 + k) % table] = drawn[:, k]
            # in its own seat a bot is asked where the decision is not the learner's: the last one
            self._games["next_bots"][group, seats] = len(self._actors) - 1

    def _advance(self, rows: NDArray[np.int64]) -> None:
        """Play the games in ``rows`` until each waits for the learner, is owed or rests."""
        while True:
            kinds = None if self._delegation.whole else self.vec.kinds(rows)
            rows, actions, asked, bots = self._ledger.sort_out(
                rows, kinds, self._delegation.chosen, self.skip_single
            )
            if not len(rows):
                return
            if len(asked):
                actions[asked] = self._answers(rows[asked], bots)
            self._play(rows, actions)

    def _answers(self, rows: NDArray[np.int64], bots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Ask the bots to act in the games ``rows``, each once for all of its seats."""
        actors = self._actors
        if len(actors) == 1:
            return self._ask(actors[0], rows)
        actions = np.empty(len(rows), np.int64)
        for k, actor in enumerate(actors):
            part = np.flatnonzero(bots == k)
            if len(part):
                actions[part] = self._ask(actor, rows[part])
        return actions

    def _ask(self, actor: Actor, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        start = time.perf_counter()
        views = self.vec.views(rows)
        masks = self._ledger.masks[rows]
        middle = time.perf_counter()
        self._failed = True
        actions = answers(actor, views, masks)
        self._failed = False
        self._engine_seconds += middle - start
        self._bot_seconds += time.perf_counter() - middle
        return actions

    def _play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Take one action in each game of ``rows``."""
        start = time.perf_counter()
        batch = self.vec.step(actions, None if rows is self._rows else rows, observe=False)
        self._engine_seconds += time.perf_counter() - start
        self._ledger.take_over(rows, batch, self.auto_reset)

    def _turn(self, start: float) -> Turn:
        """Collect what the learner gets, close the books of this step, and account for its time."""
        before = time.perf_counter()
        observations = self.vec.observations()
        self._engine_seconds += time.perf_counter() - before
        masks = self._ledger.masks.copy()
        games = self._games
        owed, resting = games["owed"] != 0, games["resting"] != 0
        over = owed | resting
        if over.any():
            observations[resting] = self._ledger.seen[resting, DELIVERED]
            observations[owed] = self._ledger.seen[owed, OWED]
            masks[over] = 0
            masks[over, 0] = 1
        done = games["done"] != 0
        finished = np.flatnonzero(done)
        truncated = done & (games["truncated"] != 0)
        turn = Turn(
            observations=observations,
            masks=masks,
            rewards=np.where(done, games["reward"], 0.0),
            terminated=done & ~truncated,
            truncated=truncated,
            finished=finished,
            final_observations=self._ledger.seen[finished, DELIVERED],
            final_seats=games["final_seat"][finished],
            final_views=self._ledger.views[finished, DELIVERED],
        )
        games["done"] = 0
        if len(finished) and self.auto_reset:
            self._draw_next(finished)
        self._close_account(time.perf_counter() - start)
        return turn

    def _close_account(self, seconds: float) -> None:
        self.clock.engine += self._engine_seconds
        self.clock.opponents += self._bot_seconds
        self.clock.adapter += seconds - self._engine_seconds - self._bot_seconds
        self._engine_seconds = 0.0
        self._bot_seconds = 0.0


def _check_seat(seat: int | str, players: int) -> int | None:
    """The fixed seat, or None for a random one."""
    if isinstance(seat, str) and seat == RANDOM_SEAT:
        return None
    if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < players:
        return int(seat)
    raise OptionError(f"seat={seat!r} is not allowed: 0 to {players - 1}, or {RANDOM_SEAT!r}")
