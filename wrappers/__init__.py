"""Adapters: a single seat for Gymnasium and stable-baselines3, and a checker for them.

Importing this package registers ``concilium/Chancellors-v0`` and so on with Gymnasium. The
stable-baselines3 adapter lives in :mod:`concilium.wrappers.sb3`, which alone imports torch.
"""

from __future__ import annotations

import gymnasium

from concilium.envs import GAMES
from concilium.wrappers.checks import check_env
from concilium.wrappers.seats import LearnerSeats, SeatBatch
from concilium.wrappers.single_seat import SingleSeatEnv

for _game in GAMES.values():
    _id = f"concilium/{_game.title}-v{_game.version}"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="concilium.wrappers.single_seat:SingleSeatEnv",
            kwargs={"game": _game.name},
            # Gymnasium's passive checker samples illegal actions; check_env respects masks
            disable_env_checker=True,
            order_enforce=False,
        )

__all__ = ["LearnerSeats", "SeatBatch", "SingleSeatEnv", "check_env"]
