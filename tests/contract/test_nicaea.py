"""Nicaea keeps every promise of the contract, at every table and with decks of a user's own."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from concilium.envs import get_game
from concilium.envs.check import PROPERTIES, check_game
from concilium.envs.check.observations import element_names
from concilium.envs.core.state import Records
from tests.contract.relabel_nicaea import relabel_nicaea
from tests.games.nicaea.players import choose, write_deck

DECKS = ("house", "small", "large", "generous")
CONSTANT = tuple(f"seat_exists[{k}]" for k in range(4))
"""At every table there are four players."""
HOUSE_CARDS = 40


class Player:
    """Chooses by the weights of a character; random games alone never settle five disputes."""

    def __init__(self, character: str, seed: int) -> None:
        self.character = character
        self._generator = np.random.default_rng(seed)

    def act(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose one legal action per View."""
        del views
        return np.array(
            [
                choose(np.flatnonzero(mask).tolist(), self.character, self._generator)
                for mask in masks
            ],
            np.int64,
        )


def players() -> list[Player]:
    """Players who between them settle disputes, empty the deck, hoard, give away and sleep."""
    return [Player(name, k) for k, name in enumerate(("ally", "builder", "debater", "collector"))]


def deck(name: str, folder: Path) -> str:
    """A deck by name, written where it is not the house deck."""
    if name == "house":
        return name
    # of the smallest deck, eight cards, one is left to draw: everybody knows which
    figures, canons = {"small": (4, 4), "large": (20, 20), "generous": (15, 10)}[name]
    rng = np.random.default_rng(len(name))
    path = folder / f"{name}.toml"
    return str(write_deck(path, rng, figures, canons, generous=name == "generous"))


def test_every_property_holds_with_the_house_deck() -> None:
    cards_of_other_decks = [
        name
        for name in element_names(get_game("nicaea").observation)
        if name.endswith("]") and int(re.split(r"[\[ ]", name[:-1])[-1]) >= HOUSE_CARDS
    ]
    report = check_game(
        get_game("nicaea"),
        games=1,
        pairs=300,
        bots=players(),
        constant=[*CONSTANT, *cards_of_other_decks, "display", "ending", "schism"],  # few games
        relabel=relabel_nicaea,
    )
    report.raise_if_failed()
    assert len(report.tables) == 3
    assert tuple(line.name for line in report.lines) == PROPERTIES


@pytest.mark.long
def test_every_property_holds_at_every_table(tmp_path: Path) -> None:
    report = check_game(
        get_game("nicaea"),
        options=[{"deck": deck(name, tmp_path)} for name in DECKS],
        games=4,
        pairs=1000,
        bots=players(),
        constant=CONSTANT,
        relabel=relabel_nicaea,
    )
    report.raise_if_failed()
    assert len(report.tables) == 3 * len(DECKS)


@pytest.mark.long
@pytest.mark.parametrize("num_players", [4, 5, 6])
@pytest.mark.parametrize("name", DECKS)
def test_ten_thousand_pairs(name: str, num_players: int, tmp_path: Path) -> None:
    report = check_game(
        get_game("nicaea"),
        options={"deck": deck(name, tmp_path)},
        num_players=[num_players],
        games=20,
        pairs=10_000,
        bots=players(),
        constant=[segment.name for segment in get_game("nicaea").observation],
        relabel=relabel_nicaea,
        process=False,
    )
    report.raise_if_failed()
    assert report["round_trip"].examined == 10_000
    assert report["visible_events"].examined > 2000
