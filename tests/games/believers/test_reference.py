"""Whole games move by move against the second statement of the rules in ``reference.py``.

The reference gets the deal and, event by event, what chance decided; legal actions, all fields, all
events with who knows of them, and the result are its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from concilium.envs import BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import EVERYBODY, READERS, SECRET, WITNESSES
from concilium.envs.core.state import RUNNING, TERMINATED, Records, plain_records
from tests.games.believers.players import CHARACTERS, choose
from tests.games.believers.reference import Reference
from tests.games.believers.reference_parts import SPECTATOR, Event, Setup
from tests.games.believers.reference_table import number_of, pair_of
from tests.games.believers.tables import PLAIN

PACKED = (S.Event.DEALT, S.Event.LOOKED, S.Event.SAID, S.Event.SHOWN)
PUBLIC_VALUES = {kind: 3 if row.packed else len(row.columns) for kind, row in S.EVENTS.rows.items()}
"""How many of an event's three public columns mean something."""
ROUND = ("call", "heralding", "statement", "choice", "gift", "placement", "hand_claim", "eye_claim")
ENDINGS = {
    "": S.Ending.OPEN,
    "played out": S.Ending.PLAYED_OUT,
    "early": S.Ending.EARLY,
    "decided": S.Ending.DECIDED,
}


def setup_of(s: Any) -> Setup:
    """What the engine has dealt."""
    n, names = int(s["num_players"]), np.flatnonzero(s["disciple_effect"] >= 0)
    held = s["disciples"][:n]
    return Setup(
        num_players=n,
        rows=[int(length) for length in s["row_length"] if length],
        talk=bool(s["talk"]),
        zero_sum=bool(s["zero_sum"]),
        shame=bool(s["shame_on"]),
        disciples_on=bool(s["disciples_on"]),
        crises_on=bool(s["crises_on"]),
        missions={pair_of(k): int(s["mission_copies"][k]) for k in range(S.PAIRS)},
        effects=[S.EFFECTS[int(s["disciple_effect"][k])] for k in names],
        costs=[int(s["disciple_cost"][k]) for k in names],
        troubles=[S.TROUBLES[int(k)] for k in s["crisis_effect"] if k >= 0],
        faiths=[bool(faith == S.Faith.DEFECTOR) for faith in s["faith"][:n]],
        eye=int(s["turn"]),
        hands=s["hand"][:n].tolist(),
        deck=s["deck"].tolist(),
        disciples=[np.repeat(np.arange(S.DISCIPLES), row).tolist() for row in held],
        tops=[int(top) if top >= 0 else None for top in s["pile_top"]],
        sizes=s["pile_size"].tolist(),
        buried=np.repeat(np.arange(S.DISCIPLES), s["buried"]).tolist(),
        crises=[int(name) for name in s["crises"] if name >= 0],
    )


def padded(numbers: Sequence[int], size: int, fill: int = 0) -> list[int]:
    """``numbers``, filled up to a field's size."""
    return [*numbers, *[fill] * (size - len(numbers))]


def tally(names: Sequence[int | None]) -> list[int]:
    """How often each Disciple is among ``names``."""
    return [list(names).count(name) for name in range(S.DISCIPLES)]


def bits(seats: Any) -> int:
    """Seats as bits, all of them and the spectators as -1."""
    if SPECTATOR in seats:
        return -1
    return sum(1 << seat for seat in seats)


def or_none(number: int | None) -> int:
    """A number, -1 for none."""
    return -1 if number is None else number


def cards_of(model: Reference) -> dict[str, Any]:
    """Fields about cards, as the reference knows them."""
    players = model.players
    nothing = [[0] * 10] * (S.SEATS - model.n)
    shame_at: dict[int | str, int | str] = {"own": S.OWN, "away": S.AWAY}
    held = [tally(player.disciples) for player in players]
    no_disciples = [[0] * S.DISCIPLES] * (S.SEATS - model.n)
    cards = {
        "hand": [player.hand for player in players] + nothing,
        "hand_count": padded([player.held for player in players], S.SEATS),
        "deck": model.deck.cards,
        "deck_size": sum(model.deck.cards),
        "discards": model.deck.discards,
        "finished": model.deck.finished,
        "gift": padded(model.gift, 2, -1),
        "gift_count": len(model.gift),
        "gossip": padded([player.gossip for player in players], S.SEATS),
        "disciples": held + no_disciples,
        "pile_top": [or_none(top) for top in model.piles.tops],
        "pile_size": model.piles.sizes,
        "buried": tally(model.piles.buried),
        "gone": tally(model.gone),
        "crises": [or_none(name) for name in padded(model.crises, 3, -1)],  # type: ignore[arg-type]
        "next_mission": -1 if model.missions.top is None else number_of(model.missions.top[0]),
        "next_seen": 0 if model.missions.top is None else bits(model.missions.top[1]),
        "under_count": len(model.missions.under),
        "under": padded([number_of(p) for p, _ in model.missions.under], S.MOST_UNDER, -1),
        "under_seen": padded([bits(k) for _, k in model.missions.under], S.MOST_UNDER),
    }
    cards["shame_at"] = [shame_at.get(player.shame_card, player.shame_card) for player in players]
    return cards


