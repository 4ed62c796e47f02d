"""Records of played games, one JSON object a line, that play back exactly.

A State and a list of actions determine a game on every machine, so a record holds the seed, the
actions and, to notice a change of rules, the outcome.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from concilium.envs.core.arguments import SEED_LIMIT
from concilium.envs.core.catalogue import get_game
from concilium.envs.core.errors import ConciliumError, FileFormatError, OptionError
from concilium.envs.core.files import read_limited, write_atomically
from concilium.envs.core.game import BoundGame
from concilium.envs.core.option import OptionValue
from concilium.envs.core.schema import json_text
from concilium.envs.core.state import RUNNING, TERMINATED, Records, plain_records

FORMAT: Final = 1
_FIELDS: Final = frozenset({"format", "game", "version", "options", "seed", "actions", "outcome"})
_OPTIONAL: Final = frozenset({"players"})  # newer than files that are still read
_STATUS_NAMES: Final = ("running", "terminated", "truncated")
_SIZE_LIMIT: Final = 2**28  # a quarter of a gigabyte of text is half a million games
_LARGEST_RETURN: Final = 1e9


@dataclass(frozen=True)
class Player:
    """Who sat at a seat.

    Attributes:
        name: of a bot, as :func:`~concilium.baselines.make_bot` takes it, or of a person.
        seed: of a bot's generator; None for a person.
    """

    name: str
    seed: int | None = None

    def to_dict(self) -> dict[str, object]:
        """As JSON holds it."""
        return {"name": self.name} if self.seed is None else {"name": self.name, "seed": self.seed}


@dataclass(frozen=True)
class Replay:
    """One played game.

    Attributes:
        game: short name of the game.
        version: version of the game.
        options: all options, ``num_players`` among them.
        seed: of the deal.
        actions: every decision in order.
        status: ``"running"`` (broken off), ``"terminated"`` or ``"truncated"``.
        returns: of each seat; zeros while running.
        players: who played, by seat; empty if it is not known. Does not make it another game.
    """

    game: str
    version: int
    options: Mapping[str, OptionValue]
    seed: int
    actions: tuple[int, ...]
    status: str
    returns: tuple[float, ...]
    players: tuple[Player, ...] = field(default=(), compare=False)

    def to_line(self) -> str:
        """Write as one line of JSON, without the line end."""
        record: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "options": dict(self.options),
            "seed": self.seed,
            "actions": list(self.actions),
            "outcome": {"status": self.status, "returns": list(self.returns)},
        }
        if self.players:
            record["players"] = [player.to_dict() for player in self.players]
        return json_text(record, "a replay", compact=True)

    @classmethod
    def from_line(cls, line: str) -> Replay:
        """Read one line.

        Raises:
            FileFormatError: damaged, incomplete, or of another format; says what is wrong.
        """
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
            raise FileFormatError(f"not JSON: {error}") from None
        if not isinstance(record, dict):
            raise FileFormatError("not a JSON object")
        if record.get("format") != FORMAT:
            raise FileFormatError(f"format {record.get('format')!r}, readable is {FORMAT}")
        if set(record) - _OPTIONAL != _FIELDS:
            wrong = ", ".join(sorted((set(record) - _OPTIONAL) ^ _FIELDS))
            raise FileFormatError(f"fields missing or unknown: {wrong}")
        outcome = record["outcome"]
        if not isinstance(outcome, dict) or set(outcome) != {"status", "returns"}:
            raise FileFormatError("outcome needs status and returns")
        _check_types(record, outcome)
        return cls(
            record["game"], record["version"], record["options"], record["seed"],
            tuple(record["actions"]), outcome["status"], tuple(map(float, outcome["returns"])),
            _players(record.get("players", []), len(outcome["returns"])),
        )  # fmt: skip

    def bind(self) -> BoundGame:
        """Return the game with the replay's options.

        Raises:
            FileFormatError: no such game, another version, or options that are not allowed.
        """
        try:
            game = get_game(self.game)
            if game.version != self.version:
                raise FileFormatError(
                    f"recorded with version {self.version} of {self.game}; "
                    f"this is version {game.version}, whose games differ"
                )
            return game.bind(**self.options)
        except FileFormatError:
            raise
        except ConciliumError as error:
            raise FileFormatError(str(error)) from None

    def play(self) -> Iterator[tuple[Records, int | None]]:
        """Play back: yield each State ``(1,)`` with the action then taken, the last with None.

        The same array is yielded each time; copy it to keep it.

        Raises:
            FileFormatError: an action is not legal, or the outcome is not the recorded one.
        """
        bound = self.bind()
        states = bound.new_state(self.seed)
        for number, action in enumerate(self.actions):
            yield states, action
            try:
                bound.step(states, action)
            except ConciliumError as error:
                raise FileFormatError(f"move {number + 1}: {error}") from None
        status = _STATUS_NAMES[int(plain_records(states)["status"][0])]
        returns = tuple(bound.returns(states).tolist())
        if (status, returns) != (self.status, self.returns):
            raise FileFormatError(
                f"plays out as {status} {returns}, recorded is {self.status} {self.returns}"
            )
        yield states, None

    def verify(self) -> Records:
        """Play back and return the last State ``(1,)``; errors as in :meth:`play`."""
        states = None
        for states, _ in self.play():  # noqa: B007 (the last value is what is wanted)
            pass
        assert states is not None
        return states


def _players(entries: object, seats: int) -> tuple[Player, ...]:
    """Who played, as a line has it: one entry for each of the seats, or none."""
    if not isinstance(entries, list) or len(entries) not in (0, seats):
        raise FileFormatError("players are not a list with an entry for each seat")
    for entry in entries:
        seed = entry.get("seed", 0) if isinstance(entry, dict) else None
        if (
            not (isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < SEED_LIMIT)
            or not {"name"} <= set(entry) <= {"name", "seed"}
            or not (isinstance(entry["name"], str) and entry["name"].isprintable())
        ):
            raise FileFormatError("a player is not a name with or without a seed")
    return tuple(Player(entry["name"], entry.get("seed")) for entry in entries)


def _check_types(record: dict[str, Any], outcome: dict[str, Any]) -> None:
    def need(good: bool, what: str) -> None:
        if not good:
            raise FileFormatError(what)

    def whole(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    need(isinstance(record["game"], str), "game is not a name")
    need(whole(record["version"]), "version is not a whole number")
    options = record["options"]
    need(isinstance(options, dict), "options are not an object")
    need(
        whole(record["seed"]) and 0 <= record["seed"] < SEED_LIMIT,
        "seed is not a whole number from 0 to 2**64 - 1",
    )
    actions = record["actions"]
    need(
        isinstance(actions, list) and all(whole(action) for action in actions),
        "actions are not a list of whole numbers",
    )
    need(outcome["status"] in _STATUS_NAMES, f"status is not one of {_STATUS_NAMES}")
    returns = outcome["returns"]
    need(
        isinstance(returns, list)
        and all(isinstance(r, int | float) and not isinstance(r, bool) for r in returns)
        and all(abs(r) <= _LARGEST_RETURN for r in returns),
        "returns are not a list of numbers within reason",
    )


def make_replay(
    bound: BoundGame, seed: int, actions: Iterable[int], players: Sequence[Player] = ()
) -> Replay:
    """Record the game that ``actions`` make of the deal of ``seed``, and who played.

    Raises:
        IllegalActionError: an action is not legal.
    """
    states = bound.new_state(seed)
    taken = []
    for action in actions:
        bound.step(states, action)
        taken.append(int(action))
    status = int(plain_records(states)["status"][0])
    assert RUNNING <= status <= TERMINATED + 1
    return Replay(
        bound.game.name, bound.game.version, dict(bound.options), int(seed), tuple(taken),
        _STATUS_NAMES[status], tuple(bound.returns(states).tolist()), tuple(players),
    )  # fmt: skip


def save_replays(path: str | os.PathLike[str], replays: Iterable[Replay]) -> None:
    """Write replays, one a line, whole or not at all.

    Raises:
        OptionError: :func:`load_replays` would not read what would be written; nothing is.
    """
    lines = []
    for number, replay in enumerate(replays, start=1):
        try:
            lines.append(replay.to_line() + "\n")
            Replay.from_line(lines[-1])
        except ConciliumError as error:
            raise OptionError(f"replay {number}: {error}") from None
    if sum(map(len, lines)) > _SIZE_LIMIT:
        raise OptionError(f"replays of more than {_SIZE_LIMIT} bytes, the most that is read")
    write_atomically(path, "".join(lines))


def load_replays(path: str | os.PathLike[str]) -> list[Replay]:
    """Read all replays of a file.

    Raises:
        FileFormatError: the file or a line is damaged; the message names file and line.
    """
    try:
        text = read_limited(path, _SIZE_LIMIT, "replay file").decode()
    except UnicodeDecodeError:
        raise FileFormatError(f"replay file {path}: not UTF-8 text") from None
    replays = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                replays.append(Replay.from_line(line))
            except FileFormatError as error:
                raise FileFormatError(f"replay file {path}, line {number}: {error}") from None
    return replays
