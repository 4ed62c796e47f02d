"""Chancellors as a PettingZoo module: ``chancellors_v0.env(num_players=3)``.

2 to 4 players, AEC, 152 actions, rewards at the end: the winner +1, each other -1/(n - 1); a
calamity -1 for everyone (or the lowest score wins); out of time 0. Rules, rulings, the tables of
actions and observations and the version history: ``envs/chancellors/README.md``.
"""

from __future__ import annotations

from typing import Any

from concilium.envs.chancellors import GAME
from concilium.envs.core.aec import GameEnv


def env(
    *, num_players: int = 3, render_mode: str | None = None, illegal: str = "raise", **options: Any
) -> GameEnv:
    """Return a new environment; see :class:`concilium.envs.core.aec.GameEnv`."""
    return GameEnv(
        GAME, num_players=num_players, render_mode=render_mode, illegal=illegal, **options
    )


raw_env = env  # the class does the checks of PettingZoo's wrapper stack itself
