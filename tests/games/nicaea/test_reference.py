"""Whole games move by move against the second statement of the rules in ``reference.py``.

The reference gets the deal and, as they are drawn, the values of the Victory Point markers; legal
actions, all that is public, points and results are its own.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import BoundGame
from concilium.envs.core.state import RUNNING, TERMINATED, Records, plain_records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import state as S
from tests.games.nicaea.players import CHARACTERS, choose, write_deck
from tests.games.nicaea.reference import DISPUTES, Card, Reference, Track

ENDINGS = {"settled": S.Ending.SETTLED, "deck": S.Ending.EXHAUSTED, "idle": S.Ending.IDLE}


def reference_of(s: Any) -> Reference:
    """The reference at the beginning of a game that the engine has dealt."""
    spaces = int(s["track_spaces"])
    cards = [
        Card(
            number=k,
            suit=int(s["suit"][k]),
            cost=int(s["cost"][k]),
            bonus=int(s["bonus"][k]),
            disputes=frozenset(d for d in DISPUTES if int(s["icons"][k]) >> d & 1),
            partner=int(s["partner"][k]) if s["partner"][k] >= 0 else None,
        )
        for k in range(int(s["num_cards"]))
    ]
    track = Track(
        base=s["track_base"][:spaces].tolist(),
        contrarian=s["track_contrarian"][:spaces].tolist(),
        refresh=[Fraction(int(halves), 2) for halves in s["track_refresh"][:spaces]],
    )
    held = np.argwhere(s["doctrine"][: int(s["num_players"])] == 1).tolist()
    assert [seat for seat, _, _ in held] == list(range(int(s["num_players"])))
    dealt = [(dispute, "AB"[side]) for _, dispute, side in held]
    deck = s["deck"][: int(s["deck_size"])].tolist()
    order = s["display"].tolist() + deck[::-1]
    return Reference(cards, order, track, dealt, int(s["constantine"]))


def padded(numbers: list[int], size: int, fill: int = 0) -> list[int]:
    """``numbers``, filled up to a field's size."""
    return numbers + [fill] * (size - len(numbers))


def number(card: Card | None) -> int:
    """A card's number, -1 for none."""
    return -1 if card is None else card.number


def cards_of(model: Reference) -> dict[str, Any]:
    """Fields about cards, as the reference knows them."""
    where = [S.ABSENT] * S.CARDS
    face_down = [0] * S.CARDS
    for seat, player in enumerate(model.players):
        for card in player.hand:
            where[card.number] = seat
        for card in player.tableau:
            where[card.number] = S.TABLEAU + seat
            face_down[card.number] = int(card in player.face_down)
    for shown in model.display:
        if shown is not None:
            where[shown.number] = S.DISPLAY
    for card in model.deck:
        where[card.number] = S.DECK
    rows = [[card.number for card in player.tableau] for player in model.players]
    return {
        "where": where,
        "face_down": face_down if not model.ending else None,
        "tableau": [padded(row, S.CARDS, -1) for row in padded_rows(rows)],
        "tableau_size": padded([len(row) for row in rows], S.SEATS),
        "display": [number(card) for card in model.display],
        "deck_size": len(model.deck),
        "deck": padded([card.number for card in reversed(model.deck)], S.CARDS, -1),
    }


def padded_rows(rows: list[list[int]]) -> list[list[int]]:
    """Rows for all six seats."""
    return rows + [[]] * (S.SEATS - len(rows))


def influence_of(model: Reference) -> dict[str, Any]:
    """Fields about Influence, markers and points, as the reference knows them."""
    players = model.players
    held = [player.influence for player in players]
    counts = [[player.markers.count(value) for value in (4, 5, 6)] for player in players]
    return {
        "ti": padded(held, S.SEATS),
        "pool": model.pools,
        "issued": sum(held) + sum(model.pools),
        "marker_count": padded([len(player.markers) for player in players], S.SEATS),
        "markers": counts + [[0, 0, 0]] * (S.SEATS - len(players)),
        "marker_supply": [10 - sum(row[k] for row in counts) for k in range(3)],
        "score": padded([player.score for player in players], S.SEATS),
        "winners": sum(1 << seat for seat in model.winners),
        "schism": int(model.schism),
        "rounds": model.rounds,
        "idle_rounds": model.idle_rounds,
    }


def doctrine_of(model: Reference) -> dict[str, Any]:
    """Fields about doctrine and the turn, as the reference knows them."""
    held = [
        [[letters.count(side) for side in "AB"] for letters in player.doctrine]
        for player in model.players
    ]
    nothing = [[0, 0]] * S.DISPUTES
    side, dispute = -1, -1
    if model.buying is not None:
        dispute, letter = model.buying
        side = "AB".index(letter)
    settled = [" AB".index(letter or " ") for letter in model.winner]
    return {
        "doctrine": held + [nothing] * (S.SEATS - len(held)),
        "supply": [[pile["A"], pile["B"], pile["AB"]] for pile in model.supply],
        "removed": model.box,
        "settled": settled,
        "token": [-1 if model.winner[d] else model.token[d] for d in DISPUTES],
        "constantine": -1 if model.holder is None else model.holder,
        "constantine_space": -1 if model.marked is None else model.marked,
        "taking": number(model.taking),
        "playing": number(model.playing),
        "target": -1 if model.target is None else model.target,
        "buying": dispute,
        "buying_side": side,
        "price": model.price,
        "paid": sum(card.cost for card in model.flipped),
        "lowest_flip": min((card.cost for card in model.flipped), default=0),
    }


