"""What a player can expect: rounds to come, means, how disputes end, what doctrine brings."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.baselines.nicaea.character import (
    CONTRARY,
    ENVY,
    MARKER,
    OTHERS,
    POINT,
    REFRESH,
    THRIFT,
)
from concilium.baselines.nicaea.desk import DOCTRINES, MEMO, MOST_SUM
from concilium.baselines.nicaea.dispute import (
    BEFORE,
    BOUGHT,
    DECLINED,
    NOTHING_HELD,
    NUMBERS,
    ONE_A,
    ONE_B,
    ROWS,
    TWO_A,
    TWO_B,
    settle,
)
from concilium.envs.core.jit import jit
from concilium.envs.nicaea.debate import refresh_count
from concilium.envs.nicaea.doctrine import cards_held, cards_in_hands, doctrine_price, first_open
from concilium.envs.nicaea.state import (
    DISPUTES,
    NO_CARD,
    OPEN,
    SIDES,
    SINGLE_CARDS,
    SPACES,
    TRACK,
    WINNING_CARDS,
)
from concilium.envs.nicaea.tableau import is_bishop, pair_bonus, survey

_BUYING: Final = 0.5  # of the seats buy a card of a winning side in a Debate Round
_TAKING: Final = 0.8  # of the seats take a card between two Debate Rounds
_FAR: Final = 4.0  # rounds beyond which nothing is planned
_JOINING: Final = 0.4  # chance to hold a card in the end of a dispute in which one has none yet
_KEY_BITS: Final = 6  # of each seat's means in a key
_USED: Final = np.int64(1) << 61  # marks keys, so that none is 0


@jit
def look_at_own(v: Any, desk: Any) -> None:
    """Write on the desk what the viewer has."""
    seat = np.int64(v.viewer)
    _, face_up, bishops, canons, _ = survey(v, seat, 0)
    desk.canons = canons
    desk.bishops = bishops
    desk.now = face_up + np.int64(v.ti[seat])
    desk.capacity = refresh_count(v, seat)
    desk.rounds = rounds_left(v)


@jit
def look(v: Any, numbers: Any, desk: Any, in_round: Any) -> None:
    """Write on the desk what the viewer can expect; ``in_round``: 1 during the purchases.

    Until the purchases the others are taken for equally rich and told apart only by the cards that
    they hold: of so few positions most have been worked out before.
    """
    seat = np.int64(v.viewer)
    n = np.int64(v.num_players)
    total = np.int64(0)
    for k in range(n):
        desk.reach[k] = reach(v, (seat + k) % n, in_round)
        total += desk.reach[k]
    desk.budget = desk.reach[0]
    if in_round == 0:
        for k in range(1, n):
            desk.reach[k] = (total - desk.reach[0]) // (n - 1)
    down, row = _face_down(v, seat)
    desk.spare = 0
    if in_round == 0 and row > 0:
        desk.spare = (
            max(np.int64(desk.capacity) - down, np.int64(0)) * np.int64(desk.bishops) // row
        )
    _check_track(v, desk)
    for d in range(DISPUTES):
        desk.hold[d] = 1.0 if cards_held(v, seat, d) > 0 else 0.0
        for side in range(SIDES):
            desk.price[SIDES * d + side] = 0
        if v.settled[d] == OPEN:
            _forecast(v, numbers, desk, d, in_round)
            _expect(v, numbers, desk, d)
    _plan_purchase(numbers, desk)


@jit
def rounds_left(v: Any) -> Any:
    """Debate Rounds to come after the next one, as far as doctrine and deck let expect."""
    if first_open(v) == DISPUTES:
        return 0.0
    n = np.int64(v.num_players)
    missing = np.int64(0)
    for d in range(DISPUTES):
        if v.settled[d] == OPEN:
            missing += WINNING_CARDS - max(cards_in_hands(v, d, 0), cards_in_hands(v, d, 1))
    empty = np.int64(0)
    for space in range(SPACES):
        empty += np.int64(v.display[space] == NO_CARD)
    left = np.int64(v.deck_size) - empty
    if left <= 0:
        return 0.0
    by_doctrine = missing / (_BUYING * n) - 1.0
    by_deck = left / (_TAKING * n)
    return max(min(min(by_doctrine, by_deck), _FAR), 0.0)


@jit
def reach(v: Any, seat: Any, in_round: Any) -> Any:
    """What the seat can pay in the Debate Round at hand, or in the next, as it stands now."""
    _, face_up, _, _, _ = survey(v, seat, 0)
    total = face_up + np.int64(v.ti[seat])
    if in_round == 0:
        capacity = refresh_count(v, seat)
        for k in range(np.int64(v.tableau_size[seat])):
            card = np.int64(v.tableau[seat, k])
            total += pair_bonus(v, card)
            if v.face_down[card] == 1 and capacity > 0:
                capacity -= 1
                total += np.int64(v.cost[card])
    return min(total, np.int64(MOST_SUM))


@jit
def _face_down(v: Any, seat: Any) -> Any:
    """Face-down cards and Bishops of the seat's tableau."""
    down = np.int64(0)
    bishops = np.int64(0)
    for k in range(np.int64(v.tableau_size[seat])):
        card = np.int64(v.tableau[seat, k])
        down += np.int64(v.face_down[card])
        bishops += np.int64(is_bishop(v, card))
    return down, bishops


