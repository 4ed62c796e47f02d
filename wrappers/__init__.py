"""Adapters: one seat of a game for Gymnasium and stable-baselines3, a checker, kinds of decisions.

Importing this package registers ``concilium/Chancellors-v0`` and so on with Gymnasium. The
stable-baselines3 adapter is in :mod:`concilium.wrappers.sb3`, the only module here that imports it.
"""

from __future__ import annotations

import gymnasium

from concilium.envs import GAMES
from concilium.envs.core.bot import Actor
from concilium.wrappers.checks import EnvCheckError, check_env
from concilium.wrappers.decisions import DecisionsEnv, VecDecisions
from concilium.wrappers.driver import Clock, Driver, Turn
from concilium.wrappers.opponents import Opponents
from concilium.wrappers.single_seat import SingleSeatEnv

for _game in GAMES.values():
    _id = f"concilium/{_game.title}-v{_game.version}"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="concilium.wrappers.single_seat:SingleSeatEnv",
            kwargs={"game": _game.name},
            disable_env_checker=True,  # Gymnasium's passive checker does not know of masks
            order_enforce=False,  # the environment checks the order itself
        )

__all__ = [
    "Actor", "Clock", "DecisionsEnv", "Driver", "EnvCheckError", "Opponents", "SingleSeatEnv",
    "Turn", "VecDecisions", "check_env",
]  # fmt: skip
