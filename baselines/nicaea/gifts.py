"""Keeping the church together: cards played so that nobody else can win by a schism.

Who has the most Influence and the lowest score wins. So a Canon goes to that player, whom it lifts
off the last place, or a Bishop to another, whose Influence then is as much.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.nicaea.character import ALARM, GIFT
from concilium.baselines.nicaea.ending import INFLUENCE, POINTS, read_end, schism_of
from concilium.baselines.nicaea.purse import cheapest_payment
from concilium.baselines.nicaea.turn import play_loss, tableau_worth
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.scoring import disputes_held
from concilium.envs.nicaea.state import SEATS
from concilium.envs.nicaea.tableau import ICON_COUNT, is_bishop, leading_suits, plays_free, survey

_PLAY: Final = A.PLAY


@jit
def danger(v: Any, desk: Any) -> Any:
    """Chance that another player would win by a schism, were the game over as the desk has it."""
    seat, chance = schism_of(desk.facts, desk.supply, np.int64(v.num_players), desk.work)
    if seat == v.viewer:
        return 0.0
    return chance


@jit
def best_gift(v: Any, numbers: Any, desk: Any, mask: Any, action: Any, best: Any) -> Any:
    """The card played against a schism that is worth more than ``action``, worth ``best``.

    Returns:
        The better of both actions.
    """
    read_end(v, desk.facts, desk.supply)
    before = danger(v, desk)
    if before < numbers[ALARM]:
        return action
    n = np.int64(v.num_players)
    suits, _, _, _, _ = survey(v, np.int64(v.viewer), 0)
    leading = leading_suits(suits)
    for card in range(np.int64(v.num_cards)):
        if v.where[card] != v.viewer:
            continue
        own = tableau_worth(v, numbers, desk, card, suits)
        for k in range(n):
            if mask[_PLAY + SEATS * card + k] == 0:
                continue
            seat = (np.int64(v.viewer) + k) % n
            worth = numbers[GIFT] * (before - _danger_with(v, desk, card, seat))
            if k == 0:
                worth += own - play_loss(v, numbers, desk, card, leading)
            else:
                worth -= max(own, 0.0) + _gift_price(v, numbers, desk, card, seat)
            if worth > best:
                best = worth
                action = _PLAY + SEATS * card + k
    return action


@jit
def _gift_price(v: Any, numbers: Any, desk: Any, card: Any, seat: Any) -> Any:
    if plays_free(v, card, seat):
        return 0.0
    cost, _ = cheapest_payment(v, numbers, desk, np.int64(v.cost[card]), 0)
    return cost


@jit
def _danger_with(v: Any, desk: Any, card: Any, seat: Any) -> Any:
    """The same chance with one more card in a seat's tableau."""
    points = np.int64(0)
    influence = np.int64(0)
    if is_bishop(v, card):
        points = np.int64(ICON_COUNT[np.int64(v.icons[card]) & disputes_held(v, seat)])
        influence = np.int64(v.cost[card])
    else:
        points = np.int64(v.cost[card])
    desk.facts[POINTS, seat] += points
    desk.facts[INFLUENCE, seat] += influence
    found = danger(v, desk)
    desk.facts[POINTS, seat] -= points
    desk.facts[INFLUENCE, seat] -= influence
    return found
