"""Rule bots for Chancellors: characters, and the bot that decides by them."""

from concilium.baselines.chancellors.bot import CharacterBot, StewardBot
from concilium.baselines.chancellors.character import (
    BLOCKER,
    GRIM,
    OPPORTUNIST,
    STEWARD,
    Character,
)

__all__ = [
    "BLOCKER", "GRIM", "OPPORTUNIST", "STEWARD", "Character", "CharacterBot", "StewardBot",
]  # fmt: skip
