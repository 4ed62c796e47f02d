"""The bot that searches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.search.playout import playouts
from concilium.baselines.search.root import Returns, Thoughts, improve
from concilium.baselines.search.settings import Settings
from concilium.baselines.search.tree import Draw, TreeSearch
from concilium.baselines.search.worlds import draw_worlds
from concilium.envs.core.bot import Bot, GeneratorBot, answers
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records, take_records

_OWN = 0  # number of the own blueprint among the bots of the playouts


class SearchBot(GeneratorBot):
    """Plays like a blueprint, but where another action is better beyond doubt.

    It sees a View and nothing else: worlds are drawn from it, each legal action is tried in them,
    and everybody plays on by a blueprint, the searcher's later self included.

    Args:
        blueprint: what it plays where the search does not depart, and what its later self plays.
        others: by which the other seats play on; in each world they all play by one of these, drawn
            with equal chances. The blueprint if none are given.
        settings: how long it thinks, and when it departs.
        name: for tables and messages.
        seed: of its generator; from the operating system if not given.

    Attributes:
        thoughts: of the last call of ``act``: for each View what the search found, None where there
            was no choice.
        decisions: simulated in playouts so far.

    Raises:
        OptionError: the bots play different games.
    """

    def __init__(
        self, blueprint: Bot, others: Sequence[Bot] = (), settings: Settings | None = None, *,
        name: str | None = None, seed: int | None = None,
    ) -> None:  # fmt: skip
        for bot in others:
            if bot.game is not blueprint.game:
                raise OptionError(
                    f"{blueprint.name} plays {blueprint.game.id} and {bot.name} {bot.game.id}: a "
                    "search plays one game"
                )
        self.blueprint = blueprint
        self.others = tuple(others) or (blueprint,)
        self.settings = settings or Settings()
        self.thoughts: list[Thoughts | None] = []
        self.decisions = 0
        super().__init__(name or f"search:bot={blueprint.name}", blueprint.game, seed)
        self._play = playouts(self.game, [blueprint, *self.others])

    def seed(self, seed: int) -> None:
        """Start the generators anew, its own and those of the blueprints."""
        super().seed(seed)
        for number, bot in enumerate((self.blueprint, *self.others)):
            stream = np.random.SeedSequence((int(seed), number))
            bot.seed(int(stream.generate_state(1, np.uint64)[0]))

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        chosen = answers(self.blueprint, views, masks)
        self.thoughts = [None] * len(views)
        for k in np.flatnonzero(masks.astype(bool).sum(axis=1) > 1).tolist():
            view = take_records(views, np.array([k]))
            found = self._search(view, np.flatnonzero(masks[k]), int(chosen[k]))
            self.thoughts[k], chosen[k] = found, found.chosen
        return chosen

    def _search(self, view: Records, actions: NDArray[np.int64], blueprint: int) -> Thoughts:
        seat = int(plain_records(view)["actor"][0])
        if self.settings.tree:
            return TreeSearch(self.game, self._worlds(view), self._playing_on, seat).search(
                actions, blueprint, self.settings
            )

        def attempt(tried: NDArray[np.int64], count: int) -> Returns:
            worlds, sits = self._worlds(view)(count)
            rows = np.tile(np.arange(count), len(tried))
            returns = self._playing_on(worlds, rows, np.repeat(tried, count), sits)
            return returns[:, seat].reshape(len(tried), count)

        return improve(actions, blueprint, attempt, self.settings)

    def _worlds(self, view: Records) -> Draw:
        """What draws worlds of a View, and by which bots their seats play on."""
        seat, players = (int(plain_records(view)[name][0]) for name in ("actor", "num_players"))

        def draw(count: int) -> tuple[Records, NDArray[np.int64]]:
            worlds = draw_worlds(view, self.blueprint, count, self.generator)
            others = 1 + self.generator.integers(0, len(self.others), (count, 1))
            sits = np.repeat(others, players, axis=1)
            sits[:, seat] = _OWN
            return worlds, sits

        return draw

    def _playing_on(
        self, worlds: Records, rows: NDArray[np.int64], actions: NDArray[np.int64],
        sits: NDArray[np.int64],
    ) -> Returns:  # fmt: skip
        returns, taken = self._play(worlds, rows, actions, sits)
        self.decisions += taken
        return returns

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_play"}

    def __setstate__(self, kept: dict[str, object]) -> None:
        super().__setstate__(kept)
        self._play = playouts(self.game, [self.blueprint, *self.others])
