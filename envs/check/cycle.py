"""The AEC cycle and the declared facts: turns, rewards, endings, lengths, parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.secrecy import first_false
from concilium.envs.check.table import Table, play_side_by_side
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.errors import UsageError
from concilium.envs.core.state import FULL, RUNNING, TERMINATED, TRUNCATED, plain_records

_SHORT_GAMES: Final = 100  # games per table that are played only to see that they end


def rewards_once(table: Table, tally: Tally) -> None:
    """Each agent's total, from ``last()`` and from ``rewards``, is the game's return."""
    env = table.env()
    for number, seed in enumerate(table.seeds("rewards", 2 * table.games)):
        env.reset(seed=seed)
        by_last = dict.fromkeys(env.possible_agents, 0.0)
        by_table = dict.fromkeys(env.possible_agents, 0.0)
        for agent in table.play(env, number):
            _check_unpaid(env)
            by_last[agent] += env.last()[1]
        _add_rewards(env, by_table)
        returns = env.game.returns(env.game_state()).tolist()
        payments = 0
        while env.agents:
            agent = env.agent_selection
            by_last[agent] += env.last()[1]
            payments += 1
            env.step(None)
            _add_rewards(env, by_table)
        expected = dict(zip(env.possible_agents, returns, strict=True))
        for name, totals in (("last()", by_last), ("rewards", by_table)):
            if totals != expected:
                raise Counterexample(
                    f"game of seed {seed}: {name} adds up to {totals}, the returns are {expected}"
                )
        tally.count(payments)


def _check_unpaid(env: GameEnv) -> None:
    if any(env.rewards.values()):
        raise Counterexample(f"{env!r}: rewards {env.rewards} while the game is running")


def _add_rewards(env: GameEnv, totals: dict[str, float]) -> None:
    for agent, amount in env.rewards.items():
        totals[agent] += amount


def ends_together(table: Table, tally: Tally) -> None:
    """The flags of all agents rise in one step, the right ones; then each steps once with None."""
    env = table.env()
    for number, seed in enumerate(table.seeds("ends", table.games)):
        env.reset(seed=seed)
        everybody = list(env.possible_agents)
        for _ in table.play(env, number):
            _check_flags(env, False, False, everybody)
        status = int(plain_records(env.game_state())["status"][0])
        left = list(everybody)
        while env.agents:
            _check_flags(env, status == TERMINATED, status == TRUNCATED, left)
            agent = env.agent_selection
            if agent not in left:
                raise Counterexample(f"{env!r}: {agent} is asked twice after the end")
            left.remove(agent)
            env.step(None)
        if left:
            raise Counterexample(f"{env!r}: {', '.join(left)} never got a last step")
        tally.count()


def _check_flags(env: GameEnv, terminated: bool, truncated: bool, agents: list[str]) -> None:
    if sorted(env.agents) != sorted(agents):
        raise Counterexample(f"{env!r}: the agents are {env.agents}, expected are {agents}")
    for name, flags, wanted in (
        ("terminations", env.terminations, terminated), ("truncations", env.truncations, truncated),
    ):  # fmt: skip
        if flags != dict.fromkeys(agents, wanted):
            raise Counterexample(f"{env!r}: {name} are {flags}, expected is {wanted} for all")


def order_enforced(table: Table, tally: Tally) -> None:
    """Before the first reset and after the last step every call says that there is no game."""
    env = table.env(render_mode="ansi")
    agent = env.possible_agents[0]
    _must_complain(env, "before reset", {
        "step(0)": lambda: env.step(0), "step(None)": lambda: env.step(None), "last()": env.last,
        "observe()": lambda: env.observe(agent), "state()": env.state,
    })  # fmt: skip
    env.reset(seed=table.seed)
    for _ in table.play(env, 0):
        _must_complain(env, "in a game", {"step(None)": lambda: env.step(None)})
    _must_complain(env, "at the end", {"step(0)": lambda: env.step(0)})
    while env.agents:
        env.step(None)
    _must_complain(env, "after the end", {
        "step(0)": lambda: env.step(0), "step(None)": lambda: env.step(None), "last()": env.last,
    })  # fmt: skip
    env.close()
    env.close()
    if not isinstance(env.render(), str):
        raise Counterexample(f"{env!r}: render() after close() returns no text")
    tally.count(10)


def _must_complain(env: GameEnv, when: str, calls: dict[str, Callable[[], Any]]) -> None:
    for name, call in calls.items():
        try:
            call()
        except UsageError:
            continue
        except Exception as error:
            words = f"raises {type(error).__name__}: {error}"
        else:
            words = "is accepted"
        raise Counterexample(f"{env!r}: {name} {when} {words}")


# Declared facts ------------------------------------------------------------------------------


def length_declared(table: Table, tally: Tally) -> None:
    """Every game ends within the declared number of decisions."""
    longest = table.bound.max_game_length
    more = play_side_by_side(table.bound, table.bots[0], table.seeds("lengths", _SHORT_GAMES))
    for sample in (table.sample, more):
        bad = first_false(sample.lengths <= longest)
        if bad is not None:
            raise Counterexample(
                f"the game of seed {int(sample.seeds[bad])} goes on after {longest} decisions"
            )
        if sample.stuck:
            raise Counterexample(f"{sample.stuck} games came to a point where nothing can be done")
        tally.count(len(sample.lengths))
        tally.largest("decisions in the longest", int(sample.lengths.max()))


def returns_declared(table: Table, tally: Tally) -> None:
    """Returns are zero while the game runs, at its end of the declared range and sum."""
    sample, game = table.sample, table.bound.game
    count = len(sample.states)
    out = np.empty((count, game.max_players), np.float64)
    game.kernels.returns_many(sample.states, np.arange(count), out, 0, count)
    running = plain_records(sample.states)["status"] == RUNNING
    low, high = game.return_range
    total = game.utility_sum(table.bound.options)
    adds_up = running | (total is None) | np.isclose(out.sum(axis=1), total or 0.0, atol=1e-9)
    absent = np.arange(game.max_players) >= table.bound.num_players
    for good, words in (
        (~running | (out == 0).all(axis=1), "not zero while the game runs"),
        (((out >= low) & (out <= high)).all(axis=1), f"outside {low} … {high}"),
        ((out[:, absent] == 0).all(axis=1), "not zero for an absent seat"),
        (adds_up, f"of another sum than {total}"),
    ):
        bad = first_false(good)
        if bad is not None:
            raise Counterexample(f"{sample.place(bad)}: returns {out[bad].tolist()} are {words}")
    tally.count(count)
    tally.note("games ended", int((~running).sum()))


def status_consistent(table: Table, tally: Tally) -> None:
    """A running game has an actor, who knows what is to be decided; an ended one has an outcome."""
    sample = table.sample
    plain = plain_records(sample.states)
    status, actor = plain["status"], plain["actor"]
    running = status == RUNNING
    for good, words in (
        (np.isin(status, (RUNNING, TERMINATED, TRUNCATED)), "unknown status"),
        (~running | ((actor >= 0) & (actor < table.bound.num_players)), "no actor at the table"),
        (running | (actor == -1), "an actor after the end"),
        (plain["viewer"] == FULL, "a State with a viewer"),
        (plain["num_players"] == table.bound.num_players, "another number of players"),
    ):
        bad = first_false(good)
        if bad is not None:
            raise Counterexample(
                f"{sample.place(bad)}: {words} (status {status[bad]}, actor {actor[bad]})"
            )
    _check_kinds(table, running)
    _check_outcomes(table, running)
    tally.count(len(plain))


def _check_kinds(table: Table, running: NDArray[np.bool_]) -> None:
    """The kind of decision has a name, and who is to act sees it."""
    game, sample = table.bound.game, table.sample
    rows = np.arange(len(sample.states))
    kinds = np.empty(len(rows), np.int64)
    game.kernels.kind_many(sample.states, rows, kinds, 0, len(rows))
    bad = first_false((kinds >= 0) & (kinds < len(game.kinds)))
    if bad is not None:
        raise Counterexample(f"{sample.place(bad)}: kind {kinds[bad]} has no name")
    going = np.flatnonzero(running)
    actors = plain_records(sample.states)["actor"][going].astype(np.int64)
    views = np.empty_like(sample.states, shape=len(going))
    game.kernels.view_many(sample.states, going, actors, views, 0, len(going))
    seen = np.empty(len(going), np.int64)
    game.kernels.kind_many(views, np.arange(len(going)), seen, 0, len(going))
    bad = first_false(seen == kinds[going])
    if bad is not None:
        raise Counterexample(
            f"{sample.place(int(going[bad]))}: kind {kinds[going[bad]]}, {seen[bad]} in the View"
        )


def _check_outcomes(table: Table, running: NDArray[np.bool_]) -> None:
    """The outcome has a name, and is the first name exactly while the game runs."""
    game, sample = table.bound.game, table.sample
    outcomes = np.asarray(game.outcome(sample.states))
    bad = first_false(
        (outcomes >= 0) & (outcomes < len(game.outcomes)) & ((outcomes == 0) == running)
    )
    if bad is not None:
        raise Counterexample(
            f"{sample.place(bad)}: outcome {outcomes[bad]} of {', '.join(game.outcomes)}"
        )


def parts_conserved(table: Table, tally: Tally) -> None:
    """The census of cards and tokens is the same from the deal to the end."""
    sample, bound = table.sample, table.bound
    first: dict[int, list[int]] = {}
    for k, game in enumerate(sample.games.tolist()):
        counts = bound.census(sample.states, k).tolist()
        if first.setdefault(game, counts) != counts:
            part = next(i for i, n in enumerate(counts) if n != first[game][i])
            raise Counterexample(
                f"{sample.place(k)}: part {part} counts {counts[part]}, at first "
                f"{first[game][part]}"
            )
        tally.count()
