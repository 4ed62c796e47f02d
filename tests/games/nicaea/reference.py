"""The rules of Nicaea a second time, in lists and words, from rulebook and rulings alone.

The whole game is one story, :meth:`Reference.play`, told in the order of the rulebook. Wherever a
player decides something it stops and says who may do what; :meth:`Reference.step` lets it go on.
Chance is given from outside: the cards in their order, the doctrine dealt, and the values of the
Victory Point markers in the order in which they are drawn. Actions have the numbers of the game.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from concilium.envs.nicaea import actions as act

DISPUTES = range(5)
ACTION_NAMES = (
    "nothing", "refresh", "refresh", "debate doctrine", "new offer", "play free", "play free",
)  # fmt: skip
ACTION_COSTS = (0, 1, 2, 2, 3, 3, 4)
COPIES = ("nothing", "refresh", "debate doctrine", "play free")  # in the order of their numbers


@dataclass(frozen=True)
class Card:
    """What is printed on an Action card.

    Attributes:
        number: place in the deck file.
        suit: one of five.
        cost: Influence; of a Canon also its points.
        bonus: Influence for a complete pair, this card's part.
        disputes: the dispute icons.
        partner: number of the other card of the figure; a Canon has none.
    """

    number: int
    suit: int
    cost: int
    bonus: int
    disputes: frozenset[int]
    partner: int | None

    @property
    def is_canon(self) -> bool:
        """Whether this is a Canon and no Bishop."""
        return self.partner is None


@dataclass(frozen=True)
class Track:
    """The dispute track, space by space."""

    base: Sequence[int]
    contrarian: Sequence[int]
    refresh: Sequence[Fraction]


@dataclass(frozen=True)
class Decision:
    """Somebody is asked."""

    seat: int
    kind: str
    options: frozenset[int]


@dataclass
class Player:
    """What one player has.

    Attributes:
        influence: temporary Influence.
        hand: cards in hand.
        tableau: cards in the tableau from left to right.
        face_down: those of them that are face-down.
        doctrine: for each dispute the letters of the doctrine cards held, as in "AA".
        markers: values of the Victory Point markers.
    """

    influence: int = 0
    hand: set[Card] = field(default_factory=set)
    tableau: list[Card] = field(default_factory=list)
    face_down: set[Card] = field(default_factory=set)
    doctrine: list[str] = field(default_factory=lambda: [""] * 5)
    markers: list[int] = field(default_factory=list)
    score: int = 0

    def face_up(self) -> list[Card]:
        """Face-up cards of the tableau."""
        return [card for card in self.tableau if card not in self.face_down]

    def payers(self) -> list[Card]:
        """Bishops that can be flipped to pay (N9: never a Canon)."""
        return [card for card in self.face_up() if not card.is_canon]

    def can_pay(self, price: int) -> bool:
        """Whether a finished payment exists: Bishops and temporary Influence together reach it."""
        return self.influence + sum(card.cost for card in self.payers()) >= price

    def plays_free(self, card: Card) -> bool:
        """N17: whether a card's suit has the most face-up cards of this tableau, ties included."""
        suits = [other.suit for other in self.face_up()]
        return card.suit in suits and all(
            suits.count(card.suit) >= suits.count(suit) for suit in suits
        )

    def refresh_leftmost(self) -> None:
        """Turn the leftmost face-down card face up, if there is one."""
        for card in self.tableau:
            if card in self.face_down:
                self.face_down.remove(card)
                return


Story: TypeAlias = Generator[Decision, int, None]


