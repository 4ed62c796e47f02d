"""Judging talk afterwards (B21): true, false, or beyond what the speaker could know.

The engine binds nobody to the truth; this reads a State, with all its secrets, after the fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from concilium.envs.believers import state as S
from concilium.envs.core.state import FULL

TRUE: Final = "true"
FALSE: Final = "false"
BEYOND: Final = "beyond"


@dataclass(frozen=True)
class Judgement:
    """One statement or claim and what it was worth.

    Attributes:
        mission: number of the Mission from 0 in whose round it was made.
        speaker: seat.
        kind: ``"accuse"``, ``"vouch"``, ``"hand"`` or ``"eye"``.
        about: seat that a statement is about, pair that a claim names.
        verdict: ``TRUE``, ``FALSE``, or ``BEYOND`` where the speaker could not know.
    """

    mission: int
    speaker: int
    kind: str
    about: int
    verdict: str


def judge(state: Any) -> list[Judgement]:
    """Judge everything that was said so far, in the order in which it was said.

    Hand and Eye know what was given. Of another's Faith a Defector knows, and whoever has peeked at
    it before. Silence and declined claims are not listed.

    Args:
        state: a State ``()``; also one that was resampled, which is judged as if it were true.

    Raises:
        ValueError: it is a View, which does not hold the truth.
    """
    if int(state["viewer"]) != FULL:
        raise ValueError("a View cannot be judged: it does not hold the truth")
    faith = state["faith"].tolist()
    peeked: set[tuple[int, int]] = set()
    found: list[Judgement] = []
    mission = given = -1
    events: Sequence[Mapping[str, Any]] = S.EVENTS.log(state)
    for event in events:
        what = event["event"]
        if what == "enlisted":
            if state["disciple_effect"][event["disciple"]] == S.Effect.ORACLE:
                peeked.add((event["seat"], event["target"]))
        elif what == "turned_up":
            mission += 1
        elif what == "gave":
            given = event["pair"]
        elif what == "said":
            for said in event["statements"]:
                verdict = _verdict(said["seat"], said["says"], said["about"], faith, peeked)
                found.append(
                    Judgement(mission + 1, said["seat"], said["says"], said["about"], verdict)
                )
        elif what == "claimed" and event["pair"] != S.NO_CLAIM:
            role = "eye" if event["as_eye"] else "hand"
            verdict = TRUE if event["pair"] == given else FALSE
            found.append(Judgement(mission, event["seat"], role, event["pair"], verdict))
    return found


def _verdict(
    speaker: int, says: str, about: int, faith: list[int], peeked: set[tuple[int, int]]
) -> str:
    """Judge a statement; Disciples are not used between those of a round."""
    if faith[speaker] != S.Faith.DEFECTOR and (speaker, about) not in peeked:
        return BEYOND
    return TRUE if (says == "accuse") == (faith[about] == S.Faith.DEFECTOR) else FALSE
