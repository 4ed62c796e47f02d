"""``concilium replay``: a recorded game in words, whole, public, or as one seat knew it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from concilium.commands.played import PlayedGame
from concilium.commands.replay import Step, step_through, steps
from concilium.envs import GAMES, SPECTATOR, BoundGame, Replay, get_game, save_replays
from concilium.envs.chancellors.cards import NUM_CARDS
from concilium.envs.chancellors.state import Place
from concilium.envs.chancellors.text import card_name
from concilium.envs.core.replay import make_replay
from concilium.envs.core.state import FULL, UNKNOWN, Records, plain_records
from tests.cli.shell import Run, Terminal
from tests.toys.hush import HUSH
from tests.toys.hush.state import Event


def played(name: str, players: int, seed: int) -> Replay:
    """A game of uniformly random play."""
    table = PlayedGame(GAMES[name].bind(num_players=players), seed)
    generator = np.random.default_rng(seed)
    while not table.over:
        table.take(int(generator.choice(table.legal())))
    return table.replay()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of two whole games and one broken off."""
    target = tmp_path / "games.jsonl"
    broken = make_replay(get_game("chancellors").bind(num_players=2), 4, [])
    save_replays(target, [played("chancellors", 3, 5), played("chancellors", 4, 6), broken])
    return target


def test_every_decision_is_told_with_what_it_led_to(run: Run, path: Path) -> None:
    ran = run("replay", path)
    assert (ran.code, ran.err) == (0, "")
    replay = played("chancellors", 3, 5)
    bound = replay.bind()
    told = re.findall(r"^ *(\d+)  (player_\d): (.*)$", ran.out, re.MULTILINE)
    expected = [
        (
            str(number),
            f"player_{(actor := int(states['actor'][0]))}",
            bound.action_name(action, actor),
        )
        for number, (states, action) in enumerate(replay.play(), start=1)
        if action is not None
    ]
    assert told == expected
    assert ran.out.startswith(f"Game 1 of 3 in {path}, seed 5\nchancellors_v0: num_players=3, ")
    # the second decision ends the turn: what that led to stands between it and the third
    between = re.search(r"^ +1  .*?$(.*?)^ +2  ", ran.out, re.MULTILINE | re.DOTALL)
    assert between is not None
    assert between[1].strip()
    assert "player_0 drew Author 2MK" in ran.out  # everything is told: seed 5, first deal
    assert "The game is over: " in ran.out
    assert len(re.findall(r"^  player_\d (?:won|lost), return ", ran.out, re.MULTILINE)) == 3
    assert "\x1b" not in ran.out


def test_a_seat_is_told_what_it_knew(run: Run, path: Path) -> None:
    replay = played("chancellors", 3, 5)
    bound, known = replay.bind(), set()
    for states, _ in replay.play():
        places = plain_records(bound.view(states, 1))[0]["where"].tolist()
        known |= {card for card in range(NUM_CARDS) if places[card] not in (UNKNOWN, Place.ABSENT)}
    assert 3 < len(known) < 28  # of 33 cards in play
    out = run("replay", path, "--view", 1).out
    mentioned = {card for card in range(NUM_CARDS) if card_name(card) in out}
    assert mentioned == known
    assert set(re.findall(r"player_\d drew (.*)", out)) == {"a card"}
    assert "you drew " in out
    everything = run("replay", path, "--view", "all").out
    assert everything == run("replay", path).out
    assert mentioned < {card for card in range(NUM_CARDS) if card_name(card) in everything}


def test_the_public_view_has_no_hand(run: Run, path: Path) -> None:
    out = run("replay", path, "--view", "public").out
    assert set(re.findall(r"(\S+) drew (.*)", out)) == {
        (f"player_{seat}", "a card") for seat in range(3)
    }
    assert not re.search(r"\byou\b|\bhand\b", out)


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_and_view_can_be_told(name: str) -> None:
    replay = played(name, GAMES[name].max_players, 2)
    bound = replay.bind()
    for viewer in (FULL, SPECTATOR, *range(bound.num_players)):
        told = list(steps(replay, viewer))
        assert told[0].heading == "The deal"
        if viewer == FULL:
            assert len(told) == len(replay.actions) + 1
            text = "\n".join(line for step in told for line in step.lines())
            assert not re.search(r"\byou\b", text)
        assert told[-1].picture == bound.render(
            bound.view(replay.verify(), SPECTATOR if viewer == FULL else viewer)
        )


