"""The Game object of Nicaea: declared facts, options and functions in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.datafile import FileOption
from concilium.envs.core.game import Game
from concilium.envs.core.kernels import Rules
from concilium.envs.core.option import OptionValue
from concilium.envs.core.state import Records, plain_records
from concilium.envs.nicaea import explain, observation, render, rules, text, validity, view
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.actions import ACTIONS
from concilium.envs.nicaea.deck import HOUSE, deck_of, fill_deck


def _fill(state: Any, options: Mapping[str, OptionValue]) -> None:
    fill_deck(state, deck_of(str(options["deck"])))


def _outcome(records: Records) -> NDArray[np.integer]:
    """How the game ended, each way without and with a schism; 0 while running."""
    plain = plain_records(records)
    ending = plain["ending"].astype(np.int64)
    outcome: NDArray[np.int64] = np.where(ending == S.OPEN, 0, 2 * ending - 1 + plain["schism"])
    return outcome


def _longest(options: Mapping[str, OptionValue]) -> int:
    """Bound on decisions.

    Every card is taken at most once and played at most once, and at most seven doctrine cards of
    each dispute are bought, since the fourth of a side settles it. A round that is not idle has one
    of these in it; at most two idle ones come before each, and three at the end. A pass belongs to
    a Debate Round or to a run of fewer than n that an Action or play cut short. A payment has no
    more steps than its price.
    """
    deck = deck_of(str(options["deck"]))
    n = int(options["num_players"])
    cards = len(deck.cards)
    purchases = S.DISPUTES * (2 * S.WINNING_CARDS - 1)
    moves = 2 * cards  # takes and plays
    rounds = S.IDLE_LIMIT * (moves + purchases) + S.IDLE_LIMIT
    passes = n * rounds + (n - 1) * moves
    # a take: choice, payment, what to copy, what to buy or play free
    takes = cards * (1 + int(S.SPACE_COST.max()) + 2)
    plays = sum(1 + card.cost for card in deck.cards)
    return takes + plays + passes + n * rounds + purchases * 2 * max(deck.base) + S.DISPUTES


GAME: Final = Game(
    name="nicaea",
    title="Nicaea",
    version=0,
    min_players=S.FEWEST_SEATS,
    max_players=S.SEATS,
    default_players=5,
    options=(
        FileOption(
            "deck", HOUSE, "the cards and the dispute track", choices=(HOUSE,), what="deck file",
            load=deck_of,
        ),
    ),
    state=S.STATE,
    actions=ACTIONS,
    kinds=S.KINDS,
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
    utility_sum=lambda options: 0.0,  # N33
    max_game_length=_longest,
    fill=_fill,
    action_name=text.action_name,
    describe=text.describe,
    card_texts=explain.card_texts,
    move_note=explain.move_note,
    render=render.render,
    package="concilium.envs.nicaea",
    outcomes=(
        "running", "settled", "settled, schism", "deck empty", "deck empty, schism", "idle",
        "idle, schism",
    ),
    outcome=_outcome,
    faults=validity.faults,
    event_table=S.EVENTS,
    events=text.event_texts,
    decision_sets={"bidding": S.BIDDING},
)  # fmt: skip
