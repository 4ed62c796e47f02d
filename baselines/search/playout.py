"""Games played to their end from worlds, everybody by a blueprint; what the seats get.

The same world brings the same chance whatever is tried in it: the future of a game and what bots
draw depend on the world's key and the number of decisions taken, so that actions are compared under
common random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.rule_bot import Program, RuleBot
from concilium.envs import BoundGame, Game
from concilium.envs.core.bot import Actor, Bot, UniformBot
from concilium.envs.core.compiled.jit import absent, jit
from concilium.envs.core.compiled.rng import stream_seed
from concilium.envs.core.compiled.values import RUNNING
from concilium.envs.core.errors import OptionError
from concilium.envs.core.games import Games
from concilium.envs.core.play import PlayLoop
from concilium.envs.core.state import Records, new_records, plain_records, take_records

Numbers = NDArray[np.int64]
ANY_LEGAL: Final = -1  # in place of a bot: draws any legal action
_BITS: Final = np.uint64(11)  # that a fraction of 53 bits has no room for
_FRACTION: Final = 2.0**-53


class Playouts(Protocol):
    """Plays worlds to their end."""

    def __call__(
        self, worlds: Records, rows: Numbers, actions: Numbers, sits: Numbers
    ) -> tuple[NDArray[np.float64], int]:
        """Take an action in a world and play on.

        Args:
            worlds: States ``(w,)``; they stay as they are.
            rows: the world of each playout ``(k,)``.
            actions: what is tried there ``(k,)``.
            sits: by which bot each seat plays on in a world ``(w, seats)``, as the class has them.

        Returns:
            Returns of all seats ``(k, seats) float64``, and the number of decisions taken.
        """


def playouts(game: Game, bots: Sequence[Bot]) -> Playouts:
    """Return what plays on with ``bots``: compiled whole where all are rule bots of one program."""
    programs = {bot.program for bot in bots if isinstance(bot, RuleBot)}
    if len(programs) == 1 and all(isinstance(bot, RuleBot | UniformBot) for bot in bots):
        return CompiledPlayouts(game, programs.pop(), bots)
    return BatchPlayouts(game, bots)


class CompiledPlayouts:
    """Rules and rule bots in one compiled loop.

    Args:
        game: what is played.
        program: of all the rule bots.
        bots: rule bots, and ``random``; ``sits`` holds their numbers.
    """

    def __init__(self, game: Game, program: Program, bots: Sequence[Bot]) -> None:
        rows = [bot.records() for bot in bots if isinstance(bot, RuleBot)]
        self._each = len(rows[0])  # records per bot
        self._params = np.concatenate([plain_records(each) for each in rows]).view(rows[0].dtype)
        places = iter(range(len(rows)))
        self._places = np.array(
            [next(places) if isinstance(bot, RuleBot) else ANY_LEGAL for bot in bots], np.int64
        )
        self._steady = np.array([isinstance(bot, RuleBot) and bot.steady for bot in bots])
        self._kernel = game.kernels.bind(playout_many, decide=program.decide)
        self._scratch = program.new_scratch()
        self._draws = np.empty(program.draws)
        self._memory = (
            new_records(1, game.dtype), new_records(1, game.dtype),
            np.empty(game.num_actions, np.int8),
        )  # fmt: skip

    def __call__(
        self, worlds: Records, rows: Numbers, actions: Numbers, sits: Numbers
    ) -> tuple[NDArray[np.float64], int]:
        """Play on; see :class:`Playouts`."""
        out = np.zeros((len(rows), sits.shape[1]))
        decisions = self._kernel(
            worlds, rows, actions, self._places[sits], self._steady[sits], self._params,
            self._each, *self._memory, self._draws, self._scratch, out,
        )  # fmt: skip
        return out, int(decisions)


class BatchPlayouts:
    """Worlds side by side, the bots asked in batches: for policies and for strangers' bots.

    What a bot draws is its own: the chance of the game is common to all that is tried in a world,
    that of bots which draw is not.

    Args:
        game: what is played.
        bots: ``sits`` holds their numbers.
    """

    def __init__(self, game: Game, bots: Sequence[Actor]) -> None:
        self._game = game
        self._bots = bots
        self._games: dict[tuple[int, int], Games] = {}

    def __call__(
        self, worlds: Records, rows: Numbers, actions: Numbers, sits: Numbers
    ) -> tuple[NDArray[np.float64], int]:
        """Play on; see :class:`Playouts`."""
        players = int(plain_records(worlds)["num_players"][0])
        games = self._games.get((players, len(rows)))
        if games is None:
            table = _table(self._game, players)
            games = self._games[players, len(rows)] = Games([table] * len(rows))
        games.put(take_records(worlds, rows))
        taken = len(rows)

        def count(going: Numbers, chosen: Numbers) -> None:
            nonlocal taken
            taken += len(chosen)

        games.advance(actions)
        PlayLoop(games, self._bots, sits[rows], on_decisions=count).run()
        return games.returns(), taken


def _table(game: Game, players: int) -> BoundGame:
    try:
        return game.bind(num_players=players)
    except OptionError:  # a size that needs options; States bring their own, seats are what counts
        return game.bind()


# Compiled --------------------------------------------------------------------------------------


step = legal_actions = make_view = returns = decide = absent  # of a game and a program


@jit
def fraction(key: Any, stream: int, number: int) -> float:
    """A random fraction from 0 below 1 that belongs to a world and to a decision in it."""
    return np.float64(stream_seed(key, stream, number) >> _BITS) * _FRACTION


def playout_many(
    worlds: Any, rows: Any, actions: Any, sits: Any, steady: Any, params: Any, each: Any,
    states: Any, views: Any, mask: Any, draws: Any, scratch: Any, out: Any,
) -> Any:  # fmt: skip
    """Write into ``out[k]`` what all seats get; return the number of decisions taken."""
    decisions = 0
    for k in range(rows.shape[0]):
        states[0] = worlds[rows[k]]
        s = states[0]
        key = s.rng_key
        step(s, actions[k])
        taken = 1
        while s.status == RUNNING:
            actor = s.actor
            for j in range(mask.shape[0]):
                mask[j] = 0
            legal_actions(s, mask)
            options = 0
            action = 0
            for j in range(mask.shape[0]):
                if mask[j] != 0:
                    options += 1
                    action = j
            place = sits[rows[k], actor]
            if options > 1 and place < 0:
                left = np.int64(fraction(key, 0, taken) * options)
                action = 0
                while mask[action] == 0 or left > 0:
                    left -= mask[action] != 0
                    action += 1
            elif options > 1:
                for d in range(draws.shape[0]):
                    draws[d] = 0.5 if steady[rows[k], actor] else fraction(key, 1 + d, taken)
                make_view(states, 0, actor, views, 0)
                first = place * each
                action = decide(views[0], params[first : first + each], mask, draws, scratch)
            step(s, action)
            taken += 1
        returns(s, out[k])
        decisions += taken
    return decisions
