"""Part I: one opportunity each (B4), Shame (B5), the order of effects (B6), and Regents (B8)."""

from __future__ import annotations

import pytest

from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from tests.games.believers.tables import DISCIPLES, build


def test_everybody_is_asked_from_the_eye_leftwards(players: int) -> None:
    # B4
    t = build(players, eye=players - 2)
    asked = []
    while t.kind == "call":
        asked.append(t.actor)
        t.done()
    assert asked == [t.after(players - 2, k) for k in range(players)]
    assert t.asked == (players - 2, "choice")


def test_who_has_nothing_to_do_is_asked_too(players: int) -> None:
    # every decision is asked, even with one legal action
    t = build(players, shame={0: 2})
    assert t.asked == (0, "call")
    assert t.legal == {act.DONE}


def test_one_shame_and_one_disciple_in_any_order(players: int) -> None:
    # B4
    for first in ("shame", "disciple"):
        t = build(players, disciples={0: ["Almoner", "Gossip", "Lantern"]})
        if first == "shame":
            t.shame_player(2)
            t.enlist("Lantern")
        else:
            t.enlist("Lantern")
            t.shame_player(2)
        assert t.legal == {act.DONE}  # one's own word is needed for the end
        assert t.asked == (0, "call")
        assert t.shame(2) == 1
        assert t["lantern"] == 1
        assert t.disciples(0) == ["Almoner", "Gossip"]
        assert t.gone("Lantern") == 3  # two were not in play
        t.done()
        assert t.asked == (1, "call")


def test_only_one_disciple_and_only_one_shame(players: int) -> None:
    # B4: both sides of "up to one"
    t = build(players, disciples={0: ["Gossip", "Gossip", "Regent"]})
    assert {name for name, _ in t.enlists} == {"Gossip", "Regent"}
    t.enlist("Gossip", 1)
    assert t.enlists == set()
    assert t.shames == list(range(1, players))
    t.shame_player(1)
    assert t.shames == []
    assert t.shame(1) == 2


def test_done_is_not_reopened(players: int) -> None:
    # B4: who is done is not asked again in this round, but in the next
    t = build(players, disciples={0: ["Almoner"]})
    t.done()
    t.all_done()
    assert t.kind == "choice"
    t.choose(t.choices[0])
    t.give("DH")
    t.place("D")
    assert t.asked == (1, "call")
    t.done(players - 1)
    assert t.asked == (0, "call")
    assert t.enlists == {("Almoner", 0)}


def test_shame_goes_to_any_other_player(players: int) -> None:
    # B4, B5
    t = build(players, eye=1)
    assert t.shames == [seat for seat in range(players) if seat != 1]
    t.shame_player(0)
    assert t["shame_at"][1] == 0
    assert t.shame(0) == 1
    assert t.events(S.Event.SHAMED) == [(S.Event.SHAMED, 1, 0, 0, 0, -1)]


def test_the_own_card_alone_can_be_played(players: int) -> None:
    # B5: who has played it has none until the row ends, also when others' cards lie with him
    t = build(players, shame={0: 3, 1: 0, 2: 0})
    assert t.shames == []
    t.done()
    assert t.asked == (1, "call")
    assert t.shames == []
    t.done(2)
    assert t.asked == (3, "call")
    assert t.shames == [seat for seat in range(players) if seat != 3]


@pytest.mark.parametrize(
    ("cards", "gossips", "barred"), [(2, 0, 0), (3, 0, 1), (2, 1, 1), (0, 3, 1)]
)
def test_three_counts_bar_from_being_the_hand(
    players: int, cards: int, gossips: int, barred: int
) -> None:
    # B5: cards and Gossips together
    t = build(players, shame=dict.fromkeys(range(1, 1 + cards), 4), gossip={4: gossips})
    t.all_done()
    assert (4 not in t.choices) == bool(barred)
    assert t.choices == [k for k in range(1, players) if k != 4 or not barred]


