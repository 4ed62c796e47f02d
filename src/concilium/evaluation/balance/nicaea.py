"""What tables of the rule bots come to with a deck, and a search for better numbers of its track.

``concilium balance nicaea`` prints them. Line-ups are drawn from all characters, each
in as many seats. The unit of intervals is the game.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.nicaea.bot import CharacterBot
from concilium.baselines.nicaea.character import BROKER, CONTRARIAN, SCHISMATIC, TABLEAU, WARDEN
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.files import write_atomically
from concilium.envs.core.game import BoundGame
from concilium.envs.core.games import Games
from concilium.envs.core.kernels import stream_seeds
from concilium.envs.core.option import OptionValue
from concilium.envs.core.play import PlayLoop
from concilium.envs.core.state import plain_records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea.deck import HOUSE, Deck, read_deck
from concilium.envs.nicaea.state import Ending
from concilium.evaluation.intervals import Estimate, block_ratio, block_share, share

CHARACTERS: Final = {
    "broker": BROKER, "schismatic": SCHISMATIC, "tableau": TABLEAU, "contrarian": CONTRARIAN,
    "warden": WARDEN,
}  # fmt: skip
MOST_MEDIAN: Final = 9
LEAST_MEDIAN: Final = 5
MOST_TAIL: Final = 14  # Debate Rounds in nine games of ten
MOST_BY_DECK: Final = 0.25
LEAST_SCHISM: Final = 0.05
MOST_SCHISM: Final = 0.20
MOST_LEAN: Final = 0.03  # of a seat from its fair share
_AT_ONCE: Final = 256
_Z: Final = 1.96


@dataclass(frozen=True)
class Measure:
    """What games at one table size came to.

    Attributes:
        players: seats at the table.
        games: how many were played.
        median: of the Debate Rounds in a game.
        tail: their 90th percentile.
        settled, by_deck, idle: share of games that ended in each way.
        schism: share of games won by schism.
        seats: share of wins by seat number.
        turns: share of wins by distance from the player who begins.
        characters: share of wins by character.
    """

    players: int
    games: int
    median: Estimate
    tail: Estimate
    settled: Estimate
    by_deck: Estimate
    idle: Estimate
    schism: Estimate
    seats: tuple[Estimate, ...]
    turns: tuple[Estimate, ...]
    characters: dict[str, Estimate]

    def misses(self) -> dict[str, float]:
        """How far each wish is missed, 0 where it is met; 1 is a full round or a fifth of games."""
        fair = 1 / self.players
        # seats by number are alike, since the start player is drawn: what counts is who begins
        lean = max(abs(turn.value - fair) for turn in self.turns)
        return {
            "median": _outside(self.median.value, LEAST_MEDIAN, MOST_MEDIAN),
            "tail": _outside(self.tail.value, 0, MOST_TAIL),
            "deck": 5 * _outside(self.by_deck.value, 0, MOST_BY_DECK),
            "schism": 5 * _outside(self.schism.value, LEAST_SCHISM, MOST_SCHISM),
            "turns": 5 * _outside(lean, 0, MOST_LEAN),
        }

    def lines(self) -> Iterator[str]:
        """The figures as lines of text."""
        missed = {name for name, far in self.misses().items() if far > 0}
        rows = {
            "median": ("Debate Rounds, median", str(self.median)),
            "tail": ("Debate Rounds, 90th percentile", str(self.tail)),
            "settled": ("ended by five settled disputes", self.settled.percent()),
            "deck": ("ended by the empty deck", self.by_deck.percent()),
            "idle": ("ended by idle rounds", self.idle.percent()),
            "schism": ("won by schism", self.schism.percent()),
            "seats": ("won by seat", _list(self.seats)),
            "turns": ("won by distance from the start", _list(self.turns)),
        }
        yield f"{self.players} players, {self.games} games"
        for name, (what, figures) in rows.items():
            yield f"  {what:<32} {figures}{'   missed' if name in missed else ''}"
        for name, estimate in self.characters.items():
            yield f"  {'won by ' + name:<32} {estimate.percent()}"


def _outside(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


def _list(estimates: Sequence[Estimate]) -> str:
    half = max(estimate.high - estimate.value for estimate in estimates)
    shares = " ".join(f"{100 * estimate.value:.1f}" for estimate in estimates)
    return f"{shares} % (± {100 * half:.1f})"


def quantile(values: NDArray[np.int64], part: float) -> Estimate:
    """A quantile of independent values with its interval by order statistics.

    Args:
        values: at least one, ``(k,)``.
        part: from 0 to 1.
    """
    ordered = np.sort(values)
    count = len(ordered)
    half = _Z * math.sqrt(count * part * (1 - part))
    low = max(math.floor(count * part - half), 0)
    high = min(math.ceil(count * part + half), count - 1)
    middle = min(math.ceil(count * part), count) - 1
    return Estimate(
        float(ordered[max(middle, 0)]), float(ordered[low]), float(ordered[high]), count
    )


# Playing -----------------------------------------------------------------------------------------


def measure(
    players: int, games: int, *, deck: str | os.PathLike[str] = HOUSE, seed: int = 0
) -> Measure:
    """Let drawn line-ups of all characters play.

    Args:
        players: seats at the table.
        games: how many, fixed beforehand, at least 1.
        deck: the game's option.
        seed: of deals and line-ups; equal calls give equal results.

    Raises:
        OptionError: a number or the deck is not allowed.
        FileFormatError: the deck file cannot be used.
    """
    if games < 1:
        raise OptionError(f"games={games} is not allowed: at least 1")
    table = GAME.bind(num_players=players, deck=deck)
    bots = [CharacterBot(each, name=name, seed=0) for name, each in CHARACTERS.items()]
    generator = np.random.default_rng(np.random.SeedSequence((seed, players)))
    drawn = np.resize(generator.permutation(len(bots)), games * players)
    sits = generator.permutation(drawn).reshape(games, players)
    parts = [
        _play(table, bots, sits[first : first + _AT_ONCE], int(generator.integers(2**63)))
        for first in range(0, games, _AT_ONCE)
    ]
    ends = np.concatenate([part[0] for part in parts])
    starts = np.concatenate([part[1] for part in parts])
    return _measured(players, ends, starts, sits)


def _play(
    table: BoundGame, bots: Sequence[Bot], sits: NDArray[np.int64], seed: int
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Play a game for each line-up; the last States, and who began."""
    games = Games([table] * len(sits))
    numbers = np.arange(len(sits))
    games.deal(stream_seeds(check_seed(seed), numbers, np.zeros_like(numbers)))
    starts = games.actors
    PlayLoop(games, bots, sits, ask_forced=True).run()
    return plain_records(games.states), starts


