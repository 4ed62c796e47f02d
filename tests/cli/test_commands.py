"""``bench``, ``check``, ``list``: what they print and write, and their exit codes."""

from __future__ import annotations

import json
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from concilium.baselines import bot_names
from concilium.cli import COMMANDS
from concilium.commands.arguments import read_options
from concilium.commands.check import extreme_options
from concilium.envs import GAMES, OptionError, get_game
from concilium.training.presets import preset_names
from tests.cli.shell import Run


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_of_every_argument(run: Run, name: str) -> None:
    command = import_module(f"concilium.commands.{name.replace('-', '_')}").run
    assert command.__doc__.startswith(COMMANDS[name] + "\n")  # as in the list of commands
    ran = run(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    for argument in signature(command).parameters:
        assert f"        {argument}: " in command.__doc__
        shown = {"as_json": "json", "matches": "workers"}.get(argument, argument)
        assert shown.replace("_", "-").lower() in ran.out.lower()


def test_help_tells_defaults(run: Run) -> None:
    shown = " ".join(run("evaluate", "--help").out.split())
    assert "--deals INT at each table size. [default: 500]" in shown
    assert "--seats --seat INT..." in shown
    assert "None" not in shown
    assert "False" not in shown


def test_bench_prints_and_writes_its_figures(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    ran = run(
        "bench", "chancellors", "--seconds", "0.05", "--repeats", "2", "--num-envs", "64",
        "--no-start", "--json", path,
    )  # fmt: skip
    assert ran.code == 0
    result = json.loads(path.read_text())
    names = [figure["name"] for figure in result["figures"]]
    assert [name for name in names if name.startswith("vector")] == [
        "vector, 2 players", "vector, 3 players", "vector, 4 players",
    ]  # fmt: skip
    for figure in result["figures"]:
        assert figure["low"] <= figure["median"] <= figure["high"]
        assert figure["low"] > 0
        assert figure["name"] in ran.out
    assert result["bytes_per_game"] > get_game("chancellors").dtype.itemsize


def test_bench_of_bots(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bots.json"
    done = run(
        "bench", "chancellors", "--bots", "--seconds", "0.02", "--repeats", "2", "--no-start",
        "--json", str(path),
    )  # fmt: skip
    assert done.code == 0
    names = [figure["name"] for figure in json.loads(path.read_text())["figures"]]
    assert names[:2] == ["random", "chancellors/steward"]
    assert "answers/s" in done.out
    for more in (["--training"], ["--threads", "2"]):
        assert run("bench", "chancellors", "--bots", *more).code == 2


def test_check_reports_and_succeeds(run: Run) -> None:
    ran = run(
        "check", "chancellors", "--games", "2", "--players", "2", "--option", "max_turns=6",
        "--pairs", "200", "--option", "excuse=true",
    )  # fmt: skip
    assert ran.code == 0
    assert ran.out.startswith("chancellors_v0: 1 tables, ")
    assert "\nok   round_trip                 200 pairs " in ran.out


def test_check_takes_both_ends_of_every_option() -> None:
    defaults, lowest, highest = extreme_options(get_game("chancellors"))
    assert defaults == {}
    assert lowest == {
        "excuse": False, "pawns": False, "problems": 3, "calamity": "all_lose", "target_score": 1,
        "max_turns": 1,
    }  # fmt: skip
    assert highest == {
        "excuse": True, "pawns": True, "problems": 5, "calamity": "lowest_wins",
        "target_score": 8000, "max_turns": 8000,
    }  # fmt: skip


def test_options_are_read_in_their_types() -> None:
    game = get_game("chancellors")
    read = read_options(game, ["excuse=true", "problems=4", "calamity=lowest_wins"])
    assert read == {"excuse": True, "problems": 4, "calamity": "lowest_wins"}
    with pytest.raises(OptionError):
        read_options(game, ["=3"])


def test_list_tells_games_options_bots_and_presets(run: Run) -> None:
    ran = run("list")
    assert ran.code == 0
    assert "chancellors: Chancellors, 2 to 4 players" in ran.out
    assert "problems=3 " in ran.out
    assert "one of 3, 4, 5" in ran.out
    for game in GAMES.values():
        for name in bot_names(game):
            assert name in ran.out
    for name in preset_names():
        assert f"    {name.partition('-')[2]}\n" in ran.out


def test_list_prints_the_same_as_json(run: Run) -> None:
    shown = json.loads(run("list", "--json").out)
    game = next(entry for entry in shown["games"] if entry["name"] == "chancellors")
    assert game["id"] == "chancellors_v0"
    assert game["players"] == [2, 4]
    options = {option["name"]: option for option in game["options"]}
    assert options["num_players"]["default"] == 3
    assert options["problems"]["choices"] == [3, 4, 5]
    assert (options["max_turns"]["low"], options["max_turns"]["high"]) == (1, 8000)
    assert [bot["name"] for bot in game["bots"]] == bot_names(get_game("chancellors"))
    presets = [f"chancellors-{name}" for name in game["presets"]]
    assert presets == [name for name in preset_names() if name.startswith("chancellors")]
    assert "chancellors-quick" in presets


@pytest.mark.parametrize("kind", ["games", "bots", "presets"])
def test_list_prints_bare_names_for_scripts(run: Run, kind: str) -> None:
    names = run("list", kind).out.splitlines()
    assert names == json.loads(run("list", kind, "--json").out)
    assert names
    assert kind == "presets" or {"games": "chancellors", "bots": "random"}[kind] in names
