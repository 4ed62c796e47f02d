"""Records of the interpreted run: numbers are Python's, so that they grow as compiled ones do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from concilium.envs import GAMES
from concilium.envs.core import state
from concilium.envs.core.state import (
    attribute_records,
    new_records,
    plain_records,
    put_records,
    take_records,
)

DTYPE = np.dtype(
    [
        ("key", np.uint64),
        ("keys", np.uint64, (2,)),
        ("score", np.int16),
        ("seat", np.int8),
        ("hand", np.int8, (2, 3)),
        ("marks", np.uint8, (3,)),
    ]
)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ``NUMBA_DISABLE_JIT=1`` does to records."""
    monkeypatch.setattr(state, "INTERPRETED", True)


@pytest.fixture
def record() -> Any:
    """One record with some numbers in it."""
    records = new_records(3, DTYPE)
    records["seat"] = 127
    records["score"] = 32767
    records["hand"] = 100
    records["key"] = records["keys"] = 2**64 - 1
    return records[1]


def test_numbers_are_pythons(record: Any) -> None:
    numbers = [record.seat, record.score, record.hand[0, 1], record.hand[1][2], record.hand[0][-1]]
    numbers += [*record.hand[1], *record.hand[:, 1]]
    assert {type(number) for number in numbers} == {int}
    assert record.seat + 1 == 128
    assert record.hand[0, 0] * record.hand[0, 1] == 10_000


def test_fields_of_several_numbers_are_the_record_itself(record: Any) -> None:
    record.hand[1][2] = 7
    record.hand[0, :] = 5
    record.seat = 3
    assert record.hand.tolist() == [[5, 5, 5], [100, 100, 7]]
    assert record.hand.shape == (2, 3)
    assert record.hand.dtype == np.int8
    assert (record.hand == np.array([[5, 5, 5], [100, 100, 7]])).all()


@pytest.mark.parametrize(
    "assign",
    [
        lambda r: setattr(r, "seat", 128),
        lambda r: setattr(r, "seat", r.seat + 1),
        lambda r: setattr(r, "score", -32769),
        lambda r: setattr(r, "key", -1),
        lambda r: r.hand.__setitem__((0, 1), 300),
        lambda r: r.hand[1].__setitem__(0, r.hand[1][0] + 28),
        lambda r: r.hand.__setitem__(0, -129),
        lambda r: r.marks.__setitem__(0, 256),
        lambda r: r.marks.__setitem__(0, -1),
    ],
)
def test_what_does_not_fit_is_refused(record: Any, assign: Callable[[Any], None]) -> None:
    before = record.tobytes()
    with pytest.raises(OverflowError):
        assign(record)
    assert record.tobytes() == before


def test_the_generator_keeps_its_type(record: Any) -> None:
    assert type(record.key) is np.uint64
    assert type(record.keys[1]) is np.uint64
    with np.errstate(over="ignore"):  # it counts modulo 2**64
        assert record.key + np.uint64(2) == 1
        record.key *= np.uint64(3)
    assert record.key == 2**64 - 3


def test_records_are_views_and_not_copies() -> None:
    plain = np.zeros(4, DTYPE)
    records = attribute_records(plain)
    records[2].hand[1, 1] = 9
    assert plain["hand"][2, 1, 1] == 9
    assert plain_records(records).base is not None
    assert np.shares_memory(plain_records(records), plain)
    taken = take_records(records, np.array([2, 0]))
    assert type(taken[0].hand[1, 1]) is int
    assert taken[0].hand[1, 1] == 9
    put_records(records, np.array([0]), taken[:1])
    assert plain["hand"][0, 1, 1] == 9


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_field_of_the_games_but_the_generator_is_promoted(game: Any) -> None:
    (record,) = new_records(1, game.dtype)
    kept = set()
    for name, each in game.state.fields.items():
        value = getattr(record, name)
        for _ in each.shape:
            value = value[0]
        if type(value) is not int:
            kept.add(name)
    unsigned = {n for n, each in game.state.fields.items() if np.dtype(each.storage).kind == "u"}
    assert kept == unsigned >= {"rng_key", "rng_counter"}
