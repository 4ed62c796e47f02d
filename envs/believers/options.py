"""The options of Believers, which of them go together, and the bounds that follow from them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.believers.cards import (
    HOUSE,
    WHAT,
    Cards,
    cards_of,
    copies_at,
    fill_cards,
    missions_at,
    virtues_at,
)
from concilium.envs.core.datafile import FileOption
from concilium.envs.core.errors import OptionError
from concilium.envs.core.option import Option, OptionValue

DEFAULT_ROWS: Final = "4-3-2-1"
MINI: Final[Mapping[str, OptionValue]] = {
    "num_players": 5, "virtue_kinds": 3, "hand_size": 2, "rows": "1-1", "shame": False,
    "disciples": False, "crises": False,
}  # fmt: skip
"""``believers/mini``: small enough for exact best responses."""
_ROWS_PER_EFFECT: Final[Mapping[int, int]] = dict.fromkeys(
    (S.Effect.ALMONER, S.Effect.INQUISITOR, S.Effect.HERALD, S.Effect.WITNESS), 1
)
"""Further events in the log when a Disciple is enlisted."""
_ROWS_PER_CRISIS: Final = 3  # laid, and two Virtues discarded or given


class RowsOption(Option):
    """The option that gives the Missions of each row, as in ``"4-3-2-1"`` or ``(4, 3, 2, 1)``."""

    def allowed(self) -> str:
        """Say in words what is allowed."""
        return (
            f"1 to {S.ROWS} rows of 1 to {S.LONGEST_ROW} Missions, bottom row first, as in "
            f"{DEFAULT_ROWS!r} or (4, 3, 2, 1)"
        )

    def check(self, value: object) -> OptionValue:
        """Return the rows in the form ``"4-3-2-1"``; OptionError says what is allowed instead."""
        lengths: list[object]
        if isinstance(value, str):
            lengths = [int(part) if part.isdecimal() else part for part in value.split("-")]
        elif isinstance(value, Iterable):
            lengths = [v.item() if isinstance(v, np.integer) else v for v in value]
        else:
            lengths = []
        good = 1 <= len(lengths) <= S.ROWS and all(
            type(length) is int and 1 <= length <= S.LONGEST_ROW for length in lengths
        )
        if not good:
            raise OptionError(f"option {self.name}={value!r} is not allowed: {self.allowed()}")
        return "-".join(map(str, lengths))

    def draw(self, generator: np.random.Generator) -> OptionValue:
        """Return allowed rows at random, the longest ones more often."""
        most = generator.random() < 0.25
        count = S.ROWS if most else int(generator.integers(1, S.ROWS + 1))
        lengths = generator.integers(S.LONGEST_ROW if most else 1, S.LONGEST_ROW + 1, count)
        return "-".join(map(str, lengths.tolist()))


OPTIONS: Final[tuple[Option, ...]] = (
    Option("talk", "none", "statements and claims (B21)", choices=("none", "claims")),
    Option(
        "reward", "team", "±1 for each, or divided by the size of the own side (B22)",
        choices=("team", "zero_sum"),
    ),
    RowsOption("rows", DEFAULT_ROWS, "Missions of each row, from the bottom to the peak"),
    Option("hand_size", 4, "Virtues dealt to each player", low=1, high=S.MOST_COPIES),
    Option(
        "virtue_kinds", S.KINDS, "kinds of Virtues, the first of the file, with their Missions",
        low=2, high=S.KINDS,
    ),
    Option("shame", True, "with Shame cards"),
    Option("disciples", True, "with Disciples and Indoctrination"),
    Option("crises", True, "with nights and Crises of faith"),
    FileOption(
        "cards", HOUSE, "Virtues, Missions, Disciples and Crises", choices=(HOUSE,), what=WHAT,
        load=cards_of,
    ),
)  # fmt: skip


def rows_of(options: Mapping[str, OptionValue]) -> list[int]:
    """Missions of each row, the bottom row first."""
    return [int(part) for part in str(options["rows"]).split("-")]


def most_missions(options: Mapping[str, OptionValue]) -> int:
    """Missions in the longest game: which rows can tie if the tokens are to tie in the end."""
    return missions_to_come(tuple(rows_of(options)), 0)


@functools.cache
def missions_to_come(rows: tuple[int, ...], lead: int, won: int = 0, lost: int = 0) -> int:
    """Missions that may still come at most (B14, B18, B19).

    Args:
        rows: Missions of the row that is being played and of those after it; () for the decider.
        lead: tokens that one side has more than the other.
        won: Missions of the row that this side has won.
        lost: Missions of the row that it has lost.
    """
    if not rows:
        return int(lead == 0)
    played, peak = won + lost, len(rows) == 1
    behind, ahead = (lost, won) if lead > 0 else (won, lost)
    left = max(rows[0] - played, 0)
    catch_up = 0 if behind + left < ahead else 2 if peak or (left and not ahead) else 1
    if abs(lead) > catch_up + 2 * (len(rows) - 1):
        return 0
    most = 0
    for a, b in ((won + 1, lost), (won, lost + 1)):
        if played + 1 >= rows[0] and a != b:
            tokens = 2 if peak or not a or not b else 1
            more = missions_to_come(rows[1:], lead + (tokens if a > b else -tokens))
        else:
            more = missions_to_come(rows, lead, a, b)
        most = max(most, 1 + more)
    return most


def check_together(options: Mapping[str, OptionValue]) -> None:
    """Raise OptionError, saying what does not fit, unless a game with these options can be played.

    Its cards must suffice for the deal and for the longest game, and its log must fit the State.
    """
    n, kinds = int(options["num_players"]), int(options["virtue_kinds"])
    cards = cards_of(str(options["cards"]))
    needed, there = most_missions(options), missions_at(cards, n, kinds)
    if needed > there:
        raise OptionError(
            f"option rows={options['rows']!r} is not allowed with virtue_kinds={kinds} and these "
            f"cards: the longest game needs {needed} Missions, there are {there}"
        )
    dealt, virtues = n * int(options["hand_size"]), virtues_at(cards, n, kinds)
    if dealt > virtues:
        raise OptionError(
            f"option hand_size={options['hand_size']} is not allowed with {n} players and "
            f"virtue_kinds={kinds}: {dealt} Virtues would be dealt, there are {virtues}"
        )
    events = most_events(options)
    if events > S.LOG_CAPACITY:
        raise OptionError(
            f"these options and cards do not fit: the longest game may have {events} events, a "
            f"State holds {S.LOG_CAPACITY}; there must be fewer rows, Disciples or costs"
        )


def _disciples(cards: Cards, options: Mapping[str, OptionValue]) -> list[tuple[int, int, int]]:
    """Effect, cost and copies of each Disciple in the game."""
    if not options["disciples"]:
        return []
    n = int(options["num_players"])
    return [(d.effect, d.cost, copies_at(d, n)) for d in cards.disciples]


def _bought(disciples: list[tuple[int, int, int]], n: int) -> tuple[int, int]:
    """Disciples that can be bought, and what they cost together: those of cost 1 are dealt."""
    copies = sum(count for _, _, count in disciples)
    cost = sum(cost * count for _, cost, count in disciples)
    return (copies - n, cost - n) if disciples else (0, 0)


def most_events(options: Mapping[str, OptionValue]) -> int:
    """Bound on the events of a game."""
    n, missions, rows = int(options["num_players"]), most_missions(options), len(rows_of(options))
    disciples = _disciples(cards_of(str(options["cards"])), options)
    gleaners = sum(count for effect, _, count in disciples if effect == S.Effect.GLEANER)
    enlisted = sum(
        count * (1 + _ROWS_PER_EFFECT.get(effect, 0))
        for effect, _, count in disciples
        if effect not in (S.Effect.GUARDIAN, S.Effect.GLEANER)
    )
    bought, cost = _bought(disciples, n)
    talk, shame, nights = options["talk"] == "claims", options["shame"], options["crises"]
    return (
        1 + n + 1  # begun, dealt, end
        + missions * (3 + 2 + gleaners)  # turned up, given, placed, draws
        + (rows + 1) * (1 + n)  # tokens, everybody draws
        + missions * 3 * talk  # said, two claims
        + (rows + 1) * n * bool(shame)
        + (rows - 1) * (int(S.DEFECTORS[n]) + _ROWS_PER_CRISIS) * bool(nights)
        + enlisted + bought + cost
    )  # fmt: skip


def longest(options: Mapping[str, OptionValue]) -> int:
    """Bound on decisions.

    Everybody is done once a round and passes once an Indoctrination; a Shame card is played once a
    row, a Disciple bought once and enlisted once.
    """
    n, missions, rows = int(options["num_players"]), most_missions(options), len(rows_of(options))
    disciples = _disciples(cards_of(str(options["cards"])), options)
    enlisted = sum(
        count * (1 + (effect == S.Effect.HERALD))
        for effect, _, count in disciples
        if effect not in (S.Effect.GUARDIAN, S.Effect.GLEANER)
    )
    bought, cost = _bought(disciples, n)
    talk, shame, nights = options["talk"] == "claims", options["shame"], options["crises"]
    return (
        missions * (1 + S.GIVEN + 1)  # choice, gifts, placement
        + missions * n * bool(shame or disciples)
        + missions * (n + 2) * talk
        + (rows + 1) * n * bool(shame)
        + (rows - 1) * (int(S.DEFECTORS[n]) + 2) * bool(nights)
        + (rows - 1) * n * bool(disciples)
        + enlisted + bought + cost
    )  # fmt: skip


def fill(state: Any, options: Mapping[str, OptionValue]) -> None:
    """Write the options into a blank State ``()``."""
    rows = rows_of(options)
    fill_cards(
        state, cards_of(str(options["cards"])), int(options["num_players"]),
        int(options["virtue_kinds"]),
    )  # fmt: skip
    state["row_length"][:] = 0
    state["row_length"][: len(rows)] = rows
    state["num_rows"] = len(rows)
    state["hand_size"] = options["hand_size"]
    state["virtue_kinds"] = options["virtue_kinds"]
    state["shame_on"] = options["shame"]
    state["disciples_on"] = options["disciples"]
    state["crises_on"] = options["crises"]
    state["talk"] = options["talk"] == "claims"
    state["zero_sum"] = options["reward"] == "zero_sum"
