"""Learned policies: a file format, and a bot that plays them with NumPy alone.

A policy file is one safetensors file. Its arrays are ``scale`` (what an observation is multiplied
with) and ``0.weight``, ``0.bias``, ``1.weight``, …: fully connected layers with an activation
between them, the last giving one number per action. The metadata entry ``policy`` is a JSON object
that says for which game and with which architecture, how the policy was trained, and, if it decides
some kinds of decisions only, which ones and what bot is to decide the others.
"""

from __future__ import annotations

import hashlib
import itertools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from concilium.baselines.tensors import Array, read_tensors, tensor_bytes, tensors_of
from concilium.envs import get_game
from concilium.envs.core.bot import GeneratorBot, refuse_empty
from concilium.envs.core.decisions import decision_kinds, kind_names
from concilium.envs.core.errors import FileFormatError, OptionError
from concilium.envs.core.files import write_atomically
from concilium.envs.core.game import Game
from concilium.envs.core.layout import Layout
from concilium.envs.core.schema import convert, json_text, parse_json
from concilium.envs.core.state import Records

WHOLE: Final = 1  # format of a policy for all decisions; a number is never used for another one
PARTIAL: Final = 2  # that of a policy for some kinds of decisions
_LARGEST_LOGIT: Final = 1e30
SUFFIX: Final = ".safetensors"
POLICY: Final = "policy.safetensors"
"""The best policy in the folder of a run."""
RUN: Final = "run.json"
"""What the folder of a run has from its beginning."""
_ENTRY: Final = "policy"

Hidden: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=4096)], ...],
    Meta(max_length=7, description="a list of at most 7 widths of layers, from 1 to 4096"),
]
"""Widths of hidden layers that a policy file can hold."""
Activation: TypeAlias = Literal["tanh", "relu"]


class _Whole(msgspec.Struct, forbid_unknown_fields=True):
    """What a policy file says of a policy for all decisions, beside its format."""

    game: str
    layout: str
    observation_size: int
    num_actions: int
    hidden: Hidden
    activation: Activation
    training: dict[str, Any]


class _Partial(_Whole, forbid_unknown_fields=True):
    """The same of a policy for some kinds of decisions."""

    decisions: list[str]
    assistant: Annotated[str, Meta(min_length=1, max_length=1000)]


def _tanh(x: Array) -> Array:
    return np.tanh(x, out=x)


def _relu(x: Array) -> Array:
    return np.maximum(x, 0, out=x)


