"""``concilium evaluate``: how strong a bot or a saved policy is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter
from cyclopts.validators import mutually_exclusive

from concilium.commands import arguments as arg
from concilium.envs import GAMES, Game, OptionError

if TYPE_CHECKING:
    from concilium.evaluation.seats import Evaluation, SideEvaluation

_WHERE = Parameter(group=Group("Where the bot sits", validator=mutually_exclusive))
_SEATS = Parameter(name=("--seats", "--seat"))


def run(
    bot: arg.BotName,
    /,
    *opponents: arg.BotName,
    game: Annotated[arg.GameName, Parameter(help="Where the bots do not tell it.")] | None = None,
    players: arg.TableSizes | None = None,
    seats: Annotated[tuple[int, ...], arg.several(arg.whole(0, 98)), _SEATS, _WHERE] = (0,),
    all_seats: Annotated[bool, _WHERE] = False,
    side: Annotated[str | None, _WHERE] = None,
    deals: arg.Count = 500,
    seed: arg.Seed = 0,
    option: arg.Options = (),
    json: arg.OutputFile | None = None,
    rows: arg.OutputFile | None = None,
) -> None:
    """Measure how strong a bot or a saved policy is.

    A fixed number of deals, each in all rotations of the seats; the intervals are of 95 % and by
    deal. With --side the bot plays all seats of a side of a game that has sides, wherever they are
    dealt, and one opponent all others. Bots are named as concilium list tells, or are policy files.

    Stewards among themselves: concilium evaluate chancellors/steward --all-seats --deals 4800

    Args:
        bot: what is evaluated.
        opponents: the bot in all other seats, or one for each in the order of seats.
        game: where the bots do not tell it.
        players: table sizes; all by default.
        seats: of the bot before the rotation, from 0; several for a team.
        all_seats: the bot among copies of itself.
        side: the bot in all seats of this side, where the deal puts them.
        deals: at each table size.
        seed: of deals and bots.
        option: an option of the game, again for each; concilium list tells them.
        json: also write the figures to this file.
        rows: also write a line of CSV per game to this file; with several table sizes a file for
            each, as FILE-3.csv.
    """
    from concilium.evaluation.seats import evaluate, evaluate_side

    played = find_game([bot, *opponents], game)
    options = arg.read_options(played, option)
    if not opponents and not all_seats:
        raise OptionError("no opponent is named: one for all other seats, one for each, or give "
                          "--all-seats")  # fmt: skip
    if side is not None and len(opponents) != 1:
        raise OptionError(f"--side {side}: one opponent for all other seats, not {len(opponents)}")
    sizes: Sequence[int] = players or range(played.min_players, played.max_players + 1)

    def measure(size: int, deals: int) -> Evaluation | SideEvaluation:
        if side is not None:
            return evaluate_side(
                bot, opponents[0], game=played, side=side, deals=deals, seed=seed,
                num_players=size, **options,
            )  # fmt: skip
        return evaluate(
            bot, opponents, game=played, deals=deals, seats=range(size) if all_seats else seats,
            seed=seed, num_players=size, **options,
        )  # fmt: skip

    for size in sizes:
        measure(size, 1)  # whatever does not fit is said before the first table is played
    report = []
    for size in sizes:
        result = measure(size, deals)
        print(told(result), flush=True)
        report.append(result.to_json())
        if rows:
            path = rows.with_name(f"{rows.stem}-{size}{rows.suffix}") if len(sizes) > 1 else rows
            with arg.writing(path):
                result.write_rows(path)
    arg.write_json(json, report, [bot, *opponents], options)


def find_game(names: Sequence[str], given: Game | None = None) -> Game:
    """Find out which game bots are for.

    Args:
        names: of bots or policy files.
        given: the game if it has been said.

    Raises:
        OptionError: nothing tells which game, or a name is not of its form.
        FileFormatError: a policy file cannot be used.
    """
    from concilium.baselines import policy_file
    from concilium.baselines.policy import load_network
    from concilium.baselines.registry import names_in

    if given is not None:
        return given
    for name in [part for full in names for part in names_in(full)]:
        if (path := policy_file(name)) is not None:
            return load_network(path).game
        if (game := name.partition("/")[0]) in GAMES:
            return GAMES[game]
    if len(GAMES) == 1:
        return next(iter(GAMES.values()))
    raise OptionError(
        f"{' and '.join(names)} can play several games: say which with --game, one of "
        f"{', '.join(GAMES)}"
    )


def told(result: Evaluation | SideEvaluation) -> str:
    """Tell an evaluation in a few lines."""
    from concilium.evaluation.seats import SideEvaluation

    return _side_told(result) if isinstance(result, SideEvaluation) else _seats_told(result)


def _side_told(result: SideEvaluation) -> str:
    difference = result.difference
    lines = [
        f"{result.game}, {result.options['num_players']} players: {result.bot} as all of the "
        f"{result.side}, {result.opponent} in the other seats",
        f"  {result.deals} games: {result.deals} deals, seed {result.seed}",
        f"  won: {result.won.percent()}",
        f"  won by random in its place, same deals: {result.baseline.percent()}",
        f"  difference: {100 * difference.value:+z.1f} % "
        f"[{100 * difference.low:+z.1f}, {100 * difference.high:+z.1f}]",
        f"  mean return: {result.mean_return}",
        *_ends_told(result),
    ]
    return "\n".join(lines)


def _ends_told(result: Evaluation | SideEvaluation) -> list[str]:
    return [
        *(f"  games won by the {side}: {won.percent()}" for side, won in result.side_won.items()),
        *(f"  ended: {name}: {share.percent()}" for name, share in result.outcomes.items()),
        f"  decisions a game: {result.decisions:.1f}",
    ]


def _seats_told(result: Evaluation) -> str:
    seats = ", ".join(map(str, result.seats))
    others = sorted(set(result.opponents))
    lines = [
        f"{result.game}, {result.options['num_players']} players: {result.bot} in seat {seats}"
        + (f", {' and '.join(others)} in the others" if others else ""),
        f"  {result.games} games: {result.deals} deals in {result.rotations} rotations of the "
        f"seats, seed {result.seed}",
        f"  games won by the bot: {result.won.percent()}"
        + ("" if result.fair_share is None else f", equal share {100 * result.fair_share:.1f} %"),
        *(
            f"  seats won as one of the {side}: {won.percent()}"
            for side, won in result.by_side.items()
        ),
        f"  mean return: {result.mean_return}",
        *_ends_told(result),
    ]
    if result.efficiency is not None:
        lines.append(
            "  relative efficiency of the same deals in all rotations: "
            f"{result.efficiency:.1f} times"
        )
    return "\n".join(lines)
