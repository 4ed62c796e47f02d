"""The table of Nicaea in plain characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING
from concilium.envs.core.words import Count, seat_name
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
    short_name,
    shown,
    tableau_of,
)


def render(bound: BoundGame, view: Any) -> str:
    """Draw a View ``()``: disputes, display, pools, and each seat; face-down in brackets."""
    deck, view = deck_in(bound), shown(view)
    rounds = view["rounds"]
    running = view["status"] == RUNNING
    when = (
        f"Debate Round {rounds + 1}"
        if running
        else f"after {rounds} Debate Round{'' if rounds == 1 else 's'}"
    )
    pools = "  ".join(f"({amount})" for amount in view["pool"])
    lines = [
        f"{bound.game.title} · {when} · {question(view, deck)}",
        f"Constantine {constantine_text(view)}",
        "",
        *(f"{NUMERALS[dispute]:>3} {_track(view, dispute)}  {dispute_text(view, dispute)}"
          for dispute in range(S.DISPUTES)),
        "",
        *(_space(view, deck, space) for space in range(S.SPACES)),
        f"pools {pools}   deck {view['deck_size']}",
        "",
    ]  # fmt: skip
    for seat in range(view["num_players"]):
        lines += _seat(view, deck, seat)
    return "\n".join(lines)


def _track(view: Mapping[str, Any], dispute: int) -> str:
    """The track by its prices, the token's space in brackets."""
    return "".join(
        f"[{price}]" if space == view["token"][dispute] else f" {price} "
        for space, price in enumerate(view["track_base"][: view["track_spaces"]])
    )


def _space(view: Mapping[str, Any], deck: Deck, space: int) -> str:
    card = view["display"][space]
    lying = card_name(deck, card) if card >= 0 else "-"
    if space == view["constantine_space"]:
        lying = "Constantine"
    mark = "*" if card >= 0 and card == view["taking"] else " "
    return f"{mark}{S.SPACE_COST[space]} {SPACE_NAMES[space]:<17} {lying}"


def _seat(view: Mapping[str, Any], deck: Deck, seat: int) -> list[str]:
    turn = ">" if seat == view["actor"] else " "
    score = "" if view["status"] == RUNNING else f"  {Count(view['score'][seat]):point}"
    row = ", ".join(short_name(view, deck, card) for card in tableau_of(view, seat))
    hand = ", ".join(short_name(view, deck, card) for card in hand_of(view, seat))
    return [
        f"{turn} {seat_name(seat, view['viewer']):<9} {view['ti'][seat]:>2} TI  "
        f"doctrine {doctrine_held(view, seat)}  markers {markers_text(view, seat)}{score}",
        f"    tableau  {row or '-'}",
        f"    hand     {hand or '-'}",
    ]
