"""A preset small enough to be trained in a second or two."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from concilium.training.presets import Preset


@pytest.fixture
def tiny() -> Preset:
    """Settings of a run that learns next to nothing but does everything."""
    return Preset(
        game="chancellors",
        num_players=(2, 3),
        opponents=("chancellors/steward", "random"),
        weights=(1.0, 1.0),
        decisions=1000,
        num_envs=16,
        steps=16,
        minibatch=64,
        epochs=2,
        learning_rate=1e-3,
        learning_rate_end=1e-4,
        clip=0.1,
        entropy=0.02,
        entropy_end=0.01,
        value=0.5,
        gae_lambda=0.95,
        target_kl=0.05,
        hidden=(16, 8),
        activation="relu",
        threads=1,
    )
