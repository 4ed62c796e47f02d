"""Mutants of what decides who may know what: ``python -m tests.contract.mutants [game [number]]``.

Each ``view.py`` is changed in one place at a time; the game that comes of it is examined. A change
after which thousands of Views and resampled States are the same bytes as before is none.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numba.core.errors import NumbaError

from concilium.envs.check.batch import determinize_all, view_all
from concilium.envs.check.compare import same_rows
from concilium.envs.check.table import play_side_by_side
from concilium.envs.core.bot import UniformBot
from concilium.envs.core.compiled import loops
from concilium.envs.core.compiled.cache import CACHE_VARIABLE
from concilium.envs.core.compiled.jit import bind, bind_helper
from concilium.envs.core.game import Game
from concilium.envs.core.state import SPECTATOR, take_records
from tests.contract.planted import (
    ENDLESS,
    RAISED,
    TABLES,
    apart,
    found_by,
    game_called,
    missed,
    players_of,
)
from tests.toys.faulty_rules import with_fault
from tests.toys.leaks import ByViews
from tests.toys.mutate import Mutant, mutants

NUMBERS: Final = {"hush": 40, "chancellors": 30, "nicaea": 12, "believers": 12}
"""Mutants per game in the long test, drawn by lot."""
SAME: Final = "same behaviour"
BROKEN: Final = "does not compile"
FOUND: Final = "found"
EXPLAINED: Final = "explained"
MISSED: Final = "MISSED"
REASONS: Final[dict[str, dict[str, str]]] = {
    "hush": {
        "_make_up_looks: seat + below(s, n) -> seat - below(s, n)": (
            "targets are drawn uniformly around the table, in whichever direction"
        ),
    },
    "chancellors": {
        "_fill_draws: total - 1 -> total + 1": (
            "of a log that has forgotten events, the two oldest rows of 64 are taken for the "
            "latest: now and then a draw is given another card, too rarely to be seen"
        ),
    },
}
"""Why a mutant that behaves in another way is not found, by game and change."""
_GAMES: Final = 40  # whose States are compared
_TOGETHER: Final = 8


def view_module(game: Game) -> Any:
    """The module that decides who may know what."""
    return importlib.import_module(f"{game.package}.view")


def chosen(name: str, number: int, seed: int = 1) -> list[Mutant]:
    """Draw mutants of a game; all if there are not so many."""
    found = mutants(Path(view_module(game_called(name)).__file__).read_text())
    return [found[k] for k in np.random.default_rng(seed).permutation(len(found))[:number]]


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
    bots = [UniformBot(game, 0), *players_of(game)]
    for number, seeds in enumerate(np.arange(_GAMES).reshape(-1, _TOGETHER).tolist()):
        states = play_side_by_side(bound, bots[number % len(bots)], seeds).states
        viewers = np.tile([*range(players), SPECTATOR], len(states))
        states = take_records(states, np.repeat(np.arange(len(states)), players + 1))
        views = [view_all(each.kernels, states, viewers) for each in (game, other)]
        if not same_rows(*views).all():
            return False
        drawn_by = np.arange(len(states), dtype=np.uint64)
        drawn = [determinize_all(each.kernels, views[0], drawn_by) for each in (game, other)]
        if not same_rows(*drawn).all():
            return False
    return True


def outcome(game: Game, mutant: Mutant) -> tuple[str, ...]:
    """What finds a mutant: names of properties, or ``SAME``, ``BROKEN`` or one of ``NOT_FOUND``."""
    other = mutated(game, mutant)
    try:
        if behaves_alike(game, other):
            return (SAME,)
    except NumbaError:
        return (BROKEN,)
    except Exception:  # of the mutant's compiled code; whether a property fails is seen next
        return found_by(other)
    return found_by(other)


def judged(name: str, mutant: Mutant, found: tuple[str, ...]) -> str:
    """In a word what became of a mutant; what merely raises or does not end is not found."""
    if found in ((SAME,), (BROKEN,), (RAISED,), (ENDLESS,)):
        return found[0]
    if not missed(found):
        return FOUND
    return EXPLAINED if f"{mutant.function}: {mutant.change}" in REASONS.get(name, {}) else MISSED


def table(name: str, number: int) -> Iterator[tuple[Mutant, tuple[str, ...]]]:
    """For each of so many mutants of a game, in an order drawn by lot: what finds it."""
    game = game_called(name)
    assert not found_by(game), "the sound game; everything is compiled by now"
    for mutant in chosen(name, number):
        yield mutant, apart(lambda mutant=mutant: outcome(game, mutant))  # type: ignore[misc]


def main() -> None:
    """Print the tables, and of each game how many mutants were found."""
    for name in sys.argv[1:2] or list(NUMBERS):
        number = int(sys.argv[2]) if len(sys.argv) > 2 else NUMBERS[name]
        count: Counter[str] = Counter()
        for mutant, found in table(name, number):
            what = judged(name, mutant, found)
            count[what] += 1
            print(f"{name:<12} {what:<18} {', '.join(found) or '-':<60} {mutant}", flush=True)
        print(f"{name}: {', '.join(f'{number} {what}' for what, number in count.items())}")


if __name__ == "__main__":
    main()
