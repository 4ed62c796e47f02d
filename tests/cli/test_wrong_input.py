"""Whatever is wrong with a command line or a file: one line on standard error, exit code 2."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import pytest

from concilium.baselines import Network, save_policy
from concilium.baselines.policy import observation_scale
from concilium.baselines.tensors import read_tensors, tensor_bytes
from concilium.envs import get_game
from concilium.envs.core.replay import make_replay
from concilium.training.presets import FOLDER, preset_names
from tests.cli.shell import Run

GAME = get_game("chancellors")
PLAY = ["play", "chancellors", "--seed", "4"]
EVALUATE = ["evaluate", "chancellors/steward", "random", "--deals", "2"]
TOURNAMENT = ["tournament", "chancellors", "random", "chancellors/steward", "--deals", "2"]
DILEMMA = ["dilemma", "chancellors", "--resident", "chancellors/steward", "--deviator", "random"]
CHECK = ["check", "chancellors"]
PRESET = (FOLDER / "chancellors-quick.toml").read_text()

LINES: Final[dict[str, tuple[list[str], str, str]]] = {
    # what is wrong: the words, the culprit that is named, what is said of it or allowed
    "no command": ([], "COMMAND", "required"),
    "unknown command": (["fly"], "'fly'", "evaluate"),
    "misspelt command": (["evalute"], "'evalute'", "did you mean 'evaluate'?"),
    "unknown flag": ([*EVALUATE, "--speed", "9"], "--speed", "see concilium evaluate --help"),
    "abbreviated flag": ([*EVALUATE, "--deal", "9"], "--deal", "Did you mean --deals?; see concil"),
    "a word too many": (["list", "games", "bots"], "'bots'", "see concilium list --help"),
    "no game": (["play"], "GAME", "requires an argument"),
    "unknown game": (["play", "chess"], "'chess'", "there are believers, chancellors, nicaea"),
    "misspelt game": (["play", "chancelors"], "'chancelors'", "did you mean 'chancellors'?"),
    "misspelt bot": ([*PLAY, "--bots", "chancellors/stewart"], "'chancellors/stewart'",
                     "did you mean 'chancellors/steward'?"),
    "misspelt preset": (["train", "chancellors", "--preset", "qick"], "'qick'",
                        "did you mean 'chancellors-quick'?"),
    "misspelt option": ([*PLAY, "--option", "problem=3"], "'problem=3'",
                        "did you mean 'problems'?"),
    "balance of no game": (["balance", "chancellors"], "chancellors", "believers, nicaea"),
    "unknown game to check": (["check", "go"], "'go'", "there are believers, chancellors, nicaea"),
    "unknown game to learn": (["train", "go"], "'go'", "there are believers, chancellors, nicaea"),
    "game in another version": (["play", "chancellors_v9"], "'chancellors_v9'", "chancellors"),
    "unknown bot": (["evaluate", "nobody", "random", "--game", "chancellors"], "'nobody'",
                    "chancellors/steward"),
    "unknown opponent": ([*PLAY, "--bots", "chancellors/fool"], "'chancellors/fool'",
                         "chancellors/steward"),
    "unknown bot parameter": ([*PLAY, "--bots", "chancellors/steward:colour=red"], "colour",
                              "chancellors/steward"),
    "unknown bot in a tournament": (["tournament", "chancellors", "random", "nobody"], "'nobody'",
                                    "chancellors/steward"),
    "unknown deviator": ([*DILEMMA[:-1], "nobody"], "'nobody'", "chancellors/steward"),
    "no deviator": (DILEMMA[:4], "--deviator", "requires"),
    "no opponent": (["evaluate", "chancellors/steward"], "no opponent", "--all-seats"),
    "unknown option": ([*CHECK, "--option", "colour=red"], "'colour=red'", "one of excuse, pawns"),
    "option without value": ([*PLAY, "--option", "problems"], "'problems'", "name=value"),
    "option out of range": ([*PLAY, "--option", "problems=9"], "problems=9", "one of 3, 4, 5"),
    "option not a number": ([*CHECK, "--option", "target_score=many"], "target_score='many'",
                            "from 1 to 8000"),
    "option not a truth": ([*EVALUATE, "--option", "excuse=perhaps"], "excuse='perhaps'",
                           "True or False"),
    "option twice": ([*PLAY, "--option", "pawns=true", "--option", "pawns=false"], "pawns",
                     "twice"),
    "option in a tournament": ([*TOURNAMENT, "--option", "problems=2"], "problems=2",
                               "one of 3, 4, 5"),
    "players as a list": ([*EVALUATE, "--players", "[2,3]"], "'[2,3]'", "from 1 to 99"),
    "players as an option": ([*PLAY, "--option", "num_players=2"], "num_players", "--players"),
    "too many players": ([*PLAY, "--players", "7"], "num_players=7", "from 2 to 4"),
    "too few players": ([*EVALUATE, "--players", "3", "1"], "num_players=1", "from 2 to 4"),
    "seven players to check": ([*CHECK, "--players", "7"], "num_players=7", "from 2 to 4"),
    "seven players in a tournament": ([*TOURNAMENT, "--players", "7"], "num_players=7",
                                      "from 2 to 4"),
    "seat not at the table": ([*PLAY, "--seat", "3"], "seat 3", "0 to 2"),
    "seat not a number": ([*PLAY, "--seat", "north"], "'north'", "from 0"),
    "seat to evaluate": ([*EVALUATE, "--seat", "2", "--players", "2"], "(2,)", "0 to 1"),
    "seats that are the same": ([*EVALUATE, "--seats", "0", "0", "--players", "3"], "(0, 0)",
                                "different seats"),
    "watching from a seat": ([*PLAY, "--seat", "1", "--watch"], "--watch", "Mutually exclusive"),
    "too many bots": ([*PLAY, "--bots", "random", "random", "random"], "3 bots",
                      "one for each, or one for all"),
    "too few opponents": (["evaluate", "random", "random", "random", "--players", "4", "--game",
                           "chancellors"], "2 opponents", "one for each, or one for all"),
    "opponents for one table only": (
        ["evaluate", "random", "random", "random", "--players", "3", "4", "--game", "chancellors"],
        "2 opponents for 3 other seats", "one for each, or one for all"),
    "deals negative": ([*EVALUATE, "--deals", "-5"], "'-5'", "from 1 to 1000000"),
    "deals not a number": ([*EVALUATE, "--deals", "many"], "'many'", "from 1 to 1000000"),
    "deals beyond measure": ([*EVALUATE, "--deals", "9" * 5000], "--deals", "from 1 to 1000000"),
    "seed out of range": ([*PLAY, "--seed", str(2**64)], str(2**64), "to 2**64 - 1"),
    "seed negative": ([*CHECK, "--seed", "-1"], "'-1'", "from 0"),
    "seconds not a number": (["bench", "chancellors", "--seconds", "soon"], "'soon'", "above 0"),
    "seconds negative": (["bench", "chancellors", "--seconds", "-1"], "'-1'", "above 0"),
    "seconds without end": (["bench", "chancellors", "--seconds", "inf"], "'inf'", "at most"),
    "repeats zero": (["bench", "chancellors", "--repeats", "0"], "'0'", "from 1"),
    "batch beyond measure": (["bench", "chancellors", "--num-envs", "65537"], "65537", "65536"),
    "unknown preset": (["train", "chancellors", "--preset", "huge"], "huge", preset_names()[0]),
    "no run to go on with": (["train", "chancellors", "--resume", "/nowhere"], "/nowhere",
                             "no such file"),
    "a run in no folder": (["train", "chancellors", "--folder", "/dev/null"], "/dev/null",
                           "is no folder"),
    "settings of a run that goes on": (["train", "chancellors", "--resume", "x", "--seed", "3"],
                                       "--seed", "not allowed with --resume"),
    "kinds of a run that goes on": (["train", "nicaea", "--resume", "x", "--decisions", "bidding"],
                                    "--decisions", "not allowed with --resume"),
    "assistant of a run that goes on": (
        ["train", "nicaea", "--resume", "x", "--assistant", "random"], "--assistant",
        "not allowed with --resume"),
    "a setting of a run that goes on": (["train", "nicaea", "--resume", "x", "--set", "clip=1"],
                                        "--set", "not allowed with --resume"),
    "a policy for a run that goes on": (["train", "nicaea", "--resume", "x", "--start", "y"],
                                        "--start", "not allowed with --resume"),
    "a setting without a value": (["train", "nicaea", "--set", "clip"], "'clip'", "name=value"),
    "a value that is not allowed": (["train", "nicaea", "--set", "clip=-1"], "clip: -1",
                                    "a number from 0"),
    "an option that is not allowed": (["train", "chancellors", "--set", "options.problems=2"],
                                      "problems=2", "one of 3, 4, 5"),
    "a table that is too large": (["train", "nicaea", "--players", "4", "9"], "num_players=9",
                                  "from 4 to 6"),
    "a preset of another game": (["train", "nicaea", "--preset", "chancellors-full"],
                                 "chancellors-full", "is for chancellors, not for nicaea"),
    "unknown decisions": (["train", "nicaea", "--decisions", "bids"], "'bids'", "all, bidding ("),
    "a number of decisions": (["train", "nicaea", "--decisions", "5000"], "'5000'", "all, bidding"),
    "no decisions": (["train", "nicaea", "--decisions"], "--decisions", "at least 1"),
    "budget zero": (["train", "nicaea", "--budget", "0"], "'0'", "from 1"),
    "no assistant": (["train", "chancellors", "--decisions", "block"], "decisions = block",
                     "an assistant is needed"),
    "unknown assistant": (["train", "nicaea", "--decisions", "bidding", "--assistant", "nobody"],
                          "'nobody'", "one of random, nicaea/broker"),
    "a policy as assistant": (
        ["train", "nicaea", "--decisions", "bidding", "--assistant", "x.safetensors"],
        "'x.safetensors'", "is no rule bot"),
    "an assistant with nothing to do": (["train", "nicaea", "--assistant", "random"],
                                        "--assistant random", "--decisions"),
    "a bot made of one": (["evaluate", "divided:decisions=bidding,bot=random", "random"],
                          "bot=random", "divided:decisions=KINDS,bot=BOT,assistant=BOT"),
    "a bot made of two for unknown kinds": (
        ["evaluate", "divided:decisions=bids,bot=random,assistant=nicaea/broker", "random"],
        "'bids'", "all, bidding ("),
    "one bot in a tournament": (["tournament", "chancellors", "random"], "random", "at least two"),
    "unknown payoff": ([*DILEMMA, "--payoff", "fame"], "'fame'", "return"),
    "unknown shell": (["completion", "tcsh"], "'tcsh'", "fish"),
    "unknown kind of names": (["list", "cards"], "'cards'", "presets"),
    "view of nobody": (["replay", "x.jsonl", "--view", "north"], "'north'", "all, public"),
    "game number zero": (["replay", "x.jsonl", "--game-number", "0"], "'0'", "from 1"),
    "name that rings": (["play", "\x07\x1b[31mchess"], "\\x1b", "there are believers"),
}  # fmt: skip


def assert_refused(run: Run, words: list[str], culprit: str, remark: str) -> None:
    """Before anything is done."""
    assert assert_one_line(run, words, culprit, remark) == ""


def assert_one_line(run: Run, words: list[str], culprit: str, remark: str) -> str:
    """Return what was told all the same."""
    ran = run(*words)
    assert ran.code == 2
    (line,) = ran.err.splitlines()
    assert line.startswith("concilium: ")
    assert culprit in line
    assert remark in line
    assert "Traceback" not in line
    assert line.isprintable()
    return ran.out


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Rules are compiled before: the first time on a machine that is said on standard error."""
    GAME.bind().new_state(1)


