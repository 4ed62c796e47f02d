"""Bots: the protocol, uniform play, rule bots by game, saved policies.

A bot answers batches of Views with actions; :func:`make_bot` finds one by name.
"""

from concilium.baselines.policy import Network, PolicyBot, load_policy, save_policy
from concilium.baselines.protocol import Bot, GeneratorBot, UniformBot
from concilium.baselines.registry import BOTS, bot_names, make_bot

__all__ = [
    "BOTS", "Bot", "GeneratorBot", "Network", "PolicyBot", "UniformBot", "bot_names", "load_policy",
    "make_bot", "save_policy",
]  # fmt: skip
