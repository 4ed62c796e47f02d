"""A game in progress with somebody at every seat, and what an onlooker is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import BoundGame, Replay
from concilium.envs.core.bot import Bot, answers
from concilium.envs.core.replay import Player, make_replay
from concilium.envs.core.state import FULL, RUNNING, TRUNCATED, Records, plain_records
from concilium.envs.core.words import for_terminal

GAP: Final = "… (more happened than the record of events holds)"


def tell(text: str) -> None:
    """Print lines, which at a terminal break between words where they are too long."""
    print(for_terminal(text))


class PlayedGame:
    """A game and the decisions so far.

    Args:
        bound: the game with its options.
        seed: of the deal, from 0 to 2**64 - 1.
        players: who plays, by seat, for the record.
    """

    def __init__(self, bound: BoundGame, seed: int, players: Sequence[Player] = ()) -> None:
        self.bound = bound
        self.seed = seed
        self.players = tuple(players)
        self.states = bound.new_state(seed)
        self.decisions: list[int] = []

    @property
    def over(self) -> bool:
        """The game has ended, one way or the other."""
        return int(plain_records(self.states)["status"][0]) != RUNNING

    @property
    def actor(self) -> int:
        """Seat that is to decide."""
        return int(plain_records(self.states)["actor"][0])

    def view(self) -> Records:
        """What the seat to decide may know, ``(1,)``."""
        return self.bound.view(self.states, self.actor)

    def legal(self) -> list[int]:
        """The legal actions, in the order of their numbers, as known to whoever is to decide."""
        legal: list[int] = np.flatnonzero(self.bound.legal_actions(self.view())).tolist()
        return legal

    def choice(self, bot: Bot) -> int:
        """What ``bot`` decides in place of the seat to decide, from its View alone.

        Raises:
            BotError: what it answered cannot be used; the message names it.
        """
        view = self.view()
        masks: NDArray[np.int8] = self.bound.legal_actions(view)[np.newaxis]
        return int(answers(bot, view, masks)[0])

    def take(self, action: int) -> None:
        """Go on by one decision; IllegalActionError if it is not allowed now."""
        self.bound.step(self.states, action)
        self.decisions.append(action)

    def replay(self) -> Replay:
        """The game so far as a record that plays back exactly."""
        return make_replay(self.bound, self.seed, self.decisions, self.players)


class Narrator:
    """Tells one onlooker what is new, each event once.

    Args:
        bound: the game with its options.
        viewer: a seat, ``SPECTATOR``, or ``FULL`` for somebody who knows everything.
    """

    def __init__(self, bound: BoundGame, viewer: int) -> None:
        self.bound = bound
        self.viewer = viewer
        self._told = 0

    def view(self, states: Records) -> Records:
        """``states (1,)`` as the onlooker may know it."""
        return states if self.viewer == FULL else self.bound.view(states, self.viewer)

    def told(self, states: Records) -> list[str]:
        """What happened since the last time, oldest first, one line each."""
        view = self.view(states)
        events = self.bound.events(view)
        count = int(plain_records(view)["log_count"][0])
        new, self._told = count - self._told, count
        if new > len(events):
            return [GAP, *events] if events else []
        return events[len(events) - new :]


class Listener(Narrator):
    """An onlooker who remembers what is new until it has been shown.

    Attributes:
        news: what has not been shown yet, oldest first.
    """

    def __init__(self, bound: BoundGame, viewer: int) -> None:
        super().__init__(bound, viewer)
        self.news: list[str] = []

    def listen(self, states: Records) -> None:
        """Note what happened since the last time."""
        self.news += self.told(states)


def seat_names(num_players: int, bots: Mapping[int, str], own: int | None = None) -> list[str]:
    """Say who sits where: ``player_0 (you)``, ``player_1 (random)``, …, as far as it is known."""
    names = []
    for seat in range(num_players):
        who = "you" if seat == own else bots.get(seat)
        names.append(f"player_{seat}" + (f" ({who})" if who else ""))
    return names


def settings(bound: BoundGame) -> str:
    """Name the game and its options in one line."""
    return f"{bound.game.id}: {', '.join(f'{k}={value}' for k, value in bound.options.items())}"


def ending(bound: BoundGame, states: Records, names: Sequence[str]) -> Iterator[str]:
    """Tell how the game stands or ended and what each seat has of it, one line each."""
    status = int(plain_records(states)["status"][0])
    outcome = bound.game.outcomes[int(bound.game.outcome(states)[0])]
    if status == RUNNING:
        yield "The game was broken off."
        return
    yield f"The game is over: {outcome}" + (" (cut short)." if status == TRUNCATED else ".")
    for name, amount in zip(names, bound.returns(states), strict=True):
        verdict = "won" if amount > 0 else "lost" if amount < 0 else "neither won nor lost"
        yield f"  {name} {verdict}, return {amount:+.4g}"
