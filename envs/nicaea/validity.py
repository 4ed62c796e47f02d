"""Whether a record from outside is a State of Nicaea that the compiled rules can go on from.

The rules trust their States. A State from a file is looked at first: every number is in the range
that the State declares (see ``check_state``), every card is there once, lists and counts agree, and
something is to be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np

from concilium.envs.core.state import RUNNING, Cells
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.state import Phase, State

_IN_ACTION: Final = (Phase.COPY, Phase.PLAY_FREE, Phase.DEBATE_DOCTRINE)


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()`` whose numbers are in their ranges."""
    s = _widened(state)
    wrong = list(_wrong_deck(s))
    yield from wrong
    if not wrong:
        yield from _wrong_cards(s)
        yield from _wrong_doctrine(s)
        yield from _wrong_turn(s)
        yield from _wrong_pending(s)


def _widened(state: Any) -> State:
    """The fields as attributes, numbers and arrays that sums do not overflow."""
    fields = {name: np.asarray(state[name]) for name in S.STATE.fields}
    wide = {
        name: field.astype(np.int64) if field.ndim else int(field) for name, field in fields.items()
    }
    return cast(State, SimpleNamespace(**wide))


def _wrong_deck(s: State) -> Iterator[str]:
    """The options: as the reader of deck files would have filled them in."""
    count, spaces, partner = s.num_cards, s.track_spaces, s.partner
    bishops = np.flatnonzero(partner >= 0)
    if (partner[partner[bishops]] != bishops).any() or (partner[bishops] == bishops).any():
        yield "partner: figures are not on two cards each"
    if (s.cost[:count] < 1).any():
        yield "cost: a card is free"
    if ((s.icons > 0) != (partner >= 0)).any() or (s.bonus[partner < 0] > 0).any():
        yield "icons or bonus do not fit Bishops and Canons"
    if (partner[count:] >= 0).any() or s.cost[count:].any():
        yield "num_cards: there are more cards"
    base, contrarian = s.track_base[:spaces], s.track_contrarian[:spaces]
    if (np.diff(base) < 1).any() or (contrarian < 1).any() or (contrarian >= base).any():
        yield "track_base or track_contrarian: prices do not rise, or contrarian is not cheaper"


def _wrong_cards(s: State) -> Iterator[str]:
    where = s.where
    if ((where == S.ABSENT) != (np.arange(S.CARDS) >= s.num_cards)).any():
        yield "where: the cards in play do not fit num_cards"
    for seat in range(S.SEATS):
        size = s.tableau_size[seat]
        if not _lists(s.tableau[seat], size, where == S.TABLEAU + seat):
            yield f"tableau or tableau_size do not fit the cards of seat {seat}"
        if seat >= s.num_players and (size or (where == seat).any()):
            yield f"seat {seat} is not in play and has cards"
    lying = np.sort(s.display[s.display >= 0])
    if not np.array_equal(lying, np.flatnonzero(where == S.DISPLAY)):
        yield "display does not fit the cards there"
    if not _lists(s.deck, s.deck_size, where == S.DECK):
        yield "deck or deck_size do not fit the cards in the deck"
    if s.face_down[(where < S.TABLEAU) | (where >= S.DISPLAY)].any():
        yield "face_down: a card that is in no tableau"


def _lists(row: Cells, size: int, there: Cells) -> bool:
    """Whether the first ``size`` entries are the cards that are there and the rest -1."""
    return np.array_equal(np.sort(row[:size]), np.flatnonzero(there)) and bool(
        (row[size:] == S.NO_CARD).all()
    )


def _wrong_doctrine(s: State) -> Iterator[str]:
    doctrine, supply, n = s.doctrine, s.supply, s.num_players
    hands = doctrine.sum(axis=0)
    is_open = s.settled == S.OPEN
    if (supply.sum(axis=1) + hands.sum(axis=1) + s.removed != 2 * S.SINGLE_CARDS + 1).any():
        yield "doctrine, supply and removed are not seven cards of each dispute"
    if (doctrine.min(axis=2) > 0).any():
        yield "doctrine: a seat holds cards of both sides"
    if doctrine[n:].any() or s.ti[n:].any() or s.markers[n:].any():
        yield "a seat that is not in play has something"
    full = np.column_stack((S.SINGLE_CARDS - hands, np.ones(S.DISPUTES, int)))
    if (supply != full)[is_open].any() or s.removed[is_open].any() or (s.token < 0)[is_open].any():
        yield "supply, removed or token do not fit an open dispute"
    won = np.zeros(S.SEATS, int)
    for dispute in np.flatnonzero(~is_open).tolist():
        winner = s.settled[dispute] - 1
        if hands[dispute, 1 - winner] or s.token[dispute] >= 0:
            yield f"dispute {dispute} is settled, and losing cards or its token are still there"
            return
        won += doctrine[:, dispute, winner]
    if (s.markers.sum(axis=1) != won).any() or (s.marker_count != won).any():
        yield "markers or marker_count do not fit the winning cards"
    if (s.markers.sum(axis=0) + s.marker_supply != S.MARKERS_EACH).any():
        yield "markers and marker_supply are not ten of each value"
    if s.issued != s.ti.sum() + s.pool.sum():
        yield "issued is not the TI held and in the pools"


