"""A turn: which Action, which card, or to pass; and what a New Offer or a free play is used for."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.nicaea.character import (
    CROWN,
    ENGINE,
    MIGHT,
    NEED,
    OFFER,
    PAIR,
    PATIENCE,
    POINT,
    RESTRAINT,
    SUIT,
    THRIFT,
)
from concilium.baselines.nicaea.desk import DOCTRINES, MOST_SUM
from concilium.baselines.nicaea.purse import cheapest_payment
from concilium.envs.core.jit import jit
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.doctrine import first_open
from concilium.envs.nicaea.payment import means
from concilium.envs.nicaea.state import (
    DEBATE,
    DISPUTES,
    FREE_PLAY,
    NEW_OFFER,
    NO_CARD,
    NOBODY,
    NOTHING,
    POOLS,
    REFRESH,
    SEATS,
    SPACE_COST,
    SPACE_KIND,
    SPACES,
    TABLEAU,
)
from concilium.envs.nicaea.tableau import is_bishop, leading_suits, suit_count, survey

_PASS: Final = A.PASS
_TAKE: Final = A.TAKE
_PLAY: Final = A.PLAY
_COPY_KIND: Final = A.COPY_KIND
_BUY: Final = A.BUY
_DECLINE: Final = A.DECLINE
_WORST: Final = -1e9
_LATER: Final = 0.5  # part of a card's worth that is left if it can only be played in a later round
_TOO_POOR: Final = 0.2  # likewise for who will have nothing to pay with
_MISSED: Final = 0.5  # part of a card's refreshes that each card beyond the number refreshed costs
_A_LIVING: Final = np.int64(4)  # Influence of Bishops with which one can go on
_SUITS_THAT_COUNT: Final = 3  # face-up cards of a suit beyond which one more adds nothing


@jit
def best_turn(v: Any, numbers: Any, desk: Any, mask: Any) -> Any:
    """The action worth most and its worth; ``desk`` is laid out for what comes before the round."""
    seat = np.int64(v.viewer)
    suits, _, _, _, _ = survey(v, seat, 0)
    leading = leading_suits(suits)
    best = _pass_worth(v, numbers, desk)
    action: Any = np.int64(_PASS)
    for space in range(SPACES):
        lying = np.int64(v.display[space])
        if lying != NO_CARD and mask[_TAKE + lying] == 1:
            price = np.int64(SPACE_COST[space])
            worth = hand_worth(v, numbers, desk, lying, suits, leading, price)
            kind = np.int64(SPACE_KIND[space])
            worth += effect_worth(v, numbers, desk, kind, price, suits, leading)
            restraint = numbers[RESTRAINT] if lacking(desk) == 0 else 1.0
            worth -= restraint * loss(v, numbers, desk, price)
            if worth > best:
                best = worth
                action = _TAKE + lying
    for card in range(np.int64(v.num_cards)):
        if mask[_PLAY + SEATS * card] == 1:
            worth = tableau_worth(v, numbers, desk, card, suits)
            worth -= play_loss(v, numbers, desk, card, leading)
            if worth > best:
                best = worth
                action = _PLAY + SEATS * card
    return action, best


# What things are worth ---------------------------------------------------------------------------


@jit
def loss(v: Any, numbers: Any, desk: Any, price: Any) -> Any:
    """What it costs to pay a price and get no Influence for it.

    That is the payment itself, what it spoils of the purchase in the round, and what it spoils of
    the Bishops in hand: one that the means reach can be played, because it gives what it costs.
    """
    if price == 0:
        return 0.0
    cost, _ = cheapest_payment(v, numbers, desk, price, 0)
    gone = max(price - np.int64(desk.spare), np.int64(0))
    left = max(np.int64(desk.budget) - gone, np.int64(0))
    cost += desk.net[np.int64(desk.budget)] - desk.net[left]
    now = min(np.int64(desk.now), np.int64(MOST_SUM))
    return cost + desk.hand[now] - desk.hand[max(now - price, np.int64(0))]


@jit
def windfall(desk: Any, amount: Any) -> Any:
    """What more Influence in the next Debate Round is good for."""
    more = min(np.int64(desk.budget) + amount, np.int64(MOST_SUM))
    return desk.net[more] - desk.net[np.int64(desk.budget)]


@jit
def tableau_worth(v: Any, numbers: Any, desk: Any, card: Any, suits: Any) -> Any:
    """What a card adds to the own tableau, its price aside."""
    seat = np.int64(v.viewer)
    cost = np.int64(v.cost[card])
    worth = 0.0
    if desk.rounds > 0.0:
        same = min(suit_count(suits, np.int64(v.suit[card])), np.int64(_SUITS_THAT_COUNT))
        worth += numbers[SUIT] * same
    if not is_bishop(v, card):
        return worth + numbers[POINT] * cost + numbers[THRIFT] * min(desk.rounds, 1.0)
    # cards are refreshed from the left, and a new one comes to the right of all
    beyond = np.int64(v.tableau_size[seat]) - np.int64(desk.capacity)
    again = min(max(1.0 - _MISSED * beyond, 0.0), 1.0) * desk.rounds
    if first_open(v) < DISPUTES:
        worth += numbers[THRIFT] * cost * (1.0 + numbers[ENGINE] * again)
        if desk.rounds > 0.0:
            worth += numbers[NEED] * min(cost, lacking(desk))
    worth += numbers[MIGHT] * cost
    for d in range(DISPUTES):
        if (np.int64(v.icons[card]) >> d) & 1 == 1:
            worth += numbers[POINT] * desk.hold[d]
    other = np.int64(v.partner[card])
    if v.where[other] == TABLEAU + seat or v.where[other] == seat:
        bonus = np.int64(v.bonus[card]) + np.int64(v.bonus[other])
        worth += numbers[PAIR] * numbers[THRIFT] * bonus * min(desk.rounds + 1.0, 2.0)
    return worth


@jit
def lacking(desk: Any) -> Any:
    """Influence that the own Bishops are short of a living.

    TI is lost in the Debate Round, so that who has no Bishops can pay for nothing any more.
    """
    return max(_A_LIVING - np.int64(desk.bishops), np.int64(0))


@jit
def play_loss(v: Any, numbers: Any, desk: Any, card: Any, leading: Any) -> Any:
    """What it costs to play a card to the own tableau: nothing if it is of a leading suit.

    A Bishop gives the Influence that it costs at once, so that it spoils nothing.
    """
    if (leading >> np.int64(v.suit[card])) & 1 == 1:
        return 0.0
    if is_bishop(v, card):
        cost, _ = cheapest_payment(v, numbers, desk, np.int64(v.cost[card]), 0)
        return cost
    return loss(v, numbers, desk, np.int64(v.cost[card]))


@jit
def hand_worth(
    v: Any, numbers: Any, desk: Any, card: Any, suits: Any, leading: Any, spent: Any
) -> Any:
    """What a card in hand is worth after so much is spent: what it will add when it is played."""
    worth = tableau_worth(v, numbers, desk, card, suits)
    if (leading >> np.int64(v.suit[card])) & 1 == 0:
        worth -= numbers[THRIFT] * np.int64(v.cost[card])
        if np.int64(v.cost[card]) > np.int64(desk.now) - spent:
            worth *= later_part(v, desk, card)
    return numbers[PATIENCE] * max(worth, 0.0)


@jit
def later_part(v: Any, desk: Any, card: Any) -> Any:
    """Part of a card's worth that is left if it cannot be played before the Debate Round.

    TI beyond the Canons is lost then: who has no Bishops will have next to nothing to pay with.
    """
    if desk.rounds <= 0.0:
        return 0.0
    if np.int64(desk.bishops) + np.int64(desk.canons) < np.int64(v.cost[card]):
        return _TOO_POOR
    return _LATER


@jit
def count_hand(v: Any, numbers: Any, desk: Any) -> None:
    """Write down what the Bishops in hand that can be paid are worth, by the means at hand."""
    suits, _, _, _, _ = survey(v, np.int64(v.viewer), 0)
    leading = leading_suits(suits)
    for amount in range(MOST_SUM + 1):
        desk.hand[amount] = 0.0
    for card in range(np.int64(v.num_cards)):
        is_free = (leading >> np.int64(v.suit[card])) & 1 == 1
        if v.where[card] == v.viewer and is_bishop(v, card) and not is_free:
            worth = tableau_worth(v, numbers, desk, card, suits)
            worth -= numbers[THRIFT] * np.int64(v.cost[card])
            worth = max(worth, 0.0) * (1.0 - later_part(v, desk, card))
            desk.hand[np.int64(v.cost[card])] += worth
    for amount in range(MOST_SUM):
        desk.hand[amount + 1] += desk.hand[amount]


@jit
def effect_worth(
    v: Any, numbers: Any, desk: Any, kind: Any, spent: Any, suits: Any, leading: Any
) -> Any:
    """What an Action does after so much is paid for it, without the card that comes with it."""
    if kind == NEW_OFFER:
        best = 0.0
        for copied in range(NEW_OFFER):
            if not _is_barred(v, copied):
                worth = _plain_effect(v, numbers, desk, np.int64(copied), spent, suits, leading)
                best = max(best, worth)
        return best - numbers[OFFER] * _spaces_to_fill(v)
    return _plain_effect(v, numbers, desk, kind, spent, suits, leading)


@jit
def _spaces_to_fill(v: Any) -> Any:
    """Spaces that a New Offer taken now would fill (N15)."""
    empty = np.int64(0)
    for space in range(SPACES):
        empty += np.int64(v.display[space] == NO_CARD and space != v.constantine_space)
    return min(empty, np.int64(v.deck_size))


@jit
def _is_barred(v: Any, kind: Any) -> Any:
    """N14: Constantine stands on a space of that kind."""
    return v.constantine_space >= 0 and SPACE_KIND[np.int64(v.constantine_space)] == kind


@jit
def _plain_effect(
    v: Any, numbers: Any, desk: Any, kind: Any, spent: Any, suits: Any, leading: Any
) -> Any:
    if kind == REFRESH:
        return _refresh_worth(v, numbers, desk)
    if kind == DEBATE:
        _, worth = best_extra_purchase(v, numbers, desk, spent)
        return worth
    if kind == FREE_PLAY:
        _, worth = best_free_play(v, numbers, desk, suits, leading)
        return worth
    return 0.0


@jit
def _refresh_worth(v: Any, numbers: Any, desk: Any) -> Any:
    """What turning up the leftmost face-down card is worth."""
    seat = np.int64(v.viewer)
    for k in range(np.int64(v.tableau_size[seat])):
        card = np.int64(v.tableau[seat, k])
        if v.face_down[card] == 1:
            cost = np.int64(v.cost[card])
            if desk.spare > 0:  # it would be turned up in the round anyhow
                return 0.5 * numbers[THRIFT] * cost
            return numbers[THRIFT] * cost + windfall(desk, cost)
    return 0.0


@jit
def best_extra_purchase(v: Any, numbers: Any, desk: Any, spent: Any) -> Any:
    """The best doctrine to buy before the round, after so much is spent, or -1, and its worth.

    It is worth its gain less its price and less what it spoils of the purchase in the round.
    """
    limit = means(v, np.int64(v.viewer)) - spent
    best = 0.0
    chosen = np.int64(-1)
    for k in range(DOCTRINES):
        price = np.int64(desk.price[k])
        if 0 < price <= limit:
            worth = desk.gain[k] - loss(v, numbers, desk, price)
            if worth > best:
                best = worth
                chosen = np.int64(k)
    return chosen, best


@jit
def best_free_play(v: Any, numbers: Any, desk: Any, suits: Any, leading: Any) -> Any:
    """The card of the hand that gains most by costing nothing, or -1, and what is gained."""
    best = 0.0
    chosen = np.int64(NO_CARD)
    for card in range(np.int64(v.num_cards)):
        if v.where[card] == v.viewer:
            worth = tableau_worth(v, numbers, desk, card, suits)
            if (leading >> np.int64(v.suit[card])) & 1 == 1:
                worth *= 0.1  # it can be played for nothing anyhow
            else:
                worth = min(worth, numbers[THRIFT] * np.int64(v.cost[card]) + 0.5 * worth)
            if worth > best:
                best = worth
                chosen = np.int64(card)
    return chosen, best


@jit
def _pass_worth(v: Any, numbers: Any, desk: Any) -> Any:
    """TI of the topmost pool; and Constantine, if the deck ends with disputes open (N30)."""
    worth = 0.0
    for k in range(POOLS):
        amount = np.int64(v.pool[k])
        if amount > 0:
            kept = max(min(np.int64(desk.canons) - np.int64(v.ti[np.int64(v.viewer)]), amount), 0)
            worth += numbers[THRIFT] * kept + windfall(desk, amount)
            break
    if v.first_passer == NOBODY and desk.rounds <= 0.0 and first_open(v) < DISPUTES:
        worth += numbers[CROWN]
    return worth


# Decisions within an Action ----------------------------------------------------------------------


@jit
def choose_copy(v: Any, numbers: Any, desk: Any, mask: Any) -> Any:
    """The Action that New Offer copies: the one that does most."""
    suits, _, _, _, _ = survey(v, np.int64(v.viewer), 0)
    leading = leading_suits(suits)
    best = _WORST
    chosen = np.int64(NOTHING)
    for kind in range(NEW_OFFER):
        if mask[_COPY_KIND + kind] == 1:
            nothing = np.int64(0)  # the New Offer is paid already
            worth = _plain_effect(v, numbers, desk, np.int64(kind), nothing, suits, leading)
            if worth > best:
                best = worth
                chosen = np.int64(kind)
    return _COPY_KIND + chosen


@jit
def choose_free_play(v: Any, numbers: Any, desk: Any) -> Any:
    """The card of the hand that gains most, or none."""
    suits, _, _, _, _ = survey(v, np.int64(v.viewer), 0)
    card, _ = best_free_play(v, numbers, desk, suits, leading_suits(suits))
    if card == NO_CARD:
        return np.int64(_DECLINE)
    return _PLAY + SEATS * card


@jit
def choose_extra_purchase(v: Any, numbers: Any, desk: Any, mask: Any) -> Any:
    """The doctrine to buy by an Action, or none."""
    chosen, _ = best_extra_purchase(v, numbers, desk, np.int64(0))
    if chosen < 0 or mask[_BUY + chosen] == 0:
        return np.int64(_DECLINE)
    return _BUY + chosen
