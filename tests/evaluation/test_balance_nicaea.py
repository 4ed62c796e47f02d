"""What the tuning tells, and that decks are varied as said."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from concilium import cli
from concilium.envs.core.errors import OptionError
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea.deck import read_deck
from concilium.evaluation.balance.nicaea import (
    COSTS,
    REFRESHES,
    TRACKS,
    measure,
    quantile,
    vary,
)

HOUSE = GAME.folder / "deck.toml"


def test_quantiles() -> None:
    values = np.arange(1, 101)
    median = quantile(values, 0.5)
    # the ranks of half of 100 differ by 1.96 · 5 from 50
    assert (median.value, median.low, median.high) == (50, 41, 61)
    assert quantile(values, 0.9).value == 90
    assert quantile(np.array([7]), 0.5).value == 7


def test_measure_counts_every_game() -> None:
    found = measure(4, 30, seed=2)
    again = measure(4, 30, seed=2)
    assert found == again
    assert found.settled.value + found.by_deck.value + found.idle.value == pytest.approx(1)
    for shares in (found.seats, found.turns):
        assert sum(each.value for each in shares) == pytest.approx(1)
        assert len(shares) == 4
    with pytest.raises(OptionError, match="games=0"):
        measure(4, 0)


def test_decks_are_varied(tmp_path: Path) -> None:
    text, house = HOUSE.read_text(), read_deck(HOUSE)
    path = tmp_path / "deck.toml"
    path.write_text(vary(text, house, TRACKS["up to 5"], (1, 1.5, 2, 2.5, 3), COSTS["1 is 2"]))
    deck = read_deck(path)
    assert (deck.base, deck.contrarian, deck.refresh) == ((2, 3, 4, 5), (1, 2, 2, 3), (2, 3, 4, 5))
    for card, before in zip(deck.cards, house.cards, strict=True):
        expected = 2 if before.cost == 1 and not before.is_canon else before.cost
        assert card.cost == expected
    path.write_text(vary(text, house, {}, (), {}))
    assert read_deck(path) == house


def test_all_that_the_search_tries_can_be_played(tmp_path: Path) -> None:
    """A longer track than the deck's goes on with its last refresh number."""
    text, house = HOUSE.read_text(), read_deck(HOUSE)
    path = tmp_path / "deck.toml"
    for track, refresh, costs in product(TRACKS.values(), REFRESHES.values(), COSTS.values()):
        path.write_text(vary(text, house, track, refresh, costs))
        deck = read_deck(path)
        assert len(deck.refresh) == len(track.get("base", house.base))
        assert deck.refresh[0] == (2 * refresh[0] if refresh else house.refresh[0])


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["balance", "nicaea", "--games", "5", "--players", "4"]) == 0
    told = capsys.readouterr().out
    assert "4 players, 5 games" in told
    assert "won by schism" in told
