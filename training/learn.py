"""One training run, kept in one folder.

======================  ============================================================
``run.json``            preset, seed, versions, and at the end what it cost
``curves.jsonl``        a line per update
``scores.jsonl``        a line per held-out score
``policy.safetensors``  the policy of the best held-out score so far
``last.safetensors``    the policy at the end
``checkpoints/``        the newest two, see :mod:`.checkpoint`
``tensorboard/``        the curves for TensorBoard
======================  ============================================================

Every file is written whole or not at all. Whenever a run ends, it goes on with :func:`resume` from
its newest checkpoint, and with one thread on one machine ends in the same weights as if it had not
been interrupted.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from stable_baselines3.common.logger import Logger, configure

import concilium
from concilium.baselines.policy import Network, save_policy
from concilium.envs import FileFormatError, OptionError
from concilium.envs.core.files import read_limited, write_atomically
from concilium.envs.core.schema import parse_json
from concilium.training.checkpoint import (
    Checkpoint,
    load_checkpoint,
    newest_checkpoint,
    save_checkpoint,
)
from concilium.training.generators import torch_threads
from concilium.training.presets import Preset, preset_of
from concilium.training.scores import Score, held_out_score
from concilium.training.trainer import Line, Trainer

PACKAGES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
CURVES: Final = "curves.jsonl"
SCORES: Final = "scores.jsonl"
POLICY: Final = "policy.safetensors"
LAST: Final = "last.safetensors"
ABOUT: Final = "run.json"
CHECKPOINTS: Final = "checkpoints"
TENSORBOARD: Final = "tensorboard"
_OWN: Final = (CURVES, SCORES, POLICY, LAST, ABOUT)
_LARGEST: Final = 2**28
_LONGEST: Final = 1e9  # seconds


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        network: the policy of the best held-out score.
        last: the policy at the end.
        score: the best held-out score.
        decisions: the learner's decisions with at least two options.
        games: games that ended.
        seconds: spent in all, and of it in engine, opponents, inference and books.
        curves: one mapping per update.
    """

    network: Network
    last: Network
    score: float
    decisions: int
    games: int
    seconds: dict[str, float]
    curves: list[Line]


def train(
    preset: Preset,
    seed: int,
    folder: str | os.PathLike[str] | None = None,
    *,
    seconds: float | None = None,
    replace: bool = False,
    tell: Callable[[Line], None] = lambda line: None,
) -> Run:
    """Train from scratch. The global generators and torch's settings are as before afterwards.

    Args:
        preset: the settings.
        seed: of network, deals, seats and bots, a whole number from 0 to 2**63 - 1. Equal seeds
            give equal runs on one machine with one thread unless time cuts them short.
        folder: where the run is kept, made if need be; nothing is kept if None.
        seconds: end the run by then (annealed accordingly) even if decisions are left.
        replace: remove a run that is in the folder already, and nothing else.
        tell: called with each line of the curves; a line with a held-out score has ``score``.

    Raises:
        OptionError: there is a run in the folder already, or something that is called as a file of
            a run is and is not one; a value that is not allowed.
        OSError: the folder cannot be written.
    """
    target = None if folder is None else Path(folder)
    if seconds is not None and seconds <= 0:
        raise OptionError(f"seconds={seconds} is not allowed: a number above 0")
    with torch_threads(preset.threads):
        trainer = Trainer(preset, seed, seconds=seconds)  # before anything of an old run is removed
        if target is not None:
            _make_room(target, replace)
            about = {**_about(preset, seed), "time_limit": seconds}
            write_atomically(target / ABOUT, json.dumps(about, indent=1) + "\n")
        return _Session(trainer, target, tell).run()


