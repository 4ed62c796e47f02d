"""Believers in words: actions, events, positions. No rules here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.believers.cards import Cards, cards_of
from concilium.envs.core.events import record_dict
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import RUNNING
from concilium.envs.core.words import Count, Who, counted, seat_name, whom

Fields: TypeAlias = Mapping[str, Any]
"""A record or an event by the names of its fields; None is not known."""
SIDE_NAMES: Final = ("True Believers", "Defectors")
FAITH_NAMES: Final = ("True Believer", "Defector")
_ENDINGS: Final = (
    "", "all rows are played", "the other side cannot catch up", "by the decider",
)  # fmt: skip
_QUESTIONS: Final = (
    "to shame, enlist or be done",
    "to leave the Mission or put it under the deck",
    "to make a statement",
    "to choose the Hand",
    "to give a Virtue as Hand",
    "to place a Virtue as Eye",
    "to claim what was given as Hand",
    "to claim what was given as Eye",
    "to nominate a Crisis in the night",
    "to discard a Virtue for a Fast",
    "to discard a Disciple for a Doubt",
    "to buy a Disciple or pass",
    "to pay",
)


def fields_of(record: Any) -> Fields:
    """A State or View by the names of its fields."""
    return record_dict(S.STATE, record)


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


def _claim_text(cards: Cards, pair: int) -> str:
    return "nothing" if pair == S.NO_CLAIM else pair_text(cards, pair)


def _counted(name: Callable[[Cards, int], str], cards: Cards, counts: Sequence[int]) -> str:
    """Cards with their numbers, as in ``"Devotion ×2, Charity"``."""
    return ", ".join(
        name(cards, number) + (f" ×{count}" if count > 1 else "")
        for number, count in enumerate(counts)
        if count > 0
    )


def counts_text(cards: Cards, counts: Sequence[int]) -> str:
    """A hand, as in ``"Devotion ×2, Charity"``; ``"nothing"`` if it is empty."""
    return _counted(virtue_name, cards, counts) or "nothing"


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


# Events --------------------------------------------------------------------------------------

_TEXTS: Final = {
    "begun": "{seat:is} the first Eye",
    "dealt": "{seat:was} dealt {virtues}",
    "shamed": "{seat} shamed {target}",
    "enlisted": "{seat} enlisted {disciple}{more}",
    "heralded": "{seat} {under}",
    "looked": "{seat:was} seen to hold {virtues}",
    "said": "statements: {more}",
    "turned_up": "{seat} chose {hand} as Hand for {pair}{more}",
    "gave": "{seat} gave {pair}",
    "placed": "with {seat} as Eye {more} placed: {success}",
    "witnessed": "{seat} saw as Witness what was given{more}",
    "claimed": "{seat} as {as_eye} claimed {pair}",
    "drew": "{seat} drew a Virtue{more} {reason}",
    "tokens": "row {row} went to the {side}: {tokens:token}",
    "nominated": "{seat} nominated {crisis} on {target}",
    "laid": "{crisis} was laid on {target}{more}",
    "shown": "{seat} showed to all {virtues}",
    "tithed": "{seat} gave a random Virtue{more} to {target}",
    "discarded": "{seat} discarded {kind}{more}",
    "dismissed": "{seat} discarded {disciple}",
    "bought": "{seat} chose to buy {disciple} from pile {pile}",
    "end": "the end: {ending}; the {winner} won; the Defectors were {more}",
}
"""How each kind of event is told: its fields in words, ``more`` is what several say together."""
_SEATS: Final = ("seat", "target", "hand")
_NAMES: Final[Mapping[str, Callable[[Cards, int], str]]] = {
    **dict.fromkeys(("kind", "first", "second"), virtue_name),
    **dict.fromkeys(("disciple", "bought", "shows"), disciple_name),
    "crisis": crisis_name,
}
_CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "under": ("left the Mission", "put the Mission under the deck"),
    "success": ("failure", "success"),
    "as_eye": ("Hand", "Eye"),
    "reason": (
        "with an Almoner's effect", "after the failure", "by a Gleaner's effect",
        "because the whole row failed",
    ),
    "side": SIDE_NAMES,
    "winner": SIDE_NAMES,
    "ending": _ENDINGS,
}  # fmt: skip
_SOURCES: Final = (", drawn from the deck,", ", the only one,", "")
"""Where what was placed came from, by how many Virtues the Hand gave."""


def event_texts(bound: BoundGame, record: Any) -> list[str]:
    """Tell the events in the log of a View, oldest first."""
    cards, view = cards_in(bound), fields_of(record)
    return [event_text(cards, event, view) for event in S.EVENTS.log(record)]


def event_text(cards: Cards, event: Fields, view: Fields) -> str:
    """Tell one event to the viewer of ``view``, whose fields say what the Disciples do."""
    viewer = view["viewer"]
    words = {name: _word(cards, name, value, viewer) for name, value in event.items()}
    if "target" in event and event["target"] != S.NOBODY:
        words["target"] = whom(event["target"], event.get("seat", S.NOBODY), viewer)
    return _TEXTS[words["event"]].format(**words, more=_more(cards, event, words, view))


def _word(cards: Cards, name: str, value: Any, viewer: int) -> Any:
    """Put one field of an event into words."""
    if name == "pair":
        return "two Virtues" if value is None else _claim_text(cards, value)
    if value in (None, S.NONE):
        return ""
    if name in _SEATS:
        return seat_name(value, viewer)
    if name == "virtues":
        return counts_text(cards, value)
    if name in ("row", "pile"):
        return str(value + 1)
    if name in _NAMES:
        return _NAMES[name](cards, value)
    return _CHOICES[name][value] if name in _CHOICES else counted(value)


def _more(cards: Cards, event: Fields, words: Mapping[str, str], view: Fields) -> str:
    """What several fields of an event, or the table, say together."""
    kind, viewer = event["event"], view["viewer"]
    if kind == "enlisted":
        return _enlisted(cards, event, words, view)
    if kind == "said":
        said = [
            _statement_text(seat_name(each["seat"], viewer), each["says"], each["about"], viewer)
            for each in event["statements"]
        ]
        return "; ".join(said) or "none"
    if kind == "turned_up":
        return f"; bars lifted: {event['lifted']}" if event["lifted"] else ""
    if kind == "placed":
        kinds = " and ".join(filter(None, (words["first"], words["second"])))
        verb = "were" if words["first"] and words["second"] else "was"
        return f"{kinds}{_SOURCES[event['given']]} {verb}" if kinds else "nothing was"
    if kind == "witnessed":
        return f": {words['pair']}" if event["pair"] is not None else ""
    if kind in ("drew", "tithed"):
        return f" ({words['kind']})" if words["kind"] else ""
    if kind == "laid":
        return ", whom a Guardian protected" if event["guarded"] else ""
    if kind == "discarded":
        bought = f" for {words['bought']}" if words["bought"] else ""
        return bought + (f"; then {words['shows']} showed" if words["shows"] else "")
    if kind == "end":
        return " and ".join(seat_name(seat, viewer) for seat in event["defectors"])
    return ""


def _enlisted(cards: Cards, event: Fields, words: Mapping[str, str], view: Fields) -> str:
    """On whom a Disciple was used, and what its user learned."""
    text = f" on {words['target']}" if words["target"] else ""
    seen = event["seen"]
    if seen is None:
        return text
    effect = view["disciple_effect"][event["disciple"]]
    if effect == S.Effect.ORACLE:
        return f"{text}: a {FAITH_NAMES[seen]}"
    return f"{text}: {(pair_text if effect == S.Effect.HERALD else virtue_name)(cards, seen)}"


def _statement_text(who: Who, says: str, about: int, viewer: int) -> str:
    said = format(who, "accuses") if says == "accuse" else f"{who:vouches} for"
    return f"{said} {seat_name(about, viewer)}"


# Positions -----------------------------------------------------------------------------------


def known(values: Iterable[int | None]) -> list[int]:
    """Those of some numbers that are known and not -1."""
    return [value for value in values if value is not None and value != S.NONE]


def question(cards: Cards, view: Fields) -> str:
    """Say what is now to be decided, or how the game ended."""
    if view["status"] != RUNNING:
        return f"over: {_ENDINGS[view['ending']]}, {SIDE_NAMES[view['winner']]} won"
    actor, phase = view["actor"], view["phase"]
    who = "a Defector" if actor is None else seat_name(actor, view["viewer"])
    more = ""
    if phase == S.Phase.PAYMENT:
        more = f" {view['due']} more for {disciple_name(cards, view['buying'])}"
    return f"{who} {_QUESTIONS[phase]}{more}"


def row_text(view: Fields) -> str:
    """The row and the place in it, as in ``"row 2, Mission 1"``."""
    name = "decider" if view["row"] >= view["num_rows"] else f"row {view['row'] + 1}"
    return f"{name}, Mission {view['row_played'] + 1}"


def faith_text(view: Fields, seat: int) -> str:
    """What the viewer knows of a player's Faith."""
    faith = view["faith"][seat]
    return "unknown" if faith is None else FAITH_NAMES[faith]


