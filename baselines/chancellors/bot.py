"""Rule bots: one way of deciding, compiled, from Views alone; their characters make them differ."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.chancellors.character import (
    CALM,
    DANGER,
    GRUDGE,
    LAST_STEP,
    PUNISHING,
    RAISE_LOWER,
    STEWARD,
    TRUCE,
    Character,
)
from concilium.baselines.chancellors.hand import (
    NO_CARD,
    cheapest,
    eligible,
    has,
    lowest_matching,
    payments,
)
from concilium.baselines.chancellors.plan import best_step
from concilium.baselines.chancellors.solve import worst_sum
from concilium.baselines.protocol import GeneratorBot
from concilium.envs.chancellors import GAME
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import NUM_SUITED, RANK
from concilium.envs.chancellors.payment import controlled, solve_target
from concilium.envs.chancellors.state import BLOCK, ESCALATION, MAIN, NOBODY, PAYMENT
from concilium.envs.core import jit as compilation
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder, jit
from concilium.envs.core.state import Records

_DECLINE: Final = A.DECLINE
_BLOCK_WITH: Final = A.BLOCK_WITH
_PAY_WITH: Final = A.PAY_WITH
_RAISE_LOWER: Final = A.RAISE_LOWER
_RAISE_HIGHER: Final = A.RAISE_HIGHER
_KEEP_SILENT: Final = A.KEEP_SILENT
_REROLL: Final = A.REROLL
_SIX: Final = 6


@jit
def decide(v: Any, table: Any, mask: Any) -> Any:
    """Choose an action in the View ``v`` of the player to act, by a :meth:`Character.table`."""
    culprit = runaway(v, table[CALM, GRUDGE])
    numbers = table[CALM] if culprit == NOBODY else table[PUNISHING]
    phase = np.int64(v.phase)
    if phase == MAIN:
        return best_step(v, numbers, culprit)
    if phase == BLOCK:
        return _answer_attempt(v, numbers, culprit)
    if phase == PAYMENT:
        return _pay(v, mask)
    if phase == ESCALATION:
        return np.int64(_RAISE_LOWER if numbers[RAISE_LOWER] == 1 else _RAISE_HIGHER)
    return _avert(v, numbers, mask)


@jit
def runaway(v: Any, grudge: Any) -> Any:
    """Who is to be punished, or NOBODY: who is ``grudge`` points ahead of the others' average.

    Scores are public and the rule is the same for everybody, so that all who follow it turn on the
    same player at the same time. Nobody punishes himself. Of equal scores that of the next in turn
    counts, and 0 punishes nobody.
    """
    players = np.int64(v.num_players)
    best = np.int64(-1)
    total = np.int64(0)
    culprit = np.int64(NOBODY)
    for k in range(players):
        seat = (np.int64(v.active) + k) % players
        total += np.int64(v.score[seat])
        if np.int64(v.score[seat]) > best:
            best = np.int64(v.score[seat])
            culprit = seat
    others = players - 1
    if grudge == 0 or culprit == v.viewer or best * others - (total - best) < grudge * others:
        return np.int64(NOBODY)
    return culprit


@jit
def _answer_attempt(v: Any, numbers: Any, culprit: Any) -> Any:
    """Block with the lowest card that will do, unless there is a truce.

    While somebody is punished only that player is blocked, truce or not.
    """
    let_go = worst_sum(v) >= numbers[TRUCE] if culprit == NOBODY else v.active != culprit
    rank = RANK[np.int64(v.attempt_card)]
    card = lowest_matching(v, np.int64(v.viewer), np.int64(v.attempt_force), rank, np.int64(0))
    return np.int64(_DECLINE) if let_go or card == NO_CARD else _BLOCK_WITH + card


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
def _avert(v: Any, numbers: Any, mask: Any) -> Any:
    """Reroll a 6-6 with the Excuse (C16), unless it is one's turn and one can pay for it.

    Who sees no danger in it lets it stand.
    """
    seat = np.int64(v.viewer)
    if numbers[DANGER + LAST_STEP] == 0:
        return np.int64(_KEEP_SILENT)
    if v.active == seat:
        cards = eligible(v, seat, controlled(v, seat), np.int64(0))
        if cheapest(payments(cards), _SIX) != 0:
            return np.int64(_KEEP_SILENT)
    for problem in range(np.int64(v.problems)):
        if mask[_REROLL + problem] == 1:
            return _REROLL + problem
    return np.int64(_KEEP_SILENT)


def decide_many(views: Any, table: Any, masks: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the action for ``views[k]`` into ``out[k]``, ``k`` from ``lo`` to ``hi - 1``."""
    for k in range(lo, hi):
        out[k] = decide(views[k], table, masks[k])


@cache
def _kernel() -> Any:
    """The compiled loop, made on first use; one for all characters."""
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("chancellors-bots", (core, GAME.folder, Path(__file__).parent))
    return bind(decide_many, "chancellors.bots", {}, folder)


class CharacterBot(GeneratorBot):
    """Decides by the numbers of a character.

    Deterministic: the generator is not used.

    Args:
        character: the numbers.
        name: for tables and messages.
        seed: accepted as by every bot.
    """

    def __init__(self, character: Character, *, name: str, seed: int | None = None) -> None:
        super().__init__(name, GAME, seed)
        self.character = character
        self._table = character.table()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.empty(len(views), np.int64)
        _kernel()(views, self._table, masks, actions, 0, len(views))
        return actions


class StewardBot(CharacterBot):
    """Keeps calamity away: two forces, cheap attempts, every problem of 9 or more solved at once.

    Args:
        seed: accepted as by every bot.
    """

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(STEWARD, name="chancellors/steward", seed=seed)
