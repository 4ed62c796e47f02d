"""Environments of Hush with faults, each a known way for an environment to be wrong."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.aec import GameEnv, Observation
from concilium.envs.core.errors import IllegalActionError, OptionError, UsageError
from concilium.envs.core.state import Records, plain_records
from tests.toys.hush import HUSH
from tests.toys.hush.rules import LOOK, WAIT


class HushEnv(GameEnv):
    """The sound environment, made from options alone."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(HUSH, **keywords)

    @property
    def truth(self) -> Any:
        """The whole record, which only a fault looks at."""
        return plain_records(self._states)[0]

    @property
    def next_card(self) -> int:
        """The card on top of the deck, -1 if there is none."""
        return int(self.truth["deck"][int(self.truth["deck_size"]) - 1])


class ObservationLeaks(HushEnv):
    """The observation shows the next card."""

    def observe(self, agent: str) -> Observation:
        """Observe and add what nobody knows."""
        seen = super().observe(agent)
        seen["observation"][HUSH.observation["goal"].offset] = self.next_card % 3
        return seen


class MaskLeaks(HushEnv):
    """The mask shows what the next card is."""

    def observe(self, agent: str) -> Observation:
        """Observe and offer fewer looks."""
        seen = super().observe(agent)
        if self.next_card % 2:
            seen["action_mask"][LOOK] = 0
        return seen


class InfosLeak(HushEnv):
    """``infos`` holds all cards, as some environments do for logging."""

    def step(self, action: int | None) -> None:
        """Step and tell."""
        super().step(action)
        for agent in self.agents:
            self.infos[agent] = {"cards": self.truth["where"].tolist()}


class WordsLeak(HushEnv):
    """The description is made from the State."""

    def describe(self, agent: str) -> str:
        """Tell too much."""
        return f"{super().describe(agent)} The next card is {self.next_card}."


class PictureLeaks(HushEnv):
    """The picture is drawn from the State."""

    def render(self) -> str | None:
        """Draw too much."""
        return f"{super().render()} next {self.next_card}"


class PaysOnlyTheWinner(HushEnv):
    """Losses are not delivered."""

    def _finish(self, returns: list[float], truncated: bool) -> None:
        super()._finish([max(amount, 0.0) for amount in returns], truncated)


class PaysTwice(HushEnv):
    """The winner's reward is still there after the end has been told to others."""

    def _leave(self, agent: str, action: int | None) -> None:
        kept = dict(self.rewards)
        super()._leave(agent, action)
        for other in self.agents:
            self.rewards[other] = kept[other]


class PaysByTheWay(HushEnv):
    """Points are paid while the game runs, besides the return."""

    def step(self, action: int | None) -> None:
        """Step and pay."""
        super().step(action)
        if self.agents and not self.terminations[self.agents[0]] and int(self.truth["turns"]) == 2:
            self.rewards[self.agents[0]] = 0.5


class EndsOneByOne(HushEnv):
    """Only the selected agent is told that the game is over."""

    def _finish(self, returns: list[float], truncated: bool) -> None:
        super()._finish(returns, truncated)
        for agent in self.agents[1:]:
            self.terminations[agent] = self.truncations[agent] = False

    def _leave(self, agent: str, action: int | None) -> None:
        super()._leave(agent, action)
        if self.agents:
            self.terminations[self.agents[0]] = True


class CallsTheEndWrong(HushEnv):
    """A game cut short is said to have terminated."""

    def _finish(self, returns: list[float], truncated: bool) -> None:
        super()._finish(returns, False)


class DriftsOnReset(HushEnv):
    """The seed decides only the first game."""

    _resets = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Mix in how often it was called."""
        super().reset(seed if seed is None else (seed + self._resets // 2) % 2**64, options)
        self._resets += 1


class StreamDependsOnPlay(HushEnv):
    """The deal of a reset without a seed depends on what was played before."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Draw the next seed from the generator of the last game."""
        if seed is None and self.seed is not None:
            seed = int(self.truth["rng_counter"]) + int(self.truth["turns"]) + self.seed % 2**60
        super().reset(seed, options)


class HashedOrder(HushEnv):
    """Words whose order comes from hashing: the same in one process, not in the next."""

    def describe(self, agent: str) -> str:
        """Tell in the order of a set."""
        return " ".join({*super().describe(agent).split(), *map(str, range(50)), "a", "b", "c"})


