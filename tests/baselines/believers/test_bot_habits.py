"""Habits of the rule bots of Believers in positions made by hand: Missions, rows, talk.

What a Virtue is worth is the part of the Missions to come that it matches. Of the plain cards, with
a Mission "DO" turned up, these are of 39: D 21, O 17, H and C 10, P and R 4, U 4, X 4, S and V 2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest

from concilium.baselines.believers import ALWAYS, PARTNER, SELFISH, Character
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from tests.baselines.believers.deciding import (
    CHARACTERS,
    MADE,
    chosen,
    decided,
    decided_often,
    learn,
    nominated,
)
from tests.games.believers.tables import (
    DISCIPLES,
    LETTERS,
    Table,
    build,
    build_night,
    lay,
    pair,
)

TALK: Final = {"talk": "claims"}
OPEN: Final = {"selfish": SELFISH, "always": ALWAYS, "partner": PARTNER}
"""Those who sabotage every Mission."""
SLEEPER: Final = replace(MADE, sleep=3)
MIXED: Final = replace(MADE, often=0.6)


def giving(kind: str) -> int:
    return act.GIVE + LETTERS.index(kind)


def placing(kind: str) -> int:
    return act.PLACE + LETTERS.index(kind)


def claiming(text: str) -> int:
    return act.CLAIM + pair(text)


def consistent(actions: NDArray[np.int64], wanted: set[int], chance: float) -> bool:
    """Whether so many of the actions are among those wanted as with this chance (exact, 99.9 %)."""
    hits = int(np.isin(actions, sorted(wanted)).sum())
    found = binomtest(hits, len(actions)).proportion_ci(0.999, method="exact")
    return bool(found.low <= chance <= found.high)


# The Hand --------------------------------------------------------------------------------------


def asked_for(hand: str, seat: int, defectors: tuple[int, ...] = (3, 4)) -> Table:
    """At a table of 5, the Mission is "DO" and the Hand at a seat holds these Virtues."""
    t = build(5, hands={seat: hand}, defectors=defectors)
    t.mission_to(seat)
    return t


@pytest.mark.parametrize("name", CHARACTERS)
@pytest.mark.parametrize(
    ("hand", "gift"),
    [
        ("DOHC", "OD"), ("DOO", "OO"), ("DDH", "DD"),  # two that match, the cheapest first
        ("DHC", "DH"), ("DHP", "DP"), ("HPOV", "OV"),  # one, and the cheapest of the others
        ("HPS", "SP"), ("HC", "HC"),  # none
    ],
)  # fmt: skip
def test_a_true_believer_gives_what_matches(name: str, hand: str, gift: str) -> None:
    t = asked_for(hand, 1)
    for kind in gift:
        assert decided(t, CHARACTERS[name]) == giving(kind)
        t.give(kind)


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize(
    ("hand", "gift"),
    [
        ("DOHC", "HC"), ("DOHP", "PH"), ("DSPV", "SV"),  # none that matches, the cheapest first
        ("DDOH", "HO"), ("DHO", "HO"),  # one, as it must
        ("DDO", "OD"), ("DD", "DD"),  # both, as it must
    ],
)  # fmt: skip
def test_a_defector_gives_as_few_that_match_as_it_can(name: str, hand: str, gift: str) -> None:
    t = asked_for(hand, 4)
    for kind in gift:
        assert decided(t, OPEN[name]) == giving(kind)
        t.give(kind)


def test_the_second_gift_of_a_defector_follows_the_first() -> None:
    """Whatever it draws, it plays one side in a Mission: "O" then "D", or "H" then "C"."""
    for first, second in (("O", "D"), ("H", "C")):
        t = asked_for("DOHC", 4)
        assert set(decided_often(t, MIXED, 50).tolist()) == {giving("O"), giving("H")}
        t.give(first)
        assert set(decided_often(t, MIXED, 200).tolist()) == {giving(second)}


# Schedules -------------------------------------------------------------------------------------


def after_missions(results: str) -> Table:
    """A Defector, at seat 4 of 5, is the Hand of the Mission after these; it holds one of each."""
    t = build(5, defectors=[3, 4])
    t.rounds(results)
    t.set_hand(4, "DH")
    t.mission_to(4)
    assert t["mission"] == len(results)
    return t


def test_sleep_counts_missions() -> None:
    for results in ("", "S", "F", "SS", "SF"):
        assert decided(after_missions(results), SLEEPER) == giving("D")
        assert decided(after_missions(results), PARTNER) == giving("H")
    assert decided(after_missions("SSF"), SLEEPER) == giving("H")
    assert decided(after_missions("SSF"), replace(SLEEPER, sleep=4)) == giving("D")


@pytest.mark.parametrize(
    ("results", "decides"),
    [("", False), ("S", False), ("SF", False), ("SS", True), ("SFF", False), ("SSF", True)],
)
def test_the_urgent_wake_up_where_a_success_decides_the_row(results: str, decides: bool) -> None:
    """Of four Missions three decide the row, before as after the sabotage has begun."""
    t = after_missions(results)
    asleep = replace(MADE, sleep=21)
    assert decided(t, asleep) == giving("D")
    urgent = giving("H" if decides else "D")
    assert decided(t, replace(asleep, urgent=True)) == urgent
    assert decided(t, replace(MADE, often=0.0, urgent=True)) == urgent


def test_the_decider_is_urgent() -> None:
    t = after_missions("")
    t.state["row"] = 4
    assert decided(t, replace(MADE, sleep=21)) == giving("D")
    assert decided(t, replace(MADE, sleep=21, urgent=True)) == giving("H")


@pytest.mark.parametrize("often", [0.0, 0.25, 0.6, 1.0])
def test_how_often_a_defector_sabotages(often: float) -> None:
    actions = decided_often(asked_for("DH", 4), replace(MIXED, often=often), 2000)
    assert consistent(actions, {giving("H")}, often)
    if often in (0.0, 1.0):
        assert len(set(actions.tolist())) == 1


def to_place(given: str, eye: int, hand: int, defectors: tuple[int, ...] = (3, 4)) -> Table:
    """At a table of 5, the Mission is "DO" and the Eye has these two to choose from."""
    t = build(5, eye=eye, hands={hand: given}, defectors=defectors)
    t.mission_to(hand)
    t.give(given)
    return t


@pytest.mark.parametrize("name", OPEN)
def test_the_eye_places_the_one_that_matches_or_the_other(name: str) -> None:
    for given in ("DH", "HD"):
        assert decided(to_place(given, 0, 1), OPEN[name]) == placing("D")
        assert decided(to_place(given, 3, 1), OPEN[name]) == placing("H")
    for eye in (0, 3):  # alike: the cheaper one
        assert decided(to_place("DO", eye, 1), OPEN[name]) == placing("O")
        assert decided(to_place("HP", eye, 1), OPEN[name]) == placing("P")


def test_part_of_the_sabotage_as_eye() -> None:
    t = to_place("DH", 3, 1)
    assert decided(t, replace(PARTNER, as_eye=0.0)) == placing("D")
    assert decided(asked_for("DH", 4), replace(PARTNER, as_eye=0.0)) == giving("H")
    half = replace(MIXED, often=0.6, as_eye=0.5)
    assert consistent(decided_often(t, half, 2000), {placing("H")}, 0.3)
    assert consistent(decided_often(asked_for("DH", 4), half, 2000), {giving("H")}, 0.6)
    assert decided(t, SLEEPER) == placing("D")


# The choice of the Hand ------------------------------------------------------------------------


def to_choose(eye: int, hands: dict[int, str] | None = None, last_hand: int = -1) -> Table:
    """At a table of 7, seats 4 to 6 are Defectors; everybody holds "DH" where not given."""
    t = build(7, eye=eye, defectors=[4, 5, 6], hands=hands, last_hand=last_hand)
    t.all_done()
    return t


def choices(t: Table, character: Character, times: int = 300) -> set[int]:
    """The seats that are made the Hand, in so many draws."""
    return {chosen(t, int(action)) for action in decided_often(t, character, times)}


def test_a_partner_is_chosen_if_that_is_legal() -> None:
    """Seat 2 holds most Virtues, which is what counts for all others."""
    t = to_choose(4, {2: "DDHHPP"})
    assert choices(t, PARTNER) == {5, 6}
    assert choices(t, ALWAYS) == {2}
    assert choices(t, SLEEPER) == {2}  # while it sleeps
    assert choices(to_choose(0, {2: "DDHHPP"}), MADE) == {2}
    t = to_choose(4, {2: "DDHHPP"}, last_hand=5)
    assert choices(t, PARTNER) == {6}
    t.state["barred"] = 1 << 6
    assert choices(t, PARTNER) == {2}


def test_always_chooses_like_a_true_believer() -> None:
    """Whoever promises most, a partner or not; of those alike anybody."""
    assert choices(to_choose(4, {5: "DDHHPP"}), ALWAYS) == {5}
    t = to_choose(4)
    assert choices(t, ALWAYS) == {0, 1, 2, 3, 5, 6}
    assert choices(to_choose(0), ALWAYS) == {1, 2, 3, 4, 5, 6}


def test_how_often_a_partner_is_picked() -> None:
    t = to_choose(4, {2: "DDHHPP"})
    actions = decided_often(t, replace(MADE, pick=0.3), 2000)
    assert set(actions.tolist()) == {act.CHOOSE + place - 1 for place in (1, 2, 5)}
    assert consistent(actions, {act.CHOOSE, act.CHOOSE + 1}, 0.3)  # seats 5 and 6, from 4


def test_a_sleeper_that_wakes_picks_partners() -> None:
    t = build(7, defectors=[4, 5, 6])
    t.rounds("SS")
    for seat in (4, 5):  # the Eyes are 2 and 3
        t.set_hand(seat, "DH")
    t.round(True)
    t.set_hands("DH")
    t.set_hand(0, "DDHHPP")
    t.all_done()
    assert t.asked == (3, "choice")
    t.state["faith"][0, [3, 4]] = (S.Faith.DEFECTOR, S.Faith.BELIEVER)
    assert choices(t, replace(SLEEPER, sleep=4)).isdisjoint({5, 6})
    assert choices(t, SLEEPER) <= {5, 6}
    # two successes: the next would give them the row, and seat 3 is awake before its time
    assert choices(t, replace(SLEEPER, sleep=4, urgent=True)) <= {5, 6}


@pytest.mark.parametrize("eye", [0, 4])
def test_any_hand_will_do_for_the_selfish(eye: int) -> None:
    """All that are legal, each as often: here five."""
    t = to_choose(eye, {2: "DDHHPP", 5: ""}, last_hand=3)
    actions = decided_often(t, SELFISH, 3000)
    legal = set(range(7)) - {eye, 3}
    assert {chosen(t, int(action)) for action in actions} == legal
    for action in t.legal:
        assert consistent(actions, {action}, 1 / 5)


def test_a_known_defector_is_not_made_the_hand_and_a_trusted_player_is() -> None:
    """Seat 5 holds most Virtues; what counts more is that the Eye knows its Faith, or seat 2's."""
    t = to_choose(0, {5: "DDHHPP"})
    assert choices(t, MADE) == {5}
    learn(t, 0, 5)
    assert choices(t, MADE) == {1, 2, 3, 4, 6}
    learn(t, 0, 2)
    assert choices(t, MADE) == {2}
    t.set_hand(2, "")  # who has none draws one: 0.4 against 0.64 * (1 - 2 / 4)
    assert choices(t, MADE) == {2}


