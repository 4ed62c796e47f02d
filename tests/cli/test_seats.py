"""Who plays in ``concilium play``: people at one terminal, bots, and games that go on."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from concilium.commands.seats import bots_of, cast, default_bot
from concilium.envs import GAMES, FileFormatError, Replay, get_game, load_replays, save_replays
from concilium.envs.core.replay import Player, make_replay
from tests.cli.shell import Run, Terminal

STEWARD = "chancellors/steward"
FOLLOWED = "1\n" * 400


@pytest.mark.parametrize("bot", [STEWARD, "random"])
def test_a_game_left_goes_on_as_if_it_had_not_been(run: Run, tmp_path: Path, bot: str) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    words = ("play", "chancellors", "--bots", bot, "--seed", 6, "--seat", 1, "--people", "Ann")
    assert run(*words, "--record", whole, given=FOLLOWED).code == 0
    other = make_replay(get_game("nicaea").bind(), 1, [])
    save_replays(broken, [other])
    left = run(*words, "--record", broken, given="1\n1\n1\nquit\n")
    again = f"concilium play chancellors --resume {broken}"
    assert left.out.endswith(f"the game so far is in {broken}; to go on: {again}.\n")
    assert load_replays(broken)[1].status == "running"
    ran = run(*again.split()[1:], given=FOLLOWED)
    assert (ran.code, ran.err) == (0, "")
    (finished,) = load_replays(whole)
    assert finished.status != "running"
    assert load_replays(broken) == [other, finished]
    assert load_replays(broken)[1].players == finished.players
    none = run(*again.split()[1:])
    assert (none.code, none.err) == (
        2, f"concilium: replay file {broken}: no unfinished game of chancellors\n",
    )  # fmt: skip


def test_an_older_file_goes_on_with_default_bots(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save_replays(path, [make_replay(get_game("chancellors").bind(num_players=2), 4, [])])
    assert '"players"' not in path.read_text()
    ran = run("play", "chancellors", "--resume", path, "--seat", 1, given="quit\n" * 2)
    assert f"player_0 ({default_bot(GAMES['chancellors'])}), player_1 (you)" in ran.out


@pytest.mark.parametrize(
    "more", [["--seed", 1], ["--players", 2], ["--watch"], ["--bots", "random"]]
)
def test_the_file_is_not_contradicted(run: Run, tmp_path: Path, more: list[object]) -> None:
    ran = run("play", "chancellors", "--resume", tmp_path / "games.jsonl", *more)
    assert ran.code == 2
    assert ran.err.startswith("concilium: --resume takes table, seed and players from the file")


def test_replays_say_who_played(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("play", "chancellors", "--players", 2, "--bots", STEWARD, "--people", "Ann", "--seed", 1,
        "--record", path, given="quit\n")  # fmt: skip
    (replay,) = load_replays(path)
    person, bot = replay.players
    assert person == Player("Ann")
    assert bot.name == STEWARD
    assert bot.seed is not None
    told = run("replay", path).out
    assert f"At the table: player_0 (Ann), player_1 ({STEWARD}).\n" in told
    assert "The game was broken off." in told


@pytest.mark.parametrize(
    "players",
    [
        1, {}, [{}], [{"name": "a"}], [{"name": 1}, {"name": "b"}], ["a", "b"],
        [{"name": "a", "seed": -1}, {"name": "b"}], [{"name": "a", "seed": None}, {"name": "b"}],
        [{"name": "a", "seed": True}, {"name": "b"}], [{"name": "a", "age": 1}, {"name": "b"}],
        [{"name": "\x1b[31m"}, {"name": "b"}],
    ],
)  # fmt: skip
def test_players_that_are_none_are_refused(players: object) -> None:
    line = json.loads(make_replay(get_game("chancellors").bind(num_players=2), 4, []).to_line())
    assert Replay.from_line(json.dumps(line)).players == ()
    with pytest.raises(FileFormatError, match="player"):
        Replay.from_line(json.dumps({**line, "players": players}))


def test_several_people_play_in_turn(run: Run) -> None:
    ran = run("play", "chancellors", "--players", 2, "--people", "Ann", "Bob", "--seed", 1,
              given=FOLLOWED)  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert "At the table: player_0 (Ann), player_1 (Bob).\n" in ran.out
    parts = ran.out.split(" is next.\n")
    assert len(parts) > 4
    for before, after in pairwise(parts):
        assert before.endswith(("player_0 (Ann)", "player_1 (Bob)"))
        assert after[:16] != before[-14:]
    assert "\x1b" not in ran.out
    assert "you" not in ran.out.partition("The game is over")[2]


def test_the_screen_is_cleared_between_people() -> None:
    terminal = Terminal("play", "chancellors", "--players", 2, "--people", "Ann", "Bob",
                        "--seed", 4)  # fmt: skip
    prompt = " is next. Press Enter when nobody else looks> "
    first = terminal.type("\n", prompt)
    assert "Your moves" not in first
    assert "\x1b[2J" in first
    assert "Your moves" in terminal.type("quit\n", "move> ")
    assert terminal.finish().code == 0


def test_one_can_watch_step_by_step() -> None:
    terminal = Terminal("play", "chancellors", "--watch", "--step", "--seed", 4)
    prompt = "q: leave> "
    assert "drew" in terminal.type("\n", prompt)
    terminal.type("q\n", prompt)
    ran = terminal.finish()
    assert ran.code == 0
    assert "You left the game." in ran.out


def test_watching_through_a_pipe_waits_for_nobody(run: Run) -> None:
    words = ("play", "chancellors", "--watch", "--seed", 3)
    assert run(*words, "--step").out == run(*words).out


@pytest.mark.parametrize(
    ("name", "bot"),
    [
        ("chancellors", "chancellors/opportunist"), ("nicaea", "nicaea/tableau"),
        ("believers", "believers/bayes"),
    ],
)  # fmt: skip
def test_the_default_bot_is_the_strongest(name: str, bot: str) -> None:
    assert default_bot(get_game(name)) == bot


def test_people_who_cannot_sit_down_are_refused(run: Run) -> None:
    for words, error in (
        (("--people", "A", "B", "C"), "3 people at a table of 2"),
        (("--people", "A", "A"), "two people of one name among A, A"),
        (("--people", "A", "--watch"), "--people play, and with --watch nobody plays but bots"),
    ):
        ran = run("play", "chancellors", "--players", 2, *words)
        assert (ran.code, ran.err) == (2, f"concilium: {error}\n")


def test_each_bot_has_a_seed_of_its_own() -> None:
    bound = get_game("chancellors").bind(num_players=4)
    players = cast(bound, ["random"], {2: "Ann"}, 1)
    assert len({player.seed for player in players}) == 4
    assert sorted(bots_of(bound, players)) == [0, 1, 3]
