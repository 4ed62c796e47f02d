"""The steward: a careful rule bot, compiled, deciding from Views alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.chancellors.character import ALARM, STEWARD, Character
from concilium.baselines.chancellors.hand import (
    NO_CARD,
    cheapest,
    eligible,
    has,
    lowest_matching,
    payments,
)
from concilium.baselines.chancellors.plan import best_step, dice_sum
from concilium.baselines.protocol import GeneratorBot
from concilium.envs.chancellors import GAME
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import NUM_SUITED, RANK
from concilium.envs.chancellors.payment import controlled, solve_target
from concilium.envs.chancellors.state import BLOCK, ESCALATION, MAIN, PAYMENT
from concilium.envs.core import jit as compilation
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder, jit
from concilium.envs.core.state import Records

_DECLINE: Final = A.DECLINE
_BLOCK_WITH: Final = A.BLOCK_WITH
_PAY_WITH: Final = A.PAY_WITH
_RAISE_HIGHER: Final = A.RAISE_HIGHER
_KEEP_SILENT: Final = A.KEEP_SILENT
_REROLL: Final = A.REROLL
_SIX: Final = 6


@jit
def decide(v: Any, numbers: Any, mask: Any) -> Any:
    """Choose an action in the View ``v`` of the player to act."""
    phase = np.int64(v.phase)
    if phase == MAIN:
        return best_step(v, numbers)
    if phase == BLOCK:
        return _answer_attempt(v, numbers)
    if phase == PAYMENT:
        return _pay(v, mask)
    if phase == ESCALATION:
        # the calamity is equally far either way; a low lower die is cheap to meet quietly, and a
        # high higher die scores more
        return np.int64(_RAISE_HIGHER)
    return _avert(v, mask)


@jit
def _answer_attempt(v: Any, numbers: Any) -> Any:
    """Block with the lowest card that will do, unless a problem is alarming."""
    for problem in range(np.int64(v.problems)):
        if v.solved[problem] == 0 and dice_sum(v, problem) >= numbers[ALARM]:
            return np.int64(_DECLINE)
    rank = RANK[np.int64(v.attempt_card)]
    card = lowest_matching(v, np.int64(v.viewer), np.int64(v.attempt_force), rank, np.int64(0))
    return np.int64(_DECLINE) if card == NO_CARD else _BLOCK_WITH + card


@jit
def _pay(v: Any, mask: Any) -> Any:
    """Commit a card of the cheapest way to complete the payment.

    The mask is asked because somebody else's first cards may have made that way illegal.
    """
    seat = np.int64(v.viewer)
    target = solve_target(v, np.int64(v.solve_problem), np.int64(v.solve_quiet))
    cards = eligible(v, seat, controlled(v, seat), np.int64(0))
    payment = cheapest(payments(cards), target - np.int64(v.solve_paid))
    legal = NO_CARD
    for card in range(NUM_SUITED):
        if mask[_PAY_WITH + card] == 1:
            legal = card
            if has(payment, card):
                break
    return _PAY_WITH + legal


@jit
def _avert(v: Any, mask: Any) -> Any:
    """Reroll a 6-6 with the Excuse, unless it is one's turn and one can pay for it (C16)."""
    seat = np.int64(v.viewer)
    if v.active == seat:
        cards = eligible(v, seat, controlled(v, seat), np.int64(0))
        if cheapest(payments(cards), _SIX) != 0:
            return np.int64(_KEEP_SILENT)
    for problem in range(np.int64(v.problems)):
        if mask[_REROLL + problem] == 1:
            return _REROLL + problem
    return np.int64(_KEEP_SILENT)


def decide_many(views: Any, numbers: Any, masks: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the action for ``views[k]`` into ``out[k]``, ``k`` from ``lo`` to ``hi - 1``."""
    for k in range(lo, hi):
        out[k] = decide(views[k], numbers, masks[k])


@cache
def _kernel() -> Any:
    """The compiled loop, made on first use."""
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("chancellors-bots", (core, GAME.folder, Path(__file__).parent))
    return bind(decide_many, "chancellors.bots", {}, folder)


class StewardBot(GeneratorBot):
    """Keeps calamity away: two forces, cheap attempts, every problem of 9 or more solved at once.

    Deterministic: the generator is not used.

    Args:
        seed: accepted as by every bot.
        character: the numbers it decides by.
        name: for tables, if the character is another.
    """

    def __init__(
        self,
        seed: int | None = None,
        *,
        character: Character = STEWARD,
        name: str = "chancellors/steward",
    ) -> None:
        super().__init__(name, GAME, seed)
        self.character = character
        self._numbers = character.table()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.empty(len(views), np.int64)
        _kernel()(views, self._numbers, masks, actions, 0, len(views))
        return actions
