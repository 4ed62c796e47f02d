"""The characters differ in what they do, measured at tables of all of them with fixed seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.nicaea import BROKER, SCHISMATIC, WARDEN, Character, CharacterBot
from concilium.envs.core.state import Records, plain_records
from concilium.envs.core.vector import VecGame
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea.state import DISPUTES, SIDES, TABLEAU
from concilium.evaluation.balance.nicaea import CHARACTERS
from concilium.evaluation.intervals import Estimate, block_ratio, interval, share

NAMES = list(CHARACTERS)
PLAYERS = 5


@dataclass(frozen=True)
class Played:
    """What the bots at a table did, ``(games, bots)``; each sits once at every table."""

    bought: NDArray[np.int64]
    contrary: NDArray[np.int64]
    influence: NDArray[np.int64]
    icons: NDArray[np.int64]
    won: NDArray[np.int64]
    schism: NDArray[np.bool_]


def let_play(characters: list[Character], games: int, seed: int) -> Played:
    """Play games of five characters, their seats drawn."""
    rng = np.random.default_rng(seed)
    sits = rng.permuted(np.tile(np.arange(PLAYERS), (games, 1)), axis=1)
    bots = [CharacterBot(each, name=str(k), seed=0) for k, each in enumerate(characters)]
    vec = VecGame([GAME.bind(num_players=PLAYERS)] * games, seed=seed)
    batch = vec.reset()
    masks, actors = batch.masks.copy(), batch.actors.astype(np.int64)
    bought, contrary = np.zeros((2, games, PLAYERS), np.int64)
    ends = np.zeros(games, GAME.dtype)
    left = np.arange(games)
    while len(left):
        views = vec.views(left)
        actions = np.empty(len(left), np.int64)
        at = sits[left, actors[left]]
        for number in np.unique(at):
            rows = np.flatnonzero(at == number)
            actions[rows] = bots[number].act(views[rows], masks[left[rows]])
        buys = (actions >= act.BUY) & (actions < act.BUY + DISPUTES * SIDES)
        behind = buys.copy()
        behind[buys] = cheaper(views[buys], actions[buys] - act.BUY)
        bought[left[buys], at[buys]] += 1
        contrary[left[behind], at[behind]] += 1
        batch = vec.step(actions, left, observe=False)
        masks[left], actors[left] = batch.masks, batch.actors
        if len(batch.finished):
            ends[left[batch.finished]] = plain_records(batch.final_views[:, 0])
            left = np.delete(left, batch.finished)
    seats = np.argsort(sits, axis=1)  # of each bot
    influence, icons = counted(ends)
    won = ends["winners"][:, np.newaxis] >> np.arange(PLAYERS) & 1
    influence, icons, won = (np.take_along_axis(x, seats, axis=1) for x in (influence, icons, won))
    return Played(bought, contrary, influence, icons, won, ends["schism"] == 1)


def cheaper(views: Records, doctrines: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether these are of the side of their dispute with fewer cards in hands."""
    cards = plain_records(views)["doctrine"].sum(axis=1)
    rows, (disputes, sides) = np.arange(len(cards)), np.divmod(doctrines, SIDES)
    fewer: NDArray[np.bool_] = cards[rows, disputes, sides] < cards[rows, disputes, 1 - sides]
    return fewer


def counted(ends: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Influence of all Bishops and number of icons in each tableau, ``(games, seats)``."""
    owner = ends["where"][:, np.newaxis, :] == TABLEAU + np.arange(PLAYERS)[:, np.newaxis]
    bishops = owner & (ends["partner"] >= 0)[:, np.newaxis, :]
    printed = np.bitwise_count(ends["icons"])[:, np.newaxis, :]
    influence = (bishops * ends["cost"][:, np.newaxis, :].astype(np.int64)).sum(axis=2)
    return influence, (owner * printed.astype(np.int64)).sum(axis=2)


@cache
def all_of_them() -> Played:
    return let_play([CHARACTERS[name] for name in NAMES], 400, seed=11)


def more(values: NDArray[np.int64], name: str) -> Estimate:
    """How much more the character has than the others at its table on average."""
    k = NAMES.index(name)
    by_game = values[:, k] - np.delete(values, k, axis=1).mean(axis=1)
    error = float(by_game.std(ddof=1)) / math.sqrt(len(by_game))
    return interval(float(by_game.mean()), error, len(by_game))


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Of two independent figures; each interval gives its standard error."""
    error = math.hypot(one.high - one.low, other.high - other.low) / (2 * 1.96)
    return interval(one.value - other.value, error, one.units)


def test_the_contrarian_buys_the_cheap_side_most_often() -> None:
    played = all_of_them()
    parts = [block_ratio(played.contrary[:, k], played.bought[:, k]) for k in range(PLAYERS)]
    own = NAMES.index("contrarian")
    for other in range(PLAYERS):
        assert other == own or difference(parts[own], parts[other]).low > 0


def test_the_tableau_builder_has_more_influence_and_icons() -> None:
    played = all_of_them()
    for values in (played.influence, played.icons):
        own = more(values, "tableau")
        assert own.low > 0.2
        assert all(more(values, name).value < own.value for name in NAMES if name != "tableau")


def test_the_schismatic_wins_by_schism() -> None:
    """Most of all schisms at the table of all five are the schismatic's."""
    played = all_of_them()
    of_schisms = played.won[played.schism].sum(axis=0)
    assert share(int(of_schisms[NAMES.index("schismatic")]), int(played.schism.sum())).low > 0.4


def test_wardens_prevent_schisms() -> None:
    """A schismatic among four wardens, and among four brokers, who hardly give anything away."""
    schisms = [
        let_play([SCHISMATIC] + [other] * (PLAYERS - 1), 600, seed=2).schism.sum()
        for other in (BROKER, WARDEN)
    ]
    brokers, wardens = (share(int(count), 600) for count in schisms)
    assert difference(brokers, wardens).low > 0