def compare(model: Reference, bound: BoundGame, states: Records) -> None:
    """Everything that the reference knows must be so in the State."""
    s = plain_records(states)[0]
    for picture in (cards_of(model), influence_of(model), doctrine_of(model)):
        for name, value in picture.items():
            if value is not None:
                assert s[name].tolist() == value, name
    decision = model.decision
    legal = np.flatnonzero(bound.legal_actions(states)).tolist()
    if decision is None:
        assert (int(s["status"]), int(s["actor"])) == (TERMINATED, -1)
        assert s["ending"] == ENDINGS[model.ending]
        assert legal == []
        assert bound.returns(states).tolist() == pytest.approx(model.returns)
        return
    assert int(s["status"]) == RUNNING
    assert (int(s["actor"]), bound.kind(states)) == (decision.seat, decision.kind)
    assert legal == sorted(decision.options)
    assert s["asked"] == model.asked
    if decision.kind != "naming":
        assert s["passes"] == len(model.passers)
        assert s["first_passer"] == (model.passers[0] if model.passers else -1)
    if decision.kind == "turn":
        assert s["busy"] == model.busy


def play(bound: BoundGame, seed: int, character: str) -> Reference:
    """Play a game to its end, comparing after each move; return the reference."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    model = reference_of(s)
    compare(model, bound, states)
    moves = 0
    while model.decision is not None:
        action = choose(sorted(model.decision.options), character, rng)
        seen = int(s["log_count"])
        bound.step(states, action)
        fresh = range(max(seen, int(s["log_count"]) - S.LOG_CAPACITY), int(s["log_count"]))
        news = [s["log"][k % S.LOG_CAPACITY].tolist() for k in fresh]
        model.draws = [(event[1], event[5]) for event in news if event[0] == S.Event.MARKER]
        model.step(action)
        assert model.draws == []
        compare(model, bound, states)
        moves += 1
        assert moves <= bound.max_game_length
    return model


def play_many(bounds: list[BoundGame], seeds: range) -> Counter[str]:
    """Play with every character in turn; return how often what happened."""
    seen: Counter[str] = Counter()
    names = list(CHARACTERS)
    for seed in seeds:
        model = play(bounds[seed % len(bounds)], seed, names[seed % len(names)])
        seen[model.ending] += 1
        seen["schism"] += model.schism
        seen["shared"] += len(model.winners) > 1
        seen["won"] += sum(map(bool, model.winner))
        seen["removed"] += sum(model.box)
    return seen


def test_against_the_reference(players: int) -> None:
    # N1 to N33
    seen = play_many([GAME.bind(num_players=players)], range(21))
    assert seen["deck"] > 0
    assert seen["idle"] > 0
    assert seen["removed"] > 0


def test_other_decks_against_the_reference(players: int, tmp_path: Path) -> None:
    # N1 to N33 with other cards and tracks, short tracks, and decks that are soon empty
    rng = np.random.default_rng(players)
    sizes = [(3, 2), (5, 3), (10, 5), (4, 12), (22, 8), (30, 0)]
    decks = [
        write_deck(tmp_path / f"{k}.toml", rng, figures, canons)
        for k, (figures, canons) in enumerate(sizes)
    ]
    seen = play_many([GAME.bind(num_players=players, deck=deck) for deck in decks], range(14))
    assert seen["removed"] > 0


def test_generous_decks_against_the_reference(players: int, tmp_path: Path) -> None:
    # N29: all five disputes are settled while there are cards
    deck = write_deck(tmp_path / "deck.toml", np.random.default_rng(1), 24, 12, generous=True)
    bound = GAME.bind(num_players=players, deck=deck)
    seen = Counter(play(bound, seed, "ally").ending for seed in range(4))
    assert seen["settled"] > 0


@pytest.mark.long
def test_many_games_against_the_reference(players: int, tmp_path: Path) -> None:
    # N1 to N33
    rng = np.random.default_rng(1000 + players)
    bounds = [GAME.bind(num_players=players)] * 5
    for k in range(25):
        figures, canons = int(rng.integers(3, 25)), int(rng.integers(2, 13))
        path = tmp_path / f"{k}.toml"
        deck = write_deck(path, rng, figures, canons, generous=k % 5 == 0)
        bounds.append(GAME.bind(num_players=players, deck=deck))
    seen = play_many(bounds, range(1000, 1700))
    assert all(seen[what] > 0 for what in ("settled", "deck", "idle", "schism", "shared"))