def test_four_counts_bar_as_three_do(players: int) -> None:
    # B5: three or more
    t = build(players, shame={0: 4, 1: 4, 2: 4}, gossip={4: 1})
    t.all_done()
    assert t.shame(4) == 4
    assert 4 not in t.choices


def test_the_third_shame_works_in_the_same_round(players: int) -> None:
    # B5, B6
    t = build(players, shame={1: 3, 2: 3})
    t.shame_player(3)
    t.all_done()
    assert 3 not in t.choices


def test_shame_returns_at_the_end_of_the_row(players: int) -> None:
    # B5: and Gossip ends with the row; both stay from Mission to Mission within it
    t = build(players, shame={0: 2, 1: 2, 3: 2, 2: 1}, gossip={3: 2})
    for _ in range(3):
        t.round(won=True, hand=next(k for k in (4, 3, 1) if k not in (t.eye, int(t["last_hand"]))))
        assert (t.shame(2), t.shame(1), t.shame(3)) == (3, 1, 2)
    t.round(won=False)
    assert t["shame_at"][:players].tolist() == [S.OWN] * players
    assert t["gossip"].tolist() == [0] * 10
    t.pass_the_night()
    assert t.kind == "call"
    assert t.shames == [k for k in range(players) if k != t.actor]


def test_nobody_shames_twice_in_a_row_of_missions(players: int) -> None:
    # B5: a card removed by a Penitent comes back at the end of the row only
    t = build(players, disciples={1: ["Penitent"]})
    t.shame_player(3)
    t.done()
    t.enlist("Penitent", 3)
    assert t["shame_at"][0] == S.AWAY
    assert t.shame(3) == 0
    t.all_done()
    t.choose(3)
    t.give("DH")
    t.place("D")
    while t.actor != 0:
        t.done()
    assert t.asked == (0, "call")
    assert t.shames == []


def test_removed_cards_are_back_after_the_row(players: int) -> None:
    # B5
    t = build(players, disciples={0: ["Penitent"]}, shame={1: 3, 2: 3})
    t.enlist("Penitent", 3)
    t.rounds("SSS")
    assert t["shame_at"][:4].tolist() == [S.OWN, S.AWAY, S.AWAY, S.OWN]
    t.rounds("S")
    assert t["shame_at"][:players].tolist() == [S.OWN] * players


def test_a_shamed_eye_is_still_the_eye(players: int) -> None:
    # B5: three counts keep from being the Hand, from nothing else
    t = build(players, gossip={0: 3}, disciples={0: ["Almoner"]})
    assert t.shames == list(range(1, players))
    assert ("Almoner", 0) in t.enlists
    t.all_done()
    assert t.asked == (0, "choice")


def test_later_effects_override_earlier_ones(players: int) -> None:
    # B6: shamed out, pardoned, talked out again
    t = build(
        players, shame={0: 3, 1: 3, 2: 3},
        disciples={0: ["Penitent"], 1: ["Gossip"], 2: ["Penitent"], 4: ["Gossip"]},
    )  # fmt: skip
    t.enlist("Penitent", 3)
    assert t.shame(3) == 0
    t.done()
    t.enlist("Gossip", 3)
    assert t.shame(3) == 1
    t.done()
    t.enlist("Penitent", 3)
    assert t.shame(3) == 0
    t.done(2)
    t.enlist("Gossip", 3)
    assert t.shame(3) == 1
    t.all_done()
    assert 3 in t.choices


def test_a_penitent_does_not_open_a_door(players: int) -> None:
    # B6: it removes Shame alone; the Doorkeeper's word stands
    t = build(players, disciples={0: ["Doorkeeper"], 1: ["Penitent"]}, gossip={3: 3})
    t.enlist("Doorkeeper", 3)
    t.done()
    t.enlist("Penitent", 3)
    t.all_done()
    assert t.shame(3) == 0
    assert 3 not in t.choices


