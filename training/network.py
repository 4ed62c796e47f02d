"""The network of a policy: scaled observations, then separate layers for policy and value.

:class:`MaskedPolicy` computes exactly what its base class does, in fewer passes over the logits:
sb3-contrib normalises them before and after masking and samples with ``torch.multinomial``, which
is a good part of the work at these sizes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from concilium.baselines.policy import observation_scale
from concilium.envs import OptionError, get_game

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
"""Activation functions by the names that policy files use."""

_ILLEGAL = -1e8  # logit of an illegal action: its probability is exactly 0


class ScaledObservation(BaseFeaturesExtractor):
    """Bring each element of an ``int8`` observation to the range -1 … 1 by its bounds.

    Args:
        observation_space: flat Box of the game's layout.
        game: name of the game.
    """

    scale: Tensor

    def __init__(self, observation_space: spaces.Box, game: str) -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=size)
        scale = observation_scale(get_game(game))
        if scale.shape != observation_space.shape:
            raise OptionError(f"{size} observations; {game} has {len(scale)}")
        self.register_buffer("scale", torch.as_tensor(scale))

    def forward(self, observations: Tensor) -> Tensor:
        """Scale observations ``(k, size)`` of any number type to ``float32``."""
        return observations * self.scale


class MaskedPolicy(MaskableActorCriticPolicy):  # type: ignore[misc] # (untyped base class)
    """A masked policy and its value function."""

    def forward(
        self,
        obs: Tensor,
        deterministic: bool = False,
        action_masks: NDArray[np.generic] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Choose actions.

        Args:
            obs: observations ``(k, size)``.
            deterministic: take the most likely action rather than draw one.
            action_masks: legal actions ``(k, num_actions)``; all are, if not given.

        Returns:
            Actions ``(k,)``, values ``(k, 1)``, logarithms of the actions' probabilities ``(k,)``.
        """
        logits, values = self._evaluate(obs, action_masks)
        log_probs = torch.log_softmax(logits, dim=1)
        actions = logits.argmax(dim=1) if deterministic else sample(torch.softmax(logits, dim=1))
        return actions, values, log_probs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values ``(k, 1)``, log-probabilities of the actions ``(k,)`` and entropies ``(k,)``."""
        logits, values = self._evaluate(obs, action_masks)
        log_probs = torch.log_softmax(logits, dim=1)
        # softmax again, because exp is slow where it underflows; an illegal action has probability
        # 0 and a finite logarithm, so it adds nothing
        entropy = -(torch.softmax(logits, dim=1) * log_probs).sum(dim=1)
        return values, log_probs.gather(1, actions.long()[:, None]).squeeze(1), entropy

    def _evaluate(self, obs: Tensor, masks: Any) -> tuple[Tensor, Tensor]:
        """Masked logits ``(k, num_actions)`` and values ``(k, 1)``."""
        features = self.extract_features(obs)
        assert isinstance(features, Tensor)  # one extractor for both networks
        latent_policy, latent_value = self.mlp_extractor(features)
        logits = self.action_net(latent_policy)
        if masks is not None:
            illegal = ~torch.as_tensor(masks).bool()
            logits = logits.masked_fill(illegal, _ILLEGAL)
        return logits, self.value_net(latent_value)


def sample(probabilities: Tensor) -> Tensor:
    """Draw an index per row of ``(k, n)`` weights, ``(k,) int64``; weight 0 is never drawn."""
    sums = probabilities.cumsum(dim=1)
    total = sums[:, -1:]
    goal = torch.rand_like(total) * total
    # below the total even where the product is rounded up to it
    goal = torch.minimum(goal, torch.nextafter(total, torch.zeros_like(total)))
    return (sums <= goal).sum(dim=1)


def policy_arguments(game: str, hidden: tuple[int, ...], activation: str) -> dict[str, Any]:
    """Arguments of a :class:`MaskedPolicy` with these layers for policy and for value."""
    return {
        "features_extractor_class": ScaledObservation,
        "features_extractor_kwargs": {"game": game},
        "net_arch": {"pi": list(hidden), "vf": list(hidden)},
        "activation_fn": ACTIVATIONS[activation],
        # one pass over all weights per step instead of a dozen per layer
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},
    }
