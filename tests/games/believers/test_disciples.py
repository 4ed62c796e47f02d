"""What each of the fifteen Disciples does, and on whom (B7)."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import state as S
from tests.games.believers.tables import (
    DEFECTORS,
    DISCIPLES,
    FOR_ANYBODY,
    FOR_NOBODY,
    FOR_OTHERS,
    LETTERS,
    Table,
    build,
    counts,
    pair,
    seats_of,
)


@pytest.mark.parametrize("name", FOR_ANYBODY + FOR_OTHERS + FOR_NOBODY)
def test_targets(players: int, name: str) -> None:
    # B7: Penitent, Gossip, Doorkeeper any player; all others another; some nobody
    t = build(players, disciples={2: [name]}, eye=2)
    seats = {
        FOR_ANYBODY: set(range(players)),
        FOR_OTHERS: set(range(players)) - {2},
        FOR_NOBODY: {2},
    }
    expected = next(found for names, found in seats.items() if name in names)
    assert {seat for offer, seat in t.enlists if offer == name} == expected


@pytest.mark.parametrize("name", FOR_ANYBODY + FOR_OTHERS)
def test_a_target_without_effect_is_legal(players: int, name: str) -> None:
    # B7: no Shame, no Virtues, a closed door, a Faith one knows
    t = build(players, disciples={0: [name], 1: ["Almoner"]}, hands={2: ""})
    t.enlist(name, 2)
    assert t.gone(name) == 3
    assert t.hand(0) == "DH"
    assert t.hand(2) == ""
    t.done()
    assert t.asked == (1, "call")


def test_almoner_draws_one(players: int) -> None:
    t = build(players, disciples={0: ["Almoner"]}, deck="C", hands={0: "DD"})
    t.enlist("Almoner")
    assert t.hand(0) == "DDC"
    assert t["deck_size"] == 0
    assert t.draws() == [(0, S.Reason.BY_ALMONER, "C")]


def test_only_the_drawer_knows_the_card(players: int) -> None:
    # B3
    t = build(players, disciples={0: ["Almoner"]}, deck="C")
    t.enlist("Almoner")
    for viewer in (*range(players), SPECTATOR):
        (event,) = t.events(S.Event.DREW, viewer=viewer)
        assert event == (S.Event.DREW, 0, S.Reason.BY_ALMONER, 0, 0, 3 if viewer == 0 else -1)


def test_almoner_draws_nothing_where_nothing_is(players: int) -> None:
    # B13: neither deck nor discards nor finished Missions
    t = build(players, disciples={0: ["Almoner"]}, deck="", hands={0: "DD"})
    t.enlist("Almoner")
    assert t.hand(0) == "DD"
    assert t.draws() == []


def test_penitent_removes_all_shame(players: int) -> None:
    # B5: cards and Gossips; the cards are back at the end of the row only
    t = build(players, disciples={0: ["Penitent"]}, shame={1: 4, 2: 4, 3: 1}, gossip={4: 2, 1: 1})
    t.enlist("Penitent", 4)
    assert t.shame(4) == 0
    assert t.shame(1) == 2
    assert t["shame_at"][:5].tolist() == [S.OWN, S.AWAY, S.AWAY, 1, S.OWN]


def test_penitent_on_oneself(players: int) -> None:
    # B7
    t = build(players, disciples={0: ["Penitent"]}, shame={1: 0, 2: 0, 3: 0}, gossip={0: 1})
    t.enlist("Penitent", 0)
    assert t.shame(0) == 0
    assert t.events(S.Event.ENLISTED) == [(S.Event.ENLISTED, 0, 1, 0, 0, -1)]


def test_gossip_counts_one_more(players: int) -> None:
    # B5, and on oneself too (B7)
    t = build(players, disciples={0: ["Gossip"], 1: ["Gossip"]}, shame={1: 2, 3: 2})
    t.enlist("Gossip", 2)
    assert t.shame(2) == 3
    t.done()
    t.enlist("Gossip", 1)
    assert t.shame(1) == 1
    t.all_done()
    assert 2 not in t.choices


def test_gossip_without_shame_cards(players: int) -> None:
    # options: shame off, Gossip still counts
    t = build(players, disciples={0: ["Gossip"]}, gossip={2: 2}, options={"shame": False})
    assert t.shames == []
    t.enlist("Gossip", 2)
    t.all_done()
    assert 2 not in t.choices


def test_confidant_sees_one_of_the_cards(players: int) -> None:
    # B7: any of them, seen by the user alone; everybody knows who looked at whom
    seen = set()
    for seed in range(30):
        t = build(players, disciples={0: ["Confidant"]}, hands={3: "DDC"}, seed=seed)
        t.enlist("Confidant", 3)
        (event,) = t.events(S.Event.ENLISTED)
        assert event[:4] == (S.Event.ENLISTED, 0, DISCIPLES.index("Confidant"), 3)
        seen.add(LETTERS[event[5]])
        assert t.hand(3) == "DDC"
        for viewer in (*range(players), SPECTATOR):
            secret = event[5] if viewer == 0 else -1
            assert t.events(S.Event.ENLISTED, viewer=viewer) == [(*event[:5], secret)]
            view = t.view(viewer)
            assert [view[f"glimpse_{x}"][0] for x in ("by", "of", "whole")] == [0, 3, 0]
            known = [int(kind == event[5]) for kind in range(10)] if viewer == 0 else [-1] * 10
            assert view["glimpse_hand"][0].tolist() == known
    assert seen == {"D", "C"}


def test_the_chance_of_a_confidant_is_by_card(players: int) -> None:
    # B7: a random Virtue, not a random kind: three D and one C
    found = 0
    for seed in range(160):
        t = build(players, disciples={0: ["Confidant"]}, hands={1: "DDDC"}, seed=seed)
        t.enlist("Confidant", 1)
        found += t.events(S.Event.ENLISTED)[0][5] == 3
    assert 18 <= found <= 62  # 40 expected, four deviations of 5.5


def test_herald_sees_the_next_mission(players: int) -> None:
    t = build(players, disciples={0: ["Herald"]}, mission="HC")
    t.enlist("Herald")
    assert t.asked == (0, "heralding")
    assert t.events(S.Event.ENLISTED)[0][5] == pair("HC")
    assert t.view(0)["next_mission"] == pair("HC")
    for viewer in (*range(1, players), SPECTATOR):
        assert t.view(viewer)["next_mission"] == -1
        assert t.events(S.Event.ENLISTED, viewer=viewer)[0][5] == -1
        assert seats_of(t.view(viewer)["next_seen"], players) == {0}
    t.herald(under=False)
    assert t.asked == (0, "call")
    t.all_done()
    t.choose(1)
    assert t.mission(0)["pair"] == "HC"
    assert t["next_mission"] == -1


def test_herald_puts_the_mission_under_the_deck(players: int) -> None:
    # decided at once; that it was put under is public, what it is is not
    t = build(players, disciples={0: ["Herald"]}, mission="HC")
    t.enlist("Herald")
    t.herald(under=True)
    assert (t["next_mission"], t["under_count"]) == (-1, 1)
    assert t["under"][0] == pair("HC")
    for viewer in (*range(players), SPECTATOR):
        assert t.events(S.Event.HERALDED, viewer=viewer) == [(S.Event.HERALDED, 0, 1, 0, 0, -1)]
        assert t.view(viewer)["under"][0] == (pair("HC") if viewer == 0 else -1)
        assert t.view(viewer)["under_count"] == 1
    t.all_done()
    t.choose(1)
    assert t["under_count"] == 1  # another one came


def test_a_second_herald_sees_the_same_mission_left_there(players: int) -> None:
    # both know it then
    t = build(players, disciples={0: ["Herald"], 1: ["Herald"]}, mission="HC")
    t.enlist("Herald")
    t.herald(under=False)
    t.done()
    t.enlist("Herald")
    assert t.events(S.Event.ENLISTED)[1][5] == pair("HC")
    assert seats_of(t["next_seen"], players) == {0, 1}
    t.herald(under=True)
    assert seats_of(t["under_seen"][0], players) == {0, 1}
    assert [t.view(k)["under"][0] for k in range(3)] == [pair("HC"), pair("HC"), -1]


def play_all(t: Table, results: str) -> list[str]:
    """Play so many Missions of Devotion and Obedience as they come; return what came."""
    found = []
    for result in results:
        t.pass_the_night()
        t.set_hands("DH")
        t.all_done()
        t.choose(t.choices[0])
        found.append(t.mission(int(t["mission"]))["pair"])
        t.give("DH")
        t.place("D" if result == "S" else "H")
    return found


def test_missions_put_under_come_after_all_others(players: int) -> None:
    # in the order in which they were put there: the longest game, with 13 Missions
    t = build(players, disciples={0: ["Herald"], 1: ["Herald"]}, mission="HC")
    t.state["mission_copies"] = 0
    t.state["mission_copies"][0, [pair("DO"), pair("HC"), pair("PR")]] = [11, 1, 1]
    t.enlist("Herald")
    t.herald(under=True)
    t.done()
    t.set_next_mission("PR")
    t.enlist("Herald")
    t.herald(under=True)
    assert t["under"][:3].tolist() == [pair("HC"), pair("PR"), -1]
    assert play_all(t, "SFSFSSSSSFF") == ["DO"] * 11  # 1-0, 3-0, 3-1
    assert t["under_count"] == 2
    assert play_all(t, "S") == ["HC"]  # Devotion is not asked for: it fails, 3-3 at the peak
    assert t["under"][:2].tolist() == [pair("PR"), -1]
    assert (t["under_count"], t["under_seen"][0]) == (1, 2)
    t.set_hands("DH")
    t.all_done()
    t.choose(t.choices[0])
    assert t.mission(12)["pair"] == "PR"
    assert t["under_count"] == 0


def test_a_herald_at_the_last_mission(players: int) -> None:
    # what was put under is on top when nothing else is left, and can only go there again
    t = build(players, disciples={0: ["Herald"]}, mission="HC")
    t.state["mission_copies"] = 0
    t.state["mission_copies"][0, [pair("DO"), pair("HC")]] = [12, 1]
    t.enlist("Herald")
    t.herald(under=True)
    assert play_all(t, "SFSFSSSSSFFF") == ["DO"] * 12
    t.set_disciples(t.actor, "Herald")
    seat = t.actor
    t.enlist("Herald")
    assert t.events(S.Event.ENLISTED)[-1][5] == pair("HC")
    assert seats_of(t["next_seen"], players) == {0, seat}
    t.herald(under=True)
    assert t["under_count"] == 1
    t.set_hands("DH")
    t.all_done()
    t.choose(t.choices[0])
    assert t.mission(12)["pair"] == "HC"


def test_inquisitor_sees_the_whole_hand(players: int) -> None:
    # B7: the user alone; that it happened is public
    t = build(players, disciples={0: ["Inquisitor"]}, hands={2: "DOCX"})
    t.enlist("Inquisitor", 2)
    seen = counts("DOCX")
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert [view[f"glimpse_{x}"][0] for x in ("by", "of", "whole")] == [0, 2, 1]
        assert view["glimpse_hand"][0].tolist() == (seen if viewer == 0 else [-1] * 10)
        looks = t.events(S.Event.LOOKED, viewer=viewer)
        assert len(looks) == (viewer == 0)
    row = next(row for row in t.view(0)["log"] if row[0] == S.Event.LOOKED)
    assert S.unpacked(row) == seen
    assert row[1] == 2
    assert t.events(S.Event.ENLISTED, viewer=1) == [(S.Event.ENLISTED, 0, 5, 2, 0, -1)]


def test_doorkeeper_keeps_out_for_this_round(players: int) -> None:
    t = build(players, disciples={0: ["Doorkeeper"], 1: ["Doorkeeper"]})
    t.enlist("Doorkeeper", 3)
    t.done()
    t.enlist("Doorkeeper", 1)  # oneself
    t.all_done()
    assert seats_of(t["barred"], players) == {1, 3}
    assert t.choices == [k for k in range(1, players) if k not in (1, 3)]
    t.choose(2)
    t.give("DH")
    t.place("D")
    t.all_done()
    assert seats_of(t["barred"], players) == set()
    assert 3 in t.choices


def test_a_doorkeeper_can_bar_the_eye_for_a_regents_round(players: int) -> None:
    # B7, B8: the displaced Eye would have been a candidate
    t = build(players, disciples={1: ["Doorkeeper"], 2: ["Regent"]})
    t.done()
    t.enlist("Doorkeeper", 0)
    t.done()
    t.enlist("Regent")
    t.all_done()
    assert t.choices == [k for k in range(1, players) if k != 2]


def test_mendicant_takes_a_random_card(players: int) -> None:
    # B7: both parties learn it, others only that a card moved
    seen = set()
    for seed in range(30):
        t = build(players, disciples={0: ["Mendicant"]}, hands={0: "D", 3: "OOC"}, seed=seed)
        t.enlist("Mendicant", 3)
        (event,) = t.events(S.Event.ENLISTED)
        kind = LETTERS[event[5]]
        seen.add(kind)
        assert sorted(t.hand(0)) == sorted("D" + kind)
        assert sorted(t.hand(3) + kind) == sorted("OOC")
        for viewer in (*range(players), SPECTATOR):
            secret = event[5] if viewer in (0, 3) else -1
            assert t.events(S.Event.ENLISTED, viewer=viewer) == [(*event[:5], secret)]
            assert t.view(viewer)["hand_count"][[0, 3]].tolist() == [2, 2]
            # who lost it knows a card of the other's hand
            view = t.view(viewer)
            assert [view[f"glimpse_{x}"][0] for x in ("by", "of", "whole")] == [3, 0, 0]
            known = counts(kind) if viewer == 3 else [-1] * 10
            assert view["glimpse_hand"][0].tolist() == known
    assert seen == {"O", "C"}


def test_mendicant_at_an_empty_hand(players: int) -> None:
    # B7: legal, without effect
    t = build(players, disciples={0: ["Mendicant"]}, hands={0: "D", 3: ""})
    t.enlist("Mendicant", 3)
    assert (t.hand(0), t.hand(3)) == ("D", "")
    assert t.events(S.Event.ENLISTED)[0][5] == -1


def test_guardian_takes_no_notice_of_shame(players: int) -> None:
    # Steadfast; only Shame's bar is lifted (B9)
    t = build(players, disciples={3: ["Guardian"]}, gossip={3: 3, 2: 3})
    t.all_done()
    assert t.choices == [k for k in range(1, players) if k != 2]


@pytest.mark.parametrize("bar", ["last hand", "exile", "doorkeeper"])
def test_guardian_does_not_lift_other_bars(players: int, bar: str) -> None:
    # B9
    t = build(
        players, disciples={0: ["Doorkeeper"], 3: ["Guardian"]},
        last_hand=3 if bar == "last hand" else -1, exiled=3 if bar == "exile" else None,
    )  # fmt: skip
    if bar == "doorkeeper":
        t.enlist("Doorkeeper", 3)
    t.all_done()
    assert 3 not in t.choices


def test_gleaner_draws_on_every_failure(players: int) -> None:
    # B12: after Eye and Hand, clockwise from the Eye, one for each card; Steadfast, it stays
    t = build(players, eye=1, disciples={0: ["Gleaner"], 3: ["Gleaner", "Gleaner"]})
    t.round(won=False, hand=2)
    fail, glean = S.Reason.AFTER_FAILURE, S.Reason.BY_GLEANER
    assert [draw[:2] for draw in t.draws()] == [
        (1, fail), (2, fail), (3, glean), (3, glean), (0, glean),
    ]  # fmt: skip
    assert t.disciples(3) == ["Gleaner", "Gleaner"]


def test_gleaner_draws_nothing_on_success(players: int) -> None:
    t = build(players, disciples={0: ["Gleaner"], 3: ["Gleaner"]})
    t.round(won=True)
    assert t.draws() == []


def test_gleaners_clockwise_from_the_acting_eye(players: int) -> None:
    # B8, B12: "the Eye" is the acting Eye
    t = build(players, disciples={1: ["Gleaner"], 3: ["Gleaner"], 2: ["Regent"]})
    t.done(2)
    t.enlist("Regent")
    t.mission_to(0)
    t.give("DH")
    t.place("H")
    assert [who for who, why, _ in t.draws() if why == S.Reason.BY_GLEANER] == [3, 1]


@pytest.mark.parametrize("target", [3, 4])
def test_oracle_sees_a_faith(players: int, target: int) -> None:
    # only the user; that it was asked is public
    t = build(players, disciples={0: ["Oracle"]}, defectors=_defectors_with_four(players))
    t.enlist("Oracle", target)
    faith = int(target == 4)
    assert t.events(S.Event.ENLISTED)[0][5] == faith
    assert t.view(0)["faith"][target] == faith
    for viewer in (1, SPECTATOR):
        view = t.view(viewer)
        assert view["faith"][target] == -1
        assert t.events(S.Event.ENLISTED, viewer=viewer)[0][5] == -1
        assert seats_of(view["faith_seen"][target], players) == {0}
    # the target does not learn more of the user either
    assert t.view(3)["faith"][0] == -1


def _defectors_with_four(players: int) -> list[int]:
    """Seat 4 and others than 0, 1 and 3."""
    others = [2, *range(5, players)]
    return [4, *others[: DEFECTORS[players] - 1]]


def test_witness_sees_the_pair_after_the_mission(players: int) -> None:
    # B11: in a successful round too
    for won in (True, False):
        t = build(players, disciples={3: ["Witness"]})
        t.done(3)
        t.enlist("Witness")
        assert seats_of(t["witnesses"], players) == {3}
        t.mission_to(1)
        t.give("DH")
        assert t.view(3)["mission_given"][0] == -1
        t.place("D" if won else "H")
        for viewer in (*range(players), SPECTATOR):
            expected = pair("DH") if viewer in (0, 1, 3) else -1
            assert t.view(viewer)["mission_given"][0] == expected
            (event,) = t.events(S.Event.WITNESSED, viewer=viewer)
            assert event == (S.Event.WITNESSED, 3, 0, 0, 0, pair("DH") if viewer == 3 else -1)
        assert seats_of(t["given_known"][0], players) == {0, 1, 3}
        t.all_done()
        assert seats_of(t["witnesses"], players) == set()


def test_two_witnesses(players: int) -> None:
    # B12
    t = build(players, disciples={3: ["Witness"], 2: ["Witness"]})
    t.done(2)
    t.enlist("Witness")
    t.done()
    t.enlist("Witness")
    t.mission_to(1)
    t.give("DH")
    t.place("D")
    assert {event[1] for event in t.events(S.Event.WITNESSED)} == {2, 3}
    assert seats_of(t["given_known"][0], players) == {0, 1, 2, 3}


def test_lantern_shows_the_pair_before_the_eye_chooses(players: int) -> None:
    # B11: unordered
    t = build(players, disciples={3: ["Lantern"]})
    t.done(3)
    t.enlist("Lantern")
    t.mission_to(1)
    t.give("HD")
    assert t.asked == (0, "placement")
    for viewer in (*range(players), SPECTATOR):
        assert t.view(viewer)["mission_given"][0] == pair("DH")
        assert t.events(S.Event.GAVE, viewer=viewer) == [(S.Event.GAVE, 1, 0, 0, 0, pair("DH"))]
    t.place("D")
    assert t.view(SPECTATOR)["mission_given"][0] == pair("DH")
    t.all_done()
    assert t["lantern"] == 0


def test_without_a_lantern_hand_and_eye_alone_know(players: int) -> None:
    # B10: and remember
    t = build(players)
    t.mission_to(1)
    t.give("HD")
    for _ in range(2):
        for viewer in (*range(players), SPECTATOR):
            known = pair("DH") if viewer in (0, 1) else -1
            assert t.view(viewer)["mission_given"][0] == known
            assert t.events(S.Event.GAVE, viewer=viewer)[0] == (S.Event.GAVE, 1, 0, 0, 0, known)
        if t.kind == "placement":
            t.place("D")
            t.round(won=True)


@pytest.mark.parametrize(
    ("gift", "result"), [("DH", 1), ("OP", 1), ("DO", 1), ("HC", 0), ("HH", 0)]
)
def test_apostle_places_both(players: int, gift: str, result: int) -> None:
    # B11: success if either matches; the Eye keeps none and is not asked
    t = build(players, disciples={2: ["Apostle"]}, hands={1: gift})
    t.done(2)
    t.enlist("Apostle")
    t.mission_to(1)
    t.give(gift)
    assert sorted(t.mission(0)["placed"]) == sorted(gift)
    assert t.mission(0)["result"] == result
    assert t.asked == (1, "call")
    drawn = sum(1 for who, _, _ in t.draws() if who == 0)
    assert t["hand_count"][0] == 2 + drawn
    assert t["hand_count"][1] == (0 if result else 1)
    assert t["apostle"] == 0
    assert t.view(SPECTATOR)["mission_placed"][0].tolist() == t["mission_placed"][0].tolist()


def test_apostle_is_for_one_round(players: int) -> None:
    # B11
    t = build(players, disciples={0: ["Apostle"]})
    t.enlist("Apostle")
    t.mission_to(1)
    t.give("DH")
    t.round(won=True)
    assert len(t.mission(1)["placed"]) == 1
