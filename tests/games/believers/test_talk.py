"""Talk (B21): statements before the choice, claims after the result."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from tests.games.believers.tables import Table, build, pair

TALK = {"talk": "claims"}


def at_statements(players: int, **arguments: object) -> Table:
    """Part I is over, everybody is to say something."""
    t = build(players, options=TALK, **arguments)  # type: ignore[arg-type]
    t.all_done()
    return t


def at_claims(players: int, **arguments: object) -> Table:
    """Seat 1 gave Devotion and Humility, seat 0 placed Devotion."""
    t = at_statements(players, **arguments)
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("D")
    return t


def test_no_talk_by_default(players: int) -> None:
    t = build(players)
    t.all_done()
    assert t.kind == "choice"
    t.choose(1)
    t.give("DH")
    t.place("D")
    assert t.kind == "call"
    assert (t["hand_claim"][0], t["eye_claim"][0]) == (-1, -1)


def test_nobody_is_called_on_while_statements_are_made(players: int) -> None:
    # the last player of Part I shames and enlists, and is then asked for a statement like others
    last = players - 1
    t = build(players, options=TALK, disciples={last: ["Almoner"]}, eye=0)
    t.done(last)
    t.enlist("Almoner")
    t.shame_player(1)
    assert (t["shamed_now"], t["enlisted_now"]) == (1, 1)
    t.done()
    for kind in (*["statement"] * players, "choice"):
        assert t.kind == kind
        assert (t["shamed_now"], t["enlisted_now"]) == (0, 0)
        if kind == "statement":
            t.silent()


def test_a_statement_each_in_the_order_of_part_one(players: int) -> None:
    # B21: before the Eye chooses the Hand
    t = at_statements(players, eye=3)
    asked = []
    while t.kind == "statement":
        asked.append(t.actor)
        t.silent()
    assert asked == [t.after(3, k) for k in range(players)]
    assert t.asked == (3, "choice")


def test_a_regent_does_not_change_the_order(players: int) -> None:
    # B8: the order of Part I
    t = build(players, options=TALK, disciples={2: ["Regent"]})
    t.done(2)
    t.enlist("Regent")
    t.all_done()
    assert t.asked == (0, "statement")
    while t.kind == "statement":
        t.silent()
    assert t.asked == (2, "choice")


def test_what_can_be_said(players: int) -> None:
    # B21: nothing, or a word on another player
    t = at_statements(players)
    others = players - 1
    assert t.legal == {
        act.SILENT,
        *range(act.ACCUSE, act.ACCUSE + others),
        *range(act.VOUCH, act.VOUCH + others),
    }


def test_statements_are_public_and_counted(players: int) -> None:
    # B21
    t = at_statements(players)
    t.accuse(2)
    t.vouch(0)
    t.silent()
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert view["statement"][:4].tolist() == [
            S.Statement.ACCUSE + 2,
            S.Statement.VOUCH + 0,
            S.Statement.SILENT,
            S.Statement.SILENT,
        ]
        assert view["accused"][0, 2] == view["vouched"][1, 0] == 1
        assert view["accused"].sum() == view["vouched"].sum() == 1
        (row,) = [row for row in view["log"] if row[0] == S.Event.SAID]
        assert S.unpacked(row)[:3] == [
            S.Statement.ACCUSE + 2,
            S.Statement.VOUCH + 0,
            S.Statement.SILENT,
        ]


def test_statements_are_of_one_round_counts_of_the_game(players: int) -> None:
    # B21
    t = at_statements(players)
    t.accuse(2)
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("D")
    t.claim(None)
    t.claim(None)
    assert t["statement"].tolist() == [0] * 10
    assert t["accused"][0, 2] == 1
    t.all_done()
    while t.actor != 0:
        t.silent()
    t.accuse(2)
    assert t["accused"][0, 2] == 2
    assert len(t.events(S.Event.SAID)) == 2


def test_statements_bind_nothing(players: int) -> None:
    # B21: the Eye chooses whom it has accused
    t = at_statements(players)
    t.accuse(1)
    while t.kind == "statement":
        t.silent()
    assert t.choices == list(range(1, players))


def test_first_the_hand_claims_then_the_eye(players: int) -> None:
    # B21: any unordered pair of ten kinds, or no claim
    t = at_claims(players)
    assert t.asked == (1, "hand_claim")
    assert t.claims == list(range(56))
    t.claim("CX")  # not true, and allowed
    assert t.asked == (0, "eye_claim")
    assert t.claims == list(range(56))
    t.claim("DH")
    assert t.asked == (1, "call")
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert (view["hand_claim"][0], view["eye_claim"][0]) == (pair("CX"), pair("DH"))
        assert t.events(S.Event.CLAIMED, viewer=viewer) == [
            (S.Event.CLAIMED, 1, pair("CX"), 0, 0, -1), (S.Event.CLAIMED, 0, pair("DH"), 1, 0, -1),
        ]  # fmt: skip


def test_no_claim_is_a_claim_declined(players: int) -> None:
    # B21: remembered too
    t = at_claims(players)
    t.claim(None)
    t.claim(None)
    assert (t["hand_claim"][0], t["eye_claim"][0]) == (S.NO_CLAIM, S.NO_CLAIM)
    assert t["hand_claim"][1] == -1


def test_claims_come_after_the_result_and_before_the_draws(players: int) -> None:
    # B12
    t = at_statements(players, disciples={})
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("H")
    assert t["mission_result"][0] == 0
    assert t.view(SPECTATOR)["mission_placed"][0].tolist() == [2, -1]
    assert t.draws() == []
    t.claim("DH")
    assert t.draws() == []
    t.claim("DH")
    assert [draw[:2] for draw in t.draws()] == [
        (0, S.Reason.AFTER_FAILURE),
        (1, S.Reason.AFTER_FAILURE),
    ]


@pytest.mark.parametrize("hand", ["D", ""])
def test_no_claims_when_fewer_than_two_were_given(players: int, hand: str) -> None:
    # B10, B21
    t = at_statements(players, hands={1: hand})
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    assert t.kind == "call"


@pytest.mark.parametrize("name", ["Apostle", "Lantern"])
def test_claims_are_asked_though_all_is_known(players: int, name: str) -> None:
    # B21: if two Virtues were given
    t = build(players, options=TALK, disciples={0: [name]})
    t.enlist(name)
    t.all_done()
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    if name == "Lantern":
        t.place("D")
    assert t.asked == (1, "hand_claim")


def test_a_blind_eye_claims(players: int) -> None:
    # Blindness: it sees both
    t = at_statements(players, row_crisis=(S.Trouble.BLINDNESS, 0))
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    assert t.asked == (1, "hand_claim")
    t.claim(None)
    assert t.asked == (0, "eye_claim")


def test_witnesses_look_before_the_claims(players: int) -> None:
    # B12
    t = build(players, options=TALK, disciples={2: ["Witness"]})
    t.done(2)
    t.enlist("Witness")
    t.all_done()
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("D")
    assert t.asked == (1, "hand_claim")
    assert t.view(2)["mission_given"][0] == pair("DH")


def test_claims_with_fewer_kinds() -> None:
    # options: k kinds, k (k + 1) / 2 pairs of them
    t = build(5, options={**TALK, "virtue_kinds": 3}, hands=dict.fromkeys(range(5), "DH"))
    t.all_done()
    while t.kind == "statement":
        t.silent()
    t.choose(1)
    t.give("DH")
    t.place("D")
    assert t.claims == sorted([*(pair(a) for a in ("DD", "DO", "DH", "OO", "OH", "HH")), 55])


def test_talk_without_part_one() -> None:
    # options: the round begins with the statements
    t = build(5, options={**TALK, "shame": False, "disciples": False})
    assert t.asked == (0, "statement")
