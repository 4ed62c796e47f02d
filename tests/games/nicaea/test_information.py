"""Information: hands are public, the deck's order and the values of others' markers are not."""

from __future__ import annotations

import numpy as np
import pytest

from concilium.envs import SPECTATOR
from concilium.envs.core.state import Records
from concilium.envs.nicaea.state import DECK, Event, Phase
from tests.games.nicaea.tables import DEBATE_SPACE, Table, bishop, build, canon

PUBLIC = [
    "ti", "pool", "issued", "where", "face_down", "tableau", "tableau_size", "display", "deck_size",
    "doctrine", "supply", "removed", "token", "settled", "marker_count", "constantine",
    "constantine_space", "passes", "first_passer", "busy", "idle_rounds", "rounds", "phase",
    "actor", "status",
]  # fmt: skip
HELD = {0: "I-A II-B", 1: "I-A I-A", 2: "I-A II-B II-B", 3: "II-B"}
MARKERS = {0: [4, 5], 1: [6, 6], 2: [4, 4, 5], 3: [6]}


def middle_of_a_game(players: int) -> Table:
    """A position with cards everywhere and I and II settled."""
    hands = {seat: [bishop(2), canon(3)] for seat in range(players)}
    down = bishop(3)
    return build(
        players, hands=hands, tableaus={0: [down, canon()], 1: [bishop(4)]}, flipped=[down],
        doctrine=HELD, settled="I-A II-B", markers=MARKERS, ti=[3, 1, 0, 2], pools=[1, 2, 0, 0],
    )  # fmt: skip


def viewers(players: int) -> list[int]:
    """Every seat and a spectator."""
    return [*range(players), SPECTATOR]


def with_other_secrets(t: Table, viewer: int, rng: np.random.Generator) -> Records:
    """The State with another order of the deck and other markers of all but the viewer."""
    state = t.state.copy()
    size = int(state["deck_size"][0])
    state["deck"][0, :size] = rng.permutation(state["deck"][0, :size])
    for seat in range(t.game.num_players):
        if seat != viewer:
            count = int(state["marker_count"][0, seat])
            state["markers"][0, seat] = np.bincount(rng.integers(0, 3, count), minlength=3)
    state["marker_supply"][0] = 10 - state["markers"][0].sum(axis=0)
    return state


def test_public_facts_are_in_every_view(players: int) -> None:
    # N18: hands are among them
    t = middle_of_a_game(players)
    for viewer in viewers(players):
        view = t.game.view(t.state, viewer)
        assert view["viewer"][0] == viewer
        for field in PUBLIC:
            assert (view[field] == t.state[field]).all(), field


def test_everybody_sees_all_hands(players: int) -> None:
    # N18
    t = middle_of_a_game(players)
    for viewer in viewers(players):
        where = t.game.view(t.state, viewer)["where"][0]
        for seat in range(players):
            cards = {t.cards[int(card)] for card in np.flatnonzero(where == seat)}
            assert cards == t.hand(seat)
            assert len(cards) == 2


def test_everybody_sees_which_cards_are_still_in_the_deck(players: int) -> None:
    # N18: by counting; their order nobody knows
    t = middle_of_a_game(players)
    left = set(t.deck)
    for viewer in viewers(players):
        view = t.game.view(t.state, viewer)
        deck = np.flatnonzero(view["where"][0] == DECK)
        assert {t.cards[int(card)] for card in deck} == left
        assert set(view["deck"][0].tolist()) == {-1}


def test_owners_alone_see_the_values_of_their_markers(players: int) -> None:
    # N18
    t = middle_of_a_game(players)
    counts = [[1, 1, 0], [0, 0, 2], [2, 1, 0], [0, 0, 1]]
    for viewer in viewers(players):
        view = t.game.view(t.state, viewer)
        for seat in range(4):
            expected = counts[seat] if seat == viewer else [-1, -1, -1]
            assert view["markers"][0, seat].tolist() == expected
        assert view["marker_supply"][0].tolist() == [-1, -1, -1]
        assert view["marker_count"][0, :4].tolist() == [2, 2, 3, 1]


