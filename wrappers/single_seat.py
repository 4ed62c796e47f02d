"""One seat of a game as a plain ``gymnasium.Env``: the other seats are played by bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from concilium.envs import IllegalActionError, OptionError, UsageError, VecGame, get_game
from concilium.envs.core.aec import ILLEGAL_MODES
from concilium.envs.core.game import check_action
from concilium.envs.core.state import plain_records
from concilium.wrappers.seats import Actor, LearnerSeats, SeatBatch


def resolve_opponents(opponents: Sequence[Actor | str] | Actor | str, game: str) -> list[Actor]:
    """Turn names of bots into bots of ``game``; bots stay as they are.

    Raises:
        OptionError: an unknown name.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents]
    bots: list[Actor] = []
    for opponent in opponents:
        if isinstance(opponent, str):
            # names live in the layer beside this one and are needed by this convenience alone
            from concilium.baselines import make_bot

            bots.append(make_bot(opponent, get_game(game)))
        else:
            bots.append(opponent)
    return bots


class SingleSeatEnv(gymnasium.Env[NDArray[np.int8], int]):
    """A game seen from one seat.

    Observations are flat ``int8`` vectors (the game's layout), rewards the seat's return at the end
    of the game, wins and losses alike. :meth:`action_masks` gives the legal actions: never none
    while the game runs.

    Args:
        game: name of the game.
        opponents: bots or names of bots; each other seat draws one of them anew for every game.
        seat: the learner's seat, or ``"random"``: drawn anew for every game.
        skip_single: decisions with a single legal action are taken here and not shown.
        illegal: ``"raise"`` an IllegalActionError and change nothing, or ``"lose"``: the game ends
            with -1.
        render_mode: None or ``"ansi"``.
        **options: the game's options, ``num_players`` among them.

    Raises:
        OptionError: something is unknown or has a value that is not allowed.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (gymnasium's own form)

    def __init__(
        self,
        game: str,
        *,
        opponents: Sequence[Actor | str] | Actor | str = "random",
        seat: int | str = "random",
        skip_single: bool = True,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode={render_mode!r} is not allowed: None or 'ansi'")
        if illegal not in ILLEGAL_MODES:
            raise OptionError(f"illegal={illegal!r} is not allowed: one of {ILLEGAL_MODES}")
        self.bound = get_game(game).bind(**options)
        self.render_mode = render_mode
        self._illegal = illegal
        self._opponents = resolve_opponents(opponents, game)
        self._seats = LearnerSeats(
            VecGame([self.bound]), self._opponents, seat=seat, skip_single=skip_single
        )
        layout = self.bound.game.observation
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.bound.game.num_actions)
        self._last: SeatBatch | None = None
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Deal a new game and play to the learner's first decision.

        A seed fixes deals, seats, and the opponents if they can be seeded. ``options`` is ignored:
        a game's options are fixed when the environment is made.
        """
        super().reset(seed=seed)
        del options
        if seed is not None or self._last is None:
            deals, seats, *bots = (
                int(word) for word in self.np_random.integers(0, 2**63, 2 + len(self._opponents))
            )
            for bot, word in zip(self._opponents, bots, strict=True):
                if hasattr(bot, "seed"):
                    bot.seed(word)
            self._last = self._seats.reset(seats, deals)
        elif not self._over:
            self._last = self._seats.reset()
        # else the next game has been dealt already, when the last one ended
        self._over = False
        return self._last.observations[0].copy(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Take ``action`` and play to the learner's next decision or the end of the game.

        Raises:
            UsageError: no game is running.
            IllegalActionError: with ``illegal="raise"``; nothing is changed.
        """
        if self._over or self._last is None:
            raise UsageError("step() needs a game: call reset() first")
        info = self._info()
        try:
            batch = self._seats.step(np.array([check_action(action)]))
        except IllegalActionError:
            if self._illegal == "raise":
                raise
            final = self._last.observations[0].copy()
            self._last = self._seats.reset()
            self._over = True
            return final, -1.0, True, False, info
        self._last = batch
        terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
        if terminated or truncated:
            self._over = True
            return (
                batch.final_observations[0].copy(), float(batch.rewards[0]), terminated, truncated,
                info,
            )  # fmt: skip
        return batch.observations[0].copy(), 0.0, False, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Legal actions ``(num_actions,) int8``; all zero once the game is over."""
        if self._last is None or self._over:
            return np.zeros(self.bound.game.num_actions, np.int8)
        return np.array(self._last.masks[0])

    def _info(self) -> dict[str, Any]:
        return {"seat": int(self._seats.learner[0])}

    def render(self) -> str | None:
        """Draw the table as the learner sees it (``render_mode="ansi"``), else None.

        After the end of a game that is its last position.
        """
        if self.render_mode is None or self._last is None:
            return None
        if self._over and len(self._last.final_views):
            return self.bound.render(self._last.final_views)
        view = self._seats.vec.views([0], [int(self._seats.learner[0])])
        assert int(plain_records(view)["viewer"][0]) >= 0
        return self.bound.render(view)

    def close(self) -> None:
        """Nothing is held open; may be called any number of times."""
