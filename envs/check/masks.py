"""Masks and actions: what is offered is accepted, all else is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.batch import masks_of
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.secrecy import first_false
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.errors import IllegalActionError, UsageError
from concilium.envs.core.state import RUNNING, plain_records

_POSITIONS: Final = 12  # positions per table in which every action is tried
NEVER_ACTIONS: Final[tuple[object, ...]] = (
    0.0, np.float64(1.0), True, np.bool_(True), "0", b"0", [0], (0,), np.array([0]), np.array(0.0),
    np.array(True), 1j, -1, -(2**40), 2**31, 2**63, 2**64 - 1, 2**70, np.uint64(2**63 + 1),
)  # fmt: skip
"""What is no action of any game: other types, and numbers out of any range."""


def some_positions(table: Table, purpose: str, count: int) -> Iterator[GameEnv]:
    """Yield ``count`` environments that were played to some decision, each its own."""
    generator = table.generator(purpose)
    found = 0
    for number in range(100 * count):
        if found == count:
            return
        env = table.env(render_mode="ansi")
        env.reset(seed=int(generator.integers(2**63)))
        for _ in table.play(env, number):
            if generator.random() < 0.1:
                found += 1
                yield env
                break
    raise Counterexample(f"{100 * count} games have hardly any decisions")


def mask_form(table: Table, tally: Tally) -> None:
    """Masks are int8 of 0 and 1, never empty for the agent to act, all 0 for everybody else."""
    env = table.env()
    shape = (table.bound.game.num_actions,)
    for number, seed in enumerate(table.seeds("mask form", table.games)):
        env.reset(seed=seed)
        for _ in table.play(env, number):
            tally.count(_check_masks(env, shape, env.agent_selection))
        tally.count(_check_masks(env, shape, None))
    sample = table.sample
    running = plain_records(sample.states)["status"] == RUNNING
    filled = np.any(masks_of(table.bound, sample.states), axis=1)
    bad = first_false(filled == running)
    if bad is not None:
        what = "nothing is legal" if running[bad] else "something is legal after the end"
        raise Counterexample(f"{what} in {sample.place(bad)}")
    tally.count(len(filled))


def _check_masks(env: GameEnv, shape: tuple[int, ...], actor: str | None) -> int:
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        if mask.dtype != np.int8 or mask.shape != shape:
            raise Counterexample(f"{env!r}: mask of {agent} is {mask.dtype} of {mask.shape}")
        if not np.isin(mask, (0, 1)).all():
            raise Counterexample(f"{env!r}: mask of {agent} has values other than 0 and 1")
        if mask.any() != (agent == actor):
            state = "empty" if agent == actor else "not empty though it is not to act"
            raise Counterexample(f"{env!r}: mask of {agent} is {state}")
    return len(env.possible_agents)


def mask_exact(table: Table, tally: Tally) -> None:
    """Every action offered is accepted, every other raises an error that names it."""
    for env in some_positions(table, "mask exact", _POSITIONS):
        mask = env.observe(env.agent_selection)["action_mask"]
        before = _all_of(env)
        for action in range(table.bound.game.num_actions):
            if mask[action]:
                _must_accept(env, action)
            else:
                _must_refuse(env, action, str(action), before)
            tally.count()


def _must_accept(env: GameEnv, action: Any) -> bytes:
    """Take an action that is offered in a clone; return the State after it."""
    twin = env.clone()
    try:
        twin.step(action)
    except IllegalActionError as error:
        raise Counterexample(f"{env!r}: {action!r} is offered and refused: {error}") from None
    return twin.game_state().tobytes()


def _must_refuse(env: GameEnv, action: Any, name: str, before: tuple[object, ...]) -> None:
    """Try an action that is not legal: a typed error that names it, and all as ``before``."""
    error = UsageError if action is None else IllegalActionError
    try:
        env.step(action)
    except error as raised:
        if name not in str(raised):
            raise Counterexample(f"{env!r}: the error does not name {name}: {raised}") from None
    except Exception as raised:
        raise Counterexample(
            f"{env!r}: {action!r} raises {type(raised).__name__}: {raised}"
        ) from None
    else:
        raise Counterexample(f"{env!r}: {action!r} is not offered and yet accepted")
    if _all_of(env) != before:
        raise Counterexample(f"{env!r}: {action!r} was refused and yet changed something")


def _all_of(env: GameEnv) -> tuple[object, ...]:
    """Everything that a refused action might have changed."""
    return (
        env.game_state().tobytes(), env.agent_selection, tuple(env.agents), repr(env),
        *(tuple(table.items()) for table in (env.rewards, env.terminations, env.truncations)),
        env.observe(env.agent_selection)["action_mask"].tobytes(),
    )  # fmt: skip


def action_types(table: Table, tally: Tally) -> None:
    """Ints, NumPy integers and 0-d arrays are taken alike; all else is refused."""
    for env in some_positions(table, "action types", 4):
        number = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])
        forms = _forms(number)
        results = {_must_accept(env, form) for form in forms}
        if len(results) != 1:
            raise Counterexample(f"{env!r}: {number} of different integer types acts differently")
        before = _all_of(env)
        for action in (*NEVER_ACTIONS, table.bound.game.num_actions):
            _must_refuse(env, action, "action", before)
        _must_refuse(env, None, env.agent_selection, before)
        tally.count(len(forms) + len(NEVER_ACTIONS) + 2)


def _forms(number: int) -> list[Any]:
    """One action in all types in which it may arrive."""
    types = [np.int64, np.int32, np.int16, np.uint64, np.uint16]
    types += [np.int8] if number <= 127 else []
    zero_d: list[NDArray[Any]] = [
        np.array(number, kind) for kind in (np.int64, np.int32, np.uint32)
    ]
    return [number, *(kind(number) for kind in types), *zero_d]


def illegal_loses(table: Table, tally: Tally) -> None:
    """With ``illegal="lose"`` an illegal action ends the game: -1 for the offender, else 0."""
    env = table.env(illegal="lose")
    not_offered = 0
    for number, seed in enumerate(table.seeds("lose", max(3, table.games // 4))):
        env.reset(seed=seed)
        for move, agent in enumerate(table.play(env, number)):
            mask = env.observe(agent)["action_mask"]
            if move >= number and (number % 2 == 0 or not mask.all()):
                break
        else:
            continue
        wrong: Any = int(np.argmin(mask)) if number % 2 else "nonsense"
        not_offered += number % 2
        env.step(wrong)
        totals = {}
        while env.agents:
            _, reward, terminated, truncated, _ = env.last()
            if not terminated or truncated:
                raise Counterexample(f"{env!r}: the game goes on after an illegal action")
            totals[env.agent_selection] = reward
            env.step(None)
        expected = {a: -1.0 if a == agent else 0.0 for a in env.possible_agents}
        if totals != expected:
            raise Counterexample(f"{env!r}: {agent} acted illegally, the rewards are {totals}")
        tally.count()
    if not not_offered:
        tally.remark = "every action is always legal: tried was what is no action"
