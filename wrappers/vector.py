"""Many games with one learner's seat each as a ``VectorEnv`` of Gymnasium, on the batched engine.

``gymnasium.make_vec("concilium/Chancellors-v0", 64, num_players=2)`` makes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from concilium.baselines.registry import BotLike
from concilium.envs import Game, UsageError, get_game, make_vec
from concilium.envs.core.aec import warn_of_options
from concilium.envs.core.copies import Independent
from concilium.envs.core.decisions import ALL, Decisions
from concilium.envs.core.events import Plain
from concilium.envs.core.games import action_array
from concilium.envs.core.picture import RENDER_MODES, check_render_mode, show
from concilium.wrappers.driver import RANDOM_SEAT, Driver, Turn, learner_spaces
from concilium.wrappers.opponents import Opponents

Arrays = NDArray[Any]


class SingleSeatVecEnv(Independent, VectorEnv[Arrays, Arrays, Arrays]):
    """Many games side by side, each seen as :class:`.single_seat.SingleSeatEnv` shows one.

    A game that ends is dealt anew in the same step. Infos hold ``"seat"`` and ``"action_mask"`` of
    all games, and, as Gymnasium has it, ``"final_obs"`` and ``"final_info"`` (``"seat"`` and
    ``"outcome"``) of those that have ended. An illegal action raises and changes nothing. All
    arrays are the caller's own.

    Args:
        game: the game or its name.
        num_envs: how many games run side by side.
        num_players: one number for all games, or one per game.
        render_mode: None, ``"ansi"`` or ``"rgb_array"`` (``render`` returns all tables, as text or
            as pictures), or ``"human"`` (it prints them).
        threads: threads of the engine.
        opponents, seat, side, skip_single, decisions, assistant: as for
            :class:`.single_seat.SingleSeatEnv`.
        **options: the game's other options.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    metadata = {  # noqa: RUF012 (Gymnasium's own form)
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: BotLike | Sequence[BotLike] | Opponents = "random",
        num_players: int | Sequence[int] | None = None,
        seat: int | str = RANDOM_SEAT,
        side: str | None = None,
        skip_single: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
        render_mode: str | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game = get_game(game) if isinstance(game, str) else game
        self.render_mode = check_render_mode(render_mode)
        vec = make_vec(self.game, num_envs, num_players, threads=threads, **options)
        self._driver = Driver(
            vec, opponents, seat=seat, side=side, skip_single=skip_single, decisions=decisions,
            assistant=assistant,
        )  # fmt: skip
        self._masks: NDArray[np.int8] | None = None
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = learner_spaces(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Deal all games anew.

        Args:
            seed: of the run, from which all streams follow; without one, the streams go on.
            options: ignored with a warning.

        Returns:
            Observations ``(n, size) int8`` and infos.
        """
        warn_of_options(options)
        if seed is not None and not isinstance(seed, int | np.integer):
            seed = int(np.random.SeedSequence(list(seed)).generate_state(1)[0])
        super().reset(seed=seed)
        turn = self._driver.reset(int(self.np_random.integers(2**63)))
        return turn.observations, self._infos(turn)

    def step(self, actions: ArrayLike) -> tuple[Arrays, Arrays, Arrays, Arrays, dict[str, Any]]:
        """Take the learner's actions ``(n,)`` and play on until it decides again everywhere.

        Returns:
            Observations ``(n, size) int8``, rewards ``(n,) float64``, terminations and truncations
            ``(n,) bool``, infos.

        Raises:
            UsageError: before the first reset.
            IllegalActionError: an action is not legal; nothing has changed.
        """
        self._check_live()
        turn = self._driver.step(action_array(actions, self.num_envs))
        return turn.observations, turn.rewards, turn.terminated, turn.truncated, self._infos(turn)

    def _infos(self, turn: Turn) -> dict[str, Any]:
        self._masks = turn.masks
        infos: dict[str, Any] = {"action_mask": turn.masks.copy(), "seat": self._driver.seats}
        for k, row in enumerate(turn.finished.tolist()):
            last = {"seat": int(turn.final_seats[k]), "outcome": turn.outcomes[k]}
            ended = {"final_obs": turn.final_observations[k].copy(), "final_info": last}
            infos = self._add_info(infos, ended, row)
        return infos

    def action_masks(self) -> NDArray[np.int8]:
        """Legal actions of the learner in all games ``(n, num_actions) int8``."""
        return self._check_live().copy()

    def events(self) -> list[list[dict[str, Plain]]]:
        """The log of each game as its learner knows it: mappings that JSON can hold."""
        self._check_live()
        views, tables = self._driver.views(), self._driver.vec.tables
        return [table.event_dicts(views, row) for row, table in enumerate(tables)]

    def render(self) -> tuple[Any, ...] | None:
        """Show all tables as their learners see them: a text or picture for each, or None."""
        if self.render_mode is None:
            return None
        self._check_live()
        shown = tuple(show(text, self.render_mode) for text in self._driver.texts())
        return None if self.render_mode == "human" else shown

    def _check_live(self) -> NDArray[np.int8]:
        if self._masks is None:
            raise UsageError("there are no games yet: call reset() first")
        return self._masks

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the engine's threads."""
        self._driver.vec.close()
