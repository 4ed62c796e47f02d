"""Bots: the protocol, uniform play, rule bots by game, saved policies.

A bot answers batches of Views with actions; :func:`make_bot` finds one by name.
"""

from concilium.baselines.bots import BOTS, BotEntry
from concilium.baselines.divided import ComposedBot, DividedBot, SidedBot
from concilium.baselines.parameters import Parameter
from concilium.baselines.policy import Network, PolicyBot, save_policy
from concilium.baselines.registry import (
    bot_names,
    bot_parameters,
    load_policy,
    make_assistant,
    make_bot,
    policy_bot,
    policy_file,
)
from concilium.envs.core.bot import Bot, GeneratorBot, UniformBot

__all__ = [
    "BOTS", "Bot", "BotEntry", "ComposedBot", "DividedBot", "GeneratorBot", "Network", "Parameter",
    "PolicyBot", "SidedBot", "UniformBot", "bot_names", "bot_parameters", "load_policy",
    "make_assistant", "make_bot", "policy_bot", "policy_file", "save_policy",
]  # fmt: skip