def course_of(model: Reference) -> dict[str, Any]:
    """Fields about the course of the game, as the reference knows them."""
    crisis, target = model.row_crisis or ("", None)
    course = {
        "mission": model.completed,
        "tokens": model.tokens,
        "row_tokens": model.row_tokens,
        "last_hand": or_none(model.last_hand),
        "row_crisis": S.TROUBLES.index(crisis) if crisis else -1,
        "winner": or_none(model.winner),
        "ending": ENDINGS[model.ending],
        "shamed_now": int(model.shamed),
        "enlisted_now": int(model.enlisted),
        "accused": model.accused,
        "vouched": model.vouched,
        "faith": [int(player.defector) for player in model.players],
        "faith_seen": [bits(seats) for seats in model.faith_seen],
    }
    if target is not None:
        course["row_target"] = target
    kind = model.decision.kind if model.decision else "over"
    if kind != "over":
        course["turn"] = model.turn
    if kind in ROUND:
        course |= {
            "row": model.row,
            "row_played": model.row_played,
            "row_won": model.row_won,
            "eye": model.eye,
            "hand_seat": or_none(model.hand),
            "lantern": int(model.lantern),
            "apostle": int(model.apostle),
            "barred": bits(model.barred),
            "witnesses": bits(set(model.witnesses)),
            "statement": model.statements,
        }
    if kind in ("call", "heralding", "statement"):
        course["asked"] = model.asked
    if kind in ("fasting", "payment"):
        course["due"] = model.due
    if kind == "night":
        made = [S.SEATS * name + seat for name, seat in model.nominations]
        course |= {"nominated": padded(made, S.MOST_DEFECTORS, -1), "nominations": len(made)}
    if kind in ("indoctrination", "payment"):
        course["passed"] = bits(model.passed)
        name, place = model.buying or (-1, -1)
        course |= {"buying": name, "buying_pile": place}
    return course


def history_of(model: Reference) -> dict[str, Any]:
    """Fields about Missions and looks at hands, as the reference knows them."""
    history: dict[str, Any] = {
        "mission_pair": [number_of(m.pair) for m in model.history],
        "mission_row": [m.row for m in model.history],
        "mission_eye": [m.eye for m in model.history],
        "mission_hand": [m.hand for m in model.history],
        "mission_placed": [padded(m.placed, 2, -1) for m in model.history],
        "mission_given": [number_of(m.given) if m.given else -1 for m in model.history],
        "mission_result": [-1 if m.result is None else int(m.result) for m in model.history],
        "given_known": [bits(m.known) for m in model.history],
        "hand_claim": [m.hand_claim for m in model.history],
        "eye_claim": [m.eye_claim for m in model.history],
    }
    latest = model.glimpses[-S.GLIMPSES :]
    first = len(model.glimpses) - len(latest)
    history["glimpses"] = len(model.glimpses)
    for k, glimpse in enumerate(latest, first):
        history[f"glimpse {k % S.GLIMPSES}"] = (
            S.SEATS if glimpse.by == "all" else glimpse.by,
            glimpse.of, glimpse.at, int(glimpse.whole), glimpse.hand,
        )  # fmt: skip
    return history


def field_of(s: Any, name: str, like: Any) -> Any:
    """Value of a field, as long as what it is compared with."""
    if name.startswith("glimpse "):
        k = int(name.split()[1])
        numbers = [int(s[f"glimpse_{part}"][k]) for part in ("by", "of", "at", "whole")]
        return (*numbers, s["glimpse_hand"][k].tolist())
    value = s[name]
    if not value.shape:
        return int(value)
    if name in ("accused", "vouched"):
        return value[: len(like), : len(like)].tolist()
    return value[: len(like)].tolist()


def seats_of(mask: int, n: int) -> frozenset[int | str]:
    """Seats, and the spectators, that a mask names."""
    if mask == EVERYBODY:
        return frozenset([*range(n), SPECTATOR])
    return frozenset(seat for seat in range(n) if mask >> seat & 1)


