"""What the rule bots decide, and what is believed, stays what it was.

Renewed with ``--regenerate-golden`` where a change is meant, like the digests of the games.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from concilium.baselines import BOTS, make_bot
from concilium.baselines.believers import BehaviourModel, posteriors
from concilium.envs import VecGame, get_game

FILE = Path(__file__).parent / "bot-digests.json"
GAMES = 24  # side by side at each table
STEPS = {"chancellors": 150, "nicaea": 400, "believers": 250}
CHOICES = 78  # seeds


def digest(bot_name: str, game_name: str) -> str:
    """Play one bot against itself at every table of its game and return a hash of its answers."""
    game = get_game(game_name)
    seen = hashlib.blake2b(digest_size=16)
    for players in range(game.min_players, game.max_players + 1):
        bot = make_bot(bot_name, game, seed=CHOICES)
        vec = VecGame([game.bind(num_players=players)] * GAMES, seed=CHOICES)
        batch = vec.reset()
        for _ in range(STEPS[game_name]):
            actions = bot.act(vec.views(), batch.masks)
            seen.update(actions.tobytes())
            batch = vec.step(actions, observe=False)
    return seen.hexdigest()


def beliefs() -> str:
    """Hash the fast posterior, to nine digits, of Views from games of ``believers/bayes``."""
    game = get_game("believers")
    seen = hashlib.blake2b(digest_size=16)
    for players in range(game.min_players, game.max_players + 1):
        bot = make_bot("believers/bayes", game, seed=CHOICES)
        vec = VecGame([game.bind(num_players=players)] * 8, seed=CHOICES)
        batch = vec.reset()
        for step in range(160):
            if step % 20 == 0:
                found = posteriors(vec.views(), BehaviourModel())
                seen.update((np.round(found.seats, 9) + 0.0).tobytes())
            batch = vec.step(bot.act(vec.views(), batch.masks), observe=False)
    return seen.hexdigest()


NAMES = [name for name in BOTS if "/" in name]


def check(name: str, found: str, request: pytest.FixtureRequest) -> None:
    """Compare with what is kept, or keep it."""
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    if request.config.getoption("--regenerate-golden"):
        FILE.write_text(json.dumps({**kept, name: found}, indent=1, sort_keys=True) + "\n")
    else:
        assert found == kept[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_decides_as_before(name: str, request: pytest.FixtureRequest) -> None:
    check(name, digest(name, name.split("/", maxsplit=1)[0]), request)


def test_beliefs_are_as_before(request: pytest.FixtureRequest) -> None:
    check("posterior", beliefs(), request)
