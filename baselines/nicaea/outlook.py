"""What a player can expect: rounds to come, means, how disputes end, what doctrine brings."""

from __future__ import annotations

from typing import Final

from concilium.baselines.nicaea import dispute as D
from concilium.baselines.nicaea.character import Character
from concilium.baselines.nicaea.desk import DOCTRINES, MEMO, MOST_SUM, Desk
from concilium.envs.core.compiled.jit import jit
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.debate import refresh_count
from concilium.envs.nicaea.doctrine import cards_held, cards_in_hands, doctrine_price, first_open
from concilium.envs.nicaea.state import State
from concilium.envs.nicaea.tableau import is_bishop, pair_bonus, survey

_BUYING: Final = 0.5  # of the seats buy a card of a winning side in a Debate Round
_TAKING: Final = 0.8  # of the seats take a card between two Debate Rounds
_FAR: Final = 4.0  # rounds beyond which nothing is planned
_JOINING: Final = 0.4  # chance to hold a card in the end of a dispute in which one has none yet
_KEY_BITS: Final = 6  # of each seat's means in a key
_USED: Final = 1 << 61  # marks keys, so that none is 0


@jit
def look_at_own(v: State, desk: Desk) -> None:
    """Write on the desk what the viewer has."""
    seat = v.viewer
    _, face_up, bishops, canons, _ = survey(v, seat, 0)
    desk.canons = canons
    desk.bishops = bishops
    desk.now = face_up + v.ti[seat]
    desk.capacity = refresh_count(v, seat)
    desk.rounds = rounds_left(v)


@jit
def look(v: State, params: Character, desk: Desk, in_round: int) -> None:
    """Write on the desk what the viewer can expect; ``in_round``: 1 during the purchases.

    Until the purchases the others are taken for equally rich and told apart only by the cards that
    they hold: of so few positions most have been worked out before.
    """
    seat = v.viewer
    n = v.num_players
    total = 0
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
        desk.spare = max(desk.capacity - down, 0) * desk.bishops // row
    _check_track(v, desk)
    for d in range(S.DISPUTES):
        desk.hold[d] = 1.0 if cards_held(v, seat, d) > 0 else 0.0
        for side in range(S.SIDES):
            desk.price[S.SIDES * d + side] = 0
        if v.settled[d] == S.OPEN:
            _forecast(v, params, desk, d, in_round)
            _expect(v, params, desk, d)
    _plan_purchase(params, desk)


@jit
def rounds_left(v: State) -> float:
    """Debate Rounds to come after the next one, as far as doctrine and deck let expect."""
    if first_open(v) == S.DISPUTES:
        return 0.0
    n = v.num_players
    missing = 0
    for d in range(S.DISPUTES):
        if v.settled[d] == S.OPEN:
            missing += S.WINNING_CARDS - max(cards_in_hands(v, d, 0), cards_in_hands(v, d, 1))
    empty = 0
    for space in range(S.SPACES):
        empty += int(v.display[space] == S.NO_CARD)
    left = v.deck_size - empty
    if left <= 0:
        return 0.0
    by_doctrine = missing / (_BUYING * n) - 1.0
    by_deck = left / (_TAKING * n)
    return max(min(min(by_doctrine, by_deck), _FAR), 0.0)


@jit
def reach(v: State, seat: int, in_round: int) -> int:
    """What the seat can pay in the Debate Round at hand, or in the next, as it stands now."""
    _, face_up, _, _, _ = survey(v, seat, 0)
    total = face_up + v.ti[seat]
    if in_round == 0:
        capacity = refresh_count(v, seat)
        for k in range(v.tableau_size[seat]):
            card = v.tableau[seat, k]
            total += pair_bonus(v, card)
            if v.face_down[card] == 1 and capacity > 0:
                capacity -= 1
                total += v.cost[card]
    return min(total, MOST_SUM)


@jit
def _face_down(v: State, seat: int) -> tuple[int, int]:
    """Face-down cards and Bishops of the seat's tableau."""
    down = 0
    bishops = 0
    for k in range(v.tableau_size[seat]):
        card = v.tableau[seat, k]
        down += v.face_down[card]
        bishops += is_bishop(v, card)
    return down, bishops


# Forecasts -------------------------------------------------------------------------------------


@jit
def _check_track(v: State, desk: Desk) -> None:
    """Forget all forecasts if they were made for another track."""
    same = desk.track[2 * S.TRACK] == v.track_spaces
    for k in range(S.TRACK):
        same = same and desk.track[k] == v.track_base[k]
        same = same and desk.track[S.TRACK + k] == v.track_contrarian[k]
    if same:
        return
    desk.track[2 * S.TRACK] = v.track_spaces
    for k in range(S.TRACK):
        desk.track[k] = v.track_base[k]
        desk.track[S.TRACK + k] = v.track_contrarian[k]
    for k in range(MEMO):
        desk.key[k] = 0


