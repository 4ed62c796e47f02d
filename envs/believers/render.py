"""Believers drawn with plain characters: the pyramid and the table."""

from __future__ import annotations

from typing import Any

from concilium.envs.believers.cards import Cards
from concilium.envs.believers.text import (
    Fields,
    cards_in,
    crisis_name,
    disciple_name,
    disciples_text,
    faith_text,
    fields_of,
    hand_text,
    known,
    marks_text,
    missions_shown,
    pair_text,
    question,
    row_text,
    shame_count,
    virtue_name,
)
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING
from concilium.envs.core.words import seat_name


def render(bound: BoundGame, record: Any) -> str:
    """Draw a View: the pyramid, the table, each seat.

    In the pyramid ``+`` is a success, ``x`` a failure, ``?`` the Mission turned up, ``.`` one to
    come; tokens stand at the end of a row.
    """
    cards, view = cards_in(bound), fields_of(record)
    lines = [
        f"{bound.game.title} · {row_text(view)} · {question(cards, view)}",
        f"tokens: True Believers {view['tokens'][0]}, Defectors {view['tokens'][1]}",
        "",
        *_pyramid(view),
        "",
        *_present(cards, view),
        *_table(cards, view),
        "",
    ]
    lines += [_seat(cards, view, seat) for seat in range(view["num_players"])]
    return "\n".join(lines)


def _pyramid(view: Fields) -> list[str]:
    """Rows from the peak down, the decider on top."""
    marks: dict[int, list[str]] = {}
    for number in range(missions_shown(view)):
        result = view["mission_result"][number]
        row = view["mission_row"][number]
        marks.setdefault(row, []).append("?" if result < 0 else "x+"[result])
    rows = view["num_rows"]
    lines = []
    for row in range(rows, -1, -1):
        length = view["row_length"][row] if row < rows else 0
        shown = marks.get(row, [])
        shown += ["."] * (length - len(shown))
        if shown:
            won = view["row_tokens"][row]
            token = f"  {'TB' if won > 0 else 'D'} {abs(won)}" if won else ""
            lines.append(" ".join(f"[{mark}]" for mark in shown).center(24).rstrip() + token)
    return lines


def _present(cards: Cards, view: Fields) -> list[str]:
    """The Mission turned up, and what is in the tablet."""
    if view["hand_seat"] < 0:
        return []
    pair = view["mission_pair"][view["mission"]]
    gift = ["?" if kind is None else virtue_name(cards, kind) for kind in view["gift"]]
    tablet = ", ".join(gift[: view["gift_count"]]) or "-"
    return [f"Mission: {pair_text(cards, pair)} · tablet: {tablet}"]


def _table(cards: Cards, view: Fields) -> list[str]:
    lines = [f"Virtues: deck {view['deck_size']}, discards {sum(view['discards'])}"]
    if view["disciples_on"]:
        piles = [
            f"{disciple_name(cards, top)} ({size})" if top >= 0 else "-"
            for top, size in zip(view["pile_top"], view["pile_size"], strict=True)
        ]
        lines.append(f"piles: {' | '.join(piles)}")
    if view["crises_on"]:
        crises = [crisis_name(cards, name) for name in known(view["crises"])]
        lines.append(f"Crises: {', '.join(crises) or '-'}")
    return lines


def _seat(cards: Cards, view: Fields, seat: int) -> str:
    viewer = view["viewer"]
    acting = view["status"] == RUNNING and view["actor"] == seat
    faith = "-" if view["faith"][seat] is None else faith_text(view, seat)
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
