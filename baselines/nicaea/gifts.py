"""Keeping the church together: cards played so that nobody else can win by a schism.

Who has the most Influence and the lowest score wins. So a Canon goes to that player, whom it lifts
off the last place, or a Bishop to another, whose Influence then is as much.
"""

from __future__ import annotations

from concilium.baselines.nicaea.character import Character
from concilium.baselines.nicaea.desk import Desk
from concilium.baselines.nicaea.ending import INFLUENCE, POINTS, read_end, schism_of
from concilium.baselines.nicaea.purse import cheapest_payment
from concilium.baselines.nicaea.turn import play_loss, tableau_worth
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.scoring import disputes_held
from concilium.envs.nicaea.state import SEATS, State
from concilium.envs.nicaea.tableau import ICON_COUNT, is_bishop, leading_suits, plays_free, survey


@jit
def danger(v: State, desk: Desk) -> float:
    """Chance that another player would win by a schism, were the game over as the desk has it."""
    seat, chance = schism_of(desk.facts, desk.supply, v.num_players, desk.work)
    if seat == v.viewer:
        return 0.0
    return chance


@jit
def best_gift(
    v: State, params: Character, desk: Desk, mask: Cells, action: int, best: float
) -> int:
    """The card played against a schism that is worth more than ``action``, worth ``best``.

    Returns:
        The better of both actions.
    """
    read_end(v, desk.facts, desk.supply)
    before = danger(v, desk)
    if before < params.alarm:
        return action
    n = v.num_players
    suits, _, _, _, _ = survey(v, v.viewer, 0)
    leading = leading_suits(suits)
    for card in range(v.num_cards):
        if v.where[card] != v.viewer:
            continue
        own = tableau_worth(v, params, desk, card, suits)
        for k in range(n):
            if mask[A.PLAY + SEATS * card + k] == 0:
                continue
            seat = (v.viewer + k) % n
            worth = params.gift * (before - _danger_with(v, desk, card, seat))
            if k == 0:
                worth += own - play_loss(v, params, desk, card, leading)
            else:
                worth -= max(own, 0.0) + _gift_price(v, params, desk, card, seat)
            if worth > best:
                best = worth
                action = A.PLAY + SEATS * card + k
    return action


@jit
def _gift_price(v: State, params: Character, desk: Desk, card: int, seat: int) -> float:
    if plays_free(v, card, seat):
        return 0.0
    cost, _ = cheapest_payment(v, params, desk, v.cost[card], 0)
    return cost


@jit
def _danger_with(v: State, desk: Desk, card: int, seat: int) -> float:
    """The same chance with one more card in a seat's tableau."""
    points = 0
    influence = 0
    if is_bishop(v, card):
        points = ICON_COUNT[v.icons[card] & disputes_held(v, seat)]
        influence = v.cost[card]
    else:
        points = v.cost[card]
    desk.facts[POINTS, seat] += points
    desk.facts[INFLUENCE, seat] += influence
    found = danger(v, desk)
    desk.facts[POINTS, seat] -= points
    desk.facts[INFLUENCE, seat] -= influence
    return found