def shame_count(view: Fields, seat: int) -> int:
    """Shame that counts against a player."""
    return int(view["shame_at"][: view["num_players"]].count(seat) + view["gossip"][seat])


def disciples_text(cards: Cards, view: Fields, seat: int) -> str:
    """Disciples in front of a player."""
    return _counted(disciple_name, cards, view["disciples"][seat]) or "none"


def marks_text(view: Fields, seat: int) -> list[str]:
    """What is special about a player in this round, in words."""
    crisis = view["row_crisis"]
    marks = {
        "Eye": view["eye"] == seat,
        "Hand": view["hand_seat"] == seat,
        "last Hand": view["last_hand"] == seat,
        "kept out": view["barred"] >> seat & 1,
        "Witness": view["witnesses"] >> seat & 1,
        S.TROUBLES[crisis]: crisis != S.NONE and view["row_target"] == seat,
    }
    return [mark for mark, there in marks.items() if there]


def hand_text(cards: Cards, view: Fields, seat: int) -> str:
    """A hand if it is known, else its size."""
    if None in view["hand"][seat]:
        return f"{Count(view['hand_count'][seat]):Virtue}"
    return counts_text(cards, view["hand"][seat])


def mission_text(cards: Cards, view: Fields, number: int) -> str:
    """One Mission turned up: its Virtues, Eye, Hand, and what came of it."""
    viewer = view["viewer"]
    eye, hand = (seat_name(view[f"mission_{who}"][number], viewer) for who in ("eye", "hand"))
    text = f"{pair_text(cards, view['mission_pair'][number])}, Eye {eye}, Hand {hand}"
    result = view["mission_result"][number]
    if result < 0:
        return f"{text}: open"
    placed = [virtue_name(cards, kind) for kind in known(view["mission_placed"][number])]
    text += f": {' and '.join(placed) or 'nothing'} placed, {'success' if result else 'failure'}"
    for pair in known([view["mission_given"][number]]):
        text += f"; given {pair_text(cards, pair)}"
    for who in ("hand", "eye"):
        for pair in known([view[f"{who}_claim"][number]]):
            text += f"; the {who.capitalize()} claims {_claim_text(cards, pair)}"
    return text


