"""What each card does is told in a line, for every card that is in the game, as on the page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from concilium.envs import OptionError, get_game
from concilium.envs.believers import state as believers_state
from concilium.envs.core.glossary import Glossary

EVERYTHING: dict[str, dict[str, Any]] = {
    "chancellors": {"excuse": True, "pawns": True}, "nicaea": {}, "believers": {},
}  # fmt: skip
NUMBERS = {"chancellors": 3 + 38, "nicaea": 40 + 10 + 5, "believers": 10 + 12 + 1 + 15 + 8}


@pytest.mark.parametrize("name", list(EVERYTHING))
def test_every_card_has_a_line(name: str) -> None:
    bound = get_game(name).bind(**EVERYTHING[name])
    names = bound.cards()
    assert len(names) == len(set(names)) == NUMBERS[name]
    for card in names:
        (line,) = bound.card_text(card.upper()).split("\n")
        assert line.startswith(f"{card}: ")
        assert re.fullmatch(r"[^{}|]{20,220}", line.removeprefix(f"{card}: ")), line


@pytest.mark.parametrize("name", list(EVERYTHING))
def test_the_cards_of_actions_are_among_them(name: str) -> None:
    bound = get_game(name).bind(**EVERYTHING[name])
    known = sorted(bound.cards(), key=len, reverse=True)
    told = re.compile("|".join(map(re.escape, known)))
    verbs = (
        "take |play |flip |copy |buy |name |give |place |enlist |dismiss |discard |nominate |block "
    )
    for action in range(bound.game.num_actions):
        text = bound.action_name(action)
        absent = "#" in text or re.search(r"\bcard \d+\b", text)  # numbers that the file lacks
        if re.match(verbs, text) and not absent:
            assert told.search(text), text


@pytest.mark.parametrize("name", list(EVERYTHING))
def test_the_page_says_the_same(name: str) -> None:
    game = get_game(name)
    bound = game.bind(**EVERYTHING[name])
    page = (game.folder / "README.md").read_text()
    for card in bound.cards():
        line = bound.card_text(card).removeprefix(f"{card}: ")
        assert f"| {card} | {line} |" in page


def test_effects_of_the_file_are_on_the_page() -> None:
    page = (get_game("believers").folder / "README.md").read_text()
    for name in (*believers_state.EFFECTS, *believers_state.TROUBLES):
        assert re.search(rf"^\| {name}( \(S\))? \|", page, re.MULTILINE)


def test_only_cards_in_the_game_are_told() -> None:
    few = get_game("believers").bind(
        num_players=5, virtue_kinds=3, hand_size=2, rows="1-1", shame=False, disciples=False,
        crises=False,
    )  # fmt: skip
    assert few.cards()[:4] == ["Devotion", "Obedience", "Humility", "Devotion and Obedience"]
    assert "Devotion" in few.card_text("Humility")
    assert "Charity" not in few.card_text("Humility")
    assert not {"Shame", "Oracle", "Exile"} & set(few.cards())
    assert "Excuse" not in get_game("chancellors").bind().cards()


def test_lines_say_what_the_rules_do() -> None:
    believers = get_game("believers").bind()
    assert believers.card_text("oracle") == (
        "Oracle: Disciple, 2 cards, costs 3 Virtues; enlisted on another player: peek at the "
        "player's Faith"
    )
    assert believers.card_text("Exile").endswith(
        "Crisis; its target is not the Hand in the next row"
    )
    assert "rank 7, Suns and Knots: takes or keeps Soldier or Diplomat, pays 7" in (
        get_game("chancellors").bind().card_text("Castle")
    )
    nicaea = get_game("nicaea").bind()
    assert len(nicaea.card_text("arius").split("\n")) == 2  # both cards of the figure
    assert "costs 4 to play, pays 4 when flipped" in nicaea.card_text("Arius (Alexandria")
    assert "3 points at the end" in nicaea.card_text("Two synods a year")
    assert "Action for 1 or 2: turn up the leftmost" in nicaea.card_text("refresh leftmost")


def test_a_name_that_no_card_has() -> None:
    bound = get_game("believers").bind()
    with pytest.raises(OptionError, match=r"no card called 'Orakle'; did you mean Oracle"):
        bound.card_text("Orakle")
    for nothing in ("", "  ", "xyzzy"):
        with pytest.raises(OptionError, match="no card called"):
            bound.card_text(nothing)


def test_two_cards_of_one_name_are_kept_apart() -> None:
    both = Glossary([("Light", "Virtue, 1 card"), ("Light", "Disciple, 2 cards")])
    assert list(both.texts) == ["Light", "Light (Disciple)"]
    assert both.explain("light") == "Light: Virtue, 1 card"


def test_the_rules_are_told() -> None:
    for name in EVERYTHING:
        text = get_game(name).rules_text()
        assert "Table. " in text
        assert not re.search(r"^#|\*", text, re.MULTILINE)
        assert 800 < len(text) < 5000
