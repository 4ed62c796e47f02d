"""Views and events as mappings: all names, nothing that the viewer does not know (B3, B7, B17)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from concilium.envs import SPECTATOR, BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.bot import pick_legal
from concilium.envs.core.compiled.log import EVENT, READERS, SECRET, WITNESSES
from concilium.envs.core.state import RUNNING, Knows, Records, plain_records

PACKED = {
    "dealt": {"virtues"},
    "looked": {"virtues"},
    "shown": {"virtues"},
    "said": {"statements"},
    "placed": {"success", "given"},
    "end": {"defectors"},
}
GAMES = 8  # at each table, enough for every kind of event
LOOKS = 6  # moments of a game


@cache
def played(players: int) -> tuple[BoundGame, tuple[Records, ...]]:
    """States of games by uniform choices, some moments of each and its end."""
    bound = GAME.bind(num_players=players, talk="claims")
    rng = np.random.default_rng(players)
    found: list[Records] = []
    for seed in range(GAMES):
        states = bound.new_state(seed)
        while int(plain_records(states)["status"][0]) == RUNNING:
            at_night = plain_records(states)["phase"][0] == S.Phase.NIGHT
            if at_night or rng.random() < LOOKS / bound.max_game_length:
                found.append(states.copy())
            bound.step(states, int(pick_legal(bound.legal_actions(states)[np.newaxis], rng)[0]))
        found.append(states.copy())
    return bound, tuple(found)


def views(players: int) -> Iterator[tuple[BoundGame, Any, Records, int]]:
    """Each State as a plain record, with the View of every seat and of a spectator."""
    bound, found = played(players)
    for states in found:
        for viewer in (*range(players), SPECTATOR):
            yield bound, plain_records(states)[0], bound.view(states, viewer), viewer


def known_to(masks: Any, viewer: int) -> Any:
    """Whether a viewer is among seats given as bits; a spectator only if it is everybody."""
    return masks == -1 if viewer == SPECTATOR else masks >> viewer & 1 == 1


def blanked(value: Any, blank: int) -> Any:
    """The numbers of a field with None where nothing is known."""
    if isinstance(value, list):
        return [blanked(entry, blank) for entry in value]
    return None if value == blank else value


def test_every_event_has_its_names() -> None:
    met = set()
    for players in range(S.FEWEST_SEATS, S.SEATS + 1):
        bound, found = played(players)
        for states in found:
            events = bound.event_dicts(states)
            assert json.loads(json.dumps(events)) == events
            log = plain_records(states)["log"][0, : len(events)]
            for event, number in zip(events, log[:, EVENT].tolist(), strict=True):
                row = S.EVENTS.rows[number]
                name = S.Event(number).name.lower()
                names = {"event", row.seat, row.secret, *row.columns} - {""}
                assert event["event"] == name
                assert set(event) == names | PACKED.get(name, set())
                met.add(name)
    assert met == {kind.name.lower() for kind in S.Event}


def test_a_viewer_has_the_events_it_knows_of(players: int) -> None:
    # B3, B7, B17: no more of them, no fewer, and secrets are for their readers
    for bound, state, view, viewer in views(players):
        log = state["log"][: int(state["log_count"])]
        expected = []
        for event in log[known_to(log[:, WITNESSES], viewer)]:
            told = S.EVENTS.decode(event)
            secret = S.EVENTS.rows[int(event[EVENT])].secret
            if secret and not known_to(event[READERS], viewer):
                told[secret] = None
            elif secret:
                assert told[secret] == (None if event[SECRET] == -1 else event[SECRET])
            expected.append(told)
        assert bound.event_dicts(view) == expected


def test_a_view_is_a_mapping_without_secrets(players: int) -> None:
    for bound, state, view, viewer in views(players):
        fields = bound.view_dict(view)
        assert json.loads(json.dumps(fields)) == fields
        record = plain_records(view)[0]
        for name, each in S.STATE.fields.items():
            if each.knows is Knows.WITNESSES:
                assert name not in fields
            elif each.knows is Knows.EVERYBODY:
                assert fields[name] == record[name].tolist()
            else:
                assert fields[name] == blanked(record[name].tolist(), each.blank)
        assert fields["deck"] == [None] * S.KINDS
        hands: Any = fields["hand"]
        for seat in range(players):
            own = state["hand"][seat].tolist()
            assert hands[seat] == (own if seat == viewer else [None] * S.KINDS)


def test_nothing_of_a_night_is_told_to_others(players: int) -> None:
    # B17; Defectors see it all
    seen = 0
    for bound, state, view, viewer in views(players):
        if state["phase"] != S.Phase.NIGHT:
            continue
        fields = bound.view_dict(view)
        awake = viewer != SPECTATOR and state["faith"][viewer] == S.Faith.DEFECTOR
        told = (fields["actor"], fields["nominated"], fields["nominations"])
        if awake:
            assert told[0] == state["actor"]
            assert told[1] == blanked(state["nominated"].tolist(), -1)
        else:
            assert told == (None, [None] * S.MOST_DEFECTORS, None)
            assert "nominated" not in {event["event"] for event in bound.event_dicts(view)}
        seen += 1
    assert seen > 0


@pytest.mark.parametrize("viewer", [0, 3, SPECTATOR])
def test_a_resampled_state_tells_the_viewer_the_same(players: int, viewer: int) -> None:
    bound, found = played(players)
    for number, states in enumerate(found[::7]):
        view = bound.view(states, viewer)
        again = bound.view(bound.determinize(view, number), viewer)
        assert bound.view_dict(again) == bound.view_dict(view)
        assert bound.event_dicts(again) == bound.event_dicts(view)