@pytest.mark.parametrize("what", list(LINES))
def test_a_wrong_command_line_is_one_line(what: str, run: Run) -> None:
    assert_refused(run, *LINES[what])


def policy() -> dict[str, Any]:
    """What is in a sound policy file: its tensors and its description."""
    sizes = (GAME.observation.size, 4, GAME.num_actions)
    return {
        "scale": observation_scale(GAME),
        "0.weight": np.zeros((sizes[1], sizes[0]), np.float32),
        "0.bias": np.zeros(sizes[1], np.float32),
        "1.weight": np.zeros((sizes[2], sizes[1]), np.float32),
        "1.bias": np.zeros(sizes[2], np.float32),
    }


def save(path: Path) -> Path:
    """Write a sound policy file."""
    t = policy()
    weights, biases = (t["0.weight"], t["1.weight"]), (t["0.bias"], t["1.bias"])
    save_policy(path, Network(GAME, "relu", t["scale"], weights, biases))
    return path


def altered(path: Path, **description: Any) -> None:
    """Write a policy file whose description says something else."""
    tensors, metadata = read_tensors(save(path))
    changed = {**json.loads(metadata["policy"]), **description}
    path.write_bytes(tensor_bytes(tensors, {"policy": json.dumps(changed)}))


def not_finite(path: Path) -> None:
    """Write a policy file with a weight that is no number."""
    tensors, metadata = read_tensors(save(path))
    tensors["0.bias"][0] = np.nan
    path.write_bytes(tensor_bytes(tensors, metadata))


