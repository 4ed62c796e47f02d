"""Nicaea in words: actions, events, positions. No rules here.

Events and Views come as mappings of names to numbers (see ``core/events.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from concilium.envs.core.events import record_dict
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING
from concilium.envs.core.words import Count, counted, seat_name
from concilium.envs.nicaea import actions as A
from concilium.envs.nicaea import state as S
from concilium.envs.nicaea.deck import NUMERALS, Deck, deck_of
from concilium.envs.nicaea.state import EVENTS, STATE, Phase

DISPUTE_NAMES: Final = (
    "the substance of Christ", "the computing of Easter", "the primacy of the great sees",
    "the Meletian schism", "the lapsed and rebaptism",
)  # fmt: skip
SIDE_LETTERS: Final = ("A", "B")
SPACE_NAMES: Final = (
    "nothing", "refresh leftmost", "refresh leftmost", "debate doctrine", "new offer",
    "play free card", "play free card",
)  # fmt: skip
COPIES: Final = ("nothing", "refresh leftmost", "debate doctrine", "play free card")
_ENDINGS: Final = (
    "", "all disputes are settled", "the deck is empty", "three Debate Rounds were idle",
)  # fmt: skip
_QUESTIONS: Final[Mapping[int, str]] = {
    Phase.TURN: "to take an Action, play a card or pass",
    Phase.COPY: "to choose the Action that New Offer copies",
    Phase.PLAY_FREE: "to play a card free or decline",
    Phase.DEBATE_DOCTRINE: "to buy a doctrine card by the Action or decline",
    Phase.DEBATE_ROUND: "to buy a doctrine card in the Debate Round or decline",
    Phase.NAMING: "to name the side that wins the next open dispute",
}
_EVENTS: Final[Mapping[str, str]] = {
    "dealt": "{seat:was} dealt a card of {dispute} {side}",
    "begun": "{seat:begins} with Constantine",
    "drew": "{card} came to space {place} ({space})",
    "took": "{seat} chose {space} for {price}, with {card}",
    "played": "{seat} chose to play {card} to {tableau} {charge}",
    "passed": "{seat} passed{taken}{pool}",
    "flipped": "{seat} flipped {card} for {influence}",
    "paid": "{seat} paid {amount} TI",
    "copied": "{seat} chose to copy {action}",
    "refreshed": "{seat:'s} {card} was turned up",
    "played_free": "{seat} played {card} by the Action",
    "bought": "{seat} chose to buy {dispute} {side} for {price}",
    "declined": "{seat} declined",
    "won": "{dispute} {side} won with {cards:card}",
    "marker": "{seat} drew a Victory Point marker{value} for dispute {dispute}",
    "round": "Debate Round {round}, Constantine to {seat}",
    "bonus": "{seat} had a bonus of {amount} from the pair of {card}",
    "lost": "{seat} gave back {amount} TI above the Canons",
    "shared": "the pools gave everybody {each} TI and kept {kept}",
    "moved": "{seat} put Constantine on space {place} ({space})",
    "named": "{seat} named {dispute} {side}",
    "revealed": "{seat} revealed {fours:marker} of 4, {fives} of 5, {sixes} of 6",
    "scored": "{seat} scored {points:point} with Influence {influence}",
    "end": "the end: {ending}; {schism}won by {winners}",
}
"""What is told of each kind of event; the names are those of :data:`EVENTS`, in words."""


def shown(record: Any) -> dict[str, Any]:
    """What a View or State ``()`` holds, apart from the log, None where it is not known."""
    return record_dict(STATE, record)


def deck_in(bound: BoundGame) -> Deck:
    """The deck of a bound game, with its names."""
    return deck_of(str(bound.options["deck"]))


def card_name(deck: Deck, card: int) -> str:
    """A card with what is printed on it; a number where the deck has no such card."""
    return deck.texts[card] if card < len(deck.cards) else f"card {card + 1}"


def short_name(view: Mapping[str, Any], deck: Deck, card: int) -> str:
    """A card in brief, in brackets when face down, as in ``"Arius 4"`` or ``"[Arius 4]"``."""
    name = f"{deck.cards[card].name} {view['cost'][card]}"
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
    if action < A.COPY:
        return f"flip {card_name(deck, action - A.FLIP)}"
    if action < A.BUY:
        return f"copy {COPIES[action - A.COPY]}"
    if action < A.DECLINE:
        return f"buy {doctrine_name(action - A.BUY)}"
    if action == A.DECLINE:
        return "decline"
    return f"name {doctrine_name(action - A.NAME)}"


# Events --------------------------------------------------------------------------------------


def event_text(event: Mapping[str, Any], viewer: int, deck: Deck) -> str:
    """Tell an event: the sentence of its kind with its numbers in words."""

    def seat(number: int) -> str:
        return seat_name(number, viewer)

    in_words: Mapping[str, Callable[[Any], Any]] = {
        "seat": seat,
        "target": seat,
        "card": lambda card: card_name(deck, card),
        "space": lambda space: SPACE_NAMES[space],
        "dispute": lambda dispute: NUMERALS[dispute],
        "side": lambda side: SIDE_LETTERS[side],
        "action": lambda kind: COPIES[kind],
        "taken": lambda amount: f" and took {amount} TI" if amount else "",
        "pool": lambda pool: "" if pool == S.NONE else f" from pool {pool + 1}",
        "value": lambda value: "" if value is None else f" worth {value}",
        "round": lambda number: str(number + 1),
        "ending": lambda ending: _ENDINGS[ending],
        "schism": lambda schism: "schism, " if schism else "",
        "winners": lambda winners: _seats_text(winners, viewer),
    }
    words = {name: in_words.get(name, counted)(value) for name, value in event.items()}
    if "target" in event:
        words["tableau"] = tableau_name(event["target"], event["seat"], viewer)
    if "space" in event:
        words["place"] = str(event["space"] + 1)
    if "price" in event:
        words["charge"] = f"for {event['price']}" if event["price"] else "free"
    return _EVENTS[event["event"]].format_map(words)


def tableau_name(target: int, seat: int, viewer: int) -> str:
    """Whose tableau ``seat`` plays to, as in ``"your tableau"`` or ``"their own tableau"``."""
    if target == seat:
        return "your own tableau" if seat == viewer else "their own tableau"
    return f"{seat_name(target, viewer):'s} tableau"


def event_texts(bound: BoundGame, view: Any) -> list[str]:
    """Tell the events in the log of a View ``()``, oldest first."""
    deck, viewer = deck_in(bound), int(view["viewer"])
    return [event_text(event, viewer, deck) for event in EVENTS.log(view)]


def _seats_text(seats: int, viewer: int) -> str:
    """Names of seats given as bits."""
    return " and ".join(seat_name(seat, viewer) for seat in range(S.SEATS) if seats >> seat & 1)


# Positions -----------------------------------------------------------------------------------


def hand_of(view: Mapping[str, Any], seat: int) -> list[int]:
    """Numbers of the cards in a hand."""
    return [card for card, place in enumerate(view["where"]) if place == seat]


def tableau_of(view: Mapping[str, Any], seat: int) -> list[int]:
    """Numbers of the cards in a tableau, from left to right."""
    row: list[int] = view["tableau"][seat][: view["tableau_size"][seat]]
    return row


def question(view: Mapping[str, Any], deck: Deck) -> str:
    """Say what is now to be decided, or how the game ended."""
    viewer = view["viewer"]
    if view["status"] != RUNNING:
        schism = "schism, " if view["schism"] else ""
        winners = _seats_text(view["winners"], viewer)
        return f"over: {_ENDINGS[view['ending']]}; {schism}won by {winners}"
    actor = seat_name(view["actor"], viewer)
    if view["phase"] == Phase.PAYMENT:
        price = view["price"]
        return f"{actor} to pay {price - view['paid']} of {price} for {_purpose(view, deck)}"
    return f"{actor} {_QUESTIONS[view['phase']]}"


def _purpose(view: Mapping[str, Any], deck: Deck) -> str:
    """What is being paid for."""
    if view["buying"] >= 0:
        return f"a card of {doctrine_name(S.SIDES * view['buying'] + view['buying_side'])}"
    if view["playing"] >= 0:
        target = tableau_name(view["target"], view["actor"], view["viewer"])
        return f"{card_name(deck, view['playing'])} to {target}"
    return f"the Action {SPACE_NAMES[view['display'].index(view['taking'])]}"


def dispute_text(view: Mapping[str, Any], dispute: int) -> str:
    """How a dispute stands: prices, refresh, cards in hands, what each side still needs."""
    hands = [sum(held[dispute][side] for held in view["doctrine"]) for side in range(S.SIDES)]
    settled = view["settled"][dispute]
    if settled:
        return f"won by {SIDE_LETTERS[settled - 1]} with {Count(hands[settled - 1]):card}"
    sides = []
    for side, letter in enumerate(SIDE_LETTERS):
        needs, price = S.WINNING_CARDS - hands[side], base_price(view, dispute, side)
        sides.append(f"{letter} {hands[side]} in hands, needs {needs}, costs {price}")
    refresh = view["track_refresh"][view["token"][dispute]] / 2
    return f"{'; '.join(sides)}; refresh {refresh:g}"


def base_price(view: Mapping[str, Any], dispute: int, side: int) -> int:
    """What a first doctrine card of a side of an open dispute costs (N24)."""
    here, there = (sum(held[dispute][k] for held in view["doctrine"]) for k in (side, 1 - side))
    column = "track_contrarian" if here < there else "track_base"
    return int(view[column][view["token"][dispute]])


def doctrine_held(view: Mapping[str, Any], seat: int) -> str:
    """Doctrine cards of a seat, as in ``"I A ×2, IV B"``."""
    counts = [count for held in view["doctrine"][seat] for count in held]
    return ", ".join(
        doctrine_name(number) + (f" ×{count}" if count > 1 else "")
        for number, count in enumerate(counts)
        if count
    ) or "none"  # fmt: skip


def markers_text(view: Mapping[str, Any], seat: int) -> str:
    """Markers of a seat: their values where known, else how many."""
    values, count = view["markers"][seat], view["marker_count"][seat]
    if None in values or count == 0:
        return f"{count} hidden" if count else "none"
    return ", ".join(f"{n}×{S.LOWEST_VALUE + k}" for k, n in enumerate(values) if n)


def constantine_text(view: Mapping[str, Any]) -> str:
    """Where Constantine is."""
    if view["constantine"] >= 0:
        return f"held by {seat_name(view['constantine'], view['viewer'])}"
    space = view["constantine_space"]
    return f"on space {space + 1} ({SPACE_NAMES[space]})"


def describe(bound: BoundGame, view: Any) -> str:
    """Tell everything that a View ``()`` holds, apart from the log, in sentences."""
    deck, view = deck_in(bound), shown(view)
    lines = [
        f"Debate Rounds so far: {view['rounds']} ({view['idle_rounds']} idle in a row); "
        f"{question(view, deck)}.",
        f"Constantine is {constantine_text(view)}. {_passes_text(view)}",
        f"Track, base/contrarian/refresh: {_track_text(view)}.",
    ]
    for dispute, name in enumerate(DISPUTE_NAMES):
        lines.append(f"Dispute {NUMERALS[dispute]}, {name}: {dispute_text(view, dispute)}.")
    for space, name in enumerate(SPACE_NAMES):
        card = view["display"][space]
        lying = card_name(deck, card) if card >= 0 else "no card"
        lines.append(f"Space {space + 1}, {name} for {S.SPACE_COST[space]}: {lying}.")
    lines.append(f"Pools from the top: {', '.join(map(str, view['pool']))} TI.")
    for seat in range(view["num_players"]):
        lines += _seat_texts(view, deck, seat)
    lines.append(f"Deck: {Count(view['deck_size']):card}.")
    return "\n".join(lines)


def _passes_text(view: Mapping[str, Any]) -> str:
    """Who has passed, and whether the round to come is idle so far (N6)."""
    text = "Nobody has just passed."
    if view["passes"]:
        first = seat_name(view["first_passer"], view["viewer"])
        text = f"{view['passes']} passed in a row, {first} first."
    if view["passes"] == view["num_players"]:
        verb = "is" if view["asked"] == 1 else "are"
        text += f" {view['asked']} of them {verb} done with buying."
    return text + ("" if view["busy"] else " Nothing has been done since the last Debate Round.")


def _track_text(view: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{view['track_base'][space]}/{view['track_contrarian'][space]}"
        f"/{view['track_refresh'][space] / 2:g}"
        for space in range(view["track_spaces"])
    )


def _seat_texts(view: Mapping[str, Any], deck: Deck, seat: int) -> list[str]:
    name = seat_name(seat, view["viewer"]).started()
    score = "" if view["status"] == RUNNING else f"; {Count(view['score'][seat]):point}"
    row = [card_name(deck, card) + (" face down" if view["face_down"][card] else "")
           for card in tableau_of(view, seat)]  # fmt: skip
    hand = [card_name(deck, card) for card in hand_of(view, seat)]
    return [
        f"{name}: {view['ti'][seat]} TI; doctrine {doctrine_held(view, seat)}; "
        f"markers {markers_text(view, seat)}{score}.",
        f"{name}, tableau of {len(row)}: {'; '.join(row) or 'empty'}.",
        f"{name}, hand: {'; '.join(hand) or 'empty'}.",
    ]
