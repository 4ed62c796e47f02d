"""Rule bots: one way of deciding, compiled, from Views alone; their characters make them differ."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.nicaea.aim import distance
from concilium.baselines.nicaea.character import GIFT, LATE, SCHISM, Character
from concilium.baselines.nicaea.desk import DOCTRINES, new_desk
from concilium.baselines.nicaea.gifts import best_gift
from concilium.baselines.nicaea.naming import choose_name
from concilium.baselines.nicaea.outlook import look, look_at_own, rounds_left
from concilium.baselines.nicaea.purse import cheapest_payment, lay_out
from concilium.baselines.nicaea.turn import (
    best_turn,
    choose_copy,
    choose_extra_purchase,
    choose_free_play,
    count_hand,
)
from concilium.baselines.protocol import GeneratorBot
from concilium.envs.core import jit as compilation
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder, jit
from concilium.envs.core.state import Records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import (
    COPY,
    DEBATE_ROUND,
    NAMING,
    PAYMENT,
    PLAY_FREE,
    TURN,
)

_PAY_REST: Final = A.PAY_REST
_FLIP: Final = A.FLIP
_BUY: Final = A.BUY
_DECLINE: Final = A.DECLINE


@jit
def decide(v: Any, table: Any, desk: Any, mask: Any) -> Any:
    """Choose an action in the View ``v`` of the player to act."""
    phase = np.int64(v.phase)
    if phase == NAMING:
        return choose_name(v, desk)
    numbers = table[0]
    is_late = rounds_left(v) <= numbers[LATE]
    if numbers[SCHISM] > 0.0 and is_late and distance(v, desk) <= numbers[SCHISM]:
        numbers = table[1]
    in_round = np.int64(phase == DEBATE_ROUND or (phase == PAYMENT and v.taking < 0 <= v.buying))
    look_at_own(v, desk)
    lay_out(v, numbers, desk, in_round, mask, phase == PAYMENT)
    if phase == PAYMENT:
        return _pay(v, numbers, desk, mask, in_round)
    look(v, numbers, desk, in_round)
    if phase == DEBATE_ROUND:
        return _buy(v, numbers, desk, mask)
    count_hand(v, numbers, desk)
    if phase == TURN:
        action, worth = best_turn(v, numbers, desk, mask)
        if numbers[GIFT] > 0.0 and is_late:
            return best_gift(v, numbers, desk, mask, action, worth)
        return action
    if phase == COPY:
        return choose_copy(v, numbers, desk, mask)
    if phase == PLAY_FREE:
        return choose_free_play(v, numbers, desk)
    return choose_extra_purchase(v, numbers, desk, mask)


@jit
def _buy(v: Any, numbers: Any, desk: Any, mask: Any) -> Any:
    """The doctrine that brings most beyond its price, or none."""
    best = 0.0
    action = np.int64(_DECLINE)
    for k in range(DOCTRINES):
        if mask[_BUY + k] == 1:
            cost, _ = cheapest_payment(v, numbers, desk, np.int64(desk.price[k]), 1)
            if desk.gain[k] - cost > best:
                best = desk.gain[k] - cost
                action = np.int64(_BUY + k)
    return action


@jit
def _pay(v: Any, numbers: Any, desk: Any, mask: Any, in_round: Any) -> Any:
    """The next step of the cheapest payment."""
    _, total = cheapest_payment(v, numbers, desk, np.int64(v.price) - np.int64(v.paid), in_round)
    card = np.int64(desk.flip_card[total])
    if total > 0 and card >= 0:
        return _FLIP + card
    if mask[_PAY_REST] == 1:
        return np.int64(_PAY_REST)
    action = np.int64(_FLIP)
    while mask[action] == 0:  # of what is legal nothing completes the payment by itself
        action += 1
    return action


def decide_many(views: Any, table: Any, desks: Any, masks: Any, out: Any, lo: Any, hi: Any) -> None:
    """Write the action for ``views[k]`` into ``out[k]``, ``k`` from ``lo`` to ``hi - 1``."""
    for k in range(lo, hi):
        out[k] = decide(views[k], table, desks[0], masks[k])


@cache
def _kernel() -> Any:
    """The compiled loop, made on first use; one for all characters."""
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("nicaea-bots", (core, GAME.folder, Path(__file__).parent))
    return bind(decide_many, "nicaea.bots", {}, folder)


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
        self._desk = new_desk()

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        del kept["_desk"]  # scratch memory, and forecasts that can be worked out again
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._desk = new_desk()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        actions = np.empty(len(views), np.int64)
        _kernel()(views, self._table, self._desk, masks, actions, 0, len(views))
        return actions
