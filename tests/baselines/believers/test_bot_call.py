"""Habits of the rule bots of Believers in Part I, in positions made by hand: Shame and Disciples.

A table of six has two Defectors, so a True Believer who knows nothing suspects each other player
with 0.4, below what it shames and steps in at; one who knows one Defector the others with 0.25.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

from concilium.baselines.believers import SELFISH, Character, posterior
from concilium.envs.believers import actions as act
from tests.baselines.believers.deciding import CALM, MADE, decided, enlisting, learn
from tests.games.believers.tables import DISCIPLES, STEADFAST, Table, build

EAGER: Final = replace(MADE, shame_at=0.0, block_at=0.0)


def called(
    *disciples: str, seat: int = 1, knows: Sequence[int] = (), defectors: Sequence[int] = (0, 5),
    **more: Any,
) -> Table:  # fmt: skip
    """At a table of six with seat 0 as Eye, a seat has these Disciples and is called on."""
    t = build(6, defectors=defectors, disciples={seat: disciples}, **more)
    learn(t, seat, *knows)
    while t.actor != seat:
        t.done()
    return t


def barred(t: Table, action: int) -> int:
    """The seat that a Doorkeeper is used on."""
    assert 0 <= action - enlisting("Doorkeeper") < t.n
    return t.after(t.actor, action - enlisting("Doorkeeper"))


# Shame -----------------------------------------------------------------------------------------


def test_a_known_defector_is_shamed_and_nobody_without_reason() -> None:
    assert decided(called()) == act.DONE
    assert decided(called(knows=[5])) == act.SHAME + 3
    assert decided(called(knows=[5]), replace(MADE, shame_at=1.1)) == act.DONE
    assert decided(called(), replace(MADE, shame_at=0.39)) != act.DONE
    assert decided(called(), replace(MADE, shame_at=0.41)) == act.DONE


def test_shame_is_not_wasted_on_who_has_three() -> None:
    assert decided(called(knows=[5], shame={2: 5, 3: 5})) == act.SHAME + 3
    assert decided(called(knows=[5], shame={2: 5, 3: 5, 4: 5})) == act.DONE
    assert decided(called(knows=[5], shame={2: 5, 3: 5}, gossip={5: 1})) == act.DONE
    # then the other one, if it is known too
    t = called(knows=[0, 5], shame={2: 5, 3: 5, 4: 5})
    assert decided(t) == act.SHAME + 4
    assert decided(t, SELFISH) == act.DONE


@pytest.mark.parametrize("seat", range(6))
def test_a_defector_never_shames_a_fellow(seat: int) -> None:
    for fellow in set(range(6)) - {seat}:
        action = decided(called(seat=seat, defectors=[seat, fellow]), EAGER)
        assert act.SHAME <= action < act.ENLIST
        assert (action - act.SHAME + 1 + seat) % 6 != fellow


def test_a_disciple_first_and_then_shame() -> None:
    t = called("Almoner", knows=[5])
    assert decided(t) == enlisting("Almoner")
    t.enlist("Almoner")
    assert decided(t) == act.SHAME + 3
    t.shame_player(5)
    assert decided(t) == act.DONE


@pytest.mark.parametrize("name", [name for name in DISCIPLES if name not in STEADFAST])
def test_the_selfish_use_nothing(name: str) -> None:
    for defectors in ((0, 5), (1, 5)):
        t = called(name, knows=[0, 2, 5], defectors=defectors, shame={2: 2, 3: 2, 4: 2})
        assert decided(t, SELFISH) == act.DONE


# True Believers against the Eye ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["Regent", "Apostle"])
def test_regent_and_apostle_are_for_a_feared_eye(name: str) -> None:
    assert decided(called(name, knows=[0]), CALM) == enlisting(name)
    assert decided(called(name), CALM) == act.DONE
    assert decided(called(name, knows=[0], defectors=[4, 5]), CALM) == act.DONE  # it is trusted
    assert decided(called(name), replace(CALM, block_at=0.39)) == enlisting(name)
    assert decided(called(name), replace(CALM, block_at=0.41)) == act.DONE
    own = called(name, seat=0, defectors=[4, 5])
    assert decided(own, replace(CALM, block_at=0.0)) == act.DONE  # one is the Eye oneself


def test_one_apostle_is_enough() -> None:
    t = called("Apostle", knows=[0])
    t.state["apostle"] = 1
    assert decided(t, CALM) == act.DONE


def test_a_lantern_is_for_an_eye_half_as_feared() -> None:
    assert decided(called("Lantern"), CALM) == enlisting("Lantern")  # 0.4 and half of 0.45
    assert decided(called("Lantern"), replace(CALM, block_at=0.81)) == act.DONE
    assert decided(called("Lantern", knows=[0]), CALM) == enlisting("Lantern")
    assert decided(called("Lantern", knows=[0], defectors=[4, 5]), CALM) == act.DONE
    assert decided(called("Lantern", seat=0, defectors=[4, 5]), CALM) == act.DONE
    lit = called("Lantern")
    lit.state["lantern"] = 1
    assert decided(lit, CALM) == act.DONE


def test_a_witness_looks_where_there_is_something_to_learn() -> None:
    assert decided(called("Witness"), CALM) == enlisting("Witness")
    for defectors in ((0, 5), (4, 5)):
        assert decided(called("Witness", knows=[0], defectors=defectors), CALM) == act.DONE
    assert decided(called("Witness", seat=0, defectors=[4, 5]), CALM) == act.DONE


def test_the_doorkeeper_bars_the_likely_partner_of_a_feared_eye() -> None:
    """Of those that it can choose the most suspected one."""
    both: dict[str, Any] = {"defectors": [0, 3], "knows": [0, 3]}
    assert decided(called("Doorkeeper", **both), CALM) == enlisting("Doorkeeper", 2)
    assert decided(called("Doorkeeper", defectors=[0, 3], knows=[3]), CALM) == act.DONE
    assert decided(called("Doorkeeper", defectors=[0, 3], knows=[0]), CALM) == act.DONE
    assert decided(called("Doorkeeper", last_hand=3, **both), CALM) == act.DONE
    assert decided(called("Doorkeeper", shame={2: 3, 4: 3, 5: 3}, **both), CALM) == act.DONE
    low = replace(CALM, block_at=0.24)  # the one left is one of four
    action = decided(called("Doorkeeper", last_hand=3, defectors=[0, 3], knows=[0]), low)
    assert action in {enlisting("Doorkeeper", place) for place in (1, 3, 4)}  # seats 2, 4, 5
    own = called("Doorkeeper", seat=0, defectors=[3, 4], knows=[3, 4])
    assert decided(own, CALM) == act.DONE


# True Believers who look -----------------------------------------------------------------------


def test_the_oracle_asks_nobody_of_whom_all_is_known() -> None:
    """Seats 3 and 5 are left for one Defector; or the last one is known by counting."""
    t = called("Oracle", knows=[0, 2, 4], defectors=[0, 5])
    assert decided(t, CALM) in {enlisting("Oracle", 2), enlisting("Oracle", 4)}
    learn(t, 1, 3)
    assert decided(t, CALM) == act.DONE
    assert decided(called("Oracle", knows=[0, 5]), CALM) == act.DONE


def test_the_oracle_asks_the_most_uncertain() -> None:
    """At a table of eight others are Defectors with 3 / 7; a failed Mission tells of two.

    Whose suspicion is nearest to one half, by the posterior that anybody can work out.
    """
    t = build(8, defectors=[5, 6, 7], hands=dict.fromkeys(range(8), "DOHC"))
    t.all_done()
    t.choose(3)
    t.give("DH")
    t.place("H")
    t.set_disciples(2, "Oracle")
    while t.actor != 2:
        t.done()
    chances = posterior(t.game.view(t.state, 2), MADE.model()).seats
    doubt = np.abs(chances - 0.5)
    doubt[2] = 1.0  # oneself
    order = np.argsort(doubt)
    assert doubt[order[1]] - doubt[order[0]] > 0.1
    assert order[0] == 0  # the Eye: the Hand is suspected more, all others less
    assert np.argmax(chances) == 3
    assert decided(t, CALM) == enlisting("Oracle", 6)


@pytest.mark.parametrize("name", ["Inquisitor", "Confidant"])
def test_the_eye_looks_at_whom_it_would_choose(name: str) -> None:
    """The least suspected player's Virtues, if it has any; nobody else looks."""
    t = called(name, seat=0, defectors=[4, 5], knows=[3])
    assert decided(t, CALM) == enlisting(name, 3)
    assert decided(called(name, knows=[3]), CALM) == act.DONE


