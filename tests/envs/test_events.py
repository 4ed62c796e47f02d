"""Events as data: what the table of a game says is what its events hold."""

from __future__ import annotations

import numpy as np
import pytest

from concilium.envs import GAMES, Game
from concilium.envs.core.compiled.log import COLUMNS, EVENT


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_table_names_all_that_an_event_holds(game: Game) -> None:
    lines = dict(zip(game.event_table.rows, game.event_table.table().splitlines()[2:], strict=True))
    for number, declared in game.event_table.rows.items():
        event = np.zeros(COLUMNS, np.int16)
        event[EVENT] = number
        told = game.event_table.decode(event)
        secret = (declared.secret,) if declared.secret else ()
        assert tuple(told) == ("event", *declared.names, *secret)
        for name in (*declared.names, *secret):
            assert f"`{name}`" in lines[number]


def test_what_is_packed_is_named_too() -> None:
    table = GAMES["believers"].event_table
    lines = table.table().splitlines()
    (placed,) = [line for line in lines if line.startswith("| `placed` |")]
    assert "| `seat`, `first`, `second`, `success`, `given` |" in placed
    (said,) = [line for line in lines if line.startswith("| `said` |")]
    assert "| `statements` |" in said
