"""Presets: every setting of a training run, frozen, from a documented TOML file."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from concilium.baselines.policy import Activation, Hidden
from concilium.baselines.registry import make_assistant, make_bot
from concilium.envs import ConciliumError, FileFormatError, OptionError, get_game
from concilium.envs.core.decisions import part_of
from concilium.envs.core.errors import did_you_mean
from concilium.envs.core.files import read_limited
from concilium.envs.core.schema import FaultError, convert

FOLDER: Final = Path(__file__).parent / "presets"
BASE: Final = "base"
_SIZE_LIMIT: Final = 2**20
_FORMER: Final = {
    "samples": "rollout_size", "taught": "behaviour_cloning_fraction",
    "kl_pull": "magnet_coefficient", "kl_speed": "magnet_rate",
}  # fmt: skip
"""What settings were called in version 0.1, for the files of older runs."""

Count: TypeAlias = Annotated[int, Meta(ge=1, le=10**10)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Amount: TypeAlias = Annotated[float, Meta(ge=0, le=1e6)]
Seats: TypeAlias = Literal["all", "one"]
SEATS: Final[tuple[Seats, ...]] = get_args(Seats)


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    num_players: Annotated[tuple[Count, ...], Meta(min_length=1)]
    options: dict[str, Any]
    decisions: Annotated[tuple[str, ...], Meta(min_length=1)]
    assistant: str
    reward: Literal["own", "table"]
    share_self: Amount
    share_snapshots: Amount
    share_bots: Amount
    alike: Share
    bots: tuple[str, ...]
    weights: tuple[Amount, ...]
    snapshots: Annotated[int, Meta(ge=1, le=1000)]
    snapshot_every: Count
    seats: Seats
    budget: Count
    num_envs: Annotated[int, Meta(ge=1, le=2**16)]
    rollout_size: Annotated[int, Meta(ge=1, le=2**22)]
    minibatch: Annotated[int, Meta(ge=2, le=2**22)]  # advantages are scaled by their deviation
    epochs: Annotated[int, Meta(ge=1, le=1000)]
    learning_rate: Amount
    learning_rate_end: Amount
    clip: Amount
    clip_end: Amount
    entropy: Amount
    entropy_end: Amount
    value: Amount
    gae_lambda: Share
    target_kl: Amount
    teacher: str
    behaviour_cloning_fraction: Share
    magnet_coefficient: Amount
    magnet_rate: Share
    critic: Literal["observation", "state"]
    hidden: Annotated[
        Hidden,
        Meta(min_length=1, description="a list of 1 to 7 widths of layers, from 1 to 4096"),
    ]
    activation: Activation
    evaluate_every: Count
    held_out: tuple[str, ...]
    held_out_deals: Annotated[int, Meta(ge=1, le=10**6)]
    checkpoint_every: Count
    threads: Annotated[int, Meta(ge=1, le=256)]
    side: str = ""

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping; without ``side`` if there is none, as older runs have it."""
        table: dict[str, Any] = msgspec.to_builtins(self)
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
    """Names of the presets that come with the package: ``<game>-<name>``."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load_preset(name: str | os.PathLike[str], game: str | None = None) -> Preset:
    """Read a preset: the name of one that comes with the package, or a path to a TOML file.

    A file may name another preset as its ``base`` and hold only what differs from it; its options
    stand beside those of the base.

    Args:
        name: as :func:`preset_names` has it, without the game's if ``game`` is given, or a path.
        game: refuse a preset of another game.

    Raises:
        FileFormatError: no such file, not TOML, or a setting that is missing, unknown, of the wrong
            type or out of range; the message says which.
        OptionError: it is of another game.
    """
    path = _preset_path(str(name), game, Path())
    preset = preset_of(_settings_in(path), f"preset {path}")
    if game not in (None, preset.game):
        raise OptionError(f"preset {str(name)!r} is for {preset.game}, not for {game}")
    return preset


def _preset_path(name: str, game: str | None, folder: Path) -> Path:
    """Where a preset is kept; paths start from ``folder``."""
    if Path(name).suffix == ".toml":
        return folder / name
    names = preset_names()
    for full in (f"{game}-{name}", name):
        if full in names:
            return FOLDER / f"{full}.toml"
    raise FileFormatError(
        f"no preset {name!r}; there are {', '.join(names)}, or give a .toml file"
        f"{did_you_mean(f'{game}-{name}' if game else name, names)}"
    )


def _settings_in(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """All settings in a file and in those that it is based on; ``above`` are based on it."""
    where = f"preset {path}"
    try:
        table = tomllib.loads(read_limited(path, _SIZE_LIMIT, "preset").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileFormatError(f"{where}: {error}") from None
    if BASE not in table:
        return table
    base = table.pop(BASE)
    if not isinstance(base, str):
        raise FileFormatError(f"{where}: field {BASE}: {base!r} is not allowed: a text")
    below = _preset_path(base, table.get("game"), path.parent)
    if below.resolve() in (found := (*above, path.resolve())):
        raise FileFormatError(f"{where}: field {BASE}: {base!r} is based on this file")
    return merged(_settings_in(below, found), table)


def merged(settings: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with others in their place; options one by one."""
    settings, over = ({_FORMER.get(k, k): v for k, v in each.items()} for each in (settings, over))
    both = {**settings, **over}
    if "options" in settings and isinstance(over.get("options"), dict):
        both["options"] = {**settings["options"], **over["options"]}
    return both


