"""Past policies to play against: a sample of fixed size, each of all the past equally likely."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import linear

from concilium.baselines.policy import Network
from concilium.training.network import ACTIVATIONS, ILLEGAL, sample


class Reservoir:
    """Keeps some of the networks that it is offered.

    Args:
        capacity: how many are kept.

    Attributes:
        networks: those kept, in their places.
        offered: how many there have been.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.networks: list[Network] = []
        self.offered = 0

    def __len__(self) -> int:
        return len(self.networks)

    def offer(self, network: Network, generator: np.random.Generator) -> None:
        """Take in a network so that each offered so far is kept with the same chance.

        Algorithm R (Vitter, ACM TOMS 11, 1985).
        """
        self.offered += 1
        if len(self.networks) < self.capacity:
            self.networks.append(network)
            return
        place = int(generator.integers(0, self.offered))
        if place < self.capacity:
            self.networks[place] = network

    @torch.no_grad()
    def act(
        self,
        place: int,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        generator: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Draw actions ``(k,)`` by the network at a place.

        Args:
            place: which.
            observations: ``(k, size)``.
            masks: ``(k, num_actions)``, no row all zero.
            generator: where the chance comes from.
        """
        network = self.networks[place]
        activation = ACTIVATIONS[network.activation]()
        x = torch.from_numpy(observations * network.scale)
        for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
            x = linear(activation(x) if k else x, torch.from_numpy(weight), torch.from_numpy(bias))
        logits = x.masked_fill(torch.from_numpy(masks) == 0, ILLEGAL)
        uniform = torch.from_numpy(generator.random((len(logits), 1), np.float32))
        actions: NDArray[np.int64] = sample(logits, uniform).numpy()
        return actions