def cut(path: Path) -> None:
    """Write a policy file without its end."""
    path.write_bytes(save(path).read_bytes()[:-100])


def header_of(length: int) -> Callable[[Path], None]:
    """Write a file that claims a header of that length."""
    return lambda path: _write(path, length.to_bytes(8, "little") + b"{}")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def nothing(path: Path) -> None:
    """Leave the file out."""


def folder(path: Path) -> None:
    """Make a folder where a file should be."""
    path.mkdir()


def holding(data: bytes) -> Callable[[Path], None]:
    """Write these bytes."""
    return lambda path: _write(path, data)


def replay(old: str = "", new: str = "") -> Callable[[Path], None]:
    """Write a sound replay line with one thing replaced."""
    actions = [68]  # seed 4 with 3 players: ending the first turn is the calamity
    line = make_replay(GAME.bind(num_players=3), 4, actions).to_line()
    assert old in line
    return holding((line.replace(old, new) + "\n").encode())


def preset(old: str = "", new: str = "") -> Callable[[Path], None]:
    """Write a preset with the beginning of a line replaced."""
    assert f"\n{old}" in PRESET
    return holding(PRESET.replace(f"\n{old}", f"\n{new}", 1).encode())


Make: TypeAlias = Callable[[Path], None]

POLICIES: Final[dict[str, tuple[Make, str]]] = {
    "missing": (nothing, "no such file"),
    "a folder": (folder, "no such file"),
    "empty": (holding(b""), "header too small"),
    "cut short": (cut, "not fully covered"),
    "pickled": (holding(pickle.dumps({"weights": [1.0] * 99})), "header too large"),
    "a huge header": (header_of(2**62), "header too large"),
    "a header that is not there": (header_of(900), "invalid header length"),
    "no JSON": (holding((4).to_bytes(8, "little") + b"[[[["), "invalid JSON"),
    "for another layout": (lambda path: altered(path, layout="0" * 16), "layout is '0000"),
    "for another game": (lambda path: altered(path, game="chess_v0"), "'chess_v0'"),
    "for another version": (lambda path: altered(path, game="chancellors_v9"), "chancellors_v0"),
    "with a weight that is no number": (not_finite, "not finite"),
    "for unknown decisions": (
        lambda path: altered(path, format=2, decisions=["bids"], assistant="random"),
        "no decisions 'bids' in chancellors",
    ),
    "with an unknown assistant": (
        lambda path: altered(path, format=2, decisions=["block"], assistant="\x07nobody"),
        "is no rule bot: one of random, chancellors/steward",
    ),
    "with a file as assistant": (
        lambda path: altered(path, format=2, decisions=["block"], assistant="x.safetensors"),
        "'x.safetensors' is no rule bot",
    ),
}
REPLAYS: Final[dict[str, tuple[Make, str]]] = {
    "missing": (nothing, "no such file"),
    "a folder": (folder, "no such file"),
    "empty": (holding(b""), "no game 1; it holds none"),
    "binary": (holding(bytes(range(128, 256))), "not UTF-8"),
    "not JSON": (holding(b"hello\n"), "line 1: not JSON"),
    "a list": (holding(b"[1, 2]\n"), "line 1: not a JSON object"),
    "deeply nested": (holding(b"[" * 100_000), "line 1: not JSON"),
    "of another format": (replay('"format":1', '"format":7'), "format 7, readable is 1"),
    "of another version": (replay('"version":0', '"version":8'), "this is version 0"),
    "of another game": (replay('"chancellors"', '"chess"'), "no game 'chess'; there are"),
    "with another option": (replay('"problems":3', '"problems":9'), "one of 3, 4, 5"),
    "with an illegal move": (replay("[68]", "[3]"), "move 1: action 3"),
    "with a move too many": (replay("[68]", "[68,68]"), "move 2: action 68 after the end"),
    "with another outcome": (replay("[-1.0,-1.0,-1.0]", "[1.0,-0.5,-0.5]"), "plays out as"),
    "with a huge seed": (replay('"seed":4', f'"seed":{2**64}'), "from 0 to 2**64 - 1"),
    "without seed": (replay('"seed":4,', ""), "missing or unknown: seed"),
}
PRESETS: Final[dict[str, tuple[Make, str]]] = {
    "missing": (nothing, "no such file"),
    "a folder": (folder, "no such file"),
    "not TOML": (preset("game = ", "game = = "), "Invalid value"),
    "binary": (holding(b"\xff\xfe\x00"), "decode"),
    "with an unknown setting": (preset("game = ", "colour = 1\ngame = "), "colour is unknown"),
    "without a setting": (preset("epochs = ", "#"), "field epochs is missing"),
    "with a wrong type": (preset("epochs = ", "epochs = 'three' #"), "a whole number from 1"),
    "with a value out of range": (preset("gae_lambda = ", "gae_lambda = 1.5 #"), "from 0 to 1"),
    "with a negative value": (preset("clip = ", "clip = -0.1 #"), "clip: -0.1 is not"),
    "for an unknown game": (preset("game = ", "game = 'chess' #"), "no game 'chess'"),
    "with too many players": (preset("num_players = ", "num_players = [7] #"), "from 2 to 4"),
}  # fmt: skip


