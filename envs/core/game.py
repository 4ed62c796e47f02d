"""The contract of a game: declared facts, options, and functions of one record.

Everything generic (environments, replays, bots, checks) is written once against :class:`Game` and
:class:`BoundGame`. A game's compiled functions, collected in :class:`~.kernels.Rules`, are:

``reset(s)``
    deal; the option fields are filled and the generator is seeded.
``legal_actions(s, mask)``
    write 1 for each legal action into a zeroed ``(num_actions,) int8``. Works on a View of the
    player to act as on the State.
``step(s, action)``
    take a legal action. Never checks.
``view(s, v, player)``
    ``v`` is the View of ``s`` as far as the declaration of the State goes: what is public and the
    own rows of what has owners. Copy from ``s`` what the rules let ``player`` (or a spectator) know
    beyond that; change nothing else. The log is already taken care of.
    Whatever is revealed in the course of a game is told by the log or by public fields: what a View
    shows beyond them could be neither explained to people nor kept by ``determinize``.
``determinize(s, viewer)``
    ``s`` is a copy of a View; fill the blanks with one of the possibilities, drawn by the generator
    of ``s``. Secrets in the log included.
``encode(v, out)``, ``encode_state(s, out)``
    write the observation of a View, or the state vector of a State, into a zeroed record
    with a field for each segment of the layout.
    The View's log is empty then, unless ``Rules.encode_reads_log`` is set.
``returns(s, out)``
    write each seat's return into a zeroed ``float64`` vector.
``census(s, out)``
    count cards and tokens into a zeroed ``int64`` vector; the counts never change during a game.
``kind(v)``
    number of the kind of decision now to be made (index into ``Game.kinds``); the View of the
    player to act has the same as the State.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concilium.envs.core.arguments import check_action, check_index, check_seed
from concilium.envs.core.decisions import ALL
from concilium.envs.core.errors import IllegalActionError, OptionError
from concilium.envs.core.events import NO_EVENTS, EventTable, Plain, record_dict
from concilium.envs.core.kernels import ILLEGAL, Kernels, Rules
from concilium.envs.core.layout import ActionTable, Layout
from concilium.envs.core.option import Option, OptionValue
from concilium.envs.core.state import (
    FULL,
    RUNNING,
    SPECTATOR,
    Records,
    StateTable,
    new_records,
    plain_records,
)

Utility: TypeAlias = Literal["zero_sum", "constant_sum", "general_sum"]
ABSENT = -1
"""Side of a seat at which nobody sits."""


def _has_ended(records: Records) -> NDArray[np.integer]:
    ended: NDArray[np.int64] = (plain_records(records)["status"] != RUNNING).astype(np.int64)
    return ended


def _nothing_told(record: Any) -> Iterable[str]:
    del record
    return ()


def _all_fit(options: Mapping[str, OptionValue]) -> None:
    del options


def _any_sum(options: Mapping[str, OptionValue]) -> float | None:
    del options
    return None


def _no_sides(states: Records) -> NDArray[np.integer]:
    del states
    raise OptionError("a game without sides has none for its seats")


def _no_events(bound: BoundGame, record: Any) -> Iterable[str]:
    del bound, record
    return ()


@dataclass(frozen=True, eq=False)
class Game:
    """A game's declared facts and functions.

    Attributes:
        name: short name, also of the module and of replays (``"chancellors"``).
        title: name for people.
        version: raised with every change to rules, action numbering or layout.
        min_players, max_players: smallest and largest table.
        default_players: table when ``num_players`` is not given.
        options: all options but ``num_players``.
        state: table of the State's fields.
        actions: the flat action numbering.
        kinds: names of the kinds of decisions.
        observation: layout of a player's observation.
        state_layout: layout of the state vector (perfect information).
        rules: the compiled functions.
        census_size: length of the census vector.
        return_range: smallest and largest possible return of a seat.
        utility_sum: what the returns of all seats of a finished game add up to under given options,
            or None if that depends on how it ends.
        max_game_length: bound on the number of decisions in a game, given its options.
        fill: writes options into the fields of a blank State.
        action_name: names an action in words, without spaces at the ends; the inverse is derived.
        describe: tells a View in words.
        render: draws a View with plain characters.
        package: the package that exports the game as ``GAME``; it is pickled by that.
        outcomes: names of the ways in which a game stands or has ended.
        outcome: which of them, for each of an array of States or Views ``(k,)``.
        event_table: what the events in the log hold.
        events: tells the event log of a View, oldest first, one line each; of a State everything,
            and nobody is "you".
        faults: says what is wrong with a State from outside, before the rules go on from it.
        check_together: refuses options that do not go together, with OptionError.
        decision_sets: names of kinds by a name for them together, for learners that are to face
            only a part of the decisions (see :mod:`.decisions`).
        sides: names of the sides that seats are dealt to, each of which wins or loses as one; empty
            if everybody plays for themselves.
        side: number of each seat's side, an index into ``sides``, from States ``(k,)``:
            ``(k, max_players)``, of any value where nobody sits. Call :meth:`sides_in`, which
            checks.
    """

    name: str
    title: str
    version: int
    min_players: int
    max_players: int
    default_players: int
    options: tuple[Option, ...]
    state: StateTable
    actions: ActionTable
    kinds: tuple[str, ...]
    observation: Layout
    state_layout: Layout
    rules: Rules
    census_size: int
    return_range: tuple[float, float]
    max_game_length: Callable[[Mapping[str, OptionValue]], int]
    fill: Callable[[Any, Mapping[str, OptionValue]], None]
    action_name: Callable[[BoundGame, int], str]
    describe: Callable[[BoundGame, Any], str]
    render: Callable[[BoundGame, Any], str]
    package: str
    utility_sum: Callable[[Mapping[str, OptionValue]], float | None] = _any_sum
    outcomes: tuple[str, ...] = ("running", "over")
    outcome: Callable[[Records], NDArray[np.integer]] = _has_ended
    faults: Callable[[Any], Iterable[str]] = _nothing_told
    events: Callable[[BoundGame, Any], Iterable[str]] = _no_events
    event_table: EventTable = NO_EVENTS
    check_together: Callable[[Mapping[str, OptionValue]], None] = _all_fit
    decision_sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    side: Callable[[Records], NDArray[np.integer]] = _no_sides
    kernels: Kernels = field(init=False, repr=False)

    def __post_init__(self) -> None:
        kernels = Kernels(self.name, self.rules, self.state, self.observation, self.state_layout)
        object.__setattr__(self, "kernels", kernels)
        for name, kinds in self.decision_sets.items():
            if name in (ALL, *self.kinds) or not kinds or not set(kinds) <= set(self.kinds):
                raise OptionError(
                    f"{self.name}: the set of decisions {name!r} = {kinds} needs a name of its own "
                    f"and some of {', '.join(self.kinds)}"
                )

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Type of States and Views."""
        return self.state.dtype

    @property
    def folder(self) -> Path:
        """Where the game's package lies."""
        found = importlib.import_module(self.package).__file__
        assert found is not None
        return Path(found).parent

    @cached_property
    def num_actions(self) -> int:
        """Size of the flat action set."""
        return self.actions.size

    @property
    def id(self) -> str:
        """Name with version, as in ``"chancellors_v0"``."""
        return f"{self.name}_v{self.version}"

    @cached_property
    def all_options(self) -> tuple[Option, ...]:
        """The options, ``num_players`` first."""
        players = Option(
            "num_players", self.default_players, "players at the table",
            low=self.min_players, high=self.max_players,
        )  # fmt: skip
        return (players, *self.options)

    def side_number(self, name: str) -> int:
        """Return the number of the side called ``name``; OptionError if there is none."""
        if not self.sides:
            raise OptionError(f"side {name!r}: {self.name} has no sides")
        if name not in self.sides:
            raise OptionError(
                f"side {name!r} is not one of {self.name}: there are {', '.join(self.sides)}"
            )
        return self.sides.index(name)

    def sides_in(self, states: Records) -> NDArray[np.int64]:
        """Side of each seat ``(k, max_players) int64`` in States ``(k,)``; -1 for absent seats.

        Sides are hidden from players: this is for whoever casts or judges games, not for bots.

        Raises:
            OptionError: the game has no sides, or these are Views or of another game.
        """
        if not self.sides:
            raise OptionError(f"{self.name} has no sides")
        if states.dtype != self.dtype:
            raise OptionError(f"these records are not States of {self.id}")
        plain = plain_records(states)
        if (plain["viewer"] != FULL).any():
            raise OptionError("a View does not tell the sides: take the State")
        there = np.arange(self.max_players) < plain["num_players"][:, np.newaxis]
        found: NDArray[np.int64] = np.where(there, self.side(states), ABSENT).astype(np.int64)
        return found

    def bind(self, /, **options: object) -> BoundGame:
        """Return this game with the given options, the rest at their defaults.

        Raises:
            OptionError: an unknown option, a value that is not allowed, or options that do not go
                together.
        """
        known = {option.name: option for option in self.all_options}
        for name in options:
            if name not in known:
                raise OptionError(
                    f"{self.name} has no option {name!r}; there are {', '.join(known)}"
                )
        values = {
            name: option.check(options.get(name, option.default)) for name, option in known.items()
        }
        self.check_together(values)
        return BoundGame(self, MappingProxyType(values))

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Games are pickled by where they are defined: the compiled code stays where it is."""
        return game_of, (self.package,)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self  # nothing in it ever changes

    def __repr__(self) -> str:
        return f"<Game {self.id}>"


@dataclass(frozen=True, eq=False)
class BoundGame:
    """A game with its options: makes, changes and shows States. Games themselves live in arrays.

    All methods take arrays of records and an index, or return arrays of one record. Records are
    trusted to come from the game: their fields are not checked, an index or a View given for a
    State is (OptionError).
    """

    game: Game
    options: Mapping[str, OptionValue]

    @property
    def num_players(self) -> int:
        """Players at the table."""
        return int(self.options["num_players"])

    @cached_property
    def max_game_length(self) -> int:
        """No game has more decisions than this."""
        return self.game.max_game_length(self.options)

    @property
    def utility(self) -> Utility:
        """Class of the returns, in the field's usual terms."""
        total = self.game.utility_sum(self.options)
        if total is None:
            return "general_sum"
        return "constant_sum" if total else "zero_sum"

    @cached_property
    def template(self) -> Records:
        """A blank State with the options filled in, ``(1,)``; copy it, do not change it."""
        records = new_records(1, self.game.dtype)
        plain = plain_records(records)
        plain["viewer"] = FULL
        plain["num_players"] = self.num_players
        self.game.fill(plain[0], self.options)
        records.setflags(write=False)
        return records

    def new_state(self, seed: int) -> Records:
        """Deal a game, ``(1,)``; ``seed`` is a whole number from 0 to 2**64 - 1."""
        states = self.template.copy()
        self.game.kernels.reset_one(states, 0, check_seed(seed))
        return states

    def legal_actions(self, records: Records, index: int = 0) -> NDArray[np.int8]:
        """Mask ``(num_actions,) int8`` of the player to act, from a State or that player's View."""
        mask = np.empty(self.game.num_actions, np.int8)
        index = check_index(records, index)
        viewer = int(plain_records(records)["viewer"][index])
        if viewer not in (FULL, int(plain_records(records)["actor"][index])):
            raise OptionError(f"player {viewer} is not to act: only who is knows what is legal")
        self.game.kernels.legal_many(records[index : index + 1], mask[np.newaxis], 0, 1)
        return mask

    def step(self, states: Records, action: int, index: int = 0) -> None:
        """Take ``action`` in ``states[index]``.

        Raises:
            IllegalActionError: not legal now; nothing is changed.
        """
        scratch = np.empty(self.game.num_actions, np.int8)
        number = check_action(action)
        index = self._check_state(states, index)
        if not states.flags.writeable:
            raise OptionError("these States are read-only: copy them first")
        if self.game.kernels.step_checked(states, index, number, scratch)[0] == ILLEGAL:
            raise IllegalActionError(self.illegal_message(states, number, index))

    def illegal_message(self, states: Records, action: int, index: int = 0) -> str:
        """Say why ``action`` cannot be taken and what can."""
        if int(plain_records(states)["status"][index]) != RUNNING:
            return f"action {action} after the end of the game"
        if not 0 <= action < self.game.num_actions:
            return f"action {action} is out of range: 0 to {self.game.num_actions - 1}"
        legal = np.flatnonzero(self.legal_actions(states, index))
        names = ", ".join(f"{a} ({self.action_name(a)})" for a in legal[:8])
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        return (
            f"action {action} ({self.action_name(action)}) is not legal now; legal: {names}{more}"
        )

    def view(self, states: Records, player: int, index: int = 0) -> Records:
        """What ``player`` (a seat, or ``SPECTATOR``) may know of ``states[index]``, ``(1,)``."""
        if player != SPECTATOR and not 0 <= player < self.num_players:
            raise OptionError(
                f"player {player} is not at the table: 0 to {self.num_players - 1} or SPECTATOR"
            )
        index = self._check_state(states, index)
        out = np.empty_like(states[:1])
        self.game.kernels.view_many(states, _one(index), _one(player), out, 0, 1)
        return out

    def determinize(self, view: Records, seed: int, index: int = 0) -> Records:
        """A State that the viewer cannot tell from the real one, ``(1,)``, drawn by ``seed``."""
        index = check_index(view, index)
        if int(plain_records(view)["viewer"][index]) == FULL:
            raise OptionError("determinize takes a View, not a State")
        out = np.empty_like(view[:1])
        seeds = np.array([check_seed(seed)], np.uint64)
        self.game.kernels.determinize_many(view[index : index + 1], seeds, out, 0, 1)
        return out

    def encode(self, views: Records) -> NDArray[np.int8]:
        """Observation vectors of Views, ``(len(views), observation.size) int8``."""
        if (plain_records(views)["viewer"] == FULL).any():
            raise OptionError("a State has no observation: take somebody's View of it")
        out = np.empty((len(views), self.game.observation.size), np.int8)
        self.game.kernels.encode_many(views, out, 0, len(views))
        return out

    def encode_state(self, states: Records, index: int = 0) -> NDArray[np.int8]:
        """State vector (perfect information) ``(state_layout.size,) int8``."""
        index = self._check_state(states, index)
        out = np.empty(self.game.state_layout.size, np.int8)
        self.game.kernels.encode_state_one(states, index, out)
        return out

    def returns(self, states: Records, index: int = 0) -> NDArray[np.float64]:
        """Returns of all seats ``(num_players,) float64``; zeros while the game runs."""
        index = check_index(states, index)
        out = np.empty((1, self.game.max_players), np.float64)
        self.game.kernels.returns_many(states, _one(index), out, 0, 1)
        return out[0, : self.num_players].copy()

    def census(self, states: Records, index: int = 0) -> NDArray[np.int64]:
        """Counts of cards and tokens ``(census_size,) int64``; constant throughout a game."""
        index = self._check_state(states, index)
        out = np.empty(self.game.census_size, np.int64)
        self.game.kernels.count_parts(states, index, out)
        return out

    def kind(self, records: Records, index: int = 0) -> str:
        """Name of the kind of decision now to be made."""
        index = check_index(records, index)
        out = np.empty(1, np.int64)
        self.game.kernels.kind_many(records, _one(index), out, 0, 1)
        return self.game.kinds[int(out[0])]

    def action_name(self, action: int) -> str:
        """Name of ``action`` in words."""
        action = check_action(action)
        if not 0 <= action < self.game.num_actions:
            raise IllegalActionError(
                f"action {action} is out of range: 0 to {self.game.num_actions - 1}"
            )
        return self.game.action_name(self, int(action))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.action_name(a).lower(): a for a in range(self.game.num_actions)}

    def parse_action(self, name: str) -> int:
        """The action called ``name``: the inverse of :meth:`action_name`, upper case ignored."""
        try:
            return self._numbers[name.strip().lower()]
        except KeyError:
            raise IllegalActionError(f"{self.game.name} has no action called {name!r}") from None

    def describe(self, view: Records, index: int = 0) -> str:
        """Tell a View in words."""
        return self.game.describe(self, plain_records(view)[check_index(view, index)])

    def events(self, view: Records, index: int = 0) -> list[str]:
        """Tell what the log of a View holds, oldest first, one line each."""
        return list(self.game.events(self, plain_records(view)[check_index(view, index)]))

    def view_dict(self, view: Records, index: int = 0) -> dict[str, Plain]:
        """Return a View as a mapping that JSON can hold; see :func:`~.events.record_dict`."""
        return record_dict(self.game.state, plain_records(view)[check_index(view, index)])

    def event_dicts(self, view: Records, index: int = 0) -> list[dict[str, Plain]]:
        """Return the log of a View, oldest first, as mappings that JSON can hold."""
        return self.game.event_table.log(plain_records(view)[check_index(view, index)])

    def render(self, view: Records, index: int = 0) -> str:
        """Draw a View with plain characters."""
        return self.game.render(self, plain_records(view)[check_index(view, index)])

    def _check_state(self, states: Records, index: int) -> int:
        index = check_index(states, index)
        if states.dtype != self.game.dtype:
            raise OptionError(f"these records are not States of {self.game.id}")
        if int(plain_records(states)["viewer"][index]) != FULL:
            raise OptionError("a View is not a State: determinize it first")
        return index

    @cached_property
    def option_fields(self) -> tuple[str, ...]:
        """Names of the fields that hold the options: those that ``fill`` writes."""
        marked = np.frombuffer(b"\x55" * self.game.dtype.itemsize, self.game.dtype).copy()
        before = marked.copy()
        self.game.fill(marked[0], self.options)
        names = self.game.dtype.names or ()
        return tuple(name for name in names if not np.array_equal(marked[name], before[name]))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"<{self.game.id} {given}>"

    def __reduce__(self) -> tuple[Callable[..., BoundGame], tuple[str, dict[str, OptionValue]]]:
        return _rebind, (self.game.package, dict(self.options))


def game_of(package: str) -> Game:
    """Return the game that a package exports as ``GAME``.

    Raises:
        OptionError: it does not export one.
    """
    found = getattr(importlib.import_module(package), "GAME", None)
    if not isinstance(found, Game):
        raise OptionError(f"package {package} exports no game called GAME")
    return found


def _rebind(package: str, options: dict[str, OptionValue]) -> BoundGame:
    return game_of(package).bind(**options)


def _one(value: int) -> NDArray[np.int64]:
    return np.array([value], np.int64)


def check_state(game: Game, records: Records) -> None:
    """Raise OptionError, saying what is wrong, if the one State in ``records`` is not sound.

    Numbers out of the range that the State declares come first; only if there are none do the
    game's own questions mean anything.
    """
    record = plain_records(records)[0]
    for ask in (game.state.faults, game.event_table.faults, game.faults):
        for fault in ask(record):
            raise OptionError(f"not a state of {game.id}: {fault}")
