"""Which kinds of decisions a learner makes, and the bot that makes the others in its seat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.decisions import ALL, Decisions, decision_kinds, kind_names
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game
from concilium.envs.core.state import Records, take_records
from concilium.wrappers.opponents import Actor, BotLike, answers, resolve, seed_actor


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
        chosen: which kinds are the learner's ``(len(game.kinds),) bool``.
        whole: whether all are.
        assistant: the bot; None only where it has nothing to do.

    Raises:
        OptionError: a name is unknown, the bot plays another game, or there is none and it is
            needed.
    """

    def __init__(
        self, game: Game, decisions: Decisions = ALL, assistant: BotLike | None = None
    ) -> None:
        self.game = game
        self.chosen = decision_kinds(game, decisions)
        self.whole = bool(self.chosen.all())
        self.assistant: Actor | None = None
        if assistant is not None:
            self.assistant = resolve(assistant, game, "assistant")
        elif not self.whole:
            raise OptionError(
                f"decisions={decisions!r} leave {', '.join(kind_names(game, ~self.chosen))} to an "
                "assistant: one is needed, a bot or its name"
            )

    def seed(self, sequence: np.random.SeedSequence) -> None:
        """Seed the assistant, if it can be."""
        if self.assistant is not None:
            seed_actor(self.assistant, sequence)

    def answer(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Actions ``(k,)`` of the assistant.

        Args:
            views: Views ``(k,)`` of those to act.
            masks: their legal actions ``(k, num_actions)``, no row all zero.

        Raises:
            BotError: the assistant answered with something else than legal actions.
        """
        actions: NDArray[np.int64] = masks.argmax(axis=1)
        asked = np.flatnonzero(masks.sum(axis=1, dtype=np.int64) > 1)
        if len(asked):
            assert self.assistant is not None  # somebody is there for what is not the learner's
            every = len(asked) == len(actions)
            shown = (views, masks) if every else (take_records(views, asked), masks[asked])
            actions[asked] = answers(self.assistant, *shown)
        return actions
