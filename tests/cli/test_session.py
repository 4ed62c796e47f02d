"""What can be asked for at the table in ``concilium play``."""

from __future__ import annotations

import re

import pytest

from concilium.commands.played import PlayedGame
from concilium.commands.session import HELP, Desk
from concilium.envs import GAMES
from tests.cli.shell import Run


def desk(name: str) -> Desk:
    """At the first decision of a game."""
    table = PlayedGame(GAMES[name].bind(), 4)
    return Desk(table.bound, table.view(), "the menu", ["a line"])


@pytest.mark.parametrize("name", list(GAMES))
def test_every_request_is_answered(name: str) -> None:
    asked = desk(name)
    for word in re.findall(r"^  (\w+)  ", HELP, re.MULTILINE):
        if word != "quit":
            assert asked.answer(f" {word.upper()} "), word
    assert asked.answer("?") == HELP
    assert asked.answer("moves") == "the menu"
    assert asked.answer("log") == "a line"
    assert asked.answer("rules") == (
        GAMES[name].rules_text() or "the game has no page that tells them"
    )
    assert asked.answer("table") == asked.bound.render(asked.view)
    for card in asked.bound.cards():
        assert card in str(asked.answer("card"))
        assert asked.answer(f"card {card}") == asked.bound.card_text(card)
    assert str(asked.answer("card xyzzy")).startswith("there is no card called 'xyzzy'")
    assert asked.answer("1") is None
    assert asked.answer("") is None


@pytest.mark.parametrize("name", list(GAMES))
def test_no_move_is_called_like_a_request(name: str) -> None:
    asked = desk(name)
    for action in range(GAMES[name].num_actions):
        assert asked.answer(asked.bound.action_name(action)) is None


def test_the_menu_of_nicaea_tells_price_and_action(run: Run) -> None:
    ran = run("play", "nicaea", "--seed", 3, "--bots", "random", given="moves\nquit\n")
    menus = re.findall(r"^Your moves \(turn\):\n((?: +\d+  .*\n)+)", ran.out, re.MULTILINE)
    assert len(menus) == 2
    assert menus[0] == menus[1]
    taken = [line for line in menus[0].splitlines() if "  take " in line]
    assert len(taken) > 1
    assert all(re.search(r" — [a-z ]+ for \d: [a-z]", line) for line in taken)
