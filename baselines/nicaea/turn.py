"""A turn: which Action, which card, or to pass; and what a New Offer or a free play is used for."""

from __future__ import annotations

from typing import Final

from concilium.baselines.nicaea.character import Character
from concilium.baselines.nicaea.desk import DOCTRINES, MOST_SUM, Desk
from concilium.baselines.nicaea.purse import cheapest_payment
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.state import Cells
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.doctrine import first_open
from concilium.envs.nicaea.payment import means
from concilium.envs.nicaea.state import Act, State
from concilium.envs.nicaea.tableau import is_bishop, leading_suits, suit_count, survey

_WORST: Final = -1e9
_LATER: Final = 0.5  # part of a card's worth that is left if it can only be played in a later round
_TOO_POOR: Final = 0.2  # likewise for who will have nothing to pay with
_MISSED: Final = 0.5  # part of a card's refreshes that each card beyond the number refreshed costs
_A_LIVING: Final = 4  # Influence of Bishops with which one can go on
_SUITS_THAT_COUNT: Final = 3  # face-up cards of a suit beyond which one more adds nothing


@jit
def best_turn(v: State, params: Character, desk: Desk, mask: Cells) -> tuple[int, float]:
    """The action worth most and its worth; ``desk`` is laid out for what comes before the round."""
    seat = v.viewer
    suits, _, _, _, _ = survey(v, seat, 0)
    leading = leading_suits(suits)
    best = _pass_worth(v, params, desk)
    action = A.PASS
    for space in range(S.SPACES):
        lying = v.display[space]
        if lying != S.NO_CARD and mask[A.TAKE + lying] == 1:
            price = S.SPACE_COST[space]
            worth = hand_worth(v, params, desk, lying, suits, leading, price)
            kind = S.SPACE_ACTION[space]
            worth += effect_worth(v, params, desk, kind, price, suits, leading)
            restraint = params.restraint if lacking(desk) == 0 else 1.0
            worth -= restraint * loss(v, params, desk, price)
            if worth > best:
                best = worth
                action = A.TAKE + lying
    for card in range(v.num_cards):
        if mask[A.PLAY + S.SEATS * card] == 1:
            worth = tableau_worth(v, params, desk, card, suits)
            worth -= play_loss(v, params, desk, card, leading)
            if worth > best:
                best = worth
                action = A.PLAY + S.SEATS * card
    return action, best


# What things are worth ---------------------------------------------------------------------------


@jit
def loss(v: State, params: Character, desk: Desk, price: int) -> float:
    """What it costs to pay a price and get no Influence for it.

    That is the payment itself, what it spoils of the purchase in the round, and what it spoils of
    the Bishops in hand: one that the means reach can be played, because it gives what it costs.
    """
    if price == 0:
        return 0.0
    cost, _ = cheapest_payment(v, params, desk, price, 0)
    gone = max(price - desk.spare, 0)
    left = max(desk.budget - gone, 0)
    cost += desk.net[desk.budget] - desk.net[left]
    now = min(desk.now, MOST_SUM)
    return cost + desk.hand[now] - desk.hand[max(now - price, 0)]


@jit
def windfall(desk: Desk, amount: int) -> float:
    """What more Influence in the next Debate Round is good for."""
    more = min(desk.budget + amount, MOST_SUM)
    return desk.net[more] - desk.net[desk.budget]


@jit
def tableau_worth(v: State, params: Character, desk: Desk, card: int, suits: int) -> float:
    """What a card adds to the own tableau, its price aside."""
    seat = v.viewer
    cost = v.cost[card]
    worth = 0.0
    if desk.rounds > 0.0:
        same = min(suit_count(suits, v.suit[card]), _SUITS_THAT_COUNT)
        worth += params.suit * same
    if not is_bishop(v, card):
        return worth + params.point * cost + params.thrift * min(desk.rounds, 1.0)
    # cards are refreshed from the left, and a new one comes to the right of all
    beyond = v.tableau_size[seat] - desk.capacity
    again = min(max(1.0 - _MISSED * beyond, 0.0), 1.0) * desk.rounds
    if first_open(v) < S.DISPUTES:
        worth += params.thrift * cost * (1.0 + params.engine * again)
        if desk.rounds > 0.0:
            worth += params.need * min(cost, lacking(desk))
    worth += params.might * cost
    for d in range(S.DISPUTES):
        if (v.icons[card] >> d) & 1 == 1:
            worth += params.point * desk.hold[d]
    other = v.partner[card]
    if v.where[other] == S.TABLEAU + seat or v.where[other] == seat:
        bonus = v.bonus[card] + v.bonus[other]
        worth += params.pair * params.thrift * bonus * min(desk.rounds + 1.0, 2.0)
    return worth


