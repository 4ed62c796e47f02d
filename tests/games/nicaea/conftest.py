"""Fixtures of the rule tests of Nicaea; positions are made by ``tables.py``."""

from __future__ import annotations

import pytest


@pytest.fixture(params=[4, 5, 6])
def players(request: pytest.FixtureRequest) -> int:
    """Every legal player count."""
    return int(request.param)
