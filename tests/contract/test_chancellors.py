"""Chancellors keeps every promise of the contract, at every table and with extreme options."""

from __future__ import annotations

import pytest

from concilium.envs import get_game
from concilium.envs.check import PROPERTIES, check_game
from tests.contract.players import Careful, relabel_chancellors

OPTIONS: dict[str, dict[str, object]] = {
    "default": {},
    "excuse and pawns": {"excuse": True, "pawns": True},
    "five problems": {"problems": 5, "calamity": "lowest_wins", "excuse": True},
    "four problems": {"problems": 4, "pawns": True},
    "largest": {
        "target_score": 8000,
        "max_turns": 8000,
        "excuse": True,
        "pawns": True,
        "problems": 5,
    },
    "smallest": {"target_score": 1, "max_turns": 1},
    "short": {"target_score": 20, "max_turns": 9, "excuse": True, "calamity": "lowest_wins"},
}
CONSTANT = ("seat_exists[0]", "seat_exists[1]", *(f"problem_exists[{k}]" for k in range(3)))
"""At every table there are two players and three problems."""
ALL = [segment.name for segment in get_game("chancellors").observation]


def players() -> list[Careful]:
    """Players who between them reach wins, reshuffles, large payments and the limit of turns."""
    return [Careful(0), Careful(1, growth=7, eager=0.5), Careful(2, growth=10, openly=True)]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_every_property_holds_at_every_table(num_players: int) -> None:
    report = check_game(
        get_game("chancellors"),
        options=list(OPTIONS.values()),
        num_players=[num_players],
        games=2,
        pairs=1000,
        bots=players(),
        constant=ALL,  # all tables together show what can vary
        relabel=relabel_chancellors,
    )
    report.raise_if_failed()
    assert len(report.tables) == len(OPTIONS)
    assert tuple(line.name for line in report.lines) == PROPERTIES


def test_everything_in_the_observation_varies_at_some_table() -> None:
    report = check_game(
        get_game("chancellors"), options=list(OPTIONS.values()), games=2, pairs=2000,
        bots=players(), constant=CONSTANT, properties=["coverage"],
    )  # fmt: skip
    report.raise_if_failed()
    assert len(report.tables) == 3 * len(OPTIONS)


@pytest.mark.long
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("name", list(OPTIONS))
def test_ten_thousand_pairs(name: str, num_players: int) -> None:
    report = check_game(
        get_game("chancellors"),
        options=OPTIONS[name],
        num_players=[num_players],
        games=20,
        pairs=10_000,
        bots=players(),
        constant=ALL,
        relabel=relabel_chancellors,
        process=False,
    )
    report.raise_if_failed()
    assert report["round_trip"].examined == 10_000
    assert report["visible_events"].examined > 2000
