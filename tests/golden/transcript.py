"""Readable transcripts of whole games, with a digest of everything that anybody can observe."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from concilium.envs import Replay
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import SPECTATOR, Records, plain_records

# moves between two pictures of the table, which everybody's view makes long in the larger games
_TABLE_EVERY = {"chancellors": 25, "nicaea": 150, "believers": 150}


def digest(bound: BoundGame, states: Records) -> str:
    """8 hex digits over the State, every View, observation and mask, and the state vector."""
    total = hashlib.sha256(states.tobytes())
    for player in (*range(bound.num_players), SPECTATOR):
        view = bound.view(states, player)
        total.update(view.tobytes() + bound.encode(view).tobytes())
        total.update(bound.describe(view).encode())
    total.update(bound.legal_actions(states).tobytes() + bound.encode_state(states).tobytes())
    return total.hexdigest()[:8]


def transcript(replay: Replay) -> str:
    """Tell a replay move by move; the first line is the replay itself."""
    return "\n".join([replay.to_line(), "", *_lines(replay)]) + "\n"


def _lines(replay: Replay) -> Iterator[str]:
    bound = replay.bind()
    every = _TABLE_EVERY[bound.game.name]
    for number, (states, action) in enumerate(replay.play()):
        actor = int(plain_records(states)["actor"][0])
        if number % every == 0 or action is None:
            yield from _tables(bound, states, actor)
        if action is None:
            yield f"{replay.status}, returns {', '.join(f'{r:+.4f}' for r in replay.returns)}"
            continue
        legal = np.flatnonzero(bound.legal_actions(states))
        yield (
            f"{number:>4} {digest(bound, states)} player_{actor} {bound.kind(states)}: "
            f"{bound.action_name(action)} (of {len(legal)})"
        )


def _tables(bound: BoundGame, states: Records, actor: int) -> Iterator[str]:
    """The whole text for whoever is to act, and the picture for all others."""
    yield ""
    for player in (*range(bound.num_players), SPECTATOR):
        view = bound.view(states, player)
        name = "spectator" if player == SPECTATOR else f"player_{player}"
        yield f"--- as {name} sees it"
        yield bound.describe(view) if player == actor else bound.render(view)
    yield ""