@pytest.mark.parametrize("what", list(POLICIES))
def test_a_policy_file_that_cannot_be_used(what: str, run: Run, tmp_path: Path) -> None:
    make, remark = POLICIES[what]
    path = tmp_path / "policy.safetensors"
    make(path)
    assert_refused(run, ["evaluate", str(path), "random", "--deals", "2"], str(path), remark)
    assert_refused(run, [*PLAY, "--bots", str(path)], str(path), remark)


@pytest.mark.parametrize("what", list(REPLAYS))
def test_a_replay_file_that_cannot_be_used(what: str, run: Run, tmp_path: Path) -> None:
    make, remark = REPLAYS[what]
    path = tmp_path / "games.jsonl"
    make(path)
    assert_refused(run, ["replay", str(path)], str(path), remark)


@pytest.mark.parametrize("what", list(PRESETS))
def test_a_preset_that_cannot_be_used(what: str, run: Run, tmp_path: Path) -> None:
    make, remark = PRESETS[what]
    path = tmp_path / "preset.toml"
    make(path)
    words = ["train", "chancellors", "--preset", str(path), "--folder", str(tmp_path / "run")]
    assert_refused(run, words, str(path), remark)
    assert not (tmp_path / "run").exists()


def test_the_sound_files_are_sound(run: Run, tmp_path: Path) -> None:
    weights, games = save(tmp_path / "policy.safetensors"), tmp_path / "games.jsonl"
    replay()(games)
    assert run("evaluate", weights, "random", "--deals", 2, "--players", 2).code == 0
    assert run("replay", games).code == 0
    assert run("replay", games, "--view", 2).code == 0


