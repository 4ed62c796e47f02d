"""Nicaea as a PettingZoo module: ``nicaea_v0.env(num_players=5)``.

4 to 6 players, AEC, 507 actions, rewards at the end: k winners +1/k each, the n - k others
-1/(n - k). Rules, rulings, the tables of actions and observations and the version history:
``envs/nicaea/README.md``.
"""

from __future__ import annotations

import os
from typing import Any

from concilium.envs.core.aec import GameEnv
from concilium.envs.nicaea import GAME


def env(
    *,
    num_players: int = 5,
    deck: str | os.PathLike[str] = "house",
    render_mode: str | None = None,
    illegal: str = "raise",
    **options: Any,
) -> GameEnv:
    """Return a new environment; see :class:`concilium.envs.core.aec.GameEnv`.

    Args:
        num_players: 4 to 6.
        deck: ``"house"`` or the path of a deck file, for values other than this project's own.
        render_mode: None, ``"ansi"``, ``"human"`` or ``"rgb_array"``.
        illegal: what an illegal action does: ``"raise"`` or ``"lose"``.
        **options: there are no others.

    Raises:
        OptionError: an option is unknown or has a value that is not allowed.
        FileFormatError: the deck file cannot be read or a value in it is not allowed.
    """
    return GameEnv(
        GAME,
        num_players=num_players,
        deck=deck,
        render_mode=render_mode,
        illegal=illegal,
        **options,
    )


raw_env = env  # the class does the checks of PettingZoo's wrapper stack itself
