"""Rule bots of Believers: one way of deciding, compiled, from Views alone; characters differ."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.bot_call import call, herald
from concilium.baselines.believers.bot_mission import choose_hand, give, place
from concilium.baselines.believers.bot_rows import buy, discard, dismiss, nominate
from concilium.baselines.believers.bot_talk import claim, speak
from concilium.baselines.believers.character import Character
from concilium.baselines.believers.mind import new_desk
from concilium.baselines.believers.posterior_work import new_work
from concilium.baselines.protocol import GeneratorBot
from concilium.envs.believers import GAME
from concilium.envs.believers.state import (
    CALL,
    CHOICE,
    DOUBTING,
    FASTING,
    GIFT,
    HERALDING,
    INDOCTRINATION,
    NIGHT,
    PAYMENT,
    PLACEMENT,
    STATEMENT,
)
from concilium.envs.core import jit as compilation
from concilium.envs.core.jit import INTERPRETED, bind, cache_folder, jit
from concilium.envs.core.state import Records

_DRAWS: Final = 2  # random numbers for a decision


@jit
def decide(v: Any, numbers: Any, mask: Any, draws: Any, desk: Any, work: Any) -> Any:
    """Choose an action in the View ``v`` of the player to act; ``draws (2,)`` are in [0, 1)."""
    phase = np.int64(v.phase)
    if phase == CALL:
        return call(v, numbers, mask, desk, work)
    if phase == HERALDING:
        return herald(v, desk)
    if phase == STATEMENT:
        return speak(v, numbers, desk, work)
    if phase == CHOICE:
        return choose_hand(v, numbers, mask, draws, desk, work)
    if phase == GIFT:
        return give(v, numbers, draws, desk)
    if phase == PLACEMENT:
        return place(v, numbers, draws, desk)
    if phase == NIGHT:
        return nominate(v, numbers, draws, desk, work)
    if phase in (FASTING, PAYMENT):
        return discard(v, numbers, desk)
    if phase == DOUBTING:
        return dismiss(v, mask)
    if phase == INDOCTRINATION:
        return buy(v, numbers, mask)
    return claim(v, numbers, draws)


def decide_many(
    views: Any, numbers: Any, masks: Any, draws: Any, desks: Any, works: Any, out: Any
) -> None:
    """Write the action for ``views[k]`` into ``out[k]``, for all k."""
    for k in range(views.shape[0]):
        out[k] = decide(views[k], numbers, masks[k], draws[k], desks[0], works[0])


@cache
def _kernel() -> Any:
    """The compiled loop, made on first use; one for all characters."""
    folder = None
    if not INTERPRETED:
        core = Path(compilation.__file__).parent
        folder = cache_folder("believers-bots", (core, GAME.folder, Path(__file__).parent))
    return bind(decide_many, "believers.bots", {}, folder)


class CharacterBot(GeneratorBot):
    """Decides by the numbers of a character.

    What a Defector knows of others' suspicion is worked out in a copy of its View.

    Args:
        character: the numbers.
        name: for tables and messages.
        seed: of its generator; from the operating system if not given.
    """

    def __init__(self, character: Character, *, name: str, seed: int | None = None) -> None:
        super().__init__(name, GAME, seed)
        self.character = character
        self._numbers = character.row()
        self._desk = new_desk()
        self._work = new_work()

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        del kept["_desk"], kept["_work"]  # scratch memory
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._desk = new_desk()
        self._work = new_work()

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        draws = self.generator.random((len(views), _DRAWS))
        if self.character.steady:
            draws[:] = 0.5
        actions = np.empty(len(views), np.int64)
        own = views.copy()  # Faith is blanked in it for a moment
        _kernel()(own, self._numbers, masks, draws, self._desk, self._work, actions)
        return actions