def given_settings(words: Iterable[str]) -> dict[str, Any]:
    """Settings given as ``name=value``, the last of a name; an option as ``options.name=value``.

    Args:
        words: the values are as in TOML, or, if they are not, texts.

    Raises:
        OptionError: a word is not of this form.
    """
    found: dict[str, Any] = {}
    for word in words:
        found = merged(found, _setting(word))
    return found


def _setting(word: str) -> dict[str, Any]:
    name, _, value = word.partition("=")
    for text in (value, json.dumps(value)):  # what is no TOML is taken as a text
        try:
            table = tomllib.loads(f"{name} = {text}")
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        if len(table) == 1 and value:
            return table
    raise OptionError(f"setting {word!r} is not of the form name=value")


def preset_of(table: Mapping[str, Any], where: str) -> Preset:
    """Build a preset from settings by name, as a TOML or JSON file has them.

    Args:
        table: all settings of :class:`Preset`; those with a default may be left out.
        where: what is being read, for messages.

    Raises:
        FileFormatError: as for :func:`load_preset`.
    """
    try:
        return _checked(table)
    except ConciliumError as error:
        raise FileFormatError(f"{where}: {error}") from None


def changed(preset: Preset, **settings: Any) -> Preset:
    """Return a preset with other values of some settings, and of some of the options.

    Raises:
        OptionError: they are not usable; the message says which.
    """
    try:
        return _checked(merged(preset.to_json(), settings))
    except FaultError as error:
        raise OptionError(str(error)) from None


def _checked(table: Mapping[str, Any]) -> Preset:
    """Return a usable preset with its options as the game keeps them: a file with its digest.

    Raises:
        OptionError, FileFormatError: it is not usable; the message says why.
    """
    preset = convert(merged(table, {}), Preset)
    _check_names(preset)
    for fault in _faults(preset):
        raise OptionError(fault)
    bound = get_game(preset.game).bind(num_players=preset.num_players[0], **preset.options)
    kept = {name: bound.options[name] for name in preset.options}
    return msgspec.structs.replace(preset, options=kept)


def _check_names(preset: Preset) -> None:
    """Refuse a game, options, bots and a side that are not there.

    Raises:
        OptionError, FileFormatError: says which.
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
    teacher = [preset.teacher] if preset.behaviour_cloning_fraction else []
    for name in (*preset.bots, *preset.held_out, *teacher):
        make_bot(name, game, seed=0)
    if preset.side:
        game.side_number(preset.side)


def _faults(p: Preset) -> Iterator[str]:
    """What is wrong with two settings together."""
    if len(p.weights) != len(p.bots):
        yield "weights and bots differ in number"
    if p.share_self + p.share_snapshots + p.share_bots <= 0:
        yield "share_self, share_snapshots and share_bots are all 0"
    if p.side and p.reward != "own":
        yield f'reward = {p.reward!r}: with a side it is "own", which is the side\'s'
    if p.side and sum(p.weights) <= 0:
        yield f"side = {p.side!r}: a bot with a weight above 0 is needed to face it"
    if p.reward == "own" and not p.held_out:
        yield 'held_out = []: reward "own" is scored among at least one bot'
    if p.share_bots > 0 and sum(p.weights) <= 0:
        yield "share_bots is above 0, but no bot has a weight above 0"
    if p.minibatch > p.rollout_size:
        yield f"minibatch = {p.minibatch}: at most rollout_size = {p.rollout_size}"
    if p.num_envs < len(p.num_players):
        yield f"num_envs = {p.num_envs}: at least one for each of num_players"
