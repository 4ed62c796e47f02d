"""Leaks planted in any game, one field of its State at a time, around its compiled functions."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from concilium.envs.core.game import Game
from concilium.envs.core.kernels import ACTOR_VIEW
from concilium.envs.core.state import RUNNING, Knows, StateField, plain_records
from tests.toys.faulty_rules import Faulty, with_fault

CARRIERS: Final = {"nicaea": "score"}
"""A public field that means nothing during a game, where it is not called padding."""


class ByViews(Faulty):
    """Entry points in which all that is shown is made of what ``view_many`` gives."""

    def observe_one(
        self, states: Any, i: int, player: int, views: Any, obs: Any, mask: Any
    ) -> None:
        """Observe one game."""
        games, players = np.array([i]), np.array([player])
        actors = np.empty(1, np.int64)
        self.observe_many(states, games, players, views, obs[None], mask[None], actors, 0, 1)

    def observe_many(
        self, states: Any, games: Any, players: Any, views: Any, obs: Any, masks: Any,
        actors: Any, lo: int, hi: int,
    ) -> None:  # fmt: skip
        """View, then encode the Views."""
        plain = plain_records(states)
        actors[lo:hi] = plain["actor"][games[lo:hi]]
        seats = np.where(players == ACTOR_VIEW, actors, players)
        shown = np.resize(views, len(games))
        self.view_many(states, games, seats, shown, lo, hi)
        self.sound.encode_many(shown, obs, lo, hi)
        self.sound.legal_many(shown, masks, lo, hi)
        over = plain["status"][games[lo:hi]] != RUNNING
        masks[lo:hi][over | (seats[lo:hi] != actors[lo:hi])] = 0


class Unblanked(ByViews):
    """Every View shows a field as it is in the State."""

    def __init__(self, sound: Any, field: str) -> None:
        super().__init__(sound)
        self.field = field

    def view_many(self, states: Any, games: Any, players: Any, out: Any, lo: int, hi: int) -> None:
        """View, then copy the field."""
        self.sound.view_many(states, games, players, out, lo, hi)
        plain_records(out)[self.field][lo:hi] = plain_records(states)[self.field][games[lo:hi]]


class Copied(Faulty):
    """The State holds a copy of part of a field in a public one, which resampling keeps."""

    def __init__(self, sound: Any, field: str, carrier: str) -> None:
        super().__init__(sound)
        self.field = field
        self.carrier = carrier

    def reset_one(self, states: Any, i: int, seed: Any) -> None:
        """Deal, then copy."""
        self.sound.reset_one(states, i, seed)
        self._copy(states, i)

    def step_checked(self, states: Any, i: int, action: int, mask: Any) -> Any:
        """Step, then copy."""
        result = self.sound.step_checked(states, i, action, mask)
        self._copy(states, i)
        return result

    def _copy(self, states: Any, i: int) -> None:
        record = plain_records(states)[i]
        if record["status"] == RUNNING:
            values = np.ravel(record[self.field])
            carrier = record[self.carrier]
            carrier[: len(values)] = values[: len(carrier)]


def hidden_fields(game: Game) -> list[StateField]:
    """Fields that are not public and say something of the game: each is a leak to be found."""
    return [
        each
        for each in game.state.fields.values()
        if each.knows not in (Knows.EVERYBODY, Knows.WITNESSES) and each.low != each.high
    ]


def leaks(game: Game) -> dict[str, Game]:
    """Variants of a game by what leaks in them."""
    found = {
        f"{each.name} is not blanked": with_fault(partial(Unblanked, field=each.name), game)
        for each in hidden_fields(game)
    }
    carrier = CARRIERS.get(game.name, "padding")
    found |= {
        f"{each.name} is copied": with_fault(
            partial(Copied, field=each.name, carrier=carrier), game
        )
        for each in hidden_fields(game)
        if not each.name.startswith("rng_")
    }
    return found
