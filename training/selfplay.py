"""The learner: MaskablePPO whose decisions are collected from games among itself and others.

The network, the optimiser and the logger are those of stable-baselines3 and sb3-contrib; the
update is its own, because decisions of all seats come in chains, because of the pull towards a
slowly moving policy, and because of the value function that sees the state vector.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from torch import Tensor
from torch.nn.functional import mse_loss

from concilium.baselines.policy import Network
from concilium.envs import UsageError, get_game
from concilium.training.network import (
    ILLEGAL,
    MaskedPolicy,
    chosen,
    entropy,
    policy_arguments,
    policy_layers,
    sample,
)
from concilium.training.presets import Preset
from concilium.training.rollout import RolloutBuffer

_AT_ONCE: Final = 4096  # decisions judged at once by the slowly moving policy


@dataclass(frozen=True)
class Rates:
    """What changes in the course of a run.

    Attributes:
        learning_rate, clip, entropy: see :class:`.presets.Preset`.
    """

    learning_rate: float
    clip: float
    entropy: float


@dataclass(frozen=True)
class Minibatch:
    """What an update learns from, one row per decision.

    Attributes:
        observations ``(k, size) int8``, state_vectors ``(k, state size) int8``,
        masks ``(k, n) int8``, actions ``(k,) int64``, log_probs, advantages, returns
        ``(k,) float32``.
        magnet: log-probabilities by the slowly moving policy ``(k, n) float32``; None without it.
    """

    observations: Tensor
    state_vectors: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    magnet: Tensor | None

    def part(self, rows: Tensor) -> Minibatch:
        """The given rows."""
        return Minibatch(
            self.observations[rows],
            self.state_vectors[rows],
            self.masks[rows],
            self.actions[rows],
            self.log_probs[rows],
            self.advantages[rows],
            self.returns[rows],
            None if self.magnet is None else self.magnet[rows],
        )


class SelfPlayPPO(MaskablePPO):  # type: ignore[misc] # (untyped base class)
    """A network with its optimiser, which learns from decisions that somebody else collects.

    ``learn`` of the base class is not used: a run calls :meth:`decide` while it plays and
    :meth:`update` when it has enough. Make it with the global generators borrowed: torch draws the
    first weights from them.

    Args:
        preset: the settings.
    """

    policy: MaskedPolicy

    def __init__(self, preset: Preset) -> None:
        super().__init__(
            MaskedPolicy,
            None,
            learning_rate=preset.learning_rate,
            n_steps=1,  # its own buffer stays unused
            batch_size=preset.minibatch,
            n_epochs=preset.epochs,
            gamma=1.0,
            gae_lambda=preset.gae_lambda,
            clip_range=preset.clip,
            ent_coef=preset.entropy,
            vf_coef=preset.value,
            target_kl=preset.target_kl,
            policy_kwargs=policy_arguments(
                preset.game, preset.hidden, preset.activation, preset.critic
            ),
            device="cpu",
            _init_setup_model=False,
        )
        game = get_game(preset.game)
        layout = game.observation
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.action_space = spaces.Discrete(game.num_actions)
        self.n_envs = 1
        self._setup_model()
        self.preset = preset
        self.magnet: MaskedPolicy | None = None
        if preset.magnet_coefficient > 0:
            self.magnet = copy.deepcopy(self.policy).requires_grad_(False)

    @torch.no_grad()
    def start_from(self, network: Network) -> None:
        """Take over a policy with layers like the own; the value function stays as it is."""
        for policy in (self.policy, *([] if self.magnet is None else [self.magnet])):
            scale, layers = policy_layers(policy)
            scale.copy_(torch.from_numpy(network.scale))
            for layer, weight, bias in zip(layers, network.weights, network.biases, strict=True):
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))

    @torch.no_grad()
    def decide(
        self,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        state_vectors: NDArray[np.int8],
        generator: np.random.Generator,
        shown: NDArray[np.int64] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Draw actions.

        Args:
            observations: ``(k, size)``.
            masks: ``(k, num_actions)``.
            state_vectors: state vectors ``(k, state size)``; of width 0 where the critic does not
                use them.
            generator: where the chance comes from.
            shown: actions that a teacher has chosen ``(k,)``: nothing is drawn then.

        Returns:
            Actions, values, log-probabilities of the actions, each ``(k,)``.

        Raises:
            UsageError: the policy has diverged.
        """
        logits, values = self.policy.judge(
            torch.from_numpy(observations), torch.from_numpy(masks), torch.from_numpy(state_vectors)
        )
        if shown is None:
            uniform = torch.from_numpy(generator.random((len(logits), 1), np.float32))
            actions = sample(logits, uniform)
        else:
            actions = torch.from_numpy(shown)
        log_probs = chosen(torch.log_softmax(logits, dim=1), actions)
        # logits below that of an illegal action come of weights that have run away
        sound = torch.isfinite(log_probs) & (chosen(logits, actions) > ILLEGAL)
        if not bool(sound.all()):
            raise UsageError("the policy is not finite any more: try a lower learning_rate")
        return actions.numpy(), values[:, 0].numpy(), log_probs.numpy()

    def update(
        self,
        rollout: RolloutBuffer,
        rates: Rates,
        generator: np.random.Generator,
        cloning: bool = False,
    ) -> dict[str, float]:
        """Learn from all complete decisions, in several passes (arXiv:1707.06347).

        Args:
            rollout: at least two complete decisions.
            rates: for this update.
            generator: shuffles the decisions.
            cloning: imitate what was decided instead of weighing how it turned out.

        Returns:
            Means over the gradient steps: ``policy_loss``, ``value_loss``, ``entropy``,
            ``approx_kl``, ``clip_fraction``, ``magnet_kl``; further ``explained_variance``,
            ``gradient_steps``, with the one that the brake refused.

        Raises:
            UsageError: the loss is not finite.
        """
        for group in self.policy.optimizer.param_groups:
            group["lr"] = rates.learning_rate
        minibatch = self._lessons(rollout)
        size = len(minibatch.actions)
        batches = max(1, size // self.preset.minibatch)  # none smaller than asked for
        told: list[list[float]] = []
        calm = True
        for _ in range(self.preset.epochs):
            order = torch.from_numpy(generator.permutation(size))
            for rows in torch.tensor_split(order, batches):
                figures, calm = self._gradient_step(minibatch.part(rows), rates, cloning)
                told.append(figures)
                if not calm:
                    break
            if not calm:
                break
        self._move_magnet()
        names = (
            "policy_loss",
            "value_loss",
            "entropy",
            "approx_kl",
            "clip_fraction",
            "magnet_coefficient",
        )
        means = dict(zip(names, np.mean(told, axis=0).tolist(), strict=True))
        spread = float(minibatch.returns.var())
        rest = float((minibatch.advantages).var())
        means["explained_variance"] = 1 - rest / spread if spread > 0 else 0.0
        means["gradient_steps"] = float(len(told))
        return means

    def _lessons(self, rollout: RolloutBuffer) -> Minibatch:
        rows = rollout.complete()
        advantages = rollout.advantages(self.preset.gae_lambda)[rows]
        observations = torch.from_numpy(rollout.observations[rows])
        masks = torch.from_numpy(rollout.masks[rows])
        return Minibatch(
            observations=observations,
            state_vectors=torch.from_numpy(rollout.state_vectors[rows]),
            masks=masks,
            actions=torch.from_numpy(rollout.actions[rows]),
            log_probs=torch.from_numpy(rollout.log_probs[rows]),
            advantages=torch.from_numpy(advantages),
            returns=torch.from_numpy(advantages + rollout.values[rows]),
            magnet=self._pull_of(observations, masks),
        )

    @torch.no_grad()
    def _pull_of(self, observations: Tensor, masks: Tensor) -> Tensor | None:
        if self.magnet is None:
            return None
        parts = []
        for start in range(0, len(masks), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            features = self.magnet.extract_features(observations[rows])
            logits = self.magnet.policy_logits(features, masks[rows])
            parts.append(torch.log_softmax(logits, dim=1))
        return torch.cat(parts)

    def _gradient_step(
        self, minibatch: Minibatch, rates: Rates, cloning: bool
    ) -> tuple[list[float], bool]:
        """One step, unless the policy has moved too far; returns the figures and whether not."""
        logits, values = self.policy.judge(
            minibatch.observations, minibatch.masks, minibatch.state_vectors
        )
        log_probs = torch.log_softmax(logits, dim=1)
        own = chosen(log_probs, minibatch.actions)
        log_ratio = own - minibatch.log_probs
        ratio = log_ratio.exp()
        policy_loss = -own.mean() if cloning else _clipped_loss(ratio, minibatch.advantages, rates)
        value_loss = mse_loss(values[:, 0], minibatch.returns)
        spread = entropy(logits, log_probs).mean()
        loss = policy_loss + self.preset.value * value_loss
        pull = torch.zeros(())
        if not cloning:
            loss = loss - rates.entropy * spread
            if minibatch.magnet is not None:
                probabilities = torch.softmax(logits, dim=1)
                pull = (probabilities * (log_probs - minibatch.magnet)).sum(dim=1).mean()
                loss = loss + self.preset.magnet_coefficient * pull
        with torch.no_grad():
            moved = (ratio - 1 - log_ratio).mean()
            cut = ((ratio - 1).abs() > rates.clip).float().mean()
            told = torch.stack([policy_loss, value_loss, spread, moved, cut, pull])
        if not bool(torch.isfinite(told).all()):
            raise UsageError("the loss is not finite any more: try a lower learning_rate")
        figures: list[float] = told.tolist()
        if not cloning and float(moved) > 1.5 * self.preset.target_kl:
            return figures, False
        self.policy.optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()
        return figures, True

    @torch.no_grad()
    def _move_magnet(self) -> None:
        if self.magnet is None:
            return
        pairs = zip(self.magnet.parameters(), self.policy.parameters(), strict=True)
        for slow, quick in pairs:
            slow.lerp_(quick, self.preset.magnet_rate)

    # Checkpoints -----------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """Weights and the optimiser's moments by name, for a checkpoint; copies."""
        kept = {f"policy.{name}": value for name, value in self.policy.state_dict().items()}
        if self.magnet is not None:
            kept |= {f"magnet.{name}": value for name, value in self.magnet.state_dict().items()}
        for number, moments in self.policy.optimizer.state_dict()["state"].items():
            kept |= {f"optimizer.{number}.{name}": value for name, value in moments.items()}
        return {name: value.detach().clone() for name, value in kept.items()}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Take over what :meth:`tensors` returned.

        Raises:
            KeyError, RuntimeError, ValueError: it is of another make.
        """
        self.policy.load_state_dict(_below("policy", tensors))
        if self.magnet is not None:
            self.magnet.load_state_dict(_below("magnet", tensors))
        state: dict[int, dict[str, Any]] = {}
        for name, value in _below("optimizer", tensors).items():
            number, _, moment = name.partition(".")
            state.setdefault(int(number), {})[moment] = value
        groups = self.policy.optimizer.state_dict()["param_groups"]
        self.policy.optimizer.load_state_dict({"state": state, "param_groups": groups})


def _clipped_loss(ratio: Tensor, advantages: Tensor, rates: Rates) -> Tensor:
    """PPO's clipped loss with advantages of mean 0 and deviation 1 (arXiv:1707.06347)."""
    gain = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    clipped = ratio.clamp(1 - rates.clip, 1 + rates.clip)
    return -torch.min(gain * ratio, gain * clipped).mean()


def _below(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    start = f"{prefix}."
    return {
        name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)
    }
