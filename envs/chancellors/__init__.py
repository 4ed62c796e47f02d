"""Chancellors: a race to 50 points in which a neglected problem dismisses everybody."""

from concilium.envs.chancellors.game import GAME

__all__ = ["GAME"]