def missions_shown(view: Fields) -> int:
    """Missions turned up so far."""
    return int(view["mission"] + (view["hand_seat"] >= 0))


def describe(bound: BoundGame, record: Any) -> str:
    """Tell everything that a View holds, apart from the log, in sentences."""
    cards, view = cards_in(bound), fields_of(record)
    return "\n".join(_sentences(cards, view))


def _sentences(cards: Cards, view: Fields) -> Iterator[str]:
    where = row_text(view)
    yield f"{where[:1].upper()}{where[1:]}; {question(cards, view)}."
    yield f"Tokens: True Believers {view['tokens'][0]}, Defectors {view['tokens'][1]}."
    for number in range(missions_shown(view)):
        yield f"Mission {number + 1}: {mission_text(cards, view, number)}."
    for seat in range(view["num_players"]):
        yield _seat_text(cards, view, seat)
    yield from _talk_texts(view)
    yield from _look_texts(cards, view)
    yield from _table_texts(cards, view)


def _seat_text(cards: Cards, view: Fields, seat: int) -> str:
    marks = marks_text(view, seat)
    used = " (own card played)" if view["shame_at"][seat] != S.OWN and view["shame_on"] else ""
    return (
        f"{_who(seat, view).started()}: {faith_text(view, seat)}; "
        f"holds {hand_text(cards, view, seat)}; Disciples {disciples_text(cards, view, seat)}; "
        f"Shame {shame_count(view, seat)}{used}"
        + (f"; {', '.join(marks)}." if marks else ".")
    )  # fmt: skip


