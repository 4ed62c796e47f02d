"""Events and Views as data: names, values that JSON can hold, and nothing that is secret."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from concilium.envs import SPECTATOR
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import BoundGame, check_state
from concilium.envs.core.state import RUNNING, UNKNOWN, Knows, Records
from concilium.envs.nicaea import GAME
from concilium.envs.nicaea.state import EVENTS, LOG_CAPACITY, SEATS, STATE, VALUES, Event
from tests.games.nicaea.players import CHARACTERS, choose

EVERY = 25  # moves between two looks at the table; fewer than the log holds


def positions(bound: BoundGame, seed: int, character: str) -> Iterator[Records]:
    """States of a game, among them the last; the same memory each time."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    moves = 0
    while int(states["status"][0]) == RUNNING:
        if moves % EVERY == 0:
            yield states
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        bound.step(states, choose(legal, character, rng))
        moves += 1
    yield states


def views(bound: BoundGame, states: Records) -> Iterator[Records]:
    """What every seat and a spectator see."""
    for player in (*range(bound.num_players), SPECTATOR):
        yield bound.view(states, player)


@pytest.mark.parametrize("character", CHARACTERS)
def test_events_decode_to_the_declared_names(players: int, character: str) -> None:
    bound = GAME.bind(num_players=players)
    for states in positions(bound, players, character):
        for records in (states, *views(bound, states)):
            events = bound.event_dicts(records)
            assert len(events) == min(int(records["log_count"][0]), LOG_CAPACITY)
            assert json.loads(json.dumps(events)) == events
            for event in events:
                declared = EVENTS.rows[Event[str(event["event"]).upper()]]
                names = ("event", declared.seat, *declared.columns, declared.secret)
                assert list(event) == [name for name in names if name]
                if declared.seat:
                    assert event[declared.seat] in range(players)


def test_every_kind_of_event_happens_and_is_told(players: int) -> None:
    bound = GAME.bind(num_players=players)
    met = set()
    for seed, character in enumerate([*CHARACTERS] * 3):
        for states in positions(bound, seed, character):
            events, texts = bound.event_dicts(states), bound.events(states)
            assert len(events) == len(texts)
            assert "{" not in "".join(texts)
            met |= {event["event"] for event in events}
    assert met >= {kind.name.lower() for kind in Event} - {"named"}  # needs an empty deck


def test_only_owners_are_told_the_values_of_markers(players: int) -> None:
    # N18
    bound = GAME.bind(num_players=players)
    drawn = 0
    for states in (each for seed in range(4) for each in positions(bound, seed, "ally")):
        truth = [e for e in bound.event_dicts(states) if e["event"] == "marker"]
        drawn += len(truth)
        assert all(event["value"] in (4, 5, 6) for event in truth)
        for view in views(bound, states):
            seen = [e for e in bound.event_dicts(view) if e["event"] == "marker"]
            viewer = int(view["viewer"][0])
            assert seen == [
                event if event["seat"] == viewer else {**event, "value": None} for event in truth
            ]
    assert drawn > 0


def test_secrets_of_a_view_are_none(players: int) -> None:
    # N18: the deck's order always, markers of others until the end
    bound = GAME.bind(num_players=players)
    for states in positions(bound, players, "debater"):
        over = int(states["status"][0]) != RUNNING
        for view in views(bound, states):
            told = bound.view_dict(view)
            for field in STATE.fields.values():
                if field.knows is Knows.NOBODY:
                    assert set(np.ravel(np.array(told[field.name], object))) == {None}
            hidden = [None] * VALUES
            markers = states["markers"][0].tolist()
            viewer = told["viewer"]
            assert told["markers"] == [
                markers[seat] if over or seat == viewer else hidden for seat in range(SEATS)
            ]
            supply = states["marker_supply"][0].tolist()
            assert told["marker_supply"] == (supply if over else hidden)


def test_views_are_told_alike_whatever_is_hidden(players: int) -> None:
    bound = GAME.bind(num_players=players)
    for states in positions(bound, players, "ally"):
        for view in views(bound, states):
            told = bound.view_dict(view)
            assert json.loads(json.dumps(told)) == told
            assert set(told) == set(STATE.fields) - {"log"}
            drawn = bound.determinize(view, seed=7)
            again = bound.view(drawn, int(view["viewer"][0]))
            assert bound.view_dict(again) == told
            assert bound.event_dicts(again) == bound.event_dicts(view)


def test_a_whole_state_is_told_without_blanks(players: int) -> None:
    bound = GAME.bind(num_players=players)
    told = bound.view_dict(bound.new_state(players))
    for field in STATE.fields.values():
        if field.knows is not Knows.WITNESSES:
            assert None not in np.ravel(np.array(told[field.name], object)).tolist()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_players", SEATS + 1), ("status", 2), ("constantine", 4), ("token", 3),
        ("display", 40), ("winners", 1 << SEATS), ("price", 51), ("marker_supply", UNKNOWN),
    ],
)  # fmt: skip
def test_numbers_out_of_their_range_are_refused(field: str, value: int) -> None:
    # the house deck has cards 0 to 39 and a track of spaces 0 to 2
    bound = GAME.bind(num_players=4)
    states = bound.new_state(1)
    check_state(GAME, states)
    states[field].flat[0] = value  # of an array the first number
    with pytest.raises(OptionError, match=f"{field} is not from"):
        check_state(GAME, states)


def test_events_that_do_not_exist_are_refused() -> None:
    states = GAME.bind(num_players=4).new_state(1)
    states["log"][0, LOG_CAPACITY - 1, 0] = max(Event) + 1
    with pytest.raises(OptionError, match="events that do not exist"):
        check_state(GAME, states)
