"""What is not offered is refused, and nothing is changed by the attempt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from concilium.envs import IllegalActionError
from concilium.envs.nicaea.actions import NUM_ACTIONS
from concilium.envs.nicaea.state import KINDS
from tests.games.nicaea.tables import (
    DEBATE_SPACE,
    FREE_3,
    NEW_OFFER_SPACE,
    Table,
    bishop,
    build,
    canon,
)


def at_turn(players: int) -> Table:
    """Seat 0 can do many things."""
    hands = {0: [bishop(3), canon(2)], 1: [bishop(1)]}
    return build(players, hands=hands, tableaus={0: [bishop(2), canon()]}, ti=[2, 9, 9])


def at_payment(players: int) -> Table:
    """Seat 0 pays for a Bishop; there is no way back."""
    t = at_turn(players)
    t.play(next(card for card in t.hand(0) if not card.is_canon), to=1)
    return t


def at_copy(players: int) -> Table:
    """Seat 0 chooses what New Offer copies."""
    t = at_turn(players)
    t.take(NEW_OFFER_SPACE)
    t.flip(*t.flips)
    t.pay_rest()
    return t


def at_free_play(players: int) -> Table:
    """Seat 0 chooses what to play for nothing."""
    t = at_turn(players)
    t.take(FREE_3)
    t.flip(*t.flips)
    t.pay_rest()
    return t


def at_debate_doctrine(players: int) -> Table:
    """Seat 1 chooses what to buy, the first dispute being closed to it on one side."""
    t = build(players, actor=1, ti=[0, 9, 9], doctrine={1: "I-A II-B II-B"})
    t.take(DEBATE_SPACE)
    t.pay_rest()
    return t


def at_debate_round(players: int) -> Table:
    """Seat 0 chooses what to buy."""
    t = build(players, tableaus={0: [bishop(2)]}, doctrine={0: "III-A"})
    t.pass_round()
    return t


def at_naming(players: int) -> Table:
    """Seat 0 names the winner of II."""
    t = build(players, deck=[], settled="I-A", doctrine={1: "II-A"})
    t.pass_round()
    return t


PHASES: dict[str, Callable[[int], Table]] = {
    "turn": at_turn,
    "payment": at_payment,
    "copy": at_copy,
    "free_play": at_free_play,
    "debate_doctrine": at_debate_doctrine,
    "debate_round": at_debate_round,
    "naming": at_naming,
}


def test_every_kind_of_decision_is_tried() -> None:
    assert tuple(PHASES) == KINDS


@pytest.mark.parametrize("kind", PHASES)
def test_illegal_actions_are_refused(players: int, kind: str) -> None:
    t = PHASES[kind](players)
    assert t.kind == kind
    before = t.state.tobytes()
    legal = t.legal
    assert 0 < len(legal) < NUM_ACTIONS
    for action in range(NUM_ACTIONS):
        if action not in legal:
            with pytest.raises(IllegalActionError):
                t.game.step(t.state, action)
    assert t.state.tobytes() == before


def test_nothing_is_legal_after_the_end(players: int) -> None:
    t = build(players, settled="I-A II-B III-A IV-A V-A")
    t.pass_round()
    assert t.over
    with pytest.raises(IllegalActionError):
        t.pass_turn()
