"""Who sees what (B1, B3, B7, B10, B11, B16, B17): every field of every View in random games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from concilium.envs import SPECTATOR, BoundGame
from concilium.envs.believers import GAME
from concilium.envs.believers import state as S
from concilium.envs.core.state import RUNNING, plain_records
from tests.games.believers.players import choose
from tests.games.believers.tables import PLAIN

HIDDEN_FROM_ALL = ("rng_key", "rng_counter", "attempts")
PARTLY_HIDDEN = (
    "viewer", "log", "log_count", "actor", "hand", "deck", "faith", "gift", "mission_given",
    "next_mission", "under", "nominated", "nominations", "glimpse_hand",
)  # fmt: skip


def knows(bits: int, viewer: int) -> bool:
    """Whether a viewer is among the seats of a mask; -1 are all, spectators too."""
    return bits == -1 or (viewer >= 0 and bool(bits >> viewer & 1))


def masked(values: Any, may: list[bool]) -> list[Any]:
    """Values, with -1 in place of what may not be known."""
    found: list[Any] = []
    for value, known in zip(values.tolist(), may, strict=True):
        blank = [-1] * len(value) if isinstance(value, list) else -1
        found.append(value if known else blank)
    return found


def faiths_known(s: Any, viewer: int) -> list[bool]:
    """B1: the own Faith, all of them for Defectors, those peeked at; at the end everybody's."""
    n = int(s["num_players"])
    if s["status"] != RUNNING or (viewer >= 0 and s["faith"][viewer] == S.Faith.DEFECTOR):
        return [True] * n
    return [seat == viewer or knows(int(s["faith_seen"][seat]), viewer) for seat in range(n)]


def check_view(view: Any, s: Any, viewer: int) -> None:
    """A View holds everything public, and of what is secret what the viewer may know."""
    n, night = int(s["num_players"]), s["phase"] == S.Phase.NIGHT and s["status"] == RUNNING
    defector = viewer >= 0 and s["faith"][viewer] == S.Faith.DEFECTOR
    for name in s.dtype.names:
        if name not in PARTLY_HIDDEN and name not in HIDDEN_FROM_ALL:
            assert np.array_equal(view[name], s[name]), name
    for name in HIDDEN_FROM_ALL:
        assert view[name] == 0, name
    assert view["viewer"] == viewer
    assert set(view["deck"].tolist()) == {-1}
    assert view["actor"] == (-1 if night and not defector else s["actor"])
    own = [seat == viewer for seat in range(n)]
    assert view["hand"][:n].tolist() == masked(s["hand"][:n], own)
    assert view["faith"][:n].tolist() == masked(s["faith"][:n], faiths_known(s, viewer))
    # B10, B11
    given = [knows(int(bits), viewer) for bits in s["given_known"]]
    assert view["mission_given"].tolist() == masked(s["mission_given"], given)
    in_tablet = viewer >= 0 and (
        viewer == s["hand_seat"]
        or (s["gift_count"] == 2 and viewer == s["eye"])
        or (s["gift_count"] == 2 and bool(s["lantern"]))
    )
    if s["lantern"] and s["gift_count"] == 2:
        in_tablet = True  # shown to all, spectators too
    assert view["gift"].tolist() == masked(s["gift"], [in_tablet] * 2)
    # Heralds
    on_top = int(s["next_mission"]) if knows(int(s["next_seen"]), viewer) else -1
    assert view["next_mission"] == on_top
    under = [knows(int(bits), viewer) for bits in s["under_seen"]]
    assert view["under"].tolist() == masked(s["under"], under)
    # B7: looks at hands
    mine = [int(by) in (viewer, S.SEATS) and int(by) >= 0 for by in s["glimpse_by"]]
    shown = masked(s["glimpse_hand"], mine)
    for k in range(min(int(s["glimpses"]), S.GLIMPSES)):
        assert view["glimpse_hand"][k].tolist() == shown[k]
    # B16, B17
    if night:
        made = int(s["nominations"]) if defector else 0
        assert view["nominations"] == made
        assert view["nominated"].tolist() == masked(s["nominated"], [defector] * 4)


def play(bound: BoundGame, seed: int, character: str) -> Counter[int]:
    """Look at all Views at many moments of a game; return how often each phase came up."""
    rng = np.random.default_rng(seed)
    states = bound.new_state(seed)
    s = plain_records(states)[0]
    visits: Counter[int] = Counter()
    while True:
        phase = int(s["phase"])
        often = phase in (S.Phase.CALL, S.Phase.STATEMENT, S.Phase.INDOCTRINATION, S.Phase.PAYMENT)
        if s["status"] != RUNNING or visits[phase] % (30 if often else 4) == 0:
            for viewer in (*range(bound.num_players), SPECTATOR):
                check_view(plain_records(bound.view(states, viewer))[0], s, viewer)
        if s["status"] != RUNNING:
            return visits
        visits[phase] += 1
        legal = np.flatnonzero(bound.legal_actions(states)).tolist()
        bound.step(states, choose(legal, character, rng, s))


@pytest.mark.parametrize("options", [{}, {"talk": "claims", "cards": PLAIN}])
def test_every_field_of_every_view(players: int, options: dict[str, Any]) -> None:
    bound = GAME.bind(num_players=players, **options)
    visits = play(bound, players, "eager") + play(bound, 10 + players, "sparing")
    for phase in (
        S.Phase.CALL,
        S.Phase.CHOICE,
        S.Phase.GIFT,
        S.Phase.PLACEMENT,
        S.Phase.NIGHT,
        S.Phase.INDOCTRINATION,
    ):
        assert visits[phase] > 0


def test_what_is_legal_follows_from_the_view(players: int) -> None:
    # a mask tells nothing that the player does not know
    bound = GAME.bind(num_players=players, talk="claims")
    rng = np.random.default_rng(players)
    states = bound.new_state(players)
    s = plain_records(states)[0]
    while s["status"] == RUNNING:
        view = bound.view(states, int(s["actor"]))
        mask = bound.legal_actions(states)
        assert (bound.legal_actions(view) == mask).all()
        assert bound.kind(view) == bound.kind(states)
        bound.step(states, choose(np.flatnonzero(mask).tolist(), "eager", rng, s))
