"""Events, Views and States as data: declared names, nothing secret, ranges that hold (C14)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from concilium.envs import SPECTATOR, OptionError, get_game
from concilium.envs.chancellors import state as S
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.state import Event, Outcome, Phase, Place
from concilium.envs.core.game import check_state
from concilium.envs.core.state import UNKNOWN, Knows, Records, plain_records

if TYPE_CHECKING:
    from tests.games.chancellors.conftest import Build, Play, Table

SETTINGS: list[dict[str, object]] = [
    {},
    {"excuse": True, "pawns": True, "target_score": 15},
    {"excuse": True, "problems": 5, "calamity": "lowest_wins", "max_turns": 40},
]
HOLDS = {"seat", "winner", "card", "force", "deck", "problem", "quiet", "target", "points", "low",
         "high", "cards", "turns", "outcome"}  # fmt: skip


def course(deal: Build, play: Play, seeds: int = 12) -> Iterator[Table]:
    """Play games of all settings, careful and random; give the table before each decision."""
    rng = np.random.default_rng(5)
    for seed in range(seeds):
        t = deal(2 + seed % 3, seed, **SETTINGS[seed // 3 % len(SETTINGS)])
        while t.running:
            yield t
            t.step(play(t, rng) if seed % 4 else int(rng.choice(sorted(t.legal))))
        yield t


def viewers(t: Table) -> list[int]:
    """Everybody who may look."""
    return [SPECTATOR, *range(t.game.num_players)]


def test_events_of_played_games_are_mappings_of_the_declared_names(
    deal: Build, careful: Play
) -> None:
    told: set[object] = set()
    for t in course(deal, careful):
        events = t.game.event_dicts(t.state)
        assert events == json.loads(json.dumps(events))
        assert len(events) == min(int(t["log_count"]), S.LOG_CAPACITY)
        for event, (kind, *_) in zip(events[-8:], t.events()[-8:], strict=True):
            row = S.EVENTS.rows[kind]
            assert event["event"] == Event(kind).name.lower()
            assert set(event) - {"event"} == {*row.columns, row.seat, row.secret} - {""} <= HOLDS
            assert None not in event.values()  # a State tells everything
            told.add(event["event"])
    assert told == {kind.name.lower() for kind in Event}


def test_a_draw_is_told_to_who_drew_alone(deal: Build, careful: Play) -> None:  # C14
    for number, t in enumerate(course(deal, careful, 6)):
        if number % 9 == 0:
            truth = t.game.event_dicts(t.state)
            for viewer in viewers(t):
                known = [
                    {**event, "card": None}
                    if event["event"] == "draw" and event["seat"] != viewer
                    else event
                    for event in truth
                ]
                assert t.game.event_dicts(t.game.view(t.state, viewer)) == known


def test_secrets_of_a_view_are_none(deal: Build, careful: Play) -> None:  # C14
    for number, t in enumerate(course(deal, careful, 6)):
        if number % 9:
            continue
        for viewer in viewers(t):
            view = t.game.view_dict(t.game.view(t.state, viewer))
            assert view == json.loads(json.dumps(view))
            assert set(view) == set(S.STATE.fields) - {"log"}
            known = [place > Place.DECK or place == viewer for place in t["where"].tolist()]
            assert view["where"] == [
                int(place) if seen else None for seen, place in zip(known, t["where"], strict=True)
            ]
            assert view["deck"] == [None] * NUM_CARDS
            assert view["rng_key"] is None
            assert view["rng_counter"] is None
            for name, field in S.STATE.fields.items():
                if field.knows is Knows.EVERYBODY and name != "viewer":
                    assert view[name] == t[name].tolist(), name


def test_a_resampled_state_tells_its_viewer_the_same(deal: Build, careful: Play) -> None:
    for number, t in enumerate(course(deal, careful, 6)):
        if number % 9 == 0:
            for viewer in viewers(t):
                view = t.game.view(t.state, viewer)
                again = t.game.view(t.game.determinize(view, number), viewer)
                assert t.game.view_dict(again) == t.game.view_dict(view)
                assert t.game.event_dicts(again) == t.game.event_dicts(view)


def test_states_of_played_games_are_sound(deal: Build, careful: Play) -> None:
    for t in course(deal, careful):
        check_state(t.game.game, t.state)


def spoiled(state: Records, **fields: object) -> Records:
    """Return a copy with other values in some fields."""
    found = state.copy()
    for name, value in fields.items():
        plain_records(found)[name] = value
    return found


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"num_players": 5}, "num_players is not from 2 to 4"),
        ({"actor": 2}, "actor is not from -1 to 1"),
        ({"owner": 2}, "owner is not from -1 to 1"),
        ({"turns": 301}, "turns is not from 0 to 300"),
        ({"score": 56}, "score is not from 0 to 55"),
        ({"card_deck": 1}, "card_deck is not from 0 to 0"),
        ({"solve_problem": 3, "phase": Phase.PAYMENT}, "solve_problem is not from -1 to 2"),
        ({"escalating": 3}, "escalating is not from -1 to 2"),
        ({"padding": 1}, "padding is not from 0 to 0"),
        ({"log": 99}, "the log holds events that do not exist"),
        ({"excuse": 1}, "where: the cards in play do not fit"),
        ({"hand_size": 4}, "hand_size or drawn do not fit the cards of seat 0"),
        ({"drawn": UNKNOWN}, "hand_size or drawn do not fit the cards of seat 0"),
        ({"deck_size": 5}, "deck or deck_size do not fit"),
        ({"deck_number": 1}, "a card in the deck is of another one"),
        ({"dice": 0}, "dice are not pairs"),
        ({"dice": (3, 2)}, "dice are not pairs"),
        ({"outcome": Outcome.WON}, "status, actor and outcome do not agree"),
        ({"attempt_force": 0}, "attempt_card and attempt_force do not fit the phase"),
        ({"phase": Phase.BLOCK, "attempt_card": 0, "attempt_force": 0}, "is not on the table"),
        ({"phase": Phase.PAYMENT}, "solve_problem does not fit the phase"),
        ({"phase": Phase.ESCALATION}, "escalating does not fit the phase"),
        ({"actor": 1}, "actor does not fit the phase"),
    ],
)
def test_a_state_that_no_game_has_is_refused(
    table: Build, fields: dict[str, object], fault: str
) -> None:
    state = table(2, hands={0: ["Mill"], 1: ["Author"]}).state
    check_state(get_game("chancellors"), state)
    with pytest.raises(OptionError, match=fault):
        check_state(get_game("chancellors"), spoiled(state, **fields))
