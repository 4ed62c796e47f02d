"""How a search bot is called, and how long it thinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from concilium.baselines.parameters import number, switch

SEARCH: Final = "search"
BETWEEN: Final = "+"
"""What stands between several bots for the others."""
SEARCH_KEYS: Final = ("bot", "others", "worlds", "milliseconds", "tree", "threshold")
SEARCH_FORM: Final = (
    f"{SEARCH}:bot=BOT,others=BOT{BETWEEN}BOT,worlds=W,milliseconds=T,tree=B,threshold=Z"
)
"""The name of a search bot; only ``bot`` is needed."""


@dataclass(frozen=True)
class Settings:
    """How long it thinks, and when it departs from its blueprint.

    Attributes:
        worlds: in how many worlds the last two actions are compared, where time is no limit.
        milliseconds: time for a decision; 0 decides by ``worlds``, which repeats to the bit.
        tree: plan several decisions ahead, for small tables: information-set tree search in as many
            worlds as ``worlds`` says, or as there is time for.
        threshold: standard errors by which an action must be better than the blueprint's. At 2 a
            search among equals departs in about one decision in forty.
    """

    worlds: int = number(64, "worlds in which the last two actions are compared", 2, 65_536)
    milliseconds: int = number(0, "time for a decision; 0: by worlds, repeatable", 0, 3_600_000)
    tree: bool = switch(False, "information-set tree search, for small tables")
    threshold: float = number(
        2.0, "standard errors by which an action must beat the blueprint's", 0.0, 100.0
    )
