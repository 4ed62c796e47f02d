"""Believers: who is a Defector, from Views alone, how good beliefs about it are, and rule bots."""

from typing import Final

from concilium.baselines.believers.bot import CharacterBot
from concilium.baselines.believers.character import (
    ALWAYS,
    BAYES,
    MIXED,
    PARTNER,
    SELFISH,
    SLEEPER,
    Character,
)
from concilium.baselines.believers.hidden import draw_hidden
from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.believers.inference.posterior import (
    Posterior,
    Posteriors,
    posterior,
    posteriors,
)
from concilium.baselines.rule_bot import rule_bots

__all__ = [
    "ALWAYS", "BAYES", "BOTS", "MIXED", "PARTNER", "SELFISH", "SLEEPER", "BehaviourModel",
    "Character", "CharacterBot", "Posterior", "Posteriors", "draw_hidden", "posterior",
    "posteriors",
]  # fmt: skip

BOTS: Final = rule_bots(
    CharacterBot, selfish=SELFISH, bayes=BAYES, always=ALWAYS, partner=PARTNER, sleeper=SLEEPER,
    mixed=MIXED,
)  # fmt: skip
"""The bots by name."""
