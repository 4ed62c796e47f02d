"""The table of Nicaea in plain characters."""

from __future__ import annotations

from typing import Any

import numpy as np

from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.deck import NUMERALS, Deck
from concilium.envs.nicaea.text import (
    SPACE_NAMES,
    card_name,
    constantine_text,
    deck_in,
    dispute_text,
    doctrine_held,
    hand_of,
    markers_text,
    question,
    seat_name,
    short_name,
    tableau_of,
)


def render(bound: BoundGame, view: Any) -> str:
    """Draw a View: disputes, display, pools, and each seat's tableau; face-down in brackets."""
    deck = deck_in(bound)
    viewer = int(view["viewer"])
    rounds = int(view["rounds"])
    when = f"Debate Round {rounds + 1}"
    if int(view["status"]) != RUNNING:
        when = f"after {rounds} Debate Rounds"
    lines = [
        f"{bound.game.title} · {when} · {question(deck, view)}",
        f"Constantine {constantine_text(view)}",
        "",
        *(f"{NUMERALS[dispute]:>3} {_track(view, dispute)}  {dispute_text(view, dispute)}"
          for dispute in range(S.DISPUTES)),
        "",
    ]  # fmt: skip
    lines += [_space(deck, view, space) for space in range(S.SPACES)]
    pools = "  ".join(f"({int(amount)})" for amount in view["pool"])
    lines += [f"pools {pools}   deck {int(view['deck_size'])}", ""]
    for seat in range(int(view["num_players"])):
        lines += _seat(deck, view, seat, viewer)
    return "\n".join(lines)


def _track(view: Any, dispute: int) -> str:
    """The track by its prices, the token's space in brackets."""
    spaces = int(view["track_spaces"])
    token = int(view["token"][dispute])
    cells = [
        f"[{price}]" if space == token else f" {price} "
        for space, price in enumerate(np.asarray(view["track_base"])[:spaces].tolist())
    ]
    return "".join(cells)


def _space(deck: Deck, view: Any, space: int) -> str:
    card = int(view["display"][space])
    lying = card_name(deck, card) if card >= 0 else "-"
    if space == int(view["constantine_space"]):
        lying = "Constantine"
    mark = "*" if card >= 0 and card == int(view["taking"]) else " "
    return f"{mark}{int(S.SPACE_COST[space])} {SPACE_NAMES[space]:<17} {lying}"


def _seat(deck: Deck, view: Any, seat: int, viewer: int) -> list[str]:
    running = int(view["status"]) == RUNNING
    turn = ">" if seat == int(view["actor"]) else " "
    score = "" if running else f"  {int(view['score'][seat])} points"
    row = " ".join(short_name(view, deck, card) + "," for card in tableau_of(view, seat))
    hand = ", ".join(short_name(view, deck, card) for card in hand_of(view, seat))
    return [
        f"{turn} {seat_name(seat, viewer):<9} {int(view['ti'][seat]):>2} TI  "
        f"doctrine {doctrine_held(view, seat)}  markers {markers_text(view, seat)}{score}",
        f"    tableau  {row.rstrip(',') or '-'}",
        f"    hand     {hand or '-'}",
    ]
