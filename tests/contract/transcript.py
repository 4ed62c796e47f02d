"""Plays games and writes down a digest of everything after every decision.

Run in a process of its own it tells whether the rules are the same there, interpreted or compiled:
``python -m tests.contract.transcript`` reads from standard input what to play, as JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from concilium.envs import SPECTATOR, BoundGame, get_game
from concilium.envs.core.bot import Actor, UniformBot
from concilium.envs.core.state import RUNNING, Records, plain_records
from tests.contract.players import Careful

ROOT = Path(__file__).parents[2]


class Task(TypedDict):
    """A game to be played."""

    game: str
    options: dict[str, Any]
    seed: int
    careful: bool
    moves: int


def play(task: Task) -> Iterator[tuple[BoundGame, Records, int]]:
    """Play one game; yield it, its State and the action that led there, -1 for the deal.

    The same array is yielded each time.
    """
    bound = get_game(task["game"]).bind(**task["options"])
    seed = task["seed"]
    bot: Actor = Careful(seed, eager=0.1) if task["careful"] else UniformBot(bound.game, seed)
    states = bound.new_state(seed)
    yield bound, states, -1
    for _ in range(task["moves"]):
        if int(plain_records(states)["status"][0]) != RUNNING:
            return
        view = bound.view(states, int(plain_records(states)["actor"][0]))
        action = int(bot.act(view, bound.legal_actions(view)[np.newaxis])[0])
        bound.step(states, action)
        yield bound, states, action


def transcript(task: Task) -> list[str]:
    """Play one game and return, for each decision, the action and a digest of what came of it."""
    return [f"{action} {_digest(bound, states)}" for bound, states, action in play(task)]


def _digest(bound: BoundGame, states: Records) -> str:
    """A digest of State, mask, vectors, Views, resampled States, returns and parts."""
    total = hashlib.sha256(states.tobytes())
    total.update(bound.legal_actions(states).tobytes())
    total.update(bound.encode_state(states).tobytes())
    total.update(bound.returns(states).tobytes())
    total.update(bound.census(states).tobytes())
    total.update(bound.kind(states).encode())
    for player in (SPECTATOR, *range(bound.num_players)):
        view = bound.view(states, player)
        total.update(view.tobytes())
        total.update(bound.encode(view).tobytes())
    actor = max(int(plain_records(states)["actor"][0]), 0)
    drawn = bound.determinize(bound.view(states, actor), 2**63 + 5)
    total.update(drawn.tobytes())
    return total.hexdigest()[:16]


def in_another_process(tasks: list[Task], **variables: str) -> list[list[str]]:
    """Let another process play; return its transcripts.

    Args:
        tasks: the games.
        **variables: environment variables that it gets besides the present ones.
    """
    run = subprocess.run(
        [sys.executable, "-m", "tests.contract.transcript"],
        input=json.dumps(tasks), capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, **variables},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: list[list[str]] = json.loads(run.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps([transcript(task) for task in json.load(sys.stdin)]))
