"""Kuhn's poker, whole in one file: a game in its smallest form, and one with a known value.

Three cards, two players, one card and an ante of 1 each. The first passes or bets 1 more; so does
the second; who has passed may then call a bet. A bet that is not called wins, else the higher card.
Source: Kuhn, "A simplified two-person poker" (1950); the first player's value is -1/18.
"""

from __future__ import annotations

import enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import Game, register_game
from concilium.envs.core.bot import GeneratorBot
from concilium.envs.core.compiled.jit import jit
from concilium.envs.core.compiled.log import EVERYBODY, SECRET, log_event
from concilium.envs.core.compiled.log import log_public as tell
from concilium.envs.core.compiled.rng import shuffle
from concilium.envs.core.events import event_table, row
from concilium.envs.core.kernels import Rules
from concilium.envs.core.layout import action_table, layout
from concilium.envs.core.state import (
    RUNNING,
    TERMINATED,
    UNKNOWN,
    Cells,
    Records,
    StateRecord,
    event_log,
    hidden,
    owned,
    plain_records,
    public,
    state_table,
)

CARDS: Final = 3
PASS, BET = 0, 1
CHANCE: Final = np.array([[[1 / 3, 1 / 3], [0, 0]], [[0, 0], [2 / 3, 1 / 3]], [[1, 1], [1, 1]]])
"""An equilibrium: how likely to bet by card, by whether the other has bet, and by seat."""


class Event(enum.IntEnum):
    """Kinds of events in the log."""

    DEALT = 1
    PASSED = 2
    BET = 3
    SHOWN = 4


class State(StateRecord):
    """The fields of Kuhn's poker."""

    log: Cells = event_log(7)
    decisions: int = public(np.int8, 0, 3, "decisions made")
    stake: Cells = public(np.int8, 1, 2, "paid in", shape=2)
    winner: int = public(np.int8, -1, 1, "seat, -1 none yet")
    card: Cells = owned(np.int8, 0, CARDS - 1, "held", shape=2)
    rest: int = hidden(np.int8, 0, CARDS - 1, "the card not dealt")
    padding: int = public(np.int8, 0, 0, "always 0")


@jit
def reset(s: State) -> None:
    """Pay the antes and deal."""
    cards = np.arange(CARDS)
    shuffle(s, cards, CARDS)
    s.winner, s.rest = -1, cards[2]
    for seat in range(2):
        s.stake[seat], s.card[seat] = 1, cards[seat]
        log_event(s, Event.DEALT, seat, 0, 0, 0, cards[seat], 1 << seat, EVERYBODY)


@jit
def legal_actions(s: State, mask: Any) -> None:
    """Both, always."""
    mask[PASS] = mask[BET] = 1


@jit
def step(s: State, action: int) -> None:
    """Pass or bet; the game is over after a fold, a call, or two passes."""
    seat, other = s.actor, 1 - s.actor
    over = s.stake[other] == 2 or (action == PASS and seat == 1)
    s.stake[seat] += action
    s.decisions += 1
    s.actor = other
    tell(s, Event.PASSED + action, seat, 0, 0, 0)
    if over:
        s.actor, s.status = UNKNOWN, TERMINATED
        s.winner = other
        if s.stake[0] == s.stake[1]:
            s.winner = s.card[1] > s.card[0]
            tell(s, Event.SHOWN, UNKNOWN, s.card[0], s.card[1], 0)


@jit
def view(s: State, v: State, player: int) -> None:
    """Open the cards that were shown down."""
    if s.status != RUNNING and s.stake[0] == s.stake[1]:
        for seat in range(2):
            v.card[seat] = s.card[seat]


@jit
def determinize(s: State, viewer: int) -> None:
    """Deal what is not known anew; of a fold, nothing more can be told."""
    cards = np.arange(CARDS)
    shuffle(s, cards, CARDS)
    place = 0
    for seat in range(3):
        while cards[place] in (s.card[0], s.card[1]):
            place += 1
        if seat == 2:
            s.rest = cards[place]
        elif s.card[seat] == UNKNOWN:
            s.card[seat] = cards[place]
    for k in range(2):
        s.log[k, SECRET] = s.card[k]


OBSERVATION: Final = layout(
    ("second", (1,), 0, 1, "the own seat decides second"),
    ("card", (2, CARDS), 0, 1, "the own card, the other's when shown"),
    ("stake", (2,), 1, 2, "paid in, own first"),
    ("decisions", (1,), 0, 3, "decisions made"),
)
STATE_LAYOUT: Final = layout(("card", (2, CARDS), 0, 1, "held by each seat"))


@jit
def encode(v: State, out: Any) -> None:
    """Fill the observation of a View; a spectator's has seat 0 first."""
    own = max(v.viewer, 0)
    out.second, out.decisions = own, v.decisions
    for k in range(2):
        seat = (own + k) % 2
        out.stake[k] = v.stake[seat]
        if v.card[seat] != UNKNOWN:
            out.card[k, v.card[seat]] = 1


@jit
def encode_state(s: State, out: Any) -> None:
    """Fill the perfect-information vector."""
    for seat in range(2):
        out.card[seat, s.card[seat]] = 1


@jit
def returns(s: State, out: Any) -> None:
    """The loser's stake."""
    if s.winner >= 0:
        out[s.winner] = s.stake[1 - s.winner]
        out[1 - s.winner] = -out[s.winner]


@jit
def census(s: State, out: Any) -> None:
    """Count each card."""
    for card in (s.card[0], s.card[1], s.rest):
        out[card] += 1


@jit
def kind(s: State) -> int:
    """There is one kind of decision."""
    return 0


class EquilibriumBot(GeneratorBot):
    """Plays :data:`CHANCE`: nobody can win more from it than the value of the game."""

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        plain = plain_records(views)
        rows, seats = np.arange(len(plain)), plain["viewer"].astype(np.int64)
        faced = (plain["stake"][rows, 1 - seats] == 2).astype(np.int64)
        chance = CHANCE[plain["card"][rows, seats], faced, seats]
        return np.asarray(self.generator.random(len(plain)) < chance, np.int64)


def describe(_: Any, view: Any) -> str:
    """Tell what a View holds."""
    cards = ", ".join("unknown" if card == UNKNOWN else "JQK"[card] for card in view["card"])
    return f"Cards: {cards}. Stakes: {view['stake'][0]}, {view['stake'][1]}."


GAME: Final = Game(
    name="kuhn", title="Kuhn", version=0, package="tests.toys.kuhn",
    min_players=2, max_players=2, default_players=2, options=(), state=state_table(State),
    actions=action_table(("pass", 1, "pass or fold"), ("bet", 1, "bet or call")), kinds=("bet",),
    observation=OBSERVATION, state_layout=STATE_LAYOUT, census_size=CARDS,
    rules=Rules(reset, legal_actions, step, view, determinize, encode, encode_state, returns,
                census, kind),
    return_range=(-2.0, 2.0), max_game_length=lambda options: 3, fill=lambda state, options: None,
    action_name=lambda bound, action: ("pass", "bet")[action], describe=describe, render=describe,
    event_table=event_table(Event, {
        Event.DEALT: row("a card was dealt", secret="card"),
        Event.PASSED: row("passed or folded"),
        Event.BET: row("bet or called"),
        Event.SHOWN: row("cards were shown", "first", "second", seat=""),
    }),
)  # fmt: skip
BOTS: Final = {"kuhn/equilibrium": EquilibriumBot}
register_game(GAME)
