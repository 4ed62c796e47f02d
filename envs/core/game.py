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
from concilium.envs.core.copies import writable
from concilium.envs.core.decisions import ALL
from concilium.envs.core.errors import IllegalActionError, OptionError
from concilium.envs.core.events import NO_EVENTS, EventTable
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
from concilium.envs.core.telling import Telling

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


def _no_cards(bound: BoundGame) -> Iterable[tuple[str, str]]:
    del bound
    return ()


def _no_note(bound: BoundGame, view: Any, action: int) -> str:
    del bound, view, action
    return ""


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
            ``opponent 1`` … are the players clockwise, for whom the core puts their names.
        describe: tells a View in words.
        render: draws a View with plain characters.
        package: the package that exports the game as ``GAME``; it is pickled by that.
        outcomes: names of the ways in which a game stands or has ended.
        outcome: which of them, for each of an array of States or Views ``(k,)``.
        event_table: what the events in the log hold.
        events: tells the event log of a View, oldest first, one line each; of a State everything,
            and nobody is "you".
        faults: says what is wrong with a State from outside, before the rules go on from it.
        card_texts: what each card in the game does, as pairs of its name and a line.
        move_note: tells of a legal action, from the View of who decides, its price and what it does
            where the name does not say so; empty if there is nothing to say.
        page_tables: further tables of the game's page, by the names of their marks.
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
    card_texts: Callable[[BoundGame], Iterable[tuple[str, str]]] = _no_cards
    move_note: Callable[[BoundGame, Any, int], str] = _no_note
    page_tables: Mapping[str, str] = field(default_factory=dict)
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

    def rules_text(self) -> str:
        """The rules in words, from the game's page; empty if it has none."""
        page = self.folder / "README.md"
        if not page.is_file():
            return ""
        _, _, rest = page.read_text(encoding="utf-8").partition("\n## Rules in our words\n")
        return rest.partition("\n## ")[0].strip().replace("*", "")

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

    def own_sides(self, views: Records) -> NDArray[np.int64]:
        """Side of each viewer ``(k,) int64`` in Views ``(k,)``: players know their own.

        Raises:
            OptionError: the game has no sides, or these are no Views of players.
        """
        if not self.sides:
            raise OptionError(f"{self.name} has no sides")
        viewers = plain_records(views)["viewer"]
        if views.dtype != self.dtype or (viewers < 0).any():
            raise OptionError(f"these records are not Views of players of {self.id}")
        found: NDArray[np.int64] = self.side(views)[np.arange(len(views)), viewers].astype(np.int64)
        return found

    def outcome_names(self, records: Records) -> tuple[str, ...]:
        """Names of how the games stand or ended, in States or Views ``(k,)``."""
        if not len(records):
            return ()
        return tuple(self.outcomes[number] for number in self.outcome(records).tolist())

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
class BoundGame(Telling):
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
        self.game.kernels.legal_many(_only(records, index), mask[np.newaxis], 0, 1)
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
        seat = int(plain_records(states)["actor"][index])
        names = ", ".join(f"{a} ({self.action_name(a, seat)})" for a in legal[:8])
        more = f" and {len(legal) - 8} more" if len(legal) > 8 else ""
        name = self.action_name(action, seat)
        return f"action {action} ({name}) is not legal now; legal: {names}{more}"

    def view(self, states: Records, player: int, index: int = 0) -> Records:
        """What ``player`` (a seat, or ``SPECTATOR``) may know of ``states[index]``, ``(1,)``."""
        if player != SPECTATOR and not 0 <= player < self.num_players:
            raise OptionError(
                f"player {player} is not at the table: 0 to {self.num_players - 1} or SPECTATOR"
            )
        index = self._check_state(states, index)
        out = np.empty_like(states[:1])
        self.game.kernels.view_many(_only(states, index), _one(0), _one(player), out, 0, 1)
        return out

    def determinize(self, view: Records, seed: int, index: int = 0) -> Records:
        """A State that the viewer cannot tell from the real one, ``(1,)``, drawn by ``seed``."""
        index = check_index(view, index)
        refuse_states(self.game, view[index : index + 1])
        out = np.empty_like(view[:1])
        seeds = np.array([check_seed(seed)], np.uint64)
        self.game.kernels.determinize_many(_only(view, index), seeds, out, 0, 1)
        return out

    def encode(self, views: Records) -> NDArray[np.int8]:
        """Observation vectors of Views, ``(len(views), observation.size) int8``."""
        refuse_states(self.game, views)
        out = np.empty((len(views), self.game.observation.size), np.int8)
        self.game.kernels.encode_many(writable(views), out, 0, len(views))
        return out

    def encode_state(self, states: Records, index: int = 0) -> NDArray[np.int8]:
        """State vector (perfect information) ``(state_layout.size,) int8``."""
        index = self._check_state(states, index)
        out = np.empty(self.game.state_layout.size, np.int8)
        self.game.kernels.encode_state_one(_only(states, index), 0, out)
        return out

    def returns(self, states: Records, index: int = 0) -> NDArray[np.float64]:
        """Returns of all seats ``(num_players,) float64``; zeros while the game runs."""
        index = check_index(states, index)
        out = np.empty((1, self.game.max_players), np.float64)
        self.game.kernels.returns_many(_only(states, index), _one(0), out, 0, 1)
        return out[0, : self.num_players].copy()

    def census(self, states: Records, index: int = 0) -> NDArray[np.int64]:
        """Counts of cards and tokens ``(census_size,) int64``; constant throughout a game."""
        index = self._check_state(states, index)
        out = np.empty(self.game.census_size, np.int64)
        self.game.kernels.count_parts(_only(states, index), 0, out)
        return out

    def kind(self, records: Records, index: int = 0) -> str:
        """Name of the kind of decision now to be made."""
        index = check_index(records, index)
        out = np.empty(1, np.int64)
        self.game.kernels.kind_many(_only(records, index), _one(0), out, 0, 1)
        return self.game.kinds[int(out[0])]

    def _check_state(self, states: Records, index: int) -> int:
        index = check_index(states, index)
        if states.dtype != self.game.dtype:
            raise OptionError(f"these records are not States of {self.game.id}")
        refuse_view(self.game, plain_records(states)[index])
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

    def __deepcopy__(self, memo: dict[int, Any]) -> BoundGame:
        return self  # nothing in it changes

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


