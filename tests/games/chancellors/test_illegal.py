"""Illegal actions: everything that is not offered is refused and changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from concilium.envs import IllegalActionError
from concilium.envs.chancellors.actions import END_TURN, NUM_ACTIONS

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Play, Table

KINDS = ["action", "block", "no block", "excuse", "payment", "escalation", "avert", "silence"]


def position(table: Build, players: int, name: str) -> Table:
    """Return a position of each kind of decision."""
    hands = {0: ["Excuse", "Mill", "Sea", "Author", "Journey"], 1: ["Merchant", "Pact"]}
    setting: dict[str, Any] = {"hands": hands, "excuse": True, "pawns": True}
    dice = [(2, 6), (6, 6), (3, 4)]
    if name == "action":
        return table(players, owners={"Sailor": 0}, dice=dice, **setting)
    if name in ("block", "no block"):
        hands[1] = hands[1] if name == "block" else []
        t = table(players, owners={"Sailor": 1}, dice=dice, **setting)
        t.control("Mill", "Sailor")
        return t
    if name == "excuse":
        t = table(players, owners={"Sailor": 1, "Diplomat": 1}, dice=dice, **setting)
        t.excuse()
        return t
    if name == "payment":
        t = table(players, owners={"Sailor": 0}, dice=dice, **setting)
        t.solve(1, "public", "Journey")
        return t
    if name == "escalation":
        t = table(players, dice=[(1, 1), (2, 4), (1, 3)], **setting)
        t.end_turn()
        return t
    t = table(players, dice=dice, asking=True, **setting)
    if name == "silence":
        t.keep_silent()
    return t


def refuse_all(t: Table) -> int:
    """Try every action that is masked out; return how many there are."""
    before = t.state.tobytes()
    mask = t.game.legal_actions(t.state)
    assert mask.shape == (NUM_ACTIONS,)
    assert mask.dtype == np.int8
    assert set(mask.tolist()) <= {0, 1}
    masked = [int(action) for action in np.flatnonzero(mask == 0)]
    for action in (*masked, -1, -NUM_ACTIONS, NUM_ACTIONS, NUM_ACTIONS + 7, 10**9):
        with pytest.raises(IllegalActionError):
            t.game.step(t.state, action)
        assert t.state.tobytes() == before
    return len(masked)


@pytest.mark.parametrize("name", KINDS)
def test_masked_out_actions_are_refused(table: Build, players: int, name: str) -> None:
    # C2 to C16: each kind of decision
    t = position(table, players, name)
    assert refuse_all(t) == NUM_ACTIONS - len(t.legal)


@pytest.mark.parametrize("name", KINDS)
def test_offered_actions_are_accepted(table: Build, players: int, name: str) -> None:
    # C2 to C16: and each of them changes the State
    t = position(table, players, name)
    assert t.legal
    before = t.state.copy()
    for action in sorted(t.legal):
        t.state[:] = before
        t.step(action)
        assert t.state.tobytes() != before.tobytes()


def test_the_positions_are_of_every_kind(table: Build) -> None:
    # kinds of decisions
    kinds = {name: position(table, 3, name).kind for name in KINDS}
    assert kinds == {
        "action": "action", "block": "block", "no block": "block", "excuse": "block",
        "payment": "payment", "escalation": "escalation", "avert": "avert", "silence": "avert",
    }  # fmt: skip


@pytest.mark.parametrize("extended", [False, True])
def test_whole_games(deal: Build, careful: Play, players: int, extended: bool) -> None:
    # every masked-out action at about 60 positions of games, and after their ends
    tried = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        t = deal(players, seed, excuse=extended, pawns=extended, max_turns=20)
        while t.running:
            assert t.legal
            if rng.random() < 0.2:
                tried += refuse_all(t)
            t.step(careful(t, rng))
        assert refuse_all(t) == NUM_ACTIONS
    assert tried > 1000


@pytest.mark.parametrize(
    "action", [True, False, 68.0, "68", None, [68], np.float64(68), np.bool_(True)]
)
def test_actions_of_another_type_are_refused(table: Build, action: Any) -> None:
    # the type is named
    t = table(3)
    before = t.state.tobytes()
    with pytest.raises(IllegalActionError, match=type(action).__name__):
        t.game.step(t.state, action)
    assert t.state.tobytes() == before


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16, np.array])
def test_whole_numbers_of_any_kind_are_taken(table: Build, kind: Any) -> None:
    # C2: the end of the turn
    t = table(3)
    t.step(kind(END_TURN))
    assert t["active"] == 1


def test_the_error_says_what_is_legal(table: Build) -> None:
    # the action, why not, what instead
    t = table(3, hands={0: ["Mill"]})
    with pytest.raises(IllegalActionError) as caught:
        t.game.step(t.state, 0)
    message = str(caught.value)
    assert t.game.action_name(0) in message
    for action in t.legal:
        assert t.game.action_name(action) in message
    with pytest.raises(IllegalActionError, match="out of range"):
        t.game.step(t.state, NUM_ACTIONS)


def test_action_names_are_distinct_and_read_back(table: Build) -> None:
    # text
    game = table(3).game
    names = [game.action_name(action) for action in range(NUM_ACTIONS)]
    assert len(set(names)) == NUM_ACTIONS
    for action, name in enumerate(names):
        assert game.parse_action(name) == action
        assert game.parse_action(f"  {name.upper()} ") == action
    for wrong in ("", "pass", "take sailor with excuse", names[0] + "x"):
        with pytest.raises(IllegalActionError):
            game.parse_action(wrong)
