"""Re-running sampled worlds in the interpreter: ``NUMBA_DISABLE_JIT=1 python retrace.py``.

A State that ``determinize`` makes holds a whole log with secrets. Here the rules are run again from
its deal, every decision being the one that the log tells, and every chance the one that the log
tells. All must be legal, the View of the viewer must be the real one at every step, and the State
reached must be the sampled one, byte for byte.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from concilium.envs.believers import GAME, chance, view
from concilium.envs.believers import actions as A
from concilium.envs.believers import state as S
from concilium.envs.core.compiled.log import ACTOR, EVENT, FIRST, SECOND, SECRET, THIRD
from concilium.envs.core.game import BoundGame
from concilium.envs.core.state import SPECTATOR, Records, plain_records

_real_chance = chance.random_index

DRAWN_IN: Mapping[int, int] = {
    S.Event.TURNED_UP: SECOND,
    S.Event.PLACED: FIRST,
    S.Event.DISCARDED: THIRD,
}
"""Column of an event that tells what chance decided, where it is not the secret."""


class Script:
    """The log of a sampled State, as what chance and hidden decisions are to be."""

    def __init__(self, sampled: Any) -> None:
        self.log = sampled["log"]
        self.count = int(sampled["log_count"])
        self.sampled = sampled

    def chance(self, s: Any, weights: Any, total: Any) -> int:
        """The index that makes the next event of the log what it is."""
        event = self.log[int(s.log_count)]
        kind = int(event[EVENT])
        if kind == S.Event.PLACED and len(weights) == S.GIVEN:  # Blindness
            index = [int(k) for k in s.gift].index(int(event[FIRST]))
        else:
            index = int(event[DRAWN_IN.get(kind, SECRET)])
        assert weights[index] > 0, f"event {event} cannot happen"
        assert int(sum(int(w) for w in weights)) == int(total)
        return index

    def gift(self, s: Any) -> int:
        """The Virtue that somebody else gives next."""
        for row in range(int(s.log_count), self.count):
            if self.log[row, EVENT] == S.Event.GAVE:
                pair = int(self.log[row, SECRET])
                kinds = [int(S.PAIR_LOW[pair]), int(S.PAIR_HIGH[pair])]
                if int(s.gift_count) == 1:
                    kinds.remove(int(s.gift[0]))
                return kinds[0]
        return int(self.sampled["gift"][int(s.gift_count)])

    def nomination(self, s: Any) -> int:
        """What the Defector to act nominates, -1 if that is beyond the sampled position."""
        row = int(s.log_count)
        if row >= self.count:
            return -1
        assert self.log[row, EVENT] == S.Event.NOMINATED
        assert self.log[row, ACTOR] == s.actor
        relative = (int(self.log[row, SECOND]) - int(s.actor)) % int(s.num_players)
        return A.NOMINATE + A.OPPONENTS * int(self.log[row, FIRST]) + relative - 1


def play(bound: BoundGame, seed: int, stop: int) -> tuple[list[Records], list[int]]:
    """Play at random; return all States and the actions between them."""
    generator = np.random.default_rng(seed)
    states = [bound.new_state(seed)]
    actions: list[int] = []
    while len(actions) < stop and int(plain_records(states[-1])["status"][0]) == 0:
        legal = np.flatnonzero(bound.legal_actions(states[-1]))
        actions.append(int(generator.choice(legal)))
        states.append(states[-1].copy())
        bound.step(states[-1], actions[-1])
    return states, actions


def start_of(bound: BoundGame, first: Records, script: Script) -> Records:
    """The deal of a sampled world: public things as they were, the hidden ones from its log."""
    start = first.copy()
    plain = plain_records(start)[0]
    n = int(plain["num_players"])
    plain["faith"] = script.sampled["faith"]
    for seat in range(n):
        event = script.log[1 + seat]
        assert event[EVENT] == S.Event.DEALT
        assert event[ACTOR] == seat
        plain["hand"][seat] = S.unpacked(event)
        plain["log"][1 + seat] = event
    plain["deck"] = plain["virtue_copies"] - plain["hand"].sum(axis=0)
    assert (plain["deck"] >= 0).all()
    return start


def retrace(bound: BoundGame, states: list[Records], actions: list[int], viewer: int) -> int:
    """Sample a world from the last State's View and run it again; return the steps taken."""
    sampled = bound.determinize(bound.view(states[-1], viewer), len(actions))
    script = Script(plain_records(sampled)[0])
    state = start_of(bound, states[0], script)
    chance.random_index = script.chance
    awake = viewer >= 0 and int(script.sampled["faith"][viewer]) == S.Faith.DEFECTOR
    steps = 0
    real = 0  # the State of the real game that the viewer cannot tell from the one run again
    try:
        while (
            real < len(actions) or int(state[0].log_count) < script.count or _behind(state, script)
        ):
            phase = int(state[0].phase)
            night = phase == S.Phase.NIGHT and not awake
            if night:
                action = script.nomination(state[0])
                if action < 0:
                    break
            elif phase == S.Phase.GIFT and int(state[0].actor) != viewer:
                action = A.GIVE + script.gift(state[0])
            else:
                action = actions[real]
            assert bound.legal_actions(state)[action] == 1, bound.action_name(action)
            bound.step(state, action)
            steps += 1
            real = _next_real(states, real, night, int(state[0].phase) == S.Phase.NIGHT)
            assert bound.view(state, viewer).tobytes() == bound.view(states[real], viewer).tobytes()
    finally:
        chance.random_index = _real_chance
    one, other = plain_records(state).copy(), plain_records(sampled).copy()
    for name in ("rng_key", "rng_counter", "attempts"):
        one[name] = other[name] = 0
    names = [name for name in one.dtype.names or () if one[name].tobytes() != other[name].tobytes()]
    assert not names, f"{viewer}: the State run again differs in {names}"
    return steps


