"""A part of a game's decisions for all of its players: in one game (AEC) and in batches.

Whoever is to decide is an agent at the chosen kinds of decisions and an assistant at all others,
which sees the View of that seat. A game can end before anybody has been asked. It is shown all the
same: its last position, with action 0 as the only one, which does nothing and brings the returns.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concilium.baselines.registry import BotLike
from concilium.envs import (
    Batch,
    Game,
    IllegalActionError,
    OptionError,
    UsageError,
    VecGame,
    get_game,
)
from concilium.envs.core.aec import GameEnv, Observation
from concilium.envs.core.arguments import check_action
from concilium.envs.core.copies import Independent
from concilium.envs.core.decisions import Decisions, kind_names
from concilium.envs.core.games import Games
from concilium.envs.core.play import FAILED, OUTSIDE, Numbers, Playable, PlayLoop, S
from concilium.envs.core.state import Records, new_records
from concilium.envs.core.vector import action_array
from concilium.wrappers.delegation import Delegation

_STREAM: Final = 0xA551  # of the assistant, apart from all that a game's own seed is used for


class DecisionsEnv(GameEnv):
    """A game as a PettingZoo AEC environment in which agents face only some kinds of decisions.

    Everything else is as in :class:`~concilium.envs.core.aec.GameEnv`; the history, and with it the
    replay, holds the assistant's actions too. Rewards are delivered once, also where the game ends
    at the assistant's turn. ::

        env = DecisionsEnv("nicaea", decisions="bidding", assistant="nicaea/broker", num_players=5)

    Args:
        game: the game or its name.
        decisions: the agents' kinds of decisions: ``"all"``, names of the game's kinds, or of sets
            of them such as Nicaea's ``"bidding"``.
        assistant: a bot or its name, which makes the others. It is seeded by each game's seed, so
            it must not be shared with another environment.
        **keywords: those of :class:`~concilium.envs.core.aec.GameEnv`.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        decisions: Decisions,
        assistant: BotLike | None = None,
        **keywords: Any,
    ) -> None:
        rules = get_game(game) if isinstance(game, str) else game
        self._delegation = Delegation(rules, decisions, assistant)
        self._nobody_asked = False  # since the deal; while the assistant opens a game only
        self._late: tuple[list[float], bool] | None = None  # how a game ended that nobody was in
        super().__init__(rules, **keywords)

    def _start(self) -> None:
        super()._start()
        self._ahead = Games([self._bound])  # where the assistant plays on; the cycle follows
        self._actions: list[int] = []  # that it took there
        self._loop = _assisted(self._ahead, self._delegation, on_decisions=self._note)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game and let the assistant play to the first decision of an agent.

        Args:
            seed: of the game and the assistant; see :meth:`GameEnv.reset`.
            options: ignored with a warning.
        """
        super().reset(seed, options)
        assert self.seed is not None
        self._delegation.seed(np.random.SeedSequence((self.seed, _STREAM)))
        self._open()

    def load_game_state(self, state: Records) -> None:
        """Go on from ``state``, with the assistant first if it is to decide; errors as there."""
        super().load_game_state(state)
        self._open()

    def _begin(self, seed: int | None) -> None:
        self._late, self._loop.failed = None, False
        super()._begin(seed)

    def _open(self) -> None:
        self._nobody_asked = True
        try:
            self._let_assist()
        finally:
            self._nobody_asked = False

    def step(self, action: int | None) -> None:
        """Take ``action`` for the selected agent and play to the next decision of an agent.

        Raises:
            UsageError, IllegalActionError: as for :meth:`GameEnv.step`.
            BotError: the assistant's answer cannot be used. Whatever it raises, the game cannot go
                on before the next reset.
        """
        if self._loop.failed:
            raise UsageError(FAILED)
        if self._late is not None and action is not None:
            self._close_late(action)
            return
        super().step(action)
        self._let_assist()

    def _let_assist(self) -> None:
        """Let the assistant act until an agent is to decide or the game is over."""
        if self._forfeit is not None:
            return
        self._actions.clear()
        self._ahead.put(self._states)
        self._loop.run()
        for action in self._actions:
            super().step(action)

    def _note(self, games: Numbers, actions: Numbers) -> None:
        del games
        self._actions += actions.tolist()

    def _finish(self, returns: list[float], truncated: bool) -> None:
        if self._nobody_asked:
            self._late = (returns, truncated)
            self.agent_selection = self.agents[0]
        else:
            super()._finish(returns, truncated)

    def _close_late(self, action: int) -> None:
        """Pay for a game that ended before anybody was asked."""
        assert self._late is not None
        agent = self.agent_selection
        try:
            if check_action(action) != 0:
                raise IllegalActionError(
                    f"{agent}: the game is over: only action 0 is legal, and does nothing"
                )
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            self._forfeit, self._late = agent, None
            self._finish([-1.0 if a == agent else 0.0 for a in self.possible_agents], False)
            return
        late, self._late = self._late, None
        self._finish(*late)

    def observe(self, agent: str) -> Observation:
        """What ``agent`` sees now; see :meth:`GameEnv.observe`."""
        seen = super().observe(agent)
        if self._late is not None and agent == self.agent_selection:
            seen["action_mask"][0] = 1
        return seen

    def __getstate__(self) -> dict[str, Any]:
        kept = super().__getstate__()
        for name in ("_ahead", "_actions", "_loop"):
            del kept[name]
        kept["_delegation"] = copy.deepcopy(self._delegation)
        kept["_failed"] = self._loop.failed
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._delegation = kept["_delegation"]
        super().__setstate__({name: kept[name] for name in kept if name != "_failed"})
        self._loop.failed = kept["_failed"]

    def __repr__(self) -> str:
        names = ", ".join(kind_names(self._bound.game, self._delegation.chosen))
        return f"{super().__repr__()[:-1]}; agents decide {names}>"


@dataclass(frozen=True)
class _Ending:
    """How a game of a batch ended; the arrays are of all seats."""

    rewards: NDArray[np.float64]
    truncated: bool
    views: Records
    observations: NDArray[np.int8]


class VecDecisions(Independent):
    """A batch of games in which players face only some kinds of decisions.

    It is used as :class:`~concilium.envs.VecGame` is: every row stands at a chosen decision. One
    game at most ends in a row in each step. Where the next one ends too before anybody was asked,
    :attr:`over` is true: seat 0 is shown its last observation with action 0 alone, and the step
    that takes it delivers the returns. ::

        vec = VecDecisions(
            make_vec("nicaea", 64), decisions="bidding", assistant="nicaea/broker"
        )

    Args:
        vec: the games; they are played through this object alone from then on.
        decisions: the players' kinds of decisions, as for :class:`DecisionsEnv`.
        assistant: a bot or its name, which makes the others for all seats.

    Attributes:
        vec: the games. Rows that are over have been dealt anew there.
        game, num_envs, seats, num_players: as those of ``vec``.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    def __init__(
        self, vec: VecGame, *, decisions: Decisions, assistant: BotLike | None = None
    ) -> None:
        if not isinstance(vec, VecGame):
            raise OptionError(f"vec={vec!r} is no VecGame: make_vec() makes one")
        self.vec = vec
        self.game = vec.game
        self.num_envs = vec.num_envs
        self.seats = vec.seats
        self.num_players = vec.num_players
        self._delegation = Delegation(vec.game, decisions, assistant)
        self._loop = _assisted(vec, self._delegation, on_ends=self._end)
        self._ended: dict[int, _Ending] = {}  # in this step, by row
        self._late: dict[int, _Ending] = {}  # and before anybody was asked in the next game
        self._opening = False
        self._seeded = False

    def reset(self, seed: int | None = None) -> Batch:
        """Deal all games anew; see :meth:`VecGame.reset`. The assistant is seeded from the run."""
        self.vec.reset(seed)
        if seed is not None or not self._seeded:
            self._delegation.seed(np.random.SeedSequence((self.vec.run, _STREAM)))
            self._seeded = True
        self._late.clear()
        self._loop.failed = False
        self._loop.resting[:] = False
        self._opening = True
        self._loop.run()
        return self._batch(np.arange(self.num_envs), True)

    def step(
        self, actions: ArrayLike, games: ArrayLike | None = None, *, observe: bool = True
    ) -> Batch:
        """Take one action in each game and play to the next chosen decision.

        Args:
            actions: whole numbers ``(k,)``.
            games: numbers of the games they are for ``(k,)``; all, in order, if not given.
            observe: leave False where nobody reads the observations.

        Raises:
            UsageError, IllegalActionError, OptionError: as there; no game is changed.
            BotError: the assistant's answer cannot be used. Whatever it raises, the games cannot go
                on before the next reset.
        """
        if self._loop.failed:
            raise UsageError(FAILED)
        rows = self.vec.check_games(games, unique=True)
        chosen = action_array(actions, len(rows))
        over = self.over[rows]
        if (chosen[over] != 0).any():
            raise IllegalActionError(
                f"game {rows[over][chosen[over] != 0][0]} is over: only action 0 is legal, and "
                "does nothing"
            )
        batch = self.vec.advance(chosen[~over], rows[~over])
        self._opening = False
        self._ended = {row: self._late.pop(row) for row in rows[over].tolist()}
        self._loop.resting[rows[over]] = False
        self._end(batch)
        self._loop.run(rows)
        return self._batch(rows, observe)

    def _end(self, batch: Batch) -> None:
        """Keep how games ended: the first end of a row in this step, or one that has to wait."""
        for f, k in enumerate(batch.finished.tolist()):
            ending = _Ending(
                batch.rewards[k], bool(batch.truncated[k]), batch.final_views[f],
                batch.final_observations[f],
            )  # fmt: skip
            row = int(batch.games[k])
            late = self._opening or row in self._ended
            (self._late if late else self._ended)[row] = ending
            self._loop.resting[row] = late

    def _batch(self, rows: NDArray[np.int64], observe: bool) -> Batch:
        """What has come of a step in ``rows``, and where they stand."""
        ended, self._ended = self._ended, {}
        size = self.game.observation.size
        finished = np.array([k for k, row in enumerate(rows.tolist()) if row in ended], np.int64)
        endings = [ended[row] for row in rows[finished].tolist()]
        rewards = np.zeros((len(rows), self.seats))
        truncated = np.zeros(len(rows), bool)
        terminated = np.zeros(len(rows), bool)
        views = new_records(len(endings) * self.seats, self.game.dtype)
        views = views.reshape(len(endings), self.seats)
        observations = np.zeros((len(endings), self.seats, size), np.int8)
        for f, (k, ending) in enumerate(zip(finished.tolist(), endings, strict=True)):
            rewards[k] = ending.rewards
            truncated[k], terminated[k] = ending.truncated, not ending.truncated
            views[f], observations[f] = ending.views, ending.observations
        over = self.over[rows]
        return Batch(
            games=rows.copy(),
            observations=self.observations(rows) if observe else np.empty((len(rows), 0), np.int8),
            masks=self.masks[rows],
            actors=np.where(over, 0, self.vec.standing[1][rows]),
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            finished=finished,
            final_views=views,
            final_observations=observations,
        )

    # What else can be asked ------------------------------------------------------------------

    @property
    def over(self) -> NDArray[np.bool_]:
        """Rows that show a game which ended before anybody was asked ``(num_envs,) bool``."""
        return self._loop.resting.copy()

    @property
    def masks(self) -> NDArray[np.int8]:
        """Legal actions in all games as they stand ``(num_envs, num_actions) int8``."""
        masks = self.vec.masks
        masks[self._loop.resting] = 0
        masks[self._loop.resting, 0] = 1
        return masks

    def views(self, games: ArrayLike | None = None, players: ArrayLike | None = None) -> Records:
        """Views ``(k,)`` of ``players`` (those to act, if not given) in ``games`` (all).

        Those of rows that are over are the last ones, of seat 0 if no player is given.

        Raises:
            OptionError: as for :meth:`VecGame.views`, or a spectator's View of a row that is over.
        """
        rows = self.vec.check_games(games)
        views = self.vec.views(rows, players)
        for k in np.flatnonzero(self.over[rows]).tolist():
            seat = 0 if players is None else int(np.asarray(players)[k])
            if seat < 0:
                raise OptionError(f"game {rows[k]} is over: only its players' Views are kept")
            views[k] = self._late[int(rows[k])].views[seat]
        return views

    def observations(self, games: ArrayLike | None = None) -> NDArray[np.int8]:
        """Observations ``(k, observation size) int8`` of those to act in ``games`` (all)."""
        rows = self.vec.check_games(games)
        observations = self.vec.observations(rows)
        for k in np.flatnonzero(self.over[rows]).tolist():
            observations[k] = self._late[int(rows[k])].observations[0]
        return observations

    def close(self) -> None:
        """Stop the engine's threads; may be called any number of times."""
        self.vec.close()


def _assisted(games: Playable[S], delegation: Delegation, **hooks: Any) -> PlayLoop[S]:
    """The loop of the assistant, which stops at every decision that is not left to it."""
    sits = np.full((games.num_envs, delegation.seats), OUTSIDE)
    return PlayLoop(
        games, delegation.players, sits, deciders=delegation.deciders(), stop_forced=True, **hooks
    )
