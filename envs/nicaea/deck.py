"""Decks of Nicaea: a data file with the cards and the dispute track, read, checked, and filled in.

What is printed on the published cards and on most of the track is not public, so these values are
data: the house deck lies beside this module, and whoever has the game can give a file of the same
form. The numbers go into the State; names and texts stay with the bound game.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from concilium.envs.core.errors import FileFormatError
from concilium.envs.core.files import read_limited
from concilium.envs.core.game import Option, OptionValue
from concilium.envs.nicaea.state import (
    CARDS,
    DISPUTES,
    FEWEST_CARDS,
    MOST_BASE,
    MOST_BONUS,
    MOST_COST,
    MOST_REFRESH,
    SUITS,
    TRACK,
)

HOUSE: Final = "house"
NUMERALS: Final = ("I", "II", "III", "IV", "V")
_HOUSE_FILE: Final = Path(__file__).with_name("deck.toml")
_SIZE_LIMIT: Final = 2**16  # bytes; 60 cards take some 8,000
_LONGEST_TEXT: Final = 60  # characters of a name
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
    return _parse(_read(path), f"deck file {os.fspath(path)}")


def _read(path: str | os.PathLike[str]) -> bytes:
    return read_limited(path, _SIZE_LIMIT, "deck file")


def _parse(data: bytes, what: str) -> Deck:
    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # also bytes that are not UTF-8
        raise FileFormatError(f"{what} is not TOML: {error}") from None
    try:
        return _deck(table)
    except _FaultError as fault:
        raise FileFormatError(f"{what}: {fault}") from None


class _FaultError(Exception):
    """What is wrong, without the name of the file."""


def _need(good: bool, where: str, wrong: str) -> None:
    if not good:
        raise _FaultError(f"{where}: {wrong}")


def _deck(table: Mapping[str, Any]) -> Deck:
    _check_fields(table, _FILE_FIELDS, "the file")
    cards = (
        *(_bishop(entry, place) for place, entry in enumerate(_entries(table, "bishop"), 1)),
        *(_canon(entry, place) for place, entry in enumerate(_entries(table, "canon"), 1)),
    )
    _need(
        FEWEST_CARDS <= len(cards) <= CARDS,
        "the file", f"{len(cards)} cards; {FEWEST_CARDS} to {CARDS} are allowed",
    )  # fmt: skip
    _check_cards(cards)
    track = table["track"]
    _need(isinstance(track, dict), "track", "is not a table")
    _check_fields(track, _TRACK_FIELDS, "track")
    base, contrarian, refresh = _track(track)
    deck = Deck(
        _text(table, "title", "the file"), _text(table, "provenance", "the file"),
        _text(track, "provenance", "track"), cards, base, contrarian, refresh,
    )  # fmt: skip
    repeated = [text for text, count in Counter(map(str.lower, deck.texts)).items() if count > 1]
    _need(not repeated, "the file", f"two cards read alike: {', '.join(repeated)}")
    return deck


def _entries(table: Mapping[str, Any], name: str) -> list[Any]:
    entries = table[name]
    _need(isinstance(entries, list), name, f"is not a list of tables: write [[{name}]]")
    assert isinstance(entries, list)
    return entries


def _bishop(entry: Any, place: int) -> Card:
    where = _named(entry, _BISHOP_FIELDS, "bishop", place)
    disputes = entry["disputes"]
    good = (
        isinstance(disputes, list)
        and 1 <= len(disputes) <= 2
        and all(_is_whole(number) and 1 <= number <= DISPUTES for number in disputes)
        and len(set(disputes)) == len(disputes)
    )
    _need(
        good, f"{where}, field disputes",
        f"{disputes!r} is not allowed: one or two different disputes from 1 to {DISPUTES}",
    )  # fmt: skip
    return Card(
        _text(entry, "id", where), _text(entry, "figure", where), _text(entry, "suit", where),
        _whole(entry, "cost", 1, MOST_COST, where), _whole(entry, "bonus", 0, MOST_BONUS, where),
        tuple(sorted(number - 1 for number in disputes)),
    )  # fmt: skip


def _canon(entry: Any, place: int) -> Card:
    where = _named(entry, _CANON_FIELDS, "canon", place)
    return Card(
        _text(entry, "id", where), _text(entry, "name", where), _text(entry, "suit", where),
        _whole(entry, "cost", 1, MOST_COST, where),
    )  # fmt: skip


def _named(entry: Any, fields: frozenset[str], kind: str, place: int) -> str:
    """Check that a card is a table with these fields; return how to name it in messages."""
    where = f"{kind} {place}"
    _need(isinstance(entry, dict), where, "is not a table")
    if isinstance(entry.get("id"), str):
        where = f"{kind} {place} ({entry['id'][:_LONGEST_TEXT]!r})"
    _check_fields(entry, fields, where)
    return where


def _check_fields(table: Mapping[str, Any], fields: frozenset[str], where: str) -> None:
    missing, unknown = sorted(fields - set(table)), sorted(set(table) - fields)
    _need(not missing, where, f"field {', '.join(missing)} is missing")
    _need(
        not unknown, where,
        f"field {', '.join(unknown)[:_LONGEST_TEXT]} is unknown: there are "
        f"{', '.join(sorted(fields))}",
    )  # fmt: skip


def _text(table: Mapping[str, Any], name: str, where: str) -> str:
    value = table[name]
    longest = _LONGEST_TEXT if name not in ("provenance",) else 400
    good = isinstance(value, str) and value.isprintable() and value == value.strip()
    _need(
        good and 1 <= len(value) <= longest, f"{where}, field {name}",
        f"{str(value)[:_LONGEST_TEXT]!r} is not allowed: 1 to {longest} printable characters, no "
        "space at the ends",
    )  # fmt: skip
    assert isinstance(value, str)
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(table: Mapping[str, Any], name: str, low: int, high: int, where: str) -> int:
    value = table[name]
    _need(
        _is_whole(value) and low <= value <= high, f"{where}, field {name}",
        f"{value!r} is not allowed: a whole number from {low} to {high}",
    )  # fmt: skip
    return int(value)


def _check_cards(cards: tuple[Card, ...]) -> None:
    """Ids of their own, two cards per figure, five suits."""
    seen: set[str] = set()
    for card in cards:
        _need(card.id.lower() not in seen, f"card {card.id!r}, field id", "two cards have this id")
        seen.add(card.id.lower())
    figures = Counter(card.name for card in cards if not card.is_canon)
    for card in cards:
        count = figures[card.name]
        _need(
            card.is_canon or count == 2, f"card {card.id!r}, field figure",
            f"{card.name!r} is on {count} cards; every figure is on two",
        )  # fmt: skip
    suits = sorted({card.suit for card in cards})
    _need(
        len(suits) == SUITS, "field suit of the cards",
        f"{len(suits)} suits ({', '.join(suits[:8])}); there must be {SUITS}",
    )  # fmt: skip


def _track(track: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    for name in ("base", "contrarian", "refresh"):
        values = track[name]
        _need(
            isinstance(values, list) and _FEWEST_SPACES <= len(values) <= TRACK,
            f"track, field {name}", f"is not a list of {_FEWEST_SPACES} to {TRACK} numbers",
        )  # fmt: skip
    base, contrarian, refresh = track["base"], track["contrarian"], track["refresh"]
    for name in ("contrarian", "refresh"):
        _need(
            len(track[name]) == len(base), f"track, field {name}",
            f"has {len(track[name])} numbers, field base has {len(base)}",
        )  # fmt: skip
    for place in range(len(base)):
        _check_space(track, place)
    return tuple(base), tuple(contrarian), tuple(int(2 * number) for number in refresh)


def _check_space(track: Mapping[str, Any], place: int) -> None:
    base, contrarian, refresh = (track[name][place] for name in ("base", "contrarian", "refresh"))
    floor = track["base"][place - 1] + 1 if place else 2
    _need(
        _is_whole(base) and floor <= base <= MOST_BASE, f"track, field base, space {place + 1}",
        f"{base!r} is not allowed: whole numbers that rise, from 2 to {MOST_BASE}",
    )  # fmt: skip
    _need(
        _is_whole(contrarian) and 1 <= contrarian < base,
        f"track, field contrarian, space {place + 1}",
        f"{contrarian!r} is not allowed: a whole number from 1, below the base {base}",
    )  # fmt: skip
    halves = 2 * refresh if _is_whole(refresh) or isinstance(refresh, float) else -1
    _need(
        0 <= halves <= MOST_REFRESH and halves == int(halves),
        f"track, field refresh, space {place + 1}",
        f"{refresh!r} is not allowed: a multiple of 0.5 from 0 to {MOST_REFRESH // 2}",
    )  # fmt: skip


# The option ----------------------------------------------------------------------------------

_MARKED: Final = re.compile(r"(.+)#([0-9a-f]{16})", re.DOTALL)


class DeckOption(Option):
    """The option that names a deck: ``"house"``, or the path of a deck file.

    The value of a path is the absolute path with a digest of the file behind it, so that a replay
    or a pickle notices when the file is not the same any more.
    """

    def allowed(self) -> str:
        """Say in words what is allowed."""
        return f"{HOUSE!r} or the path of a deck file"

    def check(self, value: object) -> OptionValue:
        """Return the value with its digest.

        Raises:
            OptionError: it is no name and no path.
            FileFormatError: the file is broken, or not the one that the digest was taken of.
        """
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if value == HOUSE or not isinstance(value, str) or not value:
            return super().check(value)
        marked = _MARKED.fullmatch(value)
        path = os.path.abspath(marked[1] if marked else value)
        name = f"{path}#{marked[2] if marked else _digest(_read(path))}"
        deck_of(name)
        return name


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@functools.lru_cache(maxsize=256)
def deck_of(name: str) -> Deck:
    """Return the deck that a checked value of the option names; files are read once.

    Raises:
        FileFormatError: the file is broken, or has changed since its digest was taken.
    """
    if name == HOUSE:
        return read_deck(_HOUSE_FILE)
    path, _, digest = name.rpartition("#")
    data = _read(path)
    if _digest(data) != digest:
        raise FileFormatError(
            f"deck file {path} has changed: its digest is {_digest(data)}, not {digest}"
        )
    return _parse(data, f"deck file {path}")


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
