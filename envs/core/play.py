"""The one loop in which bots play games side by side, all of them one decision further at a time.

Whoever sits at the tables is a player with a number: a bot, which answers Views; a function, which
is trusted with the games themselves; or :data:`OUTSIDE`, at whose turn the loop stops. Players
answer in batches, in the order of their numbers, and no game waits for another. ::

    games = Games([table] * 100)
    games.deal(seeds)
    PlayLoop(games, bots, np.tile([0, 1, 1], (100, 1))).run()
    games.returns()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.bot import Actor, answers
from concilium.envs.core.compiled import loops
from concilium.envs.core.copies import Independent
from concilium.envs.core.games import Stepped
from concilium.envs.core.kernels import core_kernel
from concilium.envs.core.state import Records

OUTSIDE: Final = -1
"""Number of whoever is not asked by the loop, such as a learner: there it stops."""

FAILED: Final = "a bot failed in the middle of a step: call reset()"
"""What an environment says after its loop has failed."""

Numbers: TypeAlias = NDArray[np.int64]
Player: TypeAlias = Actor | Callable[[Numbers], Numbers]
"""A bot; or what returns legal actions ``(k,)`` for the numbers of the games ``(k,)``."""

S = TypeVar("S", bound=Stepped, covariant=True)


class Playable(Protocol[S]):
    """What the loop needs of games: :class:`.games.Games` and :class:`.vector.VecGame` have it."""

    @property
    def num_envs(self) -> int:
        """How many games there are."""

    @property
    def standing(self) -> tuple[NDArray[np.int8], Numbers]:
        """Masks ``(n, num_actions)`` and seats to act ``(n,)``; -1 where a game is over."""

    def kinds(self, games: Numbers) -> Numbers:
        """Kinds of the decisions due in ``games``."""

    def views(self, games: Numbers) -> Records:
        """Views of those to act in ``games``."""

    def advance(self, actions: Numbers, games: Numbers | None) -> S:
        """Take legal actions in ``games``, all if None."""


@dataclass
class Clock:
    """Seconds spent: in the games themselves, and in the bots' ``act``."""

    engine: float = 0.0
    bots: float = 0.0


class PlayLoop(Independent, Generic[S]):
    """Who decides, and what is done about it.

    Args:
        games: those to play.
        players: bots and functions, by number.
        sits: number of the player in each seat ``(n, seats) int64``, from OUTSIDE.
        deciders: who decides in a player's place, by kind of decision; see :func:`deciders`.
        ask_forced: ask players also where one action only is legal.
        stop_forced: stop at OUTSIDE also where one action only is legal; else it is taken.
        on_decisions: called with games ``(k,)`` and the actions to be taken in them ``(k,)``,
            neither of which may be kept or changed.
        on_ends: called with what came of a step in which games ended.

    Attributes:
        sits: who sits where, read anew in every round: to be written where a game is dealt anew.
        resting: games that are left as they are ``(n,) bool``, to be written by the caller.
        clock: seconds spent.
        failed: a player has failed and the games stand in the middle of a round.
    """

    def __init__(
        self,
        games: Playable[S],
        players: Sequence[Player],
        sits: Numbers,
        *,
        deciders: Numbers | None = None,
        ask_forced: bool = False,
        stop_forced: bool = False,
        on_decisions: Callable[[Numbers, Numbers], None] | None = None,
        on_ends: Callable[[Any], None] | None = None,
    ) -> None:
        count = games.num_envs
        self.games = games
        self.players = players
        self._are_bots = [isinstance(player, Actor) for player in players]
        self.sits = np.ascontiguousarray(sits, np.int64)
        self.resting = np.zeros(count, bool)
        self.clock = Clock()
        self.failed = False
        self._deciders = np.empty((0, 0), np.int64) if deciders is None else deciders
        self._forced = (ask_forced, stop_forced)
        self._on_decisions = on_decisions
        self._on_ends = on_ends
        self._all = np.arange(count)
        self._no_kinds = np.empty(0, np.int64)
        # numbers of games that go on, their actions; places in these that are asked, and whom
        self._found = tuple(np.empty(count, np.int64) for _ in range(4))

    def run(self, rows: Numbers | None = None) -> None:
        """Play the games ``rows (k,)``, each once, or all, until each is over, rests or waits.

        Raises:
            BotError: a bot's answer cannot be used; the message names the bot and its game.
        """
        going = self.round(rows)
        while len(going):
            going = self.round(going)

    def round(self, rows: Numbers | None = None) -> Numbers:
        """Take one decision in each of ``rows`` (all) that goes on; return these ``(g,)``."""
        rows = self._all if rows is None else rows
        masks, actors = self.games.standing
        kinds = self.games.kinds(rows) if self._deciders.size and len(rows) else self._no_kinds
        count, questions = core_kernel(loops.sort_out)(
            rows, actors, masks, self.resting, self.sits, kinds, self._deciders, *self._forced,
            *self._found,
        )  # fmt: skip
        if not count:
            return rows[:0]
        going = rows if count == len(rows) else self._found[0][:count].copy()
        actions = self._found[1][:count]
        if questions:
            self.failed = True
            self._ask(going, masks, self._found[2][:questions], self._found[3][:questions])
            self.failed = False
        if self._on_decisions is not None:
            self._on_decisions(going, actions)
        start = time.perf_counter()
        stepped = self.games.advance(actions, None if going is self._all else going)
        self.clock.engine += time.perf_counter() - start
        if self._on_ends is not None and len(stepped.finished):
            self._on_ends(stepped)
        return going

    def _ask(
        self, going: Numbers, masks: NDArray[np.int8], places: Numbers, numbers: Numbers
    ) -> None:
        """Write what the players ``numbers`` choose in ``going[places]`` among the actions."""

        def ask(number: int, chosen: Numbers) -> Numbers:
            rows, player = going[places[chosen]], self.players[number]
            if not self._are_bots[number]:
                return player(rows)  # type: ignore[operator]
            start = time.perf_counter()
            views, allowed = self.games.views(rows), masks[rows]
            middle = time.perf_counter()
            actions = answers(player, views, allowed)  # type: ignore[arg-type]
            self.clock.engine += middle - start
            self.clock.bots += time.perf_counter() - middle
            return actions

        self._found[1][places] = by_number(numbers, ask)


def by_number(numbers: Numbers, ask: Callable[[int, Numbers], Numbers]) -> Numbers:
    """Let everybody answer in one batch.

    Args:
        numbers: whom each question is for ``(k,)``, from 0.
        ask: is given a number and the places of its questions, and returns the answers to them;
            smaller numbers first.

    Returns:
        The answers ``(k,)``.
    """
    found = np.empty(len(numbers), np.int64)
    for number in np.flatnonzero(np.bincount(numbers)).tolist():
        places = np.flatnonzero(numbers == number)
        found[places] = ask(number, places)
    return found


def deciders(
    chosen: NDArray[np.bool_], players: int, assistant: int, leaving: Iterable[int] = (OUTSIDE,)
) -> Numbers:
    """Leave a part of the decisions to an assistant.

    Args:
        chosen: kinds of decisions that are not left to it ``(kinds,) bool``.
        players: how many there are, the assistant among them.
        assistant: its number.
        leaving: who leaves decisions to it.

    Returns:
        Who decides ``(players + 1, kinds) int64``, the rows by player from OUTSIDE.
    """
    table = np.repeat(np.arange(OUTSIDE, players)[:, np.newaxis], len(chosen), axis=1)
    for player in leaving:
        table[player + 1, ~chosen] = assistant
    return table
