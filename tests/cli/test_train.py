"""``concilium train`` for a part of the decisions, and what comes of it on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concilium.training.generators import torch_threads
from concilium.training.presets import FOLDER
from tests.cli.shell import Run

SMALL = {
    "num_players": "[4]", "num_envs": "8", "rollout_size": "64", "minibatch": "32", "hidden": "[8]",
    "budget": "100", "held_out_deals": "1", "behaviour_cloning_fraction": "0.0",
    "evaluate_every": "100",
}  # fmt: skip
PART = ["debate_doctrine", "debate_round", "naming"]


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    """A preset of Nicaea that is over in a moment."""
    text = (FOLDER / "nicaea-quick.toml").read_text()
    for name, value in SMALL.items():
        assert f"\n{name} = " in text
        text = text.replace(f"\n{name} = ", f"\n{name} = {value} #")
    path = tmp_path / "small.toml"
    path.write_text(text)
    return path


def test_a_part_is_learned_evaluated_and_resumed(
    run: Run, preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["train", "nicaea", "--preset", preset, "--decisions", "bidding", "--budget", "120"]
    with torch_threads(1):
        ran = run(*words)
    assert ran.code == 0, ran.err
    folder = Path("runs/nicaea-small-bidding-1")
    about = json.loads((folder / "run.json").read_text())
    assert about["preset"]["decisions"] == ["bidding"]
    assert about["preset"]["assistant"] == "nicaea/broker"
    assert about["preset"]["budget"] == 120
    assert 120 <= about["cost"]["decisions"] < 300
    policy = str(folder / "policy.safetensors")
    ran = run("evaluate", policy, "random", "--deals", "1", "--players", "4", "--json", "e.json")
    assert ran.code == 0, ran.err
    (told,) = json.loads(Path("e.json").read_text())
    assert told["bot"] == "policy"
    assert told["games"] == 4
    with torch_threads(1):
        assert run("train", "nicaea", "--resume", folder).code == 0
    words += ["--decisions", "naming", "turn", "--assistant", "nicaea/tableau", "--seed", "2"]
    with torch_threads(1):
        assert run(*words).code == 0
    about = json.loads(Path("runs/nicaea-small-naming-turn-2/run.json").read_text())
    assert about["preset"]["decisions"] == ["naming", "turn"]
    assert about["preset"]["assistant"] == "nicaea/tableau"


def test_settings_start_and_extension(
    run: Run, preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["train", "nicaea", "--preset", preset, "--players", "4", "5", "--set", "hidden=[6]"]
    with torch_threads(1):
        ran = run(*words, "--set", "share_snapshots=0", "--folder", "first")
        assert ran.code == 0, ran.err
        ran = run("train", "nicaea", "--resume", "first", "--budget", "250")
        assert ran.code == 0, ran.err
    about = json.loads(Path("first/run.json").read_text())
    assert about["preset"]["num_players"] == [4, 5]
    assert about["preset"]["hidden"] == [6]
    assert about["preset"]["share_snapshots"] == 0
    assert about["preset"]["budget"] == 250
    assert about["cost"]["decisions"] >= 250
    with torch_threads(1):
        ran = run("train", "nicaea", "--preset", preset, "--start", "first", "--seed", "2")
    assert ran.code == 0, ran.err
    about = json.loads(Path("runs/nicaea-small-2/run.json").read_text())
    assert (about["start"], about["preset"]["hidden"]) == ("first", [6])
    ran = run("evaluate", "first", "runs/nicaea-small-2", "--deals", "1", "--players", "4")
    assert ran.code == 0, ran.err
    assert "4 players: first in seat 0, nicaea-small-2 in the others" in ran.out


def test_a_bot_made_of_two_is_evaluated(run: Run) -> None:
    name = "divided:decisions=bidding,bot=random,assistant=nicaea/broker"
    ran = run("evaluate", name, "random", "--deals", "1", "--players", "4")
    assert ran.code == 0, ran.err
    assert f"divided:decisions={'/'.join(PART)},bot=random,assistant=nicaea/broker" in ran.out


def test_list_tells_kinds_of_decisions(run: Run) -> None:
    out = run("list").out
    assert "divided:decisions=KINDS,bot=BOT,assistant=BOT" in out
    assert out.count("sides:believers=BOT,defectors=BOT") == 1
    assert "    bidding: debate_doctrine, debate_round, naming\n" in out
    assert "    action, block, payment, escalation, avert\n" in out
    shown = {game["name"]: game for game in json.loads(run("list", "--json").out)["games"]}
    assert shown["nicaea"]["decision_sets"] == {"bidding": PART}
    assert shown["nicaea"]["kinds"][:2] == ["turn", "payment"]
    assert shown["chancellors"]["decision_sets"] == {}