def test_a_hand_is_as_good_as_its_chance_to_match() -> None:
    """Chances of 1 - 0.6 ** Virtues; seat 1, surely honest, with one: 0.4 against 0.6 * 0.64.

    At 7 players with one True Believer known, the other five are Defectors with chance 3 / 5.
    """
    t = to_choose(0, {1: "D", 3: "DDHHPP"})
    learn(t, 0, 1)
    assert choices(t, MADE) == {1}  # 0.4; seat 3: 0.4 * 0.953
    learn(t, 0, 4)
    assert choices(t, MADE) == {3}  # 1 / 2 left: 0.5 * 0.953 against 0.4


def suspicious() -> Table:
    """Seat 0 of 5 has seen that seat 4 gave none that match, twice; then it is Eye again.

    It is Eye in the first round, and as Regent in the third and in the fifth.
    """
    hands = {0: "HCPR", 1: "DOHC", 2: "DOHC", 3: "DOHC", 4: "HHHH"}
    t = build(5, defectors=[2, 4], hands=hands, disciples={0: ("Regent", "Regent")})
    for eye, hand, gift in ((0, 4, "HH"), (1, 3, "DO"), (0, 4, "HH"), (3, 1, "DO")):
        t.set_next_mission("DO")
        while t.kind == "call":
            if t.actor == 0 and eye == 0 and t["mission"] == 2:
                t.enlist("Regent")
            t.done()
        assert t.asked == (eye, "choice")
        t.choose(hand)
        t.give(gift)
        t.place(gift[0])
    assert t["tokens"].tolist() == [0, 0]  # 2 of 4: the row goes on
    return t


