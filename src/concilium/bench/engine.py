"""Speed measurements behind ``concilium bench``: everything in one run, settings printed.

Each figure is the median of several repeats with the smallest and largest beside it; the peer is
timed in turn with our own environment, so that a drifting machine changes both.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from concilium.envs import Game, get_game, make_vec
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.kernels import pick_actions


@dataclass(frozen=True)
class Figure:
    """A measured figure: median, smallest and largest of the repeats."""

    name: str
    unit: str
    median: float
    low: float
    high: float
    repeats: int

    @classmethod
    def of(cls, name: str, unit: str, values: list[float]) -> Figure:
        """Summarise repeats."""
        return cls(name, unit, median(values), min(values), max(values), len(values))

    def line(self) -> str:
        """One line for people."""
        digits = 2 if self.median < 1000 else 0
        return (
            f"{self.name:<46} {self.median:>12,.{digits}f} {self.unit:<12} "
            f"({self.low:,.{digits}f} … {self.high:,.{digits}f}, {self.repeats} repeats)"
        )


def vector_speed(
    game: Game, num_players: int, num_envs: int, threads: int, seconds: float, seed: int
) -> float:
    """Decisions a second of uniform random legal play, mask and observation included."""
    vec = make_vec(game, num_envs, num_players, seed=seed, threads=threads)
    rng = np.random.default_rng(seed)
    actions = np.empty(num_envs, np.int64)
    batch = vec.reset()
    for _ in range(20):
        pick_actions(batch.masks, rng.random(num_envs), actions)
        batch = vec.step(actions)
    steps = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        pick_actions(batch.masks, rng.random(num_envs), actions)
        batch = vec.step(actions)
        steps += 1
    vec.close()
    return steps * num_envs / spent


def aec_speed(env: Any, seconds: float, seed: int) -> float:
    """Decisions a second of ``last``, a uniform choice from ``mask.nonzero()``, and ``step``."""
    rng = random.Random(seed)
    decisions = games = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        env.reset(seed=seed + games)
        games += 1
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
    return decisions / spent


def _peer() -> Any | None:
    try:
        from pettingzoo.classic.connect_four import connect_four  # connect_four_v3 is its alias
    except ImportError:
        return None
    return connect_four.env()


_START = """
import time
start = time.perf_counter()
import concilium.envs
imported = time.perf_counter()
from concilium.envs.core.aec import GameEnv
game = concilium.envs.get_game({name!r})
env = GameEnv(game)
env.reset(seed=1)
for _ in range(3):
    env.step(env.last()[0]["action_mask"].nonzero()[0][0])
vec = concilium.envs.make_vec(game, 4, seed=1)
vec.step(vec.reset().masks.argmax(1))
print(imported - start, time.perf_counter() - start, sum(game.kernels.cache_misses().values()))
"""


def start_times(game: Game, repeats: int) -> tuple[list[Figure], int]:
    """Import, first and later start of a process; and the cache misses of the later starts."""
    rows: list[tuple[float, float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "CONCILIUM_CACHE_DIR": folder}
        for _ in range(repeats + 1):
            out = subprocess.run(
                [sys.executable, "-c", _START.format(name=game.name)],
                env=env, capture_output=True, text=True, check=True,
            ).stdout.split()  # fmt: skip
            rows.append((float(out[0]), float(out[1]), int(out[2])))
    first, later = rows[0], rows[1:]
    figures = [
        Figure.of("import concilium.envs", "s", [row[0] for row in rows]),
        Figure.of("first start, compiling (AEC and vector)", "s", [first[1]]),
        Figure.of("later start, to the first decisions", "s", [row[1] for row in later]),
    ]
    return figures, sum(row[2] for row in later)


def run(
    name: str,
    *,
    num_envs: int = 1024,
    threads: int = 1,
    seconds: float = 1.0,
    repeats: int = 5,
    seed: int = 1,
    start: bool = True,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Measure a game, tell it line by line, and return everything as a JSON-able mapping."""
    game = get_game(name)
    say(
        f"{game.id}: {threads} thread(s), {num_envs} games a batch, "
        f"{repeats} × {seconds} s, seed {seed}"
    )
    figures = []
    for n in range(game.min_players, game.max_players + 1):
        values = [
            vector_speed(game, n, num_envs, threads, seconds, seed + r) for r in range(repeats)
        ]
        figures.append(Figure.of(f"vector, {n} players", "decisions/s", values))
        say(figures[-1].line())
    env, peer = GameEnv(game), _peer()
    aec_speed(env, 0.1, seed)
    ours, theirs = [], []
    for r in range(repeats):
        ours.append(aec_speed(env, seconds, seed + r))
        if peer is not None:
            theirs.append(aec_speed(peer, seconds, seed + r))
    figures.append(Figure.of(f"AEC, {env.game.num_players} players", "decisions/s", ours))
    say(figures[-1].line())
    if theirs:
        figures.append(Figure.of("PettingZoo connect_four_v3, same loop", "decisions/s", theirs))
        say(figures[-1].line())
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        figures.append(Figure.of("ratio AEC / connect_four_v3", "", ratios))
        say(figures[-1].line())
    else:
        say("peer connect_four_v3 not timed: it needs pygame")
    result: dict[str, Any] = {"game": game.id, "threads": threads, "num_envs": num_envs}
    vec = make_vec(game, 1)
    result["bytes_per_game"] = vec.bytes_per_game
    say(f"{'memory per game in a batch':<46} {vec.bytes_per_game:>12,} bytes")
    if start:
        more, misses = start_times(game, repeats)
        figures += more
        for figure in more:
            say(figure.line())
        say(f"{'cache misses in later starts':<46} {misses:>12}")
        result["cache_misses"] = misses
    result["figures"] = [asdict(figure) for figure in figures]
    return result


def to_json(result: dict[str, Any]) -> str:
    """The result as indented JSON."""
    return json.dumps(result, indent=1)
