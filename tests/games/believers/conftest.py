"""Fixtures of the rule tests of Believers; positions are made by ``tables.py``."""

from __future__ import annotations

import pytest


@pytest.fixture(params=[5, 6, 7, 8, 9, 10])
def players(request: pytest.FixtureRequest) -> int:
    """Every legal player count."""
    return int(request.param)
