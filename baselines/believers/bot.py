"""Rule bots of Believers: one way of deciding, compiled, from Views alone; characters differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.believers.character import Character
from concilium.baselines.believers.decisions.call import call, herald
from concilium.baselines.believers.decisions.mind import Desk
from concilium.baselines.believers.decisions.mission import choose_hand, give, place
from concilium.baselines.believers.decisions.rows import buy, discard, dismiss, nominate
from concilium.baselines.believers.decisions.talk import claim, speak
from concilium.baselines.believers.inference.work import Work
from concilium.baselines.memory import new_scratch
from concilium.baselines.rule_bot import Program, RuleBot
from concilium.envs.believers import GAME
from concilium.envs.believers.state import Phase, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells, Records


@jit
def decide(
    v: State, rows: Sequence[Character], mask: Cells, draws: Cells,
    scratch: tuple[Sequence[Desk], Sequence[Work]],
) -> int:  # fmt: skip
    """Choose an action in the View ``v`` of the player to act; ``draws (2,)`` are in [0, 1)."""
    params = rows[0]
    desk = scratch[0][0]
    work = scratch[1][0]
    phase = v.phase
    if phase == Phase.CALL:
        return call(v, params, mask, desk, work)
    if phase == Phase.HERALDING:
        return herald(v, desk)
    if phase == Phase.STATEMENT:
        return speak(v, params, desk, work)
    if phase == Phase.CHOICE:
        return choose_hand(v, params, mask, draws, desk, work)
    if phase == Phase.GIFT:
        return give(v, params, draws, desk)
    if phase == Phase.PLACEMENT:
        return place(v, params, draws, desk)
    if phase == Phase.NIGHT:
        return nominate(v, params, draws, desk, work)
    if phase in (Phase.FASTING, Phase.PAYMENT):
        return discard(v, params, desk)
    if phase == Phase.DOUBTING:
        return dismiss(v, mask)
    if phase == Phase.INDOCTRINATION:
        return buy(v, params, mask)
    return claim(v, params, draws)


def _new_scratch() -> tuple[Records, Records]:
    return new_scratch(Desk), new_scratch(Work)


class CharacterBot(RuleBot[Character]):
    """Decides by a character.

    What a Defector knows of others' suspicion is worked out in a copy of its View.
    """

    program = Program(GAME, decide, draws=2, new_scratch=_new_scratch)

    @property
    def steady(self) -> bool:
        """Whether it draws nothing, as its character says."""
        return self.character.steady

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return super()._choose(views.copy(), masks)  # Faith is blanked in it for a moment