def test_a_secret_decision_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def events(bound: BoundGame, view: Records) -> list[str]:
        del bound
        rows = view["log"][: int(view["log_count"])]
        names: dict[int, str] = {Event.QUIET: "a quiet turn", Event.LOOKED: "a look"}
        return [names.get(int(row[0]), "something else") for row in rows]

    monkeypatch.setitem(HUSH.__dict__, "events", events)
    bound = HUSH.bind(num_players=3)
    table = PlayedGame(bound, 1)
    first = table.actor
    told = []
    for name in ("look 1", "wait"):
        table = PlayedGame(bound, 1)
        table.take(bound.parse_action(name))
        table.take(bound.parse_action("wait"))
        replay = table.replay()
        for viewer in (SPECTATOR, (first + 2) % 3):
            told.append([list(step.lines()) for step in steps(replay, viewer)])
        own = [line for step in steps(replay, first) for line in step.lines()]
        assert f"you: {name}" in own
        everything = [line for step in steps(replay, FULL) for line in step.lines()]
        assert f"player_{first}: {name}" in everything
    assert told[0] == told[2]  # a spectator cannot tell a look from waiting
    assert told[1] == told[3]  # nor can another player
    assert "a look" not in str(told)


def test_games_are_chosen_by_number(run: Run, path: Path) -> None:
    ran = run("replay", path, "--game-number", 2)
    assert ran.out.startswith(f"Game 2 of 3 in {path}, seed 6\nchancellors_v0: num_players=4, ")
    ran = run("replay", path, "--game-number", 3)
    assert "The game was broken off." in ran.out


def said(keys: list[str], count: int = 4) -> tuple[list[str], list[str]]:
    """Step through ``count`` steps with the given input; what was shown is in the first list."""
    shown: list[str] = []
    asked = iter(keys)
    ahead = [Step(f"decision {k}", (f"event {k}",), f"picture {k}") for k in range(count)]

    def ask() -> str | None:
        return next(asked, None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda text: shown.append(text))
        step_through(ahead, ["the end"], ask)
    return shown, list(asked)


@pytest.mark.parametrize(
    ("keys", "visited"),
    [
        ([], [0]),
        ([""], [0, 1]),
        (["", "n", " p "], [0, 1, 2, 1]),
        (["g 3", "P"], [0, 3, 2]),
        (["G 2", "q"], [0, 2]),
    ],
)
def test_one_steps_forward_back_and_anywhere(keys: list[str], visited: list[int]) -> None:
    shown, _ = said(keys)
    numbers = [int(text[2]) for text in shown if text.startswith("\n[")]
    assert numbers == visited
    assert f"\n[{visited[-1]}/3] decision {visited[-1]}\n    event {visited[-1]}\n\n" in "".join(
        shown
    )
    assert ("\nthe end" in shown) == (3 in visited)


def test_a_wrong_key_is_said() -> None:
    for key, answer in (("p", "step -1: 0 to 3"), ("g 9", "step 9: 0 to 3"), ("g", "Enter: next")):
        shown, _ = said([key])
        assert answer in shown[-1]
    assert "step 1: 0 to 0" in said([""], count=1)[0][-1]
    assert said(["q", ""])[1] == [""]  # nothing is read after leaving


def test_at_a_terminal_one_steps(path: Path) -> None:
    terminal = Terminal("replay", path)
    first = terminal.type("\n", "> ")
    assert "Enter: next" in first
    assert "] The deal" in first
    assert re.search(r"\[1/\d+\] player_\d: ", terminal.type("q\n", "> "))
    assert terminal.finish().code == 0


def test_at_a_terminal_it_can_be_told_whole(run: Run, path: Path) -> None:
    ran = Terminal("replay", path, "--text").finish()
    assert ran.code == 0
    assert ran.out == run("replay", path).out
