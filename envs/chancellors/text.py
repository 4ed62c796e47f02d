"""Chancellors in words: actions, events, positions. No rules here."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from concilium.envs.chancellors import actions as A
from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import CARDS, EXCUSE, FORCES, NUM_FORCES
from concilium.envs.core.events import ACTOR, COLUMNS, FIRST, KIND, SECOND, SECRET, THIRD
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import UNKNOWN

_OUTCOMES: Final = {
    S.WON: "the King names a Lord High Chancellor",
    S.CALAMITY: "calamity",
    S.OUT_OF_TIME: "time is up",
}


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
        return f"solve problem {problem + 1} {'quietly' if quiet else 'publicly'}"
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


def seat_name(seat: int, viewer: int) -> str:
    """``"you"`` for the viewer's own seat, else the agent's name."""
    return "you" if seat == viewer else f"player_{seat}"


def event_text(event: Any, viewer: int) -> str:
    """Tell one row of the log."""
    who = seat_name(int(event[ACTOR]), viewer)
    kind, a, b, c = (int(event[k]) for k in (KIND, FIRST, SECOND, THIRD))
    if kind == S.DRAW:
        secret = int(event[SECRET])
        return f"{who} drew {'a card' if secret == UNKNOWN else card_name(secret)}"
    if kind == S.ATTEMPT:
        aim = "all forces" if b < 0 else FORCES[b].name
        return f"{who} tried for {aim} with {card_name(a)}"
    texts = {
        S.TURN: lambda: f"turn {a + 1} of {who}",
        S.TAKE: lambda: f"{who} took {FORCES[a].name}",
        S.DECLINE: lambda: f"{who} let {FORCES[a].name} go",
        S.BLOCKED: lambda: f"{who} kept {FORCES[b].name} with {card_name(a)}",
        S.SOLVE: lambda: (
            f"{who} began on problem {a + 1} {'quietly' if b else 'publicly'}, target {c}"
        ),
        S.COMMIT: lambda: f"{who} paid {card_name(a)}",
        S.SOLVED: lambda: f"{who} solved problem {a + 1} for {b}",
        S.ROLL: lambda: f"problem {a + 1} rolled {b}-{c}",
        S.ESCALATE: lambda: f"problem {a + 1} grew to {b}-{c}",
        S.SILENT: lambda: f"{who} kept silent",
        S.AVERTED: lambda: f"{who} rerolled problem {b + 1} with the Excuse",
        S.SHUFFLE: lambda: f"the discards became deck {a + 1}, {b} cards",
        S.END: lambda: f"the end: {_OUTCOMES[a]}" + (f", {who}" if int(event[ACTOR]) >= 0 else ""),
    }
    return texts[kind]()


def event_texts(bound: BoundGame, view: Any) -> list[str]:
    """Tell the events in the log of a View, oldest first."""
    del bound
    log = np.asarray(view["log"])
    assert log.shape == (S.LOG_CAPACITY, COLUMNS)
    count = int(view["log_count"])
    rows = range(max(0, count - S.LOG_CAPACITY), count)
    return [event_text(log[k % S.LOG_CAPACITY], int(view["viewer"])) for k in rows]


def cards_at(view: Any, place: int) -> list[int]:
    """Numbers of the cards whose place is ``place``."""
    cards: list[int] = np.flatnonzero(np.asarray(view["where"]) == place).tolist()
    return cards


def _cards_text(cards: list[int]) -> str:
    return ", ".join(map(card_name, cards)) or "nothing"


def question(view: Any) -> str:
    """Say what is now to be decided, or how the game ended."""
    viewer = int(view["viewer"])
    outcome = int(view["outcome"])
    if outcome != S.OPEN:
        winner = int(view["winner"])
        return f"over: {_OUTCOMES[outcome]}" + (
            f", {seat_name(winner, viewer)}" if winner >= 0 else ""
        )
    actor = seat_name(int(view["actor"]), viewer)
    phase = int(view["phase"])
    if phase == S.BLOCK:
        force = FORCES[int(view["attempt_force"])].name
        return (
            f"{actor} to keep {force} against {card_name(int(view['attempt_card']))} or let it go"
        )
    if phase == S.PAYMENT:
        target = int(view["dice"][int(view["solve_problem"])][: 2 - int(view["solve_quiet"])].sum())
        missing = target - int(view["solve_paid"])
        return f"{actor} to pay {missing} more for problem {int(view['solve_problem']) + 1}"
    if phase == S.ESCALATION:
        return f"{actor} to raise a die of problem {int(view['escalating']) + 1}"
    if phase == S.AVERT:
        return (
            f"{actor} to reroll a 6-6 with the Excuse or keep silent, "
            f"{int(view['asked'])} already silent"
        )
    return f"{actor} to play"


def describe(_: BoundGame, view: Any) -> str:
    """Tell everything that a View holds, apart from the log, in sentences."""
    viewer = int(view["viewer"])
    lines = [
        f"Turn {int(view['turns']) + 1} of at most {int(view['max_turns'])}, "
        f"{_whose(int(view['active']), viewer)}; {question(view)}."
    ]
    lines.append(_extras(view))
    for problem in range(int(view["problems"])):
        low, high = (int(die) for die in view["dice"][problem])
        done = ", solved this turn" if view["solved"][problem] else ""
        lines.append(f"Problem {problem + 1}: {low}-{high}{done}.")
    for force, card in enumerate(FORCES):
        owner = int(view["owner"][force])
        lines.append(
            f"{card.name} ({card.suits}): "
            + ("free." if owner < 0 else f"held by {seat_name(owner, viewer)}.")
        )
    lines += [_seat_text(view, seat, viewer) for seat in range(int(view["num_players"]))]
    if viewer >= 0:
        lines.append(f"Your hand: {_cards_text(cards_at(view, viewer))}.")
    lines.append(f"On the table: {_cards_text(cards_at(view, S.TABLE))}.")
    lines.append(f"Discarded: {_cards_text(cards_at(view, S.DISCARD))}.")
    lines.append(f"Deck: {int(view['deck_size'])} cards.")
    lines += _known_places(view, viewer)
    return "\n".join(lines)


def _whose(seat: int, viewer: int) -> str:
    return "yours" if seat == viewer else f"of player_{seat}"


def _extras(view: Any) -> str:
    """The options that change what to do."""
    cards = [name for name in ("excuse", "pawns") if view[name]]
    loss = "the lowest score wins" if view["lowest_wins"] else "everybody loses"
    return (
        f"First to {int(view['target_score'])} points; at a calamity {loss}; "
        f"extra cards: {' and '.join(cards) or 'none'}."
    )


def _seat_text(view: Any, seat: int, viewer: int) -> str:
    openly, quietly = (int(count) for count in view["solves"][seat])
    text = (
        f"{seat_name(seat, viewer).capitalize()}: {int(view['score'][seat])} points, "
        f"{int(view['hand_size'][seat])} cards; solved {openly} publicly, {quietly} quietly"
    )
    for force in range(NUM_FORCES):
        rank = int(view["let_go_rank"][seat, force]) - 1
        if rank >= 0:
            draws = int(view["let_go_draws"][seat, force])
            text += f"; let {FORCES[force].name} go to a {rank or 'Excuse'}, {draws} draws ago"
    return text + "."


def _known_places(view: Any, viewer: int) -> list[str]:
    """Say which unseen cards have been in hands since before the present deck was made."""
    present = int(view["deck_number"])
    old = [c for c in cards_at(view, UNKNOWN) if int(view["card_deck"][c]) < present]
    lines = []
    for number in sorted({int(view["card_deck"][card]) for card in old}):
        holders = [
            f"{seat_name(seat, viewer)} {count}"
            for seat in range(int(view["num_players"]))
            if seat != viewer
            and (count := int((np.asarray(view["drawn"][seat]) == number).sum())) > 0
        ]
        cards = [card for card in old if int(view["card_deck"][card]) == number]
        lines.append(
            f"In hands since deck {number + 1} ({', '.join(holders)}): {_cards_text(cards)}."
        )
    return lines