@pytest.mark.parametrize("name", ["Inquisitor", "Confidant"])
def test_there_is_nothing_to_learn_from_an_empty_hand(name: str) -> None:
    t = called(name, seat=0, defectors=[4, 5], knows=[3], hands={3: ""})
    assert decided(t, CALM) != enlisting(name, 3)


@pytest.mark.parametrize(
    ("mission", "easy"), [("VX", False), ("PR", False), ("DO", True), ("HC", True)]
)
def test_a_herald_puts_hard_missions_away_and_a_defector_easy_ones(
    mission: str, easy: bool
) -> None:
    """Of 94 Virtues 8 match "VX" and "PR", 40 "DO", 30 "HC"; of a random Mission some 27."""
    for defectors, keeps in (((4, 5), easy), ((0, 5), not easy)):
        t = called("Herald", seat=0, defectors=defectors, mission=mission)
        assert decided(t, CALM) == enlisting("Herald")
        t.enlist("Herald")
        assert t.asked == (0, "heralding")
        assert decided(t, CALM) == act.HERALD + (0 if keeps else 1)


def test_only_the_eye_heralds() -> None:
    assert decided(called("Herald"), CALM) == act.DONE


# Either side -----------------------------------------------------------------------------------


@pytest.mark.parametrize("defectors", [(0, 5), (1, 5)])
def test_an_almoner_draws_while_there_are_virtues(defectors: tuple[int, int]) -> None:
    assert decided(called("Almoner", defectors=defectors), CALM) == enlisting("Almoner")
    nothing_left = called("Almoner", defectors=defectors, deck="")
    assert decided(nothing_left, CALM) == act.DONE


