"""What is not offered is refused, and nothing is changed by the attempt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from concilium.envs import IllegalActionError, OptionError
from concilium.envs.believers.actions import NUM_ACTIONS
from concilium.envs.believers.state import KINDS_OF_DECISIONS
from tests.games.believers.tables import DISCIPLES, Table, build, build_night, lay


def at_call(players: int) -> Table:
    """Seat 0 can do many things."""
    return build(players, disciples={0: [*DISCIPLES]})


def at_heralding(players: int) -> Table:
    """Seat 0 has seen the next Mission."""
    t = at_call(players)
    t.enlist("Herald")
    return t


def at_statement(players: int) -> Table:
    """Seat 0 speaks."""
    t = build(players, options={"talk": "claims"})
    t.all_done()
    return t


def at_choice(players: int) -> Table:
    """Seat 0 chooses the Hand."""
    t = build(players, last_hand=2, gossip={3: 3})
    t.all_done()
    return t


def at_gift(players: int) -> Table:
    """Seat 1 gives the second Virtue."""
    t = build(players, hands={1: "DHC"})
    t.mission_to(1)
    t.give("H")
    return t


def at_placement(players: int) -> Table:
    """Seat 0 places."""
    t = at_gift(players)
    t.give("D")
    return t


def at_hand_claim(players: int) -> Table:
    """Seat 1 claims."""
    t = at_statement(players)
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("D")
    return t


def at_eye_claim(players: int) -> Table:
    """Seat 0 claims."""
    t = at_hand_claim(players)
    t.claim("DD")
    return t


def at_fasting(players: int) -> Table:
    """Seat 0 discards."""
    t = build_night(players)
    lay(t, "Fast", 0)
    return t


def at_doubting(players: int) -> Table:
    """Seat 0 discards a Disciple."""
    t = build_night(
        players, crises=("Doubt", "Fast", "Exile"), disciples={0: ["Gleaner", "Oracle"]}
    )
    lay(t, "Doubt", 0)
    return t


def at_indoctrination(players: int) -> Table:
    """Seat 4 buys or passes."""
    t = build(players, piles=[("Almoner", 1), ("Oracle", 1), None])
    t.rounds("SSSF")
    t.set_hands("DH")
    lay(t, "Exile", 0)
    return t


def at_payment(players: int) -> Table:
    """Seat 4 pays."""
    t = at_indoctrination(players)
    t.buy("Almoner")
    return t


PHASES: dict[str, Callable[[int], Table]] = {
    "call": at_call,
    "heralding": at_heralding,
    "statement": at_statement,
    "choice": at_choice,
    "gift": at_gift,
    "placement": at_placement,
    "hand_claim": at_hand_claim,
    "eye_claim": at_eye_claim,
    "night": build_night,
    "fasting": at_fasting,
    "doubting": at_doubting,
    "indoctrination": at_indoctrination,
    "payment": at_payment,
}


def test_every_kind_of_decision_is_tried() -> None:
    assert tuple(PHASES) == KINDS_OF_DECISIONS


@pytest.mark.parametrize("players", [5, 10])
@pytest.mark.parametrize("kind", PHASES)
def test_illegal_actions_are_refused(players: int, kind: str) -> None:
    t = PHASES[kind](players)
    assert t.kind == kind
    before = t.state.tobytes()
    legal = t.legal
    assert 0 < len(legal) < NUM_ACTIONS
    for action in (*range(-1, NUM_ACTIONS + 1), 10**9):
        if action not in legal:
            with pytest.raises(IllegalActionError):
                t.game.step(t.state, action)
    assert t.state.tobytes() == before


@pytest.mark.parametrize("kind", PHASES)
def test_the_view_of_the_player_to_act_says_what_is_legal(players: int, kind: str) -> None:
    # a mask tells nothing that the player does not know
    t = PHASES[kind](players)
    view = t.game.view(t.state, t.actor)
    assert (t.game.legal_actions(view) == t.game.legal_actions(t.state)).all()
    assert t.game.kind(view) == kind
    with pytest.raises(OptionError):
        t.game.legal_actions(t.game.view(t.state, t.after(t.actor)))


@pytest.mark.parametrize("kind", PHASES)
def test_names_of_actions_can_be_read_back(kind: str) -> None:
    t = PHASES[kind](7)
    for action in t.legal:
        name = t.game.action_name(action)
        assert name == name.strip() != ""
        assert t.game.parse_action(name) == action