def test_what_a_replay_file_does_not_hold(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    replay()(path)
    words = ["replay", str(path)]
    assert_refused(run, [*words, "--game-number", "2"], "no game 2", "it holds 1")
    assert_refused(run, [*words, "--view", "3"], "seat 3", "0 to 2")


def test_a_damaged_record_is_not_added_to(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("hello\n")
    assert_refused(run, [*PLAY, "--record", str(path)], str(path), "line 1: not JSON")
    assert path.read_text() == "hello\n"


@pytest.mark.parametrize(
    "words",
    [
        [*PLAY, "--record"],
        [*EVALUATE, "--json"],
        [*EVALUATE, "--rows"],
        [*TOURNAMENT, "--json"],
        [*TOURNAMENT, "--heat-map"],
        [*DILEMMA, "--plot"],
        ["bench", "chancellors", "--json"],
    ],
    ids=" ".join,
)
def test_output_that_cannot_be_written_is_found_first(
    words: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "missing" / "file"
    assert_refused(run, [*words, str(missing)], str(missing), "there is no folder")
    assert_refused(run, [*words, str(tmp_path)], str(tmp_path), "is a folder")
    assert_refused(run, [*words, "/dev/null"], "/dev/null", "needed is a file")
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write everywhere
    assert_refused(run, [*words, str(tmp_path / "file")], str(tmp_path), "cannot be written")


def test_a_full_disk_is_said_and_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    path = tmp_path / "file"
    for words in (
        [*EVALUATE, "--players", "2", "--json"],
        [*EVALUATE, "--players", "2", "--rows"],
        [*PLAY, "--watch", "--record"],
    ):
        told = assert_one_line(run, [*words, str(path)], str(path), "No space left on device")
        assert "chancellors_v0" in told  # the figures are not lost
    assert list(tmp_path.iterdir()) == []
