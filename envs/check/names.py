"""Names of actions, the one line that an environment shows of itself, and symmetry of seats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from concilium.envs.check.batch import masks_of, observe_all
from concilium.envs.check.observations import element_names
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.secrecy import first_false
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.state import Records, take_records

Relabel = Callable[[Records, int], Records]
"""Returns a copy of States in which each seat ``k`` has become ``(k + shift) % num_players``."""


def action_names(table: Table, tally: Tally) -> None:
    """Every action has a name of its own, and the name leads back to the action."""
    bound = table.bound
    met = masks_of(table.bound, table.sample.states).any(axis=0)
    named: dict[str, int] = {}
    for action in range(bound.game.num_actions):
        name = bound.action_name(action)
        if not name or name != name.strip() or "\n" in name:
            raise Counterexample(f"action {action} is called {name!r}")
        if name in named:
            raise Counterexample(f"actions {named[name]} and {action} are both called {name!r}")
        named[name] = action
        for form in (name, name.upper(), f" {name} "):
            if bound.parse_action(form) != action:
                raise Counterexample(f"parse_action({form!r}) is {bound.parse_action(form)}")
        tally.count()
    tally.largest("legal somewhere", int(met.sum()))


def repr_tells(table: Table, tally: Tally) -> None:
    """``repr`` of an environment shows game, options, seed and how far the game is."""
    env = table.env()
    for number, seed in enumerate(table.seeds("repr", 3)):
        env.reset(seed=seed)
        for moves, _ in enumerate(table.play(env, number)):
            text = repr(env)
            wanted = [table.bound.game.id, f"seed {seed}", f"move {moves}"]
            wanted += [f"{name}={value!r}" for name, value in table.bound.options.items()]
            missing = [part for part in wanted if part not in text]
            if missing:
                raise Counterexample(f"{text} does not show {', '.join(missing)}")
            tally.count()


def pictures(table: Table, tally: Tally) -> None:
    """The picture is of the View of the agent to act, at the end of what the end is; or nothing."""
    env, blind = table.env(render_mode="ansi"), table.env()
    for number, seed in enumerate(table.seeds("pictures", 3)):
        env.reset(seed=seed)
        blind.reset(seed=seed)
        for _ in table.play(env, number):
            tally.count(_check_picture(env))
        tally.count(_check_picture(env))
        if blind.render() is not None:
            raise Counterexample(f"{blind!r} draws without a render mode")


def _check_picture(env: GameEnv) -> int:
    agent = env.agent_selection
    wanted = env.game.render(env.game.view(env.game_state(), env.possible_agents.index(agent)))
    if env.render() != wanted:
        raise Counterexample(f"{env!r}: the picture is not that of the View of {agent}")
    return 1


def seat_symmetry(table: Table, relabel: Relabel, tally: Tally) -> None:
    """When seats are permuted, so are observations and masks: both are egocentric."""
    game, n = table.bound.game, table.bound.num_players
    generator = table.generator("symmetry")
    count = min(len(table.sample.states), max(1, table.pairs // n))
    chosen = generator.choice(len(table.sample.states), count, replace=False)
    states = take_records(table.sample.states, chosen)
    for shift in range(1, n):
        moved = relabel(states, shift)
        for seat in range(n):
            seats = np.full(count, seat)
            before = observe_all(table.bound, states, seats)
            after = observe_all(table.bound, moved, (seats + shift) % n)
            for what, one, other in zip(("observation", "mask"), before, after, strict=True):
                bad = first_false((one == other).all(axis=1))
                if bad is not None:
                    at = int(np.argmax(one[bad] != other[bad]))
                    name = element_names(game.observation)[at] if what == "observation" else str(at)
                    raise Counterexample(
                        f"{table.sample.place(int(chosen[bad]))}: {what} {name} of player_{seat} "
                        f"changes when all move by {shift} seats"
                    )
            tally.count(count)
