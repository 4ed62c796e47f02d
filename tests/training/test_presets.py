"""Presets: what comes with the package loads, and whatever is wrong is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from concilium.envs import FileFormatError
from concilium.training.presets import FOLDER, load_preset

TEXT = (FOLDER / "chancellors-demo.toml").read_text()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_bundled_presets_load(path: Path) -> None:
    preset = load_preset(path.stem)
    assert preset == load_preset(path)
    assert (preset.num_envs * preset.steps) % preset.minibatch == 0  # no small rest
    with pytest.raises(dataclasses.FrozenInstanceError):
        preset.clip = 1.0  # type: ignore[misc]


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert old in TEXT
    path = tmp_path / "preset.toml"
    path.write_text(TEXT.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game = ", "gamma = ", "missing or unknown: game, gamma"),
        ("epochs = ", "epochs = true #", "epochs = True is not a whole number"),
        ("minibatch = ", "minibatch = 0 #", "minibatch = 0 is not"),
        ("clip = ", "clip = -1.0 #", "clip = -1.0 is not a number from 0 up"),
        ("clip = ", "clip = 'x' #", "clip = 'x' is not"),
        ("hidden = ", "hidden = [] #", "at least one entry"),
        ("hidden = ", "hidden = 128 #", "not a list"),
        ("hidden = ", "hidden = [1.5] #", "hidden = 1.5 is not a whole number"),
        ("weights = ", "weights = [1.0] #", "weights and opponents differ"),
        ("game = ", "game = 1 #", "game = 1 is not a text"),
        ("game = ", "game = = ", "Invalid value"),
        ("activation = ", "activation = 'sin' #", "activation = 'sin': one of tanh, relu"),
        ("game = ", "game = 'chess' #", "no game 'chess'"),
        ("num_players = ", "num_players = [5] #", "num_players=5 is not allowed"),
        ("opponents = ", "opponents = ['a', 'b'] #", "no bot 'a'"),
        ("gae_lambda = ", "gae_lambda = 1.5 #", "gae_lambda = 1.5: at most 1"),
        ("clip = ", "clip = nan #", "clip = nan is not"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        load_preset(changed(tmp_path, old, new))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        load_preset(tmp_path / "absent.toml")
    path = tmp_path / "preset.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="preset"):
        load_preset(path)
    with pytest.raises(FileFormatError, match="no preset 'chess-demo'; there are chancellors-demo"):
        load_preset("chess-demo")
    path.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(FileFormatError, match="more than 1048576 bytes"):
        load_preset(path)
