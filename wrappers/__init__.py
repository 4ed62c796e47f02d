"""Adapters: one seat of a game for Gymnasium and stable-baselines3, a checker, kinds of decisions.

Importing this package registers ``concilium/Chancellors-v0`` and so on with Gymnasium, also for
parts of the decisions (``concilium/NicaeaBidding-v0``, which needs an ``assistant``) and for sides
(``concilium/BelieversDefectors-v0``). A name that brings the import along works everywhere, in
spawned workers too: ``gymnasium.make("concilium.wrappers:concilium/Chancellors-v0")``. The
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
from concilium.wrappers.vector import SingleSeatVecEnv


def _register(name: str, version: int, **arguments: str) -> None:
    """Make an environment known to Gymnasium, unless it is."""
    spec = f"concilium/{name}-v{version}"
    if spec not in gymnasium.registry:
        gymnasium.register(
            spec,
            entry_point="concilium.wrappers.single_seat:SingleSeatEnv",
            vector_entry_point="concilium.wrappers.vector:SingleSeatVecEnv",
            kwargs=arguments,
            disable_env_checker=True,  # Gymnasium's passive checker does not know of masks
            order_enforce=False,  # the environment checks the order itself
        )


for _game in GAMES.values():
    _register(_game.title, _game.version, game=_game.name)
    for _part in _game.decision_sets:
        _register(_game.title + _part.title(), _game.version, game=_game.name, decisions=_part)
    for _side in _game.sides:
        _register(_game.title + _side.title(), _game.version, game=_game.name, side=_side)

__all__ = [
    "Actor", "Clock", "DecisionsEnv", "Driver", "EnvCheckError", "Opponents", "SingleSeatEnv",
    "SingleSeatVecEnv",
    "Turn", "VecDecisions", "check_env",
]  # fmt: skip
