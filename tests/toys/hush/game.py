"""The Game object of Hush, with its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs import register_game
from concilium.envs.core.game import BoundGame, Game
from concilium.envs.core.kernels import Rules
from concilium.envs.core.option import Option, OptionValue
from concilium.envs.core.state import Records, plain_records
from tests.toys.hush import observation, rules, view
from tests.toys.hush.state import CARDS, MOST_POINTS, MOST_ROUNDS, SEATS, STATE, Outcome, Place

_NAMES: Final = ("claim", "swap", "wait", *(f"look {k + 1}" for k in range(SEATS - 1)), "pass",
                 "object")  # fmt: skip


def fill(state: Any, options: Mapping[str, OptionValue]) -> None:
    """Write the options into a blank State."""
    state["goal"] = options["goal"]
    state["rounds"] = options["rounds"]


def longest(options: Mapping[str, OptionValue]) -> int:
    """A decision of the player whose turn it is and an answer of each other one, every turn."""
    players = int(options["num_players"])
    return int(options["rounds"]) * players * players


def outcome(records: Records) -> NDArray[np.integer]:
    """Which of the game's outcomes it came to, if any."""
    outcomes: NDArray[np.int8] = plain_records(records)["outcome"]
    return outcomes


def action_name(_: BoundGame, action: int) -> str:
    """Name an action."""
    return _NAMES[action]


def describe(bound: BoundGame, view: Any) -> str:
    """Tell what a View holds."""
    n = bound.num_players
    lines = [f"Turn {int(view['turns']) + 1}, points to win {int(view['goal'])}."]
    for seat in range(n):
        cards = np.flatnonzero(view["where"] == seat)
        card = f"card {int(cards[0]) + 1}" if len(cards) else "a card unknown"
        lines.append(f"player_{seat}: {int(view['score'][seat])} points, {card}.")
    if int(view["claimed"]) >= 0:
        lines.append(f"player_{int(view['active'])} claims with {int(view['claimed']) + 1}.")
    if int(view["outcome"]) == Outcome.OPEN:
        lines.append(f"player_{int(view['actor'])} is to decide.")
    return "\n".join(lines)


def render(_: BoundGame, view: Any) -> str:
    """Draw the cards that can be seen: the seat that holds each, ``x`` for the discarded."""
    places = [int(place) for place in view["where"]]
    marks = "".join(
        str(place) if 0 <= place < SEATS else "x" if place == Place.DISCARD else "."
        for place in places
    )
    return f"{marks} of {CARDS}, turn {int(view['turns']) + 1}, deck {int(view['deck_size'])}"


RULES: Final = Rules(
    reset=rules.reset,
    legal_actions=rules.legal_actions,
    step=rules.step,
    view=view.view,
    determinize=view.determinize,
    encode=observation.encode,
    encode_state=observation.encode_state,
    returns=rules.returns,
    census=rules.census,
    kind=rules.kind,
)

HUSH: Final = Game(
    name="hush",
    title="Hush",
    version=0,
    min_players=2,
    max_players=SEATS,
    default_players=3,
    options=(
        Option("goal", 2, "points that win", low=1, high=MOST_POINTS),
        Option("rounds", 3, "rounds until the game is cut short", low=1, high=MOST_ROUNDS),
    ),
    state=STATE,
    actions=rules.ACTIONS,
    kinds=("turn", "answer"),
    observation=observation.OBSERVATION,
    state_layout=observation.STATE_LAYOUT,
    rules=RULES,
    census_size=CARDS + 1,
    return_range=(-1.0, 1.0),
    max_game_length=longest,
    fill=fill,
    action_name=action_name,
    describe=describe,
    render=render,
    package="tests.toys.hush",
    outcomes=("running", "goal reached", "no cards left", "out of time"),
    outcome=outcome,
)
register_game(HUSH)
