"""Nicaea in words: actions, events, positions. No rules here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from concilium.envs.core.events import ACTOR, COLUMNS, FIRST, KIND, SECOND, SECRET, THIRD
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING, UNKNOWN
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.deck import NUMERALS, Deck, deck_of

DISPUTE_NAMES: Final = (
    "the substance of Christ", "the computing of Easter", "the primacy of the great sees",
    "the Meletian schism", "the lapsed and rebaptism",
)  # fmt: skip
SIDE_LETTERS: Final = ("A", "B")
SPACE_NAMES: Final = (
    "nothing", "refresh leftmost", "refresh leftmost", "debate doctrine", "new offer",
    "play free card", "play free card",
)  # fmt: skip
_COPIES: Final = ("nothing", "refresh leftmost", "debate doctrine", "play free card")
_ENDINGS: Final = {
    S.SETTLED: "all disputes are settled",
    S.EXHAUSTED: "the deck is empty",
    S.IDLE: "three Debate Rounds were idle",
}


def deck_in(bound: BoundGame) -> Deck:
    """The deck of a bound game, with its names."""
    return deck_of(str(bound.options["deck"]))


def card_name(deck: Deck, card: int) -> str:
    """A card with what is printed on it; a number where the deck has no such card."""
    return deck.texts[card] if card < len(deck.cards) else f"card {card + 1}"


def short_name(view: Any, deck: Deck, card: int) -> str:
    """A card in brief, in brackets when face down, as in ``"Arius 4"`` or ``"[Arius 4]"``."""
    name = f"{deck.cards[card].name} {int(view['cost'][card])}"
    return f"[{name}]" if view["face_down"][card] else name


def doctrine_name(number: int) -> str:
    """Dispute and side of ``SIDES * dispute + side``, as in ``"III B"``."""
    return f"{NUMERALS[number // S.SIDES]} {SIDE_LETTERS[number % S.SIDES]}"


def action_name(bound: BoundGame, action: int) -> str:
    """Name an action; every action has a name of its own. Opponents are counted clockwise."""
    deck = deck_in(bound)
    if action == A.PASS:
        return "pass"
    if action < A.PLAY:
        return f"take {card_name(deck, action - A.TAKE)}"
    if action < A.PAY_REST:
        card, relative = divmod(action - A.PLAY, S.SEATS)
        place = "own tableau" if relative == 0 else f"tableau of opponent {relative}"
        return f"play {card_name(deck, card)} to {place}"
    if action == A.PAY_REST:
        return "pay the rest in TI"
    if action < A.COPY_KIND:
        return f"flip {card_name(deck, action - A.FLIP)}"
    if action < A.BUY:
        return f"copy {_COPIES[action - A.COPY_KIND]}"
    if action < A.DECLINE:
        return f"buy {doctrine_name(action - A.BUY)}"
    if action == A.DECLINE:
        return "decline"
    return f"name {doctrine_name(action - A.NAME)}"


def seat_name(seat: int, viewer: int) -> str:
    """``"you"`` for the viewer's own seat, else the agent's name."""
    return "you" if seat == viewer else f"player_{seat}"


# Events --------------------------------------------------------------------------------------


def event_text(event: Any, viewer: int, card: Callable[[int], str]) -> str:
    """Tell one row of the log; ``card`` names cards."""
    who = seat_name(int(event[ACTOR]), viewer)
    kind, a, b, c = (int(event[k]) for k in (KIND, FIRST, SECOND, THIRD))
    if kind == S.MARKER:
        secret = int(event[SECRET])
        worth = "" if secret == UNKNOWN else f" worth {secret}"
        return f"{who} drew a Victory Point marker{worth} for dispute {NUMERALS[a]}"
    if kind in (S.TOOK, S.PLAYED, S.PLAYED_FREE, S.FLIPPED, S.DREW, S.REFRESHED, S.BONUS):
        return _card_event(kind, who, card(a), b, c, viewer)
    side = doctrine_name(S.SIDES * a + b) if kind in (S.DEALT, S.BOUGHT, S.WON, S.NAMED) else ""
    texts = {
        S.DEALT: lambda: f"{who} was dealt a card of {side}",
        S.BEGUN: lambda: f"{who} begins and holds Constantine",
        S.PASSED: lambda: f"{who} passed" + (f" and took {a} TI from pool {b + 1}" if a else ""),
        S.PAID: lambda: f"{who} paid {a} TI",
        S.COPIED: lambda: f"{who} chose to copy {_COPIES[a]}",
        S.BOUGHT: lambda: f"{who} chose to buy {side} for {c}",
        S.DECLINED: lambda: f"{who} declined",
        S.WON: lambda: f"{side} won with {c} cards",
        S.ROUND: lambda: f"Debate Round {a + 1}, Constantine to {who}",
        S.LOST: lambda: f"{who} gave back {a} TI above the Canons",
        S.SHARED: lambda: f"the pools gave everybody {a} TI and kept {b}",
        S.MOVED: lambda: f"{who} put Constantine on space {a + 1} ({SPACE_NAMES[a]})",
        S.NAMED: lambda: f"{who} named {side}",
        S.REVEALED: lambda: f"{who} revealed {a} markers of 4, {b} of 5, {c} of 6",
        S.SCORED: lambda: f"{who} scored {a} with Influence {b}",
        S.END: lambda: f"the end: {_ENDINGS[a]}; {_winners_text(c, bool(b), viewer)}",
    }
    return texts[kind]()


def _card_event(kind: int, who: str, card: str, b: int, c: int, viewer: int) -> str:
    texts = {
        S.TOOK: lambda: f"{who} chose {SPACE_NAMES[b]} for {c}, with {card}",
        S.PLAYED: lambda: (
            f"{who} chose to play {card} to {seat_name(b, viewer)} {f'for {c}' if c else 'free'}"
        ),
        S.PLAYED_FREE: lambda: f"{who} played {card} by the Action",
        S.FLIPPED: lambda: f"{who} flipped {card} for {b}",
        S.DREW: lambda: f"{card} came to space {b + 1} ({SPACE_NAMES[b]})",
        S.REFRESHED: lambda: f"{card} of {who} was turned up",
        S.BONUS: lambda: f"{who} had a bonus of {b} from the pair of {card}",
    }
    return texts[kind]()


def event_texts(bound: BoundGame, view: Any) -> list[str]:
    """Tell the events in the log of a View, oldest first."""
    log = np.asarray(view["log"])
    assert log.shape == (S.LOG_CAPACITY, COLUMNS)
    count = int(view["log_count"])
    rows = range(max(0, count - S.LOG_CAPACITY), count)
    deck = deck_of(str(bound.options["deck"]))

    def card(number: int) -> str:
        return card_name(deck, number)

    return [event_text(log[k % S.LOG_CAPACITY], int(view["viewer"]), card) for k in rows]


def _winners_text(winners: int, schism: bool, viewer: int) -> str:
    names = [seat_name(seat, viewer) for seat in range(S.SEATS) if winners >> seat & 1]
    return f"{'schism, ' if schism else ''}won by {' and '.join(names)}"


# Positions -----------------------------------------------------------------------------------


def hand_of(view: Any, seat: int) -> list[int]:
    """Numbers of the cards in a hand."""
    cards: list[int] = np.flatnonzero(np.asarray(view["where"]) == seat).tolist()
    return cards


def tableau_of(view: Any, seat: int) -> list[int]:
    """Numbers of the cards in a tableau, from left to right."""
    row: list[int] = np.asarray(view["tableau"][seat][: int(view["tableau_size"][seat])]).tolist()
    return row


def question(deck: Deck, view: Any) -> str:
    """Say what is now to be decided, or how the game ended."""
    viewer = int(view["viewer"])
    if int(view["status"]) != RUNNING:
        winners = _winners_text(int(view["winners"]), bool(view["schism"]), viewer)
        return f"over: {_ENDINGS[int(view['ending'])]}; {winners}"
    actor = seat_name(int(view["actor"]), viewer)
    phase = int(view["phase"])
    if phase == S.PAYMENT:
        missing = int(view["price"]) - int(view["paid"])
        return f"{actor} to pay {missing} of {int(view['price'])} for {_purpose(deck, view)}"
    texts = {
        S.TURN: "to take an Action, play a card or pass",
        S.COPY: "to choose the Action that New Offer copies",
        S.PLAY_FREE: "to play a card free or decline",
        S.DEBATE_DOCTRINE: "to buy a doctrine card by the Action or decline",
        S.DEBATE_ROUND: "to buy a doctrine card in the Debate Round or decline",
        S.NAMING: "to name the side that wins the next open dispute",
    }
    return f"{actor} {texts[phase]}"


def _purpose(deck: Deck, view: Any) -> str:
    """What is being paid for."""
    if int(view["buying"]) >= 0:
        number = S.SIDES * int(view["buying"]) + int(view["buying_side"])
        return f"a card of {doctrine_name(number)}"
    if int(view["playing"]) >= 0:
        target = seat_name(int(view["target"]), int(view["viewer"]))
        return f"{card_name(deck, int(view['playing']))} to {target}"
    space = np.asarray(view["display"]).tolist().index(int(view["taking"]))
    return f"the Action {SPACE_NAMES[space]}"


def dispute_text(view: Any, dispute: int) -> str:
    """How a dispute stands: prices, refresh, cards in hands, what each side still needs."""
    hands = np.asarray(view["doctrine"])[:, dispute].sum(axis=0).tolist()
    settled = int(view["settled"][dispute])
    if settled:
        return f"won by {SIDE_LETTERS[settled - 1]} with {hands[settled - 1]} cards"
    space = int(view["token"][dispute])
    base, contrarian = (int(view[f"track_{name}"][space]) for name in ("base", "contrarian"))
    sides = []
    for side, letter in enumerate(SIDE_LETTERS):
        price = contrarian if hands[side] < hands[1 - side] else base
        sides.append(
            f"{letter} {hands[side]} in hands, needs {S.WINNING_CARDS - hands[side]}, costs {price}"
        )
    return f"{'; '.join(sides)}; refresh {int(view['track_refresh'][space]) / 2:g}"


def doctrine_held(view: Any, seat: int) -> str:
    """Doctrine cards of a seat, as in ``"I A ×2, IV B"``."""
    held = np.asarray(view["doctrine"][seat]).ravel().tolist()
    return ", ".join(
        doctrine_name(number) + (f" ×{count}" if count > 1 else "")
        for number, count in enumerate(held)
        if count
    ) or "none"  # fmt: skip


def markers_text(view: Any, seat: int) -> str:
    """Markers of a seat: their values where known, else how many."""
    values = np.asarray(view["markers"][seat]).tolist()
    count = int(view["marker_count"][seat])
    if UNKNOWN in values or count == 0:
        return f"{count} hidden" if count else "none"
    known = [f"{n}×{S.LOWEST_VALUE + k}" for k, n in enumerate(values) if n]
    return ", ".join(known)


def constantine_text(view: Any) -> str:
    """Where Constantine is."""
    if int(view["constantine"]) >= 0:
        return f"held by {seat_name(int(view['constantine']), int(view['viewer']))}"
    space = int(view["constantine_space"])
    return f"on space {space + 1} ({SPACE_NAMES[space]})"


def describe(bound: BoundGame, view: Any) -> str:
    """Tell everything that a View holds, apart from the log, in sentences."""
    deck = deck_in(bound)
    viewer = int(view["viewer"])
    lines = [
        f"Debate Rounds so far: {int(view['rounds'])} ({int(view['idle_rounds'])} idle in a row); "
        f"{question(deck, view)}.",
        f"Constantine is {constantine_text(view)}. {_passes_text(view)}",
        f"Track, base/contrarian/refresh: {_track_text(view)}.",
    ]
    for dispute, name in enumerate(DISPUTE_NAMES):
        lines.append(f"Dispute {NUMERALS[dispute]}, {name}: {dispute_text(view, dispute)}.")
    for space, name in enumerate(SPACE_NAMES):
        card = int(view["display"][space])
        lying = card_name(deck, card) if card >= 0 else "no card"
        lines.append(f"Space {space + 1}, {name} for {int(S.SPACE_COST[space])}: {lying}.")
    lines.append(f"Pools from the top: {', '.join(map(str, view['pool']))} TI.")
    for seat in range(int(view["num_players"])):
        lines += _seat_texts(deck, view, seat, viewer)
    lines.append(f"Deck: {int(view['deck_size'])} cards.")
    return "\n".join(lines)


def _passes_text(view: Any) -> str:
    """Who has passed, and whether the round to come is idle so far (N6)."""
    passes = int(view["passes"])
    text = "Nobody has just passed."
    if passes:
        first = seat_name(int(view["first_passer"]), int(view["viewer"]))
        text = f"{passes} passed in a row, {first} first."
    if passes == int(view["num_players"]):
        text += f" {int(view['asked'])} of them are done with buying."
    return text + ("" if view["busy"] else " Nothing has been done since the last Debate Round.")


def _track_text(view: Any) -> str:
    spaces = zip(view["track_base"], view["track_contrarian"], view["track_refresh"], strict=True)
    return ", ".join(
        f"{int(base)}/{int(contrarian)}/{int(halves) / 2:g}"
        for base, contrarian, halves in list(spaces)[: int(view["track_spaces"])]
    )


def _seat_texts(deck: Deck, view: Any, seat: int, viewer: int) -> list[str]:
    name = seat_name(seat, viewer).capitalize()
    size = int(view["tableau_size"][seat])
    score = "" if int(view["status"]) == RUNNING else f"; {int(view['score'][seat])} points"
    row = [card_name(deck, card) + (" face down" if view["face_down"][card] else "")
           for card in tableau_of(view, seat)]  # fmt: skip
    return [
        f"{name}: {int(view['ti'][seat])} TI; doctrine {doctrine_held(view, seat)}; "
        f"markers {markers_text(view, seat)}{score}.",
        f"{name}, tableau of {size}: {'; '.join(row) or 'empty'}.",
        f"{name}, hand: {'; '.join(card_name(deck, c) for c in hand_of(view, seat)) or 'empty'}.",
    ]
