"""Chancellors in words: actions, events, positions. No rules here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors.cards import CARDS, EXCUSE, FORCES
from concilium.envs.chancellors.state import (
    EVENTS,
    LET_GO_HORIZON,
    NOBODY,
    STATE,
    Outcome,
    Phase,
    Place,
)
from concilium.envs.core.events import record_dict
from concilium.envs.core.game import BoundGame
from concilium.envs.core.words import Count, counted, seat_name

_OUTCOMES: Final[Mapping[int, str]] = {
    Outcome.WON: "the King names a Lord High Chancellor",
    Outcome.CALAMITY: "calamity",
    Outcome.OUT_OF_TIME: "time is up",
}
_AN: Final = (0, 8)  # ranks that are spoken with a vowel first: an Excuse, an 8
_TOLD: Final = {
    "draw": "{seat} drew {card}",
    "turn": "{seat:'s} turn {turns}",
    "attempt": "{seat} tried for {force} with {card}",
    "take": "{seat} took {force}",
    "decline": "{seat} let {force} go",
    "blocked": "{seat} kept {force} with {card}",
    "solve": "{seat} began on problem {problem} {quiet}, target {target}",
    "commit": "{seat} paid {card}",
    "solved": "{seat} solved problem {problem} for {points:point}",
    "roll": "problem {problem} rolled {low}-{high}",
    "escalate": "problem {problem} grew to {low}-{high}",
    "silent": "{seat} kept silent",
    "averted": "{seat} rerolled problem {problem} with the Excuse",
    "shuffle": "the discards became deck {deck}, {cards:card}",
    "end": "the end: {outcome}{winner}",
}
"""How events are told, by their names; in braces are the names of what they hold."""


def card_name(card: int) -> str:
    """Name of a card with rank and suits, as in ``"Castle 7SK"``."""
    if card == EXCUSE:
        return "Excuse"
    return f"{CARDS[card].name} {CARDS[card].rank}{CARDS[card].suits}"


def action_name(_: BoundGame, action: int) -> str:
    """Name an action; every action has a name of its own."""
    if action < A.CONTROL_EXCUSE:
        card, force = int(A.CONTROL_CARD[action]), int(A.CONTROL_FORCE[action])
        return f"take {FORCES[force].name} with {card_name(card)}"
    if action == A.CONTROL_EXCUSE:
        return "take all forces with Excuse"
    if action < A.END_TURN:
        problem, quiet = divmod(action - A.SOLVE, 2)
        return f"solve problem {problem + 1} {_way(quiet)}"
    if action == A.END_TURN:
        return "end turn"
    if action == A.DECLINE:
        return "let it go"
    if action < A.PAY_WITH:
        return f"block with {card_name(action - A.BLOCK_WITH)}"
    if action < A.RAISE_LOWER:
        return f"pay with {card_name(action - A.PAY_WITH)}"
    if action <= A.RAISE_HIGHER:
        return f"raise the {'lower' if action == A.RAISE_LOWER else 'higher'} die"
    if action == A.KEEP_SILENT:
        return "keep silent"
    return f"reroll problem {action - A.REROLL + 1} with Excuse"


def _way(quiet: int) -> str:
    return "quietly" if quiet else "publicly"


def _and_winner(seat: int, viewer: int) -> str:
    return "" if seat == NOBODY else f", {seat_name(seat, viewer)}"


def event_text(event: Mapping[str, Any], viewer: int) -> str:
    """Tell an event, see ``EVENTS``."""
    told = {name: counted(value) for name, value in event.items()}
    for name, value in event.items():
        if name == "seat":
            told[name] = seat_name(value, viewer)
        elif name == "winner":
            told[name] = _and_winner(value, viewer)
        elif name == "card":
            told[name] = "a card" if value is None else card_name(value)
        elif name == "force":
            told[name] = "all forces" if value < 0 else FORCES[value].name
        elif name == "quiet":
            told[name] = _way(value)
        elif name == "outcome":
            told[name] = _OUTCOMES[value]
        elif name in ("problem", "deck", "turns"):  # people count from 1
            told[name] = Count(value + 1)
    return _TOLD[event["event"]].format_map(told)


def event_texts(_: BoundGame, view: Any) -> list[str]:
    """Tell the events in the log of a View, oldest first."""
    return [event_text(event, int(view["viewer"])) for event in EVENTS.log(view)]


def cards_at(v: Mapping[str, Any], place: int | None) -> list[int]:
    """Numbers of the cards whose place is ``place``; None: who looks does not know where."""
    return [card for card, at in enumerate(v["where"]) if at == place]


def _cards_text(cards: list[int]) -> str:
    return ", ".join(map(card_name, cards)) or "nothing"


def question(v: Mapping[str, Any]) -> str:
    """Say what is now to be decided, or how the game ended."""
    if v["outcome"] != Outcome.OPEN:
        return f"over: {_OUTCOMES[v['outcome']]}{_and_winner(v['winner'], v['viewer'])}"
    actor, phase = seat_name(v["actor"], v["viewer"]), v["phase"]
    if phase == Phase.BLOCK:
        force, card = FORCES[v["attempt_force"]].name, card_name(v["attempt_card"])
        return f"{actor} to keep {force} against {card} or let it go"
    if phase == Phase.PAYMENT:
        low, high = v["dice"][v["solve_problem"]]
        missing = low + (0 if v["solve_quiet"] else high) - v["solve_paid"]
        return f"{actor} to pay {missing} more for problem {v['solve_problem'] + 1}"
    if phase == Phase.ESCALATION:
        return f"{actor} to raise a die of problem {v['escalating'] + 1}"
    if phase == Phase.AVERT:
        return (
            f"{actor} to reroll a 6-6 with the Excuse or keep silent, {v['asked']} already silent"
        )
    return f"{actor} to play"


def describe(_: BoundGame, view: Any) -> str:
    """Tell everything that a View holds, apart from the log, in sentences."""
    v: Mapping[str, Any] = record_dict(STATE, view)
    viewer, active = v["viewer"], v["active"]
    whose = "yours" if active == viewer else f"of player_{active}"
    lines = [f"Turn {v['turns'] + 1} of at most {v['max_turns']}, {whose}; {question(v)}."]
    lines.append(_extras(v))
    for problem in range(v["problems"]):
        low, high = v["dice"][problem]
        done = ", solved this turn" if v["solved"][problem] else ""
        lines.append(f"Problem {problem + 1}: {low}-{high}{done}.")
    for card, owner in zip(FORCES, v["owner"], strict=True):
        held = "free" if owner == NOBODY else f"held by {seat_name(owner, viewer)}"
        lines.append(f"{card.name} ({card.suits}): {held}.")
    lines += [_seat_text(v, seat) for seat in range(v["num_players"])]
    if viewer >= 0:
        lines.append(f"Your hand: {_cards_text(cards_at(v, viewer))}.")
    lines.append(f"On the table: {_cards_text(cards_at(v, Place.TABLE))}.")
    lines.append(f"Discarded: {_cards_text(cards_at(v, Place.DISCARD))}.")
    lines.append(f"Deck: {Count(v['deck_size']):card}.")
    lines += _known_places(v)
    return "\n".join(lines)


def _extras(v: Mapping[str, Any]) -> str:
    """The options that change what to do."""
    cards = [name for name in ("excuse", "pawns") if v[name]]
    loss = "the lowest score wins" if v["lowest_wins"] else "everybody loses"
    return (
        f"First to {Count(v['target_score']):point}; at a calamity {loss}; "
        f"extra cards: {' and '.join(cards) or 'none'}."
    )


def _seat_text(v: Mapping[str, Any], seat: int) -> str:
    openly, quietly = v["solves"][seat]
    text = (
        f"{seat_name(seat, v['viewer']).started()}: {Count(v['score'][seat]):point}, "
        f"{Count(v['hand_size'][seat]):card}; solved {openly} publicly, {quietly} quietly"
    )
    for card, above, draws in zip(
        FORCES, v["let_go_rank"][seat], v["let_go_draws"][seat], strict=True
    ):
        if above > 0:
            rank = f"{'an' if above - 1 in _AN else 'a'} {above - 1 or 'Excuse'}"
            more = " or more" if draws == LET_GO_HORIZON else ""
            text += f"; let {card.name} go to {rank}, {Count(draws):draw}{more} ago"
    return text + "."


def _known_places(v: Mapping[str, Any]) -> list[str]:
    """Say which unseen cards have been in hands since before the present deck was made."""
    decks: dict[int, list[int]] = {}
    for card in cards_at(v, None):
        decks.setdefault(v["card_deck"][card], []).append(card)
    lines = []
    for number in sorted(set(decks) - {v["deck_number"]}):
        holders = [
            f"{seat_name(seat, v['viewer'])} {count}"
            for seat in range(v["num_players"])
            if seat != v["viewer"] and (count := v["drawn"][seat].count(number)) > 0
        ]
        since = f"In hands since deck {number + 1} ({', '.join(holders)})"
        lines.append(f"{since}: {_cards_text(decks[number])}.")
    return lines
