"""What the menu says of a move: its price is the one that is then to be paid."""

from __future__ import annotations

import re

import numpy as np

from concilium.commands.played import PlayedGame
from concilium.envs import get_game
from concilium.envs.core.state import plain_records
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea.state import Phase


def test_prices_are_those_to_be_paid() -> None:
    table = PlayedGame(get_game("nicaea").bind(num_players=4), 5)
    generator = np.random.default_rng(5)
    checked = {"take": 0, "play": 0, "buy": 0, "pay": 0, "flip": 0}
    while not table.over:
        view = table.view()
        action = int(generator.choice([a for a in table.legal() if a != A.PASS] or [A.PASS]))
        note = table.bound.move_note(view, action)
        word = table.bound.action_name(action).split()[0]
        assert (note == "") == (word in ("pass", "decline", "name"))
        before = plain_records(table.states)[0]
        phase, paid, price = int(before["phase"]), int(before["paid"]), int(before["price"])
        table.take(action)
        after = plain_records(table.states)[0]
        if word == "pay":
            assert note == f"{price - paid} TI"
        elif after["phase"] == Phase.PAYMENT and phase != Phase.PAYMENT:
            found = re.search(r"for (\d+)", note)
            assert found is not None
            assert int(found[1]) == after["price"]
        elif word == "flip" and after["phase"] == Phase.PAYMENT:
            assert note == f"pays {after['paid'] - paid}"
        else:
            continue
        checked[word] += 1
    assert all(checked.values()), checked