# Forecasts -------------------------------------------------------------------------------------


@jit
def _check_track(v: Any, desk: Any) -> None:
    """Forget all forecasts if they were made for another track."""
    same = desk.track[2 * TRACK] == v.track_spaces
    for k in range(TRACK):
        same = same and desk.track[k] == v.track_base[k]
        same = same and desk.track[TRACK + k] == v.track_contrarian[k]
    if same:
        return
    desk.track[2 * TRACK] = v.track_spaces
    for k in range(TRACK):
        desk.track[k] = v.track_base[k]
        desk.track[TRACK + k] = v.track_contrarian[k]
    for k in range(MEMO):
        desk.key[k] = 0


@jit
def _forecast(v: Any, numbers: Any, desk: Any, d: Any, in_round: Any) -> None:
    """Chances of a dispute, the viewer being the next to decide; kept, and found again."""
    n = np.int64(v.num_players)
    for k in range(n):
        seat = (np.int64(v.viewer) + k) % n
        label = np.int64(v.doctrine[seat, d, 0])
        if v.doctrine[seat, d, 1] > 0:
            label = np.int64(v.doctrine[seat, d, 1]) + (ONE_B - ONE_A)
        place: Any = k
        while in_round == 0 and place > 1 and desk.labels[place - 1] > label:
            desk.labels[place] = desk.labels[place - 1]
            place -= 1
        desk.labels[place] = label
    _limit_means(v, desk, n)
    key = np.int64(v.token[d]) * 8 + n
    for k in range(n):
        key = (key << _KEY_BITS) + desk.means[k]
        key = (key << 3) + desk.labels[k]
    key |= _USED
    place = key % MEMO
    if desk.key[place] != key:
        desk.key[place] = key
        settle(
            desk.labels, desk.means, n, v.track_base, v.track_contrarian,
            np.int64(v.track_spaces) - 1, np.int64(v.token[d]),
            numbers[OTHERS : OTHERS + NUMBERS], desk.work, desk.known[place],
        )  # fmt: skip
    for row in range(ROWS):
        left_open = 1.0 - desk.known[place, row, 0] - desk.known[place, row, 1]
        for side in range(SIDES):  # N30: somebody will name a side
            desk.forecast[d, row, side] = desk.known[place, row, side] + left_open / SIDES


@jit
def _limit_means(v: Any, desk: Any, n: Any) -> None:
    """Take off means what makes no difference, so that more positions are the same."""
    most = np.int64(v.track_base[np.int64(v.track_spaces) - 1])
    for k in range(n):
        held = desk.labels[k]
        if held in (TWO_A, TWO_B):
            desk.means[k] = 0
        elif held == NOTHING_HELD:
            desk.means[k] = min(np.int64(desk.reach[k]), most)
        else:  # a second card costs twice a price
            desk.means[k] = min(np.int64(desk.reach[k]), 2 * most) // 2 * 2


