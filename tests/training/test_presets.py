"""Presets: what comes with the package loads, and whatever is wrong is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from concilium.envs import FileFormatError, OptionError
from concilium.envs.nicaea.deck import deck_of
from concilium.training.presets import FOLDER, changed, given_settings, load_preset, preset_of
from tests.games.nicaea.players import SMALL_DECK

TEXT = (FOLDER / "chancellors-quick.toml").read_text()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_bundled_presets_load(path: Path) -> None:
    preset = load_preset(path.stem)
    assert preset == load_preset(path)
    assert preset_of(preset.to_json(), "run.json") == preset  # as a run keeps it
    assert preset_of(json.loads(json.dumps(preset.to_json())), "run.json") == preset
    with pytest.raises(AttributeError, match="immutable"):
        preset.clip = 1.0  # type: ignore[misc]


def with_line(tmp_path: Path, old: str, new: str) -> Path:
    assert TEXT.count(f"\n{old}") == 1
    path = tmp_path / "preset.toml"
    path.write_text(TEXT.replace(f"\n{old}", f"\n{new}"))
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game = ", "gamma = ", "field gamma is unknown: there are activation, .*, game, "),
        (
            "epochs = ",
            "epochs = true #",
            "field epochs: True is not allowed: a whole",
        ),
        (
            "minibatch = ",
            "minibatch = 0 #",
            "minibatch: 0 is not allowed: a whole",
        ),
        (
            "minibatch = ",
            "minibatch = 1 #",
            "minibatch: 1 is not allowed: a whole number from 2 to",
        ),
        ("minibatch = ", "minibatch = 20_000 #", "at most rollout_size = 16384"),
        ("clip = ", "clip = -1.0 #", "field clip: -1.0 is not allowed: a number from 0 to 1000000"),
        ("clip = ", "clip = 'x' #", "field clip: 'x' is not allowed: a number"),
        (
            "hidden = ",
            "hidden = [] #",
            r"hidden: \[\] is not allowed: a list of 1 to 7 widths",
        ),
        ("hidden = ", "hidden = 128 #", "field hidden: 128 is not allowed: a list of"),
        (
            "hidden = ",
            "hidden = [1.5] #",
            "hidden, entry 1: 1.5 is not allowed: a whole number",
        ),
        ("weights = ", "weights = [1.0] #", "weights and bots differ"),
        ("weights = ", "weights = [0.0, 0.0] #", "no bot has a weight above 0"),
        ("game = ", "game = 1 #", "field game: 1 is not allowed: a text"),
        ("game = ", "game = = ", "Invalid value"),
        (
            "activation = ",
            "activation = 'sin' #",
            "'sin' is not allowed: one of relu, tanh",
        ),
        ("reward = ", "reward = 'all' #", "field reward: 'all' is not allowed: one of own, table"),
        (
            "critic = ",
            "critic = 'both' #",
            "'both' is not allowed: one of observation, state",
        ),
        ("seats = ", "seats = 'two' #", "field seats: 'two' is not allowed: one of all, one"),
        ("game = ", "game = 'chess' #", "no game 'chess'"),
        ("num_players = ", "num_players = [5] #", "num_players=5 is not allowed"),
        ("options = ", "options = {problems = 9} #", "problems=9 is not allowed"),
        ("options = ", "options = [] #", r"field options: \[\] is not allowed: a table"),
        ("bots = ", "bots = ['a', 'b'] #", "no bot 'a'"),
        ("held_out = ", "held_out = ['a.safetensors'] #", "a.safetensors: no such file"),
        ("held_out = ", "held_out = [] #", "scored among at least one bot"),
        (
            "gae_lambda = ",
            "gae_lambda = 1.5 #",
            "gae_lambda: 1.5 is not allowed: a number from 0",
        ),
        ("alike = ", "alike = 1.5 #", "alike: 1.5 is not allowed: a number from 0 to 1"),
        ("clip = ", "clip = nan #", "clip: nan is not"),
        ("behaviour_cloning_fraction = ", "behaviour_cloning_fraction = 0.5 #", "no bot ''"),
        (
            "behaviour_cloning_fraction = ",
            "behaviour_cloning_fraction = 2.0 #",
            "behaviour_cloning_fraction: 2.0 is not allowed: a number from 0 to 1",
        ),
        ("clip = ", "clip = 1e300 #", r"clip: 1e\+300 is not allowed: a number from 0 to 1000000"),
        ("hidden = ", "hidden = [4, 4, 4, 4, 4, 4, 4, 4] #", "a list of 1 to 7 widths"),
        ("num_envs = ", "num_envs = 2 #", "at least one for each of num_players"),
        (
            "rollout_size = ",
            "rollout_size = 5_000_000 #",
            "5000000 is not allowed: a whole number",
        ),
        ("options = ", "options = {num_players = 3} #", "is set by num_players"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        load_preset(with_line(tmp_path, old, new))


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


# Files with a base, settings as words -----------------------------------------------------------


def based(folder: Path, text: str, name: str = "own.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_preset_is_based_on_another(tmp_path: Path) -> None:
    quick = load_preset("chancellors-quick")
    text = 'base = "quick"\ngame = "chancellors"\nclip = 0.3\noptions = {problems = 4}\n'
    own = load_preset(based(tmp_path, text))
    assert own == preset_of(
        {**quick.to_json(), "clip": 0.3, "options": {"problems": 4}}, "as it should be"
    )
    # on a file beside it, with an old name, and one more of the game's options
    text = 'base = "own.toml"\nsamples = 4096\noptions = {target_score = 12}\n'
    more = load_preset(based(tmp_path, text, "more.toml"), "chancellors")
    assert (more.rollout_size, more.clip) == (4096, 0.3)
    assert more.options == {"problems": 4, "target_score": 12}
    full = load_preset(based(tmp_path, 'base = "chancellors-full"\nbudget = 5\n'))
    assert full == preset_of({**load_preset("full", "chancellors").to_json(), "budget": 5}, "it")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('base = "quick"', "no preset 'quick'; there are believers-quick"),
        ("base = 3", r"field base: 3 is not allowed: a text"),
        ('base = "own.toml"', "'own.toml' is based on this file"),
        ('base = "absent.toml"', "absent.toml: no such file"),
        ('base = "chancellors-quick"\nclipp = 1.0', "field clipp is unknown"),
        ('base = "chancellors-quick"\noptions = 1', "field options: 1 is not allowed: a table"),
    ],
)
def test_what_is_wrong_with_a_base_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        load_preset(based(tmp_path, text))


def test_presets_are_found_by_game() -> None:
    assert load_preset("quick", "nicaea") == load_preset("nicaea-quick", "nicaea")
    with pytest.raises(OptionError, match="'nicaea-quick' is for nicaea, not for chancellors"):
        load_preset("nicaea-quick", "chancellors")


def test_settings_are_given_as_words() -> None:
    words = [
        "clip=0.3", "hidden = [64, 32]", "critic=state", "options.problems=4",
        "options.target_score=12", "clip=0.2", 'bots=["random"]', "weights=[1]",
    ]  # fmt: skip
    given = given_settings(words)
    assert given == {
        "clip": 0.2, "hidden": [64, 32], "critic": "state", "bots": ["random"], "weights": [1],
        "options": {"problems": 4, "target_score": 12},
    }  # fmt: skip
    preset = changed(load_preset("chancellors-quick"), **given)
    assert (preset.hidden, preset.weights, preset.clip) == ((64, 32), (1.0,), 0.2)
    assert changed(preset, options={"problems": 5}).options == {"problems": 5, "target_score": 12}
    assert given_settings(["options.rows=4-4"]) == {"options": {"rows": "4-4"}}
    for word in ("clip", "=3", "teacher=", "a b=1", ""):
        with pytest.raises(OptionError, match="is not of the form name=value"):
            given_settings([word])
    with pytest.raises(OptionError, match="field clips is unknown: there are activation"):
        changed(preset, **given_settings(["clips=1"]))
    with pytest.raises(OptionError, match=r"field hidden: '\[64' is not allowed: a list"):
        changed(preset, **given_settings(["hidden=[64"]))
