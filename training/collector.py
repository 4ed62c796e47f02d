"""Plays many games side by side and keeps what the learner decided in them.

All games go one decision further at a time, so the learner, past policies and bots each answer in
one batch, and no game waits for another. Decisions with one option are played without asking
anybody and are not kept: with an undiscounted return nothing is lost. Kinds of decisions that are
not the policies' to make are left to an assistant in their seats.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines import Bot, ComposedBot
from concilium.envs import Batch, UsageError, make_vec
from concilium.envs.core.bot import GeneratorBot, answers
from concilium.envs.core.decisions import decision_kinds
from concilium.envs.core.play import Clock, Player, PlayLoop, deciders
from concilium.envs.core.state import take_records
from concilium.training.opponents import LEARNER, OpponentSampler
from concilium.training.presets import Preset
from concilium.training.reservoir import Reservoir
from concilium.training.rollout import RolloutBuffer
from concilium.training.selfplay import SelfPlayPPO

_NOBODY: Final = -1
_IDLE_GAMES: Final = 10_000  # in a row; rare decisions are met sooner, impossible ones never


@dataclass
class Spent:
    """Seconds spent while playing.

    Attributes:
        engine: rules, Views, observations, masks.
        opponents: past policies and bots.
        inference: the learner.
        books: all else: who is to be asked, and keeping what was decided.
    """

    engine: float = 0.0
    opponents: float = 0.0
    inference: float = 0.0
    books: float = 0.0


@dataclass
class Tally:
    """Games that ended, from the learner's own seats.

    Attributes:
        games: how many.
        won: in how many the own seat had a positive return.
        own: sum of its returns.
        table: sum of the tables' mean returns.
    """

    games: int = 0
    won: int = 0
    own: float = 0.0
    table: float = 0.0


class Collector:
    """The games of a run.

    Args:
        preset: the settings.
        bots: in the order of the preset.
        teacher: who decides for the learner while it imitates; None if nobody ever does.
        assistant: who makes the decisions that the preset leaves to it; None if there are none.
        reservoir: past policies.
        generator: of seats, actions and everything else here.

    Attributes:
        rollout: the decisions.
        decisions: how many the learner has made since the beginning.
        games: games that ended since the beginning.
        spent: seconds since the beginning.
        tally: of the games that ended since it was last replaced.
    """

    def __init__(
        self,
        preset: Preset,
        bots: Sequence[Bot],
        teacher: Bot | None,
        assistant: Bot | None,
        reservoir: Reservoir,
        generator: np.random.Generator,
    ) -> None:
        sizes = [preset.num_players[k % len(preset.num_players)] for k in range(preset.num_envs)]
        self.vec = make_vec(preset.game, preset.num_envs, sizes, **preset.options)
        self.bots = tuple(bots)
        self.teacher = teacher
        self.assistant = assistant
        self.reservoir = reservoir
        self.generator = generator
        self.decisions = 0
        self.games = 0
        self.spent = Spent()
        self.tally = Tally()
        self._preset = preset
        self._opponents = OpponentSampler(preset)
        game = self.vec.game
        self._chosen = decision_kinds(game, preset.decisions)
        self._side = game.side_number(preset.side) if preset.side else None
        self._last_kept = 0  # number of the game in which a decision was last kept
        count, seats = preset.num_envs, self.vec.seats
        self._state_size = game.state_layout.size if preset.critic == "state" else 0
        capacity = preset.rollout_size + count * (1 + seats)  # the last round, and what waits
        self.rollout = RolloutBuffer(
            capacity, count, seats, game.observation.size, self._state_size, game.num_actions
        )
        self._own = np.zeros(count, np.int64)
        self._seated = np.full((count, seats), _NOBODY, np.int64)  # numbers of past policies
        self._rows = np.arange(count)
        self._learner: SelfPlayPPO | None = None  # while it collects
        self._shows: Bot | None = None  # who decides for it
        self._loop = self._make_loop()

    def _make_loop(self) -> PlayLoop[Batch]:
        """All players by their numbers in the opponent sampler; the assistant is the last."""
        past = [self._past] * self.reservoir.capacity
        players: list[Player] = [self._decide, *past, *self.bots]
        table = None
        if self.assistant is not None:  # in the seats of the policies
            policies, last = range(self._opponents.first_bot), len(players)
            players.append(self.assistant)
            table = deciders(self._chosen, len(players), last, leaving=policies)
        sits = np.zeros((self._preset.num_envs, self.vec.seats), np.int64)
        return PlayLoop(self.vec, players, sits, deciders=table, on_ends=self._end)

    def begin(self, seed: int) -> None:
        """Deal all games for the first time."""
        self.vec.reset(seed)
        self._cast_games(self._rows)

    def collect(self, model: SelfPlayPPO, cloning: bool = False) -> None:
        """Play until at least ``preset.rollout_size`` decisions are complete.

        Args:
            model: the learner.
            cloning: let the teacher decide in its place; what is kept is what the teacher did.

        Raises:
            UsageError: the learner's kinds of decisions do not occur.
        """
        self._learner, self._shows = model, self.teacher if cloning else None
        start = time.perf_counter()
        before = self.spent.engine + self.spent.opponents + self.spent.inference
        self._loop.clock = Clock()
        self.rollout.keep_open()
        while self.rollout.count - self.rollout.waiting < self._preset.rollout_size:
            self._loop.round()
            if self.games - self._last_kept > _IDLE_GAMES:
                kinds = ", ".join(self._preset.decisions)
                raise UsageError(
                    f"{_IDLE_GAMES} games without a choice of the learner's about {kinds}: there "
                    "is nothing to learn from"
                )
        self.spent.engine += self._loop.clock.engine
        self.spent.opponents += self._loop.clock.bots
        within = self.spent.engine + self.spent.opponents + self.spent.inference - before
        self.spent.books += time.perf_counter() - start - within

    # One round -------------------------------------------------------------------------------

    def _decide(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Let the learner, or its teacher, act in the games ``rows`` and keep the decisions."""
        assert self._learner is not None
        start = time.perf_counter()
        observations = self.vec.observations(rows)
        if self._state_size:
            state_vectors = self.vec.state_vectors(rows)
        else:
            state_vectors = np.empty((len(rows), 0), np.int8)
        every_mask, actors = self.vec.standing
        masks, seats = every_mask[rows], actors[rows]
        middle = time.perf_counter()
        shown = None if self._shows is None else answers(self._shows, self.vec.views(rows), masks)
        actions, values, log_probs = self._learner.decide(
            observations, masks, state_vectors, self.generator, shown
        )
        self.spent.engine += middle - start
        self.spent.inference += time.perf_counter() - middle
        kept = slice(None) if self._preset.seats == "all" else seats == self._own[rows]
        self.rollout.add(
            rows[kept], seats[kept], observations[kept], state_vectors[kept], masks[kept],
            actions[kept], values[kept], log_probs[kept],
        )  # fmt: skip
        self.decisions += len(rows[kept])
        self._last_kept = self.games
        return actions

    def _past(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Let the past policies of a place act in the games ``rows``.

        They are one, and until the games that were begun before it came are over the one before.
        """
        start = time.perf_counter()
        observations = self.vec.observations(rows)
        every_mask, actors = self.vec.standing
        masks, numbers = every_mask[rows], self._seated[rows, actors[rows]]
        middle = time.perf_counter()
        actions = np.empty(len(rows), np.int64)
        for number in np.unique(numbers).tolist():
            asked = numbers == number
            actions[asked] = self.reservoir.act(
                number, observations[asked], masks[asked], self.generator
            )
        self.spent.engine += middle - start
        self.spent.opponents += time.perf_counter() - middle
        return actions

    def _end(self, batch: Batch) -> None:
        """Note how the games ended that did, and seat the next ones."""
        rows = batch.games[batch.finished]
        returns = batch.rewards[batch.finished]
        table = returns.sum(axis=1) / self.vec.num_players[rows]
        own = returns[np.arange(len(rows)), self._own[rows]]
        self.games += len(rows)
        self.tally.games += len(rows)
        self.tally.won += int((own > 0).sum())
        self.tally.own += float(own.sum())
        self.tally.table += float(table.sum())
        if self._preset.reward == "table":
            returns = np.repeat(table[:, np.newaxis], returns.shape[1], axis=1)
        self.rollout.close(rows, returns)
        self._cast_games(rows)

    def _cast_games(self, rows: NDArray[np.int64]) -> None:
        """Say who plays in the games ``rows``, which have just been dealt."""
        game, tables = self.vec.game, self.vec.num_players[rows]
        sides = None
        if self._side is not None:  # nobody knew before the deal
            sides = game.sides_in(take_records(self.vec.plain_states, rows)) == self._side
        for table in sorted(set(tables.tolist())):
            group = rows[tables == table]
            if sides is None:
                cast, own = self._opponents.draw(
                    len(group), table, len(self.reservoir), self.generator
                )
            else:
                seats = sides[tables == table, :table]
                cast, own = self._opponents.draw_against(seats, self.generator)
            self._loop.sits[group, :table] = cast
            self._own[group] = own
        self._seat_past(rows)

    def _seat_past(self, rows: NDArray[np.int64]) -> None:
        """Note which past policies play in the games ``rows``: those that have the places now."""
        sits = self._loop.sits[rows]
        past = (sits > LEARNER) & (sits < self._opponents.first_bot)
        numbers = np.array([_NOBODY, *self.reservoir.places])
        self._seated[rows] = numbers[np.where(past, sits, 0)]

    def seated_past(self) -> list[int]:
        """Numbers of the past policies that play in the games going on."""
        return [number for number in np.unique(self._seated).tolist() if number != _NOBODY]

    # Checkpoints -----------------------------------------------------------------------------

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Decisions that wait, and who sits where, for a checkpoint; copies."""
        self.rollout.keep_open()
        kept = {f"rollout.{name}": array for name, array in self.rollout.arrays().items()}
        kept["cast"], kept["own"] = self._loop.sits.copy(), self._own.copy()
        kept["seated"] = self._seated.copy()
        kept["episodes"] = self.vec.episodes
        return kept

    def counters(self) -> dict[str, Any]:
        """Counters and states of generators, for a checkpoint; JSON-able."""
        return {
            "decisions": self.decisions,
            "games": self.games,
            "run": self.vec.run,
            "spent": vars(self.spent).copy(),
            "generator": self.generator.bit_generator.state,
            "bots": [g.bit_generator.state for bot in self._players() for g in generators_of(bot)],
        }

    def _players(self) -> list[Bot]:
        """All bots: those of the preset, teacher, assistant."""
        return [*self.bots, *(bot for bot in (self.teacher, self.assistant) if bot is not None)]

    def restore(
        self, arrays: dict[str, NDArray[Any]], counters: dict[str, Any], states: bytes
    ) -> None:
        """Go on from a checkpoint, whose past policies are in the reservoir already.

        Args:
            arrays: what :meth:`arrays` returned.
            counters: what :meth:`counters` returned.
            states: the bytes of ``vec.states``.

        Raises:
            KeyError, TypeError, ValueError, OptionError: it is of another make.
        """
        records = self.vec.states
        raw = np.frombuffer(states, records.dtype)
        records[:] = raw.reshape(records.shape)
        self.vec.restore(records, arrays["episodes"], counters["run"])
        self._loop.sits[:], self._own[:] = arrays["cast"], arrays["own"]
        if "seated" in arrays:
            self._seated[:] = arrays["seated"]
        else:  # version 0.1 knew places only
            self._seat_past(self._rows)
        if not set(self.seated_past()) <= set(self.reservoir.by_number):
            raise ValueError("past policies are missing that play in these games")
        self.rollout.restore(
            {
                name.removeprefix("rollout."): array
                for name, array in arrays.items()
                if name.startswith("rollout.")
            }
        )
        self.decisions, self.games = int(counters["decisions"]), int(counters["games"])
        self.spent = Spent(**{f.name: float(counters["spent"][f.name]) for f in fields(Spent)})
        self.generator.bit_generator.state = counters["generator"]
        generators = [g for bot in self._players() for g in generators_of(bot)]
        for generator, state in zip(generators, counters["bots"], strict=True):
            generator.bit_generator.state = state
        self._last_kept = self.games


def generators_of(bot: Bot) -> list[np.random.Generator]:
    """The generators that a bot draws from, as far as we know of them."""
    if isinstance(bot, ComposedBot):
        return [generator for part in bot.parts for generator in generators_of(part)]
    return [bot.generator] if isinstance(bot, GeneratorBot) else []
