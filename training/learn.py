"""One training run, kept in one folder.

======================  ============================================================
``run.json``            preset, seed, versions, and at the end what it cost
``curves.jsonl``        a line per update
``scores.jsonl``        a line per held-out score
``policy.safetensors``  the policy of the best held-out score so far
``last.safetensors``    the policy at the end
``start.safetensors``   the policy that the run started from, if it did from one
``checkpoints/``        the newest two, see :mod:`.checkpoint`
``tensorboard/``        the curves for TensorBoard
======================  ============================================================

Every file is written whole or not at all. Whenever a run ends, it goes on with :func:`resume` from
its newest checkpoint, and with one thread on one machine ends in the same weights as if it had not
been interrupted. Ctrl-C and SIGTERM keep a checkpoint of the last update before they end it. A
folder that is being trained in is locked.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from torch.utils.tensorboard import SummaryWriter

import concilium
from concilium.baselines.policy import POLICY as POLICY
from concilium.baselines.policy import RUN, Network, load_network, save_policy
from concilium.envs import FileFormatError, OptionError
from concilium.envs.core.files import read_limited, write_atomically
from concilium.envs.core.schema import convert, json_text, parse_json
from concilium.training.checkpoint import (
    Checkpoint,
    checkpoints,
    load_checkpoint,
    save_checkpoint,
)
from concilium.training.generators import torch_threads
from concilium.training.guard import ended_in_order, only_process
from concilium.training.presets import Count, Preset, changed, preset_of
from concilium.training.scores import Score, held_out_score
from concilium.training.trainer import Line, Trainer

PACKAGES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
CURVES: Final = "curves.jsonl"
SCORES: Final = "scores.jsonl"
LAST: Final = "last.safetensors"
START: Final = "start.safetensors"
ABOUT: Final = RUN
CHECKPOINTS: Final = "checkpoints"
TENSORBOARD: Final = "tensorboard"
_OWN: Final = (CURVES, SCORES, POLICY, LAST, START, ABOUT)
_LARGEST: Final = 2**28
_LONGEST: Final = 1e9  # seconds
Tell = Callable[[Line], None]
Say = Callable[[str], None]


class _About(msgspec.Struct):
    """What ``run.json`` says of how to go on; there is more in it, for people.

    Attributes:
        preset: all settings.
        seed: of the run.
        time_limit: seconds, if there is a limit.
        budgets: that the run had before it was extended.
        start: the file of the policy that it started from.
    """

    preset: dict[str, Any]
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    time_limit: Annotated[float, Meta(gt=0, description="a number above 0")] | None = None
    budgets: list[Count] = []
    start: str | None = None


def say_aside(text: str) -> None:
    """Say something on standard error."""
    print(text, file=sys.stderr, flush=True)


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
    start: str | os.PathLike[str] | None = None,
    replace: bool = False,
    tell: Tell = lambda line: None,
    say: Say = say_aside,
) -> Run:
    """Train from scratch. The global generators and torch's settings are as before afterwards.

    Args:
        preset: the settings.
        seed: of network, deals, seats and bots, a whole number from 0 to 2**63 - 1. Equal seeds
            give equal runs on one machine with one thread unless time cuts them short.
        folder: where the run is kept, made if need be; nothing is kept if None.
        seconds: end the run by then (annealed accordingly) even if decisions are left.
        start: a policy file, or a run's folder, whose policy is where the learning begins, see
            :func:`started`.
        replace: remove a run that is in the folder already, and nothing else.
        tell: called with each line of the curves; a line with a held-out score has ``score``.
        say: called with what a person is to know, such as how to go on after an interruption.

    Raises:
        OptionError: there is a run in the folder already, or something that is called as a file of
            a run is and is not one; another process trains in it; a value that is not allowed.
        FileFormatError: the policy file to start from cannot be used.
        OSError: the folder cannot be written.
    """
    _check_seconds(seconds)
    first = None if start is None else load_network(Path(start))
    preset = changed(preset) if first is None else started(preset, first)
    with torch_threads(preset.threads), ended_in_order():
        # before anything of an old run is removed
        trainer = Trainer(preset, seed, seconds=seconds, start=first)
        if folder is None:
            return _Session(trainer, None, tell, say).run()
        target = Path(folder)
        if target.exists() and not target.is_dir():
            raise OptionError(f"{target} is no folder: a run needs one")
        target.mkdir(parents=True, exist_ok=True)
        with only_process(target):
            _make_room(target, replace)
            about = {**_about(preset, seed), "time_limit": seconds}
            if first is not None:
                save_policy(target / START, first)
                about["start"] = os.fspath(start or "")
            _keep_about(target, about)
            return _Session(trainer, target, tell, say).run()


def started(preset: Preset, network: Network) -> Preset:
    """The settings of a run that starts from a policy.

    Its layers are the policy's, and nobody is imitated at first: what the policy knows is kept.

    Raises:
        OptionError: the policy is for another game or for other decisions.
    """
    if network.game.name != preset.game:
        raise OptionError(f"the policy to start from plays {network.game.id}, not {preset.game}")
    if network.decisions != preset.kinds:
        kinds = ", ".join(network.decisions) or "all"
        raise OptionError(
            f"the policy to start from is for the decisions {kinds}; the preset has "
            f"{', '.join(preset.decisions)}"
        )
    return changed(
        preset, hidden=network.hidden, activation=network.activation, behaviour_cloning_fraction=0.0
    )


def resume(
    folder: str | os.PathLike[str],
    *,
    game: str | None = None,
    budget: int | None = None,
    seconds: float | None = None,
    tell: Tell = lambda line: None,
    say: Say = say_aside,
) -> Run:
    """Go on with the run in a folder from its newest checkpoint, or from the start without one.

    If the newest checkpoint is damaged, that is said, and the one before it is taken. A run that
    has ended is not continued, unless it is extended; what it ended with is returned.

    Args:
        folder: of an earlier run.
        game: refuse a run of another game.
        budget: the learner's decisions in all from now on. Learning rate and the like go on as if
            so many had been planned from the beginning, and nobody is imitated once more.
        seconds: limit of the time in all from now on.
        tell: called with each further line of the curves.
        say: called with what a person is to know.

    Raises:
        FileFormatError: there is no run in the folder, or a file of it is damaged.
        OptionError: it is of another game, another process trains in it, or budget or time are over
            already.
    """
    target = Path(folder)
    _about_of(target)  # whatever is no run is not locked
    _check_seconds(seconds)
    with only_process(target), ended_in_order():
        about = _about_of(target)
        if game not in (None, (own := _read_about(about, target)[0].game)):
            raise OptionError(f"the run in {target} is of {own}, not of {game}")
        extended = _extended(about, budget, seconds, target)
        preset, _ = _read_about(extended, target)
        with torch_threads(preset.threads):
            session = _taken_up(extended, target, tell, say)
            if extended != about:
                session.check_extended()
                _keep_about(target, extended)
            return session.run()


def _check_seconds(seconds: float | None) -> None:
    if seconds is not None and not 0 < seconds <= _LONGEST:
        raise OptionError(f"seconds={seconds} is not allowed: a number above 0, up to {_LONGEST:g}")


def _extended(
    about: Mapping[str, Any], budget: int | None, seconds: float | None, folder: Path
) -> dict[str, Any]:
    """What ``run.json`` says once budget and time limit are others."""
    found = dict(about)
    if budget is not None:
        preset, facts = _read_about(about, folder)
        found["preset"] = changed(preset, budget=budget).to_json()
        found["budgets"] = [*facts.budgets, preset.budget]
    if seconds is not None:
        found["time_limit"] = seconds
    if found != about:  # it has not ended any more
        for name in ("cost", "best_score"):
            found.pop(name, None)
    return found


def _taken_up(about: dict[str, Any], folder: Path, tell: Tell, say: Say) -> _Session:
    """The run as its newest sound checkpoint has it, or at its beginning if there is none.

    Raises:
        FileFormatError: all checkpoints are damaged, or gone though the run has ended.
    """
    preset, facts = _read_about(about, folder)
    faults: list[FileFormatError] = []
    for path in reversed(checkpoints(folder / CHECKPOINTS)):
        try:
            checkpoint = load_checkpoint(path)
            trainer = Trainer(
                preset, facts.seed, seconds=facts.time_limit, spent=_elapsed(checkpoint)
            )
            trainer.restore(checkpoint, facts.budgets)
            session = _Session(trainer, folder, tell, say)
            session.take_up(checkpoint)
        except FileFormatError as error:
            faults.append(error)
            continue
        for fault in faults:
            say(f"{fault}; going on from update {checkpoint.update}")
        return session
    if faults:
        raise faults[0]
    if "cost" in about:
        raise FileFormatError(f"run {folder}: it has ended, but its checkpoints are gone")
    start = None if facts.start is None else load_network(folder / START)
    return _Session(
        Trainer(preset, facts.seed, seconds=facts.time_limit, start=start), folder, tell, say
    )


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
        say: called with what a person is to know.
    """

    def __init__(self, trainer: Trainer, folder: Path | None, tell: Tell, say: Say) -> None:
        self._trainer = trainer
        self._folder = folder
        self._tell = tell
        self._say = say
        self._curves: list[Line] = []
        self._scores: list[Line] = []
        self._best: float | None = None
        self._network: Network | None = None
        self._writer: SummaryWriter | None = None
        self._latest: Checkpoint | None = None  # of the last update, if it is not kept yet

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
        if self._curves and self._curves[-1].get("behaviour_cloning") is False:
            self._trainer.imitates = False
        best = checkpoint.state.get("best")
        if best is None:
            return
        self._scores = _read_lines(self._folder / SCORES, update)
        self._best, self._network = self._trainer.kept_network(checkpoint, best)
        self._keep_lines(CURVES, self._curves)
        self._keep_lines(SCORES, self._scores)
        save_policy(self._folder / POLICY, self._network)

    def check_extended(self) -> None:
        """Raise OptionError if there is nothing to do although the run has been extended."""
        trainer = self._trainer
        if trainer.over:
            raise OptionError(
                f"the run is over with budget={trainer.preset.budget} and the time limit: it has "
                f"made {trainer.collector.decisions} decisions in {trainer.annealing.elapsed:.0f} s"
            )

    def run(self) -> Run:
        """Update until the end; see :func:`train`."""
        if self._folder is not None:
            # what an interrupted run has told of later updates is to be forgotten
            after = self._curves[-1]["decisions"] + 1 if self._curves else 0
            self._writer = SummaryWriter(str(self._folder / TENSORBOARD), purge_step=after)
        try:
            while not self._trainer.over:
                self._update()
            return self._finish()
        except (KeyboardInterrupt, SystemExit):
            self._keep_latest()
            raise
        finally:
            if self._writer is not None:
                self._writer.close()

    def _keep_latest(self) -> None:
        """Keep a checkpoint of the last update, and tell how to go on."""
        if self._folder is None:
            return
        self._keep_checkpoint()
        command = ["concilium", "train", self._trainer.preset.game, "--resume", str(self._folder)]
        done = 0 if not self._curves else self._curves[-1]["update"]
        self._say(f"stopped after update {done}; to go on: {shlex.join(command)}")

    def _update(self) -> None:
        trainer, preset = self._trainer, self._trainer.preset
        line = trainer.update()
        if trainer.updates % preset.evaluate_every == 0 or trainer.over:
            self._score(line)
        curves = [*self._curves, line]
        self._keep_lines(CURVES, curves)
        latest = None if self._folder is None else trainer.checkpoint(self._best, self._network)
        self._curves, self._latest = curves, latest
        self._log(line)
        if trainer.updates % preset.checkpoint_every == 0 or trainer.over:
            self._keep_checkpoint()
        self._tell(line)

    def _keep_checkpoint(self) -> None:
        if self._folder is not None and self._latest is not None:
            save_checkpoint(self._folder / CHECKPOINTS, self._latest)
            self._latest = None

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
            text = "".join(json_text(line, name) + "\n" for line in lines)
            write_atomically(self._folder / name, text)

    def _log(self, line: Line) -> None:
        if self._writer is not None:
            for name, value in line.items():
                if value is not None:
                    self._writer.add_scalar(f"run/{name}", float(value), line["decisions"])
            self._writer.flush()

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
            _keep_about(self._folder, about)
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


