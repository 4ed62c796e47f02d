"""PettingZoo's own checkers accept the environments."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from concilium.envs import chancellors_v0, nicaea_v0
from concilium.envs.core.aec import GameEnv
from tests.toys.faulty_envs import HushEnv

with warnings.catch_warnings():
    # PettingZoo's checkers import one of its games by the way that it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

TABLES = (
    [
        pytest.param(
            chancellors_v0.env, {"num_players": n, **options}, id=f"chancellors-{n}-{name}"
        )
        for n in (2, 3, 4)
        for name, options in (
            ("default", {}),
            ("full", {"excuse": True, "pawns": True, "problems": 5, "calamity": "lowest_wins"}),
        )
    ]
    + [pytest.param(nicaea_v0.env, {"num_players": n}, id=f"nicaea-{n}") for n in (4, 5, 6)]
    + [pytest.param(HushEnv, {"num_players": n}, id=f"hush-{n}") for n in (2, 3, 4)]
)


# a dictionary with a mask is what PettingZoo itself asks of games with illegal actions
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:reset\\(options=")  # it gives some that mean nothing
@pytest.mark.parametrize(("make", "options"), TABLES)
def test_api(make: Callable[..., GameEnv], options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=200)


@pytest.mark.parametrize(("make", "options"), TABLES)
def test_seeds(make: Callable[..., GameEnv], options: dict[str, Any]) -> None:
    seed_test(lambda: make(**options), num_cycles=200)


@pytest.mark.parametrize("make", [chancellors_v0.env, nicaea_v0.env, HushEnv])
def test_render(make: Callable[..., GameEnv], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: make(render_mode=render_mode))
    assert capsys.readouterr().out  # of the mode "human"