def test_a_penitent_is_for_a_friend_who_is_barred() -> None:
    by_two = {0: 2, 3: 2, 1: 3}  # the own Shame is out
    by_three = {**by_two, 4: 2}
    for_two = enlisting("Penitent", 1)
    assert decided(called("Penitent", knows=[2], shame=by_three)) == for_two
    assert decided(called("Penitent", knows=[2], shame=by_two, gossip={2: 1})) == for_two
    assert decided(called("Penitent", knows=[2], shame=by_two)) == act.DONE
    assert decided(called("Penitent", shame=by_three)) == act.DONE  # 0.4, and half of 0.5
    assert decided(called("Penitent", knows=[2], shame=by_three, defectors=[0, 2])) == act.DONE
    assert decided(called("Penitent", shame={0: 1, 3: 1, 4: 1})) == enlisting("Penitent", 0)
    # Defectors have other friends
    fellow = called("Penitent", shame=by_three, defectors=[1, 2])
    assert decided(fellow, CALM) == for_two
    assert decided(called("Penitent", shame=by_three, defectors=[1, 5]), CALM) == act.DONE


def test_shame_does_not_bar_the_owner_of_a_guardian() -> None:
    """So neither is it removed there nor added."""
    guarded = {1: ("Penitent",), 2: ("Guardian",)}
    t = build(6, defectors=[0, 5], disciples=guarded, shame={0: 2, 3: 2, 4: 2, 1: 3})
    learn(t, 1, 2)
    t.done()
    assert decided(t) == act.DONE
    guarded = {1: ("Gossip",), 5: ("Guardian",)}
    t = build(6, defectors=[0, 5], disciples=guarded, shame={2: 5, 3: 5, 1: 3})
    learn(t, 1, 5)
    t.done()
    assert decided(t) == act.DONE


