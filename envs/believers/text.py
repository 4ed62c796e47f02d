"""Believers in words: actions, events, positions. No rules here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import Cards, cards_of
from concilium.envs.core.events import ACTOR, FIRST, KIND, SECOND, SECRET, THIRD
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING, UNKNOWN

SIDE_NAMES: Final = ("True Believers", "Defectors")
FAITH_NAMES: Final = ("True Believer", "Defector")
_ENDINGS: Final = {
    S.PLAYED_OUT: "all rows are played",
    S.EARLY: "the other side cannot catch up",
    S.DECIDED: "by the decider",
}
_REASONS: Final = {
    S.BY_ALMONER: "with an Almoner's effect",
    S.AFTER_FAILURE: "after the failure",
    S.BY_GLEANER: "by a Gleaner's effect",
    S.AFTER_ROW: "because the whole row failed",
}


def cards_in(bound: BoundGame) -> Cards:
    """The cards of a bound game, with their names."""
    return cards_of(str(bound.options["cards"]))


def virtue_name(cards: Cards, kind: int) -> str:
    """Name of a kind of Virtue."""
    return cards.virtues[kind].name


def disciple_name(cards: Cards, number: int) -> str:
    """Name of a Disciple; a number where the file has no such card."""
    if number < len(cards.disciples):
        return cards.disciples[number].name
    return f"Disciple #{number + 1}"


def crisis_name(cards: Cards, number: int) -> str:
    """Name of a Crisis; a number where the file has no such card."""
    return cards.crises[number].name if number < len(cards.crises) else f"Crisis #{number + 1}"


def pair_text(cards: Cards, pair: int) -> str:
    """The two Virtues of a pair, as in ``"Devotion and Charity"``."""
    low, high = int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])
    return f"{virtue_name(cards, low)} and {virtue_name(cards, high)}"


def counts_text(cards: Cards, counts: Sequence[int] | Any) -> str:
    """A hand, as in ``"Devotion ×2, Charity"``; ``"nothing"`` if it is empty."""
    parts = [
        virtue_name(cards, kind) + (f" ×{int(count)}" if count > 1 else "")
        for kind, count in enumerate(counts)
        if count > 0
    ]
    return ", ".join(parts) or "nothing"


# Actions -------------------------------------------------------------------------------------


def action_name(bound: BoundGame, action: int) -> str:
    """Name an action; every action has a name of its own. Opponents are counted clockwise."""
    cards = cards_in(bound)
    opponent = f"opponent {action - A.SHAME + 1}"
    if action == A.DONE:
        return "done"
    if action < A.ENLIST:
        return f"shame {opponent}"
    if action < A.HERALD:
        number, relative = divmod(action - A.ENLIST, S.SEATS)
        target = f": opponent {relative}" if relative else ""
        return f"enlist {disciple_name(cards, number)}{target}"
    if action < A.SILENT:
        return "put the Mission under the deck" if action > A.HERALD else "leave the Mission"
    if action == A.SILENT:
        return "say nothing"
    if action < A.VOUCH:
        return f"accuse opponent {action - A.ACCUSE + 1}"
    if action < A.CHOOSE:
        return f"vouch for opponent {action - A.VOUCH + 1}"
    if action < A.GIVE:
        return f"choose opponent {action - A.CHOOSE + 1}"
    if action < A.PLACE:
        return f"give {virtue_name(cards, action - A.GIVE)}"
    if action < A.CLAIM:
        return f"place {virtue_name(cards, action - A.PLACE)}"
    return _later_action(cards, action)


def _later_action(cards: Cards, action: int) -> str:
    if action < A.CLAIM + S.PAIRS:
        return f"claim {pair_text(cards, action - A.CLAIM)}"
    if action < A.NOMINATE:
        return "claim nothing"
    if action < A.DISCARD:
        number, place = divmod(action - A.NOMINATE, A.OPPONENTS)
        return f"nominate {crisis_name(cards, number)}: opponent {place + 1}"
    if action < A.DISMISS:
        return f"discard {virtue_name(cards, action - A.DISCARD)}"
    if action < A.BUY:
        return f"dismiss {disciple_name(cards, action - A.DISMISS)}"
    if action < A.PASS:
        return f"buy {disciple_name(cards, action - A.BUY)}"
    return "pass"


def seat_name(seat: int, viewer: int) -> str:
    """``"you"`` for the viewer's own seat, else the agent's name."""
    return "you" if seat == viewer else f"player_{seat}"


# Events --------------------------------------------------------------------------------------


def event_texts(bound: BoundGame, view: Any) -> list[str]:
    """Tell the events in the log of a View, oldest first."""
    cards = cards_in(bound)
    log = np.asarray(view["log"])
    return [_event_text(cards, log[k], view) for k in range(int(view["log_count"]))]


def _event_text(cards: Cards, event: Any, view: Any) -> str:
    """Tell one row of the log."""
    viewer = int(view["viewer"])
    kind, actor = int(event[KIND]), int(event[ACTOR])
    who = seat_name(actor, viewer) if actor >= 0 else ""
    a, b, c, secret = (int(event[k]) for k in (FIRST, SECOND, THIRD, SECRET))
    if kind in (S.DEALT, S.LOOKED, S.SHOWN, S.SAID):
        return _packed_text(cards, event, view)
    if kind == S.ENLISTED:
        return _enlisted_text(cards, view, who, a, b, secret)
    if kind in (S.TURNED_UP, S.GAVE, S.PLACED, S.WITNESSED, S.CLAIMED):
        return _mission_text(cards, event, viewer)
    what = f" ({virtue_name(cards, secret)})" if secret != UNKNOWN else ""
    texts = {
        S.BEGUN: lambda: f"{who} is the first Eye",
        S.SHAMED: lambda: f"{who} shamed {seat_name(a, viewer)}",
        S.HERALDED: lambda: (
            f"{who} {'put the Mission under the deck' if a else 'left the Mission'}"
        ),
        S.DREW: lambda: f"{who} drew a Virtue{what} {_REASONS[a]}",
        S.TOKENS: lambda: (
            f"row {a + 1} went to the {SIDE_NAMES[b]}: {c} token{'s' if c > 1 else ''}"
        ),
        S.NOMINATED: lambda: f"{who} nominated {crisis_name(cards, a)} on {seat_name(b, viewer)}",
        S.LAID: lambda: (
            f"{crisis_name(cards, a)} was laid on {seat_name(b, viewer)}"
            + (", whom a Guardian protected" if c else "")
        ),
        S.TITHED: lambda: f"{who} gave a random Virtue{what} to {seat_name(a, viewer)}",
        S.DISCARDED: lambda: (
            f"{who} discarded {virtue_name(cards, a)}"
            + (f" for {disciple_name(cards, b)}" if b >= 0 else "")
            + (f"; then {disciple_name(cards, c)} showed" if c >= 0 else "")
        ),
        S.DISMISSED: lambda: f"{who} discarded {disciple_name(cards, a)}",
        S.BOUGHT: lambda: f"{who} chose to buy {disciple_name(cards, a)} from pile {b + 1}",
        S.END: lambda: (
            f"the end: {_ENDINGS[b]}; the {SIDE_NAMES[a]} won; the Defectors were "
            + " and ".join(seat_name(seat, viewer) for seat in range(S.SEATS) if c >> seat & 1)
        ),
    }
    return texts[kind]()


def _packed_text(cards: Cards, event: Any, view: Any) -> str:
    """Hands, and the statements of a round."""
    viewer = int(view["viewer"])
    numbers = S.unpacked(event)
    kind, actor = int(event[KIND]), int(event[ACTOR])
    if kind == S.SAID:
        said = [
            f"{seat_name(seat, viewer)} {statement_text(code, viewer)}"
            for seat, code in enumerate(numbers[: int(view["num_players"])])
            if code != S.SILENT
        ]
        return "statements: " + ("; ".join(said) or "none")
    who = seat_name(actor, viewer)
    verb = {
        S.DEALT: "was dealt", S.LOOKED: "was seen to hold", S.SHOWN: "showed to all",
    }[kind]  # fmt: skip
    return f"{who} {verb} {counts_text(cards, numbers)}"


def statement_text(code: int, viewer: int) -> str:
    """A statement that is not silence, as in ``"accuses player_3"``."""
    if code >= S.VOUCH:
        return f"vouches for {seat_name(code - S.VOUCH, viewer)}"
    return f"accuses {seat_name(code - S.ACCUSE, viewer)}"


def _enlisted_text(cards: Cards, view: Any, who: str, name: int, target: int, secret: int) -> str:
    text = f"{who} enlisted {disciple_name(cards, name)}"
    if target >= 0:
        text += f" on {seat_name(target, int(view['viewer']))}"
    if secret == UNKNOWN:
        return text
    effect = int(view["disciple_effect"][name])
    if effect == S.ORACLE:
        return f"{text}: a {FAITH_NAMES[secret]}"
    if effect == S.HERALD:
        return f"{text}: {pair_text(cards, secret)}"
    return f"{text}: {virtue_name(cards, secret)}"


def _mission_text(cards: Cards, event: Any, viewer: int) -> str:
    who = seat_name(int(event[ACTOR]), viewer)
    a, b, c, secret = (int(event[k]) for k in (FIRST, SECOND, THIRD, SECRET))
    what = pair_text(cards, secret) if secret != UNKNOWN else "two Virtues"
    texts = {
        S.TURNED_UP: lambda: (
            f"{who} chose {seat_name(a, viewer)} as Hand for {pair_text(cards, b)}"
            + (f"; bars lifted: {c}" if c else "")
        ),
        S.GAVE: lambda: f"{who} gave {what}",
        S.PLACED: lambda: (
            f"with {who} as Eye {_placed_text(cards, a, b, c // 2)} was placed: "
            f"{'success' if c % 2 else 'failure'}"
        ),
        S.WITNESSED: lambda: f"{who} saw as Witness what was given"
        + (f": {what}" if secret != UNKNOWN else ""),
        S.CLAIMED: lambda: f"{who} claimed as {'Eye' if b else 'Hand'} "
        + ("nothing" if a == S.NO_CLAIM else pair_text(cards, a)),
    }  # fmt: skip
    return texts[int(event[KIND])]()


def _placed_text(cards: Cards, first: int, second: int, given: int) -> str:
    """What was placed, and where it came from if the Hand gave fewer than two."""
    if first == S.NONE:
        return "nothing"
    placed = " and ".join(virtue_name(cards, kind) for kind in (first, second) if kind != S.NONE)
    return placed + (", drawn from the deck,", ", the only one,", "")[given]


# Positions -----------------------------------------------------------------------------------


def question(cards: Cards, view: Any) -> str:
    """Say what is now to be decided, or how the game ended."""
    if int(view["status"]) != RUNNING:
        return f"over: {_ENDINGS[int(view['ending'])]}, {SIDE_NAMES[int(view['winner'])]} won"
    phase = int(view["phase"])
    actor = int(view["actor"])
    who = "a Defector" if actor == UNKNOWN else seat_name(actor, int(view["viewer"]))
    buying = int(view["buying"])
    texts = {
        S.CALL: "to shame, enlist or be done",
        S.HERALDING: "to leave the Mission or put it under the deck",
        S.STATEMENT: "to make a statement",
        S.CHOICE: "to choose the Hand",
        S.GIFT: "to give a Virtue as Hand",
        S.PLACEMENT: "to place a Virtue as Eye",
        S.HAND_CLAIM: "to claim what was given as Hand",
        S.EYE_CLAIM: "to claim what was given as Eye",
        S.NIGHT: "to nominate a Crisis in the night",
        S.FASTING: "to discard a Virtue for a Fast",
        S.DOUBTING: "to discard a Disciple for a Doubt",
        S.INDOCTRINATION: "to buy a Disciple or pass",
        S.PAYMENT: f"to pay {int(view['due'])} more for "
        + (disciple_name(cards, buying) if buying >= 0 else ""),
    }
    return f"{who} {texts[phase]}"


def row_text(view: Any) -> str:
    """The row and the place in it, as in ``"row 2, Mission 1"``."""
    row = int(view["row"])
    name = "decider" if row >= int(view["num_rows"]) else f"row {row + 1}"
    return f"{name}, Mission {int(view['row_played']) + 1}"


def faith_text(view: Any, seat: int) -> str:
    """What the viewer knows of a player's Faith."""
    faith = int(view["faith"][seat])
    return FAITH_NAMES[faith] if faith != UNKNOWN else "unknown"


