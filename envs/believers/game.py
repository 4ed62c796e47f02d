"""The Game object of Believers: declared facts, options and functions in one place."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.believers import (
    explain,
    observation,
    options,
    render,
    rules,
    text,
    validity,
    view,
)
from concilium.envs.believers import state as S
from concilium.envs.believers.actions import ACTIONS
from concilium.envs.believers.state import Ending, Faith
from concilium.envs.core.game import Game
from concilium.envs.core.kernels import Rules
from concilium.envs.core.state import Records, plain_records


def _outcome(records: Records) -> NDArray[np.integer]:
    """How the game ended, each way for True Believers and for Defectors; 0 while running."""
    plain = plain_records(records)
    ending = plain["ending"].astype(np.int64)
    outcome: NDArray[np.int64] = np.where(
        ending == Ending.OPEN, 0, 2 * ending - 1 + (plain["winner"] == Faith.DEFECTOR)
    )
    return outcome


def _side(states: Records) -> NDArray[np.integer]:
    """The Faiths: their numbers are those of the sides."""
    faith: NDArray[np.integer] = plain_records(states)["faith"]
    return faith


GAME: Final = Game(
    name="believers",
    title="Believers",
    version=0,
    min_players=S.FEWEST_SEATS,
    max_players=S.SEATS,
    default_players=7,
    options=options.OPTIONS,
    state=S.STATE,
    actions=ACTIONS,
    kinds=S.KINDS_OF_DECISIONS,
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
    census_size=rules.CENSUS_SIZE,
    return_range=(-1.0, 1.0),
    utility_sum=lambda options: 0.0 if options["reward"] == "zero_sum" else None,  # B22
    max_game_length=options.longest,
    fill=options.fill,
    check_together=options.check_together,
    action_name=text.action_name,
    describe=text.describe,
    card_texts=explain.card_texts,
    page_tables={"effects": explain.effect_table(), "troubles": explain.trouble_table()},
    render=render.render,
    package="concilium.envs.believers",
    outcomes=(
        "running", "True Believers, all rows played", "Defectors, all rows played",
        "True Believers, early", "Defectors, early",
        "True Believers, decider", "Defectors, decider",
    ),
    outcome=_outcome,
    faults=validity.faults,
    event_table=S.EVENTS,
    events=text.event_texts,
    sides=("believers", "defectors"),
    side=_side,
)  # fmt: skip
