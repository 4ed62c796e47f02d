"""What holds at every moment of every game, whoever plays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import BoundGame
from concilium.envs.core.state import RUNNING, TERMINATED, plain_records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea import actions as act
from concilium.envs.nicaea import state as S
from tests.games.nicaea.players import BLOCKS, CHARACTERS, choose, write_deck


def check_cards(s: Any) -> None:
    """Hands, display, deck and tableaus are all cards; only flipped Bishops lie face-down."""
    n, size = int(s["num_players"]), int(s["num_cards"])
    places = Counter(s["where"].tolist())
    assert places.pop(S.ABSENT, 0) == S.CARDS - size
    assert set(places) <= {*range(n), *(S.TABLEAU + k for k in range(n)), S.DISPLAY, S.DECK}
    assert sum(places.values()) == size
    shown = [card for card in s["display"].tolist() if card >= 0]
    assert places[S.DISPLAY] == len(shown) == len(set(shown))
    deck = s["deck"][: int(s["deck_size"])].tolist()
    assert set(deck) == set(np.flatnonzero(s["where"] == S.DECK).tolist())
    assert len(deck) == len(set(deck))
    for seat in range(n):
        row = s["tableau"][seat][: int(s["tableau_size"][seat])].tolist()
        assert set(row) == set(np.flatnonzero(s["where"] == S.TABLEAU + seat).tolist())
        assert len(row) == len(set(row))
    down = np.flatnonzero(s["face_down"])
    assert ((s["where"][down] >= S.TABLEAU) & (s["where"][down] < S.TABLEAU + n)).all()
    assert (s["partner"][down] >= 0).all()


def check_doctrine(s: Any) -> None:
    """Two of one side at most, never four without a winner, nothing of a losing side."""
    held = s["doctrine"]
    assert (held.min(axis=2) == 0).all()
    assert held.max() <= 2
    in_hands = held.sum(axis=0)
    parts = s["supply"].sum(axis=1) + in_hands.sum(axis=1) + s["removed"]
    assert parts.tolist() == [7] * 5
    for dispute in range(5):
        winner = int(s["settled"][dispute]) - 1
        assert (winner >= 0) == (int(s["token"][dispute]) == -1)
        if winner < 0:
            assert in_hands[dispute].max() <= 3
            assert s["removed"][dispute] == 0
        else:
            assert in_hands[dispute, 1 - winner] == 0
    won = [
        int(sum(held[seat, d].sum() for d in range(5) if s["settled"][d]))
        for seat in range(S.SEATS)
    ]
    assert s["marker_count"].tolist() == won
    assert s["markers"].sum(axis=1).tolist() == won
    assert (s["markers"].sum(axis=0) + s["marker_supply"]).tolist() == [10, 10, 10]


def check_influence(s: Any) -> None:
    """Nothing below zero, all that is out of the supply is somewhere."""
    assert s["ti"].min() >= 0
    assert s["pool"].min() >= 0
    assert s["issued"] == s["ti"].sum() + s["pool"].sum()


def check_turn(s: Any) -> None:
    """Constantine is in one place, the run of passes fits the seats."""
    assert (int(s["constantine"]) >= 0) != (int(s["constantine_space"]) >= 0)
    if s["constantine_space"] >= 0:
        space = int(s["constantine_space"])
        assert s["display"][space] == -1
    if s["phase"] == S.Phase.TURN and s["status"] == RUNNING:
        n, passes = int(s["num_players"]), int(s["passes"])
        assert passes < n
        first = (int(s["actor"]) - passes) % n if passes else -1
        assert s["first_passer"] == first
        for field in ("taking", "playing", "target", "buying", "buying_side"):
            assert s[field] == -1
        assert s["price"] == s["paid"] == 0


def check_question(kind: str, legal: list[int], s: Any) -> None:
    """Nobody is asked where nothing can happen, and of each kind only what belongs to it."""
    names = {BLOCKS[action].replace("own", "play") for action in legal}
    assert legal
    if kind == "turn":
        assert act.PASS in legal
        assert names <= {"pass", "take", "play"}
    elif kind == "payment":
        assert names <= {"flip", "pay_rest"}
        assert s["price"] > s["paid"]
    elif kind == "copy":
        assert names == {"copy"}
        assert len(legal) >= 3
    elif kind == "free_play":
        assert names == {"play", "decline"}
    elif kind == "naming":
        assert names == {"name"}
        assert len(legal) == 2
    else:
        assert kind in ("debate_doctrine", "debate_round")
        assert names == {"buy", "decline"}


def check_end(bound: BoundGame, s: Any, states: Any) -> None:
    """Somebody has won, and the returns say so."""
    assert (int(s["status"]), int(s["actor"])) == (TERMINATED, -1)
    assert s["ending"] in (S.Ending.SETTLED, S.Ending.EXHAUSTED, S.Ending.IDLE)
    n = int(s["num_players"])
    winners = [seat for seat in range(n) if int(s["winners"]) >> seat & 1]
    returns = bound.returns(states)
    assert winners
    assert int(s["winners"]) < 1 << n
    assert returns.sum() == pytest.approx(0.0)
    if len(winners) < n:
        assert [seat for seat in range(n) if returns[seat] > 0] == winners
    if s["schism"]:
        assert len(winners) == 1
        assert s["score"][winners[0]] == s["score"][:n].min()
    else:
        assert {int(s["score"][seat]) for seat in winners} == {int(s["score"][:n].max())}
    assert s["settled"].all() or s["ending"] == S.Ending.IDLE
    assert s["deck_size"] == 0 or s["ending"] != S.Ending.EXHAUSTED


def play(bound: BoundGame, seed: int, character: str) -> int:
    """Play a game to its end and look at everything after each move; return the moves made."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    census = bound.census(states)
    moves = 0
    while int(s["status"]) == RUNNING:
        check_cards(s)
        check_doctrine(s)
        check_influence(s)
        check_turn(s)
        kind = bound.kind(states)
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        check_question(kind, legal, s)
        rounds, tokens = int(s["rounds"]), s["token"].copy()
        bound.step(states, choose(legal, character, rng))
        assert (bound.census(states) == census).all()
        assert ((s["token"] >= tokens) | (s["token"] == -1)).all()
        assert int(s["rounds"]) - rounds in (0, 1)
        if s["status"] != RUNNING:  # the end is tested in a Debate Round alone
            assert kind == "naming" or int(s["rounds"]) == rounds + 1
        moves += 1
        assert moves <= bound.max_game_length
    check_cards(s)
    check_doctrine(s)
    check_influence(s)
    check_end(bound, s, states)
    assert np.flatnonzero(bound.legal_actions(states)).tolist() == []
    assert list(GAME.faults(s)) == []
    return moves


@pytest.mark.parametrize("character", CHARACTERS)
def test_random_games(players: int, character: str) -> None:
    bound = GAME.bind(num_players=players)
    for seed in range(2):
        play(bound, 100 + seed, character)


def test_random_decks(players: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(players)
    for seed, character in enumerate(CHARACTERS):
        figures, canons = int(rng.integers(3, 25)), int(rng.integers(2, 13))
        deck = write_deck(tmp_path / f"{seed}.toml", rng, figures, canons)
        play(GAME.bind(num_players=players, deck=deck), seed, character)


@pytest.mark.long
def test_many_random_games(players: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(10 + players)
    names = list(CHARACTERS)
    for seed in range(400):
        deck: str | Path = "house"
        if seed % 2:
            path = tmp_path / f"{seed}.toml"
            figures, canons = int(rng.integers(3, 25)), int(rng.integers(2, 13))
            deck = write_deck(path, rng, figures, canons, generous=seed % 5 == 0)
        play(GAME.bind(num_players=players, deck=deck), 1000 + seed, names[seed % len(names)])