def resume(
    folder: str | os.PathLike[str],
    *,
    game: str | None = None,
    tell: Callable[[Line], None] = lambda line: None,
) -> Run:
    """Go on with the run in a folder from its newest checkpoint, or from the start without one.

    A run that has ended is not continued; what it ended with is returned.

    Args:
        folder: of an earlier run.
        game: refuse a run of another game.
        tell: called with each further line of the curves.

    Raises:
        FileFormatError: there is no run in the folder, or a file of it is damaged.
        OptionError: it is of another game.
    """
    target = Path(folder)
    about = _about_of(target)
    preset, seed, seconds = _read_about(about, target)
    if game not in (None, preset.game):
        raise OptionError(f"the run in {target} is of {preset.game}, not of {game}")
    newest = newest_checkpoint(target / CHECKPOINTS)
    if newest is None and "cost" in about:
        raise FileFormatError(f"run {target}: it has ended, but its checkpoints are gone")
    checkpoint = None if newest is None else load_checkpoint(newest)
    spent = 0.0 if checkpoint is None else _elapsed(checkpoint)
    with torch_threads(preset.threads):
        trainer = Trainer(preset, seed, seconds=seconds, spent=spent)
        session = _Session(trainer, target, tell)
        if checkpoint is not None:
            trainer.restore(checkpoint)
            session.take_up(checkpoint)
        return session.run()


def _elapsed(checkpoint: Checkpoint) -> float:
    elapsed = checkpoint.state.get("elapsed")
    if not isinstance(elapsed, float) or not 0 <= elapsed < _LONGEST:
        raise FileFormatError(f"checkpoint of update {checkpoint.update}: elapsed = {elapsed!r}")
    return elapsed


class _Session:
    """Runs a trainer to its end and keeps what comes of it.

    Args:
        trainer: at its beginning, or as restored.
        folder: where to keep things; nowhere if None.
        tell: called with every line.
    """

    def __init__(self, trainer: Trainer, folder: Path | None, tell: Callable[[Line], None]) -> None:
        self._trainer = trainer
        self._folder = folder
        self._tell = tell
        self._curves: list[Line] = []
        self._scores: list[Line] = []
        self._best: float | None = None
        self._network: Network | None = None
        self._logger: Logger | None = None

    def take_up(self, checkpoint: Checkpoint) -> None:
        """Go on with the curves, scores and best policy of a checkpoint, and forget later ones.

        Raises:
            FileFormatError: a file is missing or damaged.
        """
        assert self._folder is not None
        update = self._trainer.updates
        self._curves = _read_lines(self._folder / CURVES, update)
        if [line["update"] for line in self._curves] != list(range(1, update + 1)):
            raise FileFormatError(f"{self._folder / CURVES}: not all updates from 1 to {update}")
        best = checkpoint.state.get("best")
        if best is None:
            return
        self._scores = _read_lines(self._folder / SCORES, update)
        self._best, self._network = self._trainer.kept_network(checkpoint, best)
        self._keep_lines(CURVES, self._curves)
        self._keep_lines(SCORES, self._scores)
        save_policy(self._folder / POLICY, self._network)

    def run(self) -> Run:
        """Update until the end; see :func:`train`."""
        if self._folder is not None:
            self._logger = configure(str(self._folder / TENSORBOARD), ["tensorboard"])
        try:
            while not self._trainer.over:
                self._update()
            return self._finish()
        finally:
            if self._logger is not None:
                self._logger.close()

    def _update(self) -> None:
        trainer, preset = self._trainer, self._trainer.preset
        line = trainer.update()
        if trainer.updates % preset.evaluate_every == 0 or trainer.over:
            self._score(line)
        self._curves.append(line)
        self._keep_lines(CURVES, self._curves)
        self._log(line)
        if trainer.updates % preset.checkpoint_every == 0 or trainer.over:
            self._keep_checkpoint()
        self._tell(line)

    def _score(self, line: Line) -> None:
        trainer = self._trainer
        network = trainer.network(self._origin(line))
        score: Score = held_out_score(trainer.preset, network, trainer.seed)
        line["score"] = score.value
        kept = {"update": trainer.updates, "decisions": line["decisions"], **score.to_json()}
        self._scores.append(kept)
        self._keep_lines(SCORES, self._scores)
        if self._best is None or score.value > self._best:
            self._best = score.value
            self._network = trainer.network({**self._origin(line), "score": score.to_json()})
            if self._folder is not None:
                save_policy(self._folder / POLICY, self._network)

    def _origin(self, line: Line) -> dict[str, Any]:
        about = _about(self._trainer.preset, self._trainer.seed)
        return {**about, "update": line["update"], "decisions": line["decisions"]}

    def _keep_lines(self, name: str, lines: list[Line]) -> None:
        if self._folder is not None:
            write_atomically(self._folder / name, "".join(json.dumps(x) + "\n" for x in lines))

    def _keep_checkpoint(self) -> None:
        if self._folder is not None:
            checkpoint = self._trainer.checkpoint(self._best, self._network)
            save_checkpoint(self._folder / CHECKPOINTS, checkpoint)

    def _log(self, line: Line) -> None:
        if self._logger is not None:
            for name, value in line.items():
                if value is not None:
                    self._logger.record(f"run/{name}", value)
            self._logger.dump(line["decisions"])

    def _finish(self) -> Run:
        trainer = self._trainer
        if not self._scores or self._scores[-1]["update"] != trainer.updates:
            # the time was over before the run was taken up again
            self._score(self._curves[-1])
            self._keep_lines(CURVES, self._curves)
        collector = trainer.collector
        spent = {name: round(value, 3) for name, value in vars(collector.spent).items()}
        seconds = {"all": round(trainer.annealing.elapsed, 3), **spent}
        cost = {"decisions": collector.decisions, "games": collector.games, "seconds": seconds}
        assert self._network is not None  # the last update has been scored
        assert self._best is not None
        last = trainer.network({**self._origin(self._curves[-1]), "cost": cost})
        if self._folder is not None:
            about = _about_of(self._folder) | {"cost": cost, "best_score": self._best}
            write_atomically(self._folder / ABOUT, json.dumps(about, indent=1) + "\n")
            save_policy(self._folder / LAST, last)
        return Run(
            self._network, last, self._best, collector.decisions, collector.games, seconds,
            self._curves,
        )  # fmt: skip


