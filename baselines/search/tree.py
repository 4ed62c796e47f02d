"""Information-set tree search, for small tables: plans of several decisions, for all seats.

A node is what the searcher would know: its View. Each iteration draws a world, goes down the tree
by actions that are legal in it, adds one node, and plays on by the blueprints from there. Actions
are chosen by an upper confidence bound in which an action counts as available only where it was
legal. Source: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (IEEE
TCIAIG 4, 2012), the single-observer form.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.search.root import Numbers, Returns, Thoughts
from concilium.baselines.search.settings import Settings
from concilium.envs import Game
from concilium.envs.core.state import RUNNING, Records, plain_records, take_records

Draw = Callable[[int], tuple[Records, Numbers]]
"""Draws so many worlds ``(w,)``, and by which bots their seats play on ``(w, seats)``."""
PlayOn = Callable[[Records, Numbers, Numbers, Numbers], Returns]
"""Takes actions in worlds and plays on; returns of all seats. See :class:`.playout.Playouts`."""
_STEP: Final = 16  # worlds drawn at a time
_WIDTH: Final = 0.7  # of the confidence bound, for returns that differ by 2 at most


class _Node:
    """What was tried in one information set."""

    def __init__(self, size: int, seats: int) -> None:
        self.visits = np.zeros(size, np.int64)
        self.available = np.zeros(size, np.int64)
        self.sums = np.zeros((size, seats))
        self.squares = np.zeros((size, seats))

    def choose(self, legal: Numbers, seat: int, generator: np.random.Generator) -> int:
        """The legal action with the highest bound for ``seat``; untried ones first, by chance."""
        self.available[legal] += 1
        untried = legal[self.visits[legal] == 0]
        if len(untried):
            return int(generator.choice(untried))
        visits = self.visits[legal]
        bounds = self.sums[legal, seat] / visits
        bounds += _WIDTH * np.sqrt(np.log(self.available[legal]) / visits)
        return int(legal[np.argmax(bounds)])

    def learn(self, action: int, returns: Returns) -> None:
        self.visits[action] += 1
        self.sums[action] += returns
        self.squares[action] += returns**2


class TreeSearch:
    """A search from one View.

    Args:
        game: what is played.
        draw: draws worlds of the View.
        play_on: plays on from a new node.
        seat: the searcher.
    """

    def __init__(self, game: Game, draw: Draw, play_on: PlayOn, seat: int) -> None:
        self._game = game
        self._draw = draw
        self._play_on = play_on
        self._seat = seat
        self._nodes: dict[bytes, _Node] = {}
        self._mask = np.zeros((1, game.num_actions), np.int8)

    def search(self, actions: Numbers, blueprint: int, settings: Settings) -> Thoughts:
        """Search among ``actions``; the most visited is chosen; see :class:`Thoughts`.

        ``threshold`` is the number of standard errors by which the mean of the action, unpaired,
        must be above that of the blueprint's.
        """
        begun = time.perf_counter()
        drawn = 0

        def goes_on() -> bool:
            if settings.milliseconds:
                return drawn == 0 or time.perf_counter() - begun < settings.milliseconds / 1000
            return drawn < settings.worlds

        while goes_on():
            size = _STEP if settings.milliseconds else min(_STEP, settings.worlds - drawn)
            worlds, sits = self._draw(size)
            drawn += size
            for k in range(size):
                self._iterate(take_records(worlds, np.array([k])), sits[k : k + 1])
        return self._thoughts(self._nodes[b""], actions, blueprint, settings.threshold, drawn)

    def _iterate(self, world: Records, sits: Numbers) -> None:
        """Go down the tree in one world, add a node, play on, and tell all nodes on the way."""
        generator = np.random.default_rng(int(plain_records(world)["rng_key"][0]))
        path: list[tuple[_Node, int]] = []
        seats = sits.shape[1]
        key = b""
        while True:
            node = self._nodes.get(key)
            new = node is None
            if node is None:
                node = self._nodes[key] = _Node(self._game.num_actions, seats)
            action = node.choose(self._legal(world), self._actor(world), generator)
            path.append((node, action))
            if new and len(path) > 1:
                returns = self._play_on(world, _FIRST, np.array([action]), sits)[0]
                break
            self._game.kernels.step_checked(world, 0, action, self._mask[0])
            if int(plain_records(world)["status"][0]) != RUNNING:
                row = np.zeros((1, self._game.max_players))
                self._game.kernels.returns_many(world, _FIRST, row, 0, 1)
                returns = row[0, :seats]
                break
            key = self._key(world)
        for passed, taken in path:
            passed.learn(taken, returns)

    def _actor(self, world: Records) -> int:
        return int(plain_records(world)["actor"][0])

    def _legal(self, world: Records) -> Numbers:
        self._game.kernels.legal_many(world, self._mask, 0, 1)
        return np.flatnonzero(self._mask[0])

    def _key(self, world: Records) -> bytes:
        """The searcher's information set, and who is to act in it."""
        view = np.empty_like(world)
        seat = np.array([self._seat])
        self._game.kernels.view_many(world, _FIRST, seat, view, 0, 1)
        return plain_records(view).tobytes() + bytes([self._actor(world)])

    def _thoughts(
        self, root: _Node, actions: Numbers, blueprint: int, threshold: float, drawn: int
    ) -> Thoughts:
        visits = root.visits[actions]
        sums, squares = root.sums[actions, self._seat], root.squares[actions, self._seat]
        known = np.maximum(visits, 1)
        values = np.where(visits > 0, sums / known, np.nan)
        spread = np.maximum(squares / known - (sums / known) ** 2, 0.0) / np.maximum(visits - 1, 1)
        own = int(np.flatnonzero(actions == blueprint)[0])
        gains = values - values[own]
        errors = np.where(visits > 1, np.sqrt(spread + spread[own]), np.inf)
        errors[own] = 0.0
        best = int(np.argmax(visits))
        sure = gains[best] > 0 and gains[best] > threshold * errors[best]
        return Thoughts(
            actions=actions, visits=visits, values=values, gains=gains, errors=errors,
            blueprint=blueprint, chosen=int(actions[best if sure else own]), worlds=drawn,
        )  # fmt: skip


_FIRST: Final[NDArray[np.int64]] = np.zeros(1, np.int64)