def _wrong_turn(s: State) -> Iterator[str]:
    n, first, passes = s.num_players, s.first_passer, s.passes
    running = s.status == RUNNING
    over = (s.actor < 0, s.ending != S.OPEN, s.winners != 0)
    if over != (not running,) * 3 or (running and (s.schism or s.score.any())):
        yield "status, actor, ending, schism, winners and score do not agree"
        return
    if s.winners >= 1 << n:
        yield "winners: a seat that is not in play"
    if (s.constantine >= 0) == (s.constantine_space >= 0):
        yield "constantine is in two places or in none"
    elif s.constantine_space >= 0 and s.display[s.constantine_space] >= 0:
        yield "constantine_space: a card is on the space"
    if (passes == 0) != (first < 0):
        yield "passes and first_passer do not agree"
        return
    if not running:
        return
    if s.idle_rounds >= S.IDLE_LIMIT:
        yield "idle_rounds: the game would be over"
    in_round = passes == n
    pays_in_round = s.phase == Phase.PAYMENT and s.taking < 0 <= s.buying
    if in_round != (s.phase == Phase.DEBATE_ROUND or pays_in_round) or (s.asked and not in_round):
        yield "passes or asked do not fit the phase"
    elif in_round and (s.asked == n or s.actor != (first + n - 1 + s.asked) % n):
        yield "actor does not fit the players asked in the Debate Round"
    elif 0 < passes < n and s.actor != (first + passes) % n:
        yield "actor does not fit the run of passes"
    if s.phase == Phase.NAMING and (s.actor != s.constantine or s.settled.all() or passes):
        yield "nobody is to name a side"


def _wrong_pending(s: State) -> Iterator[str]:
    if (s.playing >= 0) != (s.target >= 0) or (s.buying >= 0) != (s.buying_side >= 0):
        yield "playing and target, or buying and buying_side, do not agree"
        return
    if s.taking >= 0 and s.where[s.taking] != S.DISPLAY:
        yield "taking is not on the display"
    if s.playing >= 0 and (s.where[s.playing] != s.actor or s.taking >= 0 or s.buying >= 0):
        yield "playing is not in the actor's hand, or something else is pending"
    if s.status != RUNNING or s.phase not in (Phase.PAYMENT, *_IN_ACTION):
        pending = max(s.taking, s.playing, s.buying) >= 0
    else:
        pending = s.phase in _IN_ACTION and (s.taking < 0 or s.buying >= 0)
    if pending:
        yield "taking, playing or buying do not fit the phase"
    if s.phase != Phase.PAYMENT:
        if s.price or s.paid or s.lowest_flip:
            yield "price, paid or lowest_flip without a payment"
    elif max(s.taking, s.playing, s.buying) < 0:
        yield "nothing is being paid for"
    elif s.actor >= 0 and not _can_pay(s):
        yield "the payment cannot be finished"
    if s.buying >= 0 and not _may_buy(s):
        yield "buying: the seat cannot buy that card"


def _may_buy(s: State) -> bool:
    held = s.doctrine[s.actor, s.buying]
    return bool(
        s.settled[s.buying] == S.OPEN
        and held[1 - s.buying_side] == 0
        and held[s.buying_side] < S.MOST_HELD
    )


def _can_pay(s: State) -> bool:
    """N7: whether flips and TI can finish the payment begun."""
    price, paid, lowest, ti = s.price, s.paid, s.lowest_flip, s.ti[s.actor]
    if not paid < price or (paid == 0) != (lowest == 0) or lowest > paid:
        return False
    row = s.tableau[s.actor][: s.tableau_size[s.actor]]
    within = {paid: lowest or S.MOST_COST}  # sums of flips, each with its largest smallest cost
    for cost in s.cost[row[(s.partner[row] >= 0) & (s.face_down[row] == 0)]].tolist():
        for total, smallest in list(within.items()):
            if total < price:
                within[total + cost] = max(within.get(total + cost, 0), min(smallest, cost))
    return any(
        price - total <= ti if total < price else total - smallest < price
        for total, smallest in within.items()
    )
