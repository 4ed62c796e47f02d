"""A preset small enough to be trained in a second or two."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("sb3_contrib")

from concilium.training.generators import torch_threads
from concilium.training.presets import Preset


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """At these sizes threads wait for each other more than they work."""
    with torch_threads(1):
        yield


@pytest.fixture
def tiny() -> Preset:
    """Settings of a run that learns next to nothing but does everything."""
    return Preset(
        game="chancellors",
        num_players=(2, 3),
        options={"target_score": 12},
        decisions=("all",),
        assistant="",
        reward="own",
        share_self=0.4,
        share_snapshots=0.3,
        share_bots=0.3,
        alike=0.5,
        bots=("chancellors/steward", "random"),
        weights=(1.0, 1.0),
        snapshots=2,
        snapshot_every=1,
        seats="all",
        budget=1000,
        num_envs=16,
        rollout_size=200,
        minibatch=64,
        epochs=2,
        learning_rate=1e-3,
        learning_rate_end=1e-4,
        clip=0.1,
        clip_end=0.05,
        entropy=0.02,
        entropy_end=0.01,
        value=0.5,
        gae_lambda=0.95,
        target_kl=0.05,
        teacher="chancellors/steward",
        behaviour_cloning_fraction=0.3,
        magnet_coefficient=0.1,
        magnet_rate=0.1,
        critic="observation",
        hidden=(16, 8),
        activation="relu",
        evaluate_every=2,
        held_out=("random",),
        held_out_deals=3,
        checkpoint_every=1,
        threads=1,
    )