def _who(seat: int, view: Fields) -> Who:
    return seat_name(seat, view["viewer"])


def _talk_texts(view: Fields) -> Iterator[str]:
    """Statements of this round, and how often each was made."""
    for seat, code in enumerate(view["statement"][: view["num_players"]]):
        if code != S.Statement.SILENT:
            said = _statement_text(_who(seat, view), *S.spoken(code), view["viewer"])
            yield f"This round {said}."
    for name, words in (("accused", "accused"), ("vouched", "vouched for")):
        for seat, others in enumerate(view[name]):
            for other, times in enumerate(others):
                if times:
                    has = _who(seat, view).started("has")
                    yield f"{has} {words} {_who(other, view)} {times}×."


def _look_texts(cards: Cards, view: Fields) -> Iterator[str]:
    """Who looked at whose Faith and hand, and what the viewer saw."""
    for seat in range(view["num_players"]):
        for other in range(view["num_players"]):
            if view["faith_seen"][seat] >> other & 1:
                has = _who(other, view).started("has")
                yield f"{has} peeked at {_who(seat, view):'s} Faith."
    for number in range(max(0, view["glimpses"] - S.GLIMPSES), view["glimpses"]):
        place = number % S.GLIMPSES
        by, of = view["glimpse_by"][place], view["glimpse_of"][place]
        who = "Everybody" if by == S.SEATS else _who(by, view).started()
        what = "all" if view["glimpse_whole"][place] else "one of"
        seen = view["glimpse_hand"][place]
        shown = "" if None in seen else f": {counts_text(cards, seen)}"
        whose, after = _who(of, view), Count(view["glimpse_at"][place])
        yield f"{who} saw {what} {whose:'s} Virtues after {after:Mission}{shown}."


def _table_texts(cards: Cards, view: Fields) -> Iterator[str]:
    """Tablet, deck, piles, Crises."""
    gift = [virtue_name(cards, kind) for kind in known(view["gift"])]
    yield f"Tablet: {Count(view['gift_count']):Virtue}" + (
        f", {' and '.join(gift)}." if gift else "."
    )
    discards = counts_text(cards, view["discards"])
    yield f"Deck: {Count(view['deck_size']):Virtue}; discards: {discards}."
    tops = [
        f"{disciple_name(cards, top)} ({size} in the pile)" if top >= 0 else "empty"
        for top, size in zip(view["pile_top"], view["pile_size"], strict=True)
    ]
    yield f"Disciples on the piles: {', '.join(tops)}."
    crises = [crisis_name(cards, name) for name in known(view["crises"])]
    yield f"Crises on the table: {', '.join(crises) or 'none'}."
    effects = [name for name in ("lantern", "apostle") if view[name]]
    if effects:
        yield f"In force this round: {', '.join(effects)}."
    for pair in known([view["next_mission"]]):
        yield f"On top of the Missions: {pair_text(cards, pair)}."
    for place, pair in enumerate(view["under"][: view["under_count"]], 1):
        what = pair_text(cards, pair) if known([pair]) else "a Mission"
        yield f"Under the Missions, {place}: {what}."
    for code in known(view["nominated"]):
        number, target = divmod(code, S.SEATS)
        yield f"Nominated this night: {crisis_name(cards, number)} on {_who(target, view)}."
