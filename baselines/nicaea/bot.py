"""Rule bots: one way of deciding, compiled, from Views alone; their characters make them differ."""

from __future__ import annotations

from collections.abc import Sequence

from concilium.baselines.memory import new_scratch
from concilium.baselines.nicaea.aim import distance
from concilium.baselines.nicaea.character import FOR_SCHISM, ORDINARY, Character
from concilium.baselines.nicaea.desk import DOCTRINES, Desk
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
from concilium.baselines.rule_bot import Program, RuleBot
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells, Records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import Phase, State


@jit
def decide(
    v: State, rows: Sequence[Character], mask: Cells, draws: Cells,
    scratch: tuple[Sequence[Desk]],
) -> int:  # fmt: skip
    """Choose an action in the View ``v`` of the player to act, by :meth:`Character.records`."""
    desk = scratch[0][0]
    phase = v.phase
    if phase == Phase.NAMING:
        return choose_name(v, desk)
    params = rows[ORDINARY]
    is_late = rounds_left(v) <= params.late
    if params.schism > 0.0 and is_late and distance(v, desk) <= params.schism:
        params = rows[FOR_SCHISM]
    in_round = int(
        phase == Phase.DEBATE_ROUND or (phase == Phase.PAYMENT and v.taking < 0 <= v.buying)
    )
    look_at_own(v, desk)
    lay_out(v, params, desk, in_round, mask, phase == Phase.PAYMENT)
    if phase == Phase.PAYMENT:
        return _pay(v, params, desk, mask, in_round)
    look(v, params, desk, in_round)
    if phase == Phase.DEBATE_ROUND:
        return _buy(v, params, desk, mask)
    count_hand(v, params, desk)
    if phase == Phase.TURN:
        action, worth = best_turn(v, params, desk, mask)
        if params.gift > 0.0 and is_late:
            return best_gift(v, params, desk, mask, action, worth)
        return action
    if phase == Phase.COPY:
        return choose_copy(v, params, desk, mask)
    if phase == Phase.PLAY_FREE:
        return choose_free_play(v, params, desk)
    return choose_extra_purchase(v, params, desk, mask)


@jit
def _buy(v: State, params: Character, desk: Desk, mask: Cells) -> int:
    """The doctrine that brings most beyond its price, or none."""
    best = 0.0
    action = A.DECLINE
    for k in range(DOCTRINES):
        if mask[A.BUY + k] == 1:
            cost, _ = cheapest_payment(v, params, desk, desk.price[k], 1)
            if desk.gain[k] - cost > best:
                best = desk.gain[k] - cost
                action = A.BUY + k
    return action


@jit
def _pay(v: State, params: Character, desk: Desk, mask: Cells, in_round: int) -> int:
    """The next step of the cheapest payment."""
    _, total = cheapest_payment(v, params, desk, v.price - v.paid, in_round)
    card = desk.flip_card[total]
    if total > 0 and card >= 0:
        return A.FLIP + card
    if mask[A.PAY_REST] == 1:
        return A.PAY_REST
    action = A.FLIP
    while mask[action] == 0:  # of what is legal nothing completes the payment by itself
        action += 1
    return action


def _new_scratch() -> tuple[Records]:
    return (new_scratch(Desk),)


class CharacterBot(RuleBot[Character]):
    """Decides by a character. Deterministic: the generator is not used."""

    program = Program(GAME, decide, new_scratch=_new_scratch)
