"""What lies on the table in ``reference.py``: players, decks, piles, and the story of events."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

KINDS = range(10)
SHAME_THAT_BARS = 3
NUMBER_OF_DEFECTORS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
SPECTATOR = "spectator"


@dataclass(frozen=True)
class Decision:
    """Somebody is asked."""

    seat: int
    kind: str
    options: frozenset[int]


Story: TypeAlias = Generator[Decision, int, None]
"""A part of the game that asks players."""
Answer: TypeAlias = Generator[Decision, int, int]
"""A part of the game that asks players and comes to a number."""


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes:
        kind: as in the game.
        who: seat, -1 for nobody.
        values: the public numbers; of a hand or of statements all ten.
        secret: what only some know, None if there is no secret.
        readers: who knows the secret; None if it does not matter.
        knowers: who knows that it happened; None: everybody.
    """

    kind: int
    who: int
    values: tuple[int, ...]
    secret: int | None = None
    readers: frozenset[int | str] | None = None
    knowers: frozenset[int] | None = None


@dataclass(frozen=True)
class Setup:
    """Options and cards of a game, and what was dealt.

    Attributes:
        rows: Missions of each row from the bottom.
        missions: copies of each pair of kinds.
        effects: effect of each Disciple by its number, in words.
        costs: cost of each Disciple.
        troubles: effect of each Crisis by its number, in words.
        faiths: whether each seat is a Defector.
        eye: the first Eye.
        hands: Virtues of each kind by seat.
        deck: Virtues of each kind not dealt.
        disciples: numbers of the Disciples dealt to each seat.
        tops: Disciple on each pile, None for an empty one.
        sizes: Disciples of each pile.
        buried: Disciples beneath the tops.
        crises: numbers of the Crises on the table.
    """

    num_players: int
    rows: Sequence[int]
    talk: bool
    zero_sum: bool
    shame: bool
    disciples_on: bool
    crises_on: bool
    missions: dict[tuple[int, int], int]
    effects: Sequence[str]
    costs: Sequence[int]
    troubles: Sequence[str]
    faiths: Sequence[bool]
    eye: int
    hands: Sequence[Sequence[int]]
    deck: Sequence[int]
    disciples: Sequence[Sequence[int]]
    tops: Sequence[int | None]
    sizes: Sequence[int]
    buried: Sequence[int]
    crises: Sequence[int]


@dataclass
class Player:
    """What one player has.

    Attributes:
        defector: the Faith.
        hand: Virtues of each kind.
        disciples: numbers of the Disciples in front.
        shame_card: "own", "away", or the seat before which it lies.
        gossip: Shame that Gossips add.
    """

    defector: bool
    hand: list[int]
    disciples: list[int]
    shame_card: int | str = "own"
    gossip: int = 0

    @property
    def held(self) -> int:
        """Virtues in hand."""
        return sum(self.hand)

    def kinds(self) -> list[int]:
        """Kinds in hand."""
        return [kind for kind in KINDS if self.hand[kind]]

    def lose(self, kind: int) -> int:
        """Take a Virtue out of the hand."""
        assert self.hand[kind] > 0
        self.hand[kind] -= 1
        return kind


@dataclass
class VirtueDeck:
    """B13: the deck, and what becomes the deck when it is empty and a card is needed."""

    cards: list[int]
    discards: list[int] = field(default_factory=lambda: [0] * 10)
    finished: list[int] = field(default_factory=lambda: [0] * 10)

    def has_a_card(self) -> bool:
        """Whether a card can be drawn; a new deck is made if need be."""
        if not sum(self.cards):
            self.cards, self.discards = self.discards, [0] * 10
        if not sum(self.cards):
            self.cards, self.finished = self.finished, [0] * 10
        return sum(self.cards) > 0

    def draw(self, kind: int) -> int:
        """Take out the card that chance has chosen, which must be there."""
        assert self.cards[kind] > 0, f"kind {kind} was drawn, there are {self.cards}"
        self.cards[kind] -= 1
        return kind


@dataclass
class MissionDeck:
    """Missions not turned up: the top if seen, the bulk, and those put under, first to come first.

    ``top`` and each of ``under`` are a pair with the seats that know it.
    """

    bulk: dict[tuple[int, int], int]
    top: tuple[tuple[int, int], set[int]] | None = None
    under: list[tuple[tuple[int, int], set[int]]] = field(default_factory=list)

    def look(self, pair: tuple[int, int]) -> tuple[tuple[int, int], set[int]]:
        """Return the Mission on top, with who knows it; ``pair`` is what chance says it is."""
        if self.top is None:
            if sum(self.bulk.values()):
                assert self.bulk[pair] > 0, f"Mission {pair} came, there are {self.bulk}"
                self.bulk[pair] -= 1
                self.top = (pair, set())
            else:
                self.top = self.under.pop(0)
        assert self.top[0] == pair
        return self.top

    def turn_up(self, pair: tuple[int, int]) -> None:
        """Take the Mission from the top."""
        self.look(pair)
        self.top = None

    def put_under(self) -> None:
        """Put the Mission on top beneath all others."""
        assert self.top is not None
        self.under.append(self.top)
        self.top = None


@dataclass
class Piles:
    """Three piles of Disciples; which of the buried ones is beneath a top, nobody knows."""

    tops: list[int | None]
    sizes: list[int]
    buried: list[int]

    def where(self, name: int) -> int:
        """The pile on which a Disciple shows; of two the one with more cards, then the leftmost."""
        showing = [place for place in range(3) if self.tops[place] == name]
        return max(showing, key=lambda place: (self.sizes[place], -place))

    def is_last(self, place: int) -> bool:
        """Whether nothing lies beneath the top."""
        return self.sizes[place] == 1

    def take(self, place: int, shown: int | None) -> None:
        """Take a top; chance says what shows then."""
        self.sizes[place] -= 1
        self.tops[place] = shown
        assert (shown is None) == (self.sizes[place] == 0)
        if shown is not None:
            self.buried.remove(shown)


@dataclass
class Mission:
    """A Mission turned up."""

    pair: tuple[int, int]
    row: int
    eye: int
    hand: int
    given: tuple[int, int] | None = None
    known: set[int | str] = field(default_factory=set)
    placed: list[int] = field(default_factory=list)
    result: bool | None = None
    hand_claim: int = -1
    eye_claim: int = -1


@dataclass
class Glimpse:
    """A look at a hand: by a seat, or by all."""

    by: int | str
    of: int
    at: int
    whole: bool
    hand: list[int]


def potential(won: int, played: int, length: int, peak: bool) -> int:
    """B18: the most tokens a side can still get in a row that is not over.

    Args:
        won: Missions of the row that went its way.
        played: Missions of the row completed.
        length: Missions of the row; as many completed means a tie and one Mission more.
        peak: whether it is the peak.
    """
    left = max(1, length - played)
    if 2 * (won + left) < length:
        return 0  # not even a tie, which would give one Mission more
    if peak:
        return 2
    return 2 if won == played and played < length else 1