def shame_count(view: Any, seat: int) -> int:
    """Shame that counts against a player."""
    cards = np.asarray(view["shame_at"])[: int(view["num_players"])]
    return int((cards == seat).sum()) + int(view["gossip"][seat])


def disciples_text(cards: Cards, view: Any, seat: int) -> str:
    """Disciples in front of a player."""
    counts = np.asarray(view["disciples"][seat]).tolist()
    return ", ".join(
        disciple_name(cards, name) + (f" ×{count}" if count > 1 else "")
        for name, count in enumerate(counts)
        if count
    ) or "none"  # fmt: skip


def marks_text(view: Any, seat: int) -> list[str]:
    """What is special about a player in this round, in words."""
    crisis = int(view["row_crisis"])
    bound_by = crisis >= 0 and int(view["row_target"]) == seat
    return [
        *(["Eye"] if int(view["eye"]) == seat else []),
        *(["Hand"] if int(view["hand_seat"]) == seat else []),
        *(["last Hand"] if int(view["last_hand"]) == seat else []),
        *(["kept out"] if int(view["barred"]) >> seat & 1 else []),
        *(["Witness"] if int(view["witnesses"]) >> seat & 1 else []),
        *([S.TROUBLES[crisis]] if bound_by else []),
    ]


def hand_text(cards: Cards, view: Any, seat: int) -> str:
    """A hand if it is known, else its size."""
    hand = np.asarray(view["hand"][seat])
    if hand.min() < 0:
        return f"{int(view['hand_count'][seat])} Virtues"
    return counts_text(cards, hand)


