"""Rule bots for Chancellors."""

from concilium.baselines.chancellors.character import STEWARD, Character
from concilium.baselines.chancellors.steward import StewardBot

__all__ = ["STEWARD", "Character", "StewardBot"]
