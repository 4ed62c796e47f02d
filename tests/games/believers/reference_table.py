"""The table of ``reference.py``: everything that the rules change, chance, and what is told."""

from __future__ import annotations

from collections.abc import Sequence

from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import SECRET
from tests.games.believers.reference_parts import (
    KINDS,
    SPECTATOR,
    Event,
    Glimpse,
    Mission,
    MissionDeck,
    Piles,
    Player,
    Setup,
    VirtueDeck,
)

Rows = Sequence[Sequence[int]]


class ReferenceTable:
    """What a game of Believers has come to.

    Attributes:
        told: the engine's events so far, from which chance is read.
        events: what has happened.
    """

    def __init__(self, setup: Setup, told: Rows) -> None:
        """Lay out what was dealt; ``told`` are the engine's events so far."""
        self.setup = setup
        self.n = setup.num_players
        self.told = told
        self.players = [
            Player(setup.faiths[k], list(setup.hands[k]), list(setup.disciples[k]))
            for k in range(self.n)
        ]
        self.deck = VirtueDeck(list(setup.deck))
        self.missions = MissionDeck(dict(setup.missions))
        self.piles = Piles(list(setup.tops), list(setup.sizes), list(setup.buried))
        self.gone: list[int] = []
        self.crises: list[int | None] = list(setup.crises)
        self.events: list[Event] = []
        self.turn = self.eye = setup.eye
        self.row, self.row_played, self.row_won = 0, 0, 0
        self.tokens = [0, 0]
        self.row_tokens = [0] * 5
        self.last_hand: int | None = None
        self.hand: int | None = None
        self.history: list[Mission] = []
        self.completed = 0
        self.gift: list[int] = []
        self.barred: set[int] = set()
        self.witnesses: list[int] = []
        self.lantern = self.apostle = False
        self.asked = 0
        self.shamed = self.enlisted = False
        self.row_crisis: tuple[str, int] | None = None
        self.nominations: list[tuple[int, int]] = []
        self.due = 0
        self.passed: set[int] = set()
        self.buying: tuple[int, int] | None = None
        self.statements = [0] * self.n
        self.accused = [[0] * self.n for _ in range(self.n)]
        self.vouched = [[0] * self.n for _ in range(self.n)]
        self.glimpses: list[Glimpse] = []
        self.faith_seen: list[set[int]] = [set() for _ in range(self.n)]
        self.winner: int | None = None
        self.ending = ""

    # chance and events

    def chance(self, column: int) -> int:
        """What chance decided, from a column of the engine's event that comes next."""
        return int(self.told[len(self.events)][column])

    def tell(
        self,
        kind: int,
        who: int,
        *values: int,
        secret: int | None = None,
        readers: Sequence[int | str] | None = None,
        knowers: Sequence[int] | None = None,
    ) -> None:
        """Note an event."""
        told_to = None if readers is None else frozenset(readers)
        known_to = None if knowers is None else frozenset(knowers)
        self.events.append(Event(kind, who, values, secret, told_to, known_to))

    def everybody(self) -> list[int | str]:
        """All seats and the spectators."""
        return [*range(self.n), SPECTATOR]

    def clockwise(self, seat: int) -> list[int]:
        """All seats from this one leftwards."""
        return [(seat + k) % self.n for k in range(self.n)]

    def owns(self, seat: int, effect: str) -> int:
        """How many Disciples with an effect a player has."""
        return sum(self.setup.effects[name] == effect for name in self.players[seat].disciples)

    def draw(self, seat: int, why: int) -> None:
        """B13: draw a Virtue, if there is one."""
        if self.deck.has_a_card():
            kind = self.deck.draw(self.chance(SECRET))
            self.players[seat].hand[kind] += 1
            self.tell(S.Event.DREW, seat, why, secret=kind, readers=[seat])

    def glimpse(self, by: int | str, of: int, kinds: Sequence[int] | None) -> None:
        """Remember a look at single cards of a hand, or at all of it."""
        seen = list(self.players[of].hand)
        if kinds is not None:
            seen = [kinds.count(kind) for kind in KINDS]
        self.glimpses.append(Glimpse(by, of, self.completed, kinds is None, seen))


def pair_of(number: int) -> tuple[int, int]:
    """The kinds of a pair's number."""
    return int(S.PAIR_LOW[number]), int(S.PAIR_HIGH[number])


def number_of(pair: tuple[int, int]) -> int:
    """The number of a pair, the lower kind first."""
    return next(k for k in range(S.PAIRS) if pair_of(k) == pair)