def _measured(
    players: int, ends: NDArray[np.void], starts: NDArray[np.int64], sits: NDArray[np.int64]
) -> Measure:
    games = len(ends)
    seats = np.arange(players)
    won = (ends["winners"][:, np.newaxis] >> seats & 1).astype(float)
    won /= won.sum(axis=1, keepdims=True)
    by_turn = np.take_along_axis(won, (starts[:, np.newaxis] + seats) % players, axis=1)
    rounds = ends["rounds"].astype(np.int64)
    ended = {way: share(int((ends["ending"] == way).sum()), games) for way in (1, 2, 3)}
    return Measure(
        players=players,
        games=games,
        median=quantile(rounds, 0.5),
        tail=quantile(rounds, 0.9),
        settled=ended[Ending.SETTLED],
        by_deck=ended[Ending.EXHAUSTED],
        idle=ended[Ending.IDLE],
        schism=share(int(ends["schism"].sum()), games),
        seats=tuple(block_share(won[:, seat]) for seat in seats),
        turns=tuple(block_share(by_turn[:, turn]) for turn in seats),
        characters={
            name: block_ratio((won * (sits == number)).sum(axis=1), (sits == number).sum(axis=1))
            for number, name in enumerate(CHARACTERS)
        },
    )  # fmt: skip


# Searching ---------------------------------------------------------------------------------------

Levers = Mapping[str, tuple[float, ...]]

TRACKS: Final[dict[str, Levers]] = {
    "as it is": {},
    "up to 5": {"base": (2, 3, 4, 5), "contrarian": (1, 2, 2, 3)},
    "up to 6": {"base": (2, 3, 4, 5, 6), "contrarian": (1, 2, 2, 3, 3)},
    "up to 10": {
        "base": (2, 3, 4, 5, 6, 7, 8, 9, 10), "contrarian": (1, 2, 2, 3, 3, 4, 4, 5, 5),
    },
}  # fmt: skip
"""Prices by space; published are the first three bases. A token stays on the last space."""

