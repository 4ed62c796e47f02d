"""States, Views, observations, masks and chance stay what they were, bit for bit.

Whoever changes rules, views or encoders without meaning to change what they do finds out here: the
digests in ``digests.json`` cover 100,000 decisions of each game. A change that is meant renews them
with ``--regenerate-golden`` and says so in the changelog.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import SPECTATOR, VecGame, get_game
from concilium.envs.core.state import Records, new_records, plain_records

FILE = Path(__file__).parent / "digests.json"
GAMES = 40  # side by side at each table
DECISIONS = 100_000
CHOICES = 77  # seeds

TABLES: dict[str, list[dict[str, Any]]] = {
    "chancellors": [
        *({"num_players": n} for n in (2, 3, 4)),
        *({"num_players": n, "excuse": True, "pawns": True, "problems": 5} for n in (2, 3, 4)),
        {"num_players": 3, "calamity": "lowest_wins", "problems": 4, "max_turns": 60},
    ],
    "nicaea": [{"num_players": n} for n in (4, 5, 6)],
    "believers": [
        *({"num_players": n} for n in range(5, 11)),
        *({"num_players": n, "talk": "claims"} for n in (5, 7, 10)),
        {"num_players": 5, "disciples": False, "crises": False, "shame": False},
    ],
}


def digest(name: str, options: dict[str, Any], decisions: int) -> str:
    """Play by uniform choices and return a hash of all that is stored and shown."""
    game = get_game(name)
    table = game.bind(**options)
    vec = VecGame([table] * GAMES, seed=CHOICES)
    generator = np.random.default_rng(CHOICES)
    seen = hashlib.blake2b(digest_size=16)
    batch = vec.reset()
    rows = np.arange(GAMES)
    drawn = new_records(GAMES, game.dtype)
    for number in range(decisions // GAMES):
        for array in (batch.observations, batch.masks, batch.actors, batch.rewards):
            seen.update(array.tobytes())
        _add(seen, vec.states)
        if number % 4 == 0:  # what one other looks at, and what resampling makes of it
            players = generator.integers(SPECTATOR, table.num_players, GAMES)
            players[players == -1] = SPECTATOR
            views = vec.views(rows, players)
            game.kernels.determinize_many(
                views, generator.integers(0, 2**64, GAMES, np.uint64), drawn, 0, GAMES
            )
            _add(seen, views)
            _add(seen, drawn)
            seen.update(table.encode(views).tobytes())
            seen.update(vec.state_vectors().tobytes())
            seen.update(vec.kinds().tobytes())
        if len(batch.finished):
            _add(seen, batch.final_views.reshape(-1))
            seen.update(batch.final_observations.tobytes())
        masks = batch.masks
        wanted = np.floor(generator.random(GAMES) * masks.sum(axis=1, dtype=np.int64))
        actions = (np.cumsum(masks, axis=1, dtype=np.int64) > wanted[:, np.newaxis]).argmax(axis=1)
        batch = vec.step(actions)
    return seen.hexdigest()


def _add(seen: Any, records: Records) -> None:
    seen.update(plain_records(records).tobytes())


@pytest.mark.parametrize("name", list(TABLES))
def test_nothing_has_changed(name: str, request: pytest.FixtureRequest) -> None:
    each = -(-DECISIONS // len(TABLES[name]))
    found = {json.dumps(options): digest(name, options, each) for options in TABLES[name]}
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    if request.config.getoption("--regenerate-golden"):
        FILE.write_text(json.dumps({**kept, name: found}, indent=1, sort_keys=True) + "\n")
    else:
        assert found == kept[name]
