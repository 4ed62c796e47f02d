"""Presets: every setting of a training run, frozen, from a documented TOML file."""

from __future__ import annotations

import math
import os
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from concilium.baselines.policy import ACTIVATIONS, SUFFIX
from concilium.baselines.registry import make_bot
from concilium.envs import FileFormatError, OptionError, get_game
from concilium.envs.core.files import read_limited

FOLDER: Final = Path(__file__).parent / "presets"
_SIZE_LIMIT: Final = 2**20


@dataclass(frozen=True)
class Preset:
    """Settings of a run with MaskablePPO.

    Attributes:
        game: name of the game.
        num_players: table sizes; the games are divided among them evenly.
        opponents: names of bots for the other seats.
        weights: their relative chances.
        decisions: learner's decisions in all (only those with a choice count).
        num_envs: games side by side.
        steps: decisions per game and update.
        minibatch: decisions per gradient step.
        epochs: passes over the data of an update.
        learning_rate, learning_rate_end: at the beginning and the end, linear in between.
        clip: of the probability ratio.
        entropy, entropy_end: coefficient at the beginning and the end, linear in between.
        value: coefficient of the value loss.
        gae_lambda: of the advantages; gamma is 1.
        target_kl: an update stops early beyond 1.5 times this.
        hidden: widths of the hidden layers, the same for policy and value.
        activation: between the layers, ``"tanh"`` or ``"relu"``.
        threads: of torch.
    """

    game: str
    num_players: tuple[int, ...]
    opponents: tuple[str, ...]
    weights: tuple[float, ...]
    decisions: int
    num_envs: int
    steps: int
    minibatch: int
    epochs: int
    learning_rate: float
    learning_rate_end: float
    clip: float
    entropy: float
    entropy_end: float
    value: float
    gae_lambda: float
    target_kl: float
    hidden: tuple[int, ...]
    activation: str
    threads: int

    def to_json(self) -> dict[str, Any]:
        """A JSON-able mapping."""
        return asdict(self)


def load_preset(name: str | os.PathLike[str]) -> Preset:
    """Read a preset: the name of one that comes with the package, or a path to a TOML file.

    Raises:
        FileFormatError: no such file, not TOML, or a setting that is missing, unknown, of the wrong
            type or not positive; the message says which.
    """
    path = Path(name)
    if path.suffix != ".toml":
        path = FOLDER / f"{name}.toml"
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.toml")))
            raise FileFormatError(
                f"no preset {str(name)!r}; there are {known}, or give a .toml file"
            )
    try:
        table = tomllib.loads(read_limited(path, _SIZE_LIMIT, "preset").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"preset {path}: {error}") from None
    return _build(table, str(path))


def _build(table: dict[str, Any], where: str) -> Preset:
    names = {field.name for field in fields(Preset)}
    if set(table) != names:
        wrong = ", ".join(sorted(set(table) ^ names))
        raise FileFormatError(f"preset {where}: settings missing or unknown: {wrong}")
    values = {
        field.name: _convert(table[field.name], str(field.type), f"preset {where}: {field.name}")
        for field in fields(Preset)
    }
    preset = Preset(**values)
    try:
        _check(preset)
    except OptionError as error:
        raise FileFormatError(f"preset {where}: {error}") from None
    return preset


def _check(preset: Preset) -> None:
    """Refuse values that are of the right type and yet not usable.

    Raises:
        OptionError: says which.
    """
    game = get_game(preset.game)
    for players in preset.num_players:
        game.bind(num_players=players)
    for name in preset.opponents:
        if not name.endswith(SUFFIX):
            make_bot(name, game, seed=0)
    if len(preset.weights) != len(preset.opponents):
        raise OptionError("weights and opponents differ in number")
    if preset.gae_lambda > 1:
        raise OptionError(f"gae_lambda = {preset.gae_lambda}: at most 1")
    if preset.activation not in ACTIVATIONS:
        raise OptionError(f"activation = {preset.activation!r}: one of {', '.join(ACTIVATIONS)}")


def _convert(value: Any, kind: str, where: str) -> Any:
    """Check a value against the type of its field; numbers must not be negative, counts be 1."""
    if kind.startswith("tuple["):
        if not isinstance(value, list) or not value:
            raise FileFormatError(f"{where} = {value!r} is not a list with at least one entry")
        inner = kind[len("tuple[") :].split(",")[0]
        return tuple(_convert(entry, inner, where) for entry in value)
    if kind == "str":
        if isinstance(value, str):
            return value
    elif not isinstance(value, bool):
        if kind == "int" and isinstance(value, int) and value >= 1:
            return value
        if kind == "float" and isinstance(value, int | float) and 0 <= value < math.inf:
            return float(value)
    allowed = {
        "str": "a text",
        "int": "a whole number of at least 1",
        "float": "a number from 0 up",
    }
    raise FileFormatError(f"{where} = {value!r} is not {allowed[kind]}")
