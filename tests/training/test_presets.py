"""Presets: what comes with the package loads, and whatever is wrong is named."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from concilium.envs import FileFormatError
from concilium.envs.nicaea.deck import deck_of
from concilium.training.presets import FOLDER, load_preset, preset_of
from tests.games.nicaea.players import SMALL_DECK

TEXT = (FOLDER / "chancellors-quick.toml").read_text()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_bundled_presets_load(path: Path) -> None:
    preset = load_preset(path.stem)
    assert preset == load_preset(path)
    assert preset_of(preset.to_json(), "run.json") == preset  # as a run keeps it
    assert preset_of(json.loads(json.dumps(preset.to_json())), "run.json") == preset
    with pytest.raises(dataclasses.FrozenInstanceError):
        preset.clip = 1.0  # type: ignore[misc]


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert TEXT.count(f"\n{old}") == 1
    path = tmp_path / "preset.toml"
    path.write_text(TEXT.replace(f"\n{old}", f"\n{new}"))
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game = ", "gamma = ", "missing or unknown: game, gamma"),
        ("epochs = ", "epochs = true #", "epochs = True is not a whole number"),
        ("minibatch = ", "minibatch = 0 #", "minibatch = 0 is not"),
        ("minibatch = ", "minibatch = 1 #", "minibatch = 1: at least 2"),
        ("minibatch = ", "minibatch = 20_000 #", "at most rollout_size = 16384"),
        ("clip = ", "clip = -1.0 #", "clip = -1.0 is not a number from 0 up"),
        ("clip = ", "clip = 'x' #", "clip = 'x' is not"),
        ("hidden = ", "hidden = [] #", "at least one entry"),
        ("hidden = ", "hidden = 128 #", "not a list"),
        ("hidden = ", "hidden = [1.5] #", "hidden = 1.5 is not a whole number"),
        ("weights = ", "weights = [1.0] #", "weights and bots differ"),
        ("weights = ", "weights = [0.0, 0.0] #", "no bot has a weight above 0"),
        ("game = ", "game = 1 #", "game = 1 is not a text"),
        ("game = ", "game = = ", "Invalid value"),
        ("activation = ", "activation = 'sin' #", "activation = 'sin': one of tanh, relu"),
        ("reward = ", "reward = 'all' #", "reward = 'all': one of own, table"),
        ("critic = ", "critic = 'both' #", "critic = 'both': one of observation, state"),
        ("seats = ", "seats = 'two' #", "seats = 'two': one of all, one"),
        ("game = ", "game = 'chess' #", "no game 'chess'"),
        ("num_players = ", "num_players = [5] #", "num_players=5 is not allowed"),
        ("options = ", "options = {problems = 9} #", "problems=9 is not allowed"),
        ("options = ", "options = [] #", r"options = \[\] is not a"),
        ("bots = ", "bots = ['a', 'b'] #", "no bot 'a'"),
        ("held_out = ", "held_out = ['a.safetensors'] #", "a.safetensors: no such file"),
        ("held_out = ", "held_out = [] #", "scored among at least one bot"),
        ("gae_lambda = ", "gae_lambda = 1.5 #", "gae_lambda = 1.5: at most 1"),
        ("alike = ", "alike = 1.5 #", "alike = 1.5: at most 1"),
        ("clip = ", "clip = nan #", "clip = nan is not"),
        ("behaviour_cloning_fraction = ", "behaviour_cloning_fraction = 0.5 #", "no bot ''"),
        ("behaviour_cloning_fraction = ", "behaviour_cloning_fraction = 2.0 #", "no bot ''"),
        ("clip = ", "clip = 1e300 #", "from 0 up to 1e"),
        ("hidden = ", "hidden = [4, 4, 4, 4, 4, 4, 4, 4] #", "at most 7 widths"),
        ("num_envs = ", "num_envs = 2 #", "at least one for each of num_players"),
        ("rollout_size = ", "rollout_size = 5_000_000 #", "rollout_size = 5000000: at most"),
        ("options = ", "options = {num_players = 3} #", "is set by num_players"),
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
    for name in ("chess-quick", "../presets/chancellors-quick"):
        with pytest.raises(
            FileFormatError, match=f"no preset '{name}'; there are believers-quick, chancellors-"
        ):
            load_preset(name)
    path.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(FileFormatError, match="more than 1048576 bytes"):
        load_preset(path)


def test_a_data_file_among_the_options_is_kept_with_its_digest(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(Path(SMALL_DECK).read_text())
    path = tmp_path / "preset.toml"
    text = (FOLDER / "nicaea-quick.toml").read_text()
    path.write_text(text.replace("options = {}", f'options = {{ deck = "{deck}" }}'))
    preset = load_preset(path)
    assert re.fullmatch(re.escape(str(deck)) + "#[0-9a-f]{16}", str(preset.options["deck"]))
    kept = preset.to_json()
    assert preset_of(kept, "run.json") == preset
    deck.write_text(deck.read_text().replace("cost = 4", "cost = 3"))
    deck_of.cache_clear()  # as in another process
    with pytest.raises(FileFormatError, match=r"run.json: deck file .* has changed"):
        preset_of(kept, "run.json")
