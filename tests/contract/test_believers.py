"""Believers keeps every promise of the contract at every table, with and without talk."""

from __future__ import annotations

from typing import Any

import pytest

from concilium.envs import get_game
from concilium.envs.believers.options import MINI
from concilium.envs.check import PROPERTIES, check_game
from tests.contract.relabel_believers import relabel_believers

SMALL: dict[str, Any] = {name: value for name, value in MINI.items() if name != "num_players"}
TABLES: dict[str, dict[str, Any]] = {
    "default": {},
    "claims": {"talk": "claims", "reward": "zero_sum"},
    "mini": SMALL,
    "mini with claims": {**SMALL, "talk": "claims", "shame": True},
    "short": {"rows": "1-1"},
    "no disciples": {"rows": "2-2", "disciples": False},
}
ALL = [segment.name for segment in get_game("believers").observation]


def test_every_property_holds_in_a_short_game() -> None:
    report = check_game(
        get_game("believers"),
        options={"talk": "claims", "rows": "2-1"},
        num_players=[6],
        games=1,
        pairs=100,
        constant=ALL,  # few games: not all values occur
        relabel=relabel_believers,
    )
    report.raise_if_failed()
    assert tuple(line.name for line in report.lines) == PROPERTIES


@pytest.mark.long
@pytest.mark.parametrize("num_players", [5, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("name", list(TABLES))
def test_ten_thousand_pairs(name: str, num_players: int) -> None:
    """Nights are among them: what is due then is hidden from all but Defectors (B17)."""
    report = check_game(
        get_game("believers"),
        options=TABLES[name],
        num_players=[num_players],
        games=10,
        pairs=10_000,
        constant=ALL,
        relabel=relabel_believers,
        process=False,
    )
    report.raise_if_failed()
    assert report["round_trip"].examined == 10_000
    assert report["visible_events"].examined > 1000
