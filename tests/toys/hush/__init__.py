"""Hush, a small complete game for the tests of everything that is written once for all games."""

from tests.toys.hush.game import HUSH

GAME = HUSH

__all__ = ["GAME", "HUSH"]
