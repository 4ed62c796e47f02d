"""Who sits at which seat of ``concilium play``, and games that go on where they were left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from concilium.baselines import Bot, bot_names, make_bot
from concilium.commands.arguments import check_seat, writing
from concilium.commands.played import PlayedGame, seat_names
from concilium.envs import (
    BoundGame,
    FileFormatError,
    Game,
    OptionError,
    Replay,
    load_replays,
    save_replays,
)
from concilium.envs.core.replay import Player

_STRONGEST: Final = ("chancellors/opportunist", "nicaea/tableau", "believers/bayes")
_LONGEST_NAME: Final = 40


def default_bot(game: Game) -> str:
    """The strongest rule bot made for the game; of other games the first, if there is one."""
    names = bot_names(game)
    best = [name for name in _STRONGEST if name in names]
    return next((name for name in [*best, *names] if "/" in name), names[0])


def person_name(text: str) -> str:
    """A person's name from the command line; ValueError tells what is allowed."""
    if not text.strip() or not text.isprintable() or len(text) > _LONGEST_NAME:
        raise ValueError(f"{text!r} is no name of 1 to {_LONGEST_NAME} printable characters")
    return text.strip()


def sit_down(bound: BoundGame, first: int, people: Sequence[str]) -> dict[int, str]:
    """Names of people by seat: the first at seat ``first``, the others clockwise.

    Raises:
        OptionError: no such seat, more people than seats, or two of one name.
    """
    check_seat(first, bound)
    if len(people) > bound.num_players:
        raise OptionError(f"{len(people)} people at a table of {bound.num_players}")
    if len(set(people)) < len(people):
        raise OptionError(f"two people of one name among {', '.join(people)}")
    return {(first + k) % bound.num_players: name for k, name in enumerate(people)}


def cast(
    bound: BoundGame, names: Sequence[str], people: Mapping[int, str], seed: int
) -> tuple[Player, ...]:
    """Say who plays at each seat, each bot with a seed of its own.

    Args:
        bound: the game with its options.
        names: one bot for all seats without people, or one for each in the order of seats.
        people: names by seat.
        seed: of the bots.

    Raises:
        OptionError: not as many bots as seats.
    """
    seats = [seat for seat in range(bound.num_players) if seat not in people]
    if seats and len(names) not in (1, len(seats)):
        raise OptionError(f"{len(names)} bots for {len(seats)} seats: one for each, or one for all")
    each = dict(zip(seats, list(names) * (len(seats) if len(names) == 1 else 1), strict=False))
    seeds = np.random.SeedSequence(seed).generate_state(bound.num_players, np.uint64)
    return tuple(
        Player(people[seat]) if seat in people else Player(each[seat], int(seeds[seat]))
        for seat in range(bound.num_players)
    )


def bots_of(bound: BoundGame, players: Sequence[Player]) -> dict[int, Bot]:
    """Make the bots among the players.

    Raises:
        OptionError: unknown, or for another game.
        FileFormatError: a policy file cannot be used.
    """
    return {
        seat: make_bot(player.name, bound, seed=player.seed)
        for seat, player in enumerate(players)
        if player.seed is not None
    }


def names_of(players: Sequence[Player], own: int | None) -> list[str]:
    """Say who sits where; ``own`` is the seat of the only person."""
    known = {seat: player.name for seat, player in enumerate(players)}
    return seat_names(len(players), known, own)


@dataclass(frozen=True)
class Save:
    """Where a game is kept.

    Attributes:
        path: of a file of replays, which need not be there.
        continued: the unfinished game in it whose place the game takes; None to add it.
    """

    path: Path
    continued: Replay | None = None

    def held(self) -> list[Replay]:
        """All games in the file."""
        return load_replays(self.path) if self.path.exists() else []

    def keep(self, replay: Replay) -> None:
        """Write the game to its place."""
        games = self.held()
        if self.continued in games:
            games[len(games) - 1 - games[::-1].index(self.continued)] = replay
        else:
            games.append(replay)
        with writing(self.path):
            save_replays(self.path, games)


def unfinished(path: Path, game: Game) -> Replay:
    """The last unfinished game in a file.

    Raises:
        FileFormatError: the file is damaged or holds none of ``game``.
    """
    for replay in reversed(load_replays(path)):
        if replay.game == game.name and replay.status == "running":
            return replay
    raise FileFormatError(f"replay file {path}: no unfinished game of {game.name}")


def go_on(saved: Replay, seat: int) -> tuple[PlayedGame, dict[int, Bot]]:
    """Play a game again up to where it was left, so that its bots go on as they would have.

    Args:
        saved: the game.
        seat: the person's where the record does not say who played, as in older files; the others
            are then the game's default bots.

    Raises:
        FileFormatError: the record does not play back, or a bot in it is not there.
    """
    bound = saved.bind()
    saved.verify()
    players = saved.players or cast(
        bound, [default_bot(bound.game)], sit_down(bound, seat, ("",)), saved.seed
    )
    table = PlayedGame(bound, saved.seed, players)
    bots = bots_of(bound, players)
    for action in saved.actions:
        if table.actor in bots:
            table.choice(bots[table.actor])  # for what it draws and remembers
        table.take(action)
    return table, bots
