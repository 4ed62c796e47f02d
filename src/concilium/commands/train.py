"""``concilium train``: learn a policy by self-play, or go on with a run that was interrupted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from concilium.commands import arguments as arg
from concilium.commands.list import game_presets
from concilium.envs import OptionError, get_game

if TYPE_CHECKING:
    from concilium.training.presets import Preset

_MOST_DECISIONS: Final = 10**10
_QUICK: Final = "quick"
_LARGEST_SEED: Final = 2**63 - 1
_PRESET: Final = arg.names_and_files(
    lambda games: list(dict.fromkeys(name for game in games for name in game_presets(game))),
    ".toml",
)


def run(
    game: arg.GameName,
    /,
    *,
    preset: Annotated[str, _PRESET] | None = None,
    seed: Annotated[int, arg.one(arg.whole(0, _LARGEST_SEED))] | None = None,
    settings: Annotated[tuple[str, ...], Parameter(name="--set", metavar="NAME=VALUE")] = (),
    players: arg.TableSizes | None = None,
    start: Annotated[Path, arg.BOT] | None = None,
    decisions: Annotated[tuple[str, ...], arg.several()] | None = None,
    assistant: arg.BotName | None = None,
    side: str | None = None,
    budget: Annotated[int, arg.one(arg.whole(1, _MOST_DECISIONS))] | None = None,
    seconds: arg.Seconds | None = None,
    folder: Path | None = None,
    replace: bool = False,
    resume: Path | None = None,
) -> None:
    """Learn a policy by self-play, or go on with a run that was interrupted.

    A run is one folder: what was asked for, the curves, the best policy so far and checkpoints. It
    can be stopped or killed at any time; concilium train GAME --resume FOLDER goes on from the
    newest checkpoint and ends as if nothing had happened, with --budget also beyond the end. The
    folder is accepted wherever a policy file is. With --decisions a policy learns some kinds of
    decisions only and a rule bot makes the others, in training and whenever the policy is played.
    With --side it learns to play a whole side of a game that has sides, against bots in all other
    seats.

    Args:
        game: the game.
        preset: quick (a few minutes; the default), full, another that concilium list tells, or a
            .toml file.
        seed: of the run; 1 by default.
        settings: another value of one of the preset's settings, or options.NAME=VALUE of the game's
            options; again for each.
        players: table sizes to learn at, in place of the preset's.
        start: begin with the policy in this file or run's folder, whose layers replace the
            preset's; nobody is imitated then.
        decisions: kinds of decisions to learn, or names of sets of them, as concilium list tells;
            all by default.
        assistant: the rule bot that makes the others; the preset's if any.
        side: learn this side of the game, in all of its seats; all roles by default.
        budget: decisions in all, in place of the preset's; with --resume the run is extended.
        seconds: end by then even if decisions are left; with --resume: in all.
        folder: where the run is kept; runs/GAME-PRESET-SEED by default.
        replace: remove a run that is in the folder already.
        resume: go on with the run in this folder.
    """
    from concilium.training import learn
    from concilium.training.presets import given_settings, load_preset
    from concilium.training.progress import Progress

    wanted: dict[str, Any] = {
        "num_players": players,
        "decisions": decisions,
        "assistant": assistant,
        "side": side,
    }
    if resume is not None:
        kept: dict[str, Any] = {"preset": preset, "seed": seed, "start": start, "folder": folder}
        kept |= {"set": settings or None, "players": players, "replace": replace or None}
        for option, value in (kept | wanted).items():
            if value is not None:
                raise OptionError(f"--{option} is not allowed with --resume: the run keeps its own")
        folder = resume
        with Progress(game.name) as progress:
            done = learn.resume(
                folder, game=game.name, budget=budget, seconds=seconds, tell=progress
            )
    else:
        name = _QUICK if preset is None else preset
        seed = 1 if seed is None else seed
        wanted["budget"] = budget
        given = {key: value for key, value in wanted.items() if value is not None}
        asked = _changed(load_preset(name, game.name), given_settings(settings) | given)
        if folder is None:
            short = name.removeprefix(f"{game.name}-")
            parts = [game.name, Path(name).stem if name.endswith(".toml") else short]
            parts += [*([side] if side else []), *(decisions or ()), str(seed)]
            folder = Path("runs") / "-".join(parts)
        with Progress(game.name, asked.budget, seconds) as progress:
            done = learn.train(
                asked, seed, folder, seconds=seconds, start=start, replace=replace, tell=progress
            )
    print(
        f"{done.decisions:,} decisions, {done.games:,} games, {done.seconds['all']:,.0f} s; "
        f"best held-out score {done.score:.3f}; the policy is {folder / learn.POLICY}"
    )


def _changed(preset: Preset, given: dict[str, Any]) -> Preset:
    """A preset with what is given in place of its settings."""
    from concilium.training.presets import changed

    if "side" in given:
        get_game(preset.game).side_number(given["side"])  # an empty name too is refused
    preset = changed(preset, **given)
    if "assistant" in given and not preset.kinds:
        raise OptionError(
            f"--assistant {given['assistant']} has nothing to decide: give the kinds of decisions "
            "that are to be learned with --decisions"
        )
    return preset
