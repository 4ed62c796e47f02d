"""Reproducibility and copies: same seed and actions, same bytes, wherever the game goes on."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from concilium.envs.check.batch import masks_of
from concilium.envs.check.compare import difference, same_rows
from concilium.envs.check.masks import some_positions
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Table, choose
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.bot import UniformBot, pick_any
from concilium.envs.core.state import RUNNING, plain_records
from concilium.envs.core.state_json import state_from_json, state_to_json

_POSITIONS: Final = 6  # positions per table from which copies go on
_MOVES: Final = 60  # decisions that they go on for
_WORDS_EVERY: Final = 5  # moves: words and pictures take far longer than vectors


def snapshot(env: GameEnv, *, words: bool = True) -> bytes:
    """All vectors of an environment and its State, as a digest; with what it says and draws."""
    digest = hashlib.sha256(env.game_state().tobytes())
    for agent in env.possible_agents:
        for array in env.observe(agent).values():
            digest.update(array.tobytes())
    if words:
        digest.update(env.describe(env.agent_selection).encode())
        digest.update(str(env.render()).encode())
    digest.update(repr((env.agent_selection, env.rewards, env.terminations)).encode())
    return digest.digest()


def history(env: GameEnv, bot_seed: int, limit: int) -> list[bytes]:
    """Play a dealt game on, uniformly at random, for up to ``limit`` decisions."""
    bot = UniformBot(env.game.game, bot_seed)
    taken = [snapshot(env)]
    for move in range(limit):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            break
        env.step(choose(bot, env))
        taken.append(snapshot(env, words=move % _WORDS_EVERY == 0))
    return taken


def _require_same(one: list[bytes], other: list[bytes], words: str) -> None:
    if one != other:
        move = next(
            (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
            min(len(one), len(other)),
        )
        raise Counterexample(f"{words}: the games differ after {move} decisions")


def same_seed(table: Table, tally: Tally) -> None:
    """Same seed and actions give the same bytes: in another environment, interleaved, and again."""
    one, other = table.env(render_mode="ansi"), table.env(render_mode="ansi")
    for seed in table.seeds("same seed", max(3, table.games // 4)):
        limit = table.bound.max_game_length
        one.reset(seed=seed)
        alone = history(one, seed % 2**32, limit)
        other.reset(seed=seed)
        bots = [UniformBot(table.bound.game, k) for k in (seed % 2**32, 1)]
        one.reset(seed=seed ^ 1)
        taken = [snapshot(other)]
        for move in range(len(alone) - 1):
            for env, bot in ((other, bots[0]), (one, bots[1])):
                agent = env.agent_selection
                if not (env.terminations[agent] or env.truncations[agent]):
                    env.step(choose(bot, env))
            taken.append(snapshot(other, words=move % _WORDS_EVERY == 0))
        _require_same(alone, taken, f"seed {seed}, two environments interleaved")
        one.reset(seed=seed)
        again = history(one, seed % 2**32, limit)
        _require_same(alone, again, f"seed {seed}, after further seeded resets")
        tally.count(len(alone))


def unseeded_resets(table: Table, tally: Tally) -> None:
    """Resets without a seed continue the stream of the last seed, whatever was played meanwhile."""
    one, other = table.env(render_mode="ansi"), table.env(render_mode="ansi")
    seed = table.seeds("unseeded", 1)[0]
    streams: list[list[bytes]] = []
    for env, played in ((one, 0), (other, 5), (one, 40)):  # decisions between the resets
        env.reset(seed=seed)
        stream = [env.game_state().tobytes()]
        for number in range(4):
            history(env, number, played)
            env.reset()
            stream.append(env.game_state().tobytes())
        streams.append(stream)
    for stream in streams[1:]:
        _require_same(streams[0], stream, f"seed {seed} and resets without one")
    if len(set(streams[0])) != len(streams[0]):
        raise Counterexample(f"seed {seed}: a reset without a seed deals the same game again")
    tally.count(sum(map(len, streams)))


def options_kept(table: Table, tally: Tally) -> None:
    """A seeded reset keeps the options: it deals what the game with these options deals."""
    env = table.env()
    bound = table.bound
    for seed in table.seeds("options", 5):
        for _ in range(2):
            env.reset(seed=seed, options={})
            wanted, got = bound.new_state(seed), env.game_state()
            if dict(env.game.options) != dict(bound.options):
                raise Counterexample(f"after a seeded reset the options are {env.game.options}")
            if not same_rows(wanted, got).all():
                words = difference(wanted, got, 0)
                raise Counterexample(f"{env!r} deals another game than {bound!r}: {words}")
            env.reset()
            tally.count()


def generators_untouched(table: Table, tally: Tally) -> None:
    """The global generators of ``random`` and NumPy are neither seeded nor drawn from."""
    before = _global_generators()
    env = table.env(render_mode="ansi")
    _require_untouched(before, "making an environment")
    for number, seed in enumerate(table.seeds("generators", 3)):
        env.reset(seed=seed)
        _require_untouched(before, "reset(seed)")
        for move, agent in enumerate(table.play(env, number)):
            env.observe(agent)
            if move % _WORDS_EVERY == 0:
                snapshot(env.clone())
                pickle.dumps(env)
                env.game.determinize(env.view(agent), seed)
        _require_untouched(before, "playing a game")
        env.reset()
        _require_untouched(before, "reset()")
        tally.count()
    env.close()


def _global_generators() -> bytes:
    return pickle.dumps((random.getstate(), np.random.get_state()))  # noqa: NPY002 (watched, not used)


def _require_untouched(before: bytes, when: str) -> None:
    if _global_generators() != before:
        raise Counterexample(f"{when} changes the global generator of random or of NumPy")


# Copies --------------------------------------------------------------------------------------

_COPIES: Final[dict[str, Callable[[GameEnv], GameEnv]]] = {
    "clone()": lambda env: env.clone(),
    "copy.deepcopy()": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def copies_continue(table: Table, tally: Tally) -> None:
    """A clone, deep copy or pickle made in mid-game goes on alike, and independently."""
    for number, env in enumerate(some_positions(table, "copies", _POSITIONS)):
        before = snapshot(env)
        copies = {name: (copied(env), copied(env)) for name, copied in _COPIES.items()}
        played = {}
        for name, (twin, spare) in copies.items():
            if repr(twin) != repr(env):
                raise Counterexample(f"{name} of {env!r} is {twin!r}")
            played[name] = history(twin, table.seed + number, _MOVES)
            if snapshot(env) != before or snapshot(spare) != before:
                raise Counterexample(f"{env!r}: playing on a copy by {name} changes another")
        original = history(env, table.seed + number, _MOVES)
        for name, (_, spare) in copies.items():
            _require_same(original, played[name], f"{name} of a game after it was copied")
            if snapshot(spare) != before:
                raise Counterexample(f"{env!r}: playing on changes a copy by {name}")
            tally.count(len(original))


def json_round_trip(table: Table, tally: Tally) -> None:
    """A State written as JSON and read back is the same, byte for byte."""
    sample = table.sample
    generator = table.generator("json")
    game = table.bound.game
    for k in generator.choice(len(sample.states), min(100, len(sample.states)), replace=False):
        read = state_from_json(game, state_to_json(sample.states, int(k)))
        if not same_rows(read, sample.states[k : k + 1]).all():
            words = difference(read, sample.states[k : k + 1], 0)
            raise Counterexample(f"{sample.place(int(k))}: {words} after JSON")
        tally.count()


def replays_alike(table: Table, tally: Tally) -> None:
    """The compiled rules, given the same seed and actions again, make the same States."""
    bound = table.bound
    scratch = np.empty(bound.game.num_actions, np.int8)
    for seed in table.seeds("replays", table.games):
        pick = np.random.default_rng(seed % 2**32)
        states = [bound.new_state(seed), bound.new_state(seed)]
        for _ in range(bound.max_game_length):
            if int(plain_records(states[0])["status"][0]) != RUNNING:
                break
            action = int(pick_any(masks_of(bound, states[0]), pick)[0])
            results: list[Any] = [
                bound.game.kernels.step_checked(state, 0, action, scratch) for state in states
            ]
            if results[0] != results[1] or not same_rows(*states).all():
                words = difference(states[0], states[1], 0)
                raise Counterexample(f"seed {seed}: the same actions lead to {words}")
            tally.count()
