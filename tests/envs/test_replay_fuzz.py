"""Replays: what is written loads as it was, or is not written; and the other way round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from concilium.envs import FileFormatError, OptionError, get_game
from concilium.envs.core.replay import Replay, load_replays, make_replay, save_replays
from tests.baselines.test_policy_fuzz import FUZZ, leaves
from tests.refusals import refusal

REPLAY = make_replay(get_game("chancellors").bind(num_players=2), 3, [])


@FUZZ
@given(
    changes=st.fixed_dictionaries(
        {},
        optional={
            "game": st.text(max_size=5), "version": leaves,
            "options": st.dictionaries(st.text(max_size=4), leaves, max_size=2),
            "seed": leaves | st.sampled_from([2**64 - 1, 2**64]),
            "actions": st.lists(leaves | st.integers(0, 5), max_size=3).map(tuple),
            "status": st.sampled_from(["running", "terminated", "over"]),
            "returns": st.lists(st.floats(), max_size=3).map(tuple),
        },
    )
)  # fmt: skip
def test_any_replay(tmp_path: Path, changes: dict[str, Any]) -> None:
    made = replace(REPLAY, **changes)
    path = tmp_path / "games.jsonl"
    path.unlink(missing_ok=True)
    if refusal(lambda: save_replays(path, [REPLAY, made]), OptionError):
        assert not list(tmp_path.iterdir())
    else:
        assert load_replays(path) == [REPLAY, made]


@FUZZ
@given(data=st.data())
def test_any_line(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "games.jsonl"
    save_replays(path, [REPLAY])
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, len(raw) - 1))
        new = st.binary(max_size=3) | st.sampled_from([b"NaN", b"1e999", b"9" * 30, b"null", b"[]"])
        raw[place : place + data.draw(st.integers(0, 3))] = data.draw(new)
    path.write_bytes(bytes(raw))
    if refusal(lambda: load_replays(path), FileFormatError):
        return
    found = load_replays(path)
    if not refusal(lambda: save_replays(path, found), OptionError):  # as of NaN among the options
        assert load_replays(path) == found
    for each in found:
        assert isinstance(each, Replay)
