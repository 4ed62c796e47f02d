"""Replays play back exactly and refuse whatever does not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concilium.envs import (
    FileFormatError,
    Replay,
    UsageError,
    chancellors_v0,
    load_replays,
    save_replays,
)


def _played(num_players: int, seed: int, moves: int | None = None) -> Replay:
    env = chancellors_v0.env(num_players=num_players, excuse=True, pawns=True)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while not env.terminations[env.agent_selection] and len(env.history) != moves:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice(mask.nonzero()[0]))
    return env.replay()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_file_of_games_plays_back_to_the_same_states(num_players: int, tmp_path: Path) -> None:
    replays = [_played(num_players, seed) for seed in range(5)] + [_played(num_players, 7, 4)]
    path = tmp_path / "games.jsonl"
    save_replays(path, replays)
    loaded = load_replays(path)
    assert loaded == replays
    assert loaded[-1].status == "running"
    assert {replay.status for replay in loaded[:-1]} == {"terminated"}
    for replay in loaded:
        options: dict[str, Any] = dict(replay.options)
        env = chancellors_v0.env(**options)
        env.reset(seed=replay.seed)
        for states, action in replay.play():
            assert states.tobytes() == env.game_state().tobytes()
            if action is not None:
                env.step(action)


def test_a_loaded_state_cannot_be_recorded() -> None:
    env = chancellors_v0.env()
    env.reset(seed=1)
    state = env.game_state()
    env.load_game_state(state)
    with pytest.raises(UsageError):
        env.replay()


def _verify_all(path: Path) -> None:
    for replay in load_replays(path):
        replay.verify()


def _changed(line: str, **changes: Any) -> str:
    record = json.loads(line)
    record.update(changes)
    return json.dumps(record)


def _damages(line: str) -> dict[str, tuple[str, str]]:
    """Damaged lines by name, each with a word that the error must contain."""
    record = json.loads(line)
    outcome = record["outcome"]
    other = {"status": "terminated", "returns": [0.5] * len(outcome["returns"])}
    return {
        "cut off": (line[: len(line) // 2], "JSON"),
        "empty object": ("{}", "format"),
        "list": ("[1, 2]", "object"),
        "deep nesting": ("[" * 100_000, "JSON"),
        "other format": (_changed(line, format=2), "format 2"),
        "other version": (_changed(line, version=7), "version 7"),
        "other game": (_changed(line, game="chess"), "chess"),
        "unknown option": (_changed(line, options={**record["options"], "dice": 3}), "dice"),
        "bad option": (_changed(line, options={**record["options"], "problems": 9}), "problems"),
        "options a list": (_changed(line, options=[]), "options"),
        "seed negative": (_changed(line, seed=-1), "seed"),
        "seed text": (_changed(line, seed="1"), "seed"),
        "seed other": (_changed(line, seed=record["seed"] + 1), ""),
        "action illegal": (_changed(line, actions=[69, *record["actions"]]), "move 1"),
        "action huge": (_changed(line, actions=[10**30]), "out of range"),
        "action a float": (_changed(line, actions=[1.0]), "actions"),
        "action a bool": (_changed(line, actions=[True]), "actions"),
        "one action too few": (_changed(line, actions=record["actions"][:-1]), "running"),
        "one action too many": (_changed(line, actions=[*record["actions"], 1]), "end of the game"),
        "status unknown": (_changed(line, outcome={**outcome, "status": "won"}), "status"),
        "returns text": (_changed(line, outcome={**outcome, "returns": "1"}), "returns"),
        "other returns": (_changed(line, outcome=other), "recorded"),
        "field missing": (_changed(line, outcome={}), "outcome"),
        "field unknown": (_changed(line, note="x"), "note"),
    }


@pytest.mark.parametrize("name", list(_damages(_played(3, 1).to_line())))
def test_a_damaged_line_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    good = _played(3, 1).to_line()
    bad, word = _damages(good)[name]
    path = tmp_path / "games.jsonl"
    path.write_text(good + "\n" + bad + "\n")
    with pytest.raises(FileFormatError) as caught:
        _verify_all(path)
    message = str(caught.value)
    assert word in message
    assert "\n" not in message


def test_files_that_are_no_replays_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    for path in (binary, tmp_path / "missing", tmp_path, Path(os.devnull)):
        with pytest.raises(FileFormatError):
            load_replays(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save_replays(path, [_played(2, 1)])
    before = path.read_bytes()

    def broken() -> Any:
        yield _played(2, 2)
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        save_replays(path, broken())
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.jsonl"]
