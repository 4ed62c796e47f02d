"""The table of Chancellors in plain characters."""

from __future__ import annotations

from typing import Any

from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import FORCES
from concilium.envs.chancellors.text import card_name, cards_at, question, seat_name
from concilium.envs.core.game import BoundGame


def render(bound: BoundGame, view: Any) -> str:
    """Draw a View: problems, forces, scores, the viewer's hand, and what is to be decided."""
    viewer = int(view["viewer"])
    n = int(view["num_players"])
    lines = [f"{bound.game.title} · turn {int(view['turns']) + 1} · {question(view)}"]
    dice = []
    for problem in range(int(view["problems"])):
        low, high = (int(die) for die in view["dice"][problem])
        dice.append(f"{problem + 1}: [{low}][{high}]{' solved' if view['solved'][problem] else ''}")
    lines.append("problems  " + "   ".join(dice))
    owners = []
    for force, card in enumerate(FORCES):
        owner = int(view["owner"][force])
        owners.append(
            f"{card.name} {card.suits}: {'free' if owner < 0 else seat_name(owner, viewer)}"
        )
    lines.append("forces    " + "   ".join(owners))
    for seat in range(n):
        turn = ">" if seat == int(view["active"]) else " "
        lines.append(
            f"{turn} {seat_name(seat, viewer):<9} {int(view['score'][seat]):>3} points  "
            f"{int(view['hand_size'][seat]):>2} cards"
        )
    if 0 <= viewer < n:
        lines.append("hand      " + _names(cards_at(view, viewer)))
    table = cards_at(view, S.TABLE)
    if table:
        lines.append("table     " + _names(table))
    discard = cards_at(view, S.DISCARD)
    lines.append(f"deck {int(view['deck_size'])}, discard {len(discard)}: {_names(discard)}")
    return "\n".join(lines)


def _names(cards: list[int]) -> str:
    return ", ".join(map(card_name, cards)) or "none"
