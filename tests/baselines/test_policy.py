"""Policy files: round trip, refusal of damaged ones, and play by NumPy alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

import concilium.baselines
from concilium.baselines import Network, PolicyBot, load_policy, make_bot, save_policy
from concilium.baselines.policy import draw, load_network, observation_scale
from concilium.baselines.tensors import read_tensors, tensor_bytes
from concilium.envs import FileFormatError, IllegalActionError, OptionError, get_game, make_vec

GAME = get_game("chancellors")
WIDTHS = [GAME.observation.size, 16, 8, GAME.num_actions]


def network(activation: str = "tanh", seed: int = 0) -> Network:
    generator = np.random.default_rng(seed)
    shapes = list(zip(WIDTHS[1:], WIDTHS[:-1], strict=True))
    return Network(
        game=GAME,
        activation=activation,
        scale=observation_scale(GAME),
        weights=tuple(generator.normal(size=shape).astype(np.float32) for shape in shapes),
        biases=tuple(generator.normal(size=rows).astype(np.float32) for rows, _ in shapes),
        training={"seed": 3, "preset": {"decisions": 10}},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "policy.safetensors"
    save_policy(target, network())
    return target


def some_observations(count: int = 50) -> np.ndarray:
    vec = make_vec(GAME, count, 3, seed=1)
    return vec.reset().observations


def test_round_trip(path: Path) -> None:
    loaded, saved = load_network(path), network()
    assert loaded.game is GAME
    assert (loaded.activation, loaded.hidden) == ("tanh", [16, 8])
    assert loaded.training == saved.training
    for one, two in zip(
        (*loaded.weights, *loaded.biases, loaded.scale),
        (*saved.weights, *saved.biases, saved.scale),
        strict=True,
    ):
        assert one.dtype == np.float32
        assert (one == two).all()
    observations = some_observations()
    assert (loaded.logits(observations) == saved.logits(observations)).all()
    assert [file.name for file in path.parent.iterdir()] == ["policy.safetensors"]


def test_the_usual_reader_reads_the_file(path: Path) -> None:
    theirs = safetensors.numpy.load_file(path)
    ours, metadata = read_tensors(path)
    assert set(theirs) == set(ours)
    assert all((theirs[name] == ours[name]).all() for name in ours)
    assert json.loads(metadata["policy"])["game"] == "chancellors_v0"


def test_the_usual_writer_writes_what_we_read(path: Path) -> None:
    tensors, metadata = read_tensors(path)
    safetensors.numpy.save_file(tensors, path, metadata)
    assert load_network(path).hidden == [16, 8]


def test_logits_are_those_of_the_layers() -> None:
    for activation, function in (("tanh", np.tanh), ("relu", lambda x: np.maximum(x, 0))):
        net = network(activation)
        x = some_observations().astype(np.float64) * net.scale
        for k, (weight, bias) in enumerate(zip(net.weights, net.biases, strict=True)):
            x = x @ weight.T.astype(np.float64) + bias
            if k < 2:
                x = function(x)
        assert np.abs(net.logits(some_observations()) - x).max() < 1e-4


def test_scaled_observations_lie_within_one() -> None:
    scale = observation_scale(GAME)
    assert (GAME.observation.high * scale <= 1.000001).all()
    assert (GAME.observation.low * scale >= -1.000001).all()


@pytest.mark.parametrize("greedy", [True, False])
def test_play_is_legal_and_repeatable(greedy: bool) -> None:
    bot = PolicyBot(network(), greedy=greedy, seed=1)
    vec = make_vec(GAME, 64, [2, 3, 4, 4] * 16, seed=2)
    runs = []
    for _ in range(2):
        bot.seed(4)
        batch = vec.reset(seed=2)
        taken = []
        for _ in range(60):
            actions = bot.act(vec.views(), batch.masks)
            taken.append(actions.tolist())
            batch = vec.step(actions)  # refuses illegal actions
        runs.append(taken)
    assert runs[0] == runs[1]


def test_greedy_takes_the_best_legal_action() -> None:
    net = network()
    vec = make_vec(GAME, 64, 3, seed=2)
    batch = vec.reset()
    chosen = PolicyBot(net).act(vec.views(), batch.masks)
    logits = net.logits(batch.observations)
    for row in range(64):
        legal = np.flatnonzero(batch.masks[row])
        assert chosen[row] == legal[logits[row, legal].argmax()]


def test_drawing_follows_the_softmax() -> None:
    logits = np.full((40_000, 5), -np.inf, np.float32)
    logits[:, [1, 3]] = [0.0, np.log(3.0)]
    counts = np.bincount(draw(logits, np.random.default_rng(0)), minlength=5)
    assert counts.sum() == counts[1] + counts[3]
    assert abs(counts[3] / 40_000 - 0.75) < 0.013  # six standard deviations


def test_drawing_never_takes_what_cannot_be() -> None:
    class Highest(np.random.Generator):
        """Always draws the highest number below 1."""

        def random(self, *args: Any, **kwargs: Any) -> Any:
            return np.full(args[0], np.nextafter(1.0, 0.0))

    logits = np.full((3, 4), -np.inf, np.float32)
    logits[:, 0] = [0.0, 80.0, -80.0]
    logits[:, 2] = -30.0
    drawn = draw(logits, Highest(np.random.PCG64(0)))
    assert set(drawn.tolist()) <= {0, 2}


def test_an_empty_mask_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="row 0"):
        PolicyBot(network()).choose(some_observations(1), np.zeros((1, 152), np.int8))


def test_bot_from_a_path(path: Path) -> None:
    bot = make_bot(str(path), GAME, greedy=False)
    assert isinstance(bot, PolicyBot)
    assert (bot.name, bot.greedy) == ("policy", False)
    assert load_policy(path, name="mine").name == "mine"


def test_playing_needs_no_torch(path: Path) -> None:
    code = (
        "import sys; from concilium.baselines import load_policy; load_policy(sys.argv[1]);"
        "assert not {'torch', 'stable_baselines3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


# Damaged files ----------------------------------------------------------------------------------

Parts = tuple[dict[str, Any], bytes]


def taken_apart(path: Path) -> Parts:
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def put_together(path: Path, header: Any, body: bytes) -> None:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def edit_header(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        header, body = taken_apart(path)
        change(header)
        put_together(path, header, body)

    return damage


def edit_description(**entries: Any) -> Callable[[Path], None]:
    def change(header: dict[str, Any]) -> None:
        description = json.loads(header["__metadata__"]["policy"])
        description.update(entries)
        header["__metadata__"]["policy"] = json.dumps(description)

    return edit_header(change)


def edit_tensors(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        tensors, metadata = read_tensors(path)
        change(tensors)
        path.write_bytes(tensor_bytes(tensors, metadata))

    return damage


def edit_bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return damage


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def poison(tensors: dict[str, Any]) -> None:
    tensors["1.bias"][2] = np.nan


def shift_first(header: dict[str, Any]) -> None:
    start, stop = header["scale"]["data_offsets"]
    header["scale"]["data_offsets"] = [start + 4, stop + 4]


def of_another_type(path: Path) -> None:
    tensors, metadata = read_tensors(path)
    other: dict[str, Any] = {**tensors, "0.bias": tensors["0.bias"].astype(np.float64)}
    safetensors.numpy.save_file(other, path, metadata)


def set_entry(name: str, key: str, value: Any) -> Callable[[Path], None]:
    return edit_header(lambda header: header[name].__setitem__(key, value))


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "absent": (lambda path: path.unlink(), "no such file"),
    "a folder": (make_folder, "no such file"),
    "empty": (edit_bytes(lambda data: b""), "header too small"),
    "a pickle": (edit_bytes(lambda data: b"\x80\x04\x95\x0b\0\0\0\0\0\0\0\x94." * 9), "header"),
    "header length": (edit_bytes(lambda data: b"\xff" * 8 + data[8:]), "header too large"),
    "cut in the header": (edit_bytes(lambda data: data[:60]), "invalid header length"),
    "cut in the arrays": (edit_bytes(lambda data: data[:-10]), "not fully covered"),
    "bytes too many": (edit_bytes(lambda data: data + b"12345678"), "not fully covered"),
    "header no JSON": (lambda p: put_together(p, b"{not json", b""), "invalid JSON"),
    "header no object": (lambda p: put_together(p, [1, 2], b""), "invalid JSON"),
    "header too deep": (lambda p: put_together(p, b"[" * 10**5, b""), "invalid JSON"),
    "header not UTF-8": (lambda p: put_together(p, b'{"\xff": 1}', b""), "invalid UTF-8"),
    "metadata no strings": (
        edit_header(lambda header: header.update(__metadata__={"policy": 1})),
        "expected a string",
    ),
    "no metadata": (edit_header(lambda header: header.pop("__metadata__")), "no entry 'policy'"),
    "other type": (of_another_type, "'0.bias' is of type 'F64'; only F32"),
    "entry incomplete": (edit_header(lambda h: h["0.bias"].pop("shape")), "missing field `shape`"),
    "shape not numbers": (set_entry("0.bias", "shape", [1.5]), "floating point `1.5`"),
    "shape negative": (set_entry("0.bias", "shape", [-16]), "integer `-16`"),
    "shape huge": (set_entry("0.bias", "shape", [2**60, 2**60]), "overflow"),
    "three axes": (set_entry("0.bias", "shape", [4, 2, 2]), "has shape"),
    "size and shape disagree": (set_entry("0.bias", "shape", [17]), "invalid shape"),
    "gap or overlap": (edit_header(shift_first), "invalid offset for tensor `scale`"),
    "not finite": (edit_tensors(poison), "not finite"),
    "tensor missing": (edit_tensors(lambda t: t.pop("2.bias")), "missing or too many: 2.bias"),
    "tensor too many": (
        edit_tensors(lambda t: t.update(extra=np.zeros(1, np.float32))),
        "missing or too many: extra",
    ),
    "tensor of wrong shape": (
        edit_tensors(lambda t: t.update({"0.weight": t["0.weight"].T.copy()})),
        r"'0.weight' has shape \(438, 16\), needed is \(16, 438\)",
    ),
    "description no JSON": (
        edit_header(lambda header: header["__metadata__"].update(policy="{")),
        "the description is not JSON",
    ),
    "newer format": (edit_description(format=3), "format 3; only 1 and 2 are read"),
    "format of a part": (edit_description(format=2), "field decisions is missing"),
    "unknown entry": (edit_description(more=1), "field more is unknown"),
    "other game": (edit_description(game="chess_v0"), "no game 'chess'"),
    "other version": (edit_description(game="chancellors_v9"), "'chancellors_v9'; this is"),
    "game no text": (edit_description(game=7), "field game: 7 is not allowed"),
    "other layout": (edit_description(layout="0" * 16), "layout is '0000000000000000'"),
    "other size": (edit_description(observation_size=437), "observation_size is 437"),
    "other actions": (edit_description(num_actions="152"), "field num_actions: '152' is not"),
    "widths no numbers": (edit_description(hidden=["16", 8]), "hidden, entry 1: '16'"),
    "width of zero": (edit_description(hidden=[16, 0]), "hidden, entry 2: 0 is"),
    "too many layers": (edit_description(hidden=[16] * 8), "at most 7 widths"),
    "too wide": (edit_description(hidden=[16, 10**6]), "from 1 to 4096"),
    "unknown activation": (edit_description(activation="sin"), "one of relu, tanh"),
    "training no object": (edit_description(training=[1]), "training: .1. is not allowed: a table"),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_damaged_files_are_refused_in_one_line(kind: str, path: Path) -> None:
    damage, message = DAMAGES[kind]
    damage(path)
    earlier = "Error while deserializing: [A-Z]"  # how safetensors before 0.6 begins
    with pytest.raises(FileFormatError, match=f"{message}|{earlier}") as caught:
        load_policy(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text


def test_shipped_policies_are_written_byte_by_byte_as_they_are(tmp_path: Path) -> None:
    shipped = sorted((Path(concilium.baselines.__file__).parent / "policies").glob("*.safetensors"))
    assert shipped
    for old in shipped:
        new = tmp_path / old.name
        save_policy(new, load_network(old))
        assert new.read_bytes() == old.read_bytes()


def test_files_too_large_are_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("concilium.baselines.tensors.LARGEST_FILE", 1000)
    with pytest.raises(FileFormatError, match="more than 1000 bytes"):
        load_policy(path)


def test_only_sound_networks_are_saved(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"must end in \.safetensors"):
        save_policy(tmp_path / "policy.bin", network())
    bad = network("sin")
    with pytest.raises(OptionError, match="activation: 'sin'"):
        save_policy(tmp_path / "policy.safetensors", bad)
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def fail(*args: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        save_policy(path, network(seed=1))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
