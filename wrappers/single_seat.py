"""One seat of a game as a plain ``gymnasium.Env``: the other seats are played by bots.

::

    import gymnasium
    import concilium.wrappers  # registers the environments

    env = gymnasium.make("concilium/Chancellors-v0", num_players=3, opponents="chancellors/steward")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from concilium.envs import Game, IllegalActionError, OptionError, UsageError, VecGame, get_game
from concilium.envs.core.aec import ILLEGAL_MODES
from concilium.envs.core.arguments import check_action
from concilium.envs.core.decisions import ALL, Decisions
from concilium.wrappers.driver import RANDOM_SEAT, Driver, Turn
from concilium.wrappers.opponents import BotLike, Opponents

Step = tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]
Observation = NDArray[np.int8]


class SingleSeatEnv(gymnasium.Env[Observation, np.int64 | int]):
    """A game seen from one seat.

    Observations are flat ``int8`` vectors of the game's layout, own seat first. The reward is the
    seat's return when the game ends, at whoever's turn; before that it is 0.
    :meth:`action_masks` gives the legal actions. Infos hold ``"seat"``. A game that ends before the
    learner decides anything is shown with action 0 as the only one, which does nothing and brings
    the return. All arrays are the caller's own.

    Args:
        game: the game or its name.
        opponents: a bot or its name for all other seats, a list with one for each other seat, the
            seat after the learner's first, or :class:`.opponents.Opponents`. They are seeded by
            ``reset``, so a bot must not be shared with another environment.
        seat: the learner's seat, or ``"random"``: drawn for each game.
        skip_single: play decisions with one option for the learner.
        decisions: the kinds of decisions that the learner makes: ``"all"``, names of the game's
            kinds, or of sets of them such as Nicaea's ``"bidding"``.
        assistant: a bot or its name, which makes the others in the learner's seat.
        illegal: ``"raise"`` an :class:`IllegalActionError` and change nothing, or ``"lose"``: the
            game ends with -1.
        render_mode: None or ``"ansi"``.
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: BotLike | Sequence[BotLike] | Opponents = "random",
        seat: int | str = RANDOM_SEAT,
        skip_single: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode={render_mode!r} is not allowed: None or 'ansi'")
        if illegal not in ILLEGAL_MODES:
            raise OptionError(f"illegal={illegal!r} is not allowed: one of {ILLEGAL_MODES}")
        self.bound = (get_game(game) if isinstance(game, str) else game).bind(**options)
        if not isinstance(opponents, Opponents):
            opponents = Opponents(opponents, game=self.bound.game)
        self._driver = Driver(
            VecGame([self.bound]), opponents, seat=seat, skip_single=skip_single, auto_reset=False,
            decisions=decisions, assistant=assistant,
        )  # fmt: skip
        self.render_mode = render_mode
        self.illegal = illegal
        self._turn: Turn | None = None
        self._over = True
        layout = self.bound.game.observation
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.action_space = spaces.Discrete(self.bound.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play to the learner's first decision.

        Args:
            seed: deals, seats and bots of this game and of those after further unseeded resets
                follow from it.
            options: ignored; a game's options are fixed when the environment is made, so no reset
                can lose them.
        """
        super().reset(seed=seed)
        del options
        self._turn = self._driver.reset(int(self.np_random.integers(2**63)))
        self._over = False
        return self._turn.observations[0].copy(), self._info()

    def step(self, action: np.int64 | int) -> Step:
        """Take ``action`` and play to the learner's next decision or to the end.

        Raises:
            UsageError: no game is running.
            IllegalActionError: with ``illegal="raise"``; nothing has changed.
        """
        if self._turn is None or self._over:
            raise UsageError("step() needs a running game: call reset() first")
        try:
            number = check_action(action)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            return self._refuse(-1)  # of a wrong type: as illegal as any
        if not (0 <= number < self._turn.masks.shape[1] and self._turn.masks[0, number]):
            return self._refuse(number)
        turn = self._driver.step(np.array([number]))
        self._turn = turn
        self._over = len(turn.finished) > 0
        return (
            turn.observations[0].copy(),
            float(turn.rewards[0]),
            bool(turn.terminated[0]),
            bool(turn.truncated[0]),
            self._info(),
        )

    def _refuse(self, action: int) -> Step:
        assert self._turn is not None
        if self.illegal == "raise":
            legal = np.flatnonzero(self._turn.masks[0])
            names = ", ".join(f"{a} ({self.bound.action_name(a)})" for a in legal[:8])
            more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
            raise IllegalActionError(f"action {action} is not legal now; legal: {names}{more}")
        self._over = True
        return self._turn.observations[0].copy(), -1.0, True, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Legal actions ``(num_actions,) int8``, never all zero: action 0 alone once it is over.

        Raises:
            UsageError: before the first reset.
        """
        if self._turn is None:
            raise UsageError("action_masks() needs a game: call reset() first")
        mask: NDArray[np.int8] = self._turn.masks[0].copy()
        if self._over:
            mask[:] = 0
            mask[0] = 1
        return mask

    @property
    def seat(self) -> int:
        """The learner's seat in the present game."""
        return int(self._driver.seats[0])

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat}

    def render(self) -> str | None:
        """The table in characters as the learner sees it (``render_mode="ansi"``), else None.

        After the end of a game that is its last position.
        """
        if self.render_mode is None or self._turn is None:
            return None
        if len(self._turn.finished):
            return self.bound.render(self._turn.final_views)
        return self.bound.render(self._driver.views())

    def close(self) -> None:
        """Nothing is held open; may be called any number of times."""
