"""What the sides come to with a set of cards, schedule by schedule, and a search for better copies.

``concilium balance believers`` prints it. One bot plays the whole side of the True Believers, one
that of the Defectors. The strongest schedule is chosen on one set of deals and measured on another.
The search tries numbers of copies of the Regent, the Disciple by whom concealment stands or falls.
The unit of intervals is the game.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from concilium.baselines.believers.bot import CharacterBot
from concilium.baselines.believers.character import ALWAYS, BAYES, PARTNER, SELFISH, Character
from concilium.envs.believers import GAME
from concilium.envs.believers.cards import (
    HOUSE,
    HOUSE_FILE,
    Cards,
    cards_of,
    copies_at,
    missions_at,
    virtues_at,
)
from concilium.envs.believers.state import KINDS, MOST_MISSIONS, Faith
from concilium.envs.core.bot import Bot, UniformBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.files import write_atomically
from concilium.envs.core.option import OptionValue
from concilium.envs.core.state import plain_records
from concilium.evaluation.intervals import Estimate, mean
from concilium.evaluation.sides import SideResults, play_sides

SCHEDULES: Final[Mapping[str, Character]] = {
    "always": ALWAYS,
    "partner": PARTNER,
    **{f"sleeper-{k}": Character(sleep=k) for k in range(1, 9)},
    "mixed-0.8": Character(often=0.8),
    "mixed-0.5": Character(often=0.5),
}
"""Defectors that sabotage whenever they can, later, or less often."""
OPEN_ONES: Final = ("always", "partner")
CONCEALING: Final = tuple(name for name in SCHEDULES if name not in OPEN_ONES)
REGENTS: Final = (2, 4, 6, 8, 10)
"""Numbers of copies that are tried."""
LEAST_MATCH: Final = 0.35
MOST_MATCH: Final = 0.45
LEAST_WON: Final = 0.40
MOST_WON: Final = 0.60


@dataclass(frozen=True)
class Schedules:
    """How the strongest True Believers fare against each schedule at one table.

    Attributes:
        won: share of games that True Believers win, by schedule.
        lengths: mean number of Missions, by schedule.
        strongest: the schedule against which they win least.
        again: the same for this one on other deals.
        best: the concealing schedule that wins most on the first deals.
        concealed: how much more often it wins than each of the open schedules, ``always`` and
            ``partner``, on the same other deals.
    """

    won: dict[str, Estimate]
    lengths: dict[str, Estimate]
    strongest: str
    again: Estimate
    best: str
    concealed: dict[str, Estimate]

    def lines(self) -> Iterator[str]:
        """The figures as lines of text."""
        for name, estimate in self.won.items():
            yield f"  bayes against {name:<12} {estimate.percent()}, {self.lengths[name]} Missions"
        fair = LEAST_WON <= self.again.value <= MOST_WON
        yield (
            f"  strongest: {self.strongest}; on other deals {self.again.percent()}"
            f"{'' if fair else '   missed'}"
        )
        for name, more in self.concealed.items():
            pays = "   missed" if more.high < 0 else "" if more.low >= 0 else "   open"
            yield f"  {self.best} wins more than {name} by {more}{pays}"


def match_chance(cards: Cards, players: int) -> float:
    """Chance that a random Virtue matches a random Mission."""
    virtues = [copies_at(virtue, players) for virtue in cards.virtues]
    matching = sum(
        copies_at(mission, players) * (virtues[mission.low] + virtues[mission.high])
        for mission in cards.missions
    )
    return matching / missions_at(cards, players, KINDS) / virtues_at(cards, players, KINDS)


def pairing(
    believers: Bot, defectors: Bot, options: Mapping[str, OptionValue], deals: int, seed: int
) -> SideResults:
    """Games between two bots, one for each side."""
    return play_sides(GAME, [believers, defectors], deals=deals, seed=seed, options=options)


def bot(character: Character) -> Bot:
    """A bot of a character."""
    return CharacterBot(character, name="believers", seed=0)


def schedules(options: Mapping[str, OptionValue], deals: int, seed: int) -> Schedules:
    """Play the strongest True Believers against all schedules.

    Args:
        options: of the game, ``num_players`` among them.
        deals: of each pairing.
        seed: of the deals; those of the second set follow from it and are others.
    """
    found = {
        name: pairing(bot(BAYES), bot(each), options, deals, _other(seed, 0))
        for name, each in SCHEDULES.items()
    }
    won = {name: results.won(Faith.BELIEVER) for name, results in found.items()}
    strongest = min(won, key=lambda name: won[name].value)
    best = min(CONCEALING, key=lambda name: won[name].value)
    again = {
        name: pairing(bot(BAYES), bot(SCHEDULES[name]), options, deals, _other(seed, 1))
        for name in dict.fromkeys((strongest, best, *OPEN_ONES))
    }
    return Schedules(
        won,
        {name: missions(results) for name, results in found.items()},
        strongest,
        again[strongest].won(Faith.BELIEVER),
        best,
        {name: again[name].difference(again[best], Faith.BELIEVER) for name in OPEN_ONES},
    )


def _other(seed: int, use: int) -> int:
    """A seed for one use of several: no two calls of the program share deals by accident."""
    return int(np.random.SeedSequence((seed, use)).generate_state(1, np.uint64)[0])


def missions(results: SideResults) -> Estimate:
    """Mean number of Missions of a game."""
    return mean(plain_records(results.states)["mission"].astype(float), 0.0, MOST_MISSIONS)


def simpler(options: Mapping[str, OptionValue], deals: int, seed: int) -> Iterator[str]:
    """Win rates of the True Believers between the plainer bots, as lines."""
    sides = {"random": None, "selfish": SELFISH, "bayes": BAYES}
    for name, character in sides.items():
        for other, against in sides.items():
            if "bayes" in (name, other) and name == other:
                continue  # among the schedules
            results = pairing(_any(character), _any(against), options, deals, seed)
            yield (
                f"  {name} against {other:<8} {results.won(Faith.BELIEVER).percent()}, "
                f"{missions(results)} Missions"
            )


def _any(character: Character | None) -> Bot:
    return UniformBot(GAME, 0) if character is None else bot(character)


def with_regents(text: str, copies: int) -> str:
    """A file of cards with another number of Regents at every table.

    Raises:
        OptionError: it is not written like the house set, with one line of copies behind the cost.
    """
    changed, places = re.subn(
        r'(effect = "regent"\ncost = \d+\ncopies = )(\d+|\[[^\]\n]*\])\n',
        lambda found: f"{found[1]}{copies}\n", text,
    )  # fmt: skip
    if places != 1:
        raise OptionError(f"{places} Regents with effect, cost and copies in this order; needed: 1")
    return changed


def search(
    source: Path, regents: Sequence[int], options: Mapping[str, OptionValue], deals: int, seed: int
) -> None:
    """Print how the sides fare with so many Regents."""
    text = source.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for copies in regents:
            path = Path(folder) / f"regents_{copies}.toml"
            write_atomically(path, with_regents(text, copies).encode())
            print(
                f"{options['num_players']} players, talk {options['talk']}, {copies} Regents, "
                f"{deals} deals"
            )
            tried = {**options, "cards": str(path)}
            for line in schedules(tried, deals, _other(seed, 2)).lines():
                print(line, flush=True)


def report(options: Mapping[str, OptionValue], deals: int, seed: int) -> None:
    """Print all figures of one table."""
    bound = GAME.bind(**options)
    players = bound.num_players
    match = match_chance(cards_of(str(bound.options["cards"])), players)
    met = LEAST_MATCH <= match <= MOST_MATCH
    print(f"{players} players, talk {options['talk']}, {deals} deals of each pairing")
    print(f"  a Virtue matches a Mission with {match:.3f}{'' if met else '   missed'}")
    for line in simpler(options, deals, _other(seed, 0)):
        print(line, flush=True)
    for line in schedules(options, deals, seed).lines():
        print(line, flush=True)


def tell(
    players: Sequence[int],
    games: int,
    seed: int,
    options: Mapping[str, OptionValue],
    tried: Sequence[int] | None,
) -> None:
    """Print how the sides fare, or how they do with other numbers of Regents.

    Args:
        players: table sizes.
        games: of each pairing.
        seed: of the deals.
        options: of the game.
        tried: numbers of Regents; :data:`REGENTS` if empty, the cards as they are if None.
    """
    cards = str(options.get("cards", HOUSE))
    source = HOUSE_FILE if cards == HOUSE else Path(cards)
    for size in players:
        table: dict[str, OptionValue] = {"talk": "none", **options, "num_players": size}
        if tried is None:
            report(table, games, seed)
        else:
            search(source, tried or REGENTS, table, games, seed)