class Reference:
    """A game of Nicaea.

    Args:
        cards: the Action cards; ``order`` holds their numbers, the first seven go to the display.
        track: the dispute track.
        dealt: dispute and letter of the doctrine card dealt to each seat.
        start: the start player.
    """

    def __init__(
        self,
        cards: Sequence[Card],
        order: Sequence[int],
        track: Track,
        dealt: Sequence[tuple[int, str]],
        start: int,
    ) -> None:
        self.cards = {card.number: card for card in cards}
        self.track = track
        self.n = len(dealt)
        self.players = [Player() for _ in dealt]
        self.display: list[Card | None] = [self.cards[number] for number in order[:7]]
        self.deck = [self.cards[number] for number in order[7:]]  # the first is drawn next
        self.pools = [0, 0, 0, 0]
        self.token = [0] * 5
        self.winner = [""] * 5  # letter of the side that won a dispute
        self.supply = [{"A": 3, "B": 3, "AB": 1} for _ in DISPUTES]  # beside the display
        self.box = [0] * 5  # losers' doctrine cards out of the game
        self.holder: int | None = start  # of Constantine
        self.marked: int | None = None  # space on which Constantine stands
        self.passers: list[int] = []  # the unbroken run of passes
        self.busy = False
        self.idle_rounds = 0
        self.rounds = 0
        self.asked = 0
        self.taking: Card | None = None
        self.playing: Card | None = None
        self.target: int | None = None
        self.buying: tuple[int, str] | None = None
        self.price = 0
        self.flipped: list[Card] = []
        self.ending = ""
        self.schism = False
        self.winners: set[int] = set()
        self.draws: list[tuple[int, int]] = []  # seat and value of the markers to be drawn next
        self.set_up(dealt, start)
        self.story = self.play(start)
        self.decision: Decision | None = next(self.story)

    def step(self, action: int) -> None:
        """Take a legal action and go on to the next decision."""
        assert self.decision is not None
        assert action in self.decision.options
        try:
            self.decision = self.story.send(action)
        except StopIteration:
            self.decision = None

    # setting up

    def set_up(self, dealt: Sequence[tuple[int, str]], start: int) -> None:
        """N2: doctrine cards, tokens and first Influence."""
        for player, (dispute, letter) in zip(self.players, dealt, strict=True):
            player.doctrine[dispute] = letter
            self.supply[dispute][letter] -= 1
        for dispute in DISPUTES:
            holders = [player for player in self.players if player.doctrine[dispute]]
            self.token[dispute] = len(holders)
            for player in holders:
                player.influence += 3 if len(holders) == 1 else 2
        self.players[(start - 1) % self.n].influence += 1

    # the flow of play

    def play(self, start: int) -> Story:
        """Turns clockwise, a Debate Round whenever all have passed in a row, and the end."""
        seat = start
        while not self.ending:
            yield from self.turn(seat)
            seat = (seat + 1) % self.n
            if len(self.passers) == self.n:
                yield from self.debate_round()
                assert self.holder is not None
                seat = self.holder
        if self.ending == "deck":
            yield from self.name_winners()
        self.score_game()

    def turn(self, seat: int) -> Story:
        """Do one of three things: take an Action, play a card, pass."""
        player = self.players[seat]
        options = {act.PASS}
        for space, card in enumerate(self.display):
            if card is not None and player.can_pay(ACTION_COSTS[space]):
                options.add(act.TAKE + card.number)
        for card in player.hand:
            for k in range(self.n):
                rival = self.players[(seat + k) % self.n]
                if rival.plays_free(card) or player.can_pay(card.cost):
                    options.add(act.PLAY + 6 * card.number + k)
        action = yield Decision(seat, "turn", frozenset(options))
        if action == act.PASS:
            self.pass_turn(seat)
            return
        self.passers = []
        self.busy = True
        if action < act.PLAY:
            yield from self.take_action(seat, self.cards[action - act.TAKE])
        else:
            number, k = divmod(action - act.PLAY, 6)
            yield from self.play_card(seat, self.cards[number], (seat + k) % self.n)

    def pass_turn(self, seat: int) -> None:
        """N5: take all of the topmost pool with anything in it."""
        self.passers.append(seat)
        for k, amount in enumerate(self.pools):
            if amount:
                self.players[seat].influence += amount
                self.pools[k] = 0
                return

    # paying

    def pay(self, seat: int, price: int) -> Story:
        """N7, N8: flip Bishops one by one; the rest, if any, in temporary Influence."""
        player = self.players[seat]
        self.price = price
        self.flipped = []
        while (missing := self.price - sum(card.cost for card in self.flipped)) > 0:
            options = {act.FLIP + c.number for c in player.payers() if self.can_flip(player, c)}
            if player.influence >= missing:
                options.add(act.PAY_REST)
            action = yield Decision(seat, "payment", frozenset(options))
            if action == act.PAY_REST:
                player.influence -= missing
                self.fill_pools(missing)
                break
            card = self.cards[action - act.FLIP]
            player.face_down.add(card)
            self.flipped.append(card)
        self.price = 0
        self.flipped = []

    def can_flip(self, player: Player, card: Card) -> bool:
        """N7: whether the flipped cards and this one are part of a finished payment."""
        chosen = [other.cost for other in self.flipped] + [card.cost]
        ways = {(sum(chosen), min(chosen))}  # total and smallest cost of each set of cards
        for other in player.payers():
            if other is not card:
                # no finished payment has a further card once the price is reached
                ways |= {
                    (total + other.cost, min(smallest, other.cost))
                    for total, smallest in ways
                    if total < self.price
                }
        return any(
            total - smallest < self.price
            if total >= self.price
            else self.price - total <= player.influence
            for total, smallest in ways
        )

    def fill_pools(self, amount: int) -> None:
        """N8: one by one into the pools, the topmost first, and over again."""
        for k in range(amount):
            self.pools[k % 4] += 1

    # taking Actions

    def take_action(self, seat: int, card: Card) -> Story:
        """Pay for the space, resolve the Action, take the card, put Constantine there."""
        space = self.display.index(card)
        self.taking = card
        yield from self.pay(seat, ACTION_COSTS[space])
        yield from self.resolve(seat, ACTION_NAMES[space])
        self.display[space] = None
        self.players[seat].hand.add(card)
        self.taking = None
        if self.holder == seat:
            self.holder = None
            self.marked = space

    def resolve(self, seat: int, name: str) -> Story:
        """N10 to N14: what cannot happen does not happen."""
        player = self.players[seat]
        if name == "refresh":
            player.refresh_leftmost()
        elif name == "debate doctrine":
            yield from self.buy(seat, "debate_doctrine")
        elif name == "play free" and player.hand:
            options = {act.PLAY + 6 * card.number for card in player.hand} | {act.DECLINE}
            action = yield Decision(seat, "free_play", frozenset(options))
            if action != act.DECLINE:
                self.place(seat, self.cards[(action - act.PLAY) // 6], seat)
        elif name == "new offer":
            yield from self.new_offer(seat)

    def new_offer(self, seat: int) -> Story:
        """N14, N15: another Action, then a card for each empty space but Constantine's."""
        barred = ACTION_NAMES[self.marked] if self.marked is not None else ""
        options = {act.COPY + k for k, name in enumerate(COPIES) if name != barred}
        action = yield Decision(seat, "copy", frozenset(options))
        yield from self.resolve(seat, COPIES[action - act.COPY])
        for space in range(7):
            if self.display[space] is None and space != self.marked and self.deck:
                self.display[space] = self.deck.pop(0)

    # playing cards

    def play_card(self, seat: int, card: Card, target: int) -> Story:
        """N9, N17: the suit test comes first, then the payment, then the card."""
        self.playing = card
        self.target = target
        if not self.players[target].plays_free(card):
            yield from self.pay(seat, card.cost)
        self.place(seat, card, target)
        self.playing = None
        self.target = None

    def place(self, seat: int, card: Card, target: int) -> None:
        """Put a card from a hand on the right of a tableau."""
        self.players[seat].hand.remove(card)
        self.players[target].tableau.append(card)

    # doctrine

    def in_hands(self, dispute: int, letter: str) -> int:
        """Doctrine cards of a side in players' hands."""
        return sum(player.doctrine[dispute].count(letter) for player in self.players)

    def price_of(self, seat: int, dispute: int, letter: str) -> int:
        """N24: the smaller number for the side with fewer cards, twice for doubling down."""
        other = "AB".replace(letter, "")
        contrarian = self.in_hands(dispute, letter) < self.in_hands(dispute, other)
        prices = self.track.contrarian if contrarian else self.track.base
        times = 2 if self.players[seat].doctrine[dispute] else 1
        return times * prices[self.token[dispute]]

    def buy(self, seat: int, kind: str) -> Story:
        """Buy one doctrine card or none; who can buy nothing is not asked."""
        player = self.players[seat]
        offers = {
            act.BUY + 2 * dispute + side: (dispute, letter)
            for dispute in DISPUTES
            for side, letter in enumerate("AB")
            if not self.winner[dispute]
            and player.doctrine[dispute] in ("", letter)  # N1: conform; and never a third
            and player.can_pay(self.price_of(seat, dispute, letter))
        }
        if not offers:
            return
        action = yield Decision(seat, kind, frozenset(offers) | {act.DECLINE})
        if action == act.DECLINE:
            return
        self.busy = True
        dispute, letter = self.buying = offers[action]
        yield from self.pay(seat, self.price_of(seat, dispute, letter))
        self.buying = None
        self.token[dispute] += 2 if player.doctrine[dispute] else 1
        self.token[dispute] = min(self.token[dispute], len(self.track.base) - 1)
        kind_of_card = letter if self.in_hands(dispute, letter) < 3 else "AB"  # N25
        self.supply[dispute][kind_of_card] -= 1
        player.doctrine[dispute] += letter
        if self.in_hands(dispute, letter) == 4:
            self.settle(dispute, letter)

    def settle(self, dispute: int, letter: str) -> None:
        """N26: losers' cards leave, winners draw a marker for each of theirs."""
        self.winner[dispute] = letter
        for seat, player in enumerate(self.players):
            if letter not in player.doctrine[dispute]:
                self.box[dispute] += len(player.doctrine[dispute])
                player.doctrine[dispute] = ""
            for _ in player.doctrine[dispute]:
                who, value = self.draws.pop(0)
                assert who == seat
                player.markers.append(value)

    # the Debate Round

    def debate_round(self) -> Story:
        """N20: the steps in their order."""
        first, last = self.passers[0], self.passers[-1]
        self.holder, self.marked = first, None
        for player in self.players:
            self.gain_bonus(player)
        for player in self.players:
            self.refresh(player)
        for k in range(self.n):
            self.asked = k
            yield from self.buy((last + k) % self.n, "debate_round")
        self.asked = 0
        self.refill()
        self.adjust_influence()
        self.rounds += 1
        self.idle_rounds = 0 if self.busy else self.idle_rounds + 1
        self.busy = False
        self.passers = []
        if all(self.winner):
            self.ending = "settled"
        elif not self.deck:
            self.ending = "deck"
        elif self.idle_rounds == 3:
            self.ending = "idle"

    def gain_bonus(self, player: Player) -> None:
        """N21: both cards of a figure face up in one tableau."""
        numbers = [card.number for card in player.face_up()]
        for card in player.face_up():
            if card.partner in numbers:
                player.influence += card.bonus

    def refresh(self, player: Player) -> None:
        """N22: the sum over all doctrine cards of open disputes, rounded up once."""
        total = sum(
            (
                self.track.refresh[self.token[dispute]] * len(player.doctrine[dispute])
                for dispute in DISPUTES
                if not self.winner[dispute]
            ),
            Fraction(0),
        )
        for _ in range(ceil(total)):
            player.refresh_leftmost()

    def refill(self) -> None:
        """N27: slide left, then draw."""
        cards = [card for card in self.display if card is not None]
        drawn = self.deck[: 7 - len(cards)]
        del self.deck[: len(drawn)]
        cards += drawn
        self.display = [*cards, *[None] * (7 - len(cards))]

    def adjust_influence(self) -> None:
        """N28: keep one for each Canon, then share the pools."""
        for player in self.players:
            canons = sum(card.is_canon for card in player.tableau)
            player.influence = min(player.influence, canons)
        share, rest = divmod(sum(self.pools), self.n)
        for player in self.players:
            player.influence += share
        self.pools = [0, 0, 0, 0]
        self.fill_pools(rest)

    # the end

    def name_winners(self) -> Story:
        """N30: Constantine's holder decides what is open, in order."""
        assert self.holder is not None
        for dispute in DISPUTES:
            if not self.winner[dispute]:
                options = {act.NAME + 2 * dispute, act.NAME + 2 * dispute + 1}
                action = yield Decision(self.holder, "naming", frozenset(options))
                self.settle(dispute, "AB"[(action - act.NAME) % 2])

    def score_game(self) -> None:
        """N31, N32: points, and who has won."""
        for player in self.players:
            player.score = sum(player.markers)
            for card in player.tableau:
                if card.is_canon:
                    player.score += card.cost
                player.score += sum(bool(player.doctrine[d]) for d in card.disputes)
        scores = [player.score for player in self.players]
        weight = [
            player.influence + sum(card.cost for card in player.tableau if not card.is_canon)
            for player in self.players
        ]
        if scores.count(min(scores)) == weight.count(max(weight)) == 1:
            self.schism = scores.index(min(scores)) == weight.index(max(weight))
        if self.schism:
            self.winners = {scores.index(min(scores))}
        else:
            best = max(zip(scores, weight, strict=True))
            self.winners = {seat for seat in range(self.n) if (scores[seat], weight[seat]) == best}

    @property
    def returns(self) -> list[float]:
        """N33."""
        won = len(self.winners)
        if won in (0, self.n):
            return [0.0] * self.n
        return [1 / won if k in self.winners else -1 / (self.n - won) for k in range(self.n)]