def check_event(event: Event, row: Any, n: int) -> None:
    """An event of the engine tells what the reference tells, to the same players."""
    found = [int(x) for x in row]
    assert found[:2] == [event.kind, event.who], (event, found)
    if event.kind in PACKED:
        values = S.unpacked(row)
    else:
        values = found[2 : 2 + PUBLIC_VALUES[event.kind]]
        assert found[SECRET] == or_none(event.secret), (event, found)
    assert values == padded(event.values, len(values)), (event, found)
    everybody = frozenset([*range(n), SPECTATOR])
    knowers = everybody if event.knowers is None else event.knowers
    assert seats_of(found[WITNESSES], n) == knowers, (event, found)
    if event.readers is not None:
        assert seats_of(found[READERS], n) == event.readers, (event, found)


def compare(model: Reference, bound: BoundGame, states: Records, told: int) -> None:
    """Everything that the reference knows must be so in the State; ``told`` events were checked."""
    s = plain_records(states)[0]
    for picture in (cards_of(model), course_of(model), history_of(model)):
        for name, expected in picture.items():
            found = field_of(s, name, expected)
            assert found == expected, f"{name}: {found}, expected {expected} ({bound.kind(states)})"
    assert s["mission_result"][len(model.history) :].tolist() == [-1] * (
        S.MOST_MISSIONS - len(model.history)
    )
    assert int(s["log_count"]) == len(model.events), s["log"][len(model.events) - 2 :][:4]
    for place in range(told, len(model.events)):
        check_event(model.events[place], s["log"][place], model.n)
    legal = np.flatnonzero(bound.legal_actions(states)).tolist()
    decision = model.decision
    if decision is None:
        assert (int(s["status"]), int(s["actor"])) == (TERMINATED, -1)
        assert legal == []
        assert bound.returns(states).tolist() == pytest.approx(model.returns)
        return
    assert int(s["status"]) == RUNNING
    assert (int(s["actor"]), bound.kind(states)) == (decision.seat, decision.kind)
    assert legal == sorted(decision.options)
    assert bound.returns(states).tolist() == [0.0] * model.n


def together(*heaps: Sequence[int]) -> list[int]:
    """All Virtues of some heaps."""
    return [sum(counts) for counts in zip(*heaps, strict=True)]


def disturb(model: Reference, s: Any, rng: np.random.Generator) -> None:
    """Change something in both, during Part I, so that rare positions come about."""
    n, deck, discards = model.n, model.deck.cards, model.deck.discards
    what = int(rng.integers(7))
    seat = int(rng.integers(n))
    if what == 0:  # whoever has not, is shamed
        for k in np.flatnonzero(rng.random(n) < 0.8).tolist():
            model.players[k].gossip = 3
            s["gossip"][k] = 3
    elif what == 1:  # the deck is empty
        model.deck.discards = together(deck, discards)
        model.deck.cards = [0] * 10
    elif what == 2:  # there is nothing but finished Missions
        model.deck.finished = together(deck, discards, model.deck.finished)
        model.deck.cards, model.deck.discards = [0] * 10, [0] * 10
    elif what == 3:  # somebody has drawn everything
        hand = model.players[seat].hand
        model.players[seat].hand = together(hand, deck, discards, model.deck.finished)
        model.deck.cards, model.deck.discards = [0] * 10, [0] * 10
        model.deck.finished = [0] * 10
    elif what == 4:  # hands are empty
        for player in model.players:
            if rng.random() < 0.7:
                model.deck.discards = together(player.hand, model.deck.discards)
                player.hand = [0] * 10
    elif what == 5 and model.decision is not None and seat != model.decision.seat:
        trouble = ("exile", "muteness", "blindness")[int(rng.integers(3))]
        model.row_crisis = (trouble, seat)
        s["row_crisis"], s["row_target"] = S.TROUBLES.index(trouble), seat
    elif what == 6:  # doors are kept
        model.barred = set(np.flatnonzero(rng.random(n) < 0.8).tolist())
        s["barred"] = bits(model.barred)
    for k, player in enumerate(model.players):
        s["hand"][k], s["hand_count"][k] = player.hand, player.held
    s["deck"], s["deck_size"] = model.deck.cards, sum(model.deck.cards)
    s["discards"], s["finished"] = model.deck.discards, model.deck.finished


