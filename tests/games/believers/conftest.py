"""Fixtures of the rule tests of Believers; positions are made by ``tables.py``."""

from __future__ import annotations

import pytest

EVERY_SIZE = {
    "test_card_files", "test_conservation", "test_determinize", "test_information", "test_longest",
    "test_night_secrecy", "test_options", "test_recall", "test_reference", "test_returns",
    "test_secrets", "test_setup", "test_smoke",
}  # fmt: skip
"""Files whose rulings depend on the number of players: who is a Defector, what is dealt, bounds."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``players`` every legal number where rulings depend on it, else the ends of the range.

    Of five, all but the Eye may be barred (B9); ten fill every seat of the record.
    """
    direct = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "players" in metafunc.fixturenames and not any("players" in names for names in direct):
        every = metafunc.module.__name__.rpartition(".")[2] in EVERY_SIZE
        metafunc.parametrize("players", range(5, 11) if every else (5, 10))
