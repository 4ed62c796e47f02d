"""Judging talk afterwards (B21): true, false, or beyond what the speaker could know.

The engine binds nobody to the truth; this reads a State, with all its secrets, after the fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from concilium.envs.believers import state as S
from concilium.envs.core.events import ACTOR, FIRST, KIND, SECOND, SECRET
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
    faith = np.asarray(state["faith"]).tolist()
    peeked: set[tuple[int, int]] = set()
    found: list[Judgement] = []
    mission = given = -1
    for event in np.asarray(state["log"])[: int(state["log_count"])]:
        kind, actor = int(event[KIND]), int(event[ACTOR])
        if kind == S.ENLISTED and int(state["disciple_effect"][event[FIRST]]) == S.ORACLE:
            peeked.add((actor, int(event[SECOND])))
        elif kind == S.TURNED_UP:
            mission += 1
        elif kind == S.GAVE:
            given = int(event[SECRET])
        elif kind == S.SAID:
            found += _statements(S.unpacked(event), int(state["num_players"]), mission + 1, faith,
                                 peeked)  # fmt: skip
        elif kind == S.CLAIMED and int(event[FIRST]) != S.NO_CLAIM:
            pair, role = int(event[FIRST]), "eye" if event[SECOND] else "hand"
            verdict = TRUE if pair == given else FALSE
            found.append(Judgement(mission, actor, role, pair, verdict))
    return found


def _statements(
    codes: list[int], players: int, mission: int, faith: list[int], peeked: set[tuple[int, int]]
) -> list[Judgement]:
    """Judge the statements of one round; Disciples are not used between them."""
    found = []
    for speaker, code in enumerate(codes[:players]):
        if code == S.SILENT:
            continue
        accuses = code < S.VOUCH
        about = code - (S.ACCUSE if accuses else S.VOUCH)
        verdict = TRUE if accuses == (faith[about] == S.DEFECTOR) else FALSE
        if faith[speaker] != S.DEFECTOR and (speaker, about) not in peeked:
            verdict = BEYOND
        found.append(Judgement(mission, speaker, "accuse" if accuses else "vouch", about, verdict))
    return found
