"""Bots for exact best responses: a plain opponent, and one that plays a response found."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.envs.believers import GAME
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.core.bot import GeneratorBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.state import Records, plain_records

_DIGEST: Final = 16


def digests(views: Records) -> list[bytes]:
    """A digest of 16 bytes of each View ``(k,)``: equal for equal Views."""
    return [hashlib.blake2b(view.tobytes(), digest_size=_DIGEST).digest() for view in views]


class PlainBot(GeneratorBot):
    """Serves its own side with every Virtue and makes its left neighbour the Hand, openly.

    True Believers give and place what fits the Mission, Defectors what does not, the lowest kind
    first. It leaves nothing to chance, and plays only what a game without Shame, Disciples, Crises
    and talk asks for; of anything else it takes the first legal action.

    Args:
        partner: whether Defectors make each other the Hand where they may.
    """

    def __init__(self, *, partner: bool = False, seed: int | None = None) -> None:
        super().__init__("plain:partner=true" if partner else "plain", GAME, seed)
        self.partner = partner

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        plain = plain_records(views)
        rows = np.arange(len(views))
        seats = plain["viewer"].astype(np.int64)
        defector = plain["faith"][rows, seats] == S.Faith.DEFECTOR
        pair = plain["mission_pair"][rows, plain["mission"]].astype(np.int64)
        wanted = np.zeros(masks.shape, np.int8)
        for kind in range(S.KINDS):
            fits = (S.PAIR_LOW[pair] == kind) | (S.PAIR_HIGH[pair] == kind)
            wanted[:, A.GIVE + kind] = wanted[:, A.PLACE + kind] = (fits & (pair >= 0)) != defector
        if self.partner:
            for relative in range(1, S.SEATS):
                other = (seats + relative) % plain["num_players"]
                mates = defector & (plain["faith"][rows, other] == S.Faith.DEFECTOR)
                wanted[:, A.CHOOSE + relative - 1] = mates
        actions: NDArray[np.int64] = (masks * (1 + wanted)).argmax(axis=1)
        return actions


class ResponseBot(GeneratorBot):
    """Plays a policy found by enumeration.

    Args:
        policy: action by digest of the View, as :func:`digests` gives it.
        name: for tables.
    """

    def __init__(self, policy: Mapping[bytes, int], name: str = "best response") -> None:
        super().__init__(name, GAME, 0)
        self.policy = policy

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        del masks
        found = [self.policy.get(digest) for digest in digests(views)]
        known = [action for action in found if action is not None]
        if len(known) < len(found):
            raise OptionError(
                f"bot {self.name} never comes to one of these Views: its policy holds for one "
                "seat with one Faith, one set of options and the bots it was found against"
            )
        return np.array(known, np.int64)
