"""Indoctrination (B20): who may buy what, for what, and when all have passed."""

from __future__ import annotations

import pytest

from concilium.envs import SPECTATOR
from concilium.envs.believers import state as S
from tests.games.believers.tables import COSTS, DISCIPLES, Table, build, lay

PILES: list[tuple[str, int] | None] = [("Almoner", 2), ("Herald", 1), ("Apostle", 1)]


def opened(
    players: int,
    piles: list[tuple[str, int] | None] | None = None,
    buried: tuple[str, ...] = ("Gossip",),
    hands: dict[int, str] | None = None,
    seed: int = 0,
    crisis: str = "Exile",
) -> Table:
    """The Indoctrination before row 2; seat 4 is the next Eye, seat 0 was the target."""
    t = build(
        players, piles=PILES if piles is None else piles, buried=buried, seed=seed,
        crises=(crisis, "Fast", "Tithe"),
    )  # fmt: skip
    t.rounds("SSSF")
    t.set_hands("DH")
    for seat, text in (hands or {}).items():
        t.set_hand(seat, text)
    lay(t, crisis, 0)
    assert t.asked == (4, "indoctrination")
    return t


def test_from_the_next_eye_clockwise_until_all_have_passed(players: int) -> None:
    # B20
    t = opened(players)
    asked = []
    while t.kind == "indoctrination":
        asked.append(t.actor)
        t.refuse()
    assert asked == [t.after(4, k) for k in range(players)]
    assert t.asked == (4, "call")
    assert (t["row"], t["row_played"]) == (1, 0)


def test_no_indoctrination_before_the_first_row(players: int) -> None:
    t = build(players)
    assert t.asked == (0, "call")


def test_who_passed_is_out(players: int) -> None:
    # B20: the others go on, round and round
    t = opened(players, hands={4: "DDDDDD"})
    t.buy("Almoner", "D")
    t.refuse(players - 1)
    assert t.asked == (4, "indoctrination")
    t.buy("Herald", "DD")
    assert t.asked == (4, "indoctrination")
    t.refuse()
    assert t.asked == (4, "call")
    assert t.disciples(4) == ["Almoner", "Herald"]


def test_one_purchase_at_a_time(players: int) -> None:
    # B20: then the next player
    t = opened(players)
    t.buy("Almoner", "D")
    assert t.asked == (t.after(4), "indoctrination")


@pytest.mark.parametrize(
    ("hand", "affordable"),
    [
        ("", set()),
        ("D", {"Almoner"}),
        ("DH", {"Almoner", "Herald"}),
        ("DHC", {"Almoner", "Herald", "Apostle"}),
    ],
)
def test_what_can_be_afforded(players: int, hand: str, affordable: set[str]) -> None:
    # B20: one of the visible ones; passing is always possible, and asked
    t = opened(players, hands={4: hand})
    assert t.buys == affordable
    t.refuse()


@pytest.mark.parametrize("name", DISCIPLES)
def test_every_disciple_costs_what_it_says(players: int, name: str) -> None:
    # B20: Virtues of the buyer's choice, discarded face up one at a time after naming the card
    t = opened(players, [(name, 1)], (), hands={4: "DHCX"})
    t.buy(name)
    assert t.asked == (4, "payment")
    assert t["buying"] == DISCIPLES.index(name)
    paid = "XCH"[: COSTS[name]]
    for k, kind in enumerate(paid):
        assert t.asked == (4, "payment")
        assert t["due"] == COSTS[name] - k
        assert kind in t.discardable
        assert t.disciples(4) == []
        t.discard(kind)
    assert t.disciples(4) == [name]
    assert t.heap("discards") == "".join(kind for kind in "DHCX" if kind in paid)
    assert len(t.hand(4)) == 4 - COSTS[name]
    assert t.asked == (t.after(4), "indoctrination")
    assert t.tops == [None, None, None]


