"""Draws of Faith from a posterior, for worlds to search in."""

from __future__ import annotations

import numpy as np

from concilium.baselines.believers.bot import CharacterBot
from concilium.baselines.believers.character import BAYES
from concilium.baselines.believers.inference.posterior import members, posteriors
from concilium.envs.core.bot import Bot
from concilium.envs.core.state import Records, plain_records


def draw_hidden(views: Records, bot: Bot, generator: np.random.Generator) -> None:
    """Write into copies of one View who is a Defector, drawn from the fast posterior.

    Args:
        views: ``(k,)`` copies of one View; changed in place.
        bot: by its model of behaviour; that of ``bayes`` for bots without one.
        generator: where the chance comes from.
    """
    character = bot.character if isinstance(bot, CharacterBot) else BAYES
    known = posteriors(views[:1], character.model())
    chosen = generator.choice(len(known.assignments), len(views), p=known.probabilities[0])
    plain = plain_records(views)
    players = int(plain["num_players"][0])
    plain["faith"][:, :players] = members(known.assignments[chosen], players)