def test_a_disciple_does_not_let_a_muted_player_enlist(players: int) -> None:
    # B6, Muteness: neither Disciples nor Shame, but the player is asked
    for eye in (0, 1):
        t = build(
            players, eye=eye, disciples={0: ["Almoner", "Regent"], 1: ["Penitent"]},
            row_crisis=(S.Trouble.MUTENESS, 0),
        )  # fmt: skip
        if eye == 1:
            t.enlist("Penitent", 0)
            while t.actor != 0:
                t.done()
        assert t.asked == (0, "call")
        assert t.legal == {act.DONE}


def test_the_others_are_not_muted(players: int) -> None:
    # Muteness binds its target only; being shamed and chosen is possible
    t = build(players, disciples={1: ["Almoner"]}, row_crisis=(S.Trouble.MUTENESS, 0))
    t.done()
    assert ("Almoner", 1) in t.enlists
    assert 0 in t.shames
    t.shame_player(0)
    assert t.shame(0) == 1


def test_regent_is_the_acting_eye(players: int) -> None:
    # B8: the displaced Eye may be the Hand, the Regent may not
    t = build(players, disciples={3: ["Regent"]})
    t.done(3)
    t.enlist("Regent")
    assert (t["turn"], t.eye) == (0, 3)
    t.done()
    assert t.asked == (4, "call")  # Part I goes on as if nothing had happened
    t.all_done()
    assert t.asked == (3, "choice")
    assert t.choices == [k for k in range(players) if k != 3]
    t.choose(0)
    t.give("DH")
    assert t.asked == (3, "placement")
    t.place("H")
    assert t.mission(0) == {
        "pair": "DO", "row": 0, "eye": 3, "hand": 0, "placed": "H", "result": 0, "given": "DH",
    }  # fmt: skip
    # the acting Eye and the Hand draw
    assert [(who, why) for who, why, _ in t.draws()] == [
        (3, S.Reason.AFTER_FAILURE), (0, S.Reason.AFTER_FAILURE),
    ]  # fmt: skip


def test_the_order_of_eyes_goes_on_after_a_regent(players: int) -> None:
    # B8, B15
    t = build(players, disciples={3: ["Regent"]})
    t.done(3)
    t.enlist("Regent")
    t.all_done()
    t.choose(1)
    t.give("DH")
    t.place("D")
    assert (t["turn"], t.eye) == (1, 1)
    assert t.asked == (1, "call")


def test_the_last_regent_wins(players: int) -> None:
    # B6, B8; also the Eye itself can take the tablet back
    t = build(players, disciples={0: ["Regent"], 2: ["Regent"], 4: ["Regent"]})
    t.enlist("Regent")
    assert t.eye == 0
    t.done(2)
    t.enlist("Regent")
    assert t.eye == 2
    t.done(2)
    t.enlist("Regent")
    t.all_done()
    assert t.asked == (4, "choice")


def test_a_regent_who_was_the_last_hand_can_be_eye(players: int) -> None:
    # B8, B9: only being the Hand again is barred
    t = build(players, disciples={2: ["Regent"]}, last_hand=2)
    t.done(2)
    t.enlist("Regent")
    t.all_done()
    assert t.asked == (2, "choice")
    assert t.choices == [k for k in range(players) if k != 2]


@pytest.mark.parametrize("name", DISCIPLES)
def test_used_disciples_leave_the_game(players: int, name: str) -> None:
    # B2: every copy used is gone; Steadfast ones cannot be used
    t = build(players, disciples={0: [name, name]})
    before = t.gone(name)
    offers = [offer for offer in t.enlists if offer[0] == name]
    if name in ("Guardian", "Gleaner"):
        assert offers == []
        return
    t.enlist(*offers[0])
    assert t.disciples(0) == [name]
    assert t.gone(name) == before + 1
    assert t.events(S.Event.ENLISTED)[0][:3] == (S.Event.ENLISTED, 0, DISCIPLES.index(name))


def test_no_part_one_without_shame_and_disciples(players: int) -> None:
    # options: both off, no Part I; the Eye chooses at once
    t = build(players, options={"shame": False, "disciples": False})
    assert t.asked == (0, "choice")
