"""Games in which nobody's decisions tell anything but that they were legal.

A player who is asked to object and does not may be unable to: what others did is evidence of what
they hold, which resampling by the rules alone leaves out. So that States and resampled States can
be compared as distributions, each decision here is drawn from what everybody knows: a State is
resampled from the spectator's View, and what a bot would do there is done. Where that action is not
legal in the true State, the game is given up. In the games that remain, the past tells of hidden
things only that it was possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import (
    deal_all,
    decide_all,
    determinize_all,
    kinds_of,
    stacked,
    step_all,
    view_all,
)
from concilium.envs.check.table import Table
from concilium.envs.core.state import (
    RUNNING,
    SPECTATOR,
    Records,
    plain_records,
    put_records,
    take_records,
)

_LATEST: Final = 500  # decisions after which a game is looked at, at most
_FEWEST: Final = 500  # games: fewer would show large differences only
_MOST: Final = 2000  # more take longer, and show what makes no difference
_ROUNDS: Final = 12  # batches of deals, if most games are given up
_LONGEST: Final = 100  # decisions for which a kind of decision is waited for
_WINDOW: Final = 8  # decisions from the one that was waited for, of which one is drawn
_TRIES: Final = 12  # States drawn anew for a game in which an action was not legal
_WAITING: Final = 4  # of so many games one is to be looked at where a certain kind of decision is
_ANY: Final = -1  # kind of decision: whichever


def blind_states(table: Table) -> Records:
    """Play games by what everybody knows and return their States, about a thousand.

    Each is of another game, so they are independent of each other. Most of them are looked at after
    a number of decisions drawn beforehand, early ones more often; some at a certain kind of
    decision, drawn among all kinds, so that rare ones are seen too.
    """
    return table.once("blind", lambda: _blind_states(table))


def _blind_states(table: Table) -> Records:
    count = min(max(table.pairs, _FEWEST), _MOST)
    generator = table.generator("blind")
    met = table.sample.states
    kinds = np.unique(kinds_of(table.bound, met[plain_records(met)["status"] == RUNNING]))
    stops = _Stops.drawn(generator.choice(kinds, count // _WAITING), _LONGEST, generator)
    found = [_play(table, stops, generator)]
    late = min(_LATEST, table.bound.max_game_length)
    for _ in range(_ROUNDS):
        found.append(_play(table, _Stops.drawn(np.full(count, _ANY), late, generator), generator))
        if sum(map(len, found)) >= count:
            break
    return stacked(found)[:count]


@dataclass
class _Stops:
    """At which decision each game is looked at; spectators can tell, but for a number drawn by lot.

    To wait for a kind of decision and to look at once would tell how many decisions of that kind
    went before, which may be hidden: Defectors nominate in secret. So one of the next few decisions
    is drawn, and the game given up if that is of another kind.

    Attributes:
        kinds: of decision that is waited for ``(games,)``, or ``_ANY``.
        starts: decisions before it is waited for ``(games,)``.
        shifts: decisions from then to the one that is looked at ``(games,)``.
        at: number of that decision ``(games,)``, as soon as it is known.
    """

    kinds: NDArray[np.int64]
    starts: NDArray[np.int64]
    shifts: NDArray[np.int64]
    at: NDArray[np.int64]

    @classmethod
    def drawn(cls, kinds: NDArray[np.int64], late: int, generator: np.random.Generator) -> _Stops:
        """Draw when to look at a game for each of ``kinds``, at latest after ``late`` decisions."""
        count = len(kinds)
        starts = np.exp(generator.uniform(0, np.log(late + 1), count)).astype(np.int64) - 1
        shifts = np.where(kinds == _ANY, 0, generator.integers(0, _WINDOW, count))
        return cls(kinds, starts, shifts, np.full(count, late + _WINDOW))

    def due(
        self, live: NDArray[np.int64], move: int, kinds: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which games ``live (k,)`` at decisions of ``kinds`` are looked at, and which end."""
        fits = (self.kinds[live] == _ANY) | (self.kinds[live] == kinds)
        begins = fits & (self.starts[live] <= move) & (self.at[live] > move + _WINDOW)
        self.at[live[begins]] = move + self.shifts[live[begins]]
        ends = self.at[live] <= move
        return ends & fits, ends


def _play(table: Table, stops: _Stops, generator: np.random.Generator) -> Records:
    """Deal a game for each of ``stops``; return the States of those that get so far.

    Where a kind of decision is waited for, a game need not be given up when an action is not legal:
    another action is drawn, and a State that spectators hold possible, until the one is legal in
    the other. States in which it is are then as likely in relation to each other as they were.
    """
    bound, kernels = table.bound, table.bound.game.kernels
    states = deal_all(bound, generator.integers(0, 2**64, len(stops.at), np.uint64))
    live = np.arange(len(states))
    reached = []

    def drawn(views: Records) -> Records:
        return determinize_all(kernels, views, generator.integers(0, 2**64, len(views), np.uint64))

    for move in range(_LATEST + _WINDOW):
        shown = view_all(kernels, take_records(states, live), np.full(len(live), SPECTATOR))
        looked, ended = stops.due(live, move, kinds_of(bound, shown))
        reached.append(live[looked])
        going = ~ended & (plain_records(shown)["status"] == RUNNING)
        live = live[going]
        if not len(live):
            break
        shown = take_records(shown, np.flatnonzero(going))
        actions = decide_all(bound, table.bots, live % len(table.bots), drawn(shown))
        taken = step_all(bound, states, live, actions)
        for _ in range(_TRIES):
            again = np.flatnonzero(~taken & (actions >= 0) & (stops.kinds[live] != _ANY))
            if not len(again):
                break
            views = take_records(shown, again)
            actions[again] = decide_all(
                bound, table.bots, live[again] % len(table.bots), drawn(views)
            )
            put_records(states, live[again], drawn(views))
            taken[again] = step_all(bound, states, live[again], actions[again])
        live = live[taken]
    return take_records(states, np.sort(np.concatenate(reached)))