ACTIVATIONS: Final[dict[str, Callable[[Array], Array]]] = {"tanh": _tanh, "relu": _relu}
"""Activation functions by name; they work in place."""


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a policy for one game.

    Attributes:
        game: the game it plays.
        activation: name of the function between layers.
        scale: factor of each entry of an observation ``(observation size,) float32``.
        weights: of the layers, each ``(outputs, inputs) float32``; the last has ``num_actions``
            outputs.
        biases: of the layers, each ``(outputs,) float32``.
        training: how it came about; anything that JSON can hold.
        decisions: names of the kinds of decisions that it is for; empty if for all.
        assistant: name of the bot that is to decide the others; empty if there are none.
    """

    game: Game
    activation: str
    scale: Array
    weights: tuple[Array, ...]
    biases: tuple[Array, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    decisions: tuple[str, ...] = ()
    assistant: str = ""

    @property
    def hidden(self) -> list[int]:
        """Widths of the hidden layers."""
        return [len(bias) for bias in self.biases[:-1]]

    def logits(self, observations: NDArray[np.int8]) -> Array:
        """Numbers ``(k, num_actions) float32`` for observations ``(k, size) int8``.

        Computed by one thread: where cores are shared, several that wait for each other have been
        seen to take ten times as long for batches of this size.
        """
        x: Array = observations * self.scale
        last = len(self.weights) - 1
        with _blas().limit(limits=1):
            for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
                x = x @ weight.T
                x += bias
                if k < last:
                    x = ACTIVATIONS[self.activation](x)
        return x


class PolicyBot(GeneratorBot):
    """Plays a network: the action of highest logit, or one drawn by the softmax of the logits.

    Args:
        network: the policy.
        greedy: take the best action (of equal ones the lowest number) rather than draw one.
        name: for tables and messages.
        seed: of the bot's own generator.

    Raises:
        OptionError: the network is for some kinds of decisions only;
            :func:`.registry.policy_bot` plays it together with its assistant.
    """

    def __init__(
        self,
        network: Network,
        *,
        greedy: bool = True,
        name: str = "policy",
        seed: int | None = None,
    ) -> None:
        super().__init__(name, network.game, seed)
        if network.decisions:
            raise OptionError(
                f"policy {name} is for {', '.join(network.decisions)} only, so it does not play by "
                "itself: policy_bot() plays it with its assistant"
            )
        self.network = network
        self.greedy = greedy
        self._side = side_of(network)

    def _choose(self, views: Records, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        if self._side is not None:
            self._look_at_sides(self.game.own_sides(views))
        observations = np.empty((len(views), self.game.observation.size), np.int8)
        self.game.kernels.encode_many(views, observations, 0, len(views))
        return self.choose(observations, masks)

    def _look_at_sides(self, sides: NDArray[np.int64]) -> None:
        """Warn, once, if a side is played that the policy has not learned."""
        if (sides == self._side).all():
            return
        names = self.game.sides
        form = ",".join(f"{name}=BOT" for name in names)
        other = names[int(sides[sides != self._side][0])]
        warnings.warn(
            f"policy {self.name} has learned to play {names[self._side or 0]} only and is asked to "
            f"play {other}; sides:{form} is a bot that plays each side with a bot of its own",
            RuntimeWarning,
            stacklevel=2,
        )
        self._side = None

    def choose(self, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Actions ``(k,)`` for observations ``(k, size) int8`` and masks ``(k, num_actions) int8``.

        Raises:
            IllegalActionError: a row of the masks is all zero.
        """
        refuse_empty(masks)
        # weights from a file can be as large as numbers get: a legal action always beats an illegal
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.nan_to_num(self.network.logits(observations), nan=0.0)
        logits = np.where(masks != 0, np.clip(finite, -_LARGEST_LOGIT, _LARGEST_LOGIT), -np.inf)
        if self.greedy:
            best: NDArray[np.int64] = logits.argmax(axis=1)
            return best
        return draw(logits, self.generator)


def side_of(network: Network) -> int | None:
    """Number of the side that a policy has learned, as its training tells; None for all."""
    preset = network.training.get("preset")
    side = preset.get("side") if isinstance(preset, dict) else None
    return network.game.sides.index(side) if side in network.game.sides else None


