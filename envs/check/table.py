"""The table under examination: a game with options, who plays there, and a sample of its States."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import deal_all, decide_all, stacked, step_all
from concilium.envs.check.report import Counterexample
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.bot import Actor
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING, SPECTATOR, Records, plain_records, take_records

EnvFactory = Callable[..., GameEnv]
"""Makes an environment from ``render_mode``, ``illegal`` and the game's options as keywords."""

T = TypeVar("T")

_KEPT_BYTES: Final = 2**26  # of States per table; longer games are thinned out


@dataclass(frozen=True)
class Sample:
    """States met in played games, in the order of playing within each game.

    Attributes:
        states: the States ``(k,)``, the first and the last of each game among them.
        games: number of the game that each belongs to ``(k,)``.
        moves: decisions made before it ``(k,)``.
        seeds: of each game's deal ``(games,)``.
        lengths: decisions of each game ``(games,)``; one more than declared if it did not end.
        stuck: games that offered no legal action, or refused one that was offered.
    """

    states: Records
    games: NDArray[np.int64]
    moves: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    lengths: NDArray[np.int64]
    stuck: int

    def place(self, index: int) -> str:
        """Say where a State was met, so that it can be met again."""
        seed = int(self.seeds[self.games[index]])
        return f"the game of seed {seed} after {int(self.moves[index])} decisions"


@dataclass(frozen=True)
class Table:
    """One player count with one set of options.

    Attributes:
        bound: the game with them.
        make_env: makes environments.
        bots: who plays, by turns; uniformly random play comes first.
        games: how many games each examination of environments plays.
        pairs: how many pairs of a State and a viewer are examined.
        seed: where all chance of the examination comes from.
    """

    bound: BoundGame
    make_env: EnvFactory
    bots: tuple[Actor, ...]
    games: int
    pairs: int
    seed: int
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.bound.options.items())

    @property
    def viewers(self) -> tuple[int, ...]:
        """All seats and the spectator."""
        return (*range(self.bound.num_players), SPECTATOR)

    def generator(self, purpose: str) -> np.random.Generator:
        """Return a generator of its own for each purpose."""
        return np.random.default_rng([self.seed, zlib.crc32(f"{purpose} {self}".encode())])

    def env(self, **changes: Any) -> GameEnv:
        """Make an environment with this table's options."""
        return self.make_env(**{**self.bound.options, **changes})

    def seeds(self, purpose: str, count: int) -> list[int]:
        """Return seeds for games."""
        drawn = self.generator(purpose).integers(0, 2**64, count, np.uint64)
        return [int(seed) for seed in drawn]

    def play(self, env: GameEnv, number: int) -> Iterator[str]:
        """Play ``env``, which is dealt, to its end; yield the agent before each decision.

        ``number`` chooses who plays: the table's bots take turns, game by game.
        """
        bot = self.bots[number % len(self.bots)]
        for _ in range(self.bound.max_game_length):
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                return
            yield agent
            env.step(choose(bot, env))
        agent = env.agent_selection
        if not (env.terminations[agent] or env.truncations[agent]):
            raise Counterexample(f"the game goes on after {self.bound.max_game_length} decisions")

    def once(self, what: str, make: Callable[[], T]) -> T:
        """Return what ``make`` returned when ``what`` was first asked for."""
        if what not in self._made:
            self._made[what] = make()
        made: T = self._made[what]
        return made

    @property
    def sample(self) -> Sample:
        """States of as many games as ``games`` and ``pairs`` ask for, from each bot."""
        return self.once("sample", self._play_sample)

    def _play_sample(self) -> Sample:
        wanted = max(1, self.pairs // len(self.viewers))
        parts: list[Sample] = []
        rounds = 0
        while not rounds or (sum(len(p.states) for p in parts) < wanted and rounds < 10_000):
            for number, bot in enumerate(self.bots):
                seeds = self.seeds(f"sample {number} {rounds}", self.games)
                parts.append(play_side_by_side(self.bound, bot, seeds))
            rounds += 1
        return _joined(parts)

    def forget(self) -> None:
        """Let go of what was made once, which may take much memory."""
        self._made.clear()


def choose(bot: Actor, env: GameEnv) -> int:
    """Ask ``bot`` for the action of the selected agent.

    Raises:
        Counterexample: nothing is legal.
    """
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    if not mask.any():
        raise Counterexample(f"{agent} is to act and has no legal action: {env!r}")
    return int(bot.act(env.view(agent), mask[np.newaxis])[0])


def play_side_by_side(bound: BoundGame, bot: Actor, seeds: list[int]) -> Sample:
    """Play one game per seed, all in step, and keep their States."""
    states = deal_all(bound, seeds)
    live = np.arange(len(seeds))
    lengths = np.zeros(len(seeds), np.int64)
    kept = _Keeper(bound.game.dtype.itemsize)
    stuck = 0
    for move in range(bound.max_game_length + 1):
        running = plain_records(states)["status"][live] == RUNNING
        kept.add(take_records(states, live), live, move, ~running)
        live = live[running]
        lengths[live] = move + 1
        if not len(live) or move == bound.max_game_length:
            break
        actions = decide_all(bound, [bot], np.zeros_like(live), take_records(states, live))
        moved = step_all(bound, states, live, actions)
        stuck += int((~moved).sum())
        live = live[moved]
    records, games, moves = kept.result()
    return Sample(records, games, moves, np.array(seeds, np.uint64), lengths, stuck)


class _Keeper:
    """Keeps States up to a limit of memory: beyond it, of the middle of games every other one."""

    def __init__(self, itemsize: int) -> None:
        self._limit = max(1000, _KEPT_BYTES // itemsize)
        self._stride = 1
        self._parts: list[tuple[Records, NDArray[np.int64], NDArray[np.int64]]] = []
        self._count = 0

    def add(
        self, states: Records, games: NDArray[np.int64], move: int, last: NDArray[np.bool_]
    ) -> None:
        """Keep the States of ``games`` after ``move`` decisions; the ``last`` of a game always."""
        wanted = np.full(len(games), move % self._stride == 0) | last
        if wanted.any():
            moves = np.full(int(wanted.sum()), move, np.int64)
            chosen = np.flatnonzero(wanted)
            self._parts.append((take_records(states, chosen), games[wanted], moves))
            self._count += len(moves)
        if self._count > self._limit:
            self._stride *= 2
            self._thin_out()

    def _thin_out(self) -> None:
        kept = []
        for states, games, moves in self._parts:
            over = plain_records(states)["status"] != RUNNING
            wanted = (moves % self._stride == 0) | over
            if wanted.any():
                chosen = np.flatnonzero(wanted)
                kept.append((take_records(states, chosen), games[wanted], moves[wanted]))
        self._parts = kept
        self._count = sum(len(moves) for _, _, moves in kept)

    def result(self) -> tuple[Records, NDArray[np.int64], NDArray[np.int64]]:
        """Return States, games and moves, game by game."""
        states = stacked([part[0] for part in self._parts])
        games = np.concatenate([part[1] for part in self._parts])
        moves = np.concatenate([part[2] for part in self._parts])
        order = np.lexsort((moves, games))
        return take_records(states, order), games[order], moves[order]


def _joined(parts: list[Sample]) -> Sample:
    before = np.cumsum([0, *(len(part.seeds) for part in parts[:-1])])
    return Sample(
        stacked([part.states for part in parts]),
        np.concatenate([part.games + shift for part, shift in zip(parts, before, strict=True)]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.seeds for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        sum(part.stuck for part in parts),
    )
