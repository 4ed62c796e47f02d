"""The options: what they do, what is refused, and what the message says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import BoundGame, OptionError
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.believers.options import MINI
from concilium.envs.core.state import RUNNING, plain_records
from tests.games.believers.players import CHARACTERS, choose
from tests.games.believers.tables import PLAIN, Table, build, pair


def kinds_met(bound: BoundGame, seeds: range = range(6)) -> set[str]:
    """Kinds of decisions in a few games."""
    met = set()
    for seed in seeds:
        rng = np.random.default_rng(seed)
        states = bound.new_state(seed)
        s = plain_records(states)[0]
        while int(s["status"]) == RUNNING:
            met.add(bound.kind(states))
            legal = np.flatnonzero(bound.legal_actions(states)).tolist()
            bound.step(states, choose(legal, list(CHARACTERS)[seed % 3], rng, s))
    return met


def test_defaults() -> None:
    assert dict(GAME.bind().options) == {
        "num_players": 7, "talk": "none", "reward": "team", "rows": "4-3-2-1", "hand_size": 4,
        "virtue_kinds": 10, "shame": True, "disciples": True, "crises": True, "cards": "house",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("num_players", 4), ("num_players", 11), ("num_players", "7"), ("num_players", 7.0),
        ("talk", "loud"), ("talk", True), ("talk", None), ("reward", "own"), ("reward", 1),
        ("hand_size", 0), ("hand_size", -1), ("hand_size", 2.0), ("hand_size", True),
        ("virtue_kinds", 0), ("virtue_kinds", 1), ("virtue_kinds", 11), ("virtue_kinds", "10"),
        ("shame", 1), ("shame", "no"), ("disciples", 0), ("crises", None),
    ],
)  # fmt: skip
def test_a_value_that_is_not_allowed(option: str, value: object) -> None:
    # the message names the option, the value and what is allowed
    with pytest.raises(OptionError, match=f"option {option}=") as caught:
        GAME.bind(**{option: value})
    assert repr(value) in str(caught.value)
    assert "not allowed: " in str(caught.value)


@pytest.mark.parametrize(
    "rows",
    [
        "", "0", "5", "4-3-2-1-1", "4-3-x", "4--2", "-1", "4,3", (), (4, 3, 2, 1, 1), (0,), (5, 1),
        (4, 3.0), (True,), ("4", "3"), 4, None, "²",
    ],
)  # fmt: skip
def test_rows_that_are_not_allowed(rows: object) -> None:
    # 1 to 4 rows of 1 to 4 Missions
    with pytest.raises(OptionError, match="option rows=") as caught:
        GAME.bind(rows=rows)
    assert "1 to 4 rows of 1 to 4 Missions" in str(caught.value)


@pytest.mark.parametrize(
    "rows", ["4-3-2-1", (4, 3, 2, 1), [4, 3, 2, 1], np.array([4, 3, 2, 1]), iter((4, 3, 2, 1))]
)
def test_forms_of_the_rows(rows: object) -> None:
    bound = GAME.bind(rows=rows)
    assert bound.options["rows"] == "4-3-2-1"
    assert bound.template["row_length"][0].tolist() == [4, 3, 2, 1]
    assert bound.template["num_rows"][0] == 4


def test_an_unknown_option() -> None:
    with pytest.raises(OptionError, match="virtues"):
        GAME.bind(virtues=3)


def plain(players: int = 5, **options: Any) -> BoundGame:
    """A game with the plain cards."""
    return GAME.bind(num_players=players, cards=PLAIN, **options)


@pytest.mark.parametrize(("hand_size", "fits"), [(18, True), (19, False)])
def test_hands_that_the_virtues_suffice_for(hand_size: int, fits: bool) -> None:
    # options: players × hand size at most the number of Virtue cards, 94
    if fits:
        bound = plain(hand_size=hand_size)
        t = Table(bound, bound.new_state(1))
        assert t["hand_count"][:5].tolist() == [18] * 5
        assert t["deck_size"] == 4
        return
    with pytest.raises(OptionError, match="hand_size=19") as caught:
        plain(hand_size=hand_size).new_state(0)
    assert "95" in str(caught.value)
    assert "94" in str(caught.value)


def test_hands_of_all_cards() -> None:
    # exactly as many as there are: 40 of the first two kinds for 10 players
    bound = plain(10, hand_size=4, virtue_kinds=2)
    t = Table(bound, bound.new_state(1))
    assert t["deck_size"] == 0
    assert t["hand_count"].tolist() == [4] * 10
    with pytest.raises(OptionError, match="hand_size=5"):
        plain(10, hand_size=5, virtue_kinds=2).new_state(0)


@pytest.mark.parametrize(
    ("rows", "needed", "fits"),
    [
        ("4-3-2-1", 13, True),  # 14 Missions of the first two kinds
        ("4-3-3-1", 13, True),
        ("4-4-3-1", 15, False),
        ("4-4-4-4", 20, False),  # with four ties 1 + 1 + 1 and 2 tokens cannot be equal
    ],
)
def test_missions_must_suffice_for_the_longest_game(rows: str, needed: int, fits: bool) -> None:
    # options: every row of an even number can tie, and so can the tokens
    if fits:
        assert plain(rows=rows, virtue_kinds=2).new_state(0)["row_length"][0, 0] == 4
        return
    with pytest.raises(OptionError, match="rows='" + rows) as caught:
        plain(rows=rows, virtue_kinds=2).new_state(0)
    assert str(needed) in str(caught.value)
    assert "14" in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "missions"),
    [
        ("1", 1),  # one row cannot end in a tie of tokens
        ("2", 3),
        ("2-1", 4),  # 1 token against 2, or 2 and no tie in the row: no decider after an extra one
        ("1-1", 3),
    ],
)
def test_just_enough_missions(rows: str, missions: int, tmp_path: Path) -> None:
    # options: refused if the longest game needs more Missions than there are, and only then
    text = Path(PLAIN).read_text().replace("copies = 14", "copies = {}", 1)
    path = tmp_path / "cards.toml"
    for copies in (missions, missions - 1):
        path.write_text(text.format(copies))
        options = {"num_players": 5, "rows": rows, "virtue_kinds": 2, "cards": path}
        if copies == missions:
            assert GAME.bind(**options).new_state(0)["mission_copies"].sum() == missions
        else:
            with pytest.raises(OptionError, match=f"needs {missions} Missions"):
                GAME.bind(**options).new_state(0)


@pytest.mark.parametrize("kinds", range(2, 11))
def test_virtue_kinds_keeps_the_first_of_the_file(kinds: int) -> None:
    # and the Missions whose two Virtues are both kept
    t = Table(bound := plain(virtue_kinds=kinds), bound.new_state(2))
    copies = [20, 20, 20, 10, 4, 4, 4, 4, 4, 4]
    assert t["virtue_copies"].tolist() == copies[:kinds] + [0] * (10 - kinds)
    there = {
        "DO": 14, "HC": 6, "PR": 4, "DH": 2, "DC": 2, "OH": 2, "OC": 2, "US": 2, "VX": 2, "DX": 2,
        "DU": 2,
    }  # fmt: skip
    kept = "DOHCPRUSVX"[:kinds]
    for text, number in there.items():
        expected = number if set(text) <= set(kept) else 0
        assert t["mission_copies"][pair(text)] == expected
    assert t["mission_copies"].sum() == sum(
        number for text, number in there.items() if set(text) <= set(kept)
    )
    assert (t["hand"].sum(axis=0) + t["deck"]).tolist() == t["virtue_copies"].tolist()


@pytest.mark.parametrize("hand_size", [1, 2, 7])
def test_hand_size(players: int, hand_size: int) -> None:
    bound = plain(players, hand_size=hand_size)
    for seed in range(3):
        t = Table(bound, bound.new_state(seed))
        assert t["hand_count"][:players].tolist() == [hand_size] * players


def test_shame_off(players: int) -> None:
    # options: nobody has a Shame card
    t = build(players, options={"shame": False}, disciples={0: ["Almoner"]})
    assert t["shame_at"][:players].tolist() == [S.AWAY] * players
    assert t.asked == (0, "call")
    assert t.legal == {act.DONE, act.ENLIST}
    t.rounds("SSSF")
    t.pass_the_night()
    assert t["shame_at"][:players].tolist() == [S.AWAY] * players
    assert t.legal <= {act.DONE, act.ENLIST}


def test_a_penitent_without_shame_cards(players: int) -> None:
    # options: Gossip still counts, and is forgiven
    t = build(players, options={"shame": False}, disciples={0: ["Penitent"]}, gossip={1: 3})
    t.enlist("Penitent", 1)
    assert t.shame(1) == 0
    assert t["shame_at"][:players].tolist() == [S.AWAY] * players


def test_disciples_off(players: int) -> None:
    # options: none dealt, no piles, no Indoctrination
    bound = plain(players, disciples=False)
    t = Table(bound, bound.new_state(1))
    assert t["disciples"].sum() == t["buried"].sum() == t["pile_size"].sum() == 0
    assert t["pile_top"].tolist() == [-1] * 3
    assert t.enlists == set()
    assert t.kind == "call"  # Shame can be played
    met = kinds_met(bound)
    assert not met & {"heralding", "indoctrination", "payment", "doubting"}
    assert "night" in met


def test_crises_off(players: int) -> None:
    # options: no night; Indoctrination stays
    bound = plain(players, crises=False)
    assert bound.new_state(1)["crises"][0].tolist() == [-1] * 3
    met = kinds_met(bound)
    assert not met & {"night", "fasting", "doubting"}
    assert {"indoctrination", "payment"} <= met


def test_all_off(players: int) -> None:
    # what is left is choosing, giving and placing
    bound = plain(players, shame=False, disciples=False, crises=False)
    assert kinds_met(bound) == {"choice", "gift", "placement"}


def test_all_on(players: int) -> None:
    # every kind of decision comes up
    bound = plain(players, talk="claims")
    assert kinds_met(bound, range(30)) >= set(S.KINDS_OF_DECISIONS) - {"doubting"}


def test_mini() -> None:
    # believers/mini: 5 players, 3 kinds, hands of 2, two rows of one Mission, nothing else
    bound = GAME.bind(**MINI)
    for seed in range(20):
        states = bound.new_state(seed)
        t = Table(bound, states)
        assert t["hand_count"][:5].tolist() == [2] * 5
        missions = 0
        while not t.over:
            t.step(min(t.legal))
            missions = int(t["mission"])
        assert 2 <= missions <= 3


@pytest.mark.parametrize(
    ("option", "field", "value", "stored"),
    [
        ("talk", "talk", "claims", 1), ("talk", "talk", "none", 0),
        ("reward", "zero_sum", "zero_sum", 1), ("reward", "zero_sum", "team", 0),
        ("shame", "shame_on", False, 0), ("disciples", "disciples_on", False, 0),
        ("crises", "crises_on", False, 0), ("crises", "crises_on", True, 1),
        ("hand_size", "hand_size", 3, 3), ("virtue_kinds", "virtue_kinds", 5, 5),
    ],
)  # fmt: skip
def test_options_are_in_the_state(option: str, field: str, value: Any, stored: int) -> None:
    bound = plain(**{option: value})
    assert bound.template[field][0] == stored
    assert field in bound.option_fields


def test_the_largest_tables_fit() -> None:
    # every table from 5 to 10 players with the house cards, with and without talk
    for players in range(5, 11):
        for talk in ("none", "claims"):
            bound = GAME.bind(num_players=players, talk=talk)
            assert bound.new_state(0)["num_players"][0] == players
