"""A second process that plays the same games: ``python -m concilium.envs.check.worker``.

It reads what to play as JSON from standard input and writes one digest per table. It runs with
another hash seed than its parent, so an order that comes from hashing shows as well.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from concilium.envs.check.repeat import history
from concilium.envs.check.report import Counterexample, Tally
from concilium.envs.check.table import Table
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.catalogue import get_game

_GAMES: Final = 3  # per table
_SECONDS: Final = 600  # the limit for a process that has to compile first


def digest(env: GameEnv, seeds: Sequence[int], longest: int) -> str:
    """Play games of ``seeds`` and return a digest of all that was shown."""
    total = hashlib.sha256()
    for seed in seeds:
        env.reset(seed=seed)
        for taken in history(env, seed % 2**32, longest):
            total.update(taken)
    return total.hexdigest()


def second_process(
    tables: Sequence[Table], factory: Callable[..., GameEnv] | None, modules: Sequence[str],
    tally: Tally,
) -> None:  # fmt: skip
    """A second process, given the same seeds and actions, shows the same bytes."""
    seeds = [table.seeds("process", _GAMES) for table in tables]
    task = {
        "path": sys.path,
        "game": tables[0].bound.game.name,
        "factory": None if factory is None else [factory.__module__, factory.__qualname__],
        "modules": list(modules),
        "tables": [
            {
                "options": dict(table.bound.options),
                "seeds": s,
                "longest": table.bound.max_game_length,
            }
            for table, s in zip(tables, seeds, strict=True)
        ],
    }
    here = [
        digest(table.env(render_mode="ansi"), s, table.bound.max_game_length)
        for table, s in zip(tables, seeds, strict=True)
    ]
    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    run = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import main; main()"],
        input=json.dumps(task), capture_output=True, text=True, timeout=_SECONDS, check=False,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip
    if run.returncode:
        raise Counterexample(f"the second process failed: {run.stderr.strip()[-600:]}")
    for table, one, other in zip(tables, here, run.stdout.split()[-len(here) :], strict=True):
        if one != other:
            raise Counterexample(f"{table}: a second process plays other games")
        tally.count(_GAMES)


def main() -> None:
    """Play what standard input asks for and print the digests."""
    task: dict[str, Any] = json.load(sys.stdin)
    sys.path[:] = task["path"]
    for name in task["modules"]:
        importlib.import_module(name)
    make = _factory(task)
    for table in task["tables"]:
        env = make(render_mode="ansi", **table["options"])
        print(digest(env, table["seeds"], table["longest"]))


def _factory(task: dict[str, Any]) -> Callable[..., GameEnv]:
    if task["factory"] is None:
        game = get_game(task["game"])
        return lambda **options: GameEnv(game, **options)
    module, name = task["factory"]
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    factory: Callable[..., GameEnv] = found
    return factory
