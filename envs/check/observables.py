"""Hidden information, examined on environments: everything that an agent is given counts.

Counters, ``infos``, masks, words and pictures are observables too. The real environment is compared
with a clone that goes on from a State resampled from the agent's View.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from concilium.envs.check.compare import GENERATOR, frozen
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.state import Records, plain_records

_SHARE: Final = 20  # one pair in so many is examined with words and pictures, which take longer


def everything(env: GameEnv, agent: str, *, selected: bool) -> dict[str, Any]:
    """Collect all that ``agent`` is given now; if ``selected``, also what the selected agent is."""
    seen: dict[str, Any] = {
        **env.observe(agent),
        "infos": env.infos.get(agent),
        "rewards": env.rewards.get(agent),
        "terminations": env.terminations.get(agent),
        "truncations": env.truncations.get(agent),
        "view": env.view(agent),
        "description": env.describe(agent),
    }
    if selected:
        seen["last()"] = env.last()
        seen["render()"] = env.render()
    return seen


def _compare(one: GameEnv, other: GameEnv, agent: str, situation: Callable[[], str]) -> None:
    """Raise Counterexample unless ``agent`` is given the same in both environments."""
    selected = one.agent_selection == other.agent_selection == agent
    seen = [everything(env, agent, selected=selected) for env in (one, other)]
    for name, value in seen[0].items():
        if frozen(value) != frozen(seen[1][name]):
            raise Counterexample(
                f"{situation()}: {name} of {agent} depends on what is hidden: "
                f"{_short(value)} against {_short(seen[1][name])}"
            )


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 160 else f"{text[:160]}…"


def nothing_shown(table: Table, tally: Tally) -> None:
    """What an agent is given is the same in a clone that holds a State resampled from its View."""

    def examine(env: GameEnv, agent: str, seed: int) -> None:
        twin = env.clone()
        view = env.game.view(env.game_state(), env.possible_agents.index(agent))
        twin.load_game_state(env.game.determinize(view, seed))
        _compare(env, twin, agent, lambda: f"{env!r}, resampled by {seed}")
        tally.count()

    _visit(table, "shown", examine)


def nothing_shown_next(table: Table, tally: Tally) -> None:
    """The same after a decision that leaves both Views equal."""

    def examine(env: GameEnv, agent: str, seed: int) -> None:
        seat = env.possible_agents.index(agent)
        true = env.game_state()
        drawn = env.game.determinize(env.game.view(true, seat), seed)
        for name in GENERATOR:
            plain_records(drawn)[name] = plain_records(true)[name]
        action = _common_action(env, true, drawn, seed)
        if action is None:
            return
        twins = []
        for state in (true, drawn):
            twin = env.clone()
            twin.load_game_state(state)
            twin.step(action)
            twins.append(twin)
        views = [env.game.view(twin.game_state(), seat).tobytes() for twin in twins]
        if views[0] == views[1]:
            _compare(
                twins[0], twins[1], agent, lambda: f"{env!r}, resampled by {seed}, action {action}"
            )
            tally.count()

    _visit(table, "shown next", examine)


def _common_action(env: GameEnv, one: Records, other: Records, seed: int) -> int | None:
    """An action that is legal in both States, None if there is none or the game is over."""
    shared = np.flatnonzero(env.game.legal_actions(one) & env.game.legal_actions(other))
    return int(shared[seed % len(shared)]) if len(shared) else None


def _visit(table: Table, purpose: str, examine: Callable[[GameEnv, str, int], None]) -> None:
    """Play games and call ``examine(env, agent, seed)`` for some agents at some decisions."""
    wanted = max(30, table.pairs // _SHARE)
    generator = table.generator(purpose)
    env = table.env(render_mode="ansi")
    visited = 0
    number = 0
    while visited < wanted:
        env.reset(seed=int(generator.integers(2**63)))
        every = 1 + int(generator.integers(4))
        for move, _ in enumerate(table.play(env, number)):
            if move % every == 0:
                examine(env, _anybody(env, generator), int(generator.integers(2**63)))
                visited += 1
        examine(env, _anybody(env, generator), int(generator.integers(2**63)))
        visited += 1
        number += 1


def _anybody(env: GameEnv, generator: np.random.Generator) -> str:
    """The agent to act half of the time, else any."""
    if generator.random() < 0.5:
        return env.agent_selection
    return env.possible_agents[int(generator.integers(len(env.possible_agents)))]
