"""B17: at night nothing that a non-Defector sees depends on what the Defectors do.

Everything that can be seen is compared: View, also as a mapping, observation, mask, kind of
decision, text, drawing, log, rewards and infos of the environment. The same comparison must find
leaks that are put in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import pytest

from concilium.envs import SPECTATOR, BoundGame, OptionError
from concilium.envs.believers import GAME
from concilium.envs.believers import actions as act
from concilium.envs.believers import state as S
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.state import Records, plain_records
from tests.games.believers.tables import DEFECTORS, Table, build_night

Seen: TypeAlias = dict[str, object]
Look: TypeAlias = Callable[[BoundGame, Records, int], Seen]

_envs: dict[str, GameEnv] = {}


def look(bound: BoundGame, states: Records, viewer: int) -> Seen:
    """Everything that a seat or a spectator can see now."""
    view = bound.view(states, viewer)
    seen: Seen = {
        "view": view.tobytes(),
        "observation": bound.encode(view).tobytes(),
        "kind": bound.kind(view),
        "text": bound.describe(view),
        "drawing": bound.render(view),
        "events": bound.events(view),
        "fields": bound.view_dict(view),
        "event fields": bound.event_dicts(view),
        "outcome": GAME.outcome(view).tolist(),
    }
    if viewer == SPECTATOR:
        with pytest.raises(OptionError):
            bound.legal_actions(view)
        return seen
    env = _envs.setdefault(repr(bound), GameEnv(GAME, **dict(bound.options)))  # type: ignore[arg-type]
    env.load_game_state(states)
    agent = env.possible_agents[viewer]
    for name, array in env.observe(agent).items():
        seen[f"env {name}"] = array.tobytes()
    seen["env text"] = env.describe(agent)
    seen["env rewards"] = (env.rewards[agent], env.infos[agent], env.terminations[agent])
    return seen


def nights(players: int, viewer: int, seed: int) -> list[list[Records]]:
    """Nights that a non-Defector cannot tell apart: the States before and in each, by moments.

    Other seats are the Defectors, and they nominate other things; all nights end with the same.
    """
    rng = np.random.default_rng(seed)
    count = DEFECTORS[players]
    others = [seat for seat in range(players) if seat != viewer]
    worlds = list(combinations(others, count))
    found = []
    for k in rng.permutation(len(worlds))[:3]:
        for agreed in (True, False):
            t = build_night(players, defectors=worlds[int(k)])
            moments = []
            while t.kind == "night":
                moments.append(t.state.copy())
                if int(t["nominations"]) == 0 or agreed:
                    nominate_exile(t)
                else:
                    t.step(different(t, rng))
            moments.append(t.state.copy())
            found.append(moments)
    return found


def target_of(t: Table) -> int:
    """Whoever is exiled: seat 0, or 1 where that is a Defector's own wish."""
    return next(seat for seat in range(t.n) if not t["faith"][seat])


def nominate_exile(t: Table) -> None:
    """Nominate what is laid in the end."""
    t.nominate("Exile", target_of(t))


def different(t: Table, rng: np.random.Generator) -> int:
    """A nomination that nobody has made in this night, if all nominate differently."""
    made = {int(x) for x in t["nominated"]}
    free = []
    for action in sorted(t.legal):
        name, k = divmod(action - act.NOMINATE, act.OPPONENTS)
        if S.SEATS * name + t.after(t.actor, k + 1) not in made:
            free.append(action)
    return int(rng.choice(free))


def check_night(players: int, viewer: int, look: Look) -> int:
    """Compare all moments of many nights; return how many were compared.

    Raises:
        AssertionError: something that the viewer sees differs.
    """
    bound = build_night(players).game
    during: list[Seen] = []
    after: dict[int, list[Seen]] = {}
    for moments in nights(players, viewer, seed=players):
        during += [look(bound, states, viewer) for states in moments[:-1]]
        last = plain_records(moments[-1])[0]
        after.setdefault(int(last["row_target"]), []).append(look(bound, moments[-1], viewer))
    for alike in (during, *after.values()):
        for seen in alike[1:]:
            for name, value in seen.items():
                assert value == alike[0][name], name
    assert len(during) == 6 * DEFECTORS[players]
    return len(during) + sum(map(len, after.values()))


