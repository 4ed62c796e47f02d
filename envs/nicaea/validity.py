"""Whether a record from outside is a State of Nicaea that the compiled rules can go on from.

The rules trust their States. A State from a file is looked at first: every number in its range,
every card once, lists and counts in agreement, and something to be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from concilium.envs.core.state import RUNNING, TERMINATED
from concilium.envs.nicaea import state as S

_MOST: Final = 2**15 - 1
_IN_ACTION: Final = (S.COPY, S.PLAY_FREE, S.DEBATE_DOCTRINE)


def faults(state: Any) -> Iterator[str]:
    """Say what is wrong with a State ``()``; nothing if it is sound."""
    ranged = list(_out_of_range(state))
    yield from ranged
    if ranged:  # then the numbers mean nothing
        return
    wrong = list(_wrong_deck(state))
    yield from wrong
    if not wrong:
        yield from _wrong_cards(state)
        yield from _wrong_doctrine(state)
        yield from _wrong_turn(state)
        yield from _wrong_pending(state)


def _out_of_range(s: Any) -> Iterator[str]:
    n = int(s["num_players"])
    card = (-1, int(s["num_cards"]) - 1)
    seat = (-1, n - 1)
    limits = {
        "num_players": (S.FEWEST_SEATS, S.SEATS), "status": (RUNNING, TERMINATED), "actor": seat,
        "log_count": (0, 2**31 - 1), "rounds": (0, _MOST), "issued": (0, _MOST), "ti": (0, _MOST),
        "pool": (0, _MOST), "score": (0, _MOST), "num_cards": (S.FEWEST_CARDS, S.CARDS),
        "partner": card, "suit": (0, S.SUITS - 1), "cost": (0, S.MOST_COST),
        "bonus": (0, S.MOST_BONUS), "icons": (0, 2**S.DISPUTES - 1), "track_spaces": (3, S.TRACK),
        "track_base": (0, S.MOST_BASE), "track_contrarian": (0, S.MOST_BASE),
        "track_refresh": (0, S.MOST_REFRESH), "where": (0, S.ABSENT), "face_down": (0, 1),
        "tableau": card, "tableau_size": (0, S.CARDS), "display": card, "deck_size": (0, S.CARDS),
        "doctrine": (0, S.MOST_HELD), "supply": (0, S.SINGLE_CARDS), "removed": (0, 7),
        "token": (-1, int(s["track_spaces"]) - 1), "settled": (S.OPEN, S.SIDES),
        "marker_count": (0, S.MOST_MARKERS), "constantine": seat,
        "constantine_space": (-1, S.SPACES - 1), "passes": (0, n), "first_passer": seat,
        "busy": (0, 1), "idle_rounds": (0, S.IDLE_LIMIT), "phase": (S.TURN, S.NAMING),
        "asked": (0, n), "taking": card, "playing": card, "target": seat,
        "buying": (-1, S.DISPUTES - 1), "buying_side": (-1, S.SIDES - 1),
        "price": (0, 2 * S.MOST_BASE), "paid": (0, 2 * S.MOST_BASE),
        "lowest_flip": (0, S.MOST_COST), "ending": (S.OPEN, S.IDLE), "schism": (0, 1),
        "winners": (0, 2**n - 1), "markers": (0, S.MOST_MARKERS),
        "marker_supply": (0, S.MARKERS_EACH), "deck": card,
    }  # fmt: skip
    for name, (low, high) in limits.items():
        values = np.asarray(s[name])
        if values.min() < low or values.max() > high:
            yield f"{name} is not from {low} to {high}"
    kinds = np.asarray(s["log"])[:, 0]
    if kinds.min() < 0 or kinds.max() > S.END:
        yield "the log holds events that do not exist"


def _wrong_deck(s: Any) -> Iterator[str]:
    """The options: as the reader of deck files would have filled them in."""
    count, spaces = int(s["num_cards"]), int(s["track_spaces"])
    partner = np.asarray(s["partner"]).astype(int)
    bishops = np.flatnonzero(partner >= 0)
    if (partner[partner[bishops]] != bishops).any() or (partner[bishops] == bishops).any():
        yield "partner: figures are not on two cards each"
    if (np.asarray(s["cost"])[:count] < 1).any():
        yield "cost: a card is free"
    icons, bonus = np.asarray(s["icons"]), np.asarray(s["bonus"])
    if ((icons > 0) != (partner >= 0)).any() or (bonus[partner < 0] > 0).any():
        yield "icons or bonus do not fit Bishops and Canons"
    if (partner[count:] >= 0).any() or np.asarray(s["cost"])[count:].any():
        yield "num_cards: there are more cards"
    base, contrarian = (np.asarray(s[f"track_{name}"])[:spaces] for name in ("base", "contrarian"))
    if (np.diff(base) < 1).any() or (contrarian < 1).any() or (contrarian >= base).any():
        yield "track_base or track_contrarian: prices do not rise, or contrarian is not cheaper"


def _wrong_cards(s: Any) -> Iterator[str]:
    where = np.asarray(s["where"])
    count, n = int(s["num_cards"]), int(s["num_players"])
    if ((where == S.ABSENT) != (np.arange(S.CARDS) >= count)).any():
        yield "where: the cards in play do not fit num_cards"
    for seat in range(S.SEATS):
        size, row = int(s["tableau_size"][seat]), np.asarray(s["tableau"][seat])
        if not _lists(row, size, where == S.TABLEAU + seat):
            yield f"tableau or tableau_size do not fit the cards of seat {seat}"
        if seat >= n and (size or (where == seat).any()):
            yield f"seat {seat} is not in play and has cards"
    display = np.asarray(s["display"])
    lying = np.sort(display[display >= 0])
    if not np.array_equal(lying, np.flatnonzero(where == S.DISPLAY)):
        yield "display does not fit the cards there"
    if not _lists(np.asarray(s["deck"]), int(s["deck_size"]), where == S.DECK):
        yield "deck or deck_size do not fit the cards in the deck"
    in_tableau = (where >= S.TABLEAU) & (where < S.DISPLAY)
    if (np.asarray(s["face_down"]).astype(bool) & ~in_tableau).any():
        yield "face_down: a card that is in no tableau"


def _lists(row: Any, size: int, there: Any) -> bool:
    """Whether the first ``size`` entries are the cards that are there and the rest -1."""
    return np.array_equal(np.sort(row[:size]), np.flatnonzero(there)) and bool(
        (row[size:] == S.NO_CARD).all()
    )


def _wrong_doctrine(s: Any) -> Iterator[str]:
    doctrine = np.asarray(s["doctrine"]).astype(int)
    supply, removed = np.asarray(s["supply"]).astype(int), np.asarray(s["removed"])
    token, settled = np.asarray(s["token"]), np.asarray(s["settled"])
    n = int(s["num_players"])
    hands = doctrine.sum(axis=0)
    is_open = settled == S.OPEN
    if (supply.sum(axis=1) + hands.sum(axis=1) + removed != 2 * S.SINGLE_CARDS + 1).any():
        yield "doctrine, supply and removed are not seven cards of each dispute"
    if (doctrine.min(axis=2) > 0).any() or (doctrine.sum(axis=2) > S.MOST_HELD).any():
        yield "doctrine: a seat holds cards of both sides, or more than two"
    if doctrine[n:].any() or np.asarray(s["ti"])[n:].any() or np.asarray(s["markers"])[n:].any():
        yield "a seat that is not in play has something"
    full = np.column_stack((S.SINGLE_CARDS - hands, np.ones(S.DISPUTES, int)))
    if (supply != full)[is_open].any() or removed[is_open].any() or (token < 0)[is_open].any():
        yield "supply, removed or token do not fit an open dispute"
    for dispute in np.flatnonzero(~is_open).tolist():
        if hands[dispute, 2 - int(settled[dispute])] or token[dispute] >= 0:
            yield f"dispute {dispute} is settled, and losing cards or its token are still there"
            return
    won = np.zeros(S.SEATS, int)
    for dispute in np.flatnonzero(~is_open).tolist():
        won += doctrine[:, dispute, int(settled[dispute]) - 1]
    markers = np.asarray(s["markers"]).astype(int)
    if (markers.sum(axis=1) != won).any() or (np.asarray(s["marker_count"]) != won).any():
        yield "markers or marker_count do not fit the winning cards"
    if (markers.sum(axis=0) + np.asarray(s["marker_supply"]) != S.MARKERS_EACH).any():
        yield "markers and marker_supply are not ten of each value"
    if int(s["issued"]) != int(np.asarray(s["ti"]).sum()) + int(np.asarray(s["pool"]).sum()):
        yield "issued is not the TI held and in the pools"


def _wrong_turn(s: Any) -> Iterator[str]:
    n, phase = int(s["num_players"]), int(s["phase"])
    actor, first, passes = int(s["actor"]), int(s["first_passer"]), int(s["passes"])
    running = int(s["status"]) == RUNNING
    over = (actor < 0, int(s["ending"]) != S.OPEN, int(s["winners"]) != 0)
    if over != (not running,) * 3 or (running and (int(s["schism"]) or np.any(s["score"]))):
        yield "status, actor, ending, schism, winners and score do not agree"
        return
    space = int(s["constantine_space"])
    if (int(s["constantine"]) >= 0) == (space >= 0):
        yield "constantine is in two places or in none"
    elif space >= 0 and int(s["display"][space]) >= 0:
        yield "constantine_space: a card is on the space"
    if (passes == 0) != (first < 0):
        yield "passes and first_passer do not agree"
        return
    if not running:
        return
    if int(s["idle_rounds"]) >= S.IDLE_LIMIT:
        yield "idle_rounds: the game would be over"
    in_round = passes == n
    asked = int(s["asked"])
    if in_round != (phase == S.DEBATE_ROUND or _pays_in_round(s)) or (asked > 0 and not in_round):
        yield "passes or asked do not fit the phase"
    elif in_round and (asked == n or actor != (first + n - 1 + asked) % n):
        yield "actor does not fit the players asked in the Debate Round"
    elif 0 < passes < n and actor != (first + passes) % n:
        yield "actor does not fit the run of passes"
    if phase == S.NAMING and (
        actor != int(s["constantine"]) or np.asarray(s["settled"]).all() or passes
    ):
        yield "nobody is to name a side"


def _pays_in_round(s: Any) -> bool:
    return int(s["phase"]) == S.PAYMENT and int(s["taking"]) < 0 <= int(s["buying"])


def _wrong_pending(s: Any) -> Iterator[str]:
    phase, seat = int(s["phase"]), int(s["actor"])
    taking, playing, buying = (int(s[name]) for name in ("taking", "playing", "buying"))
    where = np.asarray(s["where"])
    if (playing >= 0) != (int(s["target"]) >= 0) or (buying >= 0) != (int(s["buying_side"]) >= 0):
        yield "playing and target, or buying and buying_side, do not agree"
        return
    if taking >= 0 and where[taking] != S.DISPLAY:
        yield "taking is not on the display"
    if playing >= 0 and (where[playing] != seat or taking >= 0 or buying >= 0):
        yield "playing is not in the actor's hand, or something else is pending"
    if int(s["status"]) != RUNNING or phase not in (S.PAYMENT, *_IN_ACTION):
        pending = (taking, playing, buying) != (-1, -1, -1)
    else:
        pending = phase in _IN_ACTION and (taking < 0 or buying >= 0)
    if pending:
        yield "taking, playing or buying do not fit the phase"
    if phase != S.PAYMENT:
        if int(s["price"]) or int(s["paid"]) or int(s["lowest_flip"]):
            yield "price, paid or lowest_flip without a payment"
    elif max(taking, playing, buying) < 0:
        yield "nothing is being paid for"
    elif seat >= 0 and not _can_pay(s, seat):
        yield "the payment cannot be finished"
    if buying >= 0 and not _may_buy(s, seat, buying, int(s["buying_side"])):
        yield "buying: the seat cannot buy that card"


def _may_buy(s: Any, seat: int, dispute: int, side: int) -> bool:
    held = np.asarray(s["doctrine"])[seat, dispute]
    return int(s["settled"][dispute]) == S.OPEN and held[1 - side] == 0 and held[side] < S.MOST_HELD


def _can_pay(s: Any, seat: int) -> bool:
    """N7: whether flips and TI can finish the payment begun."""
    price, paid, lowest = (int(s[name]) for name in ("price", "paid", "lowest_flip"))
    if not paid < price or (paid == 0) != (lowest == 0) or lowest > paid:
        return False
    rows = [int(card) for card in s["tableau"][seat][: int(s["tableau_size"][seat])]]
    costs = [int(s["cost"][c]) for c in rows if s["partner"][c] >= 0 and not s["face_down"][c]]
    within = {paid: lowest or S.MOST_COST}  # sums of flips, each with its largest smallest cost
    for cost in costs:
        for total, smallest in list(within.items()):
            if total < price:
                within[total + cost] = max(within.get(total + cost, 0), min(smallest, cost))
    ti = int(s["ti"][seat])
    return any(
        price - total <= ti if total < price else total - smallest < price
        for total, smallest in within.items()
    )
