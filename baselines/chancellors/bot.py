"""Rule bots: one way of deciding, compiled, from Views alone; their characters make them differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from concilium.baselines.chancellors.character import (
    CALM,
    LAST_STEP,
    PUNISHING,
    STEWARD,
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
from concilium.baselines.rule_bot import Program, RuleBot
from concilium.envs.chancellors import GAME
from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import NUM_SUITED, RANK
from concilium.envs.chancellors.payment import controlled, solve_target
from concilium.envs.chancellors.state import NOBODY, Phase, State
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells

_SIX: Final = 6


@jit
def decide(
    v: State, rows: Sequence[Character], mask: Cells, draws: Cells, scratch: tuple[()]
) -> int:
    """Choose an action in the View ``v`` of the player to act, by :meth:`Character.records`."""
    culprit = runaway(v, rows[CALM].grudge)
    params = rows[CALM] if culprit == NOBODY else rows[PUNISHING]
    phase = v.phase
    if phase == Phase.MAIN:
        return best_step(v, params, culprit)
    if phase == Phase.BLOCK:
        return _answer_attempt(v, params, culprit)
    if phase == Phase.PAYMENT:
        return _pay(v, mask)
    if phase == Phase.ESCALATION:
        return A.RAISE_LOWER if params.raise_lower else A.RAISE_HIGHER
    return _avert(v, params, mask)


@jit
def runaway(v: State, grudge: int) -> int:
    """Who is to be punished, or NOBODY: who is ``grudge`` points ahead of the others' average.

    Scores are public and the rule is the same for everybody, so that all who follow it turn on the
    same player at the same time. Nobody punishes himself. Of equal scores that of the next in turn
    counts, and 0 punishes nobody.
    """
    players = v.num_players
    best = -1
    total = 0
    culprit = NOBODY
    for k in range(players):
        seat = (v.active + k) % players
        total += v.score[seat]
        if v.score[seat] > best:
            best = v.score[seat]
            culprit = seat
    others = players - 1
    if grudge == 0 or culprit == v.viewer or best * others - (total - best) < grudge * others:
        return NOBODY
    return culprit


@jit
def _answer_attempt(v: State, params: Character, culprit: int) -> int:
    """Block with the lowest card that will do, unless there is a truce.

    While somebody is punished only that player is blocked, truce or not.
    """
    let_go = worst_sum(v) >= params.truce if culprit == NOBODY else v.active != culprit
    rank = RANK[v.attempt_card]
    card = lowest_matching(v, v.viewer, v.attempt_force, rank, 0)
    return A.DECLINE if let_go or card == NO_CARD else A.BLOCK_WITH + card


@jit
def _pay(v: State, mask: Cells) -> int:
    """Commit a card of the cheapest way to complete the payment.

    The mask is asked because somebody else's first cards may have made that way illegal.
    """
    seat = v.viewer
    target = solve_target(v, v.solve_problem, v.solve_quiet)
    cards = eligible(v, seat, controlled(v, seat), 0)
    payment = cheapest(payments(cards), target - v.solve_paid)
    legal = NO_CARD
    for card in range(NUM_SUITED):
        if mask[A.PAY_WITH + card] == 1:
            legal = card
            if has(payment, card):
                break
    return A.PAY_WITH + legal


@jit
def _avert(v: State, params: Character, mask: Cells) -> int:
    """Reroll a 6-6 with the Excuse (C16), unless it is one's turn and one can pay for it.

    Who sees no danger in it lets it stand.
    """
    seat = v.viewer
    if params.danger[LAST_STEP] == 0:
        return A.KEEP_SILENT
    if v.active == seat:
        cards = eligible(v, seat, controlled(v, seat), 0)
        if cheapest(payments(cards), _SIX) != 0:
            return A.KEEP_SILENT
    for problem in range(v.problems):
        if mask[A.REROLL + problem] == 1:
            return A.REROLL + problem
    return A.KEEP_SILENT


class CharacterBot(RuleBot[Character]):
    """Decides by a character. Deterministic: the generator is not used."""

    program = Program(GAME, decide)


class StewardBot(CharacterBot):
    """Keeps calamity away: two forces, cheap attempts, every problem of 9 or more solved at once.

    Args:
        seed: accepted as by every bot.
    """

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(STEWARD, name="chancellors/steward", seed=seed)
