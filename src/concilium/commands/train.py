"""``concilium train``: learn a policy by self-play, or go on with a run that was interrupted.

A run is one folder: what was asked for, the curves, the best policy so far and checkpoints. It can
be stopped or killed at any time; concilium train GAME --resume FOLDER goes on from the newest
checkpoint and ends as if nothing had happened. With --decisions a policy learns some kinds of
decisions only and a rule bot makes the others, in training and whenever the policy is played. With
--side it learns to play a whole side of a game that has sides, against bots in all other seats.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from concilium.commands.arguments import about, add_game, positive, whole
from concilium.envs import OptionError

if TYPE_CHECKING:
    from concilium.training.presets import Preset

_MOST_DECISIONS: Final = 10**10
_QUICK: Final = "quick"
_LARGEST_SEED: Final = 2**63 - 1


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "train", help="learn a policy by self-play", description=about(__doc__)
    )
    add_game(parser)
    parser.add_argument(
        "--preset", metavar="NAME", default=None,
        help="quick (a few minutes; the default), full, another that concilium list tells, or a "
        ".toml file",
    )  # fmt: skip
    parser.add_argument("--seed", metavar="S", type=whole(0, _LARGEST_SEED), default=None)
    parser.add_argument(
        "--decisions", metavar="EVENT", nargs="+",
        help="kinds of decisions to learn, or names of sets of them, as concilium list tells; all "
        "by default",
    )  # fmt: skip
    parser.add_argument(
        "--assistant", metavar="BOT", help="the rule bot that makes the others; the preset's if any"
    )
    parser.add_argument(
        "--side", metavar="SIDE",
        help="learn this side of the game, in all of its seats; all roles by default",
    )  # fmt: skip
    parser.add_argument(
        "--budget", metavar="N", type=whole(1, _MOST_DECISIONS),
        help="decisions in all, in place of the preset's",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", metavar="S", type=positive, help="end by then even if decisions are left"
    )
    parser.add_argument(
        "--folder", metavar="FOLDER", type=Path,
        help="where the run is kept; runs/GAME-PRESET-SEED by default",
    )  # fmt: skip
    parser.add_argument(
        "--replace", action="store_true", help="remove a run that is in the folder already"
    )
    parser.add_argument(
        "--resume", metavar="FOLDER", type=Path, help="go on with the run in this folder"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from concilium.training.learn import POLICY, resume, train
    from concilium.training.progress import Progress

    if args.resume is not None:
        _refuse_settings(args)
        folder: Path = args.resume
        with Progress(args.game.name) as progress:
            run = resume(folder, game=args.game.name, tell=progress)
    else:
        seed = 1 if args.seed is None else args.seed
        preset = _preset(args)
        folder = args.folder or Path("runs") / _folder_name(args, seed)
        with Progress(args.game.name, preset.budget, args.seconds) as progress:
            run = train(
                preset, seed, folder, seconds=args.seconds, replace=args.replace, tell=progress
            )
    print(
        f"{run.decisions:,} decisions, {run.games:,} games, {run.seconds['all']:,.0f} s; "
        f"best held-out score {run.score:.3f}; the policy is {folder / POLICY}"
    )
    return 0


def _preset(args: argparse.Namespace) -> Preset:
    """The preset that is asked for, with what is given in place of its settings."""
    from concilium.training.presets import changed, load_preset

    name = args.preset or _QUICK
    preset = load_preset(name if name.endswith(".toml") else f"{args.game.name}-{name}")
    if preset.game != args.game.name:
        raise OptionError(f"preset {name!r} is for {preset.game}, not for {args.game.name}")
    given: dict[str, Any] = {}
    if args.decisions is not None:
        given["decisions"] = tuple(args.decisions)
    if args.assistant is not None:
        given["assistant"] = args.assistant
    if args.side is not None:
        args.game.side_number(args.side)  # an empty name too is refused
        given["side"] = args.side
    if args.budget is not None:
        given["budget"] = args.budget
    preset = changed(preset, **given)
    if args.assistant is not None and not preset.kinds:
        raise OptionError(
            f"--assistant {args.assistant} has nothing to decide: give the kinds of decisions that "
            "are to be learned with --decisions"
        )
    return preset


def _folder_name(args: argparse.Namespace, seed: int) -> str:
    name = args.preset or _QUICK
    parts = [args.game.name, Path(name).stem if name.endswith(".toml") else name]
    side = [args.side] if args.side else []
    return "-".join([*parts, *side, *(args.decisions or ()), str(seed)])


def _refuse_settings(args: argparse.Namespace) -> None:
    """A run goes on with what it began with."""
    for name in (
        "preset", "seed", "decisions", "assistant", "side", "budget", "seconds", "folder",
    ):  # fmt: skip
        if getattr(args, name) is not None:
            raise OptionError(f"--{name} is not allowed with --resume: the run keeps its own")
    if args.replace:
        raise OptionError("--replace is not allowed with --resume")