def _keep_about(folder: Path, about: Mapping[str, Any]) -> None:
    _read_about(about, folder)
    write_atomically(folder / ABOUT, json_text(about, ABOUT, indent=1) + "\n")


def _read_about(about: Mapping[str, Any], folder: Path) -> tuple[Preset, _About]:
    where = f"run {folder / ABOUT}"
    try:
        facts = convert(dict(about), _About)
    except FileFormatError as error:
        raise FileFormatError(f"{where}: {error}") from None
    return preset_of(facts.preset, where), facts


def _read_lines(path: Path, update: int) -> list[Line]:
    """Lines of a file up to an update: later ones will be made again."""
    text = read_limited(path, _LARGEST, "curves").decode(errors="replace")
    lines = [parse_json(line, str(path)) for line in text.splitlines()]
    if not all(type(line.get("update")) is int for line in lines):
        raise FileFormatError(f"{path}: a line without the number of its update")
    return [line for line in lines if line["update"] <= update]


def _make_room(folder: Path, replace: bool) -> None:
    """Remove an earlier run from a folder, and nothing else.

    Raises:
        OptionError: there is a run that is not to be replaced, or something else that is called as
            a file of a run is.
        OSError: the folder cannot be cleared.
    """
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


def _about_of(folder: Path) -> dict[str, Any]:
    return parse_json(read_limited(folder / ABOUT, _LARGEST, "run"), f"run {folder / ABOUT}")
