"""The demonstration and the measurement of speed, cut short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from concilium.bench import training as speed
from concilium.bench.training import main, measure
from concilium.training import demo
from concilium.training.learn import CURVES, POLICY
from concilium.training.presets import FOLDER, Preset


def small_preset(tmp_path: Path) -> Path:
    text = (FOLDER / "chancellors-quick.toml").read_text()
    for name, value in {
        "num_players": "[2]", "num_envs": "16", "rollout_size": "256", "minibatch": "64",
        "hidden": "[16]", "held_out_deals": "2",
    }.items():  # fmt: skip
        text = text.replace(f"{name} = ", f"{name} = {value} #")
    path = tmp_path / "small.toml"
    path.write_text(text)
    return path


def test_demo_runs_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    arguments = ["--preset", str(small_preset(tmp_path)), "--budget", "600", "--deals", "4"]
    assert demo.main([*arguments, "--folder", str(folder)]) == 0
    text = capsys.readouterr().out
    assert "decisions in" in text
    assert "steward" in text
    assert "all of it took" in text
    names = {path.name for path in folder.iterdir()}
    assert {POLICY, CURVES, demo.EVALUATION, demo.PICTURE} < names
    assert (folder / demo.PICTURE).read_bytes().startswith(b"\x89PNG")
    report = json.loads((folder / demo.EVALUATION).read_text())
    assert len(report) == 6  # policy, random, steward, each against two bots
    assert {entry["bot"] for entry in report} == {"policy", "random", "chancellors/steward"}


def test_demo_refuses_what_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--preset", "nothing"]) == 2
    assert "no preset 'nothing'" in capsys.readouterr().err
    for arguments in (["--deals", "0"], ["--seconds", "-1"], ["--seed", "-1"], ["--deals", "x"]):
        with pytest.raises(SystemExit):
            demo.main(arguments)


def test_speed_is_measured_whole(tiny: Preset) -> None:
    measured = measure(tiny, 0.5)
    assert measured.updates >= 1
    # whole updates; the last round may bring as many decisions again as there are games
    assert 200 * measured.updates - 48 <= measured.decisions <= 216 * measured.updates + 48
    middle, low, high = measured.per_second
    assert 0 < low <= middle <= high
    assert sum(measured.shares.values()) == pytest.approx(1)
    assert min(measured.shares.values()) > 0
    assert measured.environment == measured.shares["engine"] + measured.shares["books"]
    assert json.loads(json.dumps(measured.to_json()))["preset"]["hidden"] == [16, 8]


def test_speed_is_told(monkeypatch: pytest.MonkeyPatch, tiny: Preset) -> None:
    monkeypatch.setattr(speed, "load_preset", lambda name: tiny)
    said: list[str] = []
    comparison = main("chancellors", 0.1, said.append)
    text = "\n".join(said)
    for word in ("num_envs=16", "all of its seats", "one of its seats", "opponents", "environment"):
        assert word in text
    assert comparison.one_seat.preset.seats == "one"
    expected = comparison.all_seats.per_second[0] / comparison.one_seat.per_second[0]
    assert comparison.to_json()["speedup"] == expected