# What doctrine brings --------------------------------------------------------------------------


@jit
def _icons(v: Any, seat: Any, d: Any) -> Any:
    """Icons of a dispute in the seat's tableau."""
    bit = np.int64(1) << d
    _, _, _, _, with_icons = survey(v, seat, bit)
    _, _, _, _, without = survey(v, seat, 0)
    return with_icons - without


@jit
def _expect(v: Any, numbers: Any, desk: Any, d: Any) -> None:
    """Gain and price of both doctrines of an open dispute, and the chance that its icons count."""
    seat = np.int64(v.viewer)
    chances = desk.forecast[d]
    icons = numbers[POINT] * _icons(v, seat, d)
    held = cards_held(v, seat, d)
    desk.hold[d] = _JOINING * (chances[BEFORE, 0] + chances[BEFORE, 1])
    for side in range(SIDES):
        if v.doctrine[seat, d, side] > 0:
            desk.hold[d] = chances[DECLINED, side]
    for side in range(SIDES):
        price = doctrine_price(v, seat, d, side)
        if price == 0:
            continue
        own_before = 0.0
        others_before = 0.0
        own_after = 0.0
        others_after = 0.0
        for winner in range(SIDES):
            mine = np.int64(v.doctrine[seat, d, winner])
            before = chances[DECLINED, winner]
            after = chances[BOUGHT + side, winner]
            own_before += before * (numbers[MARKER] * mine + icons * (mine > 0))
            others_before += before * numbers[MARKER] * (WINNING_CARDS - mine)
            mine += np.int64(winner == side)
            own_after += after * (numbers[MARKER] * mine + icons * (mine > 0))
            others_after += after * numbers[MARKER] * (WINNING_CARDS - mine)
        others = np.int64(v.num_players) - 1
        gain = own_after - own_before - numbers[ENVY] * (others_after - others_before) / others
        gain += _refresh_gain(v, numbers, desk, d, side, held)
        if cards_in_hands(v, d, side) < cards_in_hands(v, d, 1 - side):
            gain += numbers[CONTRARY]
        desk.price[SIDES * d + side] = price
        desk.gain[SIDES * d + side] = gain


@jit
def _refresh_gain(v: Any, numbers: Any, desk: Any, d: Any, side: Any, held: Any) -> Any:
    """Influence that one more card turns up in the rounds to come, while the dispute is open."""
    seat = np.int64(v.viewer)
    if cards_in_hands(v, d, side) == SINGLE_CARDS or v.tableau_size[seat] == 0:
        return 0.0
    token = np.int64(v.token[d])
    later = min(token + held + 1, np.int64(v.track_spaces) - 1)
    halves = np.int64(v.track_refresh[later]) * (held + 1)
    halves -= np.int64(v.track_refresh[token]) * held
    each = np.int64(desk.bishops) / np.int64(v.tableau_size[seat])
    wanted = np.int64(v.tableau_size[seat]) - np.int64(desk.capacity)  # more cannot be turned up
    if wanted <= 0:
        return 0.0
    cards = min(halves / 2.0, np.float64(wanted))
    return numbers[REFRESH] * numbers[THRIFT] * cards * each * min(desk.rounds, 2.0)


@jit
def _plan_purchase(numbers: Any, desk: Any) -> None:
    """Gain less price of the best purchase within each budget, 0 where none is worth it."""
    for budget in range(MOST_SUM + 1):
        desk.net[budget] = 0.0
    for k in range(DOCTRINES):
        price = np.int64(desk.price[k])
        if price > 0:
            net = desk.gain[k] - numbers[THRIFT] * price
            desk.net[price] = max(desk.net[price], net)
    for budget in range(MOST_SUM):
        desk.net[budget + 1] = max(desk.net[budget + 1], desk.net[budget])
