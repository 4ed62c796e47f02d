"""The log in words: every kind of event is told, and hidden draws stay hidden (C14)."""

from __future__ import annotations

import numpy as np

from concilium.baselines import make_bot
from concilium.envs import SPECTATOR, get_game
from concilium.envs.chancellors.text import card_name

# one word or more of each kind of event, in the order of their numbers
WORDS = (
    " drew ", "turn ", " tried for ", " took ", " let ", " kept Sailor", " began on problem ",
    " paid ", " solved problem ", " rolled ", " grew to ", " kept silent", " rerolled problem ",
    "the discards became deck ", "the end: ",
)  # fmt: skip


def test_every_kind_of_event_is_told_and_other_draws_are_not_named() -> None:
    game = get_game("chancellors").bind(num_players=3, excuse=True, max_turns=60)
    bots = [make_bot(name, "chancellors", seed=3) for name in ("chancellors/steward", "random")]
    told: set[str] = set()
    for seed in range(12):
        states = game.new_state(seed)
        while int(states["status"][0]) == 0:
            actor = int(states["actor"][0])
            view = game.view(states, actor)
            mask = game.legal_actions(view)[np.newaxis]
            action = int(bots[(seed + actor) % 4 == 0].act(view, mask)[0])
            game.step(states, action)
            told.update(game.events(game.view(states, SPECTATOR))[-20:])
        lines = game.events(game.view(states, 1))
        draws = [line for line in lines if " drew " in line]
        own = [line for line in draws if line.startswith("you ")]
        assert own
        assert all(line.endswith(" drew a card") for line in draws if line not in own)
        names = {card_name(card) for card in range(38)}
        assert all(line.removeprefix("you drew ") in names for line in own)
        assert len(lines) <= 64
    for words in WORDS:
        assert any(words in line for line in told), words
