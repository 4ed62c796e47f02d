"""Believers as a PettingZoo module: ``believers_v0.env(num_players=7)``.

5 to 10 players, AEC, 475 actions, rewards at the end: each winner +1, each loser -1. Rules,
rulings, the tables of actions and observations and the version history:
``envs/believers/README.md``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from concilium.envs.believers import GAME
from concilium.envs.core.aec import GameEnv


def env(
    *,
    num_players: int = 7,
    talk: str = "none",
    reward: str = "team",
    rows: str | Iterable[int] = "4-3-2-1",
    cards: str | os.PathLike[str] = "house",
    render_mode: str | None = None,
    illegal: str = "raise",
    **options: Any,
) -> GameEnv:
    """Return a new environment; see :class:`concilium.envs.core.aec.GameEnv`.

    Args:
        num_players: 5 to 10.
        talk: ``"none"``, or ``"claims"`` for statements and claims.
        reward: ``"team"``: ±1 each; ``"zero_sum"``: ±1 divided by the size of the own side.
        rows: Missions of each row from the bottom to the peak, as in ``"4-3-2-1"``.
        cards: ``"house"`` or the path of a file of cards.
        render_mode: None, ``"ansi"``, ``"human"`` or ``"rgb_array"``.
        illegal: what an illegal action does: ``"raise"`` or ``"lose"``.
        **options: ``hand_size``, ``virtue_kinds``, ``shame``, ``disciples``, ``crises``, for small
            games.

    Raises:
        OptionError: an option is unknown, has a value that is not allowed, or does not go with the
            others.
        FileFormatError: the file of cards cannot be read or a value in it is not allowed.
    """
    return GameEnv(
        GAME,
        num_players=num_players,
        talk=talk,
        reward=reward,
        rows=rows,
        cards=cards,
        render_mode=render_mode,
        illegal=illegal,
        **options,
    )


raw_env = env  # the class does the checks of PettingZoo's wrapper stack itself
