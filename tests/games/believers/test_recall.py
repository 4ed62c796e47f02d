"""Perfect recall: a player's last View tells everything that the player has ever seen.

``historian.py`` tells each game again from the last View before the end; all earlier Views of the
same player must hold the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from concilium.envs import SPECTATOR, BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import READERS, SECRET, WITNESSES
from concilium.envs.core.state import RUNNING, plain_records
from tests.games.believers.historian import Historian
from tests.games.believers.players import choose

PLAIN_FIELDS = (
    "hand_count", "deck_size", "discards", "finished", "shame_at", "gossip", "tokens",
    "row_tokens", "accused", "vouched", "faith_seen", "glimpses", "disciples", "gone", "pile_top",
    "pile_size", "buried",
)  # fmt: skip
BEFORE_THE_HAND = (S.Phase.CALL, S.Phase.HERALDING, S.Phase.STATEMENT, S.Phase.CHOICE)
AFTER_THE_HAND = (S.Phase.GIFT, S.Phase.PLACEMENT, S.Phase.HAND_CLAIM, S.Phase.EYE_CLAIM)


def views_of_a_game(
    bound: BoundGame, seed: int, character: str, viewers: Sequence[int]
) -> list[list[Any]]:
    """Views of each viewer at all moments while the game runs."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    views: list[list[Any]] = [[] for _ in viewers]
    while int(s["status"]) == RUNNING:
        for seen, viewer in zip(views, viewers, strict=True):
            seen.append(plain_records(bound.view(states, viewer))[0].copy())
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        bound.step(states, choose(legal, character, rng, s))
    return views


def one_of_each(bound: BoundGame, seed: int) -> tuple[int, int, int]:
    """A True Believer, a Defector and the spectator of a deal."""
    faith = plain_records(bound.new_state(seed))["faith"][0, : bound.num_players].tolist()
    return faith.index(S.Faith.BELIEVER), faith.index(S.Faith.DEFECTOR), SPECTATOR


def check_log_grows(views: list[Any]) -> None:
    """Each log begins like the one before; statements may be added to its last row."""
    for earlier, later in pairwise(views):
        count = int(earlier["log_count"])
        assert later["log_count"] >= count
        if count == 0:
            continue
        same = (earlier["log"][: count - 1] == later["log"][: count - 1]).all()
        assert same
        one, other = earlier["log"][count - 1], later["log"][count - 1]
        if one[0] == S.Event.SAID:
            assert other[0] == S.Event.SAID
            said = S.unpacked(one)
            assert all(x in (0, y) for x, y in zip(said, S.unpacked(other), strict=True))
        else:
            assert one.tolist() == other.tolist()


def check_view(view: Any, story: Historian, viewer: int) -> None:
    """What a View holds is what the story tells at this place."""
    known, n, phase = story.known, story.n, int(view["phase"])
    expected = {name: np.array(known[name]) for name in PLAIN_FIELDS}
    expected["shame_at"] = expected["shame_at"][:n]
    giving = phase == S.Phase.GIFT and int(view["gift_count"]) == 1
    if giving:  # one Virtue is in the tablet, which is not told yet
        expected["hand_count"][int(view["hand_seat"])] -= 1
    for name, value in expected.items():
        found = view[name] if name != "shame_at" else view[name][:n]
        assert np.array_equal(found, value), name
    assert set(view["crises"].tolist()) - {-1} == known["crises"]
    if viewer != SPECTATOR:
        own = known["own_hand"].copy()
        if giving and viewer == int(view["hand_seat"]):
            own[int(view["gift"][0])] -= 1
        assert view["hand"][viewer].tolist() == own.tolist()
    check_missions(view, story)
    for k in range(max(0, len(story.glimpses) - S.GLIMPSES), len(story.glimpses)):
        place = k % S.GLIMPSES
        by, of, at, whole, hand = story.glimpses[k]
        fields = [int(view[f"glimpse_{x}"][place]) for x in ("by", "of", "at", "whole")]
        assert fields == [by, of, at, whole]
        assert view["glimpse_hand"][place].tolist() == list(hand)
    for seat, faith in story.faiths.items():
        assert view["faith"][seat] == faith
    check_round(view, story, phase)


def check_missions(view: Any, story: Historian) -> None:
    """The table of Missions."""
    for number, mission in enumerate(story.missions):
        for name, value in mission.items():
            field = name if name.endswith("claim") else f"mission_{name}"
            assert view[field][number] == value, (field, number)
    assert view["mission_pair"][len(story.missions) :].tolist() == [-1] * (
        S.MOST_MISSIONS - len(story.missions)
    )


