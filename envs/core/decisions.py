"""Choosing kinds of decisions, so that a learner can face a part of a game and a bot the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import OptionError

if TYPE_CHECKING:
    from concilium.envs.core.game import Game

ALL: Final = "all"
"""The name for all kinds of decisions of any game."""

Decisions: TypeAlias = str | list[str] | tuple[str, ...]
"""``"all"``, one of a game's :attr:`~.game.Game.decision_sets`, one of its kinds, or several."""


def decision_kinds(game: Game, decisions: Decisions) -> NDArray[np.bool_]:
    """Tell which of a game's kinds of decisions are meant.

    Args:
        game: the game.
        decisions: ``"all"``, the name of a set of kinds, of a kind, or several such names.

    Returns:
        ``(len(game.kinds),) bool``, true for at least one.

    Raises:
        OptionError: a name is not known, or there is none; the message says what there is.
    """
    chosen = np.zeros(len(game.kinds), bool)
    for name in decisions if isinstance(decisions, list | tuple) else [decisions]:
        kinds = _kinds_called(game, name) if isinstance(name, str) else ()
        if not kinds:
            raise OptionError(f"no decisions {name!r} in {game.name}: {allowed_decisions(game)}")
        for kind in kinds:
            chosen[game.kinds.index(kind)] = True
    if not chosen.any():
        raise OptionError(f"decisions={decisions!r} are none: {allowed_decisions(game)}")
    return chosen


def _kinds_called(game: Game, name: str) -> tuple[str, ...]:
    if name == ALL:
        return game.kinds
    return (name,) if name in game.kinds else game.decision_sets.get(name, ())


def kind_names(game: Game, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    """Names of the kinds that ``chosen (len(game.kinds),)`` marks, in the game's order."""
    return tuple(name for name, marked in zip(game.kinds, chosen, strict=True) if marked)


def part_of(game: Game, decisions: Decisions) -> tuple[str, ...]:
    """Names of the chosen kinds, none if they are all: then nobody else has anything to decide.

    Raises:
        OptionError: as for :func:`decision_kinds`.
    """
    chosen = decision_kinds(game, decisions)
    return () if chosen.all() else kind_names(game, chosen)


def allowed_decisions(game: Game) -> str:
    """Say in words which names :func:`decision_kinds` takes."""
    sets = [f"{name} ({', '.join(kinds)})" for name, kinds in game.decision_sets.items()]
    return f"one or more of {', '.join([ALL, *sets, *game.kinds])}"
