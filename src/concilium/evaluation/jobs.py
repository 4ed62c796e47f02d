"""Matches as independent jobs, in this process or spread over several.

A match is cut into jobs of a fixed number of deals, each with a seed of its own. The number of
processes therefore changes nothing but the time, and deal ``d`` of a seed and table size is the
same deal in every match, however many deals are played.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import wait
from typing import Final

import numpy as np
from numpy.typing import NDArray

from concilium.baselines.registry import make_bot
from concilium.envs import BoundGame, ConciliumError, Game, OptionError
from concilium.envs.core.arguments import check_seed
from concilium.envs.core.bot import Bot
from concilium.evaluation import matches
from concilium.evaluation.matches import Results, deal_seeds

DEALS_PER_JOB: Final = 256  # enough for batched bots; small enough to share out among processes
_DEALS: Final = 1  # first entry of the spawn keys of the seeds of jobs

Tell = Callable[[int, int], None]
"""Is told how many jobs are done, and of how many."""


@dataclass(frozen=True, eq=False)
class Match:
    """Bots at a table: ``deals`` deals in every given seating.

    Attributes:
        table: the game with its options.
        seating: number of the bot at each seat, ``(rotations, seats)`` or ``(rotations, deals,
            seats)``.
        deals: number of deals.
    """

    table: BoundGame
    seating: NDArray[np.int64]
    deals: int


@dataclass(frozen=True, eq=False)
class _Job:
    match: Match
    bots: tuple[str, ...]
    seed: int


def play_all(
    played: Sequence[Match],
    bots: Sequence[str],
    *,
    seed: int,
    workers: int = 1,
    tell: Tell | None = None,
) -> list[Results]:
    """Play matches of one game; equal arguments give equal results for any number of workers.

    Args:
        played: the matches.
        bots: names of the bots, or policy files; seatings hold their numbers.
        seed: whole number from 0 to 2**64 - 1, of the deals and the bots.
        workers: processes; 1 is this one. Others are started anew: a script has to call this under
            ``if __name__ == "__main__"``, and they know only the games that the suite comes with.
        tell: is told of the progress.

    Returns:
        The results of each match.

    Raises:
        OptionError: something is unknown or does not fit; found before anything is played.
        FileFormatError: a policy file cannot be used; likewise.
        ConciliumError: a bot failed, or a process died. No process is left over.
    """
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise OptionError(f"workers={workers!r} is not allowed: a whole number, at least 1")
    run = int(check_seed(seed))
    if not played:
        return []
    names = tuple(bots)
    made = _make(names, played[0].table.game)
    for match in played:
        matches.check_deals(match.deals)
    pieces = [_cut(match, names, run) for match in played]
    jobs = [job for piece in pieces for job in piece]
    if min(workers, len(jobs)) == 1:
        parts = []
        for job in jobs:
            parts.append(_play(job, made))
            if tell is not None:
                tell(len(parts), len(jobs))
    else:
        parts = _spread(jobs, min(workers, len(jobs)), tell)
    left = iter(parts)
    return [matches.join([next(left) for _ in piece]) for piece in pieces]


def default_workers() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def seeds_of_deals(table: BoundGame, deals: int, seed: int) -> list[int]:
    """Seeds from which the deals of matches are dealt, each by ``BoundGame.new_state``."""
    seeds: list[int] = []
    for number, start in enumerate(range(0, deals, DEALS_PER_JOB)):
        count = min(DEALS_PER_JOB, deals - start)
        seeds += deal_seeds(count, _seed_of_job(table.num_players, number, seed))
    return seeds


def _cut(match: Match, bots: tuple[str, ...], seed: int) -> list[_Job]:
    jobs = []
    for number, start in enumerate(range(0, match.deals, DEALS_PER_JOB)):
        end = min(start + DEALS_PER_JOB, match.deals)
        seating = match.seating[:, start:end] if match.seating.ndim == 3 else match.seating
        piece = Match(match.table, seating, end - start)
        jobs.append(_Job(piece, bots, _seed_of_job(match.table.num_players, number, seed)))
    return jobs


def _seed_of_job(num_players: int, number: int, seed: int) -> int:
    sequence = np.random.SeedSequence(seed, spawn_key=(_DEALS, num_players, number))
    return int(sequence.generate_state(1, np.uint64)[0])


def _make(names: Sequence[str], game: Game) -> list[Bot]:
    return [make_bot(name, game, seed=0) for name in names]


def _play(job: _Job, bots: Sequence[Bot]) -> Results:
    """Play a job; whatever a bot may raise becomes an error that says where."""
    match = job.match
    try:
        return matches.play(match.table, bots, match.seating, match.deals, job.seed)
    except ConciliumError:
        raise
    except Exception as error:
        names = ", ".join(job.bots[number] for number in np.unique(match.seating))
        raise ConciliumError(
            f"a match of {match.table.num_players} players, {names}, failed: "
            f"{type(error).__name__}: {error}"
        ) from error


def _spread(jobs: Sequence[_Job], workers: int, tell: Tell | None) -> list[Results]:
    """Play jobs in processes; end these at once if anything goes wrong."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
    )
    try:
        futures: list[Future[Results]] = [pool.submit(_play_in_worker, job) for job in jobs]
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()  # raises what went wrong as soon as it has
            if tell is not None:
                tell(done, len(jobs))
        pool.shutdown()
        return [future.result() for future in futures]
    except BaseException as error:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)
        if isinstance(error, BrokenProcessPool):
            raise ConciliumError(
                f"one of {workers} worker processes ended before its match: it was killed, ran out "
                "of memory or could not start; workers=1 plays in this process"
            ) from error
        raise


_make_once = cache(_make)  # for workers: they live no longer than a call, files stay as they are


def _play_in_worker(job: _Job) -> Results:
    return _play(job, _make_once(job.bots, job.match.table.game))


def _start_worker() -> None:
    """Leave interrupts to the parent, which ends its workers, and never outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