@jit
def lacking(desk: Desk) -> int:
    """Influence that the own Bishops are short of a living.

    TI is lost in the Debate Round, so that who has no Bishops can pay for nothing any more.
    """
    return max(_A_LIVING - desk.bishops, 0)


@jit
def play_loss(v: State, params: Character, desk: Desk, card: int, leading: int) -> float:
    """What it costs to play a card to the own tableau: nothing if it is of a leading suit.

    A Bishop gives the Influence that it costs at once, so that it spoils nothing.
    """
    if (leading >> v.suit[card]) & 1 == 1:
        return 0.0
    if is_bishop(v, card):
        cost, _ = cheapest_payment(v, params, desk, v.cost[card], 0)
        return cost
    return loss(v, params, desk, v.cost[card])


@jit
def hand_worth(
    v: State, params: Character, desk: Desk, card: int, suits: int, leading: int, spent: int
) -> float:
    """What a card in hand is worth after so much is spent: what it will add when it is played."""
    worth = tableau_worth(v, params, desk, card, suits)
    if (leading >> v.suit[card]) & 1 == 0:
        worth -= params.thrift * v.cost[card]
        if v.cost[card] > desk.now - spent:
            worth *= later_part(v, desk, card)
    return params.patience * max(worth, 0.0)


@jit
def later_part(v: State, desk: Desk, card: int) -> float:
    """Part of a card's worth that is left if it cannot be played before the Debate Round.

    TI beyond the Canons is lost then: who has no Bishops will have next to nothing to pay with.
    """
    if desk.rounds <= 0.0:
        return 0.0
    if desk.bishops + desk.canons < v.cost[card]:
        return _TOO_POOR
    return _LATER


@jit
def count_hand(v: State, params: Character, desk: Desk) -> None:
    """Write down what the Bishops in hand that can be paid are worth, by the means at hand."""
    suits, _, _, _, _ = survey(v, v.viewer, 0)
    leading = leading_suits(suits)
    for amount in range(MOST_SUM + 1):
        desk.hand[amount] = 0.0
    for card in range(v.num_cards):
        is_free = (leading >> v.suit[card]) & 1 == 1
        if v.where[card] == v.viewer and is_bishop(v, card) and not is_free:
            worth = tableau_worth(v, params, desk, card, suits)
            worth -= params.thrift * v.cost[card]
            worth = max(worth, 0.0) * (1.0 - later_part(v, desk, card))
            desk.hand[v.cost[card]] += worth
    for amount in range(MOST_SUM):
        desk.hand[amount + 1] += desk.hand[amount]


@jit
def effect_worth(
    v: State, params: Character, desk: Desk, kind: int, spent: int, suits: int, leading: int
) -> float:
    """What an Action does after so much is paid for it, without the card that comes with it."""
    if kind == Act.NEW_OFFER:
        best = 0.0
        for copied in range(Act.NEW_OFFER):
            if not _is_barred(v, copied):
                worth = _plain_effect(v, params, desk, copied, spent, suits, leading)
                best = max(best, worth)
        return best - params.offer * _spaces_to_fill(v)
    return _plain_effect(v, params, desk, kind, spent, suits, leading)


@jit
def _spaces_to_fill(v: State) -> int:
    """Spaces that a New Offer taken now would fill (N15)."""
    empty = 0
    for space in range(S.SPACES):
        empty += int(v.display[space] == S.NO_CARD and space != v.constantine_space)
    return min(empty, v.deck_size)


@jit
def _is_barred(v: State, kind: int) -> bool:
    """N14: Constantine stands on a space of that kind."""
    return v.constantine_space >= 0 and S.SPACE_ACTION[v.constantine_space] == kind