def test_nothing_else_tells_of_the_secrets(players: int) -> None:
    # N18: another order of the deck and other markers of others look the same
    t = middle_of_a_game(players)
    rng = np.random.default_rng(players)
    for viewer in viewers(players):
        view = t.game.view(t.state, viewer)
        for _ in range(5):
            other = with_other_secrets(t, viewer, rng)
            assert t.game.view(other, viewer).tobytes() == view.tobytes()


def test_owners_see_values_as_they_are_drawn(players: int) -> None:
    # N18, N26: the log tells each owner its own
    t = build(players, doctrine={1: "I-A I-A", 2: "I-A"}, ti=[9])
    t.take(DEBATE_SPACE)
    t.pay_rest()
    t.buy("I-A")
    t.pay_rest()
    truth = t.events(Event.MARKER)
    assert [event[1] for event in truth] == [0, 1, 1, 2]
    assert all(event[5] in (4, 5, 6) for event in truth)
    for viewer in viewers(players):
        seen = Table(t.game, t.game.view(t.state, viewer), {}).events(Event.MARKER)
        expected = [(*event[:5], event[5] if event[1] == viewer else -1) for event in truth]
        assert seen == expected
    for seat in range(3):
        own = [event[5] for event in truth if event[1] == seat]
        view = t.game.view(t.state, seat)
        assert view["markers"][0, seat].tolist() == [own.count(value) for value in (4, 5, 6)]


@pytest.mark.parametrize("idle", [False, True])
def test_markers_are_revealed_at_the_end(players: int, idle: bool) -> None:
    # scoring: each player reveals the markers
    settled = "I-A II-B" if idle else "I-A II-B III-A IV-A V-A"
    t = build(players, doctrine=HELD, markers=MARKERS, settled=settled, idle_rounds=2)
    t.pass_round()
    assert t.over
    for viewer in viewers(players):
        view = t.game.view(t.state, viewer)
        for field in ("markers", "score", "winners"):
            assert (view[field] == t.state[field]).all()


def test_markers_stay_hidden_while_disputes_are_named(players: int) -> None:
    # N30: the namer sees the own ones alone
    t = build(players, deck=[], doctrine=HELD, markers=MARKERS, settled="I-A II-B")
    t.pass_round()
    assert t["phase"] == Phase.NAMING
    view = t.game.view(t.state, t.actor)
    assert view["markers"][0, 0].tolist() == [1, 1, 0]
    assert view["markers"][0, 1].tolist() == [-1, -1, -1]
    t.name("III-B")
    t.name("IV-B")
    assert t.game.view(t.state, 2)["markers"][0, 1].tolist() == [-1, -1, -1]
    t.name("V-B")
    assert t.game.view(t.state, 2)["markers"][0, 1].tolist() == [0, 0, 2]


def test_what_is_legal_follows_from_the_view(players: int) -> None:
    # a mask tells nothing that the player does not know
    t = middle_of_a_game(players)
    view = t.game.view(t.state, t.actor)
    assert (t.game.legal_actions(view) == t.game.legal_actions(t.state)).all()


def test_possible_states_keep_what_is_known(players: int) -> None:
    # N18: hidden markers are drawn from those left, the deck is another order of the same cards
    t = middle_of_a_game(players)
    orders, values = set(), set()
    for k in range(20):
        for viewer in viewers(players):
            view = t.game.view(t.state, viewer)
            drawn = t.game.determinize(view, seed=10 * k + viewer + 2)[0]
            assert drawn["markers"].sum(axis=1).tolist() == t["marker_count"].tolist()
            taken = drawn["markers"].sum(axis=0) + drawn["marker_supply"]
            assert taken.tolist() == [10, 10, 10]
            if viewer >= 0:
                assert (drawn["markers"][viewer] == t["markers"][viewer]).all()
            size = int(t["deck_size"])
            assert sorted(drawn["deck"][:size]) == sorted(t["deck"][:size])
            orders.add(drawn["deck"].tobytes())
            values.add(drawn["markers"].tobytes())
    assert len(orders) == 20 * (players + 1)
    assert len(values) > 20
