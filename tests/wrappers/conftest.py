"""An independent replay beside a driver: what it should have shown and delivered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import Batch, Game, VecGame
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.state import RUNNING, TRUNCATED, Records, plain_records

SCALES = [1, pytest.param(10, marks=pytest.mark.long, id="some hundred games")]
"""How many times as many games an audit plays as are enough to see most faults."""


class Playing(Protocol):
    """What plays games of a batch: a driver, for instance."""

    vec: VecGame


@dataclass
class Ended:
    """One game that came to its end, seen from all seats."""

    returns: list[float]
    truncated: bool
    outcome: int
    views: list[Records]
    observations: list[NDArray[np.int8]]


@dataclass
class Replay:
    """Repeats every step of an engine, game by game, on copies of its States.

    The copies are played with the functions for single games. ``ended`` has, for each game of the
    batch, the games that ended in it since the last reset, in order.
    """

    driver: Playing
    ended: list[list[Ended]] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        vec = self.driver.vec
        self._step, self._reset = vec.step, vec.reset
        vec.step, vec.reset = self.step, self.reset  # type: ignore[method-assign]

    def reset(self, *args: Any, **kwargs: Any) -> Batch:
        """Reset the engine and copy its States."""
        batch = self._reset(*args, **kwargs)
        self.states = self.driver.vec.states
        self.ended = [[] for _ in range(self.driver.vec.num_envs)]
        return batch

    def step(self, actions: Any, games: Any = None, **kwargs: Any) -> Batch:
        """Step the engine and repeat it."""
        batch = self._step(actions, games, **kwargs)
        rows = range(len(actions)) if games is None else games
        for row, action in zip(rows, actions, strict=True):
            self._take(int(row), int(action))
            self.steps += 1
        return batch

    def _take(self, row: int, action: int) -> None:
        table = self.driver.vec.tables[row]
        table.step(self.states, action, row)
        plain = plain_records(self.states)
        if plain["status"][row] == RUNNING:
            return
        views = [table.view(self.states, seat, row) for seat in range(table.num_players)]
        self.ended[row].append(
            Ended(
                returns=table.returns(self.states, row).tolist(),
                truncated=bool(plain["status"][row] == TRUNCATED),
                outcome=int(table.game.outcome(self.states[row : row + 1])[0]),
                views=views,
                observations=[table.encode(view)[0] for view in views],
            )
        )
        self.states[row] = self.driver.vec.states[row]

    def kind(self, row: int) -> str:
        """Kind of the decision that is due in the replayed game."""
        return self.driver.vec.tables[row].kind(self.states, row)

    def actor(self, row: int) -> int:
        """Seat to act in the replayed game."""
        return int(plain_records(self.states)["actor"][row])

    def observation(self, row: int) -> NDArray[np.int8]:
        """What the player to act observes in the replayed game."""
        table = self.driver.vec.tables[row]
        vector: NDArray[np.int8] = table.encode(table.view(self.states, self.actor(row), row))[0]
        return vector

    def mask(self, row: int) -> NDArray[np.int8]:
        """Legal actions in the replayed game."""
        return self.driver.vec.tables[row].legal_actions(self.states, row)


@pytest.fixture
def replay() -> Callable[[Playing], Replay]:
    """Attach a replay to a driver, or whatever plays, before its first reset."""
    return Replay


class Helper:
    """A random assistant that notes what it is shown.

    Attributes:
        seats: the viewers of its Views, in order.
        kinds: names of the kinds of decisions that it made.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = "helper"
        self.seats: list[int] = []
        self.kinds: set[str] = set()
        self.generator = np.random.default_rng(0)

    def seed(self, seed: int) -> None:
        """Start anew."""
        self.generator = np.random.default_rng(seed)

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Check that it is shown Views of who is to act, note them, and choose at random."""
        plain = plain_records(views)
        assert (plain["viewer"] == plain["actor"]).all()
        assert (plain["rng_key"] == 0).all()
        assert (plain["deck"] == -1).all()
        assert (masks.sum(axis=1) > 1).all()
        self.seats += plain["viewer"].tolist()
        numbers = np.empty(len(views), np.int64)
        self.game.kernels.kind_many(views, np.arange(len(views)), numbers, 0, len(views))
        self.kinds |= {self.game.kinds[number] for number in np.unique(numbers)}
        return pick_legal(masks, self.generator)


@pytest.fixture
def helper() -> Callable[[Game], Helper]:
    """Make an assistant that notes what it is shown."""
    return Helper