def draw(logits: Array, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw an index per row by the softmax of ``logits (k, n)``, never where they are -inf."""
    weights = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64))
    sums = weights.cumsum(axis=1)
    total = sums[:, -1]
    # below the total even where the product is rounded up to it
    goal = np.minimum(generator.random(len(logits)) * total, np.nextafter(total, 0))
    chosen: NDArray[np.int64] = (sums > goal[:, np.newaxis]).argmax(axis=1)
    return chosen


def save_policy(path: str | Path, network: Network) -> None:
    """Write a policy file under a temporary name and rename it.

    Raises:
        OptionError: the name does not end in ``.safetensors``, or :func:`load_network` would not
            read what would be written; nothing is.
    """
    path = Path(path)
    if path.suffix != SUFFIX:
        raise OptionError(f"policy file {path.name!r}: the name must end in {SUFFIX}")
    tensors = {"scale": network.scale}
    for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        tensors[f"{k}.weight"] = weight
        tensors[f"{k}.bias"] = bias
    game = network.game
    description: dict[str, Any] = {
        "format": PARTIAL if network.decisions else WHOLE,
        "game": game.id,
        "layout": layout_digest(game),
        "observation_size": game.observation.size,
        "num_actions": game.num_actions,
        "hidden": network.hidden,
        "activation": network.activation,
        "training": dict(network.training),
    }
    if network.decisions or network.assistant:
        description |= {"decisions": list(network.decisions), "assistant": network.assistant}
    text = json_text(description, "how the policy was trained")
    data = tensor_bytes(tensors, {_ENTRY: text})
    try:
        _network(*tensors_of(data))
    except FileFormatError as error:
        raise OptionError(f"this network is no policy for {game.id}: {error}") from None
    write_atomically(path, data)


def load_network(path: str | Path) -> Network:
    """Read a policy file, or the policy in the folder of a run.

    Raises:
        FileFormatError: it is not there, damaged, or for another game, version or layout; one line
            says what is wrong.
    """
    path = policy_in(Path(path)) or Path(path)
    found = read_tensors(path)
    try:
        return _network(*found)
    except FileFormatError as error:
        raise FileFormatError(f"policy file {path}: {error}") from None


def policy_in(folder: Path) -> Path | None:
    """The policy file in the folder of a run, which need not be there yet; None for others."""
    policy = folder / POLICY
    return policy if policy.is_file() or (folder / RUN).is_file() else None


def layout_digest(game: Game) -> str:
    """Return 16 hex digits over names, shapes and ranges of the game's observation."""
    rows = [(s.name, s.shape, s.low, s.high) for s in game.observation]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def observation_scale(game: Game) -> Array:
    """Factors that bring each entry of an observation to the range -1 … 1, ``(size,) float32``."""
    return layout_scale(game.observation)


def layout_scale(layout: Layout) -> Array:
    """The same for any layout, ``(size,) float32``."""
    low, high = layout.low.astype(np.int64), layout.high.astype(np.int64)
    # 1 for an element that is always 0
    return (1.0 / np.maximum(np.maximum(np.abs(low), np.abs(high)), 1)).astype(np.float32)


def _network(tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> Network:
    """Put a policy together from what its file holds, and check it."""
    if _ENTRY not in metadata:
        raise FileFormatError(f"the metadata have no entry {_ENTRY!r}: not a policy")
    description = parse_json(metadata[_ENTRY], "the description")
    number = description.get("format")
    if number not in (WHOLE, PARTIAL):
        raise FileFormatError(f"format {number!r}; only {WHOLE} and {PARTIAL} are read")
    entries = {name: value for name, value in description.items() if name != "format"}
    facts = convert(entries, _Partial if number == PARTIAL else _Whole)
    game = _find_game(facts)
    _check_shapes(tensors, game, facts.hidden)
    decisions: tuple[str, ...] = ()
    if isinstance(facts, _Partial):
        try:
            decisions = kind_names(game, decision_kinds(game, facts.decisions))
        except OptionError as error:
            raise FileFormatError(str(error)) from None
    layers = range(len(facts.hidden) + 1)
    return Network(
        game=game,
        activation=facts.activation,
        scale=tensors["scale"],
        weights=tuple(tensors[f"{k}.weight"] for k in layers),
        biases=tuple(tensors[f"{k}.bias"] for k in layers),
        training=facts.training,
        decisions=decisions,
        assistant=facts.assistant if isinstance(facts, _Partial) else "",
    )


def _find_game(facts: _Whole) -> Game:
    """The game that the policy is for, in the version and with the layout it was trained on."""
    try:
        game = get_game(facts.game.rpartition("_v")[0])
    except OptionError as error:
        raise FileFormatError(f"for game {facts.game!r}: {error}") from None
    if facts.game != game.id:
        raise FileFormatError(f"for {facts.game!r}; this is {game.id}")
    own = {
        "observation_size": game.observation.size,
        "num_actions": game.num_actions,
        "layout": layout_digest(game),
    }
    for key, value in own.items():
        if getattr(facts, key) != value:
            raise FileFormatError(f"{key} is {getattr(facts, key)!r}; {game.id} has {value!r}")
    return game


def _check_shapes(tensors: Mapping[str, Array], game: Game, hidden: Hidden) -> None:
    widths = [game.observation.size, *hidden, game.num_actions]
    shapes: dict[str, tuple[int, ...]] = {"scale": (widths[0],)}
    for k, (inputs, outputs) in enumerate(itertools.pairwise(widths)):
        shapes[f"{k}.weight"] = (outputs, inputs)
        shapes[f"{k}.bias"] = (outputs,)
    if set(tensors) != set(shapes):
        odd = sorted(set(tensors) ^ set(shapes))
        raise FileFormatError(f"tensors missing or too many: {', '.join(odd)}")
    for name, shape in shapes.items():
        if tensors[name].shape != shape:
            raise FileFormatError(
                f"tensor {name!r} has shape {tensors[name].shape}, needed is {shape}"
            )