def test_non_defectors_see_the_same_all_night(players: int) -> None:
    # B17: which Defector is acting, how many have acted, what they nominated
    for viewer in (0, 4):  # 4 is the next Eye, with whom the night begins
        assert check_night(players, viewer, look) > 2 * DEFECTORS[players]


def test_spectators_see_the_same_all_night(players: int) -> None:
    # B17: no view but a Defector's
    bound = build_night(players).game
    seen = [
        look(bound, states, SPECTATOR)
        for moments in nights(players, 0, seed=1)
        for states in moments[:-1]
    ]
    for other in seen[1:]:
        assert other == seen[0]


def test_nobody_but_defectors_is_seen_to_act(players: int) -> None:
    # B17: the mask is all zeros, the actor unknown, the number of nominations 0
    t = build_night(players)
    defectors = range(players - DEFECTORS[players], players)
    while t.kind == "night":
        for viewer in (*range(players), SPECTATOR):
            view = t.view(viewer)
            if viewer in defectors:
                assert view["actor"] == t.actor
            else:
                assert view["actor"] == -1
                assert view["nominations"] == 0
                assert view["asked"] == t.view(SPECTATOR)["asked"]
        nominate_exile(t)


def test_defectors_see_who_acts_and_what_was_nominated(players: int) -> None:
    # B16, B17: the comparison does find differences where they may be
    t = build_night(players)
    bound, viewer = t.game, players - 1
    before = look(bound, t.state, viewer)
    nominate_exile(t)
    after = look(bound, t.state, viewer)
    for name in ("view", "observation", "events"):
        assert before[name] != after[name], name


Leak: TypeAlias = Callable[[Any, Any], None]


def leak_actor(view: Any, state: Any) -> None:
    """Who is acting."""
    view["actor"] = state["actor"]


def leak_number(view: Any, state: Any) -> None:
    """How many have acted."""
    view["nominations"] = state["nominations"]


def leak_count_of_events(view: Any, state: Any) -> None:
    """A gap in the log."""
    view["log_count"] = state["log_count"]


def leak_nomination(view: Any, state: Any) -> None:
    """What was nominated first."""
    view["nominated"][0] = state["nominated"][0]


def leak_asked(view: Any, state: Any) -> None:
    """A counter that has another name."""
    view["padding"][0] = state["nominations"] % 2


LEAKS: Mapping[str, Leak] = {
    "actor": leak_actor, "number": leak_number, "log": leak_count_of_events,
    "nomination": leak_nomination, "counter": leak_asked,
}  # fmt: skip


@pytest.mark.parametrize("name", LEAKS)
def test_leaks_are_found(name: str) -> None:
    # the same comparison, with something added to the View
    def leaking(bound: BoundGame, states: Records, viewer: int) -> Seen:
        view = bound.view(states, viewer)
        LEAKS[name](plain_records(view)[0], plain_records(states)[0])
        return {"view": view.tobytes()}

    with pytest.raises(AssertionError):
        check_night(7, 0, leaking)


def test_a_text_that_leaks_is_found() -> None:
    # the history of all, numbered
    def leaking(bound: BoundGame, states: Records, viewer: int) -> Seen:
        seen = look(bound, states, viewer)
        return {**seen, "text": f"{seen['text']}, {plain_records(states)['log_count'][0]} events"}

    with pytest.raises(AssertionError, match="text"):
        check_night(7, 0, leaking)


def test_after_the_night_only_the_result_is_known(players: int) -> None:
    # B16, B17: the log of a non-Defector has the Crisis laid and nothing of the nominations
    t = build_night(players)
    before = int(t.view(0)["log_count"])
    while t.kind == "night":
        nominate_exile(t)
    view = t.view(0)
    assert int(view["log_count"]) == before + 1
    assert int(view["log"][before][0]) == S.Event.LAID
    assert set(view["nominated"].tolist()) == {-1}
