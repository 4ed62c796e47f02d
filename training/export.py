"""From a trained model to a policy that plays with NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sb3_contrib import MaskablePPO
from torch import Tensor

from concilium.baselines import make_assistant
from concilium.baselines.policy import Network
from concilium.baselines.tensors import Array
from concilium.envs import OptionError, get_game
from concilium.envs.core.decisions import ALL, Decisions, part_of
from concilium.training.network import ACTIVATIONS, MaskedPolicy, policy_layers


def network_of(
    model: MaskablePPO,
    game: str,
    training: Mapping[str, Any],
    *,
    decisions: Decisions = ALL,
    assistant: str = "",
) -> Network:
    """Copy the policy out of a model; the value function is left behind.

    Args:
        model: trained with :class:`.network.MaskedPolicy`.
        game: name of its game.
        training: how it came about, kept in the policy file; anything that JSON can hold.
        decisions: the kinds of decisions that it has learned.
        assistant: name of a rule bot that is to make the others; not used if there are none.

    Raises:
        OptionError: the model is of another make, or decisions and assistant do not fit.
    """
    policy = model.policy
    if not isinstance(policy, MaskedPolicy):
        raise OptionError(f"a policy of type {type(policy).__name__} cannot be exported")
    rules = get_game(game)
    kinds = part_of(rules, decisions)
    if kinds:
        make_assistant(assistant, rules, seed=0)
    scale, layers = policy_layers(policy)
    names = {kind: name for name, kind in ACTIVATIONS.items()}
    return Network(
        game=rules,
        activation=names[policy.activation_fn],
        scale=_array(scale),
        weights=tuple(_array(layer.weight) for layer in layers),
        biases=tuple(_array(layer.bias) for layer in layers),
        training=training,
        decisions=kinds,
        assistant=assistant if kinds else "",
    )


def _array(tensor: Tensor) -> Array:
    copy: Array = tensor.detach().cpu().numpy().copy()
    return copy
