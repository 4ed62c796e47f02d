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

ALL_KINDS = "nicaea/broker nicaea/schismatic nicaea/tableau nicaea/contrarian nicaea/warden"

# (game, name of the option set, options, bots by seat and round again, seed); one file for each
# player count, from the smallest table on, with the same seed or one for each
OPTION_SETS: list[tuple[str, str, dict[str, Any], str, int | tuple[int, ...]]] = [
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
    # seeds of games that end in the way of their name
    ("nicaea", "settled", {}, ALL_KINDS, (1, 1, 1)),
    ("nicaea", "exhausted", {}, ALL_KINDS, (10, 5, 10)),
    ("nicaea", "schism", {}, ALL_KINDS, (23, 2, 6)),
    ("nicaea", "random", {}, "random", 1),
    ("believers", "quiet", {}, "random", 1),
    ("believers", "claims", {"talk": "claims"}, "random", 2),
]
CASES = [
    (
        game,
        f"{game}-{name}-{players}.txt",
        {**options, "num_players": players},
        bots,
        seed if isinstance(seed, int) else seed[players - get_game(game).min_players],
    )
    for game, name, options, bots, seed in OPTION_SETS
    for players in range(get_game(game).min_players, get_game(game).max_players + 1)
]


def _play(game: str, options: dict[str, Any], names: str, seed: int) -> Replay:
    bound = get_game(game).bind(**options)
    bots = [make_bot(name, bound.game) for name in names.split()]
    for bot in bots:
        bot.seed(seed)
    states = bound.new_state(seed)
    actions: list[int] = []
    while int(states["status"][0]) == 0:
        actor = int(states["actor"][0])
        bot = bots[actor % len(bots)]
        view = bound.view(states, actor)
        action = int(bot.act(view, bound.legal_actions(states)[None])[0])
        bound.step(states, action)
        actions.append(action)
    return make_replay(bound, seed, actions)


@pytest.mark.parametrize(
    ("game", "file", "options", "bots", "seed"), CASES, ids=[case[1] for case in CASES]
)
def test_playthrough(
    game: str, file: str, options: dict[str, Any], bots: str, seed: int,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    path = FOLDER / file
    if request.config.getoption("--regenerate-golden"):  # the recorded games stay; bots change
        kept = path.exists() and Replay.from_line(path.read_text().splitlines()[0])
        path.write_text(transcript.transcript(kept or _play(game, options, bots, seed)))
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
        if case[0] != "chancellors":
            continue
        lines = (FOLDER / case[1]).read_text().splitlines()
        replay = Replay.from_line(lines[0])
        ends.add((replay.status, max(replay.returns)))
    assert ("truncated", 0.0) in ends
    assert ("terminated", 1.0) in ends
    assert ("terminated", -1.0) in ends


@pytest.mark.parametrize("players", [4, 5, 6])
def test_nicaea_ends_in_each_way(players: int) -> None:
    def outcome(name: str) -> str:
        line = (FOLDER / f"nicaea-{name}-{players}.txt").read_text().splitlines()[0]
        replay = Replay.from_line(line)
        game = replay.bind().game
        return game.outcomes[int(game.outcome(replay.verify())[0])]

    assert outcome("settled") == "settled"
    assert outcome("exhausted") == "deck empty"
    assert outcome("schism").endswith(", schism")
