"""A table for the rule tests of Nicaea: positions made by hand, moves and cards by what they are.

A test makes its cards with :func:`bishop`, :func:`canon` and :func:`pair`, says where they lie, and
:func:`build` fills in the rest of the deck of 30 Bishops and 10 Canons. What is printed on cards
and track is written here, so that no test depends on the values of the house deck. Doctrine is
written as in the rulebook: ``"I-A I-A IV-B"`` are two A cards of dispute I and a B card of IV.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concilium.envs import BoundGame
from concilium.envs.core.state import RUNNING, Records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea.state import DECK, DISPLAY, SEATS, SPACES, TABLEAU, Event, Phase

ALEXANDRIA, ANTIOCH, ASIA, PALESTINE, ROME = range(5)
DISPUTE_NAMES = ("I", "II", "III", "IV", "V")
SIDE_NAMES = "AB"
COPY_NAMES = ("nothing", "refresh", "debate", "free play")
NUM_BISHOPS, NUM_CANONS = 30, 10
# spaces of the Action Display
ZERO, REFRESH_1, REFRESH_2, DEBATE_SPACE, NEW_OFFER_SPACE, FREE_3, FREE_4 = range(7)
BASE = (2, 3, 4, 5, 6, 7, 8, 9, 10)
CONTRARIAN = (1, 2, 2, 3, 3, 4, 4, 5, 5)
HALVES = (1, 1, 2, 2, 3, 3, 4, 4, 4)  # refresh numbers in halves


@dataclass(eq=False)
class Card:
    """An Action card of a test; ``icons`` as in "I IV"."""

    cost: int
    suit: int
    bonus: int = 0
    icons: str = ""
    is_canon: bool = False
    partner: Card | None = None


def bishop(cost: int = 2, suit: int = ROME, *, bonus: int = 1, icons: str = "I") -> Card:
    """Make a Bishop whose figure has its other card where it does no harm."""
    return Card(cost, suit, bonus, icons)


def canon(cost: int = 2, suit: int = ROME) -> Card:
    """Make a Canon."""
    return Card(cost, suit, is_canon=True)


def pair(first: Card, second: Card) -> tuple[Card, Card]:
    """Make two Bishops the two cards of one figure."""
    first.partner, second.partner = second, first
    return first, second


def doctrines(text: str) -> list[tuple[int, int]]:
    """Read "I-A IV-B": dispute and side of each."""
    found = []
    for word in text.split():
        dispute, side = word.split("-")
        found.append((DISPUTE_NAMES.index(dispute), SIDE_NAMES.index(side)))
    return found


def doctrine_name(number: int) -> str:
    """Write the doctrine 2 × dispute + side, as in "IV-B"."""
    dispute, side = divmod(number, 2)
    return f"{DISPUTE_NAMES[dispute]}-{SIDE_NAMES[side]}"


class Table:
    """One game under test; every move checks that nothing is lost and the State is sound."""

    def __init__(self, game: BoundGame, state: Records, cards: Mapping[int, Card]) -> None:
        """Take a State of one record; the moves change it."""
        self.game = game
        self.state = state
        self.cards = dict(cards)
        self.numbers = {card: number for number, card in self.cards.items()}

    # what lies on the table

    def __getitem__(self, field: str) -> Any:
        """Field of the State."""
        return self.state[field][0]

    @property
    def actor(self) -> int:
        """Seat that decides now."""
        return int(self["actor"])

    @property
    def kind(self) -> str:
        """Kind of the decision now to be made."""
        return self.game.kind(self.state)

    @property
    def asked(self) -> tuple[int, str]:
        """Who decides what."""
        return self.actor, self.kind

    @property
    def running(self) -> bool:
        """Whether the game goes on."""
        return int(self["status"]) == RUNNING

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.running

    @property
    def ti(self) -> list[int]:
        """Temporary Influence of all seats in play."""
        return self.of_seats("ti")

    @property
    def pools(self) -> list[int]:
        """The Pass Pools, topmost first."""
        return [int(amount) for amount in self["pool"]]

    @property
    def tokens(self) -> list[int]:
        """Spaces of the dispute tokens, -1 where settled."""
        return [int(space) for space in self["token"]]

    @property
    def display(self) -> list[Card | None]:
        """Cards of the Action Display."""
        return [self.cards[int(card)] if card >= 0 else None for card in self["display"]]

    @property
    def deck(self) -> list[Card]:
        """The deck, the card drawn next first."""
        return [self.cards[int(card)] for card in self["deck"][: int(self["deck_size"])][::-1]]

    def hand(self, seat: int) -> set[Card]:
        """Cards in a hand."""
        return {self.cards[int(card)] for card in np.flatnonzero(self["where"] == seat)}

    def tableau(self, seat: int) -> list[Card]:
        """Cards of a tableau from left to right."""
        row = self["tableau"][seat][: int(self["tableau_size"][seat])]
        return [self.cards[int(card)] for card in row]

    def up(self, seat: int) -> list[Card]:
        """Face-up cards of a tableau from left to right."""
        return [card for card in self.tableau(seat) if not self["face_down"][self.numbers[card]]]

    def doctrine(self, seat: int) -> str:
        """Doctrine cards of a seat."""
        held = self["doctrine"][seat].reshape(-1)
        return " ".join(doctrine_name(k) for k in range(len(held)) for _ in range(int(held[k])))

    def supply(self, dispute: str) -> list[int]:
        """A, B and double-sided cards of a dispute that are not bought."""
        return [int(count) for count in self["supply"][DISPUTE_NAMES.index(dispute)]]

    def markers(self, seat: int) -> list[int]:
        """How many markers of value 4, 5 and 6 a seat has."""
        counts = [int(count) for count in self["markers"][seat]]
        assert sum(counts) == self["marker_count"][seat]
        return counts

    def of_seats(self, field: str) -> list[int]:
        """A field's values of all seats in play."""
        return [int(value) for value in self[field][: self.game.num_players]]

    @property
    def winners(self) -> set[int]:
        """Seats that won."""
        return {seat for seat in range(SEATS) if int(self["winners"]) >> seat & 1}

    @property
    def returns(self) -> list[float]:
        """Return of each seat."""
        return [float(value) for value in self.game.returns(self.state)]

    def events(self, *kinds: int) -> list[tuple[int, ...]]:
        """Logged events (kind, who, three numbers, secret), oldest first; of some kinds only."""
        log, count = self["log"], int(self["log_count"])
        rows = [log[k % len(log)] for k in range(max(0, count - len(log)), count)]
        found = [tuple(int(x) for x in row[:6]) for row in rows]
        return [event for event in found if not kinds or event[0] in kinds]

    def drawn_markers(self) -> list[tuple[int, int]]:
        """Seat and dispute of the markers drawn, in their order."""
        return [(event[1], event[2]) for event in self.events(Event.MARKER)]

    # what is offered

    @property
    def legal(self) -> set[int]:
        """Numbers of the legal actions."""
        return {int(action) for action in np.flatnonzero(self.game.legal_actions(self.state))}

    def _offered(self, first: int, size: int) -> list[int]:
        return sorted(action - first for action in self.legal if 0 <= action - first < size)

    @property
    def takes(self) -> list[int]:
        """Spaces whose Action can be taken."""
        cards = self._offered(act.TAKE, act.PLAY - act.TAKE)
        row = [int(card) for card in self["display"]]
        return sorted(row.index(card) for card in cards)

    @property
    def plays(self) -> set[tuple[Card, int]]:
        """Cards that can be played, each with the seat of the tableau."""
        found = set()
        for offer in self._offered(act.PLAY, act.PAY_REST - act.PLAY):
            card, k = divmod(offer, SEATS)
            found.add((self.cards[card], (self.actor + k) % self.game.num_players))
        return found

    @property
    def flips(self) -> set[Card]:
        """Bishops that can be flipped."""
        return {self.cards[card] for card in self._offered(act.FLIP, act.COPY - act.FLIP)}

    @property
    def can_pay_rest(self) -> bool:
        """Whether the rest can be paid in temporary Influence."""
        return act.PAY_REST in self.legal

    @property
    def must_flip(self) -> bool:
        """Whether the rest cannot be paid in temporary Influence."""
        return not self.can_pay_rest

    @property
    def copies(self) -> list[str]:
        """Actions that New Offer can copy."""
        return [COPY_NAMES[k] for k in self._offered(act.COPY, act.BUY - act.COPY)]

    @property
    def buys(self) -> set[str]:
        """Doctrine that can be bought."""
        return {doctrine_name(k) for k in self._offered(act.BUY, act.DECLINE - act.BUY)}

    @property
    def names(self) -> set[str]:
        """Winners that can be named."""
        return {doctrine_name(k) for k in self._offered(act.NAME, act.NUM_ACTIONS - act.NAME)}

    @property
    def can_pass(self) -> bool:
        """Whether passing is legal."""
        return act.PASS in self.legal

    @property
    def can_decline(self) -> bool:
        """Whether declining is legal."""
        return act.DECLINE in self.legal

    # moves

    def step(self, action: int) -> None:
        """Take a legal action."""
        before = self.game.census(self.state)
        self.game.step(self.state, action)
        self.check(before)

    def check(self, census: Any) -> None:
        """Nothing lost, nothing inconsistent, and somebody can do something."""
        assert (self.game.census(self.state) == census).all()
        assert list(GAME.faults(self.state[0])) == []
        assert self["issued"] == sum(self.ti) + sum(self.pools)
        assert bool(self.legal) == self.running

    def take(self, space: int) -> None:
        """Take the Action of a space; its payment and questions are left open."""
        self.step(act.TAKE + int(self["display"][space]))

    def play(self, card: Card, to: int | None = None) -> None:
        """Play a card to the tableau of a seat, one's own by default; payment is left open."""
        k = 0 if to is None else (to - self.actor) % self.game.num_players
        self.step(act.PLAY + SEATS * self.numbers[card] + k)

    def pass_turn(self, times: int = 1) -> None:
        """Pass, so many players in a row."""
        for _ in range(times):
            self.step(act.PASS)

    def pass_round(self) -> None:
        """Let all players pass in a row."""
        self.pass_turn(self.game.num_players)

    def flip(self, *cards: Card) -> None:
        """Flip Bishops to pay, one by one."""
        for card in cards:
            self.step(act.FLIP + self.numbers[card])

    def pay_rest(self) -> None:
        """Pay the rest in temporary Influence."""
        self.step(act.PAY_REST)

    def copy(self, name: str) -> None:
        """Copy an Action by New Offer."""
        self.step(act.COPY + COPY_NAMES.index(name))

    def buy(self, doctrine: str) -> None:
        """Begin to buy a doctrine card."""
        ((dispute, side),) = doctrines(doctrine)
        self.step(act.BUY + 2 * dispute + side)

    def decline(self) -> None:
        """Buy or play nothing."""
        self.step(act.DECLINE)

    def decline_all(self) -> None:
        """Buy nothing in the Debate Round, whoever is asked."""
        while self.running and self.kind == "debate_round":
            self.decline()

    def name(self, doctrine: str) -> None:
        """Name the side that wins a dispute."""
        ((dispute, side),) = doctrines(doctrine)
        self.step(act.NAME + 2 * dispute + side)


