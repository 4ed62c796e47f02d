"""``concilium train --side`` and ``concilium evaluate --side``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from concilium.training.generators import torch_threads
from concilium.training.presets import FOLDER
from tests.cli.shell import Run

SMALL = {
    "num_players": "[5]", "options": '{rows = "1-1"}', "num_envs": "8", "rollout_size": "64",
    "minibatch": "32", "hidden": "[8]", "budget": "100", "held_out_deals": "2",
    "behaviour_cloning_fraction": "0.0",
    "evaluate_every": "100", "bots": '["random"]', "weights": "[1.0]", "held_out": '["random"]',
}  # fmt: skip
MINI = [
    word
    for setting in ("rows=1-1", "shame=false", "disciples=false", "crises=false")
    for word in ("--option", setting)
]
EVALUATE = ["evaluate", "random", "random", "--game", "believers", "--players", "5", *MINI]


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    """The quick preset of Believers, over in a moment."""
    text = (FOLDER / "believers-quick.toml").read_text()
    for name, value in SMALL.items():
        assert f"\n{name} = " in text
        text = text.replace(f"\n{name} = ", f"\n{name} = {value} #")
    path = tmp_path / "small.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("side", ["believers", "defectors"])
def test_a_side_is_learned_evaluated_and_resumed(
    run: Run, preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with torch_threads(1):
        ran = run("train", "believers", "--preset", preset, "--side", side)
    assert ran.code == 0, ran.err
    folder = Path(f"runs/believers-small-{side}-1")
    about = json.loads((folder / "run.json").read_text())
    assert about["preset"]["side"] == side
    policy = str(folder)
    for other in ("believers", "defectors"):  # it plays the other side's seats too
        words = ("evaluate", policy, "random", "--side", other, "--deals", "2", "--players", "5")
        if other == side:
            ran = run(*words)
        else:
            with pytest.warns(RuntimeWarning, match=f"{side} only and is asked to play {other}"):
                ran = run(*words)
        assert ran.code == 0, ran.err
        assert (
            f"5 players: {folder.name} as all of the {other}, random in the other seats" in ran.out
        )
    with torch_threads(1):
        assert run("train", "believers", "--resume", folder).code == 0
    ran = run("train", "believers", "--resume", folder, "--side", side)
    assert ran.code == 2
    assert "--side is not allowed with --resume" in ran.err


def test_both_sides_of_the_same_games(run: Run, tmp_path: Path) -> None:
    """Bots are seeded by their side, so uniform play on both sides gives the same games."""
    report, rows = tmp_path / "figures.json", tmp_path / "rows.csv"
    figures = {}
    for side in ("believers", "defectors"):
        words = ["--side", side, "--deals", "40", "--seed", "3"]
        ran = run(*EVALUATE, *words, "--json", report, "--rows", rows)
        assert ran.code == 0, ran.err
        (figures[side],) = json.loads(report.read_text())
        with rows.open() as file:
            lines = list(csv.DictReader(file))
        assert len(lines) == 40
    won = {side: entry["won"]["value"] for side, entry in figures.items()}
    assert won["believers"] + won["defectors"] == pytest.approx(1)
    entry = figures["defectors"]
    assert entry["baseline"] == entry["won"]
    assert entry["difference"]["value"] == 0
    assert f"  won: {100 * won['defectors']:.1f} %" in ran.out
    assert "  won by random in its place, same deals: " in ran.out
    assert "  difference: +0.0 % [-9.3, +9.3]" in ran.out
    assert "  40 games: 40 deals, seed 3" in ran.out


@pytest.mark.parametrize(
    ("words", "culprit", "told"),
    [
        ([*EVALUATE, "--side", "reds"], "'reds'", "there are believers, defectors"),
        (["evaluate", "chancellors/steward", "random", "--side", "reds"], "'reds'",
         "chancellors has no sides"),
        ([*EVALUATE, "--side", "defectors", "--seat", "1"], "--seat", "Mutually exclusive"),
        (["evaluate", "random", "random", "random", "--game", "believers", "--side", "defectors"],
         "--side defectors", "one opponent for all other seats, not 2"),
        (["train", "believers", "--side", "reds"], "'reds'", "there are believers, defectors"),
        (["train", "believers", "--side", ""], "''", "there are believers, defectors"),
        (["train", "chancellors", "--side", "reds"], "'reds'", "chancellors has no sides"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(run: Run, words: list[str], culprit: str, told: str) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert culprit in ran.err
    assert told in ran.err