@jit
def _forecast(v: State, params: Character, desk: Desk, d: int, in_round: int) -> None:
    """Chances of a dispute, the viewer being the next to decide; kept, and found again."""
    n = v.num_players
    for k in range(n):
        seat = (v.viewer + k) % n
        label = v.doctrine[seat, d, 0]
        if v.doctrine[seat, d, 1] > 0:
            label = v.doctrine[seat, d, 1] + (D.ONE_B - D.ONE_A)
        place = k
        while in_round == 0 and place > 1 and desk.labels[place - 1] > label:
            desk.labels[place] = desk.labels[place - 1]
            place -= 1
        desk.labels[place] = label
    _limit_means(v, desk, n)
    key = v.token[d] * 8 + n
    for k in range(n):
        key = (key << _KEY_BITS) + desk.means[k]
        key = (key << 3) + desk.labels[k]
    key |= _USED
    place = key % MEMO
    if desk.key[place] != key:
        desk.key[place] = key
        D.settle(
            desk.labels, desk.means, n, v.track_base, v.track_contrarian,
            v.track_spaces - 1, v.token[d],
            params.buying, params.follow, desk.work, desk.known[place],
        )  # fmt: skip
    for row in range(D.ROWS):
        left_open = 1.0 - desk.known[place, row, 0] - desk.known[place, row, 1]
        for side in range(S.SIDES):  # N30: somebody will name a side
            desk.forecast[d, row, side] = desk.known[place, row, side] + left_open / S.SIDES


@jit
def _limit_means(v: State, desk: Desk, n: int) -> None:
    """Take off means what makes no difference, so that more positions are the same."""
    most = v.track_base[v.track_spaces - 1]
    for k in range(n):
        held = desk.labels[k]
        if held in (D.TWO_A, D.TWO_B):
            desk.means[k] = 0
        elif held == D.NOTHING_HELD:
            desk.means[k] = min(desk.reach[k], most)
        else:  # a second card costs twice a price
            desk.means[k] = min(desk.reach[k], 2 * most) // 2 * 2


# What doctrine brings --------------------------------------------------------------------------


@jit
def _icons(v: State, seat: int, d: int) -> int:
    """Icons of a dispute in the seat's tableau."""
    bit = 1 << d
    _, _, _, _, with_icons = survey(v, seat, bit)
    _, _, _, _, without = survey(v, seat, 0)
    return with_icons - without


@jit
def _expect(v: State, params: Character, desk: Desk, d: int) -> None:
    """Gain and price of both doctrines of an open dispute, and the chance that its icons count."""
    seat = v.viewer
    chances = desk.forecast[d]
    icons = params.point * _icons(v, seat, d)
    held = cards_held(v, seat, d)
    desk.hold[d] = _JOINING * (chances[D.BEFORE, 0] + chances[D.BEFORE, 1])
    for side in range(S.SIDES):
        if v.doctrine[seat, d, side] > 0:
            desk.hold[d] = chances[D.DECLINED, side]
    for side in range(S.SIDES):
        price = doctrine_price(v, seat, d, side)
        if price == 0:
            continue
        own_before = 0.0
        others_before = 0.0
        own_after = 0.0
        others_after = 0.0
        for winner in range(S.SIDES):
            mine = v.doctrine[seat, d, winner]
            before = chances[D.DECLINED, winner]
            after = chances[D.BOUGHT + side, winner]
            own_before += before * (params.marker * mine + icons * (mine > 0))
            others_before += before * params.marker * (S.WINNING_CARDS - mine)
            mine += int(winner == side)
            own_after += after * (params.marker * mine + icons * (mine > 0))
            others_after += after * params.marker * (S.WINNING_CARDS - mine)
        others = v.num_players - 1
        gain = own_after - own_before - params.envy * (others_after - others_before) / others
        gain += _refresh_gain(v, params, desk, d, side, held)
        if cards_in_hands(v, d, side) < cards_in_hands(v, d, 1 - side):
            gain += params.contrary
        desk.price[S.SIDES * d + side] = price
        desk.gain[S.SIDES * d + side] = gain


@jit
def _refresh_gain(v: State, params: Character, desk: Desk, d: int, side: int, held: int) -> float:
    """Influence that one more card turns up in the rounds to come, while the dispute is open."""
    seat = v.viewer
    if cards_in_hands(v, d, side) == S.SINGLE_CARDS or v.tableau_size[seat] == 0:
        return 0.0
    token = v.token[d]
    later = min(token + held + 1, v.track_spaces - 1)
    halves = v.track_refresh[later] * (held + 1)
    halves -= v.track_refresh[token] * held
    each = desk.bishops / v.tableau_size[seat]
    wanted = v.tableau_size[seat] - desk.capacity  # more cannot be turned up
    if wanted <= 0:
        return 0.0
    cards = min(halves / 2.0, float(wanted))
    return params.refresh * params.thrift * cards * each * min(desk.rounds, 2.0)


@jit
def _plan_purchase(params: Character, desk: Desk) -> None:
    """Gain less price of the best purchase within each budget, 0 where none is worth it."""
    for budget in range(MOST_SUM + 1):
        desk.net[budget] = 0.0
    for k in range(DOCTRINES):
        price = desk.price[k]
        if price > 0:
            net = desk.gain[k] - params.thrift * price
            desk.net[price] = max(desk.net[price], net)
    for budget in range(MOST_SUM):
        desk.net[budget + 1] = max(desk.net[budget + 1], desk.net[budget])
