"""The params that a rule bot of Believers decides by, each with its reason, a character per bot.

A bot plays either side: as a True Believer by what it infers, as a Defector by a schedule of
sabotage.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from concilium.baselines.believers.inference.model import BehaviourModel
from concilium.baselines.parameters import number, switch


def _number(default: object, meaning: str, low: float = 0.0, high: float = 1.0) -> Any:
    return number(default, meaning, low, high)


@dataclass(frozen=True)
class Character(BehaviourModel):
    """How a bot plays.

    What it takes the others to do comes first; the next params serve a True Believer, the last ones
    a Defector.
    """

    # Somewhat more wary than the model's defaults: these bots' Defectors sabotage and lie always.
    slip: float = _number(0.05, "inference: part of choices that are any legal one", 0.01)
    partner: float = _number(
        2.0, "inference: how much more readily a Defector chooses a partner as Hand", 0.01, 100.0
    )
    sabotage: float = _number(0.8, "inference: chance that a Defector lets a Mission fail")
    spare: float = _number(
        0.5, "inference: how much more readily a Defector shames a partner", 0.01, 100.0
    )
    accuse_partner: float = _number(
        0.5, "inference: how much more readily a Defector accuses a partner", 0.01, 100.0
    )
    vouch_partner: float = _number(
        1.5, "inference: how much more readily a Defector vouches for a partner", 0.01, 100.0
    )
    lie: float = _number(0.6, "inference: chance that a Defector lies about a failure")
    betray: float = _number(
        0.25, "inference: how much more readily a Defector lays a Crisis on a partner", 0.01, 100.0
    )
    wits: bool = switch(True, "infers, and uses Shame and Disciples; else any Hand will do")
    # Shame is needed from three players: it is laid as soon as a suspect stands out at all.
    shame_at: float = _number(0.5, "suspicion above which it shames")
    # Blocking costs a Disciple: it is for Eyes who are Defectors more likely than not.
    block_at: float = _number(0.5, "suspicion of the Eye above which it steps in with a Disciple")
    accuse_at: float = _number(0.6, "suspicion above which it accuses, with talk")
    talks: bool = switch(True, "makes statements and claims, with talk")
    # A hand of three holds a Virtue that matches in four of five cases.
    reserve: int = _number(3, "Virtues that a purchase must leave", high=31)
    sleep: int = _number(0, "Defector: Missions at first that it does not sabotage", high=21)
    often: float = _number(1.0, "Defector: chance that it sabotages a Mission after these")
    as_eye: float = _number(1.0, "Defector: part of these in which it does so as Eye too")
    pick: float = _number(1.0, "Defector: chance that as Eye it chooses a partner if it can")
    urgent: bool = switch(
        False, "Defector: sabotages in any case where a success would decide a row"
    )
    steady: bool = switch(False, "draws nothing: equal Views have equal answers")

    def model(self) -> BehaviourModel:
        """What the others are taken to do."""
        return BehaviourModel(
            **{entry.name: getattr(self, entry.name) for entry in fields(BehaviourModel)}
        )


SELFISH: Final = Character(wits=False, pick=0.0)
"""Helps or sabotages whenever it can; any Hand will do; neither Shame nor Disciples."""

ALWAYS: Final = Character(pick=0.0)
"""Sabotages whenever it can; as Eye it chooses like everybody."""

PARTNER: Final = Character(pick=1.0)
"""Sabotages whenever it can, and chooses a partner as Hand whenever it can."""

SLEEPER: Final = Character(sleep=3)
"""Is a True Believer in the first Missions, and a partner to Defectors afterwards."""

MIXED: Final = Character(often=0.6)
"""Sabotages a part of the Missions that it could."""

BAYES: Final = Character(sleep=4)
"""The strongest at most table sizes: as a Defector it leaves four Missions alone."""
