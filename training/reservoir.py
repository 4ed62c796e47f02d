"""Past policies to play against: a sample of fixed size, each of all the past equally likely."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import linear

from concilium.baselines.policy import Network
from concilium.training.network import ACTIVATIONS, ILLEGAL, sample


class Reservoir:
    """Keeps some of the networks that it is offered, and others for as long as they play.

    Networks have numbers, in the order in which they were offered, from 0.

    Args:
        capacity: how many are kept.

    Attributes:
        by_number: all networks that are there.
        places: numbers of those kept; the others have been replaced and play their games to the
            end.
        offered: how many there have been.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.by_number: dict[int, Network] = {}
        self.places: list[int] = []
        self.offered = 0

    def __len__(self) -> int:
        return len(self.places)

    @property
    def networks(self) -> list[Network]:
        """Those kept, in their places."""
        return [self.by_number[number] for number in self.places]

    def offer(self, network: Network, generator: np.random.Generator) -> None:
        """Take in a network so that each offered so far is kept with the same chance.

        Algorithm R (Vitter, ACM TOMS 11, 1985).
        """
        number = self.offered
        self.offered += 1
        if len(self.places) < self.capacity:
            self.places.append(number)
        elif (place := int(generator.integers(0, self.offered))) < self.capacity:
            self.places[place] = number
        else:
            return
        self.by_number[number] = network

    def release(self, playing: Collection[int]) -> None:
        """Drop the networks that are neither kept nor ``playing``, given by number."""
        needed = {*self.places, *playing}
        self.by_number = {k: net for k, net in self.by_number.items() if k in needed}

    def restore(self, by_number: Mapping[int, Network], places: list[int], offered: int) -> None:
        """Take over the attributes of another reservoir.

        Raises:
            ValueError: they do not belong together.
        """
        if not set(places) <= set(by_number) or not len(places) <= self.capacity:
            raise ValueError(f"past policies {places} of {sorted(by_number)}")
        self.by_number, self.places, self.offered = dict(by_number), list(places), int(offered)

    @torch.no_grad()
    def act(
        self,
        number: int,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        generator: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Draw actions ``(k,)`` by a network.

        Args:
            number: which.
            observations: ``(k, size)``.
            masks: ``(k, num_actions)``, no row all zero.
            generator: where the chance comes from.
        """
        network = self.by_number[number]
        activation = ACTIVATIONS[network.activation]()
        x = torch.from_numpy(observations * network.scale)
        for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
            x = linear(activation(x) if k else x, torch.from_numpy(weight), torch.from_numpy(bias))
        logits = x.masked_fill(torch.from_numpy(masks) == 0, ILLEGAL)
        uniform = torch.from_numpy(generator.random((len(logits), 1), np.float32))
        actions: NDArray[np.int64] = sample(logits, uniform).numpy()
        return actions
