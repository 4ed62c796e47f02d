"""The list of properties and the loop that examines them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from concilium.envs.check import (
    cycle,
    joint,
    masks,
    names,
    observables,
    observations,
    opened,
    reload,
    repeat,
)
from concilium.envs.check import secrecy as secret
from concilium.envs.check.report import Counterexample, Report, Tally
from concilium.envs.check.table import EnvFactory, Table
from concilium.envs.check.worker import second_process
from concilium.envs.core.aec import GameEnv
from concilium.envs.core.bot import Actor, UniformBot
from concilium.envs.core.errors import OptionError
from concilium.envs.core.game import BoundGame, Game

Examine = Callable[[Table, Tally], None]

_PER_TABLE: Final[tuple[tuple[str, str, Examine], ...]] = (
    # hidden information
    ("round_trip", "pairs", secret.round_trip),
    ("legal_from_view", "pairs", secret.legal_from_view),
    ("encoding_from_view", "pairs", secret.encoding_from_view),
    ("visible_events", "pairs", secret.visible_events),
    ("no_generator", "pairs", secret.no_generator),
    ("resampled_varies", "pairs", secret.resampled_varies),
    ("resampled_playable", "pairs", secret.resampled_playable),
    ("shown_is_true", "pairs", opened.shown_is_true),
    ("opened_is_told", "pairs", opened.opened_is_told),
    ("shown_and_hidden", "pairs", joint.shown_and_hidden),
    ("nothing_shown", "pairs", observables.nothing_shown),
    ("nothing_shown_next", "pairs", observables.nothing_shown_next),
    # masks and actions
    ("mask_form", "masks", masks.mask_form),
    ("mask_exact", "actions", masks.mask_exact),
    ("action_types", "actions", masks.action_types),
    ("illegal_loses", "games", masks.illegal_loses),
    # observations
    ("observation_form", "vectors", observations.observation_form),
    ("state_vector_form", "vectors", observations.state_vector_form),
    ("observation_owned", "arrays", observations.observation_owned),
    ("memory_overwritten", "rows", observations.memory_overwritten),
    ("layout_covers", "segments", observations.layout_covers),
    # turn cycle and declared facts
    ("rewards_once", "payments", cycle.rewards_once),
    ("ends_together", "games", cycle.ends_together),
    ("order_enforced", "calls", cycle.order_enforced),
    ("returns_declared", "States", cycle.returns_declared),
    ("length_declared", "games", cycle.length_declared),
    ("status_consistent", "States", cycle.status_consistent),
    ("parts_conserved", "States", cycle.parts_conserved),
    # copies and randomness
    ("same_seed", "States", repeat.same_seed),
    ("replays_alike", "States", repeat.replays_alike),
    ("unseeded_resets", "deals", repeat.unseeded_resets),
    ("options_kept", "deals", repeat.options_kept),
    ("generators_untouched", "games", repeat.generators_untouched),
    ("copies_continue", "States", repeat.copies_continue),
    ("json_round_trip", "States", repeat.json_round_trip),
    ("loads_again", "States", reload.loads_again),
    # names
    ("action_names", "actions", names.action_names),
    ("repr_tells", "moves", names.repr_tells),
    ("pictures", "pictures", names.pictures),
)

_OVERALL: Final = (
    ("coverage", "vectors", "every element of the observation takes two values"),
    ("second_process", "games", "a second process shows the same bytes"),
    ("seat_symmetry", "pairs", "observations and masks are egocentric"),
)

PROPERTIES: Final[tuple[str, ...]] = (
    *(name for name, _, _ in _PER_TABLE), *(name for name, _, _ in _OVERALL),
)  # fmt: skip
"""Names of all properties, in the order of the report."""


def check_game(
    game: Game,
    *,
    env_factory: EnvFactory | None = None,
    options: Mapping[str, object] | Sequence[Mapping[str, object]] = ({},),
    num_players: Iterable[int] | None = None,
    games: int = 8,
    pairs: int = 1000,
    seed: int = 0,
    bots: Sequence[Actor] = (),
    constant: Collection[str] = (),
    relabel: names.Relabel | None = None,
    modules: Sequence[str] = (),
    process: bool = True,
    properties: Collection[str] = PROPERTIES,
) -> Report:
    """Examine a game and its environment at every table and report on every property.

    Args:
        game: the game.
        env_factory: makes the environment from ``render_mode``, ``illegal`` and the options as
            keywords; the game's :class:`GameEnv` if not given. The second process makes it by its
            module and name.
        options: the option sets to examine, each without ``num_players``.
        num_players: the player counts; all that the game has if not given.
        games: games per table and bot that each examination of the environment plays, about.
        pairs: pairs of a State and a viewer per table for the examinations of hidden information.
        seed: where all chance of the examination comes from.
        bots: who plays besides uniformly random play; give some that reach what it does not.
        constant: parts of the observation that need not take two values with these options: names
            of segments or parts of them, as in ``"seat_exists[0]"``.
        relabel: moves all seats of States by a shift; without it symmetry is not examined.
        modules: modules that the second process imports, such as the one that registers the game.
        process: whether to start a second process.
        properties: the names of those to examine.

    Raises:
        OptionError: an option or a name in ``constant`` or ``properties`` does not exist.
    """
    for name in properties:
        if name not in PROPERTIES:
            raise OptionError(f"no property {name!r}; there are {', '.join(PROPERTIES)}")
    make = env_factory or (lambda **keywords: GameEnv(game, **keywords))
    players = (UniformBot(game, seed), *bots)
    tables = [
        Table(bound, make, players, games, pairs, seed)
        for bound in _bound(game, options, num_players)
    ]
    wanted = set(properties)
    wanted -= set() if process else {"second_process"}
    wanted -= set() if relabel else {"seat_symmetry"}
    per_table = [row for row in _PER_TABLE if row[0] in wanted]
    tallies = {name: Tally(name, _meaning(examine), unit) for name, unit, examine in per_table}
    overall = {row[0]: Tally(row[0], row[2], row[1]) for row in _OVERALL if row[0] in wanted}
    seen = observations.Range(game.observation, constant)
    for table in tables:
        for name, _, examine in per_table:
            _attempt(tallies[name], str(table), examine, table)
        if "coverage" in wanted:
            _attempt(overall["coverage"], str(table), observations.add_range, table, seen)
        if "seat_symmetry" in wanted:
            _attempt(overall["seat_symmetry"], str(table), names.seat_symmetry, table, relabel)
        table.forget()
    if "coverage" in wanted:
        _attempt(overall["coverage"], "all tables", observations.coverage, seen)
    if "second_process" in wanted:
        tally = overall["second_process"]
        _attempt(tally, "all tables", second_process, tables, env_factory, modules)
    return Report(
        game.id,
        tuple(map(str, tables)),
        tuple(tally.line() for tally in (*tallies.values(), *overall.values())),
    )


def _bound(
    game: Game,
    options: Mapping[str, object] | Sequence[Mapping[str, object]],
    num_players: Iterable[int] | None,
) -> list[BoundGame]:
    """The game with each set of options and each player count."""
    sets = [options] if isinstance(options, Mapping) else list(options)
    counts = range(game.min_players, game.max_players + 1) if num_players is None else num_players
    tables = [game.bind(num_players=n, **given) for given in sets for n in counts]
    if not tables:
        raise OptionError("there is no table to examine: no options or no player counts")
    return tables


def _meaning(examine: Examine) -> str:
    """The property in words is the first line of what examines it."""
    line = (examine.__doc__ or "").split("\n")[0].rstrip(".")
    return line[:1].lower() + line[1:]


def _attempt(tally: Tally, where: str, examine: Callable[..., None], *args: object) -> None:
    """Examine one property at one table; the first counterexample is kept and ends it."""
    if tally.fault:
        return
    try:
        examine(*args, tally)
    except Counterexample as found:
        tally.fault = f"{where}: {found}"
    except Exception as error:  # a broken game may raise anything; the report is to say so
        tally.error = type(error).__name__
        tally.fault = f"{where}: {tally.error}: {error}"