def mission_text(cards: Cards, view: Any, number: int) -> str:
    """One Mission turned up: its Virtues, Eye, Hand, and what came of it."""
    viewer = int(view["viewer"])
    eye, hand = (seat_name(int(view[f"mission_{who}"][number]), viewer) for who in ("eye", "hand"))
    text = f"{pair_text(cards, int(view['mission_pair'][number]))}, Eye {eye}, Hand {hand}"
    result = int(view["mission_result"][number])
    if result < 0:
        return f"{text}: open"
    placed = [virtue_name(cards, int(k)) for k in view["mission_placed"][number] if k >= 0]
    text += f": {' and '.join(placed) or 'nothing'} placed, {'success' if result else 'failure'}"
    if int(view["mission_given"][number]) >= 0:
        text += f"; given {pair_text(cards, int(view['mission_given'][number]))}"
    for who in ("hand", "eye"):
        claim = int(view[f"{who}_claim"][number])
        if claim >= 0:
            said = "nothing" if claim == S.NO_CLAIM else pair_text(cards, claim)
            text += f"; the {who.capitalize()} claims {said}"
    return text


def missions_shown(view: Any) -> int:
    """Missions turned up so far."""
    return int(view["mission"]) + (int(view["hand_seat"]) >= 0)


def describe(bound: BoundGame, view: Any) -> str:
    """Tell everything that a View holds, apart from the log, in sentences."""
    cards = cards_in(bound)
    viewer = int(view["viewer"])
    tokens = [int(t) for t in view["tokens"]]
    lines = [
        f"{row_text(view).capitalize()}; {question(cards, view)}.",
        f"Tokens: True Believers {tokens[0]}, Defectors {tokens[1]}.",
    ]
    lines += [
        f"Mission {number + 1}: {mission_text(cards, view, number)}."
        for number in range(missions_shown(view))
    ]
    lines += [_seat_text(cards, view, seat, viewer) for seat in range(int(view["num_players"]))]
    lines += _talk_texts(view, viewer)
    lines += _look_texts(cards, view, viewer)
    lines += _table_texts(cards, view)
    return "\n".join(lines)


