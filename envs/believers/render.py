"""Believers drawn with plain characters: the pyramid and the table."""

from __future__ import annotations

from typing import Any

from concilium.envs.believers.cards import Cards
from concilium.envs.believers.text import (
    cards_in,
    crisis_name,
    disciple_name,
    disciples_text,
    faith_text,
    hand_text,
    marks_text,
    missions_shown,
    pair_text,
    question,
    row_text,
    seat_name,
    shame_count,
)
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING, UNKNOWN


def render(bound: BoundGame, view: Any) -> str:
    """Draw a View: the pyramid, the table, each seat.

    In the pyramid ``+`` is a success, ``x`` a failure, ``?`` the Mission turned up, ``.`` one to
    come; tokens stand at the end of a row.
    """
    cards = cards_in(bound)
    lines = [
        f"{bound.game.title} · {row_text(view)} · {question(cards, view)}",
        f"tokens: True Believers {int(view['tokens'][0])}, Defectors {int(view['tokens'][1])}",
        "",
        *_pyramid(view),
        "",
        *_present(cards, view),
        *_table(cards, view),
        "",
    ]
    lines += [_seat(cards, view, seat) for seat in range(int(view["num_players"]))]
    return "\n".join(lines)


def _pyramid(view: Any) -> list[str]:
    """Rows from the peak down, the decider on top."""
    marks: dict[int, list[str]] = {}
    for number in range(missions_shown(view)):
        result = int(view["mission_result"][number])
        row = int(view["mission_row"][number])
        marks.setdefault(row, []).append("?" if result < 0 else "x+"[result])
    rows = int(view["num_rows"])
    lines = []
    for row in range(rows, -1, -1):
        length = int(view["row_length"][row]) if row < rows else 0
        shown = marks.get(row, [])
        shown += ["."] * (length - len(shown))
        if shown:
            won = int(view["row_tokens"][row])
            token = f"  {'TB' if won > 0 else 'D'} {abs(won)}" if won else ""
            lines.append(" ".join(f"[{mark}]" for mark in shown).center(24).rstrip() + token)
    return lines


def _present(cards: Cards, view: Any) -> list[str]:
    """The Mission turned up, and what is in the tablet."""
    if int(view["hand_seat"]) < 0:
        return []
    pair = int(view["mission_pair"][int(view["mission"])])
    gift = [cards.virtues[int(kind)].name if kind >= 0 else "?" for kind in view["gift"]]
    tablet = ", ".join(gift[: int(view["gift_count"])]) or "-"
    return [f"Mission: {pair_text(cards, pair)} · tablet: {tablet}"]


def _table(cards: Cards, view: Any) -> list[str]:
    lines = [f"Virtues: deck {int(view['deck_size'])}, discards {int(sum(view['discards']))}"]
    if view["disciples_on"]:
        piles = [
            f"{disciple_name(cards, int(top))} ({int(size)})" if top >= 0 else "-"
            for top, size in zip(view["pile_top"], view["pile_size"], strict=True)
        ]
        lines.append(f"piles: {' | '.join(piles)}")
    if view["crises_on"]:
        crises = [crisis_name(cards, int(name)) for name in view["crises"] if name >= 0]
        lines.append(f"Crises: {', '.join(crises) or '-'}")
    return lines


def _seat(cards: Cards, view: Any, seat: int) -> str:
    viewer = int(view["viewer"])
    acting = int(view["status"]) == RUNNING and int(view["actor"]) == seat
    faith = faith_text(view, seat) if int(view["faith"][seat]) != UNKNOWN else "-"
    shame = "#" * shame_count(view, seat)
    line = (
        f"{'>' if acting else ' '} {seat_name(seat, viewer):<9} {faith:<13} "
        f"{hand_text(cards, view, seat)}"
    )
    if view["disciples_on"]:
        line += f" · {disciples_text(cards, view, seat)}"
    if shame:
        line += f" · Shame {shame}"
    marks = marks_text(view, seat)
    return line + (f" · {', '.join(marks)}" if marks else "")
