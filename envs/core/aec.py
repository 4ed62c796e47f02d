"""One PettingZoo AEC environment for all games.

It keeps the turn order and checks actions itself, so it needs none of PettingZoo's wrappers.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv

from concilium.envs.core.arguments import check_action, check_seed
from concilium.envs.core.compiled.rng import first_seed
from concilium.envs.core.copies import own
from concilium.envs.core.errors import (
    IllegalActionError,
    NotResetError,
    OptionError,
    UsageError,
)
from concilium.envs.core.events import Plain
from concilium.envs.core.game import BoundGame, Game, check_state
from concilium.envs.core.kernels import ILLEGAL
from concilium.envs.core.layout import Layout
from concilium.envs.core.picture import RENDER_MODES, Picture, check_render_mode, show
from concilium.envs.core.replay import Replay, make_replay
from concilium.envs.core.state import (
    RUNNING,
    TRUNCATED,
    Records,
    plain_records,
)

Observation: TypeAlias = dict[str, NDArray[np.int8]]
FORFEIT: Final = "illegal action"
"""What the outcome is called where an illegal action has lost the game."""
ILLEGAL_MODES: Final = ("raise", "lose")


_NO_GAME: Final = "there is no game yet: call reset() first"


class _FromReset:
    """Stands where an attribute is not there before the first reset.

    A method ``__getattr__`` would do the same, and slow down every attribute of the class.
    """

    def __get__(self, env: object, owner: type) -> Any:
        raise NotResetError(_NO_GAME)


_UNSET: Final[Any] = _FromReset()


def warn_of_options(options: Mapping[str, Any] | None) -> None:
    """Warn that what ``reset`` was given has no effect."""
    if options:
        warnings.warn(
            f"reset(options={dict(options)!r}) changes nothing: the options of a game are given "
            "where the environment is made",
            UserWarning,
            stacklevel=3,
        )


class GameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is untyped
    """A game as a PettingZoo AEC environment.

    Agents are ``player_0``, ``player_1``, … in seat order. Observations are dictionaries of
    ``"observation"`` (flat ``int8``, see :attr:`observation_layout`) and ``"action_mask"``
    (``int8``, all zeros for an agent that is not to act). Rewards come at the end of the game only
    and equal its returns; every info then holds ``"outcome"``, one of the game's names for how it
    ended or :data:`FORFEIT`. Every array handed out is the caller's own.

    Args:
        game: the game.
        render_mode: None, ``"ansi"`` (``render`` returns text), ``"human"`` (it prints it) or
            ``"rgb_array"`` (it returns a picture ``(height, width, 3) uint8``; needs Pillow).
        illegal: what an illegal action does: ``"raise"`` an :class:`IllegalActionError` and change
            nothing, or ``"lose"``: the game ends, -1 for the offender and 0 for the others.
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: an option is unknown or has a value that is not allowed.
    """

    agent_selection: str = _UNSET
    rewards: dict[str, float] = _UNSET
    _cumulative_rewards: dict[str, float] = _UNSET
    terminations: dict[str, bool] = _UNSET
    truncations: dict[str, bool] = _UNSET
    infos: dict[str, dict[str, Any]] = _UNSET

    def __init__(
        self,
        game: Game,
        *,
        render_mode: str | None = None,
        illegal: str = "raise",
        **options: object,
    ) -> None:
        super().__init__()
        if illegal not in ILLEGAL_MODES:
            raise OptionError(f"illegal={illegal!r} is not allowed: one of {ILLEGAL_MODES}")
        self._bound = game.bind(**options)
        self.render_mode = check_render_mode(render_mode)
        self.illegal = illegal
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._bound.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout = game.observation
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(layout.low, layout.high, dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self._seed_stream: tuple[int, int] | None = (
            None  # seed of the last seeded reset, resets since
        )
        self._start()

    def _start(self) -> None:
        """Make what is not worth copying: memory that kernels write into, and shortcuts."""
        game = self._bound.game
        self._states: Records = self._bound.template.copy()
        self._scratch_view: Records = self._bound.template.copy()
        self._scratch_mask = np.empty(game.num_actions, np.int8)
        self._observation_size = game.observation.size
        self._num_actions = game.num_actions
        self._step_kernel: Any = None
        self._observe_kernel: Any = None
        self.seed: int | None = None  # of the game being played
        self.history: list[int] = []  # actions taken since then
        self._forfeit: str | None = None  # agent that lost by an illegal action

    # The AEC cycle ---------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: whole number from 0 to 2**64 - 1; the same seed gives the same game everywhere.
                Without one, the next of the stream that the last seed began (the first reset of
                all without a seed takes one from the operating system).
            options: ignored with a warning; PettingZoo passes it. A game's options are fixed when
                the environment is made, so no reset can lose them.
        """
        warn_of_options(options)
        if seed is None:
            if self._seed_stream is None:
                self._seed_stream = (int.from_bytes(os.urandom(8), "little"), 0)
            base, count = self._seed_stream
            self._seed_stream = (base, count + 1)
            game_seed = first_seed(base, count)
        else:
            game_seed = int(check_seed(seed))
            self._seed_stream = (game_seed, 0)
        self._states[0] = self._bound.template[0]
        kernels = self._bound.game.kernels
        kernels.reset_one(self._states, 0, np.uint64(game_seed))
        self._begin(game_seed)

    def _begin(self, seed: int | None) -> None:
        """Set up the cycle for the State as it now is."""
        kernels = self._bound.game.kernels
        self._step_kernel = kernels.step_checked
        self._observe_kernel = kernels.observe_one
        self.seed = seed
        self.history = []
        self._forfeit = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        plain = plain_records(self._states)
        status = int(plain["status"][0])
        if status == RUNNING:
            self.agent_selection = self.possible_agents[int(plain["actor"][0])]
        else:
            self._finish(self._bound.returns(self._states).tolist(), status == TRUNCATED)

    def step(self, action: int | None) -> None:
        """Take ``action`` for the selected agent; None for an agent whose game is over.

        Raises:
            UsageError: before the first reset, after the last agent left, or None for a live agent.
            IllegalActionError: with ``illegal="raise"``; nothing is changed.
        """
        if not self.agents:
            raise UsageError("step() needs a game: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise UsageError(f"{agent} is to act, so step(None) has no meaning")
        actor, status = ILLEGAL, RUNNING
        try:
            number = check_action(action)
            actor, status = map(int, self._step_kernel(self._states, 0, number, self._scratch_mask))
            if actor == ILLEGAL:
                raise IllegalActionError(
                    f"{agent}: {self._bound.illegal_message(self._states, number)}"
                )
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            self._forfeit = agent
            self._finish([-1.0 if a == agent else 0.0 for a in self.possible_agents], False)
            return
        self.history.append(number)
        self._cumulative_rewards[agent] = 0.0
        if status == RUNNING:
            self.agent_selection = self.possible_agents[actor]
        else:
            self._finish(self._bound.returns(self._states).tolist(), status == TRUNCATED)

    def _finish(self, returns: list[float], truncated: bool) -> None:
        """End the game for all agents at once and pay each once."""
        for agent, amount in zip(self.possible_agents, returns, strict=True):
            self.rewards[agent] = amount
            self._cumulative_rewards[agent] = amount
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        (outcome,) = (FORFEIT,) if self._forfeit else self._bound.game.outcome_names(self._states)
        for info in self.infos.values():
            info["outcome"] = outcome
        self.agent_selection = self.agents[0]

    def _leave(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise UsageError(f"the game is over: {agent} can only step(None)")
        self.agents.remove(agent)
        for table in (
            self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos,
        ):  # fmt: skip
            del table[agent]
        for other in self.agents:
            self.rewards[other] = 0.0
        if self.agents:
            self.agent_selection = self.agents[0]

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, termination, truncation, info of the next."""
        if not self.agents:
            raise UsageError("last() needs a game: call reset() first")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What ``agent`` sees now: fresh arrays, the mask all zeros unless it is to act.

        Raises:
            UsageError: before the first reset.
            OptionError: no such agent.
        """
        seat = self._seat(agent)
        observation = np.empty(self._observation_size, np.int8)
        mask = np.empty(self._num_actions, np.int8)
        self._observe_kernel(self._states, 0, seat, self._scratch_view, observation, mask)
        if self._forfeit is not None:
            mask[:] = 0  # the State goes on, the game does not
        return {"observation": observation, "action_mask": mask}

    def _seat(self, agent: str) -> int:
        if self._observe_kernel is None:
            raise NotResetError(_NO_GAME)
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise OptionError(
                f"no agent {agent!r}; there are {', '.join(self.possible_agents)}"
            ) from None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of ``agent``'s observations, the same object every time; OptionError if unknown."""
        return self._space(self.observation_spaces, agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of ``agent``'s actions, the same object every time; OptionError if unknown."""
        return self._space(self.action_spaces, agent)

    def _space(self, table: dict[str, Any], agent: str) -> spaces.Space[Any]:
        if agent not in table:
            raise OptionError(f"no agent {agent!r}; there are {', '.join(table)}")
        space: spaces.Space[Any] = table[agent]
        return space

    # What else can be asked ------------------------------------------------------------------

    @property
    def game(self) -> BoundGame:
        """The game with its options."""
        return self._bound

    @property
    def observation_layout(self) -> Layout:
        """The table of named segments of an observation."""
        return self._bound.game.observation

    @property
    def state_layout(self) -> Layout:
        """The table of named segments of :meth:`state`."""
        return self._bound.game.state_layout

    def state(self) -> NDArray[np.int8]:
        """Perfect information ``(state_layout.size,) int8``, for centralised critics."""
        self._seat(self.possible_agents[0])
        return self._bound.encode_state(self._states)

    def view(self, agent: str) -> Records:
        """The record of what ``agent`` may know, ``(1,)``: what bots decide on."""
        return self._bound.view(self._states, self._seat(agent))

    def events(self, agent: str) -> list[dict[str, Plain]]:
        """The log as ``agent`` knows it, oldest first: mappings that JSON can hold."""
        return self._bound.event_dicts(self.view(agent))

    def action_name(self, action: int, agent: str | None = None) -> str:
        """Name of ``action`` in words, as ``agent``'s or the selected agent's.

        Other players are called by their names; before the first reset, which selects nobody,
        they are counted clockwise, ``opponent 1``.

        Raises:
            IllegalActionError: no such action.
            OptionError: no such agent.
            UsageError: an agent is given before the first reset.
        """
        return self._bound.action_name(action, self._speaker(agent))

    def parse_action(self, name: str, agent: str | None = None) -> int:
        """The action with that name, which may say ``player_3`` or ``opponent 1``."""
        return self._bound.parse_action(name, self._speaker(agent))

    def _speaker(self, agent: str | None) -> int | None:
        """Seat whose action is spoken of; None if nobody's yet."""
        agent = agent or vars(self).get("agent_selection")
        return None if agent is None else self._seat(agent)

    def describe(self, agent: str) -> str:
        """Tell in words what ``agent`` may know."""
        return self._bound.describe(self.view(agent))

    def render(self) -> str | Picture | None:
        """Show the table as the selected agent sees it, in the way of ``render_mode``.

        Without a render mode nothing is drawn; after :meth:`close` it still works.

        Raises:
            UsageError: before the first reset, or a picture is wanted and Pillow is missing.
        """
        if self.render_mode is None:
            return None
        agent = self.agent_selection if self.agents else self.possible_agents[0]
        return show(self._bound.render(self.view(agent)), self.render_mode)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents to act, one after another, ``max_iter`` at most; UsageError before a reset."""
        if self._observe_kernel is None:
            raise NotResetError(_NO_GAME)
        return iter(super().agent_iter(max_iter))

    def close(self) -> None:
        """Nothing is held open; may be called any number of times."""

    def replay(self) -> Replay:
        """The game so far as a record that plays back exactly.

        Raises:
            UsageError: there is no game yet, or it was not dealt here (:meth:`load_game_state`).
        """
        if self.seed is None:
            raise UsageError("only a game that reset() dealt here can be recorded")
        if self._forfeit is not None:
            raise UsageError(f"{self._forfeit} lost by an illegal action: that cannot be recorded")
        return make_replay(self._bound, self.seed, self.history)

    # Copies ----------------------------------------------------------------------------------

    def clone(self) -> GameEnv:
        """An independent copy at the same point of the same game."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        return self.clone()

    __copy__ = clone

    def game_state(self) -> Records:
        """A copy of the complete State ``(1,)``: hidden information and generator included."""
        self._seat(self.possible_agents[0])
        return self._states.copy()

    def load_game_state(self, state: Records) -> None:
        """Go on from ``state`` (one record, of a table with the same options).

        Raises:
            OptionError: of another game or table, a View, or the game finds fault with it.
        """
        if (
            not isinstance(state, np.ndarray)
            or state.shape != (1,)
            or state.dtype != self._states.dtype
        ):
            raise OptionError(f"needed is one record of {self._bound.game.id}")
        plain = plain_records(state)
        template = plain_records(self._bound.template)
        for name in ("num_players", *self._bound.option_fields):
            if not np.array_equal(plain[name], template[name]):
                raise OptionError(f"the state has {name} {plain[name][0]}, not {template[name][0]}")
        check_state(self._bound.game, state)
        plain_records(self._states)[0] = plain[0]
        self._begin(None)

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for name in ("_scratch_view", "_scratch_mask", "_step_kernel", "_observe_kernel"):
            del kept[name]
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
            if name in kept:
                kept[name] = dict(kept[name])
        if "infos" in kept:
            kept["infos"] = {agent: dict(info) for agent, info in kept["infos"].items()}
        # spaces hold generators of their own
        kept["observation_spaces"] = copy.deepcopy(self.observation_spaces)
        kept["action_spaces"] = copy.deepcopy(self.action_spaces)
        kept["agents"] = list(self.agents)
        kept["history"] = list(self.history)
        kept["_states"] = self._states.copy()
        kept["_live"] = self._observe_kernel is not None
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        kept = dict(kept)
        live = kept.pop("_live")
        self._bound = kept["_bound"]
        self._start()
        self.__dict__.update(kept)
        self._states = own(self._states)
        if live:
            kernels = self._bound.game.kernels
            self._step_kernel = kernels.step_checked
            self._observe_kernel = kernels.observe_one

    def __repr__(self) -> str:
        options = ", ".join(f"{k}={v!r}" for k, v in self._bound.options.items())
        return f"<{self._bound.game.id} {options}; seed {self.seed}, move {len(self.history)}>"

    def __str__(self) -> str:
        return self._bound.game.id