def _seat_text(cards: Cards, view: Any, seat: int, viewer: int) -> str:
    marks = marks_text(view, seat)
    own = int(view["shame_at"][seat])
    used = " (own card played)" if own != S.OWN and view["shame_on"] else ""
    return (
        f"{seat_name(seat, viewer).capitalize()}: {faith_text(view, seat)}; "
        f"holds {hand_text(cards, view, seat)}; Disciples {disciples_text(cards, view, seat)}; "
        f"Shame {shame_count(view, seat)}{used}"
        + (f"; {', '.join(marks)}." if marks else ".")
    )  # fmt: skip


def _talk_texts(view: Any, viewer: int) -> list[str]:
    """Statements of this round, and how often each was made."""
    lines = []
    for seat in range(int(view["num_players"])):
        code = int(view["statement"][seat])
        if code != S.SILENT:
            who = seat_name(seat, viewer).capitalize()
            lines.append(f"{who}, this round: {statement_text(code, viewer)}.")
    for name, words in (("accused", "has accused"), ("vouched", "has vouched for")):
        for seat, other in np.argwhere(np.asarray(view[name]) > 0).tolist():
            times = int(view[name][seat][other])
            who, whom = seat_name(seat, viewer).capitalize(), seat_name(other, viewer)
            lines.append(f"{who} {words} {whom} {times}×.")
    return lines