def _only(records: Records, index: int) -> Records:
    """One record ``(1,)`` as compiled code takes it: a copy if it is not to be written."""
    return writable(records[index : index + 1])


def _one(value: int) -> NDArray[np.int64]:
    return np.array([value], np.int64)


def refuse_view(game: Game, record: Any) -> None:
    """Raise OptionError if ``record ()`` is a View, or nobody's, where a State is needed."""
    viewer = int(record["viewer"])
    if viewer != FULL:
        raise OptionError(
            f"not a state of {game.id}: viewer is {viewer}, of a State {FULL}; "
            "a View is not a State: determinize it first"
        )


def refuse_states(game: Game, records: Records) -> None:
    """Raise OptionError if one of ``records (k,)`` is a State, or nobody's View."""
    plain = plain_records(records)
    viewers = plain["viewer"]
    good = (viewers == SPECTATOR) | ((viewers >= 0) & (viewers < plain["num_players"]))
    if not good.all():
        k = int(np.argmin(good))
        raise OptionError(
            f"not a view of {game.id}: viewer is {viewers[k]}, of a View 0 to "
            f"{int(plain['num_players'][k]) - 1} or {SPECTATOR}; of a State take somebody's View"
        )


def check_state(game: Game, records: Records) -> None:
    """Raise OptionError, saying what is wrong, if the one State in ``records`` is not sound.

    A View comes first, then numbers out of the range that the State declares; only if there are
    none do the game's own questions mean anything.
    """
    record = plain_records(records)[0]
    refuse_view(game, record)
    for ask in (game.state.faults, game.event_table.faults, game.faults):
        for fault in ask(record):
            raise OptionError(f"not a state of {game.id}: {fault}")
