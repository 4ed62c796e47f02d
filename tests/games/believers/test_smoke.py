"""Believers as a whole: options, files of cards, and games to the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import FileFormatError, OptionError, believers_v0, register_game
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import cards_of, copies_at, pair_number, read_cards
from concilium.envs.believers.claims import BEYOND, FALSE, TRUE, judge
from concilium.envs.believers.options import most_events, most_missions
from concilium.envs.check.table import play_side_by_side
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.state import plain_records

register_game(GAME)
HOUSE = GAME.folder / "cards.toml"


def write(folder: Path, old: str = "", new: str = "") -> Path:
    """The house set with one change."""
    text = HOUSE.read_text()
    assert old in text
    path = folder / "cards.toml"
    path.write_text(text.replace(old, new, 1))
    return path


# Cards ---------------------------------------------------------------------------------------


def test_the_house_set_is_the_one_described(players: int) -> None:
    """HOUSE: 72 Virtues, unevenly spread, 20 Missions; the tuned copies by hand."""
    cards = read_cards(HOUSE)
    virtues = [copies_at(virtue, players) for virtue in cards.virtues]
    assert sum(virtues) == 72
    assert virtues == sorted(virtues, reverse=True)
    missions = [mission for mission in cards.missions if copies_at(mission, players)]
    assert sum(copies_at(mission, players) for mission in missions) == 20
    assert {kind for mission in missions for kind in (mission.low, mission.high)} == set(range(10))
    disciples = [copies_at(disciple, players) for disciple in cards.disciples]
    regents = {5: 10, 6: 12, 7: 6, 8: 8, 9: 12, 10: 4}
    assert disciples == [2] * 7 + [regents[players]] + [2] * 7
    assert [crisis.effect for crisis in cards.crises] == list(range(8))
    match = sum(
        copies_at(mission, players) * (virtues[mission.low] + virtues[mission.high])
        for mission in missions
    ) / (20 * 72)
    assert 0.35 <= match <= 0.45


def test_pairs_are_numbered_in_one_way() -> None:
    pairs = [(int(a), int(b)) for a, b in zip(S.PAIR_LOW, S.PAIR_HIGH, strict=True)]
    assert pairs == [(a, b) for a in range(10) for b in range(a, 10)]
    assert [pair_number(b, a) for a, b in pairs] == list(range(55))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "Sacrifice"\ncopies = 1', 'name = "Sacrifice"\ncopies = 32',
         r"virtue 10 \('Sacrifice'\), field copies: 32"),
        ('name = "Charity"', 'name = "devotion"', "field name: two have this name"),
        ("copies = 2", "copies = [1, 2]", "field copies"),
        ('effect = "oracle"', 'effect = "prophet"', r"disciple 12 \('Oracle'\), field effect"),
        ("cost = 3", "cost = 4", "field cost: 4 is not allowed"),
        ('virtues = ["Devotion", "Obedience"]', 'virtues = ["Devotion", "Devotion"]',
         "mission 1, field virtues"),
        ('name = "Fast"', 'name = "Fa:st"', "field name"),
        ("provenance", "origin", "field provenance is missing"),
        ('"regent"\ncost = 1', '"regent"\ncost = 2', "disciple of cost 1"),
        ("[[virtue]]", "[[virtue", "is not TOML"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_by_card_and_field(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(FileFormatError, match=message):
        believers_v0.env(cards=write(tmp_path, old, new))


def test_two_sets_in_one_process_and_a_changed_file(tmp_path: Path) -> None:
    path = write(tmp_path, '"Sacrifice"\ncopies = 1', '"Sacrifice"\ncopies = [7, 6, 5, 4, 3, 2]')
    bound = GAME.bind(num_players=6, cards=path)
    assert int(plain_records(bound.template)["virtue_copies"][0, 9]) == 6
    assert int(plain_records(GAME.bind().template)["virtue_copies"][0, 9]) == 1
    value = bound.options["cards"]
    assert isinstance(value, str)
    assert value.startswith(f"{path}#")
    path.write_text(path.read_text() + "\n")
    cards_of.cache_clear()
    with pytest.raises(FileFormatError, match="has changed"):
        GAME.bind(cards=value)


# Options -------------------------------------------------------------------------------------


def test_rows_are_given_in_two_ways() -> None:
    assert GAME.bind(rows=(2, 1)).options["rows"] == "2-1"
    assert GAME.bind(rows=[np.int64(3)]).options["rows"] == "3"
    for wrong in ("", "5-1", "1-1-1-1-1", (0, 1), (True, 1), 4, "2,1", None):
        with pytest.raises(OptionError, match="rows"):
            GAME.bind(rows=wrong)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": "4-4-4-4", "virtue_kinds": 9}, "needs 20 Missions, there are 19"),
        ({"virtue_kinds": 2}, "needs 13 Missions, there are 7"),
        ({"hand_size": 8, "num_players": 10}, "80 Virtues would be dealt, there are 72"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        believers_v0.env(**options)


def test_bounds_of_the_house_set_fit() -> None:
    assert most_missions(GAME.bind().options) == 13
    largest = GAME.bind(num_players=10, talk="claims", rows="4-4-4-4").options
    assert most_events(largest) <= S.LOG_CAPACITY


def test_random_play_is_as_long_as_known() -> None:
    """What is known about play: 168 decisions on average at 5 players, 295 at 10."""
    for players, mean in ((5, 168), (10, 295)):
        bot = UniformBot(GAME, 1)
        sample = play_side_by_side(GAME.bind(num_players=players), bot, list(range(150)))
        assert abs(sample.lengths.mean() - mean) < 8
        last = plain_records(sample.states)
        missions = last["mission"][last["status"] == 1]
        assert missions.min() >= 8
        assert missions.max() <= 13


# Talk ----------------------------------------------------------------------------------------


def test_talk_is_judged_by_what_the_speaker_could_know() -> None:
    """A Defector's accusation is true or false, a True Believer's beyond; claims are compared."""
    bound = GAME.bind(num_players=5, talk="claims", shame=False, disciples=False)
    state = bound.new_state(1)
    plain = plain_records(state)[0]
    plain["turn"] = plain["eye"] = plain["actor"] = 0
    plain["faith"] = [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    plain["hand"][1] = [2, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    for name in (
        "accuse opponent 1", "vouch for opponent 1", "vouch for opponent 3", "say nothing",
        "accuse opponent 1", "choose opponent 1", "give Devotion", "give Obedience",
        "place Devotion", "claim Devotion and Obedience", "claim Devotion and Devotion",
    ):  # fmt: skip
        bound.step(state, bound.parse_action(name))
    said = [(j.speaker, j.kind, j.about, j.verdict) for j in judge(plain_records(state)[0])]
    assert said == [
        (0, "accuse", 1, FALSE), (1, "vouch", 2, BEYOND), (2, "vouch", 0, FALSE),
        (4, "accuse", 0, BEYOND), (1, "hand", pair_number(0, 1), TRUE),
        (0, "eye", pair_number(0, 0), FALSE),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="View"):
        judge(plain_records(bound.view(state, 0))[0])