@pytest.mark.parametrize(
    ("shame", "gossip", "used"),
    [({}, {}, False), ({2: 5}, {}, True), ({2: 5, 3: 5}, {}, True), ({}, {5: 1}, True),
     ({2: 5, 3: 5, 4: 5}, {}, False)],
)  # fmt: skip
def test_a_gossip_adds_to_shame_that_is_there(
    shame: dict[int, int], gossip: dict[int, int], used: bool
) -> None:
    """On the suspect whom one more bars or brings near it, while there are not three."""
    t = called("Gossip", knows=[5], shame={1: 3, **shame}, gossip=gossip)  # the own Shame is out
    assert decided(t) == (enlisting("Gossip", 4) if used else act.DONE)
    assert decided(t, CALM) == act.DONE


def test_a_mendicant_robs_the_most_suspected_who_has_something() -> None:
    assert decided(called("Mendicant", knows=[5]), CALM) == enlisting("Mendicant", 4)
    t = called("Mendicant", knows=[5, 2, 3], hands={5: ""})
    assert decided(t, CALM) in {enlisting("Mendicant", 3), enlisting("Mendicant", 5)}  # 4 or 0
    nobody = dict.fromkeys((0, 2, 3, 4, 5), "")
    assert decided(called("Mendicant", knows=[5], hands=nobody), CALM) == act.DONE


@pytest.mark.parametrize("seat", range(6))
def test_a_defector_never_robs_or_gossips_about_a_fellow(seat: int) -> None:
    for fellow in set(range(6)) - {seat}:
        for name in ("Mendicant", "Gossip"):
            t = called(name, seat=seat, defectors=[seat, fellow], gossip=dict.fromkeys(range(6), 1))
            action = decided(t, EAGER)
            assert enlisting(name) < action < enlisting(name, 6)
            assert (action - enlisting(name) + seat) % 6 != fellow


# Defectors against the Eye ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Regent", "Doorkeeper"])
def test_a_defector_steps_in_against_a_true_believer_as_eye(name: str) -> None:
    """Not against a fellow, nor against itself, nor while it sleeps."""
    against = called(name, defectors=[1, 5])
    assert decided(against, CALM) >= enlisting(name)
    assert decided(called(name, defectors=[0, 1]), CALM) == act.DONE
    assert decided(called(name, seat=0, defectors=[0, 5]), CALM) == act.DONE
    assert decided(against, replace(CALM, sleep=1)) == act.DONE


def test_a_defector_becomes_regent_and_bars_a_true_believer() -> None:
    assert decided(called("Regent", defectors=[1, 5]), CALM) == enlisting("Regent")
    for fellow in (2, 3, 4, 5):
        t = called("Doorkeeper", defectors=[1, fellow])
        assert barred(t, decided(t, CALM)) not in (0, 1, fellow)  # the Eye cannot be chosen at all


@pytest.mark.parametrize("last_hand", [2, 3, 4])
def test_a_defector_bars_one_who_can_be_chosen(last_hand: int) -> None:
    """Whoever was the last Hand cannot be: it is another who would be chosen."""
    t = called("Doorkeeper", defectors=[1, 5], last_hand=last_hand)
    assert barred(t, decided(t, CALM)) in {2, 3, 4} - {last_hand}


@pytest.mark.parametrize("rich", [2, 3, 4])
def test_a_defector_bars_the_one_who_would_be_chosen(rich: int) -> None:
    """All are trusted alike: it is the one with most Virtues whom the Eye would choose."""
    hands = {rich: "DDHHPP"}
    t = called("Doorkeeper", defectors=[1, 5], hands=hands)
    assert barred(t, decided(t, CALM)) == rich
    t.all_done()
    assert decided(t, CALM) == act.CHOOSE + rich - 1


@pytest.mark.parametrize(
    "name", ["Apostle", "Lantern", "Oracle", "Witness", "Inquisitor", "Confidant"]
)
@pytest.mark.parametrize("character", [CALM, replace(EAGER, shame_at=2.0)], ids=["calm", "eager"])
def test_what_defectors_never_enlist(name: str, character: Character) -> None:
    for defectors, seat in (((1, 5), 1), ((0, 1), 1), ((0, 5), 0)):
        t = called(name, seat=seat, defectors=defectors, knows=[2, 3])
        assert decided(t, character) == act.DONE
