"""The table of Chancellors in plain characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from concilium.envs.chancellors.cards import FORCES
from concilium.envs.chancellors.state import NOBODY, STATE, Place
from concilium.envs.chancellors.text import card_name, cards_at, question
from concilium.envs.core.events import record_dict
from concilium.envs.core.game import BoundGame
from concilium.envs.core.words import Count, seat_name


def render(bound: BoundGame, view: Any) -> str:
    """Draw a View: problems, forces, scores, the viewer's hand, and what is to be decided."""
    v: Mapping[str, Any] = record_dict(STATE, view)
    viewer = v["viewer"]
    lines = [f"{bound.game.title} · turn {v['turns'] + 1} · {question(v)}"]
    dice = []
    for problem in range(v["problems"]):
        low, high = v["dice"][problem]
        dice.append(f"{problem + 1}: [{low}][{high}]{' solved' if v['solved'][problem] else ''}")
    lines.append("problems  " + "   ".join(dice))
    forces = []
    for card, owner in zip(FORCES, v["owner"], strict=True):
        held = "free" if owner == NOBODY else seat_name(owner, viewer)
        forces.append(f"{card.name} {card.suits}: {held}")
    lines.append("forces    " + "   ".join(forces))
    for seat in range(v["num_players"]):
        turn = ">" if seat == v["active"] else " "
        points, cards = f"{Count(v['score'][seat]):point}", f"{Count(v['hand_size'][seat]):card}"
        lines.append(f"{turn} {seat_name(seat, viewer):<9} {points:>10}  {cards:>8}")
    if viewer >= 0:
        lines.append("hand      " + _names(cards_at(v, viewer)))
    table = cards_at(v, Place.TABLE)
    if table:
        lines.append("table     " + _names(table))
    discard = cards_at(v, Place.DISCARD)
    lines.append(f"deck {v['deck_size']}, discard {len(discard)}: {_names(discard)}")
    return "\n".join(lines)


def _names(cards: list[int]) -> str:
    return ", ".join(map(card_name, cards)) or "none"