def play(
    bound: BoundGame, seed: int, character: str, seen: Counter[str], disturbed: float = 0.0
) -> Reference:
    """Play a game to its end, comparing after each move; count what happened in ``seen``.

    Args:
        bound: the game.
        seed: of the deal and of the players.
        character: who plays.
        seen: how often what happened, added to.
        disturbed: how often something is changed by hand in Part I.
    """
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    model = Reference(setup_of(s), s["log"])
    compare(model, bound, states, 0)
    moves = 0
    while model.decision is not None:
        seen[model.decision.kind] += 1
        action = choose(sorted(model.decision.options), character, rng, s)
        told = len(model.events)
        if model.decision.kind == "call" and rng.random() < disturbed:
            disturb(model, s, rng)
        # the last rows may change: statements are added to theirs
        bound.step(states, action)
        model.step(action, s["log"])
        compare(model, bound, states, max(0, told - 1))
        moves += 1
        assert moves <= bound.max_game_length
    seen[model.ending] += 1
    seen["extra"] += sum(
        [m.row for m in model.history].count(row) > length
        for row, length in enumerate(model.setup.rows)
    )
    for event in model.events:
        if event.kind == S.Event.ENLISTED:
            seen[model.setup.effects[event.values[0]]] += 1
        elif event.kind == S.Event.LAID:
            kept_off = "kept off " if event.values[2] else ""
            seen[kept_off + model.setup.troubles[event.values[0]]] += 1
        elif event.kind == S.Event.TURNED_UP:
            seen[f"{event.values[2]} bars lifted"] += 1
        elif event.kind == S.Event.DREW:
            seen[f"draw {event.values[0]}"] += 1
        elif event.kind == S.Event.PLACED:
            seen[f"{event.values[2] // 2} given"] += 1
    return model


def play_many(bounds: Sequence[BoundGame], seeds: range, disturbed: float = 0.0) -> Counter[str]:
    """Play with every character in turn; return how often what happened."""
    seen: Counter[str] = Counter()
    names = list(CHARACTERS)
    for seed in seeds:
        play(bounds[seed % len(bounds)], seed, names[seed % len(names)], seen, disturbed)
    return seen


VARIANTS: list[dict[str, Any]] = [
    {"talk": "claims"},
    {"reward": "zero_sum", "hand_size": 1},
    {"shame": False},
    {"disciples": False},
    {"crises": False},
    {"shame": False, "disciples": False, "crises": False, "virtue_kinds": 4, "rows": "2-1"},
    {"rows": (1, 1), "virtue_kinds": 3, "hand_size": 2, "talk": "claims", "shame": False},
    {"rows": (2, 2, 2), "hand_size": 6, "cards": PLAIN},
    {"rows": (4, 4, 2, 3), "hand_size": 3, "cards": PLAIN},
    {"rows": (3,), "cards": PLAIN},
]  # fmt: skip


def test_against_the_reference(players: int) -> None:
    # B1 to B22
    seen = play_many([GAME.bind(num_players=players)], range(12))
    assert all(seen[kind] > 0 for kind in ("call", "choice", "gift", "placement", "night"))


def test_options_against_the_reference(players: int) -> None:
    # B1 to B22 with everything that can be set
    bounds = [GAME.bind(num_players=players, **variant) for variant in VARIANTS]
    seen = play_many(bounds, range(len(VARIANTS)))
    assert seen["statement"] > 0


def test_rare_positions_against_the_reference(players: int) -> None:
    # B9, B10, B13: everybody kept out, empty hands, empty decks
    seen = play_many([GAME.bind(num_players=players)], range(100, 108), disturbed=0.1)
    assert seen["0 given"] > 0
    assert seen["1 bars lifted"] + seen["2 bars lifted"] > 0


@pytest.mark.long
def test_many_games_against_the_reference(players: int) -> None:
    # B1 to B22; every effect, every Crisis, every way to end comes up
    bounds = [GAME.bind(num_players=players)] * 5
    bounds += [GAME.bind(num_players=players, **variant) for variant in VARIANTS]
    seen = play_many(bounds, range(1000, 1750))
    seen += play_many(bounds, range(2000, 2750), disturbed=0.1)
    names = [*S.KINDS_OF_DECISIONS, *S.TROUBLES, "played out", "early", "decided", "extra"]
    names += [effect for effect in S.EFFECTS if effect not in ("guardian", "gleaner")]
    names += [f"{k} given" for k in range(3)] + [f"{k} bars lifted" for k in range(5)]
    names += [f"draw {why}" for why in range(4)]
    assert [name for name in names if not seen[name]] == []
    assert sum(seen[f"kept off {name}"] for name in S.TROUBLES) > 3
