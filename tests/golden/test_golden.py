"""Golden playthroughs: one per game, player count and option set, compared line by line.

``make golden`` renews them: after a change of rules, numbering or layout (which also raises the
game's version), and then the difference is what a reviewer reads.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from concilium.baselines import make_bot
from concilium.envs import GAMES, Replay, get_game
from concilium.envs.core.replay import make_replay

FOLDER = Path(__file__).parent


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"golden_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


transcript = _load("transcript")

# (game, name of the option set, options, bot, seed); one file for each player count
OPTION_SETS: list[tuple[str, str, dict[str, Any], str, int]] = [
    ("chancellors", "basic", {}, "chancellors/steward", 1),
    ("chancellors", "extended", {"excuse": True, "pawns": True}, "chancellors/steward", 2),
    (
        "chancellors",
        "five_lowest",
        {"problems": 5, "calamity": "lowest_wins", "excuse": True},
        "random",
        3,
    ),
    ("chancellors", "random", {"excuse": True}, "random", 5),
    ("chancellors", "short", {"max_turns": 5, "pawns": True}, "chancellors/steward", 4),
]
CASES = [
    (game, f"{game}-{name}-{players}.txt", {**options, "num_players": players}, bot, seed)
    for game, name, options, bot, seed in OPTION_SETS
    for players in range(get_game(game).min_players, get_game(game).max_players + 1)
]


def _play(game: str, options: dict[str, Any], bot_name: str, seed: int) -> Replay:
    bound = get_game(game).bind(**options)
    bot = make_bot(bot_name, bound.game)
    bot.seed(seed)
    states = bound.new_state(seed)
    actions: list[int] = []
    while int(states["status"][0]) == 0:
        view = bound.view(states, int(states["actor"][0]))
        action = int(bot.act(view, bound.legal_actions(states)[None])[0])
        bound.step(states, action)
        actions.append(action)
    return make_replay(bound, seed, actions)


@pytest.mark.parametrize(
    ("game", "file", "options", "bot", "seed"), CASES, ids=[case[1] for case in CASES]
)
def test_playthrough(
    game: str, file: str, options: dict[str, Any], bot: str, seed: int,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    path = FOLDER / file
    if request.config.getoption("--regenerate-golden"):
        path.write_text(transcript.transcript(_play(game, options, bot, seed)))
    text = path.read_text()
    replay = Replay.from_line(text.splitlines()[0])
    assert {name: replay.options[name] for name in options} == options
    assert transcript.transcript(replay).splitlines() == text.splitlines()


def test_every_game_and_player_count_has_playthroughs() -> None:
    have = {(game, options["num_players"]) for game, _, options, _, _ in CASES}
    for game in GAMES.values():
        if game.folder.parent.name == "envs":  # the games of this package, not a test's toys
            for players in range(game.min_players, game.max_players + 1):
                assert (game.name, players) in have


def test_no_playthrough_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {case[1] for case in CASES}


def test_the_playthroughs_end_in_different_ways() -> None:
    ends = set()
    for case in CASES:
        lines = (FOLDER / case[1]).read_text().splitlines()
        replay = Replay.from_line(lines[0])
        ends.add((replay.status, max(replay.returns)))
    assert ("truncated", 0.0) in ends
    assert ("terminated", 1.0) in ends
    assert ("terminated", -1.0) in ends
