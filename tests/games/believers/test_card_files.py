"""Files of cards of one's own: what is read, and what a broken one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from concilium.envs import FileFormatError
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import read_cards
from concilium.envs.core.state import plain_records
from tests.games.believers.tables import PLAIN, Table, pair

TEXT = Path(PLAIN).read_text()
COPIES = [20, 20, 20, 10, 4, 4, 4, 4, 4, 4]


def write(folder: Path, text: str) -> Path:
    """A file of cards."""
    path = folder / "cards.toml"
    path.write_text(text)
    return path


def changed(old: str, new: str) -> str:
    """The plain cards with the first ``old`` replaced."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def entry(kind: str, name: str) -> str:
    """The part of the plain file about one card."""
    found = [part for part in TEXT.split("\n\n") if f"[[{kind}]]" in part and f'"{name}"' in part]
    return found[0]


def card(kind: str, name: str, old: str, new: str) -> str:
    """The plain cards with one card changed."""
    part = entry(kind, name)
    assert old in part
    return TEXT.replace(part, part.replace(old, new, 1), 1)


def without(kind: str) -> str:
    """The plain cards without a set."""
    return "\n\n".join(part for part in TEXT.split("\n\n") if f"[[{kind}]]" not in part)


def test_the_plain_file_is_sound(players: int) -> None:
    s = plain_records(GAME.bind(num_players=players, cards=PLAIN).template)[0]
    assert s["virtue_copies"].tolist() == COPIES
    assert s["mission_copies"][pair("DO")] == 14
    assert s["mission_copies"].sum() == 40
    assert s["disciple_copies"].tolist() == [3] * 15 + [0] * 5
    assert s["disciple_cost"].tolist() == [1] * 4 + [2] * 7 + [3] * 4 + [0] * 5


def test_copies_by_number_of_players(tmp_path: Path) -> None:
    # a list is for 5, 6, 7, 8, 9 and 10 players
    text = card("virtue", "Charity", "copies = 10", "copies = [5, 6, 7, 8, 9, 10]")
    path = write(tmp_path, text)
    for players in range(5, 11):
        s = plain_records(GAME.bind(num_players=players, cards=path).template)[0]
        assert s["virtue_copies"][3] == players


def test_cards_of_ones_own(tmp_path: Path) -> None:
    # other names, other costs, an effect on two cards; names are shown, effects work
    text = card("disciple", "Almoner", 'name = "Almoner"', 'name = "Cellarer"')
    text += '\n[[disciple]]\nname = "Steward"\neffect = "almoner"\ncost = 3\ncopies = 2\n'
    bound = GAME.bind(num_players=5, cards=write(tmp_path, text))
    t = Table(bound, bound.new_state(0))
    s = plain_records(t.state)[0]
    assert s["disciple_effect"].tolist() == [*range(15), S.Effect.ALMONER, -1, -1, -1, -1]
    assert (s["disciple_cost"][15], s["disciple_copies"][15]) == (3, 2)
    # the actor has a Steward and nobody anything else
    s["disciples"], s["buried"], s["pile_size"], s["pile_top"] = 0, 0, 0, -1
    s["gone"] = s["disciple_copies"]
    s["gone"][15] -= 1
    s["disciples"][t.actor, 15] = 1
    seat = t.actor
    (action,) = [a for a in t.legal if "steward" in bound.action_name(a).lower()]
    t.step(action)
    assert t["hand_count"][seat] == 5
    assert any("Cellarer" in bound.action_name(a) for a in range(GAME.num_actions))