def _behind(state: Records, script: Script) -> bool:
    """Whether a first gift is still to be put into the tablet."""
    return int(state[0].gift_count) < int(script.sampled["gift_count"])


def _next_real(states: list[Records], real: int, night: bool, still_night: bool) -> int:
    """The real State after the same visible progress: nights are skipped to where they end."""
    if not night:
        real += 1
    elif not still_night:
        while int(plain_records(states[real])["phase"][0]) == S.Phase.NIGHT:
            real += 1
    return real


QUICK: Final[tuple[tuple[int, dict[str, Any], int], ...]] = (
    (5, {"virtue_kinds": 3, "hand_size": 2, "rows": "1-1", "shame": False, "disciples": False,
         "crises": False}, 2),
    (6, {"rows": "2-1", "hand_size": 2}, 1),
)  # fmt: skip
THOROUGH: Final[tuple[tuple[int, dict[str, Any], int], ...]] = (
    (5, {"talk": "claims"}, 3), (6, {}, 3), (7, {}, 3), (8, {"hand_size": 2}, 3), (10, {}, 3),
)  # fmt: skip


def main(tables: tuple[tuple[int, dict[str, Any], int], ...]) -> None:
    """Retrace games at some points, nights among them, and print how many steps that were."""
    for name, value in (("_WALKS", 3), ("_EVENTS", 1)):  # one world is as good as another here
        setattr(view, name, value)
    total = 0
    for number, (players, options, points) in enumerate(tables):
        bound = GAME.bind(num_players=players, **options)
        states, actions = play(bound, number, 1000)
        generator = np.random.default_rng(number)
        stops = generator.choice(np.arange(1, len(actions)), points, replace=False).tolist()
        nights = [
            k for k, s in enumerate(states) if int(plain_records(s)["phase"][0]) == S.Phase.NIGHT
        ]
        for stop in [*stops, *nights[1::7], len(actions)]:
            viewers = [SPECTATOR, *generator.choice(players, 2, replace=False).tolist()]
            for viewer in viewers:
                total += retrace(bound, states[: stop + 1], actions[:stop], viewer)
    print(total)


if __name__ == "__main__":
    main(QUICK if "quick" in sys.argv else THOROUGH)
