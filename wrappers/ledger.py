"""The driver's books: one record per game, kept by compiled code.

A round of the driver touches some hundred games in a dozen fields; done with NumPy that would cost
more time than the games themselves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import Batch
from concilium.envs.core import jit as compilation
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder
from concilium.envs.core.state import Records, new_records, plain_records

DELIVERED: Final = 0  # slots of what the learner saw last: of the game delivered in this step,
OWED: Final = 1  # and of one after it that is over already


def ledger_dtype(seats: int) -> np.dtype[np.void]:
    """Type of the record of one game with up to ``seats`` seats."""
    return np.dtype(
        [
            ("reward", np.float64),  # return of the game delivered in this step
            ("owed_reward", np.float64),
            ("actor", np.int64),  # seat to act
            ("seat", np.int64),  # the learner's seat
            ("next_seat", np.int64),  # its seat in the next game
            ("final_seat", np.int64),  # its seat in the game delivered in this step
            ("bots", np.int64, (seats,)),  # number of the bot in each seat, also in the learner's
            ("next_bots", np.int64, (seats,)),  # those of the next game
            ("truncated", np.int8),  # the game delivered in this step was cut short
            ("owed_truncated", np.int8),
            ("done", np.int8),  # a game is delivered in this step
            ("owed", np.int8),  # a game ended before a decision of the learner, not yet delivered
            ("resting", np.int8),  # the game is delivered, and there is no automatic reset
            ("padding", np.int8, (3,)),
        ]
    )


def _sort_out(
    ledger: Any, rows: Any, kinds: Any, chosen: Any, masks: Any, skip_single: Any, going: Any,
    actions: Any, asked: Any, bots: Any,
) -> Any:  # fmt: skip
    """Find the games of ``rows`` that go on without the learner; return how many, and how many ask.

    Their numbers are written to ``going``, their first legal actions to ``actions``; where a bot is
    to be asked, the place in ``going`` to ``asked`` and the bot's number to ``bots``. Without
    ``kinds`` all decisions in the learner's seat are its own.
    """
    g = 0
    a = 0
    for k in range(rows.shape[0]):
        row = rows[k]
        game = ledger[row]
        if game.owed != 0 or game.resting != 0:
            continue
        options = 0
        for action in range(masks.shape[1]):
            if masks[row, action] != 0:
                if options == 0:
                    actions[g] = action
                options += 1
                if options == 2:
                    break
        learners = game.actor == game.seat and (kinds.shape[0] == 0 or chosen[kinds[k]])
        if learners and (options > 1 or not skip_single):
            continue
        if options > 1:
            asked[a] = g
            bots[a] = game.bots[game.actor]
            a += 1
        going[g] = row
        g += 1
    return g, a


def _take_over(
    ledger: Any, rows: Any, masks: Any, new_masks: Any, new_actors: Any, finished: Any,
    rewards: Any, truncated: Any, final_observations: Any, final_views: Any, seen: Any, views: Any,
    auto_reset: Any,
) -> None:  # fmt: skip
    """Note what a step of the games ``rows`` has brought: who is to act, and which games ended."""
    for k in range(rows.shape[0]):
        ledger[rows[k]].actor = new_actors[k]
        for action in range(masks.shape[1]):
            masks[rows[k], action] = new_masks[k, action]
    for f in range(finished.shape[0]):
        k = finished[f]
        row = rows[k]
        game = ledger[row]
        seat = game.seat
        # a second game, over before the learner decided anything in it, has to wait
        slot = OWED if game.done != 0 else DELIVERED
        for j in range(seen.shape[2]):
            seen[row, slot, j] = final_observations[f, seat, j]
        views[row, slot] = final_views[f, seat]
        if slot == OWED:
            game.owed = 1
            game.owed_reward = rewards[k, seat]
            game.owed_truncated = truncated[k]
            continue
        game.done = 1
        game.reward = rewards[k, seat]
        game.truncated = truncated[k]
        game.final_seat = seat
        if auto_reset:
            game.seat = game.next_seat
            for other in range(game.bots.shape[0]):
                game.bots[other] = game.next_bots[other]
        else:
            game.resting = 1


@cache
def _kernels() -> tuple[Any, Any]:
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("wrappers", (core, Path(__file__).parent))
    return bind(_sort_out, "wrappers", {}, folder), bind(_take_over, "wrappers", {}, folder)


class Ledger:
    """The books of ``count`` games.

    Attributes:
        games: the records as a plain structured array ``(count,)``; see :func:`ledger_dtype`.
        masks: legal actions in each game ``(count, num_actions) int8``.
        seen: the learner's last observation of ended games ``(count, 2, size) int8``, by slot.
        views: its last Views of them ``(count, 2)``.
    """

    def __init__(
        self, count: int, seats: int, num_actions: int, size: int, dtype: np.dtype[np.void]
    ) -> None:
        self._records = new_records(count, ledger_dtype(seats))
        self.games = plain_records(self._records)
        self.masks = np.zeros((count, num_actions), np.int8)
        self.seen = np.zeros((count, 2, size), np.int8)
        self.views: Records = new_records(2 * count, dtype).reshape(count, 2)
        self._sort_out, self._take_over = _kernels()
        self._no_kinds = np.empty(0, np.int64)
        # filled by sort_out
        self._going = np.zeros(count, np.int64)
        self._actions = np.zeros(count, np.int64)
        self._asked = np.zeros(count, np.int64)
        self._bots = np.zeros(count, np.int64)

    def sort_out(
        self,
        rows: NDArray[np.int64],
        kinds: NDArray[np.int64] | None,
        chosen: NDArray[np.bool_],
        skip_single: bool,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Say which of the games ``rows`` go on without the learner.

        Args:
            rows: numbers of games ``(k,)``.
            kinds: the kinds of decisions due in them ``(k,)``; None if all are the learner's.
            chosen: which kinds are the learner's, by number.
            skip_single: whether decisions with one option are played for the learner.

        Returns:
            Games that go on ``(g,)``; their first legal actions ``(g,)``, right where there is
            one only; places in these where a bot is to be asked ``(a,)``; the bots' numbers
            ``(a,)``.
        """
        g, a = self._sort_out(
            self._records, rows, self._no_kinds if kinds is None else kinds, chosen, self.masks,
            skip_single, self._going, self._actions, self._asked, self._bots,
        )  # fmt: skip
        return self._going[:g].copy(), self._actions[:g], self._asked[:a], self._bots[:a]

    def take_over(self, rows: NDArray[np.int64], batch: Batch, auto_reset: bool) -> None:
        """Note what a step of the games ``rows`` has brought.

        Args:
            rows: numbers of games ``(k,)``.
            batch: what the engine returned for them.
            auto_reset: let the next game begin where one ends, else let it rest.
        """
        self._take_over(
            self._records, rows, self.masks, batch.masks, batch.actors, batch.finished,
            batch.rewards, batch.truncated, batch.final_observations, batch.final_views, self.seen,
            self.views, auto_reset,
        )  # fmt: skip

    def deliver_owed(self, rows: NDArray[np.int64], auto_reset: bool) -> None:
        """Deliver in this step the games that were over before a decision of the learner."""
        games = self.games
        games["owed"][rows] = 0
        games["done"][rows] = 1
        games["reward"][rows] = games["owed_reward"][rows]
        games["truncated"][rows] = games["owed_truncated"][rows]
        games["final_seat"][rows] = games["seat"][rows]
        self.seen[rows, DELIVERED] = self.seen[rows, OWED]
        self.views[rows, DELIVERED] = self.views[rows, OWED]
        if auto_reset:
            self.take_next(rows)
        else:
            games["resting"][rows] = 1

    def take_next(self, rows: NDArray[np.int64]) -> None:
        """Let the learner and the bots sit down as drawn for the next game."""
        self.games["seat"][rows] = self.games["next_seat"][rows]
        self.games["bots"][rows] = self.games["next_bots"][rows]
