"""What a new process costs: nothing is compiled twice, nothing heavy is imported."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from typing import Any

import pytest

import concilium.envs
from tests.contract.transcript import ROOT

HEAVY = (
    "torch", "tensorboard", "stable_baselines3", "sb3_contrib", "matplotlib", "pygame",
    "pandas", "rich", "safetensors", "tkinter", "ray", "pyspiel", "pytest", "hypothesis",
)  # fmt: skip  # SciPy is missing here: Numba imports it where it is installed

PROGRAM = """
    import json, sys
    import numpy as np
    from concilium.envs import SPECTATOR, get_game, make_vec
    from concilium.envs.core.aec import GameEnv

    env = GameEnv(get_game(sys.argv[1]), num_players=4, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else np.flatnonzero(seen["action_mask"])[-1])
        env.state(), env.render(), env.describe(env.possible_agents[0])
    env.game.determinize(env.view("player_0"), 3)
    env.game.census(env.game_state()), env.game.kind(env.game_state())
    env.game.encode(env.view("player_1")), env.game.returns(env.game_state())
    env.game.legal_actions(env.game_state())
    vec = make_vec(sys.argv[1], 8, 4, seed=1, threads=2)
    batch = vec.reset()
    vec.step(batch.masks.argmax(axis=1)), vec.views()
    kernels = get_game(sys.argv[1]).kernels
    print(json.dumps({
        "misses": kernels.cache_misses(), "modules": sorted({m.split(".")[0] for m in sys.modules}),
    }))
"""


def _new_process(game: str) -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), game],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("game", ["chancellors", "nicaea"])
def test_a_second_process_compiles_nothing(game: str) -> None:
    _new_process(game)  # fills the cache if this machine has not yet
    misses = _new_process(game)["misses"]
    assert len(misses) >= 12
    assert not any(misses.values()), misses


def test_playing_imports_nothing_heavy() -> None:
    modules = _new_process("chancellors")["modules"]
    assert not set(HEAVY) & set(modules)
    assert {"numpy", "numba", "gymnasium", "pettingzoo"} <= set(modules)


def test_environments_know_nothing_of_the_layers_above() -> None:
    program = "import sys, concilium.envs; print(*[m for m in sys.modules if 'concilium' in m])"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert concilium.envs.__name__ in run.stdout.split()
    for layer in ("wrappers", "baselines", "training", "envs.check"):
        assert f"concilium.{layer}" not in run.stdout
