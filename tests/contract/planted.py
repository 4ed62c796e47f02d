"""Leaks planted in every game, and what finds them: ``python -m tests.contract.planted [game]``."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final

from concilium.envs import get_game
from concilium.envs.check import check_game
from concilium.envs.core.bot import Actor
from concilium.envs.core.game import Game
from tests.contract.test_nicaea import players as nicaea_players
from tests.toys.hush import HUSH
from tests.toys.leaks import leaks

SECRECY: Final = (
    "round_trip", "legal_from_view", "encoding_from_view", "visible_events", "no_generator",
    "shown_is_true", "opened_is_told", "resampled_varies", "resampled_playable",
    "shown_and_hidden",
)  # fmt: skip
"""The properties about hidden information that are examined on records."""
TABLES: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "hush": (3, {}),
    "chancellors": (3, {"excuse": True, "pawns": True}),  # all cards
    "nicaea": (4, {}),
    "believers": (9, {"rows": "1-1-1-1"}),  # many nights, with several nominations
}
"""For each game, how many players with which options."""
CRASH: Final = "crash"
"""Brought down by a signal, as by writing out of bounds: that cannot be overlooked."""
RAISED: Final = "raises"
ENDLESS: Final = "does not end"
NOT_FOUND: Final = frozenset({RAISED, ENDLESS})
"""Outcomes that are seen and yet are not a property that fails."""
_PAIRS: Final = (1000, 8000)  # more are tried where few find nothing
_SECONDS: Final = 150  # for one variant
_SIGNALS: Final = (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGABRT)


def game_called(name: str) -> Game:
    """A game by name, the toy included."""
    return HUSH if name == "hush" else get_game(name)


def players_of(game: Game) -> list[Actor]:
    """Bots without whom some things of a game are never seen."""
    return [*nicaea_players()] if game.name == "nicaea" else []


def found_by(game: Game, seed: int = 0) -> tuple[str, ...]:
    """Names of the properties that a game lacks, of those about hidden information.

    Where nothing but exceptions ended the examination, that is ``RAISED``: nothing was shown.
    """
    players, options = TABLES[game.name]
    for pairs in _PAIRS:
        report = check_game(
            game, options=options, num_players=[players], games=4, pairs=pairs, seed=seed,
            process=False, properties=SECRECY, bots=players_of(game),
        )  # fmt: skip
        if not report.ok:
            break
    shown = tuple(line.name for line in report.lines if not line.ok and not line.error)
    return shown or ((RAISED,) if report.failed else ())


def missed(found: tuple[str, ...]) -> bool:
    """Whether no property has failed and no signal has come."""
    return not set(found) - NOT_FOUND


def _send(pipe: Any, work: Callable[[], tuple[str, ...]]) -> None:
    try:
        pipe.send((True, work()))
    except BaseException:
        pipe.send((False, traceback.format_exc()))


def apart(work: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Run ``work`` in a process of its own, which broken compiled code may bring down.

    Raises:
        RuntimeError: ``work`` raised; only a process that was brought down counts as a crash.
    """
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, work))
    process.start()
    there.close()
    try:
        ended = here.poll(_SECONDS)
        good, result = here.recv() if ended else (True, (ENDLESS,))
    except EOFError:
        process.join()
        good, result = process.exitcode in _SIGNALS, (CRASH,)
    process.kill()
    process.join()
    if not good:
        raise RuntimeError(f"a process of a test failed, exit {process.exitcode}: {result}")
    found: tuple[str, ...] = result
    return found


def table(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """For each leak of a game: what finds it."""
    assert not found_by(game_called(name)), "the sound game; everything is compiled by now"
    for leak, game in leaks(game_called(name)).items():
        yield leak, apart(lambda game=game: found_by(game))  # type: ignore[misc]


def main() -> None:
    """Print the tables of the games named, or of all."""
    for name in sys.argv[1:] or TABLES:
        for leak, found in table(name):
            print(f"{name:<12} {leak:<32} {', '.join(found) or 'NOT FOUND'}", flush=True)


if __name__ == "__main__":
    main()
