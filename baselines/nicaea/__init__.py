"""Rule bots for Nicaea: characters, the bot that decides by them, and two exact programs.

:mod:`.dispute` works out how a dispute will end under a declared model of players, :mod:`.ending`
who would win were the game over now.
"""

from typing import Final

from concilium.baselines.nicaea.bot import CharacterBot
from concilium.baselines.nicaea.character import (
    BROKER,
    CONTRARIAN,
    SCHISMATIC,
    TABLEAU,
    WARDEN,
    Character,
)
from concilium.baselines.nicaea.dispute import DisputeModel, settling_chances
from concilium.baselines.nicaea.ending import EndChances, end_chances, end_chances_of
from concilium.baselines.rule_bot import rule_bots

__all__ = [
    "BOTS", "BROKER", "CONTRARIAN", "SCHISMATIC", "TABLEAU", "WARDEN", "Character", "CharacterBot",
    "DisputeModel", "EndChances", "end_chances", "end_chances_of", "settling_chances",
]  # fmt: skip

BOTS: Final = rule_bots(
    CharacterBot, broker=BROKER, schismatic=SCHISMATIC, tableau=TABLEAU, contrarian=CONTRARIAN,
    warden=WARDEN,
)  # fmt: skip
"""The bots by name."""
