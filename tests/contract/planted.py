"""Leaks planted in every game, and what finds them: ``python -m tests.contract.planted [game]``."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from typing import Any, Final

from concilium.envs import get_game
from concilium.envs.check import check_game
from concilium.envs.core.game import Game
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
    "chancellors": (3, {}),
    "nicaea": (4, {}),
    "believers": (6, {"rows": "1-1-1-1"}),  # many nights
}
"""For each game, how many players with which options."""
_PAIRS: Final = (1000, 8000)  # more are tried where few find nothing
_SECONDS: Final = 600  # for one variant


def game_called(name: str) -> Game:
    """A game by name, the toy included."""
    return HUSH if name == "hush" else get_game(name)


def found_by(game: Game, seed: int = 0) -> tuple[str, ...]:
    """Names of the properties that a game lacks, of those about hidden information."""
    players, options = TABLES[game.name]
    for pairs in _PAIRS:
        report = check_game(
            game, options=options, num_players=[players], games=4, pairs=pairs, seed=seed,
            process=False, properties=SECRECY,
        )  # fmt: skip
        if not report.ok:
            break
    return report.failed


def _send(pipe: Any, work: Callable[[], tuple[str, ...]]) -> None:
    pipe.send(work())


def apart(work: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Run ``work`` in a process of its own, which broken compiled code may bring down."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, work))
    process.start()
    there.close()
    try:
        result: tuple[str, ...] = here.recv() if here.poll(_SECONDS) else ("endless",)
    except EOFError:
        result = ("crash",)
    process.kill()
    process.join()
    return result


def table(name: str) -> dict[str, tuple[str, ...]]:
    """For each leak of a game: what finds it."""
    assert not found_by(game_called(name)), "the sound game; everything is compiled by now"
    return {
        leak: apart(lambda game=game: found_by(game))  # type: ignore[misc]
        for leak, game in leaks(game_called(name)).items()
    }


def main() -> None:
    """Print the tables of the games named, or of all."""
    for name in sys.argv[1:] or TABLES:
        for leak, found in table(name).items():
            print(f"{name:<12} {leak:<32} {', '.join(found) or 'NOT FOUND'}", flush=True)


if __name__ == "__main__":
    main()
