"""Nicaea: a council whose disputes are won together and whose unity may yet break."""

from concilium.envs.nicaea.game import GAME

__all__ = ["GAME"]
