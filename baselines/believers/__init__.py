"""Believers: who is a Defector, from Views alone, how good beliefs about it are, and rule bots."""

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
from concilium.baselines.believers.model import BehaviourModel
from concilium.baselines.believers.posterior import Posterior, Posteriors, posterior, posteriors

__all__ = [
    "ALWAYS", "BAYES", "MIXED", "PARTNER", "SELFISH", "SLEEPER", "BehaviourModel", "Character",
    "CharacterBot", "Posterior", "Posteriors", "posterior", "posteriors",
]  # fmt: skip
