"""Gifts (B10), Lantern, Apostle and Witness (B11), success and what follows (B12), draws (B13)."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import state as S
from tests.games.believers.tables import Table, build, pair

FAILURE, ROW = S.Reason.AFTER_FAILURE, S.Reason.AFTER_ROW


def who_drew(t: Table) -> list[tuple[int, int]]:
    """Seat and reason of each draw."""
    return [draw[:2] for draw in t.draws()]


# gifts


def test_the_hand_gives_two_one_at_a_time(players: int) -> None:
    # B10: of its choice, also two of a kind
    t = build(players, hands={1: "DDHC"})
    t.mission_to(1)
    assert t.asked == (1, "gift")
    assert t.gives == "DHC"
    t.give("D")
    assert t.asked == (1, "gift")
    assert t.gives == "DHC"
    assert t.hand(1) == "DHC"
    t.give("D")
    assert t.asked == (0, "placement")
    assert t.hand(1) == "HC"


def test_a_kind_given_away_cannot_be_given_again(players: int) -> None:
    # B10
    t = build(players, hands={1: "DHC"})
    t.mission_to(1)
    t.give("H")
    assert t.gives == "DC"


def test_exactly_two_are_given_without_choice_but_asked(players: int) -> None:
    # B10: two equal Virtues are two decisions too
    t = build(players, hands={1: "DD"})
    t.mission_to(1)
    assert t.gives == "D"
    t.give("D")
    assert t.asked == (1, "gift")
    t.give("D")
    assert t.places == "D"
    assert t.asked == (0, "placement")


def test_the_first_gift_is_known_to_the_hand_alone(players: int) -> None:
    # B10: until both are in the tablet; then to Hand and Eye
    t = build(players, hands={1: "DHC"})
    t.mission_to(1)
    t.give("H")
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert view["gift"][0] == (2 if viewer == 1 else -1)
        assert view["gift_count"] == 1
    t.give("D")
    for viewer in (*range(players), SPECTATOR):
        seen = t.view(viewer)["gift"].tolist()
        assert seen == ([0, 2] if viewer in (0, 1) else [-1, -1])


def test_the_eye_places_one_and_keeps_the_other(players: int) -> None:
    # B10
    for kind, other in (("D", "H"), ("H", "D")):
        t = build(players, hands={0: "C", 1: "DH"})
        t.mission_to(1)
        t.give("DH")
        assert t.places == "DH"
        t.place(kind)
        assert t.mission(0)["placed"] == kind
        assert other in t.hand(0)
        assert t["gift_count"] == 0


def test_the_placed_virtue_is_public_the_other_is_not(players: int) -> None:
    # B3, B10
    t = build(players, hands={0: "C", 1: "DH"})
    t.mission_to(1)
    t.give("DH")
    t.place("D")
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert view["mission_placed"][0].tolist() == [0, -1]
        assert view["mission_result"][0] == 1
        assert view["mission_given"][0] == (pair("DH") if viewer in (0, 1) else -1)
        assert t.events(S.Event.PLACED, viewer=viewer) == [
            (S.Event.PLACED, 0, 0, -1, 1 + 2 * 2, -1)
        ]


@pytest.mark.parametrize("kind", ["D", "H"])
def test_a_single_card_is_placed_without_a_decision(players: int, kind: str) -> None:
    # B10: no decision, no claims
    t = build(players, hands={1: kind}, options={"talk": "claims"})
    t.mission_to(1)
    assert t.asked == (1, "call")
    assert t.mission(0)["placed"] == kind
    assert t.mission(0)["result"] == (kind == "D")
    assert t.mission(0)["given"] == ""
    assert t["hand_count"][1] == (0 if kind == "D" else 1)
    assert (t["hand_claim"][0], t["eye_claim"][0]) == (-1, -1)
    assert t["hand_count"][0] == (2 if kind == "D" else 3)


def test_an_empty_hand_draws_and_places(players: int) -> None:
    # B10, B13
    for kind, result in (("O", 1), ("C", 0)):
        t = build(players, hands={1: ""}, deck=kind + kind + kind)
        t.mission_to(1)
        assert t.mission(0)["placed"] == kind
        assert t.mission(0)["result"] == result
        assert t.mission(0)["given"] == ""
        assert t["deck_size"] == (2 if result else 0)
        assert t["hand_count"][1] == (0 if result else 1)
        assert who_drew(t) == ([] if result else [(0, FAILURE), (1, FAILURE)])


def test_an_empty_hand_draws_from_the_discards(players: int) -> None:
    # B10, B13
    t = build(players, hands={1: ""}, deck="", discards="DD", finished="HHH")
    t.mission_to(1)
    assert t.mission(0)["placed"] == "D"
    assert (t.heap("deck"), t.heap("discards"), t.heap("finished")) == ("D", "", "HHH")


def test_nothing_to_draw_for_an_empty_hand(players: int) -> None:
    # B10: the Mission fails with nothing placed, and nobody draws, for there is nothing
    t = build(players, hands={1: ""}, deck="")
    t.mission_to(1)
    assert t.asked == (1, "call")
    assert t.mission(0)["placed"] == ""
    assert t.mission(0)["result"] == 0
    assert t.draws() == []
    assert (t["row_played"], t["row_won"]) == (1, 0)


# Lantern, Apostle, Witness together


def with_disciples(players: int, *names: str, gift: str = "DH", **build_options: object) -> Table:
    """Seat 2 and those after it have used the Disciples; seat 1 is the Hand and has the gift."""
    t = build(
        players, hands={1: gift}, disciples={2 + k: [name] for k, name in enumerate(names)},
        **build_options,  # type: ignore[arg-type]
    )  # fmt: skip
    t.done(2)
    for name in names:
        t.enlist(name)
        t.done()
    t.mission_to(1)
    return t


@pytest.mark.parametrize("gift", ["D", "H", ""])
@pytest.mark.parametrize("name", ["Lantern", "Witness", "Apostle"])
def test_fewer_than_two_show_nothing(players: int, name: str, gift: str) -> None:
    # B11: Lantern and Witness show nothing, Apostle places what there is
    t = with_disciples(players, name, gift=gift, deck="CCCCCC")
    assert t.mission(0)["placed"] == (gift or "C")
    assert t.mission(0)["given"] == ""
    assert t.events(S.Event.WITNESSED) == []
    assert t.view(2)["mission_given"][0] == -1
    assert t.asked == (1, "call")


def test_lantern_and_apostle(players: int) -> None:
    # B11
    t = with_disciples(players, "Lantern", "Apostle")
    t.give("DH")
    assert sorted(t.mission(0)["placed"]) == ["D", "H"]
    assert t.view(SPECTATOR)["mission_given"][0] == pair("DH")


def test_lantern_and_witness(players: int) -> None:
    # B11: everybody knows already
    t = with_disciples(players, "Lantern", "Witness")
    t.give("DH")
    t.place("D")
    assert {t.view(k)["mission_given"][0] for k in (*range(players), SPECTATOR)} == {pair("DH")}


def test_apostle_and_witness(players: int) -> None:
    # B11: both lie on the Mission for all to see
    t = with_disciples(players, "Apostle", "Witness")
    t.give("DH")
    assert t.mission(0)["result"] == 1
    assert {tuple(t.view(k)["mission_placed"][0]) for k in (3, SPECTATOR)} == {(0, 2)}


@pytest.mark.parametrize("apostle", [False, True])
def test_blindness_places_at_random(players: int, apostle: bool) -> None:
    # Blindness: it sees both and has no choice; B11: an Apostle overrides it
    placed = set()
    for seed in range(20):
        names = ["Apostle"] if apostle else []
        t = with_disciples(players, *names, row_crisis=(S.Trouble.BLINDNESS, 0), seed=seed)
        t.give("DH")
        assert t.asked == (1, "call")
        placed.add("".join(sorted(t.mission(0)["placed"])))
        assert t.view(0)["mission_given"][0] == pair("DH")
        if t.mission(0)["placed"] == "D":
            assert t.hand(0) == "DHH"
    assert placed == ({"DH"} if apostle else {"D", "H"})


def test_a_blind_player_is_blind_as_acting_eye_only(players: int) -> None:
    # Blindness binds whenever the target is the acting Eye
    t = build(players, row_crisis=(S.Trouble.BLINDNESS, 0), disciples={2: ["Regent"]})
    t.done(2)
    t.enlist("Regent")
    t.mission_to(1)
    t.give("DH")
    assert t.asked == (2, "placement")
    t = build(players, row_crisis=(S.Trouble.BLINDNESS, 2), disciples={2: ["Regent"]})
    t.done(2)
    t.enlist("Regent")
    t.mission_to(1)
    t.give("DH")
    assert t.asked == (1, "call")


def test_a_blind_eye_with_a_lantern(players: int) -> None:
    # B11: shown to all, and chance places
    t = with_disciples(players, "Lantern", row_crisis=(S.Trouble.BLINDNESS, 0))
    t.give("DH")
    assert t.asked == (1, "call")
    assert t.view(SPECTATOR)["mission_given"][0] == pair("DH")


# success and failure


@pytest.mark.parametrize(
    ("mission", "kind", "result"),
    [
        ("DO", "D", 1),
        ("DO", "O", 1),
        ("DO", "H", 0),
        ("HC", "C", 1),
        ("HC", "D", 0),
        ("DX", "X", 1),
    ],
)
def test_success_is_one_of_two(players: int, mission: str, kind: str, result: int) -> None:
    # B12
    t = build(players, hands={1: kind + "P"})
    t.mission_to(1, mission)
    t.give(kind + "P")
    t.place(kind)
    assert t.mission(0)["result"] == result
    assert (t["row_played"], t["row_won"], t["mission"]) == (1, result, 1)


def test_eye_and_hand_draw_after_a_failure(players: int) -> None:
    # B12: the Eye first; the last card is the Eye's
    t = build(players, deck="C", eye=3)
    t.mission_to(4)
    t.give("DH")
    t.place("H")
    assert t.draws() == [(3, FAILURE, "C")]
    t = build(players, eye=3)
    t.mission_to(4)
    t.give("DH")
    t.place("H")
    assert who_drew(t) == [(3, FAILURE), (4, FAILURE)]
    assert t["hand_count"][[3, 4]].tolist() == [4, 1]


def test_nobody_draws_after_a_success(players: int) -> None:
    t = build(players)
    t.round(won=True)
    assert t.draws() == []


def test_a_row_that_failed_as_a_whole(players: int) -> None:
    # B12: after the fourth, Eye and Hand, Gleaners, then everybody from the Eye, Gleaners not again
    t = build(players, disciples={3: ["Gleaner"]})
    t.rounds("FFF")
    t.state["log_count"], t.state["log"] = 0, 0
    t.round(won=False, hand=0)
    assert [who for who, why in who_drew(t) if why == ROW] == [
        (3 + k) % players for k in range(players)
    ]
    assert who_drew(t)[:3] == [(3, FAILURE), (0, FAILURE), (3, S.Reason.BY_GLEANER)]
    assert len(who_drew(t)) == 3 + players


def test_a_row_that_failed_in_part(players: int) -> None:
    # B12: one success, and not everybody draws
    t = build(players)
    t.rounds("FSFF")
    assert [why for _, why in who_drew(t)] == [FAILURE] * 6


def test_everybody_draws_before_the_row_is_cleared(players: int) -> None:
    # B12, B13: what lies on this row's Missions is not part of any deck yet
    t = build(players)
    t.rounds("FFF")
    t.set_hands("DH")
    s = t.state
    s["virtue_copies"] -= s["deck"]  # the deck leaves the game
    s["deck"], s["deck_size"] = 0, 0
    t.mission_to(0)
    t.give("DH")
    t.place("H")
    assert len(t.draws()) == 6  # those of the first three Missions
    assert t.heap("finished") == "HHHH"


# draws


def test_the_discards_become_the_deck_when_a_card_is_needed(players: int) -> None:
    # B13: not before
    t = build(players, disciples={0: ["Almoner"], 1: ["Almoner"]}, deck="C", discards="PP")
    t.enlist("Almoner")
    assert (t.heap("deck"), t.heap("discards")) == ("", "PP")
    t.done()
    t.enlist("Almoner")
    assert (t.heap("deck"), t.heap("discards")) == ("P", "")
    assert t.draws() == [(0, S.Reason.BY_ALMONER, "C"), (1, S.Reason.BY_ALMONER, "P")]


def test_finished_rows_come_after_the_discards(players: int) -> None:
    # B13
    t = build(
        players, disciples={k: ["Almoner"] for k in range(3)}, deck="", discards="P", finished="XX"
    )
    t.enlist("Almoner")
    assert (t.heap("deck"), t.heap("discards"), t.heap("finished")) == ("", "", "XX")
    t.done()
    t.enlist("Almoner")
    assert (t.heap("deck"), t.heap("discards"), t.heap("finished")) == ("X", "", "")
    t.done()
    t.enlist("Almoner")
    assert [kind for _, _, kind in t.draws()] == ["P", "X", "X"]


def test_new_discards_wait_for_the_next_deck(players: int) -> None:
    # B13: the deck made of finished Virtues is used up before discards made meanwhile
    t = build(players, disciples={0: ["Almoner"]}, deck="", finished="XV", seed=1)
    t.enlist("Almoner")
    assert t["deck_size"] == 1
    assert len(t.heap("deck")) == 1
    assert t.heap("finished") == ""


def test_virtues_on_missions_stay_there_until_the_row_ends(players: int) -> None:
    # B13
    t = build(players)
    t.rounds("SSF")
    assert t.heap("finished") == ""
    t.round(won=True)
    assert t.heap("finished") == "DDDH"


def test_both_draws_of_a_failure_may_need_different_decks(players: int) -> None:
    # B13
    t = build(players, deck="C", discards="P", finished="X")
    t.mission_to(1)
    t.give("DH")
    t.place("H")
    assert [(who, kind) for who, _, kind in t.draws()] == [(0, "C"), (1, "P")]
    assert (t.heap("deck"), t.heap("discards"), t.heap("finished")) == ("", "", "X")


def test_there_is_no_hand_limit(players: int) -> None:
    # B13
    t = build(players, hands={0: "DDDDDDDDOOOOOOOO"}, disciples={0: ["Almoner"]})
    t.enlist("Almoner")
    assert t["hand_count"][0] == 17


def test_the_draw_is_by_card(players: int) -> None:
    # B13: a random card, not a random kind: three D to one C
    found = 0
    for seed in range(160):
        t = build(players, disciples={0: ["Almoner"]}, deck="DDDC", seed=seed)
        t.enlist("Almoner")
        found += t.draws()[0][2] == "C"
    assert 18 <= found <= 62  # 40 expected, four deviations of 5.5