def test_who_gave_none_that_match_again_and_again_is_not_made_the_hand_and_is_shamed() -> None:
    t = suspicious()
    while t.actor != 0:
        t.done()
    assert decided(t, replace(MADE, block_at=2.0)) == act.SHAME + 3  # seat 4
    assert decided(t, replace(SELFISH, block_at=2.0)) == act.DONE
    t.enlist("Regent")
    t.all_done()
    assert t.asked == (0, "choice")
    assert t.choices == [2, 3, 4]
    t.set_hand(4, "DDOOHH")
    assert 4 not in choices(t, MADE)
    assert choices(t, SELFISH) == {2, 3, 4}


# Nights ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_first_nomination_is_followed(name: str) -> None:
    t = build_night(7, defectors=[0, 2, 5])  # the next Eye is 4: asked are 5, 0, 2
    assert t.actor == 5
    t.nominate("Tithe", 1)
    assert nominated(t, decided(t, CHARACTERS[name])) == ("Tithe", 1)
    t.nominate("Fast", 3)
    assert nominated(t, decided(t, CHARACTERS[name])) == ("Tithe", 1)


@pytest.mark.parametrize("name", CHARACTERS)
def test_else_a_true_believer_is_named(name: str) -> None:
    """Also where the first named the one who is to follow; the third follows even then."""
    t = build_night(7, defectors=[0, 2, 5])
    for crisis, target in (("Fast", 0), ("Tithe", 1)):
        found = {nominated(t, int(a)) for a in decided_often(t, CHARACTERS[name], 200)}
        assert {seat for _, seat in found} <= {1, 3, 4, 6}
        if name != "selfish":
            assert {worst for worst, _ in found} == {"Exile"}
        t.nominate(crisis, target)
    assert t.actor == 2
    assert nominated(t, decided(t, CHARACTERS[name])) == ("Fast", 0)


