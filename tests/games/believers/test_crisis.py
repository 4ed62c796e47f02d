"""The night (B16) and what each Crisis does to its target."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from tests.games.believers.tables import (
    CRISES,
    DEFECTORS,
    LETTERS,
    Table,
    build,
    build_night,
    counts,
    lay,
    seats_of,
)


def laid(t: Table) -> tuple[str, int, int]:
    """The Crisis that was laid, on whom, and whether a Guardian kept it off."""
    event = t.events(S.Event.LAID)[-1]
    return CRISES[event[2]], event[3], event[4]


# nominations


def test_every_defector_nominates_from_the_next_eye_clockwise(players: int) -> None:
    # B16
    count = DEFECTORS[players]
    for defectors in (range(count), range(players - count, players), [4, *range(count - 1)]):
        t = build_night(players, defectors=defectors)
        asked = []
        while t.kind == "night":
            asked.append(t.actor)
            t.step(min(t.legal))
        order = [t.after(4, k) for k in range(players)]
        assert asked == [seat for seat in order if seat in defectors]


def test_the_next_eye_nominates_first_if_a_defector(players: int) -> None:
    # B16
    assert build_night(players, defectors=[*range(1, DEFECTORS[players]), 4]).asked == (4, "night")


def test_any_crisis_on_the_table_and_any_other_player(players: int) -> None:
    # B16: another Defector too
    t = build_night(players, crises=("Doubt", "Tithe", "Poverty"))
    actor = t.actor
    assert t.nominations == {
        (crisis, seat)
        for crisis in ("Doubt", "Tithe", "Poverty")
        for seat in range(players)
        if seat != actor
    }


def test_a_used_crisis_cannot_be_nominated(players: int) -> None:
    # B16: used up
    t = build_night(players, crises=("Fast", "Exile", "Tithe"))
    lay(t, "Exile", 0)
    assert laid(t) == ("Exile", 0, 0)
    assert t.crises == ["Fast", None, "Tithe"]
    t.refuse(players)
    t.rounds("SSF")
    assert t.kind == "night"
    assert {crisis for crisis, _ in t.nominations} == {"Fast", "Tithe"}
    lay(t, "Tithe", 0)
    assert t.crises == ["Fast", None, None]


def nominate_all(t: Table, *pairs: tuple[str, int]) -> tuple[str, int]:
    """Let the Defectors nominate these in order, the last one for those left over."""
    for k in range(DEFECTORS[t.n]):
        t.nominate(*pairs[min(k, len(pairs) - 1)])
    assert t.kind != "night"
    return laid(t)[:2]


def test_most_nominations_win(players: int) -> None:
    # B16: here two for the second pair, or a tie of two Defectors
    if DEFECTORS[players] == 2:
        t = build_night(players, defectors=(0, 1))
        assert nominate_all(t, ("Exile", 2), ("Exile", 2)) == ("Exile", 2)
    else:
        t = build_night(players)
        assert nominate_all(t, ("Fast", 1), ("Exile", 2), ("Exile", 2)) == ("Exile", 2)


def test_ties_go_to_the_earliest_made(players: int) -> None:
    # B16: the same Crisis on another, or another Crisis on the same, is another pair
    t = build_night(players)
    pairs = [("Tithe", 2), ("Tithe", 1), ("Fast", 2), ("Fast", 1)]
    assert nominate_all(t, *pairs) == ("Tithe", 2)


def test_two_against_two(players: int) -> None:
    # B16: of four Defectors; the pair first named wins, whoever comes last
    if DEFECTORS[players] == 4:
        t = build_night(players)
        pairs = [("Tithe", 2), ("Fast", 1), ("Fast", 1), ("Tithe", 2)]
        assert nominate_all(t, *pairs) == ("Tithe", 2)
        t = build_night(players)
        pairs = [("Fast", 1), ("Tithe", 2), ("Exile", 0), ("Tithe", 2)]
        assert nominate_all(t, *pairs) == ("Tithe", 2)


def test_a_defector_can_be_the_target(players: int) -> None:
    # B16
    t = build_night(players, defectors=[4, *range(DEFECTORS[players] - 1)])
    assert t.asked == (4, "night")
    while t.kind == "night":  # all for seat 0, a Defector, who names another
        t.nominate("Exile", 0 if t.actor != 0 else 2)
    assert laid(t) == ("Exile", 0, 0)
    assert t["faith"][0] == S.Faith.DEFECTOR


def test_defectors_see_the_nominations_made_before(players: int) -> None:
    # B16: and remember all of them; nobody else learns anything but the result
    t = build_night(players)
    defectors = set(range(players - DEFECTORS[players], players))
    made: list[int] = []
    while t.kind == "night":
        for viewer in range(players):
            view = t.view(viewer)
            if viewer in defectors:
                assert view["nominations"] == len(made)
                assert view["nominated"][: len(made)].tolist() == made
            else:
                assert view["nominations"] == 0
                assert view["nominated"].tolist() == [-1] * 4
        t.nominate("Fast", 1)
        made.append(S.SEATS * CRISES.index("Fast") + 1)
    for viewer in (*range(players), SPECTATOR):
        seen = t.events(S.Event.NOMINATED, viewer=viewer)
        assert len(seen) == (len(defectors) if viewer in defectors else 0)
        assert t.events(S.Event.LAID, viewer=viewer) == [(S.Event.LAID, -1, 0, 1, 0, -1)]


def test_nights_without_crises(players: int) -> None:
    # options: crises off, no night; Indoctrination stays
    t = build_night(players, options={"crises": False})
    assert t.asked == (4, "indoctrination")
    assert t.crises == [None] * 3


def test_after_the_night_comes_indoctrination(players: int) -> None:
    # B12: the Eye moves, Crisis, Indoctrination
    t = build_night(players)
    lay(t, "Exile", 0)
    assert t.asked == (4, "indoctrination")


def test_a_regent_changes_nothing_in_night_and_indoctrination(players: int) -> None:
    # B8: they follow the order of Eyes
    t = build(players, defectors=[*range(1, DEFECTORS[players]), 4])
    t.rounds("SSS")
    assert t.actor == 3
    t.set_disciples(3, "Regent")
    t.set_disciples(2, "Regent")
    t.set_hands("DH")
    while t.actor != 2:
        t.done()
    t.enlist("Regent")
    t.set_next_mission("DO")
    t.all_done()
    t.choose(3)
    t.give("DH")
    t.place("H")
    assert t["mission_eye"][3] == 2
    assert t.asked == (4, "night")
    t.nominate("Exile", 0)
    lay(t, "Exile", 0)
    assert t.asked == (4, "indoctrination")


def test_without_disciples_the_next_round_follows(players: int) -> None:
    # options: disciples off, no Indoctrination; a Poverty and a Doubt have no effect then
    for crisis in ("Poverty", "Doubt", "Exile"):
        t = build_night(players, crises=(crisis, "Fast", "Tithe"), options={"disciples": False})
        lay(t, crisis, 0)
        assert t.asked == (4, "call")


# Guardian


@pytest.mark.parametrize("crisis", CRISES)
def test_guardian_keeps_every_crisis_off(players: int, crisis: str) -> None:
    # B16: its owner is a legal target, the Crisis is used up without effect
    others = [name for name in CRISES if name != crisis][:2]
    t = build_night(players, crises=(crisis, *others), disciples={0: ["Guardian", "Almoner"]})
    hands = t.hands()
    lay(t, crisis, 0)
    assert laid(t) == (crisis, 0, 1)
    assert t.crises == [None, *others]
    assert t.hands() == hands
    assert t.disciples(0) == ["Almoner", "Guardian"]
    assert t["row_crisis"] == -1
    assert t.asked == (4, "indoctrination")
    assert t.events(S.Event.SHOWN, S.Event.TITHED, S.Event.DISCARDED, S.Event.DISMISSED) == []
    asked = []
    while t.kind == "indoctrination":
        asked.append(t.actor)
        t.refuse()
    assert 0 in asked
    assert t["passed"] >= 0


def test_a_guardian_bought_later_does_not_help(players: int) -> None:
    # B16: tested when the Crisis is laid
    t = build_night(players)
    lay(t, "Exile", 0)
    t.set_disciples(0, "Guardian")
    t.refuse(players)
    t.all_done()
    assert 0 not in t.choices


def test_a_guardian_of_another_does_not_help(players: int) -> None:
    # all Crises bind only the target
    t = build_night(players, disciples={1: ["Guardian"]})
    lay(t, "Exile", 0)
    assert laid(t) == ("Exile", 0, 0)
    assert (t["row_crisis"], t["row_target"]) == (S.Trouble.EXILE, 0)


# the eight


def test_fast_discards_two_of_ones_choice(players: int) -> None:
    t = build_night(players)
    t.set_hand(0, "DHC")
    lay(t, "Fast", 0)
    assert t.asked == (0, "fasting")
    assert t["due"] == 2
    assert t.discardable == "DHC"
    t.discard("C")
    assert t.asked == (0, "fasting")
    assert t.discardable == "DH"
    t.discard("D")
    assert t.asked == (4, "indoctrination")
    assert t.hand(0) == "H"
    assert t.heap("discards") == "DC"
    for viewer in (*range(players), SPECTATOR):  # face up (B3)
        seen = t.events(S.Event.DISCARDED, viewer=viewer)
        assert seen == [
            (S.Event.DISCARDED, 0, 3, -1, -1, -1),
            (S.Event.DISCARDED, 0, 0, -1, -1, -1),
        ]


@pytest.mark.parametrize(("hand", "asked"), [("", 0), ("C", 1), ("CC", 2)])
def test_fast_with_few_cards(players: int, hand: str, asked: int) -> None:
    # as many as there are; none: no effect
    t = build_night(players)
    t.set_hand(0, hand)
    lay(t, "Fast", 0)
    for _ in range(asked):
        assert t.asked == (0, "fasting")
        assert t.discardable == "C"
        t.discard("C")
    assert t.asked == (4, "indoctrination")
    assert t.hand(0) == ""
    assert t.heap("discards") == hand


def test_testimony_shows_all_virtues(players: int) -> None:
    # a snapshot that everybody remembers
    t = build_night(players, crises=("Testimony", "Exile", "Fast"))
    t.set_hand(0, "DHCX")
    lay(t, "Testimony", 0)
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert [view[f"glimpse_{x}"][0] for x in ("by", "of", "at", "whole")] == [10, 0, 4, 1]
        assert view["glimpse_hand"][0].tolist() == counts("DHCX")
        (row,) = [row for row in view["log"] if row[0] == S.Event.SHOWN]
        assert S.unpacked(row) == counts("DHCX")
    t.set_hand(0, "O")
    assert t.view(SPECTATOR)["glimpse_hand"][0].tolist() == counts("DHCX")
    assert t.view(1)["hand"][0].tolist() == [-1] * 10
    assert t.asked == (4, "indoctrination")


def test_doubt_discards_a_disciple_of_ones_choice(players: int) -> None:
    # Steadfast ones included, in force or not
    t = build_night(
        players, crises=("Doubt", "Exile", "Fast"),
        disciples={0: ["Gleaner", "Almoner", "Almoner", "Oracle"]},
    )  # fmt: skip
    lay(t, "Doubt", 0)
    assert t.asked == (0, "doubting")
    assert t.dismissable == {"Gleaner", "Almoner", "Oracle"}
    before = t.gone("Gleaner")
    t.dismiss("Gleaner")
    assert t.disciples(0) == ["Almoner", "Almoner", "Oracle"]
    assert t.gone("Gleaner") == before + 1
    assert t.asked == (4, "indoctrination")
    assert t.events(S.Event.DISMISSED, viewer=SPECTATOR) == [(S.Event.DISMISSED, 0, 10, 0, 0, -1)]


@pytest.mark.parametrize("held", [[], ["Oracle"]])
def test_doubt_with_few_disciples(players: int, held: list[str]) -> None:
    # none: no effect; one: asked all the same
    t = build_night(players, crises=("Doubt", "Exile", "Fast"), disciples={0: held})
    lay(t, "Doubt", 0)
    if held:
        assert t.asked == (0, "doubting")
        t.dismiss("Oracle")
    assert t.asked == (4, "indoctrination")
    assert t.disciples(0) == []


def test_muteness_lasts_for_the_next_row(players: int) -> None:
    # no Disciple, no Shame; buying, being shamed and being the Hand are possible
    t = build_night(
        players, crises=("Muteness", "Exile", "Fast"), disciples={0: ["Almoner"], 2: ["Almoner"]}
    )
    lay(t, "Muteness", 0)
    assert (t["row_crisis"], t["row_target"]) == (S.Trouble.MUTENESS, 0)
    asked = []
    while t.kind == "indoctrination":
        asked.append(t.actor)
        t.refuse()
    assert 0 in asked
    for k in range(3):
        while t.actor != 0:
            assert len(t.legal) > 1
            t.done()
        assert t.asked == (0, "call")
        assert t.legal == {act.DONE}
        finish(t, won=k == 0)
    assert t.kind == "night"
    assert t["row_crisis"] == -1
    lay(t, "Exile", 2)
    t.refuse(players)
    while t.actor != 0:
        t.done()
    assert ("Almoner", 0) in t.enlists
    assert t.shames == list(range(1, players))


def finish(t: Table, won: bool) -> None:
    """Go on from Part I to the next decision after the Mission."""
    t.set_hands("DH")
    t.set_next_mission("DO")
    t.all_done()
    t.choose(t.choices[0])
    t.give("DH")
    t.place("D" if won else "H")


def test_a_muted_owner_keeps_steadfast_disciples(players: int) -> None:
    # Muteness: Steadfast ones keep working
    t = build_night(players, crises=("Muteness", "Exile", "Fast"), disciples={2: ["Gleaner"]})
    lay(t, "Muteness", 2)
    t.refuse(players)
    t.state["log_count"], t.state["log"] = 0, 0
    t.round(won=False, hand=1)
    assert (2, S.Reason.BY_GLEANER) in [draw[:2] for draw in t.draws()]


def test_exile_lasts_for_the_next_row(players: int) -> None:
    # not the Hand; the exiled is Eye, enlists and shames as ever
    t = build_night(players)
    lay(t, "Exile", 0)
    t.refuse(players)
    for won in (True, False, True):
        t.set_hands("DH")
        t.set_next_mission("DO")
        while t.actor != 0:
            t.done()
        assert len(t.shames) == players - 1
        t.all_done()
        assert t.eye == 0 or 0 not in t.choices
        t.choose(t.choices[0])
        t.give("DH")
        t.place("D" if won else "H")
    assert t["row_crisis"] == -1
    lay(t, "Fast", 0)
    t.pass_the_night()
    t.all_done()
    assert 0 in t.choices or 0 in (t.eye, int(t["last_hand"]))


def test_poverty_binds_nobody_where_there_is_no_indoctrination(players: int) -> None:
    # nothing of it is left in the row that follows
    options = {"disciples": False}
    t = build_night(players, crises=("Poverty", "Fast", "Tithe"), options=options)
    lay(t, "Poverty", 0)
    assert t.kind == "call"
    assert (t["row_crisis"], t["row_target"]) == (-1, -1)
    for seat in range(players):
        seen = GAME.observation.decode(t.game.encode(t.game.view(t.state, seat))[0])
        assert not seen["row_crisis"].any()
        assert not seen["row_target"].any()


def test_poverty_skips_the_next_indoctrination(players: int) -> None:
    # skipped, not asked; only the next one
    t = build_night(players, crises=("Poverty", "Exile", "Fast"))
    lay(t, "Poverty", 0)
    assert seats_of(t["passed"], players) == {0}
    asked = []
    while t.kind == "indoctrination":
        assert (t["row_crisis"], t["row_target"]) == (S.Trouble.POVERTY, 0)
        asked.append(t.actor)
        t.refuse()
    assert sorted(asked) == list(range(1, players))
    assert t["row_crisis"] == -1  # it is over with the Indoctrination
    t.rounds("SSF")
    lay(t, "Exile", 0)
    asked = []
    while t.kind == "indoctrination":
        asked.append(t.actor)
        t.refuse()
    assert sorted(asked) == list(range(players))


def test_poverty_of_the_next_eye(players: int) -> None:
    # the second seat begins
    t = build_night(
        players, crises=("Poverty", "Exile", "Fast"), defectors=range(DEFECTORS[players])
    )
    lay(t, "Poverty", 4)
    assert t.asked == (t.after(4), "indoctrination")


def test_blindness_lasts_for_the_next_row(players: int) -> None:
    # a random one of the two is placed whenever the target is the acting Eye
    placed = set()
    for seed in range(8):
        t = build_night(
            players, crises=("Blindness", "Exile", "Fast"), defectors=range(DEFECTORS[players]),
            seed=seed,
        )  # fmt: skip
        lay(t, "Blindness", 4)
        t.refuse(players)
        assert t.eye == 4
        t.set_next_mission("DO")
        t.all_done()
        t.choose(1)
        t.give("DH")
        assert t.asked == (t.after(4), "call")
        placed.add(t.mission(4)["placed"])
    assert placed == {"D", "H"}
    finish(t, won=True)  # another Eye chooses


def test_tithe_gives_two_random_virtues_to_the_next_player(players: int) -> None:
    # both parties learn them, others only that cards moved (B7)
    seen = set()
    for seed in range(12):
        t = build_night(players, seed=seed)
        t.set_hand(0, "OOCC")
        t.set_hand(1, "D")
        lay(t, "Tithe", 0)
        assert t.asked == (4, "indoctrination")
        given = [LETTERS[event[5]] for event in t.events(S.Event.TITHED)]
        assert len(given) == 2
        seen.add("".join(sorted(given)))
        assert sorted(t.hand(1)) == sorted(["D", *given])
        assert sorted([*t.hand(0), *given]) == ["C", "C", "O", "O"]
        for viewer in (*range(players), SPECTATOR):
            events = t.events(S.Event.TITHED, viewer=viewer)
            assert [event[1:3] for event in events] == [(0, 1)] * 2
            secrets = {event[5] for event in events}
            assert (secrets == {-1}) == (viewer not in (0, 1))
    assert len(seen) >= 2  # of CC, CO and OO


@pytest.mark.parametrize("hand", ["", "C"])
def test_tithe_of_few(players: int, hand: str) -> None:
    # as many as there are; the last seat gives to the first
    last = players - 1
    t = build_night(players, defectors=range(DEFECTORS[players]))
    t.set_hand(last, hand)
    t.set_hand(0, "D")
    lay(t, "Tithe", last)
    assert t.hand(last) == ""
    assert t.hand(0) == "D" + hand
    assert len(t.events(S.Event.TITHED)) == len(hand)
