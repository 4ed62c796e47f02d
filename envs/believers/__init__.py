"""Believers: a cult that hides Defectors, and a pyramid of Missions that they want to fail."""

from concilium.envs.believers.game import GAME

__all__ = ["GAME"]
