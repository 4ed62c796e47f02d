"""Compile what the tests need, before several workers would each do so: ``python -m tests.warm``.

With names of games, those alone; so two processes can share the work.
"""

from __future__ import annotations

import sys

import numpy as np

from concilium.baselines import BOTS, bot_names, make_bot
from concilium.envs import GAMES, Game, get_game, make_vec
from concilium.envs.core.aec import GameEnv


def warm(game: Game) -> None:
    """Call the entry points of a game and of its rule bots once."""
    table = game.bind()
    states = table.new_state(1)
    view = table.view(states, int(states["actor"][0]))
    table.determinize(view, 1)
    table.encode_state(states)
    table.census(states)
    table.returns(states)
    table.kind(states)
    table.step(states, int(table.legal_actions(states).argmax()))
    vec = make_vec(game, 4, seed=1)
    batch = vec.reset()
    batch = vec.step(batch.masks.argmax(1))
    vec.step(batch.masks.argmax(1), np.arange(4), observe=False)
    vec.observations()
    vec.state_vectors()
    vec.kinds()
    env = GameEnv(game)
    env.reset(seed=1)
    env.last()
    for name in bot_names(game):
        if name in BOTS:
            make_bot(name, game, seed=1).act(vec.views(), vec.masks)
    searched = f"search:bot={next(name for name in BOTS if name.startswith(game.name))},worlds=2"
    make_bot(searched, game, seed=1).act(vec.views(), vec.masks)


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        warm(get_game(each))