def _look_texts(cards: Cards, view: Any, viewer: int) -> list[str]:
    """Who looked at whose Faith and hand, and what the viewer saw."""
    lines = []
    for seat in range(int(view["num_players"])):
        for other in range(int(view["num_players"])):
            if int(view["faith_seen"][seat]) >> other & 1:
                who, whom = seat_name(other, viewer).capitalize(), seat_name(seat, viewer)
                lines.append(f"{who} has peeked at the Faith of {whom}.")
    count = int(view["glimpses"])
    for number in range(max(0, count - S.GLIMPSES), count):
        place = number % S.GLIMPSES
        by, of = int(view["glimpse_by"][place]), int(view["glimpse_of"][place])
        who = "Everybody" if by == S.SEATS else seat_name(by, viewer).capitalize()
        what = "all Virtues" if view["glimpse_whole"][place] else "one Virtue"
        seen = np.asarray(view["glimpse_hand"][place])
        shown = f": {counts_text(cards, seen)}" if seen.min() >= 0 else ""
        after = int(view["glimpse_at"][place])
        lines.append(f"{who} saw {what} of {seat_name(of, viewer)} after {after} Missions{shown}.")
    return lines


def _table_texts(cards: Cards, view: Any) -> list[str]:
    """Tablet, deck, piles, Crises."""
    gift = [virtue_name(cards, int(kind)) for kind in view["gift"] if kind >= 0]
    tops = [
        f"{disciple_name(cards, int(top))} ({int(size)} in the pile)" if top >= 0 else "empty"
        for top, size in zip(view["pile_top"], view["pile_size"], strict=True)
    ]
    crises = [crisis_name(cards, int(name)) for name in view["crises"] if name >= 0]
    lines = [
        f"Tablet: {int(view['gift_count'])} Virtues"
        + (f", {' and '.join(gift)}." if gift else "."),
        f"Deck: {int(view['deck_size'])} Virtues; "
        f"discards: {counts_text(cards, view['discards'])}.",
        f"Disciples on the piles: {', '.join(tops)}.",
        f"Crises on the table: {', '.join(crises) or 'none'}.",
    ]  # fmt: skip
    effects = [name for name in ("lantern", "apostle") if view[name]]
    if effects:
        lines.append(f"In force this round: {', '.join(effects)}.")
    if int(view["next_mission"]) >= 0:
        lines.append(f"On top of the Missions: {pair_text(cards, int(view['next_mission']))}.")
    for k in range(int(view["under_count"])):
        pair = int(view["under"][k])
        what = pair_text(cards, pair) if pair >= 0 else "a Mission"
        lines.append(f"Under the Missions, {k + 1}: {what}.")
    nominated = [int(code) for code in view["nominated"] if code >= 0]
    for code in nominated:
        number, target = divmod(code, S.SEATS)
        whom = seat_name(target, int(view["viewer"]))
        lines.append(f"Nominated this night: {crisis_name(cards, number)} on {whom}.")
    return lines
