"""Mutants of what decides who may know what: ``python -m tests.contract.mutants [game [number]]``.

Each ``view.py`` is changed in one place at a time; the game that comes of it is examined. A change
after which thousands of Views and resampled States are the same bytes as before is none.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from numba.core.errors import NumbaError

from concilium.envs.check.compare import same_rows
from concilium.envs.check.secrecy import determinize_all, view_all
from concilium.envs.check.table import Uniform, play_side_by_side
from concilium.envs.core.compiled import loops
from concilium.envs.core.compiled.cache import CACHE_VARIABLE
from concilium.envs.core.compiled.jit import bind, bind_helper
from concilium.envs.core.game import Game
from concilium.envs.core.state import take_records
from tests.contract.planted import TABLES, apart, found_by, game_called
from tests.toys.faulty_rules import with_fault
from tests.toys.leaks import ByViews
from tests.toys.mutate import Mutant, mutants

NUMBERS: Final = {"hush": 40, "chancellors": 30, "nicaea": 30, "believers": 20}
"""Mutants per game in the long test, as many as take a quarter of an hour together."""
SAME: Final = "same"
BROKEN: Final = "does not compile"
_GAMES: Final = 40  # whose States are compared


def view_module(game: Game) -> Any:
    """The module that decides who may know what."""
    return importlib.import_module(f"{game.package}.view")


def chosen(name: str, number: int, seed: int = 1) -> list[Mutant]:
    """Draw mutants of a game; all if there are not so many."""
    found = mutants(Path(view_module(game_called(name)).__file__).read_text())
    order = np.random.default_rng(seed).permutation(len(found))[:number]
    return [found[k] for k in sorted(order.tolist())]


def mutated(game: Game, mutant: Mutant) -> Game:
    """Return the game with a mutant in the place of its ``view`` and ``determinize``.

    Only what the change reaches is compiled anew: what opens Views, or what resamples.
    """
    os.environ[CACHE_VARIABLE] = os.devnull  # nothing of a mutant is kept
    space: dict[str, Any] = {"__name__": "mutant"}
    exec(compile(mutant.text, "mutant", "exec"), space)
    parts = dict(game.kernels._parts)
    if _reaches(space, "view", mutant.function):
        parts["view"] = space["view"]
        parts["make_view"] = bind_helper(loops.make_view, "mutant", parts)
        entry, compiled = "view_many", bind(loops.view_many, "mutant", parts)
    else:
        parts["determinize"] = space["determinize"]
        entry, compiled = "determinize_many", bind(loops.determinize_many, "mutant", parts)

    class Mutated(ByViews):
        """The sound game but for one entry point."""

    setattr(Mutated, entry, staticmethod(compiled))
    return with_fault(Mutated, game)


def _reaches(space: dict[str, Any], start: str, name: str) -> bool:
    """Whether function ``start`` calls ``name``, directly or not."""
    seen, left = {start}, [start]
    while left:
        code = getattr(space[left.pop()], "py_func", None)
        for called in code.__code__.co_names if code else ():
            if called in space and called not in seen:
                seen.add(called)
                left.append(called)
    return name in seen


def behaves_alike(game: Game, other: Game) -> bool:
    """Whether Views, and States resampled from them, are the same bytes in both games."""
    players, options = TABLES[game.name]
    bound = game.bind(num_players=players, **options)
    states = play_side_by_side(bound, Uniform(0), list(range(_GAMES))).states
    viewers = np.tile([*range(players), -2], len(states))
    states = take_records(states, np.repeat(np.arange(len(states)), players + 1))
    seeds = np.arange(len(states), dtype=np.uint64)
    views = [view_all(each.kernels, states, viewers) for each in (game, other)]
    if not same_rows(*views).all():
        return False
    drawn = [determinize_all(each.kernels, views[0], seeds) for each in (game, other)]
    return bool(same_rows(*drawn).all())


def outcome(game: Game, mutant: Mutant) -> tuple[str, ...]:
    """What finds a mutant: names of properties, or ``SAME`` or ``BROKEN``."""
    try:
        other = mutated(game, mutant)
        if behaves_alike(game, other):
            return (SAME,)
    except NumbaError:
        return (BROKEN,)
    return found_by(other)


def table(name: str, number: int) -> dict[Mutant, tuple[str, ...]]:
    """For each of so many mutants of a game: what finds it, nothing if none does."""
    game = game_called(name)
    assert not found_by(game), "the sound game; everything is compiled by now"
    found = {}
    for mutant in chosen(name, number):
        found[mutant] = apart(lambda mutant=mutant: outcome(game, mutant))  # type: ignore[misc]
        print(f"{name:<12} {', '.join(found[mutant]) or 'NOT FOUND':<60} {mutant}", flush=True)
    return found


def main() -> None:
    """Print the tables, and of each game how many mutants were found."""
    names = sys.argv[1:2] or list(NUMBERS)
    for name in names:
        number = int(sys.argv[2]) if len(sys.argv) > 2 else NUMBERS[name]
        results = table(name, number).values()
        found = [result for result in results if not set(result) & {SAME, BROKEN}]
        print(f"{name}: {sum(map(bool, found))} of {len(found)} mutants that matter are found")


if __name__ == "__main__":
    main()
