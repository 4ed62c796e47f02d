"""``concilium play``: what a person is told and asked, and what becomes of the game."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from concilium import cli
from concilium.baselines import make_bot
from concilium.commands.play import find_move, seat_bots
from concilium.commands.played import PlayedGame
from concilium.envs import GAMES, BoundGame, get_game, load_replays
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.state import Place
from concilium.envs.chancellors.text import card_name
from concilium.envs.core.state import UNKNOWN, plain_records
from tests.cli.shell import Run, Terminal, concilium

STEWARD = "chancellors/steward"
SEED = 8  # a game with some decisions that have one option
PERSON = 1


def seen(table: PlayedGame) -> set[int]:
    """Cards whose place the person knows."""
    places = plain_records(table.bound.view(table.states, PERSON))[0]["where"].tolist()
    return {card for card in range(NUM_CARDS) if places[card] not in (UNKNOWN, Place.ABSENT)}


def scripted(bound: BoundGame) -> tuple[str, PlayedGame, list[set[int]]]:
    """Input of a whole game in which the person plays like a steward.

    Returns:
        One line per decision, by number or in words; the game; and per prompt, and at the end, the
        cards that the person has known of since the prompt before.
    """
    table = PlayedGame(bound, SEED)
    bots = seat_bots(bound, [STEWARD], PERSON, SEED)
    adviser = make_bot(STEWARD, bound, seed=0)
    lines: list[str] = []
    known, prompts = seen(table), []
    while not table.over:
        legal = table.legal()
        if table.actor != PERSON:
            action = table.choice(bots[table.actor])
        elif len(legal) == 1:
            action = legal[0]
        else:
            action = table.choice(adviser)
            by_number = len(lines) % 2 == 0
            lines.append(str(legal.index(action) + 1) if by_number else bound.action_name(action))
            prompts.append(known)
            known = seen(table)
        table.take(action)
        known |= seen(table)
    return "".join(f"{line}\n" for line in lines), table, [*prompts, known]


def test_a_whole_game_through_a_pipe_tells_nothing_hidden(tmp_path: Path) -> None:
    bound = get_game("chancellors").bind(num_players=3)
    given, table, knowledge = scripted(bound)
    path = tmp_path / "game.jsonl"
    ran = concilium(
        "play", "chancellors", "--players", 3, "--seat", PERSON, "--bots", STEWARD, "--seed", SEED,
        "--record", path, given=given,
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    (replay,) = load_replays(path)
    assert replay == table.replay()
    assert replay.status == "terminated"

    parts = ran.out.split("move> ")
    assert len(parts) == len(knowledge) > 15
    told = 0
    for part, known in zip(parts, knowledge, strict=True):
        mentioned = {card for card in range(NUM_CARDS) if card_name(card) in part}
        assert mentioned <= known, [card_name(card) for card in mentioned - known]
        assert len(known) < 33 - 3  # there were cards to give away
        assert part.count("\nhand      ") == 1  # the position as the person sees it
        told += len(mentioned)
    assert told > 100
    others = re.findall(r"player_\d drew (.*)", ran.out)
    assert len(others) > 20
    assert set(others) == {"a card"}
    assert "\x1b" not in ran.out


def test_decisions_with_one_option_are_made_and_said(run: Run) -> None:
    bound = get_game("chancellors").bind(num_players=3)
    given, table, _ = scripted(bound)
    ran = run("play", "chancellors", "--seat", PERSON, "--bots", STEWARD, "--seed", SEED,
              given=given)  # fmt: skip
    own = 0  # decisions of the person, counted by playing the game again
    for states, action in table.replay().play():
        own += action is not None and int(plain_records(states)["actor"][0]) == PERSON
    automatic = ran.out.count("you have one move only: ")
    assert automatic > 0
    assert automatic + ran.out.count("move> ") == own


def test_the_end_tells_outcome_returns_and_seed(run: Run) -> None:
    # seed 4 deals 6-6: the first player, who ends the turn, brings the calamity on
    ran = run("play", "chancellors", "--players", "2", "--bots", "random", "--seed", "4",
              "--seat", first_seat(2, 4), given="end turn\n")  # fmt: skip
    assert ran.code == 0
    assert "The game is over: calamity." in ran.out
    assert ran.out.count("(you) lost, return -1\n") == 1
    assert ran.out.count("(random) lost, return -1\n") == 1
    assert ran.out.endswith("Seed 4; decisions: 1.\n")


def first_seat(players: int, seed: int) -> int:
    """Seat that decides first."""
    table = PlayedGame(get_game("chancellors").bind(num_players=players), seed)
    assert table.bound.render(table.view()).count("[6][6]") == 1
    return table.actor


def test_what_is_no_move_is_said_and_asked_again(run: Run) -> None:
    given = "\n0\n999\nfly\ntake\n\x1b[31m\nlook\nlog\n?\nHELP\nundo\nquit\n"
    ran = run("play", "chancellors", "--seed", "4", "--bots", "random", given=given)
    assert ran.code == 0
    answers = ran.out.split("move> ")[1:]
    assert len(answers) == 12
    said = [answer.partition("\n")[2] for answer in answers]
    assert said[0].startswith("No move fits ''")
    assert said[1].startswith("There is no move 0: 1 to 6")
    assert said[2].startswith("There is no move 999: 1 to 6")
    assert said[3].startswith("No move fits 'fly'")
    assert said[4].startswith("'take' fits 1 (take Soldier with Ace of Knots 1K), 2 (")
    assert "\x1b" not in ran.out
    assert "First to 50 points" in said[6]
    assert "Your hand: Ace of Knots 1K, Market 6LK, Merchant 9LK." in said[6]
    assert "you drew Ace of Knots 1K\nplayer_1 drew a card\n" in said[7]
    assert said[8] == said[9]
    assert said[8].startswith("  a number")
    assert said[10] == "There is no undo: the others have seen it.\n"
    assert said[11] == "You left the game. decisions so far: 0; seed 4; it is not recorded.\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("2", 1), ("end turn", 2), ("END", 2), ("  end   turn ", 2), ("soldier", 1), ("7 take", 0),
        ("take sailor", 0), ("03", 2),
    ],
)  # fmt: skip
def test_moves_are_found_by_number_or_words(line: str, found: int) -> None:
    moves = ["take Sailor with Castle 7SK", "take Soldier with Ace of Knots 1K", "end turn"]
    assert find_move(line, moves) == found


def test_the_whole_name_wins_over_longer_ones() -> None:
    assert find_move("pay", ["pay more", "pay"]) == 1
    assert isinstance(find_move("pa", ["pay more", "pay"]), str)


def test_the_end_of_the_input_loses_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    words = ["play", "chancellors", "--seat", 0, "--bots", STEWARD, "--seed", 5, "--record", path]
    ran = run(*words, given="1\n")
    assert ran.code == 1
    (line,) = ran.err.splitlines()
    (replay,) = load_replays(path)
    assert len(replay.actions) > 1
    assert line == (
        f"concilium: the input ended before the game; decisions so far: {len(replay.actions)}; "
        f"seed 5; the game so far is in {path}; "
        f"to go on: concilium play chancellors --resume {path}"
    )
    assert replay.status == "running"
    replay.verify()

    assert run(*words, given="quit\n").code == 0  # a second game goes behind the first
    first, second = load_replays(path)
    assert first == replay
    assert second.actions == replay.actions[: len(second.actions)]
    assert len(second.actions) < len(first.actions)


def test_closed_input_is_the_end_of_the_input() -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m concilium.cli play chancellors --seed 4 <&-",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("concilium: the input ended before the game; decisions so far: 0")
    assert len(done.stderr.splitlines()) == 1


def test_an_interrupted_game_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        lines: ClassVar = ["1\n"]

        def isatty(self) -> bool:
            return False

        def readline(self) -> str:
            if not self.lines:
                raise KeyboardInterrupt
            return self.lines.pop()

    path = tmp_path / "game.jsonl"
    monkeypatch.setattr("sys.stdin", Interrupted())
    words = ["play", "chancellors", "--seed", "4", "--bots", "random", "--record", str(path)]
    assert cli.main(words) == 130
    assert capsys.readouterr().err == "concilium: interrupted\n"
    (replay,) = load_replays(path)
    assert replay.status == "running"
    assert len(replay.actions) >= 1


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("largest", [False, True])
def test_bots_play_every_game_to_its_end(
    run: Run, tmp_path: Path, name: str, largest: bool
) -> None:
    game, path = GAMES[name], tmp_path / "game.jsonl"
    players = game.max_players if largest else game.min_players
    ran = run("play", name, "--watch", "--players", players, "--seed", 3, "--record", path)
    assert (ran.code, ran.err) == (0, "")
    (replay,) = load_replays(path)
    assert replay.status != "running"
    assert replay.options["num_players"] == players
    assert f"The game is over: {game.outcomes[outcome_of(name, path)]}" in ran.out
    assert not re.search(r"\byou\b", ran.out)
    again = run("play", name, "--watch", "--players", players, "--seed", 3)
    assert f"{again.out}The game is in {path}.\n" == ran.out


def outcome_of(name: str, path: Path) -> int:
    """Number of the outcome of the one game in a file."""
    (replay,) = load_replays(path)
    return int(GAMES[name].outcome(replay.verify())[0])


def test_bots_are_seated_in_order(run: Run) -> None:
    ran = run("play", "chancellors", "--players", 4, "--seat", 2, "--bots", "random", STEWARD,
              "random", "--seed", 1, given="quit\n")  # fmt: skip
    wanted = ["player_0 (random)", f"player_1 ({STEWARD})", "player_2 (you)", "player_3 (random)"]
    assert f"At the table: {', '.join(wanted)}.\n" in ran.out


def test_bots_get_the_views_of_their_own_seats(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    viewers: list[tuple[int, int]] = []
    kernel = type(make_bot("random", "chancellors")).act

    def spy(self: object, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        plain = plain_records(views)[0]
        viewers.append((int(plain["viewer"]), int(plain["actor"])))
        return kernel(self, views, masks)  # type: ignore[arg-type]

    monkeypatch.setattr("concilium.envs.core.bot.UniformBot.act", spy)
    run("play", "chancellors", "--watch", "--bots", "random", "--seed", 1)
    assert {viewer for viewer, _ in viewers} == {0, 1, 2}
    assert all(viewer == actor for viewer, actor in viewers)


def test_at_a_terminal_there_is_a_prompt_and_ctrl_d_leaves() -> None:
    terminal = Terminal("play", "chancellors", "--seed", 4, "--bots", "random")
    assert "you drew Ace of Knots 1K" in terminal.type("log\n", "move> ")
    assert "you drew Ace of Knots 1K" in terminal.type("\x04", "move> ")
    ran = terminal.finish()
    assert ran.code == 1
    assert ran.err.startswith("concilium: the input ended before the game; decisions so far: 0")
