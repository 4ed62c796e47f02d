"""A table for the rule tests of Believers: positions made by hand, moves and cards by name.

Virtues are written as letters, "DDH" are two Devotion and a Humility; a Mission is two letters. The
cards are those of ``plain.toml``, so that no test depends on the numbers of the house set.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import pair_number
from concilium.envs.core.state import RUNNING, Records, plain_records

PLAIN = str(Path(__file__).with_name("plain.toml"))
LETTERS = "DOHCPRUSVX"
"""Devotion, Obedience, Humility, Charity, Patience, couRage, pUrity, Silence, Vigilance and the
last, Sacrifice."""
DISCIPLES = (
    "Almoner", "Penitent", "Gossip", "Confidant", "Herald", "Inquisitor", "Doorkeeper", "Regent",
    "Mendicant", "Guardian", "Gleaner", "Oracle", "Witness", "Lantern", "Apostle",
)  # fmt: skip
COSTS = dict(zip(DISCIPLES, (1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3), strict=True))
CRISES = (
    "Fast", "Testimony", "Doubt", "Muteness", "Exile", "Poverty", "Blindness", "Tithe",
)  # fmt: skip
FOR_ANYBODY = ("Penitent", "Gossip", "Doorkeeper")
FOR_OTHERS = ("Confidant", "Inquisitor", "Mendicant", "Oracle")
FOR_NOBODY = ("Almoner", "Herald", "Regent", "Witness", "Lantern", "Apostle")
STEADFAST = ("Guardian", "Gleaner")
DEFECTORS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
RELATIVE_TO_OTHERS = S.SEATS - 1


def counts(letters: str) -> list[int]:
    """How often each kind is written."""
    return [letters.count(letter) for letter in LETTERS]


def letters(numbers: Iterable[int]) -> str:
    """Write counts of kinds as letters."""
    return "".join(
        letter * max(0, int(count)) for letter, count in zip(LETTERS, numbers, strict=True)
    )


def pair(text: str) -> int:
    """Number of a pair of kinds, written as two letters."""
    assert len(text) == 2
    return pair_number(LETTERS.index(text[0]), LETTERS.index(text[1]))


def pair_text(number: int) -> str:
    """Letters of a pair; empty for none."""
    if number < 0:
        return ""
    return LETTERS[int(S.PAIR_LOW[number])] + LETTERS[int(S.PAIR_HIGH[number])]


def seats_of(bits: int, players: int) -> set[int]:
    """Seats whose bits are set."""
    return {seat for seat in range(players) if int(bits) >> seat & 1}


class Table:
    """One game under test; every move checks that nothing is lost and the State is sound."""

    def __init__(self, game: BoundGame, state: Records) -> None:
        """Take a State of one record; the moves change it."""
        self.game = game
        self.state = state
        self.n = game.num_players

    # what lies on the table

    def __getitem__(self, field: str) -> Any:
        """Field of the State."""
        return plain_records(self.state)[field][0]

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
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self["status"]) != RUNNING

    @property
    def eye(self) -> int:
        """The acting Eye."""
        return int(self["eye"])

    @property
    def tokens(self) -> list[int]:
        """Tokens of True Believers and of Defectors."""
        return [int(count) for count in self["tokens"]]

    @property
    def returns(self) -> list[float]:
        """Return of each seat."""
        return [float(value) for value in self.game.returns(self.state)]

    def after(self, seat: int, places: int = 1) -> int:
        """The seat so many places to the left."""
        return (seat + places) % self.n

    def hand(self, seat: int) -> str:
        """Virtues in a hand."""
        found = letters(self["hand"][seat])
        assert len(found) == self["hand_count"][seat]
        return found

    def hands(self) -> list[str]:
        """Virtues in all hands."""
        return [self.hand(seat) for seat in range(self.n)]

    def heap(self, name: str) -> str:
        """Virtues in ``deck``, ``discards`` or ``finished``."""
        return letters(self[name])

    def shame(self, seat: int) -> int:
        """Shame that counts against a seat: cards that lie there and Gossips."""
        return int((self["shame_at"][: self.n] == seat).sum() + self["gossip"][seat])

    def disciples(self, seat: int) -> list[str]:
        """Disciples in front of a seat."""
        row = self["disciples"][seat]
        return [name for k, name in enumerate(DISCIPLES) for _ in range(int(row[k]))]

    def gone(self, name: str) -> int:
        """How many of a Disciple have left the game."""
        return int(self["gone"][DISCIPLES.index(name)])

    @property
    def tops(self) -> list[str | None]:
        """The Disciples that show on the three piles."""
        return [DISCIPLES[int(top)] if top >= 0 else None for top in self["pile_top"]]

    @property
    def crises(self) -> list[str | None]:
        """Crises on the table, None where one is used up."""
        return [CRISES[int(name)] if name >= 0 else None for name in self["crises"]]

    def mission(self, number: int) -> dict[str, Any]:
        """What is known of a Mission by number."""
        placed = [int(kind) for kind in self["mission_placed"][number]]
        return {
            "pair": pair_text(int(self["mission_pair"][number])),
            "row": int(self["mission_row"][number]),
            "eye": int(self["mission_eye"][number]),
            "hand": int(self["mission_hand"][number]),
            "placed": "".join(LETTERS[kind] for kind in placed if kind >= 0),
            "result": int(self["mission_result"][number]),
            "given": pair_text(int(self["mission_given"][number])),
        }

    def view(self, viewer: int) -> Any:
        """What a seat or the spectator may know, one record."""
        return plain_records(self.game.view(self.state, viewer))[0]

    # events

    def events(self, *kinds: int, viewer: int | None = None) -> list[tuple[int, ...]]:
        """Logged events (kind, who, three numbers, secret), oldest first; of some kinds only."""
        record = self.view(viewer) if viewer is not None else plain_records(self.state)[0]
        rows = record["log"][: int(record["log_count"])]
        found = [tuple(int(x) for x in row[:6]) for row in rows]
        return [event for event in found if not kinds or event[0] in kinds]

    def draws(self) -> list[tuple[int, int, str]]:
        """Who drew a Virtue, why, and which, in order."""
        return [(e[1], e[2], LETTERS[e[5]]) for e in self.events(S.Event.DREW)]

    # what is offered

    @property
    def legal(self) -> set[int]:
        """Numbers of the legal actions."""
        return {int(action) for action in np.flatnonzero(self.game.legal_actions(self.state))}

    def _offered(self, first: int, size: int) -> list[int]:
        return sorted(action - first for action in self.legal if 0 <= action - first < size)

    def _others(self, first: int) -> list[int]:
        found = self._offered(first, RELATIVE_TO_OTHERS)
        return sorted(self.after(self.actor, k + 1) for k in found)

    def _kinds(self, first: int) -> str:
        return "".join(LETTERS[kind] for kind in self._offered(first, S.KINDS))

    def can(self, action: int) -> bool:
        """Whether an action is legal."""
        return action in self.legal

    @property
    def shames(self) -> list[int]:
        """Seats that can be shamed."""
        return self._others(act.SHAME)

    @property
    def enlists(self) -> set[tuple[str, int]]:
        """Disciples that can be used, with the target; without one: the own seat."""
        offers = self._offered(act.ENLIST, S.DISCIPLES * S.SEATS)
        return {
            (DISCIPLES[offer // S.SEATS], self.after(self.actor, offer % S.SEATS))
            for offer in offers
        }

    @property
    def choices(self) -> list[int]:
        """Seats that can be the Hand."""
        return self._others(act.CHOOSE)

    @property
    def gives(self) -> str:
        """Kinds that the Hand can give."""
        return self._kinds(act.GIVE)

    @property
    def places(self) -> str:
        """Kinds that the Eye can place."""
        return self._kinds(act.PLACE)

    @property
    def discardable(self) -> str:
        """Kinds that can be discarded."""
        return self._kinds(act.DISCARD)

    @property
    def claims(self) -> list[int]:
        """Pairs that can be claimed, NO_CLAIM included."""
        return self._offered(act.CLAIM, S.PAIRS + 1)

    @property
    def nominations(self) -> set[tuple[str, int]]:
        """Crises with targets that can be nominated."""
        offers = self._offered(act.NOMINATE, S.CRISES * RELATIVE_TO_OTHERS)
        return {
            (
                CRISES[offer // RELATIVE_TO_OTHERS],
                self.after(self.actor, offer % RELATIVE_TO_OTHERS + 1),
            )
            for offer in offers
        }

    @property
    def dismissable(self) -> set[str]:
        """Disciples that can be discarded for a Doubt."""
        return {DISCIPLES[k] for k in self._offered(act.DISMISS, S.DISCIPLES)}

    @property
    def buys(self) -> set[str]:
        """Disciples that can be bought."""
        return {DISCIPLES[k] for k in self._offered(act.BUY, S.DISCIPLES)}

    # moves

    def step(self, action: int) -> None:
        """Take a legal action."""
        before, phase = self.game.census(self.state), int(self["phase"])
        self.game.step(self.state, action)
        new = int(self["phase"])
        self.check(
            before, thorough=new not in (phase, S.Phase.CHOICE, S.Phase.GIFT, S.Phase.PLACEMENT)
        )

    def check(self, census: Any, *, thorough: bool = True) -> None:
        """Nothing lost, somebody can do something, and if thorough: nothing inconsistent."""
        assert (self.game.census(self.state) == census).all()
        assert bool(self.legal) == (not self.over)
        if thorough:
            assert list(GAME.faults(plain_records(self.state)[0])) == []

    def _towards(self, seat: int) -> int:
        k = (seat - self.actor) % self.n
        assert k
        return k - 1

    def done(self, times: int = 1) -> None:
        """End the opportunity, so many players in a row."""
        for _ in range(times):
            self.step(act.DONE)

    def all_done(self) -> None:
        """Let everybody whose opportunity is still to come do nothing."""
        while self.kind == "call":
            self.done()

    def shame_player(self, seat: int) -> None:
        """Lay the own Shame card in front of a player."""
        self.step(act.SHAME + self._towards(seat))

    def enlist(self, name: str, seat: int | None = None) -> None:
        """Use a Disciple, on a player or on nobody."""
        k = 0 if seat is None else (seat - self.actor) % self.n
        self.step(act.ENLIST + S.SEATS * DISCIPLES.index(name) + k)

    def herald(self, under: bool) -> None:
        """Put the Mission under the deck or leave it."""
        self.step(act.HERALD + under)

    def choose(self, seat: int) -> None:
        """Make a player the Hand."""
        self.step(act.CHOOSE + self._towards(seat))

    def give(self, kinds: str) -> None:
        """Give Virtues, one by one."""
        for kind in kinds:
            self.step(act.GIVE + LETTERS.index(kind))

    def place(self, kind: str) -> None:
        """Place one of the two Virtues."""
        self.step(act.PLACE + LETTERS.index(kind))

    def accuse(self, seat: int) -> None:
        """Say "I accuse"."""
        self.step(act.ACCUSE + self._towards(seat))

    def vouch(self, seat: int) -> None:
        """Say "I vouch for"."""
        self.step(act.VOUCH + self._towards(seat))

    def silent(self) -> None:
        """Say nothing."""
        self.step(act.SILENT)

    def claim(self, text: str | None) -> None:
        """Claim two kinds, or nothing."""
        self.step(act.CLAIM + (S.NO_CLAIM if text is None else pair(text)))

    def nominate(self, crisis: str, seat: int) -> None:
        """Nominate a Crisis and its target."""
        self.step(act.NOMINATE + RELATIVE_TO_OTHERS * CRISES.index(crisis) + self._towards(seat))

    def discard(self, kinds: str) -> None:
        """Discard Virtues, one by one."""
        for kind in kinds:
            self.step(act.DISCARD + LETTERS.index(kind))

    def dismiss(self, name: str) -> None:
        """Discard a Disciple for a Doubt."""
        self.step(act.DISMISS + DISCIPLES.index(name))

    def buy(self, name: str, payment: str = "") -> None:
        """Begin to buy a Disciple, and pay for it."""
        self.step(act.BUY + DISCIPLES.index(name))
        self.discard(payment)

    def refuse(self, times: int = 1) -> None:
        """Pass in the Indoctrination, so many players in a row."""
        for _ in range(times):
            self.step(act.PASS)

    # changes by hand

    def set_hand(self, seat: int, text: str) -> None:
        """Exchange a hand with cards of the deck."""
        s = plain_records(self.state)[0]
        s["deck"] += s["hand"][seat]
        s["hand"][seat] = counts(text)
        s["deck"] -= s["hand"][seat]
        assert s["deck"].min() >= 0, f"the deck has not enough for {text}"
        s["hand_count"][seat] = len(text)
        s["deck_size"] = s["deck"].sum()

    def set_hands(self, text: str) -> None:
        """Give everybody the same hand."""
        for seat in range(self.n):
            self.set_hand(seat, "")
        for seat in range(self.n):
            self.set_hand(seat, text)

    def set_next_mission(self, text: str) -> None:
        """Put a Mission on top of the deck, which nobody has seen."""
        self.state["next_mission"] = pair(text)
        self.state["next_seen"] = 0

    def set_disciples(self, seat: int, *names: str) -> None:
        """Exchange the Disciples of a seat with those that have left the game."""
        s = plain_records(self.state)[0]
        s["gone"] += s["disciples"][seat]
        s["disciples"][seat] = name_counts(names)
        s["gone"] -= s["disciples"][seat]
        assert s["gone"].min() >= 0

    # longer stretches

    def mission_to(self, hand: int, pair_up: str = "DO") -> None:
        """Nobody does anything in Part I; the Eye chooses, and the Mission is turned up."""
        self.set_next_mission(pair_up)
        self.all_done()
        while self.kind == "statement":
            self.silent()
        self.choose(hand)

    def round(self, won: bool, hand: int | None = None) -> None:
        """Play a round in which nothing happens but a Mission; all hands are "DH" before it."""
        self.set_hands("DH")
        self.set_next_mission("DO")
        self.all_done()
        while self.kind == "statement":
            self.silent()
        self.choose(self.choices[0] if hand is None else hand)
        self.give("DH")
        self.place("D" if won else "H")
        while self.kind in ("hand_claim", "eye_claim"):
            self.claim(None)

    def rounds(self, results: str) -> None:
        """Play rounds by their results, "S" or "F", and the nights between them anyhow."""
        for result in results:
            self.pass_the_night()
            self.round(result == "S")

    def pass_the_night(self) -> None:
        """Let the Defectors choose anything that comes first, and nobody buy anything."""
        while self.kind in ("night", "fasting", "doubting", "indoctrination"):
            self.step(act.PASS if self.kind == "indoctrination" else min(self.legal))


@functools.cache
def game_of(players: int, **options: Hashable) -> BoundGame:
    """The game with the plain cards."""
    return GAME.bind(num_players=players, cards=PLAIN, **options)


def name_counts(names: Iterable[str]) -> Any:
    """How often each Disciple is named, ``(20,)``."""
    found = np.zeros(S.DISCIPLES, np.int8)
    for name in names:
        found[DISCIPLES.index(name)] += 1
    return found


def place_virtues(
    s: Any, hands: Mapping[int, str], deck: str | None, discards: str, finished: str
) -> None:
    """Put every Virtue where it belongs; see :func:`build`."""
    players = int(s["num_players"])
    s["hand"], s["hand_count"] = 0, 0
    for seat in range(players):
        text = hands.get(seat, "DH")
        s["hand"][seat] = counts(text)
        s["hand_count"][seat] = len(text)
    s["discards"], s["finished"] = counts(discards), counts(finished)
    elsewhere = s["hand"].sum(axis=0) + s["discards"] + s["finished"]
    if deck is None:
        s["deck"] = s["virtue_copies"] - elsewhere
        assert s["deck"].min() >= 0
    else:
        s["deck"] = counts(deck)
        s["virtue_copies"] = s["deck"] + elsewhere
    s["deck_size"] = s["deck"].sum()


def place_disciples(
    s: Any,
    held: Mapping[int, Sequence[str]],
    piles: Sequence[tuple[str, int] | None],
    buried: Sequence[str],
) -> None:
    """Put every Disciple where it belongs; those not mentioned have left the game."""
    s["disciples"] = 0
    for seat, names in held.items():
        s["disciples"][seat] = name_counts(names)
    s["pile_top"], s["pile_size"] = -1, 0
    for place, pile in enumerate(piles):
        if pile is not None:
            s["pile_top"][place] = DISCIPLES.index(pile[0])
            s["pile_size"][place] = pile[1]
    assert sum(pile[1] - 1 for pile in piles if pile is not None) == len(buried)
    s["buried"] = name_counts(buried)
    tops = name_counts(pile[0] for pile in piles if pile is not None)
    s["gone"] = s["disciple_copies"] - s["disciples"].sum(axis=0) - tops - s["buried"]
    assert s["gone"].min() >= 0


def build(
    players: int,
    *,
    hands: Mapping[int, str] | None = None,
    deck: str | None = None,
    discards: str = "",
    finished: str = "",
    defectors: Iterable[int] | None = None,
    eye: int = 0,
    disciples: Mapping[int, Sequence[str]] | None = None,
    piles: Sequence[tuple[str, int] | None] = (),
    buried: Sequence[str] = (),
    shame: Mapping[int, int] | None = None,
    gossip: Mapping[int, int] | None = None,
    last_hand: int = -1,
    exiled: int | None = None,
    row_crisis: tuple[int, int] | None = None,
    crises: Sequence[str] = ("Fast", "Exile", "Tithe"),
    mission: str = "DO",
    seed: int = 0,
    options: Mapping[str, Hashable] | None = None,
) -> Table:
    """Make a position at the beginning of the first round.

    Args:
        players: seats at the table.
        hands: Virtues in the hand of each seat; "DH" where not given.
        deck: Virtues in the deck; None: all that are nowhere else. With a deck there are no others
            in the game than those mentioned.
        discards: discarded Virtues.
        finished: Virtues on Missions of rows whose tokens are given.
        defectors: their seats; the last ones if not given.
        eye: the Eye.
        disciples: in front of each seat, none where not given.
        piles: top and size of each pile, None for an empty one.
        buried: beneath the tops, of all piles together.
        shame: before which seat the Shame card of each seat lies; their own where not given.
        gossip: Shame that Gossips add to each seat.
        last_hand: the Hand of the last round.
        exiled: seat that is exiled in this row.
        row_crisis: effect of a Crisis in force in this row and whom it binds.
        crises: the three on the table.
        mission: turned up next; nobody has seen it.
        seed: decides what is drawn.
        options: of the game.
    """
    game = game_of(players, **(options or {}))
    state = game.new_state(seed)
    s = plain_records(state)[0]
    place_virtues(s, hands or {}, deck, discards, finished)
    if s["disciples_on"]:
        place_disciples(s, disciples or {}, piles, buried)
    s["faith"][:players] = S.Faith.BELIEVER
    count = DEFECTORS[players]
    s["faith"][list(range(players - count, players) if defectors is None else defectors)] = (
        S.Faith.DEFECTOR
    )
    s["turn"], s["eye"], s["actor"] = eye, eye, eye
    for owner, seat in (shame or {}).items():
        s["shame_at"][owner] = seat
    for seat, count in (gossip or {}).items():
        s["gossip"][seat] = count
    s["last_hand"] = last_hand
    if exiled is not None:
        row_crisis = (S.Trouble.EXILE, exiled)
    if row_crisis is not None:
        s["row_crisis"], s["row_target"] = row_crisis
    if s["crises_on"]:
        s["crises"] = [CRISES.index(name) for name in crises]
    s["next_mission"], s["next_seen"] = pair(mission), 0
    s["log"], s["log_count"] = 0, 0
    table = Table(game, state)
    table.check(game.census(state))
    return table


def build_night(
    players: int,
    *,
    crises: Sequence[str] = ("Fast", "Exile", "Tithe"),
    defectors: Iterable[int] | None = None,
    disciples: Mapping[int, Sequence[str]] | None = None,
    options: Mapping[str, Hashable] | None = None,
    seed: int = 0,
) -> Table:
    """Play the first row, one token for True Believers; the next Eye is seat 4, all have "DH"."""
    t = build(
        players, crises=crises, defectors=defectors, disciples=disciples, options=options, seed=seed
    )  # fmt: skip
    t.rounds("SSSF")
    t.set_hands("DH")
    assert t["turn"] == 4
    return t


def lay(t: Table, crisis: str, seat: int) -> None:
    """Let all Defectors nominate the same; the target, if one of them, must name another."""
    while t.kind == "night":
        t.nominate(crisis, seat if t.actor != seat else t.after(seat))
