"""Decks of Nicaea: a data file with the cards and the dispute track, read, checked, and filled in.

What is printed on the published cards and on most of the track is not public, so these values are
data: the house deck lies beside this module, and whoever has the game can give a file of the same
form. The numbers go into the State; names and texts stay with the bound game.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from concilium.envs.core.datafile import (
    LONGEST_TEXT,
    SIZE_LIMIT,
    check_fields,
    entries,
    is_whole,
    need,
    parse_file,
    read_named,
    text_in,
    whole_in,
)
from concilium.envs.core.files import read_limited
from concilium.envs.nicaea import state as S

HOUSE: Final = "house"
NUMERALS: Final = ("I", "II", "III", "IV", "V")
_HOUSE_FILE: Final = Path(__file__).with_name("deck.toml")
_WHAT: Final = "deck file"
_FEWEST_SPACES: Final = 3  # a dispute may begin on the third
_BISHOP_FIELDS: Final = frozenset({"id", "figure", "suit", "cost", "bonus", "disputes"})
_CANON_FIELDS: Final = frozenset({"id", "name", "suit", "cost"})
_TRACK_FIELDS: Final = frozenset({"provenance", "base", "contrarian", "refresh"})
_FILE_FIELDS: Final = frozenset({"title", "provenance", "track", "bishop", "canon"})


@dataclass(frozen=True)
class Card:
    """An Action card.

    Attributes:
        id: name of the card in its file, of its own.
        name: the figure of a Bishop, the name of a Canon.
        suit: name of the suit.
        cost: Influence to play it, 1 to 9; of a Canon also its points.
        bonus: TI that it adds to a pair of face-up Bishops, 0 to 9; 0 for a Canon.
        icons: the disputes that a Bishop scores for, from 0, ascending; none for a Canon.
    """

    id: str
    name: str
    suit: str
    cost: int
    bonus: int = 0
    icons: tuple[int, ...] = ()

    @property
    def is_canon(self) -> bool:
        """Whether it is a Canon: those have no icons, and Bishops at least one."""
        return not self.icons

    @property
    def text(self) -> str:
        """The card in words: suit, cost and bonus, icons, as in ``"Arius (Palestine 2+2; I, V)"``.

        A Canon reads ``"No usury (Asia 2; canon)"``. Two cards may read alike.
        """
        if self.is_canon:
            return f"{self.name} ({self.suit} {self.cost}; canon)"
        marks = ", ".join(NUMERALS[dispute] for dispute in self.icons)
        return f"{self.name} ({self.suit} {self.cost}+{self.bonus}; {marks})"


@dataclass(frozen=True)
class Deck:
    """The cards and the dispute track.

    Attributes:
        title: what the deck is called.
        provenance: where the values of the cards come from.
        track_provenance: where the values of the track come from.
        cards: Bishops first, then Canons, each in the order of the file.
        base: price of an argument, by the token's space, rising.
        contrarian: price for the side with fewer cards, at least 1, below the base.
        refresh: cards refreshed per doctrine card, in halves.
    """

    title: str
    provenance: str
    track_provenance: str
    cards: tuple[Card, ...]
    base: tuple[int, ...]
    contrarian: tuple[int, ...]
    refresh: tuple[int, ...]

    @functools.cached_property
    def partners(self) -> tuple[int, ...]:
        """For each card the other card of its figure, -1 for a Canon."""
        places: dict[str, list[int]] = {}
        for number, card in enumerate(self.cards):
            if not card.is_canon:
                places.setdefault(card.name, []).append(number)
        partners = [-1] * len(self.cards)
        for one, other in places.values():
            partners[one], partners[other] = other, one
        return tuple(partners)

    @functools.cached_property
    def suits(self) -> tuple[str, ...]:
        """Names of the suits, in alphabetical order: suit 0 is the first."""
        return tuple(sorted({card.suit for card in self.cards}))

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """Each card in words of its own: with its id where two would read alike."""
        counts = Counter(card.text.lower() for card in self.cards)
        return tuple(
            f"{card.text} {card.id}" if counts[card.text.lower()] > 1 else card.text
            for card in self.cards
        )


# Reading -------------------------------------------------------------------------------------


def read_deck(path: str | os.PathLike[str]) -> Deck:
    """Read and check a deck file.

    Args:
        path: a TOML file of at most 65,536 bytes in the form of the house deck.

    Raises:
        FileFormatError: it cannot be read, is not TOML, or a value is not allowed; the message
            names the file, the card and the field.
    """
    data = read_limited(path, SIZE_LIMIT, _WHAT)
    return parse_file(data, f"{_WHAT} {os.fspath(path)}", _deck)


def _deck(table: Mapping[str, Any]) -> Deck:
    check_fields(table, _FILE_FIELDS, "the file")
    cards = (
        *(_bishop(*named) for named in entries(table, "bishop", _BISHOP_FIELDS, label="id")),
        *(_canon(*named) for named in entries(table, "canon", _CANON_FIELDS, label="id")),
    )
    need(
        S.FEWEST_CARDS <= len(cards) <= S.CARDS,
        "the file", f"{len(cards)} cards; {S.FEWEST_CARDS} to {S.CARDS} are allowed",
    )  # fmt: skip
    _check_cards(cards)
    track = table["track"]
    need(isinstance(track, dict), "track", "is not a table")
    check_fields(track, _TRACK_FIELDS, "track")
    base, contrarian, refresh = _track(track)
    deck = Deck(
        text_in(table, "title", "the file"),
        text_in(table, "provenance", "the file", longest=LONGEST_TEXT),
        text_in(track, "provenance", "track", longest=LONGEST_TEXT),
        cards, base, contrarian, refresh,
    )  # fmt: skip
    repeated = [text for text, count in Counter(map(str.lower, deck.texts)).items() if count > 1]
    need(not repeated, "the file", f"two cards read alike: {', '.join(repeated)}")
    return deck


def _bishop(where: str, entry: Mapping[str, Any]) -> Card:
    disputes = entry["disputes"]
    good = (
        isinstance(disputes, list)
        and 1 <= len(disputes) <= 2
        and all(is_whole(number) and 1 <= number <= S.DISPUTES for number in disputes)
        and len(set(disputes)) == len(disputes)
    )
    need(
        good, f"{where}, field disputes",
        f"{disputes!r:.80} is not allowed: one or two different disputes from 1 to {S.DISPUTES}",
    )  # fmt: skip
    return Card(
        text_in(entry, "id", where), text_in(entry, "figure", where), text_in(entry, "suit", where),
        whole_in(entry, "cost", 1, S.MOST_COST, where),
        whole_in(entry, "bonus", 0, S.MOST_BONUS, where),
        tuple(sorted(number - 1 for number in disputes)),
    )  # fmt: skip


def _canon(where: str, entry: Mapping[str, Any]) -> Card:
    return Card(
        text_in(entry, "id", where), text_in(entry, "name", where), text_in(entry, "suit", where),
        whole_in(entry, "cost", 1, S.MOST_COST, where),
    )  # fmt: skip


def _check_cards(cards: tuple[Card, ...]) -> None:
    """Ids of their own, two cards per figure, five suits."""
    seen: set[str] = set()
    for card in cards:
        need(card.id.lower() not in seen, f"card {card.id!r}, field id", "two cards have this id")
        seen.add(card.id.lower())
    figures = Counter(card.name for card in cards if not card.is_canon)
    for card in cards:
        count = figures[card.name]
        need(
            card.is_canon or count == 2, f"card {card.id!r}, field figure",
            f"{card.name!r} is on {count} cards; every figure is on two",
        )  # fmt: skip
    suits = sorted({card.suit for card in cards})
    need(
        len(suits) == S.SUITS, "field suit of the cards",
        f"{len(suits)} suits ({', '.join(suits[:8])}); there must be {S.SUITS}",
    )  # fmt: skip


def _track(track: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    for name in ("base", "contrarian", "refresh"):
        values = track[name]
        need(
            isinstance(values, list) and _FEWEST_SPACES <= len(values) <= S.TRACK,
            f"track, field {name}", f"is not a list of {_FEWEST_SPACES} to {S.TRACK} numbers",
        )  # fmt: skip
    base, contrarian, refresh = track["base"], track["contrarian"], track["refresh"]
    for name in ("contrarian", "refresh"):
        need(
            len(track[name]) == len(base), f"track, field {name}",
            f"has {len(track[name])} numbers, field base has {len(base)}",
        )  # fmt: skip
    for place in range(len(base)):
        _check_space(track, place)
    return tuple(base), tuple(contrarian), tuple(int(2 * number) for number in refresh)


def _check_space(track: Mapping[str, Any], place: int) -> None:
    base, contrarian, refresh = (track[name][place] for name in ("base", "contrarian", "refresh"))
    floor = track["base"][place - 1] + 1 if place else 2
    need(
        is_whole(base) and floor <= base <= S.MOST_BASE, f"track, field base, space {place + 1}",
        f"{base!r:.80} is not allowed: whole numbers that rise, from 2 to {S.MOST_BASE}",
    )  # fmt: skip
    need(
        is_whole(contrarian) and 1 <= contrarian < base,
        f"track, field contrarian, space {place + 1}",
        f"{contrarian!r:.80} is not allowed: a whole number from 1, below the base {base}",
    )  # fmt: skip
    halves = 2 * refresh if is_whole(refresh) or isinstance(refresh, float) else -1
    need(
        0 <= halves <= S.MOST_REFRESH and halves == int(halves),
        f"track, field refresh, space {place + 1}",
        f"{refresh!r:.80} is not allowed: a multiple of 0.5 from 0 to {S.MOST_REFRESH // 2}",
    )  # fmt: skip


# Decks by name -------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def deck_of(name: str) -> Deck:
    """Return the deck that a checked value of the option names; files are read once.

    Raises:
        FileFormatError: the file is broken, or has changed since its digest was taken.
    """
    if name == HOUSE:
        return read_deck(_HOUSE_FILE)
    path, data = read_named(name, _WHAT)
    return parse_file(data, f"{_WHAT} {path}", _deck)


def fill_deck(state: Any, deck: Deck) -> None:
    """Write a deck into the option fields of one State ``()``."""
    count, spaces = len(deck.cards), len(deck.base)
    state["num_cards"] = count
    for name in ("partner", "suit", "cost", "bonus", "icons"):
        state[name][:] = 0
    state["partner"][:] = -1
    state["partner"][:count] = deck.partners
    for number, card in enumerate(deck.cards):
        state["suit"][number] = deck.suits.index(card.suit)
        state["cost"][number] = card.cost
        state["bonus"][number] = card.bonus
        state["icons"][number] = sum(1 << dispute for dispute in card.icons)
    state["track_spaces"] = spaces
    for name, values in (
        ("track_base", deck.base), ("track_contrarian", deck.contrarian),
        ("track_refresh", deck.refresh),
    ):  # fmt: skip
        state[name][:] = 0
        state[name][:spaces] = values
