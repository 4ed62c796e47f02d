"""A stable-baselines3 ``VecEnv`` straight on the vector environment, for MaskablePPO.

Needs stable-baselines3 (the extra ``train``). Opponents act in batches, masks come with the
observations: ``action_masks`` only hands over what the last step has already computed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from concilium.envs import OptionError, UsageError, make_vec
from concilium.wrappers.seats import Actor, Clock, LearnerSeats, SeatBatch
from concilium.wrappers.single_seat import resolve_opponents


class Sb3VecEnv(VecEnv):
    """``num_envs`` games with one learner's seat each.

    Rewards are the learner's returns, delivered in the step in which its game ends. ``infos`` then
    hold ``terminal_observation``, ``TimeLimit.truncated`` and ``episode`` (``r`` return, ``l``
    learner's decisions, ``t`` seconds since the environment was made).

    Args:
        game: name of the game.
        num_envs: games side by side.
        num_players: one number for all games, or one per game.
        opponents: bots or names of bots; each other seat draws one of them anew for every game.
        weights: relative chances of the opponents; equal if not given.
        seat: the learner's seat, or ``"random"``: drawn anew for every game.
        skip_single: decisions with a single legal action are taken here and never learned from.
        seed: of deals, seats and opponents.
        threads: threads that share the engine's work.
        **options: the game's other options.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        num_players: int | Sequence[int] | None = None,
        *,
        opponents: Sequence[Actor | str] | Actor | str = "random",
        weights: Sequence[float] | None = None,
        seat: int | str = "random",
        skip_single: bool = True,
        seed: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        vec = make_vec(game, num_envs, num_players, threads=threads, **options)
        self._bots = resolve_opponents(opponents, game)
        self._seats = LearnerSeats(
            vec, self._bots, seat=seat, weights=weights, skip_single=skip_single
        )
        layout = vec.game.observation
        super().__init__(
            num_envs,
            spaces.Box(layout.low, layout.high, dtype=np.int8),
            spaces.Discrete(vec.game.num_actions),
        )
        self._start = time.perf_counter()
        self._actions: NDArray[Any] | None = None
        self._last: SeatBatch | None = None
        self._next_seed: int | None = None
        if seed is not None:
            self.seed(seed)

    render_mode = None  # the base class asks for it before it sets it

    # Playing ---------------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Fix deals, seats and opponents from the next reset on."""
        self._next_seed = seed
        return [seed] * self.num_envs

    def reset(self) -> NDArray[np.int8]:
        """Deal all games anew; return the first observations ``(num_envs, size) int8``."""
        if self._next_seed is None:
            self._last = self._seats.reset()
        else:
            words = np.random.SeedSequence(self._next_seed).generate_state(
                2 + len(self._bots), np.uint64
            )
            for bot, word in zip(self._bots, words[2:], strict=True):
                if hasattr(bot, "seed"):
                    bot.seed(int(word))
            self._last = self._seats.reset(int(words[0]), int(words[1]))
            self._next_seed = None
        self._reset_seeds()
        self._reset_options()
        return self._last.observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for :meth:`step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Take the actions kept and play on to the learner's next decisions."""
        if self._actions is None:
            raise UsageError("step_wait() needs step_async() first")
        batch = self._last = self._seats.step(self._actions)
        self._actions = None
        dones = batch.terminated | batch.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        spent = time.perf_counter() - self._start
        for row, i in enumerate(np.flatnonzero(dones)):
            infos[i] = {
                "terminal_observation": batch.final_observations[row],
                "TimeLimit.truncated": bool(batch.truncated[i]),
                "episode": {
                    "r": float(batch.rewards[i]), "l": int(batch.lengths[row]), "t": spent,
                },
            }  # fmt: skip
        return batch.observations, batch.rewards.astype(np.float32), dones, infos

    def action_masks(self) -> NDArray[np.int8]:
        """Legal actions of all learners ``(num_envs, num_actions) int8``."""
        if self._last is None:
            raise UsageError("there are no games yet: call reset() first")
        return self._last.masks

    @property
    def clock(self) -> Clock:
        """Seconds spent in the engine and in the bots so far."""
        return self._seats.clock

    @property
    def learner_seats(self) -> NDArray[np.int64]:
        """The learner's seat in each game ``(num_envs,)``."""
        return self._seats.learner.copy()

    @property
    def unseen_games(self) -> int:
        """Games that ended before the learner had a decision, and were dealt again."""
        return self._seats.unseen_games

    # The rest of the interface ---------------------------------------------------------------

    def close(self) -> None:
        """Stop the threads; may be called any number of times."""
        self._seats.vec.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute once per game."""
        value = getattr(self, attr_name)
        return [value for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: the games are not objects of their own."""
        raise OptionError(f"attribute {attr_name!r} cannot be set: the games share one engine")

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute (MaskablePPO asks for ``action_masks``)."""
        return hasattr(self, attr_name)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Serve ``action_masks``, once per game; nothing else can be called."""
        if method_name != "action_masks":
            raise OptionError(f"method {method_name!r} cannot be called: there is action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """No game is wrapped; the environment reports episodes as a monitor would."""
        del wrapper_class
        return [False for _ in self._indices(indices)]

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        """There are no pictures."""
        return [None] * self.num_envs

    def _indices(self, indices: VecEnvIndices) -> Iterable[int]:
        return self._get_indices(indices)
