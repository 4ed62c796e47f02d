"""The cards of Believers: a data file with all four sets, read, checked, and filled in.

The printed texts are not public, so the cards are data: the house set lies beside this module, and
a user's file of the same form can replace it. The numbers go into the State; names stay with the
bound game.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from concilium.envs.believers import state as S
from concilium.envs.believers.state import Effect
from concilium.envs.believers.state import pair_number as pair_number
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

HOUSE: Final = "house"
WHAT: Final = "file of cards"
HOUSE_FILE: Final = Path(__file__).with_name("cards.toml")
_TABLES: Final = S.SEATS - S.FEWEST_SEATS + 1  # player counts
_KEPT_APART: Final = ":#"  # characters that names of actions use around names of cards
_FILE_FIELDS: Final = frozenset({"title", "provenance", "virtue", "mission", "disciple", "crisis"})
_VIRTUE_FIELDS: Final = frozenset({"name", "copies"})
_MISSION_FIELDS: Final = frozenset({"virtues", "copies"})
_DISCIPLE_FIELDS: Final = frozenset({"name", "effect", "cost", "copies"})
_CRISIS_FIELDS: Final = frozenset({"name", "effect"})
Copies = tuple[int, ...]
"""Copies of a card at 5, 6, 7, 8, 9 and 10 players."""


@dataclass(frozen=True)
class Virtue:
    """A kind of Virtue: its name and its copies."""

    name: str
    copies: Copies


@dataclass(frozen=True)
class Mission:
    """A Mission: its two kinds, the lower first, and its copies."""

    low: int
    high: int
    copies: Copies


@dataclass(frozen=True)
class Disciple:
    """A Disciple: name, effect (a number of ``state.EFFECTS``), cost in Virtues, copies."""

    name: str
    effect: int
    cost: int
    copies: Copies


@dataclass(frozen=True)
class Crisis:
    """A Crisis of faith, one copy: name and effect (a number of ``state.TROUBLES``)."""

    name: str
    effect: int


@dataclass(frozen=True)
class Cards:
    """All cards, each set in the order of the file.

    Attributes:
        title: what the set is called.
        provenance: where it comes from.
        virtues: the ten kinds.
        missions: all different pairs.
        disciples: up to 20 names.
        crises: 3 to 12 names.
    """

    title: str
    provenance: str
    virtues: tuple[Virtue, ...]
    missions: tuple[Mission, ...]
    disciples: tuple[Disciple, ...]
    crises: tuple[Crisis, ...]


def copies_at(card: Virtue | Mission | Disciple, num_players: int) -> int:
    """Copies of a card in a game of so many players."""
    return card.copies[num_players - S.FEWEST_SEATS]


def missions_at(cards: Cards, num_players: int, virtue_kinds: int) -> int:
    """Missions in the game: those whose two Virtues are among the first ``virtue_kinds``."""
    return sum(copies_at(m, num_players) for m in cards.missions if m.high < virtue_kinds)


def virtues_at(cards: Cards, num_players: int, virtue_kinds: int) -> int:
    """Virtue cards in the game."""
    return sum(copies_at(v, num_players) for v in cards.virtues[:virtue_kinds])


# Reading -------------------------------------------------------------------------------------


def read_cards(path: str | os.PathLike[str]) -> Cards:
    """Read and check a file of cards.

    Args:
        path: a TOML file of at most 65,536 bytes in the form of the house set.

    Raises:
        FileFormatError: it cannot be read, is not TOML, or a value is not allowed; the message
            names the file, the card and the field.
    """
    return parse_file(read_limited(path, SIZE_LIMIT, WHAT), f"{WHAT} {os.fspath(path)}", _cards)


@functools.lru_cache(maxsize=256)
def cards_of(name: str) -> Cards:
    """Return the cards that a checked value of the option names; files are read once.

    Raises:
        FileFormatError: the file is broken, or has changed since its digest was taken.
    """
    if name == HOUSE:
        return read_cards(HOUSE_FILE)
    path, data = read_named(name, WHAT)
    return parse_file(data, f"{WHAT} {path}", _cards)


def _cards(table: Mapping[str, Any]) -> Cards:
    check_fields(table, _FILE_FIELDS, "the file")
    virtues = tuple(
        Virtue(_name(entry, where), _copies(entry, 1, S.MOST_COPIES, where))
        for where, entry in entries(table, "virtue", _VIRTUE_FIELDS)
    )
    need(len(virtues) == S.KINDS, "virtue", f"{len(virtues)} kinds; there must be {S.KINDS}")
    _check_names("virtue", (virtue.name for virtue in virtues))
    numbers = {virtue.name: kind for kind, virtue in enumerate(virtues)}
    cards = Cards(
        text_in(table, "title", "the file"),
        text_in(table, "provenance", "the file", longest=LONGEST_TEXT),
        virtues,
        tuple(
            _mission(entry, where, numbers)
            for where, entry in entries(table, "mission", _MISSION_FIELDS)
        ),
        tuple(
            _disciple(entry, where) for where, entry in entries(table, "disciple", _DISCIPLE_FIELDS)
        ),
        tuple(
            Crisis(_name(entry, where), _effect(entry, S.TROUBLES, where))
            for where, entry in entries(table, "crisis", _CRISIS_FIELDS)
        ),
    )
    _check_sets(cards)
    for num_players in range(S.FEWEST_SEATS, S.SEATS + 1):
        _check_table(cards, num_players)
    return cards


def _name(entry: Mapping[str, Any], where: str) -> str:
    name = text_in(entry, "name", where)
    need(
        not set(name) & set(_KEPT_APART), f"{where}, field name",
        f"{name!r} is not allowed: without {' and '.join(_KEPT_APART)}",
    )  # fmt: skip
    return name


def _copies(entry: Mapping[str, Any], low: int, high: int, where: str) -> Copies:
    value = entry["copies"]
    each = value if isinstance(value, list) else [value] * _TABLES
    good = len(each) == _TABLES and all(is_whole(n) and low <= n <= high for n in each)
    need(
        good, f"{where}, field copies",
        f"{value!r} is not allowed: a whole number from {low} to {high}, or a list of {_TABLES} "
        f"of them for {S.FEWEST_SEATS} to {S.SEATS} players",
    )  # fmt: skip
    return tuple(each)


def _effect(entry: Mapping[str, Any], effects: tuple[str, ...], where: str) -> int:
    value = entry["effect"]
    need(
        value in effects, f"{where}, field effect",
        f"{value!r} is not allowed: one of {', '.join(effects)}",
    )  # fmt: skip
    return effects.index(value)


def _mission(entry: Mapping[str, Any], where: str, numbers: Mapping[str, int]) -> Mission:
    pair = entry["virtues"]
    good = isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, str) for n in pair)
    good = good and pair[0] != pair[1] and set(pair) <= set(numbers)
    need(
        good, f"{where}, field virtues",
        f"{pair!r} is not allowed: the names of two different Virtues",
    )  # fmt: skip
    low, high = sorted(numbers[name] for name in pair)
    return Mission(low, high, _copies(entry, 0, S.MOST_MISSION_CARDS, where))


def _disciple(entry: Mapping[str, Any], where: str) -> Disciple:
    return Disciple(
        _name(entry, where), _effect(entry, S.EFFECTS, where),
        whole_in(entry, "cost", 1, S.MOST_COST, where),
        _copies(entry, 0, S.MOST_DISCIPLE_CARDS, where),
    )  # fmt: skip


def _check_names(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        need(name.lower() not in seen, f"{what} {name!r}, field name", "two have this name")
        seen.add(name.lower())


def _check_sets(cards: Cards) -> None:
    """Names of their own, sets of a size that fits, each pair of Virtues once."""
    _check_names("disciple", (disciple.name for disciple in cards.disciples))
    _check_names("crisis", (crisis.name for crisis in cards.crises))
    for what, count, low, high in (
        ("disciple", len(cards.disciples), 1, S.DISCIPLES),
        ("crisis", len(cards.crises), S.LAID_OUT, S.CRISES),
    ):
        need(low <= count <= high, what, f"{count} names; {low} to {high} are allowed")
    pairs: set[tuple[int, int]] = set()
    for place, mission in enumerate(cards.missions, 1):
        pair = (mission.low, mission.high)
        need(
            pair not in pairs, f"mission {place}, field virtues",
            "two entries have this pair: add their copies",
        )  # fmt: skip
        pairs.add(pair)


def _check_table(cards: Cards, n: int) -> None:
    """The numbers of cards at a table of ``n`` players."""
    disciples = [(disciple, copies_at(disciple, n)) for disciple in cards.disciples]
    for what, count, low, high in (
        ("virtue", virtues_at(cards, n, S.KINDS), n, S.MOST_VIRTUES),
        ("mission", missions_at(cards, n, S.KINDS), 1, S.MOST_MISSION_CARDS),
        ("disciple", sum(copies for _, copies in disciples), n, S.MOST_DISCIPLE_CARDS),
        ("disciple of cost 1", sum(k for d, k in disciples if d.cost == 1), n,
         S.MOST_DISCIPLE_CARDS),
        *(
            (f"disciple with effect {S.EFFECTS[effect]}",
             sum(k for d, k in disciples if d.effect == effect), 0, most)
            for effect, most in (
                (Effect.HERALD, S.MOST_UNDER), (Effect.INQUISITOR, S.MOST_LOOKS),
                (Effect.GLEANER, S.MOST_GLEANERS),
            )
        ),
    ):  # fmt: skip
        need(
            low <= count <= high, f"{what}, field copies",
            f"{count} cards at {n} players; {low} to {high} are allowed",
        )  # fmt: skip


# Filling in ----------------------------------------------------------------------------------


def fill_cards(state: Any, cards: Cards, num_players: int, virtue_kinds: int) -> None:
    """Write the cards into the option fields of one State ``()``."""
    for name, blank in (
        ("virtue_copies", 0), ("mission_copies", 0), ("disciple_effect", -1), ("disciple_cost", 0),
        ("disciple_copies", 0), ("crisis_effect", -1),
    ):  # fmt: skip
        state[name][:] = blank
    for kind, virtue in enumerate(cards.virtues[:virtue_kinds]):
        state["virtue_copies"][kind] = copies_at(virtue, num_players)
    for mission in cards.missions:
        if mission.high < virtue_kinds:
            pair = pair_number(mission.low, mission.high)
            state["mission_copies"][pair] = copies_at(mission, num_players)
    for number, disciple in enumerate(cards.disciples):
        state["disciple_effect"][number] = disciple.effect
        state["disciple_cost"][number] = disciple.cost
        state["disciple_copies"][number] = copies_at(disciple, num_players)
    for number, crisis in enumerate(cards.crises):
        state["crisis_effect"][number] = crisis.effect