def number_cards(cards: Iterable[Card]) -> dict[int, Card]:
    """Give each card a number, pairs a whole figure, and invent the cards that are missing.

    Single Bishops get figures of their own as long as there are any.
    """
    numbers: dict[int, Card] = {}
    cards = list(dict.fromkeys(cards))
    figures = list(range(NUM_BISHOPS // 2))
    for card in cards:
        if card.partner is not None and card not in numbers.values():
            figure = figures.pop(0)
            numbers[2 * figure], numbers[2 * figure + 1] = card, card.partner
    singles = [card for card in cards if not card.is_canon and card.partner is None]
    free = [2 * figure for figure in figures] + [2 * figure + 1 for figure in figures]
    numbers |= dict(zip(free, singles, strict=False))
    assert len(singles) <= len(free)
    canons = [card for card in cards if card.is_canon]
    assert len(canons) <= NUM_CANONS
    numbers |= {NUM_BISHOPS + k: card for k, card in enumerate(canons)}
    for number in range(NUM_BISHOPS + NUM_CANONS):
        numbers.setdefault(number, bishop() if number < NUM_BISHOPS else canon())
    return numbers


def print_cards(state: Records, cards: Mapping[int, Card]) -> None:
    """Write what is printed on the cards and on the track into a State."""
    for number, card in cards.items():
        state["suit"][0, number] = card.suit
        state["cost"][0, number] = card.cost
        state["bonus"][0, number] = card.bonus
        state["icons"][0, number] = sum(1 << DISPUTE_NAMES.index(i) for i in card.icons.split())
    print_track(state, BASE, CONTRARIAN, HALVES)


def print_track(
    state: Records, base: Sequence[int], contrarian: Sequence[int], halves: Sequence[int]
) -> None:
    """Write a dispute track into a State."""
    state["track_spaces"] = len(base)
    for name, values in (("base", base), ("contrarian", contrarian), ("refresh", halves)):
        state[f"track_{name}"] = 0
        state[f"track_{name}"][0, : len(base)] = values


def place_cards(
    state: Records,
    cards: Mapping[int, Card],
    hands: Mapping[int, Sequence[Card]],
    tableaus: Mapping[int, Sequence[Card]],
    display: Mapping[int, Card | None],
    deck: Sequence[Card] | None,
) -> None:
    """Put every card where it belongs; see :func:`build`."""
    numbers = {card: number for number, card in cards.items()}
    where = state["where"][0]
    state["tableau"], state["display"], state["deck"] = -1, -1, -1
    state["tableau_size"], state["face_down"] = 0, 0
    placed: list[Card] = []
    for seat, row in tableaus.items():
        state["tableau"][0, seat, : len(row)] = [numbers[card] for card in row]
        state["tableau_size"][0, seat] = len(row)
        where[[numbers[card] for card in row]] = TABLEAU + seat
        placed += row
    for seat, hand in hands.items():
        where[[numbers[card] for card in hand]] = seat
        placed += hand
    wanted = [*placed, *(card for card in display.values() if card), *(deck or ())]
    assert len(wanted) == len(set(wanted))
    spare = [
        card for card in reversed(list(cards.values())) if card not in wanted and not card.is_canon
    ]
    offered = [display[space] if space in display else spare.pop(0) for space in range(SPACES)]
    for space, offer in enumerate(offered):
        if offer is not None:
            state["display"][0, space] = numbers[offer]
            where[numbers[offer]] = DISPLAY
    rest = [c for c in cards.values() if c not in (*placed, *offered, *(deck or ()))]
    if deck is None:
        deck = rest
    else:
        where[[numbers[card] for card in rest]] = int(state["num_players"][0]) - 1
    state["deck"][0, : len(deck)] = [numbers[card] for card in reversed(deck)]
    state["deck_size"] = len(deck)
    where[[numbers[card] for card in deck]] = DECK


def place_doctrine(
    state: Records, held: Mapping[int, str], settled: str, tokens: Sequence[int]
) -> None:
    """Give out doctrine cards; what of a settled dispute nobody holds stays beside the display."""
    state["doctrine"], state["settled"], state["removed"] = 0, 0, 0
    state["token"][0] = tokens
    for seat, text in held.items():
        for dispute, side in doctrines(text):
            state["doctrine"][0, seat, dispute, side] += 1
    sold = state["doctrine"][0].sum(axis=0)
    state["supply"][0, :, :2] = 3 - np.minimum(sold, 3)
    state["supply"][0, :, 2] = 1 - (sold == 4).sum(axis=1)
    for dispute, side in doctrines(settled):
        state["settled"][0, dispute] = side + 1
        state["token"][0, dispute] = -1


def place_influence(
    state: Records,
    ti: Sequence[int],
    pools: Sequence[int],
    markers: Mapping[int, Sequence[int]],
) -> None:
    """Give out temporary Influence and Victory Point markers."""
    state["ti"], state["pool"] = 0, 0
    state["ti"][0, : len(ti)] = ti
    state["pool"][0, : len(pools)] = pools
    state["issued"] = sum(ti) + sum(pools)
    state["markers"], state["marker_count"], state["marker_supply"] = 0, 0, 10
    for seat, values in markers.items():
        for value in values:
            state["markers"][0, seat, value - 4] += 1
            state["marker_count"][0, seat] += 1
            state["marker_supply"][0, value - 4] -= 1


def place_turn(state: Records, actor: int, passes: int, idle_rounds: int) -> None:
    """Give a seat its turn after a run of so many passes; nothing else was done or logged."""
    players = int(state["num_players"][0])
    state["log"], state["log_count"] = 0, 0
    state["phase"], state["actor"] = Phase.TURN, actor
    state["passes"] = passes
    state["first_passer"] = (actor - passes) % players if passes else -1
    state["busy"], state["idle_rounds"] = 0, idle_rounds


def build(
    players: int,
    *,
    hands: Mapping[int, Sequence[Card]] | None = None,
    tableaus: Mapping[int, Sequence[Card]] | None = None,
    flipped: Sequence[Card] = (),
    display: Mapping[int, Card | None] | None = None,
    deck: Sequence[Card] | None = None,
    ti: Sequence[int] = (),
    pools: Sequence[int] = (),
    doctrine: Mapping[int, str] | None = None,
    settled: str = "",
    tokens: Sequence[int] = (0, 0, 0, 0, 0),
    markers: Mapping[int, Sequence[int]] | None = None,
    actor: int = 0,
    constantine: int = 0,
    marked: int = -1,
    passes: int = 0,
    idle_rounds: int = 0,
    seed: int = 0,
) -> Table:
    """Make a position at the beginning of a turn.

    Args:
        players: seats at the table.
        hands: cards in the hand of each seat; none where not given.
        tableaus: cards of each seat's tableau from left to right.
        flipped: those of them that are face-down.
        display: card on each space, None for an empty one; invented Bishops where not given.
        deck: cards in the order of drawing; None: all cards that are nowhere else. With a deck
            these are in the hand of the last seat.
        ti: temporary Influence by seat, 0 where not given.
        pools: the Pass Pools from the top.
        doctrine: doctrine cards of each seat, as in "I-A I-A IV-B".
        settled: winning side of each dispute that is settled, as in "I-A IV-B".
        tokens: space of each dispute's token, from 0.
        markers: values of each seat's Victory Point markers.
        actor: seat whose turn it is.
        constantine: seat that holds the marker, if it is not on the display.
        marked: space of the display on which it stands; -1 for none.
        passes: length of the run of passes that ends just before the turn.
        idle_rounds: idle Debate Rounds so far in a row.
        seed: decides the markers drawn.
    """
    game = GAME.bind(num_players=players)
    state = game.new_state(seed)
    hands, tableaus, display = hands or {}, tableaus or {}, display or {}
    mentioned = [card for row in (*tableaus.values(), *hands.values()) for card in row]
    mentioned += [card for card in display.values() if card] + list(deck or ())
    cards = number_cards(mentioned)
    print_cards(state, cards)
    place_cards(state, cards, hands, tableaus, display, deck)
    table = Table(game, state, cards)
    state["face_down"][0, [table.numbers[card] for card in flipped]] = 1
    place_doctrine(state, doctrine or {}, settled, tokens)
    place_influence(state, ti, pools, markers or {})
    place_turn(state, actor, passes, idle_rounds)
    state["constantine"], state["constantine_space"] = constantine if marked < 0 else -1, marked
    table.check(game.census(state))
    return table