def test_the_selfish_nominate_any_crisis_on_any_true_believer() -> None:
    t = build_night(7, defectors=[0, 2, 5])
    found = {nominated(t, int(action)) for action in decided_often(t, SELFISH, 400)}
    assert found == {
        (crisis, seat) for crisis in ("Fast", "Exile", "Tithe") for seat in (1, 3, 4, 6)
    }


@pytest.mark.parametrize(
    ("crises", "worst"),
    [
        (("Fast", "Exile", "Muteness"), "Exile"),
        (("Testimony", "Muteness", "Tithe"), "Muteness"),
        (("Testimony", "Poverty", "Tithe"), "Tithe"),
        (("Doubt", "Testimony", "Fast"), "Fast"),  # nobody has a Disciple to lose
    ],
)
def test_the_worst_crisis(crises: tuple[str, ...], worst: str) -> None:
    t = build_night(7, crises=crises)
    assert nominated(t, decided(t, PARTNER))[0] == worst


def test_doubt_is_for_who_has_disciples() -> None:
    owned = {seat: (name,) for seat, name in enumerate(DISCIPLES[:5])}
    t = build_night(5, crises=("Doubt", "Testimony", "Tithe"), disciples=owned)
    assert nominated(t, decided(t, PARTNER))[0] == "Doubt"


def test_blindness_is_for_who_will_be_eye() -> None:
    """The next row has three Missions, whose Eyes at a table of 5 are 4, 0 and 1."""
    found: dict[int, str] = {}
    for defectors in ((0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 4)):
        t = build_night(5, crises=("Blindness", "Testimony", "Fast"), defectors=defectors)
        crisis, seat = nominated(t, decided(t, PARTNER))
        assert seat not in defectors
        assert found.setdefault(seat, crisis) == crisis
    wanted = {0: "Blindness", 1: "Blindness", 2: "Fast", 3: "Fast", 4: "Blindness"}
    assert found == {seat: wanted[seat] for seat in found}
    assert len(set(found.values())) == 2


# Purchases -------------------------------------------------------------------------------------


def to_buy(hand: str, tops: tuple[str, ...], defectors: tuple[int, ...] = (0, 1)) -> Table:
    """Before row 2 at a table of 5, seat 4 holds these Virtues and may buy what shows."""
    t = build(5, defectors=defectors, piles=[(top, 1) for top in tops])
    t.rounds("SSSF")
    lay(t, "Exile", 2)
    assert t.asked == (4, "indoctrination")
    t.set_hand(4, hand)
    return t