def check_round(view: Any, story: Historian, phase: int) -> None:
    """What was enlisted for this round."""
    if phase in BEFORE_THE_HAND:
        used = story.enlisted
    elif phase in AFTER_THE_HAND:
        used = story.enlisted_before
    else:
        return
    doors = {target for effect, _, target in used if effect == S.Effect.DOORKEEPER}
    witnesses = {who for effect, who, _ in used if effect == S.Effect.WITNESS}
    assert int(view["barred"]) == sum(1 << seat for seat in doors)
    assert int(view["witnesses"]) == sum(1 << seat for seat in witnesses)
    assert view["lantern"] == any(effect == S.Effect.LANTERN for effect, _, _ in used)
    assert view["apostle"] == any(effect == S.Effect.APOSTLE for effect, _, _ in used)


def check_recall(views: list[Any], viewer: int) -> None:
    """Tell the game again from the last View and compare all Views with the story."""
    story = Historian(views[-1], viewer)
    told = 0
    for view in views:
        if int(view["phase"]) == S.Phase.STATEMENT:
            continue  # the last row of the log is not complete
        for row in story.log[told : int(view["log_count"])]:
            story.tell(row)
            told += 1
        check_view(view, story, viewer)


@pytest.mark.parametrize("talk", ["none", "claims"])
def test_views_tell_everything_ever_seen(players: int, talk: str) -> None:
    # perfect recall, for a believer, a Defector and a spectator, whoever plays
    bound = GAME.bind(num_players=players, talk=talk)
    for seed, character in enumerate(("uniform", "eager", "hostile")):
        viewers = one_of_each(bound, seed)
        for viewer, views in zip(
            viewers, views_of_a_game(bound, seed, character, viewers), strict=True
        ):
            check_log_grows(views)
            check_recall(views, viewer)


def test_a_log_that_forgets_is_found() -> None:
    # the same comparison, with one event of the last View missing
    bound = GAME.bind(num_players=5)
    (viewer, *_) = one_of_each(bound, 1)
    (views,) = views_of_a_game(bound, 1, "eager", [viewer])
    check_recall(views, viewer)
    count = int(views[-1]["log_count"])
    kinds = [int(row[0]) for row in views[-1]["log"][:count]]
    for kind in (
        S.Event.SHAMED,
        S.Event.ENLISTED,
        S.Event.DREW,
        S.Event.DISCARDED,
        S.Event.BOUGHT,
        S.Event.PLACED,
        S.Event.GAVE,
    ):
        forgetful = views[-1].copy()
        log, place = forgetful["log"], kinds.index(kind)
        log[place : count - 1] = log[place + 1 : count].copy()
        with pytest.raises((AssertionError, IndexError)):
            check_recall([*views[:-1], forgetful], viewer)


def test_defectors_remember_all_nominations(players: int) -> None:
    # B16: those seen at night are in the log of the last View
    bound = GAME.bind(num_players=players)
    for seed in range(2):
        viewer = one_of_each(bound, seed)[1]
        (views,) = views_of_a_game(bound, seed, "idle", [viewer])
        rows = views[-1]["log"][: int(views[-1]["log_count"])]
        kept = [S.SEATS * int(row[2]) + int(row[3]) for row in rows if row[0] == S.Event.NOMINATED]
        count = int(np.count_nonzero(views[-1]["faith"][:players]))
        seen = [
            int(view["nominated"][int(view["nominations"]) - 1])
            for view in views
            if view["phase"] == S.Phase.NIGHT and view["nominations"]
        ]
        # the last nomination of a night ends it: the log alone tells it
        assert seen == [number for k, number in enumerate(kept) if k % count < count - 1]
        assert len(seen) >= count - 1


def test_secrets_in_the_log_are_those_one_may_know(players: int) -> None:
    # B3, B7: columns for readers and witnesses tell nothing that is not public
    bound = GAME.bind(num_players=players)
    states = bound.new_state(3)
    rng = np.random.default_rng(3)
    s = plain_records(states)[0]
    while int(s["status"]) == RUNNING:
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        bound.step(states, choose(legal, "eager", rng, s))
    truth = s["log"][: int(s["log_count"])]
    for viewer in (*range(players), SPECTATOR):
        bit = 1 << viewer if viewer >= 0 else 1 << 15
        view = plain_records(bound.view(states, viewer))[0]
        rows = view["log"][: int(view["log_count"])]
        may = [row for row in truth if int(row[WITNESSES]) & bit]
        assert len(rows) == len(may)
        assert (view["log"][len(rows) :] == 0).all()
        for row, real in zip(rows, may, strict=True):
            assert row[:SECRET].tolist() == real[:SECRET].tolist()
            assert row[SECRET] == (real[SECRET] if int(real[READERS]) & bit else -1)