class TouchesGlobalRandom(HushEnv):
    """Seeds the global generator of ``random``."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Seed everything at hand."""
        random.seed(seed)
        super().reset(seed, options)


class TouchesGlobalNumpy(HushEnv):
    """Draws from the global generator of NumPy."""

    def render(self) -> Any:
        """Draw with a random colour."""
        np.random.random()  # noqa: NPY002 (the fault)
        return super().render()


class ReusesItsBuffer(HushEnv):
    """Hands out the same array each time."""

    _buffer: NDArray[np.int8] | None = None

    def observe(self, agent: str) -> Observation:
        """Observe into one array."""
        seen = super().observe(agent)
        if self._buffer is None:
            self._buffer = seen["observation"]
        self._buffer[:] = seen["observation"]
        return {**seen, "observation": self._buffer}


class HandsOutItsState(HushEnv):
    """``view`` of nobody else, but the State given away is the environment's own."""

    def game_state(self) -> Any:
        """Give away the memory itself."""
        return self._states


class WideObservation(HushEnv):
    """Observations of another dtype than the space says."""

    def observe(self, agent: str) -> Observation:
        """Observe in the integers of the platform."""
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"].astype(np.int64)}


class MasksForAll(HushEnv):
    """Agents that are not to act are offered something."""

    def observe(self, agent: str) -> Observation:
        """Observe and offer to wait."""
        seen = super().observe(agent)
        seen["action_mask"][WAIT] |= not seen["action_mask"].any()
        return seen


class AcceptsIllegal(HushEnv):
    """An action that is not offered is taken for the first that is."""

    def step(self, action: int | None) -> None:
        """Correct the action silently."""
        try:
            super().step(action)
        except IllegalActionError:
            mask = self.observe(self.agent_selection)["action_mask"]
            super().step(int(np.argmax(mask)))


class TakesFloats(HushEnv):
    """Any number will do."""

    def step(self, action: int | None) -> None:
        """Round the action."""
        super().step(int(action) if isinstance(action, float) else action)


class ChangesOnError(HushEnv):
    """A refused action leaves a trace."""

    def step(self, action: int | None) -> None:
        """Remember the error in the wrong place."""
        try:
            super().step(action)
        except IllegalActionError:
            self._states["padding"] += 1
            raise


class ForgivesIllegal(HushEnv):
    """With ``illegal="lose"`` an illegal action costs nothing."""

    def _finish(self, returns: list[float], truncated: bool) -> None:
        lost = sum(returns) == -1.0
        super()._finish([0.0] * len(returns) if lost else returns, truncated)


class StepsAfterTheEnd(HushEnv):
    """A step without a game is ignored."""

    def step(self, action: int | None) -> None:
        """Hide the error."""
        try:
            super().step(action)
        except UsageError:
            return


class CloneRestarts(HushEnv):
    """A clone begins the game anew, as environments rebuilt from their arguments do."""

    def clone(self) -> GameEnv:
        """Deal the same game."""
        twin = super().clone()
        twin.reset(seed=self.seed)
        return twin


class CloneShares(HushEnv):
    """A clone shares its memory with the original."""

    def clone(self) -> GameEnv:
        """Forget to copy."""
        twin = super().clone()
        twin._states = self._states
        return twin


class PickleRestarts(HushEnv):
    """A pickle holds the arguments of the environment and nothing else."""

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), dict(self.game.options), self.render_mode, self.seed)


def _rebuilt(
    kind: type[HushEnv], options: dict[str, Any], render_mode: str | None, seed: int | None
) -> HushEnv:
    env = kind(render_mode=render_mode, **options)
    if seed is not None:
        env.reset(seed=seed)
    return env


class LosesOptions(HushEnv):
    """A seeded reset goes back to the defaults."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Bind the game anew."""
        if seed is not None:
            self._bound = HUSH.bind(num_players=self.game.num_players)
        super().reset(seed, options)


class SaysLittle(HushEnv):
    """``repr`` that shows neither seed nor move."""

    def __repr__(self) -> str:
        return f"<{self.game.game.id}>"


class RefusesItsStates(HushEnv):
    """Refuses, of games of one round, States that it made itself."""

    def load_game_state(self, state: Records) -> None:
        """Take one round for a mistake."""
        if self.game.options["rounds"] == 1:
            raise OptionError("not a state of hush: there is one round")
        super().load_game_state(state)