def _about(preset: Preset, seed: int) -> dict[str, Any]:
    """What is needed to run it again."""
    return {
        "preset": preset.to_json(),
        "seed": seed,
        "concilium": concilium.__version__,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def _read_about(about: dict[str, Any], folder: Path) -> tuple[Preset, int, float | None]:
    where = f"run {folder / ABOUT}"
    table, seed, seconds = about.get("preset"), about.get("seed"), about.get("time_limit")
    if not isinstance(table, dict) or type(seed) is not int:
        raise FileFormatError(f"{where}: preset or seed missing")
    if type(seconds) not in (type(None), int, float) or (seconds is not None and seconds <= 0):
        raise FileFormatError(f"{where}: time_limit = {seconds!r} is no number above 0")
    return preset_of(table, where), seed, seconds


def _read_lines(path: Path, update: int) -> list[Line]:
    """Lines of a file up to an update: later ones will be made again."""
    text = read_limited(path, _LARGEST, "curves").decode(errors="replace")
    lines = [parse_json(line, str(path)) for line in text.splitlines()]
    if not all(type(line.get("update")) is int for line in lines):
        raise FileFormatError(f"{path}: a line without the number of its update")
    return [line for line in lines if line["update"] <= update]


def _make_room(folder: Path, replace: bool) -> None:
    """Make the folder, or remove an earlier run from it, and nothing else.

    Raises:
        OptionError: it is no folder, there is a run that is not to be replaced, or something else
            that is called as a file of a run is.
        OSError: the folder cannot be made or cleared.
    """
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is no folder: a run needs one")
    taken = [name for name in (*_OWN, CHECKPOINTS, TENSORBOARD) if (folder / name).exists()]
    if taken and ABOUT not in taken:
        raise OptionError(
            f"folder {folder} holds {', '.join(taken)} and no {ABOUT}: that is no run; choose "
            "another folder"
        )
    if taken and not replace:
        raise OptionError(
            f"folder {folder} holds a run already: resume it, or choose another folder"
        )
    if taken:
        _read_about(_about_of(folder), folder)  # FileFormatError if it is not a run's
        for name in taken:
            path = folder / name
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _about_of(folder: Path) -> dict[str, Any]:
    return parse_json(read_limited(folder / ABOUT, _LARGEST, "run"), f"run {folder / ABOUT}")