def test_the_value_of_the_option_notices_a_changed_file(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    value = GAME.bind(cards=str(path)).options["cards"]
    assert str(value).startswith(f"{path}#")
    assert GAME.bind(cards=value).options["cards"] == value
    write(tmp_path, changed("copies = 20", "copies = 19"))
    assert GAME.bind(cards=str(path)).options["cards"] != value
    with pytest.raises(FileFormatError, match="changed"):
        GAME.bind(cards=f"{path}#{'0' * 16}")


BROKEN = {
    "not TOML": ("[[virtue", "not TOML"),
    "empty": ("", "the file: field .* is missing"),
    "no title": (changed('title = "plain"\n', ""), "field title is missing"),
    "no provenance": (changed('provenance = "made for the tests"\n', ""), "provenance is missing"),
    "empty title": (changed('title = "plain"', 'title = ""'), "the file, field title"),
    "an unknown field": (changed("title =", "edition = 2\ntitle ="), "field edition is unknown"),
    "no virtues": (without("virtue"), "field virtue is missing"),
    "no missions": (without("mission"), "field mission is missing"),
    "no disciples": (without("disciple"), "field disciple is missing"),
    "no crises": (without("crisis"), "field crisis is missing"),
    "nine kinds": (TEXT.replace(entry("virtue", "Sacrifice"), ""), "virtue.*9 kinds.* 10|virtue"),
    "eleven kinds": (
        TEXT + '\n[[virtue]]\nname = "Mercy"\ncopies = 1\n', "virtue: 11 kinds; there must be 10",
    ),
    "a virtue without copies": (
        card("virtue", "Charity", "copies = 10", ""), r"virtue 4 \('Charity'\).*copies is missing",
    ),
    "a virtue with a field of a disciple": (
        card("virtue", "Charity", "copies = 10", "copies = 10\ncost = 1"),
        r"virtue 4 \('Charity'\).*field cost is unknown",
    ),
    "no copies of a virtue": (
        card("virtue", "Charity", "copies = 10", "copies = 0"),
        r"virtue 4 \('Charity'\), field copies: 0 is not allowed",
    ),
    "too many copies": (
        card("virtue", "Charity", "copies = 10", "copies = 32"),
        r"virtue 4 \('Charity'\), field copies: 32 is not allowed.*1 to 31",
    ),
    "copies that are no number": (
        card("virtue", "Charity", "copies = 10", 'copies = "ten"'), r"\('Charity'\), field copies",
    ),
    "copies that are no whole number": (
        card("virtue", "Charity", "copies = 10", "copies = 10.0"),
        r"\('Charity'\), field copies: 10.0",
    ),
    "copies that are true": (
        card("virtue", "Charity", "copies = 10", "copies = true"),
        r"\('Charity'\), field copies: True",
    ),
    "copies for five tables": (
        card("virtue", "Charity", "copies = 10", "copies = [1, 1, 1, 1, 1]"),
        r"\('Charity'\), field copies.*list of 6.*5 to 10 players",
    ),
    "one bad number of six": (
        card("virtue", "Charity", "copies = 10", "copies = [1, 1, 1, 1, 1, 0]"),
        r"\('Charity'\), field copies",
    ),
    "too many virtues": (
        card("virtue", "Charity", "copies = 10", "copies = 13"),
        "virtue, field copies: 97 cards at 5 players; 5 to 96 are allowed",
    ),
    "two virtues of one name": (
        card("virtue", "Charity", "Charity", "devotion"), "virtue 'devotion', field name: two",
    ),
    "a name with a colon": (
        card("disciple", "Herald", 'name = "Herald"', 'name = "He:rald"'),
        r"disciple 5 \('He:rald'\), field name: 'He:rald' is not allowed",
    ),
    "a name with a number sign": (
        card("crisis", "Doubt", 'name = "Doubt"', 'name = "Doubt #2"'), r"crisis 3.*field name",
    ),
    "an empty name": (
        card("disciple", "Herald", 'name = "Herald"', 'name = ""'), "disciple 5.*field name",
    ),
    "a name with a space before it": (
        card("disciple", "Herald", 'name = "Herald"', 'name = " Herald"'), "disciple 5.*field name",
    ),
    "a name that is a number": (
        card("disciple", "Herald", 'name = "Herald"', "name = 5"), "disciple 5, field name",
    ),
    "a name too long": (
        card("disciple", "Herald", 'name = "Herald"', f'name = "{"x" * 61}"'),
        "disciple 5.*field name",
    ),
    "two disciples of one name": (
        card("disciple", "Herald", 'name = "Herald"', 'name = "Almoner"'),
        "disciple 'Almoner', field name: two",
    ),
    "two crises of one name": (
        card("crisis", "Doubt", 'name = "Doubt"', 'name = "FAST"'),
        "crisis 'FAST', field name: two",
    ),
    "a mission of one virtue": (
        changed('["Devotion", "Obedience"]', '["Devotion"]'), "mission 1, field virtues",
    ),
    "a mission of three": (
        changed('["Devotion", "Obedience"]', '["Devotion", "Obedience", "Humility"]'),
        "mission 1, field virtues",
    ),
    "a mission of one virtue twice": (
        changed('["Devotion", "Obedience"]', '["Devotion", "Devotion"]'),
        "mission 1, field virtues.*two different Virtues",
    ),
    "a mission of an unknown virtue": (
        changed('["Devotion", "Obedience"]', '["Devotion", "Mercy"]'), "mission 1, field virtues",
    ),
    "a mission that is no list": (
        changed('["Devotion", "Obedience"]', '"Devotion"'), "mission 1, field virtues",
    ),
    "two entries of one mission": (
        changed('["Humility", "Charity"]', '["Obedience", "Devotion"]'),
        "mission 2, field virtues: two entries have this pair",
    ),
    "negative missions": (
        changed("copies = 14", "copies = -1"), "mission 1, field copies: -1 is not allowed",
    ),
    "too many missions": (
        changed("copies = 14", "copies = 15"), "mission, field copies: 41 cards at 5 players",
    ),
    "an unknown effect": (
        card("disciple", "Herald", '"herald"', '"prophet"'),
        r"disciple 5 \('Herald'\), field effect: 'prophet' is not allowed: one of almoner, ",
    ),
    "an effect in capitals": (
        card("disciple", "Herald", '"herald"', '"Herald"'), r"\('Herald'\), field effect",
    ),
    "a crisis's effect on a disciple": (
        card("disciple", "Herald", '"herald"', '"fast"'), r"\('Herald'\), field effect",
    ),
    "an effect that is a list": (
        card("disciple", "Herald", '"herald"', '["herald"]'), r"\('Herald'\), field effect",
    ),
    "a disciple for nothing": (
        card("disciple", "Herald", "cost = 2", "cost = 0"),
        r"disciple 5 \('Herald'\), field cost: 0 is not allowed.*1 to 3",
    ),
    "a disciple too dear": (
        card("disciple", "Herald", "cost = 2", "cost = 4"), r"\('Herald'\), field cost: 4",
    ),
    "a cost that is half": (
        card("disciple", "Herald", "cost = 2", "cost = 1.5"), r"\('Herald'\), field cost: 1.5",
    ),
    "negative disciples": (
        card("disciple", "Herald", "copies = 3", "copies = -1"), r"\('Herald'\), field copies: -1",
    ),
    "too many disciples": (
        card("disciple", "Oracle", "copies = 3", "copies = 19"),
        "disciple, field copies: 61 cards at 5 players",
    ),
    "too few disciples of cost 1": (
        card("disciple", "Almoner", "copies = 3", "copies = [3, 3, 3, 3, 3, 0]"),
        "disciple of cost 1, field copies: 9 cards at 10 players; 10 to 60",
    ),
    "too many heralds": (
        card("disciple", "Herald", "copies = 3", "copies = 9"),
        "disciple with effect herald, field copies: 9 cards at 5 players; 0 to 8",
    ),
    "too many gleaners": (
        card("disciple", "Gleaner", "copies = 3", "copies = 5"),
        "disciple with effect gleaner, field copies: 5 cards at 5 players; 0 to 4",
    ),
    "an unknown trouble": (
        card("crisis", "Doubt", '"doubt"', '"plague"'),
        r"crisis 3 \('Doubt'\), field effect: 'plague' is not allowed: one of fast, ",
    ),
    "copies of a crisis": (
        card("crisis", "Doubt", 'effect = "doubt"', 'effect = "doubt"\ncopies = 2'),
        r"crisis 3 \('Doubt'\): field copies is unknown",
    ),
    "two crises": (
        without("crisis") + '\n[[crisis]]\nname = "A"\neffect = "fast"\n'
        + '\n[[crisis]]\nname = "B"\neffect = "fast"\n',
        "crisis: 2 names; 3 to 12",
    ),
    "thirteen crises": (
        TEXT + "".join(f'\n[[crisis]]\nname = "C{k}"\neffect = "fast"\n' for k in range(5)),
        "crisis: 13 names; 3 to 12",
    ),
    "too many names of disciples": (
        TEXT + "".join(
            f'\n[[disciple]]\nname = "D{k}"\neffect = "almoner"\ncost = 1\ncopies = 0\n'
            for k in range(6)
        ),
        "disciple: 21 names; 1 to 20",
    ),
    "a set that is no list": (
        without("crisis").replace('title = "plain"', 'title = "plain"\ncrisis = 3'),
        "crisis: is not a list of tables",
    ),
    "a set of numbers": (
        without("crisis").replace('title = "plain"', 'title = "plain"\ncrisis = [1, 2, 3]'),
        "crisis 1: is not a table",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, what: str) -> None:
    # the message names the file, the card and the field
    text, words = BROKEN[what]
    path = write(tmp_path, text)
    with pytest.raises(FileFormatError, match=words) as caught:
        read_cards(path)
    assert str(path) in str(caught.value)
    with pytest.raises(FileFormatError):
        GAME.bind(cards=path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.toml"):
        GAME.bind(cards=tmp_path / "none.toml")


def test_a_file_too_large(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"cards\.toml"):
        read_cards(write(tmp_path, TEXT + "#" * 2**16))


def test_house_file() -> None:
    # HOUSE: 72 Virtues to start from, 20 Missions, provenance said; numbers may be tuned
    cards = read_cards(GAME.folder / "cards.toml")
    assert cards.provenance
    assert cards.virtues[0].name == "Devotion"
    assert len(cards.virtues) == 10
    assert len(cards.disciples) == 15
    assert len(cards.crises) == 8
    assert [S.EFFECTS[d.effect] for d in cards.disciples] == [
        d.name.lower() for d in cards.disciples
    ]
    costs = [1] * 4 + [2] * 7 + [3] * 4
    costs[7] = 1  # the Regent, tuned: concealment pays with it
    assert [d.cost for d in cards.disciples] == costs