@jit
def _plain_effect(
    v: State, params: Character, desk: Desk, kind: int, spent: int, suits: int, leading: int
) -> float:
    if kind == Act.REFRESH:
        return _refresh_worth(v, params, desk)
    if kind == Act.DEBATE:
        _, worth = best_extra_purchase(v, params, desk, spent)
        return worth
    if kind == Act.FREE_PLAY:
        _, worth = best_free_play(v, params, desk, suits, leading)
        return worth
    return 0.0


@jit
def _refresh_worth(v: State, params: Character, desk: Desk) -> float:
    """What turning up the leftmost face-down card is worth."""
    seat = v.viewer
    for k in range(v.tableau_size[seat]):
        card = v.tableau[seat, k]
        if v.face_down[card] == 1:
            cost = v.cost[card]
            if desk.spare > 0:  # it would be turned up in the round anyhow
                return 0.5 * params.thrift * cost
            return params.thrift * cost + windfall(desk, cost)
    return 0.0


@jit
def best_extra_purchase(v: State, params: Character, desk: Desk, spent: int) -> tuple[int, float]:
    """The best doctrine to buy before the round, after so much is spent, or -1, and its worth.

    It is worth its gain less its price and less what it spoils of the purchase in the round.
    """
    limit = means(v, v.viewer) - spent
    best = 0.0
    chosen = -1
    for k in range(DOCTRINES):
        price = desk.price[k]
        if 0 < price <= limit:
            worth = desk.gain[k] - loss(v, params, desk, price)
            if worth > best:
                best = worth
                chosen = k
    return chosen, best


@jit
def best_free_play(
    v: State, params: Character, desk: Desk, suits: int, leading: int
) -> tuple[int, float]:
    """The card of the hand that gains most by costing nothing, or -1, and what is gained."""
    best = 0.0
    chosen = S.NO_CARD
    for card in range(v.num_cards):
        if v.where[card] == v.viewer:
            worth = tableau_worth(v, params, desk, card, suits)
            if (leading >> v.suit[card]) & 1 == 1:
                worth *= 0.1  # it can be played for nothing anyhow
            else:
                worth = min(worth, params.thrift * v.cost[card] + 0.5 * worth)
            if worth > best:
                best = worth
                chosen = card
    return chosen, best


@jit
def _pass_worth(v: State, params: Character, desk: Desk) -> float:
    """TI of the topmost pool; and Constantine, if the deck ends with disputes open (N30)."""
    worth = 0.0
    for k in range(S.POOLS):
        amount = v.pool[k]
        if amount > 0:
            kept = max(min(desk.canons - v.ti[v.viewer], amount), 0)
            worth += params.thrift * kept + windfall(desk, amount)
            break
    if v.first_passer == S.NOBODY and desk.rounds <= 0.0 and first_open(v) < S.DISPUTES:
        worth += params.crown
    return worth


# Decisions within an Action ----------------------------------------------------------------------


@jit
def choose_copy(v: State, params: Character, desk: Desk, mask: Cells) -> int:
    """The Action that New Offer copies: the one that does most."""
    suits, _, _, _, _ = survey(v, v.viewer, 0)
    leading = leading_suits(suits)
    best = _WORST
    chosen: int = Act.NOTHING
    for kind in range(Act.NEW_OFFER):
        if mask[A.COPY + kind] == 1:
            nothing = 0  # the New Offer is paid already
            worth = _plain_effect(v, params, desk, kind, nothing, suits, leading)
            if worth > best:
                best = worth
                chosen = kind
    return A.COPY + chosen


@jit
def choose_free_play(v: State, params: Character, desk: Desk) -> int:
    """The card of the hand that gains most, or none."""
    suits, _, _, _, _ = survey(v, v.viewer, 0)
    card, _ = best_free_play(v, params, desk, suits, leading_suits(suits))
    if card == S.NO_CARD:
        return A.DECLINE
    return A.PLAY + S.SEATS * card


@jit
def choose_extra_purchase(v: State, params: Character, desk: Desk, mask: Cells) -> int:
    """The doctrine to buy by an Action, or none."""
    chosen, _ = best_extra_purchase(v, params, desk, 0)
    if chosen < 0 or mask[A.BUY + chosen] == 0:
        return A.DECLINE
    return A.BUY + chosen
