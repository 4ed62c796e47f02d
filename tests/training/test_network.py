"""The network: equal to its base class, to NumPy's play, and deaf to illegal actions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gymnasium import spaces
from msgspec.structs import replace
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from concilium.baselines.policy import PolicyBot, load_network, save_policy
from concilium.envs import OptionError, get_game, make_vec
from concilium.envs.core.bot import pick_legal
from concilium.training.export import network_of
from concilium.training.generators import borrowed_generators
from concilium.training.network import ILLEGAL, MaskedPolicy, ScaledObservation, sample
from concilium.training.presets import Preset
from concilium.training.trainer import Trainer
from concilium.wrappers.sb3 import Sb3VecEnv

GAME = get_game("chancellors")


def trained(preset: Preset) -> MaskablePPO:
    trainer = Trainer(preset, 1)
    trainer.update()
    return trainer.learner


def positions(count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks from random games."""
    vec = make_vec(GAME, count, 3, seed=1)
    batch = vec.reset()
    for _ in range(15):
        batch = vec.step(pick_legal(batch.masks, np.random.default_rng(0)))
    return batch.observations, batch.masks


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_numpy_plays_as_torch_does(tiny: Preset, activation: str, tmp_path: object) -> None:
    model = trained(replace(tiny, activation=activation))
    policy = model.policy
    observations, masks = positions()
    with torch.no_grad():
        features = policy.extract_features(torch.as_tensor(observations))
        theirs = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
    path = f"{tmp_path}/policy.safetensors"
    save_policy(path, network_of(model, "chancellors", {}))
    network = load_network(path)
    assert network.activation == activation
    assert np.abs(network.logits(observations) - theirs).max() < 1e-5
    chosen = PolicyBot(network).choose(observations, masks)
    actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
    assert (chosen == actions).mean() > 0.99  # near ties may fall either way


def test_the_same_figures_as_the_base_class(tiny: Preset) -> None:
    policy = trained(tiny).policy
    assert isinstance(policy, MaskedPolicy)
    observations, masks = positions()
    obs, legal = torch.as_tensor(observations), torch.as_tensor(masks.astype(np.float32))
    actions = torch.as_tensor(pick_legal(masks, np.random.default_rng(1)))
    ours = policy.evaluate_actions(obs, actions, action_masks=legal)
    theirs = MaskableActorCriticPolicy.evaluate_actions(policy, obs, actions, action_masks=legal)
    for one, two in zip(ours, theirs, strict=True):
        assert one.shape == two.shape
        assert torch.allclose(one, two, atol=1e-5)
    gradients = []
    for values, log_probs, entropy in (ours, theirs):
        policy.zero_grad()
        (values.sum() + log_probs.sum() + entropy.sum()).backward()
        gradients.append([p.grad.clone() for p in policy.parameters() if p.grad is not None])
    for one, two in zip(*gradients, strict=True):
        assert torch.allclose(one, two, atol=1e-3)


def test_actions_are_legal_and_drawn_by_their_probabilities(tiny: Preset) -> None:
    policy = trained(tiny).policy
    observations, masks = positions(4)
    many = np.repeat(np.arange(4), 20_000)
    with borrowed_generators(3), torch.no_grad():
        obs = torch.as_tensor(observations[many])
        actions, values, log_probs = policy.forward(obs, action_masks=masks[many])
        best, _, _ = policy.forward(obs[::20_000], True, masks)
    assert values.shape == (80_000, 1)
    assert (masks[many, actions.numpy()] == 1).all()
    for row in range(4):
        part = many == row
        chosen, logs = actions.numpy()[part], log_probs.numpy()[part]
        for action in np.unique(chosen):
            likely = float(np.exp(logs[chosen == action][0]))
            assert abs((chosen == action).mean() - likely) < 0.03
        assert best[row] == chosen[logs.argmax()]


def test_sampling_never_draws_what_has_no_weight() -> None:
    logits = torch.tensor([[0.25, 0.75], [1.0, 1.0]]).log()
    full = torch.full((2, 5), ILLEGAL)
    full[0, [1, 3]] = logits[0]
    full[1, 0] = 0.0
    for value, expected in ((0.0, [1, 0]), (0.2, [1, 0]), (0.3, [3, 0]), (1.0, [3, 0])):
        assert sample(full, torch.full((2, 1), value)).tolist() == expected


def test_a_privileged_critic_sees_both_and_the_policy_does_not(tiny: Preset) -> None:
    policy = trained(replace(tiny, critic="state")).policy
    observations, masks = positions(8)
    obs, legal = torch.as_tensor(observations), torch.as_tensor(masks)
    size = GAME.state_layout.size
    nothing, ones = torch.zeros(8, size), torch.ones(8, size)
    with torch.no_grad():
        logits, values = policy.judge(obs, legal, nothing)
        other_logits, other_values = policy.judge(obs, legal, ones)
        _, blind_values = policy.judge(torch.zeros_like(obs), legal, nothing)
    assert torch.equal(logits, other_logits)
    assert not torch.allclose(values, other_values)
    assert not torch.allclose(values, blind_values)
    with pytest.raises(OptionError, match="needs the hidden state"):
        policy.judge(obs, legal)


def test_observations_are_scaled_by_the_layout(tiny: Preset) -> None:
    policy = trained(tiny).policy
    high = torch.as_tensor(GAME.observation.high)[None]
    assert torch.allclose(policy.extract_features(high), torch.ones(1, GAME.observation.size))
    space = spaces.Box(0, 1, (5,), np.int8)
    with pytest.raises(OptionError, match="5 observations; chancellors has 438"):
        ScaledObservation(space, "chancellors")


def test_only_our_policies_are_exported(tiny: Preset) -> None:
    env = Sb3VecEnv(tiny.game, 16, num_players=2, seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=64)
    with pytest.raises(OptionError, match="cannot be exported"):
        network_of(model, "chancellors", {})
