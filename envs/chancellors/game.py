"""The Game object of Chancellors: declared facts, options and functions in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.chancellors import explain, observation, render, rules, text, validity, view
from concilium.envs.chancellors.actions import ACTIONS
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.state import EVENTS, KINDS, OPTION_LIMIT, SEATS, STATE
from concilium.envs.core.game import Game
from concilium.envs.core.kernels import Rules
from concilium.envs.core.option import Option, OptionValue
from concilium.envs.core.state import Records, plain_records


def _fill(state: Any, options: Mapping[str, OptionValue]) -> None:
    for name in ("target_score", "max_turns", "problems", "excuse", "pawns"):
        state[name] = options[name]
    state["lowest_wins"] = options["calamity"] == "lowest_wins"


def _outcome(records: Records) -> NDArray[np.integer]:
    outcome: NDArray[np.int8] = plain_records(records)["outcome"]
    return outcome


def _longest(options: Mapping[str, OptionValue]) -> int:
    """Bound on decisions: a card is played at most once a turn and raises at most 3 questions.

    Per turn also one start and one escalation per problem, the end, and a question per player.
    """
    per_turn = 4 * NUM_CARDS + 2 * int(options["problems"]) + 1 + SEATS
    return int(options["max_turns"]) * per_turn


GAME: Final = Game(
    name="chancellors",
    title="Chancellors",
    version=0,
    min_players=2,
    max_players=SEATS,
    default_players=3,
    options=(
        Option("excuse", False, "the Excuse is shuffled in"),
        Option("pawns", False, "the four Pawns are shuffled in"),
        Option("problems", 3, "pairs of dice on the table", choices=(3, 4, 5)),
        Option(
            "calamity", "all_lose", "who loses by a calamity", choices=("all_lose", "lowest_wins")
        ),
        Option("target_score", 50, "points that win at once", low=1, high=OPTION_LIMIT),
        Option("max_turns", 300, "player turns before the game is cut short", low=1,
               high=OPTION_LIMIT),
    ),
    state=STATE,
    actions=ACTIONS,
    kinds=KINDS,
    observation=observation.OBSERVATION,
    state_layout=observation.STATE_LAYOUT,
    rules=Rules(
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
    ),
    census_size=NUM_CARDS + 2,
    return_range=(-1.0, 1.0),
    utility_sum=lambda options: 0.0 if options["calamity"] == "lowest_wins" else None,
    max_game_length=_longest,
    fill=_fill,
    action_name=text.action_name,
    describe=text.describe,
    card_texts=explain.card_texts,
    render=render.render,
    package="concilium.envs.chancellors",
    outcomes=("running", "target score reached", "calamity", "out of time"),
    outcome=_outcome,
    faults=validity.faults,
    events=text.event_texts,
    event_table=EVENTS,
)  # fmt: skip