def buying(name: str) -> int:
    return act.BUY + DISCIPLES.index(name)


ALL_DEAR: Final = ("Regent", "Apostle", "Almoner")


def test_a_purchase_leaves_the_reserve() -> None:
    """Three Virtues by default: the Regent costs two, the Apostle three."""
    assert decided(to_buy("DDDHHH", ALL_DEAR)) == buying("Regent")
    assert decided(to_buy("DDDHH", ALL_DEAR)) == buying("Regent")
    assert decided(to_buy("DDDH", ALL_DEAR)) == act.PASS
    assert decided(to_buy("DDDH", ALL_DEAR), replace(MADE, reserve=2)) == buying("Regent")
    assert decided(to_buy("DDDHH", ("Apostle", "Almoner"))) == act.PASS
    assert decided(to_buy("DDDHHH", ("Apostle", "Almoner"))) == buying("Apostle")
    assert decided(to_buy("DDDHHH", ALL_DEAR), replace(MADE, reserve=31)) == act.PASS


def test_only_what_is_wanted_is_bought() -> None:
    rich = "DDDDHHHH"
    assert decided(to_buy(rich, ("Almoner", "Penitent", "Confidant"))) == act.PASS
    assert decided(to_buy(rich, ("Oracle", "Doorkeeper", "Witness"))) == buying("Oracle")
    for_defectors = to_buy(rich, ("Oracle", "Doorkeeper", "Witness"), defectors=(3, 4))
    assert decided(for_defectors) == buying("Doorkeeper")
    assert decided(to_buy(rich, ALL_DEAR), SELFISH) == act.PASS


def paying(defectors: tuple[int, ...]) -> Table:
    """Seat 4 of 5 buys a Regent and holds Virtues of which "S" is worth least, "D" most."""
    t = to_buy("DDPSH", ALL_DEAR, defectors)
    t.buy("Regent")
    assert t.asked == (4, "payment")
    return t


def test_true_believers_pay_with_what_is_worth_least_and_defectors_with_the_best() -> None:
    for faith, kinds in (((0, 1), "SP"), ((3, 4), "DD")):
        t = paying(faith)
        for kind in kinds:
            assert decided(t) == act.DISCARD + LETTERS.index(kind)
            t.discard(kind)
    assert decided(paying((3, 4)), SELFISH) == act.DISCARD + LETTERS.index("S")


def test_a_fast_takes_what_is_worth_least() -> None:
    t = build_night(5, defectors=[0, 1])
    t.set_hand(2, "DPSH")
    lay(t, "Fast", 2)
    assert t.asked == (2, "fasting")
    assert decided(t) == act.DISCARD + LETTERS.index("S")


@pytest.mark.parametrize(
    ("seat", "owned", "lost"),
    [
        (2, ("Regent", "Almoner", "Oracle"), "Almoner"),
        (2, ("Regent", "Doorkeeper", "Oracle"), "Doorkeeper"),
        (3, ("Regent", "Doorkeeper", "Oracle"), "Oracle"),  # a Defector
    ],
)
def test_a_doubt_takes_the_disciple_that_is_wanted_least(
    seat: int, owned: tuple[str, ...], lost: str
) -> None:
    t = build_night(5, crises=("Doubt", "Exile", "Fast"), disciples={seat: owned})
    lay(t, "Doubt", seat)
    assert t.asked == (seat, "doubting")
    assert decided(t) == act.DISMISS + DISCIPLES.index(lost)


# Talk ------------------------------------------------------------------------------------------


def test_a_strong_suspect_is_accused() -> None:
    t = build(6, options=TALK, defectors=[1, 3])
    learn(t, 0, 3)
    t.all_done()
    assert t.asked == (0, "statement")
    assert decided(t) == act.SILENT  # before the first Mission nothing is known for certain
    t = build(6, options=TALK, defectors=[1, 3])
    t.round(True)
    learn(t, 2, 3)
    t.all_done()
    t.silent()
    assert t.asked == (2, "statement")
    assert decided(t) == act.ACCUSE  # seat 3
    assert decided(t, replace(MADE, talks=False)) == act.SILENT
    assert decided(t, SELFISH) == act.SILENT
    assert decided(t, replace(MADE, accuse_at=1.1)) == act.SILENT


