"""A vector environment for stable-baselines3, straight on the batched engine.

``MaskablePPO`` of sb3-contrib takes it as it is::

    env = Sb3VecEnv("chancellors", 512, opponents="chancellors/steward", num_players=2)
    model = MaskablePPO("MlpPolicy", env)
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from concilium.baselines.registry import BotLike
from concilium.envs import Game, get_game, make_vec
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.copies import Independent
from concilium.envs.core.decisions import ALL, Decisions
from concilium.envs.core.errors import OptionError, UsageError
from concilium.envs.core.picture import Picture, check_render_mode, draw, show
from concilium.wrappers.driver import RANDOM_SEAT, Clock, Driver, Turn, learner_spaces
from concilium.wrappers.opponents import Opponents

_METHODS: Final = ("action_masks", "render")


class Sb3VecEnv(Independent, VecEnv):
    """Many games with one learner's seat in each, the others played by bots in batches.

    Observations are flat ``int8`` vectors of the game's layout, egocentric, so one policy serves
    all seats and player counts. The reward is the learner's return, when its game ends; a new game
    is then dealt. Every info holds ``action_mask``; that of such a row also
    ``terminal_observation``, ``TimeLimit.truncated``, ``seat``, ``outcome`` (the game's name for
    how it ended), and ``episode`` with ``r``, ``l`` (the learner's steps) and ``t`` (seconds since
    it was made).

    Args:
        game: the game or its name.
        num_envs: how many games run side by side.
        opponents: a bot, a list of bots, their names, or :class:`.opponents.Opponents`.
        num_players: one number for all games, or one per game.
        seat: the learner's seat, ``"random"`` for a new draw in each game, or the name of a side:
            one of the seats that are dealt to it.
        side: name of a side, all of whose seats the learner plays; observations are those of the
            seat that is to decide.
        skip_single: play decisions with one option for the learner; with γ = 1 nothing is lost.
        decisions: the kinds of decisions that the learner makes: ``"all"``, names of the game's
            kinds, or of sets of them such as Nicaea's ``"bidding"``.
        assistant: a bot or its name, which makes the others in the learner's seat.
        seed: of the run; from the operating system if not given.
        threads: threads of the engine.
        render_mode: None, ``"ansi"``, ``"human"`` (``render`` prints all tables) or
            ``"rgb_array"`` (it returns their pictures side by side; needs Pillow).
        **options: the game's other options.

    Attributes:
        clock: seconds spent in engine and bots, and the learner's decisions so far.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponents: BotLike | Sequence[BotLike] | Opponents = "random",
        num_players: int | Sequence[int] | None = None,
        seat: int | str = RANDOM_SEAT,
        side: str | None = None,
        skip_single: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
        seed: int | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = get_game(game) if isinstance(game, str) else game
        vec = make_vec(self.game, num_envs, num_players, threads=threads, **options)
        self._driver = Driver(
            vec, opponents, seat=seat, side=side, skip_single=skip_single, decisions=decisions,
            assistant=assistant,
        )  # fmt: skip
        self._next_seed = int.from_bytes(os.urandom(8), "little") if seed is None else seed
        check_seed(self._next_seed)
        self._render_mode = check_render_mode(render_mode)
        self._seeded = False
        self._actions: NDArray[np.int64] | None = None
        self._masks = np.zeros((num_envs, self.game.num_actions), np.int8)
        self._lengths = np.zeros(num_envs, np.int64)
        self._made = time.perf_counter()
        self.num_players = vec.num_players.tolist()
        super().__init__(num_envs, *learner_spaces(self.game))
        self.metadata["render_fps"] = 1  # type: ignore[assignment]

    @property
    def clock(self) -> Clock:
        """Seconds spent and decisions made since the environment was made."""
        return self._driver.clock

    # Playing ---------------------------------------------------------------------------------

    def reset(self) -> NDArray[np.int8]:
        """Deal all games anew, from the seed last set or else from the streams that are running.

        Returns:
            The learner's observations ``(n, size) int8``.
        """
        turn = self._driver.reset(None if self._seeded else self._next_seed)
        self._seeded = True
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        self._masks = turn.masks
        self._actions = None
        self.reset_infos = self._infos()
        for info, seat in zip(self.reset_infos, self._driver.seats.tolist(), strict=True):
            info["seat"] = seat
        return turn.observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions ``(n,)`` for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play until the learner is to decide in every game.

        Returns:
            Observations ``(n, size) int8``, rewards ``(n,) float32``, whether the game ended
            ``(n,) bool``, infos.

        Raises:
            UsageError: no actions were given, or there was no reset.
            IllegalActionError: an action is not legal; nothing has changed.
        """
        if self._actions is None:
            raise UsageError("step_wait() without step_async()")
        actions, self._actions = self._actions, None
        turn = self._driver.step(actions)
        self._masks = turn.masks
        self._lengths += 1
        infos = self._infos()
        if len(turn.finished):
            self._tell_endings(turn, infos)
        dones = turn.terminated | turn.truncated
        return turn.observations, turn.rewards.astype(np.float32), dones, infos

    def _infos(self) -> list[dict[str, Any]]:
        return [{"action_mask": mask} for mask in self._masks.copy()]

    def _tell_endings(self, turn: Turn, infos: list[dict[str, Any]]) -> None:
        now = round(time.perf_counter() - self._made, 6)
        for k, row in enumerate(turn.finished.tolist()):
            infos[row] |= {
                "terminal_observation": turn.final_observations[k],
                "TimeLimit.truncated": bool(turn.truncated[row]),
                "seat": int(turn.final_seats[k]),
                "outcome": turn.outcomes[k],
                "episode": {
                    "r": float(turn.rewards[row]), "l": int(self._lengths[row]), "t": now,
                },
            }  # fmt: skip
        self._lengths[turn.finished] = 0

    def action_masks(self) -> NDArray[np.int8]:
        """Legal actions of the learner in all games ``(n, num_actions) int8``."""
        return self._masks.copy()

    def get_images(self) -> list[Picture | None]:
        """One picture per game, as its learner sees it."""
        return [draw(text) for text in self._driver.texts()]

    def close(self) -> None:
        """Stop the engine's threads."""
        self._driver.vec.close()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Set the seed of the next reset: one for the run, from which all streams are derived."""
        if seed is None:
            seed = int.from_bytes(os.urandom(8), "little")
        check_seed(seed)
        self._next_seed = int(seed)
        self._seeded = False
        return [self._next_seed] * self.num_envs

    # What stable-baselines3 asks of single environments --------------------------------------

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Answer ``"action_masks"`` and ``"render"`` with one of each per game.

        Masks come from what is already computed.
        """
        if method_name not in _METHODS or method_args or method_kwargs:
            raise OptionError(
                f"the games have no method {method_name!r}; only {', '.join(_METHODS)}"
            )
        rows = list(self._get_indices(indices))
        if method_name == "render":
            return [show(text, self._render_mode) for text in self._driver.texts(rows)]
        return list(self._masks[rows])

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have an attribute."""
        return attr_name in _METHODS or attr_name in self._attributes()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One value per game: ``render_mode``, ``num_players``, ``seat``."""
        attributes = self._attributes()
        if attr_name not in attributes:
            raise AttributeError(f"the games have no attribute {attr_name!r}")
        return [attributes[attr_name][k] for k in self._get_indices(indices)]

    def _attributes(self) -> dict[str, list[Any]]:
        count = self._driver.vec.num_envs
        return {
            "render_mode": [self._render_mode] * count,
            "num_players": self.num_players,
            "seat": self._driver.seats.tolist(),
        }

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: options are fixed when the environment is made."""
        raise OptionError(f"attribute {attr_name!r} of the games cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]
