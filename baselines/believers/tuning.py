"""What the sides come to with a set of cards, schedule by schedule, and a search for better copies.

::

    python -m concilium.baselines.believers.tuning --deals 2000
    python -m concilium.baselines.believers.tuning --players 7 --talk claims --cards my_cards.toml
    python -m concilium.baselines.believers.tuning --search 2 6 10 --players 7 --deals 500

One bot plays the whole side of the True Believers, one that of the Defectors. The strongest
schedule is chosen on one set of deals and measured on another. ``--search`` tries numbers of copies
of the Regent, the Disciple by whom concealment stands or falls. The unit of intervals is the game.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from concilium.baselines.believers.bot import CharacterBot
from concilium.baselines.believers.character import ALWAYS, BAYES, PARTNER, SELFISH, Character
from concilium.baselines.intervals import Estimate, mean
from concilium.baselines.protocol import Bot, UniformBot
from concilium.baselines.sides import SideResults, play_sides
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
from concilium.envs.believers.state import BELIEVER, KINDS
from concilium.envs.core.files import write_atomically
from concilium.envs.core.game import OptionValue
from concilium.envs.core.state import plain_records

SCHEDULES: Final[Mapping[str, Character]] = {
    "always": ALWAYS,
    "partner": PARTNER,
    **{f"sleeper-{k}": Character(sleep=k) for k in range(1, 9)},
    "mixed-0.8": Character(often=0.8),
    "mixed-0.5": Character(often=0.5),
}
"""Defectors that sabotage whenever they can, later, or less often."""
CONCEALING: Final = tuple(name for name in SCHEDULES if name not in ("always", "partner"))
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
        concealed: how much more often the best concealing schedule wins than ``always`` does, of
            the same other deals.
        best: that schedule.
    """

    won: dict[str, Estimate]
    lengths: dict[str, Estimate]
    strongest: str
    again: Estimate
    concealed: Estimate
    best: str

    def lines(self) -> Iterator[str]:
        """The figures as lines of text."""
        for name, estimate in self.won.items():
            yield f"  bayes against {name:<12} {estimate.percent()}, {self.lengths[name]} Missions"
        fair = LEAST_WON <= self.again.value <= MOST_WON
        yield (
            f"  strongest: {self.strongest}; on other deals {self.again.percent()}"
            f"{'' if fair else '   missed'}"
        )
        pays = self.concealed.high >= 0
        yield (
            f"  {self.best} wins more than always by {self.concealed}{'' if pays else '   missed'}"
        )


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
        seed: of the deals; the second set has the next seed.
    """
    found = {
        name: pairing(bot(BAYES), bot(each), options, deals, seed)
        for name, each in SCHEDULES.items()
    }
    won = {name: results.won(BELIEVER) for name, results in found.items()}
    strongest = min(won, key=lambda name: won[name].value)
    best = min(CONCEALING, key=lambda name: won[name].value)
    again = {
        name: pairing(bot(BAYES), bot(SCHEDULES[name]), options, deals, seed + 1)
        for name in {strongest, best, "always"}
    }
    return Schedules(
        won,
        {name: missions(results) for name, results in found.items()},
        strongest,
        again[strongest].won(BELIEVER),
        again["always"].gain(again[best], BELIEVER),
        best,
    )


def missions(results: SideResults) -> Estimate:
    """Mean number of Missions of a game."""
    return mean(plain_records(results.states)["mission"].astype(float))


def simpler(options: Mapping[str, OptionValue], deals: int, seed: int) -> Iterator[str]:
    """Win rates of the True Believers between the plainer bots, as lines."""
    sides = {"random": None, "selfish": SELFISH, "bayes": BAYES}
    for name, character in sides.items():
        for other, against in sides.items():
            if "bayes" in (name, other) and name == other:
                continue  # among the schedules
            results = pairing(_any(character), _any(against), options, deals, seed)
            yield (
                f"  {name} against {other:<8} {results.won(BELIEVER).percent()}, "
                f"{missions(results)} Missions"
            )


def _any(character: Character | None) -> Bot:
    return UniformBot(GAME, 0) if character is None else bot(character)


def with_regents(text: str, copies: int) -> str:
    """A file of cards with another number of Regents at every table."""
    return re.sub(
        r'(effect = "regent"\ncost = \d+\ncopies = )[^\n]+', lambda found: found[1] + str(copies),
        text,
    )  # fmt: skip


def search(source: Path, regents: Sequence[int], players: int, deals: int, seed: int) -> None:
    """Print how the sides fare with so many Regents."""
    text = source.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for copies in regents:
            path = Path(folder) / f"regents_{copies}.toml"
            write_atomically(path, with_regents(text, copies).encode())
            options: dict[str, OptionValue] = {"num_players": players, "cards": str(path)}
            print(f"{players} players, {copies} Regents, {deals} deals")
            for line in schedules(options, deals, seed).lines():
                print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables; see the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, nargs="+", default=list(range(5, 11)))
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--cards", default=HOUSE, help="a file of cards")
    parser.add_argument("--talk", choices=("none", "claims"), default="none")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--search", type=int, nargs="+", metavar="REGENTS")
    args = parser.parse_args(arguments)
    source = Path(args.cards) if args.cards != HOUSE else HOUSE_FILE
    for players in args.players:
        if args.search:
            search(source, args.search, players, args.deals, args.seed)
            continue
        options: dict[str, OptionValue] = {
            "num_players": players, "cards": args.cards, "talk": args.talk,
        }  # fmt: skip
        bound = GAME.bind(**options)
        match = match_chance(cards_of(str(bound.options["cards"])), players)
        met = LEAST_MATCH <= match <= MOST_MATCH
        print(f"{players} players, talk {args.talk}, {args.deals} deals of each pairing")
        print(f"  a Virtue matches a Mission with {match:.3f}{'' if met else '   missed'}")
        for line in simpler(options, args.deals, args.seed):
            print(line, flush=True)
        for line in schedules(options, args.deals, args.seed).lines():
            print(line, flush=True)


if __name__ == "__main__":
    main()