REFRESHES: Final[dict[str, tuple[float, ...]]] = {
    "as it is": (),
    "less": (0.5, 0.5, 1, 1, 1.5, 1.5, 2, 2, 2),
    "more": (1, 1.5, 2, 2.5, 3, 3, 3, 3, 3),
}
"""Refresh numbers by space, of which as many count as there are spaces; the last goes on."""

COSTS: Final[dict[str, dict[int, int]]] = {
    "as it is": {},
    "1 is 2": {1: 2},
    "all one more": {1: 2, 2: 3, 3: 4, 4: 5},
}
"""What becomes of the costs of Bishops."""


def vary(
    text: str, deck: Deck, track: Levers, refresh: tuple[float, ...], costs: Mapping[int, int]
) -> str:
    """The text of a deck file with other numbers.

    Args:
        text: of the file.
        deck: the same, read.
        track: lists of the track to replace.
        refresh: refresh numbers; those of the deck if empty.
        costs: new cost of Bishops by the old one; Canons stay.
    """
    spaces = len(track.get("base", deck.base))
    numbers = refresh or tuple(half / 2 for half in deck.refresh)
    numbers += numbers[-1:] * (spaces - len(numbers))
    lists = {**track, "refresh": numbers[:spaces]}
    for name, values in lists.items():
        text = re.sub(rf"(?m)^{name} = \[.*\]$", f"{name} = {list(values)}", text)
    bishops, mark, canons = text.partition("[[canon]]")

    def new_cost(found: re.Match[str]) -> str:
        return f"cost = {costs.get(int(found[1]), int(found[1]))}"

    return re.sub(r"(?m)^cost = (\d+)$", new_cost, bishops) + mark + canons


def search(
    players: Sequence[int], games: int, *, deck: str | os.PathLike[str] = HOUSE, seed: int = 0
) -> list[tuple[float, tuple[str, str, str], list[Measure]]]:
    """Measure all combinations of the levers, the best first.

    Args:
        players: table sizes.
        games: of each combination at each table size.
        deck: what is varied.
        seed: the same for all.

    Returns:
        How far the wishes are missed in all, the names of track, refresh and costs, the measures.
    """
    path = GAME.folder / "deck.toml" if deck == HOUSE else Path(deck)
    text, read = path.read_text(encoding="utf-8"), read_deck(path)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        varied = Path(folder) / "deck.toml"
        for names in product(TRACKS, REFRESHES, COSTS):
            track, refresh, costs = TRACKS[names[0]], REFRESHES[names[1]], COSTS[names[2]]
            write_atomically(varied, vary(text, read, track, refresh, costs))
            measures = [measure(size, games, deck=varied, seed=seed) for size in players]
            far = sum(sum(each.misses().values()) for each in measures)
            found.append((far, names, measures))
    return sorted(found, key=lambda entry: entry[0])


def tell(
    players: Sequence[int],
    games: int,
    seed: int,
    options: Mapping[str, OptionValue],
    tried: Sequence[int] | None,
) -> None:
    """Print what tables come to, or what other numbers of the track do.

    Args:
        players: table sizes.
        games: at each.
        seed: of deals and line-ups.
        options: of the game, the deck.
        tried: other numbers are searched for unless it is None; there is none to name.

    Raises:
        OptionError: a number is named.
    """
    deck = str(options.get("deck", HOUSE))
    if tried is None:
        for size in players:
            print("\n".join(measure(size, games, deck=deck, seed=seed).lines()), flush=True)
        return
    if tried:
        raise OptionError(f"search {tried[0]}: in {GAME.name} there are no numbers to be named")
    for far, names, measures in search(players, games, deck=deck, seed=seed):
        print(f"missed by {far:.2f}: track {names[0]}; refresh {names[1]}; costs {names[2]}")
        for each in measures:
            print(
                f"  {each.players} players: rounds {each.median.value:g}, {each.tail.value:g}; "
                f"deck {each.by_deck.percent()}; schism {each.schism.percent()}"
            )
