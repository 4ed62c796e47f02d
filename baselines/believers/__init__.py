"""Believers: who is a Defector, from Views alone, and how good beliefs about it are."""

from concilium.baselines.believers.model import BehaviourModel
from concilium.baselines.believers.posterior import Posterior, Posteriors, posterior, posteriors

__all__ = ["BehaviourModel", "Posterior", "Posteriors", "posterior", "posteriors"]
