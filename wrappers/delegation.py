"""Which kinds of decisions a learner makes, and the bot that makes the others in its seat."""

from __future__ import annotations

import numpy as np

from concilium.baselines.registry import BotLike, resolve
from concilium.envs.core.bot import Actor, seed_bot
from concilium.envs.core.decisions import ALL, Decisions, decision_kinds, kind_names
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.play import Numbers, deciders


class Delegation:
    """A learner's part of the decisions of a game.

    The assistant sees the View of the seat that it decides for, and nothing else. It is not asked
    where only one action is legal.

    Args:
        game: the game.
        decisions: the learner's kinds of decisions, see
            :func:`~concilium.envs.core.decisions.decision_kinds`.
        assistant: a bot, or its name, for the others.

    Attributes:
        seats: of the largest table.
        chosen: which kinds are the learner's ``(len(game.kinds),) bool``.
        players: the assistant, or nobody: it may be missing only where it has nothing to do.

    Raises:
        OptionError: a name is unknown, the bot plays another game, or there is none and it is
            needed.
    """

    def __init__(
        self, game: Game, decisions: Decisions = ALL, assistant: BotLike | None = None
    ) -> None:
        self.seats = game.max_players
        self.chosen = decision_kinds(game, decisions)
        self.players: tuple[Actor, ...] = ()
        if assistant is not None:
            self.players = (resolve(assistant, game, role="assistant"),)
        elif not self.chosen.all():
            raise OptionError(
                f"decisions={decisions!r} leave {', '.join(kind_names(game, ~self.chosen))} to an "
                "assistant: one is needed, a bot or its name"
            )

    def seed(self, sequence: np.random.SeedSequence) -> None:
        """Seed the assistant, if it can be."""
        for bot in self.players:
            seed_bot(bot, sequence)

    def deciders(self, others: int = 0) -> Numbers | None:
        """Who decides, for a loop in which the assistant's number is ``others``; None: no part."""
        if self.chosen.all():
            return None
        return deciders(self.chosen, others + 1, others)
