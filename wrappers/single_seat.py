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
from numpy.typing import NDArray

from concilium.baselines.registry import BotLike
from concilium.envs import Game, IllegalActionError, OptionError, UsageError, VecGame, get_game
from concilium.envs.core.aec import FORFEIT, ILLEGAL_MODES, warn_of_options
from concilium.envs.core.arguments import check_action
from concilium.envs.core.copies import Independent
from concilium.envs.core.decisions import ALL, Decisions
from concilium.envs.core.events import Plain
from concilium.envs.core.picture import RENDER_MODES, Picture, check_render_mode, show
from concilium.wrappers.driver import RANDOM_SEAT, Driver, Turn, learner_spaces
from concilium.wrappers.opponents import Opponents

Step = tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]
Observation = NDArray[np.int8]


class SingleSeatEnv(Independent, gymnasium.Env[Observation, np.int64 | int]):
    """A game seen from one seat.

    Observations are flat ``int8`` vectors of the game's layout, own seat first. The reward is the
    seat's return when the game ends, at whoever's turn; before that it is 0.
    :meth:`action_masks` gives the legal actions. Infos hold ``"seat"``, ``"action_mask"`` and at
    the end ``"outcome"``, one of the game's names for how it ended or ``"illegal action"``. A game
    that ends before the learner decides anything is shown with action 0 as the only one, which does
    nothing and brings the return. All arrays are the caller's own.

    Args:
        game: the game or its name.
        opponents: a bot or its name for all other seats, a list with one for each other seat, the
            seat after the learner's first, or :class:`.opponents.Opponents`. They are seeded by
            ``reset``, so a bot must not be shared with another environment.
        seat: the learner's seat, ``"random"``: drawn for each game, or the name of a side: one of
            the seats that are dealt to it, drawn for each game.
        side: name of a side, all of whose seats the learner plays, as ``concilium train --side``
            does; observations are those of the seat that is to decide.
        skip_single: play decisions with one option for the learner.
        decisions: the kinds of decisions that the learner makes: ``"all"``, names of the game's
            kinds, or of sets of them such as Nicaea's ``"bidding"``.
        assistant: a bot or its name, which makes the others in the learner's seat.
        illegal: ``"raise"`` an :class:`IllegalActionError` and change nothing, or ``"lose"``: the
            game ends with -1.
        render_mode: None, ``"ansi"`` (``render`` returns text), ``"rgb_array"`` (a picture
            ``(height, width, 3) uint8``; needs Pillow) or ``"human"`` (every ``reset`` and ``step``
            prints the table, ``render`` does nothing).
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: BotLike | Sequence[BotLike] | Opponents = "random",
        seat: int | str = RANDOM_SEAT,
        side: str | None = None,
        skip_single: bool = True,
        decisions: Decisions = ALL,
        assistant: BotLike | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if illegal not in ILLEGAL_MODES:
            raise OptionError(f"illegal={illegal!r} is not allowed: one of {ILLEGAL_MODES}")
        self.bound = (get_game(game) if isinstance(game, str) else game).bind(**options)
        self._driver = Driver(
            VecGame([self.bound]), opponents, seat=seat, side=side, skip_single=skip_single,
            auto_reset=False, decisions=decisions, assistant=assistant,
        )  # fmt: skip
        self.render_mode = check_render_mode(render_mode)
        self.illegal = illegal
        self._turn: Turn | None = None
        self._over = True
        self._outcome: str | None = None
        self.observation_space, self.action_space = learner_spaces(self.bound.game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play to the learner's first decision.

        Args:
            seed: deals, seats and bots of this game and of those after further unseeded resets
                follow from it.
            options: ignored with a warning; a game's options are fixed when the environment is
                made, so no reset can lose them.
        """
        super().reset(seed=seed)
        warn_of_options(options)
        self._turn = self._driver.reset(int(self.np_random.integers(2**63)))
        self._over, self._outcome = False, None
        self._print()
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
        if self._over:
            (self._outcome,) = turn.outcomes
        self._print()
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
            names = ", ".join(f"{a} ({self.bound.action_name(a, self.seat)})" for a in legal[:8])
            more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
            raise IllegalActionError(f"action {action} is not legal now; legal: {names}{more}")
        self._over, self._outcome = True, FORFEIT
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
        """The learner's seat in the present game; of those of its side the one to decide."""
        return int(self._driver.seats[0])

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat, "action_mask": self.action_masks()}
        if self._outcome is not None:
            info["outcome"] = self._outcome
        return info

    def events(self) -> list[dict[str, Plain]]:
        """The log as the learner knows it, oldest first: mappings that JSON can hold.

        Raises:
            UsageError: before the first reset.
        """
        if self._turn is None:
            raise UsageError("events() needs a game: call reset() first")
        return self.bound.event_dicts(self._driver.views())

    def render(self) -> str | Picture | None:
        """Show the table as the learner sees it, in the way of ``render_mode``.

        After the end of a game that is its last position; before the first, nothing.

        Raises:
            UsageError: a picture is wanted and Pillow is missing.
        """
        if self.render_mode in (None, "human") or self._turn is None:
            return None
        return show(self._driver.texts()[0], self.render_mode)

    def _print(self) -> None:
        if self.render_mode == "human":
            show(self._driver.texts()[0], self.render_mode)

    def close(self) -> None:
        """Nothing is held open; may be called any number of times."""
