"""The network of a policy: scaled observations, then separate layers for policy and value.

:class:`MaskedPolicy` computes exactly what its base class does, in fewer passes over the logits:
sb3-contrib normalises them before and after masking and samples with ``torch.multinomial``, which
is a good part of the work at these sizes. It can also give the value function the hidden state.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from concilium.baselines.policy import layout_scale, observation_scale
from concilium.envs import OptionError, get_game

ACTIVATIONS: Final[dict[str, type[nn.Module]]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
"""Activation functions by the names that policy files use."""

ILLEGAL: Final = -1e8  # logit of an illegal action: its probability is exactly 0


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
    """A masked policy and its value function.

    Args:
        *args, **kwargs: as for the base class.
        state_of: name of a game whose hidden state the value function is to see beside the
            observation (a privileged critic); without, it sees the observation alone and is the
            base class's. The policy never sees more than the observation.
    """

    def __init__(self, *args: Any, state_of: str | None = None, **kwargs: Any) -> None:
        self._state_of = state_of
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if self._state_of is None:
            return
        scale = torch.as_tensor(layout_scale(get_game(self._state_of).state_layout))
        self.register_buffer("state_scale", scale)
        widths = [self.features_dim + len(scale), *self.net_arch["vf"]]
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(widths):
            layers += [nn.Linear(inputs, outputs), self.activation_fn()]
        self.critic = nn.Sequential(*layers, nn.Linear(widths[-1], 1))
        # begin as the base class's value function does
        self.critic.apply(partial(self.init_weights, gain=2**0.5))
        self.init_weights(self.critic[-1], gain=1.0)
        self.mlp_extractor.value_net = nn.Sequential()  # what the critic replaces
        self.value_net = nn.Linear(1, 1)
        self.value_net.requires_grad_(False)
        trained = [weight for weight in self.parameters() if weight.requires_grad]
        self.optimizer = self.optimizer_class(trained, lr=lr_schedule(1), **self.optimizer_kwargs)

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
        logits, values = self.judge(obs, action_masks)
        actions = logits.argmax(dim=1) if deterministic else sample(logits, torch.rand(len(obs), 1))
        return actions, values, chosen(torch.log_softmax(logits, dim=1), actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values ``(k, 1)``, log-probabilities of the actions ``(k,)`` and entropies ``(k,)``."""
        logits, values = self.judge(obs, action_masks)
        log_probs = torch.log_softmax(logits, dim=1)
        return values, chosen(log_probs, actions.long()), entropy(logits, log_probs)

    def judge(
        self, obs: Tensor, masks: Any, state_vectors: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Everything the network says of some positions.

        Args:
            obs: observations ``(k, size)``.
            masks: legal actions ``(k, num_actions)``, or None: all.
            state_vectors: state vectors ``(k, state size)``, where the value function wants them.

        Returns:
            Logits ``(k, num_actions)``, so low that the probability is 0 where illegal; values
            ``(k, 1)``.
        """
        features = self.extract_features(obs)
        assert isinstance(features, Tensor)  # one extractor for both networks
        logits = self.policy_logits(features, masks)
        if self._state_of is None:
            values = self.value_net(self.mlp_extractor.forward_critic(features))
        elif state_vectors is None:
            raise OptionError("this value function needs the hidden state, which was not given")
        else:
            values = self.critic(torch.cat([features, state_vectors * self.state_scale], dim=1))
        return logits, values

    def policy_logits(self, features: Tensor, masks: Any) -> Tensor:
        """Masked logits ``(k, num_actions)`` for scaled observations."""
        logits: Tensor = self.action_net(self.mlp_extractor.forward_actor(features))
        if masks is None:
            return logits
        return logits.masked_fill(~torch.as_tensor(masks).bool(), ILLEGAL)


def chosen(log_probs: Tensor, actions: Tensor) -> Tensor:
    """Entries ``(k,)`` of ``log_probs (k, n)`` for ``actions (k,)``."""
    return log_probs.gather(1, actions[:, None]).squeeze(1)


def entropy(logits: Tensor, log_probs: Tensor) -> Tensor:
    """Entropy of each row ``(k,)`` of logits ``(k, n)``, whose log-softmax is given too.

    An illegal action has probability 0 and a finite logarithm, so it adds nothing. Softmax once
    more, because ``exp`` is slow where it underflows.
    """
    return -(torch.softmax(logits, dim=1) * log_probs).sum(dim=1)


def sample(logits: Tensor, uniform: Tensor) -> Tensor:
    """Draw an index per row of ``(k, n)`` logits, ``(k,) int64``; probability 0 is never drawn.

    ``uniform (k, 1)`` are numbers in [0, 1) from the caller's generator.
    """
    probabilities = torch.softmax(logits, dim=1)
    sums = probabilities.cumsum(dim=1)
    total = sums[:, -1:]
    # below the total even where the product is rounded up to it
    goal = torch.minimum(uniform * total, torch.nextafter(total, torch.zeros_like(total)))
    return (sums <= goal).sum(dim=1)


def policy_layers(policy: MaskedPolicy) -> tuple[Tensor, list[nn.Linear]]:
    """What a policy file keeps of a policy: the factors of observations, and the layers."""
    extractor = policy.features_extractor
    assert isinstance(extractor, ScaledObservation)
    layers = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
    assert isinstance(policy.action_net, nn.Linear)
    return extractor.scale, [*layers, policy.action_net]


def policy_arguments(
    game: str, hidden: tuple[int, ...], activation: str, critic: str = "observation"
) -> dict[str, Any]:
    """Arguments of a :class:`MaskedPolicy`.

    Args:
        game: name of the game.
        hidden: widths of the layers, for policy and for value.
        activation: a name in :data:`ACTIVATIONS`.
        critic: ``"observation"``, or ``"state"`` for a value function that sees both.
    """
    return {
        "features_extractor_class": ScaledObservation,
        "features_extractor_kwargs": {"game": game},
        "net_arch": {"pi": list(hidden), "vf": list(hidden)},
        "activation_fn": ACTIVATIONS[activation],
        # one pass over all weights per step instead of a dozen per layer
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        "state_of": game if critic == "state" else None,
    }