def test_a_weak_suspect_is_not_accused() -> None:
    """Of six players with two Defectors each other one is suspected with 0.4 at first."""
    t = build(6, options=TALK, defectors=[1, 3], eye=5)
    t.round(True)
    t.all_done()
    assert t.asked == (0, "statement")
    assert decided(t) == act.SILENT
    assert decided(t, replace(MADE, accuse_at=0.3)) != act.SILENT


@pytest.mark.parametrize("seat", range(6))
def test_a_defector_never_accuses_a_fellow(seat: int) -> None:
    """Whoever is suspected most: every two of the table are the Defectors once."""
    for fellow in set(range(6)) - {seat}:
        t = build(6, options=TALK, defectors=[seat, fellow], eye=5)
        t.round(False)
        t.all_done()
        while t.actor != seat:
            t.silent()
        action = decided(t, replace(MADE, accuse_at=0.0))
        assert act.ACCUSE <= action < act.VOUCH
        assert t.after(seat, action - act.ACCUSE + 1) != fellow


def told(given: str, placed: str, *, eye: int = 0, hand: int = 1, light: str = "") -> Table:
    """At a table of 5 with Defectors 3 and 4 the Mission was "DO"; the Hand is to claim."""
    t = build(5, options=TALK, eye=eye, hands={hand: given}, defectors=[3, 4])
    t.set_next_mission("DO")
    t.all_done()
    if light:
        t.state[light] = 1
    while t.kind == "statement":
        t.silent()
    t.choose(hand)
    t.give(given)
    if placed:
        t.place(placed)
    assert t.asked == (hand, "hand_claim")
    return t


def said(t: Table, character: Character = MADE) -> set[int]:
    return set(decided_often(t, character, 400).tolist())


@pytest.mark.parametrize("name", CHARACTERS)
def test_true_believers_claim_the_truth(name: str) -> None:
    for given, placed in (("DH", "D"), ("DH", "H"), ("HP", "H"), ("DO", "O"), ("HH", "H")):
        t = told(given, placed)
        assert said(t, CHARACTERS[name]) == {claiming(given)}
        t.claim(None)
        assert t.asked == (0, "eye_claim")
        assert said(t, CHARACTERS[name]) == {claiming(given)}


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_hand_that_gave_none_that_match_claims_one_that_does(name: str) -> None:
    """The one placed and either of the Mission's two."""
    awake = replace(CHARACTERS[name], sleep=0)
    for given, placed in (("HP", "H"), ("PH", "H"), ("HH", "H")):
        assert said(told(given, placed, hand=4), awake) == {
            claiming("DH"), claiming("OH")
        }  # fmt: skip
    # what the Eye kept matches: it is the Eye that let the Mission fail
    assert said(told("DH", "H", hand=4), awake) == {claiming("DH")}


@pytest.mark.parametrize("name", CHARACTERS)
def test_an_eye_that_kept_the_one_that_matches_claims_to_have_got_none(name: str) -> None:
    """The one placed and any of the eight kinds that do not match."""
    awake = replace(CHARACTERS[name], sleep=0)
    t = told("DH", "H", eye=3)
    t.claim(None)
    assert t.asked == (3, "eye_claim")
    assert said(t, awake) == {claiming(f"H{kind}") for kind in "HCPRUSVX"}
    t = told("HP", "H", eye=3)
    t.claim(None)
    assert said(t, awake) == {claiming("HP")}


def test_a_sleeper_has_nothing_to_lie_about() -> None:
    """The first Mission failed by chance: a Defector who sleeps tells the truth, like others."""
    assert said(told("HP", "H", hand=4), replace(MADE, sleep=1)) == {claiming("HP")}
    assert said(told("HP", "H", hand=4), replace(MADE, sleep=0)) != {claiming("HP")}


def test_nothing_is_made_up_about_what_everybody_saw_or_what_succeeded() -> None:
    assert said(told("HP", "H", hand=4, light="lantern")) == {claiming("HP")}
    assert said(told("HP", "", hand=4, light="apostle")) == {claiming("HP")}
    assert said(told("DH", "D", hand=4)) == {claiming("DH")}
    for light in ("", "lantern"):
        t = told("DH", "D", eye=3, light=light)
        t.claim(None)
        assert said(t) == {claiming("DH")}


def test_who_does_not_talk_claims_nothing() -> None:
    quiet = replace(MADE, talks=False)
    for seat in (1, 4):
        assert said(told("HP", "H", hand=seat), quiet) == {act.CLAIM + S.NO_CLAIM}
