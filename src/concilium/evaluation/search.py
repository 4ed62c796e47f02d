"""What searching adds: a blueprint with search against the same blueprint without, deal by deal."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.baselines import make_bot
from concilium.baselines.parameters import written
from concilium.baselines.search import SearchBot, Settings
from concilium.envs import Game
from concilium.envs.core.bot import Bot
from concilium.envs.core.state import Records
from concilium.evaluation.intervals import Estimate, block_share, difference
from concilium.evaluation.matches import play
from concilium.evaluation.sides import play_sides


@dataclass(frozen=True)
class SearchGain:
    """What a search won beside its blueprint, on the same deals.

    Attributes:
        bot: name of the searching bot.
        players: seats at the table.
        side: what side it played whole; empty for one seat, in all rotations.
        deals: how many.
        won: share of games won with search.
        baseline: share of games won by the blueprint in its place.
        gain: difference of the two, deal by deal.
        milliseconds: mean time of a decision with a choice.
        decisions_per_second: simulated within that time.
        departures: share of the decisions with a choice that the search changed.
    """

    bot: str
    players: int
    side: str
    deals: int
    won: Estimate
    baseline: Estimate
    gain: Estimate
    milliseconds: float
    decisions_per_second: float
    departures: float

    def lines(self) -> list[str]:
        """The figures in words."""
        seats = f"side {self.side}" if self.side else "one seat, all rotations"
        gain = self.gain
        return [
            f"{self.bot}, {self.players} players, {seats}, {self.deals} deals",
            f"  won: {self.won.percent()}; without search: {self.baseline.percent()}",
            f"  gain: {100 * gain.value:+.1f} "
            f"[{100 * gain.low:+.1f}, {100 * gain.high:+.1f}] points",
            f"  {self.milliseconds:.1f} ms a decision, {self.decisions_per_second:,.0f} simulated "
            f"decisions a second, departs in {100 * self.departures:.1f} % of its choices",
        ]


class _Timed:
    """A search bot whose decisions are timed and counted."""

    def __init__(self, bot: SearchBot) -> None:
        self.bot, self.name, self.game = bot, bot.name, bot.game
        self.seconds, self.asked, self.departed = 0.0, 0, 0

    def seed(self, seed: int) -> None:
        self.bot.seed(seed)

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        start = time.perf_counter()
        actions = self.bot.act(views, masks)
        self.seconds += time.perf_counter() - start
        found = [each for each in self.bot.thoughts if each is not None]
        self.asked += len(found)
        self.departed += sum(each.chosen != each.blueprint for each in found)
        return actions


def search_gain(
    game: Game, blueprint: str, settings: Settings, *, deals: int, side: str = "", seed: int = 0,
    opponent: str = "", others: tuple[str, ...] = (), **options: Any,
) -> SearchGain:  # fmt: skip
    """Play deals with a search and with its blueprint in the same place.

    Args:
        game: what is played.
        blueprint: name of the bot that is searched with.
        settings: of the search.
        deals: how many, fixed beforehand; in games without a side each in all rotations.
        side: the side that it plays whole; empty for one seat.
        seed: of deals and bots.
        opponent: everybody else; the blueprint if not given.
        others: what the search takes the others to play; the blueprint if not given.
        **options: of the game, ``num_players`` among them.

    Raises:
        OptionError: something is unknown or does not fit.
    """
    modelled = [make_bot(name, game, seed=0) for name in others]
    name = f"search:bot={blueprint}," + ",".join(
        f"{key}={written(value)}"
        for key, value in asdict(settings).items()
        if key == "worlds" or value != getattr(Settings(), key)
    )
    own = make_bot(blueprint, game, seed=0)
    timed = _Timed(SearchBot(own, modelled, settings, name=name))
    plain, other = (make_bot(name, game, seed=0) for name in (blueprint, opponent or blueprint))
    table = game.bind(**options)

    def wins(bot: Bot) -> NDArray[np.float64]:
        """By deal, the mean over the rotations."""
        if side:
            number = game.side_number(side)
            bots = [bot if k == number else other for k in range(len(game.sides))]
            played = play_sides(
                game, bots, deals=deals, seed=seed, options=table.options, keep_states=False
            )
            return np.asarray(played.winner == number, float)
        seating = np.array(
            [np.roll([0] + [1] * (table.num_players - 1), k) for k in range(table.num_players)]
        )
        return np.asarray(play(table, [bot, other], seating, deals, seed).won(0).mean(axis=0))

    with_search, without = wins(timed), wins(plain)
    return SearchGain(
        bot=timed.name, players=table.num_players, side=side, deals=deals,
        won=block_share(with_search), baseline=block_share(without),
        gain=difference(with_search - without, 0.0, 1.0),
        milliseconds=1000 * timed.seconds / max(timed.asked, 1),
        decisions_per_second=timed.bot.decisions / max(timed.seconds, 1e-9),
        departures=timed.departed / max(timed.asked, 1),
    )  # fmt: skip