def test_payment_is_public(players: int) -> None:
    # B3, B20
    t = opened(players)
    t.buy("Herald", "DH")
    for viewer in (*range(players), SPECTATOR):
        view = t.view(viewer)
        assert view["discards"].tolist() == [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        assert view["hand_count"][4] == 0
        events = t.events(S.Event.DISCARDED, viewer=viewer)
        assert [event[:4] for event in events] == [
            (S.Event.DISCARDED, 4, 0, DISCIPLES.index("Herald")),
            (S.Event.DISCARDED, 4, 2, DISCIPLES.index("Herald")),
        ]
        assert t.events(S.Event.BOUGHT, viewer=viewer) == [
            (S.Event.BOUGHT, 4, DISCIPLES.index("Herald"), 1, 0, -1)
        ]


def test_there_is_no_way_back_from_a_purchase(players: int) -> None:
    # B20: after naming the card it is paid for
    t = opened(players)
    t.buy("Herald")
    assert all(t.game.action_name(action) for action in t.legal)
    assert len(t.legal) == len(t.discardable) == 2


def test_the_card_beneath_is_shown_after_payment(players: int) -> None:
    # B20, rulebook: of that pile only
    t = opened(players)
    t.buy("Almoner")
    assert t.tops == ["Almoner", "Herald", "Apostle"]
    t.discard("D")
    assert t.tops == ["Gossip", "Herald", "Apostle"]
    assert t["pile_size"].tolist() == [1, 1, 1]
    assert t["buried"].sum() == 0
    assert t.events(S.Event.DISCARDED)[-1][4] == DISCIPLES.index("Gossip")


def test_an_empty_pile_shows_nothing(players: int) -> None:
    t = opened(players)
    t.buy("Herald", "DH")
    assert t.tops == ["Almoner", None, "Apostle"]
    assert t["pile_size"].tolist() == [2, 0, 1]
    assert t.events(S.Event.DISCARDED)[-1][4] == -1
    assert "Herald" not in t.buys


def test_what_comes_up_is_any_of_those_beneath(players: int) -> None:
    # B2: only the top is visible
    shown = set()
    for seed in range(12):
        t = opened(
            players, [("Almoner", 3), ("Herald", 2)], ("Gossip", "Oracle", "Lantern"), seed=seed
        )
        t.buy("Almoner", "D")
        shown.add(t.tops[0])
        assert t["buried"].sum() == 2
    assert shown == {"Gossip", "Oracle", "Lantern"}


def test_what_comes_up_comes_by_card() -> None:
    # three Gossips and an Oracle are beneath
    found = 0
    t = opened(5, [("Almoner", 5)], ("Gossip", "Gossip", "Gossip", "Oracle"))
    t.buy("Almoner")
    before = t.state.copy()
    for key in range(160):
        t.state[:] = before
        t.state["rng_key"] = key
        t.discard("D")
        found += t.tops[0] == "Oracle"
    assert 18 <= found <= 62  # 40 expected, four deviations of 5.5


def test_two_piles_with_the_same_name(players: int) -> None:
    # the one with more cards, of equal ones the leftmost
    t = opened(players, [("Herald", 1), ("Herald", 2), ("Herald", 2)], ("Gossip", "Gossip"))
    t.buy("Herald", "DH")
    assert t.tops == ["Herald", "Gossip", "Herald"]
    assert t["pile_size"].tolist() == [1, 1, 2]


def test_all_piles_empty(players: int) -> None:
    # everybody is asked, and can only pass
    t = opened(players, [], ())
    for _ in range(players):
        assert t.kind == "indoctrination"
        assert t.buys == set()
        assert len(t.legal) == 1
        t.refuse()
    assert t.kind == "call"


def test_bought_disciples_serve_from_the_next_part_one(players: int) -> None:
    # B20
    t = opened(players, hands={4: "DDDD"})
    t.buy("Almoner", "D")
    t.refuse(players - 1)
    t.refuse()
    assert t.asked == (4, "call")
    assert t.enlists == {("Almoner", 4)}


def test_steadfast_ones_serve_at_once(players: int) -> None:
    # B20: a Guardian bought counts in the next row; a Gleaner at the next failure
    t = opened(players, [("Gleaner", 1), ("Guardian", 1)], (), hands={4: "DH", 5 % players: "DH"})
    t.buy("Gleaner", "DH")
    second = t.actor
    t.buy("Guardian", "DH")
    while t.kind == "indoctrination":
        t.refuse()
    t.state["gossip"][0, second] = 3
    t.state["row_crisis"], t.state["last_hand"] = -1, -1
    t.set_hands("DH")
    t.set_next_mission("DO")
    t.all_done()
    assert second in t.choices
    t.choose(second)
    t.give("DH")
    t.place("H")
    assert (4, S.Reason.BY_GLEANER) in [draw[:2] for draw in t.draws()]


def test_discards_can_be_bought_back_into_the_deck(players: int) -> None:
    # B13: what was paid is drawn when the deck is empty
    t = opened(players, [("Almoner", 2)], ("Almoner",))
    t.state["virtue_copies"] -= t.state["deck"]
    t.state["deck"], t.state["deck_size"] = 0, 0
    t.buy("Almoner", "H")
    while t.kind == "indoctrination":
        t.refuse()
    t.enlist("Almoner")
    assert t.draws()[-1] == (4, S.Reason.BY_ALMONER, "H")
    assert t.heap("discards") == ""


def test_indoctrination_comes_before_every_row_but_the_first(players: int) -> None:
    # three with the default rows, none before the decider
    t = build(players)
    kinds = 0
    for result in "SSSSSFFSFSF":
        before = t.kind
        while t.kind in ("night", "fasting", "indoctrination"):
            kinds += t.kind == "indoctrination"
            t.step(min(t.legal))
        assert before in ("call", "night")
        t.round(result == "S")
    assert kinds == 3 * players
    assert t["row"] == 4
    assert t.kind == "call"
