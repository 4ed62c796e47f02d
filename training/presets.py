"""Presets: every setting of a training run, frozen, from a documented TOML file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from concilium.baselines.policy import ACTIVATIONS, Hidden
from concilium.baselines.registry import make_assistant, make_bot
from concilium.envs import ConciliumError, FileFormatError, Game, OptionError, get_game
from concilium.envs.core.decisions import part_of
from concilium.envs.core.files import read_limited
from concilium.envs.core.schema import convert

FOLDER: Final = Path(__file__).parent / "presets"
REWARDS: Final = ("own", "table")
CRITICS: Final = ("observation", "state")
SEATS: Final = ("all", "one")
_SIZE_LIMIT: Final = 2**20
_MOST: Final = 10**10
_LARGEST: Final = 1e6
_MOST_OF: Final = {
    "num_envs": 2**16, "rollout_size": 2**22, "threads": 256, "snapshots": 1000,
    "held_out_deals": 10**6, "epochs": 1000,
}  # fmt: skip
"""Settings that ask for memory or processors have limits of their own."""
_MAY_BE_EMPTY: Final = {"bots", "weights", "held_out"}
_FORMER: Final = {
    "samples": "rollout_size", "taught": "behaviour_cloning_fraction",
    "kl_pull": "magnet_coefficient", "kl_speed": "magnet_rate",
}  # fmt: skip
"""What settings were called in version 0.1, for the files of older runs."""
_CHOICES: Final = {
    "reward": REWARDS,
    "critic": CRITICS,
    "seats": SEATS,
    "activation": tuple(ACTIVATIONS),
}


@dataclass(frozen=True)
class Preset:
    """Settings of a self-play run.

    Attributes:
        game: name of the game.
        num_players: table sizes; the games are divided among them evenly.
        options: the game's other options.
        decisions: kinds of decisions that the policies make, current and past ones: ``"all"``,
            names of kinds, or of the game's sets of them.
        assistant: name of a rule bot that makes the others in their seats, and is kept in the
            policy file; may be empty if there are none.
        reward: what is learned: ``"own"`` return, or the mean return of the ``"table"``.
        share_self, share_snapshots, share_bots: relative chances that a seat which is not the
            learner's own is played by the current policy, a past one, or a bot.
        alike: chance that all other seats of a game are played by the same one of these; in the
            other games each seat draws its own.
        bots: names of bots, with parameters if need be.
        weights: their relative chances.
        snapshots: how many past policies are kept, each of them equally likely to be.
        snapshot_every: updates between two of them.
        seats: learn from ``"all"`` seats that the current policy plays, or from ``"one"`` a game.
        budget: learner's decisions in all (only those with a choice count).
        num_envs: games side by side.
        rollout_size: decisions per update.
        minibatch: decisions per gradient step.
        epochs: passes over the data of an update.
        learning_rate, learning_rate_end: at the beginning and the end, linear in between.
        clip, clip_end: of the probability ratio, likewise.
        entropy, entropy_end: coefficient, likewise.
        value: coefficient of the value loss.
        gae_lambda: of the advantages; gamma is 1.
        target_kl: an update stops early beyond 1.5 times this.
        teacher: name of a bot that the learner imitates at first; empty for none.
        behaviour_cloning_fraction: share of the decisions, 0 … 1, in which the teacher plays the
            learner's seats and the policy learns to do the same, while the value function learns
            from the outcomes.
        magnet_coefficient: of the divergence from a slowly moving copy of the policy (magnetic
            mirror descent, arXiv:2206.05825); 0 for none.
        magnet_rate: how far that copy moves towards the policy in each update, 0 … 1.
        critic: the value function sees the ``"observation"``, or the whole ``"state"`` beside it
            (never the state alone: arXiv:2105.11674).
        hidden: widths of the hidden layers, the same for policy and value.
        activation: between the layers, ``"tanh"`` or ``"relu"``.
        evaluate_every: updates between two held-out scores.
        held_out: bots among which a single greedy seat is scored by the share of games it wins.
            With the table's reward the score is the table's mean return in self-play, and this is
            not used.
        held_out_deals: deals for each of them and each table size, in all rotations of the seats.
        checkpoint_every: updates between two checkpoints.
        threads: of torch.
        side: name of the side that is learned, in games that have sides; may be left out, and is
            empty for learning all roles as they are dealt. With a side the current policy plays all
            seats of that side in every game and bots all others, so ``share_self``,
            ``share_snapshots`` and ``share_bots`` are not used, ``alike`` is for the seats of the
            bots, and the held-out score is the share of games that the side wins against one bot in
            all other seats.
    """

    game: str
    num_players: tuple[int, ...]
    options: Mapping[str, Any]
    decisions: tuple[str, ...]
    assistant: str
    reward: str
    share_self: float
    share_snapshots: float
    share_bots: float
    alike: float
    bots: tuple[str, ...]
    weights: tuple[float, ...]
    snapshots: int
    snapshot_every: int
    seats: str
    budget: int
    num_envs: int
    rollout_size: int
    minibatch: int
    epochs: int
    learning_rate: float
    learning_rate_end: float
    clip: float
    clip_end: float
    entropy: float
    entropy_end: float
    value: float
    gae_lambda: float
    target_kl: float
    teacher: str
    behaviour_cloning_fraction: float
    magnet_coefficient: float
    magnet_rate: float
    critic: str
    hidden: tuple[int, ...]
    activation: str
    evaluate_every: int
    held_out: tuple[str, ...]
    held_out_deals: int
    checkpoint_every: int
    threads: int
    side: str = ""

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping; without ``side`` if there is none, as older runs have it."""
        table = asdict(self)
        if not self.side:
            del table["side"]
        return table

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of decisions that the policies make; empty if they are all."""
        return part_of(get_game(self.game), self.decisions)

    @property
    def keeps_past(self) -> bool:
        """Whether past policies play, so that some are to be kept."""
        return self.share_snapshots > 0 and not self.side


def preset_names() -> list[str]:
    """Names of the presets that come with the package."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load_preset(name: str | os.PathLike[str]) -> Preset:
    """Read a preset: the name of one that comes with the package, or a path to a TOML file.

    Raises:
        FileFormatError: no such file, not TOML, or a setting that is missing, unknown, of the wrong
            type or out of range; the message says which.
    """
    path = Path(name)
    if path.suffix != ".toml":
        path = FOLDER / f"{name}.toml"
        if str(name) not in preset_names():
            raise FileFormatError(
                f"no preset {str(name)!r}; there are {', '.join(preset_names())}, "
                "or give a .toml file"
            )
    try:
        table = tomllib.loads(read_limited(path, _SIZE_LIMIT, "preset").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileFormatError(f"preset {path}: {error}") from None
    return preset_of(table, f"preset {path}")


def preset_of(table: Mapping[str, Any], where: str) -> Preset:
    """Build a preset from settings by name, as a TOML or JSON file has them.

    Args:
        table: all settings of :class:`Preset`; those with a default may be left out.
        where: what is being read, for messages.

    Raises:
        FileFormatError: as for :func:`load_preset`.
    """
    names = {field.name for field in fields(Preset)}
    table = {_FORMER.get(name, name): value for name, value in table.items()}
    table = {
        **{field.name: field.default for field in fields(Preset) if field.default is not MISSING},
        **table,
    }
    if set(table) != names:
        wrong = ", ".join(sorted(set(table) ^ names))
        raise FileFormatError(f"{where}: settings missing or unknown: {wrong}")
    values = {}
    for field in fields(Preset):
        value, place = table[field.name], f"{where}: {field.name}"
        is_list = str(field.type).startswith("tuple")
        if is_list and value in ([], ()) and field.name not in _MAY_BE_EMPTY:
            raise FileFormatError(f"{place} = {value!r} is not a list with at least one entry")
        values[field.name] = _convert(value, str(field.type), place)
    preset = Preset(**values)
    try:
        return _checked(preset)
    except ConciliumError as error:
        raise FileFormatError(f"{where}: {error}") from None


def changed(preset: Preset, **settings: Any) -> Preset:
    """Return a preset with other values of some settings.

    Raises:
        OptionError: they are not usable; the message says which.
    """
    return _checked(replace(preset, **settings))


def _checked(preset: Preset) -> Preset:
    """Return a usable preset with its options as the game keeps them: a file with its digest.

    Raises:
        OptionError, FileFormatError: it is not usable; the message says why.
    """
    _check(preset)
    bound = get_game(preset.game).bind(num_players=preset.num_players[0], **preset.options)
    return replace(preset, options={name: bound.options[name] for name in preset.options})


def _check(preset: Preset) -> None:
    """Refuse values that are of the right type and yet not usable.

    Raises:
        OptionError: says which.
    """
    game = get_game(preset.game)
    if "num_players" in preset.options:
        raise OptionError("options: the number of players is set by num_players")
    for players in preset.num_players:
        game.bind(num_players=players, **preset.options)
    if preset.kinds and not preset.assistant:
        raise OptionError(
            f"decisions = {', '.join(preset.decisions)}: an assistant is needed for the others"
        )
    if preset.assistant:
        make_assistant(preset.assistant, game, seed=0)
    for name in (
        *preset.bots,
        *preset.held_out,
        *([preset.teacher] if preset.behaviour_cloning_fraction else []),
    ):
        make_bot(name, game, seed=0)
    if preset.side:
        _check_side(preset, game)
    for setting, allowed in _CHOICES.items():
        value = getattr(preset, setting)
        if value not in allowed:
            raise OptionError(f"{setting} = {value!r}: one of {', '.join(allowed)}")
    for setting, most in _MOST_OF.items():
        if getattr(preset, setting) > most:
            raise OptionError(f"{setting} = {getattr(preset, setting)}: at most {most}")
    for setting in ("gae_lambda", "alike", "magnet_rate", "behaviour_cloning_fraction"):
        if getattr(preset, setting) > 1:
            raise OptionError(f"{setting} = {getattr(preset, setting)}: at most 1")
    if len(preset.weights) != len(preset.bots):
        raise OptionError("weights and bots differ in number")
    if preset.share_self + preset.share_snapshots + preset.share_bots <= 0:
        raise OptionError("share_self, share_snapshots and share_bots are all 0")
    if preset.reward == "own" and not preset.held_out:
        raise OptionError('held_out = []: reward "own" is scored among at least one bot')
    if preset.share_bots > 0 and sum(preset.weights) <= 0:
        raise OptionError("share_bots is above 0, but no bot has a weight above 0")
    if preset.minibatch > preset.rollout_size:
        raise OptionError(
            f"minibatch = {preset.minibatch}: at most rollout_size = {preset.rollout_size}"
        )
    if preset.num_envs < len(preset.num_players):
        raise OptionError(f"num_envs = {preset.num_envs}: at least one for each of num_players")
    try:
        convert(list(preset.hidden), Hidden)
    except FileFormatError as error:
        raise OptionError(f"hidden: {error}") from None
    if preset.minibatch < 2:  # advantages are scaled by their deviation
        raise OptionError(f"minibatch = {preset.minibatch}: at least 2")


def _check_side(preset: Preset, game: Game) -> None:
    """Refuse a side that the game lacks, or that nobody could be played against.

    Raises:
        OptionError: says which.
    """
    game.side_number(preset.side)
    if preset.reward != "own":
        raise OptionError(
            f'reward = {preset.reward!r}: with a side it is "own", which is the side\'s'
        )
    if sum(preset.weights) <= 0:
        raise OptionError(
            f"side = {preset.side!r}: a bot with a weight above 0 is needed to face it"
        )


def _convert(value: Any, kind: str, where: str) -> Any:
    """Check a value against the type of its field; numbers must not be negative, counts be 1."""
    if kind.startswith("tuple["):
        if not isinstance(value, list | tuple):
            raise FileFormatError(f"{where} = {value!r} is not a list")
        inner = kind[len("tuple[") :].split(",")[0]
        return tuple(_convert(entry, inner, where) for entry in value)
    if kind.startswith("Mapping["):
        if isinstance(value, dict):
            return value
        raise FileFormatError(f"{where} = {value!r} is not a table of options")
    if kind == "str":
        if isinstance(value, str):
            return value
    elif not isinstance(value, bool):
        if kind == "int" and isinstance(value, int) and 1 <= value <= _MOST:
            return value
        if kind == "float" and isinstance(value, int | float) and 0 <= value <= _LARGEST:
            return float(value)
    allowed = {
        "str": "a text",
        "int": f"a whole number of at least 1 and at most {_MOST}",
        "float": f"a number from 0 up to {_LARGEST:g}",
    }
    raise FileFormatError(f"{where} = {value!r} is not {allowed[kind]}")
