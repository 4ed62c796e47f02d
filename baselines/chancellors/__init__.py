"""Rule bots for Chancellors: characters, and the bot that decides by them."""

from typing import Final

from concilium.baselines.chancellors.bot import CharacterBot, StewardBot
from concilium.baselines.chancellors.character import (
    BLOCKER,
    GRIM,
    OPPORTUNIST,
    STEWARD,
    Character,
)
from concilium.baselines.rule_bot import rule_bots

__all__ = [
    "BLOCKER", "BOTS", "GRIM", "OPPORTUNIST", "STEWARD", "Character", "CharacterBot", "StewardBot",
]  # fmt: skip

BOTS: Final = rule_bots(
    CharacterBot, steward=STEWARD, opportunist=OPPORTUNIST, grim=GRIM, blocker=BLOCKER,
)  # fmt: skip
"""The bots by name."""
