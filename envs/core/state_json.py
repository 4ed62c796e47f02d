"""States as JSON: a mapping of field names to numbers and nested lists."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import Game, check_state
from concilium.envs.core.state import RUNNING, TRUNCATED, Records, new_records, plain_records


def state_to_json(records: Records, index: int = 0) -> str:
    """Write one record as JSON: a mapping of field names to numbers and nested lists."""
    record = plain_records(records)[index]
    return json.dumps({name: record[name].tolist() for name in records.dtype.names or ()})


def state_from_json(game: Game, text: str) -> Records:
    """Read one record of ``game`` written by :func:`state_to_json`, ``(1,)``.

    Raises:
        OptionError: not JSON, a field is missing, unknown, of the wrong shape or not of whole
            numbers that fit it, or the game finds fault with the position.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"not a state: {error}") from None
    names = game.dtype.names or ()
    if not isinstance(fields, dict) or set(fields) != set(names):
        raise OptionError(f"not a state of {game.id}: its fields are {', '.join(names)}")
    records = new_records(1, game.dtype)
    plain = plain_records(records)
    for name in names:
        plain[name][0] = _read_field(name, fields[name], game.dtype[name])
    status, actor = int(plain["status"][0]), int(plain["actor"][0])
    players = int(plain["num_players"][0])
    if not (
        game.min_players <= players <= game.max_players
        and RUNNING <= status <= TRUNCATED
        and -1 <= actor < players
    ):
        raise OptionError(f"not a state of {game.id}: {players} players, actor {actor}")
    check_state(game, records)
    return records


def _read_field(name: str, value: object, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Read whole numbers of the field's shape and range; OptionError if they are not."""
    try:
        given = np.array(value, dtype=object)
        flat = given.reshape(-1).tolist()
        if not all(isinstance(entry, int) and not isinstance(entry, bool) for entry in flat):
            raise OptionError(f"field {name} does not hold whole numbers only")
        read = np.array(value, dtype=dtype.base)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"field {name}: {error}") from None
    if read.shape != dtype.shape:
        raise OptionError(f"field {name} has shape {read.shape}, needed is {dtype.shape}")
    return read
